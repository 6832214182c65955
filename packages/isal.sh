#!/bin/sh
# isal.sh DIR [TARGET]: ISA-L's readers of .gz as DIR/libisal.a, with their headers in DIR/include.
#
# Debian has no archive of ISA-L, but its source package: that is fetched from where this machine has
# its packages from, and compiled.  TARGET: the prefix of a cross compiler (aarch64-linux-gnu).
set -eu
dir=$1 target=${2:-}
[ ! -e "$dir/libisal.a" ] || exit 0

mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/parts" "$work/source"

# What apt reads packages from, but for sources; nothing of the machine's own lists changes.
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
	[ ! -e "$list" ] || sed -n 's/^deb /deb-src /p' "$list" >>"$work/parts/source.list"
done
for list in /etc/apt/sources.list.d/*.sources; do
	[ ! -e "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$work/parts/$(basename "$list")"
done
apt() {
	apt-get -qq -o Dir::State::Lists="$work/lists" -o Dir::Etc::SourceList=/dev/null \
		-o Dir::Etc::SourceParts="$work/parts" -o APT::Sandbox::User=root "$@"
}
(cd "$work" && apt update && apt source --download-only libisal2) >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	echo "isal: the source package libisal cannot be had" >&2
	exit 2
}
tar -xf "$work"/libisal_*.orig.tar.* -C "$work/source" --strip-components=1

# Its own Makefile knows processors by the machine's name.
set -- -f Makefile.unx -C "$work/source" units='igzip crc' DEBUG= DEBUG_nasm=
case $target in
'') ;;
*) set -- "$@" arch=aarch64 host_cpu=aarch64 CC="$target-gcc" AR="$target-ar" ;;
esac
make -s "$@" lib >"$work/log" 2>&1 || {
	tail -n 20 "$work/log" >&2
	exit 2
}
mkdir -p "$dir/include/isa-l"
cp "$work"/source/include/*.h "$dir/include/isa-l/"
cp "$work/source/bin/isa-l.a" "$dir/libisal.a.new"
mv "$dir/libisal.a.new" "$dir/libisal.a"
