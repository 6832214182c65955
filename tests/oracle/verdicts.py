#!/usr/bin/env python3
"""The verdicts of ../verdicts.tsv, which an expert gave, against the program's and against a ledger of our own.

Each row names a real trace ($SHARED/traces) or a scenario of the generator with its options, the verdict,
a second one that comes near it, the device judged, the share of the window that the verdict's class
takes, and the change that proves the verdict with what it saves of a step.  '-' means none; alternatives
stand apart by '|' and belong together by their place.

  the table against judging/ledger.py   the shares, without the program; the generator's word for a scenario
  the table against `diagnose`          verdict, second, device, share
  what a change saves                   the same in the table, in the changes of `diagnose`, first of which
                                        is the verdict's, and in `critical --what-if`
  `diagnose` against our ledger         how busy the device is, within BUSY_NEAR
  the commands against each other       one verdict in diagnose, overview, summary and report, and what saves
                                        most in diagnose, overview, critical and report; one busy_ratio of a
                                        device in diagnose, summary, top, steps, idle and gate; one figure
                                        for each part of the ledger, to the nanosecond, which add up to
                                        the wall time
"""
import collections
import functools
import glob
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

from judging import ledger

TRACEQ = os.environ["TRACEQ"]
ALL = os.environ.get("CHECK_ALL")
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "verdicts.tsv")
BUSY_NEAR = 0.03
SAME = 1e-6
# These have no ledger of a device.
APART = {"refused", "empty", "cut-off", "cpu-bound"}
CLASSES = {"compute-bound", "comm-bound", "copy-bound", "dataloader-bound", "sync-bound", "launch-bound",
           "host-bound"}
SAME_WAIT = {"launch-bound", "host-bound"}
IDLE = {"dataloader": "data loader", "sync": "sync", "allocator": "allocator", "checkpoint": "checkpoint", "logging": "logging",
        "gc": "garbage collection", "compile": "compiling", "queue": "full queue", "runtime_call": "runtime call", "cpu_op": "CPU op",
        "python": "Python", "nothing": "nothing recorded", "launch": "launch", "dependency": "dependency",
        "unknown": "unknown launch"}
PARTS = {"compute": "compute", "exposed_comm": "exposed comm", "exposed_memcpy": "exposed copies",
         **{f"idle_{k}": f"idle: {w}" for k, w in IDLE.items()}}
WORDS = CLASSES | APART | {"healthy", "memory-leak", "device-only", "start-up", "uneven-steps"}

passed = 0
failures = []


def holds(where, what, ok):
    global passed
    if ok:
        passed += 1
    else:
        failures.append(f"{where}: {what}")


def near(where, what, got, want, tolerance=SAME):
    if got is None or want is None:
        holds(where, f"{what}: {got!r}, not {want!r}", got == want)
    else:
        holds(where, f"{what}: {got:.6f}, not {want:.6f}", abs(got - want) <= tolerance)


# The table.

class Expected:
    def __init__(self, line):
        self.kind, self.name, *columns, self.reason = line.split("\t")
        verdict, second, self.device, share, self.saves = columns
        columns = [c.split("|") for c in (verdict, second, share)]
        n = max(map(len, columns))
        self.ways = [tuple(c[i % len(c)] for c in columns) for i in range(n)]
        self.words = [w[0] for w in self.ways]

    def has_device(self):
        return self.device != "-"


def read_table():
    with open(TABLE) as f:
        lines = f.read().splitlines()
    rows = [Expected(line) for line in lines[1:]]
    for r in rows:
        holds(r.name, f"no verdict among {r.words}", set(r.words) <= WORDS)
        holds(r.name, "no reason", len(r.reason) > 5)
    names = [(r.kind, r.name) for r in rows]
    holds("verdicts.tsv", "a row twice", len(set(names)) == len(names))
    return rows


def in_share(share, value):
    if share == "-":
        return True
    low, high = map(float, share.split("-"))
    return value is not None and low <= value <= high


def check_complete(rows, traces):
    """Every scenario and every trace has a row."""
    listed = run([FIXTURES, "--list"]).stdout.decode().split("layouts")[0].split("\n")[1:]
    scenarios = {line.split()[0] for line in listed if line.strip()}
    have = {r.name.split()[0] for r in rows if r.kind == "scenario"}
    holds("verdicts.tsv", f"scenarios without a verdict: {sorted(scenarios - have)}", scenarios <= have)
    if traces:
        have = {r.name for r in rows if r.kind == "trace"}
        holds("verdicts.tsv", f"traces without a verdict: {sorted(set(traces) ^ have)}", set(traces) == have)


# The program.

def run(args):
    return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@functools.lru_cache(maxsize=16)
def ask(where, path, command):
    """A command's tables by id, as rows; diff and gate are asked of the trace and itself, by its steps."""
    paths = [path, path, "--allow-env", "steps"] if command in ("diff", "gate") else [path]
    done = run([TRACEQ, command, *paths, "--json", "-q"])
    if done.returncode not in (0, 1):
        failures.append(f"{where}: {command}: exit {done.returncode}: {done.stderr.decode()[:200]}")
        return {}
    tables = json.loads(done.stdout)["tables"]
    feet = {f"footer of {t['id']}": t["footer"] for t in tables if t.get("footer")}
    return {**{t["id"]: t["rows"] for t in tables}, **feet}


def check_verdict(row, got):
    """Verdict, second, device and share of `diagnose` against one of the expert's ways to say it."""
    if "second" in got:
        said = (got["verdict"], got["second"] or "-")
    else:
        failures.append(f"{row.name}: diagnose has no column 'second'")
        said = (got["verdict"], None)
    ways = [w for w in row.ways if w[0] == said[0]]
    if not ways:
        failures.append(f"{row.name}: verdict {said[0]}, not {'|'.join(row.words)}: {row.reason}")
        return
    near_ways = [w for w in ways if said[1] in (None, w[1])]
    holds(row.name, f"{said[0]}, second {said[1]}, not {'|'.join(w[1] for w in ways)}: {row.reason}", near_ways)
    if near_ways:
        share = got.get("share_ratio")
        holds(row.name, f"{said[0]}: share {share}, not {'|'.join(w[2] for w in near_ways)}",
              any(in_share(w[2], share) for w in near_ways))
    if row.has_device():
        holds(row.name, f"device {got['device']}, not {row.device}", str(got["device"]) == row.device)


def check_ledger(row, own):
    """The expert's share is what our own ledger has for the word; where no change proves it nothing else is larger."""
    for word, _, share in row.ways:
        if word not in CLASSES | {"healthy"} or share == "-":
            continue
        shares = own.shares()
        holds(row.name, f"our share of {word} is {shares[word]:.3f}, not {share}", in_share(share, shares[word]))
    words = CLASSES & set(itertools.chain(*(w[:2] for w in row.ways)))
    if "healthy" in row.words and row.ways[0][2] != "-":
        holds(row.name, f"healthy at {own.busy_share():.3f} busy", own.busy_share() >= 0.9)
        words |= {"compute-bound"}
    if words and row.ways[0][2] != "-" and row.saves == "-":
        largest = max(CLASSES, key=lambda c: own.shares()[c])
        holds(row.name, f"the largest class is {largest}, not {sorted(words)}",
              largest in words or (largest in SAME_WAIT and words & SAME_WAIT))
    for word, many in (("launch-bound", True), ("host-bound", False)):
        if row.words == [word] and row.saves == "-":
            holds(row.name, f"{word}, half of the wait in gaps of {own.usual_gap() / 1e3:.0f} us",
                  (own.usual_gap() < 150e3) == many)


def of_device(rows, device):
    """The device's row that is of all its streams."""
    return next((r for r in rows if str(r.get("device")) == device and r.get("stream") is None), {})


def busy_of_steps(rows, device):
    """Of the counted steps of a device, together; where unrecorded time leaves, it leaves here, too."""
    rows = [r for r in rows if str(r["device"]) == device and r.get("is_counted", True)]
    wall = sum(r["wall_ns"] - (r.get("unrecorded_ns") or 0) for r in rows)
    return sum(r["busy_ns"] for r in rows) / wall if wall else None


def check_one_busy(row, path, got, summary):
    device, busy = row.device, got["busy_ratio"]
    mean = summary["overview"][0].get("busy_ratio")
    devices = summary.get("devices", [])
    near(row.name, "busy of summary", mean,
         sum(r["busy_ratio"] for r in devices) / len(devices) if devices else busy)
    near(row.name, "busy of summary's device", of_device(summary.get("devices", []), device).get("busy_ratio", busy), busy)
    near(row.name, "busy of top", ask(row.name, path, "top")["totals"][0].get("busy_ratio"), mean)
    idle = of_device(ask(row.name, path, "idle").get("devices", []), device)
    near(row.name, "busy of idle",
         idle["busy_ratio"] if "busy_ratio" in idle else 1 - idle["idle_ratio"] if idle else None, busy)
    steps = busy_of_steps(ask(row.name, path, "steps").get("steps", []), device)
    if steps is not None:
        near(row.name, "busy of steps", steps, busy)


def figures_of_steps(row, path, with_odd=False, usual=False):
    """By device: what `steps` says of the steps that count, summed up; how many those are.  Odd ones count for
    gate's busy time, which is that of all but the first and the last; of usual ones are diff's means."""
    sums, count = collections.defaultdict(collections.Counter), collections.Counter()
    rows = [r for r in ask(row.name, path, "steps").get("steps", []) if r["device"] is not None]
    numbers = sorted({r["step"] for r in rows}) if with_odd else []
    aside = {numbers[0], numbers[-1]} if len(numbers) >= ledger.MANY_STEPS else set()
    for r in rows:
        if r["step"] in aside if with_odd else r["is_counted"] is False:
            continue
        if usual and r["is_outlier"] or r["is_incomplete"] and r["device_events"] == 0:
            continue
        where = f"step {r['step']} device {r['device']}"
        parts = sum(r[f"{k}_ns"] for k in PARTS)
        holds(row.name, f"{where}: wall {r['wall_ns']}, parts {parts}", r["wall_ns"] == parts + r["unrecorded_ns"])
        holds(row.name, f"{where}: idle is its parts", r["idle_ns"] == sum(r[f"idle_{k}_ns"] for k in IDLE))
        sums[r["device"]].update({k: r[f"{k}_ns"] for k in (*PARTS, "wall", "busy", "idle", "unrecorded")})
        count[r["device"]] += 1
    for s in sums.values():
        s["window"] = s["wall"] - s["unrecorded"]
    return sums, max(count.values(), default=0)


def equal(row, where, got, want):
    """Columns of a row, exactly."""
    for key, value in want.items():
        holds(row.name, f"{where}: {key} {got.get(key)}, not {value}", got.get(key) == value)


def check_one_ledger(row, path, diagnosed):
    """The same word is the same figure in steps, idle, summary, diagnose, diff and gate."""
    sums, count = figures_of_steps(row, path)
    for device, s in sums.items():
        idle = of_device(ask(row.name, path, "idle").get("devices", []), str(device))
        equal(row, f"idle, device {device}", idle, {
            "span_ns": s["window"], "busy_ns": s["busy"], "idle_ns": s["idle"],
            "unrecorded_ns": s["unrecorded"], **{f"{k}_ns": s[f"idle_{k}"] for k in IDLE}})
        equal(row, f"summary, device {device}", of_device(ask(row.name, path, "summary").get("devices", []), str(device)), {
            "steps_ns": s["window"], **{f"{k}_ns": s[k] for k in ("compute", "exposed_comm", "exposed_memcpy",
                                                                   "busy", "idle", "unrecorded")}})
    s = sums[diagnosed["verdict"][0]["device"]]
    equal(row, "diagnose", {r["part"]: r["sum_ns"] for r in diagnosed["ledger"]},
          {word: s[key] for key, word in PARTS.items()})
    holds(row.name, "diagnose: no other parts", len(diagnosed["ledger"]) == len(PARTS))
    holds(row.name, "diagnose: last row", diagnosed["footer of ledger"][0]["sum_ns"] == s["window"])
    sums, _ = figures_of_steps(row, path, True)
    check_differences(row, path, list(sums.values()), *figures_of_steps(row, path, usual=True))


def check_differences(row, path, sums, usual, count):
    """A trace differs from itself in nothing, and both sides are the mean usual step, rounded, of its devices."""
    ledger_rows = {r["key"]: r for r in ask(row.name, path, "diff").get("ledger", [])}
    for key in (*PARTS, "idle", "unrecorded"):
        got = ledger_rows.get(key, {})
        want = sum(s[key] for s in usual.values()) / count / len(usual)
        holds(row.name, f"diff: {key} {got.get('base_ns')}, not {want}",
              got.get("base_ns") is not None and abs(got["base_ns"] - want) <= 1)
        holds(row.name, f"diff: {key} differs", got.get("base_ns") == got.get("new_ns") and got.get("delta_ns") == 0)
    gate = {r["check"]: r for r in ask(row.name, path, "gate").get("checks", [])}
    mean = sum(s["busy"] / s["window"] for s in sums) / len(sums)
    near(row.name, "busy of gate", gate.get("gpu_busy", {}).get("base"), mean)
    for check, keys in {"idle_data_loader": ["idle_dataloader"], "compute": ["compute"], "exposed_comm": ["exposed_comm"],
                        "idle_other": ["idle", "unrecorded", "-idle_dataloader"]}.items():
        want = sum(s[k.lstrip("-")] * (-1 if k[0] == "-" else 1) for s in usual.values() for k in keys) / count / len(usual)
        near(row.name, f"{check} of gate", gate.get(check, {}).get("base"), want, 1)


EFFORTS = ["a flag", "a line", "lines", "days"]


def in_order(changes):
    """By what they save; those within a tenth of the first of them by effort, waiting behind what the host does, then as before."""
    left, out = sorted(changes, key=lambda r: -r["saves_ns"]), []
    while left:
        alike = [r for r in left if r["saves_ns"] >= 0.9 * left[0]["saves_ns"]]
        out += sorted(alike, key=lambda r: (EFFORTS.index(r["effort"]), r["scenario"] == "sync=0", -r["saves_ns"]))
        left = left[len(alike):]
    return out


def check_saves(row, path, tables):
    """What proves the word saves what the expert says, wherever it is asked."""
    got, changes = tables["verdict"][0], tables.get("changes", [])
    holds(row.name, "changes: what saves most comes first, of what saves alike what is done soonest, and waiting last",
          [r["change"] for r in changes] == [r["change"] for r in in_order(changes)])
    for r in changes:
        holds(row.name, f"{r['change']} saves {r['saves_ratio']}", 0 <= r["saves_ratio"] <= 1)
    answer = ask(row.name, path, "critical")
    critical = {r["scenario"]: r["saves_ns"] for r in answer.get("what_if", [])}
    for bound in answer.get("bound", []):
        holds(row.name, f"critical calls it {bound['verdict']}, diagnose {got['verdict']}", bound["verdict"] == got["verdict"])
    for r in changes:
        if r["scenario"] is None:  # odd steps are in no window that is timed again
            continue
        near(row.name, f"{r['scenario']} in critical", critical.get(r["scenario"]), r["saves_ns"] * (got["steps"] or 1), 0.5)
    if got["doubt"] is None and got["change"]:
        named = [r for r in changes if r["change"] == got["change"]]
        holds(row.name, f"{got['change']} is no change", len(named) == 1)
        near(row.name, "saves", got["saves_ratio"], named[0]["saves_ratio"] if named else None)
    if row.saves == "-":
        return
    scenario, range_ = row.saves.split()
    by = {r["scenario"]: r["saves_ratio"] for r in changes}
    holds(row.name, f"{scenario} saves {by.get(scenario)}, not {range_}", in_share(range_, by.get(scenario)))
    holds(row.name, f"named by {got['change']}, not {scenario}",
          scenario in [r["scenario"] for r in changes if r["change"] == got["change"]])


def check_one_word(row, path, word, summary):
    """summary and report say what diagnose says, and no other word where they say it."""
    holds(row.name, f"summary's verdict is {summary['overview'][0].get('verdict')}, not {word}",
          summary["overview"][0].get("verdict") == word)
    done = run([TRACEQ, "report", path, "--format", "md", "-q"])
    text = done.stdout.decode()
    answer = re.search(r"^#+ Answer$(.*?)(?=^#)", text, re.M | re.S)
    first = (answer.group(1) if answer else text).split("\n- **")[0]
    said = set(re.findall(r"[a-z]+(?:-[a-z]+)*", first))
    holds(row.name, f"report's answer does not say {word}", done.returncode == 0 and word in said)
    return first


def check_one_doubt(row, path, got, summary, reported):
    """Where nothing was tried all say why; where no launches are recorded nothing can be."""
    doubt = got["doubt"]
    if row.name.startswith("gpu-only"):
        holds(row.name, "no doubt, though no launches are recorded", doubt)
    if doubt is None:
        return
    overview = " ".join(run([TRACEQ, "overview", "--all", path, "-q"]).stdout.decode().split())
    for where, text in (("overview", overview), ("summary", summary["overview"][0]["verdict_text"]), ("report", reported)):
        holds(row.name, f"{where} does not say: but {doubt}", f"but {doubt}" in text)


TIMES = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def check_overview(row, path, tables):
    """The page without a command has the verdict, the first change and the ledger of diagnose, as far as its digits go."""
    done = run([TRACEQ, "overview", "--all", path, "-q"])
    text, got = done.stdout.decode(), tables["verdict"][0]
    said = re.search(r"^verdict +(\S+)$", text, re.M)
    holds(row.name, f"overview's verdict is not {got['verdict']}", said and said.group(1) == got["verdict"])
    first = re.search(r"^ *saves +% +a change.*\n *([\d.]+) (\S+) +([\d.]+)  (.*?)  ", text, re.M)
    shown = [r for r in tables.get("changes", []) if first and r["change"] == first.group(4).removesuffix(", if all ranks do it")]
    if first:
        holds(row.name, f"overview's first change {first.group(4)} is not the first of {len(shown)}",
              shown and shown[0]["saves_ratio"] >= 0.9 * max(r["saves_ratio"] for r in tables["changes"]) - 1e-3)
        near(row.name, "overview: what it saves", float(first.group(3)) / 100, shown[0]["saves_ratio"] if shown else None, 6e-4)
    parts = {r["part"]: r["sum_ns"] / (got["steps"] or 1) for r in tables.get("ledger", [])}
    for word, figure, unit in re.findall(r"^(idle: [a-zA-Z ]+?|compute|exposed [a-z]+?)  .*?([\d.]+) (ns|us|ms|s) +[\d.]+$", text, re.M):
        digit = TIMES[unit] * 10 ** -len(figure.partition(".")[2])
        whole = [p for p in parts if p.startswith(word)]  # a long word goes on in the next line
        near(row.name, f"overview: {word}", float(figure) * TIMES[unit], parts[whole[0]] if whole else None, digit)


def check_diagnosis(row):
    """The generator's own word for a scenario is the expert's; of a straggler one rank's file tells nothing."""
    if row.kind == "scenario" and " " not in row.name:
        own = json.loads(run([FIXTURES, "--answers", row.name]).stdout)["diagnosis"]
        holds(row.name, f"the generator says {own}", own in row.words or own == "straggler")


def check_row(row, path):
    if row.words == ["refused"]:
        done = run([TRACEQ, "diagnose", path, "--json", "-q"])
        holds(row.name, f"exit {done.returncode}, not 2", done.returncode == 2)
        return
    tables = ask(row.name, path, "diagnose")
    if not tables:
        return
    got = tables["verdict"][0]
    check_verdict(row, got)
    summary = ask(row.name, path, "summary")
    if not summary.get("overview"):
        failures.append(f"{row.name}: summary has no overview")
        return
    check_one_doubt(row, path, got, summary, check_one_word(row, path, got["verdict"], summary))
    check_overview(row, path, tables)
    check_saves(row, path, tables)
    if row.has_device():
        check_one_busy(row, path, got, summary)
        check_one_ledger(row, path, tables)


def check_figures(row, path):
    if not row.has_device():
        return
    if "--damage" in row.name:  # Python's reader mends nothing
        return
    own = ledger.devices(path)
    holds(row.name, f"device {row.device} is none of {list(own)}", row.device in own)
    if row.device not in own:
        return
    device = own[row.device]
    holds(row.name, "our ledger adds up", sum(device.ledger.values()) == ledger.length(device.windows))
    check_ledger(row, device)
    tables = ask(row.name, path, "diagnose")
    if tables and row.ways[0][2] != "-":
        near(row.name, "busy against our own ledger", tables["verdict"][0].get("busy_ratio"), device.busy_share(),
             BUSY_NEAR)


# What of these an expert says is in other tests; here all commands must say the same.
CASES = {"host_bound.py": ["min.json"], "device_cut_whatif.py": ["min1.json"], "prefetch_stream.py 7": ["min2_7.json"],
         "prefetch_stream.py 30": ["min2_30.json"], "launch_queue.py 1 queue.json": ["queue.json"],
         "faster_run.py": ["gk0.json", "gfast.json"]}


def check_cases(folder):
    """How many there are; each is a trace that a script in cases/traces writes."""
    scripts = os.path.join(SHARED, "cases", "traces")
    for call, made in CASES.items() if os.path.isdir(scripts) else []:
        name, *args = call.split()
        subprocess.run([sys.executable, os.path.join(scripts, name), *args], cwd=folder, stdout=subprocess.DEVNULL, check=True)
        for one in made:
            path = os.path.join(folder, one)
            tables = ask(one, path, "diagnose")
            got = tables["verdict"][0]
            row = Expected("\t".join(["case", one, got["verdict"], got["second"] or "-", str(got["device"]), "-", "-", ""]))
            check_row(row, path)
            ask.cache_clear()


def main():
    rows = read_table()
    traces = {os.path.basename(p).split(".")[0]: p for p in glob.glob(os.path.join(SHARED, "traces", "*.json*"))}
    check_complete(rows, traces)
    skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        for turn, row in enumerate(rows):
            path = traces.get(row.name)
            if row.kind == "scenario":
                path = os.path.join(folder, "trace.json")
                with open(path, "wb") as f:
                    f.write(run([FIXTURES, *row.name.split()]).stdout)
            if not path:
                skipped += 1
                continue
            ask.cache_clear()
            check_diagnosis(row)
            if ALL or turn % 2 == 0:
                check_figures(row, path)
            check_row(row, path)
        check_cases(folder)
    if skipped:
        print(f"SKIP: no traces in {SHARED}: {skipped} verdicts")
    for line in failures:
        print(line)
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
