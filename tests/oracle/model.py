#!/usr/bin/env python3
"""The model of `critical` where steps, streams and the launch queue make it hard, against sums on paper.

Programs of one host thread and some streams are played here, event by event, with rules of our own: a call takes its
time; a piece begins its delay after its launch, behind the piece before it on its stream and what it was told to wait
for; with a bounded queue a launch returns only when there is room. Each has a period that follows from its durations in
a line; the line stands beside it. What is asked of traceq: how long a step is, and how long it would be.
"""
import json
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]

passed = 0
failures = []


def near(where, got, want, within=0.002):
    global passed
    if got is not None and abs(got - want) <= within * want:
        passed += 1
    else:
        failures.append(f"{where}: traceq {got!r}, on paper {want!r}")


def same(where, got, want):
    global passed
    if got == want:
        passed += 1
    else:
        failures.append(f"{where}: traceq {got!r}, on paper {want!r}")


class Program:
    """Times in us. A launch is `op` us of an operator, the last `call` of which are the call; a piece begins DELAY
    after the call does, or GAP behind the piece before it."""
    DELAY, GAP = 6, 1

    def __init__(self, room=None, op=10, call=4, by_stream=False):
        self.events, self.t, self.busy_until, self.ends, self.links = [], 0.0, {}, {}, 0
        self.room, self.op, self.call, self.marks, self.by_stream = room, op, call, 0, by_stream

    def add(self, cat, name, tid, start, end, pid=1, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": round(start, 3),
                            "dur": round(end - start, 3), "args": args})

    def launch(self, name, dur, stream=7, after=0.0, cat="kernel", call="cudaLaunchKernel"):
        """The end of the piece. Of those that a full queue counts the one that leaves room has to have ended."""
        self.links += 1
        link, ends = self.links, self.ends.setdefault(stream if self.by_stream else 0, [])
        start, begun = self.t, self.t + self.op - self.call
        back = begun + self.call
        if self.room and len(ends) >= self.room:
            back = max(back, sorted(ends)[-self.room])
        runs = max(begun + self.DELAY, back - self.call + self.DELAY, after,
                   self.busy_until.get(stream, -self.GAP) + self.GAP)
        self.busy_until[stream] = runs + dur
        ends.append(runs + dur)
        self.add("cpu_op", "aten::" + name, 1, start, back + 0.5)
        self.add("cuda_runtime", call, 1, begun, back, correlation=link)
        self.add(cat, name, stream, runs, runs + dur, pid=0, device=0, stream=stream, correlation=link)
        self.t = back + 1
        return runs + dur

    def wait(self, until):
        """A call that waits for a piece."""
        self.add("cuda_runtime", "cudaStreamSynchronize", 1, self.t, max(self.t + 2, until + 3))
        self.t = max(self.t + 2, until + 3) + 1

    def host(self, dur, name="aten::index"):
        self.add("cpu_op", name, 1, self.t, self.t + dur)
        self.t += dur + 1

    def step(self, body):
        begin = self.t
        body()
        self.add("user_annotation", f"ProfilerStep#{self.marks}", 1, begin, self.t)
        self.t += 1
        self.marks += 1

    def write(self, path):
        with open(path, "w") as f:
            f.write(json.dumps({"deviceProperties": [{"id": 0, "name": "X", "numSms": 80}], "traceEvents": self.events}))


def ask(path, command, *options):
    """The tables of an answer, by id."""
    out = subprocess.run([TRACEQ, command, path, "--json", *options], capture_output=True, text=True, check=True)
    return {t["id"]: t["rows"] for t in json.loads(out.stdout)["tables"]}


def predicted(path, change):
    """The step with that change, in us."""
    rows = ask(path, "critical", "--what-if", change)["what_if"]
    return next((r["step_then_ns"] / 1e3 for r in rows if r["scenario"] == change), None)


def steps_on_the_device(folder):
    """20 kernels a step, the host far ahead of them: 11 us of it a kernel.

    A step is 20 x (dur + 1): 2020 us at 100; that begins and ends where the device does, so it stays so until the host
    is what takes longer, at 20 x 11 + 1 = 221: 20 x (10 + 1) = 220 with a tenth of the work.
    """
    path = os.path.join(folder, "device_cut.json")
    p = Program()
    for _ in range(8):
        p.step(lambda: [p.launch("gemm", 100) for _ in range(20)])
    p.write(path)
    for factor, want in ((1, 2020), (0.8, 1620), (0.5, 1020), (0.15, 320), (0.1, 221), (2, 4020)):
        near(f"device_cut: kernels x {factor}", predicted(path, f"kernel:.*={factor}"), want)


def steps_beside_a_prefetch(folder):
    """40 kernels of 300 us a step, and a copy of its batch, 50 us, that the first kernel waits for.

    On the stream of the kernels a step is 50 + 1 + 40 x 301 = 12091. On a stream of its own the copy is long done when
    the kernels come to it, 40 x 301 = 12040; it starts at once, which says nothing of how far the host is ahead.
    """
    for side, want in ((7, 12091), (30, 12040), (3, 12040)):
        path = os.path.join(folder, f"prefetch_{side}.json")
        p = Program()

        def batch():
            done = p.launch("Memcpy HtoD (Pinned -> Device)", 50, side, cat="gpu_memcpy", call="cudaMemcpyAsync")
            for i in range(40):
                p.launch("gemm", 300, after=done if i == 0 else 0)
        for _ in range(8):
            p.step(batch)
        p.write(path)
        near(f"prefetch on stream {side}: step", ask(path, "critical")["bound"][0]["window_ns"] / 6e3, want)
        near(f"prefetch on stream {side}: kernels x 0.5", predicted(path, "kernel:.*=0.5"), want - 6000)
        near(f"prefetch on stream {side}: copies free", predicted(path, "copy:.*=0"), want - (50 if side == 7 else 0))


def steps_on_the_host(folder):
    """The other way round: kernels that start at once, and a stream of long collectives that wait for them.

    The host waits at the end of each step, and never is ahead: 1 + 20 x 11 us of host, then what is left, 20 kernels of
    30 us from 10 us on, the collective behind them, 3 to come back, 1, and 1 to the next step.
    """
    path = os.path.join(folder, "on_the_host.json")
    p = Program()

    def body():
        for _ in range(20):
            done = p.launch("gemm", 30)
        done = p.launch("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 900, 20, after=done)
        p.wait(done)
    for _ in range(8):
        p.step(body)
    p.write(path)
    tables = ask(path, "critical")
    # the first kernel at 6 + 6, 20 x 31 - 1, 900, 3, 1, 1
    near("steps on the host: step", tables["bound"][0]["window_ns"] / 6e3, 12 + 619 + 900 + 3 + 1 + 1, 0.001)
    near("steps on the host: comm free", predicted(path, "comm:.*=0"), 12 + 619 + 3 + 1 + 1, 0.005)


def full_queues(folder):
    """Kernels of 100 us, 400 a step, and 1 between; no more than so many launches may be outstanding.

    A step is 400 x 101 = 40,400, and 400 x 51 with kernels twice as fast, until the host is what takes longer, 400 x 11
    + 1. The host is only held up, so it may be twice as fast or slow without a change: 400 x 22 is less.  With kernels
    of 28 us nine of ten launches are held up, and for 14 us only.
    """
    for room, n, dur in ((1024, 400, 100), (64, 400, 100), (1024, 1500, 28)):
        path = os.path.join(folder, f"queue_{room}.json")
        p = Program(room)
        for _ in range(12):
            p.step(lambda: [p.launch("gemm", dur) for _ in range(n)])
        p.write(path)
        host, step = n * 11 + 1, n * (dur + 1)
        for change, want in (("kernel:.*=1", step), ("kernel:.*=0.5", n * (dur / 2 + 1)), ("kernel:.*=0.1", host),
                             ("kernel:.*=2", n * (2 * dur + 1)), ("host=0.5", step), ("host=2", step), ("sync=0", step)):
            near(f"queue of {room}, {dur} us: {change}", predicted(path, change), want)
        said = {r["evidence"]: r["count"] for r in ask(path, "critical")["evidence"] if r["of"] == "launch"}
        same(f"queue of {room}, {dur} us: evidence", sorted(said), ["correlation", "queue"])
        near(f"queue of {room}, {dur} us: held", said.get("queue"), 12 * n - room, 0.15)


def full_queues_of_two_streams(folder):
    """200 pairs a step: a kernel of 100 us, and one of 3 us on another stream, for which the host needs 22 us.

    Bounded is what a stream has outstanding, or the GPU. A step is 200 x 101, then 200 x 51.
    """
    for by_stream in (True, False):
        path = os.path.join(folder, "queue_of_two.json")
        p = Program(64, by_stream=by_stream)

        def pairs():
            for _ in range(200):
                p.launch("gemm", 100)
                p.launch("scale", 3, 20)
        for _ in range(12):
            p.step(pairs)
        p.write(path)
        for change, want in (("kernel:gemm=0.5", 10200), ("kernel:gemm=0.1", 4401), ("kernel:gemm=2", 40200),
                             ("kernel:scale=0", 20200), ("host=0.5", 20200)):
            near(f"queue of {'streams' if by_stream else 'the GPU'}: {change}", predicted(path, change), want)


def no_queue(folder):
    """Now and then a launch takes long, while much is outstanding, and as a kernel ends: that is no queue.

    20 of them a step of 500 us; the host waits at the end of each. 200 kernels of 52 us, launched every 11 us, are
    what a step lasts: the host needs 200 x 11 + 20 x 500.
    """
    path = os.path.join(folder, "no_queue.json")
    p = Program()

    def body():
        for i in range(200):
            p.call, p.op = (504, 510) if i % 10 == 9 else (4, 10)
            done = p.launch("gemm", 52)
        p.call, p.op = 4, 10
        p.wait(done)
    for _ in range(8):
        p.step(body)
    p.write(path)
    same("no queue", [r for r in ask(path, "critical")["evidence"] if r["evidence"] == "queue"], [])


def main():
    with tempfile.TemporaryDirectory() as folder:
        steps_on_the_device(folder)
        steps_beside_a_prefetch(folder)
        steps_on_the_host(folder)
        full_queues(folder)
        full_queues_of_two_streams(folder)
        no_queue(folder)
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    for f in failures[:20]:
        print("FAIL", f)
    sys.exit(1 if failures else 0)


main()
