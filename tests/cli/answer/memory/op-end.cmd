# Records exactly where an op ends: the one that begins there has them, else the one around.  An op
# without duration has none.  Both commands say the same.
#
#   time      0       10       20       30  us
#   outer     [--------------------------)
#   first     [-------)
#   second            [-------)
#   none              |
#   bytes         1   10      100      1000
cat >t.json <<'T'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "outer", "pid": 1, "tid": 1, "ts": 0, "dur": 30},
{"ph": "X", "cat": "cpu_op", "name": "first", "pid": 1, "tid": 1, "ts": 0, "dur": 10},
{"ph": "X", "cat": "cpu_op", "name": "second", "pid": 1, "tid": 1, "ts": 10, "dur": 10},
{"ph": "X", "cat": "cpu_op", "name": "none", "pid": 1, "tid": 1, "ts": 10, "dur": 0},
{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5, "args": {"Bytes": 1, "Device Type": 0, "Device Id": -1, "Addr": 1}},
{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": 10, "args": {"Bytes": 10, "Device Type": 0, "Device Id": -1, "Addr": 2}},
{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": 20, "args": {"Bytes": 100, "Device Type": 0, "Device Id": -1, "Addr": 3}},
{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": 30, "args": {"Bytes": 1000, "Device Type": 0, "Device Id": -1, "Addr": 4}}
]}
T
"$TRACEQ" memory t.json --json -q | python3 -c '
import json, sys
for r in next(t for t in json.load(sys.stdin)["tables"] if t["id"] == "ops")["rows"]:
    print("memory", r["name"], r["self_net_bytes"], r["total_net_bytes"])'
"$TRACEQ" top t.json --memory --json -q | python3 -c '
import json, sys
for r in sorted(next(t for t in json.load(sys.stdin)["tables"] if t["id"] == "ops")["rows"],
                key=lambda r: -(r["self_cpu_bytes"] or 0)):
    print("top", r["name"], r["self_cpu_bytes"], r["cpu_bytes"])'
