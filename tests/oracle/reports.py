#!/usr/bin/env python3
"""Reports: the documents' week-1 layout line for line, HTML that loads nothing and is well formed,
hostile names in every format, the same bytes for any number of threads; and where Chromium is
installed, pages as they are seen, printed, heard and sorted."""
import base64
import csv
import hashlib
import html
import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from reporting import browser, pages, snapshots

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
# batch: latency/sample ms, its deviation, peak GiB: the documents' example, and what lies between.
SIZES = {1: (25.34, 1.23, 2.31), 8: (11.02, .38, 2.74), 16: (9.31, .41, 3.21), 32: (8.76, .45, 4.15),
         64: (7.93, .52, 6.02), 128: (7.83, .55, 9.77)}
STATS = ["mean", "std", "min", "max", "median"]
VOID = {"meta", "link", "br", "hr", "img", "input"}
HOSTILE = ["<script>alert(1)</script>", "\"><img src=x onerror=y>", "](javascript:x)", "a|b`c`",
           "\x1b]0;x\x07", "\u202e\u200b", "</title></svg><h1>", "' onload='x"]

passed = 0
failures = []


def expect(what, is_true, why=""):
    global passed
    passed += 1
    if not is_true:
        failures.append(f"{what}: {why}")


def run(*argv, code=0):
    done = subprocess.run([TRACEQ, *map(str, argv)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    expect(" ".join(map(str, argv[:4])), done.returncode == code,
           f"exit {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode("utf-8")


def sweep():
    rows = []
    for batch, (ms, std, peak) in SIZES.items():
        sample, dev = ms / 1000, std / 1000
        pairs = {"latency_total": (sample * 100, dev * 100), "latency_per_sample": (sample, dev),
                 "latency_per_batch": (sample * batch, dev * batch),
                 "throughput_samples_per_sec": (1 / sample * 1.001, std / ms / sample),
                 "throughput_batches_per_sec": (1 / sample / batch, std / ms / sample / batch),
                 "cpu_mem_used": (12.5 + batch / 10, 1.5), "gpu_mem_used": (8.1 + batch / 2, .2),
                 "peak_gpu_mem": (peak * 1024, 0.0)}
        row = {f"{name}_{stat}": dict(zip(STATS, (m, s, m - s, m + s, m)))[stat]
               for name, (m, s) in pairs.items() for stat in STATS}
        rows.append({**row, "batch_size": batch, "num_samples": 100, "num_runs": 10})
    return rows


def results_folder(folder, model="qwen2"):
    folder.mkdir()
    rows = sweep()
    with open(folder / "detailed_metrics.csv", "w", newline="", encoding="utf-8") as f:
        writer = csv.DictWriter(f, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    metrics = {
        "model_info": {"model_type": model, "total_params": 494033920, "trainable_params": 494033920,
                       "param_size_mb": 1884.59, "buffer_size_mb": 0.0, "total_size_mb": 1884.59},
        "dataset_info": {"num_samples": 369475, "num_labels": 23, "sample_size_profiled": 1000},
        "batch_size_profiling": rows,
        "full_dataset_metrics": {"batch_size": 16, "accuracy": 0.9207, "f1_macro": 0.9101,
                                 "f1_weighted": 0.9199, "latency_total": 90.23,
                                 "latency_per_sample": 0.009137, "cpu_mem_used": 120.5,
                                 "throughput_samples_per_sec": 109.45, "gpu_mem_used": 1234.56,
                                 "peak_gpu_mem": 3456.78}}
    (folder / "baseline_metrics.json").write_text(json.dumps(metrics), encoding="utf-8")
    return rows, metrics


def seed_report(rows, m):
    """The script of the documents, as they write it."""
    model, data, full = m["model_info"], m["dataset_info"], m["full_dataset_metrics"]
    best = max(rows, key=lambda r: r["throughput_samples_per_sec_mean"])
    out = ["=" * 70, "WEEK 1: BASELINE PROFILING SUMMARY REPORT", "=" * 70, "",
           "MODEL INFORMATION", "-" * 70, f"Model: {model['model_type']}",
           f"Total Parameters: {model['total_params']:,} ({model['total_params'] / 1e6:.2f}M)",
           f"Model Size: {model['total_size_mb']:.2f} MB", "",
           "DATASET INFORMATION", "-" * 70, f"Total Samples: {data['num_samples']:,}",
           f"Number of Labels: {data['num_labels']}",
           f"Sample Size for Profiling: {data['sample_size_profiled']}", "",
           "FULL DATASET PERFORMANCE", "-" * 70, f"Batch Size: {full['batch_size']}",
           f"Accuracy: {full['accuracy']:.4f}", f"F1-Score (Macro): {full['f1_macro']:.4f}",
           f"F1-Score (Weighted): {full['f1_weighted']:.4f}", "", "Latency:",
           f"  Total: {full['latency_total']:.2f} seconds",
           f"  Per Sample: {full['latency_per_sample'] * 1000:.2f} ms", "",
           f"Throughput: {full['throughput_samples_per_sec']:.2f} samples/sec", "",
           "Memory Usage:", f"  CPU: {full['cpu_mem_used']:.2f} MB",
           f"  GPU: {full['gpu_mem_used']:.2f} MB", f"  Peak GPU: {full['peak_gpu_mem']:.2f} MB", "",
           "BATCH SIZE ANALYSIS", "-" * 70,
           f"Tested Batch Sizes: {[r['batch_size'] for r in rows]}",
           f"Optimal Batch Size (highest throughput): {best['batch_size']}"]
    for r in rows:
        out += ["", f"Batch Size {r['batch_size']}:",
                f"  Latency/sample: {r['latency_per_sample_mean'] * 1000:.2f} ± "
                f"{r['latency_per_sample_std'] * 1000:.2f} ms",
                f"  Throughput: {r['throughput_samples_per_sec_mean']:.2f} ± "
                f"{r['throughput_samples_per_sec_std']:.2f} samples/sec",
                f"  GPU Memory: {r['gpu_mem_used_mean']:.2f} ± {r['gpu_mem_used_std']:.2f} MB"]
    return out + ["", "=" * 70]


class Page(html.parser.HTMLParser):
    """Every element that is opened is closed; nothing refers to anything outside."""

    def __init__(self, text):
        super().__init__()
        self.open, self.bad, self.tags, self.text = [], [], set(), []
        self.feed(text)
        self.close()
        if self.open:
            self.bad.append(f"open at the end: {self.open}")

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            if name == "href" and value.startswith("#"):
                continue
            if name in ("src", "href", "action", "data", "srcset") or name.startswith("on"):
                self.bad.append(f"<{tag} {name}={value}>")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.bad.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.text.append(data)


def check_html(what, text):
    page = Page(text)
    expect(what + " well formed", not page.bad, str(page.bad[:3]))
    expect(what + " no foreign", not page.tags & {"img", "object", "link", "base", "form"}, str(page.tags))
    frames = re.findall(r"<iframe ([^>]*)", text)
    expect(what + " frames", all(re.fullmatch(r'sandbox="allow-scripts" title="[^"]*" data-page="[^"]*"', f)
                                 for f in frames), [f[:100] for f in frames])
    expect(what + " one script", text.count("<script") == 1 and "<script>(() => {" in text)
    expect(what + " loads nothing", not re.search(r"@import|url\(", text), "style loads something")
    expect(what + " dark", "prefers-color-scheme:dark" in text and "viewport" in text)
    expect(what + " clean", not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u200b]", text))


def check_pages(folder):
    """Numbers of pictures as people write them, names of lines apart; nothing is cut in print."""
    path = folder / "long.json"
    with open(path, "wb") as out:
        subprocess.run([FIXTURES, "healthy", "--steps", "30"], stdout=out, check=True)
    text = run("report", path, "-q", "--format", "html")
    labels = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="(\w+)">([^<]*)', text)
    tables = json.loads(run("kernels", path, "-q", "--json"))["tables"]
    most = max(r["kernels"] for t in tables if t["id"] == "durations" for r in t["rows"])
    expect("pictures numbers", most > 9999 and any(t == str(most) for *_, t in labels), most)
    expect("pictures numbers", not [t for *_, t in labels if re.search(r"\de\+", t)])
    x = {t: float(x) for x, _, anchor, t in labels if anchor == "end" and t in ("median", "p95")}
    expect("pictures names", len(x) == 2 and abs(x["median"] - x["p95"]) > 30, str(x))
    expect("names on phones", 'class="named" style="--n:4"' in text and '<th scope="col" class="e h">' in text,
           "a name beside its figures")
    sheet = text.split("@media print", 1)[1].split("</style>")[0]
    expect("print", ".scroll{overflow:visible}" in sheet and "white-space:pre-wrap" in sheet, sheet)


def hostile_trace(folder):
    path = folder / "hostile.json"
    with open(path, "wb") as out:
        subprocess.run([FIXTURES, "healthy", "--steps", "3", "--memory"], stdout=out, check=True)
    trace = json.loads(path.read_text(encoding="utf-8"))
    named = {}
    for e in trace["traceEvents"]:
        if e.get("cat") in ("kernel", "cpu_op") and e.get("name"):
            named.setdefault(e["name"], f"{HOSTILE[len(named) % len(HOSTILE)]} {len(named)}")
            e["name"] = named[e["name"]]
    path.write_text(json.dumps(trace), encoding="utf-8")
    return path


def check_hostile(folder):
    path = hostile_trace(folder)
    check_html("hostile", run("report", path, "-q", "--format", "html"))
    md = run("report", path, "-q", "--format", "md")
    expect("hostile md", not re.search(r"(?<!\\)\]\(", md), "a link")
    expect("hostile md", not re.search(r"(?<!\\)<(script|img|h1|/)", md), "HTML")
    for fmt in ("md", "txt"):
        text = run("report", path, "-q", "--format", fmt)
        expect("hostile " + fmt, not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u200b]", text))


def check_week1(folder):
    rows, metrics = results_folder(folder / "results")
    got = run("report", "--style", "week1", "--format", "seed", folder / "results", "-q").split("\n")
    want = seed_report(rows, metrics)
    expect("seed layout", got[:-1] == want,
           str([(g, w) for g, w in zip(got, want) if g != w][:3]) + f" {len(got)} {len(want)}")
    text = run("report", "--style", "week1", folder / "results", "-q")
    for line in ("494,033,920 (494.03 M)", "8.76 ± 0.45", "sweet spot 64", "highest: 128",
                 "7.930 ms at batch size 64", "NOT MET" if 1000 / 7.83 < 100 else "met"):
        expect("week1", line in text, line)
    check_html("week1", run("report", "--style", "week1", folder / "results", "-q", "--format",
                            "html"))
    # A folder may also hold a trace: the questions only it can answer are answered then.
    with open(folder / "results" / "trace.json", "wb") as out:
        subprocess.run([FIXTURES, "launch-bound"], stdout=out, check=True)
    text = run("report", "--style", "week1", folder / "results", "-q")
    expect("week1 trace", "not known" not in text.split("TARGETS")[0], "an open question")
    expect("week1 trace", "GPU utilisation" in text and "NOT MET" in text, "target of utilisation")


def inputs_by_style(folder):
    """What each style is about: traces of two sides, a results folder, a history."""
    base, new = folder / "same.json", folder / "same-new.json"
    for path, scenario in ((base, "multi-gpu"), (new, "copy-bound")):
        with open(path, "wb") as out:
            subprocess.run([FIXTURES, scenario, "--steps", "5"], stdout=out, check=True)
    history = folder / "nightly.csv"
    history.write_text("date,commit,step_time_ms\n" + "".join(
        f"2025-09-{i + 1:02d},c{i:04d},{64 + (i * 7919 % 101) / 200:.3f}\n" for i in range(28)),
        encoding="utf-8")
    return {"run": [base], "week1": [folder / "results"], "diff": [base, new],
            "nightly": [history]}


def check_same(folder):
    """Every style in every format: the same bytes again, for any number of threads."""
    for style, paths in inputs_by_style(folder).items():
        for fmt in ("txt", "md", "html"):
            argv = ["report", "--style", style, *paths, "-q", "--format", fmt]
            first = run(*argv, "-j", "1")
            expect(f"says something {style} {fmt}", len(first) > 300, first)
            for threads in ("1", "2", "4"):
                expect(f"same {style} {fmt}", run(*argv, "-j", threads) == first)


def check_without_gnuplot(folder):
    """The document is written, the gap is marked, the package is named, exit 2."""
    empty = folder / "empty-path"
    empty.mkdir()
    out = folder / "gap.md"
    done = subprocess.run([TRACEQ, "report", str(folder / "same.json"), "-q", "-o", str(out),
                           "--plots", str(folder / "gap-plots")], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env={"PATH": str(empty)})
    text = out.read_text(encoding="utf-8") if out.exists() else ""
    expect("no gnuplot exit", done.returncode == 2, done.returncode)
    expect("no gnuplot says", b"gnuplot-nox" in done.stderr, done.stderr.decode())
    expect("no gnuplot rest", "Where a step goes" in text and "Findings" in text, text[:200])
    expect("no gnuplot gap", "chart step-ledger is missing" in text, text[-400:])
    # Lanes are drawn without it.
    kept = {p.suffix for p in (folder / "gap-plots").iterdir() if p.name != "timeline-lanes.svg"}
    expect("no gnuplot scripts", kept == {".gp", ".dat"}, str(kept))


# Real traces, where they are: one device that is idle, two sides of a change.
REAL = [("run", ["tl_h100_bert"]), ("diff", ["tb_resnet50_nw0_a", "tb_resnet50_nw4_a"])]


def real_pages():
    traces = pathlib.Path(os.environ.get("SHARED", "/nowhere")) / "traces"
    for style, names in REAL:
        paths = [traces / f"{name}.json.gz" for name in names]
        if all(p.exists() for p in paths):
            yield style, paths


def check_seen(folder):
    """Every style as Chromium shows, prints and works it; the first page has a contents list."""
    lacks = browser.missing()
    if lacks:
        print(f"skip reports: no {lacks} to look at pages")
        return
    styles = inputs_by_style(folder)
    hostile = hostile_trace(folder)
    made = []
    for style, paths in [*styles.items(), ("run", [hostile]), ("run", styles["week1"]),
                         ("diff", [styles["diff"][0], hostile]), *real_pages()]:
        path = folder / f"seen{len(made)}.html"
        run("report", "--style", style, *paths, "-q", "-o", path)
        made.append((f"{style} {paths[-1].name}", path))
    pages.check(expect, folder, made)


def shell_words(line):
    """As bash reads them."""
    done = subprocess.run(["bash", "-c", "printf '%s\\0' " + line], stdout=subprocess.PIPE, check=True)
    return done.stdout.split(b"\0")[:-1]


def check_origin(folder):
    """The header: the date is the trace's, the command line makes the same page again, the script
    is the one that the policy allows."""
    path = folder / "it's $(a) run.json"
    path.write_bytes((folder / "same.json").read_bytes())
    out = folder / "origin.html"
    run("report", path, "-q", "-j", "2", "--title", "a <b>", "-o", out)
    text = out.read_text(encoding="utf-8")
    info = json.loads(run("info", path, "-q", "--json"))["tables"]
    start = next(t["rows"][0]["start_utc"] for t in info if t["id"] == "trace")
    expect("origin date", f"<dt>recorded</dt><dd>{start[:10]} {start[11:19]} UTC</dd>" in text, start)
    used = [r["name"] for t in info if t["id"] == "gpus" for r in t["rows"] if r["device_events"]]
    expect("origin devices", len(used) > 1 and len(set(used)) == 1 and
           f"<dd>{len(used)} x {used[0]}</dd>" in text, used)
    expect("origin title", "<title>a &lt;b&gt;: it&#39;s $(a) run</title>" in text,
           re.search("<title>.*", text).group())
    version = run("version").split()[1]
    expect("origin version", f"<dd>traceq {version}</dd>" in text, version)
    line = html.unescape(re.search("<code>(.*?)</code>", text).group(1))
    words = [w.decode() for w in shell_words(line)]
    expect("origin command", words == ["traceq", "report", str(path), "--title", "a <b>", "-o", str(out)],
           words)
    out.unlink()
    run(*words[1:], "-q")
    expect("origin command again", out.read_text(encoding="utf-8") == text)
    script = re.search("<script>(.*?)</script>", text, re.S).group(1)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    expect("origin policy", f"script-src 'sha256-{digest}'" in text, digest)


def check_out_of_memory(folder):
    """A snapshot that ran out of memory: that first, with what was asked, what there was and who held it."""
    history = snapshots.training(name=HOSTILE[0] + HOSTILE[1])
    history.write(folder / "oom.pickle")
    held, at = {}, (history.entries[-1]["time_us"] - history.entries[0]["time_us"]) / 1000
    for size, frames in history.held.values():
        place = next(f for f in frames if "torch/" not in f["filename"])
        key = f"{place['name']} ({place['filename']}:{place['line']})"
        held[key] = held.get(key, 0) + size
    most = max(held, key=held.get)
    text = " ".join(run("report", folder / "oom.pickle", "-q").split())
    head = text.index("ANSWER: OUT OF MEMORY")
    expect("oom first", 0 < head < text.index("MEMORY --", head + 30), text[:300])
    expect("oom says", f"GPU 0 ran out of memory at {at:.2f} ms: 4.00 GiB asked in" in text
           and f"{(history.capacity - history.reserved) / 2**30:.2f} GiB free on the GPU" in text, text[head:head + 300])
    expect("oom reserved", f"reserved {history.reserved / 2**30:.2f} GiB, of which {history.total / 2**30:.2f} GiB"
           " allocated" in text, text[head:head + 600])
    expect("oom holder", f"{most} {held[most] / 2**30:.2f} GiB {100 * held[most] / history.total:.1f}%" in text,
           text[head:])
    expect("oom action", "what to do Hold less" in text, text[head:])
    run("report", folder / "oom.pickle", "-o", folder / "oom.html", "-q")
    page = (folder / "oom.html").read_text(encoding="utf-8")
    expect("oom picture", page.count("<svg") == 1 and "limit: 14.00 GiB" in page
           and "out of memory: 4.00 GiB asked" in page, page.count("<svg"))
    expect("oom hostile", "<img" not in page and page.count("<script") == 1, "markup of a name")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_week1(folder)
        check_pages(folder)
        check_hostile(folder)
        check_same(folder)
        check_without_gnuplot(folder)
        check_origin(folder)
        check_out_of_memory(folder)
        check_seen(folder)
    for line in failures[:40]:
        print("FAIL", " ".join(line.split())[:300])
    print(f"{passed - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
