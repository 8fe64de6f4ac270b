"""Words that users should not read: `scripts/lint` runs this over strings, pages and docs.

Reads Python strings of three words or more (docstrings only of commands), quoted strings of the
pages' JavaScript and Markdown outside code. A line that must keep a word says so with its reason in ALLOWED.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_SENTENCE_WORDS = {True: 30, False: 25}  # in docs, in the program

PATTERNS = {
    r"\b(nobody|anybody|somebody|everybody|who(m)?ever|whatever)\b": "name the player, build or option",
    r"\b(with it|when|what|where|than) one (is|can|gets|reaches|builds|takes|wins|plays|has|chooses)\b": "say `you`, or `a player`",
    r"\bso (many|much|few|often)\b(?! (that|as)\b)": "give the number, or say `this many`",
    r"(?<!there )\b(is|are|was) no (?!longer|more|fewer|less|better|worse|higher|lower)\w": "say `is not a`",
    r"\b(not|no|nothing|none|never)\b[^.;:,(]{1,40}\b(not|none|never|nor)\b|\bnot so that\b|\bthat no (fewer|other)\b": "say it positively",
    r"\bone another\b": "say `each other`",
    r"\b(dear|mend(s|ed|ing)?|cures?|anew)\b": "say overcosted, fix, again",
    r"\b(accus\w+|culprits?|guilty|victims?|witness\w*|to blame)\b": "say flag, cause",
    r"\b(reference level|freedom|headroom|indifference price)\b|\bdecide\w* .{0,30}at once\b": "say benchmark, viable options, over budget, fair cost, instant win",
    r"\btell\w*( \w+){0,2} apart\b|\btold apart\b|\blets? (\w+ ){0,2}in\b|\b(hangs? on|is rid of|until then|all the same)\b": "say separate, make legal, depends on, removes, so far, anyway",
    r"\b(stands?|stood) (in|at|for|behind|beside|there)\b": "say `is in`",
    r"\bfar (above|below|off|better|worse|too)\b": "say by how much",
    r"\bsome (ten|hundred|thousand|million)s?\b|\bfor (certain|sure)\b|\d %": "say `a few hundred`, `clearly`, `95%`",
    r"^Written to\b|\bgive the (same )?command again\b": "say `Wrote`, `Repeat the command`",
}  # fmt: skip

# (file, a piece of the text): why the word stays.
ALLOWED = {
    ("buildsearch/cli/main.py", "buildsearch optimize"): "lines of a screen, not a sentence",
    ("buildsearch/systems/dungeoneers/rules/model.py", "`mend`"): "a spell of the game",
}


def texts() -> Iterator[tuple[str, int, str, bool]]:
    """Each text that a user may read: file, line, text, and whether it is of the docs."""
    for path in sorted((ROOT / "buildsearch").rglob("*.py")):
        for line, text in _strings(path):
            yield _name(path), line, text, False
    for path in sorted((ROOT / "buildsearch").rglob("*.js")):
        if "vendor" in path.parts:
            continue
        for match in re.finditer(r"\"[^\"\n]*\"|`[^`]*`|'[^'\n]*'", source := path.read_text()):
            if _is_prose(text := match.group()[1:-1]):
                yield _name(path), source.count("\n", 0, match.start()) + 1, text, False
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for line, text in _paragraphs(path.read_text(encoding="utf-8")):
            yield _name(path), line, text, True


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _is_prose(text: str) -> bool:
    return len(re.findall(r"[A-Za-z]{2,}", text)) >= 3 and " " in text.strip()


def _strings(path: Path) -> Iterator[tuple[int, str]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            is_command = "cli" in path.parts and getattr(node, "name", "") == "command"
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and not is_command:
                docstrings.add(id(first.value))
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) in docstrings or id(node) in parts:
                continue
            text = node.value
        else:
            continue
        if _is_prose(text):
            yield node.lineno, text


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Paragraphs, items and rows of tables; code blocks and code spans are left out."""
    is_code, begun = False, 0
    lines: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        is_new = not line.strip() or re.match(r"\s*([-*#|>]|\d+\.)", line) or line.lstrip().startswith("```")
        if is_new and lines:
            yield begun, re.sub(r"`[^`]*`", "x", " ".join(lines))
            lines = []
        if not is_code and line.strip() and not line.lstrip().startswith("```"):
            begun = begun if lines else number
            lines.append(line.strip())


def problems() -> Iterator[tuple[str, int, str, str]]:
    """File, line, the words, and what to say instead."""
    for file, line, text, is_docs in texts():
        if any(file == where and piece in text for where, piece in ALLOWED):
            continue
        for pattern, instead in PATTERNS.items():
            for match in re.finditer(pattern, text, re.IGNORECASE):
                yield file, line, match.group(), instead
        if "Examples:" in text or "|" in text[:2]:
            continue
        for sentence in re.split(r"(?<=[.!?:;])\s+", text):
            words = len(re.findall(r"[\w'‹›-]+", sentence))
            if words > _SENTENCE_WORDS[is_docs]:
                yield file, line, f"{sentence[:60]}…", f"split this sentence of {words} words"


def main() -> None:
    """Print each place; exit code 1 where there is one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--by-file", action="store_true", help="only count them")
    found = list(problems())
    if parser.parse_args().by_file:
        for file, number in Counter(file for file, *_ in found).most_common():
            print(f"{number:5} {file}")
    else:
        for file, line, words, instead in found:
            print(f"{file}:{line}: {words!r}: {instead}")
    print(f"{len(found)} words or sentences to change." if found else "The wording is fine.")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
