# Where nothing is that traceq reads: the short help, on stderr, and no answer.
for i in 1 2 3; do echo '{"a": "b"}' >config$i.json; done
echo "print(1)" >train.py
mkfifo trace.json
mkdir -p a/b
"$FIXTURES" tiny >a/b/deep.json
"$TRACEQ" 2>said
echo "exit $?"
head -n 2 said
