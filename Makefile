# Two commands on a fresh machine: `make optimize` and `make test`. Both need only Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: optimize test test-browser check clean

optimize: $(INSTALLED)
	$(BIN)/buildsearch optimize

test: $(INSTALLED)
	scripts/test

# Needs chromium, which it installs with apt if it is missing.
test-browser: $(INSTALLED)
	scripts/test-browser

check: $(INSTALLED)
	scripts/check

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "buildsearch needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
