# Values at steps so far that they cannot be told from each other: the axis has a length.
echo '{"step": 9223372036854775806, "loss": 0.4, "kl": 0.02}' >m.jsonl
echo '{"step": 9223372036854775807, "loss": 0.5, "kl": 0.01}' >>m.jsonl
PATH= "$TRACEQ" plot metric-series -q m.jsonl -o m.svg
while read -r line; do case $line in "set xrange"* | "set format x"*) echo "$line" ;; esac done <m.gp
