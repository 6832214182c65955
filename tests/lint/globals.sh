#!/bin/sh
# No mutable data in the library: looks at the sections of its objects.  Tables of pointers, which
# only the loader writes (.data.rel.ro), are constant.  A name in tests/lint/globals.txt may stay;
# its line there says why.
# Why: runs are read side by side in threads, and what one leaves behind would be in another's answer.
set -u
cd "$(dirname "$0")/../.." || exit 2
lib=${B:-build/release}/libtraceq.a
[ -e "$lib" ] || { echo "no $lib: make first"; exit 1; }

nm -f sysv "$lib" 2>/dev/null | awk -F'|' '
FILENAME == "tests/lint/globals.txt" {
	split($0, word, " ")
	allowed[word[1]] = 1
	next
}
/^[^|]*\[?.*\.o\]?:$/ { object = $0; gsub(/.*\[|\]?:$/, "", object) }
NF == 7 {
	gsub(/ /, "")
	if ($7 ~ /^\.(data|bss|tbss|tdata)/ && $7 !~ /^\.data\.rel\.ro/ && !($1 in allowed) &&
	    $1 !~ /^__(compound|func)|^\.|^__(a|t|ub)san|^completed/) {
		print object ": mutable " ($4 == "TLS" ? "thread-local " : "") $1 " in " $7
		bad = 1
	}
}
END { exit bad }' tests/lint/globals.txt -
