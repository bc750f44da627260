# `make` alone lists the targets. Every variable can be set on the command line: make run SEED=1
.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python

# What is installed. TORCH names the build in the same pip command as unsloth, or pip takes a newer one.
EXTRAS ?= train,notebooks,serve,pull,monty,dev
TORCH ?= $(shell sed -n 's/^torch==/&/p' constraints.txt)
TORCH_INDEX ?=
PIP_EXTRA ?=

# What `make run` trains. The profile follows the machine: t4 where CUDA is there, else cpu.
ENV ?= triage
SEED ?= 0
PROFILE ?= $(shell nvidia-smi -L >/dev/null 2>&1 && echo t4 || echo cpu)
RUN ?= runs/$(ENV)-$(PROFILE)-seed$(SEED)
REPO ?=
# Processes of `make test`; files stay whole, since those of one file share what is costly.
WORKERS ?= 2

.PHONY: help setup run test slowtest nbtest bench verify-drift lint format links lab wheel clean distclean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.weights ## Make .venv, install the tested versions, fetch the small model's weights

run: setup ## Train and judge one duty: ENV=triage SEED=0 PROFILE=smoke|cpu|t4|a100
	$(PY) -m env_lib run --env $(ENV) --profile $(PROFILE) --seed $(SEED) --run-dir $(RUN)

test: $(VENV)/.weights ## Run the tests; notebooks and the slowest left out
	OMP_NUM_THREADS=1 $(PY) -m pytest -m "not slow" -n $(WORKERS) --dist loadfile $(ARGS)

slowtest: $(VENV)/.weights ## Run the slowest tests: audits of four duties, the trainer for GPUs, 4 bits
	OMP_NUM_THREADS=1 $(PY) -m pytest -m slow -n $(WORKERS) --dist loadfile $(ARGS)

nbtest: $(VENV)/.weights ## Run every notebook in its smallest size and check its assertions
	$(PY) -m pytest --nbval-lax --nbval-current-env --nbval-cell-timeout=900 notebooks $(ARGS)

bench: $(VENV)/.ready ## Measure speed: resets, steps, branches, served episodes
	$(PY) tests/bench.py $(ARGS)

verify-drift: $(VENV)/.ready ## Run every breakage of data/drift on the installed release
	$(PY) -m env_lib.envs.drift.verify $(ARGS)

lint: $(VENV)/.ready ## Check style, format and types; changes nothing
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

format: $(VENV)/.ready ## Rewrite what ruff can mend
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

links: $(if $(REPO),$(VENV)/.ready) ## Point the Colab and Kaggle badges at a public address: REPO=owner/name
	@test -n "$(REPO)" || { echo "make links needs the public repository: make links REPO=owner/name"; exit 2; }
	$(PY) -m env_lib.links $(REPO)

lab: $(VENV)/.ready ## Open the notebooks in JupyterLab
	$(PY) -m jupyterlab notebooks

wheel: $(VENV)/.ready ## Build a wheel with the bundled facts into dist/
	$(PY) -m pip wheel --no-deps --wheel-dir dist .

clean: ## Remove caches and builds; keeps .venv and runs/
	rm -rf build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis unsloth_compiled_cache
	find . -path ./$(VENV) -prune -o \( -name __pycache__ -o -name .ipynb_checkpoints \) -type d -exec rm -rf {} +

distclean: clean ## Remove .venv too; keeps runs/
	rm -rf $(VENV)

# Stamps: a second `make setup` has nothing to do until the dependencies change.
$(VENV)/.ready: pyproject.toml setup.py constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Python 3.11 or newer is needed; \`$(PYTHON)\` is $$(command -v $(PYTHON) >/dev/null && $(PYTHON) --version 2>&1 || echo missing)."; \
	  echo "Name another one: make setup PYTHON=python3.11"; \
	  echo "To get it: apt-get install python3.11 python3.11-venv, brew install python@3.11, or conda env create -f environment.yml"; \
	  exit 1; }
	@command -v git >/dev/null || { \
	  echo "git is needed: apt-get install git, brew install git, or git-scm.com"; exit 1; }
	@echo "Setting up .venv, once: the tested versions of all packages, then the small model's weights."
	@echo "That takes some 5 minutes and 4 GB of disk; what was asked for follows."
	@$(PY) -c '' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV) || { \
	  echo "\`$(PYTHON) -m venv\` failed. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@if [ "$$(uname -sm)" = "Linux x86_64" ] && [ -z "$(TORCH_INDEX)$(PIP_EXTRA)" ] && ! command -v nvidia-smi >/dev/null; then \
	  echo "No NVIDIA GPU here: if pip takes a CUDA build of torch (several GB), stop it and run"; \
	  echo "  make setup TORCH_INDEX=<PyTorch's index of CPU wheels: pytorch.org, Get Started, CPU>"; fi
	$(PY) -m pip install --disable-pip-version-check $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) $(PIP_EXTRA) \
	  -c constraints.txt $(TORCH) -e '.[$(EXTRAS)]'
	@if $(PY) -m pip show -q torchvision >/dev/null 2>&1 && ! $(PY) -c 'import torchvision' >/dev/null 2>&1; then \
	  echo "torchvision does not import beside this build of torch, and unsloth would stop at it."; \
	  echo "Nothing here reads images: it is removed (pip check will name it as missing, which is harmless)."; \
	  $(PY) -m pip uninstall -q -y torchvision; fi
	@touch $@

$(VENV)/.weights: $(VENV)/.ready
	$(PY) -m env_lib doctor --weights
	@touch $@
