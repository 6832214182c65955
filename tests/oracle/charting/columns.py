"""What each column of each chart is, by the tables of the analysis."""
import collections
import math
import operator
import re
import statistics

from charting.box import keys, number, parts_by

ROLES = ["kernel_ns", "memcpy_ns", "memset_ns", "communication_ns", "runtime_ns", "dataloader_ns",
         "cpu_exec_ns", "other_ns"]
LEDGER = ["compute_ns", "exposed_comm_ns", "exposed_memcpy_ns", "idle_ns"]
HOST_CAUSES = [f"idle_{c}_ns" for c in ("allocator", "checkpoint", "logging", "gc", "compile", "queue", "runtime_call",
                                        "cpu_op", "python", "launch")]
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
    "step-ledger": [keys("steps", *LEDGER[:-1], "idle_dataloader_ns", "idle_sync_ns")
                    + ["=step idle host", "steps.idle_dependency_ns", "=step idle who knows"]],
    "step-breakdown": [keys("step_roles", *ROLES)],
    "execution-summary": [keys("roles", "mean_ns")],
    "step-hist": [["=bin left", "=bin count", "=bin right"]],
    "temporal-breakdown": [[f"run_devices.{k}/span_ns" for k in LEDGER]],
    "overlap-regions": [["=exposed comm", "=exposed copies", "=hidden"]],
    "comm-comp-overlap": [keys("run_devices", "comm_compute_overlap_ratio")],
    "dist-overview": [["run_devices.compute_kernel_union_ns-comm_compute_kernel_overlap_ns",
                       "run_devices.comm_compute_kernel_overlap_ns",
                       "run_devices.comm_union_ns-comm_compute_kernel_overlap_ns", "=neither"]],
    "straggler": [["=waiting", "=waited for"]],
    "rank-ledger": [keys("ranks", "compute_ns", "wait_ns", "transfer_ns", "exposed_memcpy_ns",
                         "idle_dataloader_ns", "idle_host_ns", "idle_sync_ns", "idle_other_ns")],
    "dist-sync": [keys("ranks", "transfer_ns", "wait_ns")],
    "rank-steps": [["=step column", "=step row", "=step caused"]],
    "rank-pairs": [["=pair column", "=pair row", "=pair wait"]],
    "a2a-heatmap": [["=part column", "=part row", "=part tokens"]],
    "arrival-skew": [["=last at", "=last skew"]],
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
    "top-memory-ops": [["ops.self_alloc_bytes|recorded_memory.device_bytes"]],
    "copies": [keys("copies", "device_sum_ns"), ["=copied a second"]],
    "comms": [["collectives.exposed_ns", "=hidden comms"], keys("collectives", "bus_bytes_per_s")],
    "idle-breakdown": [["streams.dataloader_ns", "streams.sync_ns", "streams.runtime_call_ns", "=idle for the host",
                        "=idle for who knows what", "streams.launch_ns", "streams.dependency_ns"]],
    "idle-causes": [keys("causes", "idle_ns")],
    "stage-bar": [["=stage mean"]],
    "stage-range": [["stages.median_ns|keys.median", "stages.min_ns|keys.min",
                     "stages.max_ns|keys.max", "stages.p25_ns|keys.p25",
                     "stages.p75_ns|keys.p75"]],
    "memory-curve": [keys("curve", "at_ns", "allocated_bytes"),
                     keys("curve", "at_ns", "reserved_bytes")],
    "memory-categories": [["=category times", "=category middle", "=category low", "=category high"]],
    "timeline": [["=lane column", "=lane row", "=lane busy"]],
    "gpu-util": [[LASTING_AT, "timeline.busy_ratio+"], [LASTING_AT, "timeline.compute_ratio+"]],
    "sm-eff": [[LASTING_AT, "timeline.est_sm_efficiency_ratio+"]],
    "queue-length": [[LASTING_AT, "queues.depth_max+"], [LASTING_AT, "queues.depth_mean+"]],
    "memcpy-bw": [[LASTING_AT, "copies.bytes_per_s+"]],
    "launch-hist": [keys("histograms", "from_ns", "count", "to_ns")],
    "flame": [["=flame left", "=flame row", "=flame right"]],
    "flame-chart": [["=flame left", "=flame row", "=flame right"]],
    "flame-sampled": [["=flame left", "=flame row", "=flame right"]],
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
    hidden = []
    for r in rows:
        for union, open_ in (("comm_union_ns", "exposed_comm_ns"),
                             ("memcpy_union_ns", "exposed_memcpy_ns")):
            hidden.append(r[union] - r[open_])
    yield "exposed comm", [v for r in rows for v in (number(r["exposed_comm_ns"]), None)]
    yield "exposed copies", [v for r in rows for v in (None, number(r["exposed_memcpy_ns"]))]
    yield "hidden", hidden
    yield "neither", [r["span_ns"] - r["compute_kernel_union_ns"] - r["comm_union_ns"] +
                      r["comm_compute_kernel_overlap_ns"] for r in rows]


def of_collectives(rows, ranks):
    """Time in collectives: of those that wait, and of those whom they wait for by the job, else of those far below."""
    v = [r["device_sum_ns"] for r in rows]
    middle = statistics.median(v)
    away = statistics.median(abs(x - middle) for x in v)
    most = max(3.5 * 1.4826 * away, 0.02 * middle)
    low = min(v) if len(v) == 2 and max(v) - min(v) > 0.02 * middle else None
    is_late = [x == low if len(v) == 2 else len(v) > 2 and middle - x > most for x in v]
    if ranks:
        is_late = [r["what"] == "slow" for r in ranks]
    yield "waiting", [None if late else x for x, late in zip(v, is_late)]
    yield "waited for", [x if late else None for x, late in zip(v, is_late)]


def of_steps(inputs):
    """Steps of the first device of each input in bins from the shortest to the longest."""
    walls = [r["wall_ns"] for rows in inputs for r in rows if r["device"] == rows[0]["device"]]
    low, high = min(walls), max(walls)
    bins = min(60, max(5, math.ceil(math.sqrt(len(walls))))) if high > low else 1
    width = (high - low) / bins if high > low else low / 100
    counts = [0] * bins
    for w in walls:
        counts[min(bins - 1, int((w - low) / width))] += 1
    for rows in inputs:
        yield "step index", list(range(sum(r["device"] == rows[0]["device"] for r in rows)))
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


def of_matrix(name, rows, row, column, value):
    """A cell for each two of the ranks that are in it."""
    members = sorted({r[k] for r in rows for k in (row, column)})
    cells = {(r[row], r[column]): 0 for r in rows}
    for r in rows:
        cells[r[row], r[column]] += r[value]
    yield f"{name} row", [i for i, _ in enumerate(members) for _ in members]
    yield f"{name} column", [i for _ in members for i, _ in enumerate(members)]
    yield f"{name} {value.removesuffix('_ns')}", [cells.get((a, b), 0) for a in members for b in members]


def of_rank_steps(rows):
    """What others wait for each rank in each step."""
    steps, members = (sorted({r[k] for r in rows}) for k in ("step", "rank"))
    cells = {(r["rank"], r["step"]): r["caused_ns"] for r in rows}
    yield "step row", [i for i, _ in enumerate(members) for _ in steps]
    yield "step column", [i for _ in members for i, _ in enumerate(steps)]
    yield "step caused", [cells[a, b] for a in members for b in steps]


def of_arrivals(rows):
    """Collectives by who came last: the five that do most often, and all others together."""
    meets = []
    for part in parts_by(rows, ("number",)):
        last = [r for r in part if r["is_last"]]
        if last:
            meets.append((last[0]["rank"], last[0]["start_ns"], max(r["wait_ns"] for r in part)))
    often = collections.Counter(rank for rank, _, _ in meets)
    named = sorted(often, key=lambda rank: (-often[rank], rank))[:5]
    for which in [*named, None]:
        dots = [m for m in meets if m[0] == which or (which is None and m[0] not in named)]
        yield "last at", [at for _, at, _ in dots]
        yield "last skew", [skew for _, _, skew in dots]


def of_lone(part):
    """Samples between two pauses."""
    ends = [True] + [r["is_after_pause"] for r in part[1:]] + [True]
    for key in ("at_ns", "utilization_ratio", "temperature_c"):
        yield "lone " + key, [r[key] for r, a, b in zip(part, ends, ends[1:]) if a and b]


def of_categories(rows):
    """What memory holds, on each other, the highest peak at the bottom; edges where a time is new."""
    parts = {part[0]["group"]: part for part in parts_by(rows, ("key", "group"))
             if max(r["y"] for r in part) > 0}
    total = parts.pop("total", [])
    times = sorted({r["x"] for part in parts.values() for r in part})
    x = [(t - times[0]) * 1e9 for t in times]
    low = [0] * len(times)
    for part in sorted(parts.values(), key=lambda p: -max(r["y"] for r in p)):
        holds = [next((r["y"] for r in reversed(part) if r["x"] <= t), 0) for t in times]
        high = [a + b for a, b in zip(low, holds)]
        yield "category times", [v for v in x for _ in range(2)][1:]
        for name, v in (("low", low), ("high", high),
                        ("middle", [(a + b) / 2 for a, b in zip(low, high)])):
            yield "category " + name, v[:1] + [w for pair in zip(v, v[1:]) for w in pair]
        low = high
    if total:
        yield "total times", [(r["x"] - times[0]) * 1e9 for r in total] + x[-1:]
        yield "total bytes", [r["y"] for r in total] + [total[-1]["y"]]


def of_stages(rows):
    """Means, the longest first, those of what is nested below what it is in."""
    paths, path = {}, []
    for i, r in enumerate(rows):
        depth = r.get("depth") or 0
        path = path[:depth] + [(-r["mean_ns"], i)]
        paths[i] = path
    return [rows[i]["mean_ns"] for i in sorted(paths, key=paths.get)]


FRAME_SORTS = ["python_function", "user_annotation", "cpu_op", "runtime", "waits", "compute", "comm", "memcpy",
               "rest"]


def frame_sort(row):
    """Which series of a flame graph a frame is in: what it is."""
    kind = {"frame": "python_function", "memset": "memcpy"}.get(row["kind"], row["kind"])
    return kind if kind in FRAME_SORTS else "rest"


def of_frames(rows):
    """Frames of a flame graph: one lane, or those with the most time below each other."""
    at, length, total = (next(k for k in rows[0] if k.startswith(s)) for s in ("at_", "length_", "total_"))
    lanes, first = [], 0
    for r in rows:
        if r["depth"] == 0:
            lanes.append([])
        lanes[-1].append(r)
    most = sorted((lane[0][total] for lane in lanes), reverse=True)[:16][-1]
    placed = []
    for lane in [lane for lane in lanes if lane[0][total] >= most][:16]:
        placed += [(first + r["depth"], r) for r in lane]
        first = max(y for y, _ in placed) + 1
    for sort in FRAME_SORTS:
        drawn = [(y, r) for y, r in placed if frame_sort(r) == sort]
        yield "flame left", [r[at] for _, r in drawn]
        yield "flame right", [r[at] + r[length] for _, r in drawn]
        yield "flame row", [y for y, _ in drawn]


def derived(tables):
    """Columns that are computed from several of a table, each with the name of its rule."""
    if tables.get("run_devices"):
        yield from of_devices(tables["run_devices"])
    if tables.get("steps") and "device" in tables["steps"][0]:
        yield from of_steps([r for k, r in tables.items() if k.startswith("steps ") and r])
    if tables.get("devices") and "device_sum_ns" in tables["devices"][0]:
        yield from of_collectives(tables["devices"], [r for r in tables.get("job_ranks", []) if r["rank"] is not None])
    if tables.get("timeline") and "busy_ratio" in tables["timeline"][0]:
        is_one = sum(k.startswith("timeline ") for k in tables) == 1
        yield from of_lanes(tables["timeline"] + (tables.get("lanes", []) if is_one else []))
    yield "no tensor cores", [1 - r["tensor_core_most_ratio"] for r in tables.get("devices", [])
                              if number(r.get("tensor_core_most_ratio")) is not None]
    if tables.get("pairs"):
        yield from of_matrix("pair", tables["pairs"], "rank", "for", "wait_ns")
    if tables.get("experts"):
        yield from of_matrix("part", tables["experts"], "from", "to", "tokens")
    if tables.get("rank_steps"):
        yield from of_rank_steps(tables["rank_steps"])
    if tables.get("arrivals"):
        yield from of_arrivals(tables["arrivals"])
    if tables.get("sizes"):
        yield from of_sweep(tables["sizes"])
    if tables.get("frames"):
        yield from of_frames(tables["frames"])
    yield "unknown", [None] * 1000
    yield "copied a second", [r["bandwidth_bytes_per_s"] for r in tables.get("copies", [])
                              if "bandwidth_bytes_per_s" in r and r["direction"] != "set"]
    for name, rows in tables.items():  # of each input by itself
        if name.startswith("stages "):
            yield "stage mean", of_stages([r for r in rows if number(r.get("mean_ns")) is not None])
    for part in parts(tables.get("timeline", [])):
        if "is_after_pause" in part[0]:
            yield from of_lone(part)
    memory = [r for r in tables.get("points", []) if r["key"] == "memory_bytes"]
    if memory:
        yield from of_categories(memory)
    for name, of in (("idle for the host", ("cpu_op_ns", "python_ns")),
                        ("idle for who knows what", ("nothing_ns", "unknown_ns"))):
        yield name, [sum(r[p] for p in of) for r in tables.get("streams", []) if of[0] in r]
    for name, of in (("step idle host", HOST_CAUSES), ("step idle who knows", ("idle_nothing_ns", "idle_unknown_ns"))):
        yield name, [sum(r[p] for p in of) for r in tables.get("steps", []) if of[0] in r]
    rows = [r for r in tables.get("collectives", []) if number(r.get("exposed_ns")) is not None]
    yield "hidden comms", [r["union_ns"] - r["exposed_ns"] for r in rows][:15]
