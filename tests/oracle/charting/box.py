"""What is counted as checked, what traceq says as JSON, and a chart's data as columns."""
import collections
import json
import operator
import os
import re
import subprocess

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]

checked = collections.Counter()
failures = []


def expect(what, is_true, why=""):
    checked[what] += 1
    if not is_true:
        failures.append(f"{what}: {why}")


def run(argv, **how):
    return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)


def tables_of(ask, paths):
    """The tables of an ask, rows of all inputs behind each other, by id."""
    words = ask.split(" ")
    done = run([TRACEQ, words[0], *words[1:], "--json", "-q", *paths])
    if done.returncode not in (0, 1):
        return {}
    tables = collections.defaultdict(list)
    for i, table in enumerate(json.loads(done.stdout)["tables"]):
        tables[table["id"]].extend(table["rows"])
        tables[f"{table['id']} {i}"] = table["rows"]
    return tables


def texts_of(script):
    """The texts of a script, by the names the commands have for them; and the commands."""
    block = re.search(r"^\$text << (END_OF_TEXTS_*)\n(.*?)^\1\n(.*)", script, re.M | re.S)
    lines = block[2].split("\n")
    return {f"$text[{i + 1}]": line for i, line in enumerate(lines)}, block[3]


def blocks_of(text):
    """The data of a chart: for each block its headings and its columns."""
    found = []
    for block in re.split(r"\n\n\n", text):
        lines = [l for l in block.split("\n") if l]
        if not lines:
            continue
        heads = [l for l in lines if l.startswith("# ")][-1:]
        rows = [l.split(" # ")[0].split() for l in lines if not l.startswith("#")]
        if rows:
            found.append((heads[0] if heads else "",
                          [[float(r[i]) for r in rows] for i in range(len(rows[0]))]))
    return found


def same(a, b):
    return len(a) == len(b) and all(
        (x is None and y != y) or (x is not None and abs(x - y) <= 1e-9 * max(1, abs(x), abs(y)))
        for x, y in zip(a, b))


def number(v):
    return v if isinstance(v, (int, float)) else None


def keys(table, *names):
    return [f"{table}.{n}" for n in names]


def parts_by(rows, names):
    by, place = collections.defaultdict(list), operator.itemgetter(*names)
    for r in rows:
        by[place(r)].append(r)
    return list(by.values())
