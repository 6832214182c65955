#!/bin/bash
# make bench: reading and the analyses (run.py), then what a capture costs (capture.py).
set -eu
python3 "$(dirname "$0")/run.py" "$@"
python3 "$(dirname "$0")/capture.py"
