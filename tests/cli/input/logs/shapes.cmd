# Counters with another total are other lines, however alike: 5 + 2 + 2 steps go on.  Rows of a table have no
# numbers without a name.
for n in 5 2 2; do for i in $(seq $n); do echo "Step [$i/$n] loss=0.$i"; done; done >a.log
"$TRACEQ" metrics --format csv --table keys a.log | cut -d, -f1-5
printf 'step | loss | tok/s\n1 | 0.5 | 10\n2 | 0.4 | 12\n3 | 0.3 | 14\n' >b.log
"$TRACEQ" metrics --format json b.log | grep -o '"loss", "group": null, "count": [0-9]*\|unread[^}]*'
# A rank in front of bars that only carriage returns part is that of all of them: two values each.
for r in 0 1; do
	printf '%d: ' $r
	for n in 1 2; do printf '\rTraining: 10%%|# | %d/10 [00:01<00:40,  1.49it/s, loss=1.%d]' $n $n; done
	echo
done >c.log
"$TRACEQ" metrics --format csv --table keys -q c.log | cut -d, -f1-4
