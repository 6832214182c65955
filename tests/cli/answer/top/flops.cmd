# with_flops=True: what ops of a trace, and of a table that was printed, computed
cat >t.json <<'END'
{"schemaVersion": 1, "with_flops": 1, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 1, "ts": 0, "dur": 30, "args": {"External id": 1}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 5, "dur": 20, "args": {"External id": 2, "flops": 4194304}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 40, "dur": 20, "args": {"External id": 3, "flops": 2097152}},
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 70, "dur": 9, "args": {"External id": 4, "flops": 65536}},
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 80, "dur": 9, "args": {"External id": 5, "flops": 65536}},
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 81, "dur": 7, "args": {"External id": 6, "flops": 65536}}
]}
END
"$TRACEQ" top t.json 2>/dev/null
"$TRACEQ" top t.json --sort flops -n 1 2>/dev/null
"$TRACEQ" top t.json --format torch 2>/dev/null
echo "== a table that was printed"
cat >log.txt <<'END'
-------------------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  
                     Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls  Total MFLOPs  
-------------------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  
                 aten::mm        90.00%       9.000ms        90.00%       9.000ms     900.000us            10      6291.456  
               aten::copy        10.00%       1.000ms        10.00%       1.000ms     100.000us            10            --  
-------------------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------  
Self CPU time total: 10.000ms
END
"$TRACEQ" top log.txt 2>/dev/null
