# Every traceq command of docs/ci.md runs, with the exit status that it should have.
mkdir bin && ln -s "$TRACEQ" bin/traceq && export PATH=$PWD/bin:$PATH SOURCE_DATE_EPOCH=1767225600
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	mkdir -p base/run$i
	"$FIXTURES" healthy --steps 8 --seed $i --memory >base/run$i/trace.json
done
mkdir -p new repeats && "$FIXTURES" healthy --steps 8 --seed 21 --memory >new/trace.json
cp -r base/run1 base/run2 base/run3 base/run4 base/run5 repeats
traceq baseline add store base -q
export GITHUB_SHA=abc CI_COMMIT_SHA=def
doc=$T/../../../../docs/ci.md
# Lines that begin with traceq, in scripts, YAML and rules, with their continuations.
sed -n '/^```/,/^```/p' "$doc" | sed -e ':a' -e '/\\$/N; s/\\\n */ /; ta' |
	sed 's/ || rc=\$?$//' | sed -nE 's/^ *(- |gate: ; )?(traceq .*)$/\2/p' >commands
wc -l <commands
# The configuration of the document holds for all of them.
sed -n '/^gate:$/,/^```/p' "$doc" | sed '/^```/,$d' >traceq.yaml
grep -c : traceq.yaml
while read -r line; do
	(eval "$line") >out 2>err </dev/null
	echo "$? $line"
	cat err
done <commands
ls gate.* metrics.txt history.xml
tail -n 1 metrics.txt
