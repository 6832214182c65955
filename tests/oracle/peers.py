#!/usr/bin/env python3
"""Mistakes that other tools make, by number (tests/peers.md): a minimal trace each, and what is right.

Traces are drawn in microseconds; a function's name begins with the number of the mistake.
"""
import inspect
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
NS = 1000
failures = []


class Trace:
    """Chrome trace events of one process and its devices."""

    def __init__(self):
        self.events = []
        self.correlation = 0

    def slice(self, cat, name, ts, dur, pid=100, tid=1, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts,
                            "dur": dur, "args": args})

    def op(self, name, ts, dur, tid=1, **args):
        self.slice("cpu_op", name, ts, dur, tid=tid, **args)

    def mark(self, name, ts, dur, tid=1):
        self.slice("user_annotation", name, ts, dur, tid=tid)

    def call(self, ts, dur, correlation, name="cudaLaunchKernel", tid=1):
        self.slice("cuda_runtime", name, ts, dur, tid=tid, correlation=correlation)

    def work(self, name, ts, dur, stream=7, device=0, cat="kernel", **args):
        self.slice(cat, name, ts, dur, pid=device, tid=stream, device=device, stream=stream, **args)

    def launched(self, name, at, ts, dur, stream=7, device=0, cat="kernel", tid=1,
                 call="cudaLaunchKernel", **args):
        """A call of 1 us and its work."""
        self.correlation += 1
        self.call(at, 1, self.correlation, name=call, tid=tid)
        self.work(name, ts, dur, stream, device, cat, correlation=self.correlation, **args)

    def memory(self, ts, size, allocated, reserved, tid=1, address=1):
        self.events.append({"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]",
                            "pid": 100, "tid": tid, "ts": ts,
                            "args": {"Device Type": 1, "Device Id": 0, "Addr": address,
                                     "Bytes": size, "Total Allocated": allocated,
                                     "Total Reserved": reserved}})

    def run(self, command, *options):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(json.dumps({"schemaVersion": 1, "traceEvents": self.events}))
            file.flush()
            return subprocess.run([TRACEQ, command, *options, file.name], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)

    def answer(self, command, *options):
        """table id -> rows, and the notes' ids."""
        done = self.run(command, "--json", *options)
        if done.returncode == 2:
            raise AssertionError(f"{command}: {done.stderr}")
        answer = json.loads(done.stdout)
        tables = {}
        for table in answer["tables"]:
            tables.setdefault(table["id"], []).extend(table["rows"])
        tables["notes"] = [n["id"] for n in answer["notes"]]
        return tables


def row(rows, **want):
    found = [r for r in rows if all(r.get(k) == v for k, v in want.items())]
    assert len(found) == 1, f"{len(found)} rows with {want} in {rows}"
    return found[0]


def same(got, want):
    assert got == want, f"{got!r}, not {want!r}"


def fixture(*argv):
    return subprocess.run([FIXTURES, *argv], stdout=subprocess.PIPE, check=True).stdout


# ---- HTA -------------------------------------------------------------------------------------

def defect_01_hip_is_not_communication():
    t = Trace()
    t.launched("hipMemcpyAsync", 0, 10, 5, cat="gpu_memcpy", call="hipMemcpyAsync", bytes=100)
    t.launched("hipElementwiseKernel", 2, 20, 7)
    r = t.answer("summary")["run_devices"][0]
    same(r["comm_union_ns"], 0)
    same((r["compute_ns"], r["exposed_memcpy_ns"]), (7 * NS, 5 * NS))


def defect_02_dma_and_sync_in_a_name_compute():
    t = Trace()
    t.launched("warp_specialized_dma_gemm", 0, 10, 5)
    t.launched("SyncBatchNorm_forward", 2, 20, 7)
    same(t.answer("summary")["run_devices"][0]["compute_ns"], 12 * NS)


def defect_03_nccl_device_kernels_communicate():
    t = Trace()
    t.launched("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm*)", 0, 10, 5)
    r = t.answer("comms")["collectives"][0]
    same((r["collective"], r["device_sum_ns"]), ("all_reduce", 5 * NS))


def defect_04_times_are_exact_nanoseconds():
    t = Trace()
    t.launched("k", 0, 1700000000000000.123, 0.457)
    t.events[-1]["ts"] = "1700000000000000.123"
    t.events[-2]["ts"] = 1700000000000000
    a = t.answer("kernels")
    same(a["kernels"][0]["device_sum_ns"], 457)
    same(t.answer("check")["delays"][0]["min_ns"], 123)


def defect_05_the_last_step_is_kept_and_marked():
    t = Trace()
    for i in range(4):
        t.mark(f"ProfilerStep#{i}", i * 100, 100)
        for k in range(10 if i < 3 else 2):
            t.launched("k", i * 100 + 5 * k, i * 100 + 5 * k + 2, 2)
    steps = t.answer("steps")["steps"]
    same([s["step"] for s in steps], [0, 1, 2, 3])
    same([s["is_incomplete"] for s in steps], [False, False, False, True])


def defect_06_waiting_is_not_busy():
    t = Trace()
    t.launched("k", 0, 10, 20)
    t.work("Stream Sync", 30, 50, cat="cuda_sync", correlation=9)
    same(t.answer("top")["devices"][0]["busy_ns"], 20 * NS)
    same(t.answer("idle")["devices"][0]["idle_ns"], 10 * NS)  # from the first launch on


def defect_07_idle_begins_at_the_latest_end():
    t = Trace()
    t.launched("long", 0, 10, 100, stream=7)
    t.launched("short", 2, 20, 10, stream=8)
    t.launched("next", 4, 150, 10, stream=8)
    r = t.answer("idle")["devices"][0]
    same((r["gaps"], r["idle_ns"]), (2, 50 * NS))  # 10 us of it from the first launch on


def defect_08_queues_bear_graphs_and_losses():
    t = Trace()
    t.call(0, 2, 1, name="cudaGraphLaunch")
    t.work("a", 10, 5, correlation=1)
    t.work("b", 15, 5, correlation=1)
    t.call(3, 1, 2)                      # its kernel was lost
    t.work("orphan", 30, 5, correlation=99)
    q = t.answer("launches")["queues"][0]
    same((q["entries"], q["depth_max"], q["unlinked"]), (1, 1, 1))


def defect_09_blocked_time_of_every_stream():
    t = Trace()
    for stream in (7, 8):
        for i in range(1100):
            t.launched("k", i * 2 + (stream == 8), 5000 + i * 4, 3, stream=stream)
    blocked = {q["stream"]: q["blocked_ns"] for q in t.answer("launches")["queues"]}
    assert blocked[7] > 0 and blocked[8] > 0, blocked


def defect_10_thresholds_are_microseconds_and_shown():
    t = Trace()
    t.launched("a", 0, 10, 10)           # 10 us after the first launch, which the window begins with
    t.launched("b", 2, 49.9, 10)         # 29.9 us behind
    t.launched("c", 4, 90, 10)           # 30.1 us behind
    r = t.answer("idle")["devices"][0]
    same((r["hta_kernel_wait_ns"], r["hta_other_ns"]), (29900, 30100))
    text = subprocess.run([TRACEQ, "help", "idle"], stdout=subprocess.PIPE, text=True).stdout
    assert re.search(r"microseconds.*\[30\]", text, re.S), text


def defect_11_statistics_are_of_all_samples():
    t = Trace()
    durations = [3, 4, 5, 100]
    for i, dur in enumerate(durations):
        t.launched("k", i, 100 + 200 * i, dur, grid=[i + 1, 1, 1], block=[32, 1, 1])
    r = t.answer("kernels", "-n", "1")["kernels"][0]
    same(r["mean_ns"], statistics.mean(durations) * NS)
    assert abs(r["std_ns"] - statistics.stdev(durations) * NS) < 1e-6, r["std_ns"]
    same(r["p50_ns"], statistics.median(durations) * NS)


# ---- the TensorBoard plugin ------------------------------------------------------------------

def defect_12_every_collective_counts():
    names = {"ncclDevKernel_SendRecv(ncclDevComm*)": "send_recv",
             "ncclKernel_AllToAll_RING": "all_to_all",
             "rcclDevKernel_ReduceScatter": "reduce_scatter",
             "void vllm::cross_device_reduce_1stage<float, 2>": "all_reduce",
             "ncclDevKernel_AllGather_RING_LL": "all_gather",
             "ncclDevKernel_Broadcast_RING_LL": "broadcast"}
    t = Trace()
    for i, name in enumerate(names):
        t.launched(name, i * 2, 100 + 10 * i, 5)
    rows = t.answer("comms")["collectives"]
    same({r["kernel"]: r["collective"] for r in rows}, names)
    t = Trace()
    t.mark("gloo:all_reduce", 0, 50)
    same(t.answer("comms")["host"][0]["collective"], "all_reduce")


def defect_13_crossing_ranges_are_kept_and_counted():
    t = Trace()
    t.op("a", 0, 10)
    t.op("b", 5, 10)
    names = {r["name"]: r["calls"] for r in t.answer("top")["ops"]}
    same(names, {"a": 1, "b": 1})
    same(row(t.answer("check")["health"], check="partial_overlap")["count"], 1)


def defect_14_tensor_cores_of_today_or_unknown():
    t = Trace()
    want = {"nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_TNT": "yes", "ampere_sgemm_128x64_tn": "no",
            "sm90_xmma_gemm_bf16bf16_tn_n_tilesize": "yes", "my_kernel": "unknown"}
    for i, name in enumerate(want):
        t.launched(name, i * 2, 100 + 10 * i, 5)
    same({r["name"]: r["tensor_core"] for r in t.answer("kernels")["kernels"]}, want)


def defect_15_roles_add_up_to_the_step():
    t = Trace()
    for i in range(2):
        t.mark(f"ProfilerStep#{i}", i * 100, 100)
        t.op("aten::mm", i * 100 + 20, 30)
        t.launched("k", i * 100 + 25, i * 100 + 30, 10)
        t.launched("Memcpy HtoD (Pageable -> Device)", i * 100 + 32, i * 100 + 60, 10,
                   cat="gpu_memcpy", call="cudaMemcpyAsync", bytes=8)
    for s in t.answer("steps")["step_roles"]:
        parts = [s[k] for k in ("kernel_ns", "memcpy_ns", "memset_ns", "communication_ns",
                                "runtime_ns", "dataloader_ns", "cpu_exec_ns", "other_ns")]
        same(sum(p or 0 for p in parts), s["wall_ns"])
        same((s["kernel_ns"], s["memcpy_ns"]), (10 * NS, 10 * NS))


def defect_16_communication_is_time_on_the_device():
    t = Trace()
    t.mark("ProfilerStep#0", 0, 200)
    t.mark("ProfilerStep#1", 200, 200)
    for at in (0, 200):
        t.op("record_param_comms", at + 10, 80)
        t.launched("ncclDevKernel_AllReduce_Sum_f32_RING_LL", at + 20, at + 120, 30)
    s = t.answer("steps")
    same([r["communication_ns"] for r in s["step_roles"]], [30 * NS] * 2)
    same([r["comm_union_ns"] for r in s["steps"]], [30 * NS] * 2)


def defect_17_several_devices_are_listed_one_by_one():
    t = Trace()
    for device in (0, 1, 2):
        t.launched("k", device * 3, 10 + device * 20, 5, device=device)
    for command in ("top", "idle", "kernels", "summary", "diagnose", "steps"):
        text = t.run(command).stdout
        assert not re.search(r"\dand|and\d", text), text
    same([d["device"] for d in t.answer("kernels")["devices"]], [0, 1, 2])


# ---- torch -----------------------------------------------------------------------------------

def defect_18_ops_and_kernels_do_not_share_time():
    t = Trace()
    t.op("aten::linear", 0, 50)
    t.op("aten::mm", 5, 40)
    t.launched("gemm", 10, 60, 30)
    a = t.answer("top")
    same(sum(r["device_sum_ns"] for r in a["device"]), 30 * NS)
    same(sum(r["share_ratio"] for r in a["device"]), 1)
    same({r["name"]: r["self_device_ns"] for r in a["ops"] if r["self_device_ns"]},
         {"aten::mm": 30 * NS})


def defect_19_sum_and_union_are_two_figures():
    t = Trace()
    t.launched("a", 0, 10, 100, stream=7)
    t.launched("b", 2, 60, 100, stream=8)
    totals = t.answer("top")["totals"][0]
    same((totals["device_sum_ns"], totals["device_busy_ns"]), (200 * NS, 150 * NS))


def defect_20_a_record_is_of_its_own_thread():
    t = Trace()
    t.op("other thread", 0, 100, tid=2)
    t.op("outer", 0, 100, tid=1)
    t.op("inner", 10, 50, tid=1)
    t.memory(20, 512, 512, 1024, tid=1)
    ops = {r["name"]: r["self_alloc_bytes"] for r in t.answer("memory")["ops"]}
    same(ops["inner"], 512)
    assert not ops.get("outer") and "other thread" not in ops, ops


# ---- what the documents' tools do, where a trace shows it ------------------------------------

def defect_21_missing_kernels_are_seen():
    t = Trace()
    for i in range(5):
        t.op("aten::mm", i * 20, 10)
        t.call(i * 20 + 2, 1, i + 1)
    same(t.answer("top")["totals"][0]["device_sum_ns"], None)
    same(t.answer("check")["launch"][0]["launches_without_device"], 5)
    assert "no_device_events" in t.answer("summary")["notes"]


def defect_22_nested_calls_count_once():
    t = Trace()
    t.op("aten::linear", 0, 100)
    t.op("aten::addmm", 10, 80)
    a = t.answer("top")
    same(a["totals"][0]["cpu_total_ns"], 100 * NS)
    same(sum(r["self_cpu_ns"] for r in a["ops"]), 100 * NS)


def defect_27_json_is_alone_on_stdout():
    t = Trace()
    t.op("a", 0, 10)
    t.events.append({"ph": "X", "name": "no time"})
    for command in ("top", "summary", "steps", "kernels", "idle", "launches", "copies", "comms",
                    "memory", "stages", "stacks", "diagnose", "info", "check"):
        done = t.run(command, "--json")
        same(set(json.loads(done.stdout)), {"schema", "inputs", "tables", "notes"})


def defect_28_units_are_what_they_say():
    t = Trace()
    t.op("a", 0, 1500)
    text = t.run("top", "-u", "ms").stdout
    assert re.search(r"\b1\.500? ?(ms)?\b", text), text
    same(t.answer("top")["ops"][0]["self_cpu_ns"], 1500 * NS)


def defect_29_a_row_is_an_op_not_an_event():
    t = Trace()
    for i in range(3):
        t.op("aten::mm", i * 20, 10 + i)
    r = row(t.answer("top")["ops"], name="aten::mm")
    same((r["calls"], r["self_cpu_ns"]), (3, 33 * NS))


def defect_30_nested_stages_are_no_sum():
    t = Trace()
    t.mark("iteration", 0, 100)
    t.mark("forward", 10, 60)
    rows = t.answer("stages")["stages"]
    same(sum(r["self_ns"] for r in rows), 100 * NS)
    same({r["name"].split("/")[-1].strip(): r["total_ns"] for r in rows},
         {"iteration": 100 * NS, "forward": 60 * NS})


def defect_31_the_peak_is_of_the_allocator():
    t = Trace()
    for i, (size, total) in enumerate([(600, 600), (500, 1100), (-600, 500), (550, 1050)]):
        t.memory(10 * i, size, total, 2048, address=i % 2)
    same(t.answer("memory")["peaks"][0]["peak_allocated_bytes"], 1100)


def defect_33_calls_are_counted():
    t = Trace()
    for i in range(7):
        t.launched("k", i * 5, i * 5 + 2, 2)
    same(row(t.answer("top")["ops"], name="cudaLaunchKernel")["calls"], 7)
    same(row(t.answer("top")["device"], name="k")["calls"], 7)


# ---- TraceLens, Perfetto, Kineto -------------------------------------------------------------

def defect_40_gigabytes_are_1e9_bytes():
    t = Trace()
    t.launched("Memcpy HtoD (Pinned -> Device)", 0, 10, 1000, cat="gpu_memcpy",
               call="cudaMemcpyAsync", bytes=20_000_000)
    same(t.answer("copies")["copies"][0]["bandwidth_bytes_per_s"], 20e9)
    assert re.search(r"\b20(\.0+)? GB/s", t.run("copies", "--wide").stdout), t.run("copies", "--wide").stdout


def defect_41_false_as_a_text_is_false():
    marks = {}
    for name, finished in (("false", "false"), ("bool", False), ("true", True)):
        t = Trace()
        t.mark("ProfilerStep#0", 0, 10)
        t.mark("ProfilerStep#1", 10, 10)
        t.slice("user_annotation", "ProfilerStep#2", 20, 10, finished=finished)
        marks[name] = [s["is_incomplete"] for s in t.answer("steps")["steps"]][-1]
    same(marks, {"false": True, "bool": True, "true": False})


def defect_42_bytes_follow_the_data_type():
    got = {}
    for dtype in ("Float", "BFloat16", "Char"):
        t = Trace()
        t.launched("ncclDevKernel_AllReduce", 0, 10, 5, **{
            "Collective name": "allreduce", "dtype": dtype, "In msg nelems": 1000,
            "Out msg nelems": 1000, "Group size": 8})
        got[dtype] = t.answer("comms")["collectives"][0]["bytes"]
    same(got, {"Float": 4000, "BFloat16": 2000, "Char": 1000})


def defect_43_overlapping_slices_are_kept():
    t = Trace()
    t.work("a", 0, 10, correlation=1)
    t.work("b", 5, 10, correlation=2)
    same(t.answer("top")["totals"][0]["activities"], 2)
    same({r["name"]: r["device_sum_ns"] for r in t.answer("top")["device"]},
         {"a": 10 * NS, "b": 10 * NS})


def defect_44_widened_annotations_are_undone():
    t = Trace()
    t.mark("forward", 0, 20)
    t.launched("before", 1, 10, 10)
    t.launched("inside", 3, 20, 10)
    t.work("forward", 19.999, 10.002, cat="gpu_user_annotation")
    same(row(t.answer("stages")["regions"], name="forward")["device_busy_ns"], 10 * NS)


def defect_47_any_device_has_totals():
    for scenario in ("xpu", "mtia", "rocm"):
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            file.write(fixture(scenario, "--steps", "2"))
            file.flush()
            done = subprocess.run([TRACEQ, "top", "--json", "-q", file.name], stdout=subprocess.PIPE,
                                  check=True)
            tables = {x["id"]: x["rows"] for x in json.loads(done.stdout)["tables"]}
            assert tables["totals"][0]["device_sum_ns"] > 0, scenario


def defect_48_one_rank_without_steps_has_answers():
    t = Trace()
    t.op("aten::mm", 0, 50)
    t.launched("gemm", 10, 60, 30)
    for command in ("top", "summary", "steps", "kernels", "idle", "launches", "copies", "comms",
                    "memory", "stages", "stacks", "diagnose"):
        same(t.run(command).returncode, 0)
    assert "no_steps" in t.answer("steps")["notes"]
    same(t.answer("steps")["steps"][0]["compute_ns"], 30 * NS)


def defect_49_what_was_repaired_is_said():
    t = Trace()
    t.op("a", 0, 10)
    t.work("orphan", 20, 5, correlation=77)
    t.events.append({"ph": "X", "cat": "cpu_op", "name": "no time", "pid": 1, "tid": 1})
    t.op("negative", 30, -5)
    found = {r["check"]: r["count"] for r in t.answer("check")["health"]}
    same({k: found.get(k) for k in ("no_time", "negative_duration")},
         {"no_time": 1, "negative_duration": 1})
    same(t.answer("check")["launch"][0]["unlinked"], 1)
    notes = t.answer("top")["notes"]
    assert "no_time" in notes and "negative_duration" in notes, notes


def defect_50_every_figure_is_defined():
    words = set()
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(fixture("multi-rank", "--steps", "3", "--memory"))
        file.flush()
        for command in ("summary", "steps", "kernels", "idle", "launches", "copies", "comms",
                        "memory", "stages", "stacks", "diagnose"):
            done = subprocess.run([TRACEQ, command, "--json", "-q", file.name],
                                  stdout=subprocess.PIPE, check=True)
            for table in json.loads(done.stdout)["tables"]:
                words.update(c["key"] for c in table["columns"])
    for word in sorted(words):
        told = subprocess.run([TRACEQ, "explain", word], stdout=subprocess.PIPE, text=True)
        same((word, told.returncode), (word, 0))
        assert word in told.stdout and len(told.stdout) > len(word) + 20, told.stdout


def main():
    passed = 0
    for name, function in sorted(inspect.getmembers(sys.modules[__name__], inspect.isfunction)):
        if not name.startswith("defect_"):
            continue
        try:
            function()
            passed += 1
        except AssertionError as error:
            failures.append(name)
            print(f"FAIL {name}: {error}")
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
