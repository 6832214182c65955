"""A folder with programs under capture in it, the traces they left, and what to expect of both."""
import collections
import decimal
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import zlib

B = os.environ.get("B", "build/release")
TRACEQ = os.path.abspath(os.environ.get("TRACEQ", os.path.join(B, "traceq")))
FAKE = os.path.abspath(os.path.join(B, "capture"))
LIBRARY = os.path.abspath(os.path.join(B, "libtraceq-capture.so"))
APP = os.path.join(FAKE, "app")
SAN = os.environ.get("SAN", "")
LIMIT_S = 60
KERNELS = ["saxpy(int, float, float*, float*)",
           "void reduce<float, 256>(float const*, float*, unsigned long)", "plain_c_kernel"]
GPU = {"kernel", "gpu_memcpy", "gpu_memset"}


class Failure(Exception):
    """What was expected and did not happen."""


class Skip(Exception):
    """What cannot be tried here."""


def want(condition, text):
    if not condition:
        raise Failure(text)


def same(got, expected, text):
    want(got == expected, f"{text}: {got!r}, not {expected!r}")


def wait_for(condition, what):
    until = time.monotonic() + LIMIT_S
    while not condition():
        want(time.monotonic() < until, f"waited in vain for {what}")
        time.sleep(0.01)


def children_of(parent):
    """Processes that it has started, by /proc: not every system has pgrep."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
                if int(f.read().rpartition(")")[2].split()[1]) == parent:
                    found.append(int(pid))
        except OSError:
            pass  # it has just ended
    return found


class Box:
    """A folder of its own, and programs run in it under capture."""

    def __init__(self):
        self.said = ""
        self.did = []
        self.leaks = True  # whether a sanitizer looks for them
        self.dir = tempfile.mkdtemp(prefix="traceq-capture.")
        self.out = os.path.join(self.dir, "out_%r.pt.trace.json.gz")

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)

    def env(self, env=None):
        e = {k: v for k, v in os.environ.items() if not re.match(
            "TRACEQ_|CUDA_|NVTX_|FAKE_|RANK|LOCAL_RANK|WORLD_SIZE|SLURM|OMPI|PMI|MV2|LD_", k)}
        e["LD_LIBRARY_PATH"] = FAKE
        e["TMPDIR"] = self.dir
        if not self.leaks:
            e["ASAN_OPTIONS"] = "exitcode=99:detect_leaks=0"
        e.update(env or {})
        return e

    def run(self, args, options=(), env=None, code=0, out=None, program=APP, kernels=0):
        """traceq capture OPTIONS -- PROGRAM ARGS: what it printed, what capture said.  With kernels,
        the program does not end before a checkpoint has so many."""
        go = os.path.join(self.dir, "go")
        args = [*args, "hold=60000", f"go={go}"] if kernels else args
        command = [TRACEQ, "capture", "-o", out or self.out, *options, "--", program, *args]
        with subprocess.Popen(command, env=self.env(env), cwd=self.dir, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as done:
            if kernels:
                wait_for(lambda: done.poll() is not None or self.committed() >= kernels,
                         f"{kernels} kernels in a checkpoint")
                with open(go, "w", encoding="utf-8"):
                    pass
            try:
                stdout, stderr = done.communicate(timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                done.kill()
                raise
        if kernels:
            os.unlink(go)
        self.said = stderr.decode(errors="replace")
        want(code is None or "Sanitizer" not in self.said, self.said[:3000])
        if code is not None:
            want(done.returncode == code,
                 f"exit {done.returncode}, not {code}\n{self.said[:1000]}")
        want(not [d for d in self.files("traceq-*") if os.path.isdir(d)],
             "the run directory was left behind")
        self.did = [json.loads(line) for line in stdout.decode().splitlines()
                    if line.startswith("{")]
        return self.said

    def committed(self):
        """Kernels in the checkpoints of all processes, by their status lines."""
        total = 0
        for path in self.files("traceq-*/*.json"):
            try:
                with open(path, "rb") as f:
                    total += json.load(f)["kernels"]
            except (OSError, ValueError):
                pass  # just replaced
        return total

    def files(self, pattern="*"):
        return sorted(glob.glob(os.path.join(self.dir, pattern)))

    def only(self):
        found = self.files()
        want(len(found) == 1 and not found[0].endswith(".part"), f"files: {found}\n{self.said}")
        return Trace(found[0])


class Trace:
    """A file as Python reads it; gzip's CRC and length are checked on the way."""

    def __init__(self, path):
        self.path = path
        self.text = gzip.open(path).read()
        self.doc = json.loads(self.text, parse_float=decimal.Decimal)  # a double is too coarse for ns
        self.events = self.doc["traceEvents"]
        self.by = collections.defaultdict(list)
        for e in self.events:
            self.by[e.get("cat", e["ph"])].append(e)
        self.end = self.doc["traceqCapture"]

    def names(self, cat):
        return collections.Counter(e["name"] for e in self.by[cat])

    def sane(self):
        """What holds for every file."""
        same(self.end["events"], len(self.events), "events told")
        for e in self.events:
            want("name" in e, f"no name: {e}")
            want(e["ph"] != "X" or ("cat" in e and e["dur"] >= 0 and e["ts"] >= 0), f"odd: {e}")
        starts = collections.Counter(e["id"] for e in self.by["ac2g"] if e["ph"] == "s")
        ends = collections.Counter(e["id"] for e in self.by["ac2g"] if e["ph"] == "f")
        api = collections.Counter(e["args"]["correlation"]
                                  for e in self.by["cuda_runtime"] + self.by["cuda_driver"])
        want(max(api.values(), default=1) == 1, "a correlation with two calls")
        for cat in GPU:
            for e in self.by[cat]:
                c = e["args"]["correlation"]
                want(api[c] == 1 and starts[c] == 1 and ends[c] >= 1, f"no launch of {e}")
                same((e["pid"], e["tid"]), (e["args"].get("device", e["args"].get("inDevice")), e["args"]["stream"]), "row")
        rows = {(e["pid"], e["tid"]) for e in self.events
                if e["ph"] == "M" and e["name"] == "thread_name"}
        for e in self.events:
            want(e["ph"] != "X" or e["pid"] == -1 or e["tid"] == 1 or (e["pid"], e["tid"]) in rows,
                 f"a row without a name: {e}")


def ns(event):
    return round(event["dur"] * 1000)


def compare(trace, did, complete=True):
    """The trace against what the program says it did."""
    trace.sane()
    same(trace.end["complete"], complete, "complete")
    kernels = trace.names("kernel")
    for name, n, total in zip(KERNELS, did["kernels"], did["kernel_ns"]):
        same(kernels[name], n, name)
        same(sum(ns(e) for e in trace.by["kernel"] if e["name"] == name), total, f"ns of {name}")
    same(kernels["graph_kernel"], did["graph_nodes"], "graph nodes")
    copies = trace.by["gpu_memcpy"]
    same(trace.names("gpu_memcpy"), collections.Counter(
        {"Memcpy HtoD (Pageable -> Device)": did["copies"]} if did["copies"] else {}), "copies")
    same(sum(e["args"]["bytes"] for e in copies), did["copy_bytes"], "bytes copied")
    same(sum(ns(e) for e in copies), did["copy_ns"], "ns of copies")
    for e in copies:
        want(abs(float(e["args"]["memory bandwidth (GB/s)"]) - 65536 / 2621) < 1e-12, "bandwidth")
    same(sum(e["args"]["bytes"] for e in trace.by["gpu_memset"]), did["set_bytes"], "bytes set")
    same(len(trace.by["cuda_runtime"]), did["api"], "runtime calls")
    same(trace.names("cuda_runtime")["cudaLaunchKernel"], sum(did["kernels"]), "launches")
    want("cudaGetDevice" not in trace.names("cuda_runtime"), "noise was recorded")


def traceq(command, path, *more):
    done = subprocess.run([TRACEQ, command, path, "--json", "-q", *more], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    want(done.returncode == 0, f"traceq {command}: exit {done.returncode} {done.stderr.decode()}")
    return {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]}


def compare_traceq(path, did):
    """traceq's own answers against what the program did."""
    top = traceq("top", path, "-n", "0")
    rows = {r["name"]: r for r in top["device"]}
    for name, n, total in zip(KERNELS, did["kernels"], did["kernel_ns"]):
        same((rows[name]["calls"], rows[name]["device_sum_ns"]), (n, total), f"top: {name}")
    totals = top["totals"][0]
    same(totals["kernel_ns"], sum(did["kernel_ns"]) + 1000 * did["graph_nodes"], "top: kernels")
    same(totals["memcpy_ns"], did["copy_ns"], "top: copies")
    same(totals["memset_ns"], did["set_ns"], "top: sets")
    check = traceq("check", path)
    text = json.dumps(check)
    want('"verdict": "bad"' not in text and '"verdict": "warn' not in text, f"check: {text[:500]}")
    launch = check["launch"][0]
    work = sum(did["kernels"]) + did["graph_nodes"] + did["copies"] + did["sets"]
    same((launch["device_events"], launch["matched"], launch["unlinked"], launch["graph"],
          launch["launches_without_device"]), (work, work, 0, did["graph_nodes"], 0),
         "check: launch links")
    summary = traceq("summary", path)
    want(summary, "summary: no tables")
    diagnose = traceq("diagnose", path)
    want(diagnose, "diagnose: no tables")


def run_one(test):
    """What became of a test, in a box of its own: a line that begins with ok, skip or FAIL."""
    box = Box()
    try:
        test(box)
        return f"ok {test.__name__}"
    except Skip as why:
        return f"skip {test.__name__}: {why}"
    except (Failure, OSError, ValueError, KeyError, IndexError, EOFError, zlib.error,
            subprocess.SubprocessError) as e:
        return f"FAIL {test.__name__}: {type(e).__name__}: {e}"
    finally:
        box.close()
