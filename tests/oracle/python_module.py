#!/usr/bin/env python3
"""The Python module (packages/python/traceq): its rows are those of --json, its errors the program's
words, its gate says what the exit code says.  With the word `installed`: the module that is installed.

Python's standard library only.
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
if sys.argv[1:] != ["installed"]:
    sys.path.insert(0, os.path.join(HERE, "..", "..", "packages", "python"))
import traceq  # noqa: E402

FIXTURES = os.environ["FIXTURES"]
passed = failed = 0


def check(condition, text):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {text}")


def fails(call, *args, **options):
    try:
        call(*args, **options)
    except traceq.Error as e:
        return e
    return None


def plain(*words):
    done = subprocess.run([traceq.find(), *words, "--json"], stdout=subprocess.PIPE, check=False)
    return json.loads(done.stdout)["tables"]


def table(tables, name):
    return [row for t in tables if t["id"] == name for row in t["rows"]]


def main():
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name in ("healthy", "dataloader-bound"):
            paths.append(os.path.join(folder, f"{name} - größe.json"))
            with open(paths[-1], "wb") as f:
                subprocess.run([FIXTURES, name, "--steps", "5"], stdout=f, check=True)
        healthy, slow = paths
        check(traceq.top(slow, n=3, frame=False) == table(plain("top", "-n", "3", slow), "ops"), "top: rows")
        check(len(traceq.top(slow, n=3, frame=False)) == 3, "top: -n")
        check(traceq.top(slow, table="totals", frame=False) == table(plain("top", slow), "totals"), "top: table")
        check(traceq.kernels(slow, f="gemm", frame=False) == table(plain("kernels", "-f", "gemm", slow), "kernels"),
              "kernels: an option of one letter")
        check(traceq.diagnose(slow, frame=False) == table(plain("diagnose", slow), "changes"), "diagnose: rows")
        both = traceq.top(healthy, slow, n=2, frame=False, per_run=True)
        check([row["input"] for row in both] == [healthy] * 2 + [slow] * 2, "rows of several files say of which")
        check(traceq.diff(healthy, slow, table="step", frame=False) == table(plain("diff", healthy, slow), "step"),
              "diff: rows")
        check(traceq.summary(slow)["schema"].startswith("traceq.summary/"), "summary: the whole answer")
        check(traceq.gate(healthy, healthy, frame=False).passed, "gate: equal runs pass")
        judged = traceq.gate(healthy, slow, frame=False)
        check(not judged.passed and any(row["state"] == "FAIL" for row in judged.checks), "gate: a slow run does not")
        gone = fails(traceq.top, os.path.join(folder, "gone"))
        check(gone is not None and gone.code == 2 and "cannot open" in str(gone), "a missing file is an error")
        wrong = fails(traceq.top, slow, table="nothing")
        check(wrong is not None and "has no table 'nothing'" in str(wrong), "a missing table is an error")
        typo = fails(traceq.top, slow, sortt="x")
        check(typo is not None and "--sortt" in str(typo), "a wrong option is an error")
        try:
            import pandas
        except ImportError:
            pandas = None
        if pandas:
            check(list(traceq.top(slow, n=3)["name"]) == [row["name"] for row in traceq.top(slow, n=3, frame=False)],
                  "a DataFrame where pandas is")
        else:
            check(isinstance(traceq.top(slow), list), "a list where pandas is not")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


main()
