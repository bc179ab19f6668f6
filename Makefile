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
CFLAGS ?= -g
# Values must not depend on the machine: no fused multiply-add.
override CFLAGS += -std=c17 $(OPTIMIZE) -ffp-contract=off $(WARNINGS) $(WERROR) $(SANITIZE)
override CPPFLAGS += -D_GNU_SOURCE -DMALPAN_VERSION='"$(VERSION)"' -Iinclude -Isrc
override LDFLAGS += $(SANITIZE)
OPENMP := -fopenmp
# `make V=1` shows the commands themselves.
say = $(if $(V),,@echo "  $(1)  $@";)

LIBRARY_SOURCES := $(sort $(wildcard src/base/*.c src/game/*.c src/games/*/*.c src/solve/*.c \
                     src/players/*.c src/play/*.c src/*.c))
CLI_SOURCES := $(sort $(wildcard src/ui/cli/*.c))
TEST_SOURCES := $(sort $(wildcard tests/test_*.c))
FUZZ_SOURCES := $(sort $(wildcard tests/fuzz_*.c))
BENCH_SOURCES := $(sort $(wildcard bench/*.c))
HEADERS := $(sort $(wildcard include/*.h src/*/*.h src/*/*/*.h tests/*.h))
SOURCES := $(LIBRARY_SOURCES) $(CLI_SOURCES) $(sort $(wildcard src/compat/*.c)) $(TEST_SOURCES) \
           $(FUZZ_SOURCES) $(BENCH_SOURCES)
SCRIPTS := scripts/setup .ci/run completions/malpan.bash \
           $(sort $(wildcard tests/*.sh))

objects = $(patsubst %.c,$(BUILD)/%.o,$(1))
LIBRARY := $(BUILD)/libmalpan.a
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(TEST_SOURCES))
FUZZERS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(FUZZ_SOURCES))
PROGRAMS := $(OUT)/malpan $(OUT)/ShutTheBox
READY := $(BUILD)/.ready

.PHONY: all run test test-slow bench asan ubsan tsan fuzz fuzzers format format-check lint headers \
        install uninstall clean help
.DELETE_ON_ERROR:
.SECONDARY:

all: $(PROGRAMS) $(LIBRARY)

run: all
	./malpan

# --- building ---

# What is missing gets installed before the first object is built.
$(READY): scripts/setup
	@scripts/setup
	@mkdir -p $(@D) && touch $@

$(BUILD)/%.o: %.c Makefile | $(READY)
	@mkdir -p $(@D)
	$(call say,compile)$(CC) $(CPPFLAGS) $(CFLAGS) $(OPENMP) -MMD -MP -c $< -o $@

$(LIBRARY): $(call objects,$(LIBRARY_SOURCES))
	@rm -f $@
	$(call say,archive)$(AR) rcs $@ $^

$(OUT)/malpan: $(call objects,$(CLI_SOURCES)) $(LIBRARY)
	$(call say,link   )$(CC) $(LDFLAGS) $(OPENMP) $^ -ljansson -lm -o $@

# No libraries that it does not use: it has to start fast.
$(OUT)/ShutTheBox: $(call objects,src/compat/shut_the_box.c) $(LIBRARY)
	$(call say,link   )$(CC) $(LDFLAGS) -Wl,--as-needed $^ -lm -o $@

-include $(patsubst %.o,%.d,$(call objects,$(SOURCES)))

# --- testing ---

$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(LIBRARY)
	$(call say,link   )$(CC) $(LDFLAGS) $(OPENMP) $^ -lcmocka -lm -o $@

test: $(TESTS) $(PROGRAMS)
	@tests/run.sh $(OUT) $(TESTS)

test-slow: $(PROGRAMS)
	python3 tests/box_reference.py --program $(OUT)/malpan --variants 300

asan:
	$(MAKE) test BUILD=build-asan OPTIMIZE=-O1 SANITIZE='-fsanitize=address -fno-omit-frame-pointer'

ubsan:
	$(MAKE) test BUILD=build-ubsan OPTIMIZE=-O1 SANITIZE='-fsanitize=undefined -fno-sanitize-recover=all'

# clang, because ThreadSanitizer does not know gcc's OpenMP library; Archer tells it about clang's.
tsan:
	TSAN_OPTIONS=ignore_noninstrumented_modules=1 \
	$(MAKE) test BUILD=build-tsan CC=clang OPTIMIZE=-O1 SANITIZE=-fsanitize=thread

FUZZ_SECONDS ?= 20
fuzz:
	$(MAKE) fuzzers BUILD=build-fuzz CC=clang OPTIMIZE=-O1 \
	    SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all'

fuzzers: $(FUZZERS)
	@set -e; for fuzzer in $(FUZZERS); do \
	    echo "$$fuzzer, $(FUZZ_SECONDS) s"; \
	    $$fuzzer -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -verbosity=0 -print_final_stats=1 \
	        -artifact_prefix=$(BUILD)/ 2>&1 | sed -n '/number_of_executed\|ERROR\|SUMMARY/p' \
	        > $$fuzzer.log; cat $$fuzzer.log; ! grep -q 'ERROR\|SUMMARY' $$fuzzer.log; \
	done

$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz_%.o $(LIBRARY)
	$(call say,link   )$(CC) $(LDFLAGS) -fsanitize=fuzzer $(OPENMP) $^ -lm -o $@

# --- measuring ---

bench: all $(BUILD)/bench/process $(BUILD)/bench/nothing
	./malpan bench
	@$(BUILD)/bench/process $(BUILD)/bench/nothing ./ShutTheBox

$(BUILD)/bench/%: $(BUILD)/bench/%.o
	$(call say,link   )$(CC) $(LDFLAGS) $^ -o $@

# --- checking ---

format:
	clang-format -i $(SOURCES) $(HEADERS)

format-check:
	clang-format --dry-run --Werror $(SOURCES) $(HEADERS)

lint: $(READY)
	shellcheck $(SCRIPTS)
	mandoc -Tlint -W warning docs/malpan.1
	clang-tidy --quiet $(SOURCES) -- -std=c17 $(OPENMP) $(CPPFLAGS)

# Every header compiles alone.
headers: $(READY)
	@set -e; for header in $(filter-out tests/%,$(HEADERS)); do \
	    $(CC) $(CPPFLAGS) -std=c17 $(WARNINGS) -Werror -fsyntax-only -xc $$header; \
	done; echo "$(words $(filter-out tests/%,$(HEADERS))) headers compile alone"

# --- installing ---

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include \
	    $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install malpan ShutTheBox $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(LIBRARY) $(DESTDIR)$(PREFIX)/lib
	install -m 644 include/malpan.h $(DESTDIR)$(PREFIX)/include
	install -m 644 docs/malpan.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 completions/malpan.bash \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions/malpan

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/malpan $(DESTDIR)$(PREFIX)/bin/ShutTheBox \
	    $(DESTDIR)$(PREFIX)/lib/libmalpan.a $(DESTDIR)$(PREFIX)/include/malpan.h \
	    $(DESTDIR)$(PREFIX)/share/man/man1/malpan.1 \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions/malpan

clean:
	rm -rf build build-asan build-ubsan build-tsan build-fuzz build-clang malpan ShutTheBox

help:
	@echo 'make             build everything: ./malpan and ./ShutTheBox'
	@echo 'make run         build and start malpan'
	@echo 'make test        build and run the tests (a few minutes at most)'
	@echo 'make test-slow   the longer checks against the independent solver'
	@echo 'make bench       the promised speeds, each beside a baseline'
	@echo 'make asan        the tests under AddressSanitizer; likewise ubsan, tsan'
	@echo 'make fuzz        each fuzzer for FUZZ_SECONDS (20)'
	@echo 'make format      format the sources; format-check only looks'
	@echo 'make lint        clang-tidy, shellcheck, mandoc'
	@echo 'make headers     check that every header compiles alone'
	@echo 'make install     to PREFIX (/usr/local) below DESTDIR; uninstall takes it back'
	@echo 'make clean       remove everything that was built'
	@echo
	@echo 'Variables: CC, CFLAGS, OPTIMIZE, WERROR=-Werror, BUILD (folder of the objects)'
