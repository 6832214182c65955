"""Names that would like to be commands, markup or formats, wherever a chart shows one or is called
by one: what is drawn has them as they are, and nothing runs."""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import unicodedata
import xml.etree.ElementTree
import zlib

from charting.box import expect, run, TRACEQ

CANARY = "canary"
COMMAND = f"touch {CANARY}"
PIECES = ["'", '"', "`", "@", "\\", "$", "{", "}", "^", "_", "&", "~", "%", "#", "<", ">", "|",
          "]]>", "``", "''", '""', "\n", "\x1b[31m", "\u202e", "\u200b", "\uffff", "\U0001f525",
          "\u5185\u6838", "\u00e9\u0301", "@GPVAL_PWD", f"`{COMMAND}`", f"$({COMMAND})",
          f"\n!{COMMAND}\n", f"';system('{COMMAND}');'", "\\047", "%s", "%%", "2", "0", " a", "b "]
GIVEN = ["'lead", "@GPVAL_PWD", f"`{COMMAND}`", "x''y", "Array<256, 08>", "]]>", "a\\",
         "100% %g {/=90 x}", "ten letters " * 167]
FILES = [f"<{COMMAND};", f"|{COMMAND};", f"`{COMMAND}`", f"$({COMMAND})", "''odd'", "@GPVAL_PWD",
         "-", "~", "$data", '"a"\\', "50%d#{x}", "\U0001f525\u5185", "+"]
SHOWN_MAX = 28  # columns of a name that no chart cuts


def names_of(seed, count):
    """The given names, and others drawn from all pieces: none alike."""
    source = random.Random(seed)
    names = dict.fromkeys(GIVEN)
    while len(names) < count:
        names["".join(source.choices(PIECES, k=source.randint(1, 6))).strip() + "x"] = None
    return list(names)[:count]


def is_unsafe(ch):
    return unicodedata.category(ch) in ("Cc", "Cf") or ch in "\ufffe\uffff"


def shown(name):
    """One line: what steers is shown by its number; and no end of a section of XML."""
    known = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    text = "".join(ch if not is_unsafe(ch) else known.get(
        ch, f"\\x{ord(ch):02x}" if ord(ch) < 0x80 else f"\\u{ord(ch):04x}") for ch in name)
    return text.replace("]]>", "]] >")


def columns(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in text)


def draw(what, chart, paths, picture, where, **how):
    """A picture drawn without a word; SVG as its texts."""
    done = run([TRACEQ, "plot", chart, *map(str, paths), "-q", "-o", str(picture)], cwd=where, **how)
    file = pathlib.Path(where, picture)
    is_drawn = done.returncode == 0 and not done.stderr and file.exists()
    expect(what, is_drawn, f"{file.name!r}: {done.stderr.decode(errors='replace')}")
    if not is_drawn:
        return []
    data = file.read_bytes()
    if file.suffix != ".svg":
        expect(what, data.startswith((b"\x89PNG", b"%PDF")) and len(data) > 2000, file.name)
        return []
    try:
        root = xml.etree.ElementTree.fromstring(data)
    except xml.etree.ElementTree.ParseError as e:
        expect(what, False, f"{file.name!r} is no XML: {e}")
        return []
    return ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("}text")]


def redraw(what, picture):
    """The script that was kept, run by hand in its folder: the same picture and not a word."""
    before = picture.read_bytes() if picture.exists() else b""
    picture.unlink(missing_ok=True)
    done = run(["gnuplot", "-d", "./" + picture.stem + ".gp"], cwd=picture.parent)
    after = picture.read_bytes() if picture.exists() else b""
    # A PDF has its date; lanes, and flames as SVG, are drawn without gnuplot, for their titles.
    is_other = picture.suffix == ".pdf" or picture.name == "timeline-lanes.svg" or \
        picture.name.startswith("flame")
    is_same = len(after) > 0 if is_other else after == before
    expect(what, done.returncode == 0 and not done.stderr and is_same,
           f"{picture.name!r} again: {done.stderr.decode(errors='replace')}")


def written(value):
    return json.dumps(value, ensure_ascii=False)


def kernels(path, names):
    path.write_text(json.dumps({"traceEvents": [
        {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": 100 * i,
         "dur": 90 - i, "args": {"device": 0, "stream": 7}} for i, name in enumerate(names)]}))
    return path


def stages(path, names):
    path.mkdir()
    (path / "stage_times.json").write_text(written({
        "stage_times": {name: [1 + i / 10, 2] for i, name in enumerate(names)},
        "average_times": {name: 1.5 + i / 20 for i, name in enumerate(names)}, "total_steps": 2}))
    (path / "op_stats.csv").write_text(
        "Name,Self CPU Time (\u03bcs),CPU Time (\u03bcs),Self CUDA Time (\u03bcs),"
        "CUDA Time (\u03bcs),Count\n" +
        "".join('"%s",%d,30,5,5,1\n' % (name.replace('"', '""'), 20 - i)
                for i, name in enumerate(names)))
    return path


def log(path, names):
    path.write_text("".join(written({"step": i, **{name: i + k for k, name in enumerate(names)}})
                            + "\n" for i in range(5)))
    return path


def expect_names(what, chart, names, texts):
    """All that are short enough to be shown whole."""
    for name in names:
        text = shown(name)
        if columns(text.replace("]] >", "]]>")) <= SHOWN_MAX:
            expect(what, text in texts, f"{chart}: {text!r} is not among {texts[:40]}")


def check_three(folder):
    """The first puts a scanner that looks for quotes out of step, in such a folder; the third runs."""
    picture = folder / "it's three" / "a.svg"
    picture.parent.mkdir()
    path = kernels(picture.parent / "three.json", GIVEN[:3])
    texts = draw("hostile three", "top-kernels", [path], picture, folder / "work")
    expect_names("hostile three", "top-kernels", GIVEN[:3], texts)
    redraw("hostile three", picture)


def check_names(folder):
    """Every name is in its chart, in all formats, in a folder whose name would be a command."""
    plain = [n for n in names_of(9, 200) if n.isprintable() and not set(n) & set('"\\')]
    place = folder / "it's" / f"@GPVAL_PWD `{COMMAND}`"
    place.mkdir(parents=True)
    jobs = []
    for k in range(3 if os.environ.get("CHECK_ALL") else 1):
        names, keys = names_of(k, 15), plain[10 * k:10 * k + 10]
        jobs.append(("top-kernels", kernels(folder / f"k{k}.json", names), names))
        jobs.append(("top-cpu-ops", stages(folder / f"s{k}", names[5:]), names[5:]))
        jobs.append(("stage-bar", stages(folder / f"t{k}", keys), keys))
        jobs.append(("metric-series", log(folder / f"m{k}.jsonl", keys), keys))

    def one(job):
        chart, path, names = job
        for kind in ("svg", "png", "pdf"):
            picture = place / f"{path.stem}-{chart}.{kind}"
            texts = draw("hostile picture", chart, [path], picture, folder / "work")
            if kind == "svg":
                expect_names("hostile label", chart, names, texts)
                redraw("hostile script", picture)
    return [(one, job) for job in jobs]


def check_inputs(folder):
    """Names of inputs, which titles and bars show; columns of a table of runs."""
    place = folder / "inputs"
    place.mkdir()
    paths = [kernels(place / f"{name}.json", GIVEN) for name in FILES]
    runs = place / "runs.csv"
    runs.write_text("".join(",".join('"%s"' % cell.replace('"', '""') for cell in row) + "\n" for row in [
        ["date", "commit", "step_time_ms", *GIVEN[:5]],
        *[[f"2025-09-{i + 1:02d}", name, f"{60 + i}", *"12345"] for i, name in enumerate(FILES)]]))
    jobs = [(chart, paths, kind) for chart in ("execution-summary", "gpu-util", "top-kernels")
            for kind in ("svg", "png")]
    jobs += [("history", [runs], "svg"), ("history", [runs], "pdf")]

    def one(job):
        chart, of, kind = job
        texts = draw("hostile input", chart, of, folder / f"{chart}-{kind}.{kind}", folder / "work")
        if kind == "svg" and chart == "execution-summary":
            for name in FILES[:8]:
                expect("hostile input", any(shown(name) in t for t in texts), f"{name!r}: {texts}")
    return [(one, job) for job in jobs]


def check_files(folder):
    """Names of files: each is drawn, its script runs by hand, and nothing else comes to be."""
    path = kernels(folder / "files.json", GIVEN[:3])

    def one(job):
        i, name = job
        place = folder / f"files{i}"
        place.mkdir()
        kind = ("svg", "png", "pdf")[i % 3]
        draw("hostile file", "timeline", [path], f"./{name}.{kind}", place)
        redraw("hostile file", place / f"{name}.{kind}")
        draw("hostile file", "timeline", [path], f"{name}.svg", place) if name[0] != "-" else None
        left = {p.name for p in place.iterdir()}
        expect("hostile file", left <= {f"{name}.{s}" for s in ("gp", "dat", "svg", kind)}, left)
    return [(one, job) for job in enumerate(FILES)]


def check_environment(folder):
    """What is set for gnuplot by hand, and a program of its name in the folder of the picture."""
    path = kernels(folder / "environment.json", GIVEN[:3])
    place = folder / "environment"
    place.mkdir()
    (place / "gnuplot").write_text(f"#!/bin/sh\n{COMMAND}\n")
    (place / "gnuplot").chmod(0o755)
    rc = f"system '{COMMAND}'\n"
    (place / ".gnuplot").write_text(rc)
    plain = draw("environment", "timeline", [path], place / "plain.svg", folder / "work")
    given = {**os.environ, "GNUTERM": "nonsense", "GNUPLOT_LIB": str(place), "HOME": str(place),
             "FIT_SCRIPT": rc, "GDFONTPATH": str(place), "TMPDIR": "/nowhere", "LC_ALL": "nowhere",
             "GNUPLOT_DEFAULT_GDFONT": "x", "PATH": f":.:{os.environ['PATH']}"}
    same = draw("environment", "timeline", [path], place / "same.svg", folder / "work", env=given)
    expect("environment", plain and plain == same, f"{plain} {same}")
    done = run([TRACEQ, "plot", "timeline", str(path), "-q", "-o", str(place / "none.svg")],
               cwd=folder / "work", env={"PATH": ":.:bin"})
    expect("environment", done.returncode == 2 and b"gnuplot-nox" in done.stderr, done.stderr)


def pixels(path):
    """Rows of a PNG of 8 bits a channel, as lists of (r, g, b)."""
    data, at, body = path.read_bytes(), 8, b""
    wide = int.from_bytes(data[16:20], "big")
    channels = {2: 3, 6: 4}[data[25]]
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        body += data[at + 8:at + 8 + size] if data[at + 4:at + 8] == b"IDAT" else b""
        at += 12 + size
    raw, step = zlib.decompress(body), wide * channels
    before = bytearray(step)
    for start in range(0, len(raw), step + 1):
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + step])
        for i in range(step if kind else 0):
            left, up = row[i - channels] if i >= channels else 0, before[i]
            corner = before[i - channels] if i >= channels else 0
            by = [abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)]
            near = (left, up, corner)[by.index(min(by))]
            row[i] = row[i] + (0, left, up, (left + up) // 2, near)[kind] & 255
        yield [tuple(row[i:i + 3]) for i in range(0, step, channels)]
        before = row


def check_letters(folder):
    """Letters that the font does not have are small signs, not boxes as high as the page."""
    path = kernels(folder / "letters.json", ["\U0001f525 fire", "\U000120000 \u1200", "\u5185\u6838"])
    picture = folder / "letters.png"
    draw("letters", "top-kernels", [path], picture, folder / "work")
    runs, longest = [], 0
    for row in pixels(picture) if picture.exists() else []:
        runs = runs or [0] * len(row)
        runs = [n + 1 if max(p) < 0x80 else 0 for n, p in zip(runs, row)]
        longest = max(longest, max(runs))
    expect("letters", 5 < longest < 40, f"a stroke of {longest} pixels")


def check_report(folder):
    """The same names in the charts beside a report and inside of it."""
    path = kernels(folder / "report.json", names_of(7, 15))
    done = run([TRACEQ, "report", str(path), "-q", "-o", "it's.html", "--plots", f"@x `{COMMAND}`"],
               cwd=folder / "work")
    expect("hostile report", done.returncode == 0 and not done.stderr, done.stderr.decode())
    page = (folder / "work" / "it's.html").read_text(encoding="utf-8")
    inside = re.findall(r"<svg.*?</svg>", page, re.S)
    beside = [p.read_text(encoding="utf-8") for p in (folder / "work").rglob("*.svg")]
    expect("hostile report", len(inside) > 2 and len(beside) > 2, f"{len(inside)} {len(beside)}")
    for picture in inside + beside:
        try:
            xml.etree.ElementTree.fromstring(picture)
        except xml.etree.ElementTree.ParseError as e:
            expect("hostile report", False, f"no XML: {e}")


def check_all(folder):
    folder.mkdir()
    (folder / "work").mkdir()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = [pool.submit(one, job) for one, job in
                   check_names(folder) + check_inputs(folder) + check_files(folder)]
        waiting += [pool.submit(f, folder) for f in (check_three, check_environment,
                                               check_letters, check_report)]
        for w in waiting:
            w.result()
    found = [str(p) for p in folder.rglob(CANARY)]
    expect("hostile command", not found and not os.path.exists(CANARY), found)
