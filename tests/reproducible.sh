#!/bin/bash
# make test-reproducible: the last commit built in two folders of different names gives the same
# program and the same capture library, byte for byte.
set -u
cd "$(dirname "$0")/.." || exit 2
place=$(mktemp -d "${TMPDIR:-/tmp}/traceq-twice.XXXXXX") || exit 2
trap 'rm -rf "$place"' EXIT
passed=0 failed=0
for folder in one "another one"; do
	git clone -q . "$place/$folder" || exit 2
	if ! make -C "$place/$folder" -j"$(nproc)" >"$place/$folder.log" 2>&1; then
		tail -n 20 "$place/$folder.log"
		exit 2
	fi
done
for file in traceq libtraceq-capture.so; do
	if cmp "$place/one/build/release/$file" "$place/another one/build/release/$file"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
