#!/usr/bin/env python3
"""Flame graphs: the frames of `stacks --order` against folded stacks (merged) and against what
speedscope's file has (in order of time), and the SVG against the frames: boxes as wide as they say, none
over another, each inside the one that called it, titles with the table's numbers; on all traces."""
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
SCENARIOS = ["healthy", "multi-stream", "gpu-only", "tiny"]
NARROWEST = 2000
WIDTH = 1280
SVG = "{http://www.w3.org/2000/svg}"
UNITS = {"ns": 1, "us": 1e3, "\u00b5s": 1e3, "ms": 1e6, "s": 1e9, "min": 6e10}

passed = 0
failures = []


def expect(what, is_true, why):
    global passed
    passed += 1
    if not is_true:
        failures.append(f"{what}: {why}")


def run(*argv):
    return subprocess.run([TRACEQ, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def frames_of(path, *options):
    done = run("stacks", path, *options, "--json", "-q")
    if done.returncode != 0:
        return None
    return next(t["rows"] for t in json.loads(done.stdout)["tables"] if t["id"] == "frames")


def check_merged(what, path, *options):
    """Each frame is its path in the folded stacks; what is narrow is the rest of its parent."""
    rows = frames_of(path, "--order", "merged", "--no-merge-layers", "--waits", "merged", *options)
    folded = run("stacks", path, *options, "--format", "folded", "-q")
    if rows is None:
        expect(what, folded.returncode != 0 or not folded.stdout, "folded stacks, but no frames")
        return
    total, own, children = collections.Counter(), collections.Counter(), collections.defaultdict(set)
    for line in folded.stdout.decode().splitlines():
        stack, ns = line.rsplit(" ", 1)
        names = tuple(stack.split(";"))
        own[names] += int(ns)
        for i in range(len(names) + 1):
            total[names[:i]] += int(ns)
            if i:
                children[names[:i - 1]].add(names[:i])
    expect(what, rows[0]["depth"] == 0 and rows[0]["total_ns"] == total[()], "the root is not all")
    path_at, edge, listed, bad = {0: ()}, {0: (0, rows[0]["length_ns"])}, collections.Counter(), []
    narrow = -(-total[()] // NARROWEST)
    for r in rows[1:]:
        up = path_at[r["depth"] - 1]
        lo, hi = edge[r["depth"] - 1]
        if not (lo <= r["at_ns"] and r["at_ns"] + r["length_ns"] <= hi and r["length_ns"] == r["total_ns"]):
            bad.append(f"{r} lies outside of its parent")
        edge[r["depth"]] = (r["at_ns"], r["at_ns"] + r["length_ns"])
        listed[up] += r["total_ns"]
        name = r["name"].replace(";", ":")
        is_one = r["merged"] == 1
        path_at[r["depth"]] = up + (name,)
        if is_one and (total[up + (name,)], own[up + (name,)]) != (r["total_ns"], r["self_ns"]):
            bad.append(f"{r}, not {total[up + (name,)]}, {own[up + (name,)]}")
        if is_one and r["total_ns"] >= narrow:
            children[up].discard(up + (name,))
        elif r["total_ns"] > narrow * r["merged"]:
            bad.append(f"{r['merged']} frames are {r['total_ns']} wide, and narrower than {narrow} each")
    at = {0: ()}
    for r in rows:
        if r["depth"]:
            at[r["depth"]] = at[r["depth"] - 1] + (r["name"].replace(";", ":"),)
        here = at[r["depth"]]
        if r["merged"] == 1 and r["total_ns"] >= narrow and listed[here] + own[here] != total[here]:
            bad.append(f"{here[-1:]}: children {listed[here]} and own {own[here]} are not {total[here]}")
    wide = [p for c in children.values() for p in c if total[p] >= narrow and total[p[:-1]] >= narrow]
    expect(what, not wide, f"not drawn: {wide[:2]}")
    expect(what, not bad, bad[:2])


def calls_of(document):
    """(lane, depth) -> calls as (at, length, name)."""
    names = [f["name"] for f in document["shared"]["frames"]]
    calls = collections.defaultdict(list)
    for p in document["profiles"]:
        stack = []
        for e in p["events"]:
            if e["type"] == "O":
                stack.append(e)
            else:
                begin = stack.pop()
                calls[p["name"], len(stack) + 1].append((begin["at"], e["at"] - begin["at"], names[e["frame"]]))
    return calls


def check_time(what, path, *options):
    """Each call is a frame or in one with its neighbours, lane by lane, and none is lost."""
    rows = frames_of(path, "--order", "time", "--waits", "merged", *options)
    done = run("stacks", path, *options, "--format", "speedscope", "-q")
    if rows is None:
        expect(what, done.returncode != 0, "calls, but no frames")
        return
    calls = calls_of(json.loads(done.stdout))
    want = {key: collections.Counter(v) for key, v in calls.items()}
    frames, bad = collections.defaultdict(list), []
    for r in rows:
        if r["depth"]:
            frames[r["lane"], r["depth"]].append(r)
    for key, drawn in frames.items():
        singles = collections.Counter((r["at_ns"], r["length_ns"], r["name"]) for r in drawn if r["merged"] == 1)
        if singles - want[key]:
            bad.append(f"{key}: frames that are no calls: {list(singles - want[key])[:1]}")
        rest = sorted((want[key] - singles).elements())
        for r in (r for r in drawn if r["merged"] > 1):
            end = r["at_ns"] + r["length_ns"]
            part = [c for c in rest if r["at_ns"] <= c[0] and c[0] + c[1] <= end]
            if (len(part), sum(c[1] for c in part)) != (r["merged"], r["total_ns"]) and \
               not (len(part) > r["merged"] and any(c[1] == 0 for c in part)):
                bad.append(f"{key}: {r} has {len(part)} calls of {sum(c[1] for c in part)}")
        if sum(r["merged"] for r in drawn) != len(calls[key]):
            bad.append(f"{key}: {sum(r['merged'] for r in drawn)} of {len(calls[key])} calls")
        drawn.sort(key=lambda r: (r["at_ns"], r["length_ns"]))
        for a, b in zip(drawn, drawn[1:]):
            if a["at_ns"] + a["length_ns"] > b["at_ns"]:
                bad.append(f"{key}: {a} and {b} overlap")
    expect(what, set(frames) == set(calls), f"other lanes: {set(frames) ^ set(calls)}")
    expect(what, not bad, bad[:2])
    check_parents(what, frames)


def check_parents(what, frames):
    bad = []
    for (lane, depth), drawn in frames.items():
        if depth == 1:
            continue
        above = sorted((r["at_ns"], r["at_ns"] + r["length_ns"]) for r in frames[lane, depth - 1])
        for r in drawn:
            if not any(lo <= r["at_ns"] and r["at_ns"] + r["length_ns"] <= hi for lo, hi in above):
                bad.append(f"{lane} {depth}: {r} is in no frame")
    expect(what, not bad, bad[:2])


def said(text):
    """The ns of a time as people read it, and how far off its last digit may be."""
    number, unit = re.fullmatch(r"([0-9.]+) (\S+)", text).groups()
    digits = len(number.split(".")[1]) if "." in number else 0
    return float(number) * UNITS[unit], 0.51 * 10 ** -digits * UNITS[unit]


TITLE = re.compile(r"(?s)(.*): ([0-9.]+ \S+), ([<~0-9.]+ ?%)(?:, ([0-9]+) calls?)?, self ([0-9.]+ \S+?)"
                   r"(?:, ([0-9]+) frames)?")


def check_title(row, title, whole):
    found = TITLE.fullmatch(title)
    if not found:
        return f"title {title!r}"
    _, total, share, calls, own, _ = found.groups()
    for text, key in ((total, "total_ns"), (own, "self_ns")):
        value, off = said(text)
        if abs(value - row[key]) > off + 0.006 * row[key]:
            return f"{title!r}: {key} is {row[key]}"
    if (calls and int(calls)) != (row["calls"] or None):
        return f"{title!r}: {row['calls']} calls"
    if "<" not in share and abs(float(share.strip(" %")) / 100 - row["total_ns"] / whole) > 0.006:
        return f"{title!r}: a share of {row['total_ns'] / whole}"
    return None


def check_svg(what, path, order, *options):
    rows = frames_of(path, "--order", order, *options)
    if rows is None:
        return
    with tempfile.TemporaryDirectory() as d:
        out = os.path.join(d, "x.svg")
        done = run("stacks", path, "--order", order, *options, "-o", out)
        expect(what, done.returncode == 0, done.stderr.decode())
        if done.returncode != 0:
            return
        expect(what, os.listdir(d) == ["x.svg"], f"{os.listdir(d)}")
        root = ElementTree.parse(out).getroot()
    lanes = collections.OrderedDict()
    for r in rows:
        lanes.setdefault(r["lane"], []).append(r)
    shown = sorted(lanes.values(), key=lambda v: -v[0]["total_ns"])[:16]
    rows = [r for v in lanes.values() if any(v is s for s in shown) for r in v]
    boxes = [(g.find(SVG + "title").text, g.find(SVG + "rect")) for g in root.iter(SVG + "g")
             if g.find(SVG + "title") is not None]
    expect(what, len(boxes) == len(rows), f"{len(boxes)} boxes of {len(rows)} frames")
    expect(what, not list(root.iter(SVG + "script")), "a script")
    whole = max(r["at_ns"] + r["length_ns"] for v in lanes.values() for r in v)
    place = [(float(b.get("x")), float(b.get("y")), float(b.get("width")), t) for t, b in boxes]
    left, right = min(p[0] for p in place), max(p[0] + p[2] for p in place)
    expect(what, right <= WIDTH and right - left > 0.9 * WIDTH, f"from {left} to {right}")
    first = min(r["at_ns"] for r in rows)  # threads that are left out may have begun before
    scale = (right - left) / (whole - first)
    left -= first * scale
    wanted = collections.defaultdict(list)
    for r in rows:
        wanted[int((left + r["at_ns"] * scale) * 10), int(r["length_ns"] * scale * 10)].append(r)
    check_boxes(what, place, wanted, (left, scale), whole, order)


def check_boxes(what, place, wanted, axis, whole, order):
    left, scale = axis
    bad, by_row = [], collections.defaultdict(list)
    for x, y, width, title in place:
        near = [r for dx in (-1, 0, 1) for dw in (-1, 0, 1)
                for r in wanted.get((int(x * 10) + dx, int(width * 10) + dw), [])
                if abs(left + r["at_ns"] * scale - x) < 0.003 and abs(r["length_ns"] * scale - width) < 0.003]
        why = [check_title(r, title, whole) for r in near]
        if not near or all(why):
            bad.append(f"box {x} {width} {title!r}: {why[:2]}")
        by_row[y].append((x, x + width))
    for boxes in by_row.values():
        boxes.sort()
        bad += [f"boxes {a} and {b} overlap" for a, b in zip(boxes, boxes[1:]) if a[1] > b[0] + 0.0021]
    ys = sorted(by_row, reverse=order == "merged")
    for below, y in zip(ys, ys[1:]) if order == "merged" else []:
        for lo, hi in by_row[y]:
            if not any(a - 0.0021 <= lo and hi <= b + 0.0021 for a, b in by_row[below]):
                bad.append(f"box {lo}..{hi} is on none")
    expect(what, not bad, bad[:3])


def check_tiny(d):
    """By hand: main 10 us, of which f 4 us twice, in f once g 1 us; 40 % each and 10 %."""
    path = os.path.join(d, "hand.json")
    events = [("main", 0, 10), ("f", 1, 4), ("g", 2, 1), ("f", 5, 4)]
    with open(path, "w", encoding="utf-8") as f:
        f.write(json.dumps({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": n, "ts": ts, "dur": dur, "pid": 1,
                                             "tid": 1} for n, ts, dur in events]}))
    got = [(r["depth"], r["at_ns"], r["total_ns"], r["self_ns"], r["calls"], r["name"])
           for r in frames_of(path, "--order", "merged")]
    expect("by hand", got == [(0, 0, 10000, 0, None, "all"), (1, 0, 10000, 2000, 1, "main"),
                              (2, 0, 8000, 7000, 2, "f"), (3, 0, 1000, 1000, 1, "g")], got)
    got = [(r["depth"], r["at_ns"], r["total_ns"], r["self_ns"], r["name"])
           for r in frames_of(path, "--order", "time")]
    expect("by hand, time", got[1:] == [(1, 0, 10000, 2000, "main"), (2, 1000, 4000, 3000, "f"),
                                        (2, 5000, 4000, 4000, "f"), (3, 2000, 1000, 1000, "g")], got)


def main():
    with tempfile.TemporaryDirectory() as d:
        paths = sorted(glob.glob(os.path.join(SHARED, "traces", "*.json*")))
        paths = [p for p in paths if os.environ.get("CHECK_ALL") or os.path.getsize(p) < 500000]
        check_tiny(d)
        for s in SCENARIOS:
            path = os.path.join(d, s + ".json")
            with open(path, "wb") as out:
                subprocess.run([FIXTURES, s], stdout=out, check=True)
            paths.append(path)
        for path in paths:
            name = os.path.basename(path)
            for metric in ("cpu", "device"):
                check_merged(f"{name} {metric}", path, "--metric", metric, "--no-fold")
                check_svg(f"{name} {metric} svg", path, "merged", "--metric", metric)
            check_time(f"{name} time", path)
            check_svg(f"{name} time svg", path, "time")
    for f in failures[:40]:
        print("FAIL", f)
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return bool(failures)


sys.exit(main())
