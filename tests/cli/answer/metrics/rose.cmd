# 25 losses, the first ten of 1.5 in the mean, the last ten of 6: both means are said.
for i in $(seq 25); do echo "step $i loss $([ "$i" -le 10 ] && echo 1.5 || echo 6)"; done >rose.log
"$TRACEQ" metrics rose.log --json -q | grep -o 'the last 10 values[^"]*'
