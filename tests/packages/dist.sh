#!/bin/bash
# The tarball: equal from two clones, names nobody's account, and all that is needed to build is in it,
# where there is no git.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 2
# shellcheck source=tests/packages/lib.sh
. tests/packages/lib.sh

if ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then
	skip 5 "no checkout with git"
	finish
	exit
fi
version=$(cat VERSION)
commit=$(git rev-parse HEAD)
git clone -q . "$place/a clone" || exit 2
tarball=build/traceq-$version.tar.gz
own_dist() { (cd "$1" && own_make dist); }
owned_by_root() {
	[ "$(tar --numeric-owner -tvzf "$tarball" | awk '{ print $2 }' | sort -u)" = 0/0 ] &&
		[ "$(tar -tvzf "$tarball" | awk '{ print $4, $5 }' | sort -u | wc -l)" = 1 ]
}
# A git that cannot be run, and a build in a folder beside which there is none.
demo_without_git() {
	mkdir "$place/no-git" "$place/from"
	printf '#!/bin/sh\nexit 127\n' >"$place/no-git/git"
	chmod +x "$place/no-git/git"
	tar -C "$place/from" -xzf "$tarball" &&
		(cd "$place/from/traceq-$version" && PATH=$place/no-git:$PATH own_make -j"$(nproc)" demo)
}
knows_itself() {
	"$place/from/traceq-$version/build/release/traceq" --version |
		grep -F "traceq $version (${commit:0:10}, "
}

check "make dist" own_dist . || { finish; exit; }
check "make dist in a clone" own_dist "$place/a clone"
check "two are equal" cmp "$tarball" "$place/a clone/$tarball"
check "one time, no account" owned_by_root
check "make demo without git" demo_without_git && check "version and commit" knows_itself
finish
