# Below the launch of a graph, the calls of its capture; Python functions of both traces.
"$TRACEQ" stacks "$T/../stages/capture-run.json" --capture "$T/../stages/capture-tape.json" --metric device --wide
"$TRACEQ" stacks "$T/../stages/capture-run.json" --capture "$T/../stages/capture-tape.json" --metric device --source ops --format folded
