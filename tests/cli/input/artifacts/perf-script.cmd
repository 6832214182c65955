# stacks by hand: tests/cli/answer/stacks/profilers.cmd
"$FIXTURES" artifact perf-script >f
"$TRACEQ" info f 2>&1
