#!/usr/bin/env bash
# Keeps one comment on a pull request: the one of ours that begins with our mark is changed, and only if there is none is
# one made. REPOSITORY (owner/name), NUMBER (of the pull request), COMMENT (a file); gh has the token in GH_TOKEN.
# Who may not comment (a pull request from a fork) is told so: the verdict does not depend on it.
set -euo pipefail
[ -f "$COMMENT" ] || { echo "comment: there is no $COMMENT, so there is nothing to say." >&2; exit 0; }
# A comment may have 65,536 characters. What is open where it is cut, a block or something folded away, is closed.
body=$(mktemp)
trap 'rm -f "$body"' EXIT
awk '
  (size += length($0) + 1) > 64000 { is_cut = 1; exit }
  { print }
  fence != "" { if ($0 == fence) fence = ""; next }
  match($0, /^~~~~~~~~+/) { fence = substr($0, 1, RLENGTH) }
  /^<details>/ { is_folded = 1 }
  /^<\/details>/ { is_folded = 0 }
  END {
    if (!is_cut) exit
    if (fence != "") print fence
    if (is_folded) print "\n</details>"
    print "\n... and more than fits into a comment: see the report."
  }' "$COMMENT" >"$body"

refused() {
  echo "::warning title=buildsearch::No comment: the token may not write to pull requests here. The report is an artifact."
  exit 0
}

# Anybody may write a comment that begins like ours: only one of whoever comments here counts. The token of a workflow is
# a bot and may not ask who it is.
me=$(gh api user --jq .login 2>/dev/null) || me=""
marked=$(gh api --paginate "repos/$REPOSITORY/issues/$NUMBER/comments" \
  --jq '.[] | select(.body | startswith("<!-- buildsearch -->")) | "\(.id) \(.user.login)"') || refused
mine=$(awk -v me="$me" '(me == "" && $2 ~ /\[bot\]$/) || (me != "" && $2 == me) { print $1; exit }' <<<"$marked")
if [ -n "$mine" ]; then
  gh api --method PATCH "repos/$REPOSITORY/issues/comments/$mine" --field "body=@$body" >/dev/null || refused
  echo "comment: $mine is up to date."
else
  gh api --method POST "repos/$REPOSITORY/issues/$NUMBER/comments" --field "body=@$body" >/dev/null || refused
  echo "comment: made."
fi
