# memray: 512 bytes in the module's own line 30, 4096 below it in step, 1024 in what step calls
"$FIXTURES" artifact memray-csv >f
"$TRACEQ" info f
"$TRACEQ" stacks f
