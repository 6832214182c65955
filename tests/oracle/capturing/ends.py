"""The ways a program ends, and what it starts or becomes on the way there."""
import collections
import os
import re
import shutil
import signal
import subprocess
import time

from capturing.box import (
    APP, children_of, compare, Failure, FAKE, LIBRARY, LIMIT_S, same, SAN, Skip, Trace, TRACEQ, traceq,
    wait_for, want)

HOLD_MS = 4000 if SAN else 700  # until a first checkpoint is written, on a busy machine, too


def end(box, how, code, complete, kernels=True):
    if SAN and how in ("segv", "abort"):
        code = None  # the sanitizer has handlers of its own
    box.run(["n=500", "t=2", f"end={how}"], ["--flush", "50ms"], code=code,
            kernels=1000 if kernels else 0)
    trace = box.only()
    trace.sane()
    same(trace.end["complete"], complete, "complete")
    if kernels:
        same(len(trace.by["kernel"]), 1000, "kernels")
    subprocess.run(["gzip", "-t", trace.path], check=True)
    traceq("top", trace.path)
    return trace


def end_normal(box):
    end(box, "exit", 0, True)


def end_failed(box):
    end(box, "fail", 5, True)


def end_exit(box):
    end(box, "_exit", 3, False)
    want("ended without finishing its trace" in box.said, box.said)


def end_kill9(box):
    end(box, "kill9", 137, False)
    want(re.search(r"was killed by SIGKILL; the last GPU work in its trace ended \d\.\d s before that",
                   box.said), box.said)


def nothing_to_flush(box):
    """CUPTI has nothing: it is not asked, since it might never answer."""
    for work in (["n=0"], ["n=0", "hold=300"]):
        start = time.monotonic()
        box.run(work, ["--flush", "50ms"])
        took = time.monotonic() - start
        want(took < 5, f"{work}: {took:.1f} s for a program without GPU work")
        want("did not answer" not in box.said, box.said)


def deep_queue(box):
    """Kernels that nobody waits for: their times are awaited before CUPTI is forced."""
    box.run(["n=50", "mix=0", "queue=20"])
    trace = box.only()
    same((trace.names("kernel")["long_kernel"], trace.end["incomplete"]), (20, 0), "kernels of the queue")
    same(trace.end["complete"], True, "complete")


def deep_queue_goes_on(box):
    """The same where the program goes on: --duration ends in the middle of the queue."""
    box.run(["n=50", "mix=0", "queue=15", "hold=1200"], ["--duration", "150ms"])
    trace = box.only()
    got = trace.names("kernel")["long_kernel"]
    same((got, trace.end["incomplete"]), (15, 0), "kernels of the queue")
    for f in box.files():
        os.unlink(f)
    box.run(["n=50", "mix=0", "queue=400"], ["--exit-timeout", "400ms"])
    trace = box.only()
    lost = trace.end["incomplete"]
    want(lost > 100, f"{lost} kernels without times, of a queue of 8 s")
    same(trace.names("kernel")["long_kernel"] + lost, 400, "kernels, with and without times")
    same(sum(trace.end["incomplete_by_thread"].values()), lost, "kernels without times, by thread")
    same(trace.end["complete"], False, "complete")
    want(f"{lost} kernels or copies have no times" in box.said and "incomplete" in box.said, box.said)


def killed_while_busy(box):
    """A buffer with a kernel that runs comes back when that is done: what is told is measured."""
    box.run(["n=300", "mix=0", "queue=100", "end=kill9", f"hold={HOLD_MS}"], ["--flush", "50ms"], code=137)
    told = re.search(r"the last GPU work in its trace ended (\d+\.\d) s before that", box.said)
    if told:
        trace = box.only()
        last = max(e["ts"] + e["dur"] for e in trace.by["kernel"])
        want(float(told[1]) >= 0.0 and last > 0, box.said)
    else:
        want("no GPU work is in its trace" in box.said or "before anything was recorded" in box.said, box.said)


PYTHON = """
import ctypes, multiprocessing, os, sys, time
assert ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
how = multiprocessing.get_context("fork")
for end in ("terminate", "kill"):
    p = how.Process(target=time.sleep, args=(60,))
    p.start()
    time.sleep(0.2)
    getattr(p, end)()
    p.join(5)
    assert not p.is_alive(), f"the child survived {end}()"
    print(end, p.exitcode)
with how.Pool(4) as pool:
    print(sum(pool.map(abs, range(-100, 0))))
p = how.Process(target=sys.exit, args=(7,))
p.start(); p.join(5)
print("exit", p.exitcode)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:  # a daemon
        os.close(0); os.close(1); os.close(2)
        time.sleep(0.5)
        with open(sys.argv[1], "w") as f:
            f.write("done")
    os._exit(0)
os.wait()
"""


def python_children(box):
    """multiprocessing and a daemon in a program under capture end as they do without."""
    if SAN:
        raise Skip("Python loads no library with a sanitizer in it")
    note = os.path.join(box.dir, "note")
    said = []
    for command in (["python3", "-c", PYTHON, note],
                    [TRACEQ, "capture", "-o", box.out, "--", "python3", "-c", PYTHON, note]):
        start = time.monotonic()
        done = subprocess.run(command, env=box.env(), cwd=box.dir, capture_output=True, text=True, timeout=LIMIT_S, check=False)
        want(time.monotonic() - start < 15, f"took {time.monotonic() - start:.0f} s")
        wait_for(lambda: os.path.exists(note), "the daemon")
        os.unlink(note)
        said.append((done.returncode, done.stdout))
    same(said[1], said[0], "what it printed, and its exit code")
    want(said[0][1].startswith("terminate -15"), said[0])


def set_id(box):
    """A program with rights of its own writes no file that its caller names."""
    python, program = "/usr/bin/python3", os.path.join(box.dir, "python")
    if os.getuid() != 0 or not os.path.exists(python) or SAN:
        raise Skip("only root, with Debian's python3, can make a set-user-id program of another user")
    os.chmod(box.dir, 0o777)
    library = shutil.copy(LIBRARY, box.dir)
    call = f"import ctypes; ctypes.CDLL({library!r}).InitializeInjection()"
    script = ("import os, sys; os.setgroups([]); os.setgid(65534); os.setuid(65534); "
              "os.execve(sys.argv[1], [sys.argv[1], '-c', sys.argv[2]], os.environ)")
    env = box.env({"TRACEQ_CAPTURE": f"v1;out={box.dir}/stolen.json.gz;flush_ns=10000000;cpu=1", "PYTHONHOME": "/usr"})
    for mode, says in ((0o755, False), (0o4755, True)):
        shutil.copy(os.path.realpath(python), program)
        os.chmod(program, mode)
        done = subprocess.run([python, "-c", script, program, call], env=env, capture_output=True, text=True, check=False)
        same(("rights of its own" in done.stderr, done.returncode), (says, 0), f"mode {mode:o}: {done.stderr[:300]}")
    want(not box.files("stolen*"), "a set-user-id program wrote a file that its caller named")


def first_process(box):
    """Process 1 of a container: a signal that it has left alone does not end it, nor its trace."""
    script = (f"import os, signal, subprocess, sys, time; "
              f"p = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL); time.sleep(0.5); "
              f"child = open(f'/proc/{{p.pid}}/task/{{p.pid}}/children').read().split(); "
              f"os.kill(int(child[0]) if child else p.pid, signal.SIGTERM); sys.exit(p.wait())")
    env = box.env({"TRACEQ_CAPTURE": f"v1;out={box.dir}/one.json.gz;flush_ns=50000000", "CUDA_INJECTION64_PATH": LIBRARY,
                   "NVTX_INJECTION64_PATH": LIBRARY})
    command = ["unshare", "--pid", "--fork", "--kill-child", APP, "n=100", "mix=0", "hold=1500"]
    if subprocess.run(["unshare", "--pid", "--fork", "true"], stderr=subprocess.DEVNULL, check=False).returncode:
        raise Skip("no pid namespaces here")
    start = time.monotonic()
    done = subprocess.run(["python3", "-c", script, *command], env=env, capture_output=True, text=True, check=False)
    same(done.returncode, 0, f"exit code of process 1 that got SIGTERM: {done.stderr[:300]}")
    want(time.monotonic() - start > 1.2, "process 1 was ended by a signal")
    trace = Trace(os.path.join(box.dir, "one.json.gz"))
    same((len(trace.by["kernel"]), trace.end["complete"]), (100, True), "its trace")


def end_segv(box):
    end(box, "segv", 139, False)


def end_abort(box):
    end(box, "abort", 134, False)


def end_term(box):
    end(box, "term", 143, True)


def end_anywhere(box):
    """Killed at twenty moments of full work: each file reads and holds what its checkpoint says."""
    kept = 0
    for i in range(20):
        path = os.path.join(box.dir, f"{i}.json.gz")
        command = [TRACEQ, "capture", "-o", path, "--flush", "10ms", "--", APP, "n=100000", "t=2"]
        with subprocess.Popen(command, env=box.env(), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as p:
            for _ in range(1000):  # until it writes
                if os.path.exists(path + ".part") and os.path.getsize(path + ".part") > 4096:
                    break
                time.sleep(0.01)
            time.sleep(0.05 + 0.013 * i)
            for child in children_of(p.pid):
                try:
                    os.kill(child, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            said = p.communicate(timeout=LIMIT_S)[1].decode()
        if os.path.exists(path):
            trace = Trace(path)
            same(trace.end["events"], len(trace.events), "events told")
            want(trace.end["complete"] or p.returncode == 137,
                 f"exit {p.returncode}: {said}")
            kept += len(trace.by["kernel"])
        same(box.files("*.part"), [], f"unsealed, {said}")
    want(kept > 0 or SAN, "nothing was kept")


def end_everywhere(box):
    """Killed before each call that changes a file, from the first to the last: what is left is
    nothing or a whole file, and what came of it is said."""
    if SAN:
        raise Skip("a preloaded library comes before the sanitizer's")
    states = collections.Counter()
    for call in range(1, 500):
        out = os.path.join(box.dir, f"{call}.json.gz")
        box.run(["n=50", "hold=30"], ["--flush", "20ms"], code=None, out=out, env={
            "KILL_AT": str(call), "LD_PRELOAD": os.path.join(FAKE, "libkiller.so")})
        said = f"call {call}: {box.said}"
        same([f for f in box.files() if not f.endswith(".gz")], [], said)
        found = box.files()
        want(len(found) < 2, f"{found}: {said}")
        if found:
            trace = Trace(found[0])
            want(f"traceq:   {found[0]}  " in box.said, said)
            same(trace.end["events"], len(trace.events), said)
            os.unlink(found[0])
        else:
            want("was killed by SIGKILL before anything was recorded" in box.said, said)
        if "SIGKILL" not in box.said and not box.did:
            raise Failure(said)
        if "SIGKILL" not in box.said and trace.end["complete"]:
            states["whole"] += 1
            if states["whole"] == 2:  # the calls are used up, or their number varies
                break
            continue
        states[len(found)] += 1
    want(states[0] > 5 and states[1] > 5 and states["whole"] == 2, f"{states}")


def left_behind(box):
    """A program that ends before what it started: that is waited for while it records."""
    started = f"{APP} n=300 hold={HOLD_MS} end=%s & until [ -e {box.dir}/out_*.part ]; do sleep 0.02; done"
    box.run(["-c", started % "kill9"], ["--flush", "50ms"], program="sh")
    trace = box.only()
    same((len(trace.by["kernel"]), trace.end["complete"]), (300, False), "kernels")
    want("ended without finishing its trace" in box.said, box.said)
    os.unlink(trace.path)
    box.run(["-c", started % "exit"], ["--flush", "50ms"], program="sh")
    compare(box.only(), box.did[0])
    os.unlink(box.files()[0])
    box.run(["-c", "sleep 5 >/dev/null 2>&1 &"], program="sh")
    want("processes that the program started still run" in box.said, box.said)
    same(box.files(), [], "files")


def no_more_waiting(box):
    """A signal ends the launcher's wait for what the program left behind; that goes on."""
    go = os.path.join(box.dir, "go")
    line = (f"{APP} n=300 hold=3000 >/dev/null 2>&1 & until [ -e {box.dir}/out_*.part ]; "
            f"do sleep 0.02; done; touch {go}")
    command = [TRACEQ, "capture", "-o", box.out, "--flush", "50ms", "--", "sh", "-c", line]
    with subprocess.Popen(command, env=box.env(), cwd=box.dir, stderr=subprocess.PIPE) as p:
        wait_for(lambda: os.path.exists(go), "the program's end")
        while p.poll() is None:  # the first may come before the program's end
            p.send_signal(signal.SIGTERM)
            time.sleep(0.1)
        box.said = p.communicate()[1].decode()
    os.unlink(go)
    want("still records; it finishes its file itself" in box.said, box.said)
    wait_for(lambda: not box.files("*.part"), "the file's end")
    same(len(box.only().by["kernel"]), 300, "kernels")


def hang(box, which, how, code):
    began = time.monotonic()
    box.run(["n=500", f"end={how}"], ["--flush", "200ms", "--exit-timeout", "1s"],
            env={"FAKE_FLUSH_HANG": which}, code=code, kernels=500 if which == "2" else 0)
    want(time.monotonic() - began < LIMIT_S / 2, "it took too long")


def hang_at_exit(box):
    hang(box, "2", "exit", 0)
    want("CUPTI did not answer for 1 s at exit" in box.said, box.said)
    trace = box.only()
    trace.sane()
    same((len(trace.by["kernel"]), trace.end["complete"]), (500, False), "kernels")


def slow_at_exit(box):
    """What takes longer than --exit-timeout but goes on is waited for."""
    limit, pause = (4, 500) if SAN else (2, 250)  # what a busy machine takes for one piece
    began = time.monotonic()
    box.run(["n=3000", "end=exit"],
            ["--buffer", "64KiB", "--flush", "10s", "--exit-timeout", f"{limit}s"],
            env={"FAKE_BUFFER_MS": f"{pause}"})
    want(time.monotonic() - began > limit, "it was not slow")
    want("did not answer" not in box.said, box.said)
    trace = box.only()
    same((len(trace.by["kernel"]), trace.end["complete"]), (3000, True), "kernels, complete")


def hang_at_signal(box):
    hang(box, "2", "term", 143)
    same(len(box.only().by["kernel"]), 500, "kernels")


def hang_always(box):
    box.leaks = False  # the names of devices nobody took
    hang(box, "1", "exit", 0)


def driver_first(box):
    for order in ("early", "late"):
        box.run(["n=300"], env={"FAKE_DRIVER_ATEXIT": order},
                out=os.path.join(box.dir, f"{order}.json.gz"))
        compare(Trace(os.path.join(box.dir, f"{order}.json.gz")), box.did[0])


def passed_on(box):
    if SAN == "thread":
        raise Skip("ThreadSanitizer holds signals back while the launcher waits")
    command = [TRACEQ, "capture", "-o", box.out, "--flush", "50ms", "--", APP, "n=100", "hold=50000"]
    with subprocess.Popen(command, env=box.env(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as p:
        wait_for(lambda: box.committed() >= 100, "100 kernels in a checkpoint")
        p.send_signal(signal.SIGTERM)
        box.said = p.communicate(timeout=LIMIT_S)[1].decode()
    same(p.returncode, 143, "exit")
    trace = box.only()
    same((len(trace.by["kernel"]), trace.end["complete"]), (100, True), "kernels")


def fork_first(box):
    box.leaks = False  # a child leaves alone what its parent's threads may have held
    box.run(["n=200", "end=forkfirst"], code=0)
    same(len(box.files()), 2, "files")
    for f in box.files():
        trace = Trace(f)
        trace.sane()
        same(len(trace.by["kernel"]), 200, "kernels")


def fork_after(box):
    box.leaks = False
    box.run(["n=200", "end=forkafter"])
    compare(box.only(), box.did[0])


def fork_kill(box):
    """A forked child dies by the signals that its parent's recording waits for, and at once."""
    box.leaks = False
    box.run(["n=200", "end=forkkill"])
    compare(box.only(), box.did[0])
    same(box.did[1]["killed_by"], [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], "killed by")


def exec_again(box):
    box.run(["n=200", "end=exec"], ["--flush", "50ms"], out=os.path.join(box.dir, "x.json.gz"),
            kernels=200)
    same([os.path.basename(f) for f in box.files()], ["x.1.json.gz", "x.json.gz"], "files")
    sizes = sorted(len(Trace(f).by["kernel"]) for f in box.files())
    same(sizes, [10, 200], "kernels")
