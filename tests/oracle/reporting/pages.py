"""Reports as one sees, prints, hears and works them: measured in Chromium."""
import re

from reporting import probes
from reporting.browser import Browser

UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30,
         "TiB": 2**40, "%": 0.01, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "nJ": 1, "uJ": 1e3,
         "mJ": 1e6, "J": 1e9, "kJ": 1e12, "B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12}
WIDTHS = (390, 1280)


def number(text):
    """What a cell shows; None: nothing."""
    m = re.search(r"([-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]\d+)?) ?(\S*)", text)
    return float(m.group(1).replace(",", "")) * UNITS.get(m.group(2), 1) if m else None


def is_ordered(texts, way):
    """Numbers in order, what has none below them."""
    values = [number(t) for t in texts]
    known = [v for v in values if v is not None]
    step = zip(known, known[1:])
    return (all(a >= b for a, b in step) if way == "descending" else all(a <= b for a, b in step)) and \
        all(v is None for v in values[len(known):])


class Pages:
    def __init__(self, expect, browser, folder):
        self.expect, self.browser, self.folder = expect, browser, folder
        self.sorted = 0

    def check(self, what, path):
        for width in WIDTHS:
            self.browser.open(path, width)
            bad = self.browser.ask(probes.LAYOUT)
            self.expect(f"layout {what} {width}", not bad, f"{len(bad)} {bad[:4]}")
        bad = self.browser.ask(probes.NAMES)
        self.expect(f"names {what}", not bad, str(bad[:4]))
        self.check_sorting(what)
        self.check_contrast(what)
        self.check_paper(what)
        said = self.browser.complaints()
        self.expect(f"console {what}", not said, str(said[:3]))

    def check_contrast(self, what):
        for scheme in ("dark", "light"):
            self.browser.prefer(scheme)
            bad = self.browser.ask(probes.CONTRAST)
            self.expect(f"contrast {what} {scheme}", not bad, str(bad[:4]))

    def check_sorting(self, what):
        for t, (rows, heads) in enumerate(self.browser.ask(probes.HEADS)):
            for i, (title, is_number, has_button, _) in enumerate(heads):
                name = f"sort {what} table {t} {title}"
                self.expect(name + " button", has_button == (rows > 1 and title != ""))
                if has_button:
                    self.check_column(name, t, i, is_number)

    def check_column(self, name, t, i, is_number):
        """By click, by key, and back to how it was."""
        (before, first), (after, way), is_ready = self.browser.ask(probes.TURN, t, i)
        self.expect(name + " at first", first is None, first)
        ways = ["descending", "ascending"] if is_number else ["ascending", "descending"]
        self.expect(name + " click", way == ways[0] and sorted(after) == sorted(before), way)
        if is_number:
            self.expect(name + " order", is_ordered(after, way), after)
        self.sorted += is_number and after != before
        self.browser.press_enter()
        (after, way), back, _ = self.browser.ask(probes.TURN, t, i)
        self.expect(name + " key", is_ready and way == ways[1], way)
        if is_number:
            self.expect(name + " order by key", is_ordered(after, way), after)
        after, way = back
        self.expect(name + " back", way is None and after == before, way)

    def check_paper(self, what):
        """No row, sentence or picture is on two sheets; a table that is on several has its head on
        each; nothing stands outside of the sheet."""
        n, tables = self.browser.ask(probes.MARK)
        sheets = self.browser.paper(self.folder / "paper.pdf")
        on = {}
        for i, words in enumerate(sheets):
            for word in words:
                on.setdefault(word, set()).add(i)
        lost = [k for k in range(1, n + 1) if f"qq{k}" not in on]
        torn = [k for k in range(1, n + 1) if len(on.get(f"qq{k}", ())) > 1]
        self.expect(f"paper {what} all there", n > 3 and not lost, f"{lost[:9]} of {n}")
        self.expect(f"paper {what} torn", not torn, str(torn[:9]))
        for head, first, last in tables:
            where = set().union(*(on.get(f"qq{k}", set()) for k in range(first, last + 1)))
            self.expect(f"paper {what} heads", where <= on.get(head, set()) and where >= on.get(head, set()),
                        f"{head}: rows on {sorted(where)}, head on {sorted(on.get(head, set()))}")


def check_policy(expect, browser, folder, page):
    """The policy is what lets the script run: another one does not, and the tables stay."""
    text = page.read_text(encoding="utf-8")
    other = folder / "other.html"
    for name, changed in (("changed", text.replace("'use strict'", "'use  strict'")),
                          ("added", text.replace("<main", "<script>document.title='x'</script><main")),
                          ("inline", text.replace("<h1>", "<h1 onclick=\"document.title='x'\">"))):
        expect(f"policy {name} is another page", changed != text)
        other.write_text(changed, encoding="utf-8")
        browser.open(other, 1280)
        browser.ask("document.querySelector('h1').click()")
        said = browser.complaints()
        expect(f"policy {name}", any("Content Security Policy" in s for s in said), str(said))
        expect(f"policy {name} blocks", browser.ask("return document.title") != "x")
        has = browser.ask("return document.querySelectorAll('th button').length")
        expect(f"policy {name} leaves tables", (has == 0) == (name == "changed"), has)


def check_sticky(expect, browser, page):
    """The answer stays in sight on a desk, and covers no heading that was jumped to."""
    for width, stays in ((1280, True), (390, False)):
        browser.open(page, width)
        browser.ask("document.querySelector('nav li:nth-child(4) a').click()")
        top, below, head = browser.ask("""const r = document.querySelector('.answer')
            .getBoundingClientRect(), id = document.querySelector('nav li:nth-child(4) a').hash;
            return [r.top, r.bottom, document.querySelector(id).getBoundingClientRect().top]""")
        expect(f"sticky {width}", (top == 0 and head >= below) if stays else below < 0,
               f"{top} {below} {head}")


def check(expect, folder, pages):
    with Browser(folder) as browser:
        all_of_them = Pages(expect, browser, folder)
        for what, path in pages:
            all_of_them.check(what, path)
        expect("sorting moved rows", all_of_them.sorted > len(pages), all_of_them.sorted)
        check_policy(expect, browser, folder, pages[0][1])
        check_sticky(expect, browser, pages[0][1])
