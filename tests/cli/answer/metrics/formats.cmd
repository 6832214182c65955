# Markdown, ASCII, a hostile key, and a log over time only
{
	for i in $(seq 0 59); do
		echo "{\"loss|x\\u001b[31m\": $((60 - i)), \"eval/acc\": 0.$((10 + i))}"
	done
} >log.jsonl
"$TRACEQ" metrics log.jsonl --format md
"$TRACEQ" metrics log.jsonl --ascii -n 1
