#!/usr/bin/env python3
"""Every output of every command against its own inputs: by path, by other spellings, by links, in folders
and archives; against files of others that it would be written over unasked; and against the command's other
outputs.  What was there before stays, to the byte, and the exit code is 2."""
import contextlib
import itertools
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile

TRACEQ = os.environ["TRACEQ"]
SLOW = bool(os.environ.get("SAN"))
passed = 0
failures = []

REAL_PATH = os.environ["PATH"]
GNUPLOT = """#!/bin/sh
for script; do :; done
grep -q "name 'traceq'" "$script" || exit 1
printf '<?xml version="1.0" encoding="utf-8"  standalone="no"?>\\n<svg xmlns="http://www.w3.org/2000/svg">\\n'
printf '<title>traceq</title>\\n<desc>Produced by GNUPLOT 5.4 patchlevel 4 </desc></svg>\\n'
"""


def expect(where, got, want=True):
    global passed
    if got == want:
        passed += 1
    else:
        failures.append(f"{where}: {got!r}, not {want!r}")


def events(shift=0):
    out = []
    for i in range(40):
        t = i * 1000
        out += [
            {"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{i}", "pid": 1, "tid": 1, "ts": t,
             "dur": 990},
            {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": t + 5, "dur": 50,
             "args": {"External id": i}},
            {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": t + 10,
             "dur": 5, "args": {"correlation": i, "External id": i}},
            {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": t + 100, "dur": 700 + shift,
             "args": {"device": 0, "stream": 7, "correlation": i, "External id": i}},
        ]
    return out


def trace(rank, shift=0):
    return json.dumps({"schemaVersion": 1, "distributedInfo": {"rank": rank, "world_size": 2, "backend": "nccl"},
                       "deviceProperties": [{"id": 0, "name": "NVIDIA H100"}], "traceEvents": events(shift)})


ET = json.dumps({"schema": "1.1.1-chakra.0.0.4", "pid": 1, "time": "x", "start_ts": 1, "nodes": [
    {"id": 1, "name": "[pytorch|profiler|execution_trace|process]", "ctrl_deps": 1,
     "inputs": {"values": [], "shapes": [], "types": []},
     "outputs": {"values": [], "shapes": [], "types": []},
     "attrs": [{"name": "rf_id", "type": "uint64", "value": 0}]}]})


def put(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def scene():
    """Inputs of all kinds in the folder we are in."""
    put("a.json", trace(0))
    put("b.json", trace(1, 20))
    put("x_et.json", ET)
    put("job/rank0.json", trace(0))
    put("job/rank1.json", trace(1, 20))
    put("base/trace.json", trace(0))
    put("base/step_times.csv", "step,step_time_s\n" + "".join(f"{i},{0.1 + i % 3 / 100}\n" for i in range(40)))
    put("new/trace.json", trace(0, 30))
    put("conf.yaml", "")
    put("limits.yaml", "")
    with zipfile.ZipFile("z.zip", "w") as z:
        z.writestr("trace.json", trace(0))
        z.writestr("other.json", trace(1))
    os.symlink("a.json", "sym.json")
    os.link("a.json", "hard.json")
    run("digest", "a.json", "-o", "a.tqd", "-q")


def files():
    """All there is: by name, what it holds; temporary ones, too."""
    out = {}
    for folder, _, names in os.walk("."):
        for n in names:
            path = os.path.join(folder, n)
            if os.path.exists(path):
                with open(path, "rb") as f:
                    out[path] = (f.read(), os.stat(path).st_ino, os.path.islink(path))
            else:
                out[path] = os.readlink(path)
    return out


def run(*args, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env=None):
    p = subprocess.run([TRACEQ, *args], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, timeout=120,
                       env={**os.environ, **(env or {})})
    return p.returncode, p.stderr.decode(errors="replace")


def refused(where, *args, names=(), **how):
    before = files()
    code, err = run(*args, **how)
    expect(f"{where}: exit", (code, err) if code != 2 else 2, 2)
    now = files()
    for path in sorted(before.keys() | now.keys()):
        if before.get(path) != now.get(path):
            failures.append(f"{where}: {path} {'is new' if path not in before else 'was changed'}")
    for n in names:
        expect(f"{where}: names {n}", n in err or err)


def spellings(path):
    """Other names of a file."""
    d, n = os.path.split(path)
    yield path
    yield os.path.join(".", path)
    yield os.path.abspath(path)
    yield os.path.join(d, ".", n) if d else f"base/../{n}"
    tag = path.replace("/", "_")
    for kind, make in (("s", lambda to: os.symlink(os.path.abspath(path), to)), ("h", lambda to: os.link(path, to))):
        os.makedirs("links", exist_ok=True)
        to = f"links/{kind}_{tag}"
        if not os.path.lexists(to):
            make(to)
        yield to


# ---- inputs ----

ANALYSES = """summary info top kernels idle steps copies launches memory comms stacks timeline diagnose
critical roofline energy check trend ranks""".split()


def known_analyses():
    """Those that there are, with what they take."""
    return [a for a in ANALYSES if run(a, "-h")[0] == 0]


def answers():
    for a in known_analyses():
        for to in spellings("a.json"):
            refused(f"{a} -o {to}", a, "a.json", "-o", to, "--format=json", names=(to,))
        if not SLOW:
            refused(f"{a} of a folder", a, "job", "-o", "job/rank1.json")
            refused(f"{a} of an archive", a, "z.zip!trace.json", "-o", "z.zip", "--format=json")
    for to in spellings("a.tqd"):
        refused(f"of a digest -o {to}", "summary", "a.tqd", "-o", to, "--format=json")
    refused("capture", "top", "a.json", "--capture", "b.json", "-o", "b.json")
    refused("execution trace", "critical", "a.json", "--et", "x_et.json", "-o", "x_et.json")
    refused("execution trace beside", "critical", "a.json", "-o", "x_et.json")
    refused("through links", "top", "sym.json", "-o", "a.json")
    refused("of a link", "top", "sym.json", "-o", "hard.json")
    refused("settings", "gate", "base", "new", "--config", "conf.yaml", "-o", "conf.yaml", "--format=json")
    refused("settings of themselves", "config", "--config", "conf.yaml", "-o", "conf.yaml", "--format=json")
    with open("a.json", "rb") as f:
        refused("standard input", "top", "-", "-o", "a.json", stdin=f)
    for args in (("top", "a.json"), ("report", "a.json"), ("plot", "--list", "a.json"), ("overview", "a.json"),
                 ("cut", "a.json"), ("stacks", "a.json", "--format=speedscope"), ("top", "job"),
                 ("merge", "job"), ("diff", "a.json", "b.json")):
        with open("a.json" if "a.json" in args else "job/rank1.json", "ab") as f:
            refused(f"{args} >>", *args, stdout=f)
    with open("a.json", "rb") as i, open("a.json", "ab") as o:
        refused("in and out", "top", "-", stdin=i, stdout=o)


def databases():
    """What lies beside a database, and is read with it, is an input, too."""
    os.makedirs("db")
    with contextlib.closing(sqlite3.connect("db/x.sqlite")) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.executescript("""CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);
            CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
            demangledName INTEGER, shortName INTEGER, correlationId INTEGER);
            INSERT INTO StringIds VALUES(1,'one');
            INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(1000,2000,0,7,1,1,1);""")
        for n in ("x.sqlite", "x.sqlite-wal"):
            shutil.copy(f"db/{n}", f"db/copy{n[1:]}")
    code, err = run("kernels", "db/copy.sqlite", "--json", "-o", "k.json")
    expect(f"a database with its log: {err}", code, 0)
    for n in ("copy.sqlite", "copy.sqlite-wal"):
        refused(f"kernels -o {n}", "kernels", "db/copy.sqlite", "--json", "-o", f"db/{n}")
        refused(f"cut -o {n}", "cut", "db/copy.sqlite", "--to=json", "-o", f"db/{n}")
        refused(f"digest -o {n}", "digest", "db/copy.sqlite", "-o", f"db/{n}")


def verdicts():
    """Each report of gate against each file that it reads."""
    sinks = ["-o", "--junit", "--md", "--openmetrics", "--json-out"]
    text = subprocess.run([TRACEQ, "gate", "--help"], stdout=subprocess.PIPE, text=True).stdout
    sinks = [s for s in sinks if s in text]
    expect("gate has reports", len(sinks) >= 4, True)
    for s in sinks:
        for to in itertools.chain(spellings("base/trace.json"), spellings("new/trace.json")):
            refused(f"gate {s} {to}", "gate", "base", "new", s, to, "--ci=none", names=(to,))
        refused(f"gate {s} thresholds", "gate", "base", "new", "--thresholds", "limits.yaml", s, "limits.yaml",
                "--ci=none")
        refused(f"gate {s}, base is not there", "gate", "nothing.json", "new", s, "new/trace.json", "--ci=none")
        refused(f"gate {s}, new is broken", "gate", "base", "base/step_times.csv", s, "base/trace.json",
                "--ci=none")
    refused("gate, step summary", "gate", "base", "new", "--ci=github",
            env={"GITHUB_STEP_SUMMARY": os.path.abspath("base/trace.json")})
    refused("gate, step summary in the report", "gate", "base", "new", "--ci=github", "--md", "s.md",
            env={"GITHUB_STEP_SUMMARY": os.path.abspath("s.md")})
    for a, b in itertools.combinations(sinks, 2):
        for x, y in (("same.x", "same.x"), ("same.x", "./same.x"), ("base/../same.x", os.path.abspath("same.x"))):
            refused(f"gate {a} {x} {b} {y}", "gate", "base", "new", a, x, b, y, "--ci=none",
                    *(["--format=json"] if a == "-o" else []))
    put("one.x", "1")
    os.link("one.x", "two.x")
    os.symlink("one.x", "three.x")
    os.symlink("later.x", "four.x")
    for x, y in (("one.x", "two.x"), ("one.x", "three.x"), ("two.x", "three.x"), ("four.x", "later.x")):
        refused(f"gate {x} and {y}", "gate", "base", "new", "--junit", x, "--md", y, "--ci=none")
    with open("log.x", "wb") as f:
        refused("what stdout goes to", "gate", "base", "new", "--junit", "log.x", "--ci=none", stdout=f)
    code, err = run("gate", "base", "new", "--junit", "/dev/null", "--md", "/dev/null", "--ci=none")
    expect(f"two to nothing: {err}", code in (0, 1))


def edits():
    for to in itertools.chain(spellings("a.json"), spellings("b.json")):
        refused(f"merge -o {to}", "merge", "a.json", "b.json", "-o", to, "--to=json")
        if "b.json" not in to:
            refused(f"cut -o {to}", "cut", "a.json", "-o", to, "--to=json")
            refused(f"cut calls -o {to}", "cut", "a.json", "-o", to, "--to=folded")
            refused(f"digest -o {to}", "digest", "a.json", "-o", to)
    for c in ("merge", "digest"):
        refused(f"{c} of a folder", c, "job", "-o", "job/rank1.json")
    refused("digest of an archive", "digest", "z.zip", "-o", "z.zip")
    with open("a.json", "rb") as f:
        refused("cut of standard input", "cut", "-", "-o", "a.json", stdin=f)


def documents():
    """Reports and charts; the former have their names for files, too."""
    for to in spellings("a.json"):
        refused(f"report -o {to}", "report", "a.json", "-o", to, "--format=md")
        refused(f"overview -o {to}", "overview", "a.json", "-o", to, "--format=md")
    refused("report of a folder", "report", "job", "-o", "job/rank0.json", "--format=md")
    for name in ("x.dat", "x.gp", "x.svg"):
        put(f"pl/{name}", trace(0))
        refused(f"plot over {name}", "plot", "step-ledger", f"pl/{name}", "-o", "pl/x.svg", names=(f"pl/{name}",))
        refused(f"--force over {name}", "plot", "step-ledger", f"pl/{name}", "-o", "pl/x.svg", "--force")
        os.symlink(os.path.abspath(f"pl/{name}"), "pl/in.json")
        refused(f"plot over {name} by a link", "plot", "step-ledger", "pl/in.json", "-o", "pl/x.svg")
        os.unlink("pl/in.json")
        os.unlink(f"pl/{name}")
    for suffix in ("dat", "gp", "svg"):
        put(f"step-ledger.{suffix}", trace(0))
        refused(f"plot without -o over .{suffix}", "plot", "step-ledger", f"step-ledger.{suffix}")
        os.unlink(f"step-ledger.{suffix}")
    code, err = run("report", "a.json", "--plots", "drawn", "-o", "r.md")
    names = sorted(os.listdir("drawn"))
    expect(f"report draws: {err}", code == 0 and len(names) >= 6)
    for n in names:
        shutil.copy("a.json", f"drawn/{n}")
        refused(f"report over {n}", "report", f"drawn/{n}", "--plots", "drawn", names=(f"drawn/{n}",))
        refused(f"report, forced, over {n}", "report", f"drawn/{n}", "--plots", "drawn", "--force")
        refused(f"report over another's {n}", "report", "a.json", "--plots", "drawn", "-o", "r.md",
                names=(f"drawn/{n}", "--force"))
        code, err = run("report", "a.json", "--plots", "drawn", "-o", "r.md", "--force")
        expect(f"report --force {n}: {err}", code, 0)
        code, err = run("report", "a.json", "--plots", "drawn", "-o", "r.md")
        expect(f"report over its own {n}: {err}", code, 0)
    refused("report and its picture", "report", "a.json", "--plots", "drawn", "-o", f"drawn/{names[0]}",
            "--format=md")


# ---- files of others ----

def others():
    for suffix in ("dat", "gp"):
        put(f"fig/y.{suffix}", "mine\n")
        refused(f"plot beside another's .{suffix}", "plot", "step-ledger", "a.json", "-o", "fig/y.svg",
                names=(f"fig/y.{suffix}", "--force"))
        put(f"fig/y.{suffix}", "")
        refused(f"plot beside an empty .{suffix}", "plot", "step-ledger", "a.json", "-o", "fig/y.svg")
        put(f"fig/y.{suffix}", "# of the traceq: \n")
        refused(f"plot beside a like .{suffix}", "plot", "step-ledger", "a.json", "-o", "fig/y.svg")
        for kind in ("png", "pdf"):
            refused(f"plot .{kind}", "plot", "step-ledger", "a.json", "-o", f"fig/y.{kind}")
        refused(f"stacks beside another's .{suffix}", "stacks", "a.json", "-o", "fig/y.png")
        code, err = run("plot", "step-ledger", "a.json", "-o", "fig/y.svg", "--force")
        expect(f"plot --force: {err}", code, 0)
        for _ in range(2):
            code, err = run("plot", "step-ledger", "a.json", "-o", "fig/y.svg")
            expect(f"plot over its own: {err}", code, 0)
        shutil.rmtree("fig")
    put("fig/named.svg", "mine")
    expect("what is named is replaced", run("plot", "step-ledger", "a.json", "-o", "fig/named.svg")[0], 0)
    with open("fig/named.svg") as f:
        expect("the picture says whose it is", "<title>traceq</title>" in f.read())
    expect("stacks as SVG", run("stacks", "a.json", "-o", "fig/flame.svg")[0], 0)
    with open("fig/flame.svg") as f:
        expect("a flame says whose it is", f.readline().startswith("<!-- traceq: "))
    for text in ("<svg/>\n", "<!-- trace: -->\n<svg/>\n", "<?xml version='1.0'?>\n<title>Gnuplot</title>\n",
                 "<?xml version='1.0'?>\n" + " " * 1024 + "<title>traceq</title>\n<desc>Produced by GNUPLOT 5 "):
        put("step-ledger.svg", text)
        refused(f"plot without -o over {text!r}", "plot", "step-ledger", "a.json",
                names=("step-ledger.svg", "--force"))
        os.unlink("step-ledger.svg")
    put("step-ledger.svg", "<svg/>\n")
    refused("plot without -o", "plot", "step-ledger", "a.json", names=("step-ledger.svg", "--force"))
    for args in (["--force"], []):
        expect(f"plot without -o {args}", run("plot", "step-ledger", "a.json", *args)[0], 0)
    for fmt, sep in (("csv", ","), ("tsv", "\t")):
        expect(f"tables as {fmt}", run("top", "a.json", "--format", fmt, "-o", "t/")[0], 0)
        expect("its own again", run("top", "b.json", "--format", fmt, "-o", "t/")[0], 0)
        names = sorted(os.listdir("t"))
        for n in names:
            with open(f"t/{n}") as f:
                head = f.readline()
            for text in ("mine\n", "name,mine\n1,2\n", "", head.rstrip("\n"), head.rstrip("\n") + f"{sep}mine\n",
                         head.split(sep)[0] + "\n"):
                if text == head:
                    continue
                put(f"t/{n}", text)
                refused(f"top over {n}: {text!r}", "top", "a.json", "--format", fmt, "-o", "t/",
                        names=(f"t/{n}", "--force"))
            expect(f"{n} forced", run("top", "a.json", "--format", fmt, "-o", "t", "--force")[0], 0)
            os.unlink(f"t/{n}")
            os.link("a.json", f"t/{n}")
            refused(f"top over its input {n}", "top", "a.json", "--format", fmt, "-o", "t/", "--force")
            os.unlink(f"t/{n}")
        shutil.rmtree("t")


def drawn():
    """With the real gnuplot: pictures of its own are replaced, also those that their scripts drew."""
    real = shutil.which("gnuplot", path=REAL_PATH)
    if not real:
        return
    os.environ["PATH"], before = REAL_PATH, os.environ["PATH"]
    for turn in (1, 2):
        code, err = run("report", "a.json", "--plots", "drawn", "-o", "r.md")
        expect(f"report, gnuplot, turn {turn}: {err}", code, 0)
        for n in sorted(os.listdir("drawn")):
            if n.endswith(".gp"):
                subprocess.run([real, "-d", n], cwd="drawn", check=True, stderr=subprocess.DEVNULL)
    svg = [n for n in os.listdir("drawn") if n.endswith(".svg")][0]
    subprocess.run([real, "-d", "-e", f"set terminal svg; set output 'drawn/{svg}'; plot sin(x)"], check=True)
    refused("another's picture of gnuplot", "report", "a.json", "--plots", "drawn", "-o", "r.md", names=(svg,))
    os.environ["PATH"] = before


# ---- what is meant to be replaced ----

def stores():
    for i in range(3):
        code, err = run("baseline", "add", "store", "base", "--label", f"r{i}")
        expect(f"baseline add: {err}", code, 0)
    expect("baseline pin", run("baseline", "pin", "store", "r1")[0], 0)
    expect("baseline prune", run("baseline", "prune", "store", "--keep", "1")[0], 0)
    code, err = run("gate", "store", "base", "--json-out", "g.json", "--ci=none")
    expect(f"gate of a store: {err}", code in (0, 1))
    history = os.path.join("store", os.listdir("store")[0])
    refused("gate over its store", "gate", "store", "base", "--json-out", history, "--ci=none")
    refused("report over its store", "report", "store", "-o", history, "--format=md")
    refused("plot over its store", "baseline", "add", "base/trace.json", "base/trace.json")
    put("store2/steps.jsonl", "".join(json.dumps({"step": i, "step_time_s": 0.1 + i % 3 / 100}) + "\n"
                                      for i in range(50)))
    refused("a run as its store", "baseline", "add", "store2/steps.jsonl", "store2/steps.jsonl")
    for args in (("top", "a.json", "--json", "-o", "job/top.json"), ("info", "job", "--json", "-o", "job/i.json"),
                 ("report", "job", "-o", "job/r.html"), ("report", "job", "-o", "job/r.md", "--plots", "job/plots"),
                 ("report", "job", "-o", "job/r.txt"), ("summary", "job", "--format=csv", "-o", "job/s.csv"),
                 ("gate", "base", "new", "--junit", "new/j.xml", "--md", "new/m.md", "--json-out", "new/g.json",
                  "--ci=none"), ("plot", "step-ledger", "a.json", "-o", "job/p.svg")):
        for turn in (1, 2):
            code, err = run(*args)
            expect(f"{args} turn {turn}: {err}", code in (0, 1))


# ---- signals ----

def signals():
    """Whatever ends the program while it writes: nothing of it stays."""
    big = {"traceEvents": [{"ph": "X", "cat": "kernel", "name": f"k{i % 999}", "pid": 0, "tid": 7, "ts": i * 10,
                            "dur": 5, "args": {"device": 0, "stream": 7}} for i in range(60000 if SLOW else 300000)]}
    put("sig/big.json", json.dumps(big))
    os.chdir("sig")
    spared = {signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU,
              signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH, signal.SIGXFSZ}
    ours = set(signal.Signals) - spared
    if SLOW:  # a sanitizer has handlers of its own for faults
        ours -= {signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP,
                 signal.SIGSYS}
    for s in sorted(ours):
        p = subprocess.Popen([TRACEQ, "cut", "big.json", "-o", "out.json.gz", "--level=9", "--threads=1", "-q"],
                             stdin=subprocess.DEVNULL, preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL),
                             restore_signals=True)
        end = time.time() + 60
        while time.time() < end and p.poll() is None and not any(n.startswith(".traceq-") for n in os.listdir(".")):
            time.sleep(0.002)
        p.send_signal(s)
        expect(f"{s.name}: how it ends", p.wait(timeout=60), -s)
        expect(f"{s.name}: what stays", sorted(os.listdir(".")), ["big.json"])
        for n in os.listdir("."):
            if n != "big.json":
                os.unlink(n)
    os.chdir("..")


def main():
    with tempfile.TemporaryDirectory(prefix="traceq-door.") as work:
        put(f"{work}/bin/gnuplot", GNUPLOT)
        os.chmod(f"{work}/bin/gnuplot", 0o755)
        os.environ["PATH"] = f"{work}/bin:{os.environ['PATH']}"
        for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "TRACEQ_CONFIG"):
            os.environ.pop(name, None)
        for part in (answers, databases, verdicts, edits, documents, others, drawn, stores, signals):
            os.makedirs(f"{work}/{part.__name__}")
            os.chdir(f"{work}/{part.__name__}")
            scene()
            begun = time.time()
            part()
            if "-v" in sys.argv:
                print(f"{part.__name__}: {time.time() - begun:.1f} s")
        os.chdir("/")
    for f in failures[:60]:
        print(f"FAIL {f}")
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
