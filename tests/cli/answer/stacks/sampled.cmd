# py-spy's three forms (S1-A4): functions and stacks, in samples or in time as the file says
cat >profile.svg <<'END'
<?xml version="1.0" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" width="1200" height="118" viewBox="0 0 1200 118" xmlns="http://www.w3.org/2000/svg" xmlns:fg="http://github.com/jonhoo/inferno">
<text id="title" fill="rgb(0,0,0)" x="50.0000%" y="24.00">py-spy record -o profile.svg -- python python_scripts/train_modernBERT.py</text>
<svg id="frames" x="10" width="1180" total_samples="1000">
<g><title>forward (model.py:17) (300 samples, 30.00%)</title><rect x="0.0000%" y="68" width="30.0000%" height="15" fill="rgb(254,136,43)" fg:x="0" fg:w="300"/><text x="0.2500%" y="78.50">forward (model.py:17)</text></g>
<g><title>forward (model.py:21) (200 samples, 20.00%)</title><rect x="30.0000%" y="68" width="20.0000%" height="15" fill="rgb(232,50,12)" fg:x="300" fg:w="200"/><text x="30.2500%" y="78.50">forward (model.py:21)</text></g>
<g><title>backward (torch/_tensor.py:522) (400 samples, 40.00%)</title><rect x="50.0000%" y="68" width="40.0000%" height="15" fill="rgb(221,30,2)" fg:x="500" fg:w="400"/><text x="50.2500%" y="78.50">backward</text></g>
<g><title>train (train_modernBERT.py:42) (1,000 samples, 100.00%)</title><rect x="0.0000%" y="52" width="100.0000%" height="15" fill="rgb(210,11,43)" fg:x="0" fg:w="1000"/><text x="0.2500%" y="62.50">train</text></g>
<g><title>all (1,000 samples, 100%)</title><rect x="0.0000%" y="36" width="100.0000%" height="15" fill="rgb(1,1,1)" fg:x="0" fg:w="1000"/><text x="0.2500%" y="46.50">all</text></g>
</svg></svg>
END
"$TRACEQ" stacks profile.svg 2>&1
"$TRACEQ" stacks profile.svg --format folded 2>/dev/null | tee profile.raw
echo "== folded, -f raw"
"$TRACEQ" stacks profile.raw -f backward 2>/dev/null
"$TRACEQ" top profile.raw -n 2 2>/dev/null
echo "== speedscope, in seconds; a function that calls itself counts once"
cat >profile.json <<'END'
{"$schema": "https://www.speedscope.app/file-format-schema.json",
 "profiles": [{"type": "sampled", "name": "MainThread", "unit": "seconds", "startValue": 0.0, "endValue": 0.04,
  "samples": [[0, 1], [0, 1, 1], [0]], "weights": [0.01, 0.01, 0.02]}],
 "shared": {"frames": [{"name": "train", "file": "train.py", "line": 42}, {"name": "walk", "file": "tree.py", "line": 7}]},
 "exporter": "py-spy@0.3.14"}
END
"$TRACEQ" stacks profile.json 2>/dev/null
"$TRACEQ" stacks profile.json --json 2>/dev/null | grep -o '"sampled_ns": *[0-9]*'
"$TRACEQ" top profile.json 2>/dev/null
echo "== beside a trace"
mkdir run && mv profile.* run && "$FIXTURES" tiny >run/trace.json
"$TRACEQ" stacks run 2>/dev/null | grep sampled
"$TRACEQ" stacks run --source samples -n 1 2>/dev/null
echo "== what has none"
"$TRACEQ" stacks run/trace.json --source samples
"$TRACEQ" stacks run/profile.svg --metric device
echo "== one stack in samples and in time: two figures"
cat >both.json <<'END'
{"$schema": "https://www.speedscope.app/file-format-schema.json",
 "profiles": [{"type": "sampled", "name": "a", "unit": "none", "samples": [[0], [0]], "weights": [3, 4]},
  {"type": "sampled", "name": "b", "unit": "milliseconds", "samples": [[0]], "weights": [5]}],
 "shared": {"frames": [{"name": "train"}]}}
END
"$TRACEQ" stacks both.json 2>/dev/null
