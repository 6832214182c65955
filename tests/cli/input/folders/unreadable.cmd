# What cannot be read in a folder is said by every command that answers from the rest
for i in $(seq 30); do echo "step=$i loss=$((60 - i)).5 step_time=10ms"; done >train.log
mkdir run
cp train.log run/
gzip -nc train.log >run/more.log.gz
printf 'broken' | dd of=run/more.log.gz bs=1 seek=12 conv=notrunc status=none
gzip -nc train.log | head -c 12 >run/short.log.gz
printf '{"traceEvents": [' >run/trace.json
printf '{"a": ' >run/other.json
for c in metrics overview; do
	echo "== $c"
	"$TRACEQ" "$c" run --no-config 2>&1 | tr '\n' ' ' | grep -o '[0-9]* files cannot be read.*inflated'
done
