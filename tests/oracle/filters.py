#!/usr/bin/env python3
"""Filters and several files: what they leave out, and that nothing else changes.

For each analysis of traces, on generated runs of several devices, streams, steps and ranks:
  - a list that takes everything changes nothing;
  - rows that name a device or a step are those of the answer without the filter, and no others;
  - of several files each is answered as if it were alone, and --rank leaves the others out;
  - what names nothing there is gets exit status 2 or tables without rows, never other rows;
  - every filter that an analysis takes changes some answer of it.
"""
import functools
import json
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
ANALYSES = ["summary", "steps", "kernels", "idle", "launches", "copies", "comms", "memory", "stages",
            "stacks", "diagnose", "top", "critical"]
REFUSED = {"summary": ("-f", "-v"), "steps": ("-f", "-v"), "diagnose": ("-f", "-v"),
           "memory": ("--cat",), "critical": ("--device", "--stream", "--cat")}
passed = failed = 0


def check(what, good, detail=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {what} {detail}")


@functools.lru_cache(maxsize=None)
def answer(*words):
    """Of one call; what several checks ask is asked once."""
    done = subprocess.run([TRACEQ, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout


def ask(analysis, files, *options):
    """(exit status, answer) of one call; the notes say what the filters were, so they are left out."""
    code, text = answer(analysis, "--json", "-q", *options, *files)
    return (2, []) if code == 2 else (code, json.loads(text)["tables"])


def cut(tables):
    """(id, input, rows), without tables that have none."""
    return [(t["id"], t.get("input"), t["rows"]) for t in tables if t["rows"]]


def rows_by(tables, key, value):
    """table id -> rows whose `key` is value, of tables whose rows all have that key."""
    out = {}
    for table in tables:
        rows = [r for r in table["rows"] if r.get(key) == value]
        if rows:
            out.setdefault(table["id"], []).extend(rows)
    return out


def make(folder, name, *argv):
    path = os.path.join(folder, name + ".json")
    with open(path, "wb") as out:
        subprocess.run([FIXTURES, *argv, "--memory"], stdout=out, check=True)
    return path


def everything(files):
    for name, path in files.items():
        for analysis in ANALYSES:
            plain = ask(analysis, [path])
            for option in (["--device", "0-99"], ["--stream", "0-99999"], ["-f", "^"],
                           ["-v", "no such name"], ["--rank", "0-99"]):
                if option[0] == "--rank" and name not in ("rank0", "rank1"):
                    continue
                if option[0] in REFUSED.get(analysis, ()):
                    continue
                got = ask(analysis, [path], *option)
                check(f"{analysis} {name} {' '.join(option)}: nothing changes",
                      without_sm(got) == without_sm(plain), difference(plain, got))


def without_sm(answer):
    """A mean over all kernels of a device is not given for some of their names; where streams are
    chosen a gap's id says its length, too."""
    code, tables = answer
    for table in tables:
        for row in table["rows"]:
            row.pop("est_sm_efficiency_ratio", None)
            row.pop("id", None)
    return code, cut(tables)


def difference(a, b):
    if a[0] != b[0]:
        return f"exit {a[0]}, {b[0]}"
    for x, y in zip(cut(a[1]), cut(b[1])):
        if x != y:
            for r, s in zip(x[2], y[2]):
                if r != s:
                    return f"{x[0]}: " + str({k: (r[k], s.get(k)) for k in r if r[k] != s.get(k)})
            return f"{x[0]}: {len(x[2])} and {len(y[2])} rows"
    return f"tables {[t[0] for t in cut(a[1])]} and {[t[0] for t in cut(b[1])]}"


def one_device(path):
    for analysis in ANALYSES:
        if "--device" in REFUSED.get(analysis, ()):
            continue
        _, plain = ask(analysis, [path])
        for device in (0, 1):
            code, got = ask(analysis, [path], "--device", str(device))
            others = rows_by(got, "device", 1 - device)
            check(f"{analysis} --device {device}: no rows of device {1 - device}",
                  code != 2 and not others, str(list(others)))
            if analysis in ("kernels", "idle"):
                have, want = rows_by(got, "device", device), rows_by(plain, "device", device)
                have.pop("gaps", None), want.pop("gaps", None)
                check(f"{analysis} --device {device}: its rows are as without", have == want)


def one_step(path):
    numbers = [r["step"] for t in ask("steps", [path])[1] if t["id"] == "steps" for r in t["rows"]]
    check("steps: has several", len(numbers) >= 3, str(numbers))
    for analysis in ANALYSES:
        _, plain = ask(analysis, [path])
        for number in numbers:
            code, got = ask(analysis, [path], "--steps", str(number))
            strangers = {t["id"] for t in got for r in t["rows"]
                         if isinstance(r.get("step"), int) and r["step"] != number}
            check(f"{analysis} --steps {number}: no other steps", code != 2 and not strangers,
                  str(strangers))
        check(f"{analysis} --steps: one step is not all of them",
              code == 2 or not cut(plain) or cut(got) != cut(plain))
        code, got = ask(analysis, [path], "--steps", "123456")
        check(f"{analysis} --steps 123456: no answer", code == 2)


def idle_is_the_ledgers(files):
    """`idle --steps` and the ledger of `steps` are computed apart; their idle times are one."""
    for name, path in files.items():
        steps = [r for t in ask("steps", [path])[1] if t["id"] == "steps" for r in t["rows"]]
        numbers = sorted({r["step"] for r in steps if r["step"] is not None})
        for chosen in (numbers, numbers[:1], numbers[1:]):
            if not chosen:
                continue
            span = f"{chosen[0]}-{chosen[-1]}"
            if len(chosen) >= 7:  # the first and the last do not count, nor odd ones
                odd = {r["step"] for r in steps if r["is_outlier"]}
                chosen = [n for n in chosen[1:-1] if n not in odd]
            _, got = ask("idle", [path], "--steps", span)
            idle = {r["device"]: r["idle_ns"] for t in got if t["id"] == "devices"
                    for r in t["rows"]}
            ledger = {}
            for r in steps:
                if r["step"] in chosen and r["idle_ns"] is not None:
                    ledger[r["device"]] = ledger.get(r["device"], 0) + r["idle_ns"]
            check(f"{name} steps {span}: idle is the ledger's", idle == ledger,
                  f"{idle} {ledger}")


def of_input(tables, index):
    return [(t["id"], t["rows"]) for t in tables if t.get("input") == index and t["rows"]]


def side_by_side(first, second):
    for analysis in ANALYSES:
        alone = [ask(analysis, [p]) for p in (first, second)]
        _, both = ask(analysis, [first, second])
        for i in (0, 1):
            check(f"{analysis}: file {i} of two is answered as if alone",
                  of_input(both, i) == of_input(alone[i][1], 0),
                  f"{[t for t, _ in of_input(both, i)]} {[t for t, _ in of_input(alone[i][1], 0)]}")
        for rank in (0, 1):
            _, chosen = ask(analysis, [first, second], "--rank", str(rank))
            check(f"{analysis} --rank {rank}: that file alone",
                  of_input(chosen, rank) == of_input(alone[rank][1], 0) and
                  not of_input(chosen, 1 - rank))
        check(f"{analysis} --rank 77: no answer", ask(analysis, [first], "--rank", "77")[0] == 2)


def changes(files):
    """Each filter leaves something out somewhere."""
    trials = {"-f": "aten::mm$|gemm|elementwise", "-v": "aten::(mm|linear|gelu)|gemm|nccl|Memcpy|forward",
              "--steps": "4", "--device": "1", "--stream": "7", "--cat": "kernel"}
    for analysis in ANALYSES:
        for option, value in trials.items():
            if option in REFUSED.get(analysis, ()):
                check(f"{analysis} {option}: refused",
                      ask(analysis, [files["comm"]], option, value)[0] == 2)
                continue
            if (analysis, option) == ("memory", "--stream"):
                continue  # allocator events have no stream
            if option == "--device" and analysis in ("comms", "memory"):
                # collectives and memory are of device 0 in all files
                check(f"{analysis} {option} {value}: nothing has it",
                      ask(analysis, [files["comm"]], option, value)[0] == 2)
                continue
            more = [option, value]
            if analysis == "stacks" and option in ("--device", "--stream"):
                more += ["--metric", "device"]
            changed = [n for n, p in files.items()
                       if (got := ask(analysis, [p], *more))[0] != 2
                       and got != ask(analysis, [p], *more[2:])]
            check(f"{analysis} {option} {value}: changes some answer", changed)


def main():
    with tempfile.TemporaryDirectory() as folder:
        files = {
            "multi-gpu": make(folder, "multi-gpu", "multi-gpu", "--steps", "4"),
            "multi-stream": make(folder, "multi-stream", "multi-stream", "--steps", "4"),
            "comm": make(folder, "comm", "comm-bound", "--steps", "4"),
            "copy": make(folder, "copy", "copy-bound", "--steps", "4"),
            "rank0": make(folder, "rank0", "multi-rank", "--steps", "4", "--rank", "0", "--world", "2"),
            "rank1": make(folder, "rank1", "multi-rank", "--steps", "4", "--rank", "1", "--world", "2"),
        }
        everything(files)
        one_device(files["multi-gpu"])
        one_step(files["multi-stream"])
        one_step(files["rank0"])
        side_by_side(files["rank0"], files["rank1"])
        changes(files)
        for scenario in ("healthy", "launch-bound", "dataloader-bound", "graphs", "rocm", "inference"):
            files[scenario] = make(folder, scenario, scenario, "--steps", "3")
        idle_is_the_ledgers(files)
    shared = os.path.join(os.environ.get("SHARED", "../shared"), "traces")
    if os.path.isdir(shared):
        idle_is_the_ledgers({n: os.path.join(shared, n) for n in sorted(os.listdir(shared))
                             if n.startswith(("tb_", "hta_alexnet", "hta_event", "tl_h100_b"))})
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
