# Everything a fresh machine needs: Python >= 3.11 and make.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.run-installed
DEV := $(VENV)/.dev-installed
DEMO_DB := build/demo.sqlite
# What installs the rest: uv takes a tenth of the time that pip takes.
UV := $(BIN)/uv
INSTALLER := $(VENV)/.uv-installed
# Modules are compiled once, not by each of the processes that the tests start.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help docs demo test slow-test lint format types audit lock sbom attack fuzz check kill-test fault-test bench clean install dev peers neighbours ends

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "newscrawl needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

$(INSTALLER): requirements-uv.lock | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(RUN): requirements.lock | $(INSTALLER)
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r $<
	@touch $@

$(DEV): requirements-dev.txt requirements-audit.txt requirements-serve.txt requirements-mcp.txt requirements-lab.txt requirements-train.txt requirements-readability.txt requirements-parquet.txt requirements-remote.txt requirements-datatrove.txt $(RUN)
	$(UV) pip install --quiet --python $(BIN)/python -r requirements-dev.txt
	@touch $@

install: $(RUN)  ## make .venv with what a harvest needs
dev: $(DEV)  ## make .venv with the test and lint tools too

demo: $(RUN)  ## harvest the bundled demo site offline and write build/demo.html
	@mkdir -p build && rm -f $(DEMO_DB) $(DEMO_DB)-wal $(DEMO_DB)-shm
	$(BIN)/scrapy crawl sina -s NEWSCRAWL_REPLAY=data/demo/demo.warc.gz \
	  -s NEWSCRAWL_DATABASE=sqlite:///$(DEMO_DB) -s NEWSCRAWL_STORE_BLOCKS=True \
	  -O build/demo.jsonl -s LOG_LEVEL=WARNING
	$(BIN)/scrapy report --database sqlite:///$(DEMO_DB) --truth data/demo/truth.jsonl --html build/demo.html
	@echo "Read it in the browser: $(BIN)/scrapy serve --database sqlite:///$(DEMO_DB) --archive data/demo/demo.warc.gz"

test: $(DEV)  ## run the test suite
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

slow-test: $(DEV)  ## run the tests that crawl again and again
	$(BIN)/python -m pytest -n 2 --dist loadfile -q -m slow tests

lint: $(DEV)  ## ruff, format check; layering is a lint rule
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(DEV)  ## rewrite in the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

types: $(DEV)  ## mypy --strict
	$(BIN)/mypy

audit: $(DEV)  ## unsafe calls in the code, licences and known weaknesses of what is installed
	$(BIN)/python -m tests.audit

LOCKED := requirements.txt requirements-pg.txt requirements-fast.txt requirements-serve.txt
COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header $(if $(UPGRADE),--upgrade)
lock: $(INSTALLER)  ## write requirements.lock anew: all that a harvest installs, each file by its hash
	$(COMPILE) -o requirements.lock $(LOCKED)
	$(COMPILE) -o requirements-uv.lock requirements-uv.txt
BILL := .venv-bill
sbom: $(BILL)/.installed  ## write build/sbom.json, the bill of materials (CycloneDX) of what requirements.lock installs
	@mkdir -p build
	$(BILL)/bin/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible -o build/sbom.json requirements.lock
$(BILL)/.installed: requirements-bill.txt | $(INSTALLER)
	$(UV) venv --quiet --clear --python $(BIN)/python $(BILL)
	$(UV) pip install --quiet --python $(BILL)/bin/python -r $<
	@touch $@

attack: $(DEV)  ## run every attack that SECURITY.md speaks of
	$(BIN)/python -m tests.attacks -n 2 --dist loadfile

fuzz: $(DEV)  ## read PAGES broken pages made with SEED (0), for SECONDS (600) at most
	$(BIN)/python -m tests.fuzz $(if $(PAGES),--pages $(PAGES)) --seconds $(or $(SECONDS),600) --seed $(or $(SEED),0)

# Of its own, as its packages are nobody else's business.
DOCS := .venv-docs
docs: $(DEV) $(DOCS)/.installed  ## build the documentation's site in build/site, every warning an error
	$(BIN)/python -m lab.docs_site build/docs-source
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --strict --quiet
$(DOCS)/.installed: requirements-docs.txt | $(INSTALLER)
	$(UV) venv --quiet --clear --python $(BIN)/python $(DOCS)
	$(UV) pip install --quiet --python $(DOCS)/bin/python -r $<
	@touch $@

NEIGHBOURS := .venv-neighbours
neighbours: $(NEIGHBOURS)/.installed  ## run docs/recipes.md with pandas, pywb, datasets, spidermon and others
	$(NEIGHBOURS)/bin/python -m tests.neighbours
$(NEIGHBOURS)/.installed: requirements-neighbours.txt requirements.txt requirements-parquet.txt requirements-serve.txt requirements-datatrove.txt | $(INSTALLER)
	$(UV) venv --quiet --clear --python $$($(PYTHON) -c 'import sys; print(sys.executable)') $(NEIGHBOURS)
	$(UV) pip install --quiet --python $(NEIGHBOURS)/bin/python -r $<
	@touch $@

# The oldest versions that pyproject.toml allows, and the newest, with the newest Python that is here.
ENDS := .venv-oldest .venv-newest
$(ENDS:%=%/.installed): PYTHONS = $(PYTHON)
.venv-newest/.installed: PYTHONS = python3.14 python3.13 $(HOME)/.pyenv/versions/3.13*/bin/python python3.12 $(PYTHON)
.venv-oldest/.installed: VERSIONS = --resolution lowest-direct
ends: $(ENDS:%=%/.installed)  ## replay the demo with the oldest and newest versions that pyproject.toml allows
	@mkdir -p build && rm -f $(ENDS:.venv-%=build/%.sqlite*)
	for end in oldest newest; do .venv-$$end/bin/python -m newscrawl crawl sina -a limit=20 \
	  -s NEWSCRAWL_REPLAY=data/demo/demo.warc.gz -s NEWSCRAWL_DATABASE=sqlite:///build/$$end.sqlite -O build/$$end.jsonl || exit 1; \
	  LC_ALL=C sort -o build/$$end.jsonl build/$$end.jsonl; done
	cmp build/oldest.jsonl build/newest.jsonl
$(ENDS:%=%/.installed): pyproject.toml | $(INSTALLER)
	for python in $(PYTHONS); do found=$$($$python -c 'import sys; print(sys.executable)' 2>/dev/null) && break; done && \
	  $(UV) venv --quiet --clear --python $$found $(@D)
	$(UV) pip install --quiet --python $(@D)/bin/python $(VERSIONS) -r $<
	@touch $@

check: lint types test  ## what CI runs

kill-test: $(DEV)  ## kill crawls and their database at random moments, 20 rounds each; nothing may be lost
	$(BIN)/python -m tests.kill --rounds $(or $(ROUNDS),20)

fault-test: $(DEV)  ## crawl while servers and machines fail in every way known here; nothing may be lost or changed
	$(BIN)/python -m tests.faults

bench: $(DEV)  ## pages/s against an empty callback, and of whole sites against a plain spider (needs `make peers`)
	$(BIN)/python -m tests.benchmarks.throughput
	$(BIN)/python -m tests.benchmarks.site_crawl --site opensourceway
	$(BIN)/python -m tests.benchmarks.site_crawl --site linuxcn --pages 3000

# Other extractors, in an environment of their own: their pins never touch ours. Python 3.12 gives two more of them.
PEERS := .venv-peers
PEERS_PYTHON ?= $(PYTHON)
peers: $(PEERS)/.installed  ## install other extractors to compare with, in .venv-peers
$(PEERS)/.installed: requirements-peers.txt
	$(PEERS_PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

clean:  ## remove the environment and everything built
	rm -rf $(VENV) $(PEERS) $(DOCS) $(NEIGHBOURS) $(ENDS) $(BILL) build .mypy_cache .pytest_cache .ruff_cache .hypothesis
