# an export is read as its trace is, without it; what its columns do not hold is refused by name, and so are other files
$FIXTURES tiny >t.json
$TRACEQ export t.json -o run.parquet/
$TRACEQ top t.json >trace.txt
$TRACEQ top run.parquet/ >export.txt
cmp trace.txt export.txt
$TRACEQ copies run.parquet
$TRACEQ idle run.parquet/events.parquet -q
$TRACEQ diagnose run.parquet
$TRACEQ cut run.parquet/events.parquet --steps 1 -o cut.json
$TRACEQ top run.parquet/steps.parquet
$TRACEQ top t.json -o top.parquet
$TRACEQ top top.parquet
rm run.parquet/kernels.parquet
$TRACEQ kernels run.parquet
head -c 2000 run.parquet/events.parquet >cut.parquet
$TRACEQ top cut.parquet
$TRACEQ export t.json -o run.db -q
$TRACEQ top run.db
