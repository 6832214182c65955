#!/usr/bin/env python3
"""Draws every chart with the real gnuplot, as SVG and PNG: its data are those of the analysis' own
JSON tables, its script runs by itself, and no name in a trace becomes a command or markup."""
import collections
import json
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
# Columns of a chart's data that are computed from several of the table: (chart, series) -> rule.
RATIO = {"compute": "compute_ns", "exposed communication": "exposed_comm_ns",
         "exposed copies": "exposed_memcpy_ns", "idle": "idle_ns"}

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


def candidates(tables):
    """Every column of numbers, whole and by place: what a line or the bars of a panel may be."""
    for rows in tables.values():
        for part in [rows] + parts(rows):
            for key in part[0] if part else []:
                yield key, [number(r.get(key)) for r in part]


def parts(rows):
    """The rows of each place, metric, histogram or figure, in order."""
    groups = []
    for keys in (("device",), ("device", "stream"), ("device", "direction"), ("key", "group"),
                 ("gpu",), ("check",), ("what",)):
        if rows and all(k in rows[0] for k in keys):
            by = collections.OrderedDict()
            for r in rows:
                by.setdefault(tuple(r[k] for k in keys), []).append(r)
            groups += list(by.values())
    return groups


def lasting(rows):
    """Lines over slices go on to the end of the last one."""
    for part in parts(rows):
        if "length_ns" not in part[0]:
            continue
        for key in part[0]:
            yield [number(r.get(key)) for r in part] + [number(part[-1].get(key))]
        yield [r["at_ns"] for r in part] + [part[-1]["at_ns"] + part[-1]["length_ns"]]


def of_sweep(rows):
    """Bands of one deviation, and the heat map: each metric from its lowest to its highest."""
    heat = []
    for value, std in (("latency_per_sample_ns", "latency_std_ns"),
                       ("samples_per_s_written", "samples_per_s_written_std"),
                       ("cpu_used_bytes", "cpu_used_std_bytes"), ("used_bytes", "used_std_bytes"),
                       ("latency_per_batch_ns", "latency_per_batch_std_ns")):
        v = [r[value] for r in rows]
        yield [a - r[std] for a, r in zip(v, rows)]
        yield [a + r[std] for a, r in zip(v, rows)]
        if value != "latency_per_batch_ns":
            span = max(v) - min(v)
            heat += [(a - min(v)) / span if span else 0.5 for a in v]
    yield heat
    yield [i // len(rows) for i in range(len(heat))]


def derived(tables):
    """Shares of a device's span, and what of a transfer is hidden."""
    for row_set in (tables.get("run_devices", []),):
        if not row_set:
            continue
        for key in RATIO.values():
            yield [r[key] / r["span_ns"] for r in row_set]
        exposed, hidden = [], []
        for r in row_set:
            for union, open_ in (("comm_union_ns", "exposed_comm_ns"),
                                 ("memcpy_union_ns", "exposed_memcpy_ns")):
                exposed.append(number(r[open_]))
                hidden.append(r[union] - r[open_])
        yield exposed
        yield hidden
    for rows in tables.values():
        yield from lasting(rows)
    if tables.get("sizes"):
        yield from of_sweep(tables["sizes"])
    for part in parts(tables.get("points", [])):
        yield [r["x"] - part[0]["x"] for r in part]
    rows = [r for r in tables.get("collectives", []) if number(r.get("exposed_ns")) is not None]
    yield [r["union_ns"] - r["exposed_ns"] for r in rows][:15]


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


def check_data(what, asks, paths, text):
    """Every column of every block is a column of the tables the chart was asked for."""
    known = []
    for ask in asks:
        tables = tables_of(ask, paths)
        known += [v for _, v in candidates(tables)]
        known += list(derived(tables))
    for head, columns in blocks_of(text):
        is_line = head.startswith("# x")
        for i, column in enumerate(columns):
            if i == 0 and not is_line:
                continue
            expect(what + " data", any(same(k[:len(column)], column) for k in known),
                   f"column {i} of '{head}' is in no table of {asks}: {column[:4]}")


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
    else:
        check_data(what, asks, paths, data)
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
    found = [p for p in folder.rglob("gotcha")]
    expect("hostile command", not found and not os.path.exists("gotcha"), str(found))


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
        check_files(folder, "run", run_folder(folder / "run"),
                    ["stage-bar", "top-cpu-ops", "top-device-ops"])
        check_files(folder, "history", history(folder), ["history"])
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
