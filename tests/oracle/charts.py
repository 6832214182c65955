#!/usr/bin/env python3
"""Draws every chart with the real gnuplot, as SVG and PNG: its data are those of the analysis' own
JSON tables, its script runs by itself, and no name in a trace becomes a command or markup."""
import collections
import json
import math
import operator
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SCENARIOS = {
    "healthy": [["healthy", "--steps", "6", "--memory"]],
    "comm-bound": [["comm-bound", "--steps", "24"]],
    "one-step": [["copy-bound", "--steps", "1"]],
    "gpu-only": [["gpu-only"]],
    "cpu-only": [["cpu-only", "--memory"]],
    "multi-gpu": [["multi-gpu"]],
    "compare": [["healthy", "--steps", "5"], ["copy-bound", "--steps", "5"]],
    "ranks": [["multi-rank", "--rank", str(r), "--world", "4", "--steps", "3"] for r in range(4)],
}

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


ROLES = ["kernel_ns", "memcpy_ns", "memset_ns", "communication_ns", "runtime_ns", "dataloader_ns",
         "cpu_exec_ns", "other_ns"]
LEDGER = ["compute_ns", "exposed_comm_ns", "exposed_memcpy_ns", "idle_ns"]
LASTING_AT = "timeline.at_ns+|queues.at_ns+|copies.at_ns+"
SWEPT = [("latency_per_sample_ns", "latency_std_ns"),
         ("samples_per_s_written", "samples_per_s_written_std"), ("used_bytes", "used_std_bytes"),
         ("cpu_used_bytes", "cpu_used_std_bytes"),
         ("latency_per_batch_ns", "latency_per_batch_std_ns")]


def swept(value, std=None):
    """A line over batch sizes, and the band of one deviation below it."""
    line = [keys("sizes", "batch_size", value)]
    band = ["sizes.batch_size", "=unknown", f"sizes.{value}-{std}", f"sizes.{value}+{std}"]
    return [band] + line if std else line


# What each column of each block of a chart is: "table.key"; "a/b", "a-b", "a+b" of two keys; "+" at
# the end: lasts to the end of the last slice; "~" there: broken after pauses; "a|b": either; "=name":
# a rule of derived().  Blocks go round.
NAMED = {
    "step-time": [["steps.step|=step index", "steps.wall_ns"]],
    "step-ledger": [keys("steps", *LEDGER)],
    "step-breakdown": [keys("step_roles", *ROLES)],
    "execution-summary": [keys("roles", "mean_ns")],
    "step-hist": [["=bin left", "=bin count", "=bin right"]],
    "temporal-breakdown": [[f"run_devices.{k}/span_ns" for k in LEDGER]],
    "overlap-regions": [["=exposed", "=hidden"]],
    "comm-comp-overlap": [keys("run_devices", "comm_compute_overlap_ratio")],
    "dist-overview": [["run_devices.compute_kernel_union_ns-comm_compute_kernel_overlap_ns",
                       "run_devices.comm_compute_kernel_overlap_ns",
                       "run_devices.comm_union_ns-comm_compute_kernel_overlap_ns", "=neither"]],
    "straggler": [keys("devices", "device_sum_ns")],
    "top-kernels": [keys("kernels", "device_sum_ns")],
    "kernel-mean": [keys("kernels", "mean_ns", "min_ns", "max_ns")],
    "kernel-type": [keys("types", "time_ns")],
    "kernel-durations": [keys("durations", "kernels"), keys("durations", "device_sum_ns")],
    "tensor-cores": [["devices.tensor_core_ratio",
                      "devices.tensor_core_most_ratio-tensor_core_ratio", "=no tensor cores"]],
    "top-cpu-ops": [["ops.self_cpu_ns|recorded_ops.self_cpu_ns"]],
    "top-device-ops": [["ops.self_device_ns|recorded_ops.self_device_ns"]],
    "op-totals": [["ops.cpu_total_ns|ops.device_total_ns|recorded_ops.cpu_total_ns|"
                   "recorded_ops.device_total_ns"]],
    "top-memory-ops": [keys("ops", "self_alloc_bytes")],
    "copies": [keys("copies", "device_sum_ns"), keys("copies", "bandwidth_bytes_per_s")],
    "comms": [["collectives.exposed_ns", "=hidden comms"], keys("collectives", "bus_bytes_per_s")],
    "idle-breakdown": [keys("streams", "host_wait_ns", "dataloader_ns", "sync_ns",
                            "kernel_wait_ns", "other_ns")],
    "idle-causes": [keys("causes", "idle_ns")],
    "stage-bar": [keys("stages", "mean_ns")],
    "stage-range": [keys("stages", "median_ns", "min_ns", "max_ns", "p25_ns", "p75_ns")],
    "memory-curve": [keys("curve", "at_ns", "allocated_bytes"),
                     keys("curve", "at_ns", "reserved_bytes")],
    "memory-categories": [["=category times", "=category bytes"]],
    "timeline": [["=lane column", "=lane row", "=lane busy"]],
    "gpu-util": [[LASTING_AT, "timeline.busy_ratio+"], [LASTING_AT, "timeline.compute_ratio+"]],
    "sm-eff": [[LASTING_AT, "timeline.est_sm_efficiency_ratio+"]],
    "queue-length": [[LASTING_AT, "queues.depth_max+"], [LASTING_AT, "queues.depth_mean+"]],
    "memcpy-bw": [[LASTING_AT, "copies.bytes_per_s+"]],
    "launch-hist": [keys("histograms", "from_ns", "count", "to_ns")],
    "score-dist": [keys("score_shares", "ratio", "lo_ratio", "hi_ratio")],
    "batch-sweep": sum([swept(*v) for v in SWEPT[:3]], []) + [swept("peak_bytes")[0]] +
                   sum([swept(*v) for v in SWEPT[3:]], []) + swept("documents_efficiency"),
    "metrics-heatmap": [["=heat column", "=heat row", "=heat value"]],
    "smi": [["timeline.at_ns~|=lone at_ns",
             "timeline.utilization_ratio~|timeline.used_bytes~|timeline.temperature_c~|"
             "timeline.power_w~|=lone utilization_ratio|=lone temperature_c"]],
    "compare-ops": [keys("ops", "base_ns", "new_ns"),
                    keys("ops", "base_calls_per_step", "new_calls_per_step")],
    "history": [keys("history", "number", "value"), keys("history", "number", "level")],
}


def part_columns(part, key):
    """One key of some rows; a/b and a-b of two."""
    sign = next((c for c in "/-+" if c in key), None)
    if not sign:
        return [number(r.get(key)) for r in part]
    a, b = key.split(sign)
    of_two = {"/": operator.truediv, "-": operator.sub, "+": operator.add}[sign]
    both = [(number(r.get(a)), number(r.get(b))) for r in part]
    return [None if x is None or y is None else of_two(x, y) for x, y in both]


def broken_columns(part, key):
    """One key of the rows of a line that breaks after each pause: there its value is not known."""
    for r in part:
        if r["is_after_pause"]:
            yield r[key] if key == "at_ns" else None
        yield number(r.get(key))


def named_columns(tables, spec):
    """Every column that a spec stands for: of all rows, and of those of each place."""
    for one in spec.split("|"):
        if one.startswith("="):
            yield from (v for name, v in derived(tables) if name == one[1:])
            continue
        table, key = one.split(".", 1)
        rows = tables.get(table, [])
        inputs = [r for k, r in tables.items() if k.startswith(table + " ")]
        for part in [p for some in [rows] + inputs for p in [some] + parts(some)]:
            if not part or not set(re.split("[/+-]", key.rstrip("+~"))) <= set(part[0]):
                continue
            if key.endswith("~"):
                yield list(broken_columns(part, key[:-1]))
            elif not key.endswith("+"):
                yield part_columns(part, key)
            elif key == "at_ns+":
                yield [r["at_ns"] for r in part] + [part[-1]["at_ns"] + part[-1]["length_ns"]]
            else:
                yield part_columns(part, key[:-1]) + [number(part[-1].get(key[:-1]))]


def parts_by(rows, names):
    by = collections.OrderedDict()
    for r in rows:
        by.setdefault(tuple(r[k] for k in names), []).append(r)
    return list(by.values())


def parts(rows):
    """The rows of each place, metric, histogram or figure, in order."""
    groups = []
    for names in (("device",), ("device", "stream"), ("device", "direction"), ("key", "group"),
                 ("gpu",), ("check",), ("what",)):
        if rows and all(k in rows[0] for k in names):
            groups += parts_by(rows, names)
    return groups


def of_sweep(rows):
    """The heat map: each metric from its lowest to its highest."""
    heat = []
    for value in ("latency_per_sample_ns", "samples_per_s_written", "cpu_used_bytes", "used_bytes"):
        v = [r[value] for r in rows]
        span = max(v) - min(v)
        heat += [(a - min(v)) / span if span else 0 for a in v]
    yield "heat value", heat
    yield "heat row", [i // len(rows) for i in range(len(heat))]
    yield "heat column", [i % len(rows) for i in range(len(heat))]


def of_devices(rows):
    """What of a transfer is hidden, and what of a device's span is neither."""
    exposed, hidden = [], []
    for r in rows:
        for union, open_ in (("comm_union_ns", "exposed_comm_ns"),
                             ("memcpy_union_ns", "exposed_memcpy_ns")):
            exposed.append(number(r[open_]))
            hidden.append(r[union] - r[open_])
    yield "exposed", exposed
    yield "hidden", hidden
    yield "neither", [r["span_ns"] - r["compute_kernel_union_ns"] - r["comm_union_ns"] +
                      r["comm_compute_kernel_overlap_ns"] for r in rows]


def of_steps(rows):
    """Steps of the first device in bins from the shortest to the longest."""
    walls = [r["wall_ns"] for r in rows if r["device"] == rows[0]["device"]]
    low, high = min(walls), max(walls)
    bins = min(60, max(5, math.ceil(math.sqrt(len(walls))))) if high > low else 1
    width = (high - low) / bins if high > low else low / 100
    counts = [0] * bins
    for w in walls:
        counts[min(bins - 1, int((w - low) / width))] += 1
    yield "step index", list(range(len(walls)))
    yield "bin left", [low + width * i for i in range(bins)]
    yield "bin right", [low + width * (i + 1) for i in range(bins)]
    yield "bin count", counts


def of_lanes(rows):
    """A cell for each slice of each device, stream and thread, row by row."""
    # Several inputs may have devices of one number: a new lane begins where time starts again.
    lanes, before = [], None
    for r in rows:
        if before is None or r["at_ns"] <= before:
            lanes.append([])
        lanes[-1].append(r["busy_ratio"])
        before = r["at_ns"]
    wide = max(map(len, lanes), default=0)
    yield "lane busy", [v for lane in lanes for v in lane + [None] * (wide - len(lane))]
    yield "lane column", [i for _ in lanes for i in range(wide)]
    yield "lane row", [k for k, _ in enumerate(lanes) for _ in range(wide)]


def paused(x):
    """Where a line breaks: before values that come more than five usual intervals late."""
    gaps = [b - a for a, b in zip(x, x[1:])]
    usual = sorted(gaps)[len(gaps) // 2] if gaps else 0
    return {i + 1 for i, gap in enumerate(gaps)
            if gap > 5 * usual and gap > 5 * min(gaps[max(0, i - 1):i] + gaps[i + 1:i + 2],
                                                 default=math.inf)}


def of_metric(part, key, is_time):
    """The line of a key: broken where nothing was logged, times from its first value on."""
    breaks = paused([r["x"] for r in part])
    x, y = [], []
    for i, r in enumerate(part):
        at = (r["x"] - part[0]["x"]) * 1e9 if is_time else r["x"]
        x += [at, at] if i in breaks else [at]
        y += [None, r[key]] if i in breaks else [r[key]]
    return [x, y]


def of_extremes(part, is_time):
    """The lowest and the highest of each stretch."""
    low, high = ([dict(r, v=r["y"] if r[k] is None else r[k]) for r in part] for k in ("low", "high"))
    (x, lows), (_, highs) = (of_metric(rows, "v", is_time) for rows in (low, high))
    breaks = {i for i, v in enumerate(lows) if v is None}
    return [[v for i, at in enumerate(x) for v in ([at] if i in breaks else [at, at])],
            [v for i, pair in enumerate(zip(lows, highs)) for v in (pair[:1] if i in breaks else pair)]]


def metrics_by_input(paths):
    """The tables of `metrics` of each input by itself, by their ids, and the input's name."""
    for path in paths:
        tables = tables_of("metrics", [path])
        yield tables, re.sub(r"\.json$", "", pathlib.Path(path).name) if len(paths) > 1 else ""


def panels_of_series(paths):
    """Every key that has points, but those of nvidia-smi where there are others: title, lines."""
    found = []
    for tables, name in metrics_by_input(paths):
        about = {(r["key"], r["group"]): r for r in tables.get("keys", [])}
        for part in parts_by(tables.get("points", []), ("key", "group")):
            key, group = part[0]["key"], part[0]["group"]
            row = about[key, group]
            is_thinned = any(r["low"] is not None for r in part)
            mean = "y" if is_thinned and part[0]["window_mean"] is None else "window_mean"
            is_time = "time" in row["axis"]
            lines = [of_extremes(part, is_time) if is_thinned else of_metric(part, "y", is_time),
                     of_metric(part, mean, is_time)]
            title = key + (f" ({group})" if group else "") + (f", {name}" if name else "")
            found.append((row["kind"] == "smi_csv", title, lines))
    has_others = any(not is_smi for is_smi, _, _ in found)
    return [(title, lines) for is_smi, title, lines in found if not (has_others and is_smi)][:12]


def panels_of_leaks(paths):
    """The keys of the table of memory, in its order, each with its verdict."""
    found = []
    for tables, name in metrics_by_input(paths):
        axis = {r["key"]: r["axis"] or "" for r in tables.get("keys", [])}
        for row in tables.get("memory", [])[:12 - len(found)]:
            part = [r for r in tables["points"] if r["key"] == row["key"]]
            if not part:
                continue
            title = row["key"] + (f", {name}" if name else "") + f": {row['verdict']}"
            found.append((title, [of_metric(part, "y", "time" in axis[row["key"]])]))
    return found


PANELS = {"metric-series": panels_of_series, "mem-leak": panels_of_leaks}


def lone_of(lines):
    """The dots of lines: values between two gaps."""
    for x, y in lines:
        known = [False] + [v is not None for v in y] + [False]
        lone = [i for i in range(len(y)) if known[i:i + 3] == [False, True, False]]
        if lone:
            yield [[x[i] for i in lone], [y[i] for i in lone]]


def check_panels(what, panels, script, text):
    """Each panel is of the key it should be, has its title, and its lines are that key's points."""
    titles = re.findall(r"^set title '(.*?)' font", script, re.M)
    blocks = [columns for _, columns in blocks_of(text)]
    if len(panels) == 1:
        titles = [title.split(": ", 1)[-1] for title in titles]
    wanted = [line for _, lines in panels for line in [*lines, *lone_of(lines)]]
    expect(what + " panels", titles == [title.replace("'", "''") for title, _ in panels],
           f"{titles} for {[t for t, _ in panels]}")
    expect(what + " lines", len(blocks) == len(wanted), f"{len(blocks)} for {len(wanted)}")
    for block, line in zip(blocks, wanted):
        expect(what + " data", all(same(a, b) for a, b in zip(line, block)),
               f"{block[1][:4]} for {line[1][:4]}")


def of_lone(part):
    """Samples between two pauses."""
    ends = [True] + [r["is_after_pause"] for r in part[1:]] + [True]
    for key in ("at_ns", "utilization_ratio", "temperature_c"):
        yield "lone " + key, [r[key] for r, a, b in zip(part, ends, ends[1:]) if a and b]


def of_categories(rows):
    first = min(r["x"] for r in rows)
    last = max(r["x"] for r in rows)
    for part in parts_by(rows, ("key", "group")):
        yield "category times", [(r["x"] - first) * 1e9 for r in part] + [(last - first) * 1e9]
        yield "category bytes", [r["y"] for r in part] + [part[-1]["y"]]


def derived(tables):
    """Columns that are computed from several of a table, each with the name of its rule."""
    if tables.get("run_devices"):
        yield from of_devices(tables["run_devices"])
    if tables.get("steps") and "wall_ns" in tables["steps"][0]:
        yield from of_steps(next(r for k, r in tables.items() if k.startswith("steps ") and r))
    if tables.get("timeline") and "busy_ratio" in tables["timeline"][0]:
        is_one = sum(k.startswith("timeline ") for k in tables) == 1
        yield from of_lanes(tables["timeline"] + (tables.get("lanes", []) if is_one else []))
    yield "no tensor cores", [1 - r["tensor_core_most_ratio"] for r in tables.get("devices", [])
                              if number(r.get("tensor_core_most_ratio")) is not None]
    if tables.get("sizes"):
        yield from of_sweep(tables["sizes"])
    yield "unknown", [None] * 1000
    for part in parts(tables.get("timeline", [])):
        if "is_after_pause" in part[0]:
            yield from of_lone(part)
    memory = [r for r in tables.get("points", []) if r["key"] == "memory_bytes"]
    if memory:
        yield from of_categories(memory)
    rows = [r for r in tables.get("collectives", []) if number(r.get("exposed_ns")) is not None]
    yield "hidden comms", [r["union_ns"] - r["exposed_ns"] for r in rows][:15]


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


def check_data(what, chart, asks, paths, text):
    """Every column of every block is the one it should be, in the tables the chart asked for."""
    answers = [tables_of(ask, paths) for ask in asks]
    expect("charts named", chart in NAMED, f"{chart} has no columns in NAMED")
    blocks = NAMED.get(chart, [[]])
    for k, (head, columns) in enumerate(blocks_of(text)):
        has_index = head.startswith("# index")
        if has_index and chart in STACKS and len(columns) > 2:
            check_stack(what, answers[0], head, columns, *STACKS[chart][k])
            continue
        specs = blocks[k % len(blocks)]
        expect(what + " width", len(specs) == len(columns) - has_index,
               f"'{head}' has {len(columns)} columns, not those of {specs}")
        for spec, column in zip(specs, columns[1:] if has_index else columns):
            known = [v for t in answers for v in named_columns(t, spec)]
            expect(what + " data", any(same(c[:len(column)], column) for c in known),
                   f"a column of '{head}' is not {spec}: {column[:4]}")


def png_size(path):
    head = path.read_bytes()[:24]
    return struct.unpack(">II", head[16:24]) if head[:8] == b"\x89PNG\r\n\x1a\n" else None


def charts_of(paths):
    done = run([TRACEQ, "plot", "--list", "-q", *paths])
    expect("list", done.returncode == 0, done.stderr.decode())
    yes, no = [], []
    for line in done.stdout.decode().splitlines():
        words = line.split(None, 2)
        (yes if words[0] == "yes" else no).append(words[1])
    return yes, no


def check_chart(name, chart, paths, folder):
    what = f"{name} {chart}"
    svg = folder / f"{chart}.svg"
    done = run([TRACEQ, "plot", chart, *paths, "-q", "-o", str(svg)])
    if done.returncode != 0:
        expect(what, False, done.stderr.decode())
        return
    script = (folder / f"{chart}.gp").read_text()
    asks = re.findall(r"^# The data are those of: traceq (.*) --json$", script, re.M)
    data = (folder / f"{chart}.dat").read_text()
    if chart == "compare-step":
        check_waterfall(what, paths, data)
    elif chart in PANELS:
        check_panels(what, PANELS[chart](paths), (folder / f"{chart}.gp").read_text(), data)
    else:
        check_data(what, chart, asks, paths, data)
    picture = svg.read_bytes()
    xml.etree.ElementTree.fromstring(picture)
    svg.unlink()
    done = run(["gnuplot", "-d", f"{chart}.gp"], cwd=folder)
    expect(what + " script", done.returncode == 0 and not done.stderr, done.stderr.decode())
    expect(what + " again", svg.exists() and svg.read_bytes() == picture, "another picture")
    png = folder / f"{chart}.png"
    done = run([TRACEQ, "plot", chart, *paths, "-q", "-o", str(png)])
    size = png_size(png) if done.returncode == 0 else None
    expect(what + " png", size and size[0] >= 1200 and size[1] >= 200,
           f"{done.stderr.decode()} {size}")
    left = sorted(p.name for p in folder.iterdir())
    expect(what + " files", left == sorted(f"{chart}.{s}" for s in ("dat", "gp", "png", "svg")),
           str(left))


def generate(folder, name, scenarios):
    paths = []
    for i, argv in enumerate(scenarios):
        path = folder / f"{name}{i}.json"
        with open(path, "wb") as out:
            subprocess.run([FIXTURES, *argv], stdout=out, check=True)
        paths.append(str(path))
    return paths


HOSTILE = ["'; system('touch gotcha'); '", "`touch gotcha`", "\"; set output 'gotcha'\n!touch gotcha",
           "$(touch gotcha)", "@macro ${x} %s %n %d", "a\\nb\\", "<script>alert(1)</script>",
           "<svg onload=x>&amp;\"'", "|] * _x_ [a](javascript:x) `c`", "\x1b[31m\u202e\u200b",
           "ten thousand letters " * 500, "^{up}_{down} {/Times x}", "# not a comment", ""]


def hostile_trace(folder):
    """The names of a trace of ours, kernels, ops and regions, replaced by hostile ones."""
    path = generate(folder, "hostile", [["healthy", "--steps", "3", "--memory"]])[0]
    with open(path, encoding="utf-8") as f:
        trace = json.load(f)
    named = {}
    for event in trace["traceEvents"]:
        name = event.get("name", "")
        if event.get("cat") in ("kernel", "cpu_op", "user_annotation", "gpu_memcpy") and \
                not name.startswith(("ProfilerStep", "Memcpy")):
            if name not in named:
                named[name] = HOSTILE[len(named) % len(HOSTILE)] + f" {len(named)}"
            event["name"] = named[name]
    with open(path, "w", encoding="utf-8") as f:
        json.dump(trace, f)
    return [path]


def check_hostile(folder):
    paths = hostile_trace(folder)
    yes, _ = charts_of(paths)
    for chart in yes:
        out = folder / "hostile" / chart
        out.mkdir(parents=True)
        check_chart("hostile", chart, paths, out)
        svg = (out / f"{chart}.svg").read_text(encoding="utf-8")
        root = xml.etree.ElementTree.fromstring(svg)
        tags = {e.tag.split("}")[1] for e in root.iter()}
        expect("hostile markup", "script" not in tags, chart)
        expect("hostile bytes", not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e\u200b]", svg), chart)
        script = (out / f"{chart}.gp").read_text(encoding="utf-8")
        for line in script.splitlines():
            expect("hostile line", not line.startswith(("!", "system", "touch")), line)
    # A name that begins with a quote is drawn, and so is a picture of such a name.
    names = "".join(xml.etree.ElementTree.parse(folder / "hostile/kernel-mean/kernel-mean.svg")
                    .getroot().itertext())
    for name in HOSTILE[:3] + HOSTILE[4:5]:
        expect("hostile name", name.split("\n")[0] in names, name)
    done = run([TRACEQ, "plot", "top-kernels", *paths, "-q", "-o", str(folder / "''odd'.svg")])
    expect("hostile file", done.returncode == 0 and (folder / "''odd'.svg").exists(),
           done.stderr.decode())
    found = [p for p in folder.rglob("gotcha")]
    expect("hostile command", not found and not os.path.exists("gotcha"), str(found))


FIRST = {"top-kernels": "kernels", "top-cpu-ops": "ops", "copies": "copies",
         "idle-causes": "causes", "stage-bar": "stages", "kernel-mean": "kernels"}


def check_first(folder):
    """Names of several inputs are not mixed: those of the first, which the title says."""
    paths = generate(folder, "mixed", SCENARIOS["compare"])
    for chart, table in FIRST.items():
        out = folder / "mixed" / chart
        out.mkdir(parents=True)
        check_chart("mixed", chart, paths, out)
        ask = re.findall(r"of: traceq (.*) --json$", (out / f"{chart}.gp").read_text(), re.M)[0]
        _, columns = blocks_of((out / f"{chart}.dat").read_text())[0]
        rows = tables_of(ask, paths[:1])[table]
        expect("first", len(columns[0]) <= len(rows), f"{chart}: {len(columns[0])} bars")
        expect("first title", ": mixed0" in (out / f"{chart}.svg").read_text(), chart)


def check_many(folder):
    """64 inputs: one picture that a person can look at, whatever the chart; a bar for each."""
    paths = generate(folder, "many", [["tiny"]] * 64)
    for chart in ("execution-summary", "kernel-durations", "kernel-type", "idle-breakdown",
                  "gpu-util", "step-ledger", "top-kernels", "timeline"):
        out = folder / "many" / chart
        out.mkdir(parents=True)
        check_chart("many", chart, paths, out)
        size = png_size(out / f"{chart}.png")
        expect("many", size[1] <= 4200, f"{chart} is {size[1]} pixels high")
        if chart in STACKS:
            _, columns = blocks_of((out / f"{chart}.dat").read_text())[0]
            expect("many", len(columns[0]) == 64, f"{chart}: {len(columns[0])} bars")
        if chart == "timeline":
            expect("many", "the first 64" not in (out / f"{chart}.svg").read_text(), "none is cut")


def check_without_gnuplot(folder):
    paths = generate(folder, "bare", [["tiny"]])
    out = folder / "bare"
    out.mkdir()
    done = run([TRACEQ, "plot", "top-kernels", *paths, "-o", str(out / "a.svg")],
               env={"PATH": str(out)})
    expect("no gnuplot", done.returncode == 2 and b"gnuplot-nox" in done.stderr,
           f"{done.returncode} {done.stderr}")
    left = sorted(p.name for p in out.iterdir())
    expect("no gnuplot files", left == ["a.dat", "a.gp"], str(left))


def results(folder):
    """A sweep, a log, samples of nvidia-smi and a history, as files of a run."""
    folder.mkdir()
    names = ["latency_total", "latency_per_sample", "latency_per_batch",
             "throughput_samples_per_sec", "throughput_batches_per_sec", "cpu_mem_used",
             "gpu_mem_used", "peak_gpu_mem"]
    stats = ["mean", "std", "min", "max", "median"]
    lines = [",".join([f"{n}_{s}" for n in names for s in stats] +
                      ["batch_size", "num_samples", "num_runs"])]
    for batch in (1, 8, 32):
        cells = []
        for k in range(len(names)):
            v = (k + 1) * (1 + batch / 7) if k not in (1, 5) else 0.01 * (k + 1) / batch + 1
            cells += [v, v / 10, v * 0.9, v * 1.1, v]
        lines.append(",".join(map(str, cells + [batch, 100, 10])))
    (folder / "detailed_metrics.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with open(folder / "train.jsonl", "w", encoding="utf-8") as f:
        for i in range(300):
            f.write(json.dumps({"step": i, "loss": 3 / (i + 1), "kl": (i * 7919 % 101) / 5000,
                                "allocated_gb": 1 + i / 900}) + "\n")
    with open(folder / "gpu_usage.csv", "w", encoding="utf-8") as f:
        f.write("timestamp, name, utilization.gpu [%], memory.used [MiB], memory.free [MiB], "
                "temperature.gpu\n")
        for i in range(90):
            f.write(f"2025/11/30 12:00:{i % 60:02d}.{i // 60}00, NVIDIA A100, {i % 100} %, "
                    f"{3000 + i} MiB, 37000 MiB, {40 + i % 9}\n")
    (folder / "scores.json").write_text(json.dumps({
        "experiment_name": "e", "timestamp": "2025-11-30T12:00:00", "total_runtime_sec": 1.5,
        "metric_summaries": {}, "raw_metrics": {"loss": [1.0, 0.5]},
        "score_distribution": {"total": 5, "valid_count": 4, "invalid_count": 1,
                               "invalid_rate": 0.2, "score_counts": {"0.0": 1, "0.5": 1, "1.0": 2},
                               "score_percentages": {"0.0": 25.0, "0.5": 25.0, "1.0": 50.0},
                               "mean_score": 0.625}}), encoding="utf-8")
    return [str(folder)]


def check_pauses(folder):
    """Three runs of the recorder, the second of one sample: lines break between them."""
    at = [*range(10), 100, *range(200, 210)]
    path = folder / "paused.csv"
    path.write_text("timestamp, name, utilization.gpu [%], temperature.gpu\n" + "".join(
        f"2025/11/30 12:{t // 60:02d}:{t % 60:02d}.000, NVIDIA A100, 90 %, 50\n" for t in at),
        encoding="utf-8")
    out = folder / "paused"
    out.mkdir()
    check_chart("paused", "smi", [str(path)], out)
    blocks = blocks_of((out / "smi.dat").read_text())
    for _, (x, y) in blocks[::2]:
        expect("pauses", [v / 1e9 for v, w in zip(x, y) if w == w] == at, str(x))
        expect("pauses", [v / 1e9 for v, w in zip(x, y) if w != w] == [100, 200], str(y))
    for _, (x, y) in blocks[1::2]:
        expect("pauses", x == [100e9], f"a sample by itself is not seen: {x}")
    # A metric that is logged for a while, then not, then less often: one pause, not many.
    path = folder / "gaps.jsonl"
    steps = [*range(50), *range(500, 900, 10)]
    path.write_text("".join(f'{{"step":{i},"loss":{3 / (i + 1)}}}\n' for i in steps))
    out = folder / "gaps"
    out.mkdir()
    check_chart("gaps", "metric-series", [str(path)], out)
    _, (x, y) = blocks_of((out / "metric-series.dat").read_text())[0]
    expect("pauses", [v for v, w in zip(x, y) if w != w] == [500], str(y))


def check_files_of_runs(folder):
    """A log and samples of nvidia-smi, as two inputs, and two logs with the same keys."""
    one = pathlib.Path(results(folder / "one")[0])
    two = folder / "two.jsonl"
    two.write_text("".join(f'{{"step":{i},"loss":{2 - i / 300},"allocated_gb":{2 + i % 2}}}\n'
                           for i in range(200)))
    check_files(folder, "beside", [str(one / "gpu_usage.csv"), str(one / "train.jsonl")],
                ["metric-series", "mem-leak", "smi"])
    check_files(folder, "two", [str(one / "train.jsonl"), str(two)], ["metric-series", "mem-leak"])
    check_files(folder, "samples", [str(one / "gpu_usage.csv")], ["metric-series"])


def check_extremes(folder):
    """A hundred thousand values of which two stand out: both are in the picture."""
    path = folder / "long.jsonl"
    with open(path, "w", encoding="utf-8") as f:
        for i in range(100000):
            loss = {40000: 99.5, 70001: -7.25}.get(i, 3 + i * 7919 % 101 / 100)
            f.write(f'{{"step":{i},"loss":{loss}}}\n')
    out = folder / "long"
    out.mkdir()
    check_chart("long", "metric-series", [str(path)], out)
    (_, (_, values)), *_ = blocks_of((out / "metric-series.dat").read_text())
    expect("extremes", max(values) == 99.5 and min(values) == -7.25, f"{min(values)} {max(values)}")
    expect("thinned", len(values) <= 4000, len(values))


def run_folder(folder):
    """Stage times and a table of operations, as rldk leaves them."""
    folder.mkdir()
    (folder / "stage_times.json").write_text(json.dumps({
        "stage_times": {"forward": [0.12, 0.13], "backward": [0.25, 0.27], "optimizer": [0.05]},
        "average_times": {"forward": 0.125, "backward": 0.26, "optimizer": 0.05},
        "total_steps": 2}), encoding="utf-8")
    (folder / "op_stats.csv").write_text(
        "Name,Self CPU Time (\u03bcs),CPU Time (\u03bcs),Self CUDA Time (\u03bcs),"
        "CUDA Time (\u03bcs),Count\naten::mm,10.5,20.1,5,5,1\n\"aten::add, x\",3,4,2,2,1\n",
        encoding="utf-8")
    return [str(folder)]


def history(folder):
    path = folder / "nightly.csv"
    lines = ["date,commit,step_time_ms"]
    for i in range(40):
        lines.append(f"2025-{9 + i // 28:02d}-{i % 28 + 1:02d},c{i:04d},"
                     f"{(64 if i < 20 else 60) + (i * 7919 % 101) / 200:.3f}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [str(path)]


def check_files(folder, name, paths, wanted):
    for chart in wanted:
        out = folder / (name + "-charts") / chart
        out.mkdir(parents=True)
        check_chart(name, chart, paths, out)


def main():
    if not shutil.which("gnuplot"):
        print("skip charts: gnuplot is not installed")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    drawn = set()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for scenario, argvs in SCENARIOS.items():
            paths = generate(folder, scenario, argvs)
            yes, _ = charts_of(paths)
            expect("charts", len(yes) > 2, scenario)
            for chart in yes:
                out = folder / scenario / chart
                out.mkdir(parents=True)
                check_chart(scenario, chart, paths, out)
            drawn.update(yes)
        check_files(folder, "results", results(folder / "results"),
                    ["batch-sweep", "metrics-heatmap", "smi", "metric-series", "mem-leak",
                     "score-dist"])
        (folder / "timeline").mkdir()
        with open(folder / "timeline" / "m.json", "wb") as out:
            subprocess.run([FIXTURES, "artifact", "memory-timeline-raw"], stdout=out, check=True)
        check_files(folder, "timeline", [str(folder / "timeline" / "m.json")],
                    ["memory-categories", "metric-series"])
        check_files(folder, "run", run_folder(folder / "run"),
                    ["stage-bar", "top-cpu-ops", "top-device-ops"])
        check_files(folder, "history", history(folder), ["history"])
        check_pauses(folder)
        check_files_of_runs(folder)
        check_first(folder)
        check_many(folder)
        check_extremes(folder)
        check_hostile(folder)
        check_without_gnuplot(folder)
    all_of_them = run([TRACEQ, "completion", "bash"]).stdout.decode()
    for chart in drawn:
        expect("completion", chart in all_of_them, chart)
    for line in failures[:60]:
        print("FAIL", " ".join(line.split())[:300])
    print(f"{sum(checked.values()) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
