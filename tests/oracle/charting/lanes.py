"""The chart of lanes: its data are the marks of `timeline`, its boxes stand where the marks are."""
import re
import xml.etree.ElementTree

from charting.box import blocks_of, expect, tables_of
from charting.data import clocks_of

SVG = "{http://www.w3.org/2000/svg}"
WORK = ["compute", "comm", "copy"]
KINDS = WORK + ["CPU op", "runtime call", "launch", "allocator", "compiling", "sync", "full queue", "data loader", "checkpoint",
                "logging", "garbage collection", "Python", "dependency", "nothing recorded", "unrecorded", "unknown launch"]


def is_idle(row):
    return row["sort"] == "device" and row["kind"] not in WORK


def starts_of(answers, paths, inputs):
    """Of each input what its marks' times become on the axis."""
    own = [lambda r: r["at_ns"]] * len(inputs)
    if len(paths) < 2:
        return own
    clock, is_one = clocks_of(answers)
    first = [clock(path, rows[0]) for path, rows in zip(paths, inputs)]
    if None in first or not is_one:
        return own
    zero = min(at for at, _ in first)
    return [lambda r, path=path: clock(path, r)[0] - zero for path in paths]


def near(a, b, apart):
    return len(a) == len(b) and all(abs(x - y) <= apart + 1e-9 * abs(x) for x, y in zip(a, b))


def drawn(answers, paths):
    """(lane, start, row) of each mark that is drawn, in the order of the table."""
    inputs = [rows for name, rows in answers[0].items() if name.startswith("marks ")]
    lanes, marks = [], []
    for k, (rows, start) in enumerate(zip(inputs, starts_of(answers, paths, inputs))):
        for r in rows:
            if not r["lane"] or (len(paths) > 1 and r["sort"] != "device"):
                continue
            if (k, r["lane"]) not in lanes:
                lanes.append((k, r["lane"]))
            marks.append((lanes.index((k, r["lane"])), start(r), r))
    return len(lanes), marks


def check_lanes_chart(what, asks, paths, data, svg):
    answers = [tables_of(ask, paths) for ask in asks]
    nlane, marks = drawn(answers, paths)
    blocks = blocks_of(data)
    series = [[m for m in marks if m[2]["kind"] == kind and is_idle(m[2]) == idle]
              for idle in (False, True) for kind in KINDS]
    series = [s for s in series if s]
    expect(what + " series", len(series) == len(blocks), f"{len(blocks)} for {len(series)}")
    for want, (head, columns) in zip(series, blocks):
        word = ("idle: " if is_idle(want[0][2]) else "") + want[0][2]["kind"]
        expect(what + " head", head.startswith(f"# x, {word}, "), head)
        for name, got, v in zip(("left", "lane", "right", "full"), columns, (
                [at for _, at, _ in want], [lane for lane, _, _ in want],
                [at + r["length_ns"] for _, at, r in want],
                [r["busy_ns"] / r["length_ns"] for _, _, r in want])):
            # a clock's time since 1970 as a double is known to 256 ns
            expect(f"{what} {name}", near(v, got, 600 if len(paths) > 1 and name in (
                "left", "right") else 1e-12), f"{word}: {got[:4]} for {v[:4]}")
    check_boxes(what, nlane, [m for s in series for m in s], svg)


def check_boxes(what, nlane, marks, svg):
    """One box for each mark, in its place; each says what it is."""
    boxes = [e for e in xml.etree.ElementTree.fromstring(svg).iter(SVG + "rect")
             if e.find(SVG + "title") is not None]
    expect(what + " boxes", len(boxes) == len(marks), f"{len(boxes)} for {len(marks)} marks")
    low = min(range(len(marks)), key=lambda i: marks[i][1])
    high = max(range(len(marks)), key=lambda i: marks[i][1])
    x = [float(b.get("x")) for b in boxes]
    span = marks[high][1] - marks[low][1]
    scale = (x[high] - x[low]) / span if span else \
        float(boxes[0].get("width")) / marks[0][2]["length_ns"]
    bottom = [float(b.get("y")) + float(b.get("height")) for b in boxes]
    rows = sorted({round(v, 0) for v in bottom})
    expect(what + " rows", len(rows) == nlane, f"{rows} for {nlane} lanes")
    for box, left, below, (lane, at, r) in zip(boxes, x, bottom, marks):
        title = box.find(SVG + "title").text
        want = x[low] + (at - marks[low][1]) * scale
        expect(what + " x", abs(left - want) < 0.03, f"{title}: {left} for {want}")
        wide = max(r["length_ns"] * scale, 0.6)
        expect(what + " width", abs(float(box.get("width")) - wide) < 0.03, f"{title}: {wide}")
        expect(what + " row", round(below, 0) == rows[lane], f"{title}: {below}, lane {lane}")
        high = max(min(r["busy_ns"] / r["length_ns"], 1), 0.05) * 19.2
        expect(what + " height", abs(float(box.get("height")) - high) < 0.11, f"{title}: {high}")
        expect(what + " title", f": {r['kind']}, at " in title and re.search(r", [\d.]+%$", title),
               title)
        expect(what + " idle", title.startswith("idle") == is_idle(r), title)
        expect(what + " pieces", (f"{r['pieces']} pieces, the longest " in title) ==
               (r["pieces"] > 1), title)
