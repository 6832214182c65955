"""A trace as text without what rocprofv3 does not record of its program: see docs/formats.md, "What each format
cannot tell"."""
from judging import nsys_lacks

DEVICE = {"kernel": "kernel", "Kernel": "kernel", "gpu_memcpy": "gpu_memcpy", "Memcpy": "gpu_memcpy",
          "gpu_memset": "kernel", "Memset": "kernel"}
HOST = {"cuda_runtime": "cuda_runtime", "Runtime": "cuda_runtime", "cuda_driver": "cuda_driver", "cpu_op": "cpu_op",
        "Operator": "cpu_op", "user_annotation": "user_annotation"}
ARGS = {"kernel": ("device", "stream", "correlation", "grid", "block", "registers per thread", "shared memory"),
        "gpu_memcpy": ("device", "stream", "correlation", "bytes"),
        "cuda_runtime": ("correlation",), "cuda_driver": ("correlation",), "cpu_op": ("Sequence number",),
        "user_annotation": ()}
WAYS = {"HtoD": "Host -> Device", "DtoH": "Device -> Host", "DtoD": "Device -> Device", "PtoP": "Device -> Device"}
GPU = ("id", "name", "totalGlobalMem", "numSms", "warpSize", "maxThreadsPerMultiprocessor",
       "sharedMemPerMultiprocessor", "computeMajor", "computeMinor")


class Words:
    """Words for pids and tids become small numbers, as the generator gives them."""

    def __init__(self):
        self.known = {}

    def number(self, word):
        try:
            return int(word)
        except ValueError:
            return self.known.setdefault(word, len(self.known)) + 1


def work(event):
    cat = DEVICE[event["cat"]]
    old = event.get("args") or {}
    args = {k: v for k, v in old.items() if k in ARGS[cat]}
    args.setdefault("device", event["pid"])
    args.setdefault("stream", event["tid"])
    name = event["name"]
    if event["cat"] in ("gpu_memset", "Memset"):
        name = "__amd_rocclr_fillBufferAligned"
    if cat == "gpu_memcpy":
        way = next((w for w in WAYS if w in name), None)
        name = f"Memcpy {way} ({WAYS[way]})" if way else "Memcpy HtoH (Host -> Host)"
        args.setdefault("bytes", 0)
    return event | {"cat": cat, "name": name, "args": args, "pid": args["device"], "tid": args["stream"]}


def call(event, words):
    cat = HOST[event["cat"]]
    args = {k: v for k, v in (event.get("args") or {}).items() if k in ARGS[cat]}
    if cat == "cpu_op" and args.get("Sequence number", -1) < 0:
        args = {}
        cat = nsys_lacks.host_kind(cat, event["name"], args)
    if args.get("correlation", 1) <= 0:
        del args["correlation"]
    return event | {"cat": cat, "args": args, "pid": words.number(event["pid"]), "tid": words.number(event["tid"])}


def gpus(top, events):
    """Those that are listed, and those that had work."""
    listed = [{k: g[k] for k in GPU if g.get(k) or g.get(k) == 0 and k == "computeMinor"} | {"id": g["id"], "name": g.get("name", "")}
              for g in top.get("deviceProperties") or [] if isinstance(g.get("id"), int)]
    known = {g["id"] for g in listed}
    used = {int(e["args"]["device"]) for e in events if e["cat"] in DEVICE}
    return listed + [{"id": d, "name": "gfx"} for d in sorted(used - known)]


def reduce(top, events):
    words, out = Words(), []
    for e in events:
        if e.get("ph") != "X" or "ts" not in e:
            continue
        if e.get("cat") in DEVICE:
            out.append(work(e))
        elif e.get("cat") in HOST and e.get("dur", 0) > 0:
            out.append(call(e, words))
    found = gpus(top, out)
    return {"deviceProperties": found} if found else {}, out
