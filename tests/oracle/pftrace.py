#!/usr/bin/env python3
"""Perfetto files, written here byte by byte and by nothing of the tree: a run drawn below as PyTorch's exporter lays
it out (all begins of a group, then all ends; devices as tracks, and as GPU render stages), as a program records it
(ends when they happen, names interned, times that count), with packets in packets, cut and damaged.  Whatever the
file is, kernels, operators and steps are those of the drawing, and of the same run as Chrome's JSON."""
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib

TRACEQ = os.environ["TRACEQ"]
passed = failed = 0


def check(what, seen, expected):
    global passed, failed
    if seen == expected:
        passed += 1
        return
    failed += 1
    print(f"{what}\n  seen     {str(seen)[:600]}\n  expected {str(expected)[:600]}")


# --- the wire ---

def varint(n):
    n &= (1 << 64) - 1
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def packet(*fields):
    return field(1, b"".join(fields))


def note(key, value):
    name = field(10, key) if key else b""
    if isinstance(value, list):
        return name + b"".join(field(12, note("", v)) for v in value)
    return name + field(6 if isinstance(value, str) else 5 if isinstance(value, float) else 4, value)


# --- the run: 3 steps of 10 us, in each an operator in an operator, a call, and two kernels that touch ---

BASE = 1_700_000_000_000_000_000
HOST, DEVICE = (500, 501), (0, 7)


def rows():
    out = []
    for step in range(3):
        at, corr = step * 10_000, step * 10 + 1
        out += [
            (HOST, "user_annotation", f"ProfilerStep#{step}", at, 10_000, {"External id": corr}),
            (HOST, "cpu_op", "aten::linear", at + 100, 4000, {"External id": corr + 1, "Input Dims": [[8, 4], [4]]}),
            (HOST, "cpu_op", "aten::mm", at + 200, 3000, {"External id": corr + 2, "Input Dims": [[8, 4], []]}),
            (HOST, "cuda_runtime", "cudaLaunchKernel", at + 300, 500, {"cbid": 211, "correlation": corr}),
            (HOST, "cuda_runtime", "cudaLaunchKernel", at + 900, 500, {"cbid": 211, "correlation": corr + 1}),
            (DEVICE, "kernel", "gemm<float>", at + 2000, 3000, {"device": 0, "stream": 7, "correlation": corr,
             "grid": [16, 2, 1], "block": [128, 1, 1], "registers per thread": 64, "shared memory": 1024}),
            (DEVICE, "kernel", "add", at + 5000, 1000 + step, {"device": 0, "stream": 7, "correlation": corr + 1,
             "grid": [4, 1, 1], "block": [256, 1, 1], "registers per thread": 16, "shared memory": 0})]
    return out


def chrome():
    events = [{"ph": "X", "cat": cat, "name": name, "pid": lane[0], "tid": lane[1], "ts": start / 1000, "dur": dur / 1000,
               "args": args} for lane, cat, name, start, dur, args in rows()]
    return json.dumps({"schemaVersion": 1, "baseTimeNanoseconds": BASE, "traceEvents": events}).encode()


def tracks():
    def track(uuid, parent, *more):
        return packet(field(60, field(1, uuid) + (field(5, parent) if parent else b"") + b"".join(more)))
    return (track(1, 0, field(3, field(1, 500) + field(6, "python"))) +
            track(2, 1, field(4, field(1, 500) + field(2, 501) + field(5, "thread 501"))) +
            track(3, 0, field(3, field(1, 0) + field(6, "GPU 0"))) +
            track(4, 3, field(4, field(1, 0) + field(2, 7) + field(5, "stream 7"))))


def uuid_of(lane):
    return 2 if lane == HOST else 4


def torch(stages):
    names = sorted({row[2] for row in rows()})
    interned = b"".join(field(2, field(1, i + 1) + field(2, n)) for i, n in enumerate(names))
    if stages:
        interned += field(24, field(1, 1) + field(2, "Kernel")) + field(24, field(1, 100) + field(2, "stream 7"))
        interned += b"".join(field(1001, field(1, i) + field(2, n)) for i, n in
                             ((1, "registers_per_thread"), (2, "shared_mem_dynamic")))
    out = [tracks(), packet(field(10, 1), field(13, 1), field(12, interned))]
    for group in ("cpu", "cuda_runtime", "kernel"):
        mine = [r for r in rows() if (r[1] if r[1] in ("cuda_runtime", "kernel") else "cpu") == group]
        if stages and group == "kernel":
            out += [stage(r, names) for r in mine]
            continue
        for lane, _, name, start, _, args in mine:
            notes = b"".join(field(4, note(k, v)) for k, v in args.items())
            flow = varint(47 << 3 | 1) + struct.pack("<Q", args["correlation"]) if "correlation" in args else b""
            out.append(packet(field(8, BASE + start), field(10, 1), field(13, 2), field(
                11, field(9, 1) + field(11, uuid_of(lane)) + field(10, names.index(name) + 1) + flow + notes)))
        out += [packet(field(8, BASE + r[3] + r[4]), field(10, 1), field(11, field(9, 2) + field(11, uuid_of(r[0]))))
                for r in mine]
    return out


def stage(row, names):
    _, _, name, start, dur, args = row
    dims = [field(i + 1, b"".join(field(k + 1, v) for k, v in enumerate(args[key]))) for i, key in
            enumerate(("grid", "block"))]
    launch = b"".join(dims) + b"".join(field(3, field(1, i) + field(4, args[k])) for i, k in
                                       ((1, "registers per thread"), (2, "shared memory")))
    extra = b"".join(field(6, field(1, k) + field(2, v)) for k, v in
                     (("device id", "0"), ("stream id", "7"), ("correlation", str(args["correlation"]))))
    return packet(field(8, BASE + start), field(10, 1), field(13, 2), field(
        53, field(1, args["correlation"]) + field(2, dur) + field(11, 0) + field(13, 100) + field(14, 1) +
        field(20, names.index(name) + 1) + field(21, launch) + extra))


def recorded():
    """Each lane a sequence of its own, whose clock counts from packet to packet in steps of 1 ns."""
    out = [tracks()]
    for sequence, lane in ((8, HOST), (9, DEVICE)):
        halves = []
        for row in (r for r in rows() if r[0] == lane):
            halves += [(row[3], 1, row[4], row), (row[3] + row[4], 0, -row[4], row)]
        halves.sort(key=lambda h: (h[0], h[1], -h[2] if h[1] else h[2] * -1))
        seen, last = {}, 0
        clocks = field(6, field(1, field(1, 6) + field(2, BASE)) + field(1, field(1, 64) + field(2, 0) + field(3, 1)))
        out.append(packet(field(10, sequence), field(13, 1), field(
            59, field(58, 64) + field(11, field(11, uuid_of(lane)))), clocks))
        for time, begins, _, (_, cat, name, _, _, args) in halves:
            fresh = b""
            for kind, text in (((1, cat), (2, name)) if begins else ()) + tuple((3, k) for k in args if begins):
                if (kind, text) not in seen:
                    seen[kind, text] = len(seen) + 1
                    fresh += field(kind, field(1, seen[kind, text]) + field(2, text))
            event = field(9, 1 if begins else 2)
            if begins:
                event += field(3, seen[1, cat]) + field(10, seen[2, name])
                event += b"".join(field(4, field(1, seen[3, k]) + note("", v)) for k, v in args.items())
            out.append(packet(field(8, time - last), field(10, sequence), field(13, 2),
                              field(12, fresh) if fresh else b"", field(11, event)))
            last = time
    return out


# --- the answers ---

def ask(path, command):
    r = subprocess.run([TRACEQ, *command, "--format", "json", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return json.loads(r.stdout) if r.stdout else r.stderr.decode()


def table(answer, wanted, keys):
    if isinstance(answer, str):
        return answer
    found = [t for t in answer["tables"] if t["id"] == wanted]
    return [tuple(row[k] for k in keys) for row in found[0]["rows"]] if found else None


KERNELS = [("gemm<float>", 3, 9000, "16,2,1", 64), ("add", 3, 3003, "4,1,1", 16)]
OPS = [("aten::mm", 3, 9000 - 3000), ("aten::linear", 3, 12_000 - 9000)]
CHECKED = (["kernels", "-n", "0"], ["top", "-n", "0"], ["steps"], ["launches"], ["idle"], ["critical"])


def drawn(what, path):
    answer = ask(path, ["kernels", "-n", "0"])
    rows_of = table(answer, "kernels", ("name", "calls", "device_sum_ns", "grid", "registers"))
    check(f"{what}: kernels", rows_of, KERNELS)
    answer = ask(path, ["top", "-n", "0"])
    ops = table(answer, "ops", ("name", "calls", "self_cpu_ns"))
    check(f"{what}: operators", ops if isinstance(ops, str) else sorted(o for o in ops or [] if o[0].startswith("aten")),
          sorted(OPS))


MOVED = ("start_ns", "end_ns", "at_ns", "first_ns", "last_ns")


def moved(answer):
    """Without the times of the calendar: JSON has them as its base and the rest."""
    if isinstance(answer, str):
        return answer
    for t in answer["tables"]:
        for row in t["rows"]:
            for key in MOVED:
                row.pop(key, None)
    return {t["id"]: t["rows"] for t in answer["tables"] if t["id"] != "totals"}


def main():
    with tempfile.TemporaryDirectory() as folder:
        def put(name, data):
            path = os.path.join(folder, name)
            with open(path, "wb") as f:
                f.write(data)
            return path
        text = put("a.json", chrome())
        drawn("JSON", text)
        files = {"torch": torch(False), "stages": torch(True), "recorded": recorded()}
        packed = [packet(field(50, zlib.compress(b"".join(files["torch"]))))]
        for what, packets in dict(files, packed=packed).items():
            path = put(what + ".pftrace", b"".join(packets))
            drawn(what, path)
            for command in CHECKED:
                check(f"{what}: {command[0]} as of JSON", moved(ask(path, command)), moved(ask(text, command)))
        whole = files["torch"]
        for at in range(3, len(whole) - 1):  # cut in a packet: what is in front is there
            path = put("cut.pftrace", b"".join(whole[:at]) + whole[at][:len(whole[at]) // 2])
            answer = ask(path, ["check"])
            said = isinstance(answer, dict) and any(
                r["check"] == "truncated_trace" and r["count"] == 1 for t in answer["tables"] if t["id"] == "health" for r in t["rows"])
            check(f"cut in packet {at} is said", said, True)
        broken = list(files["stages"])
        broken[-3] = broken[-3][:2] + b"\xff" * (len(broken[-3]) - 2)
        answer = ask(put("broken.pftrace", b"".join(broken)), ["kernels", "-n", "0"])
        calls = table(answer, "kernels", ("calls",))
        check("a packet of nonsense costs itself", calls if isinstance(calls, str) else sum(c for c, in calls), 5)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
