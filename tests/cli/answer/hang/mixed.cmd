# A group with sends and collectives: pg_status counts both in one number, so only calls tell how far
# a rank is. Rank 2 never came to the barrier; rank 1's send says that there were three before.
. "$T/dumps.sh"
STATUS='"23":{"last_enqueued_collective":900,"last_completed_collective":900}'
export STATUS
dump 0 'W: 0,1,2' <<<'7 W barrier 3 scheduled [1] Byte'
dump 1 'W: 0,1,2' <<<'9 W send->2 3 completed [8] Float'
dump 2 'W: 0,1,2' <<<'9 W recv<-1 2 completed [8] Float'
"$TRACEQ" hang .
