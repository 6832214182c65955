#!/usr/bin/env python3
"""`steps` and `summary` on generated scenarios against the generator's own answers, exactly.

The generator ($FIXTURES) adds its answers up while it makes the events, never by reading them.  It does so
by the steps' marks on the CPU; where the CPU runs ahead and steps are cut on the device, where they begin is
its first work of each, and the union of device work in them is worked out from the events.
"""
import json
import os
import subprocess
import sys
import tempfile

from judging import ledger
from judging.answers import spans

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ.get("FIXTURES", "")
# What the steps' time goes into, for scenarios that are made for it.
BOUND = {"healthy": "compute", "dataloader-bound": "I/O", "copy-bound": "I/O",
         "comm-bound": "I/O", "launch-bound": "CPU", "graphs": "compute", "gpu-only": "compute",
         "cpu-only": None}
SCENARIOS = ["expert-dispatch", "leak", "multi-rank", "rocm", "xpu", "tiny", "python-stacks", "inference",
             "multi-stream", "multi-gpu", "serving-full-queue", "runs-ahead", "one-gap", "gloo-cpu",
             "second-idle", "mixed"]
LAYOUTS = ["kineto", "kineto2021", "compact"]
UNIONS = (("compute_ns", "compute_ns"), ("exposed_comm_ns", "exposed_comm_ns"),
          ("exposed_memcpy_ns", "exposed_memcpy_ns"), ("busy_ns", "busy_ns"),
          ("idle_ns", "idle_ns"), ("comm_union_ns", "comm_ns"), ("memcpy_union_ns", "memcpy_ns"),
          ("compute_kernel_union_ns", "kernel_ns"))

passed = 0
failures = []


def expect(what, got, want):
    global passed
    if got == want:
        passed += 1
    else:
        failures.append(f"{what}: traceq {got!r}, answer {want!r}")


def traceq(command, path):
    done = subprocess.run([TRACEQ, command, path, "--json", "-q"], stdout=subprocess.PIPE,
                          check=False)
    if done.returncode != 0:
        failures.append(f"{path}: {command}: exit {done.returncode}")
        return None
    return {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]}


def generate(*options):
    return subprocess.run([FIXTURES, *options], stdout=subprocess.PIPE, check=True).stdout


def check_devices(what, answers, summary):
    rows = {str(r["device"]): r for r in summary["run_devices"]}
    expect(f"{what} devices", sorted(rows), sorted(answers["devices"]))
    for device, want in answers["devices"].items():
        row = rows.get(device, {})
        for column, key in UNIONS + (("sum_ns", "sum_ns"), ("span_ns", "span_ns"),
                                     ("first_ns", "first_ns"), ("last_ns", "last_ns"),
                                     ("device_events", "activities")):
            expect(f"{what} device {device} {column}", row.get(column), want[key])
        expect(f"{what} device {device} adds up", row.get("span_ns"),
               sum(row.get(k, 0) for k in ("compute_ns", "exposed_comm_ns", "exposed_memcpy_ns",
                                           "idle_ns")))


def check_parts(here, row, run, device, start, end):
    """The parts of a step that is cut on the device, from the events."""
    def inside(spans):
        return ledger.length(ledger.within(spans, [[start, end]]))

    work = run.work_of(device)
    compute = ledger.of([w for w in work if w.computes()])
    comm = ledger.of([w for w in work if w.communicates()])
    copies = ledger.of([w for w in work if w.cat in ledger.COPY])
    busy = inside(ledger.of(work))
    parts = inside(compute), inside(ledger.minus(comm, compute))
    for column, want in (("compute_ns", parts[0]), ("exposed_comm_ns", parts[1]),
                         ("exposed_memcpy_ns", busy - sum(parts)), ("busy_ns", busy),
                         ("idle_ns", end - start - busy - row.get("unrecorded_ns", 0)),
                         ("comm_union_ns", inside(comm)), ("memcpy_union_ns", inside(copies))):
        expect(f"{here} {column}", row.get(column), want)


def check_steps(what, answers, steps, run):
    rows = {(r["name"], str(r["device"])): r for r in steps["steps"]}
    is_cut = run.steps.on_device
    for want, (start, end) in zip(answers["step_rows"], spans(answers, is_cut)):
        for device, figures in want["devices"].items():
            row = rows.get((want["name"], device), {})
            here = f"{what} {want['name']} device {device}"
            expect(f"{here} start", row.get("start_ns"), start)
            expect(f"{here} wall", row.get("wall_ns"), end - start)
            expect(f"{here} on the CPU", row.get("host_ns"), want["wall_ns"])
            if is_cut:
                check_parts(here, row, run, device, start, end)
                continue
            for column, key in UNIONS:
                expect(f"{here} {column}", row.get(column), figures[key])
        if not want["devices"]:
            row = rows.get((want["name"], "None"), {})
            expect(f"{what} {want['name']} wall", row.get("wall_ns"), want["wall_ns"])
    for row in steps["step_roles"]:
        parts = sum(v or 0 for k, v in row.items() if k.endswith("_ns") and k != "wall_ns")
        expect(f"{what} roles of step {row['step']} add up", parts, row["wall_ns"])


def check_overview(what, answers, summary):
    over = summary["overview"][0]
    expect(f"{what} steps", over["steps"] or 0, answers["steps"] or over["steps"] or 0)
    if answers.get("cpu_total_ns") is not None:
        expect(f"{what} CPU total", over["cpu_total_ns"] or 0, answers["cpu_total_ns"])
    if answers["devices"]:
        expect(f"{what} device sum", over["device_sum_ns"],
               sum(d["sum_ns"] for d in answers["devices"].values()))
        for r in summary["ratios"]:
            if r["figure"] == "copies, by class":
                expect(f"{what} copies", r["part_ns"],
                       sum(c["total_ns"] for c in answers["memcpy"].values()))
    peaks = [r["peak_allocated_bytes"] for r in summary.get("memory", []) if r["device_type"] != 0]
    if answers["memory"]["events"]:
        expect(f"{what} memory", max(peaks), answers["memory"]["peak_bytes"])


def check(scenario, layout, path):
    what = f"{scenario} {layout}"
    answers = json.loads(generate("--answers", scenario, "--layout", layout))
    with open(path, "wb") as f:
        f.write(generate(scenario, "--layout", layout))
    summary, steps = traceq("summary", path), traceq("steps", path)
    if not summary or not steps:
        return
    check_devices(what, answers, summary)
    check_steps(what, answers, steps, ledger.Run(path))
    check_overview(what, answers, summary)
    if scenario in BOUND:
        expect(f"{what} primary bottleneck", summary["overview"][0]["primary_bound"],
               BOUND[scenario])


def main():
    if not os.access(FIXTURES, os.X_OK):
        print("SKIP scenarios: no generator (FIXTURES)")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        for scenario in list(BOUND) + SCENARIOS:
            check(scenario, "kineto", os.path.join(folder, "trace.json"))
        for layout in LAYOUTS[1:]:
            check("comm-bound", layout, os.path.join(folder, "trace.json"))
    for line in failures[:60]:
        print("FAIL", line)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
