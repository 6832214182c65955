# Two ranks call two groups in different orders; a third waits for one of them.
. "$T/dumps.sh"
dump 0 'A: 0,1' 'B: 0,1' 'C: 0,2' <<-END
	1 A all_reduce 1 scheduled [8] Float forward model.py
	2 B all_reduce 1 scheduled [8] Float backward model.py
END
dump 1 'A: 0,1' 'B: 0,1' <<-END
	1 B all_reduce 1 scheduled [8] Float backward model.py
	2 A all_reduce 1 scheduled [8] Float forward model.py
END
dump 2 'C: 0,2' <<<'1 C barrier 1 scheduled [1] Byte'
"$TRACEQ" hang .
