#!/bin/bash
# make bench: reading and the analyses (run.py), then what a capture costs (capture.py); words: parts of
# run.py, which then run alone.
set -eu
python3 "$(dirname "$0")/run.py" "$@"
[ $# -gt 0 ] || python3 "$(dirname "$0")/capture.py"
