# Names of files steer nothing, and what is to be typed can be pasted.
"$FIXTURES" tiny >'a b.json'
"$FIXTURES" tiny >$'c\e]0;x\a.json'
"$FIXTURES" tiny >-n.json
"$TRACEQ" | sed 's/  *[0-9.]* [KM]*i*B  /  SIZE  /' | cat -v
eval "${TRACEQ} $("$TRACEQ" | sed -n 's/^traceq \(diff .*\)/\1/p')" >out
echo "exit $?"
