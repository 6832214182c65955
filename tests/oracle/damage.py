#!/usr/bin/env python3
"""Damage: what traceq keeps, counts and says about every broken trace of the generator.

Each kind of damage that `fixtures --list` names is put into a small trace in four layouts, and what
`traceq check --json` says is compared with `fixtures --answers`.  The hostile scenarios are read
under limits of time and memory, and names with terminal escapes are printed in every format.
Needs nothing but Python's standard library.
"""
import concurrent.futures
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading

TRACEQ = os.environ.get("TRACEQ", "build/release/traceq")
FIXTURES = os.environ.get("FIXTURES", "build/release/fixtures")
SANITIZED = bool(os.environ.get("SAN"))
LAYOUTS = ["kineto", "compact", "line", "array"]
JOBS = 2

# The generator's word for what is wrong: traceq's ids, all of which must be counted.
PROBLEMS = {
    "bad-escape": ["repaired_escape"],
    "bad-event": ["skipped_event", "skipped_bytes"],
    "bad-phase": ["no_phase"],
    "bad-time": ["no_time"],
    "bad-utf8": ["invalid_utf8"],
    "broken-tail": ["broken_tail"],
    "comma": ["comma"],
    "control-character": ["control_character"],
    "gzip-checksum": ["corrupt_gzip"],
    "gzip-damaged": ["corrupt_gzip"],
    "gzip-trailing-garbage": ["gzip_trailing"],
    "gzip-truncated": ["truncated_gzip"],
    "negative-duration": ["negative_duration"],
    "not-an-event": ["not_an_object"],
    "overlap": ["partial_overlap"],
    "second-document": ["second_document"],
    "second-list": ["duplicate_trace_events"],
    "trailing-garbage": ["trailing_garbage"],
    "truncated": ["truncated_json"],
    "unescaped-quote": ["repaired_quote"],
    "unmatched-end": ["end_without_begin"],
    "zero-time": ["zero_time_kernel"],
    "stray-times": ["stray_times"],
    # Not counted: a value that nobody reads is passed over without a look at it.
    "not-a-number": [],
    # Not counted: a time that can be read without doubt is read.
    "odd-number": [],
    # Not a problem of the file: said by `events`, which is bad when it is 0.
    "no-events": [],
}
# No traces, but read: what asks for a trace refuses them, `info` and `check` answer.
ARTIFACTS = {"metrics"}
# Where one kind of damage wants other ids, or has another outcome by decision.
DIFFERENT = {
    "gz-no-trailer": {"problems": ["gzip_no_trailer"]},  # all the text is there: a problem of its own
    "b-without-e": {"problems": ["begin_without_end"]},  # "unfinished" by the other way
    "dur-absent": {"problems": ["no_duration"]},
    "dur-null": {"problems": ["no_duration"]},
    "utf16le": {"problems": ["transcoded"]},  # an info note
    "utf16be": {"problems": ["transcoded"]},
    "deep-2000": {"problems": [], "kept": "all"},  # nesting is simply read
    "deep-200000": {"problems": [], "kept": "all"},
    "empty-array": {"outcome": "refused"},  # nothing says that [] is a trace
    # A flipped byte may hurt the text in any way: the checksum says so, or too little is left.
    "gz-flip": {"problems": ["corrupt_gzip"], "others": True, "may_refuse": True},
    "kernel-ts-zero": {"kept": None, "lost": 1},  # left out of all figures, so it is lost
    "kernel-dur-years": {"kept": None, "lost": 1},
    "quote-arg": {"others": True},  # repaired, or the event is lost: the trace says which
    # The inner writer's event is taken, or both are lost; neighbours stay.
    "interleaved": {"others": True},
    # In the array form the closing ] is optional, and so is a comma before it.
    ("array", "no-bracket"): {"problems": [], "outcome": "clean"},
    ("array", "trailing-comma"): {"problems": [], "outcome": "clean"},
}
# Counted for the one that is meant: bytes belong to their event, lost_events is the sum.
IMPLIED = {"skipped_bytes", "lost_events"}
# Checks of what a trace holds rather than of how the file is written.
CONTENT = {
    "events", "window_end_missing", "no_category", "unfinished", "cut_by_window", "device_linked",
    "device_graph_linked", "launched_before", "device_unlinked", "unlinked_with_op", "no_correlation",
    "duplicate_correlation", "duplicate_external_id", "no_external_op", "outside_ops",
    "launch_without_device", "before_launch", "zero_duration_device", "no_steps", "steps_incomplete",
    "partial_overlap",
}
LOST_OBJECTS = ["no_phase", "no_time", "end_without_begin", "zero_time_kernel", "stray_times"]


class Failure(Exception):
    """What was expected and did not happen."""


def run(command, limit_s=60, limit_bytes=0):
    """(exit code, stdout, stderr, seconds of CPU, peak bytes) of a command."""
    def limits():
        if limit_bytes and not SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, limit_bytes))
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        p = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, preexec_fn=limits)
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return p.returncode, out.read(), err.read(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def generate(path, *arguments):
    """Writes a trace; False when the generator has no such combination."""
    with open(path, "wb") as f:
        return subprocess.run([FIXTURES, *arguments], stdout=f, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0


def want(condition, text):
    if not condition:
        raise Failure(text)


def refused(code, out, err):
    """No answer: one clear error and nothing half-printed."""
    lines = err.decode("utf-8", "replace").splitlines()
    want(code == 2, f"exit {code} instead of 2")
    want(out == b"", "stdout is not empty")
    want(1 <= len(lines) <= 3, f"{len(lines)} lines on stderr")
    want(lines[0].startswith("traceq: "), f"stderr begins {lines[0][:60]!r}")
    want(all(line.startswith("  ") for line in lines[1:]), "more than one error")


def table(document, name):
    return next(t["rows"] for t in document["tables"] if t["id"] == name)


def expectation(layout, kind, answers):
    e = {"outcome": answers["outcome"], "kept": answers["events_kept"], "lost": answers["lost"], "others": False,
         "may_refuse": False}
    if e["outcome"] != "refused":
        e["problems"] = [p for word in answers["warnings"] if word in PROBLEMS for p in PROBLEMS[word]]
    e.update(DIFFERENT.get(kind, {}))
    e.update(DIFFERENT.get((layout, kind), {}))
    return e


def compare(layout, kind, e, document, health):
    counts = {r["check"]: r["count"] or 0 for r in health}
    for p in e["problems"]:
        want(counts.get(p, 0) > 0, f"{p} is not counted")
    if e["outcome"] == "clean":
        want(counts["lost_events"] == 0, "events are lost")
    if not e["others"]:
        others = {p for p, n in counts.items() if n and p not in CONTENT | IMPLIED} - set(e["problems"])
        want(not others, f"also counted: {sorted(others)}")
    # A cut event is no object any more; {} is none of interest.
    lost = counts["lost_events"] - counts["end_without_begin"]
    wanted = e["lost"]
    if kind in ("cut", "gz-cut", "empty-event"):
        wanted = 0
    elif kind == "e-without-b":
        lost += counts["end_without_begin"]
    if wanted is not None and e["kept"] != "all":
        want(lost == wanted, f"{lost} events lost, not {wanted}")
    events = counts["events"]
    kept = events - sum(counts[p] for p in LOST_OBJECTS)
    if isinstance(e["kept"], int):
        want(kept == e["kept"], f"{kept} events kept, not {e['kept']}")
    for note in document["notes"]:
        want(note["id"] and note["text"], "a note without words")


def damage_case(layout, kind, folder):
    path = os.path.join(folder, f"{layout}-{kind}")
    arguments = ["tiny", "--layout", layout, "--damage", kind]
    if not generate(path, *arguments, "--answers-to", path + ".answers"):
        return None  # this layout has no place for it
    with open(path + ".answers", "rb") as f:
        answers = json.load(f)
    e = expectation(layout, kind, answers)
    first, second = ("top", "summary") if kind in ARTIFACTS else ("check", "info")
    code, out, err, seconds, _ = run([TRACEQ, first, "--json", path])
    try:
        want(seconds < (60 if SANITIZED else 10), f"{seconds:.1f} s")
        if e["outcome"] == "refused" or (e["may_refuse"] and code == 2):
            refused(code, out, err)
            refused(*run([TRACEQ, second, "--json", path])[:3])
            return None
        want(code in (0, 1), f"exit {code}: {err.decode('utf-8', 'replace')[:200]}")
        document = json.loads(out)
        compare(layout, kind, e, document, table(document, "health"))
        code, out, err, *_ = run([TRACEQ, "info", "--json", path])
        want(code == 0, f"info: exit {code}")
        document = json.loads(out)
        want(table(document, "trace")[0]["text_bytes"] > 0, "info: no text")
        notes = {n["id"]: n["level"] for n in document["notes"]}
        said = err.decode("utf-8", "replace").splitlines()
        want(all(line.startswith(("traceq: ", "  ")) for line in said), "stderr without traceq:")
        for p in set(e["problems"]) - CONTENT:
            want(p in notes, f"info: no note about {p}")
            want(said or notes[p] in ("info", "note"), "info: nothing is said on stderr")
    finally:
        os.unlink(path)
    return None


# Scenario, arguments, outcome (None: any but a crash), and what memory it may take beside 96 MiB.
SIZE = 20_000_000
HOSTILE = [
    ("hostile-brackets", ["--size", str(SIZE)], "refused", SIZE * 4),
    ("hostile-objects", ["--size", str(SIZE)], "refused", SIZE * 4),
    ("hostile-deep", ["--size", str(SIZE)], "answered", SIZE * 4),
    ("hostile-string", ["--size", str(SIZE)], "answered", SIZE * 4),
    ("hostile-open-string", ["--size", str(SIZE)], None, SIZE * 4),
    ("hostile-names", ["--names", "200000"], "answered", 200_000 * 400),
    ("hostile-lanes", ["--names", "50000"], "answered", 50_000 * 800),
    ("hostile-bomb", ["--size", str(10 * SIZE), "--gzip"], "answered", 0),
]


hostile_lock = threading.Lock()


def hostile_case(scenario, arguments, outcome, more, command, folder):
    path = os.path.join(folder, scenario)
    with hostile_lock:  # one trace for all commands
        want(os.path.exists(path) or generate(path, scenario, *arguments), "the generator failed")
    rows = ["-n", "10"] if command == "top" else []  # not what an answer of 200,000 rows takes
    code, out, err, seconds, peak = run([TRACEQ, command, "--json", *rows, path], 60, 4 << 30)
    want(seconds < (120 if SANITIZED else 20), f"{seconds:.1f} s")
    if not SANITIZED:
        want(peak < (96 << 20) + more, f"{peak >> 20} MiB")
    want(code in (0, 1, 2), f"exit {code}: {err.decode('utf-8', 'replace')[-300:]}")
    if code == 2:
        refused(code, out, err)
    else:
        json.loads(out)
    want(outcome is None or (code == 2) == (outcome == "refused"), f"exit {code}, expected {outcome}")


# What a terminal could take for a command: C0 but newline and tab, DEL, and C1 as UTF-8.
COMMANDS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
# A CSV cell keeps its line ends, in quotes (RFC 4180).
COMMANDS_CSV = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]")


def escape_case(kind, command, arguments, folder):
    path = os.path.join(folder, f"{kind}-{command}-{'-'.join(arguments)}".replace("/", "_"))
    want(generate(path, "tiny", "--damage", kind), "the generator failed")
    code, out, err, *_ = run([TRACEQ, command, *arguments, path])
    os.unlink(path)
    want(code in (0, 1), f"exit {code}: {err.decode('utf-8', 'replace')[:200]}")
    want(out, "nothing on stdout")
    for stream, data in (("stdout", out), ("stderr", err)):
        found = (COMMANDS_CSV if "csv" in arguments else COMMANDS).search(data)
        want(not found, f"{stream} has {found and data[max(0, found.start() - 20):found.end() + 20]!r}")


# What has no end and says nothing.
ENDLESS = {
    "NULs": ("cat /dev/zero", b"its first 64 MiB hold only blanks and NUL bytes"),
    "blanks": ("yes ' '", b"its first 64 MiB hold only blanks and NUL bytes"),
    "lines": ("yes nothing of a run", b"not a Chrome trace"),
    "one line": ("tr '\\0' a </dev/zero", b"not a Chrome trace"),
}


def endless_case(writes, says):
    """The writer is ended by the pipe that is closed."""
    with subprocess.Popen(["sh", "-c", writes], stdout=subprocess.PIPE, start_new_session=True) as writer:
        done = subprocess.run([TRACEQ, "top", "-"], stdin=writer.stdout, capture_output=True, timeout=120)
        os.killpg(writer.pid, signal.SIGKILL)
    want(done.returncode == 2, f"exit {done.returncode}, expected 2")
    want(says in done.stderr, done.stderr)


def kinds():
    listed = subprocess.run([FIXTURES, "--list"], stdout=subprocess.PIPE, check=True, text=True).stdout
    return re.findall(r"^  (\S+)", listed[listed.index("\ndamage\n"):], re.M)


def cases(folder):
    for kind in kinds():
        for layout in LAYOUTS:
            yield f"{kind} in {layout}", damage_case, (layout, kind, folder)
    for scenario, arguments, outcome, more in HOSTILE:
        for command in ("top", "check"):
            yield f"{scenario}, {command}", hostile_case, (scenario, arguments, outcome, more, command, folder)
    for kind, (writes, says) in ENDLESS.items():
        yield f"endless {kind}", endless_case, (writes, says)
    for kind in ("escape", "escape-legal", "control", "nul-in-name"):
        for form in ("table", "json", "csv", "tsv", "md", "torch"):
            yield f"{kind}, top --format {form}", escape_case, (kind, "top", ["-n", "0", "--format", form], folder)
        for command, arguments in (("top", ["-n", "0", "--tree"]), ("top", ["-n", "0", "--by", "name", "--wide"]),
                                   ("info", []), ("check", [])):
            yield f"{kind}, {command} {' '.join(arguments)}", escape_case, (kind, command, arguments, folder)


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(max_workers=JOBS) as pool:
        todo = [(name, pool.submit(function, *arguments)) for name, function, arguments in cases(folder)]
        for name, future in todo:
            try:
                future.result()
                passed += 1
            except Exception as e:  # pylint: disable=broad-except; one case must not hide the others
                print(f"FAIL {name}: {type(e).__name__ if not isinstance(e, Failure) else ''}{e}")
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
