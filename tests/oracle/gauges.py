#!/usr/bin/env python3
"""--format openmetrics of many answers, read here by OpenMetrics' own rules: a family's lines stand together
behind its head, its name ends in its unit, no two samples are one series, and the text ends with # EOF.
Every number of --json is a sample, in seconds and joules where it is in ns and nJ, and nothing else is.

Python's standard library only.  Source of the rules: OpenMetrics 1.0 (prometheus.io).
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
TRACEQ = os.path.abspath(os.environ.get("TRACEQ", "build/release/traceq"))
FIXTURES = os.path.abspath(os.environ.get("FIXTURES", "build/release/fixtures"))
NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*\Z")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|\Z)')
WORDS = {"ns": "seconds", "bytes": "bytes", "ratio": "ratio", "bytes_per_s": "bytes_per_second", "nj": "joules"}
# Columns whose rows have units of their own, which --json does not say: looked at by hand below.
OF_ROW = {("traceq_gate", key) for key in ("base", "new", "change_delta")}
OF_ROWS = re.compile(r"traceq_gate_checks_(base|new|change_delta)(_(seconds|bytes|ratio|joules))?\Z")
passed = failed = 0


def check(condition, text):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {text}")


def traceq(folder, *words):
    return subprocess.run([TRACEQ, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def labels_of(text):
    at, found = 0, {}
    while at < len(text):
        m = LABEL.match(text, at)
        if not m or m[1] in found:
            return None
        found[m[1]] = re.sub(r"\\(.)", lambda e: "\n" if e[1] == "n" else e[1], m[2])
        at = m.end()
    return found


def read(text, what):
    """{(family, labels): value}, {family: unit}"""
    series, units, done, family, kind = {}, {}, set(), None, None
    check(text.endswith("# EOF\n") and text.count("# EOF") == 1, f"{what}: ends with # EOF")
    for line in text.splitlines()[:-1]:
        if line.startswith("# TYPE "):
            _, _, family, kind = line.split(" ")
            check(NAME.match(family) and family not in done and kind in ("gauge", "info"), f"{what}: {line}")
            done.add(family)
            continue
        if line.startswith("# "):
            word, name, rest = line[2:].split(" ", 2)
            check(word in ("UNIT", "HELP") and name == family, f"{what}: {line}")
            if word == "UNIT":
                check(family.endswith("_" + rest), f"{what}: {line}")
                units[family] = rest
            continue
        m = re.match(r"([^ {]+)(?:\{(.*)\})? ([^ ]+)\Z", line)
        check(m and m[1] == family + ("_info" if kind == "info" else ""), f"{what}: {line}")
        found = labels_of(m[2] or "")
        check(found is not None, f"{what}: labels of {line}")
        key = (m[1], tuple(sorted(found.items())))
        check(key not in series, f"{what}: twice {line}")
        series[key] = float(m[3])
    return series, units


def expected(answer):
    """What --json has: how often each value stands in each family; of ids, which are labels, unless they are whole
    by chance."""
    command = answer["schema"].split("/")[0].replace(".", "_").replace("-", "_")
    want, ids = Counter(), Counter()
    for t in answer["tables"]:
        for row in t["rows"]:
            for c in t["columns"]:
                v = row.get(c["key"])
                if v is None or isinstance(v, str) or (command, c["key"]) in OF_ROW:
                    continue
                unit = c["unit"]
                key = c["key"]
                if unit == "row":
                    unit = row.get("unit")
                if unit in WORDS and key.endswith("_" + unit):
                    key = key[:-len(unit) - 1]
                name = f"{command}_{t['id']}_{key}" + (f"_{WORDS[unit]}" if unit in WORDS else "")
                into = ids if unit is None and isinstance(v, int) and not isinstance(v, bool) else want
                into[name, f"{float(v) / (1e9 if unit in ('ns', 'nj') else 1):.9g}"] += 1
    return want, ids


def look_at_dashboard(series):
    """Each series and label that the dashboard draws is one that traceq writes; job is the collector's."""
    labels = {}
    for name, found in series:
        labels.setdefault(name, set()).update(key for key, _ in found)
    with open(os.path.join(HERE, "..", "..", "share", "grafana", "traceq.json"), encoding="utf-8") as f:
        board = json.load(f)
    targets = [t for panel in board["panels"] for t in panel["targets"]]
    check(len(targets) >= 8, "the dashboard draws something")
    for t in targets:
        name = re.search(r"traceq_[a-z0-9_]+", t["expr"])[0]
        asked = set(re.findall(r"\{\{(\w+)\}\}", t["legendFormat"])) - {"job"}
        check(name in labels and asked <= labels[name], f"dashboard: {t['expr']} {t['legendFormat']}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("healthy", "dataloader-bound"):
            with open(os.path.join(folder, f"{name} \"q\" \\ größe.json"), "wb") as f:
                subprocess.run([FIXTURES, name, "--steps", "5", "--memory"], stdout=f, check=True)
        healthy, slow = (f"{name} \"q\" \\ größe.json" for name in ("healthy", "dataloader-bound"))
        os.mkdir(os.path.join(folder, "job"))
        subprocess.run([FIXTURES, "multi-rank", "--all-ranks", os.path.join(folder, "job"), "--world", "4"], check=True,
                       stdout=subprocess.DEVNULL)
        check(traceq(folder, "digest", "job", "-o", "job.tqd").returncode == 0, "a digest is written")
        for words in (["summary", slow], ["summary", healthy, slow], ["top", "-n", "20", slow], ["kernels", slow],
                      ["ranks", "job"], ["ranks", "job.tqd"], ["summary", "job.tqd"], ["idle", slow], ["steps", slow],
                      ["gate", healthy, slow], ["diagnose", slow], ["comms", "job"], ["memory", slow], ["info", slow]):
            what = " ".join(words)
            text = traceq(folder, *words, "--format", "openmetrics")
            answer = traceq(folder, *words, "--json")
            check(text.returncode == answer.returncode and answer.stdout, f"{what}: exit code {text.returncode}")
            series, _ = read(text.stdout.decode(), what)
            came = Counter((key[0], f"{value:.9g}") for key, value in series.items()
                           if not key[0].endswith("_info") and not math.isnan(value) and not OF_ROWS.match(key[0]))
            want, ids = expected(json.loads(answer.stdout))
            check(not want - came and not came - want - ids, f"{what}: not --json's numbers: {list((came - want).items())[:3]}, "
                  f"{list((want - came).items())[:3]}")
        gate = read(traceq(folder, "gate", healthy, slow, "--format", "openmetrics").stdout.decode(), "gate")[0]
        row = next(row for t in json.loads(traceq(folder, "gate", healthy, slow, "--json").stdout)["tables"]
                   for row in t["rows"] if row.get("check") == "step_time")
        for key in ("base", "new", "change_delta"):
            came = [v for (name, labels), v in gate.items()
                    if name == f"traceq_gate_checks_{key}_seconds" and ("check", "step_time") in labels]
            check(len(came) == 1 and math.isclose(came[0], row[key] / 1e9), f"gate: {key} of step_time in seconds")
        one = read(traceq(folder, "summary", slow, "--format", "openmetrics").stdout.decode(), "one run")[0]
        info = [dict(labels) for name, labels in one if name == "traceq_summary_overview_texts_info"]
        check(len(info) == 1 and info[0].get("verdict") == "dataloader-bound", f"the verdict is a label of info: {info}")
        check(not [name for name, labels in one if "overview" in name and labels and not name.endswith("_info")],
              "one row needs no labels")
        check(traceq(folder, "gate", healthy, slow, "--openmetrics", "gate.prom").returncode == 1, "the gate's own gauges")
        with open(os.path.join(folder, "gate.prom"), encoding="utf-8") as f:
            drawn = read(f.read(), "gate --openmetrics")[0]
        drawn.update(one)
        drawn.update(read(traceq(folder, "ranks", "job", "--format", "openmetrics").stdout.decode(), "ranks")[0])
        look_at_dashboard(drawn)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


main()
