"""Flame graphs as pages: layers as one, waiting threads hidden and callers and callees of a name, each
computed here from the trace's own calls a second way."""
import collections
import json
import re

from reporting.worked import HOSTILE, KEY, TYPE, expect, run, table, unpack

SHOWN = """const b = page.boxes;
return [...b.x].map((x, i) => [b.row[i], x, b.length[i], b.names[b.name[i]], b.names_of_rows])"""
LAYERS = 6
HOSTILE_LAYER = HOSTILE + "Block_"
WAITS = ("tqdm/_monitor.py(69): run", "threading.py(589): wait", "queue.py(154): get")


def calls():
    """(thread, category, name, from, us): a model of layers, two threads that wait, one that also works."""
    out = [(1, "user_annotation", "train", 0, 10000), (1, "user_annotation", "Head_0", 9000, 500)]
    for i in range(LAYERS):
        at, long = 100 + 1000 * i, 300 + 100 * i
        out += [(1, "user_annotation", f"encoder.layer.{i}", at, long),
                (1, "user_annotation", f"{HOSTILE_LAYER}{i}", at + 10, 100 + 10 * i),
                (1, "cpu_op", f"aten::conv{i % 3 + 1}d", at + 10, 20 + i),
                (1, "cpu_op", "aten::mm", at + 180, 70 + i)]
    out += [(1, "cpu_op", "aten::mm", 8000, 400), (1, "user_annotation", "encoder.layer.0", 8500, 300),
            (1, "user_annotation", "encoder.layer.0", 8510, 100)]
    for thread, name in ((2, WAITS[0]), (3, WAITS[2])):
        out += [(thread, "python_function", "threading.py(930): _bootstrap", 0, 10000),
                (thread, "python_function", name, 1, 9990)]
    return out + [(2, "python_function", WAITS[1], 2, 9980), (4, "python_function", WAITS[2], 0, 5000),
                  (4, "python_function", "loader.py(7): work", 5000, 900)]


def write(path):
    events = [{"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": thread, "ts": at, "dur": dur, "args": {}}
              for thread, cat, name, at, dur in calls()]
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}), encoding="utf-8")


def paths(merge, hide):
    """Own time by path; names of layers as one where several meet below a path."""
    spans = [(thread, at * 1000, (at + dur) * 1000, name) for thread, _, name, at, dur in calls()
             if not (hide and thread in (2, 3))]
    spans.sort(key=lambda s: (s[0], s[1], -s[2]))
    own, stack = collections.Counter(), []
    for thread, at, end, name in spans:
        while stack and (stack[-1][0] != thread or stack[-1][1] <= at):
            stack.pop()
        way = stack[-1][2] if stack else (("(2 waiting threads)",) if thread in (2, 3) else ())
        if stack:
            own[way] -= end - at
        own[(*way, name)] += end - at
        stack.append((thread, end, (*way, name)))
    return merged(own) if merge else own


def folded(name):
    return re.sub(r"(layer\.|Block_|Head_)\d+", r"\1*", name)


def merged(own):
    out, names = collections.Counter(), collections.defaultdict(set)
    for way, ns in own.items():
        key = tuple(map(folded, way))
        out[key] += ns
        for i, name in enumerate(way):
            names[key[:i + 1]].add(name)
    def said(key):
        return tuple(next(iter(names[key[:i + 1]])) if len(names[key[:i + 1]]) == 1 else k for i, k in enumerate(key))
    return collections.Counter({said(key): ns for key, ns in out.items()})


def totals(own):
    out = collections.Counter()
    for way, ns in own.items():
        for i in range(len(way) + 1):
            out[way[:i]] += ns
    return out


def laid(own):
    """Boxes as a flame graph lays them: the widest to the left."""
    total, below, out = totals(own), collections.defaultdict(list), []
    for way in total:
        if way:
            below[way[:-1]].append(way)
    def put(way, at):
        out.append((len(way), at, total[way], way[-1] if way else "all"))
        for child in sorted(below[way], key=lambda p: (-total[p], p[-1])):
            put(child, at)
            at += total[child]
    put((), 0)
    return sorted(out)


def around(own, name):
    """Of a name, sums by path: of its callers, outermost last, and of what it calls."""
    callers, callees = collections.Counter(), collections.Counter()
    for way, ns in own.items():
        if name not in way:
            continue
        at = way.index(name)
        for i in range(at + 1):
            callers[tuple(reversed(way[at - i:at]))] += ns
        for i in range(at + 1, len(way) + 1):
            callees[way[at + 1:i]] += ns
    return callers, callees


def check_data(folder):
    trace, out = folder / "quiet.json", folder / "quiet.html"
    write(trace)
    for merge in (True, False):
        for hide in (True, False):
            rows = table("frames", "stacks", trace, "--order", "merged", "--narrowest", "50000", "-n", "0",
                         *([] if merge else ["--no-merge-layers"]), "--waits", "hidden" if hide else "apart")
            got = sorted((r["depth"], r["at_ns"], r["total_ns"], r["name"]) for r in rows)
            want = laid(paths(merge, hide))
            expect(f"quiet frames {merge} {hide}", got == want, [p for p in zip(got, want) if p[0] != p[1]][:2])
            expect(f"quiet threads {hide}", rows[0]["waiting_threads"] == 2 * hide, rows[0])
    run("plot", "flame", trace, "-o", out, "-q")
    head, boxes = unpack(out.read_text(encoding="utf-8"))
    expect("quiet page", sorted(b[:4] for b in boxes) == laid(paths(False, False)), "not all of it")
    expect("quiet switches", head["threads"] == 2 and len(head["layers"]) == 2 * LAYERS + 1, head["layers"])
    waiting = sorted(b[3] for b in boxes if head["series_of"][[s["title"] for s in head["series_of"]].index(b[4])]["waits"])
    expect("quiet waits", waiting == sorted(["(2 waiting threads)", "threading.py(930): _bootstrap", *WAITS]), waiting)
    run("plot", "flame-chart", trace, "-o", folder / "quiet-chart.html", "-q")
    for chart, said in (("flame", "24 frames of layers that differ in a number are 6; 2 threads that only wait are not shown"),
                        ("flame-chart", "2 threads that only wait are not shown")):
        picture = folder / f"{chart}.svg"
        run("plot", chart, trace, "-o", picture, "-q")
        text = picture.read_text(encoding="utf-8")
        expect(f"quiet {chart} says", said in text, re.findall(r"[^<>]*thread[^<>]*", text)[:3])
        expect(f"quiet {chart} hides", WAITS[0] not in text and "loader.py(7): work" in text, "a monitor")
    run("plot", "flame-diff", trace, trace, "-o", folder / "quiet-diff.html", "-q")
    text = (folder / "quiet-diff.html").read_text(encoding="utf-8")
    expect("quiet diff says", "24 frames of layers that differ in a number are 6; 2 threads that only wait are not shown"
           in text, re.findall('<p class="note">[^<]*', text))
    return out


def shown(w):
    return sorted(tuple(b[:4]) for b in w.b.ask(SHOWN))


def by_row(boxes):
    sums = collections.defaultdict(collections.Counter)
    for row, _, length, name in boxes:
        sums[row][name] += length
    return sums


def check_around(w, name, merge):
    """In each row each name has the sum of all paths that end in it there."""
    w.does(TYPE, re.escape(name))
    w.does(KEY, "n")
    w.does(TYPE, "")
    said = w.does(KEY, "c")
    callers, callees = around(paths(merge, True), name)
    high = max(map(len, callers))
    want = collections.defaultdict(collections.Counter)
    for way, ns in callers.items():
        if way:
            want[high - len(way)][way[-1]] += ns
    for way, ns in callees.items():
        want[high + len(way)][way[-1] if way else name] += ns
    boxes = shown(w)
    w.expect(f"around {name}", by_row(boxes) == want, f"{by_row(boxes)} {want}"[:250])
    left = [(row, x, x + long) for row, x, long, _ in boxes]
    w.expect(f"around {name} apart", all(a[0] != b[0] or a[2] <= b[1] for a, b in zip(left, left[1:])), left)
    w.expect(f"around {name} says", said[3].startswith("callers above, callees below; Escape: back to all")
             and said[1].startswith("all: "), said[3])
    w.does(KEY, "Escape")


def check_worked(b, w, folder):
    b.open(folder / "quiet.html", 1280)
    w.settle()
    forms = b.ask("return [...document.querySelectorAll('.bar label')].map(l => l.textContent)")
    w.expect("switches", forms == [f"merge layers ({2 * LAYERS + 1} names)", "hide waiting threads (2)"], forms)
    for merge, hide, click in ((True, True, None), (False, True, "layers"), (False, False, "waits"),
                               (True, False, "layers"), (True, True, "waits")):
        if click:
            w.does(f"document.getElementById('{click}').click()")
        want = laid(paths(merge, hide))
        w.expect(f"boxes {merge} {hide}", shown(w) == want, [p for p in zip(shown(w), want) if p[0] != p[1]][:2])
    for name in ("aten::mm", "encoder.layer.*", HOSTILE_LAYER + "*"):
        check_around(w, name, True)
    w.expect("back", shown(w) == laid(paths(True, True)), "not all of it")
    w.does("document.getElementById('layers').click()")
    check_around(w, "encoder.layer.0", False)
    w.does("document.getElementById('layers').click()")
    w.does(KEY, "Escape")
    w.expect("nothing chosen", "choose a box first" in w.does(KEY, "c")[3], "a name")
    w.does(TYPE, "aten::mm")
    w.does(KEY, "n")
    w.does("document.getElementById('callers').click()")
    w.expect("button", b.ask("return document.getElementById('callers').getAttribute('aria-pressed')") == "true", "off")
    w.does("document.getElementById('callers').click()")
    w.does(KEY, "Escape")
    w.expect("button back", shown(w) == laid(paths(True, True)), "not all of it")
    w.expect("console", not b.complaints(), "a line")
    w.expect("images", b.ask("return document.images.length") == 0, "an image")
    b.open(folder / "quiet-chart.html", 1280)
    w.settle()
    names = {box[3] for box in shown(w)}
    w.expect("chart hides", "loader.py(7): work" in names and not names & set(WAITS[:2]), names)
    w.does("document.getElementById('waits').click()")
    names = {box[3] for box in shown(w)}
    w.expect("chart shows", names >= set(WAITS) and len(shown(w)) == len(calls()) + 4, names)
    w.expect("chart console", not b.complaints(), "a line")
