# the stacks of memray-csv
"$FIXTURES" artifact memray-page >f
"$TRACEQ" info f
"$TRACEQ" stacks f
