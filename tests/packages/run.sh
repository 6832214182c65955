#!/bin/bash
# make test-packages: each way to install traceq, tested; what it needs and is not here is skipped.
set -u
cd "$(dirname "$0")" || exit 2
passed=0 failed=0 skipped=0
for part in dist static wheel container deb aarch64; do
	echo "== $part"
	start=$SECONDS
	line=$("./$part.sh" | tee /dev/stderr | tail -n 1)
	if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
		passed=$((passed + BASH_REMATCH[1]))
		failed=$((failed + BASH_REMATCH[2]))
		skipped=$((skipped + BASH_REMATCH[3]))
	else
		failed=$((failed + 1))
	fi
	echo "   $((SECONDS - start)) s"
done 2>&1
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
