#!/usr/bin/env python3
"""`stacks --format speedscope`, read by the rules of the published schema
(https://www.speedscope.app/file-format-schema.json): each open has its close, properly nested, times
never fall, and what is in it is what `top`, `kernels` and `stacks` say, on real and generated traces.
And folded stacks: their sum is that of `stacks`, and the times of the roots."""
import collections
import glob
import json
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
SCENARIOS = ["healthy", "multi-stream", "multi-gpu", "gpu-only", "tiny"]

passed = 0
failures = []


def expect(what, is_true, why):
    global passed
    passed += 1
    if not is_true:
        failures.append(f"{what}: {why}")


def run(*argv):
    return subprocess.run([TRACEQ, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def tables(*argv):
    done = run(*argv, "--json", "-q")
    found = collections.defaultdict(list)
    if done.returncode in (0, 1):
        for t in json.loads(done.stdout)["tables"]:
            found[t["id"]].extend(t["rows"])
    return found


def whole(v):
    return isinstance(v, int) and not isinstance(v, bool)


def check_document(what, doc):
    """The schema's required members and types; returns the names of the frames."""
    expect(what, doc.get("$schema") == "https://www.speedscope.app/file-format-schema.json", "$schema")
    expect(what, set(doc) <= {"$schema", "shared", "profiles", "name", "activeProfileIndex", "exporter"},
           f"members {sorted(doc)}")
    frames = doc["shared"]["frames"]
    expect(what, all(isinstance(f["name"], str) and set(f) <= {"name", "file", "line", "col"}
                     for f in frames), "a frame without a name")
    expect(what, len({f["name"] for f in frames}) == len(frames), "a frame twice")
    expect(what, doc["profiles"] and 0 <= doc["activeProfileIndex"] < len(doc["profiles"]), "active")
    return [f["name"] for f in frames]


def walk(what, profile, frames, calls):
    """Adds (calls, total, self) by name; returns the time of the roots and the number of calls."""
    expect(what, profile["type"] == "evented" and profile["unit"] == "nanoseconds"
           and set(profile) == {"type", "name", "unit", "startValue", "endValue", "events"},
           f"{profile['name']}: members")
    stack, last, roots, n, bad = [], profile["startValue"], 0, 0, []
    for e in profile["events"]:
        if set(e) != {"type", "frame", "at"} or not whole(e["at"]) or not 0 <= e["frame"] < len(frames):
            bad.append(f"event {e}")
            break
        if e["at"] < last:
            bad.append(f"time falls at {e}")
        last = e["at"]
        if e["type"] == "O":
            stack.append([e["frame"], e["at"], 0])
            n += 1
            continue
        if e["type"] != "C" or not stack or stack[-1][0] != e["frame"]:
            bad.append(f"{e} closes {stack[-1] if stack else 'nothing'}")
            break
        frame, begin, inner = stack.pop()
        total = e["at"] - begin
        if stack:
            stack[-1][2] += total
        else:
            roots += total
        c = calls[frames[frame]]
        c[0] += 1
        c[1] += total
        c[2] += total - inner
    if stack:
        bad.append(f"{len(stack)} are not closed")
    if last > profile["endValue"]:
        bad.append(f"ends at {last}, behind {profile['endValue']}")
    expect(what, not bad, f"{profile['name']}: {bad[:2]}")
    return roots, n


def read(what, path, *options):
    with tempfile.TemporaryDirectory() as d:
        out = os.path.join(d, "x.speedscope.json")
        done = run("stacks", path, *options, "-o", out)
        if done.returncode != 0:
            expect(what, b"no calls" in done.stderr or b"no device" in done.stderr
                   or b"no steps" in done.stderr, f"{done.stderr.decode()}")
            expect(what, not os.path.exists(out), "an error, and a file")
            return None, ""
        text = open(out, "rb").read()
        again = run("stacks", path, *options, "--format", "speedscope", "-j", "2").stdout
        expect(what, text == again, "stdout has other bytes than the file")
        return json.loads(text), done.stderr.decode()


def check_side(what, path, metric, *options):
    """Threads or streams alone, against the tables."""
    doc, err = read(what, path, "--metric", metric, *options)
    rows = tables("stacks", path, "--metric", metric, "-n", "0", *options)["stacks"]
    if doc is None:
        return 0
    frames, calls, roots, n = check_document(what, doc), collections.defaultdict(lambda: [0, 0, 0]), 0, 0
    zero = min(e["at"] for p in doc["profiles"] for e in p["events"])
    expect(what, zero == 0, f"the first event is at {zero}")
    crossing = 0
    for p in doc["profiles"]:
        time, count = walk(what, p, frames, calls)
        roots, n = roots + time, n + count
        crossing += count if p["name"].endswith(")") and p["name"].rsplit("(", 1)[1][:-1].isdigit() else 0
    said = [int(s.split(": ")[2].split(" ")[0]) for s in err.splitlines() if " inside another one" in s]
    expect(what, (said[0] if said else 0) == crossing or "of their own" not in err,
           f"{crossing} in further lanes, said {said}")
    key = "self_cpu_ns" if metric == "cpu" else "device_ns"
    if metric == "cpu" and rows and not crossing:
        sum_of_stacks = sum(r[key] for r in rows)
        expect(what, sum(c[2] for c in calls.values()) == sum_of_stacks == roots,
               f"self {sum(c[2] for c in calls.values())}, stacks {sum_of_stacks}, roots {roots}")
        check_selves(what, path, calls, rows, *options)
    if metric == "device":
        check_work(what, path, calls, *options)
    if crossing == 0 and metric == "cpu":
        folded = run("stacks", path, "--metric", metric, *options, "--format", "folded", "-q").stdout
        expect(what, sum(int(x.rsplit(b" ", 1)[1]) for x in folded.splitlines()) == roots,
               "folded stacks do not add up to the roots")
    return n


def step(name):
    return "ProfilerStep*" if name.startswith("ProfilerStep#") else name


def check_selves(what, path, calls, rows, *options):
    """Own times by the last frame of the stacks."""
    stacks, ours = collections.Counter(), collections.Counter()
    for r in rows:
        stacks[r["leaf"]] += r["self_cpu_ns"]
    for name, c in calls.items():
        ours[step(name)] += c[2]
    for name in stacks.keys() | {n for n in ours if ours[n]}:
        expect(what, stacks[name] == ours[name], f"self of {name!r}: {ours[name]}, not {stacks[name]}")


def check_work(what, path, calls, *options):
    """Kernels by name, as `kernels` counts and sums them; a nested one has both its times."""
    seen = collections.defaultdict(lambda: [0, 0])
    for r in tables("kernels", path, "-n", "0", *options)["kernels"]:
        seen[r["name"]][0] += r["calls"]
        seen[r["name"]][1] += r["device_sum_ns"]
    for name, (n, total) in seen.items():
        got = calls.get(name, [0, 0, 0])
        expect(what, got[:2] == [n, total], f"kernel {name!r}: {got[:2]}, not {[n, total]}")


def check_functions(what, path):
    """Totals of Python functions where none calls itself: those of the table of functions."""
    doc, _ = read(what, path, "--metric", "cpu")
    functions = tables("stacks", path, "-n", "0")["functions"]
    if doc is None or not functions:
        return
    calls = collections.defaultdict(lambda: [0, 0, 0])
    frames = check_document(what, doc)
    for p in doc["profiles"]:
        walk(what, p, frames, calls)
    for f in functions:
        got = calls[f["name"]]
        expect(what, got[0] == f["calls"], f"calls of {f['name']!r}: {got[0]}, not {f['calls']}")
        expect(what, got[1] >= f["total_ns"] and got[1] == round(f["mean_ns"] * f["calls"]),
               f"durations of {f['name']!r}: {got[1]}, not {f['mean_ns'] * f['calls']}")


def check_round(what, path):
    """traceq reads what it wrote: the same time in all."""
    doc, _ = read(what, path, "--metric", "cpu")
    if doc is None:
        return
    roots = sum(walk(what, p, [f["name"] for f in doc["shared"]["frames"]],
                     collections.defaultdict(lambda: [0, 0, 0]))[0] for p in doc["profiles"])
    with tempfile.TemporaryDirectory() as d:
        out = os.path.join(d, "x.speedscope.json")
        with open(out, "w", encoding="utf-8") as f:
            f.write(json.dumps(doc))
        rows = tables("stacks", out, "-n", "0")["sampled_stacks"]
    expect(what, sum(r["sampled_ns"] for r in rows) == roots,
           f"read back {sum(r['sampled_ns'] for r in rows)}, not {roots}")


def check_sampled(what, path):
    doc, _ = read(what, path)
    if doc is None:
        expect(what, False, "no document")
        return
    names = check_document(what, doc)
    for p, rows in zip(doc["profiles"], [tables("stacks", path, "-n", "0")["sampled_stacks"]]):
        expect(what, p["type"] == "sampled" and len(p["samples"]) == len(p["weights"]) == len(rows), "rows")
        key = "sampled_ns" if p["unit"] == "nanoseconds" else "samples"
        got = {";".join(names[i] for i in s): w for s, w in zip(p["samples"], p["weights"])}
        expect(what, got == {r["stack"]: r[key] for r in rows}, "other stacks or weights")
        expect(what, p["endValue"] - p["startValue"] == sum(p["weights"]), "endValue")


def main():
    real = sorted(glob.glob(os.path.join(SHARED, "traces", "*.json*")))
    with tempfile.TemporaryDirectory() as d:
        paths = list(real)
        for s in SCENARIOS:
            path = os.path.join(d, s + ".json")
            with open(path, "wb") as out:
                subprocess.run([FIXTURES, s], stdout=out, check=True)
            paths.append(path)
        folded = os.path.join(d, "profile.raw")
        with open(folded, "w", encoding="utf-8") as f:
            f.write("main (a.py:1);work (a.py:2) 30\nmain (a.py:1) 12\nmain (a.py:1);wait (b.py:9) 7\n")
        check_sampled("folded", folded)
        total = 0
        for path in paths:
            name = os.path.basename(path)
            total += check_side(f"{name} threads", path, "cpu")
            total += check_side(f"{name} streams", path, "device")
            check_functions(f"{name} functions", path)
        for path in paths[:3] + paths[-2:]:
            check_round(os.path.basename(path) + " read back", path)
        for path in real[:1]:
            expect("several", run("stacks", path, path, "--format", "speedscope").returncode == 2,
                   "two runs in one file")
    expect("calls", total > 100000 or not real, f"only {total} calls were looked at")
    for f in failures[:40]:
        print("FAIL", f)
    print(f"of {total} calls:")
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return bool(failures)


sys.exit(main())
