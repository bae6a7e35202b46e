# `make report` and `make test` need only Python 3.11 or newer; they make .venv first.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)
BIN := .venv/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
STUDIES := street_art/seats street_art/styles street_art/hearts wildstyle/objectives tag_city/leaders west_story/licence

.PHONY: report test slow bench docs lint clean

report: .venv/main ## play the shipped studies and write their reports
	@$(BIN)/sim report $(STUDIES)
	@echo "Open reports/index.html in a browser."

test: .venv/test ## run the tests
	@echo "Compiling the games (a minute or two, once) ..."
	@-printf 'wildstyle street_art\nwest_story tag_city\n' | xargs -L 1 -P 2 $(BIN)/python -m sim.ahead >/dev/null
	$(BIN)/python -m pytest -n 2 --dist loadfile -q

slow: .venv/test ## run the statistical checks, then a part of the suite unchecked and uncompiled
	$(BIN)/python -m pytest -n 2 -q -m slow
	NUMBA_BOUNDSCHECK=1 SIM_CACHE_DIR=$(CURDIR)/.venv/checked $(BIN)/python -m pytest -n 2 -q
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 -q -m uncompiled

bench: .venv/bench ## measure speed; see benchmarks/README.md
	$(BIN)/python -m pytest benchmarks -q

docs: .venv/docs ## write the documentation as a site that needs no network
	$(BIN)/python docs/make_tables.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build
	@echo "Open site/index.html in a browser."

lint: .venv/lint ## ruff and mypy
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

clean: ## remove the environment; runs and reports stay
	rm -rf .venv

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/it" >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/main: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Installing (a minute or two, once) ..."
	$(PIP_INSTALL) -e .
	@touch $@

.venv/test .venv/bench .venv/docs .venv/lint: .venv/%: .venv/main
	$(PIP_INSTALL) -e '.[$*]'
	@touch $@
