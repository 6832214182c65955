"""A trace as text without what the database of Ascend's profiler does not say of its program: see docs/formats.md,
"What each format cannot tell"."""
from judging.rocpd_lacks import Words

CATS = {"kernel": "kernel", "Kernel": "kernel", "gpu_memset": "kernel", "Memset": "kernel", "gpu_memcpy": "gpu_memcpy",
        "Memcpy": "gpu_memcpy", "cuda_runtime": "cuda_runtime", "Runtime": "cuda_runtime", "cuda_driver": "cuda_runtime",
        "cpu_op": "cpu_op", "Operator": "cpu_op", "user_annotation": "user_annotation",
        "python_function": "python_function"}
ARGS = {"kernel": ("device", "stream", "correlation", "External id"),
        "gpu_memcpy": ("device", "stream", "correlation", "External id", "bytes"), "cuda_runtime": ("correlation",),
        "cpu_op": ("External id", "Sequence number", "Fwd thread id"), "user_annotation": (), "python_function": ()}
WAYS = ("HtoH", "HtoD", "DtoH", "DtoD", "Managed")


def way(name):
    """A copy's name; one between devices goes from device to device."""
    return "Memcpy " + next((w for w in WAYS if w in name), "DtoD" if "PtoP" in name else "HtoH")


def reduce(top, events):
    words, out = Words(), []
    # Work says the op that its call says.
    op = {e["args"]["correlation"]: e["args"]["External id"] for e in events
          if CATS.get(e.get("cat")) == "cuda_runtime" and (e.get("args") or {}).get("External id", 0) > 0 and
          e["args"].get("correlation", 0) > 0}
    for e in events:
        if e.get("ph") != "X" or "ts" not in e or e.get("cat") not in CATS:
            continue
        cat = CATS[e["cat"]]
        old = e.get("args") or {}
        args = {k: v for k, v in old.items() if k in ARGS[cat]}
        where = {"pid": words.number(e["pid"]), "tid": words.number(e["tid"])}
        if cat in ("kernel", "gpu_memcpy"):
            args |= {"device": old.get("device", e["pid"]), "stream": old.get("stream", e["tid"])}
            where = {"pid": args["device"], "tid": args["stream"]}
            args.pop("External id", None)
            if old.get("correlation") in op:
                args["External id"] = op[old["correlation"]]
        if args.get("Sequence number", 0) < 0:
            del args["Sequence number"]
        if args.get("correlation", 1) <= 0:
            del args["correlation"]
        name = way(e["name"]) if cat == "gpu_memcpy" else e["name"]
        out.append(e | where | {"cat": cat, "name": name, "args": args})
    kept = {"deviceProperties": [{"id": g["id"], "name": g.get("name", "")} for g in top.get("deviceProperties") or []]}
    if "rank" in (top.get("distributedInfo") or {}):
        kept["distributedInfo"] = {"backend": "hccl", "rank": top["distributedInfo"]["rank"]}
    if "baseTimeNanoseconds" in top:
        kept["baseTimeNanoseconds"] = top["baseTimeNanoseconds"]
    return {k: v for k, v in kept.items() if v}, out
