#!/usr/bin/env python3
"""docs/recipes.md: each statement answers what the command below it answers, over several traces.

A recipe is a heading, a statement, and `traceq COMMAND FILE ...` that has a table of the same.  What the
statement's columns are called is what they are compared with.  Behind "As" the rows are the same, behind "Rows
of" they are some of them.  Whole numbers are equal, others but for the order of sums.
"""
import collections
import json
import math
import os
import re
import subprocess
import sys
import tempfile

TRACEQ = os.path.abspath(os.environ.get("TRACEQ", "build/release/traceq"))
FIXTURES = os.path.abspath(os.environ.get("FIXTURES", "build/release/fixtures"))
PAGE = "docs/recipes.md"
RECIPE = re.compile(r"^## (.*?)\n\n```sql\n(.*?)```\n\n(As|Rows of) `traceq (.*?)`(.*?)$", re.S | re.M)
TRACES = ["comm-bound --steps 4", "copy-bound --steps 7", "dataloader-bound --steps 3", "multi-gpu --steps 3",
          "multi-stream --steps 3", "python-stacks --steps 3", "runs-ahead --steps 6", "tiny"]
HTA, NSYS = 10, 10


def rows(words):
    done = subprocess.run([TRACEQ, *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode and "the answer has no table" in done.stderr:
        return []
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")
    tables = json.loads(done.stdout)["tables"]
    return [row for table in tables for row in table["rows"]]


def alike(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return a is not None and b is not None and math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)
    return a == b


def key(row):
    return repr([v if not isinstance(v, float) else f"{v:.9g}" for v in row])


def differ(got, want, is_part):
    """What is wrong, or None."""
    if not got or not want:
        return None if is_part and not got or not want and not got else f"{len(got)} rows for {len(want)}"
    keys = list(got[0])
    missing = [k for k in keys if k not in want[0]]
    if missing:
        return f"the command has no {missing}"
    mine = sorted(([row[k] for k in keys] for row in got), key=key)
    theirs = sorted(([row[k] for k in keys] for row in want), key=key)
    if is_part:
        index = collections.Counter(key(row) for row in mine)
        theirs = [row for row in theirs if index[key(row)] > 0]
    if len(mine) != len(theirs):
        return f"{len(mine)} rows for {len(theirs)}: {mine[:2]} for {theirs[:2]}"
    for a, b in zip(mine, theirs):
        if not all(alike(x, y) for x, y in zip(a, b)):
            return f"{a} for {b}"
    return None


def main():
    with open(PAGE, encoding="utf-8") as f:
        recipes = RECIPE.findall(f.read())
    passed, failures = 0, []
    if (sum(r[0].startswith("HTA: ") for r in recipes), sum(r[0].startswith("nsys: ") for r in recipes)) != (HTA, NSYS):
        failures.append(f"{len(recipes)} recipes are read, not {HTA} of HTA's and {NSYS} of nsys'")
    filled = collections.Counter()
    with tempfile.TemporaryDirectory() as work:
        for number, trace in enumerate(TRACES):
            path = os.path.join(work, f"{number}.json")
            with open(path, "wb") as f:
                subprocess.run([FIXTURES, *trace.split()], stdout=f, check=True)
            for name, statement, how, command, more in recipes:
                try:
                    got = rows(["sql", path, statement])
                    want = rows([path if word == "FILE" else word for word in command.split()])
                    if "once for each GPU" in more and got:
                        want = list({key([row[k] for k in got[0]]): row for row in want}.values())
                    why = differ(got, want, how == "Rows of")
                except RuntimeError as e:
                    why = str(e)
                filled[name] += why is None and len(got) > 0
                if why:
                    failures.append(f"{trace}: {name}: {why[:500]}")
                else:
                    passed += 1
    failures += [f"{r[0]}: no trace has rows for it" for r in recipes if not filled[r[0]]]
    for text in failures:
        print(f"oracle recipes: {text}")
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
