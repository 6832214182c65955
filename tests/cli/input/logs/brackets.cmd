# Logs whose first byte is a bracket are logs, alone, compressed and in a folder.
mkdir -p run/logs
printf '[2025-11-30 12:00:00] INFO step=%d loss=0.%d\n' 1 5 2 4 >run/logs/a.log
printf '[INFO|trainer.py:1] 2025-11-30 12:00:00,123 >> step=%d loss=0.%d\n' 1 5 2 4 >run/logs/b.log
printf '[rank0]: step=%d loss=0.%d\n' 1 5 2 4 >run/logs/c.log
printf "{'loss': 0.%d, 'grad_norm': 1.2, 'learning_rate': 5e-05, 'epoch': 0.%d}\n" 69 1 59 2 >run/logs/d.log
printf '[0]: {"step": %d, "loss": 0.%d}\n' 1 5 2 4 >run/logs/e.log
printf '[2025-11-30 12:00:00,123] [INFO] [logging.py:96:log_dist] [Rank 0] step=%d, skipped=0, lr=[5e-05], loss=0.%d\n' 1 5 2 4 >run/logs/f.log
for f in run/logs/*.log; do
	"$TRACEQ" metrics "$f" --format csv -q | cut -d, -f1-4 | tail -n +2
	gzip -c "$f" | "$TRACEQ" metrics - --format csv -q | grep -c loss
done
"$TRACEQ" info run | sed -n '/^Files/,/^$/p'
