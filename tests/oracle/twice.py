#!/usr/bin/env python3
"""What is twice as bad must fail: of every kind of artifact that the source documents show or
`fixtures artifact` writes, each figure with a better side is made twice as bad, alone, as a file,
in a folder, and in a folder with one trace beside both.  gate must exit 1, or REASONS says why not;
against itself each passes.
Which way is better is said here again, by words of the name."""
import csv
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from documents import canary, guide, phase_b, profiling, week1

TRACEQ, FIXTURES = os.environ["TRACEQ"], os.environ["FIXTURES"]
ALL = os.environ.get("CHECK_ALL")
SOME = 50

# artifact and figure: why it may pass.  Reviewed; ten at most, and each is of use.
REASONS = [
    (r"policy_loss", "no loss of a policy says how good it is"),
    (r"^metric-tracker summaries.loss.mean", "four values, which spread by half of their mean"),
    (r"^sweep-csv-cpu throughput", "the spread is as large as the mean"),
    (r"^vllm-serve ttfts", "five values, which spread by half of their mean"),
    (r"^sweep-csv gpu_mem_used", "a quarter of a MiB: memory below one is none"),
    (r"kl_loss|kl_target", "kl is a setting's distance: it warns, and has no better side here"),
    (r"^step-log lm loss", "lines of several programs: the loss at the end is another one's"),
    (r"^ascend-kernels Wait Time", "what a kernel waited for is no time of its own"),
    (r"^ascend-(comms|matrix) .*(Transit Size|-(top|middle|bottom)\d)", "what is moved is no cost; calls beside their total"),
    (r"average_times|_time_avg_us|^ascend-\w+ Avg( Time)?\(us\)", "derived: the times and counts beside it say it"),
]

# kinds that hold no figures of a run: settings, labels, stacks, rows of a data set; and what is no text
NONE = re.compile(r"run-config|label-mappings|config|yaml|svg|folded|speedscope|pyinstrument|cpuprofile|scalene|v8-log|dataset|sysinfo|"
                  r"flight-recorder|tfevents|memory-snapshot|profile\.txt|val_df|stacks|epochs/|"
                  r"trace\.json|traces/")

# what fails against itself, by NaN, leaks and broken steps: one check more must fail
BROKEN = {"trainer-state", "train-jsonl", "step-log", "metrics-csv", "run-log"}

ASIDE = re.compile(
    r"\b(std|stddev|min|max|count|var|iqr|p25|p75|config|env|timestamp|seed|total memory|"
    r"total|capacity|params|model estimates|model info|dataset info|compatibility|gpu info|"
    r"duration|required|world size|batch size|lr|learning rate|epoch|step|clocks?|temperature|"
    r"power|length|version|baseline|num|latest|zero std|kl coef|outliers?|raw|counts|free|"
    r"available|lens?|req|code|flops16|utils|elapsed|runtime|start|end|window|utilization memory|mem value)\b|"
    r"^(time|mem)$|loss.*p95")
HIGHER = re.compile(r"per sec|per s\b|per second|throughput|tput|accuracy|\bf1\b|\breward|"
                    r"\butil|\bmfu\b|speedup|flops")
LOWER = re.compile(r"time|latency|\bms\b|\bus\b|ttft|tpot|\bitl\b|memory|\bmem\b|allocated|"
                   r"reserved|\bloss\b|perplexity|invalid rate|error|duration ns")
PEAK = re.compile(r"(peak|max).*(mem|allocated|\bgb\b)|(mem|allocated).*(peak|max)")


def direction(name):
    """1: more is better, -1: less is; 0: neither, or nobody says it."""
    words = re.sub(r"([a-z])([A-Z])", r"\1 \2", name)
    words = re.sub(r"[^a-zA-Z0-9]+", " ", words.replace("/s", " per s")).lower().strip()
    if PEAK.search(words) and not re.search(r"config|\bstd\b|\bmin\b", words):
        return -1
    if ASIDE.search(words):
        return 0
    if re.search(r"\b(seconds|ms|us|gb|mb)$", words):
        return -1
    return 1 if HIGHER.search(words) else -1 if LOWER.search(words) else 0


def worse(value, way):
    return value / 2 if way > 0 else value * 2


# ---- mutations: (figure, text) of a text ----

def shared(path):
    """The path without the numbers of steps and calls: a figure is of all of them."""
    return re.sub(r"__\d+_\d+_\d+@", "@", re.sub(r"^step\d+", "step", path))


def of_json(value):
    """Each group of numbers that one name says, items of a list alike."""
    names = {}

    def walk(v, path):
        if isinstance(v, dict):
            for k, x in v.items():
                walk(x, f"{path}.{k}" if path else k)
        elif isinstance(v, list):
            for x in v:
                name = x.get("name", x.get("stage", "")) if isinstance(x, dict) else ""
                walk(x, f"{path}[{name}]")
        elif isinstance(v, (int, float)) and not isinstance(v, bool) and v == v and v != 0:
            names.setdefault(shared(path), direction(path))

    def change(v, path, which, way):
        if isinstance(v, dict):
            return {k: change(x, f"{path}.{k}" if path else k, which, way) for k, x in v.items()}
        if isinstance(v, list):
            return [change(x, f"{path}[{x.get('name', x.get('stage', '')) if isinstance(x, dict) else ''}]",
                           which, way) for x in v]
        if shared(path) == which and isinstance(v, (int, float)) and not isinstance(v, bool):
            return worse(v, way)
        return v

    walk(value, "")
    for which, way in names.items():
        if way:
            yield which, change(value, "", which, way)


def of_lines(text):
    rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    for which, new in of_json(rows):
        yield which, "".join(json.dumps(row) + "\n" for row in new)


def of_csv(text):
    """A column; what stands beside numbers ("12 MiB") stays."""
    rows = list(csv.reader(io.StringIO(text)))
    head = rows[0]
    for i, name in enumerate(head):
        way = direction(name)
        if not way or i == 0:
            continue
        new, changed = [head], 0
        for row in rows[1:]:
            m = re.match(r"^(\s*)([\d.]+)(.*)$", row[i]) if i < len(row) else None
            if m and float(m[2]):
                row = [*row[:i], f"{m[1]}{worse(float(m[2]), way):.6g}{m[3]}", *row[i + 1:]]
                changed += 1
            new.append(row)
        if changed:
            out = io.StringIO()
            csv.writer(out, lineterminator="\n").writerows(new)
            yield name, out.getvalue()


PAIR = re.compile(r"([A-Za-z][\w /.()-]*?)(\s*[=:]\s*)([\d.]*\d)(?![\d:])")


def of_text(text):
    """name=value and name: value, wherever they stand."""
    names = {m[1].split("  ")[-1].strip() for m in PAIR.finditer(text)}
    for name in sorted(names):
        way = direction(name)
        if not way:
            continue

        def put(m, name=name, way=way):
            if m[1].split("  ")[-1].strip() != name:
                return m[0]
            return f"{m[1]}{m[2]}{worse(float(m[3]), way):.6g}"
        new = PAIR.sub(put, text)
        if new != text:
            yield name, new


def mutations(name, text):
    if NONE.search(name):
        return
    try:
        value = json.loads(text)
        for which, new in of_json(value):
            yield which, json.dumps(new, indent=1)
        return
    except ValueError:
        pass
    try:
        yield from of_lines(text)
        return
    except ValueError:
        pass
    head = text.lstrip("\ufeff").split("\n", 1)[0]
    if head.count(",") >= 2 and not re.search(r"\d{2}", head.split(",")[0]):
        yield from of_csv(text.lstrip("\ufeff"))
    else:
        yield from of_text(text)


# ---- the artifacts ----

def artifacts():
    """(name, file, text) of every kind."""
    listed = subprocess.run([FIXTURES, "artifact", "--list"], stdout=subprocess.PIPE, check=True)
    for line in listed.stdout.decode().splitlines():
        name = line.split()[0]
        out = subprocess.run([FIXTURES, "artifact", name], stdout=subprocess.PIPE, check=True).stdout
        try:
            yield name, name, out.decode()
        except UnicodeDecodeError:
            continue
    for document, module in (("profiling", profiling), ("guide", guide), ("phase_b", phase_b),
                             ("canary", canary), ("week1", week1)):
        for case in module.CASES:
            if not case.is_folder and isinstance(case.files[case.name], str):
                yield f"{document}:{case.name}", case.name, case.files[case.name]


SAME = "itself"


def pairs():
    for name, file, text in artifacts():
        found = list(mutations(name, text))
        for figure, new in found + [(SAME, text)] * bool(found):
            for layout in ("file", "folder", "trace"):
                yield name, file, text, new, figure, layout


def gate(folder, trace, number, pair):
    name, file, text, new, figure, layout = pair
    sides = []
    for side, content in (("base", text), ("new", new)):
        at = os.path.join(folder, str(number), side)
        os.makedirs(at)
        with open(os.path.join(at, file), "w", encoding="utf-8") as f:
            f.write(content)
        if layout == "trace":
            os.link(trace, os.path.join(at, "trace.json"))
        sides.append(os.path.join(at, file) if layout == "file" else at)
    done = subprocess.run([TRACEQ, "gate", *sides, "-q", "--no-config"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def failed(said):
    return int(re.search(r"(\d+) of \d+ checks? failed", said)[1])


def fails(folder, trace, pair, code, said):
    """It must, and does; or need not, and does not."""
    name, file, text, _, figure, layout = pair
    if name not in BROKEN:
        return code == (figure != SAME)
    same = (name, file, text, text, SAME, layout)
    alone = gate(folder, trace, f"{name} {layout} {figure}".replace("/", " "), same)
    return code == 1 and failed(said) >= failed(alone[1]) + (figure != SAME)


def main():
    chosen = list(pairs())
    total = len(chosen)
    if not ALL:
        chosen = random.Random(7).sample(chosen, SOME)
    failures, used = [], set()
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.json")
        with open(trace, "wb") as f:
            subprocess.run([FIXTURES, "healthy", "--steps", "6"], stdout=f, check=True)
        with ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(gate, folder, trace, i, pair) for i, pair in enumerate(chosen)]
            for pair, job in zip(chosen, jobs):
                code, said = job.result()
                what = f"{pair[0]} {pair[4]}"
                reason = next((r for r in REASONS if re.search(r[0], what)), None)
                if reason:
                    used.add(reason)
                elif not fails(folder, trace, pair, code, said):
                    failures.append(f"{what} ({pair[5]}): exit {code}: {said.strip()[:200]}")
    if ALL:
        failures += [f"no pair needs the reason '{r[0]}'" for r in REASONS if r not in used]
    if total < 500 or len(REASONS) > 10:
        failures.append(f"{total} pairs, {len(REASONS)} reasons")
    for line in failures[:int(os.environ.get("SHOW", "40"))]:
        print(line)
    print(f"{len(chosen) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
