#!/usr/bin/env python3
"""Compares traceq's JSON with an independent reference's figures for real traces, exactly.

The traces and figures lie in $SHARED/traces and $SHARED/golden; where they are absent the test says
that it was skipped.  Every figure is integer nanoseconds on both sides.  The reference writes
absolute times as doubles of microseconds, so those alone may differ by the double's step.
"""
import collections
import decimal
import glob
import json
import os
import subprocess
import sys

from judging import ledger

TRACEQ = os.environ["TRACEQ"]
SHARED = os.environ.get("SHARED", "../shared")
DOUBLE_STEP_NS = 256  # of absolute epoch microseconds held in a double
ABSOLUTE_NS = 1 << 52

checked = collections.Counter()
failures = []


def expect(trace, what, got, want):
    checked[trace] += 1
    if got != want:
        failures.append(f"{trace}: {what}: traceq {got!r}, reference {want!r}")


def ns(us):
    """Microseconds as the reference writes them (read as Decimal) to integer ns; None stays."""
    if us is None:
        return None
    return int((decimal.Decimal(us) * 1000).to_integral_value())


def expect_ns(trace, what, got, us):
    want = ns(us)
    if want is not None and got is not None and abs(want) > ABSOLUTE_NS:
        checked[trace] += 1
        if abs(got - want) > DOUBLE_STEP_NS:
            failures.append(f"{trace}: {what}: traceq {got}, reference {want}")
        return
    expect(trace, what, got, want)


def expect_mean(trace, what, got, us):
    """Means: the reference rounds to 6 decimals of a microsecond."""
    checked[trace] += 1
    if (got is None) != (us is None) or (
            us is not None and abs(float(got) - float(us) * 1000) > 0.001 + abs(float(got)) * 1e-9):
        failures.append(f"{trace}: {what}: traceq {got!r}, reference {us!r} us")


def traceq(command, path, *more):
    done = subprocess.run([TRACEQ, command, path, "--json", "-q", *more], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):
        failures.append(f"{path}: traceq {command}: exit {done.returncode}: {done.stderr.decode()}")
        return {}
    tables = {}
    for table in json.loads(done.stdout, parse_float=decimal.Decimal)["tables"]:
        tables[table["id"]] = table["rows"]
    return tables


def rows_by(rows, *keys):
    return {tuple(r[k] for k in keys): r for r in rows}


def check_counts(name, gold, info):
    by_cat, by_ph, both = (collections.Counter() for _ in range(3))
    for r in info["categories"]:
        cat, ph = r["cat"] if r["cat"] is not None else "None", r["ph"]
        by_cat[cat] += r["events"]
        by_ph[ph] += r["events"]
        both[f"{cat}/{ph}"] += r["events"]
    trace = info["trace"][0]
    expect(name, "events_total", trace["events"], gold["events_total"])
    expect(name, "events_by_cat", dict(by_cat), gold["events_by_cat"])
    expect(name, "events_by_ph", dict(by_ph), gold["events_by_ph"])
    expect(name, "events_by_cat_ph", dict(both), gold["events_by_cat_ph"])
    expect(name, "bytes_json", trace["text_bytes"], gold["bytes_json"])
    expect(name, "bytes_file", trace["file_bytes"], gold["bytes_file"])
    span = gold["span"]
    expect_ns(name, "span.first", trace["first_ns"], span["first_ts_us"])
    expect_ns(name, "span.last", trace["last_ns"], span["last_end_us"])
    expect_ns(name, "span", trace["span_ns"], span["span_us"])


def check_meta(name, gold, info):
    meta = gold["meta"]
    trace = info["trace"][0]
    said = {r["key"]: r["value"] for r in info.get("metadata", [])}
    for key in ("schemaVersion", "trace_id", "traceName", "displayTimeUnit", "host_name", "username",
                "cuda_runtime_version", "cuda_driver_version", "cupti_version",
                "hip_runtime_version", "hip_driver_version", "roctracer_version"):
        if key in meta and not isinstance(meta[key], (dict, list)):
            expect(name, f"meta.{key}", said.get(key), str(meta[key]))
    if "baseTimeNanoseconds" in meta:
        expect(name, "baseTimeNanoseconds", trace["base_ns"], meta["baseTimeNanoseconds"])
    distributed = meta.get("distributedInfo") or {}
    for key, column in (("rank", "rank"), ("world_size", "world_size"), ("backend", "backend")):
        if key in distributed:
            expect(name, f"distributedInfo.{key}", trace[column], distributed[key])
    listed = [(r["gpu"], r["name"] or "", r["sms"], r["memory_bytes"])
              for r in info["gpus"] if r["listed"]] if "gpus" in info else []
    first = [(g["id"], g["name"], g["numSms"], g["mem"]) for g in gold["gpus"]]
    expect(name, "gpus", listed[:len(first)], first)  # the reference keeps the first two


def check_op(name, what, row, want):
    if row is None:
        expect(name, what, None, want["name"])
        return
    expect(name, f"{what} calls", row["calls"], want["count"])
    expect(name, f"{what} calls_dedup", row["calls_dedup"], want["count_dedup"])
    for column, key in (("cpu_total_ns", "total_us"), ("self_cpu_ns", "self_rt_us"),
                        ("self_cpu_ops_ns", "self_us"), ("self_cpu_dedup_ns", "self_rt_dedup_us"),
                        ("cpu_total_dedup_ns", "total_dedup_us"), ("min_ns", "min_us"),
                        ("max_ns", "max_us"), ("self_device_ns", "device_self_us")):
        got = row[column]
        if column == "self_device_ns" and got is None:
            got = 0  # a trace without device work: the reference says 0
        expect_ns(name, f"{what} {column}", got, want[key])
    expect_mean(name, f"{what} mean", row["mean_ns"], want["mean_us"])


def check_ops(name, gold, top):
    ops = rows_by(top.get("ops", []), "name", "kind")
    for key in ("top_by_self", "top_by_self_rt", "top_by_total", "top_by_count",
                "top_by_device_self"):
        for want in gold["cpu_ops"][key]:
            if not want["name"].startswith("ProfilerStep#"):
                check_op(name, f"op {want['name']}", ops.get((want["name"], want["cat"])), want)
    for want in gold["user_annotations"]:
        if not want["name"].startswith("ProfilerStep#"):
            check_op(name, f"annotation {want['name']}",
                     ops.get((want["name"], want["cat"])), want)
    calls = sum(r["calls"] for r in top.get("ops", []))
    dedup = sum(r["calls_dedup"] for r in top.get("ops", []))
    expect(name, "dedup_removed", calls - dedup, gold["cpu_ops"]["dedup_removed"])
    runtime = [r for r in top.get("ops", []) if r["kind"] == "runtime"]
    expect(name, "runtime.count", sum(r["calls"] for r in runtime), gold["runtime"]["count"])
    expect_ns(name, "runtime.total", sum(r["cpu_total_ns"] for r in runtime),
              gold["runtime"]["total_us"])
    for want in gold["runtime"]["top"]:
        row = ops.get((want["name"], "runtime"), {})
        expect(name, f"runtime {want['name']} calls", row.get("calls"), want["count"])
        expect_ns(name, f"runtime {want['name']}", row.get("cpu_total_ns"), want["total_us"])


def check_device(name, gold, top):
    rows = top.get("device", [])
    kernels = [r for r in rows if r["kind"] == "kernel"]
    expect(name, "kernels.count", sum(r["calls"] for r in kernels), gold["kernels"]["count"])
    expect(name, "kernels.distinct", len(kernels), gold["kernels"]["distinct"])
    expect_ns(name, "kernels.total", sum(r["device_sum_ns"] for r in kernels),
              gold["kernels"]["total_us"])
    by_name = rows_by(kernels, "name")
    for want in gold["kernels"]["top"]:
        row = by_name.get((want["name"],), {})
        what = f"kernel {want['name']}"
        expect(name, f"{what} calls", row.get("calls"), want["count"])
        for column, key in (("device_sum_ns", "total_us"), ("min_ns", "min_us"),
                            ("max_ns", "max_us")):
            expect_ns(name, f"{what} {column}", row.get(column), want[key])
        expect_mean(name, f"{what} mean", row.get("mean_ns"), want["mean_us"])
    copies = rows_by([r for r in rows if r["kind"] == "memcpy"], "name")
    for copy, want in (gold["memcpy"].get("by_name") or {}).items():
        row = copies.get((copy,), {})
        expect(name, f"{copy} count", row.get("calls"), want["count"])
        expect_ns(name, f"{copy} time", row.get("device_sum_ns"), want["total_us"])
        # Bytes that no event says are unknown here and 0 there.
        expect(name, f"{copy} bytes", row.get("bytes") or 0, want["bytes"])
    sets = [r for r in rows if r["kind"] == "memset"]
    expect(name, "memset.count", sum(r["calls"] for r in sets), gold["memset"]["count"])
    expect_ns(name, "memset.total", sum(r["device_sum_ns"] for r in sets),
              gold["memset"]["total_us"])
    expect(name, "memset.bytes", sum(r["bytes"] or 0 for r in sets), gold["memset"]["bytes"])
    devices = rows_by(top.get("devices", []), "device")
    expect(name, "devices", sorted(d[0] for d in devices), sorted(int(d) for d in gold["devices"]))
    for device, want in gold["devices"].items():
        row = devices.get((int(device),), {})
        expect(name, f"device {device} activities", row.get("activities"), want["activities"])
        for column, key in (("busy_ns", "busy_us"), ("span_ns", "span_us"),
                            ("idle_ns", "idle_us"), ("sum_ns", "sum_us")):
            expect_ns(name, f"device {device} {key}", row.get(column), want[key])
        expect(name, f"device {device} streams", row.get("streams"), len(want["streams"]))


def check_streams(name, gold, top):
    got = {(r["device"], r["stream"]): r for r in top.get("device", [])}
    for device, want in gold["devices"].items():
        for stream, figures in want["streams"].items():
            row = got.get((int(device), int(stream)), {})
            expect(name, f"stream {device}/{stream} count", row.get("calls"), figures["count"])
            expect_ns(name, f"stream {device}/{stream}", row.get("device_sum_ns"),
                      figures["sum_us"])


def check_totals(name, gold, top):
    totals, want = top["totals"][0], gold["totals"]
    has_device = bool(gold["devices"])
    expect_ns(name, "cpu_total", totals["cpu_total_ns"] or 0, want["cpu_total_us"])
    expect_ns(name, "cpu_total_ops", totals["cpu_total_ops_ns"] or 0, want["cpu_total_ops_us"])
    if has_device:
        expect_ns(name, "cuda_total", totals["device_sum_ns"], want["cuda_total_us"])
        expect_ns(name, "kernel_total", totals["kernel_ns"], want["kernel_us"])


def check_steps(name, gold, info, path):
    """By the marks on the CPU; where it runs ahead the reference has no steps, and our ledger has."""
    if len(gold["profiler_steps"]) > 1:
        steps = ledger.Run(path).steps
        if steps.on_device:
            expect(name, "steps on the device", [(r["start_ns"], r["start_ns"] + r["dur_ns"]) for r in info["steps"]],
                   steps.spans)
            return
    got = collections.defaultdict(dict)
    place = {}
    for r in info.get("steps", []):
        if r["device"] is not None:
            got[r["name"]][str(r["device"])] = r["busy_ns"]
        place[r["name"]] = r
    for want in gold["profiler_steps"]:
        row = place.get(want["name"], {})
        what = f"step {want['name']}"
        expect_ns(name, f"{what} start", row.get("start_ns"), want["ts_us"])
        expect_ns(name, f"{what} dur", row.get("dur_ns"), want["dur_us"])
        expect(name, f"{what} thread", (row.get("pid"), row.get("tid")),
               (str(want["pid"]), str(want["tid"])))
        for device, busy in want["gpu_busy_in_step_us"].items():
            expect_ns(name, f"{what} busy {device}", got[want["name"]].get(device), busy)


def check_memory(name, gold, info):
    got = rows_by(info.get("memory", []), "device_type", "device")
    for key, want in (gold.get("memory") or {}).items():
        kind, device = key[4:].split(":")
        row = got.get((int(kind), int(device)), {})
        for column, field in (("events", "events"), ("alloc_bytes", "alloc_bytes"),
                              ("free_bytes", "free_bytes"),
                              ("peak_allocated_bytes", "peak_allocated"),
                              ("peak_reserved_bytes", "peak_reserved")):
            expect(name, f"memory {key} {field}", row.get(column), want[field])


def check_health(name, gold, check):
    health = {r["check"]: r["count"] for r in check["health"]}
    odd = gold["oddities"]
    expect(name, "partial_overlaps", health.get("partial_overlap"),
           gold["cpu_ops"]["partial_overlaps_in_tree"])
    for got, key in (("no_category", "events_without_cat"),
                     ("zero_duration_device", "zero_dur_gpu"),
                     ("no_correlation", "gpu_without_correlation")):
        expect(name, f"oddities.{key}", health.get(got), odd[key])


def check_launch(name, gold, check):
    want = gold["launch"]
    row = check["launch"][0] if check.get("launch") else {}
    for column, key in (("device_events", "device_activities"), ("matched", "matched"),
                        ("unlinked", "unmatched"),
                        ("duplicate_correlations", "duplicate_runtime_correlations"),
                        ("launches", "distinct_launch_correlations"),
                        ("outside_ops", "launched_outside_any_op"),
                        ("no_external_op", "no_op_by_external_id")):
        expect(name, f"launch.{key}", row.get(column), want[key])
    expect_ns(name, "launch.unmatched", row.get("unlinked_ns"), want["unmatched_us"])
    expect_ns(name, "launch.outside", row.get("outside_ops_ns"), want["launched_outside_any_op_us"])
    launchers = {r["name"]: r["device_events"] for r in check.get("launchers", [])}
    expect(name, "launch.by_launcher", launchers, want["by_launcher"])
    delays = rows_by(check.get("delays", []), "of", "delay")
    for of in ("kernel", "memcpy", "memset", "all"):
        for delay in ("start", "end", "end_clip0"):
            stats = (want.get(of) or {}).get(f"delay_{delay}")
            row = delays.get((of, delay))
            what = f"launch {of} {delay}"
            if not stats:
                expect(name, what, (row or {}).get("count") or None, None)
                continue
            row = row or {}
            expect(name, f"{what} n", row.get("count"), stats["n"])
            expect(name, f"{what} negative", row.get("negative"), stats["negative"])
            for column, key in (("min_ns", "min_us"), ("max_ns", "max_us"), ("sum_ns", "sum_us")):
                expect_ns(name, f"{what} {key}", row.get(column), stats[key])
            expect_mean(name, f"{what} mean", row.get("mean_ns"), stats["mean_us"])
            expect_mean(name, f"{what} median", row.get("median_ns"), stats["median_us"])


def compare(figures):
    with open(figures, encoding="utf-8") as f:
        gold = json.load(f, parse_float=decimal.Decimal)
    name = gold["name"]
    path = os.path.join(SHARED, "traces", f"{gold['name']}.json.gz")
    info, top = traceq("info", path), traceq("top", path, "-n", "0")
    check = traceq("check", path)
    if not (info and top and check):
        return
    check_counts(name, gold, info)
    check_meta(name, gold, info)
    check_ops(name, gold, top)
    check_device(name, gold, top)
    check_streams(name, gold, traceq("top", path, "-n", "0", "--by", "stream"))
    check_totals(name, gold, top)
    check_steps(name, gold, info, path)
    check_memory(name, gold, info)
    check_health(name, gold, check)
    check_launch(name, gold, check)


def main():
    files = sorted(glob.glob(os.path.join(SHARED, "golden", "*.json")))
    if not files:
        print(f"SKIP golden: {SHARED}/golden is absent")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    for figures in files:
        compare(figures)
    for line in failures[:200]:
        print("FAIL", line)
    if len(failures) > 200:
        print(f"... {len(failures) - 200} more")
    print(f"{sum(checked.values()) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
