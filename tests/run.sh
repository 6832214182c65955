#!/bin/bash
# make test: runs every part and adds up to one closing line, "N passed, N failed, N skipped".
#
#   run.sh                    unit, cli, oracle, replay, fixtures
#   run.sh --only PART        one of them
#   run.sh --room             those that ROOM lists, as tests/room.py prints them (make test T=WORD)
#   run.sh --memory           those with memory to get wrong, for SAN=address,undefined
#   run.sh --threads          those that start threads, for SAN=thread; THREADED: the unit programs
#
# CHECK_ALL=1: what the gate takes a part of is taken whole (tests/README.md).
# The Makefile says where things are: B (the variant's folder), TRACEQ, FIXTURES, SHARED, SAN.
# Every runner but a unit program (TAP) ends with such a line of its own; one without it has failed.
# Failures, and everything with V=1, are shown; the rest is in $B/log.
set -u
cd "$(dirname "$0")/.." || exit 2
: "${B:=$PWD/build/release}" "${BUILD:=$PWD/build}" "${SHARED:=../shared}" "${SAN:=}"
export TRACEQ=${TRACEQ:-$B/traceq} FIXTURES=${FIXTURES:-$B/fixtures} B BUILD SAN
SHARED=$(realpath -m "$SHARED")
export SHARED
# The distribution's python3 first: others are often scripts that look for one, and built without profiles.
[ ! -x /usr/bin/python3 ] || PATH=/usr/bin:$PATH

# A sanitizer's finding has an exit code of its own: 1 and 2 are answers of the program.
export ASAN_OPTIONS=exitcode=99:detect_leaks=1 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1
export TSAN_OPTIONS=exitcode=99
# Sanitizers of these years cannot place their shadow under every kernel's address randomisation.
if [ -n "$SAN" ] && [ -z "${ASLR_OFF-}" ] && setarch -R true 2>/dev/null; then
	ASLR_OFF=1 exec setarch -R "$0" "$@"
fi

# What tests write is read at once and removed: where memory has room for it and runs programs, it is
# kept there: on a disk the goldens take a fifth more of the processors.
if [ -z "${TMPDIR-}" ] && [ "0$(df --output=avail /dev/shm 2>/dev/null | tail -n 1 | tr -d " ")" -ge $((4 << 20)) ] &&
	[ "0$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo 2>/dev/null)" -ge $((8 << 20)) ]; then
	trap 'rm -rf "$memory"' EXIT
	memory=$(mktemp -d /dev/shm/tq.XXXXXX) && cp /bin/sh "$memory/sh" &&
		"$memory/sh" -c : 2>/dev/null && rm "$memory/sh" && export TMPDIR=$memory
fi

# Of goldens and oracles a sanitizer's run in the gate has those that reach other code than the rest
# and whose time is the program's own; make check-all runs all of them (tests/README.md).
only='' threads='' goldens=() oracles='' simulations='' room=''
case ${1-} in
--only) only=$2 ;;
--room) room=" ${ROOM:?tests/room.py says which tests} " ;;
--memory)
	goldens=(cli/input/ cmd/baseline/ cmd/completion/ cmd/config/ cmd/digest/ cmd/plot/ cmd/report/ cmd/usage/
		/check/ /critical/default /critical/list /hang/ /info/ /stacks/ /memory/ /timeline/ /diff/ /gate/history /gate/reports /gate/drift)
	oracles=' artifacts capture store '
	simulations=' nights contrast_rates decide rates jobwhy_noise ' # arithmetic, many times
	;;
--threads)
	threads=1
	goldens=(/top/{by,cut,inflaters,json,memory-beside,no-trace,ranks,threads} /digest/threads
		/report/{diff,folders,layouts,links,log,markdown,mixed,nightly,nothing,run})
	oracles=' capture '
	;;
esac
# What of many alike a unit program may leave out under a sanitizer (loading_every, tests/unit/loading.h).
[ -z "$oracles" ] || [ -n "${CHECK_ALL-}" ] || export GATE_PART=1
log=$B/log
mkdir -p "$log"
passed=0 failed=0 skipped=0

# tally PART NAME SECONDS CPU PASSED FAILED SKIPPED LOG: adds a runner's result and prints its line,
# with the time it took and that of the processors.
tally() {
	local word=ok
	passed=$((passed + $5)) failed=$((failed + $6)) skipped=$((skipped + $7))
	[ "$6" = 0 ] || word=FAIL
	if [ "$word" = FAIL ] || [ -n "${V-}" ]; then
		grep -vE '^[0-9]+ passed, [0-9]+ failed' "$8" | tail -n 200
	fi
	printf '%-4s %-8s %-24s %5d passed, %d failed, %d skipped %4d s %4d cpu\n' \
		"$word" "$1" "$2" "$5" "$6" "$7" "$3" "$4"
}

# cpu_of FILE: seconds of the processors that children used, of what `times` said.
cpu_of() {
	tail -n 1 "$1" | tr 'ms.' '   ' | {
		read -r um us _ sm ss _
		echo $((um * 60 + us + sm * 60 + ss))
	}
}

# start PART NAME COMMAND...: a runner beside the others, as many at once as there are cores.
# start_beside: the same for what mostly waits, for programs that are recorded: one more at a time.
pending=() beside=0
start_beside() {
	start "$@"
	beside=1
}
start() {
	local out=$log/$1-$2 limit=1500
	[ "$1" != unit ] || limit=600
	while [ "$(jobs -rp | wc -l)" -ge $(($(nproc) + beside)) ]; do
		wait -n
		count_ended
	done
	pending+=("$1 $2")
	rm -f "$out.code"
	shift 2
	{
		SECONDS=0
		CMOCKA_MESSAGE_OUTPUT=TAP timeout -k 5 "$limit" "$@" >"$out.log" 2>&1 </dev/null
		echo "$? $SECONDS" >"$out.code.new"
		times >"$out.times"
		mv "$out.code.new" "$out.code"
	} &
}

# count_ended: counts the runners that have ended since.
count_ended() {
	local one part name code seconds still=()
	for one in "${pending[@]}"; do
		read -r part name <<<"$one"
		if [ -e "$log/$part-$name.code" ]; then
			read -r code seconds <"$log/$part-$name.code"
			judge "$part" "$name" "$code" "$seconds" "$(cpu_of "$log/$part-$name.times")"
		else
			still+=("$one")
		fi
	done
	pending=("${still[@]}")
}

# count_lost: runners that are over but left no word of how they ended have failed.
count_lost() {
	local one part name
	for one in "${pending[@]}"; do
		read -r part name <<<"$one"
		judge "$part" "$name" unknown 0 0
	done
}

# count_line FILE: p, f and s from a runner's closing line.
count_line() {
	local line
	line=$(tail -n 1 "$1")
	if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
		p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[4]:-0}
	else
		echo "no closing line" >>"$1"
		f=1
	fi
}

# count_tap FILE: the same from a unit program's lines, of which there is one for each test.
count_tap() {
	s=$(grep -cE '^(not )?ok [0-9]+.*# SKIP' "$1")
	p=$(grep -E '^ok [0-9]+' "$1" | grep -cv '# SKIP')
	f=$(grep -E '^not ok [0-9]+' "$1" | grep -cv '# SKIP')
	[ $((p + f + s)) -gt 0 ] || f=1
}

# judge PART NAME CODE SECONDS CPU: what a runner that has ended left in its log.
judge() {
	local part=$1 name=$2 code=$3 out=$log/$1-$2.log p=0 f=0 s=0
	if [ "$part" = unit ]; then
		count_tap "$out"
	else
		count_line "$out"
	fi
	if [ "$code" != 0 ] && [ "$f" = 0 ]; then
		f=1
		echo "$name: exit $code, after $p passed" >>"$out"
	fi
	[ "$f" != 0 ] || grep -E '^(skip|SKIP)' "$out"
	tally "$part" "$name" "$4" "$5" "$p" "$f" "$s" "$out"
}

# With --threads, only unit programs that the Makefile lists, and whole commands; with --memory none
# that only repeats what it does.
wanted() {
	[[ $simulations != *" $1 "* ]] || return 1
	[ -z "$threads" ] || [[ " $THREADED command " == *" $1 "* ]]
}

# in_room KIND:NAME: with --room, only the tests of that list.
in_room() { [ -z "$room" ] || [[ $room == *" $1 "* ]]; }

part_unit() {
	local t
	for t in $(find tests/unit -name 'test_*.c' -printf '%f\n' | LC_ALL=C sort); do
		t=${t%.c}
		wanted "${t#test_}" || continue
		in_room "unit:$t" || continue
		if [ -n "$room" ]; then
			start unit "$t" "$B/unit/room" "$t"
		elif [ -n "$threads" ]; then
			start unit "$t" "$B/unit/$t" # of the few it runs, programs are quicker made
		else
			start unit "$t" "$B/unit/all" "$t"
		fi
	done
}
part_cli() {
	if [ -n "$room" ]; then
		mapfile -t goldens < <(tr ' ' '\n' <<<"$room" | sed -n 's/^cli://p')
		[ ${#goldens[@]} -gt 0 ] || return 0
	fi
	start cli goldens tests/cli/run.sh "${goldens[@]}"
}
part_fixtures() {
	[ -n "$oracles" ] || start fixtures selfcheck python3 -B fixtures/selfcheck.py "$FIXTURES" ${CHECK_ALL:+--all}
}
part_oracle() {
	local t
	for t in tests/oracle/[a-z]*.py; do
		t=$(basename "$t" .py)
		[ -z "$oracles" ] || [[ $oracles == *" $t "* ]] || continue
		in_room "oracle:$t" || continue
		[ "$t" != capture ] || continue # begun already
		start oracle "$t" python3 -B tests/oracle "$t"
	done
}
# Programs in memory run as no other user, which capture tries.
part_beside() { ! in_room oracle:capture || start_beside oracle capture env -u TMPDIR python3 -B tests/oracle capture; }
part_replay() {
	local t name
	for t in tests/fuzz/fuzz_*.c; do
		t=$B/replay/$(basename "$t" .c)
		name=${t##*/fuzz_}
		if [ ! -x "$t" ] || ! wanted "$name"; then
			continue
		elif [ -d "tests/fuzz/corpus/$name" ]; then
			start replay "$name" "$t" "tests/fuzz/corpus/$name"
		else
			start replay "$name" "$t"
		fi
	done
}

[ -d "$SHARED" ] || echo "SKIP: no folder $SHARED: what needs its real traces is skipped"
if [ -z "$only" ] || [ "$only" = oracle ]; then part_beside; fi
for part in fixtures unit cli oracle replay; do # the longest first
	[ -z "$room" ] || [[ " unit cli oracle " == *" $part "* ]] || continue
	[ -z "$only" ] || [ "$only" = "$part" ] || continue
	"part_$part"
done
while wait -n; [ -n "$(jobs -rp)" ]; do count_ended; done
wait
count_ended
count_lost
[ "$failed" = 0 ] || echo "logs: $log"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ $((passed + skipped)) -gt 0 ]
