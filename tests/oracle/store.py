#!/usr/bin/env python3
"""Kills, crowds and full disks: what exited 0 is in the store, what is on disk is old or whole, and
what a killed run left is gone after the next one."""
import fcntl
import json
import os
import random
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TRACEQ = os.environ["TRACEQ"]
SLOW = bool(os.environ.get("SAN"))
PAIRS, KILLS, OUTPUTS = (40, 30, 20) if SLOW else (200, 100, 60)
PATIENCE_S = 60  # it speaks after 3; a loaded machine takes its time
rng = random.Random(20)
passed = 0
failures = []
skipped = []


def expect(where, got, want=True):
    global passed
    if got == want:
        passed += 1
    else:
        failures.append(f"{where}: {got!r}, not {want!r}")


def put(path, text):
    with open(path, "w") as f:
        f.write(text)


def got(path):
    with open(path) as f:
        return f.read()


def start(*args, **how):
    return subprocess.Popen([TRACEQ, *args], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, **how)


def run(*args, **how):
    p = start(*args, **how)
    return p.communicate(timeout=60)[1], p.returncode


def add(store, label):
    return start("baseline", "add", store, "run", "--label", label, "--time", "1700000000")


def litter(folder):
    return sorted(n for n in os.listdir(folder) if n.startswith("."))


def labels(path):
    """Those of a store that parses to the last byte, else None."""
    try:
        text = got(path)
        lines = [json.loads(line) for line in text.splitlines()]
        return [line["label"] for line in lines] if text.endswith("\n") else None
    except (OSError, ValueError, KeyError) as e:
        return repr(e)


def kill_some_time(p, most_s, signals):
    time.sleep(rng.random() * most_s)
    p.send_signal(rng.choice(signals))


ENDS = (signal.SIGKILL, signal.SIGTERM)


def store_of(kind, home):
    """Two paths of a store that is not there yet, and its file."""
    real = os.path.join(home, "real")
    other = os.path.join(home, "other")
    os.makedirs(home)
    if kind == "below a link":
        os.mkdir(real)
        os.symlink("real", other)
        return real + "/store", other + "/store", real + "/store/baseline.jsonl"
    if kind == "a link to a folder":
        os.symlink("real", other)
        return real, other, real + "/baseline.jsonl"
    os.mkdir(real)
    os.mkdir(other)
    os.symlink("../real/runs.jsonl", other + "/runs.jsonl")
    return real + "/runs.jsonl", other + "/runs.jsonl", real + "/runs.jsonl"


def pairs():
    kinds = ("below a link", "a link to a folder", "a link to a file")
    for i in range(PAIRS):
        kind = kinds[i % len(kinds)]
        a, b, file = store_of(kind, f"pair{i}")
        writers = [add(a, "first"), add(b, "second")]
        victim = writers[rng.randrange(2)] if i % 2 else None
        if victim:
            kill_some_time(victim, 0.012, ENDS)
        want = []
        for label, p in zip(("first", "second"), writers):
            said = p.communicate(timeout=60)[1]
            if p.returncode == 0:
                want.append(label)
            elif p is not victim or p.returncode not in (-signal.SIGKILL, -signal.SIGTERM):
                failures.append(f"pair {i}, {kind}: exit {p.returncode}: {said!r}")
        if victim:
            last = add(a, "last")
            said = last.communicate(timeout=60)[1]
            expect(f"pair {i}, {kind}: one more, {said!r}", last.returncode, 0)
        there = labels(file)
        expect(f"pair {i}, {kind}: {there} of {want}",
               isinstance(there, list) and set(want) <= set(there) and len(set(there)) == len(there))
        expect(f"pair {i}, {kind}: litter", litter(os.path.dirname(file)), [])
        expect(f"pair {i}, {kind}: the link is one still",
               os.path.islink(b) or kind == "below a link")


def kills():
    """One store, many killed writers: a signal that can be caught leaves nothing at once."""
    want, gentle = [], (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    for i in range(KILLS):
        signals = gentle if i % 2 else (signal.SIGKILL,)
        before = set(litter("store")) if os.path.isdir("store") else set()
        p = add("store", str(i))
        kill_some_time(p, 0.01, signals)
        p.communicate(timeout=60)
        if p.returncode == 0:
            want.append(str(i))
        elif -p.returncode not in signals:
            failures.append(f"kill {i}: exit {p.returncode}")
        if i % 2 and os.path.isdir("store"):
            expect(f"kill {i}: nothing new is left", set(litter("store")) <= before)
    last = add("store", "last")
    last.communicate(timeout=60)
    expect("after kills: one more", last.returncode, 0)
    there = labels("store/baseline.jsonl")
    expect("after kills: nothing lost", isinstance(there, list) and set(want) <= set(there))
    expect("after kills: litter", litter("store"), [])


def outputs():
    """-o of killed commands: the old file or the whole new one."""
    os.mkdir("out")
    for verb, end in (("report", ".html"), ("info", ".json")):
        path = "out/answer" + end
        put(path, "old")
        began = time.monotonic()
        expect(f"{verb} -o", run(verb, "run", "-o", "out/whole" + end)[1], 0)
        took = time.monotonic() - began
        whole = got("out/whole" + end)  # a report says the command that made it
        whole = whole.replace("out/whole", "out/answer")
        for i in range(OUTPUTS):
            put(path, "old")
            p = start(verb, "run", "-o", path)
            kill_some_time(p, took * 1.2, ENDS + (signal.SIGINT, signal.SIGHUP))
            p.communicate(timeout=60)
            expect(f"{verb} -o, killed: old or whole", got(path) in ("old", whole))
        expect(f"{verb} -o once more", run(verb, "run", "-o", path)[1], 0)
        expect(f"{verb} -o: litter", litter("out"), [])


def litter_of_others():
    """A name of ours is swept when nobody writes it; one that is locked, or is not ours, stays."""
    os.mkdir("swept")
    for name in (".traceq-1-dead.tmp", ".traceq-1-alive.tmp", ".other.tmp", ".traceq-mine"):
        put("swept/" + name, "half")
    os.symlink("/dev/null", "swept/.traceq-1-link.tmp")
    os.mkfifo("swept/.traceq-1-pipe.tmp")
    with open("swept/.traceq-1-alive.tmp") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        expect("a run that sweeps", run("info", "run", "-o", "swept/answer.txt")[1], 0)
    expect("what stays", sorted(os.listdir("swept")),
           [".other.tmp", ".traceq-1-alive.tmp", ".traceq-1-link.tmp", ".traceq-1-pipe.tmp",
            ".traceq-mine", "answer.txt"])


def waits():
    """A lock that is held is waited for; after some seconds with a word about who holds it."""
    os.mkdir("held")
    lock = os.open("held", os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    p = add("held", "patient")
    select.select([p.stderr], [], [], PATIENCE_S)
    expect("it waits", p.poll(), None)
    os.close(lock)
    said = p.communicate(timeout=60)[1]
    expect("then it goes on", (p.returncode, labels("held/baseline.jsonl")), (0, ["patient"]))
    expect(f"and has said so: {said!r}", "held" in said and "wait" in said and said.count("\n") == 1)
    expect(f"who has it: {said!r}", str(os.getpid()) in said or "another process" in said)


def full_disk():
    """No room: the old file is as it was, nothing lies beside it, and why is said."""
    run("baseline", "add", "room", "run", "--label", "old")
    old = got("room/baseline.jsonl")
    put("room/answer.json", "old")

    def no_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    for args in (("baseline", "add", "room", "run"), ("info", "run", "-o", "room/answer.json"),
                 ("report", "run", "-o", "room/new.html")):
        said, code = run(*args, preexec_fn=no_room)
        expect(f"{args[0]} without room: {said!r}", (code, "File too large" in said), (2, True))
    expect("no room: the old store", got("room/baseline.jsonl"), old)
    expect("no room: the old answer", got("room/answer.json"), "old")
    expect("no room: nothing else", sorted(os.listdir("room")), ["answer.json", "baseline.jsonl"])


def small_disk():
    os.mkdir("disk")
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", "disk"],
                                           stderr=subprocess.DEVNULL).returncode != 0:
        skipped.append("a disk of 16 KiB: no mounting here")
        return
    try:
        put("disk/answer.json", "old")
        put("disk/filling", "x" * 8192)
        said, code = run("report", "run", "-o", "disk/answer.json", "--format", "html")
        expect(f"a full disk: {said!r}", (code, "No space left on device" in said), (2, True))
        expect("a full disk: the old answer", got("disk/answer.json"), "old")
        expect("a full disk: nothing else", sorted(os.listdir("disk")), ["answer.json", "filling"])
    finally:
        subprocess.run(["umount", "disk"], check=False)


def no_right():
    """A folder in which nothing can be made; root may all, so somebody else is asked."""
    os.mkdir("closed")
    put("closed/answer.json", "old")
    run("baseline", "add", "closed", "run", "--label", "old")
    old = got("closed/baseline.jsonl")
    os.chmod("closed", 0o555)
    somebody = {"user": 65534} if os.geteuid() == 0 else {}
    try:
        if somebody and run("--version", **somebody)[1] != 0:
            raise PermissionError
    except PermissionError:
        skipped.append("a closed folder: the program cannot be run by another user")
        return
    for args in (("baseline", "add", "closed", "run"), ("info", "run", "-o", "closed/answer.json"),
                 ("info", "run", "-o", "closed/new.json"), ("baseline", "add", "closed/new", "run")):
        said, code = run(*args, **somebody)
        expect(f"{args}, closed: {said!r}", (code, "Permission denied" in said), (2, True))
    expect("closed: as before", (got("closed/answer.json"), got("closed/baseline.jsonl")), ("old", old))
    os.chmod("closed", 0o755)


def no_locks():
    """A file system without locks is said, once."""
    source = "int flock(int, int); extern int *__errno_location(void);\n" \
             "int flock(int fd, int how) { (void)fd; (void)how; *__errno_location() = 37; return -1; }\n"
    put("flock.c", source)
    try:
        made = subprocess.run([*os.environ.get("CC", "cc").split(), "-shared", "-fPIC", "-o", "flock.so", "flock.c"],
                              stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        made = False
    if SLOW or not made:
        skipped.append("no locks: no library can be put before the program's")
        return
    said, code = run("baseline", "add", "lockless", "run",
                     env={**os.environ, "LD_PRELOAD": os.path.abspath("flock.so")})
    expect(f"no locks: {said!r}", (code, said.count("\n"), "lock" in said), (0, 1, True))
    said, code = run("baseline", "add", "lockless", "run", "-q",
                     env={**os.environ, "LD_PRELOAD": os.path.abspath("flock.so")})
    expect("no locks, -q", (code, said), (0, ""))
    expect("no locks: litter", litter("lockless"), [])


def main():
    folder = tempfile.mkdtemp(prefix="traceq-store.")
    os.chmod(folder, 0o755)
    os.chdir(folder)
    try:
        os.mkdir("run")
        put("run/metrics.jsonl", "".join(
            '{"step": %d, "loss": 0.5, "step_time": 0.1, "tokens_per_sec": 100}\n' % i for i in range(10)))
        for part in (pairs, kills, outputs, litter_of_others, waits, full_disk, small_disk, no_right,
                     no_locks):
            part()
    finally:
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
    for line in failures[:40]:
        print(line)
    for line in skipped:
        print("skip", line)
    print(f"{passed} passed, {len(failures)} failed, {len(skipped)} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
