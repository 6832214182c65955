#!/usr/bin/env python3
"""Small logs against tests/log_values.tsv: how many values each figure has, and their mean; and pairs
of logs of which the second is slower, which fail the gate and pass against themselves."""
import json
import math
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
CASES = os.path.join(os.environ.get("SHARED", "../shared"), "cases")
ALL = os.environ.get("CHECK_ALL")
PAIRS = ["d2old", "ep", "evalbar", "meg", "ngn_20", "ngn_60", "p_fairseq", "p_mds", "p_nanotron", "p_nemo2", "p_paddle",
         "p_ppdet", "ppt", "q_mmiter", "q_trtllm", "q_trtllm_new", "q_unsloth", "q_yolo", "spec", "vac"]
failures = []
checked = 0


def expect(where, got, want):
    global checked
    checked += 1
    same = math.isclose(got, want, rel_tol=1e-6) if isinstance(got, float) and want is not None else got == want
    if not same:
        failures.append(f"{where}: {got}, not {want}")


def run(*args):
    return subprocess.run([TRACEQ, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)


def figures(path):
    done = run("metrics", os.path.join(CASES, path), "--warmup", "0", "--json")
    if done.returncode != 0:
        return {}
    tables = json.loads(done.stdout)["tables"]
    return {(row["key"], row["group"] or "-"): row for table in tables if table["id"] == "keys" for row in table["rows"]}


def read_beside(name):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", name), encoding="utf-8") as text:
        return text.read()


def check_values():
    known = {}
    rows = [line.split("\t") for line in read_beside("log_values.tsv").splitlines() if not line.startswith("#")]
    for path, key, group, count, mean in rows:
        if path not in known:
            known[path] = figures(path)
        row = known[path].get((key, group), {"count": 0, "mean": None})
        expect(f"{path}: values of {key} ({group})", row["count"], int(count))
        expect(f"{path}: mean of {key} ({group})", row["mean"] if row["mean"] is None else float(row["mean"]), float(mean))


def check_pairs():
    for name in PAIRS:
        base, slow = (os.path.join(CASES, "logs", f"{name}_{which}.log") for which in ("base", "slow"))
        expect(f"gate of {name}, slower", run("gate", f"base={base}", f"new={slow}").returncode, 1)
        expect(f"gate of {name} against itself", run("gate", f"base={base}", f"new={base}").returncode, 0)


STEPS = range(1, 41)
# Figures that are written as texts, by numbers in front, and two programs in one log: key, how many, mean in base units.
TEXTS = {
    "texts.jsonl": ("\n".join(json.dumps({
        "step": i, "loss": f"{3 - i / 100:.2f}", "step_time": f"{500 + i % 2}ms", "eval_time": "0:00:02", "mem": "12.5GB",
        "throughput": "1.2K tokens/s", "date": "2025-01-02", "commit": "12ab34c", "gpu": "8xH100"}) for i in STEPS),
        {"loss": (40, 2.795), "step_time": (40, 500.5e6), "eval_time": (40, 2e9), "mem": (40, 12.5 * 2 ** 30),
         "throughput": (40, 1200), "date": None, "commit": None, "gpu": None}),
    "units.jsonl": ("\n".join(json.dumps({"step": i, "step_time": "900ms" if i % 2 else "1.1s"}) for i in STEPS),
                    {"step_time": (40, 1e9)}),
    "texts.csv": ("step,loss,step_time,mem,util,note\n" + "\n".join(
        f"{i},{3 - i / 100:.2f},{500 + i % 2}ms,12.5GB,{90 + i % 2}%,3rd try" for i in STEPS),
        {"loss": (40, 2.795), "step_time": (40, 500.5e6), "mem": (40, 12.5 * 2 ** 30), "util": (40, .905), "note": None}),
    "bars.log": ("Loading checkpoint shards: 100% Completed | 4/4 [00:10<00:00,  2.50it/s]\n"
                 "Capturing CUDA graphs (decode, FULL): 100%|####| 35/35 [00:02<00:00, 14.50it/s]\n" + "\n".join(
                     f"Train: {i}%|##   | {5 * i}/200 [00:10<00:40,  {10 + i % 2}.0it/s, loss=2.5]" for i in STEPS),
                 {"it_per_sec": (40, 10.5), "loss": (40, 2.5)}),
    "latency.txt": ("Avg latency: 0.25 seconds\n10% percentile latency: 0.20 seconds\n99% percentile latency: 0.50 seconds\n",
                    {"Avg latency": (1, .25e9), "10% percentile latency": (1, .2e9), "99% percentile latency": (1, .5e9)}),
    "ranked.txt": ("Mean latency (ns)             : 5000000\n99th percentile latency (ms): 7.5\n99.90 percentile latency (ns)   : 8600000\n",
                   {"99th percentile latency": (1, 7.5e6), "99.90 percentile latency": (1, 8.6e6)}),
    "throughput.txt": ("Throughput: 12.5 requests/s, 3200.1 total tokens/s, 1600.0 output tokens/s\n",
                       {"Throughput": (1, 12.5), "total tokens/s": (1, 3200.1), "output tokens/s": (1, 1600)}),
    "client.txt": ("  Client:\n    Throughput: 123.45 infer/sec\n    Avg latency: 8123 usec (standard deviation 123 usec)\n    p50 latency: 8 msec\n",
                   {"Client: Avg latency": (1, 8.123e6), "Client: p50 latency": (1, 8e6)}),
    "semicolons.csv": ("\ufeffsep=;\r\nstep;loss;step_time;tok/s;Datum\r\n" + "".join(
        f"{i};2,{500 + i};{['1,050', '0,950'][i % 2]};12.345,5;01.02.2025\r\n" for i in STEPS),
        {"loss": (40, 2.5205), "step_time": (40, 1e9), "tok/s": (40, 12345.5), "Datum": None}),
    "semicolons_points.csv": ("step;loss;tokens\n" + "".join(f"{i};2.5;12,345\n" for i in STEPS), {"loss": (40, 2.5), "tokens": (40, 12345)}),
    "quoted.csv": ('"step";"loss";"ms"\n' + "".join(f'"{i}";"2,5";"1.050,5"\n' for i in STEPS), {"loss": (40, 2.5), "ms": (40, 1050.5e6)}),
    "tabs.tsv": ("step\tloss\ttime_s\n" + "".join(f"{i}\t2,5\t1,050\n" for i in STEPS), {"loss": (40, 2.5), "time_s": (40, 1.05e9)}),
    "dated.csv": ("date,value\n2025-01-01,10.5\n2025-01-02,11.5\n", {"value": (2, 11), "date": None}),
    "labelled.csv": ("run,latency_ms\nabc,10.5\nabd,11.5\n", {"latency_ms": (2, 11e6)}),
    "behind_blanks.log": ("\n".join(f"step {i} loss {3 - i / 100:.2f} step_time {'950 ms' if i % 2 else '1.05 s'} mem 20.5 G tput 900 tok/s"
                                    for i in STEPS),
                          {"loss": (40, 2.795), "step_time": (40, 1e9), "mem": (40, 20.5 * 2 ** 30), "tput": (40, 900)}),
    "no_value.log": ("\n".join(f"step {i} loss {['Infinity', 'None', 'N/A', 2.5][i % 4]} grad_norm 1.5" for i in STEPS),
                     {"loss": (10, 2.5), "grad_norm": (40, 1.5)}),
    "tensors.log": ("\n".join(f"{{'step': {i}, 'loss': tensor({3 - i / 100:.2f}, device='cuda:0'), 'acc': tensor([0.5, 0.25]), 'lr': np.float64(0.1)}}"
                              for i in STEPS), {"loss": (40, 2.795), "lr": (40, .1), "cuda": None}),
    "tensor.log": ("\n".join(f"step {i} loss: tensor({3 - i / 100:.2f}, device='cuda:0', grad_fn=<MulBackward0>) acc: 0.5" for i in STEPS),
                   {"loss": (40, 2.795), "acc": (40, .5), "cuda": None}),
    "judged.log": ("\n".join(f"Epoch {i}/40: train loss={3 - i / 100:.2f}, val loss={4 - i / 100:.2f}, time=1m2s" for i in STEPS),
                   {"train_loss": (40, 2.795), "val_loss": (40, 3.795), "time": (40, 62e9)}),
    "commas.log": ("\n".join(f"step {i}: loss 2,{500 + i} acc: 0,{50 + i} lr=0,0001 time 0,25 s tok/s 12,345 gpus=0,1" for i in STEPS),
                   {"loss": (40, 2.5205), "acc": (40, .705), "lr": (40, 1e-4), "step_time": (40, 25e7), "tok/s": (40, 12345)}),
    # "12,345" beside lists, which are no numbers: by '=', ':', a blank, in brackets, of ranges, and in front of the step
    "lists.log": ("\n".join(["step {i} gpus=0,1,2,3 tok/s 12,345 loss 2.5", "step {i} gpus: 0, 1, 2, 3 tok/s 12,345 loss 2.5",
                             "step {i} ids=0,1,2,3 loss 2.5 tok/s 12,345", "gpus=4,5,6,7 step {i} tok/s 12,345 loss 2.5",
                             "step {i} gpus=0-3,6 tok/s 12,345 loss 2.5", "step {i} gpus [0,1] tok/s 12,345 loss 2.5",
                             "step {i} gpus 0,1,2,3 tok/s 12,345 loss 2.5", "step {i},loss 2.5,tok/s 12,345,gpus 0,1"][i % 8].replace("{i}", str(i))
                            for i in STEPS),
                  {"loss": (40, 2.5), "tok/s": (40, 12345)}),
    "units_behind.log": ("\n".join(f"step {i} loss=2.5, 12,345 tok/s 80 ms/step" for i in STEPS),
                         {"loss": (40, 2.5), "tok/s": (40, 12345), "ms/step": (40, 80e6)}),
    "behind_bars.log": ("".join(f"\r[rank{r}]: {i}%|#  | {i}/100 [00:01<00:09, 1.{r}it/s]step {i} loss {3 + r - i / 100:.2f} mem [1, 2]\n" for i in STEPS for r in range(2)),
                        {"loss": (40, 2.795), "it_per_sec": (40, 1)}),
    "dict_behind.log": ("".join(f"\r{i}%|#  | {i}/100 [00:01<00:09, 1.5it/s, lr=0.1]{{'loss': {3 - i / 100:.2f}, 'epoch': {i / 40}}}\n" for i in STEPS),
                        {"loss": (40, 2.795)}),
    "spreads.log": ("\n".join([f"step {i} loss {3 - i / 100:.2f} ± 0.01 time 1.5 ± 0.1 s tok/s 12345 +/- 20",
                               f"step {i}: loss: {3 - i / 100:.2f} +/- 0.01, time: 1.5s ± 0.1s, tok/s: 12345±20",
                               f"step={i} loss={3 - i / 100:.2f}+-0.01 time=1.5 s ± 0.1 s tok/s=12345"][i % 3] for i in STEPS),
                    {"loss": (40, 2.795), "step_time": (40, 1.5e9), "tok/s": (40, 12345)}),
    "growing.log": ("\n".join(f"step {i} loss 2.5 time {1.05 + i / 1000:.3f} s" for i in STEPS), {"step_time": (40, 1.0705e9)}),
    "elapsed.log": ("\n".join(f"step {i} loss 2.5 time {60 + 1.05 * i:.3f} s" for i in STEPS), {"step_time": None}),
    "groups.log": ("\n".join(f"step {i}_000 loss {3 - i / 100:.2f} tok/s 12_345 tokens {['1_234_567', chr(39).join('1234567'[k:k + 3] if k else '1' for k in (0, 1, 4))][i % 2]}"
                             for i in STEPS), {"loss": (40, 2.795), "tok/s": (40, 12345), "tokens": (40, 1234567)}),
    # "1,050" and "1.050" by the numbers beside them that can be read in one way alone
    "either.log": ("\n".join(f"step {i} loss 2,{500 + i} lr 0,001 mem 20,125 GB time {['1,050', '0,950'][i % 2]} s tok/s 12.345" for i in STEPS),
                   {"loss": (40, 2.5205), "step_time": (40, 1e9), "mem": (40, 20.125 * 2 ** 30), "tok/s": (40, 12345)}),
    "either_late.log": ("\n".join(f"step {i} loss 2,5{i} time 1,050 s" for i in STEPS), {"step_time": (40, 1.05e9)}),
    "either_labels.log": ("\n".join(f"Step {i}\nLoss: 2,5{i}\nStep time: 1,050 s" for i in STEPS), {"step_time": (40, 1.05e9)}),
    "either_dict.log": ("\n".join(f"{{'step': {i}, 'loss': '2,5{i}', 'step_time': '1,050 s'}}" for i in STEPS), {"step_time": (40, 1.05e9)}),
    "either_bar.log": ("\n".join(f"step {i} loss 2,5{i} time {['1,050', '0,950'][i % 2]} s\n 50%|###  | {i}/80 [00:01<00:01, 1.25it/s]" for i in STEPS),
                       {"step_time": (40, 1e9)}),
    "thousands.log": ("\n".join(f"step {i} loss {['1,050', '950'][i % 2]} lr 0.001 time 1,050 ms" for i in STEPS),
                      {"loss": (40, 1000), "step_time": (40, 1.05e9)}),
    "comma_labels.log": ("\n".join(f"Step {i}\nLoss: 2,{500 + i}\nTokens: 12,345" for i in STEPS), {"loss": (40, 2.5205)}),
    "both.log": ("\n".join(
        f" iteration {i:8}/ 1000 | elapsed time per iteration (ms): {800 + i % 2}.0 | learning rate: 1.5E-04 | lm loss: "
        f"{9 - i / 20:.6E} | grad norm: 1.2 |\nsteps: {i} loss: {9.5 - i / 20:.4f} iter time (s): 0.812 samples/sec: 315.2"
        for i in STEPS),
        {"loss": (40, 7.975), "loss (DeepSpeed, engine)": (40, 8.475), "step_time": (40, 800.5e6), "step_time (DeepSpeed, engine)": (40, .812e9)}),
}


# Rates of bars in other units than it/s: how two of them are written, the figure, and its mean.
RATES = {"10.0batch/s 11.0batch/s": ("it_per_sec", 10.5), "2.0 steps/s 3.0 steps/s": ("it_per_sec", 2.5), "0.5s/batch 0.25s/batch": ("it_per_sec", 3),
         "0.50 s/it 0.25 s/it": ("it_per_sec", 3), "1.20kit/s 1.30kit/s": ("it_per_sec", 1250), "1,25it/s 1,75it/s": ("it_per_sec", 1.5),
         "310.5img/s 311.5img/s": ("samples_per_sec", 311), "12.0ktok/s 13.0ktok/s": ("tokens_per_sec", 12500), "3.5MB/s 4.5MB/s": ("it_per_sec", None)}


def check_rates():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bar.log")
        for rates, (key, mean) in RATES.items():
            words = rates.split(" ")
            half = len(words) // 2
            rate = [" ".join(words[:half]), " ".join(words[half:])]
            with open(path, "w", encoding="utf-8") as f:
                f.write("".join(f"\r{2 * i}%|##  | {i}/50 [00:{i:02d}<00:20, {rate[i % 2]}, loss={3 - i / 100:.2f}]" for i in STEPS))
            known = figures(path)
            row = known.get((key, "-"), {"count": 0, "mean": None})
            expect(f"{rates}: {key}", row["mean"] and float(row["mean"]), mean and float(mean))
            expect(f"{rates}: loss", float(known[("loss", "-")]["mean"]), 2.795)
        with open(path, "w", encoding="utf-8") as f:
            f.write("".join(f"\rEpoch 0: {2 * i}%|##  | {i}/50 [00:{i:02d}<00:20, reduced_loss={3 - i / 100:.2f}, tokens=8.0]" for i in STEPS))
        with open(os.path.join(folder, "epochs.log"), "w", encoding="utf-8") as f:
            f.write("".join(f"\rEpoch {e}: {i}0%|##  | {i}/10 [00:{i:02d}<00:20, loss=2.5, global_step={10 * e + i - 1:.1f}]"
                            for e in range(3) for i in range(1, 11)))
        row = rows_of("log", "metrics", os.path.join(folder, "epochs.log"))[0]
        expect("steps among a bar's figures", (row["first_x"], row["last_x"], row["restarts"]), (0, 29, 0))
        expect("a bar without a rate", float(figures(path)[("reduced_loss", "-")]["mean"]), 2.795)


# What keeps the lines of a log as JSON: member by member what is in front of the line's own, "%s".
WRAPPED = {
    "message": {"timestamp": "2025-01-01T00:00:00Z", "level": "INFO", "message": "%s"},
    "structlog": {"event": "%s", "level": "info", "ts": 1700000000},
    "cloud": {"textPayload": "%s", "severity": "INFO", "insertId": "x1"},
    "cloud_json": {"jsonPayload": {"message": "%s", "pid": 12}, "severity": "INFO"},
    "docker": {"log": "%s\n", "stream": "stdout", "time": "2025-01-01T00:00:00Z"},
    "fluent": {"stream": "stdout", "log": "%s\n", "kubernetes": {"pod_name": "train-0"}},
    "journald": {"MESSAGE": "%s", "PRIORITY": "6", "_PID": "12"},
    "loki": {"labels": {"app": "train"}, "line": "%s", "timestamp": "2025-01-01T00:00:00Z"},
    "pino": {"level": 30, "time": 1700000000, "msg": "%s"},
    "loguru": {"record": {"elapsed": {"seconds": 1.2}, "line": 12, "message": "%s", "process": {"id": 1}}},
}
PLAIN = {
    "words": ([f"step {i} loss {3 - i / 100:.2f} step_time 0.5s" for i in STEPS], {"loss": 2.795, "step_time": .5e9}),
    "dict": ([f"{{'loss': {3 - i / 100:.2f}, 'learning_rate': 0.001, 'epoch': {i / 10}}}" for i in STEPS], {"loss": 2.795, "learning_rate": .001}),
    "bar": ([f"\r {i}%|#  | {i}/100 [00:01<00:09, 2.0it/s, loss={3 - i / 100:.2f}]" for i in STEPS], {"loss": 2.795}),
}


def check_wrapped():
    """Lines in JSON are read as the plain log; a message beside figures of its own is none, nor are texts of a data set."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "wrapped.log")
        for form, members in WRAPPED.items():
            for name, (lines, wanted) in PLAIN.items():
                with open(path, "w", encoding="utf-8") as f:
                    for line in ["Starting"] + lines:
                        f.write(json.dumps(members).replace("%s", json.dumps(line)[1:-1]) + "\n")
                known = figures(path)
                for key, mean in wanted.items():
                    row = known.get((key, "-"), {"count": 0, "mean": None})
                    expect(f"{name} in {form}: {key}, values", row["count"], 40)
                    expect(f"{name} in {form}: {key}, mean", row["mean"] and float(row["mean"]), float(mean))
        with open(path, "w", encoding="utf-8") as f:
            for i in STEPS:
                for r in range(2):
                    print(json.dumps({"rank": r, "message": f"step {i} loss {2 + r}.5"}), file=f)
        expect("ranks in JSON", {key: row["count"] for key, row in figures(path).items() if key[0] == "loss"}, {("loss", "-"): 40, ("loss", "rank 1"): 40})
        with open(path, "w", encoding="utf-8") as f:
            for i in STEPS:
                print(json.dumps({"step": i, "loss": 2.5, "message": f"step {i} loss 99"}), file=f)
        expect("rows with a message", float(figures(path)[("loss", "-")]["mean"]), 2.5)
        with open(path, "w", encoding="utf-8") as f:
            for i in STEPS:
                print(json.dumps({"id": i, "text": f"The accuracy: 0.9{i} of this model was {i}"}), file=f)
        expect("texts of a data set", ("accuracy", "-") in figures(path), False)


# What is in front of the lines of two writers: with {0} and {1} for the first and the second.
WRITERS = ["gpu-node-0{1}: ", "10.0.0.{1}: ", "dgx-a100-worker{0}: ", "[trainer{0}|0]: ", "[default{0}|{0}]:", "[worker{0}]:", "node{0}: ", "[pod/job-{0}/main] "]


def check_writers():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "writers.log")
        for form in WRITERS:
            with open(path, "w", encoding="utf-8") as f:
                for i in STEPS:
                    for r in range(2):
                        print(form.format(r, r + 1) + f"step {i} loss {2 + r}.5", file=f)
            means = sorted(float(row["mean"]) for key, row in figures(path).items() if key[0] == "loss")
            expect(f"writers by '{form}': losses", means, [2.5, 3.5])


RANKS = {
    "ranks.jsonl": "\n".join(json.dumps({"step": i, "rank": r, "loss": 3 - i / 100 + r, "step_time_ms": 100 + r}) for i in STEPS for r in range(3)),
    "ranks_behind.jsonl": "\n".join(json.dumps({"step": i, "loss": 3 - i / 100 + r, "step_time_ms": 100 + r, "rank": r}) for r in range(3) for i in STEPS),
}


def check_ranks():
    """Rows of several ranks are series of each, wherever the rank stands and whatever the order; no step falls back."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in RANKS.items():
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            known = figures(path)
            for r in range(3):
                for key, mean in (("loss", 2.795 + r), ("step_time_ms", (100 + r) * 1e6)):
                    row = known.get((key, f"rank {r}" if r else "-"), {"count": 0, "mean": None})
                    expect(f"{name}: {key} of rank {r}, values", row["count"], 40)
                    expect(f"{name}: {key} of rank {r}, mean", row["mean"] and float(row["mean"]), mean)
            expect(f"{name}: restarts", rows_of("log", "metrics", path)[0]["restarts"], 0)
        path = os.path.join(folder, "named.jsonl")
        for step in ("num_updates", "training_iteration", "trainer/global_step"):
            with open(path, "w", encoding="utf-8") as f:
                print(*(json.dumps({"update": i / 100, step: i * 10, "loss": 2.5}) for i in STEPS), sep="\n", file=f)
            expect(f"rows at {step}: the last", rows_of("log", "metrics", path)[0]["last_x"], 400)


def check_texts():
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, wanted) in TEXTS.items():
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            known = figures(path)
            for key, want in wanted.items():
                row = known.get((key, "-"))
                expect(f"{name}: {key}, values", row and row["count"], want and want[0])
                if want and row:
                    expect(f"{name}: {key}, mean", float(row["mean"]), float(want[1]))


# What scripts of jobs print before a run begins.
BEFORE = ["pip", "pip_install", "uv", "conda", "apt_install", "docker_build", "cmake_build", "nvcc_ptxas", "git_clone", "wget_bar",
          "rsync_progress", "hf_download", "hf_map", "set_x", "env", "dmesg", "iperf", "train.py", "ctest_run"]


def check_no_logs():
    """Each by itself is refused, and all of them beside a log leave its figures alone."""
    steps = [f"step {i}: loss {5 - i / 10:.2f}, step_time 0.5s" for i in range(1, 31)]
    texts = [section.split("\n", 1) for section in ("\n" + read_beside("no_logs.txt")).split("\n== ")[1:]]
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in texts:
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as text:
                text.write(lines + "\n")
            for command in (["metrics", path], ["gate", path, path], ["gate", f"base={path}", f"new={path}"]):
                expect(f"{name}, which is no log: {command[0]}", run(*command).returncode, 2)
        with open(os.path.join(folder, "train.py.log"), "w", encoding="utf-8") as text:
            print(*steps, sep="\n", file=text)
        expect("a log beside them: its figures", sorted(row["key"] for row in rows_of("keys", "metrics", folder)), ["loss", "step_time"])
        expect("a log beside them: what stands out", rows_of("findings", "metrics", folder), [])
        path = os.path.join(folder, "job.log")
        for name, lines in texts:
            if name in BEFORE:
                with open(path, "w", encoding="utf-8") as text:
                    print(lines, *steps, sep="\n", file=text)
                expect(f"a log behind {name}: losses", figures(path).get(("loss", "-"), {"count": 0})["count"], 30)


def rows_of(table, *args):
    done = run(*args, "--json")
    tables = json.loads(done.stdout)["tables"] if done.returncode == 0 else []
    return [row for t in tables if t["id"] == table for row in t["rows"]]


def check_monitors():
    case = os.path.join(CASES, "smi", "")
    fast = rows_of("gpus", "smi", case + "fast_sampling.csv")
    expect("fast samples: GPUs", len(fast), 1)
    for row in rows_of("gpus", "smi", case + "dcgm_sentinel.txt") + rows_of("gpus", "smi", case + "dcgm.prom"):
        expect(f"blanks of DCGM, GPU {row['gpu']}", row["utilization_ratio"] is None or row["utilization_ratio"] <= 1, True)
    for name, peak in (("min_free", 100), ("free_only", 192)):
        row = rows_of("peaks", "memory", os.path.join(CASES, "memory", f"{name}.pickle"))
        expect(f"{name}: peak", row and row[0]["peak_allocated_bytes"], peak << 20)


def each(change):
    return lambda lines: [change(line) for line in lines]


# What loggers, launchers and terminals make of a log; the figures stay.
TRANSFORMS = {
    "crlf": each(lambda line: line + "\r"),
    "colours": each(lambda line: f"\x1b[32m{line}\x1b[0m"),
    "logging": each(lambda line: "2025-11-28 12:00:00,123 - root - INFO - " + line),
    "loguru": each(lambda line: "2025-11-28 12:00:00.123 | INFO     | __main__:train:45 - " + line),
    "vllm": each(lambda line: "INFO 11-28 12:00:00 [train.py:12] " + line),
    "cri": each(lambda line: "2025-11-28T12:00:00.123456789Z stdout F " + line),
    "torchrun": each(lambda line: "[rank0]: " + line),
    "srun": each(lambda line: "0: " + line),
    "compose": each(lambda line: "trainer-1  | " + line),
    "messages": lambda lines: [x for i, line in enumerate(lines)
                               for x in (line, f"worker {i % 8} fetched shard part-{i:05} from the bucket")],
    "bars": lambda lines: [x for line in lines
                           for x in (line, "Loading checkpoint shards: 100%|####| 4/4 [00:10<00:00,  2.50s/it]")],
    "ranks": lambda lines: [x for line in lines for x in ("[rank0]: " + line, "[rank1]: " + line)],
}
# A number in front of what may be anything is no rank for sure; of lines in parts by carriage returns only the first
# says its rank.
UNSURE = {("srun", name) for name in ("composer", "megatron", "q_unsloth_base", "q_yolo_base", "tinygrad")} | {
    ("ranks", name) for name in ("cri", "evalbar_base", "hf_evalbar")}


def of_rank_0(rows):
    return {key: row for key, row in rows.items() if not key[1].startswith("rank 1")}


def check_transforms():
    folder = os.path.join(CASES, "logs")
    names = sorted(name[:-4] for name in os.listdir(folder) if name.endswith(".log") and "_slow" not in name)
    names.remove("source_first")  # other lines in front of source make it none
    with tempfile.TemporaryDirectory() as there:
        path = os.path.join(there, "log")
        for k, name in enumerate(names):
            with open(os.path.join(folder, name + ".log"), encoding="utf-8", newline="") as text:
                lines = text.read().rstrip("\n").split("\n")
            want = of_rank_0(figures(f"logs/{name}.log"))
            for i, (what, transform) in enumerate(TRANSFORMS.items()):
                if (what, name) in UNSURE or not (ALL or (i + k) % 6 == 0):
                    continue
                with open(path, "w", encoding="utf-8", newline="") as text:
                    text.write("\n".join(transform(lines)) + "\n")
                got = of_rank_0(figures(path))
                expect(f"{name} as {what}: its figures", sorted(got), sorted(want))
                for key in got.keys() & want.keys():
                    expect(f"{name} as {what}: values of {key}", got[key]["count"], want[key]["count"])
                    if want[key]["mean"] is not None:
                        expect(f"{name} as {what}: mean of {key}", float(got[key]["mean"]), float(want[key]["mean"]))


def check_findings():
    found = rows_of("findings", "metrics", os.path.join(CASES, "logs", "grpo.log"))
    expect("grpo: what stands out of its loss", [row["rule"] for row in found if row["key"] == "loss"], [])
    found = rows_of("findings", "metrics", os.path.join(CASES, "logs", "source_first.log"))
    expect("means of warm-up that are NaN", [row["key"] for row in found if row["rule"] == "D05"], [])


def check_policy():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log")
        with open(path, "w", encoding="utf-8") as text:
            for i in range(30):
                print({"loss": 0.7 - i / 100, "rewards/chosen": -i / 100, "rewards/rejected": -i / 50, "rewards/margins": i / 100}, file=text)
            print("Traffic request rate: inf", file=text)
        expect("pairs that are preferred: what stands out", rows_of("findings", "metrics", path), [])
        for line, role in (({"loss": 0.5, "throughput": 100.5}, "throughput"), ({"loss": 0.5, "samples_per_second": 9.5}, "samples/s")):
            with open(path, "w", encoding="utf-8") as text:
                print(*[line] * 20, sep="\n", file=text)
            expect(f"{line}: roles", sorted(row["role"] for row in rows_of("keys", "metrics", path)), ["loss", role])
        with open(path, "w", encoding="utf-8") as text:
            print(*(json.dumps({"current_steps": i * 10, "total_steps": 300, "loss": 2.5}) for i in range(1, 31)), sep="\n", file=text)
        expect("rows at current_steps: the last", rows_of("log", "metrics", path)[0]["last_x"], 300)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log")
        with open(path, "w", encoding="utf-8") as text:
            for i in range(60):
                text.write(f"iter {i * 10}: loss {10 - i / 10:.4f}, time 500.00ms, mfu {45.2 if i > 4 else -100:.2f}%\n")
        known = figures(path)
        expect("utilization before it is measured: values", known["mfu", "-"]["count"], 55)
        expect("utilization before it is measured: mean", float(known["mfu", "-"]["mean"]), 0.452)
        with open(path, "w", encoding="utf-8") as text:
            for i in range(60):
                text.write(f"[0/5][{i * 50}/3000]\tLoss_D: {1 / (i + 1):.4f}\tLoss_G: {6 + i / 2:.4f}\tD(x): 0.7\n")
        expect("adversaries: what stands out", [r["key"] for r in rows_of("findings", "metrics", path) if r["rule"] != "D03"], [])


SCREEN = [
    "Sat Nov  1 10:00:00 2025       ",
    "| NVIDIA-SMI 560.35.03              Driver Version: 560.35.03      CUDA Version: 12.6     |",
    "|   0  NVIDIA H100 80GB HBM3          On  |   00000000:19:00.0 Off |                    0 |",
    "| N/A   38C    P0             112W /  700W |    1520MiB /  81559MiB |      0%      Default |",
]


def check_parts():
    """Logs that begin with a screen of nvidia-smi; figures of all ranks; a screen by itself."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log")
        with open(path, "w", encoding="utf-8") as text:
            print(*SCREEN, sep="\n", file=text)
            for i in range(1, 21):
                print(f"step:{i}/20 val_loss:{5 - i / 10:.2f} train_time:{i * 80}ms step_avg:80.25ms", file=text)
                print(f"    forward-backward .....: ({1000 + i}.25, {1010 + i}.25)", file=text)
        known = figures(path)
        expect("behind a screen: losses", known["val_loss", "-"]["count"], 20)
        expect("behind a screen: mean loss", float(known["val_loss", "-"]["mean"]), 3.95)
        for k, mean in ((1, 1010.75), (2, 1020.75)):
            expect(f"of all ranks: value {k}", float(known[f"forward-backward[{k}]", "-"]["mean"]), mean)
        with open(path, "w", encoding="utf-8") as text:
            print(*SCREEN, sep="\n", file=text)
        expect("a screen: GPUs", len(rows_of("gpus", "smi", path)), 1)


NCCL = ["Channel 00/16 :    0   1   2   3", "Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM/read", "Channel 02 : 0 1",
        "AllReduce: opCount 1a count 4096 datatype 7 op 0 root 0 comm 0x55 [nranks=8] stream 0x55",
        "threadThresholds 8/8/64 | 64/8/64 | 512 | 512", "comm 0x55 rank 0 nranks 8 cudaDev 0 - Init COMPLETE"]
SOURCE = ["import torch", "lr = 3e-4", "batch_size = 32", "def train(steps=10, loss=1.5):", "    warmup = 250",
          "    log(step=5, loss=3.5)", "    print(f'step {step}: loss {0.5:.2f}')", ""]
TIMERS = ["max time across ranks (ms):", "    optimizer ..........: 20.5", "times across ranks (ms):", "  forward-compute:",
          "     rank  0: 100.25", "     rank  1: 110.75"]


def judged():
    """Lines of what judges a run between those that train it: series of their own, and no step of the run's."""
    def run(train, judge, n=3):
        return [line for e in range(n) for line in [train(e, i) for i in range(0, 100, 10)] + judge(e)]
    mm = "03/25 23:58:03 - mmengine - INFO - "
    fs = "2025-11-28 12:00:00 | INFO | "
    return {
        "ImageNet's test": (run(lambda e, i: f"Epoch: [{e}][{i}/100]\tTime 0.5\tLoss 3.0",
                                lambda e: [f"Test: [{i}/40]\tTime 0.2\tLoss 2.0\tAcc@1 50.0" for i in range(0, 40, 10)]),
                            {("loss", "-"): (30, 3), ("step_time", "-"): (30, 5e8), ("loss", "Test"): (12, 2),
                             ("step_time", "Test"): (12, 2e8), ("Acc@1", "Test"): (12, 50)}),
        "mmengine's val": (run(lambda e, i: f"{mm}Epoch(train) [{e + 1}][{i + 10}/100]  data_time: 0.02  time: 0.5  loss: 3.0",
                               lambda e: [f"{mm}Epoch(val) [{e + 1}][40/40]  coco/bbox_mAP: 0.5  data_time: 0.01  time: 0.2"]),
                           {("loss", "-"): (30, 3), ("step_time", "-"): (30, 5e8), ("data_time", "-"): (30, 2e7),
                            ("coco/bbox_mAP", "val"): (3, 0.5), ("step_time", "val"): (3, 2e8), ("data_time", "val"): (3, 1e7)}),
        "fairseq's valid": (run(lambda e, i: f"{fs}train_inner | epoch 00{e + 1}: {i + 10} / 100 loss=3.0, ups=2.5",
                                lambda e: [f"{fs}valid | epoch 00{e + 1} | valid on 'valid' subset | loss 2.0 | ppl 4.5"]),
                            {("loss", "-"): (30, 3), ("ups", "-"): (30, 2.5), ("loss", "valid"): (3, 2), ("ppl", "valid"): (3, 4.5)}),
        "labels": (run(lambda e, i: f"Train Epoch: {e + 1} [{i}/100 ({i}%)]\tLoss: 3.0",
                       lambda e: ["Validation: loss 2.5, acc 50.0%", "Test set: Average loss: 2.0, Accuracy: 9800/10000 (98%)"]),
                   {("loss", "-"): (30, 3), ("loss", "Validation"): (3, 2.5), ("acc", "Validation"): (3, 0.5),
                    ("Average loss", "-"): (3, 2), ("Accuracy", "-"): (3, 9800), ("Accuracy_pct", "-"): (3, 0.98)}),
        "an epoch's time": (run(lambda e, i: f"epoch {e + 1} | step {i} | loss 3.0 | 120.5 ms/batch",
                                lambda e: [f"| end of epoch {e + 1} | time: 12.5s | valid loss 2.0"]),
                            {("loss", "-"): (30, 3), ("ms/batch", "-"): (30, 120.5e6), ("valid loss", "-"): (3, 2), ("time", "-"): (3, 12.5e9)}),
        "llama.cpp's runs": ([f"llama_perf: eval time = {5000} ms / {200} runs ( 25.0 ms per token, 40.0 tokens per second)"] * 20,
                             {("eval time", "-"): (20, 5e9), ("eval time runs", "-"): (20, 200), ("eval time ms per token", "-"): (20, 25e6),
                              ("eval time tokens per second", "-"): (20, 40)}),
        "a unit behind in": ([f"Epoch 0: {i}%|# | {i}/90 [00:01<12:00, 2.00it/s, train_step_timing in s=3.5]" for i in range(1, 21)],
                             {("it_per_sec", "-"): (20, 2), ("train_step_timing in s", "-"): (20, 3.5e9)}),
        "lists with a name in front": ([f"2025-11-28 12:00:00,123 INFO [train.py:800] (0/8) Epoch 1, batch {i * 50}, loss[loss=0.5, "
                                        f"simple_loss=0.25, over 5000.00 frames. ], tot_loss[loss=0.75], lr: 1.5e-03" for i in range(20)],
                                       {("loss", "-"): (20, 0.5), ("loss simple_loss", "-"): (20, 0.25), ("tot_loss loss", "-"): (20, 0.75),
                                        ("lr", "-"): (20, 1.5e-3)}),
        "counts with a letter": (["Model parameters: 7.25B", "GPU memory: 80GB", *[f"step {i}: loss=2.5" for i in range(20)]],
                                 {("loss", "-"): (20, 2.5), ("Model parameters", "-"): (1, 7.25e9), ("GPU memory", "-"): (1, 80 * 2 ** 30)}),
        "a page of labels": (["#" * 60, "   Learning iteration 7/1500   ", "", "  Computation: 80000 steps/s (collection: 1.25s, learning 0.25s)",
                              "  Value function loss: 0.5", "  Mean reward: 1.5", "-" * 60] * 20,
                             {("Computation (steps/s)", "-"): (20, 8e4), ("collection", "-"): (20, 1.25e9), ("learning", "-"): (20, 25e7),
                              ("Value function loss", "-"): (20, 0.5), ("Mean reward", "-"): (20, 1.5)}),
        "MaxText's evaluation": ([line for i in range(20) for line in (
            f"I1128 12:00:{i + 10}.123456 140735 metric_logger.py:189] completed step: {i}, seconds: 3.25, TFLOP/s/device: 180.5, loss: 9.5",
            f"eval metrics after step: {i}, loss=7.5, perplexity=1000.5")],
            {("loss", "-"): (20, 9.5), ("seconds", "-"): (20, 3.25e9), ("TFLOP/s/device", "-"): (20, 180.5), ("loss", "eval"): (20, 7.5),
             ("perplexity", "eval"): (20, 1000.5)}),
        "rows, and a step at their end": ([
            "[INFO|2025-11-28 12:00:00] llamafactory.model.loader:143 >> trainable params: 20,185,088 || all params: 7,635,801,600",
            *[str({"loss": 2.5, "epoch": i / 10, "num_input_tokens_seen": i * 4096}) for i in range(1, 31)],
            "***** train metrics *****", "  epoch                    =        3.0", "  num_input_tokens_seen    =     122880"],
            {("num_input_tokens_seen", "-"): (31, round(2027520 / 31, 9)), ("loss", "-"): (30, 2.5), ("trainable params", "-"): (1, 20185088),
             ("all params", "-"): (1, 7635801600)}),
        "a worker that is started again": (
            [f"(Trainer pid=100) step {i}: loss 4.5, step_time 0.5s" for i in range(1, 21)] +
            ["(raylet) A worker died or was killed while executing a task by an unexpected system error."] +
            [f"(Trainer pid=200) step {i}: loss 3.5, step_time 0.5s" for i in range(19, 41)],
            {("loss", "-"): (40, 3.95), ("step_time", "-"): (40, 5e8)}),
        "two workers that are started again": (
            [f"(Worker pid={pid}) step {i}: loss {pid % 10}.5" for i in range(1, 21) for pid in (100, 101)] +
            [f"(Worker pid={pid}) step {i}: loss {pid % 10}.5" for i in range(21, 41) for pid in (200, 201)],
            {("loss", "-"): (40, 0.5), ("loss", "Worker pid=101"): (40, 1.5)}),
        "a second trial": (
            [f"(train_fn pid={pid}) step {i}: loss {pid % 10}.5" for pid in (100, 201) for i in range(1, 21)],
            {("loss", "-"): (20, 0.5), ("loss", "train_fn pid=201"): (20, 1.5)}),
        "a counter in parentheses": (
            [f"Epoch: {e} ({i}/100)  Loss: 2.5 (2.75)  Time: 0.5 (0.55)" for e in range(2) for i in range(0, 100, 5)],
            {("loss", "-"): (40, 2.5), ("step_time", "-"): (40, 5e8)}),
        "what a step took": ([f"Step {i} took 0.5s (loss=2.5, 1234 tok/s)" for i in range(20)],
                             {("took", "-"): (20, 5e8), ("loss", "-"): (20, 2.5), ("tok/s", "-"): (20, 1234)}),
        "episodes": ([f"Episode: {i * 10}/400 | Reward: 10.5 | Steps: 200" for i in range(40)], {("Reward", "-"): (40, 10.5)}),
        "OpenRLHF's bars": (
            [line for i in range(1, 6) for line in (
                f"(PPOTrainer pid=77) Episode [1/1]:  {20 * i}%|##| {i}/5 [00:10<10:00, 50.0s/it]",
                *[f"(PolicyModelActor pid=101) Train epoch [1/1]: {25 * k}%|##| {k}/4 [00:05<00:45,  2.00s/it, act_loss=-0.5]" for k in range(1, 5)],
                "(PPOTrainer pid=77) {'policy_loss': -0.25}")],
            {("it_per_sec", "-"): (5, 0.02), ("it_per_sec", "Train epoch"): (20, 0.5), ("act_loss", "Train epoch"): (20, -0.5),
             ("policy_loss", "-"): (5, -0.25)}),
        "pods": ([f"[pod/train-worker-{r}/pytorch] step={i} loss={r}.5 step_time=0.5" for i in range(20) for r in (0, 1)],
                 {("loss", "-"): (20, 0.5), ("step_time", "-"): (20, 5e8), ("loss", "train-worker-1"): (20, 1.5),
                  ("step_time", "train-worker-1"): (20, 5e8)}),
        "rates whose names say nothing": (
            [f"step {i} | input: 1600.5 toks/s | output: 800.5 tok/s | Throughput: 12.5 requests/s" for i in range(20)],
            {("input (toks/s)", "-"): (20, 1600.5), ("output (tok/s)", "-"): (20, 800.5), ("Throughput", "-"): (20, 12.5)}),
        "a list with a comma that parts no thousands": (
            [f"step={i}, loss=2.5, mom=[0.9,113.25]" for i in range(20)],
            {("loss", "-"): (20, 2.5), ("mom[1]", "-"): (20, 0.9), ("mom[2]", "-"): (20, 113.25)}),
        "CatBoost": ([f"{i}:\tlearn: 0.5\ttest: 0.25\ttotal: 20ms\tremaining: 1.2s" for i in range(20)],
                     {("learn", "-"): (20, 0.5), ("test", "-"): (20, 0.25), ("total", "-"): (20, 2e7)}),
    }


def spelled():
    """Figures as some programs spell them: in quotes, sizes behind short names, summaries, an epoch over its batch."""
    g = 2 ** 30
    return {
        "TGI": ([f'2023-12-05T10:46:{i}.123456Z  INFO generate{{parameters=GenerateParameters {{ best_of: None, seed: None }} total_time="1.5s" '
                 f'queue_time="50.5µs" time_per_token="23.5ms" seed="Some(12{i})"}}: text_generation_router::server: router/src/server.rs:289: Success'
                 for i in range(10, 30)],
                {("total_time", "-"): (20, 1.5e9), ("queue_time", "-"): (20, 50500), ("time_per_token", "-"): (20, 23.5e6)}),
        "DeepSpeed's memory": ([line for i in range(10, 30) for line in (
            f"[2024-01-01 12:00:{i},123] [INFO] [utils.py:791:see_memory_usage] before forward {i}",
            f"[2024-01-01 12:00:{i},124] [INFO] [utils.py:792:see_memory_usage] MA 12.5 GB         Max_MA 13.25 GB         CA 14.0 GB         Max_CA 15 GB ",
            f"[2024-01-01 12:00:{i},125] [INFO] [utils.py:799:see_memory_usage] CPU Virtual Memory:  used = 38.5 GB, percent = 5.0%")],
            {("memory_allocated", "-"): (20, 12.5 * g), ("max_memory_allocated", "-"): (20, 13.25 * g), ("memory_reserved", "-"): (20, 14 * g),
             ("max_memory_reserved", "-"): (20, 15 * g), ("used", "-"): (20, 38.5 * g), ("percent", "-"): (20, 0.05)}),
        "summaries": ([line for e in range(3) for line in (*(f"Epoch: [{e}][{i}/100]\tTime  0.5 ( 0.5)\tLoss 3.0 (3.0)\tAcc@1   0.5 (  0.5)"
                                                            for i in range(0, 100, 10)), " *   Acc@1 50.5 Acc@5 75.25")],
                      {("step_time", "-"): (30, 5e8), ("loss", "-"): (30, 3), ("Acc@1", "-"): (30, 0.5), ("Acc@1", "summary"): (3, 50.5),
                       ("Acc@5", "summary"): (3, 75.25)}),
        "an epoch over its batch": ([f"2024-01-01 12:00:{i + 10},123 DEBUG TRAIN Batch {e}/{i * 100} loss 12.5 loss_ctc 10.5 lr 0.25 rank 0"
                                     for e in range(3) for i in range(20)],
                                    {("loss", "-"): (60, 12.5), ("loss_ctc", "-"): (60, 10.5), ("lr", "-"): (60, 0.25)}),
        "rates as names": ([f"step {i} loss 2.5 tok/s 100 ms/step 12.5 lr 0.25" for i in range(20)],
                           {("loss", "-"): (20, 2.5), ("tok/s", "-"): (20, 100), ("ms/step", "-"): (20, 12.5e6), ("lr", "-"): (20, 0.25)}),
        "rates behind": ([f"step {i} throughput 100 tok/s 50 ms" for i in range(20)], {("throughput", "-"): (20, 100)}),
    }


def of_tools():
    """Lines as Megatron, verl, SGLang, vLLM, DPO and llm.c write them: units of groups, long lines, settings in calls."""
    verl = " - ".join([*(f"actor/part_{k}:{k}.5" for k in range(90)), "timing_s/update_actor:2.5", "timing_per_token_ms/update_actor:0.5",
                       "timing_s/generation_timing/max:10.5", "timing_s/topk_ratio:0.25", "perf/wait_time_ratio:0.125", "perf/throughput:100.5"])
    g = 2 ** 30
    ranks = ["[default0]:times across ranks (ms):", "[default0]:  forward-backward:", "[default0]:     rank  0: 100.5", "[default0]:     rank  1: 200.5"]
    return {
        "Megatron's targets": (["(min, max) time across ranks (ms):", "    load-checkpoint ....: (0.5, 0.75)", "[after model] datetime: 2025-11-03 09:11:52 ",
                                " > datasets target sizes (minimum size):", "    train:      8000000",
                                *(f" iteration {i} | elapsed time per iteration (ms): 900.5 | lm loss: 2.5 |" for i in range(1, 21))],
                               {("load-checkpoint[1]", "-"): (1, 5e5), ("load-checkpoint[2]", "-"): (1, 75e4), ("train", "-"): (1, 8e6), ("loss", "-"): (20, 2.5),
                                ("step_time", "-"): (20, 900.5e6)}),
        "timers of ranks behind torchrun's": ([line for i in range(1, 21) for line in (f"[default7]: iteration {i}/ 100 | elapsed time per iteration (ms): 900.5 | lm loss: 2.5 |", *ranks)],
                                              {("loss", "rank 7"): (20, 2.5), ("step_time", "rank 7"): (20, 900.5e6), ("forward-backward", "-"): (20, 100.5e6),
                                               ("forward-backward", "rank 1"): (20, 200.5e6)}),
        "verl": ([f"(TaskRunner pid=1234) step:{i} - {verl}" for i in range(1, 21)],
                 {**{(f"actor/part_{k}", "-"): (20, k + 0.5) for k in range(90)}, ("timing_s/update_actor", "-"): (20, 2.5e9),
                  ("timing_per_token_ms/update_actor", "-"): (20, 5e5), ("timing_s/generation_timing/max", "-"): (20, 10.5e9),
                  ("timing_s/topk_ratio", "-"): (20, 0.25), ("perf/wait_time_ratio", "-"): (20, 0.125), ("perf/throughput", "-"): (20, 100.5)}),
        "SGLang's phases": (["Prefill. latency: 0.25 s, throughput:   4000.5 token/s", "Decode.  latency: 0.125 s, throughput:    100.5 token/s",
                             "Total. latency:  0.5 s, throughput:   3000.5 token/s"] * 3,
                            {("Prefill latency", "-"): (3, 25e7), ("Decode latency", "-"): (3, 125e6), ("Total latency", "-"): (3, 5e8),
                             ("Prefill throughput", "-"): (3, 4000.5), ("Decode throughput", "-"): (3, 100.5), ("Total throughput", "-"): (3, 3000.5)}),
        "vLLM's requests": ([line for i in range(20) for line in (
            "INFO 11-03 09:13:01 [loggers.py:118] Avg prompt throughput: 100.5 tokens/s, Running: 5 reqs",
            f"INFO 11-03 09:13:01 [logger.py:39] Received request cmpl-{i}: params: SamplingParams(n=1, top_p=0.5, stop=[(1, 2)], max_tokens=7), "
            "prompt_token_ids: [23729, 12879, 374], lora_request: None.")],
            {("Avg prompt throughput", "-"): (20, 100.5), ("Running", "-"): (20, 5)}),
        "seconds at the end": ([f"step {i}: loss 2.5, time elapsed: 5.5 s. ok" for i in range(20)], {("loss", "-"): (20, 2.5), ("time elapsed", "-"): (20, 5.5e9)}),
        "parts of seconds": ([f"step {i}: loss 2.5, train_runtime = 0:02:03.25" for i in range(20)],
                             {("loss", "-"): (20, 2.5), ("train_runtime", "-"): (20, 123.25e9)}),
        "llm.c in PyTorch": ([line for i in range(20) for line in (
            f"step    {i}/19560 | train loss 2.5 | norm 9.5 | lr 1.00e-05 | (410.5 ms | 1250000 tok/s)", "val loss 3.5")],
            {("train_loss", "-"): (20, 2.5), ("norm", "-"): (20, 9.5), ("lr", "-"): (20, 1e-5), ("step_time", "-"): (20, 410.5e6),
             ("tok/s", "-"): (20, 1.25e6), ("val_loss", "-"): (20, 3.5)}),
        "llm.c's main.log": ([line for i in range(20) for line in (f"s:{i} trl:2.5 lr:1.0e-05", f"s:{i} tel:3.5")],
                             {("train_loss", "-"): (20, 2.5), ("lr", "-"): (20, 1e-5), ("val_loss", "-"): (20, 3.5)}),
        "Ray's workers": ([f"(ActorWorker pid={200 + k}{ip}) step {i} loss: {k}.5" for i in range(1, 21) for k in (1, 2) for ip in ("", ", ip=10.0.0.2")],
                          {("loss", "-"): (20, 1.5), ("loss", "ActorWorker pid=201, ip=10.0.0.2"): (20, 1.5), ("loss", "ActorWorker pid=202"): (20, 2.5),
                           ("loss", "ActorWorker pid=202, ip=10.0.0.2"): (20, 2.5)}),
        "torchtitan's validation": ([line for i in range(10, 210, 10) for line in (
            f"[rank0]:[titan] 2025-11-03 09:12:02,123 - root - INFO - step: {i}  loss: 2.5  tps: 7,100",
            f"[rank0]:[titan] 2025-11-03 09:12:02,123 - root - INFO - validate step: {i}  loss: 3.5  tps: 9,100")],
            {("loss", "-"): (20, 2.5), ("tps", "-"): (20, 7100), ("loss", "validate"): (20, 3.5), ("tps", "validate"): (20, 9100)}),
        "OLMo-core": ([line for i in range(1, 21) for line in (
            f"2025-11-03 09:12:02.123\thost:0\tolmo_core.train:53\tINFO\t[step={i}/1000,epoch=1]", "    train/CE loss=2.5", "    optim/total grad norm=1.5",
            "    throughput/total tokens=4,194,304", "    system/GPU active mem (GiB)=40.5", "    system/GPU active mem (%)=50.5")],
            {("train/CE loss", "-"): (20, 2.5), ("optim/total grad norm", "-"): (20, 1.5), ("throughput/total tokens", "-"): (20, 4194304),
             ("system/GPU active mem", "-"): (20, 40.5 * 2**30), ("system/GPU active mem (%)", "-"): (20, 0.505)}),
        "rates behind times": ([f"step {i} loss 2.5 step_time 1.5 tokens/s 100" for i in range(20)],
                               {("loss", "-"): (20, 2.5), ("step_time", "-"): (20, 1.5e9), ("tokens/s", "-"): (20, 100)}),
        "bars of a validation": (["\r".join(f"{title}: {i * 10}%|# | {i}/10 [00:01<00:10, {rate:.2f}it/s{more}]" for title, rate, more in (
            ("Epoch 0", 2.5, ", loss=2.5"), ("Validation DataLoader 0", 50.5, "")) for i in range(1, 11))],
            {("it_per_sec", "-"): (10, 2.5), ("loss", "-"): (10, 2.5), ("it_per_sec", "Validation DataLoader"): (10, 50.5)}),
        "thousands behind a rate": ([f"step {i} | loss: 2.5 | throughput: 10.5k tokens/s" for i in range(20)], {("loss", "-"): (20, 2.5), ("throughput", "-"): (20, 10500)}),
        "minutes and seconds": ([f"Epoch: {i} | Epoch Time: 1h 2m 3s | loss: 2.5" for i in range(20)],
                                {("Epoch Time", "-"): (20, 3723e9), ("loss", "-"): (20, 2.5)}),
        "a name twice": ([f"Epoch {i} Train Acc: 0.5 loss: 2.5 | Val Acc: 0.25 loss: 3.5" for i in range(20)],
                         {("Train Acc", "-"): (20, 0.5), ("loss", "-"): (20, 2.5), ("Val Acc", "-"): (20, 0.25), ("loss[2]", "-"): (20, 3.5)}),
        "what judges in brackets": ([line for i in range(20) for line in (f"[train] step {i} loss 2.5", f"[eval] step {i} loss 3.5")],
                                    {("loss", "-"): (20, 2.5), ("loss", "eval"): (20, 3.5)}),
        "ep and it": ([f"ep {e} it {i} | loss 2.5 | lr 0.25" for e in range(3) for i in range(10)], {("loss", "-"): (30, 2.5), ("lr", "-"): (30, 0.25)}),
        "ranks of ranks": ([f"  successfully saved checkpoint from iteration  {i} to /ckpt [ t 1/2, p 1/2 ]" if i % 4 == 0 else
                            f" iteration {i} | lm loss: 2.5 |" for i in range(1, 21)], {("lm loss", "-"): (15, 2.5)}),
        "bars drawn again": (["\n".join(f"Epoch {e}: {i * 10}%|# | {i}/10 [00:01<00:10, 2.50it/s, loss=2.5]" for i in range(1, 11)) +
                              f"\nValidation DataLoader 0: 100%|##| 5/5 [00:01<00:00, 50.50it/s]\nEpoch {e}: 100%|##| 10/10 [00:01<00:00, 2.00it/s, loss=2.5, val_loss=3.5]"
                              for e in range(3)],
                             {("it_per_sec", "-"): (30, 2.5), ("loss", "-"): (30, 2.5), ("val_loss", "-"): (3, 3.5),
                              ("it_per_sec", "Validation DataLoader"): (3, 50.5)}),
        "a table in a box": (["╭──────┬──────┬──────────────┬────────╮", "│ step │ loss │ latency (ms) │ tok/s  │", "├──────┼──────┼──────────────┼────────┤",
                              *(f"│ {i:4} │ 2.5  │ 12.5         │ 10,240 │" for i in range(1, 21)), "╰──────┴──────┴──────────────┴────────╯"],
                             {("loss", "-"): (20, 2.5), ("latency (ms)", "-"): (20, 12.5e6), ("tok/s", "-"): (20, 10240)}),
        "a table of a grid": (["+-------+-----+-------+", "| epoch | val_loss | mem (GB) |", "+=======+==========+==========+",
                               *(line for i in range(1, 11) for line in (f"|     {i} |  2.5  |  20.25 |", "+-------+-----+-------+"))],
                              {("val_loss", "-"): (10, 2.5), ("mem (GB)", "-"): (10, 20.25 * g)}),
        "llama-bench": (["ggml_cuda_init: found 1 CUDA devices:", "| model         |      size |  params | backend | ngl |   test |           t/s |",
                         "| ------------- | --------: | ------: | ------- | --: | -----: | ------------: |",
                         "| llama 7B Q4_0 |  3.50 GiB |  6.50 B | CUDA    |  99 |  pp512 | 5000.25 ± 20.50 |",
                         "| llama 7B Q4_0 |  3.50 GiB |  6.50 B | CUDA    |  99 |  tg128 |  140.50 ± 0.25 |"],
                        {(name, "llama 7B Q4_0 CUDA ngl 99 " + test): (1, value) for test, rate in (("pp512", 5000.25), ("tg128", 140.5))
                         for name, value in (("size", 3.5 * g), ("params", 6.5e9), ("t/s", rate))}),
        "names with brackets": (["Average request latency (ms): 5000.5", "Average time-to-first-token [TTFT] (ms): 120.5", "Request Throughput (req/sec): 12.5"],
                                {("Average request latency (ms)", "-"): (1, 5000.5e6), ("Average time-to-first-token [TTFT] (ms)", "-"): (1, 120.5e6),
                                 ("Request Throughput (req/sec)", "-"): (1, 12.5)}),
        "tracebacks that a run survives": ([line for i in range(20) for line in (
            f"step: {i} loss: 2.5", "[rank0]: retrying:", f'[rank0]:   File "/a/b.py", line {i}, in call', "[rank0]:     out = self.send(batch, timeout=30)",
            f'  File "/a/c.py", line {i}, in send', "    return post(url, tries=5)")], {("loss", "-"): (20, 2.5)}),
        "a script in front": (["#!/usr/bin/env python3", *SOURCE, *(f"step:{i}/60 val_loss:2.5 step_avg:90.5ms" for i in range(250))],
                              {("val_loss", "-"): (250, 2.5), ("step_avg", "-"): (250, 90.5e6)}),
    }


def check_beside():
    """What stands around lines of steps: no figures of NCCL's and of source that is quoted; headings with units."""
    steps = [f"step {i}: loss {5 - i / 10:.2f}, lr 3e-4" for i in range(1, 21)]
    loss = {("loss", "-"): (20, 3.95), ("lr", "-"): (20, 3e-4)}
    logs = {"source": (SOURCE + steps, loss)}
    for name, before in {"plain": "", "ray": "\x1b[36m(WorkerDict pid=4242)\x1b[0m ", "root": "2025-11-28 12:00:00,123 - root - INFO - "}.items():
        nccl = [f"{before}node-1:123:456 [0] NCCL INFO {line}" for line in NCCL]
        logs[f"NCCL, {name}"] = ([line for step in steps for line in (*nccl, before + step)], loss)
    logs["timers"] = ([line for step in steps for line in (step, *TIMERS)],
                      {**loss, ("max time across ranks: optimizer", "-"): (20, 20.5e6), ("forward-compute", "-"): (20, 100.25e6),
                       ("forward-compute", "rank 1"): (20, 110.75e6)})
    for name in ("node{}    | ", "worker-{}: ", "[GPU{}] "):
        second = "GPU 1" if "GPU" in name else name.format(1).rstrip(" :|")
        logs[f"prefix {name}"] = ([name.format(k) + f"step={i} loss={2 + k}" for i in range(20) for k in (0, 1)],
                                  {("loss", "-"): (20, 2), ("loss", second): (20, 3)})
    logs["brackets"] = ([f"[{e}][{i}/50] loss {e + 1} time 0.500s" for e in range(3) for i in range(0, 50, 5)],
                        {("loss", "-"): (30, 2), ("step_time", "-"): (30, 5e8)})
    for heading in ("run,name,step,value", "experiment,metric,step,value", "run_id,tag,step,value"):
        logs[heading] = ([heading] + [f"{run},{key},{i},{value}" for run, value in (("a", 2), ("b", 3)) for key in ("loss", "tok_s")
                                      for i in range(10)],
                         {("loss", "-"): (10, 2), ("loss", "b"): (10, 3), ("tok_s", "-"): (10, 2), ("tok_s", "b"): (10, 3)})
    logs["strokes"] = ([f"epoch=0/micro_step={i}/global_step={i}, CurrSamplesPerSec=7.5" for i in range(20)],
                       {("CurrSamplesPerSec", "-"): (20, 7.5)})
    logs["headings"] = ([line for i in range(20) for line in (
        f"[2023-07-25 21:03:01,269] [INFO] [Rank 0] step={i}, loss={i}.5",
        "[2023-07-25 21:03:01,269] [INFO] [Rank 0] time (ms) | forward: 650.5 | backward: 2164.5 | step: 1172.5",
        "time (ms) | forward: 660.5 | optimizer: 12.5")],
        {("loss", "-"): (20, 10), ("forward", "-"): (20, 650.5e6), ("backward", "-"): (20, 2164.5e6), ("step timer", "-"): (20, 1172.5e6),
         ("time forward", "-"): (20, 660.5e6), ("optimizer", "-"): (20, 12.5e6)})
    warning = ["/usr/lib/a.py:12: UserWarning: pkg_resources is deprecated", "  import pkg_resources", "    for batch in loader:"]
    logs["code of warnings"] = (warning + ["loss: 0.5", "| train/ | |", "|    loss    | 0.5 |", "-" * 20] * 3, {("loss", "-"): (3, 0.5), ("train/loss", "-"): (3, 0.5)})
    logs["labels behind source"] = (["import torch", "lr = 3e-4", *["val loss: 0.5"] * 4], {("val_loss", "-"): (4, 0.5)})
    logs.update(judged())
    logs.update(spelled())
    logs.update(of_tools())
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log")
        for name, (lines, want) in logs.items():
            with open(path, "w", encoding="utf-8") as text:
                print(*lines, sep="\n", file=text)
            got = {key: (row["count"], round(row["mean"], 9)) for key, row in figures(path).items()}
            expect(f"figures beside {name}", got, want)


def printed(headings, rows):
    """As nsys stats prints a table: headings in the middle, dashes, numbers at the right, names at the left."""
    width = [max(len(str(cell)) for cell in column) for column in zip(headings, *rows)]
    yield " " + "  ".join(h.center(w) for h, w in zip(headings, width))
    yield " " + "  ".join("-" * w for w in width)
    for row in rows:
        yield " " + "  ".join([str(cell).rjust(w) for cell, w in zip(row[:-1], width)] + [row[-1].ljust(width[-1])])


def check_nsys():
    """What nsys prints of launches and their sums, in a log, by itself and as CSV."""
    headings = ("Start (ns)", "Duration (ns)", "CorrId", "GrdX", "GrdY", "GrdZ", "BlkX", "BlkY", "BlkZ", "Bytes (MB)", "Device", "Strm", "Name")
    rows = []
    for i in range(20):
        rows.append((10000 * i, 3000 + i, i, *[""] * 6, "0.004", "NVIDIA H100 80GB HBM3 (0)", 7, "[CUDA memcpy Host-to-Device]"))
        rows.append((10000 * i + 5000, 2000 + i, 100 + i, 128, 1, 1, 256, 1, 1, "", "NVIDIA H100 80GB HBM3 (0)", 7, "vecAdd(float *, int)"))
    sums = (("Time (%)", "Total Time (ns)", "Instances", "Avg (ns)", "Med (ns)", "Min (ns)", "Max (ns)", "StdDev (ns)", "Name"),
            [("100.0", 40190, 20, "2009.5", "2009.5", 2000, 2019, "5.9", "vecAdd(float *, int)")])
    trace = [" ** CUDA GPU Trace (cuda_gpu_trace):", "", *printed(headings, rows), ""]
    steps = [f"step {i}: loss {5 - i / 10:.2f}" for i in range(20)]
    csv = [",".join(headings)] + [",".join(f'"{c}"' if "," in str(c) else str(c) for c in row) for row in rows]
    kernel = [("vecAdd(float *, int)", 20, 40190)]
    logs = {"launches, printed": (trace, kernel), "launches in a log": (steps[:10] + trace + steps[10:], kernel),
            "sums, printed": (list(printed(*sums)), kernel), "sums in a log": (steps + list(printed(*sums)), kernel),
            "launches as CSV": (csv, kernel)}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log")
        for name, (lines, want) in logs.items():
            with open(path, "w", encoding="utf-8") as text:
                print(*lines, sep="\n", file=text)
            got = [(row["name"], row["calls"], row["device_sum_ns"]) for row in rows_of("recorded_kernels", "kernels", path)]
            expect(f"nsys, {name}", got, want)
            if "log" in name:
                expect(f"nsys, {name}: losses", figures(path)["loss", "-"]["count"], 20)


def check_owners():
    """Lines that say by a name whose they are: of rank 1 and GPU 1 a series each; a share of a GPU is none."""
    forms = {"step={s} gpu={w} allocated={v:.2f}GB reserved=40.0GB": ("allocated", "GPU 1"),
             "rank={w} step={s} loss={v:.2f}": ("loss", "rank 1"), "step {s} rank: {w} loss: {v:.2f}": ("loss", "rank 1"),
             "step={s} local_rank={w} global_rank={w} loss={v:.2f}": ("loss", "rank 1")}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log")
        for form, (key, group) in forms.items():
            with open(path, "w", encoding="utf-8") as text:
                for s in range(1, 31):
                    for w in (0, 1):
                        print(form.format(s=s, w=w, v=10 + 20 * w), file=text)
            known = figures(path)
            for of, mean in (("-", 10.0), (group, 30.0)):
                row = known.get((key, of), {"count": 0, "mean": 0.0})
                expect(f"{form}: values of {of}", row["count"], 30)
                expect(f"{form}: mean of {of}", row["mean"], mean * (2**30 if "GB" in form else 1))
        with open(path, "w", encoding="utf-8") as text:
            print(*(f"step {s} gpu={s * 3 % 100} mem=40 loss 2.5" for s in range(1, 31)), sep="\n", file=text)
        expect("shares of a GPU", sorted(figures(path)), [("gpu", "-"), ("loss", "-"), ("mem", "-")])


OF_CASES = (check_values, check_findings, check_transforms, check_monitors, check_pairs)
if os.path.isdir(CASES):
    for check in OF_CASES:
        check()
else:
    print(f"skip: there is no {CASES}")
check_writers()
check_rates()
check_wrapped()
check_texts()
check_ranks()
check_owners()
check_nsys()
check_parts()
check_beside()
check_policy()
check_no_logs()
for failure in failures:
    print(failure)
print(f"{checked - len(failures)} passed, {len(failures)} failed, {0 if os.path.isdir(CASES) else len(OF_CASES)} skipped")
sys.exit(1 if failures else 0)
