#!/bin/bash
# make test-fresh: README's two commands on a machine where nobody installed anything: a minimal
# Debian root with git, make and gcc, in which a clone of the last commit is built and tested.
#
# Needs root, debootstrap and a package mirror (that of /etc/apt, or MIRROR=URL); says so and counts
# two as skipped where one of them is missing.  The root is kept packed in $BUILD/fresh for the next
# time; KEEP=1 leaves the unpacked one.
set -u
cd "$(dirname "$0")/.." || exit 2
place=${BUILD:-$PWD/build}/fresh
root=$place/root
base=$place/base.tar

skip() {
	echo "SKIP: no fresh root: $1"
	echo "0 passed, 0 failed, 2 skipped"
	exit 0
}

# In a mount namespace of its own, so that nothing stays mounted however this ends.
if [ "${1-}" != --inside ]; then
	[ "$(id -u)" = 0 ] || skip "only root can make one"
	[ -r /etc/debian_version ] || skip "this is no Debian or Ubuntu"
	unshare --mount true 2>/dev/null || skip "mounts are not allowed here"
	command -v debootstrap >/dev/null || tests/deps.sh fresh || skip "debootstrap is not installed"
	exec unshare --mount "$0" --inside
fi

# The mirror and the suite of this machine.
mirror=${MIRROR:-$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
	grep -oE '^(URIs:|deb) +[^[]*' | grep -oE '[a-z]+://[^ ]+' | head -n 1)}
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
[ -n "$mirror$suite" ] || skip "neither mirror nor suite is known"

mkdir -p "$place"
rm -rf --one-file-system "$root"
if [ ! -e "$base" ]; then
	echo "fresh: making a minimal root of $suite"
	if ! debootstrap --variant=minbase --include=git,make,gcc,libc6-dev,ca-certificates \
		"$suite" "$root" "$mirror" >"$place/debootstrap.log" 2>&1; then
		tail -n 5 "$place/debootstrap.log"
		rm -rf --one-file-system "$root"
		skip "debootstrap failed, see $place/debootstrap.log"
	fi
	# Packages come from where this machine gets them.
	cp -r /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf.d "$root/etc/apt/" 2>/dev/null
	tar -C "$root" -cf "$base.new" . && mv "$base.new" "$base"
else
	mkdir "$root" && tar -C "$root" -xf "$base"
fi
cp -L /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys" 2>/dev/null
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mkdir "$root/dev/pts" "$root/dev/shm"
for device in null zero full random urandom tty; do
	touch "$root/dev/$device" && mount --bind "/dev/$device" "$root/dev/$device"
done
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
git clone -q --no-hardlinks . "$root/traceq" || exit 2
rm -rf "$root/traceq/.git/hooks"

passed=0 failed=0
for target in demo test; do
	start=$SECONDS
	if chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
		make -C /traceq -j"$(nproc)" "$target" >"$place/$target.log" 2>&1 </dev/null; then
		passed=$((passed + 1))
		echo "ok   make $target: $((SECONDS - start)) s: $(tail -n 1 "$place/$target.log")"
	else
		failed=$((failed + 1))
		grep -vE '^(  CC|ok) ' "$place/$target.log" | tail -n 60
		echo "FAIL make $target: $((SECONDS - start)) s: see $place/$target.log"
	fi
done
[ -n "${KEEP-}" ] || rm -rf --one-file-system "${root:?}/traceq" "${root:?}/usr"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
