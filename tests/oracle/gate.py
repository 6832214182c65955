#!/usr/bin/env python3
"""Works the verdicts of gate out again, from the step times the generator knows (on the device
where the CPU runs ahead), and reads every
report back with parsers of its own: JSON, JUnit XML, OpenMetrics, GitHub's workflow commands."""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from judging.answers import runs_ahead, spans

TRACEQ = os.environ["TRACEQ"]
ALL = os.environ.get("CHECK_ALL")
FIXTURES = os.environ["FIXTURES"]
TOLERANCE = {"default": 0.10, "smoke": 0.15, "perf": 0.08, "nightly": 0.05}
Z95 = 1.6448536269514722
passed = 0
failures = []


def expect(where, got, want):
    global passed
    if got == want:
        passed += 1
    else:
        failures.append(f"{where}: {got!r}, not {want!r}")


def near(where, got, want, tolerance=1e-9):
    global passed
    if got is not None and abs(got - want) <= tolerance * max(1, abs(want)):
        passed += 1
    else:
        failures.append(f"{where}: {got!r}, not {want!r}")


# ---- statistics, once more ----

def variance(v):
    m = sum(v) / len(v)
    return sum((x - m) ** 2 for x in v) / (len(v) - 1)


def t_density(t, df):
    c = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    return c * (1 + t * t / df) ** (-(df + 1) / 2)


def t_above(t, df, n=4000):
    """P(T > t) by Simpson's rule over u in (0, 1), x = t + (1 - u) / u."""
    def f(u):
        return t_density(t + (1 - u) / u, df) / (u * u) if u > 0 else 0.0
    h = 1 / n
    return sum(f(i * h) + 4 * f((i + .5) * h) + f((i + 1) * h) for i in range(n)) * h / 6


def t_quantile(p, df):
    """By Newton from the left: the tail is convex there, so the root is never passed."""
    t, step = 0.0, 1.0
    while step > 1e-12 * max(1, t):
        step = (t_above(t, df) - (1 - p)) / t_density(t, df)
        t += step
    return t


def n_eff(v):
    """Geyer's initial monotone sequence."""
    n = len(v)
    m = sum(v) / n
    cov = [sum((v[i] - m) * (v[i - k] - m) for i in range(k, n)) / n for k in range(n)]
    if n < 4 or cov[0] <= 0:
        return n
    total, last, k = 0, math.inf, 0
    while 2 * k + 1 < n // 2 + 1:
        gamma = (cov[2 * k] + cov[2 * k + 1]) / cov[0]
        if gamma <= 0:
            break
        last = min(last, gamma)
        total += last
        k += 1
    return n / max(1, -1 + 2 * total)


def mean(v):
    return sum(v) / len(v)


def decide(base, new, tolerance, noise):
    """base, new: step times by run, none of them odd.  The rule of docs/statistics.md."""
    a, b = base, new
    ca = [math.log(mean(run)) for run in base]
    cb = [math.log(mean(run)) for run in new]
    e = math.log(mean([mean(run) for run in new]) / mean([mean(run) for run in base]))
    if len(a) >= 3 and len(b) >= 3:
        va, vb = variance(ca) / len(ca), variance(cb) / len(cb)
        se = math.sqrt(va + vb)
        df = (va + vb) ** 2 / (va ** 2 / (len(ca) - 1) + vb ** 2 / (len(cb) - 1))
        t = t_quantile(0.95, df)
    else:
        inner = [sum(variance(run) / mean(run) ** 2 / n_eff(run) for run in side) / len(side) / len(side)
                 for side in (a, b)]
        se = math.sqrt(sum(inner) + noise ** 2 / len(a) + noise ** 2 / len(b))
        t = Z95
    tol = math.log1p(tolerance)
    lo, hi = e - t * se, e + t * se
    state = ("fail" if lo > tol else "noisy" if e > tol else "improved" if hi < -tol else "pass")
    return state, math.expm1(e), math.expm1(lo), math.expm1(hi)


# ---- parsers ----

def parse_openmetrics(text):
    """{(name, labels): value}; raises on what the format does not allow."""
    lines = text.split("\n")
    assert lines[-2:] == ["# EOF", ""], "must end with # EOF"
    families, samples, current, done = {}, {}, None, set()
    for line in lines[:-2]:
        m = re.fullmatch(r"# (TYPE|UNIT) ([a-zA-Z_:][a-zA-Z0-9_:]*) (\w+)", line)
        if m:
            kind, name, word = m.groups()
            if kind == "TYPE":
                assert name not in families, f"{name} twice"
                families[name] = None
                if current:
                    done.add(current)
                current = name
            else:
                assert name == current and name.endswith("_" + word), line
            continue
        m = re.fullmatch(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(\w+)="((?:[^"\\\n]|\\[\\"n])*)"\})? '
                         r"(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)", line)
        assert m, f"no sample: {line!r}"
        assert m[1] == current and m[1] not in done, f"{m[1]} out of its family"
        key = (m[1], m[3])
        assert key not in samples, f"{key} twice"
        samples[key] = float(m[4])
    return samples


def parse_commands(text):
    """[(word, title, data)] of workflow commands."""
    out = []
    for line in text.split("\n"):
        m = re.fullmatch(r"::(error|warning|notice) title=([^:,]*)::(.*)", line)
        if m:
            def plain(s):
                return re.sub("%([0-9A-F]{2})", lambda c: chr(int(c[1], 16)), s)
            out.append((m[1], plain(m[2]), plain(m[3])))
        elif line.startswith("::"):
            failures.append(f"no workflow command: {line!r}")
    return out


# ---- runs ----

def generate(folder, scenario, steps, seeds):
    """A folder of runs; the walls of the steps that count: without the first and the last."""
    walls = []
    for seed in seeds:
        run = os.path.join(folder, f"run{seed}")
        os.makedirs(run)
        answers = os.path.join(folder, f"run{seed}.answers")
        with open(os.path.join(run, "trace.json"), "wb") as f:
            subprocess.run([FIXTURES, scenario, "--steps", str(steps), "--seed", str(seed),
                            "--answers-to", answers], stdout=f, check=True)
        with open(answers) as f:
            known = spans(json.load(f), runs_ahead(scenario, steps))
        os.remove(answers)
        walls.append([end - start for start, end in known][1:-1])
    return walls


def gate(*args, env=None):
    done = subprocess.run([TRACEQ, "gate", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def check_rows(text):
    return {r["check"]: r for t in json.loads(text)["tables"] if t["id"] == "checks"
            for r in t["rows"]}


def compare(where, folder, walls, tier, noise):
    a, b = os.path.join(folder, "a"), os.path.join(folder, "b")
    code, out, _ = gate(a, b, "--tier", tier, "--noise", repr(noise), "--json", "-q")
    row = check_rows(out)["step_time"]
    state, ratio, lo, hi = decide(walls[0], walls[1], TOLERANCE[tier], noise)
    expect(f"{where} state", row["state"].lower(), state)
    expect(f"{where} decision", row["decision"], state)
    near(f"{where} ratio", row["change_ratio"], ratio, 1e-9)
    near(f"{where} from", row["change_low"], lo, 1e-6)
    near(f"{where} to", row["change_high"], hi, 1e-6)
    expect(f"{where} exit", code, 1 if any(
        r["state"] == "FAIL" for r in check_rows(out).values()) else 0)
    if ALL or tier == "nightly":
        again = gate(a, b, "--tier", tier, "--noise", repr(noise), "--json", "-q")
        expect(f"{where} again", again[1], out)


def verdicts():
    pairs = [("healthy", "healthy"), ("healthy", "dataloader-bound"),
             ("dataloader-bound", "healthy"), ("comm-bound", "healthy"),
             ("multi-stream", "graphs"), ("leak", "healthy")]
    for base, new in pairs:
        for seeds in ([1], [1, 2], [1, 2, 3], [4, 5, 6, 7])[::1 if ALL else 3]:
            with tempfile.TemporaryDirectory() as d:
                walls = [generate(os.path.join(d, "a"), base, 12, seeds),
                         generate(os.path.join(d, "b"), new, 12, [s + 50 for s in seeds])]
                for tier, noise in (("default", 0.02), ("nightly", 0.001)):
                    compare(f"{base} to {new}, {len(seeds)} runs, {tier}", d, walls, tier, noise)


# ---- means and medians ----

def uneven(path, scale):
    """Of five steps two take 10.6 ms, the others 10: mean 10.24, and none is odd."""
    events, at = [], 1000.0
    for i in range(20):
        wall = scale * (10600.0 if i % 5 in (0, 3) else 10000.0 + i)
        events += [{"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{i}", "pid": 1, "tid": 1, "ts": at, "dur": wall},
                   {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": at + 1, "dur": wall - 2}]
        at += wall
    with open(path, "w") as f:
        f.write(json.dumps({"schemaVersion": 1, "traceEvents": events}))


def medians():
    """Stores whose runs say medians are held against medians, also where newer runs say means beside them;
    gate and diff say one change of one pair."""
    with tempfile.TemporaryDirectory() as d:
        same, slow, store = (os.path.join(d, n) for n in ("same.json", "slow.json", "store"))
        uneven(same, 1)
        uneven(slow, 1.05)
        os.makedirs(store)
        with open(os.path.join(store, "baseline.jsonl"), "w") as f:
            for i in range(12):
                f.write(json.dumps({"schema": "traceq.baseline/1", "time": 1767225600 + 86400 * i, "label": f"n{i}", "env": {},
                                    "metrics": {"step_time": {"value": 10.010e6 * (1 + (i * 7 % 5 - 2) * .0005), "unit": "ns",
                                                              "better": "lower", "sd": 0.3e6, "count": 18}}}) + "\n")
        for when in ("old", "both"):
            expect(f"a store of medians, {when}: the same", gate(store, same, "-q", "--no-config")[0], 0)
            code, out, _ = gate(store, slow, "--json", "-q", "--no-config")
            expect(f"a store of medians, {when}: slower", code, 1)
            near(f"a store of medians, {when}: by", check_rows(out)["step_time"]["change_ratio"], .05, .002)
            subprocess.run([TRACEQ, "baseline", "add", store, same, "-q"], check=True)
        new = os.path.join(d, "new")
        for _ in range(5):
            subprocess.run([TRACEQ, "baseline", "add", new, same, "-q"], check=True)
        row = check_rows(gate(new, slow, "--json", "-q", "--no-config")[1])["step_time"]
        near("a new store says the mean", row["base"] / 1e6, 10.25, .02)
        row = check_rows(gate(same, slow, "--json", "-q", "--no-config")[1])["step_time"]
        diff = json.loads(subprocess.run([TRACEQ, "diff", same, slow, "--json", "-q", "--no-config"],
                                         stdout=subprocess.PIPE, check=True).stdout)
        said = next(t for t in diff["tables"] if t["id"] == "step")["rows"][0]
        near("gate and diff: base", row["base"], said["base_ns"], 1e-6)
        near("gate and diff: change", row["change_ratio"], said["change_ratio"], 1e-6)


# ---- times in another unit ----

def units():
    """All times of one side are 1000 times the other's, or 1e6: gate and diff ask for the unit, whoever says the times."""
    with tempfile.TemporaryDirectory() as d:
        base, store = os.path.join(d, "base.json"), os.path.join(d, "store")
        uneven(base, 1)
        for _ in range(5):
            subprocess.run([TRACEQ, "baseline", "add", store, base, "-q"], check=True)
        log = os.path.join(d, "base.jsonl")
        loss(log, 1)
        shorter(os.path.join(d, "run1"), os.path.join(d, "run2"))
        for command in ("gate", "diff"):
            expect(f"{command} of other runs", asked(command, os.path.join(d, "run1"), os.path.join(d, "run2")), "a 1000th of")
        for scale, said in ((1000, "1000 times"), (1 / 1000, "a 1000th of"), (1.01e6, "1000000 times"), (900, None), (1.1, None)):
            trace, text = os.path.join(d, "new.json"), os.path.join(d, "new.jsonl")
            uneven(trace, scale)
            loss(text, scale)
            for what, old, new in (("trace", base, trace), ("log", log, text), ("store", store, trace)):
                for command in ("gate", "diff")[:1 if what == "store" else 2]:
                    expect(f"{command} {what} by {scale:g}", asked(command, old, new), said)


def asked(command, old, new):
    """What traceq says that times are of base's; None where it does not ask for the unit."""
    out = subprocess.run([TRACEQ, command, old, new, "--no-config"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    found = re.search(r"(?:all|most) times are (.*) those of base: another unit\?", " ".join(out.stdout.decode().split()))
    return found and found[1]


def shorter(run1, run2):
    """Two runs of one job that waits for its host, the second in milliseconds: kernels are rounded to nanoseconds."""
    generate(run1, "launch-bound", 8, [1])
    generate(run2, "launch-bound", 8, [2])
    path = os.path.join(run2, "run2", "trace.json")
    with open(path) as f:
        doc = json.load(f)
    for e in doc["traceEvents"]:
        e.update({k: round(float(e[k]) / 1000, 3) for k in ("ts", "dur") if k in e})
    with open(path, "w") as f:
        f.write(json.dumps(doc))


def loss(path, scale):
    """A log of twenty steps of ten milliseconds, two of which wait for data."""
    with open(path, "w") as f:
        for i in range(20):
            f.write(json.dumps({"step": i, "loss": 2 - i / 50, "step_time": scale * (0.01 + (i % 3) * 1e-4),
                                "data_time": scale * (0.002 + (i % 2) * 1e-5)}) + "\n")


# ---- reports ----

def reports():
    names = ["op:gemm", 'op:gemm|"<&>%,:\\\\', "op:^void|^Memcpy", "op:^nothing$", "cpu:aten::"]
    with tempfile.TemporaryDirectory() as d:
        generate(os.path.join(d, "a"), "healthy", 8, [1])
        generate(os.path.join(d, "b"), "dataloader-bound", 8, [2])
        a, b = os.path.join(d, "a"), os.path.join(d, "b")
        paths = {k: os.path.join(d, k) for k in ("junit", "md", "openmetrics", "json-out")}
        args = [a, b] + [x for n in names for x in ("--check", n + "=5%")]
        args += [x for k, p in paths.items() for x in ("--" + k, p)]
        summary = os.path.join(d, "summary")
        with open(summary, "w") as f:
            f.write("before\n")
        code, out, err = gate(*args, "--json", env={"GITHUB_ACTIONS": "true",
                                                    "GITHUB_STEP_SUMMARY": summary})
        text = {}
        for k, p in paths.items():
            with open(p) as f:
                text[k] = f.read()
        with open(summary) as f:
            expect("step summary", f.read(), "before\n" + text["md"])
    expect("exit", code, 1)
    expect("--json-out", text["json-out"], out)
    rows = check_rows(out)
    expect("hostile names", [n for n in names if n not in rows], [])
    junit(text["junit"], rows)
    openmetrics(text["openmetrics"], rows)
    github(err, rows)
    markdown(text["md"], rows)


def junit(text, rows):
    root = ET.fromstring(text)
    expect("junit root", root.tag, "testsuites")
    cases = {c.get("name"): c for c in root.iter("testcase")}
    expect("junit cases", sorted(cases), sorted(rows))
    fails = [n for n, c in cases.items() if c.find("failure") is not None]
    skips = [n for n, c in cases.items() if c.find("skipped") is not None]
    expect("junit failures", sorted(fails),
           sorted(n for n, r in rows.items() if r["state"] == "FAIL"))
    expect("junit skipped", sorted(skips), sorted(
        n for n, r in rows.items() if r["state"] in ("NOISY", "WARN", "skip")))
    for suite in [root, *root.iter("testsuite")]:
        expect("junit tests", int(suite.get("tests")), len(rows))
        expect("junit failures", int(suite.get("failures")), len(fails))
        expect("junit skipped", int(suite.get("skipped")), len(skips))
        expect("junit errors", int(suite.get("errors")), 0)
    for n in fails:
        expect(f"junit text {n}", cases[n].find("failure").get("message"), rows[n]["message"])


def openmetrics(text, rows):
    samples = parse_openmetrics(text)
    near("openmetrics step", samples["traceq_step_time_seconds", None],
         rows["step_time"]["new"] / 1e9, 5e-4)
    near("openmetrics busy", samples["traceq_gpu_busy_ratio", None], rows["gpu_busy"]["new"], 5e-4)
    for state in ("fail", "pass", "skip"):
        expect(f"openmetrics {state}", samples["traceq_gate_checks", state],
               sum(r["state"].lower() == state for r in rows.values()))
    labels = [k[1] for k in samples if k[0] == "traceq_op_time_seconds"]
    expect("openmetrics ops", len(labels),
           sum(n.startswith(("op:", "cpu:")) and r["new"] is not None for n, r in rows.items()))


def github(text, rows):
    commands = parse_commands(text)
    errors = [c for c in commands if c[0] == "error"]
    expect("github errors", len(errors), 1)
    expect("github warnings", sum(c[0] == "warning" for c in commands),
           min(8, sum(r["state"] in ("NOISY", "WARN") for r in rows.values())))
    expect("github text", errors[0][2].split("\n")[0],
           next(r["message"] for r in rows.values() if r["state"] == "FAIL"))


def markdown(text, rows):
    table = [line for line in text.split("\n") if line.startswith("|")]
    cells = [len(re.findall(r"(?<!\\)\|", line)) for line in table]
    expect("md cells", set(cells), {8})
    expect("md rows", len([t for t in table if not t.startswith(("| check", "|:--"))]), len(rows))


def limits():
    """A hundred failing checks: one error, no more than eight lines, a summary below the limit."""
    with tempfile.TemporaryDirectory() as d:
        generate(os.path.join(d, "a"), "healthy", 8, [1])
        generate(os.path.join(d, "b"), "launch-bound", 8, [2])
        args = [os.path.join(d, "b"), os.path.join(d, "a"), "--gate-on", "estimate"]
        for i in range(100):
            args += ["--check", f"op:.{{{i % 4}}}()|{i}{'x' * 900}=0%"]
        md = os.path.join(d, "md")
        _, _, err = gate(*args, "--md", md, "--ci", "github")
        commands = parse_commands(err)
        expect("limits: errors", sum(c[0] == "error" for c in commands), 1)
        expect("limits: warnings", sum(c[0] == "warning" for c in commands) <= 8, True)
        said = [line for line in commands[0][2].split("\n") if re.match(r"op:|and \d+ more|[a-z_]+ [+-]", line)]
        expect("limits: lines", len(said) <= 9, True)
        expect("limits: summary", os.path.getsize(md) < 900 * 1024, True)


verdicts()
medians()
units()
reports()
limits()
for line in failures[:40]:
    print(line)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
