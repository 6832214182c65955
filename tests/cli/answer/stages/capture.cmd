# Stages and modules of a capture stand below the stage that replays them; modules from annotations of kernels.
"$TRACEQ" stages "$T/capture-run.json" --capture "$T/capture-tape.json" --wide
"$TRACEQ" stages "$T/capture-run.json" --capture "$T/capture-tape.json" --table modules --format csv
echo "== annotated kernels, no capture"
"$TRACEQ" stages "$T/annotated.json" --table modules --wide
"$TRACEQ" stacks "$T/annotated.json" --metric device --format folded
