"""The page of a memory snapshot's blocks: against an allocator that knows what it did."""
import collections
import re

from reporting import probes, snapshots
from reporting.worked import (HOSTILE, INK, KEY, POINTER, TYPE, WHEEL, Worked, check_policy, expect, run,
                              unpack, zoom_steps)

LEFT = 2  # never freed
TALL = """const c = document.getElementById('canvas'), at = c.getBoundingClientRect();
c.dispatchEvent(new WheelEvent('wheel', {deltaY: arguments[0], clientX: at.left + 300, shiftKey: true,
  clientY: at.top + 400, bubbles: true, cancelable: true}));"""


def owner(frames):
    """The innermost frame that is not PyTorch's, as the program says it."""
    f = next(f for f in frames if "torch/" not in f["filename"])
    return f"{f['name']} ({f['filename']}:{f['line']})"


def words(size):
    for by, unit in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= by:
            return f"{size / by:#.4g} {unit}"
    return f"{size} B"


def page_of(history, folder, name):
    history.write(folder / f"{name}.pickle")
    out = folder / f"{name}.html"
    run("plot", "memory-curve", folder / f"{name}.pickle", "-o", out, "-q")
    text = out.read_text(encoding="utf-8")
    check_policy(name, text)
    return text


def check_blocks(history, text):
    """Each block is there, from when to when it was allocated, with its size, owner and stack."""
    head, boxes = unpack(text)
    first, last = history.entries[0]["time_us"], history.entries[-1]["time_us"]
    want = collections.Counter()
    lives = [(begin, end, size, frames) for begin, end, size, frames in history.lives]
    lives += [(history.begun[addr], None, size, frames) for addr, (size, frames) in history.held.items()]
    for begin, end, size, frames in lives:
        stack = ";".join(f"{f['name']} ({f['filename']}:{f['line']})" for f in reversed(frames))
        want[((begin - first) * 1000, ((end or last) - begin) * 1000, f"{owner(frames)}\n{stack}",
              0 if end else LEFT, size)] += 1
    got = collections.Counter((b[1], b[2], b[3], b[5], b[6]) for b in boxes)
    expect("memory blocks", got == want, f"{len(got)} of {len(want)}: {list((want - got).items())[:1]}"
           f" {list((got - want).items())[:1]}")
    curve = head["curves"][0]
    expect("memory curve", max(curve["y"]) == max(v for _, v in history.truth), "the peak of allocated")
    lines = [(line["title"], line["at"], line["upright"]) for line in head["lines"]]
    expect("memory lines", lines == [("out of memory: 4.00 GiB asked", (last - first) * 1000, True),
                                     ("limit: 14.00 GiB", history.capacity, False)], lines)


def check_data(folder):
    history = snapshots.training()
    check_blocks(history, page_of(history, folder, "memory"))
    hostile = snapshots.training(layers=2, steps=1, name=HOSTILE, capacity=2 << 10)
    text = page_of(hostile, folder, "hostile-memory-curve")
    expect("memory hostile", "alert(" not in re.sub(r"alert\([123]\)", "", text) and "<img" not in text, "markup")
    many = snapshots.training(layers=60, steps=30, small=32, capacity=200 << 10, fail=False)
    text = page_of(many, folder, "memory-many")
    expect("memory many", len(unpack(text)[1]) > 50000 and len(text) < 15 << 20, f"{len(text)} bytes")


def check_hands(w, history):
    """What is held when memory ran out, at the peak, where it was clicked; zoom, search, area."""
    held = collections.Counter()
    for size, frames in history.held.values():
        held[owner(frames)] += size
    total = sum(held.values())
    _, where, _, _, over, rows = w.settle()
    w.expect("begins with all", where.startswith("all: "), where)
    w.expect("what was held", re.fullmatch(rf"held at [\d.]+ ms \(out of memory: 4.00 GiB asked\): {words(total)} in "
                                           rf"{len(history.held)} blocks, {len(held)} places", over), over)
    first = held.most_common(1)[0]
    w.expect("by whom", rows[0][0] == words(first[1]) and rows[0][3] == first[0], rows[0])
    w.expect("all of them", sorted(r[3] for r in rows) == sorted(held), rows)
    state = w.does(KEY, "p")
    w.expect("peak", "the peak" in state[4] or "out of memory" in state[4], state[4])
    clicked = w.does(POINTER, [[t, 120, 24 + 459, False] for t in ("pointermove", "pointerdown", "pointerup")])
    w.expect("click", "build (model.py:20): 96.00 MiB, allocated at" in clicked[3] and "not freed" in clicked[3]
             and "main (train.py:12)" in clicked[3], clicked[3])
    w.expect("moment of the click", clicked[4] != over and clicked[4].startswith("held at "), clicked[4])
    w.expect("key ]", w.does(KEY, "]")[4] == over, "not where memory ran out")
    tip = w.b.ask("const t = document.getElementById('tip'); return t.hidden ? '' : t.textContent")
    w.expect("hover", tip.startswith("build (model.py:20)\n96.00 MiB, allocated at"), tip)
    zoomed = w.does(WHEEL, -120, 700)
    w.expect("wheel", not zoomed[1].startswith("all"), zoomed[1])
    w.expect("move", w.does(KEY, "a")[1] != zoomed[1], "stays")
    before = w.b.ask(INK)
    w.does(TALL, -600)
    w.expect("height", w.b.ask(INK) != before or w.b.ask(INK) > 4, "the same picture")
    w.expect("key 0", w.does(KEY, "0")[1] == where, "not all")
    found = w.does(TYPE, "adam")
    w.expect("search", re.fullmatch(r"24 matches, 4.500 GiB held at [\d.]+ ms", found[2]), found[2])
    w.expect("search table", [r[3] for r in found[5]] == ["adam (optim.py:30)"], found[5])
    w.expect("next", "adam (optim.py:30): 192.0 MiB" in w.does(KEY, "n")[3], "another")
    w.does(KEY, "Escape")
    w.does(KEY, "0")
    area = w.does(POINTER, [["pointerdown", 60, 60, True], ["pointermove", 1263, 60, True],
                            ["pointerup", 1263, 60, True]])
    w.expect("area", area[4].startswith(f"allocated in the area and not freed in it: {words(total)} in"), area[4])
    w.does(KEY, "Escape")
    hidden = w.does("document.querySelector('#key button').click()")
    w.expect("key of colours", len(hidden[5]) == len(held) - 1, "the same places")
    said = w.b.complaints()
    w.expect("console", not said, said[:3])


def check_worked(b, folder):
    w = Worked(b, "memory")
    for width in (390, 1280, 1920):
        b.open(folder / "memory.html", width)
        for scheme in ("light", "dark"):
            b.prefer(scheme)
            w.settle()
            wide = b.ask("return document.documentElement.scrollWidth - innerWidth")
            w.expect(f"{width} {scheme} sideways", wide <= 0, wide)
            w.expect(f"{width} {scheme} ink", b.ask(INK) > 12, "nothing is drawn")
            bad = b.ask(probes.CONTRAST)
            w.expect(f"{width} {scheme} contrast", not bad, bad[:4])
    b.open(folder / "memory.html", 1280)
    check_hands(w, snapshots.training())
    seen = []
    while len(seen) < 3 and (not seen or min(seen) > 1000):
        b.open(folder / "memory-many.html", 1280)
        w.settle()
        seen.append(b.ask("return performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    w.expect("many seen at first", min(seen) <= 1000, f"{seen} ms")
    steps, limit = zoom_steps(b)
    w.expect("many zoomed", min(steps) <= limit, f"{steps} ms")
