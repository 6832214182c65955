# three scrapes of a server: histograms are of what was counted between two, and the third is after a restart; by hand:
#   second: 60 requests in 20 s, 10 below 0.1 s, 40 below 0.25: mean 333.3 ms, p50 0.1 + 0.15 x 20 / 30 = 200 ms, p90 and on 250 ms
#   third: 8 in 0.8 s: mean 100 ms, p50 0.1 x 4 / 6 = 66.7 ms;  tokens: 4000 in 10 s, then a reset and no rate
scrape() { # time, buckets, sum, tokens
	cat <<END
# TYPE vllm:generation_tokens_total counter
vllm:generation_tokens_total{engine="0"} $6 $1
# TYPE vllm:time_to_first_token_seconds histogram
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.1"} $2 $1
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.25"} $3 $1
vllm:time_to_first_token_seconds_bucket{engine="0",le="+Inf"} $4 $1
vllm:time_to_first_token_seconds_count{engine="0"} $4 $1
vllm:time_to_first_token_seconds_sum{engine="0"} $5 $1
END
}
{
	scrape 1725000000000 800 960 1000 92.4 10000
	scrape 1725000010000 810 1000 1060 112.4 14000
	scrape 1725000020000 6 8 8 0.8 300
} >many.prom
"$TRACEQ" metrics many.prom --wide -q | grep -v '^$'
"$TRACEQ" metrics many.prom 2>&1 | grep fell
