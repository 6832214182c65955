# A trace of 1 s, from 1725000000.4 on, and scrapes of a server at 0, 1, 1.2 and 3 s: two of four are in it.  By hand:
#   waiting    2 before, 6 and 8 in it (mean 7), 3 after;   kv cache 50 %, 80 and 90 (85 %), 60 %
#   tokens     1000, 1800, 2000, 2900: per s 800 and 1000 in it (900), 500 after; the first scrape has no rate
scrape() { # ms, waiting, share of the cache, tokens
	printf '# TYPE vllm:num_requests_waiting gauge\nvllm:num_requests_waiting %s %s\n# TYPE vllm:gpu_cache_usage_perc gauge\nvllm:gpu_cache_usage_perc %s %s\n' "$2" "$1" "$3" "$1"
	printf '# TYPE vllm:generation_tokens_total counter\nvllm:generation_tokens_total %s %s\n' "$4" "$1"
}
trace() { # more members
	echo "{$1\"schemaVersion\": 1, \"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 1, \"tid\": 1, \"ts\": 400000, \"dur\": 1000000}]}"
}
mkdir job
{
	scrape 1725000000000 2 0.5 1000
	scrape 1725000001000 6 0.8 1800
	scrape 1725000001200 8 0.9 2000
	scrape 1725000003000 3 0.6 2900
} >job/engine.prom
asked() {
	"$TRACEQ" metrics job --wide -q | sed -n '/^the server while/,/^$/p'
	"$TRACEQ" metrics job 2>&1 | grep -A2 'scrapes of\|does not say when'
}
trace '"baseTimeNanoseconds": 1725000000000000000, ' >job/t.json
asked
echo "== between two scrapes"
sed -i '/00001[02]00$/d' job/engine.prom
asked
echo "== of another time"
trace '"baseTimeNanoseconds": 1625000000000000000, ' >job/t.json
asked
echo "== not known"
trace '' >job/t.json
asked
trace '"baseTimeNanoseconds": 1725000000000000000, ' >job/t.json
sed -i 's/ 1725[0-9]*$//' job/engine.prom
asked
