#!/usr/bin/env bash
# Runs `buildsearch check` and writes what a pull request is told. Against the commit that the pull request starts from only
# new findings count, each with the edit behind it. Everything is told by variables: RULES, ARGUMENTS (one to a line), BASE
# (that commit), FOLDER (where files go), RUN_PAGE (a link).
# It ends with 0, so that later steps can tell; the exit code of the check goes to GITHUB_OUTPUT.
set -uo pipefail

# Isolated (-I): the current folder is the pull request's, and Python would look there first for what it imports.
buildsearch() { python -I -m buildsearch "$@"; }

printed() { # a file in the log; GitHub obeys no line of it, whatever names a rules file has
  local token
  token=$(python -I -c 'import secrets; print(secrets.token_hex(16))')
  printf '::stop-commands::%s\n' "$token"
  cat "$1"
  printf '\n::%s::\n' "$token"
}

FOLDER=${FOLDER:-buildsearch-check}
mkdir -p "$FOLDER"
arguments=()
[ -z "${RULES:-}" ] || arguments+=(--rules "$RULES")
while IFS= read -r line; do
  [ -z "$line" ] || arguments+=("$line")
done <<<"${ARGUMENTS:-}"
# A shallow checkout does not have the commit: then all findings are told.
if [ -n "${BASE:-}" ] && git cat-file -e "$BASE^{commit}" 2>/dev/null; then
  arguments+=(--against "$BASE")
fi

rm -f "$FOLDER/check.sarif"
GITHUB_STEP_SUMMARY='' buildsearch check ${arguments[@]+"${arguments[@]}"} \
  --junit "$FOLDER/check.xml" --sarif "$FOLDER/check.sarif" --html "$FOLDER/report.html" --markdown \
  >"$FOLDER/check.md" 2>"$FOLDER/errors.txt"
code=$?
printed "$FOLDER/check.md"
annotations='^::(error|warning) file=|^::notice::' # findings on the lines of the rules
printed <(grep -Ev "$annotations" "$FOLDER/errors.txt")
grep -E "$annotations" "$FOLDER/errors.txt"
case $code in
  0) result=pass ;;
  1) result=fail ;;
  4) result=inconclusive ;;
  *) result=error ;;
esac

fenced() { # a block that no line of its content can end: the fence is longer than any row of tildes in there
  local content fence='~~~~~~~~'
  content=$(cat)
  while [[ $content == *"$fence"* ]]; do fence+=$fence; done
  printf '%stext\n%s\n%s\n' "$fence" "$content" "$fence"
}

{
  echo "<!-- buildsearch -->"
  if [ "$result" != error ] && [ -s "$FOLDER/check.md" ]; then
    cat "$FOLDER/check.md"
  else
    printf '### Balance: %s\n\n' "$result"
    cat "$FOLDER/check.md" "$FOLDER/errors.txt" | fenced
  fi
  [ -z "${RUN_PAGE:-}" ] || printf '\n[Report](%s#artifacts): artifact `buildsearch`, file report.html.\n' "$RUN_PAGE"
} >"$FOLDER/comment.md"

# The first time there is nothing to compare with: the artifact has a baseline to commit.
if [ "$code" = 1 ] && [[ " ${arguments[*]-} " != *" --against "* ]]; then
  buildsearch check ${arguments[@]+"${arguments[@]}"} --baseline "$FOLDER/baseline.json" --update-baseline --quiet \
    >/dev/null 2>&1 && printf '\nTo accept these findings, commit `baseline.json` of the artifact.\n' >>"$FOLDER/comment.md"
fi
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$FOLDER/comment.md" >>"$GITHUB_STEP_SUMMARY"
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'code=%s\nresult=%s\nfolder=%s\n' "$code" "$result" "$FOLDER" >>"$GITHUB_OUTPUT"
  [ ! -f "$FOLDER/check.sarif" ] || printf 'sarif=%s\n' "$FOLDER/check.sarif" >>"$GITHUB_OUTPUT"
  exit 0
fi
exit $code
