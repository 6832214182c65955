#!/bin/bash
# The static program: needs nothing at run time, is small, answers as the build's does, passes the
# goldens, and says what it cannot do.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 2
# shellcheck source=tests/packages/lib.sh
. tests/packages/lib.sh
program=$PWD/build/static/traceq

needs_nothing() {
	! readelf -lW "$program" | grep -q INTERP && ! readelf -d "$program" | grep -q NEEDED
}
is_small() { [ "$(stat -c %s "$program")" -lt 8000000 ]; }
# But for ISA-L, which Debian has no archive of.
same_version() {
	[ "$("$TRACEQ" --version | sed 's/ISA-L, //')" = "$("$program" --version | sed 's/ISA-L, //')" ]
}
capture_says() {
	"$program" capture --check 2>&1 | grep -q 'which a static traceq cannot' &&
		"$program" capture --env | grep -q "build/static/libtraceq-capture.so" &&
		cp "$program" "$place/alone" &&
		"$place/alone" capture true 2>&1 | grep -q 'neither beside traceq nor in ../lib/traceq'
}
draws_the_same() {
	"$TRACEQ" plot idle-causes "$place/in/plain.json" -o "$place/want.svg" &&
		"$program" plot idle-causes "$place/in/plain.json" -o "$place/came.svg" &&
		cmp "$place/want.svg" "$place/came.svg"
}
goldens() { TRACEQ=$program tests/cli/run.sh; }

tests/deps.sh --check static 2>/dev/null || tests/deps.sh static || {
	skip 7 "archives of libraries are missing"
	finish
	exit
}
check "make static" own_make -j"$(nproc)" static || { finish; exit; }
check "no library at run time" needs_nothing
check "less than 8 MB" is_small
check "the build's version" same_version
check "capture says what it lacks" capture_says
inputs "$place/in"
same_answers "static" "$place/in" "$program"
if command -v gnuplot >/dev/null; then
	check "charts are the build's" draws_the_same
else
	skip 1 "gnuplot is not installed"
fi
check "goldens" goldens && tail -n 1 "$place/said"
finish
