"$FIXTURES" artifact ascend-ops >f
"$TRACEQ" info f 2>&1
