# Words of other tools: which command does that here, and the line to type.
cp "$T/tiny.json" a.json
cp "$T/tiny.json" b.json
try() {
	echo "== $*"
	"$TRACEQ" "$@" 2>&1
	echo "exit $?"
}
try compare a.json b.json
try compare a.json 'b c.json'
try compare
# Options of another tool mean other things here.
try stats --report cuda_gpu_kern_sum a.json
try compare --help
# A name that is free.
try flamegraph a.json
touch stacks.svg
try flame a.json
try convert a.json
try chart a.json
try profile python train.py
try man top
try help compare
# A file of that name is a file.
cp a.json compare
"$TRACEQ" compare | head -n 1
rm compare
# What is said holds: the line without its first word is typed.
"$TRACEQ" compare a.json b.json 2>&1 | sed -n 's/^  traceq //p' | xargs "$TRACEQ" >said
"$TRACEQ" diff a.json b.json | cmp - said && echo same
# All of them, each by one line.
for word in view show open read trace stat stats analyze analyse query convert perfetto parquet html serve \
	inspect ls validate verify regression slice filter trim combine join gaps nccl memcpy ops snapshot define; do
	"$TRACEQ" "$word" a.json 2>&1 | sed -n 's/^  //p'
done
# An option before the file, as if it stood behind it.
try --json a.json
try --csv a.json
try --json top a.json
