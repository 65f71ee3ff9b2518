# What one types most. The build itself is CMake's; see CMakePresets.json for its other shapes.

BUILD ?= build
LAUNCHER := $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

# For `make conformance`: how many commands, and which seeds.
COMMANDS ?= 1000000
SEEDS ?= 1

.PHONY: help deps configure build demo test conformance bench format lint clean
.DEFAULT_GOAL := build

help:
	@echo "make deps     install the Debian packages that are missing (as root, or by sudo)"
	@echo "make build    build $(BUILD)/locklapse"
	@echo "make demo     replay the A/B/C story and compare the strategies over the catalogue"
	@echo "make test     build everything and run every test"
	@echo "make conformance   compare the model with a real redis-server; COMMANDS=10000000 SEEDS='1 2 3'"
	@echo "make bench    measure, and print ratios"
	@echo "make format   format the C++ files changed since the last commit"
	@echo "make lint     check layers, coroutine shapes and what clang-tidy sees"
	@echo ".ci/run       all of the above checks, with both compilers and sanitizers"

deps:
	@.ci/deps.sh build

# Once configured, ninja sees by itself when that must be done again.
configure: deps
	@test -f $(BUILD)/build.ninja \
	  || cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release $(LAUNCHER)

build: configure
	@cmake --build $(BUILD) --target locklapse

demo: build
	@$(BUILD)/locklapse matrix scenarios
	@echo
	@$(BUILD)/locklapse draw scenarios/abc.yaml --strategy set-del
	@echo
	@$(BUILD)/locklapse matrix scenarios/abc.yaml

test: configure
	@.ci/deps.sh test
	@cmake --build $(BUILD)
	@ctest --test-dir $(BUILD) --output-on-failure --parallel $$(nproc)

conformance: configure
	@.ci/deps.sh test
	@cmake --build $(BUILD) --target locklapse_conformance
	@for seed in $(SEEDS); do for protocol in 2 3; do \
	  $(BUILD)/locklapse_conformance --seed $$seed --protocol $$protocol --commands $(COMMANDS) || exit; \
	done; done

bench: deps
	@.ci/deps.sh bench
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DLOCKLAPSE_BENCH=ON $(LAUNCHER)
	@cmake --build $(BUILD) --target locklapse_bench
	@tests/bench/run.py $(BUILD)

format:
	@.ci/deps.sh check
	@git diff --name-only --diff-filter=d HEAD -- '*.h' '*.cc' | xargs -r clang-format -i

lint: configure
	@.ci/deps.sh check
	@tests/lint/layers.py
	@tests/lint/coroutines.py
	@cmake --build $(BUILD) --target locklapse
	@git ls-files '*.cc' | grep -v '^tests/' \
	  | xargs -P $$(nproc) -n 4 clang-tidy --quiet -p $(BUILD) 2>/dev/null

clean:
	rm -rf $(BUILD) build-*/
