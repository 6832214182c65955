# STATIC=1: what differs where the program has its libraries in itself.
#
# libarchive and SQLite are linked, not looked for; ISA-L where there is an archive of it, in ISAL=DIR
# (packages/isal.sh makes one of Debian's source) or the system (Debian has none).  Of libarchive the readers are taken that the program asks for, with what these need.
# At a fixed address: the tables of pointers in it need no work at each start.
PIE         = -static -no-pie -s
PKG_CFLAGS := $(PKG_CFLAGS) -DSTATIC_LIBRARIES=1
ifneq ($(ISAL),)
  PKG_CFLAGS := $(filter-out -DHAVE_ISAL=1,$(PKG_CFLAGS)) -DHAVE_ISAL=1 -isystem $(ISAL)/include
  PKG_LIBS   := $(filter-out -lisal,$(PKG_LIBS)) $(ISAL)/libisal.a
else ifeq ($(call has_archive,libisal.a),)
  PKG_CFLAGS := $(filter-out -DHAVE_ISAL=1,$(PKG_CFLAGS))
  PKG_LIBS   := $(filter-out -lisal,$(PKG_LIBS))
endif
PKG_LIBS   := $(if $(filter -DHAVE_LIBARCHIVE=1,$(PKG_CFLAGS)),-larchive -lnettle -llzma -lzstd -llz4 -lbz2) \
              $(if $(filter -DHAVE_SQLITE=1,$(PKG_CFLAGS)),-lsqlite3) $(PKG_LIBS)
