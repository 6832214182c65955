# What the documents' own check wrote counts as its finding (S0-C1).
{
	echo "⚠ Leak detected at step 300"
	echo "⚠ Leak detected at step 400"
} >run.log
"$TRACEQ" metrics run.log | sed -n '/stands out/,$p'
echo "⚠ Memory leak detected!" >once.log
"$TRACEQ" metrics once.log | sed -n '/stands out/,$p'
