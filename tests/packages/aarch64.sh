#!/bin/bash
# The build for aarch64, run by qemu: unit tests of what reads bytes (the NEON scanner, char without a
# sign, memory order), and goldens of each reader and of the common answers.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 2
# shellcheck source=tests/packages/lib.sh
. tests/packages/lib.sh
: "${ARM:=$PWD/build/aarch64/release}"

if ! tests/deps.sh --check cross 2>/dev/null && ! tests/deps.sh cross; then
	skip 5 "no compiler, libraries or qemu for aarch64"
	finish
	exit
fi
emulate=qemu-aarch64-static
# The program as one file that can be started.
wrapped=$place/traceq
printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$emulate" "$ARM/traceq" >"$wrapped"
chmod +x "$wrapped"

is_neon() { "$wrapped" --version | grep -F ', neon)'; }
goldens() {
	TRACEQ=$wrapped CLI_TIMEOUT=300 tests/cli/run.sh input/ answer/top/ answer/summary/ answer/steps/ \
		answer/info/ answer/check/ answer/critical/ cmd/edit/
}
# Those that go over every artifact or every window size take minutes each here.
slow=' test_artifacts test_pipeline test_database '
unit() {
	local t
	for t in "$@"; do
		[[ $slow != *" $t "* ]] || continue
		GATE_PART=1 timeout 300 "$emulate" "$ARM/unit/all" "$t" || return 1
	done
}

check "make cross-aarch64" own_make -j"$(nproc)" arm-tests || { finish; exit; }
check "scans by NEON" is_neon
for folder in $(find tests/unit/base tests/unit/analyze/input -name 'test_*.c' -printf '%h\n' | sort -u); do
	mapfile -t tests < <(find "$folder" -maxdepth 1 -name 'test_*.c' -printf '%f\n' | sort)
	check "${folder#tests/}" unit "${tests[@]%.c}"
done
inputs "$place/in"
same_answers "aarch64" "$place/in" "$wrapped"
check "goldens" goldens && tail -n 1 "$place/said"
finish
