#!/bin/sh
# deb.sh TARBALL FILE: a package for Debian, built in a folder that holds nothing but the tarball.
# The time in it is that of debian/changelog, so that two of one commit are equal.
set -eu
# A build in a tree of its own knows nothing of a run of make that is around it.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES BUILD B TRACEQ FIXTURES SAN
tarball=$(realpath "$1")
place=${PLACE:-$(dirname "$tarball")/deb}
file=$(realpath -m "$2")
rm -rf "$place"
mkdir -p "$place"
tar -C "$place" -xzf "$tarball"
cd "$place"/traceq-*
if ! DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS-parallel=$(nproc)} \
	dpkg-buildpackage --build=binary --unsigned-source --unsigned-changes >"$place/log" 2>&1; then
	tail -n 30 "$place/log" >&2
	echo "deb: failed; all of it is in $place/log" >&2
	exit 2
fi
cp "$place/$(basename "$file")" "$file"
echo "$2"
