#!/usr/bin/env python3
"""Mistakes that other tools make with logs, tables and folders, by number (tests/peers.md).

A drawn file each, and what is right; a function's name begins with the number of the mistake.
"""
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
MIB = 1 << 20


class Folder:
    """Files by name; a text, or what JSON is made of."""

    def __init__(self):
        self.place = tempfile.TemporaryDirectory()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.place.cleanup()

    def path(self, name=""):
        return os.path.join(self.place.name, name)

    def write(self, name, what):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as out:
            out.write(what if isinstance(what, str) else json.dumps(what))
        return self.path(name)


def run(command, *argv):
    return subprocess.run([TRACEQ, command, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)


def answer(command, *argv):
    """table id -> rows, and the notes' ids."""
    done = run(command, "--json", *argv)
    if done.returncode == 2:
        raise AssertionError(f"{command}: {done.stderr}")
    parsed = json.loads(done.stdout)
    tables = {}
    for table in parsed["tables"]:
        tables.setdefault(table["id"], []).extend(table["rows"])
    tables["notes"] = [n["id"] for n in parsed["notes"]]
    return tables


def of_file(command, name, what):
    with Folder() as folder:
        return answer(command, folder.write(name, what))


def same(got, want):
    assert got == want, f"{got!r}, not {want!r}"


def defect_23_waiting_is_a_share_of_wait_and_step():
    log = "step,step_time_ms,dataloader_wait_ms\n"
    log += "".join(f"{i},100,150\n" for i in range(1, 11))
    found = {r["rule"]: r["text"] for r in of_file("metrics", "log.csv", log)["findings"]}
    assert "60.0%" in found["D13"] and "150.0%" in found["D13"], found
    canary = {"run_id": "r", "duration_seconds": 1, "env": {}, "config": {},
              "perf": {"step_time": {"mean": 0.1, "count": 9}, "dataloader_wait_pct": 150.0},
              "stability": {"nan_steps": 0, "loss_values": [1.0, 0.5]}}
    found = {r["rule"]: r["text"] for r in of_file("metrics", "m.json", canary)["findings"]}
    assert "60.0%" in found["D13"] and "150.0%" in found["D13"], found


def defect_32_commas_in_names_stay_in_names():
    ops = ("op_name,self_time_ms,total_time_ms,calls,cuda_time_ms,cuda_calls\n"
           "aten::add(Tensor, Scalar, int),1.5,2.5,3,0.5,2\naten::mm,1,2,4,4,5\n")
    a = of_file("top", "ops.csv", ops)
    rows = {r["name"]: r for r in a["recorded_ops"]}
    same(sorted(rows), ["aten::add(Tensor, Scalar, int)", "aten::mm"])
    added = rows["aten::add(Tensor, Scalar, int)"]
    same((added["self_cpu_ns"], added["cpu_total_ns"], added["calls"]), (1500000, 2500000, 3))
    assert "unquoted_commas" in a["notes"], a["notes"]


def gpu_profile(**more):
    return {"timestamp": "40_profile_gpu.py", "device": "0",
            "gpu_info": {"available": True, "device_count": 1, "devices": [
                {"index": 0, "name": "Tesla T4", "total_memory_gb": 14.75}]},
            "memory_profile": {"num_measurements": 0}, "model_estimates": {}, **more}


def defect_34_a_script_is_no_timestamp():
    a = of_file("info", "gpu_profile.json", gpu_profile())
    assert "timestamp_no_time" in a["notes"], a["notes"]
    same([r["value"] for r in a["scalars"] if r["key"] == "timestamp"], ["40_profile_gpu.py"])
    a = of_file("info", "gpu_profile.json", gpu_profile(timestamp="2025-11-30T12:00:00"))
    same("timestamp_no_time" in a["notes"], False)


def defect_35_all_invalid_is_a_rate_of_one():
    empty = {"total": 0, "invalid_count": 7, "invalid_rate": 0.0}
    rows = of_file("metrics", "score_distribution.json", empty)["scores"]
    same([(r["invalid"], r["invalid_ratio"]) for r in rows], [(7, 1)])


def defect_36_a_mock_is_called_so():
    def profile(*rows):
        return gpu_profile(throughput_benchmark={
            f"batch_{b}": {"batch_size": b, "samples_per_sec": rate, "memory_gb": memory}
            for b, rate, memory in rows})
    mock = profile((1, 10.0, 7), (4, 2.5, 13), (3, 10 / 3, 11))
    for command in ("info", "batch"):
        notes = of_file(command, "gpu_profile.json", mock)["notes"]
        same(notes.count("mock_throughput"), 1)
    real = profile((1, 10.0, 7), (4, 38.0, 9.5))
    same("mock_throughput" in of_file("batch", "gpu_profile.json", real)["notes"], False)


SWEEP = ("batch_size,num_samples,num_runs,latency_per_sample_mean,throughput_samples_per_sec_mean,"
         "cpu_mem_used_mean,gpu_mem_used_mean,peak_gpu_mem_mean\n"
         "1,100,10,0.02,50,0,-3.0,1000\n2,100,10,0.012,83,0,0,1100\n4,100,10,0.008,125,0,2,1300\n")


def defect_37_what_does_not_change_is_zero():
    with Folder() as folder:
        sweep = folder.write("detailed_metrics.csv", SWEEP)
        picture = folder.path("heat.svg")
        run("plot", "metrics-heatmap", sweep, "-o", picture)  # needs no gnuplot for the data
        with open(folder.path("heat.dat"), encoding="utf-8") as file:
            cells = [line.split() for line in file if line.strip() and line[0] != "#"]
        with open(folder.path("heat.gp"), encoding="utf-8") as file:
            script = file.read()
    rows = {}
    for column, row, value in cells:
        rows.setdefault(int(row), {})[int(column)] = float(value)
    same(rows[2], {0: 0.0, 1: 0.0, 2: 0.0})
    same([(min(r.values()), max(r.values())) for i, r in sorted(rows.items()) if i != 2],
         [(0.0, 1.0)] * 3)
    same(re.findall(r"^(.*) \(constant\)$", script, re.M), ["CPU memory used"])


def defect_39_the_peak_is_what_a_batch_needs():
    a = of_file("batch", "detailed_metrics.csv", SWEEP)
    same([r["used_bytes"] for r in a["sizes"]], [-3 * MIB, 0, 2 * MIB])
    same([r["peak_bytes"] for r in a["sizes"]], [1000 * MIB, 1100 * MIB, 1300 * MIB])
    law = a["answer"][0]
    same((round(law["memory_fixed_bytes"] / MIB), round(law["memory_sample_bytes"] / MIB)),
         (900, 100))
    assert "batch_mem_used" in a["notes"], a["notes"]


def defect_45_folders_are_searched_and_have_three_states():
    trace = {"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1,
                              "ts": 10 * i, "dur": 5} for i in range(3)]}
    memory = {"peak_memory_usage": {"cpu": 1, "cuda": 2}, "step_count": 3}
    stages = {"stage_times": {"forward": [0.1, 0.2]}, "average_times": {"forward": 0.15},
              "total_steps": 2}
    report = {"timestamp": "2025-11-30T12:00:00", "profiler_dir": "p",
              "artifacts": {"trace_json": False}, "summary": {
                  "total_artifacts": 1, "profiling_successful": False}}
    ops = "Name,CPU Time (us),CUDA Time (us)\naten::mm,5,7\n"
    states = {}
    with Folder() as folder:
        folder.write("full/deep/er/trace.json", trace)
        folder.write("full/deep/op_stats.csv", ops)
        folder.write("full/profiler_context/stage_times.json", stages)
        folder.write("full/memory_stats.json", memory)
        folder.write("full/profiler_report.json", report)
        folder.write("partial/profiler_context/stage_times.json", stages)
        folder.write("none/readme.txt", "nothing here\n")
        for name in ("full", "partial", "none"):
            a = answer("check", folder.path(name))
            folder_says = {r["artifact"]: r["verdict"] for r in a["run"]}
            states[name] = (folder_says["trace.json"], folder_says.get("run", "ok"),
                            run("check", folder.path(name)).returncode)
    same(states, {"full": ("ok", "ok", 0), "partial": ("warning", "warning", 0),
                  "none": ("warning", "bad", 1)})


def defect_46_cells_of_flops_and_source_are_told_by_content():
    rule = "-------------  ------------  ------------  ------------------------  ------------\n"
    heading = ("         Name      Self CPU    # of Calls           Source Location"
               "  Total KFLOPs\n")
    right = "     aten::mm       2.000ms             4  train.py(7): forward        2097.152\n"
    wrong = "     aten::mm       2.000ms             4                  2097.152  train.py(7): forward\n"
    for row in (right, wrong):
        rows = of_file("info", "table.txt", rule + heading + rule + row + rule)["sheet_ops"]
        same([(r["stack"], r["flops"]) for r in rows], [("train.py(7): forward", 2097152)])


def main():
    passed, failures = 0, 0
    for name, function in sorted(inspect.getmembers(sys.modules[__name__], inspect.isfunction)):
        if not name.startswith("defect_"):
            continue
        try:
            function()
            passed += 1
        except (AssertionError, KeyError) as error:
            failures += 1
            print(f"FAIL {name}: {error!r}")
    print(f"{passed} passed, {failures} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
