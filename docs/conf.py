"""The site out of these pages: `scripts/docs` builds it, without network, and any warning is an error.

Its root is the repository, so that links between README, docs/ and the rest work there as they do here.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent))

project = "buildsearch"
copyright = "the buildsearch team"  # noqa: A001 - Sphinx's word
extensions = ["myst_parser", "command_reference"]
root_doc = "docs/index"
include_patterns = ["docs/*.md", "*.md", "examples/README.md"]
exclude_patterns = [".*", "build", "dist", "results", "docs/_build"]
html_theme = "alabaster"
html_theme_options = {"description": "Find broken builds before players do.", "page_width": "1100px"}
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html"]}
html_show_sourcelink = False
# Links such as (search.md#the-race) go to headings.
myst_heading_anchors = 3
# The changelog has a "### Added" for each release.
suppress_warnings = ["myst.header"]

# Sphinx wants every page in a tree. On the map it would be in the way, so it is added to it here.
_TREE = """

```{toctree}
:hidden:
:glob:
tutorial
for-designers
for-testers
for-ci
commands
*
../README
../examples/README
../CONTRIBUTING
../SECURITY
../CHANGELOG
```
"""


def _add_tree(_sphinx: Sphinx, name: str, source: list[str]) -> None:
    if name == root_doc:
        source[0] += _TREE


def setup(sphinx: Sphinx) -> None:
    """Sphinx asks for it by this name."""
    sphinx.connect("source-read", _add_tree)
