# An error in the last file leaves stdout empty.
"$TRACEQ" top "$T/tiny.json" missing.json
