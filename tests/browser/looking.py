"""Sizes of windows, and what axe-core has against a page."""

from __future__ import annotations

from pathlib import Path

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
_AXE = Path(__file__).parent / "vendor" / "axe.min.js"


def violations(page):
    """Serious ones, with where they are."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert found["passes"], "axe looked at nothing"
    return [
        (each["id"], [node["html"][:150] for node in each["nodes"][:3]])
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]
