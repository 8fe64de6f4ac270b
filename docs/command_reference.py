"""The directive `commands`: what `--help` says of every command, so that no page falls behind the code."""

from __future__ import annotations

from typing import Any

import typer
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from buildsearch.cli.main import app


class Commands(SphinxDirective):
    """A section for each command."""

    def run(self) -> list[nodes.Node]:
        """In the order in which `buildsearch --help` has them."""
        group: Any = typer.main.get_command(app)
        found: list[nodes.Node] = []
        for name, command in group.commands.items():
            context = command.make_context(name, [], resilient_parsing=True)
            context.info_name = f"buildsearch {name}"
            section = nodes.section(ids=[f"buildsearch-{name}"], names=[name])
            section += nodes.title(text=f"buildsearch {name}")
            section += nodes.literal_block(text=command.get_help(context), language="text")
            found.append(section)
        return found


def setup(sphinx: Sphinx) -> dict[str, bool]:
    """Sphinx asks for it by this name."""
    sphinx.add_directive("commands", Commands)
    return {"parallel_read_safe": True}
