# what is no export, and no place for one: nothing is written
$FIXTURES tiny >t.json
try() {
	"$TRACEQ" export "$@" 2>&1
	echo "exit $?"
}
try
try t.json
try -o run.parquet
try t.json -o run.csv
try t.json -o t.json
try t.json -o /dev/null
try t.json -o run.parquet --table kernels,ops
cp t.json x.parquet
try t.json -o x.parquet
try absent.json -o run.parquet
try t.json absent.json -o run.db
ls
mkdir mine && echo a,b >mine/steps.parquet
try t.json -o mine --table steps
cat mine/steps.parquet
