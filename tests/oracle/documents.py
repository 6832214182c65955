#!/usr/bin/env python3
"""The source documents, to the letter: every snippet that one of the five prints is written as its
scripts would (documents/), and every command that a user would type answers from it: exit 0, or 1
where it is worse; JSON that parses; every figure, read here by Python's json and csv, found again.
What their scripts print themselves (--format seed) is compared line by line with Python's own
str.format of the script's format strings."""
import json
import math
import os
import subprocess
import sys
import tempfile

from documents import canary, computed, guide, layouts, phase_b, profiling, tiers, week1
from documents.case import leaves

TRACEQ = os.environ["TRACEQ"]
# a figure may come back in ns, bytes, as a share
UNITS = (1, 1e9, 1e6, 1e3, 2.0 ** 30, 2.0 ** 20, 1e-2, 1e-3, 1e-9)
passed, failures = 0, []


def expect(what, good, why=""):
    global passed
    if good:
        passed += 1
    else:
        failures.append(f"{what}: {why}")
    return good


def traceq(*args):
    done = subprocess.run([TRACEQ, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          cwd=traceq.folder)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def answered(what, exits, *args):
    """Runs a command, which ends with one of `exits` and takes nothing for a broken trace."""
    code, out, err = traceq(*args)
    if not expect(f"{what}: {args[0]}", code in exits,
                  f"exit {code}, not {exits}: {(err or out).strip()[:200]}"):
        return None
    expect(f"{what}: {args[0]} says no nonsense", "not a Chrome trace" not in err + out, err[:200])
    return out


def parsed(what, *args):
    out = answered(what, (0,), *args, "--json")
    if out is None:
        return []
    try:
        return [v for _, v in leaves(json.loads(out))]
    except json.JSONDecodeError as e:
        expect(f"{what}: {args[0]} --json", False, e)
        return []


def write(name, files):
    """The files below a folder of that name; what a command is pointed at."""
    root = os.path.join(traceq.folder, name)
    for path, text in files.items():
        full = os.path.join(root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
    return root


def is_there(figure, numbers):
    return figure == 0 or any(
        math.isclose(figure * unit, n, rel_tol=1e-9) for unit in UNITS for n in numbers)


def check_case(document, case):
    what = f"{document} {case.name}"
    root = write(f"{document}-{case.name.strip('/')}", case.files)
    at = root if case.is_folder else os.path.join(root, case.name)
    answered(what, (case.checks,), "check", at)
    numbers = parsed(what, "info", at)
    if "metrics" not in case.but:
        numbers += parsed(what, "metrics", at, "--warmup", "0")
    for command in case.also:
        numbers += parsed(what, command, at)
    if not case.is_folder:  # those of a folder are its files', which are cases of their own
        lost = [f for f in case.figures if not is_there(f, numbers)]
        expect(f"{what}: figures", not lost, f"{lost[:8]} are in neither info nor metrics")
    if "diagnose" not in case.but:
        parsed(what, "diagnose", at)
    if "report" not in case.but:
        answered(what, (0,), "report", at)
    if case.worse is None:
        return
    root = write(f"{document}-worse-{case.name.strip('/')}", case.worse)
    now = root if case.is_folder else os.path.join(root, case.name)
    nothing = () if case.gated else (2,)
    answered(what, (0, *nothing), "diff", at, now)
    if not case.only_warns:
        answered(what + " worse", (1, *nothing), "gate", at, now)
    answered(what + " same", (0, *nothing), "gate", at, at)


def check_cases(document, cases):
    for case in cases:
        check_case(document, case)


def check_profiling():
    check_cases("profiling", profiling.CASES)


def check_guide():
    check_cases("guide", guide.CASES)


def check_phase_b():
    check_cases("phase_b", phase_b.CASES)


def check_canary():
    check_cases("canary", canary.CASES)


def check_week1():
    check_cases("week1", week1.CASES)


def check_layouts():
    for what, args, files, want in layouts.CASES:
        write("layouts", files)
        code, out, err = traceq(*args, "--format", "seed", "-q")
        if not expect(f"layout {what}", code == 0, f"exit {code}: {err.strip()[:200]}"):
            continue
        got = out.split("\n")
        for i, line in enumerate(want):
            if not expect(f"layout {what}, line {i + 1}", i < len(got) and got[i] == line,
                          f"{got[i] if i < len(got) else None!r}, the document {line!r}"):
                break
        if "DIAGNOSIS" not in want[-2]:  # whose reasons are derived
            expect(f"layout {what}, lines", len(got) == len(want) + 1,
                   f"{len(got) - 1}, not {len(want)}")


def asked(*args):
    """The tables of an answer."""
    out = answered("computed", (0,), *args, "--json", "-q")
    return {t["id"]: t["rows"] for t in json.loads(out)["tables"]} if out else {}


def check_computed():
    def put(name, text):
        return os.path.join(write("computed", {name: text}), name)

    for check in computed.CHECKS:
        for what, got, want in check(asked, put):
            is_real = isinstance(want, float) and isinstance(got, (int, float))
            good = math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-12) if is_real else got == want
            expect(f"{check.__name__} {what}", good, f"traceq {got!r}, here {want!r}")


def check_reasons():
    """Why it is slower: the batch size only where it fell."""
    for now, wanted in ((canary.SLOW, True), (layouts.SAME_BATCH, False)):
        write("reasons", {"base.json": canary.BASE, "now.json": now})
        out = answered("reasons", (0,), "diff", "reasons/base.json", "reasons/now.json",
                       "--format", "seed") or ""
        for line in layouts.SMALLER_BATCH:
            expect(f"reasons {line}", (line in out) == wanted, out[-300:])


def check_tiers():
    """The seven checks of the canary at the limits of its four tiers."""
    for n, (tier, check, states, base, new) in enumerate(tiers.cases()):
        write("tiers", {"base.json": base, "new.json": new})
        out = answered(f"tier {tier} {check}", (0, 1), "gate", "tiers/base.json", "tiers/new.json",
                       "--tier", tier, "--gate-on", "estimate", "--json", "-q")
        rows = {t["id"]: t["rows"] for t in json.loads(out)["tables"]}["checks"] if out else []
        state = {r["check"]: r["state"] for r in rows}.get(check)
        expect(f"tier {tier} {check} {n}", state in states, f"{state}, not {states}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        traceq.folder = folder
        check_profiling()
        check_guide()
        check_phase_b()
        check_canary()
        check_week1()
        check_layouts()
        check_reasons()
        check_computed()
        check_tiers()
    for text in failures:
        print("FAIL", text)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
