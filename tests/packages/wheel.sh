#!/bin/bash
# The wheel: installed without index and compiler into an environment of its own, its program answers
# as the build's does, and its module has rows of it.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 2
# shellcheck source=tests/packages/lib.sh
. tests/packages/lib.sh

is_small() { [ "$(stat -c %s "$wheel")" -lt 6000000 ]; }
installs() {
	/usr/bin/python3 -m venv "$place/venv" &&
		PATH="$place/venv/bin:/nowhere" "$place/venv/bin/pip" install --no-index "$wheel"
}
has_rows() {
	(cd "$place" && env -u TRACEQ "$place/venv/bin/python" "$here/../oracle/python_module.py" installed)
}
equal_twice() {
	cp "$wheel" "$place/first.whl" && own_make -j"$(nproc)" wheel && cmp "$wheel" "$place/first.whl"
}
# As fast as the build's, which takes ISA-L from the system: the median of seven pairs.
as_fast() {
	python3 - "$TRACEQ" "$place/venv/bin/traceq" "$place/in/plain.json.gz" <<'EOF'
import statistics, subprocess, sys, time
def took(program):
    t = time.perf_counter()
    subprocess.run([program, "top", sys.argv[3]], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - t
ratio = statistics.median(took(sys.argv[2]) / took(sys.argv[1]) for _ in range(7))
print(f"{ratio:.2f} of the build's time")
sys.exit(ratio > 1.25)
EOF
}

/usr/bin/python3 -c 'import venv, ensurepip' 2>/dev/null || {
	skip 6 "python3-venv is missing"
	finish
	exit
}
check "make wheel" own_make -j"$(nproc)" wheel || { finish; exit; }
wheel=$(echo "$PWD"/build/traceq-*-manylinux*_"$(uname -m)".whl)
check "less than 6 MB" is_small
check "equal when made again" equal_twice
check "pip install --no-index" installs || { finish; exit; }
check "rows from Python" has_rows
inputs "$place/in"
same_answers "wheel" "$place/in" "$place/venv/bin/traceq"
check "as fast as the build's program" as_fast
finish
