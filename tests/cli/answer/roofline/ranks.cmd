# ranks of a job: MFU, ops and what is known over all of them; a single step is the figure of its rank
"$FIXTURES" multi-rank --steps 3 --world 3 --all-ranks job >/dev/null
for how in "" "--by op" "--steps 4"; do
	echo "== $how"
	COLUMNS=120 "$TRACEQ" roofline job -q -n 4 $how | sed '1,/^ranks of the job/d'
done
