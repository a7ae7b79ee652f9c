# A thin face over the CMake presets; `make help` lists what there is.

SETUP        = @scripts/install-dependencies.sh
SOURCE_DIRS  = include src apps bindings web/engine reproduce tests bench examples docs data
CLANG_FORMAT = $$(command -v clang-format-14 || command -v clang-format)
FORMAT_FILES = find $(SOURCE_DIRS) -name '*.[ch]pp' -print0 | xargs -0 -n 60 -P $$(nproc) $(CLANG_FORMAT)
CTEST        = ctest --parallel $$(nproc) --preset
UNCHANGED    = test -f build/tested && test -z "$$(find . -mindepth 1 \
	\( -path ./build -o -path ./out -o -path ./.git -o -path ./web/node_modules -o -path ./web/dist \) -prune -o -newer build/tested -print -quit)"

# One job a processor. Ninja would start one more, and three compilers on two processors evict each
# other's caches.
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)

.PHONY: help build wheel site abi demo python bench-python bench-calculix web serve test-web test-installed test-site fuzz octave-package reuse test test-all test-release test-slow test-clusters test-asan test-wasm bench docs gallery deb format check-format clean gpu

help:
	@echo 'make build    the optimised command, build/release/microslip'
	@echo 'make demo     build, run the main job on bundled data, leave pictures in out/'
	@echo 'make web      the explorer, a page for browsers: web/dist/index.html; make serve shows it on localhost'
	@echo 'make python   the Python module, build/release/python; pip install . puts it into an environment'
	@echo 'make wheel    a wheel and a source archive for Python, out/wheel'
	@echo 'make test     format, and all tests but the slow ones'
	@echo 'make test-asan  the tests of the library under sanitizers'
	@echo 'make test-web  the engine for browsers, and the explorer in Chromium against the command'
	@echo 'make test-slow  large systems, and full sweeps where make test draws a part'
	@echo 'make test-clusters  studies on Slurm, GNU parallel, Snakemake, Open MPI and Dask, on this machine'
	@echo 'make bench    speed as ratios, written to out/bench.json; PARTS="iwan4 fit" for some of them'
	@echo 'make gpu      fields of joints on a GPU, where nvcc is: build/release/gpu'
	@echo 'make docs     the pages of the laws and of the reproductions, docs/'
	@echo 'make gallery  the pictures of docs/gallery.md'
	@echo 'make deb      Debian packages in out/deb, unpacked and tried'
	@echo 'make test-installed  the packages and the wheel in clean Debian systems'
	@echo 'make site     the documentation as a web site, build/site, its links checked'
	@echo 'make test-site  the web site in Chromium, wide and narrow, with axe'
	@echo 'make abi      the interface of the shared library against the one that is kept'
	@echo 'make fuzz     fuzzers of the readers of files, SECONDS each'
	@echo 'make octave-package  the package for Octave, installed and tried; out/octave'
	@echo 'make reuse    whether the licence of each file is known'
	@echo 'make format   clang-format, in place'
	@echo 'make clean    remove build/ and out/'
	@echo
	@echo 'Each installs the Debian packages it misses. CMake alone: cmake --workflow --preset release'

build:
	$(SETUP) build
	cmake --preset release
	cmake --build --preset release --target microslip microslip_pages

demo: build
	@scripts/demo.sh build/release/microslip out

# GPU_FLAGS=-arch=sm_90 names a card that this machine does not have.
gpu:
	$(SETUP) build
	cmake --preset release -D MICROSLIP_GPU=ON $(if $(GPU_FLAGS),-D MICROSLIP_GPU_FLAGS=$(GPU_FLAGS))
	cmake --build --preset release --target gpu

python:
	$(SETUP) build python
	cmake --preset release
	cmake --build --preset release --target python microslip_c

test:
	@if $(UNCHANGED); then \
	  echo "All tests passed on $$(cat build/tested) and no file has changed since;"; \
	  echo "'make test-release' runs them all the same."; \
	else $(MAKE) --no-print-directory test-all && date > build/tested; fi

test-all:
	$(SETUP) build test python format
	$(FORMAT_FILES) --dry-run -Werror
	cmake --preset release
	cmake --build --preset release
	$(CTEST) release

test-clusters: build python
	$(SETUP) clusters
	@scripts/test-clusters.sh build/release/microslip build/release/python

test-slow:
	$(SETUP) build test python
	cmake --preset release
	cmake --build --preset release --target slow_tests
	$(CTEST) slow

test-release test-asan: test-%:
	$(SETUP) build test python
	cmake --preset $*
	cmake --build --preset $*
	$(CTEST) $*

test-wasm:
	$(SETUP) build wasm
	cmake --workflow --preset wasm
	cmake --build --preset wasm --target microslip_web_objects

# npm may have come with a nodejs that is not Debian's. npm ci installs exactly what the lock file names.
web:
	$(SETUP) build wasm
	@command -v npm > /dev/null || scripts/install-dependencies.sh web
	cmake --preset wasm
	cmake --build --preset wasm --target microslip_web
	cd web && { test node_modules/.package-lock.json -nt package-lock.json || npm ci --no-audit --no-fund; }
	cd web && npm run --silent check && node build.mjs ../build/wasm/engine

serve: web
	@echo 'http://localhost:8000'
	@cd web/dist && python3 -m http.server --bind localhost 8000

test-web: test-wasm web build
	$(SETUP) web-test
	node web/tests/formula.mjs build/release/microslip
	node web/tests/explorer.mjs build/release/microslip out/web

gallery: build
	@scripts/gallery.sh build/release/microslip

deb: build
	$(SETUP) deb python
	cmake --build --preset release --target microslip_pages python microslip_c microslip_c_static microslip_hosts microslip_mgis
	@scripts/deb.sh build/release out/deb

# Clean Debian systems with the packages and with the wheel, and the first examples of the pages in them. Needs root.
test-installed: deb wheel
	$(SETUP) installed
	@scripts/test-installed.sh out/deb out/wheel out/installed

wheel: python
	mkdir -p out/wheel
	cd bindings/python/tools && /usr/bin/python3 -c 'import build_backend as b; print(b.build_wheel("../../../out/wheel"), b.build_sdist("../../../out/wheel"))'

# With the explorer on the pages of the laws where `make web` has built it. Other versions that lie in build/site stay and
# are offered on each page.
VERSION = $(shell grep -oP 'version = "\K[0-9.]+' include/microslip/version.hpp)
site: python
	$(SETUP) site
	PYTHONPATH=build/release/python /usr/bin/python3 site/notebooks.py build/site-pages/notebooks
	MICROSLIP_SITE=../build/site/$(VERSION) mkdocs build --quiet --strict --config-file site/mkdocs.yml
	MICROSLIP_SITE=build/site/$(VERSION) doxygen site/Doxyfile
	python3 site/versions.py build/site
	python3 site/check_links.py build/site/$(VERSION)

# The site in Chromium, wide and narrow, light and dark: pictures in out/site, and the rules of axe.
test-site:
	$(SETUP) web web-test
	cd web && { test node_modules/.package-lock.json -nt package-lock.json || npm ci --no-audit --no-fund; }
	node web/tests/site.mjs build/site/$(VERSION) out/site

# `make abi BASELINE=write` keeps the interface of a new version, bindings/c/abi.
abi:
	$(SETUP) build abi
	cmake --preset release
	cmake --build --preset release --target microslip_c $(if $(BASELINE),abi_baseline)
	ctest --preset release --tests-regex '^c_abi$$'

# Each reader of files for a while, led by what has been covered: make fuzz SECONDS=600 READERS='uff mtx'.
fuzz:
	$(SETUP) build fuzz
	@scripts/fuzz.sh build/fuzz $(or $(SECONDS),60) $(READERS)

octave-package: build
	$(SETUP) octave
	cmake --build --preset release --target microslip_c microslip_c_static
	@scripts/octave-package.sh build/release out/octave

# The licence of each file is known.
reuse:
	$(SETUP) reuse
	reuse lint

check-format:
	$(SETUP) format
	$(FORMAT_FILES) --dry-run -Werror

format:
	$(SETUP) format
	$(FORMAT_FILES) -i

bench: build
	cmake --build --preset release --target microslip_bench
	mkdir -p out
	build/release/microslip_bench out/bench.json $(PARTS)
	@echo "'make bench-python' measures what Python costs, 'make bench-calculix' compares a lap joint."

bench-calculix: build
	$(SETUP) fem
	python3 examples/joints/calculix/lap_joint.py out/calculix --mesh 60 4 --microslip build/release/microslip

bench-python: python
	$(SETUP) peers
	mkdir -p out
	PYTHONPATH=build/release/python python3 bench/python_overhead.py build/release/libmicroslip.so \
	  out/bench-python.json

docs:
	$(SETUP) build
	cmake --preset release
	cmake --build --preset release --target docs microslip
	build/release/microslip reproduce all --pages docs

clean:
	rm -rf build out
