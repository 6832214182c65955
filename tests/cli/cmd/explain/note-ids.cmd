# Every note an analysis makes is explained, and no explained one is unused; those of one answer are
# explained in its folder.
code=$T/../../../../analyze
[ -d "$code" ] || { echo "no sources here"; exit 77; }
ids_made() {
	find "$@" -name '*.c' -exec cat {} + | tr -d '\n\t' |
		grep -oP '(result_note|record_note|reading_note|reading_passed)\([^;"]*?"\K[a-z_]+(?=")' | sort -u
}
ids_explained() {
	find "$1" -name '*.def' -exec grep -ohP '^NOTE\("\K[a-z_]+' {} + | sort
}
ids_made "$code" "$code/../cmd/load/inputs.c" "$code/../cmd/load/read_sides.c" "$code/../cmd/baseline/baseline_add.c" >made
[ -s made ] || echo "none found: has the call changed?"
"$TRACEQ" explain --format tsv | awk -F '\t' '$2 == "note" { print $1 }' | sort -u | comm -23 made - | sed 's/$/ is not explained/'
ids_explained "$code" | comm -13 made -
for answer in "$code"/answer/*/; do
	ids_made "$answer" >own
	ids_explained "$answer" | comm -13 own -
done
