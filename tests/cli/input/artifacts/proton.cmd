# stacks by hand: tests/cli/answer/stacks/profilers.cmd
"$FIXTURES" artifact proton >f
"$TRACEQ" info f 2>&1
