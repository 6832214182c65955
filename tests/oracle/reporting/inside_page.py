"""Pages to work in inside of a report: what is said of their data, and where findings of the report lead to."""
import html
import os
import re
import subprocess
import time

from reporting.worked import HOSTILE, Worked, check_policy, expect, run, unpack

LINK = "document.querySelector('[data-mark]').click()"
DRAWN = "return document.documentElement.dataset.drawn"


def pages_of(text):
    return {name: html.unescape(page) for name, page in
            re.findall(r'<details class="work" id="([^"]*)">.*?data-page="([^"]*)"', text, re.S)}


def check_data(folder):
    """A report has both pages, small; each link is a mark; scripts are those that the policy allows."""
    trace, out = folder / "inside.json", folder / "inside.html"
    with open(trace, "wb") as into:
        subprocess.run([os.environ["FIXTURES"], "dataloader-bound", "--steps", "5"], stdout=into, check=True)
    run("report", trace, "-o", out, "-q")
    text = out.read_text(encoding="utf-8")
    pages = pages_of(text)
    expect("inside", list(pages) == ["timeline-lanes", "flame"], list(pages))
    policy = re.search(r"script-src ([^;]*);", text).group(1)
    for name, page in pages.items():
        check_policy(f"inside {name}", page)
        mine = re.search(r"script-src ([^;]*);", page).group(1)
        expect(f"inside {name} hashes", mine in policy, f"{mine} not in {policy}")
    head, boxes = unpack(pages["timeline-lanes"])
    titles = [m["title"].split()[0] for m in head["lines"] if m["length"]]
    links = re.findall(r'href="#timeline-lanes" data-mark="([^"]*)"', text)
    expect("inside links", links and set(links) <= set(titles), f"{links} {titles}")
    first = text[:text.index("<h2", text.index("<h2") + 1)]
    expect("inside first screen", "data-mark" in first, "no link in it")
    expect("inside boxes", boxes and head["path"], len(boxes))


def check_bound(folder):
    """Of many events neighbours are one, and that is said; a document is below 15 MB."""
    trace, out = folder / "large.json", folder / "large.html"
    with open(trace, "wb") as into:
        subprocess.run([os.environ["FIXTURES"], "healthy", "--size", "30M"], stdout=into, check=True)
    run("report", trace, "-o", out, "-q")
    text = out.read_text(encoding="utf-8")
    note = re.search(r'<p class="note">(.*?)</p>', pages_of(text)["timeline-lanes"], re.S).group(1)
    expect("inside note", "neighbours are one" in note and "plot timeline-lanes" in note, note)
    expect("inside size", out.stat().st_size < 15e6, out.stat().st_size)


def check_hostile(text):
    """Names in a page in a page are names."""
    for name, page in pages_of(text).items():
        check_policy(f"hostile inside {name}", page)
        expect(f"hostile inside {name}", "<img" not in page, "markup of a name")
        expect(f"hostile inside {name} name", any(HOSTILE in box[3] for box in unpack(page)[1]), "another name")


def check_worked(b, folder):
    """A link of the first screen opens the timeline at the finding."""
    b.open(folder / "inside.html", 1280)
    wanted = b.ask("return document.querySelector('[data-mark]').dataset.mark")
    expect("inside is folded", b.ask("return document.querySelector('.work iframe').srcdoc") == "", "it is made at once")
    b.ask(LINK)
    frame = b.call("POST", "/element", {"using": "css selector", "value": ".work iframe"})
    b.call("POST", "/frame", {"id": frame})
    for _ in range(100):
        if b.ask(DRAWN):
            break
        time.sleep(0.1)
    said = Worked(b, "inside").settle()
    expect("inside jumps", re.match(rf"\d+ of \d+: {wanted} ", said[3]) and not said[1].startswith("all"), said[:4])
    b.call("POST", "/frame", {"id": None})
    expect("inside console", not b.complaints(), "something was said")
    wide = b.ask("return document.documentElement.scrollWidth - innerWidth")
    expect("inside sideways", wide <= 0, wide)
