#!/usr/bin/env bash
# Installs buildsearch: what PACKAGE says, or the very source that this action came with (SOURCE), in its version.
set -euo pipefail
if [ -z "${PACKAGE:-}" ]; then
  PACKAGE=$SOURCE
  # The action is an archive without history: the tag that it was asked for by says the version.
  if [[ ${TAG:-} =~ ^v[0-9]+(\.[0-9]+)*$ ]]; then
    export SETUPTOOLS_SCM_PRETEND_VERSION_FOR_BUILDSEARCH=${TAG#v}
  fi
fi
# Isolated (-I): the current folder is the pull request's, and Python would look there first for what it imports.
python -I -m pip install --disable-pip-version-check "$PACKAGE"
