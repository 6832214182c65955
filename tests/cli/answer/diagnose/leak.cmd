# All of the screen, with a leak and everything that was not found.
"$FIXTURES" leak --steps 10 >leak.json
"$TRACEQ" diagnose leak.json
