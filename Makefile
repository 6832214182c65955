# traceq: every object, program and test is found by wildcard; adding a file never edits this one.
#
#   SAN=address,undefined | SAN=thread    a sanitizer build of anything below, in a tree of its own
#   DEBUG=1                               -O1 -g3
#   STATIC=1                              without run-time libraries (make static)
#   DISTRO=1                              position-independent, with the system's libraries, as packages of
#                                         distributions are; else code stays where it is, which halves a start
#   NO_ISAL=1                             without ISA-L, also where it is installed
#   NO_LIBARCHIVE=1                       the same without libarchive
#   NO_SQLITE=1                           the same without SQLite
#   BUILD=DIR                             build elsewhere
#   NO_INSTALL=1                          what is missing is named, not installed
#   V=1                                   show the commands
#   T=WORD                                of make test: the tests that have this word in their path

CC        ?= cc
CXX       ?= c++
PREFIX    ?= /usr/local
BUILD     ?= build
FUZZ_SECS ?= 60
SHARED    ?= ../shared
.DEFAULT_GOAL := all

VERSION := $(file <VERSION)
COMMIT   = $(shell grep -oE '^[0-9a-f]{10}' .commit || \
  git --no-optional-locks describe --always --dirty --abbrev=10 --exclude '*' 2>/dev/null || echo unknown commit)

# One object tree for each variant: build/release, build/debug, build/address-undefined, ...
comma   := ,
VARIANT := $(or $(subst $(comma),-,$(SAN)),$(if $(STATIC),static),$(if $(DEBUG),debug),release)
B       := $(BUILD)/$(VARIANT)
Q       := $(if $(V),,@)

# ---- what is needed from outside -------------------------------------------------------------
# tests/deps.sh looks for compiler and libraries, installs what is missing where it may, and writes
# PKG_CFLAGS and PKG_LIBS. make reads the file anew after it was made.
GOALS := $(or $(MAKECMDGOALS),all)
ifneq ($(filter-out help clean format deps uninstall dist deb static wheel wheel-aarch64 cross-aarch64 arm-tests test-fresh test-reproducible,$(GOALS)),)
  include $(BUILD)/config.mk
endif
$(BUILD)/config.mk: tests/deps.sh
	@CC='$(CC)' tests/deps.sh $(if $(NO_INSTALL),--check,$(if $(filter-out install,$(GOALS)),,--check)) --config $@ build
$(BUILD)/deps.%: tests/deps.sh
	@CC='$(CC)' tests/deps.sh $* && mkdir -p $(@D) && touch $@

# ---- flags -----------------------------------------------------------------------------------
# -g1: functions and lines, which is what perf, a core file and a sanitizer say; DEBUG=1 has it all.
CFLAGS ?= -O2 -g1
ifneq ($(DEBUG),)
  CFLAGS = -O1 -g3 -fno-omit-frame-pointer
else ifneq ($(SAN),)
  # What goes through every byte of an input is fast, the rest is compiled quickly.
  CFLAGS = -O0 -g1 -fno-omit-frame-pointer
  HOT    = base/% analyze/input/% analyze/trace/% capture/%
else
  FAST   = $(foreach r,analysis columns costmodel depgraph judge measure stat trace \
             $(addprefix answer/,diagnose/profile sql summary top) \
             $(addprefix input/,events source text artifact/logs),analyze/$r%) \
           base/% capture/% edit/% report/parquet/% $(wildcard analyze/input/*.c analyze/input/artifact/*.c)
endif
# Builds that ship are hardened; sanitizers watch more closely themselves.  No path of the folder a
# build is made in gets into it, so that two builds in two folders are equal byte for byte.
ifneq ($(SAN),)
  # At a fixed address: clang's tables for fuzzers hold half a million pointers, to be moved at every start.
  SANFLAGS = -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-pie
  # A fuzzer is led by counters; names of places are for its reports alone, and half a million of them
  # were looked through for leaked memory at the end of every process.
  ifneq ($(filter fuzzer%,$(subst $(comma), ,$(SAN))),)
    SANFLAGS += -fno-sanitize-coverage=pc-table
  endif
  HARDLINK = -no-pie
  # clang puts its whole run-time library into each program.
  ifneq ($(and $(findstring clang,$(CC)),$(shell command -v ld.lld)),)
    HARDLINK += -fuse-ld=lld
  endif
else
  # At a fixed address: the 22,000 pointers of its tables need no work at each start.
  PIE      = $(if $(DISTRO),-pie)
  SANFLAGS = -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 $(if $(DISTRO),-fPIE,-fno-pie) $(HARDEN)
  HARDLINK = -Wl,-z,relro,-z,now,-z,noexecstack $(if $(DISTRO),,-no-pie)
endif
PREFIX_MAP = "-ffile-prefix-map=$(CURDIR)=."
ifdef NO_ISAL
  PKG_CFLAGS := $(filter-out -DHAVE_ISAL=1,$(PKG_CFLAGS))
  PKG_LIBS   := $(filter-out -lisal,$(PKG_LIBS))
endif
ifdef NO_LIBARCHIVE
  PKG_CFLAGS := $(filter-out -DHAVE_LIBARCHIVE=1,$(PKG_CFLAGS))
endif
ifdef NO_SQLITE
  PKG_CFLAGS := $(filter-out -DHAVE_SQLITE=1,$(PKG_CFLAGS))
endif
has_archive = $(filter /%,$(shell $(CC) -print-file-name=$(1) 2>/dev/null))
ifdef STATIC
  include packages/static.mk
else ifndef DISTRO
  # Libraries of which there is an archive are linked in: each that is looked for at a start takes a
  # tenth of what an empty program does.
  PKG_LIBS := $(foreach l,$(PKG_LIBS),$(or $(if $(call has_archive,$(l:-l%=lib%.a)),$(l:-l%=-l:lib%.a)),$l))
endif
WARN = -Wall -Wextra -Wshadow -Wvla -Wundef -Wstrict-prototypes -Wmissing-prototypes \
       -Wpointer-arith -Wwrite-strings -Wconversion
ALL_CPPFLAGS = -I. -D_GNU_SOURCE=1 $(PKG_CFLAGS) $(CPPFLAGS)
ALL_CFLAGS   = -std=c17 -pipe $(WARN) -pthread $(SANFLAGS) $(PREFIX_MAP) $(CFLAGS)
LDLIBS       = $(PKG_LIBS) -lm
LINK         = $(CC) $(ALL_CFLAGS) $(HARDLINK) $(LDFLAGS)

# ---- sources ---------------------------------------------------------------------------------
# Sources of the library, the commands and the unit tests lie at any depth of their folders.
DEEP      := $(sort $(shell find base analyze report edit cmd tests/unit -name '*.[ch]'))
ifeq ($(filter -DHAVE_SQLITE=1,$(PKG_CFLAGS)),)
  DEEP    := $(filter-out analyze/input/format/sqlite/% tests/unit/analyze/input/format/sqlite/% \
    analyze/answer/sql/sql_%.c tests/unit/analyze/answer/sql/%,$(DEEP))
endif
LIB_SRC   := $(filter base/%.c analyze/%.c report/%.c edit/%.c,$(DEEP))
CMD_SRC   := $(filter cmd/%.c,$(DEEP))
UNIT_SRC  := $(filter tests/unit/%.c,$(DEEP))
CAP_SRC   := $(sort $(wildcard capture/*.c))
INJ_SRC   := $(sort $(wildcard capture/inject/*.c))
FAKE_SRC  := $(sort $(wildcard tests/capture/*.c))
FIX_SRC   := $(sort $(wildcard fixtures/*.c fixtures/*/*.c))
FUZZ_SRC  := $(filter-out tests/fuzz/replay.c,$(sort $(wildcard tests/fuzz/*.c)))
BENCH_SRC := $(sort $(wildcard tests/bench/*.c))
HDR       := $(sort $(filter %.h,$(DEEP)) $(wildcard capture/*.h capture/*/*.h fixtures/*.h fixtures/*/*.h tests/*/*.h))
ALL_SRC   := $(LIB_SRC) $(CMD_SRC) $(FIX_SRC) $(UNIT_SRC) $(FUZZ_SRC) $(BENCH_SRC) \
             $(CAP_SRC) $(INJ_SRC) $(FAKE_SRC) $(wildcard tests/fuzz/replay.c)

# The tables of an answer, whose rows are compiled from the .def itself.
TABLES    := $(foreach d,$(wildcard analyze/answer/*),$(wildcard $d/$(notdir $d)_tables.def))

obj        = $(sort $(foreach f,$(1),$(or $(BUNDLE_OF_$f),$(f:%.c=$(B)/obj/%.o))))
tables     = $(TABLES:%.def=$(B)/obj/%_def.o)
# Files beside the test programs that are no programs themselves are linked to each of them.
programs   = $(patsubst tests/$(1)/%.c,$(B)/$(1)/%,$(filter tests/$(1)/$(2)%,$(3)))
helpers    = $(call obj,$(filter-out tests/$(1)/$(2)%,$(3)))
# Unit programs lie side by side, wherever their sources do: the names of tests differ.
UNIT_TEST := $(foreach t,$(UNIT_SRC),$(if $(filter test_%,$(notdir $t)),$t))
UNIT      := $(patsubst %.c,$(B)/unit/%,$(notdir $(UNIT_TEST)))
UNIT_ALL  := $(B)/unit/all
# make test T=kernels: one room's tests, whose unit programs are one again, and what these need.  T is
# what was typed: in the environment it may be anybody's.
ifeq ($(origin T)$(filter test,$(GOALS)),command linetest)
  unexport T
  ROOM      := $(shell python3 -B tests/room.py '$(subst ','\'',$(T))')
  $(if $(ROOM),,$(error T=WORD is a word of a test's path))
  of_room    = $(patsubst $(1):%,%,$(filter $(1):%,$(ROOM)))
  ROOM_TEST := $(foreach t,$(UNIT_TEST),$(if $(filter $(basename $(notdir $t)),$(call of_room,unit)),$t))
endif
UNIT_ROOM := $(if $(ROOM_TEST),$(B)/unit/room)
# Files are compiled in bundles of several, which saves reading headers and doing without what they
# define: a third of the time.  bundles.py says which go together; what was edited so that they do not
# any more is compiled alone, and looked at anew by the next make.  Of the generator, fuzz targets take
# single files.
ifneq ($(and $(filter-out uninstall compdb format clean help deps,$(GOALS)),$(wildcard $(BUILD)/config.mk),$(if $(NO_BUNDLES),,yes),$(shell command -v python3)),)
bundle     = $(addprefix $(1):,$(filter-out cmd/main.c cmd/version.c report/chart/draw/tiles.c %_avx2.c,$(2)))
BUNDLED   := $(if $(filter thread,$(SAN)),,$(call bundle,unit,$(UNIT_TEST))) \
             $(call bundle,transcode,$(filter fixtures/transcode/%,$(FIX_SRC))) \
             $(call bundle,cmd,$(CMD_SRC)) $(call bundle,hot,$(filter $(HOT) $(FAST),$(LIB_SRC))) \
             $(call bundle,lib,$(filter-out $(HOT) $(FAST),$(LIB_SRC)))
# Nothing is bundled anew but for other files: the list is as old as what it says.
$(shell mkdir -p $(B)/bundles)
$(file >$(B)/bundles/list.new,$(BUNDLED))
$(shell cd $(B)/bundles && { cmp -s list list.new || cp list.new list; })
include $(B)/bundles/bundles.mk
# Of a room only its tests are compiled.
$(foreach t,$(ROOM_TEST),$(eval BUNDLE_OF_$t :=))
# What is in which bundle: where that changes, archives and programs are of other objects.
MEMBERS   := $(B)/bundles/members
endif
$(B)/bundles/members: $(B)/bundles/bundles.mk ;
$(B)/bundles/bundles.mk: tests/bundles.py $(B)/bundles/list
	$(Q)python3 -B tests/bundles.py $(@D) $(if $(SAN),16,8) <$(B)/bundles/list || { \
	  echo 'python3 cannot tell bundles: files are compiled one by one'; echo >$@; echo >$(@D)/members; }
# Those that start threads: what TSan has in the gate.
THREADED  := book identities parallel pftrace pipeline ring shared top_ops top_threads
FUZZ      := $(call programs,fuzz,fuzz_,$(FUZZ_SRC))
REPLAY    := $(FUZZ:$(B)/fuzz/%=$(B)/replay/%)
BENCH     := $(call programs,bench,,$(BENCH_SRC))
ifneq ($(and $(filter bench,$(GOALS)),$(shell pkg-config --exists simdjson 2>/dev/null && echo yes)),)
  BENCH   += $(patsubst tests/bench/%.cpp,$(B)/bench/%,$(wildcard tests/bench/*.cpp))
endif
LIB       := $(B)/libtraceq.a
TRACEQ    := $(B)/traceq
CAPTURE   := $(B)/libtraceq-capture.so
FIXTURES  := $(B)/fixtures

# ---- rules -----------------------------------------------------------------------------------
.PHONY: all help demo test test-memory test-threads test-fresh test-reproducible check check-all bench fuzz fuzz-run replay install uninstall deps \
        format lint clean bless compdb FORCE
.SECONDARY:
.DELETE_ON_ERROR:

all: $(TRACEQ) $(CAPTURE) ## build the program: build/release/traceq (the default)

$(LIB): $(call obj,$(LIB_SRC) $(CAP_SRC)) $(tables) $(MEMBERS)
$(B)/libcmd.a: $(call obj,$(filter-out cmd/main.c,$(CMD_SRC))) $(MEMBERS)
$(B)/%.a:
	$(Q)rm -f $@ && $(AR) rcsT $@ $(filter %.o,$^)

$(TRACEQ): $(call obj,$(filter cmd/main.c,$(CMD_SRC))) $(B)/libcmd.a $(LIB)
	$(Q)$(LINK) $(PIE) -o $@ $^ $(LDLIBS)
# For tests: the same without the two entry points' program around it.
$(B)/libinject.a: $(call obj,$(INJ_SRC) tests/capture/fake_records.c)
# What goes into a recorded program exports two functions and needs libc alone: zlib is in it.
$(CAPTURE): $(call obj,$(INJ_SRC) $(CAP_SRC))
	$(Q)$(LINK) -shared -Wl,-soname,$(@F) -o $@ $^ -Wl,-z,nodelete -Wl,--exclude-libs,ALL $(or $(STATIC_Z),-lz) -lm
STATIC_Z := $(if $(call has_archive,libz.a),-l:libz.a)
# What a fuzz target takes of the generator.
$(B)/libfixtures.a: $(call obj,$(filter-out fixtures/main.c fixtures/transcode/%,$(FIX_SRC)))
$(FIXTURES): $(call obj,$(FIX_SRC)) $(MEMBERS)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) -lz -lm
$(foreach t,$(UNIT_TEST),$(eval $(B)/unit/$(basename $(notdir $t)): $(call obj,$t)))
# One program has all of them, which is what is run: linking each takes longer than compiling it.
$(UNIT_ALL): $(call obj,tests/unit/all.c $(UNIT_TEST)) $(MEMBERS)
$(UNIT_ROOM): $(call obj,tests/unit/all.c $(ROOM_TEST)) $(B)/unit/room.txt
$(B)/unit/room.txt: FORCE
	@mkdir -p $(@D)
	@echo '$(ROOM_TEST)' | cmp -s - $@ || echo '$(ROOM_TEST)' >$@
$(UNIT_ALL) $(UNIT_ROOM): UNIT_ENTRY = -Wl,--export-dynamic-symbol='test_*_main'
$(UNIT): UNIT_ENTRY = -Wl,--defsym=main=$(@F)_main
$(UNIT) $(UNIT_ALL) $(UNIT_ROOM): $(call obj,$(filter-out tests/unit/all.c $(UNIT_TEST),$(UNIT_SRC))) \
  $(B)/libcmd.a $(B)/libinject.a $(LIB)
	@mkdir -p $(@D)
	$(Q)$(LINK) $(UNIT_ENTRY) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(shell pkg-config --libs cmocka) $(LDLIBS)
# All targets are one program, by links that have their names; TSan is for one of them.
$(B)/fuzz/all $(B)/replay/all: $(call obj,$(if $(filter thread,$(SAN)),tests/fuzz/fuzz_command.c,$(filter tests/fuzz/fuzz_%,$(FUZZ_SRC)))) \
  $(call helpers,fuzz,fuzz_,$(FUZZ_SRC)) $(B)/libcmd.a $(B)/libinject.a $(LIB) $(B)/libfixtures.a
$(B)/replay/all: $(B)/obj/tests/fuzz/replay.o
$(B)/fuzz/all: FUZZ_MAIN = $(subst fuzzer-no-link,fuzzer,$(SANFLAGS))
$(B)/fuzz/all $(B)/replay/all:
	@mkdir -p $(@D)
	$(Q)$(LINK) $(FUZZ_MAIN) -Wl,--export-dynamic-symbol='fuzz_*' -o $@ $^ $(LDLIBS)
$(FUZZ) $(REPLAY):
	$(Q)ln -sf all $@
$(FUZZ): $(B)/fuzz/all
$(REPLAY): $(B)/replay/all
$(B)/bench/%: $(B)/obj/tests/bench/%.o $(B)/libinject.a $(LIB)
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)
$(B)/bench/%: tests/bench/%.cpp $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -O3 -march=native -Wall -o $@ $< $$(pkg-config --cflags --libs simdjson) $(LDLIBS)

# Its pages hold these files.
$(B)/obj/report/chart/draw/tiles.o: $(wildcard report/chart/draw/*.js report/chart/draw/*.css)
$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(if $(Q),@echo '  CC $<')
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(FILE_FLAGS) -MMD -MP -c -o $@ $<
# Of a large file gcc inlines less, unless it is told that such are none.
$(B)/bundles/%.o: $(B)/bundles/%.c $(B)/flags
	$(if $(Q),@echo '  CC $<')
	$(Q)tests/bundle.sh $@ $< $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(FILE_FLAGS) -Wno-shadow --param large-unit-insns=100000 -MMD -MP
$(tables): $(B)/obj/%_tables_def.o: %_tables.def $(B)/flags
	@mkdir -p $(@D)
	$(if $(Q),@echo '  CC $<')
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -DTABLES_OF='"$<"' -include $*.h -c -o $@ -x c base/table_rows_impl.h

# Fakes of the driver, CUPTI and NVML, and a program that works with them, for tests of capture.
FAKE := $(B)/capture
FAKES := $(FAKE)/libcuda.so.1 $(FAKE)/libcupti.so.13 $(FAKE)/libnvidia-ml.so.1 $(FAKE)/libkiller.so \
         $(FAKE)/app
$(FAKE)/libcuda.so.1: $(call obj,tests/capture/fake_cuda.c)
$(FAKE)/libcupti.so.13: $(call obj,$(addprefix tests/capture/fake_,cupti.c lanes.c tools.c script.c records.c))
$(FAKE)/libnvidia-ml.so.1: $(call obj,tests/capture/fake_nvml.c)
$(FAKE)/libkiller.so: $(call obj,tests/capture/killer.c)
$(FAKE)/lib%:
	@mkdir -p $(@D)
	$(Q)$(LINK) -shared -Wl,-soname,$(@F) -o $@ $^
$(FAKE)/app: $(call obj,$(addprefix tests/capture/app,.c _nvtx.c _other.c _self.c)) $(FAKE)/libcuda.so.1
	$(Q)$(LINK) -o $@ $^
$(call obj,$(INJ_SRC) $(CAP_SRC)): private FILE_FLAGS = -fPIC -fvisibility=hidden
$(call obj,$(FAKE_SRC)): private FILE_FLAGS = -fPIC

# Flags of single files. `private` keeps them from the prerequisites.
ifneq ($(filter x86_64%,$(shell $(CC) -dumpmachine 2>/dev/null)),)
$(filter %_avx2.o,$(call obj,$(LIB_SRC))): private FILE_FLAGS = -mavx2 -mpclmul -mbmi -mbmi2
endif
$(call obj,$(UNIT_SRC)): private FILE_FLAGS = $(shell pkg-config --cflags cmocka)
$(call obj,$(UNIT_TEST)): private FILE_FLAGS += -Dmain=$(basename $(@F))_main -Wno-missing-prototypes
$(call obj,$(UNIT_SRC)): | $(BUILD)/deps.test
$(call obj,$(filter tests/fuzz/fuzz_%,$(FUZZ_SRC))): private FILE_FLAGS = $(foreach f,TestOneInput=input CustomMutator=mutator,-DLLVMFuzzer$(subst =,=$(basename $(@F))_,$f))
ifneq ($(SAN),)
$(call obj,$(filter $(HOT),$(LIB_SRC) $(INJ_SRC) $(CAP_SRC))): private FILE_FLAGS += -O1
  ifneq ($(filter fuzzer%,$(subst $(comma), ,$(SAN))),)
# A fuzzer follows what an input is compared with where inputs are read, and branches elsewhere.
$(call obj,$(filter-out $(HOT),$(LIB_SRC)) $(CMD_SRC)): private FILE_FLAGS += -fno-sanitize-coverage=trace-cmp,indirect-calls,stack-depth
$(call obj,$(UNIT_SRC) $(FIX_SRC) $(FAKE_SRC)): private FILE_FLAGS += -fno-sanitize=fuzzer-no-link
  endif
else ifeq ($(DEBUG),)
# What goes through every byte, event or line is fast; the rest is about few rows: compiled quickly.
$(call obj,$(filter-out $(FAST),$(LIB_SRC) $(CMD_SRC))): private FILE_FLAGS += -O1
# Tests are compiled quickly; without the optimiser the compiler knows no ranges of numbers.
$(call obj,$(UNIT_SRC)): private FILE_FLAGS += -O0 -U_FORTIFY_SOURCE -Wno-format-truncation
endif

# Release and commit are one object's flags, looked at in every run.  The commit is git's, or what
# .commit says in a tarball, which may lie in a folder of some other project's.
$(B)/obj/cmd/version.o: private FILE_FLAGS = $(file <$(B)/version)
$(B)/obj/cmd/version.o: $(B)/version
$(B)/version: FORCE
	@mkdir -p $(@D)
	@v="-DTRACEQ_RELEASE='\"$(VERSION)\"' -DTRACEQ_COMMIT='\"$(COMMIT)\"'"; \
	  [ "$$v" = "$$(cat $@ 2>/dev/null)" ] || echo "$$v" >$@
# Changed flags or another compiler rebuild everything.
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS)' | cmp -s - $@ || \
	  echo '$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS)' >$@

# ---- running ---------------------------------------------------------------------------------
# The generator of traces is no part of what a sanitizer is to watch in the gate: where the plain one
# is there and up to date, test-memory and test-threads take it.
PLAIN_FIXTURES := $(BUILD)/release/fixtures
ifneq ($(SAN)$(filter test-memory test-threads,$(GOALS)),$(SAN))
  ifeq ($(shell [ -x $(PLAIN_FIXTURES) ] && find fixtures -name '*.[ch]' -newer $(PLAIN_FIXTURES)),)
    FIXTURES := $(or $(wildcard $(PLAIN_FIXTURES)),$(FIXTURES))
  endif
endif
RUN_ENV = TRACEQ='$(abspath $(TRACEQ))' FIXTURES='$(abspath $(FIXTURES))' SHARED='$(SHARED)' \
          BUILD='$(abspath $(BUILD))' B='$(abspath $(B))' CC='$(CC)' SAN='$(SAN)' \
          FUZZ_SECS='$(FUZZ_SECS)' FUZZ_TOTAL='$(FUZZ_TOTAL)' V='$(V)'

demo: $(TRACEQ) $(FIXTURES) ## generate a trace and look at it: top, info, check
	@$(RUN_ENV) tests/demo.sh

ifdef ROOM
  TEST_NEEDS := $(UNIT_ROOM) $(if $(call of_room,needs),$(TRACEQ) $(FIXTURES)) \
                $(if $(filter capture,$(call of_room,needs)),$(CAPTURE) $(FAKES)) | $(BUILD)/deps.test
else
  TEST_NEEDS := $(TRACEQ) $(CAPTURE) $(FAKES) $(FIXTURES) $(UNIT_ALL) $(REPLAY) | $(BUILD)/deps.test $(BUILD)/deps.cluster
endif
test: $(TEST_NEEDS) ## all tests, one line at the end; T=kernels: those with this word in their path
	@$(RUN_ENV) ROOM='$(ROOM)' tests/run.sh $(if $(ROOM),--room)

test-memory: $(TRACEQ) $(CAPTURE) $(FAKES) $(FIXTURES) $(UNIT_ALL) $(REPLAY) | $(BUILD)/deps.test ## tests with memory to get wrong, in a gate's time (SAN=address,undefined)
	@$(RUN_ENV) tests/run.sh --memory

test-threads: $(TRACEQ) $(CAPTURE) $(FAKES) $(FIXTURES) $(THREADED:%=$(B)/unit/test_%) $(B)/replay/fuzz_command | $(BUILD)/deps.test ## the tests that start threads (SAN=thread)
	@$(RUN_ENV) THREADED='$(THREADED)' tests/run.sh --threads

test-fresh: ## README's two commands in a minimal Debian root (root, debootstrap)
	@$(RUN_ENV) tests/fresh.sh

test-reproducible: ## builds in two folders are equal byte for byte
	@$(RUN_ENV) tests/reproducible.sh

check: ## the gate, as CI runs it: tests, lint, sanitizers, a minute of fuzzing
	.ci/run

check-all: ## all tests under all sanitizers, a fresh root, two builds compared, packages: hours
	TIDY_NODES=40000 $(MAKE) lint
	CHECK_ALL=1 $(MAKE) test
	$(MAKE) test SAN=address,undefined
	$(MAKE) test SAN=thread
	$(MAKE) fuzz FUZZ_TOTAL=600
	$(MAKE) test-reproducible test-fresh test-packages

bench: $(TRACEQ) $(CAPTURE) $(FAKES) $(FIXTURES) $(BENCH) ## speed and memory beside gzip, igzip and simdjson; prints ratios
	@$(RUN_ENV) BENCH='$(abspath $(B))/bench' tests/bench/run.sh

fuzz: $(BUILD)/deps.fuzz ## run each fuzz target for FUZZ_SECS seconds, or all in FUZZ_TOTAL (clang)
	@$(MAKE) --no-print-directory fuzz-run CC=clang SAN=fuzzer-no-link,address,undefined
fuzz-run: $(FUZZ)
	@$(RUN_ENV) tests/fuzz/run.sh $(FUZZ)

replay: $(REPLAY) ## run the fuzz corpora once, any compiler, any SAN
	@$(RUN_ENV) tests/run.sh --only replay

bless: $(TRACEQ) $(FIXTURES) ## rewrite the expected output of tests/cli; review the diff
	@$(RUN_ENV) tests/cli/run.sh --bless

# Each file of the product by itself, quickly: what it needs it includes, and nm says which names it has.
ALONE := $(addprefix $(BUILD)/alone/,$(patsubst %.c,%.o,$(LIB_SRC) $(CMD_SRC) $(CAP_SRC) $(INJ_SRC)) $(TABLES:%.def=%_def.o))
$(filter %_avx2.o,$(ALONE)): private FILE_FLAGS = -mavx2 -mpclmul -mbmi -mbmi2
$(BUILD)/alone/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CPPFLAGS) -DTRACEQ_RELEASE='""' -DTRACEQ_COMMIT='""' -std=c17 -pthread $(WARN) -Werror -O0 $(FILE_FLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/alone/%_tables_def.o: %_tables.def $(B)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CPPFLAGS) -std=c17 -O0 -MMD -MP -DTABLES_OF='"$<"' -include $*.h -c -o $@ -x c base/table_rows_impl.h
ifneq ($(filter lint,$(GOALS)),)
  -include $(ALONE:.o=.d)
endif

lint: $(TRACEQ) $(CAPTURE) $(ALONE) ## layers, circles, unused names, headers, banned calls, sizes, globals, scripts, format, clang-tidy
	@$(RUN_ENV) CPPFLAGS='$(ALL_CPPFLAGS)' WARN='$(WARN)' tests/lint/run.sh

format: ## clang-format all sources in place
	$(Q)clang-format -i $(ALL_SRC) $(HDR)
	$(Q)clang-format -i $(ALL_SRC) $(HDR) # some comments move twice

# As if the flags had changed, all would be compiled: what make would run has each file's own flags.
COMPDB ?= compile_commands.json
compdb: $(B)/version ## compile_commands.json, by which clangd and other tools know each file's flags
	@calls=$$($(MAKE) -n V=1 NO_BUNDLES=1 -W $(B)/flags $(call obj,$(ALL_SRC))) && \
	  printf '%s\n' "$$calls" | tests/compdb.sh '$(COMPDB)'

# Manual pages and completions are printed by the program, from its own tables.
$(B)/share: $(TRACEQ)
	$(Q)rm -rf $@ $@.new && cd $(B) && mkdir -p share.new/man/man1 \
	  share.new/bash-completion/completions share.new/zsh/site-functions \
	  share.new/fish/vendor_completions.d && cd share.new && \
	../traceq help --man >man/man1/traceq.1 && \
	for v in $$(sed -n 's/^\.BR traceq\\-\([a-z]*\) .*/\1/p' man/man1/traceq.1); do \
	  ../traceq help --man $$v >man/man1/traceq-$$v.1 || exit 1; done && \
	../traceq completion bash >bash-completion/completions/traceq && \
	../traceq completion zsh >zsh/site-functions/_traceq && \
	../traceq completion fish >fish/vendor_completions.d/traceq.fish && mv ../share.new ../share
PLACE = $(DESTDIR)$(PREFIX)
install: $(TRACEQ) $(CAPTURE) $(B)/share ## program, capture library, man pages, completions, jobs for clusters, a skill for agents to $(DESTDIR)$(PREFIX)
	install -D -m 755 $(TRACEQ) "$(PLACE)/bin/traceq"
	install -D -m 755 $(CAPTURE) "$(PLACE)/lib/traceq/$(notdir $(CAPTURE))"
	cd $(B)/share && find . -type f -exec install -D -m 644 {} "$(PLACE)/share/{}" \;
	cd share && find . -type f -name '*.sh' -exec install -D -m 755 {} "$(PLACE)/share/traceq/{}" \;
	cd share && find . -type f ! -name '*.sh' -exec install -D -m 644 {} "$(PLACE)/share/traceq/{}" \;
uninstall: ## remove what install put there
	rm -f "$(PLACE)/bin/traceq" "$(PLACE)/lib/traceq/$(notdir $(CAPTURE))" "$(PLACE)/share/man/man1"/traceq.1 "$(PLACE)/share/man/man1"/traceq-*.1 \
	  "$(PLACE)/share/bash-completion/completions/traceq" "$(PLACE)/share/zsh/site-functions/_traceq" \
	  "$(PLACE)/share/fish/vendor_completions.d/traceq.fish"
	cd share && find . -type f -exec rm -f "$(PLACE)/share/traceq/{}" \;
	cd share && find . -depth -type d -exec rmdir "$(PLACE)/share/traceq/{}" \; 2>/dev/null || true
	rmdir "$(PLACE)/lib/traceq" 2>/dev/null || true

deps: ## look for compilers, libraries and tools anew; install what is missing, or name it
	@rm -f $(BUILD)/config.mk $(BUILD)/deps.*
	@CC='$(CC)' tests/deps.sh --config $(BUILD)/config.mk build test cluster pages fuzz lint && echo 'nothing is missing'

include packages/packages.mk

clean: ## remove all builds
	rm -rf $(BUILD)

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1|\2/p' Makefile packages/packages.mk | \
	  while IFS='|' read -r t d; do printf '  make %-13s %s\n' "$$t" "$$d"; done

-include $(patsubst %.o,%.d,$(call obj,$(ALL_SRC)) $(tables))
