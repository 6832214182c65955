#!/usr/bin/env python3
"""Charts as pages to work in: what a page holds is what the tables say, box by box; nothing is
loaded, hostile names stay names; and where Chromium is installed, zoom, search, keys and sums."""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from reporting import browser, flame_page, inside_page, memory_page, probes, ranks_page, worked
from reporting.worked import (HOSTILE, INK, KEY, POINTER, TYPE, WHEEL, Worked, check_policy, expect, run,
                              table, unpack, zoom_steps)

FIXTURES = os.environ["FIXTURES"]
CHARTS = ("flame", "flame-chart", "timeline-lanes")


def check_flame(what, path, text):
    """Each frame is a box: as wide, at the same place, of the same name."""
    rows = table("frames", "stacks", path, "--order", "merged", "--narrowest", "50000", "-n", "0", "--no-merge-layers",
                 "--waits", "apart")
    head, boxes = unpack(text)
    want = sorted((r["depth"], r["at_ns"], r["length_ns"],
                   "(narrow frames)" if r["kind"] == "narrow" else r["name"]) for r in rows)
    expect(f"{what} boxes", sorted(b[:4] for b in boxes) == want, f"{len(boxes)} of {len(want)}")
    expect(f"{what} all", max(b[1] + b[2] for b in boxes) == rows[0]["total_ns"], "the widest")
    expect(f"{what} names", len(set(head["names"])) == len(head["names"]), "a name is there twice")


def paths_of(path):
    """Frames by the names on the way to them: (time, at, is narrow); and how many steps."""
    rows = table("frames", "stacks", path, "--order", "merged", "--narrowest", "50000", "-n", "0")
    way, all_of, steps = [], {}, 0
    for r in rows:
        del way[r["depth"]:]
        way.append(r["name"] if r["depth"] else "")
        is_narrow = r["kind"] == "narrow"
        all_of[(*way, r["at_ns"]) if is_narrow else tuple(way)] = r["total_ns"], r["at_ns"], is_narrow
        steps = r["calls"] if r["name"] == "ProfilerStep*" else steps
    return all_of, steps


def change(now, was, whole):
    if was is None:
        return "new"
    if abs(now - was) < 0.0005 * whole:
        return "much the same"
    by = (now - was) / was
    return ("longer by half or more" if by >= .5 else "longer" if by >= .05 else "much the same" if by >= -.05
            else "shorter" if by >= -1 / 3 else "shorter by a third or more")


def check_flame_diff(base, new, text):
    """Each frame of the second is a box, called by what it was in the first; what is gone is listed."""
    (was, n), (now, m) = paths_of(base), paths_of(new)
    head, boxes = unpack(text)
    before = {p: total * m / n for p, (total, _, narrow) in was.items() if not narrow}
    want = []
    for p, (total, at, narrow) in now.items():
        kind = "narrow frames" if narrow else change(total, before.get(p), now[("",)][0])
        name = "(narrow frames)" if narrow else p[-1] or "all"
        want.append((len(p) - 1 - narrow, at, total, name, kind, 0 if narrow else round(before.get(p, 0))))
    got = [(b[0], b[1], b[2], b[3], b[4], b[6]) for b in boxes]
    expect("diff boxes", len(got) == len(want) and all(
        a[:5] == b[:5] and abs(a[5] - b[5]) <= 1 for a, b in zip(sorted(got), sorted(want))),
        str([p for p in zip(sorted(got), sorted(want)) if p[0][:5] != p[1][:5]][:2]))
    gone = sorted((-before[p], p[-1]) for p in before if p not in now and p[:-1] in now
                  and before[p] >= 0.0005 * now[("",)][0])
    listed = [(v, name.split(" in ")[0]) for v, name in zip(head["was"], head["gone"])]
    expect("diff gone", len(gone) == len(listed) > 0
           and all(a[1] == b[1] and abs(a[0] + b[0]) <= 1 for a, b in zip(gone, listed)), f"{gone} {listed}")


def check_findings(what, path, head):
    """Where findings are worst is marked, and for how long."""
    first = table("timeline", "timeline", path)[0]
    zero = first["start_ns"] - first["at_ns"]
    want = [(f"{f['rule']} {f['name']}: {f['finding']}", f["at_ns"] - zero, max(1, f.get("longest_ns") or 1))
            for f in table("findings", "diagnose", path) if f.get("at_ns") is not None and f["severity"] != "ok"]
    got = [(m["title"], m["at"] + head["base"], m["length"]) for m in head["lines"] if m["length"]]
    expect(f"{what} findings", got == want and want, f"{got[:2]} {want[:2]}")


def check_details(what, rows, path, head, boxes):
    """Of work: the op that the file's External id says, its Input Dims, and when its launch began."""
    events = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["traceEvents"]
    spans = [e for e in events if e.get("ph") == "X"]
    ops = {e["args"]["External id"]: e for e in spans if e.get("cat") == "cpu_op" and "External id" in e["args"]}
    launch = {e["args"]["correlation"]: e for e in spans if "launch" in e["name"].lower() and "correlation" in e["args"]}
    kernels = {(round(e["dur"] * 1000), e["name"]): e for e in spans if e.get("cat") == "kernel"}
    alike = collections.Counter((round(e["dur"] * 1000), e["name"]) for e in spans if e.get("cat") == "kernel")
    right = seen = 0
    for i, text, *arrow in head["more"]:
        _, _, length, name, *_ = boxes[i]
        kernel = kernels.get((length, name))
        op = kernel and ops.get(kernel["args"].get("External id"))
        if not op or alike[(length, name)] != 1:
            continue
        seen += 1
        lines = dict(line.split(": ", 1) for line in text.split("\n"))
        dims = json.dumps(op["args"].get("Input Dims", "")).replace(" ", "")
        call = launch.get(kernel["args"]["correlation"])
        right += lines.get("op") == op["name"] and lines.get("shapes", '""').replace(" ", "") == dims and (
            not call or (arrow and "launched on" in lines))
    expect(f"{what} details", seen > 20 and right == seen, f"{right} of {seen} of {len(head['more'])}")


def check_path(what, path, rows, head):
    """The pieces of `critical --list` on the lanes they are on, from where the page begins; what follows on one
    lane for one owner is one."""
    lanes = list(dict.fromkeys(r["lane"] for r in rows if r["lane"]))
    named = {}
    for r in rows:
        key = (f"/{r['tid']}" if r["sort"] == "thread" else f"{r['device']}:{r['stream']}" if r["sort"] == "stream"
               else f"{r['device']}:")
        if r["lane"]:
            named.setdefault(key, lanes.index(r["lane"]))
    want = []
    for s in table("segments", "critical", path, "--list", "-n", "0"):
        keys = ("/" + s["lane"].split("/")[1],) if "/" in s["lane"] else (s["lane"], s["lane"].split(":")[0] + ":")
        row = next((named[k] for k in keys if k in named), None)
        start, end = s["at_ns"], s["at_ns"] + s["duration_ns"]
        if row is None:
            continue
        if want and want[-1][1:] == (start, row, s["class"]):
            want[-1] = want[-1][0], end, row, s["class"]
        else:
            want.append((start, end, row, s["class"]))
    want = [(max(head["base"], a), b, *rest) for a, b, *rest in want if b > head["base"]]
    got = [p for p in head["path"] if p[1] > p[0]]
    expect(f"{what} path", got == want and len(want) > 20, f"{got[:3]} {want[:3]} {len(got)} {len(want)}")


def check_lanes(what, path, text):
    """Each mark is a box, and each piece of work of a stream is in one."""
    rows = table("marks", "timeline", path, "--marks", "10000000", "--lanes", "64", "--slices", "1")
    head, boxes = unpack(text)
    shown = [r for r in rows if r["lane"]]
    lanes = list(dict.fromkeys(r["lane"] for r in shown))
    expect(f"{what} lanes", head["names_of_rows"] == lanes, head["names_of_rows"])
    want = collections.Counter((lanes.index(r["lane"]), r["at_ns"], r["length_ns"]) for r in shown)
    expect(f"{what} boxes", collections.Counter(b[:3] for b in boxes) == want, f"{len(boxes)} of {len(shown)}")
    steps = [(f"#{r['name']}", r["at_ns"]) for r in rows if r["sort"] == "step"]
    expect(f"{what} steps", [(m["title"], m["at"] + head["base"]) for m in head["lines"] if not m["length"]] == steps,
           head["lines"][:3])
    check_findings(what, path, head)
    check_path(what, path, rows, head)
    check_details(what, rows, path, head, boxes)
    kernels = sum(r["calls"] for r in table("kernels", "kernels", path, "-n", "0"))
    alone = sum(r["pieces"] for r in shown if r["sort"] == "device" and r["kind"] in ("compute", "comm"))
    expect(f"{what} kernels", alone >= kernels > 0, f"{alone} of {kernels}")


def hostile_trace(path):
    events = [{"ph": "X", "cat": "kernel", "name": HOSTILE, "pid": 0, "tid": 7, "ts": 10 * i, "dur": 5,
               "args": {"device": 0, "stream": 7}} for i in range(4)]
    events += [{"ph": "X", "cat": "cpu_op", "name": HOSTILE, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5,
                "args": {}} for i in range(4)]
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}), encoding="utf-8")


def check_hostile(folder):
    path = folder / "</title><svg onload=alert(3)>.json".replace("/", "_")
    hostile_trace(path)
    for chart in (*CHARTS, "flame-diff"):
        out = folder / f"hostile-{chart}.html"
        two = [path] if chart == "flame-diff" else []
        run("plot", chart, path, *two, "-o", out, "-q", "--title", "<b>" + HOSTILE)
        text = out.read_text(encoding="utf-8")
        check_policy(f"hostile {chart}", text)
        expect(f"hostile {chart}", "alert(" not in re.sub(r"alert\([123]\)", "", text)
               and "<img" not in text and "<svg" not in text, "markup of a name")
        expect(f"hostile {chart} name", HOSTILE in [b[3] for b in unpack(text)[1]], "the name is another")
    out = folder / "hostile-report.html"
    run("report", path, "-o", out, "-q")
    inside_page.check_hostile(out.read_text(encoding="utf-8"))


def check_words(folder, trace):
    """Other charts are pages, too; nothing lies beside a page; what is refused."""
    out = folder / "own.html"
    run("plot", "step-ledger", trace, "-o", out, "-q")
    text = out.read_text(encoding="utf-8")
    expect("a page of bars", "<svg" in text and "<script" not in text and "script-src 'none'" in text, text[:300])
    expect("nothing beside", not list(folder.glob("own.gp")) + list(folder.glob("own.dat")), "script and data")
    run("stacks", trace, "--order", "merged", "--narrowest", "0", code=2)


# ---- as it is worked ----

def check_page(w, path):
    """At all widths, light and dark: drawn, readable, no wider than the window."""
    for width in (390, 1280, 1920):
        w.b.open(path, width)
        for scheme in ("light", "dark"):
            w.b.prefer(scheme)
            w.settle()
            wide = w.b.ask("return document.documentElement.scrollWidth - innerWidth")
            w.expect(f"{width} {scheme} sideways", wide <= 0, wide)
            w.expect(f"{width} {scheme} ink", w.b.ask(INK) > 4, "nothing is drawn")
            bad = w.b.ask(probes.CONTRAST)
            w.expect(f"{width} {scheme} contrast", not bad, bad[:4])


def check_hands(w, path):
    """Zoom, move, choose, search, sum and back: what is said follows."""
    w.b.open(path, 1280)
    _, where, _, _, _, rows = w.settle()
    w.expect("begins with all", where.startswith("all: "), where)
    for _ in range(4):
        zoomed = w.does(WHEEL, -120, 700)
    w.expect("wheel", zoomed[1] != where and not zoomed[1].startswith("all"), zoomed[1])
    moved = w.does(KEY, "d")
    w.expect("key d", moved[1] != zoomed[1], moved[1])
    w.expect("key a", w.does(KEY, "a")[1] == zoomed[1], "not back")
    dragged = w.does(POINTER, [["pointerdown", 700, 40, False], ["pointermove", 500, 40, False],
                               ["pointerup", 500, 40, False]])
    w.expect("drag", dragged[1] != zoomed[1], dragged[1])
    back = w.does(KEY, "0")
    w.expect("key 0", back[1] == where and back[5] == rows, back[1])
    name = rows[0][3]
    found = w.does(TYPE, re.escape(name))
    w.expect("search", re.match(r"[\d,]+ match", found[2]), found[2])
    w.expect("sums of what is found", name in [r[3] for r in found[5]] and len(found[5]) <= len(rows), found[5][:3])
    following = w.does(KEY, "n")
    w.expect("next match", name in following[3], following[3])
    w.expect("no match", w.does(TYPE, "no such name (")[2] == "no match", "found")
    w.expect("escape", w.does(KEY, "Escape")[2] == "", "still searched")
    w.does(KEY, "0")
    area = w.does(POINTER, [["pointerdown", 400, 60, True], ["pointermove", 900, 60, True],
                            ["pointerup", 900, 60, True]])
    w.expect("area", area[4].startswith("in the area: "), area[4])
    w.does(KEY, "Escape")
    hidden = w.does("document.querySelector('#key button').click()")
    w.expect("key of colours", hidden[5] != rows, "the same sums")
    said = w.b.complaints()
    w.expect("console", not said, said[:3])


def check_flame_click(w, path):
    """A click on the box of all is all; on another it is as wide as the page."""
    w.b.open(path, 1280)
    w.settle()
    low = w.b.ask("return document.getElementById('canvas').clientHeight") - 32
    second = w.does(POINTER, [[t, 60, low, False] for t in ("pointerdown", "pointerup")])
    w.expect("click zooms", not second[1].startswith("all") or "100%" in second[3], second[1])
    w.expect("click says", "self" in second[3], second[3])


def check_speed(b, path):
    """Of the page with many boxes: something is to be seen within a second, and a step of the wheel takes 100 ms;
    the best of some, as others use the machine, too."""
    seen = []
    while len(seen) < 3 and (not seen or min(seen) > 1000):
        b.open(path, 1280)
        Worked(b, "many").settle()
        seen.append(b.ask("return performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    expect("many seen at first", min(seen) <= 1000, f"{seen} ms")
    steps, limit = zoom_steps(b)
    expect("many zoomed", min(steps) <= limit, f"{steps} ms")


def check_worked(folder, made):
    lacks = browser.missing()
    if lacks:
        print(f"skip tiles: no {lacks} to work pages with")
        return
    with browser.Browser(folder) as b:
        for chart, path in made:
            w = Worked(b, chart)
            check_page(w, path)
            check_hands(w, path)
            if chart == "flame":
                check_flame_click(w, path)
            if chart == "timeline-lanes":
                w.does(KEY, "0")
                said = [w.does(KEY, k) for k in "nnpp"]
                w.expect("marks", [re.match(r"\d+ of \d+", s[3])[0].split()[0] for s in said[:3]] == ["1", "2", "1"]
                         and said[0][1] != said[1][1], [s[3] for s in said])
                w.expect("marks say", any("gap of" in s[3] for s in said) or "G" in said[0][3], said[0][3])
                w.does(KEY, "0")
                said = [w.does(KEY, k) for k in "jjk"]
                w.expect("path", [re.match(r"\d+ of \d+: critical path: ", s[3]) and s[3].split()[0] for s in said]
                         == ["1", "2", "1"] and said[0][1] != said[1][1], [s[3] for s in said])
                w.does(TYPE, "nvjet|gemm")
                said = w.does(KEY, "n")
                w.expect("details", "\nop: " in said[3] and "\nlaunched on: " in said[3], said[3])
                w.does(KEY, "Escape")
            if chart == "flame-diff":
                gone = b.ask("return document.getElementById('gone').textContent")
                w.expect("gone", "only the first has these" in gone and "_MultiProcessingDataLoaderIter" in gone, gone)
                said = w.does(TYPE, "SingleProcess") and w.does(KEY, "n")
                w.expect("new", ", new," in said[3], said[3])
                w.does(KEY, "Escape")
                w.does(TYPE, "local_scalar")
                said = w.does(KEY, "n")
                w.expect("was", re.search(r", was [\d.]+ ms: \u2212[\d.]+ ms, -1\d\.\d%", said[3]), said[3])
        check_speed(b, folder / "many.html")
        memory_page.check_worked(b, folder)
        ranks_page.check_worked(b, folder)
        inside_page.check_worked(b, folder)
        flame_page.check_worked(b, Worked(b, "quiet"), folder)
        for chart in (*CHARTS, "flame-diff", "memory-curve"):
            b.open(folder / f"hostile-{chart}.html", 1280)
            w = Worked(b, f"hostile {chart}")
            w.settle()
            w.expect("console", not b.complaints(), "something ran")
            w.expect("images", b.ask("return document.images.length") == 0, "an image")


def check_size(folder):
    """A million boxes are a page of 15 MB at most."""
    trace = folder / "many.json"
    with open(trace, "wb") as out:
        subprocess.run([FIXTURES, "healthy", "--size", "100M"], stdout=out, check=True)
    out = folder / "many.html"
    run("plot", "timeline-lanes", trace, "-o", out, "-q")
    head, boxes = unpack(out.read_text(encoding="utf-8"))
    per = out.stat().st_size / len(boxes)
    expect("size", len(boxes) > 250000 and per <= 15, f"{len(boxes)} boxes, {per:.1f} bytes each")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder, made = pathlib.Path(name), []
        trace = folder / "trace.json"
        with open(trace, "wb") as out:
            subprocess.run([FIXTURES, "dataloader-bound", "--steps", "5"], stdout=out, check=True)
        for chart in CHARTS:
            out = folder / f"{chart}.html"
            run("plot", chart, trace, "-o", out, "-q")
            text = out.read_text(encoding="utf-8")
            check_policy(chart, text)
            made.append((chart, out))
            if chart != "flame-chart":
                {"flame": check_flame, "timeline-lanes": check_lanes}[chart](chart, trace, text)
        first, out = folder / "base.json", folder / "flame-diff.html"
        with open(first, "wb") as into:
            subprocess.run([FIXTURES, "healthy", "--steps", "6"], stdout=into, check=True)
        run("plot", "flame-diff", first, trace, "-o", out, "-q")
        check_policy("flame-diff", out.read_text(encoding="utf-8"))
        check_flame_diff(first, trace, out.read_text(encoding="utf-8"))
        run("plot", "flame-diff", trace, "-o", folder / "one.html", "-q", code=2)
        made.append(("flame-diff", out))
        check_hostile(folder)
        check_words(folder, trace)
        check_size(folder)
        memory_page.check_data(folder)
        flame_page.check_data(folder)
        ranks_page.check_data(folder)
        inside_page.check_data(folder)
        inside_page.check_bound(folder)
        check_worked(folder, made)
    for line in worked.failures[:40]:
        print("FAIL", " ".join(line.split())[:300])
    print(f"{worked.passed - len(worked.failures)} passed, {len(worked.failures)} failed")
    return 1 if worked.failures else 0


sys.exit(main())
