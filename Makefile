# Every target needs only GNU make, a POSIX shell and Go; `make` alone lists them.

GO ?= go
OUT ?= site
ADDR ?= 127.0.0.1:8000
FUZZTIME ?= 10s

# The functions of this package that check something return an error, which callers must not ignore.
CHAPTER := github.com/siegebook/siegebook/internal/report/chapter

# Git refuses to read a working tree that another user owns, so a version stamp from git would make such builds fail.
export GOFLAGS := $(strip $(shell $(GO) env GOFLAGS) -buildvcs=false)
# Cells are built without cgo. If everything else is, too, Go compiles each package only once.
export CGO_ENABLED := 0

# For the targets that spend most of their time in compilers, the garbage collector runs less often. That saves a fifth
# of the compilers' processor time.
report serve test test-all setup check cross prove: export GOGC ?= 400

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

.PHONY: report
report: ## build the report, site/index.html (OUT=folder for another folder; LIVE=1 lets readers edit its Go code)
	$(GO) run ./cmd/genreport build $(if $(LIVE),--live )--out '$(OUT)'

.PHONY: serve
serve: ## serve the report while you write it (ADDR=host:port for another address)
	$(GO) run ./cmd/genreport serve --addr '$(ADDR)'

.PHONY: test
test: setup ## run go vet and the tests of every package, with -short; installs Chromium, Firefox, Jupyter, Python 3, QEMU and Slurm if it may
	$(GO) vet ./...
	$(GO) test -vet=off -short -timeout 40m ./...

# The two slowest packages start first. More packages and tests than cores run at once, because browsers wait for pages,
# and kernels wait for cells: a test that plays with a page uses the processor for little more than half of its time.
.PHONY: test-all
test-all: setup ## run all tests: every page in both browsers, all notebooks, JupyterLab, Slurm, random kills, full ranges
	$(GO) vet ./...
	$(GO) test -vet=off -p 3 -parallel 4 -timeout 80m ./internal/browsertest ./cmd/genreport ./...

.PHONY: setup
setup: ## install what the tests need besides Go: Chromium, Firefox, Jupyter, Python 3, QEMU and Slurm (with apt-get), checkers of pages and e-books, parts of JupyterLab and DuckDB (with npm), and gopls
	@for what in 'chromium firefox jupyter python' qemu slurm; do \
		sh internal/setup/install.sh $$what || echo "the tests that need it are skipped, or fail if CI=true" >&2; done
	@sh internal/setup/npm.sh internal/browsertest/npm 'axe-core and html-validate for the browser test' axe-core/axe.min.js html-validate/bin/html-validate.mjs
	@sh internal/setup/npm.sh internal/browsertest/lab 'parts of JupyterLab for the browser test' @jupyterlab/outputarea/package.json esbuild/bin/esbuild
	@sh internal/setup/npm.sh internal/report/site/epubcheck 'a checker of e-books for a test' @likecoin/epubcheck-ts/bin/epubcheck.js
	@sh internal/setup/npm.sh cmd/siegebook/testdata/duckdb 'DuckDB for the test of Parquet files' @duckdb/node-api/package.json
	@GO='$(GO)' sh internal/setup/gopls.sh

.PHONY: jupyter
jupyter: ## open the notebooks in Jupyter, with the Go kernel (NOTEBOOK=path for your own); installs what is missing if it may
	@GO='$(GO)' sh internal/setup/jupyter.sh "$${NOTEBOOK:-notebooks}"

.PHONY: check
check: ## check formatting, vet, lint (also in the cells of pages), import rules and plain words
	@unformatted=$$($(GO) tool gofumpt -l .) && if [ -n "$$unformatted" ]; then \
		echo "not formatted; run '$(GO) tool gofumpt -w .':" >&2; echo "$$unformatted" >&2; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -unusedresult -unusedresult.funcs=$(CHAPTER).Expect,$(CHAPTER).HoldsAt ./report/siegebook/...
	$(GO) tool staticcheck ./...
	$(GO) run ./cmd/genreport vet report/siegebook "$$($(GO) tool -n staticcheck)" ./...
	$(GO) test -run '^Test(Imports|Halves|PlainWords)' ./internal/repotest

.PHONY: cross
cross: ## check that everything, with its tests, compiles for other systems
	$(GO) run ./internal/cross

.PHONY: prove
prove: ## have Coq check the proofs, and compare its numbers with ours; installs Coq if it may (1 GB)
	@sh internal/setup/install.sh coq python
	@dir=$$(mktemp -d) && trap 'rm -r "$$dir"' EXIT && \
	$(GO) run ./cmd/genreport build --only claims --out "$$dir/site" && $(GO) run ./report/siegebook/prove "$$dir/site"

.PHONY: bench
bench: ## measure the speed claims as ratios; fails if one misses its bar
	$(GO) run ./internal/measure

.PHONY: fuzz
fuzz: ## run each fuzz target for FUZZTIME (10s)
	@grep -rl --include='*_test.go' '^func Fuzz' . | while read -r file; do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$$file"); do \
			echo "$$target in $$file"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$(dirname "$$file")" || exit 1; \
		done; \
	done

.PHONY: golden
golden: ## rewrite the recorded outputs that tests compare with; read the diff before you commit it
	$(GO) test ./proofs ./report/figure ./internal/report/lesson ./internal/report/site -update
	$(GO) test ./internal/repotest -run '^TestReadmePicture$$' -update

.PHONY: clean
clean: ## remove what make has built
	rm -rf site .cache bin
