# Sends and receives: one that nobody receives, a pair of other sizes, a chain of stages.
. "$T/dumps.sh"
echo == rank 1 does not receive
dump 0 'P: 0,1,2' <<<'1 P send->1 1 scheduled [8] Float'
dump 1 'P: 0,1,2' </dev/null
dump 2 'P: 0,1,2' </dev/null
"$TRACEQ" hang .
echo == it receives something else
dump 1 'P: 0,1,2' <<<'1 P recv<-0 1 scheduled [9] Float'
"$TRACEQ" hang . | sed '/^Ranks/,$d'
echo == both are there, and nothing moves
dump 1 'P: 0,1,2' <<<'1 P recv<-0 1 started [8] Float'
"$TRACEQ" hang . | sed '/^Ranks/,$d'
echo == 0 waits for 1, 1 for 2, and 2 for nobody
dump 1 'P: 0,1,2' <<-END
	1 P recv<-2 1 scheduled [8] Float
	2 P recv<-0 2 scheduled [8] Float
END
"$TRACEQ" hang .
