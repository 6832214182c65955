# Machines get the job's tables first, then those of each rank; --per-rank is without the job.
mkdir run
for r in 0 1 2; do "$FIXTURES" multi-rank --rank $r --world 3 --steps 2 --slow-rank 1 --slow-by input >run/rank$r.json; done
"$TRACEQ" kernels run --json | grep -o '^  {"id": "[a-z_]*"' | uniq -c
"$TRACEQ" kernels run --json --per-rank | grep -o '^  {"id": "[a-z_]*"' | uniq -c
"$TRACEQ" steps run --table job --format csv
"$TRACEQ" steps run --table job_ranks --format csv
"$TRACEQ" summary run --table job --format tsv | cut -f 1-4
# files in any order, whatever they are called, are the same job
mv run/rank0.json c.json && mv run/rank1.json a.json && mv run/rank2.json b.json
"$TRACEQ" idle a.json b.json c.json -n 1
"$TRACEQ" idle a.json b.json c.json -n 1 >x && "$TRACEQ" idle c.json b.json a.json -n 1 | cmp - x && echo same
"$TRACEQ" steps a.json b.json c.json --per-rank | grep ': steps'
"$TRACEQ" steps a.json b.json c.json --rank 1 | head -3
