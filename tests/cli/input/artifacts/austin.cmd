# stacks by hand: tests/cli/answer/stacks/profilers.cmd
"$FIXTURES" artifact austin >f
"$TRACEQ" info f 2>&1
