# A folder with nothing in it, alone or beside a trace: no answer, and no export; a log has series
mkdir empty
"$FIXTURES" tiny >a.json
printf 'step %d loss 2.5\n' 1 2 3 4 5 6 >train.log
"$TRACEQ" sql empty 'select count(*) from kernels' 2>&1 || echo "exit $?"
"$TRACEQ" sql a.json empty 'select count(*) from kernels' 2>&1 || echo "exit $?"
"$TRACEQ" sql train.log 'select count(*) from series' 2>&1 || echo "exit $?"
"$TRACEQ" export empty -o out.parquet/ 2>&1 || echo "exit $?"
find out.parquet -type f 2>/dev/null
"$TRACEQ" export train.log -o log.parquet/ -q --table series 2>&1 || echo "exit $?"
find log.parquet -type f
