#!/bin/sh
# What traceq needs from outside: looks, and installs what is missing where it may.
#
#   deps.sh [--check] [--config FILE] LEVEL...      LEVEL: build test cluster pages fuzz link lint
#                                           readers fresh deb static wheel cross
#
# Nothing missing: quick and silent.  Otherwise apt-get installs the packages, as root or by
# `sudo -n`; where that cannot be, with --check, or with NO_INSTALL set, the packages are named and the
# exit code is 2.
# The levels link, lint, cluster, pages and readers are optional: what is missing there is said, and the exit code stays 0.
# --config writes PKG_CFLAGS, PKG_LIBS and HARDEN for the Makefile.
set -u
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

cc=${CC:-cc}
check=${NO_INSTALL:+1} config=''
while [ $# -gt 0 ]; do
	case $1 in
	--check) check=1 ;;
	--config) config=$2; shift ;;
	*) break ;;
	esac
	shift
done

say() { echo "deps: $*" >&2; }
have_tool() { command -v "$1" >/dev/null 2>&1; }
have_lib() { have_tool pkg-config && pkg-config --exists "$1"; }

# The packages whose tool or library is missing, for one level.
missing_tool() { have_tool "$1" || printf '%s ' "$2"; }
missing_lib() { have_lib "$1" || printf '%s ' "$2"; }
# Of the python3 that tests/run.sh takes: the distribution's, where there is one.
missing_module() {
	PATH=/usr/bin:$PATH python3 -c "import $1" 2>/dev/null || printf '%s ' "$2"
}
missing_archive() { # what the compiler finds by its name alone, it does not find
	[ "$($cc -print-file-name="$1" 2>/dev/null)" != "$1" ] || printf '%s ' "$2"
}
compiler_works() {
	have_tool "${cc%% *}" && echo '#include <stdio.h>' | $cc -E - >/dev/null 2>&1
}
compiler_packages() {
	case $cc in
	*clang*) echo "clang libc6-dev" ;;
	*) echo "gcc libc6-dev" ;;
	esac
}
missing() {
	case $1 in
	build)
		compiler_works || printf '%s ' "$(compiler_packages)"
		missing_tool pkg-config pkg-config
		missing_lib zlib zlib1g-dev
		missing_lib libpcre2-8 libpcre2-dev
		missing_lib yaml-0.1 libyaml-dev
		missing_lib libxxhash libxxhash-dev
		;;
	test)
		missing_lib cmocka libcmocka-dev
		missing_tool python3 python3
		missing_module jsonschema python3-jsonschema
		missing_module yaml python3-yaml
		missing_tool gzip gzip
		missing_tool gnuplot gnuplot-nox
		missing_tool zstd zstd
		missing_tool xz xz-utils
		missing_tool bzip2 bzip2
		missing_tool lz4 lz4
		;;
	cluster)
		missing_tool sbatch slurm-wlm
		missing_tool parallel parallel
		;;
	pages) # to look at pages and work with them
		have_tool chromium-browser || missing_tool chromium chromium
		missing_tool chromedriver chromium-driver
		missing_tool pdftotext poppler-utils
		;;
	readers) # of Parquet, that are not ours; those of npm are installed below
		missing_tool node nodejs
		missing_tool npm npm
		;;
	fuzz)
		missing_tool clang clang
		;;
	link) # clang's programs several times as fast as without it
		missing_tool ld.lld lld
		;;
	fresh)
		missing_tool debootstrap debootstrap
		;;
	deb)
		missing_tool dh debhelper
		missing_tool dpkg-buildpackage dpkg-dev
		missing_tool g++ build-essential
		missing_lib libisal libisal-dev
		missing_lib libarchive libarchive-dev
		missing_lib sqlite3 libsqlite3-dev
		missing_archive libiberty.a libiberty-dev
		;;
	static)
		missing_archive libz.a zlib1g-dev
		missing_archive libpcre2-8.a libpcre2-dev
		missing_archive libyaml.a libyaml-dev
		missing_archive libsqlite3.a libsqlite3-dev
		missing_archive libarchive.a libarchive-dev
		missing_archive libnettle.a nettle-dev
		missing_archive liblzma.a liblzma-dev
		missing_archive libzstd.a libzstd-dev
		missing_archive liblz4.a liblz4-dev
		missing_archive libbz2.a libbz2-dev
		;;
	wheel)
		missing_tool nasm nasm
		missing_tool python3 python3
		;;
	cross)
		missing_tool aarch64-linux-gnu-gcc "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
		missing_tool qemu-aarch64-static qemu-user-static
		for library in zlib1g:z libpcre2:pcre2-8 libyaml:yaml libxxhash:xxhash libarchive:archive \
			libsqlite3:sqlite3 libcmocka:cmocka; do
			[ -e "/usr/lib/aarch64-linux-gnu/lib${library#*:}.so" ] ||
				printf '%s ' "${library%:*}-dev:arm64"
		done
		for archive in libiberty:iberty nettle:nettle liblzma:lzma libzstd:zstd liblz4:lz4 libbz2:bz2; do
			[ -e "/usr/lib/aarch64-linux-gnu/lib${archive#*:}.a" ] ||
				printf '%s ' "${archive%:*}-dev:arm64"
		done
		;;
	lint)
		missing_tool shellcheck shellcheck
		missing_tool clang-format clang-format
		missing_tool clang-tidy clang-tidy
		missing_tool clang-query clang-tools
		;;
	*)
		say "unknown level '$1'"
		exit 2
		;;
	esac
}

as_root=
may_install() {
	have_tool apt-get || return 1
	if [ "$(id -u)" = 0 ]; then
		return 0
	fi
	have_tool sudo && sudo -n true 2>/dev/null && as_root="sudo -n DEBIAN_FRONTEND=noninteractive"
}
# Silent unless it fails.
apt() {
	if ! apt_said=$($as_root apt-get -q -y -o DPkg::Lock::Timeout=120 -o Acquire::Retries=1 \
		-o Acquire::http::Timeout=30 -o Dpkg::Use-Pty=0 \
		-o APT::Install-Recommends="$recommends" "$@" 2>&1); then
		return 1
	fi
}
recommends=false
updated=''
# Installs the packages; when that fails, once more after an update of the package lists.
install() {
	say "installing: $*"
	apt install "$@" && return 0
	if [ -z "$updated" ]; then
		updated=1
		say "updating the package lists"
		apt update && apt install "$@" && return 0
	fi
	printf '%s\n' "$apt_said" | tail -n 5 >&2
	return 1
}

# DuckDB and hyparquet, from npm into build/readers: once, and in a minute and a half at most.
readers='@duckdb/node-api@1.5.6-r.1 hyparquet@1.33.0'
install_readers() {
	to=${BUILD:-build}/readers
	have_tool npm || return
	[ "$(cat "$to/installed" 2>/dev/null)" != "$readers" ] || return
	mkdir -p "$to"
	# shellcheck disable=SC2086
	if [ -z "$check" ] && timeout 90 npm install --prefix "$to" --no-save --no-package-lock --no-audit --no-fund \
		--ignore-scripts --silent $readers >/dev/null 2>&1; then
		echo "$readers" >"$to/installed"
	else
		say "missing for 'readers': $readers (npm)"
	fi
}

failed=0
for level in "$@"; do
	[ "$level" != readers ] || after=install_readers
	want=$(missing "$level")
	if [ -z "$want" ]; then
		continue
	fi
	# clang's sanitizer and fuzzer libraries are packages that it only recommends.
	recommends=false
	[ "$level" = fuzz ] && recommends=true
	if [ "$level" = cross ] && [ -z "$check" ] && may_install &&
		! dpkg --print-foreign-architectures | grep -qx arm64; then
		say "adding the architecture arm64 to dpkg's"
		$as_root dpkg --add-architecture arm64 && apt update && updated=1
	fi
	# shellcheck disable=SC2086
	if [ -z "$check" ] && may_install && install $want && [ -z "$(missing "$level")" ]; then
		continue
	fi
	say "missing for '$level': $(missing "$level")"
	case $level in
	build) say "install with: sudo apt-get install $(missing build)$(missing test)" ;;
	*) say "install with: sudo apt-get install $(missing "$level")" ;;
	esac
	case $level in
	link | lint | cluster | pages | readers) ;;
	*) failed=2 ;;
	esac
done
[ "$failed" = 0 ] || exit "$failed"
${after:-:}
[ -n "$config" ] || exit 0

# Optional are ISA-L, which inflates about three times as fast as zlib, and libarchive, which reads
# zstd, xz, bzip2, lz4, zip and tar, and SQLite, which reads databases of profilers; these two are
# not linked, but looked for when they are needed.  libiberty, which reads mangled names, is an archive
# without a file for pkg-config.
have_liberty() {
	[ -z "$(missing_archive libiberty.a libiberty-dev)" ] &&
		echo '#include <libiberty/demangle.h>' | $cc -E - >/dev/null 2>&1
}
isal=
for library in libisal libarchive sqlite3 libiberty; do
	package=$library-dev
	[ $library != sqlite3 ] || package=libsqlite3-dev
	[ $library != libiberty ] || ! have_liberty || continue
	if ! have_lib $library && [ -z "$check" ] && may_install; then
		updated=1
		recommends=false
		install $package || true
	fi
done
if have_lib libisal; then
	isal=libisal
else
	say "without ISA-L (package libisal-dev): gzip is read with zlib, slower"
fi

archive=
if have_lib libarchive; then
	archive=libarchive
else
	say "without libarchive (package libarchive-dev): zstd, xz, bzip2, lz4, zip and tar are not read"
fi

sqlite=
if have_lib sqlite3; then
	sqlite=sqlite3
else
	say "without SQLite (package libsqlite3-dev): databases of Nsight Systems and rocprofv3 are not read"
fi

liberty=
if have_liberty; then
	liberty=1
else
	say "without libiberty (package libiberty-dev): mangled C++ names stay as they are"
fi

# The flags of a hardened build that this compiler takes for this machine (docs/security.md).
harden() {
	for flag in -fstack-protector-strong -fstack-clash-protection -fcf-protection; do
		echo 'int x;' | $cc -Werror "$flag" -x c -c -o /dev/null - 2>/dev/null && printf '%s ' "$flag"
	done
}

# xxHash is used as a header only, so its library is not linked.
mkdir -p "$(dirname "$config")"
{
	echo "# Written by tests/deps.sh; make deps writes it anew."
	# shellcheck disable=SC2086
	echo "PKG_CFLAGS := $(pkg-config --cflags zlib libpcre2-8 yaml-0.1 libxxhash $isal $archive $sqlite)" \
		"${isal:+-DHAVE_ISAL=1} ${archive:+-DHAVE_LIBARCHIVE=1} ${sqlite:+-DHAVE_SQLITE=1}" \
		"${liberty:+-DHAVE_LIBIBERTY=1}"
	# shellcheck disable=SC2086
	echo "PKG_LIBS := $(pkg-config --libs zlib libpcre2-8 yaml-0.1 $isal) ${liberty:+-liberty}"
	echo "HARDEN := $(harden)"
} >"$config.new" && mv "$config.new" "$config"
