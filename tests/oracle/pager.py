#!/usr/bin/env python3
"""The pager on a real terminal: when it is started, by which command, with which environment, and
that answer, messages and exit code are right whatever becomes of it.

Python's standard library and a shell; `less` where it is installed.
"""
import os
import shutil
import subprocess
import sys
import tempfile

from judging import terminal

TRACEQ, FIXTURES = os.path.abspath(os.environ["TRACEQ"]), os.path.abspath(os.environ["FIXTURES"])
ROWS, COLUMNS = 24, 100
passed = failed = 0


def check(condition, text):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {text}")


def on_terminal(argv, env=None, rows=ROWS, keys=b"", expect=b"", folder="."):
    """What a person sees, and the exit code; keys are typed once `expect` is seen."""
    full = {"PATH": os.environ["PATH"], "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": folder}
    full.update(env or {})
    full = {k: v for k, v in full.items() if v is not None}
    seen, code = terminal.run([TRACEQ, *argv], full, folder, rows, COLUMNS, keys, expect)
    check(code is not None, f"{argv}: does not end")
    return seen, code


def plain(argv, folder):
    return subprocess.run([TRACEQ, *argv], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm"})


def main():
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "t.json")
        with open(trace, "wb") as out:
            subprocess.run([FIXTURES, "healthy", "--steps", "4", "--seed", "1"], stdout=out, check=True)
        mark = os.path.join(folder, "marked")
        tell = f'{{ printf "PAGED %s %s\\n" "$LESS" "$LV"; cat; }} | tee "{mark}"'
        tall = ["top", "t.json", "-q", "-n", "60"]
        short = ["top", "t.json", "-q", "-n", "2"]

        def paged(argv, env, **more):
            if os.path.exists(mark):
                os.remove(mark)
            seen, code = on_terminal(argv, env, folder=folder, **more)
            return os.path.exists(mark), seen, code

        # By which command.
        is_paged, seen, code = paged(tall, {"TRACEQ_PAGER": tell, "PAGER": "false"})
        check(is_paged and code == 0 and b"PAGED FRX -c" in seen, "TRACEQ_PAGER, LESS and LV set")
        check(seen.count(b"\n") > 60 and b"self GPU" in seen, "the whole answer")
        is_paged, seen, code = paged(tall, {"PAGER": tell, "LESS": "MINE", "LV": "x"})
        check(is_paged and b"PAGED MINE x" in seen, "PAGER; LESS and LV are the user's")
        for name in ("TRACEQ_PAGER", "PAGER"):
            for word in ("", "cat"):
                env = {"PAGER": tell, name: word}
                is_paged, seen, code = paged(tall, env)
                check(not is_paged and code == 0 and b"self GPU" in seen, f"{name}='{word}': none")
        # Whether at all.
        env = {"PAGER": tell}
        check(not paged(short, env)[0], "short enough for the screen")
        check(paged(short, env, rows=8)[0], "the same on a lower screen")
        check(paged(short, dict(env, LINES="8"))[0], "LINES says how high it is")
        check(not paged(short, dict(env, LINES="200"), rows=8)[0], "LINES says that it fits")
        check(not paged(tall, env, rows=0)[0], "a terminal of no known height")
        check(not paged(tall, dict(env, TERM="dumb"))[0], "TERM=dumb")
        check(not paged(tall, dict(env, TERM=None))[0], "no TERM")
        check(not paged(tall + ["--no-pager"], env)[0], "--no-pager")
        check(not paged(["--no-pager", *tall], env)[0], "traceq --no-pager COMMAND")
        check(not paged(["report", "t.json", "-q", "--no-pager"], env)[0], "report --no-pager")
        is_paged, seen, code = paged(tall + ["-o", "out.txt"], env)
        check(not is_paged and code == 0 and not seen, "-o")
        for argv in (["help"], ["top", "--help"], ["explain"], ["config"], ["report", "t.json", "-q"],
                     ["top", "t.json", "--json"], ["plot", "--list", "t.json", "-q"]):
            check(paged(argv, env)[0], f"{argv[0]} is paged")
        # Long lines are as high as they are drawn.
        check(paged(["top", "t.json", "-q", "-n", "3", "--wide"], env, rows=22)[0], "lines that wrap")
        # Not piped: neither into a program nor a file.
        direct = plain(tall, folder)
        env_all = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm", "PAGER": tell}
        if os.path.exists(mark):
            os.remove(mark)
        piped = subprocess.run([TRACEQ, *tall], cwd=folder, env=env_all, capture_output=True)
        check(not os.path.exists(mark) and piped.stdout == direct.stdout, "not into a pipe")
        # Whatever becomes of it.
        seen, code = on_terminal(tall, {"PAGER": "no-such-pager-here"}, folder=folder)
        check(code == 0 and b"self GPU" in seen and seen.count(b"\n") > 60, "no such pager: as it is")
        seen, code = on_terminal(tall, {"PAGER": "./t.json"}, folder=folder)
        check(code == 0 and b"self GPU" in seen, "a pager that cannot be run")
        seen, code = on_terminal(tall, {"PATH": folder}, folder=folder)
        check(code == 0 and b"self GPU" in seen, "no less anywhere")
        with open(os.path.join(folder, "less"), "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\ntouch owned\n")
        os.chmod(os.path.join(folder, "less"), 0o755)
        seen, code = on_terminal(tall, {"PATH": ".::/no"}, folder=folder)
        check(code == 0 and not os.path.exists(os.path.join(folder, "owned")),
              "a less that lies beside the trace is not run")
        os.remove(os.path.join(folder, "less"))
        many = ["timeline", "t.json", "-q", "--slices", "5000"]
        for pager in ("head -n 1", "true", "exit 3", "kill -9 $$", "read x; exit 1"):
            seen, code = on_terminal(many, {"PAGER": pager}, folder=folder)
            check(code == 0 and b"traceq:" not in seen, f"a pager that quits early: {pager}: {seen[-200:]}")
        # Exit codes and messages stay, and stand behind the answer.
        is_paged, seen, code = paged(["check", "t.json", "--json"], env)
        check(is_paged and code == plain(["check", "t.json", "--json"], folder).returncode,
              "the exit code of a verdict")
        text = open(trace, "rb").read()
        with open(os.path.join(folder, "cut.json"), "wb") as out:
            out.write(text[:len(text) * 3 // 4])
        is_paged, seen, code = paged(["top", "cut.json", "-n", "60", "--format", "torch"], env)
        at = seen.find(b"traceq: cut.json:")
        check(is_paged and at > seen.find(b"Self CUDA") > 0, "messages behind the answer")
        is_paged, seen, code = paged(["top", "missing.json"], env)
        check(not is_paged and code == 2 and b"cannot open" in seen, "an error is not paged")
        # It is the user's word alone: nothing in the folder or the trace names a pager.
        with open(os.path.join(folder, "traceq.yaml"), "w", encoding="utf-8") as out:
            out.write("pager: touch owned\n")
        on_terminal(tall, {"PAGER": "cat"}, folder=folder)
        check(not os.path.exists(os.path.join(folder, "owned")), "a file of the folder names none")
        os.remove(os.path.join(folder, "traceq.yaml"))
        # Ctrl-C is the pager's: it ends, we do not die of it.
        seen, code = on_terminal(tall, {"PAGER": "cat >/dev/null; echo READY; exec sleep 30"}, keys=b"\x03",
                                 expect=b"READY", folder=folder)
        check(code == 0, f"an interrupt ends the pager: {code}")
        if shutil.which("less"):
            seen, code = on_terminal(tall, {}, keys=b"q", expect=b":", folder=folder)
            check(code == 0 and seen.count(b"\n") < 60, "less by default, quit after a page")
            seen, code = on_terminal(short, {}, folder=folder)
            check(code == 0 and b"self GPU" in seen, "what fits is not held up")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
