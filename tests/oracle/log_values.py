#!/usr/bin/env python3
"""Small logs against tests/log_values.tsv: how many values each figure has, and their mean; and pairs
of logs of which the second is slower, which fail the gate and pass against themselves."""
import json
import math
import os
import subprocess
import sys

TRACEQ = os.environ["TRACEQ"]
CASES = os.path.join(os.environ.get("SHARED", "../shared"), "cases")
PAIRS = ["d2old", "ep", "evalbar", "meg", "ngn_20", "ngn_60", "p_fairseq", "p_mds", "p_nanotron", "p_nemo2", "p_paddle",
         "p_ppdet", "ppt", "q_mmiter", "q_trtllm", "q_trtllm_new", "q_unsloth", "q_yolo", "spec", "vac"]
failures = []
checked = 0


def expect(where, got, want):
    global checked
    checked += 1
    same = math.isclose(got, want, rel_tol=1e-6) if isinstance(got, float) and want is not None else got == want
    if not same:
        failures.append(f"{where}: {got}, not {want}")


def run(*args):
    return subprocess.run([TRACEQ, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)


def figures(path):
    done = run("metrics", os.path.join(CASES, path), "--warmup", "0", "--json")
    if done.returncode != 0:
        return {}
    tables = json.loads(done.stdout)["tables"]
    return {(row["key"], row["group"] or "-"): row for table in tables if table["id"] == "keys" for row in table["rows"]}


def check_values():
    known = {}
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "..", "log_values.tsv"), encoding="utf-8") as table:
        rows = [line.rstrip("\n").split("\t") for line in table if not line.startswith("#")]
    for path, key, group, count, mean in rows:
        if path not in known:
            known[path] = figures(path)
        row = known[path].get((key, group), {"count": 0, "mean": None})
        expect(f"{path}: values of {key} ({group})", row["count"], int(count))
        expect(f"{path}: mean of {key} ({group})", row["mean"] if row["mean"] is None else float(row["mean"]), float(mean))


def check_pairs():
    for name in PAIRS:
        base, slow = (os.path.join(CASES, "logs", f"{name}_{which}.log") for which in ("base", "slow"))
        expect(f"gate of {name}, slower", run("gate", f"base={base}", f"new={slow}").returncode, 1)
        expect(f"gate of {name} against itself", run("gate", f"base={base}", f"new={base}").returncode, 0)


check_values()
check_pairs()
for failure in failures:
    print(failure)
print(f"{checked - len(failures)} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
