#!/usr/bin/env python3
"""Compares traceq's JSON with the exact answers of generated traces, which the generator's model adds
up while writing: every scenario, in several layouts and containers, one and two threads."""
import collections
import concurrent.futures
import json
import os
import subprocess
import sys

from judging import answers as said

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SCENARIOS = ["healthy", "dataloader-bound", "copy-bound", "launch-bound", "comm-bound", "expert-dispatch", "leak",
             "cpu-only", "gpu-only", "multi-rank", "graphs", "graph-serving", "rocm", "xpu", "mtia", "tiny",
             "python-stacks", "inference", "multi-stream", "multi-gpu", "serving-full-queue",
             "gpu-only-idle", "runs-ahead", "one-gap", "gloo-cpu", "second-idle", "mixed"]
STEPS = 2
# Layouts without categories or with other kinds are compared by fewer figures, below.
LAYOUTS = [["kineto"], ["kineto2026", "--gzip", "--members", "3"], ["compact", "--utf16le"],
           ["line", "--zlib"], ["array"], ["ndjson"], ["kineto2024", "--meta-after"]]

checked = collections.Counter()
failures = []


def expect(what, got, want):
    checked[what[0]] += 1
    if got != want:
        failures.append(f"{' '.join(what)}: traceq {got!r}, generator {want!r}")


def traceq(command, path, *more):
    done = subprocess.run([TRACEQ, command, path, "--json", "-q", *more], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):
        failures.append(f"traceq {command} {path}: exit {done.returncode}: {done.stderr.decode()}")
        return None
    return {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]}


def kind_of(cat):
    return "runtime" if cat.endswith(("_runtime", "_driver")) else cat


def compare_ops(what, answers, top):
    ops = {(r["name"], r["kind"]): r for r in top.get("ops", [])}
    for want in answers["ops"]:
        row = ops.get((want["name"], kind_of(want["cat"])), {})
        about = what + [want["name"]]
        for column, key in (("calls", "calls"), ("cpu_total_ns", "total_cpu_ns"),
                            ("self_cpu_ns", "self_cpu_ns"), ("calls_dedup", "calls_dedup"),
                            ("cpu_total_dedup_ns", "total_dedup_ns"),
                            ("self_cpu_dedup_ns", "self_dedup_ns")):
            expect(about + [column], row.get(column), want[key])
        if kind_of(want["cat"]) != "runtime":
            expect(about + ["self_cpu_ops_ns"], row.get("self_cpu_ops_ns"), want["self_ops_ns"])
            expect(about + ["self_device_ns"], row.get("self_device_ns") or 0,
                   want["device_self_ns"])
    totals = top["totals"][0]
    expect(what + ["cpu_total"], totals["cpu_total_ns"] or 0, answers["cpu_total_ns"])
    expect(what + ["cpu_total_ops"], totals["cpu_total_ops_ns"] or 0, answers["cpu_total_ops_ns"])


def compare_device(what, answers, top):
    rows = top.get("device", [])
    kernels = {r["name"]: r for r in rows if r["kind"] == "kernel"}
    expect(what + ["kernel_names"], len(kernels), answers["kernel_names"])
    expect(what + ["kernel_calls"], sum(r["calls"] for r in kernels.values()),
           answers["kernel_calls"])
    for want in answers["kernels"]:
        row = kernels.get(want["name"], {})
        expect(what + [want["name"], "calls"], row.get("calls"), want["calls"])
        expect(what + [want["name"], "sum"], row.get("device_sum_ns"), want["total_ns"])
    for kind in ("memset", "memcpy"):
        mine = [r for r in rows if r["kind"] == kind]
        said = [answers["memset"]] if kind == "memset" else list(answers["memcpy"].values())
        expect(what + [kind, "count"], sum(r["calls"] for r in mine),
               sum(w["count"] for w in said))
        expect(what + [kind, "time"], sum(r["device_sum_ns"] for r in mine),
               sum(w["total_ns"] for w in said))
        expect(what + [kind, "bytes"], sum(r["bytes"] or 0 for r in mine),
               sum(w["bytes"] for w in said))
    devices = {str(r["device"]): r for r in top.get("devices", [])}
    expect(what + ["devices"], sorted(devices), sorted(answers["devices"]))
    for device, want in answers["devices"].items():
        for key in ("busy_ns", "span_ns", "idle_ns", "sum_ns", "activities"):
            expect(what + ["device", device, key], devices.get(device, {}).get(key), want[key])


def compare_info(what, answers, info):
    by_cat, by_ph = collections.Counter(), collections.Counter()
    for r in info["categories"]:
        if r["cat"] is not None:
            by_cat[r["cat"]] += r["events"]
        by_ph[r["ph"]] += r["events"]
    expect(what + ["by_cat"], dict(by_cat), answers["events_by_cat"])
    expect(what + ["by_ph"], dict(by_ph), answers["events_by_ph"])
    trace = info["trace"][0]
    expect(what + ["events"], trace["events"], answers["events"])
    expect(what + ["first_ns"], trace["first_ns"], answers["first_ns"])
    steps = {r["name"]: r for r in info.get("steps", [])}
    spans = said.spans(answers, said.runs_ahead(answers["scenario"], STEPS))
    for want, (start, end) in zip(answers["step_rows"], spans):
        if want["name"].startswith("ProfilerStep#"):
            row = steps.get(want["name"], {})
            expect(what + [want["name"], "start"], row.get("start_ns"), start)
            expect(what + [want["name"], "wall"], row.get("dur_ns"), end - start)


def compare_check(what, answers, check):
    row = check["launch"][0] if check.get("launch") else {}
    want = answers["launch"]
    for column, key in (("device_events", "device_activities"), ("matched", "matched"),
                        ("unlinked", "unmatched"), ("unlinked_ns", "unmatched_ns"),
                        ("graph", "by_graph")):
        expect(what + ["launch", key], row.get(column) or 0, want[key])
    delays = {(r["of"], r["delay"]): r for r in check.get("delays", [])}
    for of in ("kernel", "memcpy"):
        if of not in want:
            continue
        start, end = delays.get((of, "start"), {}), delays.get((of, "end"), {})
        expect(what + [of, "delay_start"],
               [start.get(k) for k in ("count", "sum_ns", "min_ns", "max_ns")],
               [want[of][k] for k in ("count", "delay_start_sum_ns", "delay_start_min_ns",
                                      "delay_start_max_ns")])
        expect(what + [of, "delay_end"], [end.get("sum_ns"), end.get("negative")],
               [want[of]["delay_end_sum_ns"], want[of]["delay_end_negative"]])


def compare(number, scenario, layout):
    path = f"{os.environ.get('TMPDIR', '/tmp')}/traceq-scenario-{os.getpid()}-{number}"
    argv = [FIXTURES, scenario, "--steps", str(STEPS), "--layout", *layout]
    try:
        with open(path, "wb") as out:
            subprocess.run(argv, stdout=out, check=True)
        answers = json.loads(subprocess.run(argv[:1] + ["--answers"] + argv[1:], check=True,
                                            stdout=subprocess.PIPE).stdout)
        threads = ["-j", str(1 + number % 2)]
        what = [scenario, *layout]
        top = traceq("top", path, "-n", "0", *threads)
        info, check = traceq("info", path, *threads), traceq("check", path, *threads)
        if top and info and check:
            compare_ops(what, answers, top)
            compare_device(what, answers, top)
            compare_info(what, answers, info)
            compare_check(what, answers, check)
    finally:
        os.unlink(path)


def main():
    jobs = [(s, layout) for s in SCENARIOS for layout in LAYOUTS]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(compare, i, *job) for i, job in enumerate(jobs)]:
            done.result()
    for line in failures[:100]:
        print("FAIL", line)
    print(f"{sum(checked.values()) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
