# `make demo` and `make test` are all that a new machine needs; every target sets up what it uses.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP = PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install --quiet --disable-pip-version-check
SOURCES := pyproject.toml CMakeLists.txt $(wildcard cpp/include/perceptag/*.hpp cpp/src/*.cpp cpp/bind/*)

.PHONY: help setup demo test check stubs format bench clean

help:
	@echo "make demo    set up, train on the shipped corpus, tag, score, explain"
	@echo "make test    all tests"
	@echo "make check   formatting, lint, types, import order"
	@echo "make bench   speed beside python-crfsuite"

setup: $(VENV)/.installed

$(VENV)/.installed: $(SOURCES)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { echo "cannot create a virtual environment with $(PYTHON); on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(PIP) scikit-build-core nanobind cmake ninja
	$(PIP) --no-build-isolation -e '.[dev]'
	@touch $@

demo: setup
	$(BIN)/perceptag demo

test: setup
	$(BIN)/python -m pytest

check: setup
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror cpp/include/perceptag/*.hpp cpp/src/*.cpp cpp/bind/*

stubs: setup
	$(BIN)/python -m nanobind.stubgen -q -m perceptag._core -o src/perceptag/_core.pyi

format: setup
	$(BIN)/ruff check --fix src tests benchmarks
	$(BIN)/ruff format src tests benchmarks
	$(BIN)/clang-format -i cpp/include/perceptag/*.hpp cpp/src/*.cpp cpp/bind/*

bench: setup
	$(PIP) --no-build-isolation -e '.[bench]'
	$(BIN)/python benchmarks/crfsuite.py

clean:
	rm -rf build dist $(VENV)
