#!/bin/sh
# The shell scripts pass shellcheck, the Python programs compile.
# Why: a script's mistakes with quotes show only with the one name that nobody tried.
set -u
cd "$(dirname "$0")/../.." || exit 2
status=0
if command -v shellcheck >/dev/null 2>&1; then
	find .ci packages share tests -name '*.sh' -o -path .ci/run | LC_ALL=C sort |
		xargs -r shellcheck -x || status=1
else
	echo "skipped: shellcheck is not installed"
fi
find tests fixtures -name '*.py' 2>/dev/null | LC_ALL=C sort | xargs -r python3 -c '
import sys
bad = False
for name in sys.argv[1:]:
    try:
        compile(open(name).read(), name, "exec")
    except (SyntaxError, ValueError) as e:
        print(f"{name}: {e}")
        bad = True
sys.exit(bad)' || status=1
exit "$status"
