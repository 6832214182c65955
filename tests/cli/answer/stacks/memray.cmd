# what memray-page of input/artifacts has, in other answers
"$FIXTURES" artifact memray-page >f
"$TRACEQ" top f -n 2
"$TRACEQ" stacks f --order merged
"$TRACEQ" stacks f --format folded
echo "== over time: of two snapshots the second is the highest, and what was freed before it is not there; of leaks what nobody freed"
sed 's/"value":.5632,5632,5120,1024./"x":[]/; s/"strings"/"high_water_mark_by_snapshot":[100,900,300],"intervals":[[0,1,2,1,100],[0,2,3,1,300],[1,null,2,1,600],[2,null,1,1,50]],&/' f >over_time
"$TRACEQ" stacks over_time 2>/dev/null | head -n 5
sed 's/"high_water_mark_by_snapshot":.100,900,300./"high_water_mark_by_snapshot":null/' over_time >leaks
"$TRACEQ" stacks leaks 2>/dev/null | head -n 5
echo "== its table has one frame of each; of an inverted page the root is above"
echo '<!DOCTYPE html><title>memray - table report</title><script>const packed_data = [{"size":7,"stack_trace":"\u0026lt;module\u0026gt; at /w/a.py:3"}];</script>' >table
"$TRACEQ" stacks table 2>/dev/null | head -n 3
sed 's/"inverted_no_imports_nodes":{}/"inverted_no_imports_nodes":{"children":[[]]}/' f >inverted
"$TRACEQ" stacks inverted 2>/dev/null | head -n 5
echo "== transform speedscope, and a profile of a heap: bytes, too"
cat >s.json <<'END'
{"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "step", "file": "/w/train.py", "line": 12}]},
 "profiles": [{"type": "sampled", "name": "Memory", "unit": "bytes", "samples": [[0]], "weights": [4096]},
  {"type": "sampled", "name": "Allocations", "unit": "none", "samples": [[0]], "weights": [3]}], "exporter": "memray@1.19.0"}
END
"$TRACEQ" stacks s.json 2>/dev/null
