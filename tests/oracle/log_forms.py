#!/usr/bin/env python3
"""Logs as some eighty programs print them (`fixtures log`), plain and as loggers, launchers and terminals change
them: each figure has its values, there is none beside them, and what is not read of their numbers is counted.

With words as arguments only the forms are looked at whose names have one of them in it.
"""
import concurrent.futures
import json
import math
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
ALL = os.environ.get("CHECK_ALL")
READ = 0.98  # of the numbers in lines that are no means of those before, of all forms together
# Tables of entries whose lines are mixed with those of other ranks: no line says which table it is of.
UNSURE = {("sb3", "two-ranks"), ("sb3", "eight-ranks")}
# Figures that no form can write: "1m 2s", always the same.
FIXED = {("ms-swift", "elapsed_time"): 62e9, ("fastai", "time"): 5e9}


def fixtures(*args):
    return subprocess.run([FIXTURES, "log", *args], capture_output=True, check=True).stdout


def listed():
    forms, changes = fixtures("--list").decode().split("changes\n")
    return [line.split("\t")[0] for line in forms.splitlines()], changes.split()


def metrics(text, folder):
    handle, path = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "wb") as log:
        log.write(text)
    done = subprocess.run([TRACEQ, "metrics", path, "--warmup", "0", "--json"], capture_output=True, timeout=120)
    os.unlink(path)
    if done.returncode != 0:
        return {}, {}, done.stderr.decode(errors="replace").strip().replace(path, "log")
    answer = json.loads(done.stdout)
    rows = {(r["key"], r["group"] or ""): r for t in answer["tables"] if t["id"] == "keys" for r in t["rows"]}
    return rows, {n["id"]: n for n in answer["notes"]}, None


def check(form, change, folder):
    """What is wrong, how many numbers the log has, how many of them are read or are places."""
    truth = json.loads(fixtures(form, "--as", change, "--answers"))
    rows, notes, why = metrics(fixtures(form, "--as", change), folder)
    where = f"{form} as {change}"
    if why:
        return [f"{where}: {why}"], truth["numbers"], 0
    wrong, lost = [], 0
    for figure in truth["figures"]:
        row = rows.pop((figure["key"], figure["group"]), None)
        name = figure["key"] + (f" ({figure['group']})" if figure["group"] else "")
        if row is None:
            wrong.append(f"{where}: no {name}")
            lost += figure["count"]
            continue
        lost += max(0, figure["count"] - row["count"])
        if change == "cut" and row["count"] != figure["count"]:  # a line that is not whole may be read or not
            if abs(row["count"] - figure["count"]) > 1:
                wrong.append(f"{where}: {name} has {row['count']} values, not {figure['count']}")
            continue
        for what in ("count", "mean", "last", "min", "max"):
            got = row[what]
            if got is None or not math.isclose(got, figure[what], rel_tol=1e-9, abs_tol=1e-12):
                wrong.append(f"{where}: {what} of {name} is {got}, not {figure[what]}")
    wrong += [f"{where}: {key} {group} is none of its figures" for (key, group), row in rows.items()
              if (change != "cut" or row["count"] > 1) and FIXED.get((form, key)) != row["mean"]]
    if truth["unnamed"] + truth["means"] and "unread_numbers" not in notes:
        wrong.append(f"{where}: nothing says that numbers are not read")
    return wrong, truth["numbers"], truth["numbers"] - truth["unnamed"] - lost


def main():
    forms, changes = listed()
    if len(sys.argv) > 1:
        forms = [f for f in forms if any(word in f for word in sys.argv[1:])]
    pairs = [(f, c) for i, f in enumerate(forms) for j, c in enumerate(changes)
             if (f, c) not in UNSURE and (ALL or len(sys.argv) > 1 or c == "plain" or (i + j) % 4 == 0)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda pair: check(*pair, folder), pairs))
    failures = [line for wrong, _, _ in done for line in wrong]
    numbers, read = sum(n for _, n, _ in done), sum(r for _, _, r in done)
    whole = len(sys.argv) == 1  # of all forms, how many numbers are read is one more thing to pass
    too_few = whole and read < READ * numbers
    if too_few:
        failures.append(f"{read} of {numbers} numbers are read")
    for failure in failures:
        print(failure)
    bad = sum(bool(wrong) for wrong, _, _ in done) + too_few
    print(f"{len(forms)} forms, {100 * read / numbers:.2f} % of {numbers} numbers read")
    print(f"{len(pairs) + whole - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
