#!/bin/bash
# peers.md, gates.md, statistics.md and documents.md name only tests that exist; every defect_NN of
# oracle/peers*.py is in peers.md; rows are numbered 1, 2, 3 ..., those of documents.md are the ids of
# its list, which has those of the documents themselves (SHARED, where it is there).  What comments and
# docs call a test or a file of tests/ is there.
# Why: a promise is worth as much as the test that it names, if there is one.
set -u
cd "$(dirname "$0")/../.." || exit 2
status=0

# has FILE NAME: the test NAME is in tests/FILE; without NAME, FILE is a golden.
has() {
	case $1 in
	*.c) grep -q "^static void $2(void \*\*state)" "tests/$1" 2>/dev/null ;;
	*.py) grep -q "^def $2(" "tests/$1" 2>/dev/null ;;
	*) [ -f "tests/$1.cmd" ] ;;
	esac
}

# prove FILE ROW TESTS: each test exists, and there is one.
prove() {
	local pair file name
	for pair in $(tr -d ' ' <<<"$3" | tr ',' ' '); do
		file=${pair%%:*} name=
		case $pair in *:*) name=${pair#*:} ;; esac
		if ! has "$file" "$name"; then
			echo "$1:$2: no test $pair"
			status=1
		fi
	done
	if [ -z "${3// /}" ]; then
		echo "$1:$2: no test is named"
		status=1
	fi
}

# rows FILE FIRST: first and last cell of the rows whose first cell matches.
rows() {
	awk -F'|' -v first="^ $2 \$" '$2 ~ first { n = $2; gsub(/ /, "", n); print n "\t" $(NF - 1) }' "$1"
}

# The last cell of a row names its tests.
for table in tests/{peers,gates,statistics}.md; do
	next=1
	while IFS=$'\t' read -r number tests; do
		if [ "$number" != $next ]; then
			echo "$table: $number, where $next is next"
			status=1
		fi
		next=$((number + 1))
		prove "$table" "$number" "$tests"
	done < <(rows "$table" '[0-9]+')
	if [ $next = 1 ]; then
		echo "$table: no rows"
		status=1
	fi
done

table=tests/documents.md
while IFS=$'\t' read -r id tests; do
	prove "$table" "$id" "$tests"
done < <(rows "$table" 'S[0-9A-Z]+-[A-Z]*[0-9]+')
listed=$(sed -n 's/^ *ids: //p' "$table" | tr ' ' '\n')
found=$(rows "$table" 'S[0-9A-Z]+-[A-Z]*[0-9]+' | cut -f 1)
if [ -z "$listed" ] || [ "$listed" != "$found" ]; then
	echo "$table: rows are not those of the list, in its order:"
	diff <(echo "$listed") <(echo "$found")
	status=1
fi
source=${SHARED:-../shared}/reference/documents.md
if [ -e "$source" ]; then
	missing=$(grep -oE '\bS[0-4]-[A-Z][0-9]+' "$source" | sort -u | comm -23 - <(sort <<<"$listed"))
	if [ -n "$missing" ]; then
		echo "$table: not in the list:" "${missing//$'\n'/ }"
		status=1
	fi
fi

while IFS=: read -r file name; do
	if ! grep -q "oracle/$file: $name\b" tests/peers.md; then
		echo "tests/oracle/$file: $name is not in tests/peers.md"
		status=1
	fi
done < <(cd tests/oracle &&
	grep -HoE '^def defect_[a-z0-9_]+' peers.py peers_record.py | sed 's/:def /:/')

# tests/FOLDER/NAME.py, test_NAME.c: in small letters, so that NAME itself is none.
while IFS=: read -r file line name; do
	case $name in
	tests/*) [ ! -e "$name" ] || continue ;;
	*) [ -z "$(find tests -name "$name" -print -quit)" ] || continue ;;
	esac
	echo "$file:$line: no $name"
	status=1
done < <(git grep -nowE 'tests/[a-z0-9_/-]+\.(c|h|py|sh|md|tsv|awk)|test_[a-z0-9_]+\.c' -- \
	'*.md' '*.c' '*.h' '*.def' '*.py' '*.sh' Makefile ':!tests/lint' ':!tests/fuzz/corpus' ':!tests/oracle/workshop.py' |
	sort -u -t : -k 3)
exit "$status"
