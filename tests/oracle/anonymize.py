#!/usr/bin/env python3
"""`cut --anonymize`: no planted word is in the output, in whatever place and spelling it was; a word
becomes the same word everywhere, two words two; nothing but words is changed, and figures stay.
CHECK_ALL=1: all real traces."""
import collections
import decimal
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = os.environ.get("SHARED", "../shared")
ALL = os.environ.get("CHECK_ALL")
HERE = os.path.dirname(os.path.abspath(__file__))
REAL = ["hta_simple_add", "tl_norm_layer", "tl_h100_bert"]
MADE = ["comm-bound", "dataloader-bound", "graphs"]
COMMANDS = ["top", "kernels", "idle", "steps", "comms", "copies", "launches", "critical", "summary"]
DEVICE = {"kernel", "gpu_memcpy", "gpu_memset", "Kernel", "Memcpy", "Memset", "memcpy", "memset"}
CALLS = {"cuda_runtime", "cuda_driver", "Runtime", "runtime", "driver", "hip_runtime", "xpu_runtime"}
PLANTED = ["quuxley", "Zorkmid", "fnord", "xyzzy", "plugh", "grault", "garply", "waldo", "frobnitz", "wibble", "blarg",
           "thud", "corge", "w1x", "müllertön"]
WORD = re.compile(r"[0-9A-Za-z_\u0080-\U0010ffff]+")

passed, failures = 0, []


def expect(what, ok, told=""):
    global passed
    passed += bool(ok)
    if not ok:
        failures.append(f"{what}: {str(told)[:300]}")


def run(args, data=None):
    return subprocess.run([TRACEQ] + args, capture_output=True, input=data)


def read(path):
    raw = open(path, "rb").read()
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    d = json.loads(raw.decode("utf-8", "surrogateescape"), parse_float=decimal.Decimal, strict=False)
    d = {"traceEvents": d} if isinstance(d, list) else d
    d["traceEvents"] = [e for e in d["traceEvents"] if e]
    return d


def texts(v):
    """All strings in a value, keys too."""
    if isinstance(v, str):
        yield v
    elif isinstance(v, list):
        for x in v:
            yield from texts(x)
    elif isinstance(v, dict):
        for k, x in v.items():
            yield k
            yield from texts(x)


def public_words():
    text = open(os.path.join(HERE, "../../edit/public_words.def")).read()
    return set(" ".join(re.findall(r'"(.*)"', text)).split())


def planted(raw):
    """Words that are planted in bytes, as they are or in any escape of JSON."""
    text = raw.decode("utf-8", "replace")
    plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), text)
    return [p for p in PLANTED if p.lower() in text.lower() or p.lower() in plain.lower()]


def drawn():
    a, b, c, d, e, f, g, h, i, j, k, m, n, o, p = PLANTED
    escaped = "".join(f"\\u{ord(x):04x}" for x in b)
    events = [
        {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": f"python {a}.py"}},
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": f"{b} worker"}},
        {"ph": "M", "name": "process_labels", "pid": 1, "args": {"labels": c}},
        {"ph": "X", "cat": "cpu_op", "name": f"{d}::op", "pid": 1, "tid": 2, "ts": 1, "dur": 40,
         "args": {"Call stack": f"/home/{e}/{f}.py(12): {g};{h}", "Concrete Inputs": [i, ["", j]], k: {m: [{"x": n}]},
                  "Input Dims": [[3, 4]], o: 1, "host": "node.example 10.20.30.40 8b4c1f0e-77d2-4a10-9a"}},
        {"ph": "X", "cat": "python_function", "name": f"nn.Module: {p}_0", "pid": 1, "tid": 2, "ts": 2, "dur": 30, "args": {}},
        {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 2, "ts": 0, "dur": 90, "args": {}},
        {"ph": "X", "cat": a, "name": b + "\n\t" + c, "pid": f"{d} proc", "tid": f"{e} thread", "ts": 3, "dur": 1, "args": {},
         "sf": f, "cname": g, h: i},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 5, "dur": 1,
         "args": {"correlation": 7, "kernel": "gemm<float>", "note": j}},
        {"ph": "X", "cat": "cuda_runtime", "name": k, "pid": 1, "tid": 2, "ts": 7, "dur": 1, "args": {"correlation": 8}},
        {"ph": "X", "cat": "kernel", "name": "gemm<float>", "pid": 0, "tid": 7, "ts": 50, "dur": 20,
         "args": {"device": 0, "stream": 7, "correlation": 7, m: n}},
        {"ph": "C", "cat": o, "name": f"{p} memory", "pid": 1, "ts": 5, "args": {a: 3}},
        {"ph": "s", "cat": b, "name": c, "id": d, "pid": 1, "tid": 2, "ts": 5},
        {"ph": "f", "cat": b, "name": c, "id": d, "pid": 1, "tid": 2, "ts": 6, "bp": "e"},
        {"ph": "b", "cat": e, "name": f, "id2": {"local": g}, "pid": 1, "tid": 2, "ts": 5},
        {"ph": "B", "cat": h, "name": i, "pid": 1, "tid": 9, "ts": 5}, {"ph": "E", "pid": 1, "tid": 9, "ts": 8},
        {"ph": "i", "s": "t", "cat": j, "name": k, "pid": 1, "tid": 2, "ts": 5},
        {"ph": "X", "cat": "cpu_op", "name": "ESCAPED", "pid": 1, "tid": 2, "ts": 45, "dur": 1, "args": {"ESCAPED": "a\\/ESCAPED"}},
    ]
    text = json.dumps({"schemaVersion": 1, "hostName": a, "traceName": f"/mnt/{b}/{c}.json", d: e,
                       "distributedInfo": {"backend": "nccl", "rank": 0, "pg_config": [{"pg_desc": f}], g: h},
                       "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", "serial": i}],
                       "metadata": {"user": [j, {"k": k}]}, "displayTimeUnit": "ms", "traceEvents": events})
    return text.replace("ESCAPED", escaped).replace("a\\\\/", "a\\/")


def check_planted(folder):
    path = os.path.join(folder, "planted.json")
    text = drawn()
    open(path, "w", encoding="utf-8").write(text)
    json.loads(text)
    expect("planted", set(planted(text.encode())) == set(PLANTED))
    for to in ("out.json", "out.pftrace", "out.json.gz"):
        out = os.path.join(folder, to)
        for more in ([], ["--annotate", "critical,idle,findings,steps"], ["--lanes", "perfetto"], ["--steps", "1"], ["--no-args"]):
            if to.endswith("pftrace") and "--lanes" in more:
                continue
            done = run(["cut", path, "--anonymize", "-o", out, *more])
            raw = open(out, "rb").read()
            raw = gzip.decompress(raw) if to.endswith(".gz") else raw
            expect(f"planted {to} {more}", done.returncode == 0 and not planted(raw) and not planted(done.stdout + done.stderr),
                   planted(raw) or done.stderr)
            expect(f"addresses {to}", b"10.20.30.40" not in raw and b"8b4c1f0e" not in raw)
    d = read(os.path.join(folder, "out.json.gz"))
    name = {e.get("name") for e in d["traceEvents"]}
    expect("planted stays", {"gemm<float>", "cudaLaunchKernel", "ProfilerStep#1"} <= name, name)
    expect("planted device", d["deviceProperties"][0]["name"] == "NVIDIA H100 80GB HBM3", d["deviceProperties"])
    merged = os.path.join(folder, "merged.json")
    os.mkdir(os.path.join(folder, "quuxley"))
    twice = [os.path.join(folder, "quuxley", f"rank{r}.json") for r in (0, 1)]
    for r, p in enumerate(twice):
        open(p, "w", encoding="utf-8").write(text.replace('"rank": 0', f'"rank": {r}'))
    done = run(["merge", *twice, "--anonymize", "-o", merged, "-q"])
    expect("planted merge", done.returncode == 0 and not planted(open(merged, "rb").read()),
           planted(open(merged, "rb").read()) or done.stderr)
    stacks = {json.dumps(e["args"]["Call stack"]) for e in read(merged)["traceEvents"] if "Call stack" in e.get("args", {})}
    expect("planted merge words", len(stacks) == 1, stacks)
    broken = text.replace('"ph": "i", "s": "t"', '"ph": "i", fnord "s": "t"').encode()
    done = run(["cut", "-", "--anonymize", "-o", "-"], broken)
    expect("planted broken", not planted(done.stdout), planted(done.stdout))


def same_words(what, before, after, words, back):
    """Word for word, private ones by one table."""
    x, y = WORD.findall(before), WORD.findall(after)
    fixed = [WORD.sub("", before) == WORD.sub("", after)]
    for p, q in zip(x, y):
        if p != q:
            fixed.append(words.setdefault(p, q) == q and back.setdefault(q, p) == p)
    expect(what, len(x) == len(y) and all(fixed), (before, after))


def check_words(what, whole, cut, public):
    """Event by event: only words are changed, and what is left is public or w and a number."""
    words, back = {}, {}
    old, new = whole["traceEvents"], cut["traceEvents"]
    expect(what + " events", len(old) == len(new), (len(old), len(new)))
    odd = collections.Counter()
    for e, f in zip(old, new):
        stays = e.get("cat") in DEVICE or (e.get("cat") in CALLS and re.match("cu|hip|hsa|nccl|ze|mc|acl", e["name"]))
        for key in f:
            if stays and key == "args":
                e[key].pop("kernel", None), f[key].pop("kernel", None)
            if isinstance(e.get(key), (str, dict, list)) and not (stays and key == "name"):
                for s, t in zip(texts(e[key]), texts(f[key])):
                    if re.search(r"[0-9a-fA-F-]{16}|\d+\.\d+\.\d+\.\d+", s):
                        continue
                    same_words(what + " text", s, t, words, back)
                    for part in re.split(r"[^0-9A-Za-z_\u0080-\U0010ffff]+|_\d+(?=_|\W|$)", re.sub(r"\w+::\w+(::\w+)*", "", t)):
                        word = part.strip("_") if part.strip("_") in public else part
                        if not (word in public or len(word) < 2 or re.fullmatch(r"_?w\d+|\d\w*|[A-Z]\w*Backward\d", word)):
                            odd[word] += 1
            else:
                expect(what + " value", e.get(key) == f[key], (e.get(key), f[key]))
    keys = {"correlation", "External", "id"}
    expect(what + " public", not {w for w in odd if w not in keys and odd[w]} - known_arguments(), list(odd)[:9])


def known_arguments():
    text = open(os.path.join(HERE, "../../analyze/trace/columns/args.h")).read()
    return set(WORD.findall(" ".join(re.findall(r'"([^"]*)"', text))))


def numbers(table):
    keys = sorted(c["key"] for c in table["columns"])
    return sorted(json.dumps([r[k] for k in keys if not isinstance(r[k], str)]) for r in table["rows"])


def check_figures(what, path, out):
    for command in COMMANDS:
        a, b = run([command, "-n", "0", "--json", path] if command not in ("steps", "summary") else [command, "--json", path]), \
            run([command, "-n", "0", "--json", out] if command not in ("steps", "summary") else [command, "--json", out])
        expect(f"{what} {command} exit", a.returncode == b.returncode, b.stderr)
        if a.returncode == 2:
            continue
        x, y = json.loads(a.stdout), json.loads(b.stdout)
        for t, u in zip(x["tables"], y["tables"]):
            if t["id"] in ("totals", "what_if"):
                continue
            expect(f"{what} {command} {t['id']}", numbers(t) == numbers(u), (numbers(t)[:1], numbers(u)[:1]))


def check(what, path, folder, public):
    out, again = os.path.join(folder, "out.json"), os.path.join(folder, "again.json")
    done = run(["cut", path, "--anonymize", "-o", out, "-j", "1"])
    expect(what, done.returncode == 0, done.stderr)
    run(["cut", path, "--anonymize", "-o", again, "-q", "-j", "4"])
    expect(what + " threads", open(out, "rb").read() == open(again, "rb").read())
    check_words(what, read(path), read(out), public)
    check_figures(what, path, out)


def main():
    public = public_words()
    with tempfile.TemporaryDirectory() as folder:
        check_planted(folder)
        real = os.path.join(SHARED, "traces")
        names = sorted(os.listdir(real)) if os.path.isdir(real) else []
        for name in names:
            if ".json" in name and (ALL or any(name.startswith(r + ".") for r in REAL)):
                check(name, os.path.join(real, name), folder, public)
        for scenario in MADE:
            path = os.path.join(folder, scenario + ".json")
            with open(path, "wb") as f:
                subprocess.run([FIXTURES, scenario, "--steps", "3"], stdout=f, check=True)
            check(scenario, path, folder, public)
    for f in failures[:40]:
        print("FAIL", f)
    print(f"{passed} passed, {len(failures)} failed, {0 if names else 1} skipped")
    return bool(failures)


sys.exit(main())
