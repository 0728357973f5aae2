# Everything here runs on a machine with Go and, the first time, a module
# proxy. Nothing needs a network, a key or a model after that.

GO       ?= go
FUZZTIME ?= 1m
BENCHTIME ?= 1s
# Of the differential run: how many prompts, and from which seed. A run prints
# its seeds, and the same seeds make the same prompts.
PROMPTS  ?= 1000000
SEED     ?= random

LINT := $(GO) tool -modfile=tools/go.mod golangci-lint
VULN := $(GO) tool -modfile=tools/vuln/go.mod

.DEFAULT_GOAL := help

.PHONY: help
help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: check
check: fmt vet lint race ## everything that must hold before a commit

.PHONY: fmt
fmt: ## fail if gofmt would change a file
	@files=$$(gofmt -l $$(git ls-files --cached --others --exclude-standard '*.go')); \
	if [ -n "$$files" ]; then echo "gofmt wants changes in:"; echo "$$files"; exit 1; fi

.PHONY: vet
vet: ## go vet
	$(GO) vet ./...
	$(GO) -C tools/realserver vet ./...

.PHONY: lint
lint: ## golangci-lint, pinned in tools/go.mod (its first build takes minutes)
	$(LINT) run ./...
	cd tools/realserver && $(GO) tool -modfile=../go.mod golangci-lint run -c ../../.golangci.yml ./...

.PHONY: vuln
vuln: ## govulncheck against the database pinned in tools/vuln/go.mod
	$(VULN) indexdb -out bin/vulndb \
		-vulns "$$($(GO) list -modfile=tools/vuln/go.mod -m -f '{{.Dir}}' golang.org/x/vulndb)/data/osv"
	$(VULN) govulncheck -db "file://$(CURDIR)/bin/vulndb" ./...

.PHONY: test
test: ## the tests
	$(GO) test ./...

.PHONY: race
race: ## the tests under the race detector
	$(GO) test -race ./...

# The first time, this fetches 20 MB of Debian's packages into the user's cache.
.PHONY: integration
integration: bin/realserver ## the tests against a real server of chat completions
	bin/realserver $(GO) test . ./internal/backend -run '^TestReal' -v -count 1

.PHONY: realserver
realserver: bin/realserver ## start that server and print where it is, until interrupted
	bin/realserver

.PHONY: bin/realserver
bin/realserver:
	$(GO) -C tools/realserver build -o $(CURDIR)/bin/realserver .

.PHONY: fuzz
fuzz: ## the analysis of PROMPTS generated prompts (default a million) against real executions
	PROMPTKIT_FUZZ_N=$(PROMPTS) PROMPTKIT_FUZZ_SEED=$(SEED) \
		$(GO) test ./internal/requirement -run '^TestDifferential$$' -v -count 1 -timeout 0

.PHONY: mutants
mutants: ## break the analysis in many ways and see that the proof notices each
	PROMPTKIT_MUTANTS=1 $(GO) test ./internal/requirement -run '^TestMutants$$' -v -count 1 -timeout 0

.PHONY: fuzz-bytes
fuzz-bytes: ## every fuzz target of the parsers for FUZZTIME each (default 1m)
	@set -e; for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "== $$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg; \
		done; \
	done

.PHONY: corpus
corpus: ## the analysis on a collection of real prompts, where there is one
	$(GO) test ./internal/requirement -run '^TestCorpus$$' -v -count 1

.PHONY: bench
bench: ## every benchmark; docs/performance.md explains the table
	$(GO) test -run '^$$' -bench . -benchtime $(BENCHTIME) ./...

.PHONY: bench-clients
bench-clients: ## the same job with other clients, and where they differ
	cd bench/clients && $(GO) test -v -bench . -benchtime $(BENCHTIME) ./...

.PHONY: demo
demo: ## a tour of the example project
	$(GO) run ./cmd/promptkit demo

.PHONY: build
build: ## build the command into bin/
	$(GO) build -o bin/promptkit ./cmd/promptkit
