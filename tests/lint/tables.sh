#!/bin/bash
# peers.md, gates.md and statistics.md name only tests that exist; every defect_NN of
# oracle/peers*.py is in peers.md; rows are numbered 1, 2, 3 ...
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

# The last cell of a row names its tests.
for table in peers gates statistics; do
	next=1
	while IFS=$'\t' read -r number tests; do
		if [ "$number" != $next ]; then
			echo "tests/$table.md: $number, where $next is next"
			status=1
		fi
		next=$((number + 1))
		for pair in $(tr -d ' ' <<<"$tests" | tr ',' ' '); do
			file=${pair%%:*} name=
			case $pair in *:*) name=${pair#*:} ;; esac
			if ! has "$file" "$name"; then
				echo "tests/$table.md:$number: no test $pair"
				status=1
			fi
		done
		if [ -z "${tests// /}" ]; then
			echo "tests/$table.md:$number: no test is named"
			status=1
		fi
	done < <(awk -F'|' '/^\| [0-9]+ / { n = $2; gsub(/ /, "", n); print n "\t" $(NF - 1) }' \
		"tests/$table.md")
	if [ $next = 1 ]; then
		echo "tests/$table.md: no rows"
		status=1
	fi
done

while IFS=: read -r file name; do
	if ! grep -q "oracle/$file: $name\b" tests/peers.md; then
		echo "tests/oracle/$file: $name is not in tests/peers.md"
		status=1
	fi
done < <(cd tests/oracle &&
	grep -HoE '^def defect_[a-z0-9_]+' peers.py peers_record.py | sed 's/:def /:/')
exit "$status"
