# malpan. `make help` lists the targets.

# As in include/malpan.h; tests/library.py compares them.
VERSION := 1.0.0
PREFIX ?= /usr/local
BUILD ?= build
ifeq ($(origin CC),default)
CC := gcc
endif

# The programs are left at the root by an ordinary build, and beside their objects by the others.
OUT := $(if $(filter build,$(BUILD)),.,$(BUILD))

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes
OPTIMIZE ?= -O3
# Values must not depend on the machine: no fused multiply-add. CFLAGS, CPPFLAGS and LDFLAGS of the
# command line or the environment come last, so that they win.
ALL_CPPFLAGS := -D_GNU_SOURCE -Iinclude -Isrc $(CPPFLAGS)
# The programs do not depend on the folder they are built in: debug information has relative paths.
ALL_CFLAGS := -std=c17 -g $(OPTIMIZE) -ffile-prefix-map='$(CURDIR)'=. -ffp-contract=off $(WARNINGS) \
              $(WERROR) $(SANITIZE) $(CFLAGS)
ALL_LDFLAGS := $(SANITIZE) $(LDFLAGS)
# `make V=1` shows the commands themselves.
say = $(if $(V),,@echo "  $(1)  $@";)

# Only malpan-mpi has these.
MPI_SOURCES := src/kernel/exchange_mpi.c $(sort $(wildcard src/ui/mpi/*.c))
LIBRARY_SOURCES := $(filter-out $(MPI_SOURCES), $(sort $(wildcard src/base/*.c src/table/*.c src/game/*.c src/kernel/*.c \
                     src/games/*/*.c src/games/*/*/*.c src/values/*.c src/players/*.c src/play/*.c \
                     src/library/*.c)))
# What the programs and their tests share and the library leaves out: it has no terminal.
SHARED_SOURCES := $(sort $(wildcard src/terminal/*.c src/compat/*/*.c))
CLI_SOURCES := $(sort $(wildcard src/ui/cli/*.c src/ui/client/*.c src/ui/screen/*.c src/ui/engine/*.c src/ui/json/*.c src/ui/web/*.c))
WEB_FILES := $(sort $(wildcard web/*))
TEST_SOURCES := $(sort $(wildcard tests/test_*.c))
# Tests of the programs as they are used; those that take longest first, even if they mostly wait.
ATTACK_SCRIPTS := $(addprefix tests/,web_queue.py web_stop.py web_perfect.py web_paging.py \
                    web_connections.py web_memory.py web_folder.py web_backup.py)
SERVER_SCRIPTS := tests/web_limits.py $(ATTACK_SCRIPTS) \
                  $(addprefix tests/,web_games.py web_store.py web.py web_undo.py web_ops.py \
                    web_restart.py web_people.py)
TEST_SCRIPTS := $(addprefix tests/,mutate.py solve.py learn.py classic.py classic_saves.py verify.py) \
                $(SERVER_SCRIPTS) \
                $(addprefix tests/,screen.py join.py dice.py box_formats.py valley.py fetch.py cli.py eval.py play.py compat.py engine.py review.py \
                  facts.py resolver.py bench.py stats.py signature.sh box_reference.py library.py \
                  examples.py python.py completion.sh setup.sh layers.sh)
FUZZ_SOURCES := $(sort $(wildcard tests/fuzz_*.c))
FAULT_SOURCES := $(sort $(wildcard tests/fault/*.c))
BENCH_SOURCES := $(sort $(wildcard bench/*.c))
EXAMPLE_SOURCES := $(sort $(wildcard docs/examples/*.c))
HEADERS := $(sort $(wildcard include/*.h src/*/*.h src/*/*/*.h src/*/*/*/*.h tests/*.h))
# For WebAssembly alone: formatted, but not compiled by CC.
WASM_ONLY := $(sort $(wildcard bindings/js/port/*.[ch] bindings/js/port/include/*.h bindings/js/port/include/*/*.h \
               src/ui/module/*.c tests/wasm/*.c))
ASSETS := $(BUILD)/assets
SOURCES := $(LIBRARY_SOURCES) $(MPI_SOURCES) $(SHARED_SOURCES) $(CLI_SOURCES) $(sort $(wildcard src/compat/*.c)) $(TEST_SOURCES) \
           $(FUZZ_SOURCES) $(FAULT_SOURCES) $(BENCH_SOURCES) $(EXAMPLE_SOURCES)
SCRIPTS := scripts/setup scripts/embed scripts/make-site scripts/deb .ci/run \
           $(sort $(wildcard tests/*.sh))

objects = $(patsubst %.c,$(BUILD)/%.o,$(1))
# Everything below the user interfaces, for the programs and the tests.
LIBRARY := $(BUILD)/internal.a
# The library for other programs. Only malpan_* can be seen from outside.
SONAME := libmalpan.so.$(firstword $(subst ., ,$(VERSION)))
STATIC_LIBRARY := $(BUILD)/libmalpan.a
SHARED_LIBRARY := $(BUILD)/libmalpan.so.$(VERSION)
PUBLIC_LIBRARIES := $(STATIC_LIBRARY) $(SHARED_LIBRARY)
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(TEST_SOURCES)) $(BUILD)/tests/library_cpp
FAULTS := $(patsubst tests/fault/%.c,$(BUILD)/tests/%.so,$(FAULT_SOURCES))
FUZZERS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(FUZZ_SOURCES))
COMPAT := $(OUT)/ShutTheBox $(OUT)/diceyut $(OUT)/yunnori $(OUT)/yutrace
PROGRAMS := $(OUT)/malpan $(COMPAT)
# What the library needs. A program that reads no tables is not linked with what they need.
LIBRARIES := -Wl,--as-needed -lzstd -lxxhash -lpthread -lm
WEB_LIBRARIES := -lmicrohttpd -lsqlite3 -lsodium -lz
# libcurl is loaded when it is needed: see src/ui/client/curl_library.h.
SCREEN_LIBRARIES := -ltinfo -ldl
# Tested as they are installed; under sanitizers only the shared one, from Python.
TEST_PUBLIC := $(if $(SANITIZE),$(if $(findstring address,$(SANITIZE)),$(SHARED_LIBRARY)),$(PUBLIC_LIBRARIES))
# The packages that the goals need (see scripts/setup): a test needs more than a program.
SETUP_GROUP := $(if $(filter test test-slow $(BUILD)/tests/test_%,$(MAKECMDGOALS)),test,build)
READY := $(BUILD)/.ready-$(SETUP_GROUP)
FLAGS := $(BUILD)/.flags

.PHONY: all js site mpi run test test-js test-site test-mpi test-web test-slow test-abuse attacks bench bench-slow \
        asan ubsan tsan fuzz fuzzers \
        format format-check lint headers install uninstall dist deb test-package clean help FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: $(PROGRAMS) $(PUBLIC_LIBRARIES)

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
	$(call say,compile)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(LIBRARY_CFLAGS) -MMD -MP -c $< -o $@

# The weights of Yut's estimate are part of this object.
$(BUILD)/src/games/yut/net/shipped.o $(BUILD)/wasm/src/games/yut/net/shipped.o: $(wildcard src/games/yut/net/*.weights)

$(LIBRARY): $(call objects,$(LIBRARY_SOURCES) $(SHARED_SOURCES))
	@rm -f $@
	$(call say,archive)$(AR) rcs $@ $^

# One set of objects serves the programs, the archive and the shared library. Hidden symbols cost
# nothing in position-independent code: calls between the files do not go through a table.
$(call objects,$(LIBRARY_SOURCES)): private LIBRARY_CFLAGS := -fPIC -fvisibility=hidden
# Nobody asks errno about the square roots there: they can be vectorized.
$(BUILD)/src/games/yut/net/trainer.o: LIBRARY_CFLAGS += -fno-math-errno

# A single object, in which everything but malpan_* is local.
OBJCOPY ?= objcopy
$(BUILD)/malpan.o: $(call objects,$(LIBRARY_SOURCES))
	$(call say,link   )$(CC) -r -nostdlib $^ -o $@.all && \
	    $(OBJCOPY) --wildcard --keep-global-symbol='malpan_*' $@.all $@ && rm $@.all

$(STATIC_LIBRARY): $(BUILD)/malpan.o
	@rm -f $@
	$(call say,archive)$(AR) rcs $@ $^

$(SHARED_LIBRARY): $(call objects,$(LIBRARY_SOURCES)) src/library/malpan.map
	$(call say,link   )$(CC) $(ALL_LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs \
	    -Wl,--version-script=src/library/malpan.map $(filter %.o,$^) $(LIBRARIES) -o $@
	@ln -sf $(@F) $(BUILD)/$(SONAME) && ln -sf $(SONAME) $(BUILD)/libmalpan.so

$(OUT)/malpan: $(call objects,$(CLI_SOURCES)) $(ASSETS).o $(LIBRARY)
	$(call say,link   )$(CC) $(ALL_LDFLAGS) $^ -ljansson $(WEB_LIBRARIES) $(SCREEN_LIBRARIES) $(LIBRARIES) -o $@

# The same program for the ranks of an MPI job. Nothing else needs MPI.
mpi: $(OUT)/malpan-mpi

$(BUILD)/.ready-mpi: scripts/setup | $(READY)
	@CC='$(CC)' scripts/setup mpi
	@mkdir -p $(@D) && touch $@

# As system headers, which have their own style.
MPI_CPPFLAGS = $(patsubst -I%,-isystem %,$(shell mpicc --showme:compile 2>/dev/null))
$(BUILD)/src/kernel/exchange_mpi.o: LIBRARY_CFLAGS = $(MPI_CPPFLAGS)
$(BUILD)/src/kernel/exchange_mpi.o: | $(BUILD)/.ready-mpi

$(OUT)/malpan-mpi: $(call objects,$(MPI_SOURCES) $(filter-out %/main.c,$(CLI_SOURCES))) $(ASSETS).o $(LIBRARY)
	$(call say,link   )$(CC) $(ALL_LDFLAGS) $^ $$(mpicc --showme:link) -ljansson $(WEB_LIBRARIES) \
	    $(SCREEN_LIBRARIES) $(LIBRARIES) -o $@

# The page, as bytes in the program.
$(ASSETS).c: $(WEB_FILES) scripts/embed Makefile
	@mkdir -p $(@D)
	$(call say,embed  )scripts/embed $(BUILD)/web $(WEB_FILES) > $@

$(ASSETS).o: $(ASSETS).c $(FLAGS) | $(READY)
	$(call say,compile)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c $< -o $@

# The programs that speak older formats. No libraries that they do not use: they have to start fast.
$(OUT)/ShutTheBox: $(call objects,src/compat/shut_the_box.c)
$(OUT)/diceyut: $(call objects,src/compat/diceyut.c)
$(OUT)/yunnori: $(call objects,src/compat/yunnori.c)
$(OUT)/yutrace: $(call objects,src/compat/yutrace.c)
$(COMPAT): $(LIBRARY)
	$(call say,link   )$(CC) $(ALL_LDFLAGS) $(filter %.o,$^) $(LIBRARY) $(LIBRARIES) -o $@

# --- the module: the library and the API for browsers and Node, as WebAssembly ---

WASM := $(BUILD)/wasm
WASM_CC ?= clang
# For speed where time is spent, for size elsewhere.
WASM_OPTIMIZE ?= -Os
WASM_FAST := $(addprefix src/,base/% kernel/% games/box/% games/dice/% games/race/% games/valley/% games/yut/solve/% \
               $(addprefix games/yut/net/,accumulator.c evaluator.c features.c network.c))
WASM_SLOW := $(addprefix src/games/,box/bench.c %/benches.c valley/solve/% valley/search/book_command.c)
# bindings/js/port takes the place of threads, files and libraries. Its headers come first. Pointers have
# 32 bits there: counts of more than that, of games to be played or learned from, are for other machines.
WASM_FLAGS := --target=wasm32-wasi -isystem bindings/js/port/include -include bindings/js/port/port.h \
              -D_GNU_SOURCE -D_WASI_EMULATED_GETPID -Iinclude -Isrc -std=c17 $(WASM_OPTIMIZE) -msimd128 \
              -ffp-contract=off -fvisibility=hidden $(WARNINGS) -Wno-shorten-64-to-32 $(WERROR)
WASM_LINK := --target=wasm32-wasi $(WASM_OPTIMIZE) -Wl,--gc-sections,--strip-all,--stack-first \
             -Wl,-z,stack-size=4194304,--max-memory=4294967296
PORT_SOURCES := $(sort $(wildcard bindings/js/port/*.c))
MODULE_SOURCES := $(sort $(wildcard src/ui/module/*.c) $(wildcard src/ui/json/*.c)) \
                  $(addprefix src/ui/web/,api.c api_game.c api_new.c api_review.c assets.c computer.c event_text.c \
                    game_registry.c game_snapshot.c hosted_game.c new_game.c reply.c reply_cache.c request.c \
                    seat_text.c solver_pool.c view.c)
wasm_objects = $(patsubst %.c,$(WASM)/%.o,$(1))
WASM_LIBRARY := $(call wasm_objects,$(LIBRARY_SOURCES) $(PORT_SOURCES))
WASM_READY := $(BUILD)/.ready-site
WASM_STAMP := $(WASM)/.flags

$(WASM_READY): scripts/setup | $(READY)
	@CC='$(CC)' scripts/setup site
	@mkdir -p $(@D) && touch $@

$(WASM_STAMP): FORCE
	@mkdir -p $(@D)
	@echo '$(WASM_CC) $(WASM_FLAGS)' | cmp -s - $@ || echo '$(WASM_CC) $(WASM_FLAGS)' > $@

$(WASM)/%.o: %.c Makefile $(WASM_STAMP) | $(WASM_READY)
	@mkdir -p $(@D)
	$(call say,wasm   )$(WASM_CC) $(WASM_FLAGS) $(if $(filter-out $(WASM_SLOW),$(filter $(WASM_FAST),$<)),-O3) -MMD -MP -c $< -o $@

# The catalogue names the board modules of the page; the page itself is not in the module.
$(WASM)/asset_names.c: $(WEB_FILES) Makefile
	@mkdir -p $(@D)
	@{ echo '#include "ui/web/assets_data.h"'; echo 'const Asset assets[] = {'; \
	   printf '    {.name = "%s"},\n' $(notdir $(WEB_FILES)); echo '};'; \
	   echo 'const size_t assets_count = sizeof assets / sizeof assets[0];'; } > $@

$(WASM)/asset_names.o: %.o: %.c $(WASM_STAMP) | $(WASM_READY)
	$(call say,wasm   )$(WASM_CC) $(WASM_FLAGS) -c $< -o $@

bindings/js/malpan.wasm: $(call wasm_objects,$(MODULE_SOURCES)) $(WASM)/asset_names.o $(WASM_LIBRARY)
	$(call say,link   )$(WASM_CC) $(WASM_LINK) -mexec-model=reactor $^ -lwasi-emulated-getpid -o $@

# Programs for WASI whose output is compared with that of malpan.
$(WASM)/tour.wasm: $(call wasm_objects,tests/wasm/tour.c src/ui/cli/tour.c src/ui/cli/json_output.c \
                     $(wildcard src/ui/json/*.c)) $(WASM_LIBRARY)
$(WASM)/signature.wasm: $(call wasm_objects,tests/wasm/signature.c src/ui/cli/signature.c) $(WASM_LIBRARY)
$(WASM)/%.wasm:
	$(call say,link   )$(WASM_CC) $(WASM_LINK) $(filter %.o,$^) -lwasi-emulated-getpid -o $@

-include $(patsubst %.o,%.d,$(call wasm_objects,$(LIBRARY_SOURCES) $(PORT_SOURCES) $(MODULE_SOURCES) \
             $(addprefix tests/wasm/,tour.c signature.c) $(addprefix src/ui/cli/,tour.c json_output.c signature.c)))

js: bindings/js/malpan.wasm

# The page with the module in a folder, for any web server.
SITE := site
site: bindings/js/malpan.wasm
	@scripts/make-site $(SITE)

-include $(patsubst %.o,%.d,$(call objects,$(SOURCES)))

# --- testing ---

$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(LIBRARY)
	$(call say,link   )$(CC) $(ALL_LDFLAGS) $(filter %.o,$^) $(LIBRARY) -lcmocka \
	    $(TEST_LIBRARIES) $(LIBRARIES) -o $@

# Of the programs, not of the library.
$(BUILD)/tests/test_keys: $(call objects,src/ui/screen/keys.c)
$(BUILD)/tests/test_remote: $(call objects,$(addprefix src/ui/,client/server_link.c client/event_stream.c \
                              client/remote_game.c web/secret.c))
$(BUILD)/tests/test_remote: TEST_LIBRARIES := -ljansson -lsodium
$(BUILD)/tests/test_limiter: $(call objects,src/ui/web/limiter.c)
$(BUILD)/tests/test_acceptor: $(call objects,src/ui/web/acceptor.c src/ui/web/connections.c)
$(BUILD)/tests/test_acceptor: TEST_LIBRARIES := $(WEB_LIBRARIES) \
                                -Wl,--wrap=MHD_add_connection,--wrap=progress_clock_s
$(BUILD)/tests/test_connections: $(call objects,src/ui/web/connections.c)
$(BUILD)/tests/test_connections: TEST_LIBRARIES := -Wl,--wrap=MHD_get_connection_info,--wrap=progress_clock_s
$(BUILD)/tests/test_reply_cache: $(call objects,src/ui/web/reply_cache.c)
$(BUILD)/tests/test_reply_cache: TEST_LIBRARIES := -Wl,--wrap=progress_clock_s
$(BUILD)/tests/test_stream_clients: $(call objects,src/ui/web/stream_clients.c)
$(BUILD)/tests/test_assets: $(call objects,src/ui/web/assets.c) $(ASSETS).o
$(BUILD)/tests/test_solver_pool: $(call objects,src/ui/web/solver_pool.c)
$(BUILD)/tests/test_solver_pool: TEST_LIBRARIES := -Wl,--wrap=values_open,--wrap=progress_clock_s
$(BUILD)/tests/test_registry: $(call objects,src/ui/json/parse.c $(addprefix src/ui/web/, \
                                game_registry.c hosted_game.c new_game.c seat_text.c committer.c \
                                archive.c archive_read.c archive_write.c archive_convert.c secret.c \
                                event_text.c))
$(BUILD)/tests/test_registry: TEST_LIBRARIES := -ljansson -lsqlite3 -lsodium \
                                -Wl,--wrap=committer_submit,--wrap=archive_load
$(BUILD)/tests/test_reply: $(call objects,$(addprefix src/ui/,web/reply.c web/send.c web/compression.c web/connections.c \
                             web/metrics.c web/access_log.c web/assets.c json/build.c \
                             json/print.c)) $(ASSETS).o
$(BUILD)/tests/test_parse: $(call objects,src/ui/json/parse.c)
$(BUILD)/tests/test_parse: TEST_LIBRARIES := -ljansson -Wl,--wrap=malloc,--wrap=free
$(BUILD)/tests/test_json $(BUILD)/tests/test_work_queue: $(call objects,$(filter-out %/main.c,$(CLI_SOURCES))) $(ASSETS).o
$(BUILD)/tests/test_reply $(BUILD)/tests/test_json $(BUILD)/tests/test_work_queue: \
    TEST_LIBRARIES := -ljansson $(WEB_LIBRARIES) $(SCREEN_LIBRARIES)
$(BUILD)/tests/test_work_queue: TEST_LIBRARIES += -Wl,--wrap=MHD_suspend_connection,--wrap=MHD_resume_connection
$(BUILD)/tests/test_json $(BUILD)/tests/test_play: TEST_LIBRARIES += -Wl,--wrap=realloc

# The library from C++, with the sanitizers of the build.
CXX_FOR_CC := $(if $(findstring clang,$(CC)),clang++,g++)
$(BUILD)/tests/library_cpp: tests/library_cpp.cpp include/malpan.h $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,link   )$(CXX_FOR_CC) -std=c++17 -Iinclude -g $(OPTIMIZE) -Wall -Wextra -Wpedantic $(WERROR) \
	    $(ALL_LDFLAGS) $< $(LIBRARY) $(LIBRARIES) -o $@

# To be preloaded by scripts; without the sanitizers, which they do not go with.
$(BUILD)/tests/%.so: tests/fault/%.c Makefile $(FLAGS) | $(READY)
	@mkdir -p $(@D)
	$(call say,link   )$(CC) $(ALL_CPPFLAGS) -std=c17 -g -O2 $(WARNINGS) $(WERROR) -fPIC -shared $< -o $@

# Those that take longest come first, so that none of them runs alone at the end.
LONG_TESTS := $(addprefix $(BUILD)/tests/test_,yut_solver yut_single yut_reference valley_solved)
RUN_TESTS := $(filter-out $(addprefix $(BUILD)/tests/test_,$(LEFT_OUT)),$(TESTS))
test: $(RUN_TESTS) $(PROGRAMS) $(TEST_PUBLIC) $(FAULTS) | $(READY)
	@tests/run.sh $(OUT) $(filter $(RUN_TESTS),$(LONG_TESTS)) $(TEST_SCRIPTS) $(filter-out $(LONG_TESTS),$(RUN_TESTS))

# The module in Node, beside the native program.
test-js: bindings/js/malpan.wasm $(WASM)/tour.wasm $(WASM)/signature.wasm $(OUT)/malpan
	@node tests/js.mjs $(OUT) $(WASM)

# The site in a browser; SITE_TESTS chooses tests by subject or words of their names.
test-site: site
	@scripts/setup web
	node tests/browser/run.mjs $(OUT) --site $(SITE) $(SITE_TESTS)

# Several ranks on this machine.
test-mpi: $(PROGRAMS) $(OUT)/malpan-mpi
	@scripts/setup test
	python3 tests/mpi.py $(OUT)

# In a browser.
test-web: $(PROGRAMS)
	@scripts/setup web
	node tests/browser/run.mjs $(OUT)

test-slow: $(PROGRAMS) $(addprefix $(BUILD)/tests/test_,valley_solved yut_single yut_reference)
	python3 tests/box_reference.py $(OUT) --variants 300
	python3 tests/solve.py $(OUT) --slow
	SLOW=1 $(BUILD)/tests/test_valley_solved
	SLOW=1 $(BUILD)/tests/test_yut_single
	SLOW=1 $(BUILD)/tests/test_yut_reference
	set -e; for script in $(filter-out $(ATTACK_SCRIPTS),$(SERVER_SCRIPTS)); do \
	    SLOW=1 python3 $$script $(OUT); done
	@scripts/setup web
	SLOW=1 node tests/browser/run.mjs $(OUT) layout
	SLOW=1 $(MAKE) test-mpi
	$(MAKE) test-abuse
	$(MAKE) test-package
	$(MAKE) lint
	scripts/check-readme --slow

# The server under attack: a thousand stops, every allocation failing once, a hundred power failures.
# Then under sanitizers: the attacks again, a hundred thousand bad requests, and ten thousand games.
test-abuse: $(PROGRAMS) $(FAULTS)
	set -e; for script in $(ATTACK_SCRIPTS); do SLOW=1 python3 $$script $(OUT); done
	$(MAKE) attacks BUILD=build-asan OPTIMIZE=-O1 \
	    SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
	SLOW=1 python3 tests/web_limits.py build-asan test_nonsense test_many_games test_slow_requests
	@scripts/setup dev
	$(MAKE) attacks BUILD=build-tsan CC=clang OPTIMIZE=-O1 SANITIZE=-fsanitize=thread

# The attacks, as long as in `make test`, on a build with sanitizers.
attacks: $(OUT)/malpan $(FAULTS)
	set -e; for script in $(filter $(PROGRAM_SCRIPTS),$(ATTACK_SCRIPTS)); do \
	    python3 $$script $(OUT); done

SANITIZE_ADDRESS ?= -fsanitize=address
# Scripts that test other scripts have nothing for the sanitizers, test_resolver has the cases of
# resolver.py, library.py and examples.py use the libraries as they are installed, web_memory.py
# replaces the allocator, as they do, and python.py can only be added where the shared library is
# built with AddressSanitizer.
PROGRAM_SCRIPTS := $(filter-out $(addprefix tests/,library.py examples.py python.py mutate.py completion.sh \
                     setup.sh layers.sh resolver.py web_memory.py),$(TEST_SCRIPTS))
asan:
	QUICK=1 $(MAKE) test TEST_SCRIPTS='$(PROGRAM_SCRIPTS) tests/python.py' BUILD=build-asan OPTIMIZE=-O1 \
	    SANITIZE='$(SANITIZE_ADDRESS) -fno-omit-frame-pointer'

ubsan:
	QUICK=1 $(MAKE) test TEST_SCRIPTS='$(PROGRAM_SCRIPTS)' BUILD=build-ubsan OPTIMIZE=-O1 SANITIZE='-fsanitize=undefined -fno-sanitize-recover=all'

# Test programs that start no thread, or only those of the solvers that other tests start, have nothing
# for the thread sanitizer. Of the scripts, it is for those whose program has threads that the test
# programs do not have: the server, the engine and the full screen. THREADS_ONLY is for single tests
# (tests/testing.h).
SINGLE_THREADED := assets base checkpoint connections contract dice_rules file game iteration json levels \
                   keys library_abuse limiter lookahead parse policy progress race remote reply_cache \
                   resolver review stream_clients valley valley_book yut yut_house yut_text
SAME_THREADS := valley_traps yut_reference yut_turns
tsan:
	@scripts/setup dev
	QUICK=1 THREADS_ONLY=1 $(MAKE) test \
	    TEST_SCRIPTS='$(filter $(PROGRAM_SCRIPTS),$(SERVER_SCRIPTS)) tests/engine.py tests/screen.py tests/join.py' \
	    LEFT_OUT='$(SINGLE_THREADED) $(SAME_THREADS)' \
	    BUILD=build-tsan CC=clang OPTIMIZE=-O1 SANITIZE=-fsanitize=thread

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
	$(call say,link   )$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer $(filter %.o,$^) $(LIBRARY) \
	    $(TEST_LIBRARIES) $(LIBRARIES) -o $@

$(BUILD)/tests/fuzz_engine: $(call objects,$(filter src/ui/engine/%,$(CLI_SOURCES)))
$(BUILD)/tests/fuzz_http: $(call objects,$(filter src/ui/json/% src/ui/web/%,$(CLI_SOURCES))) $(ASSETS).o
$(BUILD)/tests/fuzz_http: TEST_LIBRARIES := -ljansson $(WEB_LIBRARIES)

# --- measuring ---

bench: all $(BUILD)/bench/process $(BUILD)/bench/nothing $(BUILD)/bench/table $(BUILD)/bench/library
	@scripts/setup bench
	@scripts/setup web
	@$(OUT)/malpan bench
	@$(BUILD)/bench/process $(BUILD)/bench/nothing $(OUT)/ShutTheBox $(OUT)/diceyut
	@$(BUILD)/bench/table $(BUILD)
	@$(BUILD)/bench/library "$${MALPAN_TABLES:-$${XDG_CACHE_HOME:-$$HOME/.cache}/malpan}"
	@MALPAN_LIBRARY=$(SHARED_LIBRARY) PYTHONPATH=bindings/python python3 bench/python.py
	@python3 bench/engine.py $(OUT)/malpan
	@python3 bench/screen.py $(OUT)/malpan
	@python3 bench/web.py $(OUT)/malpan
	@python3 bench/web_load.py $(OUT)/malpan
	@node bench/page.mjs $(OUT)

# Minutes and gigabytes; and how well perfect play does, by the tables that are there.
bench-slow: all
	@$(OUT)/malpan bench --slow
	@python3 bench/web_load.py $(OUT)/malpan --slow
	@for player in expectimax greedy random; do \
	    $(OUT)/malpan match yut perfect $$player --pieces 2 --games 2000 | sed 's/^/2 pieces: /'; \
	    $(OUT)/malpan match yut perfect $$player --pieces 3 --games 200 | sed 's/^/3 pieces: /'; \
	done
	@$(OUT)/malpan match valley minimax:3 random --games 1000
	@$(OUT)/malpan match valley alphabeta:1s minimax:4 --games 60 --balanced

$(BUILD)/bench/table $(BUILD)/bench/library: $(BUILD)/bench/%: $(BUILD)/bench/%.o $(LIBRARY)
	$(call say,link   )$(CC) $(ALL_LDFLAGS) $^ $(LIBRARIES) -o $@

$(BUILD)/bench/%: $(BUILD)/bench/%.o
	$(call say,link   )$(CC) $(ALL_LDFLAGS) $^ -o $@

# --- checking ---

format:
	@scripts/setup dev
	clang-format -i $(SOURCES) $(HEADERS) $(WASM_ONLY)

format-check:
	@scripts/setup dev
	@printf '%s\n' $(SOURCES) $(HEADERS) $(WASM_ONLY) | xargs -P 2 -n 40 clang-format --dry-run --Werror

# How far the analyzer follows the ways through a function; 225000 is its own idea of far.
LINT_NODES ?= 225000
lint: $(READY) $(OUT)/malpan
	@scripts/setup dev
	shellcheck $(SCRIPTS)
	$(OUT)/malpan complete --shell bash | shellcheck -s bash -
	mandoc -Tlint -W warning docs/man/*.1
	mypy --strict --cache-dir=$(BUILD)/mypy bindings/python/malpan
	printf '%s\n' $(SOURCES) $(wildcard src/ui/module/*.c) | xargs -P 2 -I{} clang-tidy --quiet {} -- -std=c17 \
	    $(ALL_CPPFLAGS) $(MPI_CPPFLAGS) -Xclang -analyzer-config -Xclang max-nodes=$(LINT_NODES)

# Every header compiles alone.
headers: $(READY)
	@printf '%s\n' $(filter-out tests/%,$(HEADERS)) | xargs -P 2 -n 1 \
	    $(CC) $(ALL_CPPFLAGS) -std=c17 $(WARNINGS) -Werror -fsyntax-only -xc
	@echo "$(words $(filter-out tests/%,$(HEADERS))) headers compile alone"

# --- installing ---

TO = "$(DESTDIR)$(PREFIX)"
LIBDIR ?= $(PREFIX)/lib
TO_LIB = "$(DESTDIR)$(LIBDIR)"
# Installed programs have no symbols; STRIP=no keeps them.
STRIP ?= strip
INSTALL_PROGRAM = install $(if $(filter-out no,$(STRIP)),-s --strip-program=$(STRIP))

# The file with its @NAME@s replaced.
fill_in = sed -e 's,@PREFIX@,$(PREFIX),; s,@LIBDIR@,$(LIBDIR),; s,@VERSION@,$(VERSION),' \
          -e 's,@SONAME@,$(SONAME),' $(1)

# Where the system looks for what is not ours alone. Packages choose other folders.
SYSTEMD_DIR ?= $(PREFIX)/lib/systemd/system
ZSH_DIR ?= $(PREFIX)/share/zsh/site-functions
TO_SYSTEMD = "$(DESTDIR)$(SYSTEMD_DIR)"
TO_ZSH = "$(DESTDIR)$(ZSH_DIR)"
TO_BASH = $(TO)/share/bash-completion/completions
TO_FISH = $(TO)/share/fish/vendor_completions.d
TO_ICONS = $(TO)/share/icons/hicolor/scalable/apps

install: all
	install -d $(TO)/bin $(TO_SYSTEMD) $(TO)/include $(TO)/share/man/man1 \
	    $(TO_BASH) $(TO_ZSH) $(TO_FISH) $(TO)/share/applications $(TO_ICONS) \
	    $(TO_LIB)/pkgconfig $(TO_LIB)/cmake/malpan
	$(INSTALL_PROGRAM) $(PROGRAMS) $(TO)/bin
	install -m 644 $(STATIC_LIBRARY) $(SHARED_LIBRARY) $(TO_LIB)
	$(if $(filter-out no,$(STRIP)),$(STRIP) --strip-debug $(TO_LIB)/libmalpan.a && \
	    $(STRIP) --strip-unneeded $(TO_LIB)/$(notdir $(SHARED_LIBRARY)))
	ln -sf $(notdir $(SHARED_LIBRARY)) $(TO_LIB)/$(SONAME)
	ln -sf $(SONAME) $(TO_LIB)/libmalpan.so
	$(call fill_in,packaging/malpan.pc.in) > $(TO_LIB)/pkgconfig/malpan.pc
	for name in malpan-config malpan-config-version; do \
	    $(call fill_in,packaging/$$name.cmake.in) > $(TO_LIB)/cmake/malpan/$$name.cmake; done
	install -m 644 include/malpan.h $(TO)/include
	install -m 644 docs/man/*.1 $(TO)/share/man/man1
	$(OUT)/malpan complete --shell bash > $(TO_BASH)/malpan
	$(OUT)/malpan complete --shell zsh > $(TO_ZSH)/_malpan
	$(OUT)/malpan complete --shell fish > $(TO_FISH)/malpan.fish
	install -m 644 packaging/malpan.desktop $(TO)/share/applications
	install -m 644 web/favicon.svg $(TO_ICONS)/malpan.svg
	install -m 644 packaging/malpan.service packaging/malpan.socket $(TO_SYSTEMD)
	sed -i 's,@PREFIX@,$(PREFIX),' $(TO_SYSTEMD)/malpan.service

uninstall:
	for name in $(notdir $(PROGRAMS)); do \
	    rm -f $(TO)/bin/$$name $(TO)/share/man/man1/$$name.1; done
	rm -f $(TO_LIB)/libmalpan.a $(TO_LIB)/libmalpan.so $(TO_LIB)/libmalpan.so.* \
	    $(TO_LIB)/pkgconfig/malpan.pc $(TO_LIB)/cmake/malpan/*.cmake $(TO)/include/malpan.h \
	    $(TO_BASH)/malpan $(TO_ZSH)/_malpan $(TO_FISH)/malpan.fish \
	    $(TO)/share/applications/malpan.desktop $(TO_ICONS)/malpan.svg \
	    $(TO_SYSTEMD)/malpan.service $(TO_SYSTEMD)/malpan.socket

# --- packaging ---

# The committed sources, the same bytes wherever they are packed.
DIST := $(BUILD)/dist
NAME := malpan-$(VERSION)
dist:
	@git rev-parse --verify -q HEAD >/dev/null || { echo "make dist: needs a clone of the repository" >&2; exit 1; }
	@rm -rf $(DIST) && mkdir -p $(DIST)
	git archive --format=tar --prefix=$(NAME)/ HEAD | gzip -n -9 > $(DIST)/$(NAME).tar.gz
	git archive --format=tar --prefix=$(NAME)/ HEAD | xz -T1 -9 > $(DIST)/$(NAME).tar.xz
	cd $(DIST) && sha256sum $(NAME).tar.gz $(NAME).tar.xz > SHA256SUMS && cat SHA256SUMS

deb:
	@scripts/setup package
	@$(MAKE) --no-print-directory dist
	scripts/deb $(DIST)/$(NAME).tar.xz $(BUILD)/deb

# The packages in a fresh Debian: installed, used and removed.
test-package:
	@$(MAKE) --no-print-directory deb
	tests/package.sh $(BUILD)/deb

clean:
	rm -rf $(BUILD) build build-asan build-ubsan build-tsan build-fuzz build-clang \
	    $(notdir $(PROGRAMS)) malpan-mpi bindings/js/malpan.wasm $(SITE)

help:
	@echo 'make             build everything: ./malpan, ./ShutTheBox, ./diceyut, ./yunnori, ./yutrace'
	@echo 'make run         build and start malpan'
	@echo 'make test        build and run the tests (about four minutes)'
	@echo 'make js          bindings/js/malpan.wasm: the library and the API as WebAssembly'
	@echo 'make site        site/: the page with that module, for any web server'
	@echo 'make test-js     that module in Node, beside the native program'
	@echo 'make test-site   the site in a real browser'
	@echo 'make mpi         build ./malpan-mpi, for the ranks of an MPI job (docs/cluster.md)'
	@echo 'make test-mpi    malpan-mpi on several ranks of this machine'
	@echo 'make test-web    the page in a real browser'
	@echo 'make test-slow   the longer checks: the independent solver, kills of a long solve, long results'
	@echo 'make test-abuse  the server under attack, and under sanitizers (about an hour)'
	@echo 'make bench       the promised speeds, each beside a baseline'
	@echo 'make bench-slow  those too that take minutes, and matches of perfect play'
	@echo 'make asan        the tests under AddressSanitizer; likewise ubsan, tsan'
	@echo 'make fuzz        each fuzzer for FUZZ_SECONDS (20)'
	@echo 'make format      format the sources; format-check only looks'
	@echo 'make lint        clang-tidy, shellcheck, mandoc, mypy'
	@echo 'make headers     check that every header compiles alone'
	@echo 'make dist        the sources as tar.gz and tar.xz with checksums, in build/dist'
	@echo 'make deb         Debian packages, checked by lintian, in build/deb'
	@echo 'make test-package  installs, uses and removes them in a fresh Debian (root, 1 GB, network)'
	@echo 'make install     to PREFIX (/usr/local) below DESTDIR, stripped (unless STRIP=no); uninstall removes it'
	@echo 'make clean       remove everything that was built'
	@echo
	@echo 'Variables: CC, CFLAGS, OPTIMIZE, WERROR=-Werror, BUILD (folder of the objects)'
	@echo 'Missing packages are installed with apt; SETUP=no lists them instead'
