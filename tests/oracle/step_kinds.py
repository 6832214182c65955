#!/usr/bin/env python3
"""Kinds of steps: runs in which some steps do what others do not, planted by a rule that is written down here.

Each step launches 20 kernels of 1 ms, of which each varies by a hundredth, and waits for them.  A planted step does
something before its first launch, or has longer kernels, or more of them.  What is planted must be found, at the steps
where it is and under its name, and nothing else; how many, the mean and what it is more are worked out from the
durations of the steps that were written.  Steady and noisy runs have none: at most one of a hundred.

Asked of steps, summary and diagnose: all of them judge by the steps that are left, and say how many these are.
"""
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile

TRACEQ = os.path.abspath(os.environ.get("TRACEQ", "build/release/traceq"))
FULL = os.environ.get("CHECK_ALL") == "1"
NOISY_RUNS = 300 if FULL else 40
KERNELS = 20

checked = 0
failures = []


def expect(where, what, got, want):
    global checked
    checked += 1
    if got != want:
        failures.append(f"{where}: {what}: {got!r}, not {want!r}")


def near(where, what, got, want, off):
    global checked
    checked += 1
    if got is None or abs(got - want) > off:
        failures.append(f"{where}: {what}: {got!r}, not {want!r}")


def trace(count, does, rng, jitter=0.01, noise=None, waits=True):
    """The events of such a run, and the durations of its steps in us; does: of a step's number, (name, category,
    us before the first launch), how much longer kernels are, how many more there are."""
    out, durations, now, busy, number = [], [], 1000.0, 0.0, 0

    def add(cat, name, start, length, **args):
        device = cat == "kernel"
        out.append({"ph": "X", "cat": cat, "name": name, "pid": 0 if device else 100, "tid": 7 if device else 100,
                    "ts": round(start, 3), "dur": round(length, 3), "args": args})

    for step in range(count):
        begin, (host, longer, more) = now, does(step)
        scale = longer * (noise(rng) if noise else 1)
        now += 50
        for name, cat, length in host:
            add(cat, name, now, length)
            now += length
        for k in range(KERNELS + more):
            number += 1
            add("cpu_op", "aten::mm", now, 30)
            add("cuda_runtime", "cudaLaunchKernel", now + 5, 10, correlation=number)
            start, length = max(busy + 2, now + 20), 1000 * scale * (1 + rng.gauss(0, jitter))
            add("kernel", "gemm" if k < KERNELS else "extra", start, length, device=0, stream=7, correlation=number)
            busy = start + length
            now += 40
        number += 1
        if waits:
            add("cuda_runtime", "cudaDeviceSynchronize", now, max(busy - now, 1) + 5, correlation=number)
            now = round(max(busy, now) + 10, 3)
        add("user_annotation", f"ProfilerStep#{step + 3}", begin, now - begin)
        durations.append(now - begin)
    return {"traceEvents": out}, durations


def ask(folder, document, *command):
    path = os.path.join(folder, "t.json")
    with open(path, "w") as f:
        f.write(json.dumps(document))
    answers = []
    for c in command:
        p = subprocess.run([TRACEQ, c, path, "--json", "-q"], capture_output=True, text=True)
        answers.append({t["id"]: t["rows"] for t in json.loads(p.stdout)["tables"]})
    return answers


SAVE, COMPILE, COLLECT = "torch.save", "_compile.compile_inner (dynamo_timed)", "gc.collect"
REGION, CALL = "user_annotation", "cuda_runtime"


def plan(*parts):
    """Parts: (holds of a step, host, longer, more)."""
    def does(step):
        host, longer, more = [], 1, 0
        for holds, h, l, m in parts:
            if holds(step):
                host, longer, more = host + h, longer * l, more + m
        return host, longer, more
    return does


# name: (steps, what they do, [(kind, when, which steps)])
PLANTED = {
    "checkpoint every fifth": (12, plan((lambda s: s % 5 == 4, [(SAVE, REGION, 8600)], 1, 0)),
                               [("checkpoint", "every 5 steps, from #7", {4, 9})]),
    "a tenth of a step": (30, plan((lambda s: s % 10 == 7, [(COLLECT, REGION, 2100)], 1, 0)),
                          [("garbage collection", "every 10 steps, from #10", {7, 17, 27})]),
    "compiling once": (12, plan((lambda s: s == 3, [(COMPILE, REGION, 600000)], 1, 0)), [("compiling", "#6", {3})]),
    "warming up": (12, plan((lambda s: s < 2, [("cudaMalloc", CALL, 9000)], 1, 0)),
                   [("allocator", "the first 2", {0, 1})]),
    "slower from the middle on": (12, plan((lambda s: s >= 6, [], 1.4, 0)),
                                  [("slower kernels", "from #9 on", set(range(6, 12)))]),
    "slower for the most part": (12, plan((lambda s: s >= 4, [], 1.4, 0)),
                                 [("slower kernels", "from #7 on", set(range(4, 12)))]),
    "other work now and then": (20, plan((lambda s: s % 4 == 3, [], 1, 6)),
                                [("more kernels", "every 4 steps, from #6", {3, 7, 11, 15, 19})]),
    "two at odd places": (25, plan((lambda s: s in (5, 11), [("logging.info", REGION, 1), ("print", REGION, 5000)], 1, 0)),
                          [("logging", "#8 and #14", {5, 11})]),
    "all of it": (20, plan((lambda s: s % 5 == 4, [(SAVE, REGION, 8600)], 1, 0),
                           (lambda s: s == 3, [(COMPILE, REGION, 60000)], 1, 0), (lambda s: s >= 12, [], 1.2, 0)),
                  [("compiling", "#6", {3}), ("checkpoint", "every 5 steps, from #7", {4, 9, 14, 19}),
                   ("slower kernels", "from #15 on", {12, 13, 15, 16, 17, 18})]),
}


def check_planted(folder, name, seed):
    count, does, wanted = PLANTED[name]
    document, durations = trace(count, does, random.Random(seed))
    steps, summary, diagnose = ask(folder, document, "steps", "summary", "diagnose")
    rows = {r["kind"]: r for r in steps["kinds"]}
    odd = set().union(*(w[2] for w in wanted))
    if name == "slower for the most part":  # those before are odd
        odd = set(range(count)) - odd
    usual = [d for s, d in enumerate(durations) if s not in odd]
    mean = statistics.mean(usual)
    where = f"{name}, seed {seed}"
    is_before = name == "slower for the most part"
    expect(where, "kinds", sorted(rows), sorted(["usual"] + ["before"] * is_before + [w[0] for w in wanted]))
    if is_before and "before" in rows:
        expect(where, "steps before", rows["before"]["steps"], len(odd))
        near(where, "mean before", rows["before"]["mean_ns"],
             statistics.mean(d for s, d in enumerate(durations) if s in odd) * 1000, 2)
        expect(where, "what is not counted", diagnose["verdict"][0]["odd_text"],
               f"{len(odd)} of {count}, not counted: those before; slower kernels from #{min(wanted[0][2]) + 3} on")
    expect(where, "usual steps", rows["usual"]["steps"], len(usual))
    near(where, "usual mean", rows["usual"]["mean_ns"], mean * 1000, 2)
    for kind, when, which in wanted:
        row = rows.get(kind)
        if not row:
            continue
        own = statistics.mean(durations[s] for s in which)
        base = mean if len(which & odd) else statistics.mean(d for s, d in enumerate(durations) if s in odd)
        expect(where, "when", row["when"], when)
        expect(where, "steps", row["steps"], len(which))
        near(where, "mean", row["mean_ns"], own * 1000, 2)
        near(where, "more", row["more_ns"], (own - base) * 1000, 4)
        near(where, "share", row["share_ratio"], (own - base) * len(which) / sum(durations), 1e-6)
        found = [f for f in diagnose["findings"] if f["rule"] == "G23" and f["finding"].startswith(kind)]
        expect(where, f"findings of {kind}", len(found), 1)
        if found and kind != "more kernels":
            near(where, "saves", found[0]["saves_ratio"], row["share_ratio"], 1e-9)
            near(where, "saves a step", found[0]["saves_ns"], (own - base) * len(which) * 1000 / count, 4)
    counted = [s for s in range(1, count - 1) if s not in odd]
    near(where, "the step that is judged", diagnose["verdict"][0]["step_ns"],
         statistics.mean(durations[s] for s in counted) * 1000, 2)
    expect(where, "steps that are judged", diagnose["verdict"][0]["steps"], len(counted))
    expect(where, "odd steps of the summary", summary["overview"][0]["outliers"], len(odd))


# Steps that grow steadily: (steps, what they do, what that is, from which step to which, ms a step).
# A kernel of 1 ms, 20 of them a step; in us of the host before the first launch.
GROWING = {
    "a list that grows": (40, (lambda s: ([("aten::cat", "cpu_op", 1000 + 1000 * s)], 1, 0)),
                          ("CPU op", 0, 39, 1.0)),
    "from the middle on": (30, (lambda s: ([("aten::cat", "cpu_op", 1000 + 1500 * max(0, s - 12))], 1, 0)),
                           ("CPU op", 12, 29, 1.5)),
    "until it is throttled": (40, (lambda s: ([], 1 + 0.03 * min(s, 20), 0)), ("slower kernels", 0, 20, 0.6)),
    "beside checkpoints": (40, (lambda s: ([("aten::cat", "cpu_op", 1000 + 500 * s)] +
                                                  [(SAVE, REGION, 30000)] * (s % 5 == 4), 1, 0)),
                           ("CPU op", 0, 39, 0.5)),
    "beside one that is slow": (40, (lambda s: ([("aten::cat", "cpu_op", 1000 + 500 * s)], 2.5 if s == 17 else 1, 0)),
                                ("CPU op", 0, 39, 0.5)),
    "longer inputs": (24, (lambda s: ([], 1, s)), ("more kernels", 0, 23, 1.0)),
    "warming up slowly": (24, (lambda s: ([("aten::cat", "cpu_op", 1000 * max(0, 18 - s))], 1, 0)),
                          ("CPU op", 0, 18, -1.0)),
}


def check_growing(folder, name, seed):
    count, does, (kind, first, last, slope) = GROWING[name]
    document, durations = trace(count, does, random.Random(seed))
    steps, diagnose, summary = ask(folder, document, "steps", "diagnose", "summary")
    where = f"{name}, seed {seed}"
    rows = [r for r in steps["kinds"] if r["change_ns"] is not None]
    expect(where, f"grows: {[(r['kind'], r['when']) for r in steps['kinds']]}", [r["kind"] for r in rows], [kind])
    if [r["kind"] for r in rows] != [kind]:
        return
    near(where, "a step", rows[0]["change_ns"], slope * 1e6, abs(slope) * 1e5)
    near(where, "from", rows[0]["first_step"], first + 3, 2)
    near(where, "to", rows[0]["last_step"], last + 3, 2)
    begins, ends = (durations[s] for s in (first, last))
    text = rows[0]["when"]
    expect(where, f"says so: {text}", text.startswith("growing by " if slope > 0 else "falling by "), True)
    others = {"beside checkpoints": range(4, 40, 5), "beside one that is slow": (17,)}.get(name, ())
    more = sum(max(0, d - min(begins, ends)) for s, d in enumerate(durations) if s not in others)
    near(where, "share", rows[0]["share_ratio"], more / sum(durations), 0.01)
    if slope > 0 and kind != "more kernels":
        expect(where, f"is uneven: {diagnose['verdict'][0]['why']}", (diagnose["verdict"][0]["verdict"], text in diagnose["verdict"][0]["why"]),
               ("uneven-steps", True))
    expect(where, f"the summary says so: {summary['overview'][0]['kinds_text']}", text in summary["overview"][0]["kinds_text"], True)


def check_sharp(folder):
    """A shift stays one, however much steps vary beside it."""
    for seed in range(40 if FULL else 12):
        rng = random.Random(seed)
        at, count = rng.choice((6, 10, 15)), rng.choice((20, 24, 30))
        spread = rng.choice((0, 0.01, 0.03, 0.05))
        document, _ = trace(count, lambda s: ([], 1.5 if s >= at else 1, 0), rng, noise=lambda r: max(1 + spread * r.gauss(0, 1), 0.1))
        steps, = ask(folder, document, "steps")
        expect(f"a shift at {at} of {count} with {spread}, seed {seed}", "kinds", [(r["kind"], r["when"]) for r in steps["kinds"]],
               [("usual", None)] + [("before", None)] * (2 * at < count) + [("slower kernels", f"from #{at + 3} on")])


def check_ahead(folder):
    """The host is ahead, so that the device waits at the end of the step before; behind the last one nothing is waited for."""
    for count in (22, 23, 24, 25):
        loads = plan((lambda s: s > 0 and s % 4 == 0, [("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", REGION, 120000)], 1, 0))
        document, _ = trace(count, loads, random.Random(count), waits=False)
        steps, = ask(folder, document, "steps")
        expect(f"a loader at every fourth of {count} steps", "kinds", [(r["kind"], r["when"]) for r in steps["kinds"]],
               [("usual", None), ("data loader", "every 4 steps, from #6")])


def check_noise(folder):
    """Steps that vary as they do anyway."""
    false = 0
    for seed in range(NOISY_RUNS):
        rng = random.Random(seed)
        spread = rng.choice((0, 0.01, 0.03, 0.1))
        heavy = seed % 2

        def noise(r):
            x = r.gauss(0, 1)
            if heavy:
                x /= (sum(r.gauss(0, 1) ** 2 for _ in range(3)) / 3) ** 0.5
            return max(1 + spread * x, 0.1)

        document, _ = trace(rng.choice((5, 8, 12, 20)), lambda s: ([], 1, 0), rng, noise=noise)
        steps, = ask(folder, document, "steps")
        false += len(steps["kinds"]) > 1
    expect("noise", f"{false} of {NOISY_RUNS} runs have a kind, at most one of a hundred",
           false <= max(NOISY_RUNS // 100, 1), True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in PLANTED:
            for seed in range(8 if FULL else 2):
                check_planted(folder, name, seed)
        for name in GROWING:
            for seed in range(8 if FULL else 2):
                check_growing(folder, name, seed)
        check_sharp(folder)
        check_ahead(folder)
        check_noise(folder)
    for f in failures[:40]:
        print("FAIL " + f)
    print(f"{checked - len(failures)} passed, {len(failures)} failed, 0 skipped")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
