#!/usr/bin/env python3
"""Compares the figures of metrics, batch, smi and fit with the same computed here, in plain Python,
from files written here: windows, quantiles, Theil-Sen, throughput, scores, rewards, laws, samples."""
import collections
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
checked = collections.Counter()
failures = []


def expect(what, got, want, digits=9):
    checked[what.split()[0]] += 1
    if want is None or got is None:
        good = got is None and want is None
    elif isinstance(want, float):
        good = math.isclose(got, want, rel_tol=10.0 ** -digits, abs_tol=10.0 ** -(digits + 3))
    else:
        good = got == want
    if not good:
        failures.append(f"{what}: traceq {got!r}, here {want!r}")


def traceq(*args):
    done = subprocess.run([TRACEQ, *args, "--json", "-q"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode != 0:
        failures.append(f"traceq {' '.join(args)}: exit {done.returncode}: {done.stderr.decode()}")
        return collections.defaultdict(list)
    return collections.defaultdict(
        list, {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]})


class Random:
    """Knuth's generator, so that files are the same on every machine."""

    def __init__(self, seed):
        self.state = seed

    def unit(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        return (self.state >> 11) / 2.0 ** 53

    def normal(self):
        return sum(self.unit() for _ in range(12)) - 6


def quantile(values, q):
    v = sorted(values)
    h = (len(v) - 1) * q
    low = math.floor(h)
    return v[low] + (h - low) * (v[min(low + 1, len(v) - 1)] - v[low])


def theil_sen(x, y):
    slopes = [(y[j] - y[i]) / (x[j] - x[i]) for i in range(len(x)) for j in range(i + 1, len(x))]
    return statistics.median(slopes)


def wilson(k, n):
    z = 1.959963984540054
    centre = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(k * (n - k) / n + z * z / 4)
    return centre - half, centre + half


def least_squares(x, y):
    mx, my = statistics.fmean(x), statistics.fmean(y)
    slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
    rest = sum((b - my - slope * (a - mx)) ** 2 for a, b in zip(x, y))
    return my - slope * mx, slope, 1 - rest / sum((b - my) ** 2 for b in y)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def moving(values, window):
    """Exponential moving averages, written as the weighted mean they are."""
    keep, out = 1 - 2 / (window + 1), []
    for n in range(1, len(values) + 1):
        weights = [keep ** (n - 1 - i) for i in range(n)]
        out.append(math.fsum(w * v for w, v in zip(weights, values)) / math.fsum(weights))
    return out


def check_targets(folder):
    """When a loss that falls and a rate that is neither reached what was wanted; costs and MFU."""
    random = Random(5)
    rows = [{"step": 10 * i, "loss": 2 * (i + 1) ** -0.3 + random.normal() * 0.02,
             "temperature": 40 + i * 0.1, "step_time": 0.5 + random.unit() * 0.1,
             "num_tokens": 4000 * i, "total_flos": 1e15 * i, "train_runtime": 2.0 * (i + 1)}
            for i in range(300)]
    path = write(folder, "targets.jsonl", "".join(json.dumps(r) + "\n" for r in rows))
    answer = traceq("metrics", path, "--warmup", "0", "--window", "25", "--target", "loss=0.6",
                    "--target", "temperature=55", "--target", "step_time=0.1", "--price", "3.5",
                    "--peak-tflops", "900")
    table = {r["key"]: r for r in answer["targets"]}
    for key, value, below in (("loss", 0.6, True), ("temperature", 55, False)):
        v = [r[key] for r in rows]
        mean = moving(v, 25)
        good = [x <= value if below else x >= value for x in v]
        reached = next(i for i, x in enumerate(mean) if (x <= value if below else x >= value))
        expect(f"target {key} first", table[key]["first_x"], float(10 * good.index(True)))
        expect(f"target {key} reached", table[key]["reached_x"], float(10 * reached))
        expect(f"target {key} ema", table[key]["ema"], mean[-1])
        expect(f"target {key} after", table[key]["reached_ns"],
               1e9 * math.fsum(r["step_time"] for r in rows[:reached + 1]))
    expect("target step_time reached", table["step_time"]["reached_x"], None)
    expect("target step_time met", table["step_time"]["is_met"], False)
    keys = {r["key"]: r for r in answer["keys"]}
    later = rows[1:]
    expect("target power", keys["loss"]["power"],
           least_squares([math.log(r["step"]) for r in later],
                         [math.log(r["loss"]) for r in later])[1])
    expect("target loss ema", keys["loss"]["ema"], moving([r["loss"] for r in rows], 25)[-1])
    rates = {r["what"]: r["value"] for r in answer["throughput"]}
    expect("target cost", rates["cost of 1M tokens"], 3.5 / 3600 * 1e6 / rates["tokens/s"])
    expect("target mfu", rates["MFU"], 299e15 / 600 / 900e12)


def check_log(folder, n, seed):
    """A log of n steps: every figure of every key, over window, warm-up and ddof."""
    random = Random(seed)
    rows = [{"step": i, "loss": 2 / (1 + i / 50) + random.normal() * 0.05,
             "kl": 0.01 + random.unit() * 0.001, "step_time": 0.4 + random.unit() * 0.1,
             "num_tokens": 5000 * (i + 1)} for i in range(n)]
    path = write(folder, f"log{n}.jsonl", "".join(json.dumps(r) + "\n" for r in rows))
    for window, ddof, warmup in ((100, 1, 10), (7, 0, 0)):
        answer = traceq("metrics", path, "--window", str(window), "--ddof", str(ddof), "--warmup",
                        str(warmup))
        cut = warmup if n >= 5 * warmup else 0
        for row in answer["keys"]:
            key = row["key"]
            scale = 1e9 if key == "step_time" else 1
            v = [r[key] * scale for r in rows][cut:]
            about = f"log {n} {window} {key}"
            last = v[-window:]
            deviation = statistics.stdev if ddof else statistics.pstdev
            expect(about + " count", row["count"], len(v))
            expect(about + " mean", row["mean"], statistics.fmean(v))
            expect(about + " window_mean", row["window_mean"], statistics.fmean(last))
            if len(last) > 1:
                expect(about + " std", row["std"], float(deviation(v)))
                expect(about + " window_std", row["window_std"], float(deviation(last)))
            expect(about + " max", row["max"], float(max(v)))
            for name, q in (("p25", 0.25), ("median", 0.5), ("p75", 0.75), ("p95", 0.95)):
                expect(f"{about} {name}", row[name], float(quantile(v, q)))
            expect(about + " p99", row["p99"], float(quantile(v, 0.99)) if len(v) >= 100 else None)
            if len(v) <= 10:  # as many blocks as values
                expect(about + " slope", row["slope"],
                       float(theil_sen([r["step"] for r in rows][cut:], v)))
        window = min(window, n - 1)
        expect(f"log {n} tokens/s", answer["throughput"][0]["value"],
               5000 * window / sum(r["step_time"] for r in rows[-window:]) if cut == 0 else
               answer["throughput"][0]["value"])


def check_lists(folder):
    """Scores and rewards of groups, logged as lists."""
    random = Random(77)
    scores, groups, lines = [], [], []
    for step in range(60):
        some = [None if random.unit() < 0.1 else round(random.unit() * 2) / 2 for _ in range(8)]
        these = [[1.0] * 4 if random.unit() < 0.2 else
                 [round(random.unit(), 3) + 0.2 * (g % 2) for _ in range(4)] for g in range(3)]
        scores += some
        groups += these
        lines.append(json.dumps({"step": step, "scores": some, "rewards": these}))
    answer = traceq("metrics", write(folder, "lists.jsonl", "\n".join(lines) + "\n"))
    valid = [s for s in scores if s is not None]
    row = answer["scores"][0] if answer["scores"] else {}
    expect("scores total", row.get("total"), len(scores))
    expect("scores valid", row.get("valid"), len(valid))
    expect("scores mean", row.get("mean"), statistics.fmean(valid))
    low, high = wilson(len(scores) - len(valid), len(scores))
    expect("scores from", row.get("invalid_lo_ratio"), low, 6)
    expect("scores to", row.get("invalid_hi_ratio"), high, 6)
    counts = collections.Counter(valid)
    for share in answer["score_shares"]:
        expect(f"scores share {share['score']}", share["count"], counts[float(share["score"])])
    expect("scores shares", len(answer["score_shares"]), len(counts))
    every = [r for g in groups for r in g]
    means = [statistics.fmean(g) for g in groups]
    between = 4 * statistics.variance(means)
    within = statistics.fmean(statistics.variance(g) for g in groups)
    var_b = max(0.0, (between - within) / 4)
    want = {"groups": len(groups), "group_size": 4.0, "mean": statistics.fmean(every),
            "group_std": statistics.fmean(statistics.stdev(g) for g in groups),
            "zero_std_ratio": sum(len(set(g)) == 1 for g in groups) / len(groups),
            "best_of_n": statistics.fmean(max(g) for g in groups),
            "pass_1_ratio": sum(r >= 0.5 for r in every) / len(every),
            "pass_n_ratio": sum(max(g) >= 0.5 for g in groups) / len(groups),
            "icc": var_b / (var_b + within), "std_documents": statistics.pstdev(every)}
    row = answer["rewards"][0] if answer["rewards"] else {}
    for key, value in want.items():
        expect(f"rewards {key}", row.get(key), value)


def check_sweep(folder):
    """detailed_metrics.csv: rates, sweet spot, laws, the largest batch."""
    random = Random(5)
    stats = ["mean", "std", "min", "max", "median"]
    metrics = ["latency_total", "latency_per_sample", "latency_per_batch",
               "throughput_samples_per_sec", "throughput_batches_per_sec", "cpu_mem_used",
               "gpu_mem_used", "peak_gpu_mem"]
    rows, lines = [], [",".join([f"{m}_{s}" for m in metrics for s in stats] +
                                ["batch_size", "num_samples", "num_runs"])]
    for batch in (1, 2, 4, 8, 16, 32, 64):
        per_sample = (0.004 + 0.02 / batch) * (1 + 0.02 * random.unit())
        peak = 1500 + 35.5 * batch + 3 * random.unit()
        rows.append((batch, per_sample, peak))
        values = {"latency_total": per_sample * 500, "latency_per_sample": per_sample,
                  "latency_per_batch": per_sample * batch,
                  "throughput_samples_per_sec": 1 / per_sample * 1.001,
                  "throughput_batches_per_sec": 1 / per_sample / batch, "cpu_mem_used": 5.0,
                  "gpu_mem_used": 0.5, "peak_gpu_mem": peak}
        cells = []
        for m in metrics:
            spread = values[m] * 0.03
            cells += [values[m], spread, values[m] - spread, values[m], values[m]]
        lines.append(",".join(repr(c) for c in cells + [batch, 500, 10]))
    path = write(folder, "detailed_metrics.csv", "\n".join(lines) + "\n")
    answer = traceq("batch", path, "--capacity", "16GiB")
    if not answer["answer"]:
        return
    row = answer["answer"][0]
    batches = [r[0] for r in rows]
    rates = [1 / r[1] for r in rows]
    expect("batch sweet", row["sweet_spot"],
           next(b for b, t in zip(batches, rates) if t >= 0.95 * max(rates)))
    expect("batch best", row["best_batch"], batches[rates.index(max(rates))])
    fixed, slope, r2 = least_squares(batches, [r[2] * 2 ** 20 for r in rows])
    expect("batch fixed", row["memory_fixed_bytes"], fixed)
    expect("batch slope", row["memory_sample_bytes"], slope)
    expect("batch r2", row["memory_r2_ratio"], r2)
    expect("batch largest", row["largest_batch"],
           math.floor((0.92 * 16 * 2 ** 30 - fixed) / slope))
    exponent = least_squares([math.log(b) for b in batches],
                             [math.log(r[1] * r[0]) for r in rows])[1]
    expect("batch exponent", row["latency_exponent"], exponent)
    for got, rate in zip(answer["sizes"], rates):
        expect("batch rate", got["samples_per_s"], rate)
        expect("batch rate std", got["samples_per_s_std"], rate * 0.03)


def check_samples(folder):
    """gpu_usage.csv of two GPUs: weights, trimming, shares, peaks."""
    random = Random(9)
    lines = ["timestamp, index, utilization.gpu [%], memory.used [MiB], memory.free [MiB], "
             "temperature.gpu, power.draw [W]"]
    data, second = {0: [], 1: []}, 0.0
    for i in range(120):
        second += 1.0 if i % 10 else 2.5
        for gpu in (0, 1):
            idle = i < 5 or i >= 110
            use = (0 if idle else int(40 + 60 * random.unit()), 10000 + 10 * i + 5 * gpu,
                   40 + i // 4, 100 + 200 * random.unit())
            data[gpu].append((second, *use))
            stamp = f"2025/11/30 12:{int(second) // 60:02d}:{second % 60:06.3f}"
            lines.append(f"{stamp}, {gpu}, {use[0]} %, {use[1]} MiB, {40960 - use[1]} MiB, "
                         f"{use[2]}, {use[3]:.2f} W")
    answer = traceq("smi", write(folder, "gpu_usage.csv", "\n".join(lines) + "\n"))
    expect("smi gpus", len(answer["gpus"]), 2)
    for gpu, row in enumerate(answer["gpus"]):
        v = data[gpu]
        gaps = [b[0] - a[0] for a, b in zip(v, v[1:])]
        weight = [(a + b) / 2 for a, b in zip([0] + gaps, gaps + [0])]
        busy = [i for i, s in enumerate(v) if s[1] > 5]
        kept = range(busy[0], busy[-1] + 1)
        total = sum(weight[i] for i in kept)
        mean = sum(v[i][1] * weight[i] for i in kept) / total / 100
        expect("smi samples", row["samples"], len(kept))
        expect("smi utilization", row["utilization_ratio"], mean)
        expect("smi >= 80", row["busy80_ratio"],
               sum(weight[i] for i in kept if v[i][1] >= 80) / total)
        expect("smi p10", row["utilization_p10_ratio"],
               quantile([v[i][1] / 100 for i in kept], 0.1))
        expect("smi peak", row["peak_used_bytes"], float(max(v[i][2] for i in kept)) * 2 ** 20)
        expect("smi capacity", row["capacity_bytes"], 40960.0 * 2 ** 20)
        expect("smi heat", row["temperature_max_c"], float(max(v[i][3] for i in kept)))
        expect("smi power", row["power_mean_w"],
               sum(round(v[i][4], 2) * weight[i] for i in kept) / total)


def check_fit():
    """Bytes per parameter over capacity, for a few sizes of model."""
    need = {"infer_fp32": 4, "infer_fp16": 2, "infer_int8": 1, "infer_nf4": 0.56,
            "adam_fp32_grads": 18, "adam_master": 16, "adam_autocast": 16, "adam_seed": 12,
            "adam_8bit": 10}
    for params in (494033920, 7 * 10 ** 9, 70 * 10 ** 9):
        for row in traceq("fit", "--params", str(params), "--gpu", "80GiB")["regimes"]:
            if row["id"] not in need:
                continue
            want = math.ceil(round(params * need[row["id"]], 3))
            total = want * 1.05 + 0.75 * 2 ** 30
            verdict = "fits" if total <= 0.9 * 80 * 2 ** 30 else \
                "tight" if total <= 80 * 2 ** 30 else "too large"
            expect(f"fit {params} {row['id']}", row["need_bytes"], want)
            expect(f"fit {params} {row['id']} verdict", row["verdict"], verdict)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for n, seed in ((5, 1), (9, 2), (60, 3), (1000, 4)):
            check_log(folder, n, seed)
        check_targets(folder)
        check_lists(folder)
        check_sweep(folder)
        check_samples(folder)
    check_fit()
    for part, n in sorted(checked.items()):
        print(f"ok   {part}: {n} comparisons")
    for text in failures:
        print("FAIL", text)
    print(f"{sum(checked.values()) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
