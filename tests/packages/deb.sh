#!/bin/bash
# The package for Debian: lintian has nothing to say, two are equal, and installed into a minimal Debian
# it answers as the build does, is upgraded, and leaves nothing behind.
#
# The root needs root, debootstrap and a package mirror (that of /etc/apt, or MIRROR=URL); it is kept
# packed in $BUILD/packages for the next time.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 2
if [ "${1-}" != --inside ] && [ "$(id -u)" = 0 ] && unshare --mount true 2>/dev/null; then
	exec unshare --mount "$here/deb.sh" --inside
fi
# shellcheck source=tests/packages/lib.sh
. tests/packages/lib.sh
version=$(cat VERSION)
kept=$BUILD/packages
base=$kept/base.tar
root=$place/root
trap 'umount "$root/proc" "$root/dev" 2>/dev/null; rm -rf --one-file-system "$place"' EXIT

if ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then
	skip 10 "no checkout with git"
	finish
	exit
fi
tests/deps.sh --check deb 2>/dev/null || tests/deps.sh deb || {
	skip 10 "what builds packages is missing"
	finish
	exit
}
deb=$PWD/build/traceq_${version}_$(dpkg --print-architecture).deb

# ---- the package by itself ----
again() {
	mkdir "$place/second" &&
		PLACE="$place/again" packages/deb.sh "build/traceq-$version.tar.gz" "$place/second/${deb##*/}"
}
lintian_is_silent() {
	local said
	said=$(lintian --allow-root --fail-on none "build/deb/traceq_${version}_"*.changes 2>&1)
	echo "$said"
	[ -z "$said" ]
}
same_file() { cmp "$deb" "$place/second/${deb##*/}"; }
pages_are_read() {
	local page n=0
	for page in "$place"/tree/usr/share/man/man1/*.gz; do
		LC_ALL=C.UTF-8 man -l "$page" >"$place/page" 2>"$place/complaints"
		if ! grep -q '^NAME' "$place/page" || [ -s "$place/complaints" ]; then
			echo "$page" && cat "$place/complaints"
			return 1
		fi
		n=$((n + 1))
	done
	[ "$n" -gt 30 ]
}
all_in_place() {
	local file
	for file in share/bash-completion/completions/traceq share/zsh/vendor-completions/_traceq \
		share/fish/vendor_completions.d/traceq.fish lib/traceq/libtraceq-capture.so \
		share/traceq/slurm/submit.sh share/traceq/ci/gate.sh share/doc/traceq/CHANGELOG.md share/doc/traceq/docs/formats.md; do
		[ -s "$place/tree/usr/$file" ] && continue
		echo "no $file"
		return 1
	done
}
# ---- in a root ----
mirror=${MIRROR:-$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
	grep -oE '^(URIs:|deb) +[^[]*' | grep -oE '[a-z]+://[^ ]+' | head -n 1)}
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
	DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 TERM=dumb TZ=UTC "$@"; }
make_root() {
	mkdir -p "$kept" "$root"
	if [ ! -e "$base" ]; then
		debootstrap --variant=minbase "$suite" "$root" "$mirror" || return 1
		tar -C "$root" -cf "$base.new" . && mv "$base.new" "$base"
	else
		tar -C "$root" -xf "$base"
	fi
	cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
	mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/dev" &&
		mknod -m 666 "$root/dev/null" c 1 3 && mknod -m 666 "$root/dev/urandom" c 1 9
}
files() { (cd "$root" && find . -xdev -path ./proc -prune -o -path ./var/lib/dpkg -prune -o \
	-path ./var/cache -prune -o -path ./var/log -prune -o -print | LC_ALL=C sort); }
# What it depends on and recommends comes first, and stays: the package alone is looked at.
libraries_there() {
	inside apt-get -q -y update &&
		inside apt-get -q -y --no-install-recommends install libarchive13 libsqlite3-0 libisal2 \
			libpcre2-8-0 libyaml-0-2 zlib1g
}
# The same with an older version and a file that the new one has not.
older() {
	cp -r "$place/tree" "$place/older" && dpkg-deb -e "$deb" "$place/older/DEBIAN" &&
		sed -i 's/^Version:.*/Version: 0.1.0/' "$place/older/DEBIAN/control" &&
		echo gone >"$place/older/usr/share/traceq/gone" &&
		dpkg-deb -b "$place/older" "$root/older.deb" && inside dpkg -i /older.deb
}
upgraded() {
	cp "$deb" "$root/new.deb" && [ -e "$root/usr/share/traceq/gone" ] && inside dpkg -i /new.deb &&
		[ ! -e "$root/usr/share/traceq/gone" ] && inside traceq --version | grep -F "traceq $version ("
}
purged() { inside dpkg -P traceq && files >"$place/after" && diff "$place/before" "$place/after"; }
without_recommended() { # said, not guessed
	inside dpkg -r --force-depends libarchive13 && inside traceq top in/plain.json.zst 2>&1 | grep libarchive13
}

check "make deb" own_make deb || { finish; exit; }
check "lintian is silent" lintian_is_silent
check "built again" again && check "both are equal" same_file
dpkg-deb -x "$deb" "$place/tree"
check "all is in place" all_in_place
if command -v man >/dev/null; then
	check "manual pages are read" pages_are_read
else
	skip 1 "man is not installed"
fi
inputs "$place/in"
if [ "${1-}" != --inside ]; then
	same_answers "unpacked" "$place/in" "$place/tree/usr/bin/traceq"
	skip 5 "only root with mounts of its own can make a Debian"
elif ! command -v debootstrap >/dev/null && ! tests/deps.sh fresh; then
	same_answers "unpacked" "$place/in" "$place/tree/usr/bin/traceq"
	skip 5 "debootstrap is not installed"
elif ! make_root >"$place/root.log" 2>&1 || ! libraries_there >>"$place/root.log" 2>&1; then
	tail -n 5 "$place/root.log"
	same_answers "unpacked" "$place/in" "$place/tree/usr/bin/traceq"
	skip 5 "no root of $suite could be made"
else
	cp -r "$place/in" "$root/in"
	: >"$root/older.deb" && : >"$root/new.deb"
	files >"$place/before"
	check "an older one is installed" older
	check "it is upgraded" upgraded
	same_answers "installed" "$root/in" chroot "$root" env -C /in /usr/bin/traceq
	check "purged, it leaves nothing" purged
	inside dpkg -i /new.deb >/dev/null 2>&1
	check "without libarchive it says so" without_recommended
fi
finish
