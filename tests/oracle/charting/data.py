"""The data of a chart against the tables it asked for."""
import collections

from charting.box import blocks_of, expect, parts_by, same, tables_of
from charting.columns import NAMED, named_columns


def check_waterfall(what, paths, text):
    """Each part begins where the one before ended; they lead from base to new."""
    parts = [r for r in tables_of("diff", paths)["ledger"] if not r["is_detail"]]
    (_, columns), = blocks_of(text)
    at, rows = 0, list(zip(*columns))
    for i, row in enumerate(rows):
        y, lo, hi = next(row[k:k + 3] for k in (1, 4, 7) if row[k] == row[k])
        is_end = i in (0, len(rows) - 1)
        want = at if i == len(rows) - 1 else \
            sum(p["base_ns"] for p in parts) if is_end else parts[i - 1]["delta_ns"]
        expect(what + " data", y == want, f"bar {i}: {y} for {want}")
        expect(what + " data", (lo, hi) == ((0, y) if is_end else (at, at + y)), f"bar {i}")
        at = y if is_end else at + y
    expect(what + " data", at == sum(p["new_ns"] for p in parts), "the parts do not add up")


def check_flame_diff(what, ask, paths, text):
    """Each box is a frame of the second input, once, where it stands and as wide; what is left out
    is narrower than what is drawn; how wide it was stands beside."""
    frames = tables_of(ask, paths[1:])["frames"]
    at, total = (next(k for k in frames[0] if k.startswith(s)) for s in ("at_", "total_"))
    left = collections.Counter((r[at], r["depth"], r[at] + r[total]) for r in frames)
    drawn = collections.Counter()
    for head, columns in blocks_of(text):
        expect(what + " width", len(columns) == 4, f"{len(columns)} of '{head}'")
        drawn.update(zip(columns[0], columns[1], columns[2]))
        expect(what + " was", all(v >= 0 for v in columns[3]), head)
    expect(what + " boxes", drawn and not drawn - left, f"{(drawn - left).most_common(3)} are no frames")
    narrow = max((b - a for a, _, b in left - drawn), default=0)
    expect(what + " narrow", all(b - a >= narrow for a, _, b in drawn), f"one of {narrow} is left out")


STACKS = {"execution-summary": [("roles", "role", "mean_ns")],
          "kernel-type": [("types", "types", "time_ns")],
          "kernel-durations": [("durations", "range", "kernels"),
                               ("durations", "range", "device_sum_ns")]}


def check_stack(what, tables, head, columns, table, by, key):
    """Each part of each place's bar is the row of that place and word; of nothing else."""
    places = [place for name, rows in tables.items() if name.startswith(table + " ")
              for place in (parts_by(rows, ("device",)) if "device" in rows[0] else [rows])]
    words = head.removeprefix("# index, ").removesuffix(", # name").split(", ")
    expect(what + " width", len(words) == len(columns) - 1 and len(places) == len(columns[0]),
           f"{words} for {len(columns) - 1} columns, {len(places)} for {len(columns[0])}")
    expect(what + " words", {r[by] for place in places for r in place} == set(words), str(words))
    for word, column in zip(words, columns[1:]):
        want = [next((r[key] for r in place if r[by] == word), None) for place in places]
        expect(what + " data", same(want, column), f"{word}: {column[:4]} for {want[:4]}")


def is_band_of_others(what, head, columns):
    """Those of many panels that are not drawn: from their lowest to their highest at each x."""
    if head != "# x, the others, low, high":
        return False
    expect(what + " band", all(a <= b for a, b in zip(columns[2], columns[3]) if a == a), head)
    return True


def check_data(what, chart, asks, paths, text):
    """Every column of every block is the one it should be, in the tables the chart asked for."""
    answers = [tables_of(ask, paths) for ask in asks]
    expect("charts named", chart in NAMED, f"{chart} has no columns in NAMED")
    blocks = NAMED.get(chart, [[]])
    if chart == "timeline" and len(paths) > 1:
        check_timeline(what, answers, paths, text)
        return
    drawn = [b for b in blocks_of(text) if not is_band_of_others(what, *b)]
    for k, (head, columns) in enumerate(drawn):
        has_index = head.startswith("# index")
        if has_index and chart in STACKS and len(columns) > 2:
            check_stack(what, answers[0], head, columns, *STACKS[chart][k])
            continue
        specs = blocks[k % len(blocks)]
        if chart == "straggler":
            specs = specs[:len(columns) - 1]
        if head == "# x, total":
            specs = ["=total times", "=total bytes"]
        expect(what + " width", len(specs) == len(columns) - has_index,
               f"'{head}' has {len(columns)} columns, not those of {specs}")
        for spec, column in zip(specs, columns[1:] if has_index else columns):
            known = [v for t in answers for v in named_columns(t, spec)]
            expect(what + " data", any(same(c[:len(column)], column) for c in known),
                   f"a column of '{head}' is not {spec}: {column[:4]}")


COLUMNS = 240


def clocks_of(answers):
    """When a device's first slice begins on the axis of all, and how fast its own goes."""
    rows = [r for t in answers for r in t.get("ranks", [])]
    known = {r["file"]: r for r in rows if r.get("clock_true_ns") is not None}

    def clock(path, row):
        r = known.get(path)
        if r is None:
            return None
        rate = 1 - r["clock_drift_ppm"] / 1e6
        return r["clock_true_ns"] + (row["clock_ns"] - r["clock_at_ns"]) * rate, rate
    return clock, len({r["clock_island"] for r in known.values()}) == 1


def check_timeline(what, answers, paths, text):
    """Devices of several inputs: in each column the share of computing of the slice it is in."""
    inputs = [rows for name, rows in answers[0].items() if name.startswith("timeline ")]
    lanes = [(path, rows) for path, table in zip(paths, inputs) for rows in parts_by(table, ("device",))]
    clock, is_one = clocks_of(answers)
    begins = [clock(path, rows[0]) for path, rows in lanes]
    if None in begins or not is_one:
        begins = [(0, 1)] * len(lanes)
    first = min(start for start, _ in begins)
    begins = [(start - first, rate) for start, rate in begins]
    last = max(start + (rows[-1]["at_ns"] + rows[-1]["length_ns"]) * rate
               for (_, rows), (start, rate) in zip(lanes, begins))
    (_, (column, row, cell)), = blocks_of(text)
    expect(what + " cells", len(cell) == COLUMNS * len(lanes), f"{len(cell)} of {len(lanes)} lanes")
    for x, y, v in zip(column, row, cell):
        (_, rows), (start, rate) = lanes[int(y)], begins[int(y)]
        at = ((x + 0.5) * last / COLUMNS - start) / rate
        near = [r for r in rows if r["at_ns"] - 2 <= at < r["at_ns"] + r["length_ns"] + 2]
        want = [r["compute_ratio"] for r in near] or [None]
        expect(what + " lane", any(same([w], [v]) for w in want + [None] * (at < 2 or len(near) != 1)),
               f"{v} for {want} at {at} of lane {y}")
