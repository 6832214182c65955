# a flame graph of sampled stacks: script, and data with the place of each box
cat >profile.raw <<'END'
<module> (train.py:90);train (train.py:42);forward (model.py:17) 120
<module> (train.py:90);train (train.py:42) 17
<module> (train.py:90);train (train.py:42);backward (autograd.py:9) 60
<module> (train.py:90);load (data.py:3) 3
END
"$TRACEQ" plot flame profile.raw -o flame.svg && cat flame.dat
grep -c 'set label .* front' flame.gp
"$TRACEQ" report profile.raw --plots charts | sed -n '/^FUNCTIONS/,$p'
"$FIXTURES" tiny >t.json
"$TRACEQ" plot flame-sampled t.json
