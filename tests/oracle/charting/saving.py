"""Charts of what could be saved: ops below roofs, the critical path, slack and changes."""
import collections

from charting.box import blocks_of, expect, same, tables_of

FAMILIES = ["matmul", "convolution", "attention", "normalisation", "elementwise", "fused kernel",
            "copy"]


def marks_of(rows, has_roofs):
    """Ops that compute, without those too small to see and the slowest with 1 % of the time."""
    known = [r for r in rows if (r["intensity"] or 0) > 0 and (r["tflop_per_s"] or 0) > 0 and
             (r["bound"] or not has_roofs)]
    known.sort(key=lambda r: -r["busy_ns"])
    known = [r for r in known if r["busy_ns"] * 150 >= known[0]["busy_ns"]][:150]
    left, total = 0, sum(r["busy_ns"] for r in known)
    by_rate = collections.defaultdict(int)
    for r in known:
        by_rate[r["tflop_per_s"]] += r["busy_ns"]
    slow = set()
    for rate in sorted(by_rate):
        left += by_rate[rate]
        if left > 0.01 * total:
            break
        slow.add(rate)
    return [r for r in known if r["tflop_per_s"] not in slow]


def roofs_of(peaks, marks):
    """The ends of each line: the memory's to where the highest begins, each other from there on."""
    at = [r["intensity"] for r in marks] + [r["ridge"] for r in peaks if r["ridge"]]
    low, high = min(at) / 2, max(at) * (8 if peaks else 2)
    memory = next((r["peak_bytes_per_s"] / 1e12 for r in peaks if r["peak_bytes_per_s"]), None)
    units = [r["peak_tflop_per_s"] for r in peaks if r["peak_tflop_per_s"]]
    for peak in dict.fromkeys(r["peak_tflop_per_s"] for r in peaks):
        if peak is None:
            x = [low, max(units) / memory if units else high]
            yield [x, [v * memory for v in x]]
        else:
            yield [[peak / memory if memory else low, high], [peak, peak]]


def blocks_of_roofline(tables):
    """The roofs of the first input's device and the discs of each family."""
    ops = next(rows for name, rows in tables.items() if name.startswith("ops "))
    peaks = next((rows for name, rows in tables.items() if name.startswith("peaks ")), [])
    marks = marks_of(ops, bool(peaks))
    yield from roofs_of(peaks, marks)
    for family in [*FAMILIES, None]:
        part = [r for r in marks if r["class"] == family or
                (family is None and r["class"] not in FAMILIES)]
        if part:
            yield [[r[k] for r in part] for k in ("intensity", "tflop_per_s", "busy_ns")]


def blocks_of_slack(tables):
    """Work beside the path that has room, the first 15, the least room first: a column for what it is."""
    rows = next(rows for name, rows in tables.items() if name.startswith("slack "))
    rows = sorted([r for r in rows if r["median_slack_ns"]][:15], key=lambda r: r["median_slack_ns"])
    yield [[r["median_slack_ns"] if r["class"] == kind else None for r in rows]
           for kind in ("kernel", "collective", "copy") if any(r["class"] == kind for r in rows)]


PARTS = [["kernel"], ["comm"], ["copy"], ["launch_delay", "gap"], ["sync_return", "sync_call"],
         ["launch", "runtime_call", "cpu_op", "python", "handover"], ["dataloader"],
         ["nothing", "unrecorded"]]


def blocks_of_path(tables):
    """Steps of each input by the parts that any step has; of one step or none the owners."""
    if len(tables["steps"]) < 2:
        rows = next(rows for name, rows in tables.items() if name.startswith("path "))
        yield [[r["on_path_ns"] for r in rows[:15]]]
        return
    parts = [[key + "_ns" for key in part] for part in PARTS]
    parts = [p for p in parts if any(r[key] for r in tables["steps"] for key in p)]
    for name, rows in tables.items():
        if name.startswith("steps ") and rows:
            expect("path adds up", all(
                sum(r[key] for part in parts for key in part) == r["duration_ns"] for r in rows), name)
            yield [[sum(r[key] for key in part) for r in rows] for part in parts]


def blocks_of_changes(tables):
    """What each saves: changes of a kernel by themselves."""
    rows = next(rows for name, rows in tables.items() if name.startswith("what_if "))
    columns = [[r["saves_ns"] if bool(r["name"]) == of_kernel else None for r in rows]
               for of_kernel in (False, True)]
    yield columns if any(r["name"] for r in rows) else columns[:1]


SAVING = {"roofline": blocks_of_roofline, "critical-slack": blocks_of_slack,
          "critical-path": blocks_of_path, "critical-whatif": blocks_of_changes}


def check_saving(what, chart, asks, paths, text):
    """Every block of the data is the one it should be, no other is there."""
    wanted = list(SAVING[chart](tables_of(asks[0], paths)))
    drawn = [columns[head.startswith("# index"):] for head, columns in blocks_of(text)]
    expect(what + " blocks", len(wanted) == len(drawn), f"{len(drawn)} for {len(wanted)}")
    for want, block in zip(wanted, drawn):
        expect(what + " data", len(want) == len(block) and all(map(same, want, block)),
               f"{block[0][:4]} for {want[0][:4]}")
