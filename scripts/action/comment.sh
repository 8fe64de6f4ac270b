#!/usr/bin/env bash
# Keeps one comment on a pull request: the one that begins with our mark is changed, and only if there is none is one made.
# REPOSITORY (owner/name), NUMBER (of the pull request), COMMENT (a file); gh has the token in GH_TOKEN.
set -euo pipefail
[ -f "$COMMENT" ] || { echo "comment: there is no $COMMENT, so there is nothing to say." >&2; exit 0; }
# A comment may have 65,536 characters.
body=$(mktemp)
trap 'rm -f "$body"' EXIT
if [ "$(wc -m <"$COMMENT")" -gt 65000 ]; then
  head -c 60000 "$COMMENT" | iconv -c -f UTF-8 -t UTF-8 >"$body" || true  # a letter that was cut in two is dropped
  printf '\n~~~~~~~~\n\n... and more than fits into a comment: see the report.\n' >>"$body"
else
  cat "$COMMENT" >"$body"
fi
mine=$(gh api --paginate "repos/$REPOSITORY/issues/$NUMBER/comments" \
  --jq '.[] | select(.user.type == "Bot" and (.body | startswith("<!-- buildsearch -->"))) | .id' | head -1)
if [ -n "$mine" ]; then
  gh api --method PATCH "repos/$REPOSITORY/issues/comments/$mine" --field "body=@$body" >/dev/null
  echo "comment: $mine is up to date."
else
  gh api --method POST "repos/$REPOSITORY/issues/$NUMBER/comments" --field "body=@$body" >/dev/null
  echo "comment: made."
fi
