#!/bin/sh
# Calls that have no place here, and words that should not be committed.
#
# Everywhere: unbounded string functions, and number parsers that hide errors.  In the library also:
# exiting, writing to anything but a FILE the caller gave, and the libc number parsers, which are
# slow, know a locale and skip blanks.  base/die.c is the one place that may end the program;
# base/opt.c and base/unit.c parse what a person typed.  A line with "lint: allow NAME" in a comment is let through, with its reason there.
set -u
cd "$(dirname "$0")/../.." || exit 2
everywhere='strcpy|stpcpy|strcat|sprintf|vsprintf|gets|strtok|atoi|atol|atoll|atof|alloca|tmpnam|mktemp'
library='printf|vprintf|puts|putchar|perror|exit|_exit|quick_exit|abort|err|errx|warn|warnx|setlocale'
parsers='strtol|strtoll|strtoul|strtoull|strtod|strtof|strtoimax|strtoumax|sscanf|fscanf|scanf'
streams='(stdout|stderr)([^A-Za-z0-9_]|$)'
status=0

# uses REGEX FILE: lines of FILE whose code matches.
uses() {
	awk -f tests/lint/strip.awk "$2" |
		grep -nE "(^|[^A-Za-z0-9_.>])($1)" |
		while IFS=: read -r n text; do
			sed -n "${n}p" "$2" | grep -q 'lint: allow' && continue
			echo "$2:$n: $(echo "$text" | sed 's/^[[:space:]]*//')"
		done
}

for f in $(find base analyze report cmd fixtures capture tests -name '*.[ch]' 2>/dev/null |
	LC_ALL=C sort); do
	calls=$everywhere words=
	case $f in
	base/die.c) ;;
	base/opt.c | base/unit.c) calls="$calls|$library" words="$streams|" ;;
	base/* | analyze/* | report/*) calls="$calls|$library|$parsers" words="$streams|" ;;
	esac
	found=$(uses "$words($calls)[[:space:]]*\\(" "$f")
	if [ -n "$found" ]; then
		echo "$found"
		status=1
	fi
done

words='TODO|FIXME|XXX|HACK'
if git grep -nwE "$words" -- . ':!tests/lint/banned.sh' ':!*.json' ':!*.gz' 2>/dev/null; then
	echo "words above: finish it, or open an issue"
	status=1
fi
exit "$status"
