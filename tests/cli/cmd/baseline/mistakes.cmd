# What is asked wrongly, and what is no store.
"$FIXTURES" healthy --steps 8 >a.json
for args in "" "add" "add store" "list none" "prune store" "prune store --keep 0" "lst store" \
	"list a.json" "add store none.json" "add none/deep/store a.json" "list store x" \
	"add s a.json --time noon" "add s a.json --tier weekly"; do
	# shellcheck disable=SC2086
	"$TRACEQ" baseline $args
	echo "exit $?"
done
ls
# A store in one file, at a path of its own.
"$TRACEQ" baseline add s.jsonl a.json -q && "$TRACEQ" baseline add s.jsonl a.json -q && wc -l <s.jsonl
# Writers at the same time lose nothing.
for i in 1 2 3 4 5 6; do "$TRACEQ" baseline add s.jsonl a.json -q & done
wait
wc -l <s.jsonl
