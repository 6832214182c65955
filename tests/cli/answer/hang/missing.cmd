# Four ranks; rank 2 is in its loader. The dumps of three tell where they wait; rank 3's is JSON of
# another name.
. "$T/dumps.sh"
for r in 0 1 3; do
	LATER=$r dump $r 'W: 0,1,2,3' <<-END
		1 W all_reduce 1 completed [8] Float
		2 W all_reduce 2 scheduled [8] Float train_step train.py
		3 W all_gather 3 scheduled [4,2] Half sync ema.py
	END
done
dump 2 'W: 0,1,2,3' <<-END
	1 W all_reduce 1 completed [8] Float load_batch data.py
END
mv _dump_3 nccl_trace_rank_3.json
"$TRACEQ" hang .
echo "exit $?"
echo == stacks of one rank
"$TRACEQ" hang . --rank 1 --stack | sed -n '/^Ranks/,$p'
echo == groups
"$TRACEQ" hang . --groups -n 1 | sed -n '/^Not/,$p'
echo == CSV holds the calls
"$TRACEQ" hang . --format csv | cut -d, -f1-6
echo == and JSON the verdict
"$TRACEQ" hang . --json | tr '{' '\n' | grep -A1 '"verdict": *"W' | tr -d '\n'
echo
