#!/usr/bin/env python3
"""What the workshop promises those who change traceq.

  compdb   `make compdb` writes JSON that has each product source once, with a file that is there and the
           flags it is compiled with
  room     `make test T=WORD` chooses the tests that have the word in their path, builds what these need and
           nothing else, and names the nearest words where no path has it
  golden   a golden that fails says what to type where the new output is right, and that is what does it
  lint     a check that fails says why there is such a rule; one that does not say why fails
  editor   .editorconfig says of C what .clang-format does
"""
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

PRODUCT = ("base", "analyze", "report", "edit", "cmd", "capture")
passed, failures = 0, []


def expect(condition, text):
    global passed
    if condition:
        passed += 1
    else:
        failures.append(text)


def make(*words):
    """make as somebody types it: of the make that runs the tests it knows nothing but the variant."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("MAKE") and k not in ("MFLAGS", "T")}
    return subprocess.run(["make", "--no-print-directory", "NO_INSTALL=1", *words], env=env,
                          capture_output=True, text=True)


def product():
    for top in PRODUCT:
        for folder, _, names in os.walk(top):
            yield from (os.path.join(folder, name) for name in names if name.endswith(".c"))


def check_compdb(folder):
    done = make("compdb", f"COMPDB={folder}/none.json", "CAP_SRC=capture/no_such_file.c")
    expect(done.returncode != 0 and not os.listdir(folder), "compdb: what make could not list is written")
    path = os.path.join(folder, "compile commands.json")
    done = make("compdb", f"COMPDB={path}")
    expect(done.returncode == 0, f"compdb: exit {done.returncode}: {done.stderr}")
    with open(path) as text:
        rows = json.load(text)
    expect(os.listdir(folder) == [os.path.basename(path)], "compdb: something is left beside it")
    files = [row["file"] for row in rows]
    for name in product():
        if "/sqlite/" not in name or any("/sqlite/" in f for f in files):
            expect(files.count(name) == 1, f"compdb: {name} is there {files.count(name)} times")
    for row in rows:
        words = shlex.split(row["command"])
        there = os.path.isfile(os.path.join(row["directory"], row["file"]))
        expect(there and words[-1] == row["file"] and words.count("-c") == 1,
               f"compdb: {row['file']}: {row['command']}")
    of = {row["file"]: shlex.split(row["command"]) for row in rows}
    with open("VERSION") as text:
        release = text.read().strip()
    expect(f'-DTRACEQ_RELEASE="{release}"' in of["cmd/version.c"], "compdb: version.c lacks its own flags")
    expect("-fvisibility=hidden" in of["capture/inject/session.c"], "compdb: capture lacks its own flags")
    expect(all("-Wconversion" in words for words in of.values()), "compdb: warnings are not asked for")


def room(word):
    done = subprocess.run([sys.executable, "-B", "tests/room.py", word], capture_output=True, text=True)
    return done.returncode, done.stdout.split(), done.stderr


def check_room():
    code, tests, _ = room("kernels")
    goldens = {"cli:" + path for path in glob.glob("tests/cli/answer/kernels/*.cmd")}
    expect(code == 0 and len(goldens) > 5 and goldens <= set(tests), "room: goldens of kernels are missing")
    for wanted in "needs:program", "unit:test_kernels", "oracle:golden_kernels":
        expect(wanted in tests, f"room: kernels: no {wanted}")
    for other in "unit:test_copies", "oracle:diff", "cli:tests/cli/answer/copies/default.cmd", "needs:capture":
        expect(other not in tests, f"room: kernels: {other}")
    expect(set(room("answer/kernels")[1]) < set(tests), "room: answer/kernels is no smaller room than kernels")
    expect(room("peaks")[1] == ["unit:test_peaks"], "room: peaks is more than a unit program")
    expect("needs:capture" in room("hardening")[1], "room: hardening needs the capture library")
    for word in "kernal", "kernel-", "", "/", "it's a [word]*":
        code, tests, said = room(word)
        expect(code == 2 and not tests and said.count("\n") == 1, f"room: '{word}': {code} {tests} {said}")
    expect("near: kernels" in room("kernal")[2], "room: kernal is not said to be near kernels")


def check_room_built():
    """What make would do: of a room of unit programs no traceq is linked and no other test compiled."""
    done = make("-n", "-B", "V=1", "B=build/none", "test", "T=peaks")
    compiled = {os.path.basename(p) for p in re.findall(r" -c -o \S+ (tests/unit/\S+)", done.stdout)}
    expect(done.returncode == 0 and "test_peaks.c" in compiled, f"room: make: {done.stderr}")
    expect(not compiled & {"test_copies.c", "test_kernels.c"}, "room: other tests are compiled")
    expect("-o build/none/unit/room " in done.stdout and "-o build/none/traceq " not in done.stdout,
           "room: the program is linked for a test that does not run it")
    done = make("-n", "test", "T=kernal")
    expect(done.returncode == 2 and "near: kernels" in done.stderr, f"room: make: {done.returncode} {done.stderr}")


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        out.write(text)
    os.chmod(path, 0o755)


def run(tree, script, *words):
    """A script of a tree of its own, as it is called there."""
    env = dict(os.environ, TRACEQ="/bin/true", V="")
    done = subprocess.run([script, *words], cwd=tree, env=env, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def check_golden(tree):
    folder = os.path.join(tree, "tests/cli/answer/some")
    write(os.path.join(tree, "tests/cli/run.sh"), "")
    shutil.copy("tests/cli/run.sh", os.path.join(tree, "tests/cli/run.sh"))
    write(os.path.join(folder, "long.cmd"), "seq 100")
    write(os.path.join(folder, "long-too.cmd"), "seq 7")
    code, said = run(tree, "tests/cli/run.sh")
    hints = re.findall("^if it should be so: (.*)$", said, re.M)
    expect(code == 1 and len(hints) == 2, f"golden: {code}, {len(hints)} hints: {said}")
    expect(re.search(r"^\.\.\. \d+ more lines$", said, re.M), "golden: a long difference ends without a word")
    hint = [h for h in hints if "too" not in h][0].split()
    expect(run(tree, *hint) == (0, "blessed answer/some/long\n1 passed, 0 failed, 0 skipped\n"), f"golden: {hint}")
    expect(sorted(os.listdir(folder)) == ["long-too.cmd", "long.cmd", "long.out"], "golden: another is blessed")
    code, said = run(tree, "tests/cli/run.sh", "long.cmd")
    expect(code == 0 and "should" not in said, f"golden: what was blessed fails: {said}")


def check_lint(tree):
    with open("tests/lint/run.sh") as text:
        names = re.findall(r"^lint (\w+)", text.read(), re.M)
    for name in names:
        with open(f"tests/lint/{name}.sh") as text:
            head = text.read().split("\nset -u", 1)[0]
        expect(len(re.findall(r"^# Why: [^\n]{20,}\.$", head, re.M)) == 1, f"lint: {name} does not say why")
        write(os.path.join(tree, f"tests/lint/{name}.sh"), f"#!/bin/sh\n# Why: so that {name} holds.\nset -u\n")
    write(os.path.join(tree, "tests/lint/run.sh"), "")
    shutil.copy("tests/lint/run.sh", os.path.join(tree, "tests/lint/run.sh"))
    write(os.path.join(tree, "tests/lint/banned.sh"), "#!/bin/sh\n# Why: such calls end badly.\nset -u\necho here; exit 1\n")
    write(os.path.join(tree, "tests/lint/shape.sh"), "#!/bin/sh\nset -u\n# Why: too late.\n")
    code, said = run(tree, "tests/lint/run.sh")
    expect(code == 1 and "FAIL banned\n     here\n     why: such calls end badly.\n" in said, f"lint: {said}")
    expect("FAIL shape\n     tests/lint/shape.sh does not say why" in said, f"lint: {said}")
    expect("ok   layers\n" in said and "so that layers" not in said, f"lint: {said}")
    code, said = run(tree, "tests/lint/run.sh", "layers", "loops")
    expect((code, said) == (0, "ok   layers\nok   loops\nlint: 2 passed, 0 failed, 0 skipped\n"), f"lint: {said}")
    code, said = run(tree, "tests/lint/run.sh", "layer")
    expect(code == 1 and "no check 'layer'; there are: layers headers " in said, f"lint: {said}")


def check_editor():
    with open(".clang-format") as text:
        layout = dict(line.strip().split(": ", 1) for line in text if ": " in line and line[0] != "#")
    with open(".editorconfig") as text:
        every = text.read().split("[*]\n", 1)[1].split("\n\n", 1)[0]
    editor = dict(line.split(" = ") for line in every.splitlines())
    expect(editor["max_line_length"] == layout["ColumnLimit"], "editor: another width than clang-format's")
    expect(editor["tab_width"] == layout["TabWidth"] == layout["IndentWidth"], "editor: other tabs")
    expect(editor["indent_style"] == "tab" and layout["UseTab"] != "Never", "editor: no tabs")
    expect(editor["end_of_line"] == "lf" and editor["insert_final_newline"] == "true", "editor: ends of lines")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_compdb(folder)
    with tempfile.TemporaryDirectory() as folder:
        check_golden(folder)
    with tempfile.TemporaryDirectory() as folder:
        check_lint(folder)
    check_room()
    check_room_built()
    check_editor()
    for text in failures:
        print(f"oracle workshop: {text}")
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
