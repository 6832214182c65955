# the stacks of memray-csv, whose lines gprof2dot has not
"$FIXTURES" artifact memray-events >f
"$TRACEQ" info f
"$TRACEQ" stacks f
