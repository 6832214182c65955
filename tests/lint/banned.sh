#!/bin/sh
# Calls that have no place here, and words that should not be committed.
#
# Everywhere: unbounded string functions, and number parsers that hide errors.  In the library also:
# exiting, writing to anything but a FILE the caller gave, and the libc number parsers, which are
# slow, know a locale and skip blanks.  base/xalloc.c is the one place that may end the program;
# base/opt.c and base/unit.c parse what a person typed.  Inputs are opened by base/reach.h alone, which holds
# traceq mcp to its folders, and files get their names by base/io.h alone, which asks base/door.h.  A line with "lint: allow NAME" in a comment is let through, with its reason there.
# Why: such a call hides an error, overruns a buffer, or goes past the one place that checks what it does.
set -u
cd "$(dirname "$0")/../.." || exit 2
everywhere='strcpy|stpcpy|strcat|sprintf|vsprintf|gets|strtok|atoi|atol|atoll|atof|alloca|tmpnam|mktemp'
library='printf|vprintf|puts|putchar|perror|exit|_exit|quick_exit|abort|err|errx|warn|warnx|setlocale'
parsers='strtol|strtoll|strtoul|strtoull|strtod|strtof|strtoimax|strtoumax|sscanf|fscanf|scanf'
doors='open|openat|fopen|freopen|opendir|scandir|scandirat|mmap|nftw|ftw|glob'
exits='rename|renameat|renameat2|link|linkat|symlink|symlinkat|creat|truncate|mkstemp|mkostemp|io_temp_place|io_temp_place_new'
streams='(stdout|stderr)([^A-Za-z0-9_]|$)'
status=0

# uses REGEX FILE...: lines of the files whose code matches.
uses() {
	regex=$1
	shift
	found=$(awk -v names=1 -f tests/lint/strip.awk "$@" |
		grep -E "^[^:]*:[0-9]+:(.*[^A-Za-z0-9_.>])?($regex)" |
		while IFS=: read -r f n text; do
			sed -n "${n}p" "$f" | grep -q 'lint: allow' && continue
			echo "$f:$n: $(echo "$text" | sed 's/^[[:space:]]*//')"
		done)
	[ -n "$found" ] || return 0
	echo "$found"
	status=1
}

# files FOLDER...: sources in them, but for those with rules of their own.
files() {
	find "$@" -name '*.[ch]' ! -path base/xalloc.c ! -path base/opt.c ! -path base/unit.c 2>/dev/null | LC_ALL=C sort
}

# shellcheck disable=SC2046 # names of files, without blanks
{
	uses "($everywhere)[[:space:]]*\\(" base/xalloc.c $(files cmd fixtures capture tests)
	uses "$streams|($everywhere|$library)[[:space:]]*\\(" base/opt.c base/unit.c
	uses "$streams|($everywhere|$library|$parsers)[[:space:]]*\\(" $(files base analyze report)
	uses "($exits)[[:space:]]*\\(" $(files analyze report edit cmd)
	uses "($doors)[[:space:]]*\\(" $(files analyze report edit cmd/load cmd/edit) cmd/*.c
}

# A step may have no event that marks it: its row is asked for, with an answer when there is none.
if git grep -nw mark_plus_1 -- '*.[ch]' ':!analyze/trace/run_steps*' ':!analyze/trace/steps_*'; then
	echo "mark_plus_1 above: step_event() asks for the row, and says when there is none"
	status=1
fi

# One word for one thing: docs/definitions.md says which, and what nobody says.
# shellcheck disable=SC2016 # backticks of Markdown
unsaid=$(awk -F'|' '/^# One word for one thing/ { on = 1 } on && NF > 4 { print $4 }' docs/definitions.md |
	grep -o '`[^`]*`' | tr -d '`' | paste -sd '|')
[ -n "$unsaid" ] || { echo "docs/definitions.md: no table 'One word for one thing'"; status=1; }
if git grep -nE "\"[^\"]*\b($unsaid)" -- '*.[ch]' '*.def' ':!tests' ':!fixtures' ':!analyze/input' ':!cmd/help/glossary.c' ':!edit/public_words.def' |
	grep -v '/\*'; then
	echo "words above: docs/definitions.md, 'One word for one thing'"
	status=1
fi

# A command to be typed is words, quoted in one place (base/shell.h), and nothing that printf makes of a name.
if git grep -nE "\"[^\"]*traceq [a-z-]+ [^\"']*%[.*]*s" -- '*.c' ':!tests' ':!cmd/help/completion*'; then
	echo "commands above: shell_command() or NEXT() quotes what they are made of"
	status=1
fi

words='TODO|FIXME|XXX|HACK'
if git grep -nwE "$words" -- . ':!tests/lint/banned.sh' ':!*.json' ':!*.gz' 2>/dev/null; then
	echo "words above: finish it, or open an issue"
	status=1
fi
exit "$status"
