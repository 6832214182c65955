# What a user installs: a tarball, a package of Debian's, one file without libraries, a container of
# it, a build for another processor.  docs/packages.md says what each is for.

DIST := $(BUILD)/traceq-$(VERSION).tar.gz
DEB   = $(BUILD)/traceq_$(VERSION)_$(shell dpkg --print-architecture 2>/dev/null).deb

.PHONY: dist deb static wheel wheel-aarch64 cross-aarch64 arm-tests test-aarch64 test-packages

dist: ## a tarball of the last commit, equal wherever it is made
	@packages/dist.sh $(DIST)

deb: $(BUILD)/deps.deb dist ## a package for Debian of the last commit
	@CC='$(CC)' packages/deb.sh $(DIST) $(DEB)

static: $(BUILD)/deps.static ## build/static/traceq: one file that needs no libraries
	@$(MAKE) --no-print-directory STATIC=1 all

# ISA-L is in it, so that .gz is read as fast as by the build's.
wheel: $(BUILD)/deps.static $(BUILD)/deps.wheel ## a wheel for pip: the static program and a Python module
	@packages/isal.sh $(BUILD)/isal
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/wheel STATIC=1 ISAL=$(abspath $(BUILD)/isal) all
	@packages/wheel.py $(VERSION) $(shell uname -m) $(BUILD)/wheel/static/traceq \
	  $(BUILD)/wheel/static/libtraceq-capture.so $(BUILD)

# ---- aarch64, on another processor -----------------------------------------------------------
ARM := $(BUILD)/aarch64
# Debian has no ISA-L that could lie beside that of this machine.
ARM_MAKE = PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig $(MAKE) --no-print-directory \
  CC='$(strip $(filter ccache,$(CC)) aarch64-linux-gnu-gcc)' AR=aarch64-linux-gnu-ar BUILD=$(ARM) NO_ISAL=1 NO_INSTALL=1

cross-aarch64: $(BUILD)/deps.cross ## build/aarch64/release/traceq, built on another processor
	+@$(ARM_MAKE) all

wheel-aarch64: $(BUILD)/deps.cross $(BUILD)/deps.wheel ## the same for aarch64
	@packages/isal.sh $(ARM)/isal aarch64-linux-gnu
	+@$(ARM_MAKE) NO_ISAL= STATIC=1 ISAL=$(abspath $(ARM)/isal) all
	@packages/wheel.py $(VERSION) aarch64 $(ARM)/static/traceq $(ARM)/static/libtraceq-capture.so $(BUILD)

arm-tests: cross-aarch64
	+@$(ARM_MAKE) $(ARM)/release/unit/all

test-aarch64: $(FIXTURES) ## the same, run by qemu: scanners and goldens
	@$(RUN_ENV) ARM='$(abspath $(ARM)/release)' tests/packages/aarch64.sh

test-packages: $(TRACEQ) $(FIXTURES) ## tarball, package, static program, container, aarch64
	@$(RUN_ENV) tests/packages/run.sh
