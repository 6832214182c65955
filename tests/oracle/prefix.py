#!/usr/bin/env python3
"""Prefixes: a trace cut anywhere is an answer with a warning or one clear error, never anything else.

A tiny trace is cut at every byte, larger ones at many places; plain, and as gzip by each inflater.
What `info` counts is compared with the events that end before the cut, which are known from the
text; `check` and `top` take turns.  `--strict` makes every cut an error.  TRACEQ_LONG=1 cuts the
larger ones at 1,000 places.  Needs nothing but Python's standard library.
"""
import bisect
import concurrent.futures
import gzip
import json
import os
import subprocess
import sys
import tempfile
import zlib

TRACEQ = os.environ.get("TRACEQ", "build/release/traceq")
FIXTURES = os.environ.get("FIXTURES", "build/release/fixtures")
SANITIZED = bool(os.environ.get("SAN"))
ALL = bool(os.environ.get("CHECK_ALL"))
PLACES = 1000 if os.environ.get("TRACEQ_LONG") else 80 if SANITIZED else 250
LIMIT_S = 20
JOBS = 2
TRUNCATED = {"truncated_json", "truncated_gzip", "gzip_no_trailer"}

TINY = b"""{
  "schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU \\"0\\"", "numSms": 132}],
  "traceEvents": [
  {
    "ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 8,
    "ts": 100.250, "dur": 12.5,
    "args": {
      "External id": 1, "Input Dims": [[16, 4], [4, 2]], "Concrete Inputs": ["", "a]}, {\\"b"]
    }
  },
  {
    "ph": "X", "cat": "kernel", "name": "k<\xc3\xa9>", "pid": 0, "tid": 7, "ts": 105, "dur": 1e1,
    "args": {"device": 0, "stream": 7, "correlation": 3}
  },
  {"ph":"M","name":"thread_name","pid":7,"tid":8,"args":{"name":"main"}}
  ],
  "traceName": "t.json"
}
"""


class Failure(Exception):
    """What was expected and did not happen."""


def want(condition, text):
    if not condition:
        raise Failure(text)


class Trace:
    """A text, where its events end, and where it is complete."""

    def __init__(self, text):
        self.text = text
        decoder = json.JSONDecoder()
        chars = text.decode("latin-1")  # a byte each; the structure is ASCII
        at = chars.index("[", chars.index('"traceEvents"')) + 1
        self.ends = []
        while True:
            while chars[at] in " \t\r\n,":
                at += 1
            if chars[at] == "]":
                break
            _, at = decoder.raw_decode(chars, at)
            self.ends.append(at)
        self.complete = len(text.rstrip())

    def events(self, length):
        """How many events end within the first `length` bytes."""
        return bisect.bisect_right(self.ends, length)


def run(arguments, path, inflate):
    env = dict(os.environ, TRACEQ_INFLATE=inflate)
    try:
        p = subprocess.run([TRACEQ, *arguments, path], stdin=subprocess.DEVNULL, capture_output=True, env=env,
                           timeout=LIMIT_S * (5 if SANITIZED else 1), close_fds=False, check=False)
    except subprocess.TimeoutExpired:
        raise Failure(f"{arguments[0]}: no answer in time") from None
    return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace")


def refused(name, code, out, err):
    """No answer: one clear error, and nothing on stdout."""
    lines = err.splitlines()
    want(code == 2, f"{name}: exit {code}: {err[-300:]}")
    want(out == b"", f"{name}: exit 2, but something on stdout")
    want(1 <= len(lines) <= 3, f"{name}: {len(lines)} lines on stderr")
    want(lines[0].startswith("traceq: "), f"{name}: stderr begins {lines[0][:60]!r}")
    want(all(line.startswith("  ") for line in lines[1:]), f"{name}: more than one error")


def answered(name, code, out, err):
    """An answer: JSON on stdout, on stderr whole lines.  Returns the document."""
    want(code in (0, 1), f"{name}: exit {code}: {err[-300:]}")
    want(all(line.startswith(("traceq: ", "  ")) for line in err.splitlines()), f"{name}: stderr {err[-300:]!r}")
    return json.loads(out)


def check_notes(name, document, err, is_cut):
    ids = {n["id"] for n in document["notes"]}
    want(bool(ids & TRUNCATED) == is_cut, f"{name}: notes {sorted(ids)}")
    want(err or not is_cut, f"{name}: nothing on stderr")


def cut_case(trace, data, length, inflate, folder, turn):
    """Cuts data, which is trace.text or its gzip, behind `length` bytes."""
    path = os.path.join(folder, f"{os.getpid()}-{turn}")
    with open(path, "wb") as f:
        f.write(data[:length])
    try:
        is_gzip = data is not trace.text
        known = zlib.decompressobj(31).decompress(data[:length]) if is_gzip else data[:length]
        is_cut = length < (len(data) if is_gzip else trace.complete)
        events = trace.events(len(known))
        code, out, err = run(["info", "--json"], path, inflate)
        if events == 0 and code == 2:
            refused("info", code, out, err)
            for other in ("check", "top"):
                refused(other, *run([other, "--json"], path, inflate))
            return
        document = answered("info", code, out, err)
        check_notes("info", document, err, is_cut)
        found = next(t for t in document["tables"] if t["id"] == "trace")["rows"][0]["events"]
        want(found == events, f"info: {found} events instead of {events}")
        other = ("check", "", "top", "", "--strict", "")[turn % 6]
        if other == "--strict" and is_cut:
            refused(other, *run(["info", other, "--json"], path, inflate))
        elif other in ("check", "top"):
            code, out, err = run([other, "--json"], path, inflate)
            check_notes(other, answered(other, code, out, err), err, is_cut)
    finally:
        os.unlink(path)


def places(n, first, count):
    """`count` lengths up to n, `first` and the last few among them."""
    step = max(1, (n - first) // count)
    return sorted(set(range(first, n + 1, step)) | set(range(max(first, n - 20), n + 1)))


def cases():
    tiny = Trace(TINY)
    packed = gzip.compress(TINY, mtime=0)
    step = 3 if SANITIZED else 1
    for length in range(0, len(TINY) + 1, step):
        yield f"tiny cut at {length}", tiny, TINY, length, "isal"
    for length in range(0, len(packed) + 1, step):
        for inflate in ("isal", "zlib") if ALL else (("isal", "zlib")[length % 2],):
            yield f"tiny.gz cut at {length}, {inflate}", tiny, packed, length, inflate
    for layout in ("kineto", "compact", "line"):
        text = subprocess.run([FIXTURES, "healthy", "--steps", "1", "--layout", layout], check=True,
                              stdout=subprocess.PIPE).stdout
        trace = Trace(text)
        packed = gzip.compress(text, mtime=0)
        for length in places(len(text), 1, PLACES // 2):
            yield f"{layout} cut at {length}", trace, text, length, "isal"
        for i, length in enumerate(places(len(packed), 2, PLACES // 2)):
            inflate = ("isal", "zlib")[i % 2]
            yield f"{layout}.gz cut at {length}, {inflate}", trace, packed, length, inflate


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(max_workers=JOBS) as pool:
        todo = [(name, pool.submit(cut_case, trace, data, length, inflate, folder, turn))
                for turn, (name, trace, data, length, inflate) in enumerate(cases())]
        for name, future in todo:
            try:
                future.result()
                passed += 1
            except Exception as e:  # pylint: disable=broad-except; one case must not hide the others
                failed += 1
                if failed <= 40:
                    print(f"FAIL {name}: {'' if isinstance(e, Failure) else type(e).__name__ + ': '}{e}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
