# a folder with a file for each table; a database with the same rows; what is there stays unless --force is given
$FIXTURES tiny >t.json
$TRACEQ export t.json -o run.parquet/
ls run.parquet
head -c 10 run.parquet/steps.parquet
tail -c 4 run.parquet/steps.parquet
echo
$TRACEQ export t.json -o run.parquet/
$TRACEQ export t.json -o run.parquet --force -q --table kernels,steps
ls run.parquet
mkdir job
for r in 0 1; do $FIXTURES multi-rank --rank $r --world 2 --steps 2 --layers 3 >job/rank$r.json; done
cp job/rank1.json job/again.json
$TRACEQ export job -o job.parquet --table steps,gaps
find job.parquet -type f | sort
rm -r job.parquet
$TRACEQ export job/rank*.json -o job.parquet --table steps,gaps
$TRACEQ export job/rank0.json job/rank0.json -o job.parquet --table steps --force
find job.parquet -type f | sort
$TRACEQ export job -o job.db
head -c 15 job.db
echo
