#!/usr/bin/env python3
"""Names that try to break out: of every input (events, keys, stages, files, folders, words of a
command line, settings) into every output (each command in each format, reports of a verdict,
messages), read back with parsers that know nothing of traceq: json, csv, html.parser, ElementTree,
and the rules of Markdown tables, OpenMetrics and CI logs as their own documents have them."""
import csv
import html.parser
import io
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
NAMES = [
    "::error::x", "a\n::error::x", " \t::set-output name=a::b", "##[error]x",
    "a ##[error]x ##vso[task.x]y",
    "\u3000::add-mask::x", "\ufe0f::error::x", "#\ufe0f#[group]x", "x\r::stop-commands::y", "##teamcity[x]",
    "section_start:1:a\r\x1b[0Kb", "\x1b[31mred\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\",
    "\x9b31m\x85nel", "\u202egnp.exe\u202c\u2066x\u2069", "ze\u200bro\u200d\ufeffw", "\u2028line\u2029",
    "\ufffe\uffff", "tag\U000e0041", "\U0001f600 \u65e5\u672c\u8a9e \u00e9e\u0301", "]]><![CDATA[x",
    "<script>alert(1)</script>", "\"><img src=x onerror=y>", "' onload='x", "</title></svg><h1>x",
    "![x](http://x)", "[x](javascript:alert(1))", "javascript:alert(1)", "@everyone www.x.y a@b.c", "# head",
    "- item", "---", "===", "1. item", "    code", "a|b`c``d\\|e", "\\", "$x^2$ ~~y~~ {z} %0A%25",
    "=cmd|' /C calc'!A0", "+1", "-1", "\uff1d1", "a,b;c\td=e", "; rm -rf $HOME", "'\"`", "&amp;&#10;", "--help",
    "{\"a\": 1}", "name\" 1\n# EOF\nx{y=\"z", "\u2588\u2588[error]x \u2583\u2583error::", "l" * 2000]
# What steers or hides.  Written out here, not taken from the program: categories of Unicode's.
BAD = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f"
                 "\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\U0001d173-\U0001d17a"
                 "\U000e0000-\U000e0fff]")
OWN_TAGS = set("html head meta title style body h1 h2 p ul li dl dt dd div span table tr th td caption pre "
               "figure figcaption svg path rect circle text line g tbody thead a br code header main nav ol section "
               "script".split())
OWN_ATTRIBUTES = set("lang charset name content http-equiv class style data-h viewbox role x y text-anchor d "
                     "width height cx cy r fill-opacity rx opacity id scope title aria-label aria-labelledby data-value "
                     "shape-rendering".split())
# What to work in stands folded in a report, a page of its own in a frame without rights; what that page has.
OWN_TAGS |= {"details", "summary"}
FRAME = {"sandbox": "allow-scripts"}
INSIDE_TAGS = OWN_TAGS - {"details", "summary"} | set("kbd button input canvas noscript".split())
INSIDE_ATTRIBUTES = OWN_ATTRIBUTES | set("type placeholder hidden aria-describedby".split())
COMMANDS = {"top": [], "summary": [], "steps": [], "idle": ["--list", "5"], "kernels": [], "launches": [],
            "memory": [], "stages": [], "stacks": [], "timeline": [], "copies": [], "comms": [],
            "diagnose": [], "info": [], "check": []}
SHARE = 3  # of the commands about words and files each name meets every third, and the other way
passed = 0
failures = []


def expect(what, is_true, why=""):
    global passed
    if is_true:
        passed += 1
    else:
        failures.append(f"{what}: {why}")


def shown(argv):
    return " ".join(ascii(str(a))[1:-1][:40] for a in argv)


def run(argv, cwd=None, env=None):
    done = subprocess.run([TRACEQ, *map(str, argv)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
                          stdin=subprocess.DEVNULL, timeout=60,
                          env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **(env or {})})
    return done.returncode, done.stdout, done.stderr


def many(calls):
    """The calls, two at a time, in order: (argv, code, stdout, stderr)."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda c: (c[0], *run(*c)), calls))


def orders(text):
    """Lines that a CI server obeys: GitHub trims all of Unicode's blanks, and looks for the old
    form anywhere, as Azure does."""
    return [line for line in re.split("[\n\r]", text)
            if line.lstrip().startswith("::") or re.search(r"##[A-Za-z]*\[", line)]


def check_text(what, data, allowed="\n"):
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as e:
        expect(what, False, e)
        return ""
    found = [hex(ord(c)) for c in BAD.findall(text) if c not in allowed]
    expect(what + " clean", not found, found[:5])
    expect(what + " orders", not orders(text), [ascii(x) for x in orders(text)[:2]])
    return text


def check_messages(what, data):
    """Each line is a message of traceq's or the hint below one."""
    text = check_text(what + " stderr", data)
    for line in text.split("\n")[:-1]:
        expect(what + " message", line.startswith(("traceq: ", "  ")), ascii(line))


# ---- parsers ----

def check_json(what, data):
    check_text(what, data)
    try:
        return json.loads(data)
    except ValueError as e:
        expect(what, False, e)
        return {"tables": []}


def check_csv(what, data):
    text = check_text(what, data, "\n\r\t")
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as e:
        expect(what, False, e)
        return
    expect(what + " rectangle", len({len(r) for r in rows}) <= 1, {len(r) for r in rows})
    bad = [c for r in rows for c in r if re.match("[=+@\uff1d]|-[^0-9.]", c)]
    expect(what + " formula", not bad, bad[:2])


def check_tsv(what, data):
    text = check_text(what, data, "\n\t")
    counts = {line.count("\t") for line in text.split("\n")[:-1]}
    expect(what + " rectangle", len(counts) <= 1, counts)


def check_md(what, data):
    text = check_text(what, data)
    bare = re.sub(r"^(`{3,})(?:text|sh)?\n.*?^\1$", "", text, flags=re.M | re.S)
    bare = re.sub(r"(?<=\n\n)(?: {4}.*\n)+", "", bare)
    bare = re.sub(r"(?<![\\`])(`+)(?!`).*?(?<!`)\1(?!`)", "", bare)
    cells = 0
    for line in bare.split("\n"):
        pipes = len(re.findall(r"(?<!\\)(?:\\\\)*\|", line))
        if line.startswith("|"):
            expect(what + " table", cells in (0, pipes), ascii(line)[:90])
            cells = pipes
        else:
            expect(what + " table", pipes == 0, ascii(line)[:90])
            cells = 0
    html_free = re.sub("</?details>|</?summary>", "", bare)
    expect(what + " html", not re.search(r"<", html_free), re.findall(".{20}<.{9}", html_free)[:2])
    links = [m for m in re.findall(r"(?<!\\)\]\(([^)]*)\)", bare) if re.search("[:]", m)]
    expect(what + " link", not re.search(r"(?<!!)\[[^\]]*(?<!\\)\]\(", bare) and not links, links)
    address = re.findall(r"@\w.{9}|\w+://.{9}|(?i:www)\..{9}", bare)
    expect(what + " address", not address, address[:2])


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.bad = []
        self.scripts = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag == "iframe":
            said = dict(attrs)
            self.bad += Inside(said.pop("data-page", "")).bad
            said.pop("title", None)
            self.bad += [] if said == FRAME else [f"<iframe> {said}"]
            return
        if tag not in OWN_TAGS:
            self.bad.append(f"<{tag}>")
        self.scripts += tag == "script"  # the page's own, whose hash the policy names: reports.py
        self.bad += [f"{tag} {n}={v!r}" for n, v in attrs if n not in OWN_ATTRIBUTES and
                     not (tag == "a" and n == "href" and re.fullmatch("#[a-z0-9-]+", v or "")) and
                     not (tag == "a" and n == "data-mark" and re.fullmatch("[A-Z][0-9]{2}", v or ""))]
        if self.scripts > 1 or (tag == "script" and attrs):
            self.bad.append(f"<script> {self.scripts} {attrs}")


class Inside(html.parser.HTMLParser):
    """The page in a frame of a report: its data, and scripts that the policy names; tiles.py works in it."""

    def __init__(self, text):
        super().__init__()
        self.bad, self.scripts = [], []
        self.feed(text)
        self.close()
        if sorted(self.scripts) != ["", "", "application/octet-stream"]:
            self.bad.append(f"scripts {self.scripts}")

    def handle_starttag(self, tag, attrs):
        self.bad += [] if tag in INSIDE_TAGS else [f"inside <{tag}>"]
        self.bad += [f"inside {tag} {n}={v!r}" for n, v in attrs if n not in INSIDE_ATTRIBUTES]
        if tag == "script":
            self.scripts.append(dict(attrs).get("type", ""))


def check_html(what, data):
    text = check_text(what, data)
    bad = Page(text).bad
    expect(what + " elements", not bad, bad[:3])
    for svg in re.findall("<svg.*?</svg>", text, re.S):
        try:
            ET.fromstring(svg)
        except ET.ParseError as e:
            expect(what + " svg", False, e)


def check_xml(what, data):
    check_text(what, data)
    try:
        root = ET.fromstring(data)
        tags = {e.tag for e in root.iter()} - {"testsuites", "testsuite", "testcase", "failure", "skipped",
                                               "properties", "property", "system-out", "error"}
        expect(what + " elements", not tags, tags)
    except ET.ParseError as e:
        expect(what, False, e)


OPENMETRICS = re.compile(r'# (TYPE|UNIT) [a-zA-Z_:][\w:]* \w+$|[a-zA-Z_:][\w:]*'
                         r'(\{[a-zA-Z_]\w*="([^"\\\n]|\\[\\"n])*"(,[a-zA-Z_]\w*="([^"\\\n]|\\[\\"n])*")*\})?'
                         r' ([+-]?[0-9.eE+-]+|[+-]Inf|NaN)$', re.A)


def check_openmetrics(what, data):
    lines = check_text(what, data).split("\n")
    expect(what + " end", lines[-2:] == ["# EOF", ""] and lines.count("# EOF") == 1, lines[-3:])
    bad = [x for x in lines[:-2] if not OPENMETRICS.match(x)]
    expect(what + " lines", not bad, [ascii(x) for x in bad[:2]])


def check_folded(what, data):
    bad = [x for x in check_text(what, data).split("\n")[:-1] if not re.search(r".+ \d+$", x)]
    expect(what + " lines", not bad, [ascii(x) for x in bad[:2]])


def check_github(what, data):
    """Annotations: commands of ours, each one line, whose title has no more than one property."""
    lines = data.decode("utf-8").split("\n")
    ours = [x for x in lines if x.startswith("::")]
    expect(what + " grammar", ours and all(
        re.fullmatch(r"::(error|warning) title=[^:,\r\n]*::[^\r\n]*", x) for x in ours), ours[:2])
    expect(what + " percent", not [x for x in ours if re.search("%(?!25|0A|0D|3A|2C)", x)], ours[:2])
    check_messages(what, "\n".join(x for x in lines if x not in ours).encode())


FORMATS = {"table": check_text, "json": check_json, "csv": check_csv, "tsv": check_tsv, "md": check_md,
           "torch": check_text, "seed": check_text, "folded": check_folded}
PAGES = {"txt": check_text, "md": check_md, "html": check_html, "seed": check_text}


# ---- inputs ----

def planted(i):
    """The i-th name; those from files may not be told apart without a number."""
    return f"{NAMES[i % len(NAMES)]} {i}"


def make_trace(path, slower):
    """A trace of several devices in which everything takes so many times as long."""
    done = subprocess.run([FIXTURES, "multi-gpu", "--steps", "6", "--memory"],
                          stdout=subprocess.PIPE, check=True)
    trace = json.loads(done.stdout)
    names, n = {}, 0
    for e in trace["traceEvents"]:
        for key in ("ts", "dur"):
            if key in e:
                e[key] *= slower
        if e.get("name", "").startswith("ProfilerStep") or e.get("ph") == "M":
            if e.get("ph") == "M" and "name" in e.get("args", {}):
                tid = e.get("tid")
                e["args"]["name"] = NAMES[tid % len(NAMES) if isinstance(tid, int) else 0]
            continue
        if e.get("cat") in ("kernel", "cpu_op", "user_annotation", "gpu_memcpy"):
            # Several names each, so that all get their turn.
            key = (e["name"], n % 7)
            n += 1
            names.setdefault(key, planted(len(names) * 3 + len(names) // len(NAMES)))
            e["name"] = names[key]
    base = trace["traceEvents"][-1]["ts"]
    for i, name in enumerate(NAMES):
        for at, length in ((0, 40), (2, 20)):
            trace["traceEvents"].append({
                "ph": "X", "cat": "python_function", "name": name + ("" if at else " outer"), "pid": 77,
                "tid": 77, "ts": base + i * 50 + at, "dur": length,
                "args": {"Python id": 2 * i + (at > 0) + 1, "Python parent id": 2 * i + 1 if at else None}})
    trace[NAMES[1]] = NAMES[3]
    text = json.dumps(trace).replace("tag\\udb40\\udc41", "tag\\ud800\\u0000")
    path.write_text(text, encoding="utf-8")
    return {n for n in names.values()}


def make_inputs(folder):
    """A trace of each side, a log, stage times, a results folder, a store, settings."""
    named = make_trace(folder / "a.json", 1)
    make_trace(folder / "b.json", 2)
    with open(folder / "log.jsonl", "w", encoding="utf-8") as f:
        for i in range(30):
            f.write(json.dumps({"step": i, "loss": 2 - i / 100, "time": 1.0 + i, "note": NAMES[i],
                                **{name: i % 5 + k for k, name in enumerate(NAMES)}}) + "\n")
    (folder / "stage_times.json").write_text(json.dumps(
        {"stages": {name: [1.0 + k, 2.0, 3.0] for k, name in enumerate(NAMES)},
         "stage_times": {name: 1.0 + k for k, name in enumerate(NAMES)}}), encoding="utf-8")
    (folder / "history.csv").write_text("date,commit,step_time_ms\n" + "".join(
        f'2025-09-{i + 1:02d},"{NAMES[i].replace(chr(34), "").replace(chr(10), "")}",{64 + i % 3}\n'
        for i in range(28)), encoding="utf-8")
    results = folder / "results"
    results.mkdir()
    rows = [{"batch_size": b, "latency_per_sample_mean": 1 / b, "throughput_samples_per_sec_mean": b,
             NAMES[3]: 1} for b in (1, 2, 4)]
    (results / "baseline_metrics.json").write_text(json.dumps(
        {"model_info": {"model_type": NAMES[0], "total_params": 1}, "dataset_info": {"num_samples": 3},
         "batch_size_profiling": rows, "full_dataset_metrics": {"batch_size": 2, "accuracy": .5}}),
        encoding="utf-8")
    return named


# ---- checks ----

def check_formats(folder):
    """Every command in every format, with every name in its trace, log or results."""
    inputs = {c: ["a.json", *o] for c, o in COMMANDS.items()}
    inputs.update({"diff": ["a.json", "b.json"], "gate": ["a.json", "b.json", "--check", "op:.=1%"],
                   "noise": ["a.json", "b.json"], "metrics": ["log.jsonl"], "batch": ["results"]})
    calls = [([c, *args, "--format", f],) for c, args in inputs.items() for f in FORMATS]
    calls += [(["metrics", "--list", "log.jsonl"],), (["top", "a.json", "--ascii"],),
              (["stages", "stage_times.json"],), (["diff", "a.json", "b.json", "--format", "seed"],), (["stacks", "a.json", "b.json"],)]
    answered = 0
    for argv, code, out, err in many([(c[0], folder) for c in calls]):
        what = shown(argv)
        fmt = argv[argv.index("--format") + 1] if "--format" in argv else "table"
        expect(what + " ends", code in (0, 1, 2), code)
        answered += code != 2
        if out:
            FORMATS[fmt](what, out)
        check_messages(what, err)
    expect("answers", answered > 90, answered)


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for k, v in value.items():
            yield k
            yield from texts(v)
    elif isinstance(value, list):
        for v in value:
            yield from texts(v)


def check_round_trip(folder, named):
    """JSON gives every name back as it was, but for what is no text: a lone surrogate."""
    _, out, _ = run(["top", "a.json", "--limit", "0", "--json"], folder)
    got = set(texts(check_json("round trip", out)))
    _, out, _ = run(["kernels", "a.json", "--limit", "0", "--json"], folder)
    got |= set(texts(check_json("round trip", out)))
    want = {n.replace("tag\U000e0041", "tag\ufffd\0") for n in named}
    lost = want - got
    expect("round trip", len(lost) <= len(want) // 2, f"{len(lost)} of {len(want)}")
    for name in sorted(lost)[:9]:
        tail = name[-6:]
        near = [g for g in got if g.endswith(tail) and g != name]
        expect("round trip", not near, f"{ascii(name)[:60]} became {ascii(near)[:60]}")


def spoiled(value, turn, depth=0):
    """JSON with other texts, and with other keys where a table is keyed by names."""
    if isinstance(value, str):
        return NAMES[next(turn) % len(NAMES)]
    if isinstance(value, list):
        return [spoiled(v, turn, depth + 1) for v in value]
    if not isinstance(value, dict):
        return value
    is_table = depth > 0 and len({type(v) for v in value.values()}) == 1
    return {NAMES[next(turn) % len(NAMES)] if is_table and k != "step" else k: spoiled(v, turn, depth + 1)
            for k, v in value.items()}


def spoil(text, turn):
    """A JSON document, JSON lines or CSV with such names; None: it is something else."""
    try:
        return json.dumps(spoiled(json.loads(text), turn))
    except ValueError:
        pass
    try:
        return "".join(json.dumps(spoiled(json.loads(x), turn)) + "\n" for x in text.splitlines())
    except ValueError:
        pass
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if len({len(r) for r in rows}) != 1 or len(rows[0]) < 2:
        return None
    out = io.StringIO(newline="")
    csv.writer(out).writerows([rows[0]] + [
        [c if re.match(r"[-+.0-9]|$", c) else NAMES[next(turn) % len(NAMES)] for c in r] for r in rows[1:]])
    return out.getvalue()


def check_artifacts(folder):
    """The other kinds of files, where a text stands for a text."""
    listed = subprocess.run([FIXTURES, "artifact", "--list"], stdout=subprocess.PIPE, check=True)
    turn, calls, names = itertools.count(), [], [x.split()[0] for x in listed.stdout.decode().splitlines()]
    (folder / "artifacts").mkdir()
    for name in names:
        made = subprocess.run([FIXTURES, "artifact", name, "--rows", "8"], stdout=subprocess.PIPE, check=True)
        try:
            text = spoil(made.stdout.decode("utf-8"), turn)
        except UnicodeDecodeError:
            continue
        if text is None:
            continue
        path = f"artifacts/{name}"
        (folder / path).write_bytes(text.encode("utf-8"))
        calls += [([c, path, "--format", "table" if i % 2 else "md"], folder) for i, c in enumerate(
            ("info", "info", "summary", "metrics", "stages", "top", "batch", "diagnose", "stacks"))]
        calls += [(["report", path, "--format", f], folder) for f in ("html", "md")]
    answered = 0
    for argv, code, out, err in many(calls):
        expect(shown(argv) + " ends", code in (0, 1, 2), code)
        answered += code != 2
        if out:
            (PAGES if argv[0] == "report" else FORMATS)[argv[-1]](shown(argv), out)
        check_messages(shown(argv), err)
    expect("artifacts answer", answered > 100, f"{answered} of {len(calls)}")


def check_documents(folder):
    styles = {"run": ["a.json"], "diff": ["a.json", "b.json"], "week1": ["results"],
              "nightly": ["history.csv"]}
    calls = [(["report", "--style", s, *paths, "--format", f, "--title", name], folder)
             for s, paths in styles.items() for f in PAGES for name in (NAMES[0], NAMES[29])]
    for argv, code, out, err in many(calls):
        if out:
            PAGES[argv[argv.index("--format") + 1]](shown(argv), out)
        expect(shown(argv), code == 0 or argv[argv.index("--format") + 1] == "seed", err)
        check_messages(shown(argv), err)


def check_sinks(folder):
    sinks = {"junit": check_xml, "md": check_md, "openmetrics": check_openmetrics, "json-out": check_json}
    checks = ["op:.=1%", "op:error=1%", "step_time=1%"]
    for argv in (["gate", "a.json", "b.json"], ["gate", NAMES[1], "a.json"], ["gate", "a.json", NAMES[1]],
                 ["gate", f"{NAMES[21]}=a.json", f"{NAMES[0]}=b.json"]):
        call = argv + [w for c in checks for w in ("--check", c)] + ["--ci", "github"]
        for sink in sinks:
            (folder / f"out.{sink}").unlink(missing_ok=True)
            call += [f"--{sink}", f"out.{sink}"]
        summary = folder / "summary"
        summary.unlink(missing_ok=True)
        code, out, err = run(call, folder, {"GITHUB_STEP_SUMMARY": str(summary)})
        what = shown(argv)
        expect(what, code in (1, 2), code)
        check_text(what, out)
        check_github(what, err)
        check_md(what + " summary", summary.read_bytes())
        for sink, check in sinks.items():
            if (folder / f"out.{sink}").exists():
                check(f"{what} {sink}", (folder / f"out.{sink}").read_bytes())


def file_name(name):
    name = name.replace("/", "%").replace("\0", "0")
    while len(name.encode("utf-8")) > 240:
        name = name[:-1]
    return name


def check_files(folder):
    """Files and folders of these names: read, missing, damaged, in folders, as outputs."""
    trace = (folder / "a.json").read_bytes()[:100000]
    calls = []
    for i, name in enumerate(map(file_name, NAMES)):
        inside = folder / "files" / name
        inside.mkdir(parents=True)
        (inside / (name[:40] + ".json")).write_bytes(trace)
        path = f"./{name[:60]}.json"
        (folder / path).write_bytes(b'{"traceEvents": [{"name": "' + b"\xff\x1b" * 9)
        paths = ["./" + name, f"files/{name}", path, f"files/{name}/{name[:40]}.json", name]
        calls += [(["top", p], folder) for p in paths]
        some = [
            *(["report", "--format", f, paths[3]] for f in ("txt", "md", "html")),
            ["top", "a.json", paths[3]], ["info", paths[3], path, "--format", "md"],
            ["summary", paths[3], "a.json", "--format", "csv"], ["metrics", path], ["check", paths[3]],
            ["diff", path, "a.json"], ["gate", paths[0], paths[3]], ["gate", "a.json", f"{name}=b.json"],
            ["baseline", "list", paths[0]], ["baseline", "add", paths[1], paths[3], "--label", name],
            ["plot", "--list", paths[3]], ["capture", "--seal", paths[0]],
            ["top", "a.json", "-o", f"{paths[0]}/x"],
            ["gate", "a.json", "a.json", "--junit", f"{paths[0]}/x"]]
        calls += [(argv, folder) for k, argv in enumerate(some) if (i + k) % SHARE == 0]
    for argv, code, out, err in many(calls):
        what = shown(argv)
        expect(what + " ends", 0 <= code <= 2, code)
        fmt = argv[argv.index("--format") + 1] if "--format" in argv else "table"
        if out:
            (PAGES if argv[0] == "report" else FORMATS)[fmt](what, out)
        check_messages(what, err)


def check_words(folder):
    """Words of the command line, the environment and settings in messages."""
    calls = []
    for i, name in enumerate(NAMES):
        some = [
            [name], ["--" + name], ["top", "--" + name, "a.json"], ["top", "--format", name, "a.json"],
            ["top", "--limit", name, "a.json"], ["top", "-f", name + "(", "a.json"],
            ["top", "-f", name, "a.json"], ["explain", name], ["config", name], ["help", name],
            ["completion", name], ["plot", name, "a.json"], ["baseline", name, "x"],
            ["gate", "a.json", "a.json", "--check", name + "=5%"],
            ["gate", "a.json", "a.json", "--thresholds", name], ["config", "--config", name],
            ["report", "--style", name, "a.json"], ["capture", "--window", name, "--check"],
            ["capture", "--lib", "./" + name, "--env"], ["stages", "a.json", "--steps", name]]
        calls += [(argv, folder) for k, argv in enumerate(some) if (i + k) % SHARE == 0]
        calls.append((["gate", "a.json", "a.json"], folder, {"TRACEQ_CONFIG": name}))
        calls.append((["config"], folder, {"TRACEQ_GATE_TIER": name}))
    settings = folder / "settings"
    settings.mkdir()
    for i, name in enumerate(NAMES):
        (settings / f"{i}k.yaml").write_text(f"gate:\n  {json.dumps(name)}: 1\n", encoding="utf-8")
        (settings / f"{i}v.yaml").write_text(f"gate:\n  tier: {json.dumps(name)}\n", encoding="utf-8")
        calls += [(["config", "--config", f"settings/{i}{k}.yaml"], folder) for k in "kv"]
    for argv, code, out, err in many(calls):
        what = shown(argv)
        expect(what + " ends", 0 <= code <= 2 or argv[0] == "capture", code)
        check_text(what, out)
        if argv[0] != "--help" and argv[0] != "----help":
            check_messages(what, err)


def check_readable(folder):
    """What is no danger stays as it is."""
    _, _, err = run(["top", "\u00e9t\u00e9 \u65e5\u672c \U0001f600 \u0444.json"], folder)
    expect("readable", "traceq: \u00e9t\u00e9 \u65e5\u672c \U0001f600 \u0444.json: " in err.decode(), err)
    _, _, err = run(["top", "a\n::error::\u202e\x1bx"], folder)
    expect("shown", err.startswith(b"traceq: a\\n::error::\\u202e\\x1bx: "), err)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        named = make_inputs(folder)
        check_formats(folder)
        check_round_trip(folder, named)
        check_artifacts(folder)
        check_documents(folder)
        check_sinks(folder)
        check_files(folder)
        check_words(folder)
        check_readable(folder)
    for line in failures[:40]:
        print("FAIL", " ".join(line.split())[:300])
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
