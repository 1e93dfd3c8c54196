# Two commands: `make serve` runs the site, `make test` checks everything. Each sets up what it needs.
PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin

# Where it is set, every program that the tests start would compile all its modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: serve test check kernel system lock clean

serve: $(VENV)/ready
	@$(BIN)/dama-daily serve --prepare --port $(PORT)

test: $(VENV)/ready system
	@$(MAKE) --no-print-directory --jobs 2 check kernel
	$(BIN)/pytest -n 3 --dist worksteal

check: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Compiles what is not in the cache yet, before several processes want it at once.
kernel: $(VENV)/ready
	$(BIN)/python -m tests.kernel.compiled

# The browser and the database server that tests drive; installed when missing and allowed.
system:
	@sh .ci/system

# The lock's own pip comes first: it puts the rest in place in half the time of the one that Python brings along.
# Modules are compiled when they are first imported; most never are.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
$(VENV)/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if v >= (3, 11) else f"Python 3.11 or newer is needed; {sys.executable} is {v[0]}.{v[1]}. Try: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear $(VENV)
	@awk '/^[^ ]/ {wanted = /^pip==/} wanted' requirements.lock > $(VENV)/pip.lock
	$(PIP) --require-hashes --requirement $(VENV)/pip.lock
	$(PIP) --require-hashes --requirement requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

# Renews the lock files from the ranges in pyproject.toml (needs uv on the PATH): everything, and what a container
# needs of it.
LOCK := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --quiet
lock:
	$(LOCK) --group dev --output-file requirements.lock
	$(LOCK) --group deploy --extra redis --no-annotate --constraint requirements.lock \
		--output-file deploy/requirements.lock

clean:
	rm -rf $(VENV) var build dist
