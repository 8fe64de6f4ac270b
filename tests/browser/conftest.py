"""A real browser for all pages, and what they complain about."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from typing import Any

import pytest


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert program, "chromium is not installed; `make test-browser` installs it"
    with sync_playwright() as playwright:
        # As root, as in a container, chromium refuses to run in its sandbox.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass
class Opened:
    """A page, and everything that it complained about or asked for."""

    page: Any
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def rows(self):
        return self.page.locator(".board tbody tr").all_inner_texts()

    def overflow(self):
        return self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )


@pytest.fixture
def opened(browser):
    """Opens a page by its address."""
    contexts = []

    def open_(address, viewport, scheme="light"):
        context = browser.new_context(viewport=viewport, color_scheme=scheme)
        contexts.append(context)
        found = Opened(context.new_page())
        found.page.on("console", lambda message: found.complaints.append(message.text))
        found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
        found.page.on("dialog", lambda dialog: found.complaints.append(dialog.message))
        found.page.on("request", lambda request: found.requests.append(request.url))
        found.page.goto(address)
        found.page.wait_for_selector("html[data-ready]", state="attached")
        return found

    yield open_
    for context in contexts:
        context.close()
