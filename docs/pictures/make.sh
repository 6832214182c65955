#!/bin/bash
# Makes the pictures of README.md anew: pages that traceq writes of a generated run, as Chromium shows them.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build/release/fixtures dataloader-bound --steps 6 >"$work/trace.json"
build/release/traceq plot timeline-lanes -q "$work/trace.json" -o "$work/lanes.html"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,560 --virtual-time-budget=4000 \
	--screenshot="$work/lanes.png" "file://$work/lanes.html" 2>"$work/said"
mv "$work/lanes.png" docs/pictures/lanes.png
