# What docs/json.md shows is what the program prints.
page=$T/../../../../docs/json.md
[ -f "$page" ] || { echo "no documents here"; exit 77; }
"$FIXTURES" tiny >tiny.json
awk '/^```/ { inside = !inside; next } inside' "$page" >shown
"$TRACEQ" idle tiny.json --table causes --json | while IFS= read -r line; do
	grep -qxF -- "$line" shown || echo "not in docs/json.md: $line"
done
"$TRACEQ" explain --schema idle | grep -F '"id": {"title": "id"' | while IFS= read -r line; do
	grep -qxF -- "$line" shown || echo "not in docs/json.md: $line"
done
echo compared
