# stacks by hand: tests/cli/answer/stacks/profilers.cmd
"$FIXTURES" artifact cpuprofile >f
"$TRACEQ" info f 2>&1
