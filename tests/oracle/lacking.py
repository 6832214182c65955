#!/usr/bin/env python3
"""Charts and reports of what lacks something: steps, device work, ranks, collectives, calls, events.

Of each such job and run, every chart is drawn or refused with its reason, as `plot --list` said, and
every form of a report is written; nothing ends by a signal, and a reason is one line.

To start gnuplot takes longer than to draw.  So traceq starts it for the first chart of each input; for the others
it starts a stub, and their scripts are run afterwards, all of a folder by one gnuplot.
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
DEVICE = ("kernel", "gpu_memcpy", "gpu_memset", "gpu_user_annotation")
LACKS = {
    "steps": lambda e: "ProfilerStep" in str(e.get("name")),
    "device": lambda e: e.get("cat") in DEVICE,
    "collectives": lambda e: "nccl" in str(e.get("name")).lower(),
    "launches": lambda e: str(e.get("cat")).startswith("cuda"),
    "ops": lambda e: e.get("cat") == "cpu_op",
    "host": lambda e: e.get("cat") not in DEVICE and e.get("ph") != "M",
    "events": lambda e: e.get("ph") != "M",
}

# Charts that are refused are asked for, too.
REFUSED_TOO = ("job-no-steps", "job-no-events", "cpu-only.json", "empty.json", "folder")

GNUPLOT = shutil.which("gnuplot")
STUB = "<svg/>"

passed = 0
failures = []


def expect(what, is_true, why=""):
    global passed
    if is_true:
        passed += 1
    else:
        failures.append(f"{what}: {why}")


def run(cwd, *args, env=None):
    return subprocess.run([TRACEQ, *args], capture_output=True, cwd=cwd, timeout=120, env=env)


def with_stub(folder):
    """An environment in which gnuplot is a program that draws nothing, where there is one at all."""
    return {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"} if GNUPLOT else None


def make_stub(folder):
    (folder / "bin").mkdir()
    (folder / "bin/gnuplot").write_text(f"#!/bin/sh\necho '{STUB}'\n")
    (folder / "bin/gnuplot").chmod(0o755)


def draw_scripts(place):
    """The scripts of a folder draw their pictures, by one gnuplot that forgets what the one before has set."""
    scripts = sorted(place.glob("*.gp"))
    if not GNUPLOT or not scripts:
        return
    for script in scripts:
        script.with_suffix(".svg").unlink()
    words = [word for script in scripts for word in (script.name, "-e", "reset session")]
    done = subprocess.run([GNUPLOT, "-d", *words], capture_output=True, cwd=place, timeout=120)
    expect(f"gnuplot on the scripts of {place.name}", done.returncode == 0, f"exit {done.returncode}: {said(done)}")
    for script in scripts:
        picture = script.with_suffix(".svg")
        text = picture.read_bytes() if picture.exists() else b""
        expect(f"gnuplot on {script}", text.startswith(b"<?xml ") and text.rstrip().endswith(b"</svg>"), text[-100:])


def said(done):
    return done.stderr.decode(errors="replace")[-300:]


def is_refused(done):
    """Not answered, with the reason; a mistake in the command is none."""
    return done.returncode == 2 and done.stderr.startswith(b"traceq: ") and b"usage: " not in done.stderr


def without(source, target, lacks):
    trace = json.loads(source.read_text())
    trace["traceEvents"] = [e for e in trace["traceEvents"] if not lacks(e)]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(trace))


def inputs(folder):
    """What is drawn: names of jobs, of single runs, of ranks by themselves."""
    job = folder / "job"
    subprocess.run([FIXTURES, "multi-rank", "--all-ranks", job, "--world", "4", "--layers", "2", "--steps", "3"], check=True)
    for what, lacks in LACKS.items():
        for rank in sorted(job.iterdir()):
            without(rank, folder / f"job-no-{what}" / rank.name, lacks)
        yield f"job-no-{what}"
        yield f"job-no-{what}/rank1.json"
    # One rank lacks what the others have.
    for rank in sorted(job.iterdir()):
        without(rank, folder / "job-uneven" / rank.name, LACKS["steps"] if rank.name == "rank2.json" else lambda e: False)
    yield "job-uneven"
    for scenario in ("healthy", "cpu-only", "gpu-only", "inference", "leak"):
        with open(folder / f"{scenario}.json", "wb") as out:
            subprocess.run([FIXTURES, scenario, *(() if scenario == "inference" else ("--steps", "2"))],
                           stdout=out, check=True)
        yield f"{scenario}.json"
        without(folder / f"{scenario}.json", folder / f"{scenario}-no-steps.json", LACKS["steps"])
        yield f"{scenario}-no-steps.json"
    (folder / "empty.json").write_text('{"traceEvents": []}')
    yield "empty.json"
    (folder / "folder").mkdir()
    with open(folder / "folder/metrics.json", "wb") as out:
        subprocess.run([FIXTURES, "artifact", "stage-times"], stdout=out, check=True)
    yield "folder"


def check_chart(folder, path, chart, is_drawn, is_first):
    own = path.replace("/", "-") + ".charts"
    (folder / own).mkdir(exist_ok=True)
    picture = f"{own}/{chart}.svg"
    done = run(folder, "plot", chart, path, "-o", picture, env=None if is_first else with_stub(folder))
    if is_drawn:
        is_right = (folder / picture).with_suffix(".gp").exists() and (done.returncode == 0 or b"gnuplot" in done.stderr)
    else:
        is_right = is_refused(done)
    expect(f"plot {chart} {path}, {'drawn' if is_drawn else 'refused'}", is_right, f"exit {done.returncode}: {said(done)}")


def check_list(folder, path):
    """Every chart of the list, as the list says; of some inputs those alone that can be drawn."""
    done = run(folder, "plot", "--list", path)
    lines = [line.split(None, 2) for line in done.stdout.decode().splitlines()]
    expect(f"plot --list {path}", done.returncode == 0 and len(lines) > 50 or is_refused(done) and not lines,
           f"exit {done.returncode}, {len(lines)} charts: {said(done)}")
    expect(f"reasons of plot --list {path}", all(word in ("yes", "no") and (word == "yes" or ": " in title)
                                                 for word, _, title in lines), lines)
    is_first = True
    for word, chart, _ in lines:
        if word == "yes" or path in REFUSED_TOO or os.environ.get("CHECK_ALL"):
            check_chart(folder, path, chart, word == "yes", is_first)
            is_first &= word != "yes"
    draw_scripts(folder / (path.replace("/", "-") + ".charts"))


def check_report(folder, path):
    name = path.replace("/", "-")
    for i, args in enumerate((["--format", "txt"], ["--format", "md"], ["-o", f"{name}.html"],
                              ["--plots", f"{name}.plots"], ["--style", "week1"], ["--style", "week1", "--format", "seed"])):
        done = run(folder, "report", path, *args, env=with_stub(folder))
        is_without = "--plots" in args and b"gnuplot is not installed" in done.stderr
        expect(f"report {path} {' '.join(args)}", done.returncode == 0 or is_refused(done) or is_without,
               f"exit {done.returncode}: {said(done)}")
        if i == 2 and done.returncode == 0:
            text = (folder / f"{name}.html").read_text()
            expect(f"{name}.html", text.startswith("<!DOCTYPE html>") and text.rstrip().endswith("</html>"), text[-100:])
    draw_scripts(folder / f"{name}.plots")


def check_two(folder):
    """Sides that do not have the same."""
    for base in ("job-no-steps", "healthy-no-steps.json", "empty.json", "cpu-only.json"):
        for new in ("job-no-device", "healthy.json", "empty.json"):
            for args in (["report", "--style", "diff"], ["plot", "compare-step", "-o", "x.svg"],
                         ["plot", "compare-ops", "-o", "x.svg"], ["plot", "--list"]):
                done = run(folder, *args, base, new)
                expect(f"{' '.join(args)} {base} {new}",
                       done.returncode in (0, 1) or is_refused(done), f"exit {done.returncode}: {said(done)}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_stub(folder)
        every = list(inputs(folder))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for done in [pool.submit(check, folder, path) for path in every for check in (check_list, check_report)]:
                done.result()
        check_two(folder)
    for line in failures:
        print("FAIL", line)
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
