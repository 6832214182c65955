# torch's export_stacks: microseconds of self time, known by its frames; those of others are counts
cat >stacks.txt <<'X'
train.py(40):_<module>;train.py(12):_train;nn.Module:_Linear_0;<built-in_function_linear> 12034
train.py(40):_<module>;train.py(20):_step 534
X
"$TRACEQ" stacks stacks.txt
sed 's/([0-9]*):_/_/g' stacks.txt >other.txt
"$TRACEQ" stacks other.txt | head -n 4
