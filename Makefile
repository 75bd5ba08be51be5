# `make help` lists every daily command. Everything is installed in .venv; nothing else of the machine changes,
# except that `make test` installs Chromium where it may.
SHELL := /bin/sh
export HOST ?= 127.0.0.1
export PORT ?= 8000
BIN := .venv/bin
PYBABEL := $(BIN)/pybabel
LOCK := --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url

.DEFAULT_GOAL := help
.PHONY: help run test test-slow servers test-postgres bench bench-register bench-finding check-gtfs screenshots icons lint format types arch messages check-messages migrate revision sure lock audit browser environment dev

help:  ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

run: environment  ## serve portal, desk and worker with the demonstration: make run [HOST=] [PORT=]
	@exec $(BIN)/portal run

test: browser dev  ## run the tests, those in a browser too
	@$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow" $(ARGS)

test-slow: browser servers dev  ## run the tests that take minutes
	@$(BIN)/python -m pytest -m slow $(ARGS)

test-postgres: servers dev  ## run all tests but those in a browser and the slow ones on PostgreSQL and Redis
	@EMBARQUE_TEST_DATABASE=postgresql $(BIN)/python -m pytest -n auto --dist worksteal -m "not slow and not browser" $(ARGS)

bench: dev browser  ## measure pages, imports, complaints, the bot beside the barest of each; waits under load, memory, a thin line
	@$(BIN)/python -m tests.bench
	@$(BIN)/python -m tests.bench.imports
	@$(BIN)/python -m tests.bench.complaints
	@$(BIN)/python -m tests.bench.bot
	@$(BIN)/python -m tests.bench.served
	@$(BIN)/python -m tests.bench.thin_line

bench-register: dev  ## measure page and JSON over 10,000 permits and over 10,000,000: minutes, and 8 GB of disk (TMPDIR says where)
	@$(BIN)/python -m tests.bench --permits 10000000

bench-finding: dev  ## measure a name and the nearest stop among 10,000 stops and among 1,000,000
	@$(BIN)/python -m tests.bench.finding
	@$(BIN)/python -m tests.bench.finding postgresql

check-gtfs: dev  ## compare every departure of real feeds over a month with an independent library, in an environment of its own
	@test -x .venv-gtfs/bin/python || $(BIN)/python -m venv .venv-gtfs
	@.venv-gtfs/bin/python -c "import gtfs_kit" 2>/dev/null || .venv-gtfs/bin/pip install --quiet --disable-pip-version-check gtfs-kit==13.0.1
	@$(BIN)/python -m tests.tools.check_gtfs .venv-gtfs/bin/python $(FEEDS)

screenshots: dev browser  ## shoot the pictures of the README from the demonstration that make run serves
	@$(BIN)/python -m tests.tools.readme_screenshots http://$(HOST):$(PORT) http://$(HOST):$$(($(PORT) + 1))

icons: dev browser  ## draw the pictures for home screens from the mark
	@$(BIN)/python -m tests.tools.icons

lint: dev  ## read the code for mistakes
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/djlint --quiet --lint templates

format: dev  ## write the code as everybody writes it
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

types: dev  ## check the types
	@$(BIN)/mypy

arch: dev  ## check that imports point inwards
	@$(BIN)/lint-imports

messages: dev  ## gather the sentences into translations/
	@$(PYBABEL) -q extract --omit-header --no-wrap --add-location=file --sort-by-file --add-comments=Tradutores: -F translations/babel.cfg -o translations/messages.pot .
	@for language in en es; do $(PYBABEL) -q update --omit-header --no-wrap --no-fuzzy-matching -i translations/messages.pot -o translations/$$language/LC_MESSAGES/messages.po -l $$language; done

check-messages: dev  ## fail when a sentence is not yet in translations/
	@cp translations/messages.pot .venv/messages.pot
	@$(PYBABEL) -q extract --omit-header --no-wrap --add-location=file --sort-by-file --add-comments=Tradutores: -F translations/babel.cfg -o .venv/messages.now.pot .
	@cmp -s .venv/messages.pot .venv/messages.now.pot || { echo "translations/messages.pot is stale: run 'make messages'"; exit 1; }

migrate: environment  ## bring the database of the settings up to the newest tables
	@$(BIN)/portal migrate

revision: dev  ## write the next migration: make revision m="what changed"
	@file=$$($(BIN)/portal revision "$(m)" | tail -n 1) && $(BIN)/ruff format --quiet "$$file" && echo "$$file"

sure: lint types arch check-messages test  ## all that a reviewer would run

lock: environment  ## lock the newest allowed versions of every package
	@for kind in "run --group build" "dev --group dev"; do set -- $$kind; file=.lock/$$1.txt; shift; \
	  $(BIN)/uv pip compile $(LOCK) --upgrade --extra scale --extra heic --extra recordings "$$@" pyproject.toml -o $$file; done
	@echo uv | $(BIN)/uv pip compile $(LOCK) --upgrade - -o .lock/uv.txt
	@! grep -n '://' .lock/*.txt

audit: environment  ## ask whether a known fault is in a locked package, where the service that knows is reached
	@.ci/audit

browser:
	@.ci/browser

servers:
	@.ci/servers

environment:
	@.ci/set-up run

dev:
	@.ci/set-up dev
