# `make demo` and `make test` are all that a new machine needs; every target sets up what it uses. ARGUMENTS are those of the
# program that a target runs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Exact versions of everything that is installed here; `make setup CONSTRAINTS=` takes the newest instead.
CONSTRAINTS ?= constraints.txt
PIP = PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install --quiet --disable-pip-version-check \
  $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS))
# Compiled modules are kept, out of the way: many tests start a command, which else compiles all it imports again.
export PYTHONPYCACHEPREFIX := $(CURDIR)/build/pycache
unexport PYTHONDONTWRITEBYTECODE
CORE = $(BIN)/cmake -G Ninja -S . -DCMAKE_MAKE_PROGRAM="$(CURDIR)/$(BIN)/ninja" -DPERCEPTAG_CORE_ONLY=ON
CPP = cpp/include/perceptag/*/*.hpp cpp/src/*/*.cpp cpp/bind/*.cpp cpp/bind/*/* cpp/tests/*.?pp cpp/tests/*/* \
  cpp/bench/* trust/native/*
SOURCES := pyproject.toml constraints.txt CMakeLists.txt $(wildcard cpp/include/perceptag/*/*.hpp cpp/src/*/*.cpp cpp/bind/*.cpp cpp/bind/*/* \
  models/perceptag-en/pyproject.toml models/perceptag-en/src/perceptag_en/*)

# What ruff looks at.
CHECKED = src reference tests benchmarks gauge trust models/*.py $(wildcard .ci/*.py docs/*.py) docs/site docs/pictures docs/papers docs/examples

# An editable install knows the modules that there were: when one comes or goes, it is made again.
MODULES := build/modules
$(shell mkdir -p build && find src -name '*.py' | LC_ALL=C sort > $(MODULES).$$$$ && \
  { cmp -s $(MODULES).$$$$ $(MODULES) && rm $(MODULES).$$$$ || mv $(MODULES).$$$$ $(MODULES); })

.PHONY: help setup demo test test-all check sanitize trust bench instructions mutants coverage models generate format docs wheel hashes gauge speed

help:
	@echo "make demo      set up, label a text, explain a label, train on the shipped corpus"
	@echo "make test      all tests that take seconds; AGAIN=1: those that fail once more"
	@echo "make test-all  the others, or PARTS: every (recipes, rare settings, growth of cost), browser, ray, doors (pandas, Polars,"
	@echo "               Hugging Face, scikit-learn, spaCy, NLTK), spark (needs Java), slow (trains on the corpora of PERCEPTAG_DATA)"
	@echo "make check     formatting, lint, types, import order, compiler warnings, tests of the C++ core, the page"
	@echo "make sanitize  tests of the C++ core under the address and undefined-behaviour sanitizers"
	@echo "make trust     every promise of SECURITY.md tested, in half an hour; ARGUMENTS=--quick: minutes; ARGUMENTS=saving: one promise"
	@echo "make bench     speed, memory and accuracy next to other taggers (set PERCEPTAG_DATA); ARGUMENTS=--quick: a minute;"
	@echo "               OF=server, annotate_server, annotate_sim, running_text, record and others: that module of benchmarks/"
	@echo "make gauge     what must stay as it is: digests of results, and abilities (set PERCEPTAG_DATA: real corpora, too)"
	@echo "make speed BASE=COMMIT  speed and memory of this tree beside a commit, as ratios; ARGUMENTS=--quick, --only NAME"
	@echo "make instructions  instruction counts of the core against those on record (needs valgrind); RECORD=--record: write them"
	@echo "make mutants   300 random changes of the sources, and which of them no test notices; ARGUMENTS='--count 9 cpp/src'"
	@echo "make coverage  which lines and branches the tests run, and which test runs which line (for make mutants)"
	@echo "make models    build the English models that ship, byte for byte (set PERCEPTAG_DATA); OF=pt: another language, in build/models"
	@echo "make generate  what is made from the code: keys, API and pictures of the documentation, the stub of the native module"
	@echo "make format    formatting, and lint that can be mended"
	@echo "make docs      the documentation as a site: build/site/index.html; runs the tutorials, checks every link"
	@echo "make wheel     the wheel of this system, tested without a compiler, and its SBOM, in dist/; SMOKE=--smoke: shorter"
	@echo "make hashes    the hashes of what a server needs, in constraints-hashed.txt"

setup: $(VENV)/.installed

$(VENV)/.installed: $(SOURCES) $(MODULES)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { echo "cannot create a virtual environment with $(PYTHON); on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(PIP) scikit-build-core nanobind cmake ninja
	$(PIP) --no-build-isolation -e '.[dev,server,arrow,zstd]'
	$(if $(wildcard models/perceptag-en/src),$(PIP) --no-build-isolation --no-deps --force-reinstall ./models/perceptag-en)
	@touch $@

demo: setup
	$(BIN)/perceptag demo

# AGAIN=1: tests that fail are run once more, by another process with servers and projects of its own, and listed.
tests = $(2) $(BIN)/python -m pytest -o cache_dir=build/tests/$(strip $(1)) $(strip $(3))
run-tests = rm -rf build/tests/$(strip $(1)); $(tests) -rs$(if $(AGAIN), || \
  { echo "== run once more:"; $(tests) -rA --last-failed --last-failed-no-failures none; })

# Tests flush thousands of small files. Where the system keeps a folder in memory, with 4 GB of room and with programs
# that may run there, their files are put there, and nothing waits for the disk. They are removed at the end.
MEMORY = $(shell grep -Eqs ' /dev/shm [^ ]+ [^ ]*noexec' /proc/mounts || \
  df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 4000000 {print "/dev/shm"}')
in-memory = $(if $(MEMORY),folder=$$(mktemp -d $(MEMORY)/perceptag-XXXXXX) && export TMPDIR="$$folder" && \
  trap 'rm -rf "$$folder"' EXIT && trap 'exit 130' INT TERM && )

# One process more than there are cores: a fifth of the time of tests is waiting, for servers and killed processes.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)

QUICK = "not slow and not every and not browser and not ray and not doors and not spark"
test: setup
	$(in-memory)$(call run-tests, all,, -n $(WORKERS) --dist worksteal -m $(QUICK))

# Arguments: names of entries, or --record, which writes their digests down.
gauge: setup
	$(BIN)/python -m gauge $(ARGUMENTS)

# The commit is built once, in build/speed.
BASE ?= HEAD
speed: setup
	$(BIN)/python -m benchmarks.speed $(BASE) $(ARGUMENTS)

# Libraries and programs that only `make test-all`, `make docs` and the pictures need, in one go: what cannot be had is
# skipped by its tests. The browser is that of the system; Spark needs Java.
JAVA := $(shell command -v java)
OTHERS = playwright axe-playwright-python "ray[client]" pandas polars datasets spacy nltk python-crfsuite seqeval \
  sphinx myst-parser furo sphinx-copybutton $(if $(JAVA),pyspark)
APT = -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20
$(VENV)/.others: | $(VENV)/.installed
	@for name in chromium chromium-browser google-chrome; do command -v $$name >/dev/null && exit 0; done; \
	{ apt-get update -qq $(APT) && apt-get install -qq -y $(APT) chromium; } >/dev/null 2>&1 || \
	  echo "no Chromium here, and apt-get cannot install it: tests in a browser are skipped" >&2
	@$(PIP) $(OTHERS) || for name in $(OTHERS); do $(PIP) "$$name" || echo "no $$name here: its tests are skipped" >&2; done
	@touch $@

# Three processes for the browser: they wait for it half of the time. A home for Ray: it keeps a token for its clusters there.
PARTS = every browser ray doors $(if $(JAVA),spark) slow
words-of-every = -n auto --dist worksteal -m "every and not slow and not ray"
words-of-browser = -o addopts="-q --import-mode=importlib" -n 3 --dist loadfile -m browser tests/browser
words-of-ray = -m ray tests/cluster
words-of-doors = -m doors tests/tables tests/doors tests/cli/test_convert.py tests/package/test_docs.py
words-of-spark = -m spark tests/tables tests/package/test_docs.py
words-of-slow = -m slow -v tests
variables-of-ray = mkdir -p build/ray/home && HOME="$(CURDIR)/build/ray/home" RAY_USAGE_STATS_ENABLED=0
test-all: $(VENV)/.others
	$(foreach part,$(PARTS),( $(if $(filter every,$(part)),$(in-memory))$(call run-tests,$(part),$(variables-of-$(part)),$(words-of-$(part))) ) &&) true

# Exact versions. Without npm the check is skipped and says so; in CI, tools that npm cannot install are an error.
PAGE_TOOLS = typescript@7.0.2 @biomejs/biome@2.6.6
TSC := build/page/node_modules/.bin/tsc
BIOME := build/page/node_modules/.bin/biome
BIOME_CHECK = $(BIOME) check --error-on-warnings --config-path=tests/browser/biome.json
PAGE = src/perceptag/server/page
check: setup
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/ruff format --check $(CHECKED)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python .ci/cpp_rooms.py
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(CORE) -B build/check -DCMAKE_BUILD_TYPE=Release -DPERCEPTAG_WERROR=ON --log-level=WARNING
	$(BIN)/cmake --build build/check
	build/check/core_tests
	@command -v npm >/dev/null || { echo "check-page: SKIPPED, there is no npm: types, lint and format of the page are not checked" >&2; exit 0; }; \
	{ test -x $(TSC) && test -x $(BIOME); } || \
	  npm install --silent --no-audit --no-fund --fetch-retries 0 --fetch-timeout 60000 --prefix build/page $(PAGE_TOOLS) || \
	  { echo "check-page: SKIPPED, npm cannot install $(PAGE_TOOLS): the page is not checked" >&2; test "$$CI" != true; exit; }; \
	echo $(TSC) -p tests/browser/jsconfig.json; $(TSC) -p tests/browser/jsconfig.json && \
	echo "$(BIOME_CHECK) $(PAGE)" && $(BIOME_CHECK) $(PAGE)

sanitize: setup
	$(CORE) -B build/sanitize -DCMAKE_BUILD_TYPE=Debug -DSAN=address,undefined --log-level=WARNING
	$(BIN)/cmake --build build/sanitize
	build/sanitize/core_tests

trust: setup
	@$(BIN)/python -c "import pip_audit" 2>/dev/null || $(PIP) pip-audit || echo "without pip-audit its check is shown as not run" >&2
	$(BIN)/python -m trust $(ARGUMENTS)

bench: setup
	$(if $(filter-out server,$(OF)),,$(BIN)/python -m benchmarks.install)
	$(BIN)/python -m benchmarks$(OF:%=.%) $(ARGUMENTS)

# Counts are compared with benchmarks/instructions.json.
instructions: setup
	$(CORE) -B build/check -DCMAKE_BUILD_TYPE=Release -DPERCEPTAG_WERROR=ON --log-level=WARNING
	$(BIN)/cmake --build build/check
	$(BIN)/python -m benchmarks.instructions build/check/core_instructions $(RECORD)

mutants: setup
	$(BIN)/python .ci/mutants.py $(ARGUMENTS)

coverage: setup
	@$(BIN)/python -c "import coverage" 2>/dev/null || $(PIP) coverage
	-$(BIN)/coverage run -m pytest -n 0 -m $(QUICK)
	$(BIN)/coverage report

models: setup
	LANG=C.UTF-8 $(BIN)/python -m models.build $(OF)

generate: setup
	$(BIN)/python -c "from perceptag.recipe import keys; print(keys.as_page(), end='')" > docs/guide/recipe-keys.md
	$(BIN)/python docs/api_reference.py > docs/guide/api-reference.md.new
	mv docs/guide/api-reference.md.new docs/guide/api-reference.md
	$(BIN)/python -m nanobind.stubgen -q -m perceptag._core -o src/perceptag/_core.pyi
	$(BIN)/python docs/pictures

format: setup
	$(BIN)/ruff check --fix $(CHECKED)
	$(BIN)/ruff format $(CHECKED)
	$(BIN)/clang-format -i $(CPP)
	test ! -x $(BIOME) || $(BIOME_CHECK) --write $(PAGE)

# The site is built and read without the network. Nothing is kept from an earlier build, so that every warning is seen.
docs: $(VENV)/.others
	rm -rf build/site
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/sphinx-build -W -n -q -E -b html -d build/doctrees -c docs/site . build/site
	$(BIN)/python docs/site/check.py build/site

# Tools in an environment of their own, since they need other things than perceptag.
TOOLS := build/tools/bin
tool = test -x $(TOOLS)/$(1) || { $(PYTHON) -m venv build/tools && $(TOOLS)/pip install --quiet --disable-pip-version-check $(2); }

# No setup: the wheel is built and tested in environments of its own, with the Python that PYTHON names.
wheel:
	$(PYTHON) .ci/wheel.py $(SMOKE)
	@$(call tool,cyclonedx-py,cyclonedx-bom)
	$(TOOLS)/cyclonedx-py requirements constraints-hashed.txt --pyproject pyproject.toml --output-reproducible --of JSON -o dist/perceptag.cdx.json

# Needs the index of packages, and the Python of deploy/Dockerfile or an older one. What it writes is committed.
hashes:
	@$(call tool,pip-compile,pip-tools)
	$(TOOLS)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe --no-emit-index-url --no-emit-find-links \
	  --extra server --constraint constraints.txt --output-file constraints-hashed.txt pyproject.toml deploy/build.in
