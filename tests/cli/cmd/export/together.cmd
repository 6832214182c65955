# several runs are exported together or not at all: where a later one is refused there is no folder, or what was there
mkdir job
for r in 0 1; do $FIXTURES multi-rank --rank $r --world 2 --steps 2 --layers 3 >job/rank$r.json; done
$TRACEQ export job -o old.parquet --table steps -q
find old.parquet -type f -exec cksum {} + | sort >before
head -c 200000 job/rank1.json >cut && mv cut job/rank1.json
try() {
	"$TRACEQ" export job "$@" 2>&1
	echo "exit $?"
}
try --strict -o new.parquet
try --strict -o old.parquet --force
try --strict -o new.db
mkdir -p mine/rank=1 && echo a,b >mine/rank=1/steps.parquet
try -q -o mine --table steps
mkdir -p taken/rank=1/steps.parquet
try -q -o taken --table steps --force
mkdir part && echo a,b >part/rank=1
try -q -o part --table steps
find old.parquet -type f -exec cksum {} + | sort | cmp - before
find . -name '.*tmp*'
find . -mindepth 1 ! -path "./old*" | sort
