#!/usr/bin/env python3
"""`critical`: the path of small traces worked out again, from docs/definitions.md alone.

One thread at a time, streams that do not wait for each other.  Goes backwards from the end of the
window: on a thread to the last return of a call that waited for work, from work to what it waited
for.  Each stretch of it has to have the same begin, length, owner and name as `--list` says, to the
nanosecond; pieces of one call that touch are one.  Prints what differs.
"""
import gzip
import json
import os
import subprocess
import sys
import tempfile
from decimal import Decimal

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
TRACES = os.path.join(os.environ.get("SHARED", "../shared"), "traces")
FILES = ["hta_simple_add", "hta_event_sync_multi", "tl_h100_bert"]
SCENARIOS = ["tiny", "copy-bound", "inference"]
CALLS = {"cuda_runtime", "cuda_driver"}
HOST = CALLS | {"cpu_op", "user_annotation"}
WORK = {"kernel", "gpu_memcpy", "gpu_memset"}
FUNCTION_MIN = 10000  # ns; shorter Python functions explain nothing
CLOCKS = 2000


class Row:
    def __init__(self, e):
        a = e.get("args", {})
        self.start = int(Decimal(str(e["ts"])) * 1000)
        self.end = self.start + int(Decimal(str(e.get("dur", 0))) * 1000)
        self.name, self.cat, self.tid = e["name"], e["cat"], str(e["tid"])
        self.link, self.kind = a.get("correlation"), a.get("cuda_sync_kind", "")
        self.stream = (int(a.get("device", 0)), str(a.get("stream")))
        self.prev = self.launch = None
        self.launches = self.waits = False


def median(values):
    return sorted(values)[(len(values) - 1) // 2] if values else 0


class Run:
    def __init__(self, path):
        with (gzip.open if path.endswith(".gz") else open)(path, "rt") as f:
            events = json.load(f, parse_float=Decimal)["traceEvents"]
        rows = [Row(e) for e in events if e.get("ph") == "X" and
                e.get("cat") in HOST | WORK | {"cuda_sync"}]
        rows.sort(key=lambda r: (r.start, -r.end))
        self.work = [r for r in rows if r.cat in WORK]
        self.said = {r.link: r for r in rows if r.cat == "cuda_sync"}
        self.functions = [r for r in (Row(e) for e in events if e.get("cat") == "python_function" and e.get("ph") == "X")
                          if r.end - r.start >= FUNCTION_MIN]
        self.functions.sort(key=lambda r: (r.start, -r.end))
        self.host, self.back = {}, {}
        for r in rows:
            if r.cat in HOST:
                self.host.setdefault(r.tid, []).append(r)
        self.link()
        for tid, rows in self.host.items():
            self.back[tid] = [b for b in map(self.returns, rows) if b]

    def link(self):
        calls = {r.link: r for rows in self.host.values() for r in rows if r.cat in CALLS}
        last = {}
        for w in self.work:
            w.prev, w.launch = last.get(w.stream), calls.get(w.link)
            last[w.stream] = w
            if w.launch:
                w.launch.launches = True
        launched = [w for w in self.work if w.launch and w.start >= w.launch.start]
        self.launching = median([w.start - w.launch.start for w in launched
                                 if not w.prev or w.prev.end <= w.launch.start])
        self.following = median([w.start - w.prev.end for w in launched if w.prev and
                                 w.launch.start + self.launching <= w.prev.end <= w.start])

    def waited_for(self, r):
        """What a call waited for, or None: by a row, its own copy, else the last that ended."""
        before = [w for w in self.work if w.end <= r.end + CLOCKS and
                  (not w.launch or w.launch.start < r.start)]
        row, found = self.said.get(r.link), []
        if row and row.kind in ("Stream Sync", "Context Sync"):
            found = [w for w in before if row.kind == "Context Sync" or w.stream == row.stream]
        if not found:
            found = [w for w in self.work if w.link == r.link and w.end <= r.end and
                     w.cat == "gpu_memcpy" and
                     not ("Async" in r.name and "Pinned" in w.name)]
        named = "Synchronize" in r.name or r.name in ("cudaFree", "cudaMemcpy", "cudaMemset")
        r.waits = named
        return max(found or (before if named else []), key=lambda w: w.end, default=None)

    def returns(self, r):
        work = self.waited_for(r) if r.cat in CALLS else None
        if not work:
            return None
        if work.end <= r.start:  # done when it began
            r.waits = False
            return None
        return r.end, work, r

    def owner(self, chain):
        of = "nothing recorded"
        for r in chain:
            if of == "sync call":
                return of
            if r.cat in CALLS and r.waits:
                of = "sync call"
            elif of == "data loader" or "DataLoader" in r.name and "__next__" in r.name:
                of = "data loader"
            elif r.cat in CALLS:
                of = "launch call" if r.launches else "runtime call"
            else:
                of = "CPU op" if r.cat == "cpu_op" else "Python"
        return of

    def pieces(self, tid, start, end):
        """Host time, the last piece first."""
        rows = [r for r in self.host[tid] if r.start < end and r.end > start]
        functions = [r for r in self.functions if r.tid == tid and r.start < end and r.end > start]
        cuts = sorted({start, end} | {t for r in rows + functions for t in (r.start, r.end) if start < t < end})
        for a, b in reversed(list(zip(cuts, cuts[1:]))):
            chain = [r for r in rows if r.start <= a and r.end >= b]
            inner = [r for r in functions if r.start <= a and r.end >= b][-1:]
            owner, name = self.owner(chain), chain[-1].name if chain else None
            if inner and owner in ("nothing recorded", "CPU op", "Python") and (
                    not chain or (inner[0].start, -inner[0].end) > (chain[-1].start, -chain[-1].end)):
                owner, name = "Python", inner[0].name
            yield a, b - a, owner, name

    def before(self, w):
        """What work waited for: a row, and the owner of the time between."""
        if not w.prev or (w.launch and (
                w.prev.end < w.launch.start or (
                    w.start - w.prev.end > self.following and
                    w.launch.start + self.launching > w.prev.end))):
            return (w.launch, w.launch.start, "launch delay") if w.launch else None
        return w.prev, w.prev.end, "stream gap"

    def path(self, start, end, at):
        """Backwards; at: a thread's id, or the work that ends the window."""
        while end > start:
            if isinstance(at, Row):
                yield at.start, end - at.start, "copy" if at.cat == "gpu_memcpy" else "kernel", at.name
                end, why = at.start, self.before(at)
                if not why:
                    return
                yield why[1], end - why[1], why[2], at.name
                end, at = why[1], why[0] if why[0].cat in WORK else why[0].tid
                continue
            back = max((b for b in self.back[at] if start < b[0] <= end), default=None,
                       key=lambda b: b[0])
            yield from self.pieces(at, back[0] if back else start, end)
            if not back:
                return
            yield back[1].end, back[0] - back[1].end, "sync return", back[2].name
            end, at = min(back[0], back[1].end), back[1]


def joined(pieces):
    out = []
    for start, ns, owner, name in pieces:
        name = "step" if (name or "").startswith("ProfilerStep") else name
        if ns <= 0:
            continue
        if out and out[-1][2:] == (owner, name) and sum(out[-1][:2]) == start:
            out[-1] = (out[-1][0], out[-1][1] + ns, owner, name)
        else:
            out.append((start, ns, owner, name))
    return out


def compare(what, path):
    said = subprocess.run([TRACEQ, "critical", "--json", "--list", "-n", "0", path],
                          stdout=subprocess.PIPE, check=True).stdout
    tables = {t["id"]: t["rows"] for t in json.loads(said)["tables"]}
    rows = tables["segments"]
    run, end = Run(path), rows[-1]["start_ns"] + rows[-1]["duration_ns"]
    marks = [r for rows in run.host.values() for r in rows if r.name.startswith("ProfilerStep")]
    at = max(run.host, key=lambda t: len(run.host[t]))
    at = marks[0].tid if marks else next((w for w in run.work if w.end == end), at)
    want = joined(sorted(run.path(rows[0]["start_ns"], end, at)))
    have = joined((r["start_ns"], r["duration_ns"], r["class"], r["name"]) for r in rows)
    for p in sorted(set(have) ^ set(want), key=str)[:10]:
        print(f"{what}: {'said' if p in have else 'worked out'}: {p}")
    return len(want) if have == want else -1


def main():
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in SCENARIOS:
            path = os.path.join(folder, "trace.json")
            with open(path, "wb") as out:
                subprocess.run([FIXTURES, name, "--steps", "1"], stdout=out, check=True)
            counts[name] = compare(name, path)
        for name in FILES:
            path = os.path.join(TRACES, name + ".json.gz")
            if os.path.exists(path):
                counts[name] = compare(name, path)
    failed = sum(n <= 0 for n in counts.values())
    missing = sum(name not in counts for name in FILES)
    print(f"{sum(n for n in counts.values() if n > 0)} passed, {failed} failed, {missing} skipped")
    return 1 if failed else 0


sys.exit(main())
