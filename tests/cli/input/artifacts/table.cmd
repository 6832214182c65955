# docs/formats.md names a test for each artifact of the source documents, and each fixture is one.
docs=$T/../../../../docs/formats.md
for id in S0-A{1..7} S1-A{1..6} S2-A{1..9} S3-A{1..3} S4-A{1..5}; do
	grep -q "^| $id |.*/" "$docs" || echo "$id has no test"
done
"$FIXTURES" artifact --list | while read -r name ids; do
	[ -e "$T/$name.cmd" ] || echo "$name has no test"
	for id in $(grep -oE '\bS[0-9]-A[0-9]\b' <<<"$ids"); do
		grep -qE "^\| $id \|.*artifacts/$name(,| )" "$docs" || echo "$id: $name is not in the table"
	done
done
grep -oE '^\| S[0-9]-A[0-9]* \|.*' "$docs" | grep -oE '[a-z]+/[a-z0-9-]+' | sort -u |
	while read -r test; do
		[ -n "$(find "$T/../.." -path "*/cli/*$test.cmd")" ] || echo "no test $test"
	done
