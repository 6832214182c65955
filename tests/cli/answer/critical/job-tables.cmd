# Each table of a job by itself; the owners and the steps add up to the path; --per-rank has none of them.
"$FIXTURES" multi-rank --all-ranks job --world 4 --tp 2 --layers 1 --steps 3 --slow-by work
for t in job_bound job_path job_what_if crossings job_steps; do
	echo "== $t"
	"$TRACEQ" critical job -q --table $t --format csv
done
sum() { "$TRACEQ" critical job -q --table $1 --format tsv | awk -F'\t' -v c=$2 'NR > 1 { s += $c } END { print s }'; }
echo "== sums"
sum job_bound 6
sum job_path 1
sum job_steps 2
"$TRACEQ" critical job -q --per-rank | grep -c "of the job"
