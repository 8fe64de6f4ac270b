# On a fresh machine: `make optimize` and `make test`. Both need only Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Stamps of the two installations: what a run needs, and the same with the tools of the tests.
INSTALLED := $(VENV)/.installed
READY_TO_TEST := $(VENV)/.installed-dev
# --no-compile: Python compiles modules when they are first imported; all of them take half a minute.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile \
	--constraint constraints.txt --editable

.PHONY: optimize test test-browser test-install check clean

# It says itself what to type next.
optimize: $(INSTALLED)
	@$(BIN)/buildsearch optimize

test: $(READY_TO_TEST)
	scripts/test

# Needs Chromium; installs it with apt if it is missing.
test-browser: $(READY_TO_TEST)
	scripts/test-browser

# Tests the wheel in clean environments of the oldest and the newest supported Python.
test-install:
	scripts/matrix 3.11 3.13

check: $(READY_TO_TEST)
	scripts/check

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "buildsearch needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) .
	touch $@

$(READY_TO_TEST): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) '.[dev]'
	touch $(INSTALLED) $@

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
