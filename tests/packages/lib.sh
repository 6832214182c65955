# shellcheck shell=bash
# What the tests of packages share: counting, inputs, and whether another program answers as the
# build's does, byte for byte.  Sourced; TRACEQ, FIXTURES, BUILD and CC are the Makefile's.
set -u
: "${TRACEQ:?make test-packages}" "${FIXTURES:?}" "${BUILD:?}"
export TMPDIR="${TMPDIR:-/tmp}"
place=$(mktemp -d "$TMPDIR/traceq-packages.XXXXXX") || exit 2
trap 'rm -rf --one-file-system "$place"' EXIT
passed=0 failed=0 skipped=0

good() {
	passed=$((passed + 1))
	echo "ok   $*"
}
bad() {
	failed=$((failed + 1))
	echo "FAIL $*"
}
skip() { # skip N WHY
	skipped=$((skipped + $1))
	echo "SKIP: $2"
}
# check NAME COMMAND...: its output is shown where it fails.
check() {
	local name=$1
	shift
	if "$@" >"$place/said" 2>&1; then
		good "$name"
	else
		tail -n 40 "$place/said"
		bad "$name"
		return 1
	fi
}
finish() {
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" = 0 ]
}

# A make of its own, which knows nothing of the one that runs this.
own_make() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u B -u BUILD -u TRACEQ -u FIXTURES -u V -u SAN \
		make CC="${CC:-cc}" "$@"
}

# inputs FOLDER: traces of several kinds, in several wrappings.
inputs() {
	local f
	mkdir -p "$1"
	"$FIXTURES" dataloader-bound --steps 4 --memory >"$1/plain.json"
	gzip -n <"$1/plain.json" >"$1/plain.json.gz"
	for f in zstd:zst xz:xz bzip2:bz2 lz4:lz4; do
		if command -v "${f%:*}" >/dev/null; then
			"${f%:*}" -c <"$1/plain.json" >"$1/plain.json.${f#*:}"
		fi
	done
	# Names beyond ASCII, as members and as a file.
	mkdir -p "$1/läufe"
	cp "$1/plain.json" "$1/läufe/größe-日本.json"
	tar -C "$1" -cf "$1/runs.tar" läufe
	python3 -c 'import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + "/runs.zip", "w", zipfile.ZIP_DEFLATED) as z:
    z.write(sys.argv[1] + "/plain.json", "läufe/größe-日本.json")' "$1"
	"$FIXTURES" multi-gpu --steps 2 --layout nsys >"$1/report.sqlite"
	printf '{"loss": 1, "step": 1}\n{"loss": 0.5, "step": 2}\n' >"$1/log.jsonl"
	printf '{"traceEvents": [{"ph": "X", "na' >"$1/cut.json"
	printf 'not a trace\n' >"$1/none.json"
}

# asked FOLDER: the command lines that are compared, one a line.
asked() {
	local f q
	for f in "$1"/*; do
		for q in "top" "diagnose" "summary" "top --format json" "diagnose --format json" \
			"summary --format json" "info"; do
			echo "$q ${f##*/}"
		done
	done
	printf '%s\n' "help top" "explain self_cpu_ns" "steps plain.json --format csv" \
		"help --man top" "nothing" "top plain.json -f '('"
}

# plain_env COMMAND...: in an environment that is equal everywhere.
plain_env() {
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/nowhere TERM=dumb TZ=UTC \
		LC_ALL="${LOCALE:-C.UTF-8}" "$@"
}
# said FILE COMMAND...: what it says on both streams, and its exit code.
said() {
	local file=$1
	shift
	"$@" >"$file.out" 2>"$file.err" </dev/null
	echo "exit $?" >>"$file.err"
}

# same_answers NAME FOLDER COMMAND...: COMMAND with the words of a question behind it, in FOLDER or in what
# is that for it, says what $TRACEQ says there.
same_answers() {
	local name=$1 folder=$2 line n=0 differ=0
	shift 2
	while read -r line; do
		local words=()
		read -ra words <<<"$line"
		(cd "$folder" && said "$place/want" plain_env "$TRACEQ" "${words[@]}")
		(cd "$folder" && said "$place/came" plain_env "$@" "${words[@]}")
		n=$((n + 1))
		if ! cmp -s "$place/want.out" "$place/came.out" ||
			! cmp -s "$place/want.err" "$place/came.err"; then
			differ=$((differ + 1))
			echo "differs: $line"
			diff -u "$place/want.out" "$place/came.out" | head -n 10
			diff -u "$place/want.err" "$place/came.err" | head -n 10
		fi
	done < <(asked "$folder")
	if [ "$differ" = 0 ] && [ "$n" -gt 50 ]; then
		good "$name: $n answers are the build's"
	else
		bad "$name: $differ of $n answers differ"
	fi
}
