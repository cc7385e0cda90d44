# Everything runs in .venv, which the first target that needs it creates.
# PYTHON is the interpreter to build it from: 3.11 or newer.

PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin/python

# One BLAS thread: pytest-xdist and joblib already use the cores, and times are comparable.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1

.DEFAULT_GOAL := help
.PHONY: help demo docs linkcheck pictures test slow fuzz mutants check bench large-tables auto-tables results \
  release-check test-lowest clean
# Stamps are made by a pattern rule; make would otherwise delete them as intermediate files.
.PRECIOUS: $(VENV)/.installed-%

help:
	@echo "make demo   fit an example table and show what was learned"
	@echo "make docs   build the site: docs/_build/site/index.html    make pictures  those of the README"
	@echo "make test   run the tests           make slow   run the long ones"
	@echo "make fuzz   thousands of tables and arrays that nobody would type (some minutes)"
	@echo "make mutants  see whether the tests notice wrong changes of the source"
	@echo "make check  lint, format, spelling and types"
	@echo "make bench  measure speed and memory"
	@echo "make large-tables  measure large tables beside peers (an hour; resumable), write their page"
	@echo "make auto-tables  measure AutoKernel beside peers (an hour; resumable), write its page"
	@echo "make results  run the paper tables again and write docs/results (hours; resumable)"
	@echo "make release-check  build what is released, install it where nothing else is, use it"
	@echo "make test-lowest  the tests with the oldest packages allowed    make test-3.13  with that Python"
	@echo "make clean  remove .venv and every cache"

demo: $(VENV)/.installed-cli,report
	$(VENV)/bin/kernelwise demo

# The site: warnings are errors, examples and doctests run, links lead somewhere. Nothing but MathJax,
# once, is fetched to build it, and nothing to read it.
SITE    = docs/_build/site
VERSION = $$($(RUN) -c 'import kernelwise; print(kernelwise.__version__)')
MATHJAX := docs/_build/mathjax/tex-svg.js

docs: $(VENV)/.installed-docs $(MATHJAX)
	rm -rf $(SITE)
	$(ONE_THREAD) $(RUN) -m sphinx -W --keep-going -q -d docs/_build/doctrees -b html docs $(SITE)/$(VERSION)
	$(ONE_THREAD) $(RUN) -m sphinx -W --keep-going -q -d docs/_build/doctrees -b doctest docs docs/_build/doctest
	$(RUN) docs/_ext/check_site.py $(SITE)
	@echo "The site: $(SITE)/index.html"

$(MATHJAX):
	@command -v npm >/dev/null || { \
	  echo "make docs takes MathJax from npm, which is not installed (Debian: apt-get install npm)" >&2; exit 1; }
	@mkdir -p $(@D)
	cd $(@D) && npm pack --silent mathjax@3.2.2 && \
	  tar -xzf mathjax-3.2.2.tgz --strip-components=1 package/LICENSE && \
	  tar -xzf mathjax-3.2.2.tgz --strip-components=2 package/es5/tex-svg.js && rm mathjax-3.2.2.tgz

# Links to other sites, for whoever has a network.
linkcheck: $(VENV)/.installed-docs $(MATHJAX)
	$(RUN) -m sphinx -q -d docs/_build/doctrees -b linkcheck docs docs/_build/linkcheck

# The pictures of the README: they need chromium, and are committed.
pictures: $(VENV)/.installed-docs
	$(ONE_THREAD) $(RUN) docs/_ext/take_pictures.py

test: $(VENV)/.installed-test
	SCIPY_ARRAY_API=1 $(ONE_THREAD) $(RUN) -m pytest -n 2

slow: $(VENV)/.installed-test
	$(ONE_THREAD) $(RUN) -m pytest -n 2 -m slow

fuzz: $(VENV)/.installed-test
	$(ONE_THREAD) $(RUN) -m pytest -n 2 tests/fuzz -m "slow or not slow"

mutants: $(VENV)/.installed-test
	$(ONE_THREAD) $(RUN) tests/mutants/run.py

check: $(VENV)/.installed-test
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m codespell_lib
	$(RUN) -m mypy src

bench: $(VENV)/.installed-bench
	$(ONE_THREAD) $(RUN) -m benchmarks
	@echo "make large-tables measures errors, CPU time and memory on tables of up to a million rows"

# Cells that are in docs/results/large-tables.csv are not measured again.
large-tables: $(VENV)/.installed-bench
	KERNELWISE_DATA=$${KERNELWISE_DATA:-../shared/data} $(ONE_THREAD) $(RUN) -m benchmarks.large_tables
	$(RUN) -m benchmarks.large_table_page

# Cells that are in docs/results/auto-kernel.csv are not measured again.
auto-tables: $(VENV)/.installed-bench
	KERNELWISE_DATA=$${KERNELWISE_DATA:-../shared/data} $(ONE_THREAD) $(RUN) -m benchmarks.auto_tables
	$(RUN) -m benchmarks.auto_table_page

# Every paper table, into one store from which a stopped run resumes, then the committed pages.
REPRODUCE = KERNELWISE_DATA=$${KERNELWISE_DATA:-../shared/data} $(ONE_THREAD) \
  $(VENV)/bin/kernelwise reproduce

results: $(VENV)/.installed-test
	@mkdir -p docs/results
	$(REPRODUCE) first-level-table-2 first-level-table-3 first-level-table-4 \
	  --replicates 10 --jobs 2 \
	  --store results.sqlite --csv docs/results/first-level.csv --pages docs/results
	$(REPRODUCE) alignment-table-2 alignment-table-3 alignment-table-5 alignment-table-6 \
	  alignment-table-7 --replicates 10 --jobs 2 \
	  --store results.sqlite --csv docs/results/alignment.csv --pages docs/results
	$(REPRODUCE) svm-table-1 svm-table-3 svm-table-4 --replicates 25 --jobs 2 \
	  --store results.sqlite --csv docs/results/svm.csv --pages docs/results
	$(REPRODUCE) rvm-validity-table-1 --replicates 20 --jobs 2 \
	  --store results.sqlite --csv docs/results/rvm-validity.csv --pages docs/results
	$(REPRODUCE) bemkl-table-1 bemkl-table-1-kernels bemkl-table-1-seconds bemkl-table-2 \
	  --replicates 20 --jobs 2 \
	  --store results.sqlite --csv docs/results/bemkl.csv --pages docs/results

# What is to be uploaded: built into dist, looked through, and installed where nothing else is.
release-check: $(VENV)/.installed-release
	$(ONE_THREAD) $(RUN) -m pytest -n 2 --dist loadfile release

# The tests with the lowest versions that pyproject.toml allows, and with another Python.
test-lowest: $(VENV)/.installed-release
	$(ONE_THREAD) $(RUN) -m release.suite --lowest

test-3.%: $(VENV)/.installed-release
	$(ONE_THREAD) $(RUN) -m release.suite --python 3.$*

clean:
	rm -rf $(VENV) $(VENV)-* build dist docs/_build docs/gallery docs/reference/api .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.installed-%: pyproject.toml | $(RUN)
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable ".[$*]"
	@touch $@

$(RUN):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "kernelwise needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
