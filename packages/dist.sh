#!/bin/sh
# dist.sh FILE: a tarball of the last commit.  Its names, times and owners are those of the commit, so
# that two of one commit are equal; .commit in it says which that is.
set -eu
cd "$(dirname "$0")/.."
version=$(cat VERSION)
if ! git rev-parse --verify -q HEAD >/dev/null 2>&1 || [ "$(git rev-parse --show-prefix)" ]; then
	echo "dist: needs a checkout with git: a tarball holds a commit" >&2
	exit 2
fi
git diff-index --quiet HEAD -- || echo "dist: of the last commit: what is not committed is left out" >&2
mkdir -p "$(dirname "$1")"
git -c tar.umask=0022 archive --format=tar --prefix="traceq-$version/" HEAD >"$1.tar"
gzip -n -9 <"$1.tar" >"$1.new"
rm "$1.tar"
mv "$1.new" "$1"
echo "$1"
