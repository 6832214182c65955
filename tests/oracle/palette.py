#!/usr/bin/env python3
"""Pictures can be read by everybody: each chart is drawn, light and dark, and what stands in its script and
its SVG is measured. Letters are 4.5 to 1 from their ground and marks 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11);
colours that stand in one panel are told apart with any of the three deficiencies; each chart says its title,
its source, its units and, of a trace, its day; no label leaves the picture or lies on another."""
import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from charting.box import checked, expect, failures, FIXTURES, run, texts_of, TRACEQ
from charting.colours import CUES, apart, contrast

# A just noticeable difference of CIEDE2000 is some 2; 9 is told apart at a glance, as swatch of a key and bar.
# Shades of one hue mean an order, as the key has it, and are told by that: 6.
APART, APART_SHADES = 9, 6
LETTERS, MARKS = 4.5, 3
PAPER = {"light": "#ffffff", "dark": "#161a1f"}
COUNTS = {"launches in the queue", "kernels", "how many", "steps", "tokens, all steps", "samples", "calls per step",
          "who waits", "batch size", "step", "run", "row", "count"}


def palette_of(script):
    return dict(re.findall(r"\b([cli]_\w+) = '(#[0-9a-f]{6})'", script))


def check_palette(theme, colour):
    paper = colour["c_paper"]
    expect("paper", paper == PAPER[theme], paper)
    for name in ("c_text", "c_faint"):
        expect(f"{theme} {name}", contrast(colour[name], paper) >= LETTERS, colour[name])
    names = [n[2:] for n in colour if n.startswith("i_")]
    expect("palette", len(names) == 21, str(names))
    for name in names:
        mark, letters, ink = (colour[k + name] for k in ("c_", "l_", "i_"))
        expect(f"{theme} mark {name}", contrast(mark, paper) >= MARKS, f"{mark} {contrast(mark, paper):.2f}")
        expect(f"{theme} letters {name}", contrast(letters, paper) >= LETTERS,
               f"{letters} {contrast(letters, paper):.2f}")
        expect(f"{theme} ink {name}", contrast(ink, mark) >= LETTERS, f"{ink} on {mark}")


def check_heat(theme, script):
    """Numbers in the cells of heat maps, at each hundredth of their scale."""
    steps = [re.search(rf"^c_heat{i} = '(#\w+)'", script, re.M)[1] for i in range(5)]
    low, high, turn = re.search(r"l_low = '(#\w+)'; l_high = '(#\w+)'; turn = ([\d.]+)", script).groups()
    for percent in range(101):
        i = min(percent // 25, 3)
        part = percent / 25 - i
        mixed = "#" + "".join(f"{round(int(steps[i][k:k + 2], 16) * (1 - part) + int(steps[i + 1][k:k + 2], 16) * part):02x}"
                              for k in (1, 3, 5))
        letters = high if percent / 100 >= float(turn) else low
        expect(f"{theme} numbers in cells", contrast(letters, mixed) >= LETTERS, f"{letters} on {mixed}, {percent} %")


def panels_of(commands):
    """For each panel what it is drawn with: colours of marks, and whether a mark has another cue than its colour."""
    for plot in re.findall(r"^plot (.*(?:\\\n.*)*)", commands, re.M):
        marks = {}
        for part in plot.split("\\\n"):
            used = re.findall(r"lc rgb [cd]_(\w+)", part)
            is_cued = " dt " in part or "notitle" in part and "with" in part and "box" not in part
            for name in used:
                marks[name] = marks.get(name, True) and is_cued
        yield marks


def check_neighbours(what, commands, colour, seen):
    """Whichever two stand in one panel."""
    for marks in panels_of(commands):
        for a, b in itertools.combinations(sorted(marks), 2):
            if "black" in (a, b) or "paper" in (a, b) or (marks[a] and marks[b]):
                continue
            if (colour["c_" + a], colour["c_" + b]) in seen:
                continue
            seen.add((colour["c_" + a], colour["c_" + b]))
            least = APART_SHADES if a.startswith("shade") and b.startswith("shade") else APART
            for sight in CUES:
                found = apart(colour["c_" + a], colour["c_" + b], sight)
                expect("neighbours", found >= least, f"{what}: {a} and {b} are {found:.1f} apart, {sight}")


def texts_in(svg):
    """Text, its size, its colour, where it begins and ends, and its line; None for what is written upwards."""
    for at, colour, font, weight, size, anchor, text in re.findall(
            r"""<g transform="([^"]*)" stroke="none" fill="([^"]*)" font-family="([^"]*)"( font-weight="bold")? """
            r"""font-size="([\d.]+)"\s+text-anchor="(\w+)">\s*<text>(.*?)</text>""", svg, re.S):
        x, y = map(float, re.search(r"translate\(([-\d.]+),([-\d.]+)\)", at).groups())
        text = re.sub(r"<[^>]*>", "", text).strip()
        plain = re.sub(r"&\w+;", "x", text)
        rgb = re.findall(r"\d+", colour)
        wide = 0.5 * float(size) * len(plain)
        left = x - {"start": 0, "middle": 0.5, "end": 1}[anchor] * wide
        box = None if "rotate" in at else (left, y - 0.7 * float(size), left + wide, y)
        yield {"text": text, "font": font, "is_bold": bool(weight), "box": box,
               "fill": "#%02x%02x%02x" % tuple(map(int, rgb[:3])) if len(rgb) >= 3 else colour}


def meets(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > 2 and min(a[3], b[3]) - max(a[1], b[1]) > 2


def check_places(what, texts, width, height):
    boxes = [t for t in texts if t["box"] and t["text"]]
    for t in boxes:
        left, top, right, bottom = t["box"]
        expect("in the picture", left >= -2 and top >= -2 and right <= width + 2 and bottom <= height + 2,
               f"{what}: {t['text']!r} at {t['box']}")
    for a in boxes:
        over = [b["text"] for b in boxes if b is not a and meets(a["box"], b["box"])]
        expect("labels apart", not over, f"{what}: {a['text']!r} and {over}")


def check_words(what, svg, texts, title, wanted):
    """Title, source, date, units."""
    said = [t["text"] for t in texts]
    expect("title", title.split(":")[0].split(" ")[0] in " ".join(t["text"] for t in texts if t["is_bold"]),
           f"{what}: {title!r} not in {said[:4]}")
    expect("source", any(wanted["source"] in t for t in said), f"{what}: {wanted['source']} not in {said[-4:]}")
    if wanted["date"]:
        expect("date", any(re.search(r"\b20\d\d-\d\d-\d\d\b", t) for t in said), what)
    expect("fonts", {t["font"] for t in texts} == {"sans-serif"}, f"{what}: {({t['font'] for t in texts})}")
    expect("no serif", "serif" not in svg.replace("sans-serif", ""), what)


def check_units(what, script):
    texts, commands = texts_of(script)
    labels = [texts[t] for t in re.findall(r"^set (?:x|y|cb)label (\S+) ", commands, re.M)]
    ranged = [t for t in labels if re.search(r"\([^()]+\)$", t)]
    expect("units", ranged or any(t in COUNTS or "share" in t for t in labels) or "heatmap" in what
           or what.split()[0] in ("metric-series", "history"), f"{what}: {labels}")


def check_chart(chart, title, wanted, folder, seen):
    for theme in PAPER:
        svg = folder / f"{chart}-{theme}.svg"
        what = f"{chart} {theme}"
        done = run([TRACEQ, "plot", chart, *wanted["paths"], "-q", "--theme", theme, "-o", str(svg)])
        expect("drawn", done.returncode == 0, f"{what}: {done.stderr.decode()}")
        if done.returncode:
            return
        script = svg.with_suffix(".gp").read_text()
        colour = palette_of(script)
        if (theme, "palette") not in seen:
            seen.add((theme, "palette"))
            check_palette(theme, colour)
            check_heat(theme, script)
        _, commands = texts_of(script)
        check_neighbours(what, commands, colour, seen)
        check_units(what, script)
        picture = svg.read_text(encoding="utf-8")
        if chart == "timeline-lanes" or chart.startswith("flame"):
            check_own(what, picture, wanted)
            continue
        texts = list(texts_in(picture))
        check_words(what, picture, texts, title, wanted)
        for t in texts:
            expect("letters", contrast(t["fill"], PAPER[theme]) >= LETTERS or t["fill"] in ("#ffffff", "#000000"),
                   f"{what}: {t['text']!r} is {t['fill']}")
        _, _, width, height = map(float, re.search(r'viewBox="([^"]*)"', picture)[1].split())
        check_places(what, texts, width, height)


def check_own(what, picture, wanted):
    """Pictures that are drawn without gnuplot have their colours in a style."""
    root = xml.etree.ElementTree.fromstring(picture)
    said = [e.text or "" for e in root.iter() if e.tag.endswith("}text")]
    expect("title", said and said[0], f"{what}: {said[:3]}")
    expect("source", any(wanted["source"] in t for t in said[:3]), f"{what}: {said[:3]}")
    expect("date", not wanted["date"] or any(re.search(r"20\d\d-\d\d-\d\d", t) for t in said[:3]), what)
    for rule in re.findall(r"--bg:(#\w+)([^}]*)", picture):
        for mark, ink in re.findall(r"--c\d+:(#\w+);--i\d+:(#\w+)", rule[1]):
            expect("own marks", contrast(mark, rule[0]) >= MARKS and contrast(ink, mark) >= LETTERS,
                   f"{what}: {mark} {ink} on {rule[0]}")
    expect("own fonts", "sans-serif" in picture and "serif" not in picture.replace("sans-serif", ""), what)


def check_page(folder, path):
    """A report has both palettes, and paper's."""
    page = folder / "page.html"
    done = run([TRACEQ, "report", path, "-q", "-o", str(page)])
    expect("page", done.returncode == 0, done.stderr.decode())
    text = page.read_text(encoding="utf-8")
    grounds = ["#ffffff", "#16181c", "#ffffff"]
    rules = re.findall(r"\{x:0((?:;--[ci]\d+:#\w+)+)", text)
    expect("page palettes", len(rules) == 3, len(rules))
    for ground, rule in zip(grounds, rules):
        for mark, ink in re.findall(r"--c\d+:(#\w+);--i\d+:(#\w+)", rule):
            expect("page marks", contrast(mark, ground) >= MARKS and contrast(ink, mark) >= LETTERS,
                   f"{mark} {ink} on {ground}")


def inputs(folder):
    """Inputs by what is drawn of them."""
    def write(name, *argv):
        with open(folder / name, "wb") as out:
            subprocess.run([FIXTURES, *argv], stdout=out, check=True)
        return str(folder / name)

    subprocess.run([FIXTURES, "multi-rank", "--all-ranks", str(folder / "job"), "--world", "4", "--ep", "2",
                    "--steps", "3", "--slow-rank", "1", "--slow-by", "input"], check=True)
    (folder / "leak.csv").write_text("step,allocated_gb,loss\n" + "".join(
        f"{i},{3 + i / 40},{3 / (1 + i)}\n" for i in range(80)))
    (folder / "runs.csv").write_text("date,commit,step_time_ms\n" + "".join(
        f"2025-{9 + i // 28:02d}-{i % 28 + 1:02d},c{i:04d},{64 + i % 3 + 6 * (i > 20)}\n" for i in range(40)))
    return [
        ("healthy.json", [write("healthy.json", "healthy", "--steps", "3", "--memory")], True),
        ("copy.json", [write("copy.json", "copy-bound", "--steps", "3")], True),
        ("job/", [str(folder / "job")], True),
        ("healthy.json", [str(folder / "healthy.json"), str(folder / "copy.json")], False),
        ("sweep.csv", [write("sweep.csv", "artifact", "sweep-csv")], False),
        ("smi.csv", [write("smi.csv", "artifact", "smi-long", "--rows", "400")], True),
        ("score.json", [write("score.json", "artifact", "score-distribution")], False),
        ("mt.json", [write("mt.json", "artifact", "memory-timeline")], False),
        ("x.folded", [write("x.folded", "artifact", "folded")], False),
        ("leak.csv", [str(folder / "leak.csv")], False),
        ("runs.csv", [str(folder / "runs.csv")], True)]


def main():
    if not shutil.which("gnuplot"):
        print("skip palette: gnuplot is not installed")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    drawn, seen = set(), set()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for source, paths, has_date in inputs(folder):
            listed = run([TRACEQ, "plot", "--list", "-q", *paths]).stdout.decode()
            for line in listed.splitlines():
                is_there, chart, title = line.split(None, 2)
                if chart in drawn or (is_there != "yes" and not (chart == "history" and source == "runs.csv")):
                    continue
                drawn.add(chart)
                out = folder / "charts"
                out.mkdir(exist_ok=True)
                check_chart(chart, title.split(": it is")[0],
                            {"source": source, "paths": paths, "date": has_date}, out, seen)
        check_page(folder, str(folder / "healthy.json"))
        # All but those that need an execution trace, or two sides whose digests the store has.
        expect("charts", len(drawn) >= 53, f"{len(drawn)}: {sorted(drawn)}")
    for line in failures[:60]:
        print("FAIL", " ".join(line.split())[:300])
    print(f"{sum(checked.values()) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
