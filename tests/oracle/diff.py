#!/usr/bin/env python3
"""`diff` on pairs of real and generated traces: what adds up, what negates, and who counts.

Sums are checked on the answer alone: the parts of the ledger add up to the step, the rows, the
overlap, idle and imbalance do, too, calls and duration make up each delta; swapped sides negate everything, and
a trace against itself is all zeros.  The ledger's means are compared with the steps of `steps`,
counts and times with $SHARED/golden, Shapley's split with its formula in exact fractions.
"""
import fractions
import glob
import json
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ.get("FIXTURES", "")
SHARED = os.environ.get("SHARED", "../shared")
SCENARIOS = ["healthy", "dataloader-bound", "copy-bound", "launch-bound", "comm-bound", "cpu-only",
             "gpu-only", "graphs", "rocm", "inference", "multi-stream", "multi-gpu", "tiny",
             "runs-ahead", "second-idle", "one-gap"]

passed = 0
failures = []


def expect(what, got, want):
    global passed
    if got == want:
        passed += 1
    else:
        failures.append(f"{what}: traceq {got!r}, wanted {want!r}")


def run(*args):
    return subprocess.run([TRACEQ, *args, "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)


def ask(command, *args):
    done = run(command, *args, "--json")
    if done.returncode != 0:
        failures.append(f"{command} {args}: exit {done.returncode}: {done.stderr.decode()}")
        return None
    return {t["id"]: t for t in json.loads(done.stdout, parse_float=fractions.Fraction)["tables"]}


def diff(base, new, *more):
    return ask("diff", base, new, "-n", "0", "--allow-env", "gpu,steps", *more)


def check_ledger(what, table, head):
    rows = table["rows"]
    step = table["footer"][0]
    if head is not None:
        for column in ("base_ns", "new_ns", "delta_ns"):
            expect(f"{what} headline {column}", head[column], step[column])
    for column in ("base_ns", "new_ns", "delta_ns"):
        expect(f"{what} ledger {column}",
               sum(r[column] for r in rows if not r["is_detail"]), step[column])
    idle = [r for r in rows if r["key"] == "idle"]
    for column in ("base_ns", "new_ns", "delta_ns") if idle else ():
        expect(f"{what} idle {column}",
               sum(r[column] for r in rows if r["is_detail"]), idle[0][column])
    for r in rows:
        expect(f"{what} {r['key']} delta", r["delta_ns"], r["new_ns"] - r["base_ns"])


def mean_ns(row, side):
    calls = row[f"{side}_calls_per_step"]
    return fractions.Fraction(row[f"{side}_ns"] or 0) / calls if calls else None


def check_split(what, row):
    delta = row["delta_ns"]
    expect(f"{what} delta", delta, (row["new_ns"] or 0) - (row["base_ns"] or 0))
    expect(f"{what} effects", row["by_calls_ns"] + row["by_duration_ns"], delta)
    m0, m1 = mean_ns(row, "base"), mean_ns(row, "new")
    if m0 is None or m1 is None:
        expect(f"{what} calls alone", row["by_duration_ns"], 0)
        return
    exact = (row["new_calls_per_step"] - row["base_calls_per_step"]) * (m0 + m1) / 2
    expect(f"{what} by calls", abs(row["by_calls_ns"] - exact) <= 1, True)


def check_ops(what, table, ledger):
    step = ledger["footer"][0]
    foot = table["footer"]
    for column in ("base_ns", "new_ns", "delta_ns"):
        total = sum(r[column] or 0 for r in table["rows"]) + sum(r[column] for r in foot[:-1])
        expect(f"{what} rows {column}", total, step[column])
        expect(f"{what} last row {column}", foot[-1][column], step[column])
    for r in table["rows"]:
        check_split(f"{what} {r['what'][:60]}", r)


def key(row):
    return (row.get("name"), row.get("op"), row.get("dims"), row.get("kind"))


def check_swapped(what, one, other):
    """Every delta of `other` is that of `one` with the sign changed."""
    for table in ("ledger", "ops", "host"):
        if table not in one:
            continue
        name = (lambda r: r["key"]) if table == "ledger" else key
        want = {name(r): -r["delta_ns"] for r in one[table]["rows"]}
        expect(f"{what} {table} swapped", {name(r): r["delta_ns"] for r in other[table]["rows"]},
               want)
        expect(f"{what} {table} foot swapped", [r["delta_ns"] for r in other[table]["footer"]],
               [-r["delta_ns"] for r in one[table]["footer"]])
    for r in one.get("ops", {"rows": []})["rows"]:
        twin = [o for o in other["ops"]["rows"] if key(o) == key(r)]
        expect(f"{what} effects swapped", [(t["by_calls_ns"], t["by_duration_ns"]) for t in twin],
               [(-r["by_calls_ns"], -r["by_duration_ns"])])


def check_zero(what, answer):
    for name, table in answer.items():
        for r in table["rows"] + table.get("footer", []):
            for column in ("delta_ns", "by_calls_ns", "by_duration_ns", "delta"):
                if r.get(column) is not None:
                    expect(f"{what} {name} {column}", r[column], 0)
            if r.get("verdict") is not None:
                expect(f"{what} {name} verdict",
                       r["verdict"] in ("no change", "cannot tell"), True)
            if name in ("ops", "host") and r.get("status") is not None:
                expect(f"{what} {name} {r['what'][:40]}", r["status"], "same")


def check_means(what, side, path, table):
    """The ledger's means are those of the usual steps of `steps` that count; what odd ones cost is a figure of its own."""
    if os.path.isdir(path):
        return
    answer = ask("steps", path)
    rows = [r for r in answer["steps"]["rows"] if r["is_counted"] and not r["is_outlier"]]
    if not rows or rows[0].get("compute_ns") is None:
        return
    columns = {"compute": "compute_ns", "exposed_comm": "exposed_comm_ns",
               "exposed_memcpy": "exposed_memcpy_ns", "idle": "idle_ns"}
    for r in table["rows"]:
        if r["key"] in columns:
            exact = fractions.Fraction(sum(s[columns[r["key"]]] for s in rows), len(rows))
            expect(f"{what} mean {r['key']}", abs(r[side] - exact) < 1, True)


def check_pair(what, base, new):
    answer = diff(base, new)
    if not answer:
        return None
    if "ledger" in answer:
        check_ledger(what, answer["ledger"],
                     answer["step"]["rows"][0] if "step" in answer else None)
        for table in ("ops", "kernels", "host"):
            if table in answer:
                check_ops(f"{what} {table}", answer[table], answer["ledger"])
        if "ops" in answer:
            check_means(what, "base_ns", base, answer["ledger"])
            check_means(what, "new_ns", new, answer["ledger"])
    back = diff(new, base)
    if back:
        check_swapped(what, answer, back)
    return answer


def short(path):
    return os.path.basename(path).split(".")[0]


def golden(name):
    with open(f"{SHARED}/golden/{name}.json", encoding="utf-8") as f:
        return json.load(f, parse_float=fractions.Fraction)


def check_golden_ops(what, rows, side, want, self_key):
    """Counts and times of the whole trace, by name."""
    got = {}
    for r in rows:
        n, t = got.get(r["name"], (0, 0))
        got[r["name"]] = (n + (r[f"{side}_all_calls"] or 0), t + (r[f"{side}_all_ns"] or 0))
    for w in want:
        name = "ProfilerStep#*" if w["name"].startswith("ProfilerStep#") else w["name"]
        if name != w["name"] or name not in got:
            continue
        expect(f"{what} {side} {name[:50]}", got[name],
               (w["count"], fractions.Fraction(w[self_key]) * 1000))


def check_golden(base, new):
    answer = diff(trace(base), trace(new), "--exact-names", "--by", "kernel")
    for side, name in (("base", base), ("new", new)):
        want = golden(name)
        rows = answer["ops"]["rows"]
        check_golden_ops(f"{base} {new}", rows, side, want["kernels"]["top"], "total_us")
        copies = [dict(v, name=k) for k, v in want["memcpy"]["by_name"].items()]
        check_golden_ops(f"{base} {new}", rows, side, copies, "total_us")
        check_golden_ops(f"{base} {new}", answer["host"]["rows"], side,
                         want["runtime"]["top"], "total_us")
        ops = [o for o in want["cpu_ops"]["top_by_self"] if o["name"] != "aten::copy_"]
        check_golden_ops(f"{base} {new}", answer["host"]["rows"], side, ops, "self_rt_us")
    return answer


def trace(name):
    return f"{SHARED}/traces/{name}.json.gz"


def counts(path):
    import gzip
    with gzip.open(path) as f:
        events = json.load(f)["traceEvents"]
    out = {}
    for e in events:
        if e.get("cat", "").lower() in ("kernel",) and e.get("ph") == "X":
            out[e["name"]] = out.get(e["name"], 0) + 1
    return out


def check_documents(base, new):
    """The documents' CPU and CUDA totals are those of `summary`, and of the same layout."""
    text = run("diff", trace(base), trace(new), "--format", "seed").stdout.decode().split("\n")
    for line, column in (("CPU time (ms)", "part_ns"), ("CUDA time (ms)", "of_ns")):
        want = []
        for name in (base, new):
            rows = ask("summary", trace(name))["ratios"]["rows"]
            want.append(next(r[column] for r in rows if r["figure"] == "CPU/GPU, all rows"))
        got = next(t for t in text if t.startswith(line))
        expect(f"documents {line}", got, f"{line:<25} {float(want[0]) / 1e6:>15.2f} "
                                         f"{float(want[1]) / 1e6:>15.2f}")


def check_stories():
    check_documents("tb_resnet50_nw4_a", "tb_resnet50_nw0_a")
    check_documents("tl_h100_bert", "tl_h100_qwen")
    answer = check_golden("tb_resnet50_nw4_a", "tb_resnet50_nw0_a")
    expect("resnet50 verdict", answer["step"]["rows"][0]["verdict"], "regression")
    why = " ".join(r["text"] for r in answer["why"]["rows"])
    expect("resnet50 says the data loader", "data loader" in why and "GPU idle" in why, True)
    expect("resnet50 names it", "enumerate(DataLoader)#" in why, True)
    answer = check_golden("hta_trace_diff_control", "hta_trace_diff_test")
    base, new = counts(trace("hta_trace_diff_control")), counts(trace("hta_trace_diff_test"))
    rows = [r for r in answer["ops"]["rows"] if r["kind"] == "kernel"]
    for r in rows:
        expect(f"hta {r['name'][:50]} calls",
               ((r["base_all_calls"] or 0), (r["new_all_calls"] or 0)),
               (base.get(r["name"], 0), new.get(r["name"], 0)))
    named = {r["name"]: r["status"] for r in rows}
    expect("hta new kernels", sorted(n for n in named if named[n] == "new"),
           sorted(n for n in new if n not in base))
    expect("hta removed kernels", sorted(n for n in named if named[n] == "removed"),
           sorted(n for n in base if n not in new))


def check_real():
    traces = sorted(glob.glob(f"{SHARED}/traces/*.json*"))
    if not traces:
        print("no real traces: skipped")
        return
    for at, path in enumerate(traces):
        same = diff(path, path)
        if same:
            check_zero(short(path), same)
        other = traces[(at + 1) % len(traces)]
        check_pair(f"{short(path)} {short(other)}", path, other)
    check_stories()


def generate(path, *options):
    with open(path, "wb") as f:
        subprocess.run([FIXTURES, *options], stdout=f, check=True)


def check_generated(folder):
    paths = []
    for at, scenario in enumerate(SCENARIOS):
        path = f"{folder}/{scenario}.json"
        generate(path, scenario, "--steps", str(5 + at % 4), "--seed", str(at))
        paths.append(path)
    for at, path in enumerate(paths):
        same = diff(path, path, "--shapes")
        if same:
            check_zero(short(path), same)
        other = paths[(at + 3) % len(paths)]
        check_pair(f"{short(path)} {short(other)}", path, other)


def counted(path):
    """Durations of the counted steps of a trace, by number."""
    rows = ask("steps", path)["steps"]["rows"]
    return {r["step"]: r["wall_ns"] for r in rows if r["is_counted"]}


def check_job(answer, base, new, ranks):
    """The job's step is the slowest rank's of each, its mean the headline and the ledger's sum."""
    for side, path in (("base", base), ("new", new)):
        walls = [counted(f"{path}/rank{rank}.json") for rank in range(ranks)]
        numbers = set.intersection(*(set(w) for w in walls))
        job = fractions.Fraction(sum(max(w[n] for w in walls) for n in numbers), len(numbers))
        mean = fractions.Fraction(sum(w[n] for w in walls for n in numbers),
                                  len(numbers) * ranks)
        rows = {r["key"]: r for r in answer["ledger"]["rows"]}
        expect(f"job {side}", answer["step"]["rows"][0][f"{side}_ns"], round(job))
        expect(f"job {side} of the ledger", answer["ledger"]["footer"][0][f"{side}_ns"],
               round(job))
        expect(f"imbalance {side}", abs(rows["imbalance"][f"{side}_ns"] - (job - mean)) < 1, True)
        for r in answer["ranks"]["rows"]:
            wall = walls[r["rank"]]
            exact = fractions.Fraction(sum(wall[n] for n in numbers), len(numbers))
            expect(f"rank {r['rank']} {side}", abs(r[f"{side}_ns"] - exact) < 1, True)
            first = sum(all((wall[n], -r["rank"]) >= (w[n], -k) for k, w in enumerate(walls))
                        for n in numbers)
            expect(f"rank {r['rank']} slowest in {side}",
                   abs(r[f"{side}_slowest_ratio"] - fractions.Fraction(first, len(numbers))) <
                   1e-9, True)


def check_straggler(folder):
    """A rank that got slow: the headline is its change, the mean rank's a third of it; it is named."""
    for side in ("base", "new"):
        os.makedirs(f"{folder}/{side}")
        for rank in range(3):
            slow = side == "new" and rank == 1
            generate(f"{folder}/{side}/rank{rank}.json", "healthy", "--steps", "8", "--seed",
                     str(rank + 1))
            if slow:
                stretch(f"{folder}/{side}/rank{rank}.json", 1.25)
    base, new = f"{folder}/base", f"{folder}/new"
    answer = check_pair("straggler", base, new) or {}
    check_job(answer, base, new, 3)
    why = " ".join(r["text"] for r in answer["why"]["rows"])
    expect("straggler is named", "rank 1 is the slowest in 6 of 6 steps" in why, True)
    expect("straggler verdict", answer["step"]["rows"][0]["verdict"], "regression")


def check_waiting(folder):
    """Ranks that wait for each other: all steps are as long, and the one that is waited for is said."""
    for side in ("base", "new"):
        os.makedirs(f"{folder}/wait/{side}")
        for rank in range(3):
            write_rank(f"{folder}/wait/{side}/rank{rank}.json", [10000, 10000, 10000]
                       if side == "base" else [10000, 14000, 10000], rank)
    base, new = f"{folder}/wait/base", f"{folder}/wait/new"
    answer = check_pair("waiting", base, new) or {}
    check_job(answer, base, new, 3)
    why = " ".join(r["text"] for r in answer["why"]["rows"])
    expect("waiting is said", "rank 1 makes the other 2 wait 4.000 ms a step" in why, True)
    rows = {r["key"]: r for r in answer["ledger"]["rows"]}
    expect("waiting ledger", [rows[k]["delta_ns"] for k in ("compute", "exposed_comm", "imbalance")],
           [1333333, 2666667, 0])


def write_rank(path, compute, rank):
    """Steps of a kernel, then a collective that ends a millisecond after the slowest is there."""
    events, at, end = [], 0, max(compute) + 1000
    for step in range(8):
        for i, (name, begin, dur) in enumerate((
                ("gemm", 0, compute[rank]),
                ("ncclDevKernel_AllReduce_Sum", compute[rank], end - compute[rank]))):
            flow = 2 * step + i + 1
            events += [
                {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1,
                 "ts": at + 2 * i, "dur": 1, "args": {"correlation": flow}},
                {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": at + 1 + begin,
                 "dur": dur, "args": {"device": 0, "stream": 7, "correlation": flow}}]
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}",
                       "pid": 1, "tid": 1, "ts": at, "dur": end + 2, "args": {}})
        at += end + 2
    with open(path, "w", encoding="utf-8") as f:
        f.write(json.dumps({"schemaVersion": 1, "distributedInfo": {"rank": rank, "world_size": 3},
                            "traceEvents": events}))


def stretch(path, factor):
    """All times of a trace, longer by a factor."""
    with open(path, encoding="utf-8") as f:
        doc = json.load(f)
    for e in doc["traceEvents"]:
        for key in ("ts", "dur"):
            if key in e:
                e[key] = round(float(e[key]) * factor, 3)
    with open(path, "w", encoding="utf-8") as f:
        f.write(json.dumps(doc))


def write_job(path, work, factor=1.0, host=1.0):
    """Ten steps of ops, each of which launches one kernel: (op, kernel, us, calls a step)."""
    events, at, flow, free = [], 0.0, 0, 0.0
    for step in range(10):
        begin = at
        for op, kernel, us, calls in work:
            for _ in range(calls):
                flow += 1
                us_now, took = us * factor * (1 + (flow * 7 % 5 - 2) * .002), 20 * host
                free = max(free, at + took)
                events += [
                    {"ph": "X", "cat": "cpu_op", "name": op, "pid": 1, "tid": 1, "ts": at, "dur": took},
                    {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1,
                     "ts": at + 5, "dur": 8, "args": {"correlation": flow}},
                    {"ph": "X", "cat": "kernel", "name": kernel, "pid": 0, "tid": 7, "ts": round(free, 3),
                     "dur": round(us_now, 3), "args": {"device": 0, "stream": 7, "correlation": flow}}]
                free += us_now
                at += took
        flow += 1
        events += [{"ph": "X", "cat": "cuda_runtime", "name": "cudaDeviceSynchronize", "pid": 1, "tid": 1,
                    "ts": at, "dur": max(free - at, 1) + 2, "args": {"correlation": flow}}]
        at = max(free, at + 1) + 4
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1,
                       "ts": begin, "dur": at - begin, "args": {}})
    with open(path, "w", encoding="utf-8") as f:
        f.write(json.dumps({"schemaVersion": 1, "traceEvents": events}))


def check_words(folder):
    """What the sentences say of kernels that are all slower alike, and of several ops that became one."""
    work = [("aten::mm", "gemm", 400, 6), ("aten::gelu", "gelu_kernel", 60, 6), ("aten::layer_norm", "norm_kernel", 40, 12),
            ("aten::add", "add_kernel", 50, 6)]
    fused = [work[0], ("CompiledFunction", "triton_fused", 115, 6), work[3]]
    alike = "clocks, power or another GPU, rather than the program"
    base, new = f"{folder}/words-base.json", f"{folder}/words-new.json"
    write_job(base, work)
    for what, job, factor, host, said, unsaid in (
            ("same", work, 1, 1, "", alike), ("clocks", work, 1.12, 1, "all kernels take 12% more, and the host does not: " + alike, "are replaced"),
            ("faster", work, 1 / 1.25, 1, "all kernels take 20% less, and the host does not: " + alike, "are replaced"),
            ("host, too", work, 1.12, 1.12, "", alike),
            ("one", [(o, k, us * (1.3 if o == "aten::mm" else 1), n) for o, k, us, n in work], 1, 1, "", alike),
            ("fused", fused, 1, 1, "aten::gelu and aten::layer_norm were replaced by CompiledFunction (-150", "was replaced")):
        write_job(new, job, factor, host)
        text = " ".join(r["text"] for r in (diff(base, new) or {"why": {"rows": []}})["why"]["rows"])
        expect(f"{what}: {said!r} in {text!r}", said in text, True)
        expect(f"{what}: no {unsaid!r} in {text!r}", unsaid in text, False)


def check_ranks(folder):
    """Two folders of ranks: the same bytes for any number of threads; sums hold over ranks."""
    for side, scenario, seed in (("base", "multi-rank", "1"), ("new", "multi-rank", "2")):
        for repeat in ("a", "b"):
            os.makedirs(f"{folder}/{side}/{repeat}")
            for rank in range(4):
                generate(f"{folder}/{side}/{repeat}/rank{rank}.json", scenario, "--rank",
                         str(rank), "--world", "4", "--steps", "6", "--seed", seed)
    base, new = f"{folder}/base", f"{folder}/new"
    answers = {run("diff", base, new, "--json", "-n", "0", "-j", n).stdout
               for n in ("1", "2", "3", "8")}
    expect("threads", len(answers), 1)
    answer = check_pair("ranks", base, new) or {}
    for r in answer["sides"]["rows"]:
        expect(f"{r['side']} runs", (r["runs"], r["ranks"]), (2, 4))
    check_zero("ranks", diff(base, base))
    one = diff(f"{base}/a", f"{new}/a")
    check_job(one, f"{base}/a", f"{new}/a", 4)


def main():
    check_real()
    if FIXTURES:
        with tempfile.TemporaryDirectory() as folder:
            check_generated(folder)
            check_ranks(folder)
        with tempfile.TemporaryDirectory() as folder:
            check_straggler(folder)
            check_waiting(folder)
            check_words(folder)
    for line in failures[:40]:
        print(line)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
