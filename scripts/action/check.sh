#!/usr/bin/env bash
# Runs `buildsearch check` and writes what a pull request is told: verdict, what the change does and which line is to
# blame, the smallest change that mends it. Everything is told by variables:
# RULES, ARGUMENTS (one to a line), BASE (the commit to compare with), FOLDER (where files go), RUN_PAGE (a link).
# It ends with 0, so that the steps after it can tell; the exit code of the check goes to GITHUB_OUTPUT.
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

summary="$FOLDER/summary.md"
rm -rf "$summary" "$FOLDER/check.sarif" "$FOLDER"/report*-run
GITHUB_STEP_SUMMARY="$summary" buildsearch check ${arguments[@]+"${arguments[@]}"} \
  --junit "$FOLDER/check.xml" --sarif "$FOLDER/check.sarif" --html "$FOLDER/report.html" \
  >"$FOLDER/check.txt" 2>"$FOLDER/errors.txt"
code=$?
printed "$FOLDER/check.txt"
annotations='^::(error|warning) file=|^::notice::' # findings on the lines of the rules
printed <(grep -Ev "$annotations" "$FOLDER/errors.txt")
grep -E "$annotations" "$FOLDER/errors.txt"
case $code in
  0) verdict=pass ;;
  1) verdict=fail ;;
  4) verdict=inconclusive ;;
  *) verdict=error ;;
esac

# The run beside the report, for what is asked of it now; of several, the first.
run=""
for each in "$FOLDER"/report*-run; do
  [ ! -f "$each/run.json" ] || run=${run:-$each}
done

fenced() { # a block that no line of its content can end: the fence is longer than any row of tildes in there
  local content fence='~~~~~~~~'
  content=$(cat)
  while [[ $content == *"$fence"* ]]; do fence+=$fence; done
  printf '%s%s\n%s\n%s\n' "$fence" "$1" "$content" "$fence"
}

asked_of_run() { # the rules, then the parameters that the check ran with: whatever said them, the two sides share them
  python -I - "$1" <<'PY'
import json, sys
said = json.load(open(sys.argv[1], encoding="utf-8"))
print(said["request"]["rules"])
for name, value in said["parameters"].items():
    if value is not None:
        print(f"--parameter={name}={value}")
PY
}

tell() { # TITLE LANGUAGE COMMAND...: what a command prints, folded away; if it fails, why it says nothing
  local title=$1 language=$2 said
  shift 2
  if said=$("$@" 2>"$FOLDER/why.txt"); then
    [ -n "$said" ] || return 0
    printf '\n<details><summary>%s</summary>\n\n' "$title"
    if [ -n "$language" ]; then fenced "$language" <<<"$said"; else printf '%s\n' "$said"; fi
    printf '\n</details>\n'
  else
    printf '\n%s: no answer, because\n\n' "$title"
    tail -n 3 "$FOLDER/why.txt" | fenced text
  fi
}

{
  echo "<!-- buildsearch -->"
  if [ -f "$summary" ]; then
    cat "$summary"
  else
    printf '## buildsearch check: %s\n\n' "$verdict"
    cat "$FOLDER/check.txt" "$FOLDER/errors.txt" | fenced text
  fi
  if [ -n "$run" ] && asked=$(asked_of_run "$run/run.json"); then
    rules=${asked%%$'\n'*}
    [ -f "$rules" ] || rules="rules/$rules.yaml" # called by its name
    parameters=()
    while IFS= read -r line; do
      [[ $line != --parameter=* ]] || parameters+=("$line")
    done <<<"$asked"
    if [ -n "${BASE:-}" ] && [ -f "$rules" ] && git cat-file -e "$BASE:./$rules" 2>/dev/null; then
      tell "What this change does" "" buildsearch diff --markdown --quiet ${parameters[@]+"${parameters[@]}"} \
        -- "git:$BASE:./$rules" "$rules"
    fi
  fi
  if [ -n "$run" ] && [ $code -eq 1 ]; then
    tell "The smallest change that mends it" diff buildsearch balance "$run" --patch --quiet
  fi
  [ -z "${RUN_PAGE:-}" ] || printf '\n[The report](%s#artifacts) is among the artifacts of this run: buildsearch, report.html.\n' "$RUN_PAGE"
} >"$FOLDER/comment.md"
rm -f "$FOLDER/why.txt"

[ ! -f "$summary" ] || [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$summary" >>"$GITHUB_STEP_SUMMARY"
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'code=%s\nverdict=%s\nfolder=%s\n' "$code" "$verdict" "$FOLDER" >>"$GITHUB_OUTPUT"
  [ ! -f "$FOLDER/check.sarif" ] || printf 'sarif=%s\n' "$FOLDER/check.sarif" >>"$GITHUB_OUTPUT"
  exit 0
fi
exit $code
