# make            the environment, then every experiment on sampled data (no network but the
#                 package index, no login); CONFIG=my.yaml overrides keys of smoke.yaml,
#                 TARGET=nsht makes one paper alone, TARGET=results/... one table or figure
# make smoke      the same
# make test       lint, and every test; those of whole runs go on from the smoke run of this clone, where
#                 it has one of smoke.yaml alone. SMOKE_RUN= begins from nothing
# make check      lint, and the tests that are quick: for every day
# make paper      every experiment at paper scale; DATA=folder takes the datasets that are in it and
#                 leaves out the others, CONFIG=my.yaml overrides keys of config.yaml, TARGET=nsht
#                 makes one paper alone, and its verdicts
# make beyond     comparisons that answer no question of a paper, on the data of make paper, whose
#                 DATA= and CONFIG= it takes; the results page shows them. On samples:
#                 make smoke TARGET=beyond
# make compare    mechanisms and adversaries of yours on data of yours, a table and a figure, by the
#                 file in CONFIG=mine.yaml (docs/plugins.md)
# make reference  both with the real data in DATA=folder, kept in docs/reference, with the README's
#                 table of verdicts
# make robustness the verdicts under other seeds and on halves of the homes; as make paper
# make theory     every theorem checked on all small universes, without data
# make coverage   how often the intervals of the membership game hold the truth (docs/membership-game.md)
# make report     the results of the last run as one HTML file
# make bench      speed against plain baselines, other libraries and published attacks, as ratios
# make peers      the accounting beside dp-accounting and riskcal
# make mutants    which verdicts change when the code that they judge is broken
# make settings   every key of the configuration changed, WORDS= chooses some: no verdict turns; an hour or two
# make faults     what once went wrong, bit flips and kills at random; SEEDS="4 5" draws others
# make installs   every install that the docs name, alone in an empty environment, and that of make, by
#                 uv and by pip; PYTHONS="..." names the interpreters, EXTRAS="none fast" chooses, TESTS=
#                 leaves out the tests of the library, and the newer pandas
# make parse      the rules read with Snakemake alone, by themselves and as a module
# make site       the documentation as a site, docs/_build/html, and a check of what was built
# make lint       the linters, the types and the rules' own lint
# make docs       the errata, the table of proofs, the papers' pages, public names, the tables of the last
#                 run, the page of measurements, the picture of the rules: written anew
# make lock       the lock files and the conda environment
# make unlock     after a run was killed, by a power cut for instance: the folder may be used again
# make clean      removes what runs have made, but no download
# make help       this list
# Each NAME=value stands behind `make`: a variable of that name in the shell is another program's.

PYTHON := python3.11
CORES := 2
CONFIG :=
TARGET := all
DATA :=
PYTHONS :=
EXTRAS := none fast learn workflow make
TESTS := yes
WORDS :=
SEEDS :=

# Snakemake takes braces for wildcards, and paths of several folders are cut at a colon.
$(foreach mark,{ } :,$(if $(findstring $(mark),$(CURDIR)),$(error Rename the folder $(CURDIR): \
	a run fails where its name holds a brace or a colon)))

VENV := .venv
BIN := $(VENV)/bin
# What a lock holds, by uv where it can be used, else by pip.
INSTALL := $(BIN)/python workflow/envs/install.py
# What would let other packages in, let a warning end a run, or stop a program at its end; and, as
# hundreds of processes import the same modules, what would compile them each time.
unexport PYTHONPATH PYTHONHOME PYTHONSAFEPATH PYTHONWARNINGS PYTHONOPTIMIZE PYTHONINSPECT \
	PYTHONDONTWRITEBYTECODE
# A hook of git names its repository to all that it calls: tests have repositories of their own.
unexport GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_OBJECT_DIRECTORY GIT_COMMON_DIR
# Snakemake, which says where a folder is locked, but not what to do with make.
snakemake = $(BIN)/python -m snakemake --workflow-profile workflow/profiles/default \
	--cores $(CORES) $(1) || { code=$$?; [ -z "$$(ls -A .snakemake/locks 2>/dev/null)" ] || \
	echo "This folder is locked: another run is going on in it, or one was killed. If none is: make unlock" >&2; exit $$code; }
LOCAL := data/local.yaml
# Where there is no home, or one that may only be read, what programs keep for the next run stays
# beside the run.
CACHE := $(shell c="$${XDG_CACHE_HOME:-$${HOME:+$$HOME/.cache}}"; test -n "$$c" && \
	mkdir -p "$$c" 2>/dev/null && test -w "$$c" || echo .snakemake/cache)
ifneq ($(CACHE),)
export XDG_CACHE_HOME := $(CURDIR)/$(CACHE)
endif
# What was written behind a variable's =, for the shell: neither make nor the shell replaces a $ in it.
quoted = '$(subst ','\'',$(value $(1)))'
FOUND := $(if $(value DATA),$(LOCAL))
OWN_KEYS := $(FOUND) $(if $(value CONFIG),$(call quoted,CONFIG))
PAPER := --configfile config/config.yaml $(OWN_KEYS)
# What is wrong with a configuration is one line, before Snakemake reads it.
CHECK := $(if $(value CONFIG),@$(BIN)/python -m noiseless.pipeline.configuration $(OWN_KEYS))
SMOKE := config/smoke.yaml $(if $(value CONFIG),$(call quoted,CONFIG))
CHECK_SMOKE := $(if $(value CONFIG),@$(BIN)/python -m noiseless.pipeline.configuration $(SMOKE))
# A variable that a target would ignore is refused before anything runs.
GOALS := $(or $(MAKECMDGOALS),all)
refuse = $(if $(filter $(2),$(GOALS)),$(error make $(firstword $(filter $(2),$(GOALS))) takes no $(1)))
$(if $(value DATA),$(call refuse,DATA=: it runs on samples. Use make paper,all smoke))
$(if $(value DATA),$(call refuse,DATA=: its file names the data,compare))
$(if $(value CONFIG),,$(if $(filter compare,$(GOALS)),$(error make compare needs CONFIG=mine.yaml (docs/plugins.md))))
$(if $(filter-out all,$(TARGET)),$(call refuse,TARGET=. Use make smoke or make paper,\
	reference beyond compare report robustness theory))

# What is installed in an environment names the folder in which that was made, above all its programs.
MOVED := $(shell head -n 2 $(BIN)/pip 2>/dev/null | grep -F /bin/python | \
	grep -qvF "$$(cd $(VENV) 2>/dev/null && pwd -P)/bin/python" && echo moved)
$(if $(MOVED),$(if $(filter-out help clean parse installs,$(GOALS)),$(error \
	$(VENV) was made in another folder: this clone was moved or copied. Remove it, and it is made anew: rm -r $(VENV))))

# An environment runs the Python of the system that it was made of, while that is there.
REPLACED := $(shell test -e $(VENV)/pyvenv.cfg && { $(BIN)/python --version 2>/dev/null | grep -qF "Python $$(sed -n \
	's/^version[a-z_]* *= *\([0-9]*\.[0-9]*\.\).*/\1/p' $(VENV)/pyvenv.cfg)" || echo replaced; })
$(if $(REPLACED),$(if $(filter-out help clean parse installs,$(GOALS)),$(error \
	the Python that $(VENV) was made of is gone or another one. Remove it, and it is made anew: rm -r $(VENV))))

.PHONY: all help env smoke paper beyond compare reference installs site robustness theory coverage report test \
	check lint lint-python lint-types lint-rules parse peers mutants settings faults bench lock unlock docs \
	clean FORCE

all: smoke

help:
	@sed -n '/^# make/,/^$$/s/^# \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

env: $(VENV)/.run

$(VENV)/bin/pip:
	$(PYTHON) -m venv --clear $(VENV)

$(VENV)/.run: requirements.lock requirements-uv.lock | $(VENV)/bin/pip
	$(INSTALL) requirements.lock --project
	touch $@

$(VENV)/.dev: requirements-dev.lock | $(VENV)/.run
	$(INSTALL) requirements-dev.lock
	touch $@

smoke: env
	$(CHECK_SMOKE)
	$(call snakemake,$(TARGET) --configfile $(SMOKE))

paper: env $(FOUND)
	$(CHECK)
	$(call snakemake,$(TARGET) $(PAPER))

# What is there of the papers' results stays, and so does a page that is about other settings.
beyond: env $(FOUND)
	$(CHECK)
	$(call snakemake,beyond $(PAPER))
	$(call snakemake,beyond_on_page $(PAPER) --allowed-rules beyond_on_page write_page --quiet all)

compare: env
	$(BIN)/noiseless compare $(call quoted,CONFIG)

# To be run on a clean checkout: the digests that it keeps are those of the code that ran.
reference: paper
	$(call snakemake,beyond $(PAPER))
	$(BIN)/python -m noiseless.ledger.reference results

robustness: env $(FOUND)
	$(CHECK)
	$(call snakemake,robustness $(PAPER))

$(LOCAL): env FORCE
	$(BIN)/python -m noiseless.data.local $(call quoted,DATA) $@

theory: env $(FOUND)
	$(CHECK)
	$(call snakemake,theory $(PAPER))

coverage: env
	$(BIN)/python -m noiseless.papers.noiseless.coverage

report: env $(FOUND)
	$(call snakemake,all $(PAPER) --report results/report.html)

lint: $(VENV)/.dev
	$(MAKE) --jobs $(CORES) --output-sync lint-types lint-rules lint-python

lint-python: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tests/function_names.py

lint-types: $(VENV)/.dev
	$(BIN)/python tests/type_errors.py

lint-rules: $(VENV)/.dev
	$(BIN)/python -m snakefmt --check Snakefile workflow/Snakefile workflow/rules
	$(BIN)/python -m snakemake --lint --configfile config/smoke.yaml

# The slowest are listed: a test of more than a second is to be marked, @pytest.mark.slow.
check: lint
	$(BIN)/python -m pytest --numprocesses $(CORES) -m "not slow" --durations 5 --durations-min 1 tests/unit

test: lint
	# One worker more than cores: that of whole runs waits for Slurm, and starts others.
	$(BIN)/python -m pytest --numprocesses $$(($(CORES) + 1)) tests

mutants: $(VENV)/.dev
	$(BIN)/python tests/mutants

# It begins from the smoke run of this folder, in a copy; WORDS="health scan" chooses keys.
settings: $(VENV)/.dev smoke
	$(BIN)/python tests/changed_settings $(WORDS)

faults: $(VENV)/.dev
	$(BIN)/python tests/faults $(SEEDS)

# Without dependencies: dp-accounting asks for an attrs older than Snakemake's, and does without.
$(VENV)/.bench: requirements-bench.lock | $(VENV)/.dev
	$(INSTALL) requirements-bench.lock --no-deps
	touch $@

peers: $(VENV)/.bench
	$(BIN)/python -m pytest tests/unit/accounting/test_baselines.py tests/unit/accounting/test_epsilon_peers.py

bench: peers
	$(BIN)/python tests/benchmarks

COMPILE := $(BIN)/uv pip compile --quiet --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-annotate --no-header
LOCK := $(COMPILE) pyproject.toml --extra workflow

lock: $(VENV)/.dev
	$(COMPILE) --group install --output-file requirements-uv.lock
	$(LOCK) --group build --output-file requirements.lock
	$(LOCK) --group build --group dev --constraint requirements.lock \
		--constraint requirements-uv.lock --output-file requirements-dev.lock
	echo "attrs>=23.2" | $(LOCK) --group build --group dev --group bench --override - \
		--constraint requirements-dev.lock --output-file requirements-bench.lock
	$(LOCK) --group build --group dev --group docs --constraint requirements-dev.lock \
		--output-file requirements-docs.lock
	$(BIN)/python workflow/envs/write_conda_environment.py

$(VENV)/.docs: requirements-docs.lock | $(VENV)/.dev
	$(INSTALL) requirements-docs.lock --no-deps
	touch $@

# It asks nothing of .venv, whose packages are what an install must do without.
installs:
	$(PYTHON) tests/installs.py --pythons "$(PYTHONS)" --extras "$(EXTRAS)" $(if $(TESTS),,--no-tests)

parse:
	$(PYTHON) tests/parse_alone.py

site: $(VENV)/.docs
	rm -rf docs/_build docs/made
	MPLBACKEND=Agg $(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	$(BIN)/python -m pytest tests/unit/test_site.py -k built

docs: $(VENV)/.dev
	$(BIN)/python workflow/schemas/write_errata.py
	$(BIN)/python workflow/schemas/write_proofs.py
	$(BIN)/python workflow/schemas/write_papers.py
	$(BIN)/python workflow/schemas/write_api.py
	$(BIN)/python workflow/schemas/write_tables.py
	$(BIN)/python workflow/schemas/write_rules_picture.py
	$(BIN)/python tests/benchmarks/page.py

unlock: env
	$(BIN)/python -m snakemake --configfile config/smoke.yaml --unlock

# Downloads stay: some take hours.
clean:
	rm -rf results/tables results/figures results/ledger* results/index.html results/report* results/compared* results/summary*
	rm -rf logs docs/_build docs/made data/prepared data/raw/*/sample .snakemake
