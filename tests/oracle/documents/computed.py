"""What the documents compute, by their own formulas in plain Python, and where traceq says it: each
check returns (what, got, wanted) rows."""
import json
import math

from documents import canary, phase_b, profiling, week1

GIB, MIB = 2.0 ** 30, 2.0 ** 20


def percentile(values, q):
    """numpy.percentile, linear: rank = q/100 (n - 1)."""
    v = sorted(values)
    rank = q / 100 * (len(v) - 1)
    low = math.floor(rank)
    return v[low] + (rank - low) * (v[min(low + 1, len(v) - 1)] - v[low])


def mean(values):
    return sum(values) / len(values)


def std(values):
    """numpy.std, ddof 0"""
    return math.sqrt(mean([(v - mean(values)) ** 2 for v in values]))


def fit_line(x, y):
    """numpy.polyfit(x, y, 1): slope, intercept."""
    mx, my = mean(x), mean(y)
    slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
    return slope, my - slope * mx


def row_of(tables, table, key, value):
    return next((r for r in tables.get(table, []) if r.get(key) == value), {})


def found_by(tables, rule):
    """What a rule found, with or without a trace: the document's own words of it (what is ours
    stands behind a semicolon), value, action."""
    row = next((r for rows in tables.values() for r in rows if r.get("rule") == rule), {})
    text = row.get("finding") or row.get("text") or ""
    return text.split(";")[0], row.get("value"), row.get("action")


def compare(row, **wanted):
    return [(key, row.get(key), value) for key, value in wanted.items()]


# Overall mean 0.5, the last hundred 0.2: "Model IS improving, but overall mean doesn't show it!"
LOSSES = [round(0.6 - 0.00015 * i + (0.01 if i % 2 else -0.01), 6) for i in range(900)]
LOSSES += [round(0.2 + (0.02 if i % 2 else -0.02), 6) for i in range(100)]


def s0_c1_statistics(ask, write):
    at = write("c1.json", json.dumps({
        "experiment_name": "x", "timestamp": "2025-11-30T12:00:00", "metric_summaries": {},
        "raw_metrics": {"loss": LOSSES}}))
    row = row_of(ask("metrics", at, "--ddof", "0", "--warmup", "0"), "keys", "key", "loss")
    return compare(row, count=1000, last=LOSSES[-1], mean=mean(LOSSES), std=std(LOSSES),
                   min=min(LOSSES), max=max(LOSSES), median=percentile(LOSSES, 50),
                   p25=percentile(LOSSES, 25), p75=percentile(LOSSES, 75),
                   p95=percentile(LOSSES, 95))


def s0_c2_windows(ask, write):
    at = write("c2.json", json.dumps({
        "experiment_name": "x", "timestamp": "2025-11-30T12:00:00", "metric_summaries": {},
        "raw_metrics": {"loss": LOSSES}}))
    row = row_of(ask("metrics", at, "--ddof", "0", "--warmup", "0"), "keys", "key", "loss")
    rows = compare(row, window=100, window_mean=0.2, window_std=0.02, trend="improving")
    row = row_of(ask("metrics", at, "--ddof", "0", "--warmup", "0", "--window", "50"), "keys",
                 "key", "loss")
    return rows + compare(row, window=50, window_mean=mean(LOSSES[-50:]),
                          window_std=std(LOSSES[-50:]))


def s0_c3_timers(ask, write):
    tables = ask("metrics", write("c3.json", profiling.TIMERS))
    rows = []
    for name, share in (("forward", 0.125 / 0.425), ("backward", 0.250 / 0.425),
                        ("optimizer", 0.050 / 0.425), ("iteration", 1.0)):
        rows += compare(row_of(tables, "stages", "stage", name), share_ratio=share, calls=100)
    rows += compare(row_of(tables, "throughput", "what", "samples/s"), value=8.5)
    rows += compare(row_of(tables, "throughput", "what", "tokens/s"), value=10920)
    text, _, advice = found_by(ask("diagnose", write("c3.json", profiling.TIMERS)), "R01")
    return rows + [("slowest operation", text,
                    "Slowest stage: backward (0.2500s) - consider optimization"),
                   ("advice", advice, "Gradient checkpointing")]


def s0_c4_leak(ask, write):
    rows = []
    for last, word in ((10.9, "no leak"), (11.0, "no leak"), (11.01, "leak"), (12.5, "leak")):
        at = write("c4.json", json.dumps([
            {"timestamp": 1764504000.0 + i, "tag": tag, "allocated_gb": gb, "reserved_gb": 14.0,
             "max_allocated_gb": 15.2, "max_reserved_gb": 16.0}
            for i, (tag, gb) in enumerate((("baseline", 10.5), ("iteration_end", 10.6),
                                           ("leak_check", last)))]))
        row = ask("metrics", at)["memory"][0]
        rows += compare(row, baseline_bytes=10.5 * GIB, growth_bytes=(last - 10.5) * GIB,
                        threshold_bytes=0.5 * GIB, documents_say=word)
    return rows


def s0_c6_models(ask, _):
    rows = []
    tables = ask("fit", "--seed-compat")
    for name, billions in (("DeepSeek-Math-7B", 7), ("DeepSeek-Math-70B", 70),
                           ("DeepSeek-V3 (active)", 37), ("DeepSeek-V3 (total)", 236)):
        rows += compare(row_of(tables, "seed_models", "model", name),
                        inference=f"{billions * 1e9 * 2 / 1024 ** 3:.1f} GB",
                        training=f"{billions * 1e9 * 12 / 1024 ** 3:.1f} GB")
    tables = ask("fit", "--params", "7B", "--gpu", "16GiB")
    for regime, size in (("infer_fp32", 4), ("infer_fp16", 2), ("infer_int8", 1),
                         ("adam_seed", 12)):
        rows += compare(row_of(tables, "regimes", "id", regime), need_bytes=7000000000 * size)
    return rows


def s0_c7_fits(ask, _):
    """The verdict for a T4: inference fits (tightly), training needs LoRA or QLoRA."""
    tables = ask("fit", "--params", "7B", "--gpu", "T4")
    rows = [(regime, row_of(tables, "regimes", "id", regime).get("verdict"), verdict)
            for regime, verdict in (("infer_fp16", "tight"), ("adam_seed", "too large"),
                                    ("adam_master", "too large"), ("qlora", "fits"))]
    tables = ask("fit", "--seed-compat", "--gpu", "16GiB")
    return rows + [(name, row_of(tables, "seed_compatibility", "model", name).get("status"), status)
                   for name, status in (("DeepSeek-Math-7B (inference)", "✓ Fits"),
                                        ("DeepSeek-Math-7B (training)", "✗ Too large"),
                                        ("DeepSeek-V3 active (training)", "✗ Too large"))]


def s0_c8_scores(ask, write):
    tables = ask("metrics", write("c8.json", profiling.SCORES))
    rows = compare(tables["scores"][0], total=5, valid=4, invalid=1, invalid_ratio=0.2, mean=0.625)
    for score, count in (("0", 1), ("0.5", 1), ("1", 2)):
        row = row_of(tables, "score_shares", "score", score)
        rows += compare(row, count=count, ratio=count / 4)
    log = "".join(json.dumps({"step": i, "rewards": group}) + "\n" for i, group in
                  enumerate([[0.9, 0.7, 0.5, 0.3], [0.8, 0.8, 0.4, 0.2]]))
    every = [0.9, 0.7, 0.5, 0.3, 0.8, 0.8, 0.4, 0.2]
    row = ask("metrics", write("c8.jsonl", log))["rewards"][0]
    # argsort of argsort within a group of four: 0, 1, 2, 3 whatever the rewards
    return rows + compare(row, groups=2, mean=mean(every), std_documents=std(every), min=0.2,
                          max=0.9, rank_mean_documents=1.5, rank_std_documents=std([0, 1, 2, 3]))


def s2_c_stages(ask, write):
    tables = ask("metrics", write("stage_times.json", phase_b.STAGE_TIMES))
    rows = []
    for name, times in (("forward", phase_b.FORWARD), ("backward", phase_b.BACKWARD)):
        total = sum(phase_b.FORWARD) + sum(phase_b.BACKWARD)  # epoch_0 is around them
        rows += compare(row_of(tables, "stages", "stage", name), calls=4, total_ns=sum(times) * 1e9,
                        mean_ns=mean(times) * 1e9, share_ratio=sum(times) / total)
    found = ask("diagnose", write("stage_times.json", phase_b.STAGE_TIMES))
    rows.append(("slowest stage", found_by(found, "R01")[0], f"Slowest stage: backward "
                 f"({mean(phase_b.BACKWARD):.4f}s) - consider optimization"))
    row = row_of(ask("metrics", write("metrics.json", phase_b.METRICS), "--warmup", "0"), "keys",
                 "key", "step_times")
    return rows + compare(row, count=100, mean=mean(phase_b.STEPS) * 1e9,
                          min=min(phase_b.STEPS) * 1e9, max=max(phase_b.STEPS) * 1e9,
                          median=percentile(phase_b.STEPS, 50) * 1e9)


def s2_c_operations(ask, write):
    at = write("op_stats.csv", phase_b.OP_STATS)
    ops = ask("top", at, "--sort", "cpu_time_total")["recorded_ops"]
    wanted = [("aten::addmm", 280.0), ("autograd::engine::evaluate_function: AddmmBackward0, x",
                                       88.125), ("aten::relu", 30.25)]
    rows = [(f"operation {i + 1}", (ops[i]["name"], ops[i]["cpu_total_ns"]), (n, us * 1e3))
            for i, (n, us) in enumerate(wanted)]
    rows.append(("memory of an op", found_by(ask("diagnose", at), "R02")[0], "High CUDA memory usage detected: "
                 "1.61GB - consider memory optimization"))
    found = ask("diagnose", write("memory_stats.json", phase_b.MEMORY_STATS))
    return rows + [("peak CUDA memory", found_by(found, "R03")[0], "Peak CUDA memory usage: 1.61GB - "
                    "monitor for memory leaks")]


def s4_c_batch(ask, write):
    """Optimal size (argmax, and the middle that script 02 takes), laws, efficiency, targets."""
    tables = ask("batch", write("detailed_metrics.csv", week1.DETAILED), "--capacity", "A100-40")
    peaks = [r["peak_gpu_mem_max"] * MIB for r in week1.ROWS]
    slope, fixed = fit_line(week1.SIZES, peaks)
    power, _ = fit_line([math.log(b) for b in week1.SIZES],
                        [math.log(r["latency_per_batch_mean"]) for r in week1.ROWS])
    rows = compare(tables["answer"][0], best_batch=32, middle_batch=16, memory_sample_bytes=slope,
                   memory_fixed_bytes=fixed, latency_exponent=power, latency_law="sub-linear")
    for r in week1.ROWS:
        row = row_of(tables, "sizes", "batch_size", r["batch_size"])
        rate = r["throughput_samples_per_sec_mean"]
        rows += compare(row, latency_per_sample_ns=r["latency_per_sample_mean"] * 1e9,
                        latency_std_ns=r["latency_per_sample_std"] * 1e9,
                        latency_per_batch_ns=r["latency_per_batch_mean"] * 1e9,
                        samples_per_s_written=rate,
                        samples_per_s_written_std=r["throughput_samples_per_sec_std"],
                        used_bytes=r["gpu_mem_used_mean"] * MIB,
                        documents_efficiency=rate / (r["gpu_mem_used_mean"] + 1),
                        documents_say={1: "too small", 4: "too small", 64: "large"}.get(
                            r["batch_size"], "best balance"))
    sweet = row_of(tables, "sizes", "batch_size", tables["answer"][0]["sweet_spot"])
    for target, ratio in (("latency of a sample", 1 - sweet["latency_per_sample_ns"] / 50e6),
                          ("throughput", sweet["samples_per_s"] / 100 - 1)):
        rows += compare(row_of(tables, "targets", "target", target), met="met",
                        headroom_ratio=ratio)
    return rows


def s4_c_linear(ask, write):
    """A latency that doubles with the batch is linear."""
    doubled = [dict(r, latency_per_batch_mean=0.01 * r["batch_size"]) for r in week1.ROWS]
    tables = ask("batch", write("linear.csv", week1.as_csv(doubled)))
    return compare(tables["answer"][0], latency_exponent=1.0, latency_law="linear")


def s3_c_ratios(ask, write):
    found = ask("diagnose", write("canary.json", canary.BASE))
    rows = []
    ops = canary.CUDA_OPS
    copies = sum(v for n, v, _ in ops if "copy" in n) / sum(v for _, v, _ in ops)
    for rule, value in (("Q01", 3100.25 / 1450.5), ("Q02", copies)):
        rows.append((rule, found_by(found, rule)[1], value))
    return rows


CHECKS = [s0_c1_statistics, s0_c2_windows, s0_c3_timers, s0_c4_leak, s0_c6_models, s0_c7_fits,
          s0_c8_scores, s2_c_stages, s2_c_operations, s3_c_ratios, s4_c_batch, s4_c_linear]
