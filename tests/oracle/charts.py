#!/usr/bin/env python3
"""Draws every chart with the real gnuplot, as SVG and PNG: its data are those of the analysis' own
JSON tables, its script runs by itself, and no name in a trace becomes a command or markup."""
import itertools
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

from charting.box import (
    blocks_of, checked, expect, failures, FIXTURES, run, tables_of, texts_of, TRACEQ)
from charting import everywhere, hostile
from charting.data import check_data, check_flame_diff, check_waterfall, STACKS
from charting.lanes import check_lanes_chart
from charting.panels import check_panels, PANELS
from charting.saving import check_saving, SAVING

ALL = os.environ.get("CHECK_ALL")
turn = itertools.count()
SCENARIOS = {
    "healthy": [["healthy", "--steps", "6", "--memory"]],
    "comm-bound": [["comm-bound", "--steps", "24"]],
    "one-step": [["copy-bound", "--steps", "1"]],
    "gpu-only": [["gpu-only"]],
    "cpu-only": [["cpu-only", "--memory"]],
    "multi-gpu": [["multi-gpu"]],
    "compare": [["healthy", "--steps", "5"], ["copy-bound", "--steps", "5"]],
    "ranks": [["multi-rank", "--rank", str(r), "--world", "4", "--steps", "3", "--ep", "2",
               "--clock-spread", "10ms", "--clock-drift", "50"] for r in range(4)],
}


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


def check_chart(name, chart, paths, folder, always=False):
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
    elif chart == "flame-diff":
        check_flame_diff(what, asks[0], paths, data)
    elif chart == "timeline-lanes":
        check_lanes_chart(what, asks, paths, data, svg.read_bytes())
    elif chart in SAVING:
        check_saving(what, chart, asks, paths, data)
    elif chart in PANELS:
        check_panels(what, PANELS[chart](paths), (folder / f"{chart}.gp").read_text(), data)
    else:
        check_data(what, chart, asks, paths, data)
    picture = svg.read_bytes()
    xml.etree.ElementTree.fromstring(picture)
    if always or ALL or next(turn) % 2 == 0:
        check_again(what, chart, paths, folder, picture)


def check_again(what, chart, paths, folder, picture):
    """The script draws the picture again, and a PNG of it is as large; the gate does so of every second."""
    svg = folder / f"{chart}.svg"
    svg.unlink()
    done = run(["gnuplot", "-d", f"{chart}.gp"], cwd=folder)
    expect(what + " script", done.returncode == 0 and not done.stderr, done.stderr.decode())
    # Lanes and flames as SVG are drawn without gnuplot, whose boxes say nothing of what they are.
    is_own = chart == "timeline-lanes" or chart.startswith("flame")
    expect(what + " again", svg.exists() and (svg.read_bytes() == picture) == (not is_own),
           "another picture")
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
           "ten thousand letters " * 500, "^{up}_{down} {/Times x}", "# not a comment", "",
           *hostile.GIVEN[:4], "a]]>b", "\U0001f525 \u5185\u6838 \uffff"]


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
        f.write(json.dumps(trace))
    return [path]


def check_hostile(folder):
    paths = hostile_trace(folder)
    yes, _ = charts_of(paths)
    place = folder / "it's @GPVAL_PWD"
    for chart in yes:
        out = place / chart
        out.mkdir(parents=True)
        check_chart("hostile", chart, paths, out)
        svg = (out / f"{chart}.svg").read_text(encoding="utf-8")
        root = xml.etree.ElementTree.fromstring(svg)
        tags = {e.tag.split("}")[1] for e in root.iter()}
        expect("hostile markup", "script" not in tags, chart)
        expect("hostile bytes", not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e\u200b]", svg), chart)
        _, commands = texts_of((out / f"{chart}.gp").read_text(encoding="utf-8"))
        expect("hostile script", not re.search("[@`]|touch|system", commands), chart)
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
        check_chart("many", chart, paths, out, always=True)
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
        "CUDA Time (\u03bcs),Count,CUDA Memory (bytes)\naten::mm,10.5,20.1,5,5,1,4096\n"
        "\"aten::add, x\",3,4,2,2,1,512\n", encoding="utf-8")
    (folder / "profile.raw").write_text(
        "main (a.py:1);train (a.py:9);forward (m.py:3) 120\nmain (a.py:1);train (a.py:9) 17\n"
        "main (a.py:1);train (a.py:9);backward (m.py:8) 60\nmain (a.py:1);load (d.py:2) 3\n"
        "main (a.py:1);train (a.py:9);forward (m.py:3);mm (t.py:5) 80\n", encoding="utf-8")
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
            for chart in yes if ALL else sorted(set(yes) - drawn):
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
                    ["stage-bar", "stage-range", "top-cpu-ops", "top-device-ops", "top-memory-ops",
                     "flame", "flame-sampled"])
        check_files(folder, "history", history(folder), ["history"])
        check_pauses(folder)
        check_files_of_runs(folder)
        check_first(folder)
        check_many(folder)
        check_extremes(folder)
        check_hostile(folder)
        hostile.check_all(folder / "names")
        everywhere.check_everywhere(folder / "everywhere")
        check_without_gnuplot(folder)
    all_of_them = run([TRACEQ, "completion", "bash"]).stdout.decode()
    for chart in drawn:
        expect("completion", chart in all_of_them, chart)
    for line in failures[:60]:
        print("FAIL", " ".join(line.split())[:300])
    print(f"{sum(checked.values()) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
