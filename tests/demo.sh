#!/bin/sh
# make demo: a generated trace, and what traceq says about it.  Each command is shown before its
# output.
set -eu
dir=$BUILD/demo
PATH=$B:$PATH
mkdir -p "$dir"
cd "$dir"

show() {
	printf '\n$ %s\n' "$*"
	"$@"
}

echo '$ fixtures healthy --steps 6 --gzip >healthy.json.gz'
fixtures healthy --steps 6 --gzip >healthy.json.gz
show traceq top healthy.json.gz
show traceq info healthy.json.gz
show traceq check healthy.json.gz
printf '\nThe trace is %s\n' "$dir/healthy.json.gz"
