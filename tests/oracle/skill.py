#!/usr/bin/env python3
"""The skill for agents (share/skills/traceq/SKILL.md): each command in it is typed, in a folder that has what it
names, and answers; its head is what a reader of skills takes: a name, and a description of bounded length.

Python's standard library only.
"""
import gzip
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SKILL = os.path.join(HERE, "..", "..", "share", "skills", "traceq", "SKILL.md")
TRACEQ = os.path.abspath(os.environ.get("TRACEQ", "build/release/traceq"))
FIXTURES = os.path.abspath(os.environ.get("FIXTURES", "build/release/fixtures"))
passed = failed = 0


def check(condition, text):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {text}")


def made(*words):
    return subprocess.run([FIXTURES, *words], stdout=subprocess.PIPE, check=True).stdout


def put(folder, name, data):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def furnish(folder):
    slow = made("dataloader-bound", "--steps", "5", "--memory")
    put(folder, "trace.json.gz", gzip.compress(slow))
    put(folder, "slow/trace.json", slow)
    for i in range(3):
        put(folder, f"baseline/{i}.json", made("healthy", "--steps", "5", "--seed", str(i + 1)))
    os.makedirs(os.path.join(folder, "job"))
    subprocess.run([FIXTURES, "multi-rank", "--all-ranks", os.path.join(folder, "job"), "--world", "4"], check=True,
                   stdout=subprocess.DEVNULL)
    put(folder, "results/sweep.csv", made("artifact", "sweep-csv"))
    put(folder, "results/baseline_metrics.json", made("artifact", "baseline-metrics"))
    lines = [f"step {i} loss {4 / (i + 1):.4f} tokens_per_sec {1000 + i}\n" for i in range(200)]
    put(folder, "train.log", "".join(lines).encode())


def main():
    with open(SKILL, encoding="utf-8") as f:
        text = f.read()
    head = re.match(r"---\nname: ([a-z0-9-]{1,64})\ndescription: (.{1,1024})\n---\n", text)
    check(head and head[1] == os.path.basename(os.path.dirname(SKILL)), "the head has name and description")
    commands = [line for block in re.findall(r"```sh\n(.*?)```", text, re.S) for line in block.splitlines()]
    check(len(commands) > 20, "commands are found")
    with tempfile.TemporaryDirectory() as folder:
        furnish(folder)
        for line in commands:
            words = shlex.split(line)
            check(words[0] == "traceq", f"no command of traceq: {line}")
            done = subprocess.run([TRACEQ, *words[1:]], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, check=False)
            expected = 1 if words[1] == "gate" else 0
            check(done.returncode == expected, f"{line}: exit code {done.returncode}: {done.stderr.strip()}")
            wrote = "-o" in words and os.path.getsize(os.path.join(folder, words[words.index("-o") + 1])) > 1000
            check(wrote or len(done.stdout.splitlines()) >= 3, f"{line}: answers next to nothing")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


main()
