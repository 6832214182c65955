"""Other users of CUPTI in a recorded program: what they take away is said, and stands in the file."""
import json
import os
import shutil

from capturing.box import FAKE, same, SAN, Skip, Trace, want

SLOW = ["n=9000", f"us={300 if SAN else 100}", "mix=0", "nvtx=1"]
QUICK = ["--flush", "20ms", "--buffer", "64KiB"]


def run(box, other, options=(), args=SLOW):
    out = os.path.join(box.dir, f"{other}.json.gz")
    box.run([*args, f"other={other}"] if other else args, [*QUICK, *options], out=out)
    trace = Trace(out)
    want(not trace.by["kernel"] or min(e["ts"] for e in trace.by["kernel"]) > 1, "times")
    return trace


NO_MORE = "CUPTI gives capture no more records"
KEPT = "records that CUPTI does not give back"  # as well: where the end comes before it is late


def lost(box, other, *words):
    """The file says that it is not whole, and so does what is said, in one of these words."""
    trace = run(box, other)
    want(any(w in box.said for w in words), f"{other}: {box.said}")
    same(trace.end["complete"], False, f"{other}: complete")
    want("  incomplete" in box.said, box.said)
    same(trace.end["other_user"], True, "other user")
    return trace


def first_third(trace):
    """What came back before the other came: how much, is the machine's load; not more than 3,000 and
    what one buffer holds beside."""
    want(100 < len(trace.by["kernel"]) < 3100, f"{len(trace.by['kernel'])} kernels of the first third")


def other_profiler(box):
    """One as torch.profiler takes the buffers over, sets a clock, and switches all off at its end."""
    trace = lost(box, "profile", NO_MORE, KEPT)
    first_third(trace)
    want("torch.profiler" in box.said, box.said)
    same(len(trace.by["user_annotation"]), box.did[-1]["ranges"], "ranges go on")


def other_short(box):
    """As short as not to be noticed before the end: then buffers of ours do not come back."""
    out = os.path.join(box.dir, "short.json.gz")
    box.leaks = False  # the device's name lies in the buffer that nobody reads
    for nvtx in (1, 0):
        box.run(["n=300", "other=profile", f"nvtx={nvtx}"], out=out)
        want("buffers with records that CUPTI does not give back: 1;" in box.said, box.said)
        same("  incomplete" in box.said, bool(nvtx), box.said)
        same(os.path.exists(out), bool(nvtx), "a file")
        if nvtx:
            trace = Trace(out)
            same((trace.end["complete"], trace.end["other_user"]), (False, True), "told")
            os.unlink(out)


def other_buffers(box):
    first_third(lost(box, "buffers", NO_MORE, KEPT))


def other_kinds(box):
    first_third(lost(box, "kinds", NO_MORE, KEPT))


def other_clock(box):
    """Times of another clock are no times of ours: those records are left out and counted."""
    trace = lost(box, "clock", "records have the times of another clock")
    same(len(trace.by["kernel"]), 3000, "kernels before")
    want(trace.end["other_clock"] >= 12000, f"counted: {trace.end}")


def other_buffer(box):
    """A buffer that capture never lent is neither read nor freed."""
    trace = lost(box, "foreign", "a buffer that is not capture")
    same(len(trace.by["kernel"]), 9000, "kernels")


def other_ids(box):
    """Our ranges are of a kind that Kineto does not read as its user's."""
    run(box, "ids")
    did = next(d for d in box.did if "foreign_ids" in d)
    want(did["completed"] > 0, "the other had buffers")
    same(did["foreign_ids"], 0, "ids that are not the other's")


def other_cupti(box):
    """A CUPTI, or a PyTorch that has one, that is loaded when capture has taken another: said, with
    what to do.  Each is loaded by a program that is initialised before, as with cupy or numba."""
    if SAN:
        raise Skip("a copied library has no sanitizer's names")
    site = os.path.join(box.dir, "site-packages")
    torch = os.path.join(site, "torch", "lib", "libtorch_cuda.so")
    own = os.path.join(site, "nvidia", "cu13", "lib", "libcupti.so.13")
    for path, copied in ((torch, "libnvidia-ml.so.1"), (own, "libcupti.so.13")):
        os.makedirs(os.path.dirname(path))
        shutil.copy(os.path.join(FAKE, copied), path)
    args = ["n=3000", "us=200"]
    box.run([*args, f"other={own}"], QUICK)
    same(box.said.count(f"a second CUPTI has been loaded: {own} beside {FAKE}/libcupti.so.13"), 1, box.said)
    same(box.said.count(f"--cupti={own}"), 1, box.said)
    box.run([*args, f"other={torch}"], QUICK)
    same(box.said.count(f"PyTorch has been loaded after CUPTI and uses {FAKE}/libcupti.so.13 in place of {own}"),
         1, box.said)
    same(box.said.count(f"--cupti={own}"), 1, box.said)
    box.run([*args, f"other={torch}"], [*QUICK, f"--cupti={own}"])  # what was asked for
    want("PyTorch" not in box.said, box.said)
    os.unlink(own)
    box.run([*args, f"other={torch}"], QUICK)  # a PyTorch without a CUPTI of its own takes ours
    want("PyTorch" not in box.said, box.said)


def own_clock(box):
    """CUPTI's own clock need not be the system's: that is said, and is nobody else's doing."""
    box.run(["n=100"], env={"FAKE_CLOCK": "86400000000000"})
    same(box.said.count("CUPTI's clock is not the system's"), 1, box.said)
    trace = box.only()
    same((len(trace.by["kernel"]), trace.end["other_clock"], trace.end["other_user"]),
         (100, 0, False), box.said)


def nobody_else(box):
    """A program that pauses, or works slowly, or only ever in one buffer, has no other user."""
    for args, options in ((["n=40", "us=20000"], ()), (["n=300", "us=1000", "hold=500"], ()),
                          (SLOW, ("--kinds", "kernel")), (SLOW, ("--kinds", "runtime")),
                          (SLOW, ("--kinds", "copy"))):
        trace = run(box, "", options, [*args, "mix=0"])
        same(trace.end["complete"], True, f"{args} {options}: {box.said}")
        same((trace.end["other_user"], trace.end["other_clock"]), (False, 0), json.dumps(trace.end))
        for f in box.files("*.gz"):
            os.unlink(f)
