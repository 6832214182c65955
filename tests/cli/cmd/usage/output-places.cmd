# -o to what is no plain file: links, folders, pipes, devices, what stdout goes to already.
cp "$T/tiny.json" .
top() { timeout 30 "$TRACEQ" top tiny.json -q "$@"; echo "exit $?"; }
"$TRACEQ" top tiny.json -q >want
echo "== a link, one to a link, one whose target is not there yet"
echo old >target && ln -s target one && ln -s one two && ln -s later three
top -o two && cmp target want && top -o three && cmp later want
stat -c '%F' one two three
echo "== a link to itself, a folder, a name below a file, no folder"
ln -s self self
mkdir folder
for place in self folder folder/ target/x none/x; do top -o "$place" 2>&1; done
echo "== a pipe with a reader"
mkfifo pipe
cat pipe >read & top -o pipe
wait && cmp read want
top -o >(cat >read2) && while ! cmp -s read2 want; do sleep 0.1; done
echo "== stdout: appended to, as the shell would"
echo before >log
top -o /dev/stdout >>log
top -o /dev/fd/3 3>>log
head -n 1 log && sed 1d log | grep -v '^exit' | cmp - <(cat want want)
top -o /dev/stdout | head -n 2
echo "== devices"
top -o /dev/null
for o in -o --json-out --junit; do
	timeout 30 "$TRACEQ" gate tiny.json tiny.json -q $o /dev/full 2>&1 >/dev/null; echo "exit $?"
done
timeout 30 "$TRACEQ" report tiny.json -q -o /dev/full --format html 2>&1; echo "exit $?"
timeout 30 "$TRACEQ" plot top-kernels tiny.json -q -o /dev/full/x.svg 2>&1; echo "exit $?"
ls -A
