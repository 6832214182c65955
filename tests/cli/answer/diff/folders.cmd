# Ranks and repeats, by folder, by the document and by name; what is no trace is left out.
for side in base new; do
	for run in r1 r2 r3; do
		mkdir -p $side/$run/torch_profiler
		for rank in 0 1; do
			"$FIXTURES" multi-rank --steps 6 --rank $rank --world 2 \
				--seed ${run#r}${#side} >$side/$run/torch_profiler/t_$rank.json
		done
		echo hello >$side/$run/notes.txt
	done
done
"$TRACEQ" diff base new -n 2
echo "== vs"
"$TRACEQ" diff base/r1 base/r2 vs new/r1 new/r2 -n 1
echo "== labels"
"$TRACEQ" diff old=base/r1 old=base/r2 fast=new/r1 -n 1 | head -n 5
