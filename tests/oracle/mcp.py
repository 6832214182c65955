#!/usr/bin/env python3
"""traceq mcp as a client sees it: a transcript of each kind of message, written and judged here.

The protocol (JSON-RPC 2.0; Model Context Protocol 2024-11-05 to 2025-11-25), the fence around the folders, the
bounds of answers and what becomes of calls that are cancelled, too long or crash.  What a tool answers is held
against what the command writes with --json: read page by page, its tables have the same rows.
"""
import concurrent.futures
import contextlib
import ctypes
import json
import math
import os
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback

try:
    import jsonschema
    DRAFT = jsonschema.Draft202012Validator
except (ImportError, AttributeError):
    DRAFT = None

TRACEQ = os.path.abspath(os.environ.get("TRACEQ", "build/release/traceq"))
FIXTURES = os.path.abspath(os.environ.get("FIXTURES", "build/release/fixtures"))
TOOLS = ["info", "summary", "diagnose", "top", "idle", "kernels", "comms", "ranks", "critical", "roofline", "sql", "diff",
         "gate", "explain", "cut"]
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "oracle", "version": "1"}}
PATIENCE = 60
passed, failures = 0, []


def expect(condition, text):
    global passed
    if condition:
        passed += 1
    else:
        failures.append(text)


class Client:
    """A server that was started, and the messages it wrote."""

    def __init__(self, *words, cwd=None, hello=True, env=None, first=None):
        self.server = subprocess.Popen([TRACEQ, "mcp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, cwd=cwd, env={**os.environ, **(env or {})},
                                       preexec_fn=first)
        self.last, self.rest = 0, b""
        if hello:
            self.ask("initialize", HELLO)
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def raw(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send(self, message):
        self.raw(json.dumps(message).encode() + b"\n")

    def line(self, patience=PATIENCE):
        """The next message, or None where none comes in time or the server has ended."""
        end = time.monotonic() + patience
        while b"\n" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.server.stdout], [], [], left)[0]:
                return None
            more = os.read(self.server.stdout.fileno(), 1 << 20)
            if not more:
                return None
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def ask(self, method, params=None):
        self.last += 1
        message = {"jsonrpc": "2.0", "id": self.last, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        return self.line()

    def call(self, name, **arguments):
        """The result of a call."""
        return self.ask("tools/call", {"name": name, "arguments": arguments})["result"]

    def end(self):
        self.server.stdin.close()
        code = self.server.wait(PATIENCE)
        self.server.stdout.close()
        said = self.server.stderr.read()
        self.server.stderr.close()
        return code, said.decode()


def text_of(result):
    return result["content"][0]["text"]


def refused_calls(*numbers):
    """For preexec_fn: the kernel knows none of these system calls (ENOSYS), as an older one does not."""
    code = [(0x20, 0, 0, 0)]  # load the number
    for n in numbers:
        code += [(0x15, 0, 1, n), (0x06, 0, 0, 0x00050000 | 38)]
    code.append((0x06, 0, 0, 0x7FFF0000))
    filters = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *c) for c in code))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(code), ctypes.addressof(filters)))
    libc = ctypes.CDLL(None, use_errno=True)

    def install(kept=filters):
        if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
            raise OSError(ctypes.get_errno(), f"seccomp of {len(kept)} bytes")
    return install


LANDLOCK = 444
RENAMEAT2 = {"x86_64": 316, "aarch64": 276}.get(os.uname().machine)


def fixture(path, *words):
    with open(path, "wb") as out:
        subprocess.run([FIXTURES, *words], stdout=out, check=True)


# ---- the protocol ----

def versions(place):
    for asked, agreed in [("2024-11-05", "2024-11-05"), ("2025-03-26", "2024-11-05"), ("2025-06-18", "2025-06-18"),
                          ("2025-11-25", "2025-11-25"), ("2031-01-01", "2025-11-25"), ("1.0", "2024-11-05")]:
        c = Client(place, hello=False)
        r = c.ask("initialize", {**HELLO, "protocolVersion": asked})["result"]
        expect(r["protocolVersion"] == agreed, f"version {asked} became {r['protocolVersion']}")
        expect(r["serverInfo"]["name"] == "traceq" and r["capabilities"] == {"tools": {}}, f"hello {r}")
        expect(c.end()[0] == 0, "the server does not end well when its input ends")


def order(place):
    c = Client(place, hello=False)
    expect(c.ask("ping")["result"] == {}, "ping before initialize")
    for method in ["tools/list", "tools/call", "nonsense"]:
        expect(c.ask(method)["error"]["code"] == -32600, f"{method} before initialize")
    expect(c.ask("initialize", {})["error"]["code"] == -32602, "initialize without a version")
    expect("result" in c.ask("initialize", HELLO), "initialize after a wrong one")
    expect(c.ask("initialize", HELLO)["error"]["code"] == -32600, "initialize twice")
    for method in ["resources/list", "prompts/get", "tools/lists", "", "\x1b[31m"]:
        code = c.ask(method)["error"]["code"]
        expect(code == (-32601 if method else -32600), f"method {method!r}: {code}")
    c.end()


MALFORMED = [
    (b"{", -32700), (b"hello", -32700), (b"\xff\xfe", -32700), (b'{"jsonrpc":"2.0","id":1,"method":"ping",}', -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"} x', -32700), (b"{'jsonrpc':'2.0'}", -32700), (b'{"id":NaN}', -32700),
    (b'{"a":01}', -32700), (b'{"a":1.}', -32700), (b'{"a":"\t"}', -32700), (b'{"a":"\\x"}', -32700),
    (b'{"a":"\\u12g4"}', -32700), (b"[" * 100 + b"]" * 100, -32700), (b'"\xed\xa0\x80"', -32700),
    (b'{"a":1e}', -32700), (b'{"a":+1}', -32700), (b'{"a" 1}', -32700), (b'{"a":[1,]}', -32700), (b"{\x00}", -32700),
    (b"[]", -32600), (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600), (b"1", -32600), (b'"x"', -32600),
    (b"null", -32600), (b"{}", -32600), (b'{"id":1,"method":"ping"}', -32600),
    (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600), (b'{"jsonrpc":2.0,"id":1,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600), (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600), (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32600), (b'{"jsonrpc":"2.0","id":1}', -32600),
]


def malformed(place):
    c = Client(place)
    for line, code in MALFORMED:
        c.raw(line + b"\n")
        answer = c.line()
        expect(answer["error"]["code"] == code and answer["error"]["message"], f"{line!r}: {answer}")
        expect(answer["jsonrpc"] == "2.0" and "id" in answer, f"{line!r}: no id")
    for line in [b"", b"  ", b"\r", b'{"jsonrpc":"2.0","method":"ping"}', b'{"jsonrpc":"2.0","method":"notifications/x"}',
                 b'{"jsonrpc":"2.0","id":9,"result":{}}', b'{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":""}}']:
        c.raw(line + b"\n")
        c.send({"jsonrpc": "2.0", "id": "after", "method": "ping"})
        expect(c.line()["id"] == "after", f"{line!r} is answered though nothing was asked")
    c.raw(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (3 << 20) + b'"}\n')
    expect(c.line()["error"]["code"] == -32700, "a line of 3 MiB")
    for raw_id in ['"a\\u00e9\\n"', "-7", "1.5", '""', "12345678901234567890"]:
        c.raw(b'{"id":' + raw_id.encode() + b',"method":"ping","jsonrpc":"2.0"}\r\n')
        answer = c.line()
        expect(answer["id"] == json.loads(raw_id), f"id {raw_id} came back as {answer['id']!r}")
    c.raw(b'{"jsonrpc":"2.0","id":3,')
    time.sleep(0.05)
    c.raw(b'"method":"ping"}\n{"jsonrpc":"2.0","id":4,"method":"ping"}')
    expect(c.line()["id"] == 3, "a line that comes in two pieces")
    c.server.stdin.close()
    expect(c.line()["id"] == 4, "a last line without a line feed")
    expect(c.server.wait(PATIENCE) == 0, "exit code")
    c.server.stdout.close()
    c.server.stderr.close()


def listing(place):
    c = Client(place)
    tools = c.ask("tools/list")["result"]["tools"]
    expect([t["name"] for t in tools] == TOOLS, f"tools {[t['name'] for t in tools]}")
    for t in tools:
        schema = t["inputSchema"]
        expect(len(t["description"]) > 40 and "\n" not in t["description"], f"{t['name']}: description")
        expect(schema["additionalProperties"] is False and schema["required"], f"{t['name']}: schema")
        expect(all(p.get("description") for p in schema["properties"].values()), f"{t['name']}: descriptions")
        expect(not {"config", "no-config", "junit", "thresholds", "format", "json-out", "threads"} &
               set(schema["properties"]), f"{t['name']}: has what is the server's business")
        expect(t["annotations"]["readOnlyHint"] == (t["name"] != "cut"), f"{t['name']}: annotations")
        if DRAFT:
            DRAFT.check_schema(schema)
            good = {k: ["x"] if schema["properties"][k]["type"] == "array" else "x" for k in schema["required"]}
            expect(not list(DRAFT(schema).iter_errors(good)), f"{t['name']}: {good} is not valid")
    expect(len(json.dumps(tools)) < 48000, "the list of tools is too long to be read")
    c.end()
    return tools


# ---- answers ----

def same(cell, other):
    if isinstance(cell, float) and not isinstance(other, bool) and isinstance(other, (int, float)):
        return math.isclose(cell, other, rel_tol=6e-6, abs_tol=1e-300)
    if isinstance(cell, str) and len(cell.encode()) > 1000:
        return "bytes ...]" in other and other[:200] == cell[:200]
    return type(cell) is type(other) and cell == other


def same_row(row, other):
    full = {k: v for k, v in row.items() if v is not None}
    return full.keys() == other.keys() and all(same(full[k], other[k]) for k in full)


def whole(c, tool, arguments, limit):
    """All rows of all tables, page by page, as [(id, rows, footer)]."""
    first = json.loads(text_of(c.call(tool, limit=limit, **arguments)))
    tables = []
    for t in first["tables"]:
        rows, footer, at = list(t["rows"]), t.get("footer", []), t.get("next_cursor")
        expect(len(t["rows"]) <= limit, f"{tool}: {len(t['rows'])} rows, {limit} were asked for")
        while at:
            page = json.loads(text_of(c.call(tool, limit=limit, cursor=at, **arguments)))
            expect(len(page["tables"]) == 1 and page["tables"][0]["id"] == t["id"], f"{tool}: page {at}")
            rows += page["tables"][0]["rows"]
            footer = page["tables"][0].get("footer", [])
            at = page["tables"][0].get("next_cursor")
        expect(len(rows) == t["nrow"], f"{tool} {t['id']}: {len(rows)} of {t['nrow']} rows")
        tables.append((t["id"], rows, footer))
    return first, tables


def answers(c, work, tool, arguments, words, limit=500):
    """Read page by page, where a limit is given all rows of the command."""
    whole_answer = ["--json"] + (["--limit=0"] if tool != "diagnose" else [])
    done = subprocess.run([TRACEQ, tool, *whole_answer, *words], capture_output=True, cwd=work)
    if done.returncode == 2 and not done.stdout:
        r = c.call(tool, **arguments)
        expect(r["isError"] and text_of(r).startswith("traceq: "), f"{tool} {words}: no error, {r}")
        return
    want = json.loads(done.stdout)
    first, got = whole(c, tool, arguments, limit)
    expect(first["schema"] == want["schema"] and first["inputs"] == want["inputs"], f"{tool}: head")
    expect([t[0] for t in got] == [t["id"] for t in want["tables"]], f"{tool} {words}: tables")
    for t, (name, rows, footer) in zip(want["tables"], got):
        expect(len(rows) == len(t["rows"]) and all(map(same_row, t["rows"], rows)), f"{tool} {words}: rows of {name}")
        expect(len(footer) == len(t["footer"]) and all(map(same_row, t["footer"], footer)), f"{tool}: footer of {name}")
    expect([n["text"] for n in first.get("notes", [])] == [n["text"] for n in want["notes"]][:40], f"{tool}: notes")


def all_answers(work):
    c = Client(work)
    for tool in TOOLS[:-4]:
        for name in ["a.json", "serving.json"]:
            answers(c, work, tool, {"files": [name]}, ["--", name])
        answers(c, work, tool, {"files": ["job"]}, ["--", "job"])
    answers(c, work, "top", {"files": ["a.json", "b.json"], "sort": "calls", "steps": 4, "per-run": True},
            ["a.json", "b.json", "--sort=calls", "--steps=4", "--per-run"], limit=7)
    answers(c, work, "kernels", {"files": ["a.json"], "filter": "gemm|-x", "roof": True}, ["a.json", "-f", "gemm|-x",
                                                                                       "--roof"], limit=3)
    answers(c, work, "critical", {"files": ["a.json"], "what-if": ["kernel:gemm=0.5"], "table": "what_if"},
            ["a.json", "--what-if", "kernel:gemm=0.5", "--table", "what_if"])
    answers(c, work, "diff", {"base": ["a.json"], "new": ["b.json"]}, ["a.json", "b.json"])
    answers(c, work, "diff", {"base": ["a.json"], "new": "b.json"}, ["a.json", "b.json"])
    answers(c, work, "gate", {"base": ["a.json"], "new": ["slow.json"]}, ["a.json", "slow.json"])
    answers(c, work, "diff", {"base": ["a.json", "b.json"], "new": ["slow.json"]},
            ["base=a.json", "base=b.json", "new=slow.json"])
    for words, asked in [(["a.json", "--limit=0"], {"files": ["a.json"]}), (["job"], {"files": ["job"]}),
                         (["a.json", "b.json"], {"files": ["a.json", "b.json"]})]:
        for tool in ["top", "summary", "kernels", "idle"]:
            want = json.loads(subprocess.run([TRACEQ, tool, *words, "--json"], capture_output=True, cwd=work).stdout)
            got = json.loads(text_of(c.call(tool, **asked)))
            expect([t["id"] for t in got["tables"]] == [t["id"] for t in want["tables"]] and
                   [t["nrow"] for t in got["tables"]] == [len(t["rows"]) for t in want["tables"]], f"{tool} {words}: tables")
    gate = c.call("gate", base=["a.json"], new=["slow.json"])
    expect(not gate["isError"] and gate["_meta"]["traceq/exit_code"] == 1, f"a gate that fails: {gate['_meta']}")
    odd = ["-", "vs", "a=b.json", "--help", "new\nline.json", "é.json"]
    for name in odd:
        r = c.call("top", files=[name], limit=1)
        expect(not r["isError"] and json.loads(text_of(r))["tables"], f"file {name!r}: {text_of(r)[:200]}")
    c.end()


def bounds(work):
    c = Client(work)
    for tool, arguments in [("top", {"files": ["names.json"], "limit": 1000}), ("info", {"files": ["a.json"] * 300}),
                            ("kernels", {"files": ["names.json"] * 50, "limit": 1000, "per-run": True})]:
        r = c.call(tool, **arguments)
        expect(len(text_of(r)) < 200_000, f"{tool}: an answer of {len(text_of(r))} bytes")
    r = json.loads(text_of(c.call("top", files=["names.json"], limit=1000)))
    expect(any("next_cursor" in t for t in r["tables"]), "an answer that does not fit names no cursor")
    for cursor, why in [("9999:0", "behind"), ("0:99999999", "behind"), ("x", "no cursor"), ("1:", "no cursor"),
                        (":1", "no cursor"), ("1:2:3", "no cursor"), ("-1:0", "no cursor"), ("1" * 30 + ":0", "no cursor")]:
        r = c.call("top", files=["a.json"], cursor=cursor)
        expect(r["isError"] and why in text_of(r), f"cursor {cursor}: {text_of(r)[:200]}")
    c.end()


# ---- arguments and the fence ----

def wrong_arguments(work):
    c = Client(work)
    for tool, arguments, word in [
            ("top", {}, "wants 'files'"), ("top", {"files": []}, "empty"), ("top", {"files": [7.5]}, "7.5"),
            ("top", {"files": [[]]}, "string"), ("top", {"files": {"a": 1}}, "array"), ("top", {"files": None}, "array"),
            ("top", {"files": ["a.json"], "sorted": "x"}, "did you mean 'sort'"), ("top", {"files": ["a.json"], "zz": 1}, "zz"),
            ("top", {"files": ["a.json"], "sort": "nonsense"}, "nonsense"), ("top", {"files": ["a.json"], "sort": True}, "string"),
            ("top", {"files": ["a.json"], "tree": "yes"}, "true or false"), ("top", {"files": ["a.json"], "limit": 0}, "1 to"),
            ("top", {"files": ["a.json"], "limit": "5"}, "1 to"), ("top", {"files": ["a.json"], "limit": 1e9}, "1 to"),
            ("top", {"files": ["a.json"], "depth": -1}, "depth"), ("top", {"files": ["a.json"], "filter": "("}, "("),
            ("top", {"files": ["a.json"], "filter": "a\0b"}, "NUL"), ("top", {"files": ["a\0.json"]}, "NUL"),
            ("top", {"files": ["a.json"], "output": "x"}, "output"), ("top", {"files": ["a.json"], "config": "x"}, "config"),
            ("top", {"files": ["a.json"], "format": "csv"}, "format"), ("gate", {"base": ["a.json"]}, "wants 'new'"),
            ("gate", {"base": ["a.json"], "new": ["b.json"], "junit": "x.xml"}, "junit"), ("explain", {"word": ""}, "empty"),
            ("explain", {}, "wants 'word'"), ("explain", {"word": "nonsenseword"}, "nonsenseword"),
            ("cut", {"file": "a.json"}, "wants 'output'"), ("cut", {"output": "o.json"}, "wants 'file'"),
            ("cut", {"file": "a.json", "output": "o.json", "to": "x"}, "'to'"), ("top", {"files": ["text"]}, "text")]:
        r = c.call(tool, **arguments)
        expect(r["isError"] and word in text_of(r), f"{tool} {arguments}: {text_of(r)[:200]}")
    r = c.ask("tools/call", {"name": "rm", "arguments": {}})
    expect(r["error"]["code"] == -32602 and "rm" in r["error"]["message"], f"an unknown tool: {r}")
    for params in [{}, {"name": 7}, {"name": "top", "arguments": []}, {"name": "capture"}, {"name": "mcp"}]:
        expect(c.ask("tools/call", params)["error"]["code"] == -32602, f"tools/call {params}")
    r = c.call("top", files=["a.json"], sort=None, tree=False, limit=2)
    expect(not r["isError"], f"null and false are no arguments: {r}")
    c.end()


def fence(work, outside):
    c = Client("in", cwd=work)
    secret = os.path.join(outside, "secret.json")
    same_words = set()
    for path in [secret, "../a.json", "link.json", "linked/secret.json", "/etc/passwd", "/nowhere/at/all", "no.json",
                 "../in/../a.json", "/proc/self/environ", "/dev/stdin", "-", "", "ok.json/x", "linked", "../inner.json"]:
        r = c.call("info", files=[path])
        text = text_of(r)
        expect(r["isError"] and "no such file or folder below" in text, f"reading {path}: {text[:200]}")
        same_words.add(text.replace(f"'{path}'", "X"))
        expect("hidden" not in json.dumps(r), f"{path}: something of the secret")
    expect(len(same_words) == 1, f"what is outside and what is not there differ: {same_words}")
    expect(c.call("info", files=["pipe"])["isError"], "a named pipe")
    expect(not c.call("info", files=["ok.json", "./sub/../ok.json", os.path.join(work, "in", "ok.json")])["isError"],
           "ways to a file inside")
    for option in ["capture", "et"]:
        r = c.call("critical", files=["ok.json"], **{option: [secret]})
        expect(r["isError"] and "no such file" in text_of(r), f"--{option} outside: {text_of(r)[:200]}")
    r = c.call("info", files=["."])
    expect("hidden" not in json.dumps(r), "a folder with links: something of the secret is told")
    for path in ["../out.json", os.path.join(outside, "out.json"), "linked/out.json", "ok.json", "link.json", "dangling.json",
                 "sub/", "sub/..", "", "nowhere/out.json", "sub"]:
        r = c.call("cut", file="ok.json", output=path)
        expect(r["isError"], f"cut wrote {path!r}")
    expect(not os.listdir(os.path.join(outside, "empty")), "something was written outside")
    r = c.call("cut", file="ok.json", output="sub/-out.json.gz", steps="4")
    expect(not r["isError"] and "events" in text_of(r), f"cut inside: {r}")
    r = c.call("cut", file="ok.json", output="-out.json", steps="4")
    expect(not r["isError"] and os.path.exists(os.path.join(work, "in", "-out.json")), f"cut to -out.json: {r}")
    expect(not c.call("top", files=["sub/-out.json.gz"])["isError"], "what was cut is read")
    expect(sorted(os.listdir(os.path.join(work, "in", "sub"))) == ["-out.json.gz"], "temporary files stay")
    gap = json.loads(text_of(c.call("idle", files=["ok.json"], table="longest")))["tables"][0]["rows"][0]
    r = c.call("cut", file="ok.json", output="around.json", around=gap["id"])
    expect(not r["isError"], f"cut around {gap['id']}: {text_of(r)}")
    r = c.call("explain", word=gap["id"])
    expect(not r["isError"] and "idle" in text_of(r), f"explain {gap['id']}: {text_of(r)}")
    c.end()
    c = Client(os.path.join(work, "in"), os.path.join(work, "second"))
    expect(not c.call("info", files=[os.path.join(work, "second", "s.json")])["isError"], "the second folder")
    expect(not c.call("info", files=["ok.json"])["isError"], "relative to the first folder")
    c.end()


def kernel_holds(work, outside):
    """A file that becomes a link behind the check is opened by the kernel's leave only."""
    c = Client(os.path.join(work, "in"))
    if "no Landlock" in c.end()[1]:
        print("oracle mcp: this kernel has no Landlock: skipped what it holds")
        return 1
    folder = os.path.join(work, "in", "swapped")
    os.mkdir(folder)
    os.symlink(os.path.join(outside, "secret.json"), os.path.join(folder, "x.json"))
    os.symlink(outside, os.path.join(folder, "deep"))
    c = Client(os.path.join(work, "in"))
    for tool in ["info", "summary", "top"]:
        r = c.call(tool, files=["swapped"])
        expect("hidden" not in json.dumps(r), f"{tool} of a folder with a link outside: {json.dumps(r)[:300]}")
    c.end()
    return 0


def quiet_surroundings(work):
    """Settings and variables of CI servers change and write nothing."""
    note = os.path.join(work, "step_summary")
    with open(os.path.join(work, "traceq.yaml"), "w") as f:
        f.write("diagnose:\n  nonsense: 1\n")
    c = Client(work, env={"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": note, "TRACEQ_CONFIG": "/nowhere.yaml"})
    r = c.call("gate", base=["a.json"], new=["slow.json"])
    expect(not r["isError"] and "::error" not in json.dumps(r), f"gate on a CI server: {json.dumps(r)[:200]}")
    expect(not os.path.exists(note), "a step summary was written")
    expect(not c.call("diagnose", files=["a.json"])["isError"], "traceq.yaml is read")
    c.end()
    os.unlink(os.path.join(work, "traceq.yaml"))


# ---- without the kernel's help ----

def looks_like_words(work, outside):
    """Without Landlock: names that a command line would take apart, each with a secret where the parts would lead."""
    place = os.path.join(work, "words")
    os.mkdir(place)
    ok, secret = os.path.join(work, "a.json"), os.path.join(outside, "secret.json")
    whole = os.path.join(place, "ok.json")
    shutil.copy(ok, whole)
    odd = ["-", "--", "vs", "base=ok.json", "new=ok.json", "--help", "-h", "--output=x.json", "-ox.json", "@ok.json", "*.json",
           "rank%d.json", "a!b.json", "a\nb.json", "--table=ops", "--no-config", "ok.json:1", "{0..3}.json", "--config=x.yaml",
           "~", "$HOME", "base="]
    for name in odd[:-1]:
        shutil.copy(ok, os.path.join(place, name))
    for label in ["base=", "new=", "base", "files="]:  # what is behind a label is a path through a folder here
        at = os.path.join(place, label) + whole
        os.makedirs(os.path.dirname(at), exist_ok=True)
        os.symlink(secret, at)
    others = os.path.join(place, "links")
    os.mkdir(others)
    for name in ["plain.json", "again.json"]:
        shutil.copy(ok, os.path.join(place, name))
    shutil.copy(ok, os.path.join(others, "run.json"))
    os.symlink(secret, os.path.join(others, "run_et.json"))
    os.symlink(secret, os.path.join(others, "run.json-wal"))
    store = os.path.join(place, "store")
    os.mkdir(store)
    os.symlink(os.path.join(outside, "history"), os.path.join(store, "baseline.jsonl"))
    os.symlink(os.path.join(outside, "settings.yaml"), os.path.join(place, "traceq.yaml"))
    before = sorted(os.listdir(place))
    c = Client(place, first=refused_calls(LANDLOCK))
    for name in odd[:-1]:
        for tool, key in [("info", "files"), ("top", "files"), ("ranks", "files")]:
            r = c.call(tool, **{key: [name]})
            expect(not r["isError"] or "one rank alone" in text_of(r), f"{tool} of {name!r}: {text_of(r)[:200]}")
        r = c.call("diff", base=[name], new=[name, "ok.json"])
        expect(not r["isError"] and json.loads(text_of(r))["inputs"].count("ok.json") == 1, f"diff of {name!r}: {text_of(r)[:200]}")
        r = c.call("diff", base=["ok.json", name], new=["ok.json"])
        expect(not r["isError"], f"diff with {name!r} on a side of two: {text_of(r)[:200]}")
        r = c.call("critical", files=["ok.json"], capture=[name])
        expect("hidden" not in json.dumps(r), f"--capture {name!r}: {text_of(r)[:200]}")
    for path in [whole, f"base={whole}", f"new={whole}", f"base={secret}", secret, f"files={whole}", "links/run_et.json"]:
        for tool, arguments in [("info", {"files": [path]}), ("top", {"files": [path, "ok.json"]}), ("ranks", {"files": [path]}),
                                ("diff", {"base": [path, "ok.json"], "new": [path]}), ("diff", {"base": ["ok.json"], "new": [path]}),
                                ("gate", {"base": [path], "new": [path, path]}),
                                ("diff", {"base": [path], "new": ["plain.json", "again.json"]}),
                                ("diff", {"base": ["plain.json", "again.json"], "new": [path]}), ("cut", {"file": path, "output": "out.json"}),
                                ("critical", {"files": ["ok.json"], "et": [path]})]:
            r = c.call(tool, **arguments)
            expect("hidden" not in json.dumps(r), f"{tool} {arguments}: something of the secret")
            expect(path == whole or r["isError"], f"{tool} {arguments}: {text_of(r)[:200]}")
            if os.path.exists(os.path.join(place, "out.json")):
                expect(path == whole, f"cut of {path!r}")
                os.unlink(os.path.join(place, "out.json"))
    for tool, arguments in [("critical", {"files": ["links/run.json"]}), ("info", {"files": ["links"]}), ("critical", {"files": ["links"]}),
                            ("gate", {"base": ["store"], "new": ["ok.json"]}), ("gate", {"base": ["store"], "new": ["ok.json"], "history": True}),
                            ("diagnose", {"files": ["ok.json"]}), ("diagnose", {"files": ["."]})]:
        r = c.call(tool, **arguments)
        expect("hidden" not in json.dumps(r) and "secretive" not in json.dumps(r), f"{tool} {arguments}: {text_of(r)[:300]}")
    for option, value in [("table", "ops --output=x.json"), ("peak", f"@{secret}"), ("peak", secret), ("filter", "-o"), ("filter", "--help"),
                          ("sort", "--config=x"), ("steps", f"@{secret}"), ("comm", "--"), ("cat", "vs"), ("device", "-")]:
        r = c.call("top", files=["ok.json"], **{option: value})
        expect("hidden" not in json.dumps(r) and "usage" not in text_of(r)[:20], f"--{option} {value!r}: {text_of(r)[:200]}")
    for word in ["--help", "--schema", "--output=x", "vs", "@a", "--", "-h"]:
        r = c.call("explain", word=word)
        expect(r["isError"] and "unknown word" in text_of(r), f"explain {word!r}: {text_of(r)[:200]}")
    for output in ["-", "--help.json", "-o.json", "vs.json", "base=x.json", "@x.json"]:
        r = c.call("cut", file="ok.json", output=output)
        expect(r["isError"] if output == "-" else not r["isError"], f"cut to {output!r}: {text_of(r)[:200]}")
        if output != "-":
            os.unlink(os.path.join(place, output))
    _, said = c.end()
    expect("no Landlock" in said, f"the kernel was not kept from Landlock: {said}")
    expect(sorted(os.listdir(place)) == before, f"files are left: {set(os.listdir(place)) ^ set(before)}")


# ---- nothing is overwritten ----

def child_of(c, patience=PATIENCE):
    """The process of the call that runs."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        with contextlib.suppress(OSError), open(f"/proc/{c.server.pid}/task/{c.server.pid}/children") as f:
            found = f.read().split()
            if found:
                return int(found[0])
        time.sleep(0.002)
    return None


def never_replaces(work):
    """A file that comes while the cut is written: it stays as it is, whatever the kernel knows."""
    for kind, kernel in [("new", None), ("old", refused_calls(LANDLOCK, RENAMEAT2) if RENAMEAT2 else None)]:
        folder = os.path.join(work, f"writes-{kind}")
        os.mkdir(folder)
        os.link(os.path.join(work, "large.json"), os.path.join(folder, "large.json"))
        c = Client(folder, first=kernel)
        for name, more in [("x.json", {}), ("x.json.gz", {"level": "9"}), ("x.pftrace", {}), ("x.folded", {}), ("x.speedscope.json", {})]:
            for what in ["file", "link", "folder"]:
                path = os.path.join(folder, name)
                begin(c, 1, "cut", file="large.json", output=name)
                end = time.monotonic() + PATIENCE
                while not [n for n in os.listdir(folder) if n.startswith(".traceq-")] and time.monotonic() < end:
                    time.sleep(0.001)
                if what == "file":
                    with open(path, "x") as f:
                        f.write("mine")
                elif what == "link":
                    os.symlink("nowhere.json", path)
                else:
                    os.mkdir(path)
                r = c.line()["result"]
                expect(r["isError"] and "already" in text_of(r), f"cut to {name} where a {what} came: {text_of(r)[:200]}")
                expect(what != "file" or open(path).read() == "mine", f"cut to {name}: the {what} that came was overwritten")
                expect(what != "link" or os.readlink(path) == "nowhere.json", f"cut to {name}: the link is another")
                os.rmdir(path) if what == "folder" else os.unlink(path)
                expect(os.listdir(folder) == ["large.json"], f"cut to {name}: {os.listdir(folder)}")
            r = c.call("cut", file="large.json", output=name)
            expect(not r["isError"] and os.stat(os.path.join(folder, name)).st_nlink == 1, f"cut to {name}, {kind}: {text_of(r)[:200]}")
            os.unlink(os.path.join(folder, name))
        c.end()


# ---- calls that do not end well ----

def begin(c, number, name, **arguments):
    c.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}})


def at_once(work):
    c = Client(work)
    begin(c, 101, "summary", files=["large.json"] * 20)
    begin(c, 102, "info", files=["a.json"])
    begin(c, 103, "top", files=["a.json"], limit=1)
    c.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 102}})
    c.send({"jsonrpc": "2.0", "id": 104, "method": "ping"})
    got = [c.line()["id"] for _ in range(3)]
    expect(got == [104, 101, 103], f"a ping beside calls, one of which is cancelled while it waits: {got}")
    begin(c, 105, "summary", files=["large.json"] * 400)
    time.sleep(0.2)
    before = time.monotonic()
    c.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 105, "reason": "tired"}})
    c.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "105"}})
    c.send({"jsonrpc": "2.0", "method": "notifications/cancelled"})
    begin(c, 106, "info", files=["a.json"])
    expect(c.line()["id"] == 106 and time.monotonic() - before < 5, "a call that is cancelled while it runs")
    begin(c, 107, "summary", files=["large.json"] * 20)
    for i in range(70):
        begin(c, 200 + i, "explain", word="G07")
    got = [c.line() for _ in range(71)]
    busy = [m["id"] for m in got if "error" in m and m["error"]["code"] == -32000]
    expect(busy == list(range(264, 270)), f"calls beyond 64 that wait: {busy}")
    expect([m["id"] for m in got if "result" in m] == [107, *range(200, 264)], "calls are answered in their order")
    code, _ = c.end()
    expect(code == 0, f"exit code {code}")


def too_long(work):
    c = Client("--timeout=1", work)
    before = time.monotonic()
    r = c.call("summary", files=["large.json"] * 900)
    expect(r["isError"] and "--timeout" in json.dumps(r) and time.monotonic() - before < 10, f"too long: {str(r)[:200]}")
    expect(not c.call("info", files=["a.json"])["isError"], "a call after one that was too long")
    c.end()


def gone(pid, patience=10):
    end = time.monotonic() + patience
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < end:
        time.sleep(0.02)
    return not os.path.exists(f"/proc/{pid}")


def will_not_end(work):
    """A child that SIGTERM does not reach is killed, and the client hears of it."""
    for how in ["late", "cancelled"]:
        c = Client(f"--timeout={1 if how == 'late' else 60}", work)
        begin(c, 1, "summary", files=["large.json"] * 900)
        child = child_of(c)
        os.kill(child, signal.SIGSTOP)
        before = time.monotonic()
        if how == "cancelled":
            c.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        else:
            r = c.line(20)
            expect(r and r["result"]["isError"] and "--timeout" in json.dumps(r), f"a stopped call: {str(r)[:200]}")
        expect(gone(child) and time.monotonic() - before < 10, f"{how}: a call that was stopped lives on")
        expect(not c.call("info", files=["a.json"])["isError"], "a call after one that was killed")
        c.end()
    held = Client("--timeout=1", work, first=lambda: (signal.signal(signal.SIGTERM, signal.SIG_IGN),
                                                      signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])))
    before = time.monotonic()
    r = held.call("summary", files=["large.json"] * 900)
    expect(r["isError"] and time.monotonic() - before < 2.5, "a server that was started with SIGTERM ignored")
    held.end()


def too_large(work):
    c = Client("--memory=16MiB", work)
    r = c.call("critical", files=["huge.json"])
    expect(r["isError"] and "--memory" in text_of(r) and "16" in text_of(r), f"too large: {str(r)[:300]}")
    expect(not c.call("explain", word="G07")["isError"], "a call after one that was too large")
    c.end()
    for words in [["--memory=0", work], ["--memory=4GiB", work], [work]]:
        c = Client(*words)
        expect(not c.call("critical", files=["huge.json"])["isError"], f"{words}: a call that is not too large")
        c.end()


def leaves(work):
    """A client that goes: the call that runs is ended, also one that does not end by itself."""
    for how in ["reader", "all", "killed"]:
        for is_stopped in [False, True]:
            c = Client(work)
            begin(c, 1, "summary", files=["large.json"] * 900)
            child = child_of(c)
            if is_stopped:
                os.kill(child, signal.SIGSTOP)
            before = time.monotonic()
            c.server.stdout.close()
            if how == "all":
                c.server.stdin.close()
            if how == "killed":
                begin(c, 2, "info", files=["a.json"])
                c.server.stdin.close()
            expect(c.server.wait(PATIENCE) == 2, f"client that left, {how}: exit {c.server.returncode}")
            expect(gone(child) and time.monotonic() - before < 10, f"client that left, {how}, stopped {is_stopped}: its call lives on")
            with contextlib.suppress(BrokenPipeError):
                c.server.stdin.close()
            c.server.stderr.close()


def ends(work):
    c = Client(work)
    begin(c, 1, "summary", files=["large.json"] * 20)
    begin(c, 2, "info", files=["a.json"])
    c.server.stdin.close()
    expect([c.line()["id"], c.line()["id"]] == [1, 2], "calls that still run when the input ends are answered")
    expect(c.server.wait(PATIENCE) == 0, "exit code when the input ends")
    c.server.stdout.close()
    c.server.stderr.close()
    for how in [signal.SIGTERM, signal.SIGKILL]:
        c = Client(work)
        begin(c, 1, "cut", file="large.json", output=f"out-{how}.json.gz", level="9")
        time.sleep(0.15)
        c.server.send_signal(how)
        expect(c.server.wait(PATIENCE) == -how, f"ended by {how}")
        c.server.stdin.close()
        c.server.stdout.close()
        c.server.stderr.close()
    end = time.monotonic() + 10
    while [n for n in os.listdir(work) if n.startswith(".traceq-")] and time.monotonic() < end:
        time.sleep(0.05)
    expect(not [n for n in os.listdir(work) if n.startswith(".traceq-")], "temporary files stay behind an end")
    c = Client(work)
    c.server.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        c.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    expect(c.server.wait(PATIENCE) == 2, "a client that reads no longer")
    with contextlib.suppress(BrokenPipeError):
        c.server.stdin.close()
    c.server.stderr.close()


def command_line(work):
    for words, code in [(["--help"], 0), (["-h"], 0), (["/nowhere"], 2), ([os.path.join(work, "a.json")], 2), (["--wrong"], 2),
                        (["--timeout=x"], 2), (["--timeout=999999999"], 2), (["--memory=x"], 2), (["--memory=1MiB"], 2),
                        (["--memory=12"], 2), (["--memory=1GiB", work], 0), ([work], 0)]:
        done = subprocess.run([TRACEQ, "mcp", *words], capture_output=True, stdin=subprocess.DEVNULL)
        expect(done.returncode == code, f"mcp {words}: exit {done.returncode}")
        expect(bool(done.stderr) == (code == 2) or b"Landlock" in done.stderr, f"mcp {words}: {done.stderr[:200]}")


def no_network():
    done = subprocess.run(["nm", "-D", "--undefined-only", TRACEQ], capture_output=True, text=True)
    names = {line.split()[-1].split("@")[0] for line in done.stdout.splitlines() if line.split()}
    expect(bool(names), "nm found no names")
    expect(not names & {"socket", "connect", "bind", "listen", "accept", "getaddrinfo", "gethostbyname", "sendto"},
           f"the program can reach a network: {names & {'socket', 'connect', 'getaddrinfo'}}")


def prepare(work, outside):
    fixture(os.path.join(work, "a.json"), "healthy")
    fixture(os.path.join(work, "b.json"), "healthy", "--seed", "2")
    fixture(os.path.join(work, "serving.json"), "inference")
    fixture(os.path.join(work, "slow.json"), "copy-bound")
    fixture(os.path.join(work, "names.json"), "healthy", "--names", "2500")
    fixture(os.path.join(work, "large.json"), "healthy", "--size", "8M")
    fixture(os.path.join(work, "huge.json"), "healthy", "--size", "60M")
    for rank in "01":
        os.makedirs(os.path.join(work, "job"), exist_ok=True)
        fixture(os.path.join(work, "job", f"rank{rank}.json"), "multi-rank", "--rank", rank, "--world", "2")
    for name in ["-", "vs", "a=b.json", "--help", "new\nline.json", "é.json"]:
        os.link(os.path.join(work, "a.json"), os.path.join(work, name))
    with open(os.path.join(work, "text"), "w") as f:
        f.write("nothing to see\n")
    inside = os.path.join(work, "in")
    os.makedirs(os.path.join(inside, "sub"))
    os.mkdir(os.path.join(work, "second"))
    os.mkdir(os.path.join(outside, "empty"))
    os.link(os.path.join(work, "a.json"), os.path.join(inside, "ok.json"))
    os.link(os.path.join(work, "a.json"), os.path.join(work, "inner.json"))
    os.link(os.path.join(work, "a.json"), os.path.join(work, "second", "s.json"))
    with open(os.path.join(work, "a.json")) as f:
        trace = f.read()
    with open(os.path.join(outside, "secret.json"), "w") as f:
        f.write(trace.replace("gemm", "hidden"))
    with open(os.path.join(outside, "settings.yaml"), "w") as f:
        f.write("secretive:\n  nonsense: 1\n")
    with open(os.path.join(outside, "history"), "w") as f:
        f.write('{"secretive": 1}\n')
    os.symlink(os.path.join(outside, "secret.json"), os.path.join(inside, "link.json"))
    os.symlink(outside, os.path.join(inside, "linked"))
    os.symlink(os.path.join(outside, "empty", "new.json"), os.path.join(inside, "dangling.json"))
    os.mkfifo(os.path.join(inside, "pipe"))


def main():
    skipped = 0 if DRAFT else 1
    with tempfile.TemporaryDirectory() as work, tempfile.TemporaryDirectory() as outside:
        work, outside = os.path.realpath(work), os.path.realpath(outside)
        prepare(work, outside)
        jobs = [(versions, work), (order, work), (malformed, work), (listing, work), (all_answers, work), (bounds, work),
                (wrong_arguments, work), (fence, work, outside), (looks_like_words, work, outside), (never_replaces, work),
                (at_once, work), (too_long, work), (will_not_end, work), (leaves, work), (command_line, work), (no_network,)]
        if not os.environ.get("SAN"):  # whose allocators end the program in their own way
            jobs.append((too_large, work))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for done in [pool.submit(*job) for job in jobs]:
                try:
                    done.result()
                except Exception:  # a transcript that broke off is a failure, not the end of the others
                    failures.append(traceback.format_exc())
        skipped += kernel_holds(work, outside)
        quiet_surroundings(work)
        ends(work)
    for text in failures:
        print(f"oracle mcp: {text}")
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
