#!/usr/bin/env bash
# Runs `buildsearch check` and writes what a pull request is told: verdict, what the change does and which line is to
# blame, the smallest change that mends it. Everything is told by variables:
# RULES, ARGUMENTS (one to a line), BASE (the commit to compare with), FOLDER (where files go), RUN_PAGE (a link).
# It ends with 0, so that the steps after it can tell; the exit code of the check goes to GITHUB_OUTPUT.
set -uo pipefail
FOLDER=${FOLDER:-buildsearch-check}
mkdir -p "$FOLDER"
arguments=()
[ -z "${RULES:-}" ] || arguments+=(--rules "$RULES")
while IFS= read -r line; do
  [ -z "$line" ] || arguments+=("$line")
done <<<"${ARGUMENTS:-}"

summary="$FOLDER/summary.md"
rm -f "$summary"
GITHUB_STEP_SUMMARY="$summary" buildsearch check "${arguments[@]}" \
  --junit "$FOLDER/check.xml" --sarif buildsearch-check.sarif --html "$FOLDER/report.html" 2>"$FOLDER/errors.txt"
code=$?
cat "$FOLDER/errors.txt" >&2
[ ! -f buildsearch-check.sarif ] || cp buildsearch-check.sarif "$FOLDER/check.sarif"
case $code in
  0) verdict=pass ;;
  1) verdict=fail ;;
  4) verdict=inconclusive ;;
  *) verdict=error ;;
esac

fenced() { # a block that no line of its content can end
  printf '~~~~~~~~%s\n' "$1"
  cat
  printf '\n~~~~~~~~\n'
}

{
  echo "<!-- buildsearch -->"
  if [ -f "$summary" ]; then
    cat "$summary"
  else
    printf '## buildsearch check: %s\n\n' "$verdict"
    fenced text <"$FOLDER/errors.txt"
  fi
  if [ -n "${BASE:-}" ] && [ -f "${RULES:-}" ] && [ $code -ne 2 ]; then
    if changed=$(buildsearch diff "git:$BASE:$RULES" "$RULES" --markdown --quiet 2>/dev/null) && [ -n "$changed" ]; then
      printf '\n<details><summary>What this change does</summary>\n\n%s\n\n</details>\n' "$changed"
    fi
  fi
  if [ $code -eq 1 ] && patch=$(buildsearch balance "$FOLDER" --patch --quiet 2>/dev/null) && [ -n "$patch" ]; then
    printf '\n<details><summary>The smallest change that mends it</summary>\n\n'
    fenced diff <<<"$patch"
    printf '\n</details>\n'
  fi
  [ -z "${RUN_PAGE:-}" ] || printf '\n[The report](%s#artifacts) is among the artifacts of this run: buildsearch, report.html.\n' "$RUN_PAGE"
} >"$FOLDER/comment.md"

[ ! -f "$summary" ] || [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$summary" >>"$GITHUB_STEP_SUMMARY"
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'code=%s\nverdict=%s\nfolder=%s\n' "$code" "$verdict" "$FOLDER" >>"$GITHUB_OUTPUT"
  exit 0
fi
exit $code
