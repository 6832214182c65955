#!/bin/bash
# tests/peers.md names only tests that exist; every defect_NN of oracle/peers*.py is in it.
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

while IFS='|' read -r _ number _ _ _ tests _; do
	for pair in $(tr -d ' ' <<<"$tests" | tr ',' ' '); do
		file=${pair%%:*} name=
		case $pair in *:*) name=${pair#*:} ;; esac
		if ! has "$file" "$name"; then
			echo "tests/peers.md:$number: no test $pair"
			status=1
		fi
	done
done < <(grep -E '^\| [0-9]+ ' tests/peers.md)

while IFS=: read -r file name; do
	if ! grep -q "oracle/$file: $name\b" tests/peers.md; then
		echo "tests/oracle/$file: $name is not in tests/peers.md"
		status=1
	fi
done < <(cd tests/oracle &&
	grep -HoE '^def defect_[a-z0-9_]+' peers.py peers_record.py | sed 's/:def /:/')
exit "$status"
