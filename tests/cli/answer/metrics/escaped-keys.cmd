# keys as json.dumps escapes them are the names they stand for, in tables, JSON and the data of a
# chart; one key is one series, however it is spelt
cat >log.jsonl <<'END'
{"step": 1, "\u65e5\u672c": 0.5, "a\\": 1, "n\u0000l": 1, "\ud83d": 1, "\ud83d\udd25": 1}
{"step": 2, "日本": 0.25, "a\\": 2, "n\u0000l": 2, "\ufffd": 2, "🔥": 3}
{"step": 3, "\u65e5\u672c": 0.125, "a\\": 3, "n\u0000l": 1, "\udc00": 3, "\ud83d\udd25": 5}
END
"$TRACEQ" metrics log.jsonl
"$TRACEQ" metrics log.jsonl --json -q | sed -n 's/^    {"key": \("[^,]*\), "group.*"count": \([0-9]*\),.*/\1 \2/p'
"$TRACEQ" plot metric-series log.jsonl -q -o p.svg 2>no-gnuplot
grep -xE '日本|a\\|n.x00l|🔥' p.gp
cat >stage_times.json <<'END'
{"stage_times": {"\u65e5\u672c": [1, 2], "a\\": [3]},
 "average_times": {"日本": 1.5, "a\\": 3}, "total_steps": 2}
END
"$TRACEQ" metrics stage_times.json -q | grep stage_times
cat >trace.json <<'END'
{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "n\u0000l", "pid": 0, "tid": 7, "ts": 1,
  "dur": 5, "args": {"device": 0, "stream": 7}}]}
END
"$TRACEQ" top trace.json -q | grep x00
