#!/usr/bin/env python3
"""XPlane files, against a scanner of their wire format of our own.

Both of $SHARED/samples/xplane and profiles made here by hand, with what the samples lack: steps, ops without streams,
copies with sizes, counted events, display names, times since 1970. From the bytes alone are worked out: events by
plane and line, time by kernel and by call, device time by device, what of the work a call launched and how late,
copies by direction and bytes; traceq's JSON must say the same, to the ns.
"""
import collections
import json
import os
import struct
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
SHARED = os.environ.get("SHARED", "../shared")

passed = 0
failures = []


def same(where, what, got, want):
    global passed
    if got == want:
        passed += 1
    else:
        failures.append(f"{where}: {what}: traceq {got!r}, reference {want!r}")


# --- reading the wire ---

def varint(b, i):
    value = shift = 0
    while True:
        value |= (b[i] & 127) << shift
        shift += 7
        i += 1
        if b[i - 1] < 128:
            return value, i


def fields(b):
    i = 0
    while i < len(b):
        key, i = varint(b, i)
        wire = key & 7
        if wire == 0:
            value, i = varint(b, i)
        elif wire == 2:
            n, i = varint(b, i)
            value, i = b[i:i + n], i + n
        else:
            n = 8 if wire == 1 else 4
            value, i = b[i:i + n], i + n
        yield key >> 3, wire, value


def signed(v):
    return v - (1 << 64) if v >> 63 else v


def last(message, number, otherwise=None):
    for n, _, value in fields(message):
        if n == number:
            otherwise = value
    return otherwise


def meanings(plane, number):
    found = {}
    for n, _, entry in fields(plane):
        if n == number:
            found[last(entry, 1, 0)] = last(entry, 2, b"")
    return found


class Plane:
    def __init__(self, message):
        self.name = last(message, 2, b"").decode()
        self.events = meanings(message, 4)
        self.stat_names = {k: last(v, 2, b"").decode() for k, v in meanings(message, 5).items()}
        self.lines = [value for n, _, value in fields(message) if n == 3]
        self.own = self.stats(message, 6)
        self.device = int(self.name.split(":")[2].split()[0]) if self.name.startswith("/device:") else None

    def stats(self, message, number):
        found = {}
        for n, _, stat in fields(message):
            if n != number:
                continue
            name = self.stat_names.get(last(stat, 1, 0))
            for k, wire, value in fields(stat):
                if k == 7:
                    found[name] = self.stat_names.get(value)
                elif k == 5:
                    found[name] = value.decode()
                elif k == 2:
                    found[name] = struct.unpack("<d", value)[0]
                elif k in (3, 4):
                    found[name] = signed(value)
        return found

    def slices(self):
        """(is device work, name, start ns, dur ns, stats) of what has a time; counted events are none."""
        for line in self.lines:
            stamp, work = last(line, 3, 0), is_work(self, line)
            for n, _, ev in fields(line):
                if n != 4 or last(ev, 5):
                    continue
                meaning = self.events[last(ev, 1, 0)]
                name = (last(meaning, 4) or last(meaning, 2, b"")).decode()
                begin, dur = signed(last(ev, 2, 0)), last(ev, 3, 0)
                start, end = stamp + begin // 1000, stamp + (begin + dur) // 1000
                yield work, name, start, end - start, {**self.stats(meaning, 5), **self.stats(ev, 4)}


def is_work(plane, line):
    name = last(line, 2, b"").decode()
    if plane.device is None:
        return False
    streams = any(last(other, 2, b"").startswith(b"Stream #") for other in plane.lines)
    return name.startswith("Stream #") or (not streams and name in ("XLA Ops", "Async XLA Ops"))


# --- asking ---

def ask(path, command, *more):
    done = subprocess.run([TRACEQ, command, path, "--format", "json", *more], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode == 2:
        failures.append(f"{path}: {command}: {done.stderr.decode()}")
        return {}
    return json.loads(done.stdout)


def tables(answer):
    return {t["id"]: t["rows"] for t in answer.get("tables", [])}


def compare(where, path):
    planes = [Plane(value) for n, _, value in fields(open(path, "rb").read()) if n == 1]
    work, calls, slices, union = collections.Counter(), {}, 0, collections.defaultdict(list)
    launched = []
    for plane in planes:
        for is_device, name, start, dur, stats in plane.slices():
            slices += 1
            if is_device:
                work[name] += dur
                union[plane.device].append((start, start + dur))
                launched.append((stats.get("correlation_id"), start, start + dur))
            elif plane.device is None and "correlation_id" in stats:
                calls[stats["correlation_id"]] = (start, start + dur)
    info = tables(ask(path, "info"))
    seen = {r["what"]: r["seen"] for r in info["recorded"]}
    same(where, "GPU work", seen["GPU work"], len(launched))
    same(where, "runtime calls", seen["runtime calls"], len(calls))
    same(where, "slices", sum(r["events"] for r in info["categories"] if r["ph"] == "X"), slices)
    rows = tables(ask(path, "top", "-n", "0"))["device"]
    same(where, "time by name", {r["name"]: r["device_sum_ns"] for r in rows}, dict(work))
    for r in tables(ask(path, "top"))["devices"]:
        same(where, f"busy {r['device']}", r["busy_ns"], covered(union[r["device"]]))
    delays = [start - calls[c][0] for c, start, _ in launched if c in calls]
    got = {(r["of"], r["delay"]): r for r in tables(ask(path, "launches")).get("delays", [])}
    if delays:
        same(where, "launches found", got["all", "start"]["count"], len(delays))
        same(where, "their delay", got["all", "start"]["max_ns"], max(delays))
        same(where, "least", got["all", "start"]["min_ns"], min(delays))


def covered(pieces):
    total, until = 0, None
    for a, b in sorted(pieces):
        if until is None or a > until:
            total, until = total + b - a, b
        elif b > until:
            total, until = total + b - until, b
    return total


# --- writing the wire ---

def put(n, value):
    def number(v):
        out = bytearray()
        v &= (1 << 64) - 1
        while v > 127:
            out.append(v & 127 | 128)
            v >>= 7
        return bytes(out + bytes([v]))
    if isinstance(value, int):
        return number(n << 3) + number(value)
    if isinstance(value, float):
        return number(n << 3 | 1) + struct.pack("<d", value)
    value = value.encode() if isinstance(value, str) else value
    return number(n << 3 | 2) + number(len(value)) + value


class Maker:
    """A plane; numbers are given to names as they come."""

    def __init__(self, name, own=None):
        self.names, self.stat_names, self.lines = {}, {}, b""
        self.common = {}  # by name of an event: statistics of all that are called so
        self.head, self.own = put(2, name), self.stats(6, own or {})

    def stat_id(self, name):
        return self.stat_names.setdefault(name, len(self.stat_names) + 1)

    def stats(self, number, values):
        out = b""
        for k, v in values.items():
            kind = {int: 4, float: 2, str: 5}[type(v)]
            if isinstance(v, str) and k.endswith("_details"):
                kind, v = 7, self.stat_id(v)
            out += put(number, put(1, self.stat_id(k)) + put(kind, v))
        return out

    def line(self, number, name, stamp, events):
        out = put(1, number) + put(2, name) + put(3, stamp)
        for what, offset, dur, stats in events:
            at = self.names.setdefault(what, len(self.names) + 1)
            time = put(5, dur) if offset is None else put(2, offset) + put(3, dur)
            out += put(4, put(1, at) + time + self.stats(4, stats))
        self.lines += put(3, out)
        return self

    def done(self):
        out = self.head + self.lines
        for name, at in self.names.items():
            display = put(4, name[1]) if isinstance(name, tuple) else b""
            text = name[0] if isinstance(name, tuple) else name
            common = self.stats(5, self.common.get(name, {}))
            out += put(4, put(1, at) + put(2, put(1, at) + put(2, text) + display + common))
        for name, at in self.stat_names.items():
            out += put(5, put(1, at) + put(2, put(1, at) + put(2, name)))
        return put(1, out + self.own)


def gpu_profile():
    """Three steps of a train loop on one GPU: what each figure should be is plain to see."""
    device = Maker("/device:GPU:0", {"core_count": 132, "memory_size": 85899345920, "compute_cap_major": 9,
                                     "compute_cap_minor": 0, "device_type_string": "NVIDIA H100 80GB HBM3"})
    host = Maker("/host:CPU")
    kernel = "regs:32 static_shared:1024 dynamic_shared:512 grid:132,1,1 block:128,2,1 occ_pct:50"
    work, calls = [], []
    for step in range(3):
        at = step * 10_000_000  # ps: 10 us a step
        work += [(("fusion.1", "loop_fusion"), at + 2_000_000, 3_000_999,
                  {"correlation_id": 10 * step + 1, "kernel_details": kernel,
                   "tf_op": "jit(train)/jit(main)/mul", "hlo_module": "jit_train"}),
                 ("MemcpyH2D", at + 6_000_000, 1_000_000,
                  {"correlation_id": 10 * step + 2, "memcpy_details":
                   "kind_src:pinned kind_dst:device size:4096 dest:0 async:1"})]
        calls += [("train", at, 9_000_000, {"step_num": step}),
                  ("cuLaunchKernel", at + 500_000, 700_000, {"correlation_id": 10 * step + 1}),
                  ("cuMemcpyHtoDAsync", at + 1_500_000, 700_000, {"correlation_id": 10 * step + 2})]
    device.line(7, "Stream #7(Compute,MemcpyH2D)", 5000, work)
    device.line(90, "XLA Ops", 5000, [("fusion.1", 2_000_000, 3_000_999, {})])
    host.line(1, "python", 5000, calls + [("counted", None, 17, {})])
    clock = Maker("Task Environment", {"profile_start_time": 1_700_000_000_000_000_000})
    return device.done() + host.done() + clock.done() + put(4, "node-1")


def tpu_profile():
    """A device without streams: its ops are its work, what runs beside them too."""
    device = Maker("/device:TPU:0", {"peak_teraflops_per_second": 275.0})
    device.line(2, "XLA Modules", 1_700_000_000_000_000_000, [("jit_step(1)", 0, 9_000_000, {})])
    device.line(3, "XLA Ops", 1_700_000_000_000_000_000,
                [("%fusion.2", 0, 4_000_000, {}), ("%all-reduce.1", 5_000_000, 3_000_000, {})])
    device.common["%fusion.2"] = {"flops": 1_000_000, "bytes_accessed": 20_000}
    device.line(4, "Async XLA Ops", 1_700_000_000_000_000_000, [("%copy-start", 3_000_000, 1_500_000, {})])
    return device.done()


def made(folder):
    for name, data in (("gpu", gpu_profile()), ("tpu", tpu_profile())):
        path = os.path.join(folder, name + ".xplane.pb")
        with open(path, "wb") as out:
            out.write(data)
        compare(name, path)
        yield name, path


def by_hand(paths):
    """What the made ones are known to be, without any scanner."""
    top = tables(ask(paths["gpu"], "top", "-n", "0"))["device"]
    same("gpu", "names", sorted((r["name"], r["device_sum_ns"], r["calls"]) for r in top),
         [("MemcpyH2D", 3000, 3), ("loop_fusion", 9000, 3)])
    steps = tables(ask(paths["gpu"], "steps", "-n", "0"))["steps"]
    same("gpu", "steps", len(steps), 3)
    copies = tables(ask(paths["gpu"], "copies"))["copies"]
    same("gpu", "copies", [(r["direction"], r["bytes"], r["calls"]) for r in copies], [("HtoD", 12288, 3)])
    kernels = tables(ask(paths["gpu"], "kernels", "--by", "config"))["kernels"]
    same("gpu", "launch", [(r["grid"], r["block"], r["registers"], r["shared_bytes"]) for r in kernels],
         [("132,1,1", "128,2,1", 32, 1536)])
    devices = tables(ask(paths["gpu"], "info"))["gpus"]
    same("gpu", "device", [(r["name"], r["memory_bytes"], r["sms"]) for r in devices],
         [("NVIDIA H100 80GB HBM3", 85899345920, 132)])
    busy = tables(ask(paths["tpu"], "top"))["devices"]
    ops = {r["name"]: (r["flop"], r["bytes"]) for r in tables(ask(paths["tpu"], "roofline"))["ops"]}
    same("tpu", "work", ops["%fusion.2"], (1_000_000, 20_000))
    same("tpu", "no work is said", ops["%copy-start"], (None, None))
    same("tpu", "busy", [r["busy_ns"] for r in busy], [7500])


def main():
    with tempfile.TemporaryDirectory() as folder:
        by_hand(dict(made(folder)))
    samples = os.path.join(SHARED, "samples", "xplane")
    skipped = 0
    if os.path.isdir(samples):
        for name in sorted(os.listdir(samples)):
            compare(name, os.path.join(samples, name))
    else:
        skipped = 1
        print("skip the samples: SHARED is not there")
    for f in failures[:20]:
        print("FAIL", f)
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    sys.exit(bool(failures))


main()
