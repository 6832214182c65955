# Whatever the README tells to type about one trace, two folders or a job runs as it stands: its lines
# of examples, and commands in its table.
"$FIXTURES" dataloader-bound --steps 13 --gzip >trace.json.gz
mkdir job baseline slow dumps
for rank in 0 1; do "$FIXTURES" multi-rank --world 2 --rank $rank --steps 2 >job/rank$rank.json; done
"$FIXTURES" healthy --steps 4 >baseline/trace.json
"$FIXTURES" dataloader-bound --steps 4 >slow/trace.json
traceq() { "$TRACEQ" "$@"; }
jq() { cat >/dev/null; } # what it makes of the answer is jq's
{
	sed -n 's/^    \(traceq .*\)/\1/p; s/^    \(zcat .*\)/\1/p' "$T/../../../../README.md"
	grep -oE '`traceq (cut|merge|diff|digest) [^`]*`' "$T/../../../../README.md" | tr -d '`'
} >typed
while read -r line; do
	eval "$line" >out 2>err </dev/null
	echo "exit $?: $line"
	[ -s out ] || ls ./*.json.gz ./*.tqd 2>/dev/null >out
	[ -s out ] || echo "nothing came of it"
done <typed
for made in cut.json.gz job.json.gz; do
	traceq check -q $made >/dev/null
	echo "$made: $?"
done
