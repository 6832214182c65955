# Every note an analysis makes is explained, and no explained one is unused.
code=$T/../../../../analyze
[ -d "$code" ] || { echo "no sources here"; exit 77; }
find "$code" "$code/../cmd/load/inputs.c" -name '*.c' -exec cat {} + | tr -d '\n\t' |
	grep -oP '(result|reading|record)_note\([^;"]*?"\K[a-z_]+(?=")' | sort -u >made
[ -s made ] || echo "none found: has the call changed?"
while IFS= read -r id; do
	"$TRACEQ" explain "$id" | grep -q "(note)$" || echo "$id is not explained"
done <made
grep -oP 'NOTE\("\K[a-z_]+' "$T/../../../../cmd/help/glossary_notes.c" | sort | comm -13 made -
