# A digest in the folder of its own traces is no second run, whatever they are packed in; one of other traces is
"$FIXTURES" multi-rank --all-ranks job --world 2 --steps 4 --gzip 2>/dev/null
"$FIXTURES" multi-rank --all-ranks later --world 2 --steps 5 --gzip 2>/dev/null
cp -r job alone
"$TRACEQ" digest -q job -o job/job.tqd
run() {
	echo "== $*"
	"$TRACEQ" diff "$1" alone --no-config -q | grep -A2 'ranks  steps' | sed 's/  \+/  /g'
}
run job
"$TRACEQ" info job -q | grep 'same recording' | sed 's/  \+/  /g; s/ [0-9.]* KiB//'
mkdir unpacked
cp job/job.tqd unpacked
for r in 0 1; do zcat job/rank$r.json.gz >unpacked/rank$r.json; done
run unpacked
cp job/job.tqd later
run later
