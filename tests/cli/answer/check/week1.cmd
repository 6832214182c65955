# The validation list of seed 004: what week 1 has to leave, and the sibling kit's of seed 002.
mkdir -p week1/data week1/results/plots week1/results/profiler_traces profiles/summary profiles/trace
"$FIXTURES" artifact dataset-csv >week1/data/val_df.csv
"$FIXTURES" artifact label-mappings >week1/data/label_mappings.json
"$FIXTURES" artifact baseline-metrics >week1/results/baseline_metrics.json
"$FIXTURES" artifact sweep-csv >week1/results/detailed_metrics.csv
"$FIXTURES" artifact summary-report >week1/results/baseline_summary_report.txt
"$FIXTURES" artifact op-table >week1/results/profiler_traces/stacks.txt
"$FIXTURES" healthy --steps 2 >week1/results/profiler_traces/trace.json
printf '\211PNG\r\n\032\nx' | tee week1/results/plots/batch_size_comparison.png >week1/results/plots/metrics_heatmap.png
verdict() {
	"$TRACEQ" check "$@" --wide 2>/dev/null >out
	code=$?
	sed -n '/^reliable/p; /^why/p' out
	echo "exit $code"
}
"$TRACEQ" check week1 --wide 2>&1 | sed -n '1,/^$/p; /^What/,/^$/p'
echo "== one after the other is not there"
for f in data/val_df.csv results/baseline_metrics.json results/detailed_metrics.csv \
	results/plots/batch_size_comparison.png results/plots/metrics_heatmap.png \
	results/profiler_traces/trace.json results/baseline_summary_report.txt data/label_mappings.json; do
	mv week1/$f saved
	verdict week1
	mv saved week1/$f
done
echo "== no accuracy, an empty plot, the results alone"
cp week1/results/baseline_metrics.json saved
sed -i 's/"accuracy"/"accurate"/' week1/results/baseline_metrics.json
verdict week1
mv saved week1/results/baseline_metrics.json
: >week1/results/plots/batch_size_comparison.png
verdict week1
printf '\211PNG\r\n\032\nx' >week1/results/plots/batch_size_comparison.png
verdict week1/results
echo "== the kit: summary.csv, trace.json, ops.csv, at least 6 stages"
cat >profiles/summary/summary.csv <<'CSV'
stage,wall_time_ms,cpu_mem_mb,cuda_mem_mb_peak,tokens,batch_size,seq_len,step,count
rollout,310.5,1.0,2048.0,512,4,128,0,1
reward,12.25,,,,4,,0,1
gae,3.5,,,,4,,0,1
ppo_update,95.0,,,,4,,0,1
eval,20.0,,,,4,,0,1
CSV
"$FIXTURES" healthy --steps 2 >profiles/trace/trace.json
"$FIXTURES" artifact ops-csv >profiles/trace/ops.csv
verdict profiles
echo 'save,1.0,,,,4,,0,1' >>profiles/summary/summary.csv
verdict profiles
rm profiles/trace/ops.csv
verdict profiles
