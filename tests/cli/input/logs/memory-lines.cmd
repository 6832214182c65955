# S0 S1-A5: what the documents' own snippets print, each at the step above it.
cat >train.log <<'L'
Step 10: GPU memory allocated: 2.50GB reserved: 4.60GB
Step 20: GPU memory allocated: 2.75GB reserved: 4.60GB
Current memory: 1.23GB
Peak memory: 4.56GB
⚠ Leak detected at step 300
⚠ Memory leak detected!
L
"$TRACEQ" info train.log
gzip -c train.log >train.log.gz
"$TRACEQ" info train.log.gz --json | grep -c '"series": "GPU memory allocated"'
"$TRACEQ" metrics train.log --format csv -q | cut -d, -f1-4
