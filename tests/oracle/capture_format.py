#!/usr/bin/env python3
"""A captured file as others must be able to read it: strict JSON, what Chrome's trace format asks of
each phase, what TensorBoard and HTA rely on, and field by field what Kineto wrote in the real traces
of NVIDIA devices under $SHARED/traces (skipped where there are none).

Needs the fakes, as capture.py.  Python's standard library only.
"""
import collections
import decimal
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import zlib

from capturing.box import APP, Failure, FAKE, LIBRARY, run_one, same, Skip, want

SHARED = os.environ.get("SHARED", "../shared")
SORTS = {"X": ("cat", "name", "pid", "tid", "ts", "dur", "args"), "M": ("name", "pid", "tid", "ts", "args"),
         "s": ("id", "pid", "tid", "ts", "cat", "name"), "f": ("id", "pid", "tid", "ts", "cat", "name", "bp"),
         "i": ("s", "name", "pid", "tid", "ts"), "C": ("cat", "name", "pid", "tid", "ts", "args")}
METADATA = {"process_name": ("name", str), "process_labels": ("labels", str),
            "process_sort_index": ("sort_index", int), "thread_name": ("name", str),
            "thread_sort_index": ("sort_index", int)}
# Categories whose events Kineto and capture both make from the same records of CUPTI.
COMMON = ("kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "cuda_sync", "s:ac2g", "f:ac2g")


def once(pairs):
    """An object; a key that stands in it twice is an error."""
    counts = collections.Counter(k for k, _ in pairs)
    want(len(counts) == len(pairs), f"a key twice in {pairs}")
    return dict(pairs)


def never(word):
    raise Failure(f"{word} is no JSON")


def strict(text):
    return json.loads(text.decode("utf-8", errors="strict"), parse_constant=never,
                      object_pairs_hook=once)


def recorded(box):
    """Work of every kind within ranges, with samples; the text of the file."""
    box.run(["n=300", "t=2", "nvtx=1", "graph=1", "hold=500"],
            ["--kinds=+memory,events", "--nvml", "20ms", "--flush", "50ms"],
            env={"RANK": "3", "WORLD_SIZE": "8"})
    return gzip.open(box.files()[0]).read()


def is_time(text):
    """Microseconds with three decimals, which a reader's double keeps."""
    return re.fullmatch(r"\d+\.\d{3}", text) and \
        decimal.Decimal(repr(float(text))).quantize(decimal.Decimal("0.001")) == decimal.Decimal(text)


def phases(box):
    text = recorded(box)
    for e in strict(text)["traceEvents"]:
        want(e.get("ph") in SORTS, f"a phase nobody knows: {e}")
        missing = [k for k in SORTS[e["ph"]] if k not in e]
        same(missing, [], f"missing in {e}")
        want(isinstance(e["name"], str) and isinstance(e.get("cat", ""), str), f"words: {e}")
        if e["ph"] == "M":
            key, kind = METADATA[e["name"]]
            want(list(e["args"]) == [key] and isinstance(e["args"][key], kind), f"metadata: {e}")
        if e["ph"] == "C":
            want(all(isinstance(v, (int, float)) for v in e["args"].values()), f"counter: {e}")
        if e["ph"] == "i":
            want(e["s"] in "gpt", f"scope: {e}")
        if e["ph"] == "f":
            same(e["bp"], "e", "the arrow's end")
    seen = {e["ph"] for e in strict(text)["traceEvents"]}
    same(seen, set(SORTS), "phases in the file")
    for when in re.findall(r'"(?:ts|dur)": ([^,}]+)', text.decode()):
        want(is_time(when), f"a time: {when}")


def head(box):
    """What readers look for without reading all of it: HTA stops at the events, Kineto's scale."""
    text = recorded(box).decode()
    doc = strict(text.encode())
    before = text.index('"traceEvents"')
    for key in ("schemaVersion", "deviceProperties", "distributedInfo", "displayTimeUnit",
                "baseTimeNanoseconds"):
        want(0 < text.index(f'"{key}"') < before, f"{key} after the events")
    same(re.search(r'"rank":\s+(\d+)', text).group(1), "3", "HTA's expression for the rank")
    same((doc["schemaVersion"], doc["displayTimeUnit"]), (1, "ms"), "version, unit")
    same(doc["baseTimeNanoseconds"] % (7889238 * 10**9), 0, "base")
    for device in doc["deviceProperties"]:
        same([k for k in ("id", "name", "totalGlobalMem", "computeMajor", "computeMinor",
                          "maxThreadsPerBlock", "maxThreadsPerMultiprocessor", "regsPerBlock",
                          "regsPerMultiprocessor", "warpSize", "sharedMemPerBlock",
                          "sharedMemPerBlockOptin", "sharedMemPerMultiprocessor", "numSms")
              if k not in device], [], "missing of a device")
        want(all(isinstance(v, int) for k, v in device.items() if k != "name"), f"types: {device}")


def stream_of_gzip(box):
    """One member, as TensorBoard hands it to browsers; gzip's own check agrees."""
    recorded(box)
    path = box.files()[0]
    data = open(path, "rb").read()
    member = zlib.decompressobj(31)
    member.decompress(data)
    want(member.eof and member.unused_data == b"", "more than one member")
    subprocess.run(["gzip", "-t", path], check=True)
    want(re.search(r"\.pt\.trace\.json\.gz$", path), "a name TensorBoard looks for")


def kind_of(value):
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else \
        type(value).__name__


def shapes(doc):
    """By category: events, and for each field in how many it is and of which types."""
    found = collections.defaultdict(lambda: (collections.Counter(), collections.defaultdict(set)))
    for e in doc["traceEvents"]:
        if e.get("ph") in ("X", "s", "f"):
            cat = e.get("cat") if e["ph"] == "X" else f"{e['ph']}:{e.get('cat')}"
            fields = {**{k: v for k, v in e.items() if k != "args"},
                      **{f"args.{k}": v for k, v in (e.get("args") or {}).items()}}
            count, types = found[cat]
            count["events"] += 1
            count.update(list(fields))
            for k, v in fields.items():
                types[k].add(kind_of(v))
    return found


def is_nvidia(doc):
    return isinstance(doc, dict) and any("registers per thread" in (e.get("args") or {})
                                         for e in doc.get("traceEvents", []) if isinstance(e, dict))


def real_traces():
    for path in sorted(glob.glob(os.path.join(SHARED, "traces", "*.json*"))):
        with (gzip.open(path) if path.endswith(".gz") else open(path, "rb")) as f:
            try:
                doc = json.load(f, strict=False)
            except ValueError:
                continue
        if is_nvidia(doc):
            yield os.path.basename(path), doc


def as_kineto(box):
    """Each field that all of Kineto's events of a category have, ours have, and of the same type."""
    ours = shapes(strict(recorded(box)))
    compared = collections.Counter()
    for name, doc in real_traces():
        if doc.get("schemaVersion") is None:
            continue  # shortened or rewritten by others
        theirs = shapes(doc)
        for cat in COMMON:
            count, types = theirs.get(cat, (None, None))
            if not count:
                continue
            mine, my_types = ours[cat]
            for field in types:
                if count[field] == count["events"]:
                    same(mine[field], mine["events"], f"{name}: {cat} {field} in our events")
                    want(types[field] & my_types[field],
                         f"{name}: {cat} {field}: {types[field]}, ours {my_types[field]}")
                    compared[cat] += 1
    if not compared:
        raise Skip("no real traces of NVIDIA devices here")
    same([c for c in COMMON if not compared[c]], [], "categories no real trace has")


def main():
    if not os.path.exists(APP) or not os.path.exists(LIBRARY):
        print(f"SKIP: no fakes in {FAKE}: make test builds them")
        print("0 passed, 0 failed, 1 skipped")
        return
    results = [run_one(t) for t in (phases, head, stream_of_gzip, as_kineto)]
    count = collections.Counter(r.split()[0] for r in results)
    for r in results:
        if not r.startswith("ok"):
            print(r)
    print(f"{count['ok']} passed, {count['FAIL']} failed, {count['skip']} skipped")
    sys.exit(1 if count["FAIL"] else 0)


if __name__ == "__main__":
    main()
