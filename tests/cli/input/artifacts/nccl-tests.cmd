# bandwidth of collectives
"$FIXTURES" artifact nccl-tests >f
"$TRACEQ" info f 2>&1
"$TRACEQ" metrics f
# a quarter less of one bus bandwidth
sed 's/159\.70/120.00/' f >g
"$TRACEQ" gate f g -n 3
