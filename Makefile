# malpan. `make help` lists the targets.

VERSION := 0.1.0
PREFIX ?= /usr/local
BUILD ?= build
ifeq ($(origin CC),default)
CC := gcc
endif

# The programs are left at the root by an ordinary build, and beside their objects by the others.
OUT := $(if $(filter build,$(BUILD)),.,$(BUILD))

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes
OPTIMIZE ?= -O3
OPENMP := -fopenmp
# Values must not depend on the machine: no fused multiply-add. CFLAGS, CPPFLAGS and LDFLAGS of the
# command line or the environment come last, so that they win.
ALL_CPPFLAGS := -D_GNU_SOURCE -DMALPAN_VERSION='"$(VERSION)"' -Iinclude -Isrc $(CPPFLAGS)
# The programs do not depend on the folder they are built in: debug information has relative paths.
ALL_CFLAGS := -std=c17 -g $(OPTIMIZE) -ffile-prefix-map='$(CURDIR)'=. -ffp-contract=off $(WARNINGS) \
              $(WERROR) $(SANITIZE) $(OPENMP) $(CFLAGS)
ALL_LDFLAGS := $(SANITIZE) $(LDFLAGS)
# `make V=1` shows the commands themselves.
say = $(if $(V),,@echo "  $(1)  $@";)

LIBRARY_SOURCES := $(sort $(wildcard src/base/*.c src/table/*.c src/game/*.c src/kernel/*.c \
                     src/games/*/*.c src/games/*/*/*.c src/values/*.c src/players/*.c src/play/*.c src/compat/*/*.c src/*.c))
CLI_SOURCES := $(sort $(wildcard src/ui/cli/*.c src/ui/json/*.c src/ui/web/*.c))
WEB_FILES := $(sort $(wildcard web/*))
TEST_SOURCES := $(sort $(wildcard tests/test_*.c))
# Tests of the programs as they are used; those that take longest first.
TEST_SCRIPTS := $(addprefix tests/,solve.py classic.py web.py dice.py valley.py cli.py facts.py \
                  resolver.py signature.sh box_reference.py mutate.py completion.sh setup.sh layers.sh)
FUZZ_SOURCES := $(sort $(wildcard tests/fuzz_*.c))
BENCH_SOURCES := $(sort $(wildcard bench/*.c))
HEADERS := $(sort $(wildcard include/*.h src/*/*.h src/*/*/*.h src/*/*/*/*.h tests/*.h))
ASSETS := $(BUILD)/assets
SOURCES := $(LIBRARY_SOURCES) $(CLI_SOURCES) $(sort $(wildcard src/compat/*.c)) $(TEST_SOURCES) \
           $(FUZZ_SOURCES) $(BENCH_SOURCES)
SCRIPTS := scripts/setup scripts/embed .ci/run completions/malpan.bash \
           $(sort $(wildcard tests/*.sh))

objects = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIBRARY := $(BUILD)/libmalpan.a
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(TEST_SOURCES))
FUZZERS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(FUZZ_SOURCES))
COMPAT := $(OUT)/ShutTheBox $(OUT)/diceyut $(OUT)/yunnori $(OUT)/yutrace
PROGRAMS := $(OUT)/malpan $(COMPAT)
# What src/table/ needs; a program that reads no tables is not linked with it.
TABLE_LIBRARIES := -Wl,--as-needed -lzstd -lxxhash
WEB_LIBRARIES := -lmicrohttpd -lsqlite3 -lsodium -lpthread
# The packages that the goals need (see scripts/setup): a test needs more than a program.
SETUP_GROUP := $(if $(filter test test-slow $(BUILD)/tests/test_%,$(MAKECMDGOALS)),test,build)
READY := $(BUILD)/.ready-$(SETUP_GROUP)
FLAGS := $(BUILD)/.flags

.PHONY: all run test test-web test-slow test-abuse bench bench-slow asan ubsan tsan fuzz fuzzers \
        format format-check lint headers install uninstall clean help FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: $(PROGRAMS) $(LIBRARY)

run: all
	@$(OUT)/malpan

# --- building ---

# Missing packages are installed before the first object is built; SETUP=no only lists them.
$(READY): scripts/setup
	@CC='$(CC)' scripts/setup $(SETUP_GROUP)
	@mkdir -p $(@D) && touch $@

# Other flags than last time: everything is built anew.
$(FLAGS): FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS)' | cmp -s - $@ || \
	    echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS)' > $@

$(BUILD)/%.o: %.c Makefile $(FLAGS) | $(READY)
	@mkdir -p $(@D)
	$(call say,compile)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(LIBRARY): $(call objects,$(LIBRARY_SOURCES))
	@rm -f $@
	$(call say,archive)$(AR) rcs $@ $^

$(OUT)/malpan: $(call objects,$(CLI_SOURCES)) $(ASSETS).o $(LIBRARY)
	$(call say,link   )$(CC) $(ALL_LDFLAGS) $(OPENMP) $^ -ljansson $(WEB_LIBRARIES) $(TABLE_LIBRARIES) -lm -o $@

# The page, as bytes in the program.
$(ASSETS).c: $(WEB_FILES) scripts/embed Makefile
	@mkdir -p $(@D)
	$(call say,embed  )scripts/embed $(WEB_FILES) > $@

$(ASSETS).o: $(ASSETS).c $(FLAGS) | $(READY)
	$(call say,compile)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c $< -o $@

# The programs that speak older formats. No libraries that they do not use: they have to start fast.
$(OUT)/ShutTheBox: $(call objects,src/compat/shut_the_box.c)
$(OUT)/diceyut: $(call objects,src/compat/diceyut.c)
$(OUT)/yunnori: $(call objects,src/compat/yunnori.c)
$(OUT)/yutrace: $(call objects,src/compat/yutrace.c)
$(COMPAT): $(LIBRARY)
	$(call say,link   )$(CC) $(ALL_LDFLAGS) -Wl,--as-needed $(filter %.o,$^) $(LIBRARY) -lm -o $@

-include $(patsubst %.o,%.d,$(call objects,$(SOURCES)))

# --- testing ---

$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(LIBRARY)
	$(call say,link   )$(CC) $(ALL_LDFLAGS) $(OPENMP) $(filter %.o,$^) $(LIBRARY) -lcmocka \
	    $(TABLE_LIBRARIES) -lm -o $@

# Of the programs, not of the library.
$(BUILD)/tests/test_limiter: $(call objects,src/ui/web/limiter.c)

test: $(TESTS) $(PROGRAMS) | $(READY)
	@tests/run.sh $(OUT) $(TEST_SCRIPTS) $(TESTS)

# In a browser.
test-web: $(PROGRAMS)
	@scripts/setup web
	node tests/browser/run.mjs $(OUT)

test-slow: $(PROGRAMS) $(BUILD)/tests/test_valley_solved
	python3 tests/box_reference.py $(OUT) --variants 300
	python3 tests/solve.py $(OUT) --slow
	SLOW=1 $(BUILD)/tests/test_valley_solved
	SLOW=1 python3 tests/web.py $(OUT)
	$(MAKE) test-abuse
	$(MAKE) lint
	scripts/check-readme --slow

# The server under sanitizers: a hundred thousand bad requests, ten thousand games.
test-abuse:
	$(MAKE) build-asan/malpan BUILD=build-asan OPTIMIZE=-O1 \
	    SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
	SLOW=1 python3 tests/web.py build-asan test_nonsense test_many_games test_slow_requests

SANITIZE_ADDRESS ?= -fsanitize=address
# Scripts that test other scripts have nothing for the sanitizers, and test_resolver has the cases of
# resolver.py.
PROGRAM_SCRIPTS := $(filter-out $(addprefix tests/,mutate.py completion.sh setup.sh layers.sh \
                     resolver.py),$(TEST_SCRIPTS))
asan:
	QUICK=1 $(MAKE) test TEST_SCRIPTS='$(PROGRAM_SCRIPTS)' BUILD=build-asan OPTIMIZE=-O1 \
	    SANITIZE='$(SANITIZE_ADDRESS) -fno-omit-frame-pointer'

ubsan:
	QUICK=1 $(MAKE) test TEST_SCRIPTS='$(PROGRAM_SCRIPTS)' BUILD=build-ubsan OPTIMIZE=-O1 SANITIZE='-fsanitize=undefined -fno-sanitize-recover=all'

# clang, because ThreadSanitizer does not know gcc's OpenMP library; Archer tells it about clang's. Of
# the scripts, the one whose program has threads that the test programs do not have: the server.
tsan:
	@scripts/setup dev
	QUICK=1 TSAN_OPTIONS=ignore_noninstrumented_modules=1 \
	$(MAKE) test TEST_SCRIPTS=tests/web.py BUILD=build-tsan CC=clang OPTIMIZE=-O1 SANITIZE=-fsanitize=thread

FUZZ_SECONDS ?= 20
fuzz:
	@scripts/setup dev
	$(MAKE) fuzzers BUILD=build-fuzz CC=clang OPTIMIZE=-O1 \
	    SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all'

fuzzers: $(addsuffix .run,$(FUZZERS))

# With -j2, two at a time.
$(BUILD)/tests/fuzz_%.run: $(BUILD)/tests/fuzz_% FORCE
	@mkdir -p $<.corpus
	@$< $<.corpus tests/corpus/$* -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -print_final_stats=1 \
	    -artifact_prefix=$(BUILD)/ > $<.log 2>&1 || { tail -n 60 $<.log; exit 1; }
	@echo "fuzz_$*, $(FUZZ_SECONDS) s: $$(grep number_of_executed_units $<.log)"

$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz_%.o $(LIBRARY)
	$(call say,link   )$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer $(OPENMP) $^ $(TABLE_LIBRARIES) -lm -o $@

# --- measuring ---

bench: all $(BUILD)/bench/process $(BUILD)/bench/nothing $(BUILD)/bench/table
	@scripts/setup bench
	@scripts/setup web
	@$(OUT)/malpan bench
	@$(BUILD)/bench/process $(BUILD)/bench/nothing $(OUT)/ShutTheBox $(OUT)/diceyut
	@$(BUILD)/bench/table $(BUILD)
	@python3 bench/web.py $(OUT)/malpan
	@node bench/page.mjs $(OUT)

# Minutes and gigabytes; and how well perfect play does, by the tables that are there.
bench-slow: all
	@$(OUT)/malpan bench --slow
	@for player in expectimax greedy random; do \
	    $(OUT)/malpan match yut perfect $$player --pieces 2 --games 2000 | sed 's/^/2 pieces: /'; \
	    $(OUT)/malpan match yut perfect $$player --pieces 3 --games 200 | sed 's/^/3 pieces: /'; \
	done
	@$(OUT)/malpan match valley minimax:3 random --games 1000
	@$(OUT)/malpan match valley alphabeta:1s minimax:4 --games 60 --balanced

$(BUILD)/bench/table: $(BUILD)/bench/table.o $(LIBRARY)
	$(call say,link   )$(CC) $(ALL_LDFLAGS) $(OPENMP) $^ $(TABLE_LIBRARIES) -lm -o $@

$(BUILD)/bench/%: $(BUILD)/bench/%.o
	$(call say,link   )$(CC) $(ALL_LDFLAGS) $^ -o $@

# --- checking ---

format:
	@scripts/setup dev
	clang-format -i $(SOURCES) $(HEADERS)

format-check:
	@scripts/setup dev
	clang-format --dry-run --Werror $(SOURCES) $(HEADERS)

# How far the analyzer follows the ways through a function; 225000 is its own idea of far.
LINT_NODES ?= 225000
lint: $(READY)
	@scripts/setup dev
	shellcheck $(SCRIPTS)
	mandoc -Tlint -W warning docs/malpan.1
	printf '%s\n' $(SOURCES) | xargs -P 2 -I{} clang-tidy --quiet {} -- -std=c17 $(OPENMP) \
	    $(ALL_CPPFLAGS) -Xclang -analyzer-config -Xclang max-nodes=$(LINT_NODES)

# Every header compiles alone.
headers: $(READY)
	@set -e; for header in $(filter-out tests/%,$(HEADERS)); do \
	    $(CC) $(ALL_CPPFLAGS) -std=c17 $(WARNINGS) -Werror -fsyntax-only -xc $$header; \
	done; echo "$(words $(filter-out tests/%,$(HEADERS))) headers compile alone"

# --- installing ---

TO = "$(DESTDIR)$(PREFIX)"
# Installed programs have no symbols; STRIP=no keeps them.
STRIP ?= strip
INSTALL_PROGRAM = install $(if $(filter-out no,$(STRIP)),-s --strip-program=$(STRIP))

install: all
	install -d $(TO)/bin $(TO)/lib $(TO)/include $(TO)/share/man/man1 \
	    $(TO)/share/bash-completion/completions
	$(INSTALL_PROGRAM) $(PROGRAMS) $(TO)/bin
	install -m 644 $(LIBRARY) $(TO)/lib
	install -m 644 include/malpan.h $(TO)/include
	install -m 644 docs/malpan.1 $(TO)/share/man/man1
	for name in $(notdir $(COMPAT)); do ln -sf malpan.1 $(TO)/share/man/man1/$$name.1; done
	install -m 644 completions/malpan.bash $(TO)/share/bash-completion/completions/malpan

uninstall:
	for name in $(notdir $(PROGRAMS)); do \
	    rm -f $(TO)/bin/$$name $(TO)/share/man/man1/$$name.1; done
	rm -f $(TO)/lib/libmalpan.a $(TO)/include/malpan.h \
	    $(TO)/share/bash-completion/completions/malpan

clean:
	rm -rf $(BUILD) build build-asan build-ubsan build-tsan build-fuzz build-clang \
	    $(notdir $(PROGRAMS))

help:
	@echo 'make             build everything: ./malpan, ./ShutTheBox, ./diceyut, ./yunnori, ./yutrace'
	@echo 'make run         build and start malpan'
	@echo 'make test        build and run the tests (about three minutes)'
	@echo 'make test-web    the page in a real browser'
	@echo 'make test-slow   the longer checks: the independent solver, kills of a long solve, long results'
	@echo 'make test-abuse  the server under sanitizers and a hundred thousand bad requests'
	@echo 'make bench       the promised speeds, each beside a baseline'
	@echo 'make bench-slow  those too that take minutes, and matches of perfect play'
	@echo 'make asan        the tests under AddressSanitizer; likewise ubsan, tsan'
	@echo 'make fuzz        each fuzzer for FUZZ_SECONDS (20)'
	@echo 'make format      format the sources; format-check only looks'
	@echo 'make lint        clang-tidy, shellcheck, mandoc'
	@echo 'make headers     check that every header compiles alone'
	@echo 'make install     to PREFIX (/usr/local) below DESTDIR, stripped (unless STRIP=no); uninstall removes it'
	@echo 'make clean       remove everything that was built'
	@echo
	@echo 'Variables: CC, CFLAGS, OPTIMIZE, WERROR=-Werror, BUILD (folder of the objects)'
	@echo 'Missing packages are installed with apt; SETUP=no lists them instead'
