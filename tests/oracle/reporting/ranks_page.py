"""The timeline of a job as a page: who is slow stands on top, who is in the middle below, and both stay in sight."""
import os
import subprocess

from reporting.worked import KEY, Worked, expect, run, table, unpack

RANKS, SLOW = 5, 3
FOLD = "document.getElementById('rest').click()"
HEIGHT = "return document.getElementById('canvas').clientHeight"


def check_data(folder):
    job = folder / "job"
    subprocess.run([os.environ["FIXTURES"], "multi-rank", "--all-ranks", job, "--world", str(RANKS), "--steps", "3",
                    "--slow-rank", str(SLOW), "--slow-by", "compute"], check=True, stdout=subprocess.DEVNULL)
    run("plot", "timeline-lanes", job, "-o", folder / "job.html", "-q")
    head, boxes = unpack((folder / "job.html").read_text(encoding="utf-8"))
    computes = {}
    for rank in range(RANKS):
        marks = table("marks", "timeline", job / f"rank{rank}.json", "--marks", "10000000", "--lanes", "64", "--slices", "1")
        computes[rank] = sum(m["busy_ns"] for m in marks if m["sort"] == "device" and m["kind"] == "compute")
    middle = sorted(computes, key=computes.get)[(RANKS - 1) // 2]
    rest = [f"rank{r}, GPU {r}" for r in range(RANKS) if r not in (SLOW, middle)]
    want = [f"slowest rank {SLOW}, GPU {SLOW}", f"median rank {middle}, GPU {middle}", *rest]
    expect("job rows", head["names_of_rows"] == want and head["pinned"] == 2, f"{head['names_of_rows']} {want}")
    expect("job boxes", sum(b[2] * b[5] / 255 for b in boxes if b[0] == 0 and b[4] == "compute")
           > 1.2 * sum(b[2] * b[5] / 255 for b in boxes if b[0] == 2 and b[4] == "compute"), "another rank is on top")


def check_worked(b, folder):
    b.open(folder / "job.html", 1280)
    w = Worked(b, "job")
    before = w.settle()
    high = b.ask(HEIGHT)
    folded = w.does(FOLD)
    w.expect("folded", b.ask(HEIGHT) == high - (RANKS - 2) * 26, f"{high} {b.ask(HEIGHT)}")
    w.expect("sums of what is seen", folded[5] != before[5], folded[5][:2])
    again = w.does(FOLD)
    w.expect("unfolded", b.ask(HEIGHT) == high and again[5] == before[5], b.ask(HEIGHT))
    w.expect("keys", w.does(KEY, "w")[1] != again[1], again[1])
    w.expect("console", not b.complaints(), "something was said")
