"""Every chart there is, of inputs with hostile texts wherever an input can have one."""
import concurrent.futures
import json
import os
import re
import subprocess
import xml.etree.ElementTree

from charting.box import expect, FIXTURES, run, texts_of, TRACEQ
from charting.hostile import (
    CANARY, COMMAND, draw, FILES, GIVEN, log, names_of, redraw, stages, written)

# What says what an event is: without it there is none to draw.
KEPT = ("ph", "cat", "bp", "s", "id")
KEPT_NAMES = re.compile(
    r"ProfilerStep#|Memcpy |\[memory\]|(process|thread)_(name|labels|sort_index)$")


class Texts:
    """Hostile texts in turn, one for each that is replaced; none of them has been before."""

    def __init__(self, seed):
        self.names = names_of(seed, 40)
        self.by_word = {}

    def of(self, word):
        n = len(self.by_word)
        text = f"{self.names[n % len(self.names)]} {n}"
        if word.startswith("nccl"):
            text = f"ncclDevKernel_AllReduce_{text}"
        return self.by_word.setdefault(word, text)

    def inside(self, value):
        if isinstance(value, str):
            return self.of(value)
        if isinstance(value, list):
            return [self.inside(v) for v in value]
        if isinstance(value, dict):
            return {k: self.inside(v) for k, v in value.items()}
        return value


def put_texts(trace, seed, has_ops=False):
    """Names of events, processes and threads, GPUs, collectives, groups, types, of modules; and all
    other texts beside the events.  has_ops: what ops are stays, so that it is known what they cost."""
    texts = Texts(seed)
    for event in trace["traceEvents"]:
        if has_ops and event.get("cat") == "cpu_op":
            continue
        for key, value in event.items():
            if key not in KEPT and not (key == "name" and KEPT_NAMES.match(value)):
                event[key] = texts.inside(value)
    first = trace["traceEvents"][0]
    trace["traceEvents"] += [
        {"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": GIVEN[2]}},
        {"ph": "X", "cat": "python_function", "name": f"nn.Module: {GIVEN[1]}_0",
         "pid": first["pid"], "tid": first["tid"], "ts": first["ts"] + 1, "dur": 50,
         "args": {"Python id": 1, "Python module id": 0}}]
    for key in set(trace) - {"traceEvents", "displayTimeUnit"}:
        trace[key] = texts.inside(trace[key])


def trace(path, seed, *argv, has_ops=False):
    done = subprocess.run([FIXTURES, *argv], stdout=subprocess.PIPE, check=True)
    made = json.loads(done.stdout)
    put_texts(made, seed, has_ops)
    path.write_text(json.dumps(made))
    return path


def ranks(folder):
    """Two ranks of one job; to compare, too."""
    return [trace(folder / f"{FILES[r]}.json", 20, "multi-rank", "--rank", str(r), "--world", "2",
                  "--steps", "2", "--ep", "2") for r in range(2)]


def steps(folder):
    return [trace(folder / f"{FILES[3]}.json", 25, "cpu-only", "--steps", "5")]


def allocations(folder):
    return [trace(folder / f"{FILES[1]}.json", 26, "healthy", "--steps", "2", "--memory")]


def shapes(folder):
    return [trace(folder / f"{FILES[k]}.json", 27 + k, "healthy", "--steps", "1", has_ops=True)
            for k in (0, 4)]


def sheet(path, rows):
    path.write_text("".join(",".join('"%s"' % str(c).replace('"', '""') for c in row) + "\n"
                            for row in rows), encoding="utf-8")
    return path


def files(folder):
    """Files of a run: logs, samples, sweeps, scores, stages, ops; their columns, keys, values."""
    of, names = Texts(21).of, [n for n in names_of(22, 60) if n.isprintable()]
    sheet(folder / f"{FILES[2]}.csv", [
        ["timestamp", "name", "uuid", "utilization.gpu [%]", "memory.used [MiB]", *names[:3]],
        *[[f"2025/11/30 12:00:{i:02d}.000", of(f"gpu {i % 3}"), of(f"uuid {i % 3}"),
           f"{9 * i} %", f"{3000 + i} MiB", *names[3:6]] for i in range(9)]])
    sheet(folder / f"{FILES[3]}.csv", [
        [f"{m}_{s}" for m in ("latency_total", "throughput_samples_per_sec", "peak_gpu_mem")
         for s in ("mean", "std", "min", "max", "median")] + ["batch_size", *names[:2]],
        *[[k + n for k in range(15)] + [n, *names[2:4]] for n in (1, 8, 32)]])
    log(folder / f"{FILES[1]}.jsonl", names[:6])
    with open(folder / f"{FILES[0]}.jsonl", "w", encoding="utf-8") as f:
        for i in range(40):
            f.write(json.dumps({
                "step": i, "phase": names[i // 20], "allocated_gb": 1 + i / 900,
                names[8] + "\u65e5\0": i, names[9]: names[i % 5], names[10]: [1, i]}) + "\n")
    (folder / f"{FILES[4]}.json").write_text(written({
        "experiment_name": names[0], "timestamp": names[1], "total_runtime_sec": 1.5,
        "metric_summaries": {names[2]: {"mean": 1}}, "raw_metrics": {names[3]: [1.0, 0.5]},
        "score_distribution": {"total": 5, "valid_count": 4, "invalid_count": 1, names[4]: names[5],
                               "score_counts": {"0.0": 1, "1.0": 2, names[6]: 1},
                               "score_percentages": {"0.0": 25.0}, "mean_score": 0.6}}))
    (folder / f"{FILES[5]}.json").write_text(written({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "profiles": [{"type": "sampled", "name": names[0], "unit": "none",
                      "samples": [[0, k] for k in range(1, 9)], "weights": [1] * 8}],
        "shared": {"frames": [{"name": n, "file": n, "line": 1} for n in names[:9]]}}))
    stages(folder / "of stages", names[:9])
    return [folder]


def memory(folder):
    path = folder / f"{FILES[6]}.json"
    path.write_bytes(run([FIXTURES, "artifact", "memory-timeline-raw"]).stdout)
    return [path]


def store(folder):
    """A store of baselines, whose labels, commits, metrics and facts are hostile."""
    path = folder / f"{FILES[2]}.jsonl"
    names = names_of(23, 30)
    path.write_text("".join(written({
        "schema": "traceq.baseline/1", "label": names[i], "commit": names[i + 8], "time": 1e9 + i,
        "env": {names[20]: names[21]}, "accepted": names[i + 4], "metrics": {
            name: {"value": 5 + i, "sd": 0.1, "count": 9, "unit": names[5], "kind": names[6],
                   "better": "lower"}
            for name in ("step_time_ms", *names[:3])}}) + "\n" for i in range(12)))
    return [path]


def runs(folder):
    """A table of runs, with dates that are none."""
    return [sheet(folder / f"{FILES[5]}.csv", [
        ["date", "commit", "step_time_ms", *GIVEN[:4]],
        *[[name, name, 60 + i, *"1234"] for i, name in enumerate(names_of(24, 12))]])]


def listed(paths):
    """The charts that inputs allow, and all that are named."""
    done = run([TRACEQ, "plot", "--list", "-q", *map(str, paths)])
    expect("everywhere list", done.returncode == 0 and not done.stderr, done.stderr.decode())
    words = [line.split()[:2] for line in done.stdout.decode().splitlines()]
    return [w[1] for w in words if w[0] == "yes"], [w[1] for w in words]


def check_svg(what, picture):
    """No markup but gnuplot's, a script that runs by hand, and no text among its commands."""
    root = xml.etree.ElementTree.fromstring(picture.read_bytes())
    tags = {e.tag.split("}")[1] for e in root.iter()}
    expect(what + " markup", "script" not in tags, picture.name)
    redraw(what + " script", picture)
    _, commands = texts_of(picture.with_suffix(".gp").read_text(encoding="utf-8"))
    expect(what + " script", not re.search("[@`]|touch|system|canary", commands), picture.name)


KINDS = ("svg", "png", "pdf")


def check_one(job):
    turn, (chart, paths, place, work) = job
    for kind in KINDS if os.environ.get("CHECK_ALL") else ("svg", KINDS[1 + turn % 2]):
        picture = place / f"{chart}.{kind}"
        texts = draw("everywhere", chart, paths, picture, work)
        if texts:  # it is XML
            check_svg("everywhere", picture)
        expect("everywhere", texts or kind != "svg", f"{chart}: no text")


def check_everywhere(folder):
    """Each chart of the first input that allows it; some of later ones, too, with other texts.
    A store is listed as the log it is, but drawn as a history."""
    folder.mkdir()
    work = folder / "work"
    work.mkdir()
    drawn, jobs, names = set(), [], []
    for make, always in ((ranks, ()), (allocations, ()), (steps, ("stage-range",)),
                         (shapes, ()),
                         (files, ("stage-bar", "top-cpu-ops")), (memory, ()),
                         (store, ("history",)), (runs, ("history",))):
        place = folder / f"{make.__name__} `{COMMAND}` @x $({COMMAND})"
        place.mkdir()
        paths = make(place)
        yes, names = listed(paths)
        jobs += [(chart, paths, place, work) for chart in (set(yes) - drawn) | set(always)]
        drawn.update(yes)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(check_one, enumerate(jobs)))
    words = run([TRACEQ, "completion", "bash"]).stdout.decode()
    known = set(re.search(r"words='(step-time [^']*)'", words)[1].split())
    expect("everywhere", known <= set(names), f"not listed: {known - set(names)}")
    # All of its texts are numbers of ranks, and a collective with another name is no all_to_all.
    # What work needs of the work before it is said in our words, where an execution trace lies beside.
    hostile = known - {"a2a-heatmap", "critical-data"}
    expect("everywhere", not hostile - drawn, f"drawn of no hostile input: {hostile - drawn}")
    for chart in set(names) - known:  # those that are named only to say why they are not drawn
        done = run([TRACEQ, "plot", chart, str(paths[0]), "-o", "x.svg"], cwd=work)
        expect("everywhere", done.returncode == 2, chart)
    found = [str(p) for p in folder.rglob(CANARY)]
    expect("everywhere command", not found and not os.path.exists(CANARY), found)
