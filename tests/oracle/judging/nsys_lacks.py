"""A trace as text without what Nsight Systems cannot record of its program: see docs/formats.md, "What each
format cannot tell"."""
import re

DEVICE = {"kernel": "kernel", "Kernel": "kernel", "gpu_memcpy": "gpu_memcpy", "Memcpy": "gpu_memcpy",
          "gpu_memset": "gpu_memset", "Memset": "gpu_memset", "cuda_sync": "cuda_sync"}
HOST = {"cuda_runtime": "cuda_runtime", "Runtime": "cuda_runtime", "cuda_driver": "cuda_driver", "cpu_op": "cpu_op",
        "Operator": "cpu_op", "user_annotation": "user_annotation", "overhead": "overhead"}
ARGS = {"kernel": ("device", "context", "stream", "correlation", "grid", "block", "registers per thread", "shared memory",
                   "graph id", "graph node id"),
        "gpu_memcpy": ("device", "context", "stream", "correlation", "bytes", "graph node id"),
        "gpu_memset": ("device", "context", "stream", "correlation", "bytes", "graph node id"),
        "cuda_sync": ("device", "context", "stream", "correlation", "wait_on_stream", "wait_on_cuda_event_record_corr_id"),
        "cuda_runtime": ("correlation",), "cuda_driver": ("correlation",), "cpu_op": ("Sequence number", "Input Dims"),
        "user_annotation": (), "overhead": ()}
NAMESPACES = ("aten::", "prims::", "prim::", "autograd::", "c10d::", "_c10d_functional::", "c10d_functional::",
              "torchvision::", "quantized::", "record_param_comms")
WAITS = ("Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync")


class Words:
    """Words for pids and tids become small numbers, as the generator gives them."""

    def __init__(self):
        self.known = {}

    def bits(self, word):
        try:
            return int(word) & 0xffffff
        except ValueError:
            return self.known.setdefault(word, len(self.known)) + 1


def sizes(value):
    """Numbers and lists of them."""
    return isinstance(value, list) and all(sizes(v) for v in value) or type(value) is int


def host_kind(cat, name, args):
    if cat != "cpu_op":
        return cat
    known = args.get("Sequence number", -1) >= 0 or args.get("Input Dims") and sizes(args["Input Dims"])
    return cat if known or re.fullmatch(r"(?!FSDP::)[^ ]*::[^ ]*", name) or name.startswith(NAMESPACES) else "user_annotation"


def work(event, cat, sms):
    args = {k: v for k, v in (event.get("args") or {}).items() if k in ARGS[cat]}
    device = args.setdefault("device", event["pid"])
    args.setdefault("stream", event["tid"])
    for key in ("graph id", "graph node id"):
        if not args.get(key):
            args.pop(key, None)
    name = event["name"]
    if cat == "cuda_sync":
        name = next((w for w in WAITS if name.startswith(w)), "Unknown Sync")
        args["cuda_sync_kind"] = name
        if name == "Context Sync":
            args["stream"] = -1
        if name not in WAITS[:2] or "wait_on_cuda_event_record_corr_id" not in args:
            args.pop("wait_on_stream", None)
            args.pop("wait_on_cuda_event_record_corr_id", None)
    if cat == "kernel" and args.get("grid") and sms.get(device, -1) > 0:
        x, y, z = args["grid"]
        args["blocks per SM"] = x * y * z / sms[device]
    if cat == "gpu_memcpy":
        found = re.fullmatch(r"Memcpy (\w+)(?: \((.*) -> (.*)\))?", name)
        name = name if found else "Memcpy Unknown"
    return event | {"cat": cat, "name": name, "args": args, "pid": device, "tid": args["stream"]}


def call(event, cat, words):
    args = event.get("args") or {}
    cat = host_kind(cat, event["name"], args)
    args = {k: v for k, v in args.items() if k in ARGS[cat]}
    if args.get("Sequence number", 0) < 0:
        del args["Sequence number"]
    if not args.get("Input Dims") or not sizes(args["Input Dims"]):
        args.pop("Input Dims", None)
    return event | {"cat": cat, "args": args, "pid": words.bits(event["pid"]), "tid": words.bits(event["tid"])}


def reduce(top, events):
    gpus = top.get("deviceProperties") or []
    sms = {g.get("id"): g.get("numSms", -1) for g in gpus}
    words, out = Words(), []
    for e in events:
        cat = e.get("cat")
        if e.get("ph") != "X" or "ts" not in e:
            continue
        if cat in DEVICE:
            out.append(work(e, DEVICE[cat], sms))
        elif cat in HOST:
            out.append(call(e, HOST[cat], words))
    hosts = {e["pid"] for e in out if e.get("cat") not in DEVICE.values()}
    for e in events:
        if e.get("ph") == "M" and e["name"] in ("process_name", "thread_name") and words.bits(e["pid"]) in hosts:
            out.append(e | {"pid": words.bits(e["pid"]), "tid": words.bits(e["tid"]), "cat": "names"})
    # What Kineto ends with: no other format is taken for cut where it is missing.
    out.append({"ph": "i", "s": "g", "name": "Record Window End", "cat": "window", "pid": "", "tid": "", "ts": 0})
    kept = {k: top[k] for k in ("deviceProperties", "baseTimeNanoseconds") if k in top}
    return kept, out
