# One value at a step so far that the next one cannot be told from it: the axis has a length.
echo '{"step": 9223372036854775807, "loss": 0.5, "kl": 0.01}' >m.jsonl
PATH= "$TRACEQ" plot metric-series -q m.jsonl -o m.svg
while read -r line; do case $line in "set xrange"* | "set format x"*) echo "$line" ;; esac done <m.gp
