# The same as JSON, drawn by hand: 100 requested of 512, 300 before the history, a failure after which
# memory moved; a list of segments alone; two snapshots in a folder.
mkdir two
cat >two/a.json <<'END'
{"segments": [{"device": 0, "address": 4096, "total_size": 2097152, "stream": 0, "segment_type": "small",
  "segment_pool_id": [0, 0], "is_expandable": false, "blocks": [
   {"address": 4096, "size": 512, "requested_size": 300, "state": "active_allocated",
    "frames": [{"name": "at", "filename": "torch/a.py", "line": 1}, {"name": "load", "filename": "a.py", "line": 7}]},
   {"address": 4608, "size": 512, "requested_size": 100, "state": "active_allocated", "frames": []},
   {"address": 5120, "size": 2096128, "requested_size": 0, "state": "inactive"}]}],
 "device_traces": [[
  {"action": "oom", "size": 1073741824, "device_free": 5, "stream": 0, "time_us": 9},
  {"action": "alloc", "addr": 4608, "size": 100, "stream": 0, "time_us": 10},
  {"action": "sleep", "addr": 1, "size": 1, "stream": 0, "time_us": 11},
  {"action": "alloc", "addr": 9999, "stream": 0, "time_us": 11}]],
 "allocator_settings": {"expandable_segments": true}}
END
cat >two/b.json <<'END'
[{"device": 1, "address": 4096, "total_size": 20971520, "stream": 3, "segment_type": "large", "blocks": [
   {"size": 10485760, "state": "active_allocated"}, {"size": 512, "state": "inactive"}]}]
END
"$TRACEQ" memory two/a.json
echo == segments alone, which are not whole
"$TRACEQ" memory two/b.json
echo == both
"$TRACEQ" memory two | head -n 8
"$TRACEQ" info two | sed -n '/^Memory snapshots/,/^$/p'
