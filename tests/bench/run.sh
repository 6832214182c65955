#!/bin/bash
# make bench: see run.py.
set -eu
exec python3 "$(dirname "$0")/run.py" "$@"
