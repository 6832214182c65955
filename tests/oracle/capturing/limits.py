"""Memory, disks, names and threads at their limits."""
import decimal
import glob
import json
import os
import re
import shutil
import subprocess

from capturing.box import APP, LIBRARY, same, SAN, Skip, Trace, TRACEQ, traceq, want


def memory_cap(box):
    """At full speed with too little memory: bounded, counted, said; what is there is right."""
    env = box.env({"CUDA_INJECTION64_PATH": LIBRARY, "NVTX_INJECTION64_PATH": LIBRARY,
                   "TRACEQ_CAPTURE": f"v1;out={box.dir}/out.json.gz;cap_bytes=8388608"})
    part = 8 if os.environ.get("GATE_PART") else 1  # what a sanitizer slows down meets the cap sooner
    for work in ([f"n={400000 // part}"],
                 [f"n={200000 // part}", "t=4", "nvtx=1", f"flood={100000 // part}"]):
        done = subprocess.run([APP, *work, "mix=0", "peak=1"], env=env, cwd=box.dir,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        said = done.stderr.decode()
        did, used = map(json.loads, done.stdout.decode().splitlines())
        out = os.path.join(box.dir, "out.json.gz")
        want(os.path.exists(out), f"not finished: {said}")
        trace = Trace(out)
        same(trace.end["events"], len(trace.events), "events told")
        dropped = trace.end["dropped_buffers"]
        if dropped:
            want(f"CUPTI asked {dropped} times for a buffer beyond the memory cap (8 MiB)" in said,
                 said)
        ranges = len(trace.by["user_annotation"])
        same(ranges + trace.end["dropped_ranges"], did["ranges"], "ranges kept and dropped")
        if ranges < did["ranges"]:
            want(f"{did['ranges'] - ranges} NVTX ranges dropped" in said, said)
        if not SAN:
            want(used["peak_kib"] < (8 + 10) << 10, f"peak {used} of {work}")
        os.unlink(trace.path)
    for version in ("26", "27"):
        small = os.path.join(box.dir, f"small{version}.json.gz")
        box.run([f"n={200000 // part}", "t=4", "mix=0"], ["--memory-cap", "128KiB", "--buffer", "64KiB"],
                env={"FAKE_CUPTI_VERSION": version}, out=small)
        trace = Trace(small)
        want(trace.end["dropped_buffers"] > 0, f"nothing dropped: {trace.end}")
        by_thread = trace.end["dropped_by_thread"]
        same(sum(by_thread.values()), trace.end["dropped_buffers"], "buffers refused, by thread")
        want("threads; most of thread " in box.said and "  incomplete" in box.said, box.said)
        same(trace.end["complete"], False, "complete")
        if version == "26":
            want(trace.end["dropped_bytes"] > 0, f"no bytes counted: {trace.end}")


def many_threads(box):
    """Each thread has a buffer of its own, and none vanishes within the usual memory."""
    for t in (100, 128) if not SAN else (100,):
        box.run([f"n={40 if SAN else 200}", f"t={t}", "mix=0"], kernels=0)
        trace = box.only()
        same(len(trace.by["kernel"]), sum(box.did[0]["kernels"]), f"kernels of {t} threads")
        same((trace.end["dropped_buffers"], trace.end["complete"]), (0, True), f"{t} threads")
        same(len({e["tid"] for e in trace.by["cuda_runtime"]}), t, "threads")
        for f in box.files():
            os.unlink(f)


def full_disk(box):
    small = os.path.join(box.dir, "small")
    os.mkdir(small)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small],
                      stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise Skip("no small file system can be mounted here")
    try:
        box.run(["n=20000", "t=2", "end=fail"], ["--flush", "20ms"], code=5,
                out=os.path.join(small, "out.json.gz"))
        same(box.said.count("cannot write"), 1, box.said)
        want("No space left on device; the trace ends here" in box.said, box.said)
        found = glob.glob(os.path.join(small, "*"))
        same(len(found), 1, "files")
        if found[0].endswith(".part"):  # no room even for the end: elsewhere there is
            shutil.copy(found[0], box.dir)
            subprocess.run([TRACEQ, "capture", "--seal",
                            os.path.join(box.dir, os.path.basename(found[0]))], check=True,
                           stderr=subprocess.DEVNULL)
            found = glob.glob(os.path.join(box.dir, "out*.gz"))
        trace = Trace(found[0])
        same(trace.end["complete"], False, "complete")
        same(trace.end["events"], len(trace.events), "events")
    finally:
        subprocess.run(["umount", small], check=True)


def no_folder(box):
    box.run(["n=100", "end=fail"], out=os.path.join(box.dir, "none", "out.json.gz"), code=5)
    same(box.said.count("No such file or directory: nothing is recorded"), 1, box.said)
    box.run(["n=100", "end=fail"], out=os.path.join(box.dir, "bad%z"), code=125)
    same(box.said.count("bad file name"), 1, box.said)
    done = subprocess.run([APP, "n=100", "end=fail"], cwd=box.dir, stderr=subprocess.PIPE, env=box.env(
        {"CUDA_INJECTION64_PATH": LIBRARY, "TRACEQ_CAPTURE": f"v1;out={box.dir}/bad%25z"}),
                          stdout=subprocess.DEVNULL, check=False)
    same((done.returncode, done.stderr.count(b"bad file name")), (5, 1), done.stderr)


def names_taken(box):
    out = os.path.join(box.dir, "x.pt.trace.json.gz")
    for _ in range(3):
        box.run(["n=10"], out=out)
    same([os.path.basename(f) for f in box.files()],
         ["x.1.pt.trace.json.gz", "x.2.pt.trace.json.gz", "x.pt.trace.json.gz"], "names")


def hostile(box):
    box.run(["end=hostile"])
    trace = box.only()
    trace.sane()
    names = [e["name"] for e in trace.by["kernel"]]
    for name in ('quote" back\\slash', "control\x01\x1f\x7f\ttab\nline",
                 "invalid \ufffd\ufffd\ufffd utf-8", "\u263a fine", "", "_Z", "_ZN",
                 "</script>,{}[]", "unknown kernel"):
        want(name in names, f"no {name!r} in {names[:9]}")
    want(any(len(n) == 20000 for n in names), "the long name")
    failed = [e for e in trace.by["cuda_runtime"] if e["args"].get("returnValue")]
    same([e["args"]["returnValue"] for e in failed], [700], "return value")
    same(sorted(e["name"] for e in trace.by["gpu_memcpy"]),
         ["Memcpy <unknown> (Unknown -> Unknown)"] * 2, "unknown copies")
    subprocess.run([TRACEQ, "top", trace.path], stdout=subprocess.DEVNULL, check=True)


def anonymous(trace, did, box):
    """A trace's text without what differs from run to run: times are nanoseconds after the script's
    start, what the process is called stands in capitals."""
    base = trace.doc["baseTimeNanoseconds"]
    text = trace.text.decode()

    def time_of(found):
        ns_after = int(decimal.Decimal(found.group(1)) * 1000) + base - did["start_ns"]
        return f'"ts": @{ns_after}' if 0 <= ns_after < 1000000 else '"ts": NOW'

    lines = [re.sub('"ts": ([0-9.]+)', '"ts": NOW' if '"ph": "M"' in line or '"ph": "i", "s": "g"'
                    in line else time_of, line) for line in text.splitlines()]
    text = re.sub(r'"(pid|tid|sort_index)": %d\b' % did["pid"], r'"\1": PID', "\n".join(lines))
    for pattern, word in ((re.escape(box.dir), "DIR"), (rf"thread {did['pid']} ", "thread PID "), (r'"host_name": "[^"]*"', '"host_name": HOST'),
                          (r'"options": "[^"]*"', '"options": OPTIONS'),
                          (r'"baseTimeNanoseconds": \d+', '"baseTimeNanoseconds": BASE'),
                          (r'"device_ns": \d+', '"device_ns": DEVICE'),
                          (r'"clock": \[\[.*?\]\]', '"clock": CLOCK')):
        text = re.sub(pattern, word, text)
    return text + "\n"


def script(box):
    """Records of every kind, from a file through the fake CUPTI and the real library to a file that
    is known byte for byte.  BLESS=1 rewrites that."""
    path = os.path.abspath("tests/capture/records.txt")
    golden = path.replace(".txt", ".json")
    box.run([f"script={path}"], ["--kinds=+memory,events"], env={"RANK": "3", "WORLD_SIZE": "8"})
    trace = box.only()
    text = anonymous(trace, box.did[0], box)
    if os.environ.get("BLESS"):
        with open(golden, "w", encoding="utf-8") as f:
            f.write(text)
    with open(golden, encoding="utf-8") as f:
        expected = f.read()
    for got, line in zip(text.splitlines(), expected.splitlines()):
        same(got, line, "a line")
    same(text, expected, "the file")
    top = traceq("top", trace.path, "-n", "0")
    rows = {r["name"]: r["device_sum_ns"] for r in top["device"]}
    same((rows["saxpy(int, float, float*, float*)"], rows["last()"]), (1500, 1), "top")
