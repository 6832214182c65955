# Samples that are further apart than nanoseconds can count: when they were is not known.
cat >smi.csv <<'END'
timestamp, name, utilization.gpu [%]
0001/01/01 00:00:00.000, X, 10 %
0001/01/01 00:00:01.000, X, 10 %
9999/12/31 00:00:00.000, X, 30 %
END
"$TRACEQ" smi -q --json smi.csv | grep -o '"at_ns": [^,]*, "utilization_ratio": [^,]*'
