# Two commands do everything on a fresh machine with Python 3.11 or newer and make:
#   make demo    compare the sample and write its report
#   make test    style, types and all tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test style types suite format benchmark clean

demo: $(VENV)/.installed
	@$(BIN)/senseshift demo
	@echo "Call it as $(BIN)/senseshift, or as senseshift after: source $(BIN)/activate"

test: $(VENV)/.installed-dev
	@$(MAKE) --no-print-directory --jobs=2 style types suite

style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types:
	$(BIN)/mypy

# Each worker takes neighbouring tests, which share what is dear to make: browser, studies, encoder.
# Threads that wait leave their core to the other workers.
suite: export OMP_WAIT_POLICY = PASSIVE
suite: export OPENBLAS_THREAD_TIMEOUT = 4
suite:
	$(BIN)/pytest --numprocesses=auto --maxprocesses=4 --dist=worksteal

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

benchmark: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/transport.py $(VECTORS)

clean:
	rm -rf $(VENV) build dist senseshift-demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# uv unpacks and compiles on all cores, in a third of the time; pip where uv finds no packages.
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
UV = $(BIN)/uv pip install --python $(BIN)/python --quiet --compile-bytecode
install = { $(PIP) uv && $(UV) $(1); } || $(PIP) $(1)

$(VENV)/.installed: $(BIN)/python pyproject.toml
	@echo "Installing senseshift and what it needs, about 1 GB, into $(VENV): some minutes, once."
	@$(call install,--editable .)
	@touch $@

$(VENV)/.installed-dev: $(BIN)/python pyproject.toml
	@echo "Installing senseshift and its development tools into $(VENV): some minutes, once."
	@$(call install,--editable '.[dev]' --editable packages/senseshift-xx)
	@touch $@ $(VENV)/.installed
