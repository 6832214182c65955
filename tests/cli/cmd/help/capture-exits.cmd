# The exit codes of a command that has its own, in help and manual page.
"$TRACEQ" capture --help | sed -n '/^Exit code/,$p'
"$TRACEQ" help --man capture | sed -n '/EXIT STATUS/,/EXAMPLES/p' | head -n 7
"$TRACEQ" help --man top | sed -n '/EXIT STATUS/,/EXAMPLES/p' | head -n 4
