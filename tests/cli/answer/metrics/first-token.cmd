# Four requests of a server and their times to the first token, ms, worked out by hand:
#           queue  prefill  rest  whole
#               10      40    10     60
#               20      50    10     80
#               30      60    30    120
#              140      50    10    200
#   mean        50      50    15    115    p50  25 50 10 100    p99  136.7 59.7 29.4 197.6    slowest  140 50 10 200
# beside a trace of 1 s that two of them are in; the same from Jaeger, where one says no prefill: it is in the rest
span() { # start in ms, queue, prefill, whole in s
	printf '{"name": "llm_request", "startTimeUnixNano": "%s", "endTimeUnixNano": "%s", "attributes": [' "$((1725000000000 + $1))000000" "$((1725000000500 + $1))000000"
	printf '{"key": "gen_ai.latency.time_in_queue", "value": {"doubleValue": %s}}, ' "$2"
	printf '{"key": "gen_ai.latency.time_in_model_prefill", "value": {"doubleValue": %s}}, ' "$3"
	printf '{"key": "gen_ai.latency.time_to_first_token", "value": {"doubleValue": %s}}]}' "$4"
}
mkdir job
{
	printf '{"resourceSpans": [{"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "vllm"}}]}, "scopeSpans": [{"spans": ['
	span 0 0.01 0.04 0.06 && printf ', ' && span 1000 0.02 0.05 0.08 && printf ', ' && span 5000 0.03 0.06 0.12 && printf ', ' && span 9000 0.14 0.05 0.2
	echo ']}]}]}'
} >job/spans.json
"$TRACEQ" metrics job/spans.json --wide | sed -n '/^time to/,$p'
trace() { # more members
	echo "{$1\"schemaVersion\": 1, \"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 1, \"tid\": 1, \"ts\": 400000, \"dur\": 1000000}]}"
}
trace '"baseTimeNanoseconds": 1725000000000000000, ' >job/t.json
"$TRACEQ" metrics job 2>&1 | grep -A1 'on their way'
trace '"baseTimeNanoseconds": 1625000000000000000, ' >job/t.json
"$TRACEQ" metrics job 2>&1 | grep -A1 'on their way'
trace '' >job/t.json
"$TRACEQ" metrics job 2>&1 | grep -A1 'does not say when'
cat >jaeger.json <<'END'
{"data": [{"traceID": "ab", "spans": [
{"operationName": "llm_request", "startTime": 1725000000000000, "duration": 500000, "processID": "p1", "tags": [{"key": "gen_ai.latency.time_in_queue", "type": "float64", "value": 0.01}, {"key": "gen_ai.latency.time_to_first_token", "type": "float64", "value": 0.06}]},
{"operationName": "llm_request", "startTime": 1725000000000000, "duration": 500000, "processID": "p1", "tags": [{"key": "gen_ai.latency.time_in_queue", "type": "float64", "value": 0.03}, {"key": "gen_ai.latency.time_in_model_prefill", "type": "float64", "value": 0.04}, {"key": "gen_ai.latency.time_to_first_token", "type": "float64", "value": 0.1}]},
{"operationName": "http", "startTime": 1725000000000000, "duration": 500000, "processID": "p1", "tags": []}],
"processes": {"p1": {"serviceName": "vllm"}}}]}
END
"$TRACEQ" metrics jaeger.json --wide | sed -n '/^time to/,$p'
