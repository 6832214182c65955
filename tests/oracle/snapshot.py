#!/usr/bin/env python3
"""`memory` of PyTorch's memory snapshots: an allocator that knows what it did writes its snapshot, and
every figure is worked out anew from what it knows, not from the file: with Python's own pickle in each
protocol, as JSON and compressed; histories whose oldest entries are dropped; the fixtures, whose figures
stand in fixtures/artifact_snapshot.c; pickles that would run code, and cut ones.

Python's standard library only.
"""
import collections
import gzip
import json
import os
import pickle
import random
import subprocess
import sys
import tempfile

TRACEQ = os.environ.get("TRACEQ", "build/release/traceq")
FIXTURES = os.environ.get("FIXTURES", "build/release/fixtures")
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
passed = failed = 0


def check(condition, text):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {text}")


def run(*words):
    p = subprocess.run([TRACEQ, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                       errors="replace")
    return p.returncode, p.stdout, p.stderr


def tables(*words):
    code, out, err = run("memory", *words, "-n", "0", "--points", "0", "--format", "json")
    check(code == 0, f"memory {words}: exit {code}: {err}")
    out = json.loads(out) if code == 0 else {"tables": [], "notes": []}
    rows = collections.defaultdict(list)
    for t in out["tables"]:
        rows[t["id"]] += t["rows"]
    return rows, {n["id"] for n in out["notes"]}


class Block:
    def __init__(self, address, size):
        self.address, self.size, self.requested = address, size, 0
        self.state, self.stack, self.since = "inactive", 0, None


class Segment:
    def __init__(self, address, total, small, stream, pool, expandable):
        self.address, self.total, self.small, self.stream = address, total, small, stream
        self.pool, self.expandable, self.blocks = pool, expandable, [Block(address, total)]


class Allocator:
    """Hands memory out as the caching allocator does, in outline, and writes down what it does."""

    def __init__(self, rng, device, stacks):
        self.rng, self.device, self.stacks = rng, device, stacks
        self.segments, self.trace, self.truth = [], [], []
        self.pending, self.held = [], collections.Counter()
        self.blocks_held = collections.Counter()
        self.next = 0x7F0000000000 + (device << 40)
        self.us = 1_700_000_000_000_000

    def note(self, action, addr, size, stream, stack=None, **more):
        self.us += self.rng.randrange(0, 5)
        e = {"action": action, "addr": addr, "size": size, "stream": stream, "time_us": self.us,
             "compile_context": "N/A"}
        if action == "oom":
            del e["addr"]
        e.update(more)
        if stack is not None:
            e["frames"] = self.stacks[stack]
        self.trace.append(e)
        self.truth.append((sum(self.held.values()), sum(s.total for s in self.segments),
                           dict(self.held), dict(self.blocks_held)))

    def find(self, size, stream, pool):
        fits = [(b.size, b.address, s, b) for s in self.segments for b in s.blocks
                if b.state == "inactive" and b.size >= size and s.small == (size <= MIB) and
                s.stream == stream and s.pool == pool]
        return min(fits, key=lambda f: f[:2])[2:] if fits else None

    def allocate(self, requested, stream, pool, stack):
        size = max(512, (requested + 511) // 512 * 512)
        found = self.find(size, stream, pool)
        if not found:
            total = 2 * MIB if size <= MIB else 20 * MIB if size < 10 * MIB else -(-size // (2 * MIB)) * 2 * MIB
            expandable = pool == (0, 0) and self.rng.random() < 0.3
            s = Segment(self.next, total, size <= MIB, stream, pool, expandable)
            self.next += total + 64 * MIB
            self.segments.append(s)
            self.note("segment_map" if expandable else "segment_alloc", s.address, total, stream, stack)
            found = s, s.blocks[0]
        s, b = found
        rest = b.size - size
        if rest >= 512 if s.small else rest > MIB:
            s.blocks.insert(s.blocks.index(b) + 1, Block(b.address + size, rest))
            b.size = size
        b.state, b.requested, b.stack, b.since = "active_allocated", requested, stack, len(self.trace)
        self.held[stack] += requested
        self.blocks_held[stack] += 1
        self.note("alloc", b.address, requested, stream, stack)
        return s, b

    def free(self, s, b, is_used):
        b.state = "active_pending_free"
        self.held[b.stack] -= b.requested
        self.blocks_held[b.stack] -= 1
        self.note("free_requested", b.address, b.requested, s.stream, b.stack)
        if is_used:
            self.pending.append((s, b))
        else:
            self.complete(s, b)

    def complete(self, s, b):
        self.note("free_completed", b.address, b.requested, s.stream)
        b.state, b.requested = "inactive", 0
        at = s.blocks.index(b)
        for i in (at + 1, at - 1):
            if 0 <= i < len(s.blocks) and s.blocks[i].state == "inactive":
                a, c = s.blocks[min(at, i)], s.blocks[max(at, i)]
                a.size += c.size
                s.blocks.remove(c)
                at = s.blocks.index(a)

    def empty_cache(self):
        for s in list(self.segments):
            if len(s.blocks) == 1 and s.blocks[0].state == "inactive" and s.pool == (0, 0):
                self.segments.remove(s)
                self.note("segment_unmap" if s.expandable else "segment_free", s.address, s.total, s.stream)

    def out_of_memory(self, size, free, stack):
        self.note("oom", 0, size, 0, stack, device_free=free)

    def blocks(self):
        return [(s, b) for s in self.segments for b in s.blocks]

    def segment_dicts(self):
        out = []
        for s in self.segments:
            mine = [b for b in s.blocks if b.state != "inactive"]
            out.append({
                "device": self.device, "address": s.address, "total_size": s.total,
                "allocated_size": sum(b.size for b in mine if b.state == "active_allocated"),
                "active_size": sum(b.size for b in mine), "requested_size": sum(b.requested for b in mine),
                "stream": s.stream, "segment_type": "small" if s.small else "large",
                "segment_pool_id": s.pool, "is_expandable": s.expandable, "frames": [],
                "blocks": [{"address": b.address, "size": b.size, "requested_size": b.requested,
                            "state": b.state,
                            "frames": self.stacks[b.stack] if b.state != "inactive" else []}
                           for b in s.blocks]})
        return out


def live_through(a, steps):
    rng, live = a.rng, []
    for i in range(steps):
        dice = rng.random()
        if dice < 0.55 or not live:
            size = rng.choice((rng.randrange(1, 4 * KIB), rng.randrange(1, MIB), rng.randrange(MIB, 30 * MIB)))
            live.append(a.allocate(size, rng.choice((0, 0, 7)), rng.choice(((0, 0),) * 5 + ((0, 1),)),
                                   rng.randrange(1, len(a.stacks))))
        elif dice < 0.93:
            s, b = live.pop(rng.randrange(len(live)))
            a.free(s, b, rng.random() < 0.2)
        elif dice < 0.97 and a.pending:
            a.complete(*a.pending.pop(rng.randrange(len(a.pending))))
        else:
            a.empty_cache()


def whole_pages(s, b):
    page = 2 * MIB if s.small else 20 * MIB
    first = -(-(b.address - s.address) // page)
    return max(0, (b.address + b.size - s.address) // page - first) * page


def expect_held(a):
    inactive = [(s, b) for s, b in a.blocks() if b.state == "inactive"]
    shared = [(s, b) for s, b in inactive if s.pool == (0, 0)]
    releasable = sum(whole_pages(s, b) if s.expandable else b.size if len(s.blocks) == 1 else 0
                     for s, b in shared)
    allocated = [b for _, b in a.blocks() if b.state == "active_allocated"]
    total = sum(b.size for _, b in inactive)
    pooled = total - sum(b.size for _, b in shared)
    return {"reserved_bytes": sum(s.total for s in a.segments),
            "allocated_bytes": sum(b.size for b in allocated),
            "requested_bytes": sum(b.requested for b in allocated),
            "rounding_bytes": sum(b.size - b.requested for b in allocated),
            "pending_bytes": sum(b.size for _, b in a.pending), "inactive_bytes": total,
            "releasable_bytes": releasable, "pool_inactive_bytes": pooled,
            "fragmented_bytes": total - releasable - pooled,
            "inactive_split_bytes": sum(b.size for s, b in inactive if not s.expandable and len(s.blocks) > 1),
            "largest_free_bytes": max([b.size for _, b in shared], default=0),
            "segments": len(a.segments)}


def compare(rows, expected, text):
    for key, value in expected.items():
        check(rows and rows[0].get(key) == value,
              f"{text}: {key} is {rows[0].get(key) if rows else None}, expected {value}")


def where(frames):
    """The innermost Python frame outside of torch, else one outside, else the innermost."""
    def torch(f):
        return f["filename"].startswith("torch/") or "/torch/" in f["filename"] or f["filename"] == "??"
    own = [f for f in frames if not torch(f)]
    python = [f for f in own if f["filename"].endswith(".py")]
    f = (python or own or frames or [None])[0]
    return f and f"{f['name']} ({f['filename']}:{f['line']})"


def stack_text(frames):
    return ";".join(f"{f['name']} ({f['filename']}:{f['line']})" for f in reversed(frames)) or None


def peak_of(a, dropped):
    """The first largest of what was allocated: its entry, -1 before the history's first, and its truth."""
    kept = a.truth[dropped:]
    peak = max(range(len(kept)), key=lambda i: (kept[i][0], -i))
    start = a.truth[dropped - 1] if dropped else (0, 0)
    return (-1, start) if start[0] > 0 and start[0] >= kept[peak][0] else (peak, kept[peak])


def expect_stacks(a, dropped, rows, text):
    """What was held at the peak and in the end, by stack; unknown of what is older and freed since."""
    peak, at = peak_of(a, dropped)
    # Blocks alive when the kept history begins that it frees later: their stack is not in it.
    alive = {}
    for e in a.trace[:dropped]:
        if e["action"] == "alloc":
            alive[e["addr"]] = (e["size"], a.stacks.index(e["frames"]))
        elif e["action"] == "free_requested":
            alive.pop(e["addr"], None)
    gone_at = {}
    for i, e in enumerate(a.trace[dropped:]):
        if e["action"] == "free_requested" and e["addr"] in alive and e["addr"] not in gone_at:
            gone_at[e["addr"]] = i
    unknown = sum(alive[x][0] for x, i in gone_at.items() if i > peak)
    at_peak = collections.Counter(at[2])
    for x, i in gone_at.items():
        if i > peak:
            at_peak[alive[x][1]] -= alive[x][0]
    got = {r["stack"]: r for r in rows}
    for i, frames in enumerate(a.stacks):
        row = got.get(stack_text(frames), {}) if frames else {}
        if not frames:
            continue
        check(row.get("peak_bytes", 0) == at_peak[i], f"{text}: stack {i} at the peak")
        check(row.get("end_bytes", 0) == a.held[i], f"{text}: stack {i} at the end")
        check(row.get("end_blocks", 0) == a.blocks_held[i], f"{text}: blocks of stack {i} at the end")
        if row:
            check(row["where"] == where(frames), f"{text}: where stack {i} is: {row['where']}")
    freed = [r for r in rows if (r["where"] or "").startswith("(")]
    check((freed[0]["peak_bytes"] if freed else 0) == unknown, f"{text}: unknown at the peak")
    check(sum(r["peak_bytes"] for r in rows) == at[0], f"{text}: the peak is the sum of its stacks")
    return sum(s for s, _ in alive.values()), sum(alive[x][0] for x in gone_at)


def expect_history(a, dropped, got, text):
    kept, trace = a.truth[dropped:], a.trace[dropped:]
    peak, at = peak_of(a, dropped)
    top = max(range(len(kept)), key=lambda i: (kept[i][1], -i))
    us = [e["time_us"] for e in trace]
    compare(got["peaks"], {
        "peak_allocated_bytes": at[0], "reserved_at_peak_bytes": at[1],
        "at_ns": (us[max(peak, 0)] - us[0]) * 1000, "peak_reserved_bytes": kept[top][1], "events": len(kept),
        "allocations": sum(e["action"] == "alloc" for e in trace),
        "frees": sum(e["action"] == "free_requested" for e in trace),
        "alloc_bytes": sum(e["size"] for e in trace if e["action"] == "alloc"),
        "out_of_memory": sum(e["action"] == "oom" for e in trace)}, text)
    before, freed = expect_stacks(a, dropped, got["stacks"], text)
    reserved = a.truth[dropped - 1][1] if dropped else 0
    compare(got["history"], {"entries": len(kept), "before_bytes": before, "before_freed_bytes": freed,
                             "before_reserved_bytes": reserved, "odd": 0, "drift_bytes": 0,
                             "length_ns": (us[-1] - us[0]) * 1000}, text)
    moves = {"alloc", "free_requested", "segment_alloc", "segment_free", "segment_map", "segment_unmap"}
    curve = [((us[i] - us[0]) * 1000, kept[i][0], kept[i][1]) for i in range(len(kept))
             if trace[i]["action"] in moves or i == 0]
    drawn = [(r["at_ns"], r["allocated_bytes"], r["reserved_bytes"]) for r in got["curve"]]
    # Of a stretch first, lowest, highest and last are kept: all that is drawn is true, in order.
    it = iter(curve)
    check(all(p in it for p in drawn), f"{text}: the curve goes through what was")
    check(peak < 0 or (us[peak] - us[0], kept[peak][0]) in [(t // 1000, y) for t, y, _ in drawn], f"{text}: the peak is drawn")


def write(path, snapshot, form):
    if form == "json":
        with open(path, "w", encoding="utf-8") as f:
            f.write(json.dumps(snapshot))
        return
    data = pickle.dumps(snapshot, protocol=int(form[0]))
    with (gzip.open if form.endswith("gz") else open)(path, "wb") as f:
        f.write(data)


def made(rng):
    files = ("train.py", "/opt/torch/nn/modules/module.py", "model.py", "??", "torch/x.py", "lib.cpp")
    frames = [{"name": f"f{i}", "filename": rng.choice(files), "line": i} for i in range(40)]
    stacks, seen = [[]], set()
    while len(stacks) < 12:
        s = [rng.choice(frames) for _ in range(rng.randrange(1, 6))]
        if stack_text(s) not in seen:
            seen.add(stack_text(s))
            stacks.append(s)
    return stacks


def random_ones(folder):
    for seed in range(24):
        rng = random.Random(seed)
        stacks = made(rng)
        a, b = Allocator(rng, 0, stacks), Allocator(rng, 2, stacks)
        live_through(a, rng.choice((5, 60, 400)))
        live_through(b, 40)
        dropped = rng.choice((0, 0, rng.randrange(len(a.trace))))
        snapshot = {"segments": a.segment_dicts() + b.segment_dicts(),
                    "device_traces": [a.trace[dropped:], [], b.trace],
                    "allocator_settings": {"expandable_segments": False, "max_split_size": (1 << 64) - 1},
                    "external_annotations": []}
        form = ("2", "3", "4", "5", "4gz", "json")[seed % 6]
        path = os.path.join(folder, f"s{seed}.bin")
        write(path, snapshot, form)
        text = f"seed {seed} ({form}, {dropped} dropped)"
        got, _ = tables(path, "--device", "0")
        compare(got["held"], expect_held(a), text)
        expect_history(a, dropped, got, text)
        states = {r["state"]: (r["blocks"], r["bytes"]) for r in got["blocks"]}
        for state in ("active_allocated", "active_pending_free", "inactive"):
            mine = [x.size for _, x in a.blocks() if x.state == state]
            check(states.get(state, (0, 0)) == (len(mine), sum(mine)), f"{text}: blocks {state}")
        check(sum(r["reserved_bytes"] for r in got["segments"]) == sum(s.total for s in a.segments),
              f"{text}: kinds of segments come to all")
        check(sum(r["fragmented_bytes"] for r in got["segments"]) == expect_held(a)["fragmented_bytes"],
              f"{text}: their fragments, too")
        got, notes = tables(path)
        check([r["device_id"] for r in got["held"]] == sorted({s.get("device") for s in snapshot["segments"]}),
              f"{text}: devices")
        check(("snapshot_before" in notes) == bool(dropped and got["history"][0]["before_bytes"]),
              f"{text}: whether the begin is missing is said")


def expect_why(a, size, free):
    shared = [(s, b) for s, b in a.blocks() if b.state == "inactive" and s.pool == (0, 0)]
    fitting = max([b.size for s, b in shared if s.stream == 0 and s.small == (size <= MIB)], default=0)
    if free >= size:
        return "limit"
    if fitting >= size:
        return "free block"
    return "fragmentation" if sum(b.size for _, b in shared) + free >= size else "full"


def ooms(folder):
    seen = collections.Counter()
    for seed in range(30):
        rng = random.Random(1000 + seed)
        a = Allocator(rng, 0, made(rng))
        live_through(a, 80)
        size, free = rng.choice((4, 12, 40, 120, 500)) * MIB, rng.choice((0, 3, 30, 90)) * MIB
        reserved, allocated = a.truth[-1][1], a.truth[-1][0]
        a.out_of_memory(size, free, 3)
        path = os.path.join(folder, "oom.pickle")
        write(path, {"segments": a.segment_dicts(), "device_traces": [a.trace]}, "4")
        why = expect_why(a, size, free)
        seen[why] += 1
        got, _ = tables(path)
        compare(got["oom"], {"why": why, "request_bytes": size, "device_free_bytes": free,
                             "reserved_bytes": reserved, "allocated_bytes": allocated,
                             "entries_since": 0, "where": where(a.stacks[3])}, f"oom {seed}")
        text = got["answer"][0]["text"] if got["answer"] else ""
        check(("expandable_segments:True" in text) == (why == "fragmentation"), f"oom {seed}: advice: {text}")
        live_through(a, 10)
        write(path, {"segments": a.segment_dicts(), "device_traces": [a.trace]}, "4")
        got, _ = tables(path)
        row = got["oom"][0]
        check(row["reserved_bytes"] == reserved and row["allocated_bytes"] == allocated and
              row["inactive_bytes"] is None, f"oom {seed}: memory has moved since")
        sure = "limit" if free >= size else "full" if reserved - allocated + free < size else "unknown"
        check(row["why"] == sure, f"oom {seed}: {row['why']} of what has moved, expected {sure}")
    for why in ("limit", "free block", "fragmentation", "full"):
        check(seen[why] > 0, f"no {why} among the failures")


def growth(folder):
    rng = random.Random(5)
    a = Allocator(rng, 0, made(rng))
    cache = []
    for i in range(600):
        s, b = a.allocate(3 * MIB, 0, (0, 0), 1)
        a.allocate(2 * MIB, 0, (0, 0), 2)  # grows
        if i < 60:
            a.allocate(4 * MIB, 0, (0, 0), 3)  # fills up at the begin
        cache.append(a.allocate(2 * MIB, 0, (0, 0), 4))  # goes round
        if len(cache) > 20:
            a.free(*cache.pop(0), False)
        a.free(s, b, False)
    path = os.path.join(folder, "growth.pickle")
    write(path, {"segments": a.segment_dicts(), "device_traces": [a.trace]}, "2")
    got, _ = tables(path)
    leaks = [r["frames"] for r in got["growing"] if r["sign"] == "leak"]
    check(leaks == [stack_text(a.stacks[2])], f"what leaks: {leaks}")
    code, out, err = run("memory", path, "--format", "folded", "-n", "0")
    folded = dict(line.rsplit(" ", 1) for line in out.splitlines())
    expected = {r["stack"]: str(r["peak_bytes"]) for r in got["stacks"] if r["stack"]}
    check(code == 0 and folded == expected, f"folded stacks: {err}")
    row = got["growing"][0]
    check(row["last_bytes"] == 600 * 2 * MIB and row["blocks"] == 600, f"how much: {row}")
    seconds = (a.us - 1_700_000_000_000_000) / 1e6
    check(abs(row["slope_bytes_per_s"] / (600 * 2 * MIB / seconds) - 1) < 0.05, f"how fast: {row}")


def fixtures(folder):
    for steps in (1, 10, 25):
        path = os.path.join(folder, f"fixture{steps}")
        with open(path, "wb") as f:
            subprocess.run([FIXTURES, "artifact", "memory-snapshot", "--rows", str(steps)], stdout=f, check=True)
        with open(path, "rb") as f:
            snapshot = pickle.load(f)
        leaks = -(-steps // 10)
        rest = leaks * 20 * MIB - steps * 2 * MIB
        got, _ = tables(path)
        compare([r for r in got["held"] if r["device_id"] == 0], {
            "reserved_bytes": (810 + 20 * leaks) * MIB,
            "allocated_bytes": 520 * MIB + MIB // 2 + steps * 2 * MIB, "pending_bytes": 6 * MIB,
            "rounding_bytes": 1000 + 24 * steps, "releasable_bytes": 256 * MIB,
            "pool_inactive_bytes": 12 * MIB, "fragmented_bytes": 15 * MIB + MIB // 2 + rest,
            "largest_free_bytes": 256 * MIB}, f"fixture of {steps}")
        compare([r for r in got["held"] if r["device_id"] == 1], {
            "reserved_bytes": 60 * MIB, "allocated_bytes": 30 * MIB, "releasable_bytes": 20 * MIB,
            "fragmented_bytes": 10 * MIB, "inactive_split_bytes": 0}, f"device 1 of {steps}")
        last = snapshot["device_traces"][0][-1]
        active = sum(b["size"] for s in snapshot["segments"] if s["device"] == 0 for b in s["blocks"]
                     if b["state"] != "inactive")
        check(last["action"] == "snapshot" and last["size"] == active, "the snapshot's own entry")
        compare(got["history"], {"before_bytes": (584 * MIB + MIB // 2) - 1000, "before_freed_bytes": 64 * MIB,
                                 "drift_bytes": 0, "odd": 0}, f"fixture of {steps}")
        for protocol in range(2, 6):
            with open(path + "p", "wb") as f:
                pickle.dump(snapshot, f, protocol=protocol)
            check(tables(path + "p") == (got, _), f"fixture of {steps} in protocol {protocol}")


class Runs:
    def __reduce__(self):
        return os.system, ("true",)


def refused(folder):
    path = os.path.join(folder, "bad")
    good = {"segments": [], "device_traces": [[{"action": "alloc", "addr": 512, "size": 1, "stream": 0,
                                                "time_us": 1, "frames": []}]]}
    for protocol in range(2, 6):
        with open(path, "wb") as f:
            pickle.dump(dict(good, allocator_settings=Runs()), f, protocol=protocol)
        code, out, err = run("memory", path)
        check(code == 2 and "Python code" in err and not out, f"code in protocol {protocol}: {err}")
        data = pickle.dumps(good, protocol=protocol)
        for n in range(40, len(data)):
            with open(path, "wb") as f:
                f.write(data[:n])
            code, out, err = run("memory", path)
            check(code == 2 and err and not out, f"cut at {n} of {len(data)}, protocol {protocol}: {code}")
            if protocol > 2:
                break


def main():
    with tempfile.TemporaryDirectory() as folder:
        fixtures(folder)
        random_ones(folder)
        ooms(folder)
        growth(folder)
        refused(folder)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
