"""What checks of pages share: the program, a page's data read without its script, and its hands."""
import base64
import hashlib
import json
import os
import re
import subprocess
import zlib

TRACEQ = os.environ.get("TRACEQ", "build/release/traceq")
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"

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


def table(name, *argv):
    answer = json.loads(run(*argv, "--json", "-q"))
    return next(t["rows"] for t in answer["tables"] if t["id"] == name)


# ---- the page's data, read without its script ----

def unpack(text):
    """The head and the boxes: (row, from, length, name, series, height of 255, and of blocks their bytes)."""
    data = re.search(r'<script type="application/octet-stream" id="tiles">([^<]*)</script>', text).group(1)
    raw = zlib.decompress(base64.b64decode(data))
    at = 4 + int.from_bytes(raw[:4], "little")
    head = json.loads(raw[4:at].decode("utf-8"))

    def number():
        nonlocal at
        v = shift = 0
        while raw[at] > 127:
            v |= (raw[at] & 127) << shift
            shift += 7
            at += 1
        v |= raw[at] << shift
        at += 1
        return v

    counts = [number() for _ in range(head["rows"])]
    columns = [[number() for _ in range(sum(counts))] for _ in range(6 if head["kind"] == "blocks" or "gone" in head else 5)]
    end, path = head["base"], []
    for _ in range(head.get("path", 0)):
        start = end + number()
        end = start + number()
        path.append((start, end, number(), head["path_words"][number()]))
    head["path"] = path
    expect("nothing behind the columns", at == len(raw), f"{at} of {len(raw)}")
    boxes, i = [], 0
    for row, count in enumerate(counts):
        start = 0
        for i in range(i, i + count):
            start += columns[0][i]
            boxes.append((row, start + head["base"], columns[1][i], head["names"][columns[2][i]],
                          head["series_of"][columns[3][i]]["title"], *(c[i] for c in columns[4:])))
        i = sum(counts[:row + 1])
    return head, boxes


def check_policy(what, text):
    scripts = re.findall(r"<script>(.*?)</script>", text, re.S)
    digest = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    allowed = " ".join(f"'sha256-{d}'" for d in digest)
    expect(f"{what} policy", len(scripts) == 2 and f"script-src {allowed};" in text,
           f"PAGE_HASH and its kin in report/chart/draw/tiles.c should be {allowed}")
    expect(f"{what} scripts are small", sum(map(len, scripts)) < 60000, sum(map(len, scripts)))
    expect(f"{what} loads nothing", not re.search(r"""<[^>]*\b(?:src|href)\s*=|url\(|@import|https?:""", text, re.I),
           "something is loaded")
    expect(f"{what} is ours", text.startswith("<!DOCTYPE html><!-- traceq: "), text[:60])


# ---- as it is worked ----

STATE = """const n = document.documentElement.dataset.drawn;
return [n, document.getElementById('where').textContent, document.getElementById('found').textContent,
  document.getElementById('what').textContent, document.getElementById('over').textContent,
  [...document.getElementById('sums').rows].map(r => [...r.cells].map(c => c.textContent))]"""
KEY = """document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))"""
TYPE = """const e = document.getElementById('search'); e.value = arguments[0];
e.dispatchEvent(new Event('input', {bubbles: true}))"""
POINTER = """const c = document.getElementById('canvas'), at = c.getBoundingClientRect();
c.setPointerCapture = () => 0;
for (const [type, x, y, shift] of arguments[0])
  c.dispatchEvent(new PointerEvent(type, {clientX: at.left + x, clientY: at.top + y, shiftKey: shift,
    bubbles: true, pointerId: 1}));"""
WHEEL = """const c = document.getElementById('canvas'), at = c.getBoundingClientRect();
c.dispatchEvent(new WheelEvent('wheel', {deltaY: arguments[0], clientX: at.left + arguments[1],
  clientY: at.top + 40, bubbles: true, cancelable: true}));"""
INK = """const c = document.getElementById('canvas'), k = document.createElement('canvas');
k.width = c.width; k.height = c.height;
const i = k.getContext('2d', {willReadFrequently: true}); i.drawImage(c, 0, 0);
const d = i.getImageData(0, 24, c.width, c.height - 24).data; const seen = new Set();
for (let i = 0; i < d.length; i += 4) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
return seen.size"""
STEPS = """const done = arguments[arguments.length - 1], steps = [];
const c = document.getElementById('canvas'), at = c.getBoundingClientRect();
const step = () => {
  const begin = performance.now();
  c.dispatchEvent(new WheelEvent('wheel', {deltaY: -120, clientX: at.left + 700, clientY: at.top + 40,
    bubbles: true, cancelable: true}));
  requestAnimationFrame(() => setTimeout(() => {
    steps.push(performance.now() - begin);
    steps.length < 9 ? step() : done(steps);
  }));
};
step()"""
SETTLED = """const done = arguments[arguments.length - 1];
const frame = then => requestAnimationFrame(() => requestAnimationFrame(then));
const wait = () => document.documentElement.dataset.drawn ? frame(() => setTimeout(done, 30)) : setTimeout(wait, 20);
wait()"""


class Worked:
    def __init__(self, b, what):
        self.b, self.what = b, what

    def settle(self):
        self.b.call("POST", "/execute/async", {"script": SETTLED, "args": []})
        return self.b.ask(STATE)

    def does(self, script, *args):
        self.b.ask(script, *args)
        return self.settle()

    def expect(self, what, is_true, why=""):
        expect(f"{self.what} {what}", is_true, why)


def zoom_steps(b):
    """What steps of the wheel take, and the limit: 100 ms, the best of some; where others use the machine
    all the time, four times as much still tells a page that is slow."""
    steps = []
    while len(steps) < 50 and (not steps or min(steps) > 100):
        steps += b.call("POST", "/execute/async", {"script": STEPS, "args": []})
    return steps, 400 if os.getloadavg()[0] > 2 * os.cpu_count() else 100
