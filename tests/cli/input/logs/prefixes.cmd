# The same figure behind what loggers and launchers write in front: one series each time.
while IFS= read -r prefix; do
	printf '%s\n' "${prefix}Avg Reward: 0.25" "${prefix}Avg Reward: 0.75" >log
	printf '%s|' "$prefix"
	"$TRACEQ" metrics log --format csv -q 2>&1 | sed -n 2p | cut -d, -f1-4
done <<'L'
INFO:root:
INFO:train.loop:
2025-11-30 12:00:00,123 - root - INFO - 
2025-11-30 12:00:00,123 - trainer.loop - INFO -   
2025-11-30 12:00:00 INFO 
2025-11-30T12:00:00.123456Z INFO 
2025-11-30 12:00:00+00:00 [info] 
[2025-11-30 12:00:00][INFO] 
[2025-11-30 12:00:00,123] [INFO] [logging.py:96:log_dist] [Rank 0] 
11/30/2025 12:00:00 - INFO - __main__ -   
2025-11-30 12:00:00.123 | INFO     | __main__:train:45 - 
[INFO|trainer.py:2134] 2025-11-30 12:00:00,123 >> 
INFO 11-30 12:00:00 [loggers.py:111] 
INFO 11-30 12:00:00 metrics.py:345] 
(EngineCore_0 pid=123) INFO 11-30 12:00:00 [loggers.py:111] 
I1130 12:00:00.123456 1234 train.py:12] 
[NeMo I 2025-11-30 12:00:00 trainer:386] 
[rank0]:
[rank0]:[titan] 2025-11-30 12:00:00,123 - root - INFO - 
[default0]:
[1,0]<stdout>:
0: INFO 
12:00:00 - 
L
