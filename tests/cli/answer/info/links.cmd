# Links inside a folder: to what lies in it once, out of it never; nothing but files is opened.
mkdir -p outside/deep run/sub runs/run1 runs/run2
"$FIXTURES" tiny >outside/trace.json
cp outside/trace.json run/trace.json
"$FIXTURES" artifact smi >run/sub/gpu.csv
"$FIXTURES" artifact smi >outside/deep/leak.csv
ln -s ../outside run/out
ln -s ../outside/deep/leak.csv run/leak.csv
ln -s "$PWD/outside/trace.json" run/whole.json
ln -s trace.json run/same.json
ln -s sub run/latest
ln -s . run/loop
ln -s ../run run/sub/up
ln -s none run/nothing
ln -s round run/round
ln -s /dev/zero run/zero.json
mkfifo run/pipe.json
names() { timeout 20 "$TRACEQ" info "$@" 2>&1 >all | sed 's/^/on stderr: /'; sed -n '/^what it is /,/^$/p; /^note: not looked/p' all; }
echo "== a run"
names run
echo "== an operand that is a link is followed"
ln -s run by-link
names by-link/
echo "== the only thing in it leads out"
mkdir farm && ln -s ../outside/trace.json farm/rank0.json
"$TRACEQ" top farm 2>&1; echo "exit $?"
"$TRACEQ" top farm/rank0.json -n 1 2>&1 | head -n 2
echo "== of two runs and a link to one of them there are two"
"$FIXTURES" launch-bound --steps 2 >runs/run1/trace.json
"$FIXTURES" launch-bound --steps 2 --seed 2 >runs/run2/trace.json
ln -s run2 runs/latest
"$TRACEQ" baseline add store runs
ln -s ../run runs/elsewhere
"$TRACEQ" gate store runs -q | head -n 1
"$TRACEQ" gate store runs 2>&1 >/dev/null
"$TRACEQ" summary runs 2>&1 >/dev/null
"$TRACEQ" report runs 2>&1 >/dev/null
"$TRACEQ" baseline add store runs 2>&1 >/dev/null
