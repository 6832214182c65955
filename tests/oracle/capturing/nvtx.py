"""Ranges and marks of NVTX, with and without CUDA."""
import collections
import os

from capturing.box import compare, same, want


def nvtx(box):
    box.run(["n=100", "nvtx=1", "mix=0"])
    trace = box.only()
    compare(trace, box.did[0])
    ranges = trace.by["user_annotation"]
    same(len(ranges), box.did[0]["ranges"], "ranges")
    by = {e["name"]: e for e in ranges}
    first = by['attributes "quoted" \\ \x01 \ufffd\ufffd end']["args"]
    same((first["category"], first["color"], first["payload"]), ("category seven", "#ff11aa22", 0.5),
         "attributes")
    same(by["registered"]["args"]["domain"], "my domain", "domain")
    want("wide \u263a" in by, "wide text")
    rows = {by["first of two"]["tid"], by["second of two"]["tid"]}
    same(len(rows), 2, "rows of ranges that overlap")
    same([e["name"] for e in trace.by["nvtx"]], ["a mark"], "marks")
    want("the main thread" in {e["args"]["name"] for e in trace.events
                               if e["ph"] == "M" and e["name"] == "thread_name"}, "thread's name")
    ids = {e["args"]["External id"]: e["name"] for e in ranges}
    for e in trace.by["kernel"]:
        same(ids[e["args"]["External id"]], "forward", "range of a kernel")
    gpu = trace.names("gpu_user_annotation")
    same(gpu, collections.Counter({"forward": 10, "step 0": 3, "step 1": 3, "step 2": 2,
                                   "step 3": 2}), "ranges of the device")
    for g in trace.by["gpu_user_annotation"]:
        if g["name"] == "forward":
            work = [k for k in trace.by["kernel"]
                    if k["args"]["External id"] == g["args"]["External id"]]
            same(round((min(k["ts"] for k in work) - g["ts"]) * 1000), 1, "start")


def devices_before_work(box):
    """Ranges open the file before CUPTI has told a device: the driver tells it, all the same."""
    box.run(["n=0", "nvtx=1", "hold=300"], ["--flush", "50ms"])
    early = box.only().doc["deviceProperties"]
    same([d["name"] for d in early], ['Fake "H200"'], "devices of a trace of ranges")
    for f in box.files():
        os.unlink(f)
    box.run(["n=10"])
    same(early, box.only().doc["deviceProperties"], "what the driver and what CUPTI tells of the device")


def nvtx_alone(box):
    box.run(["n=0", "cuda=0", "nvtx=1"])
    same(box.files(), [], "files without --cpu")
    want("the program used no CUDA: nothing recorded" in box.said, box.said)
    box.run(["n=0", "cuda=0", "nvtx=1"], ["--cpu"])
    trace = box.only()
    trace.sane()
    same(len(trace.by["user_annotation"]), 5, "ranges")
    want("cupti_version" not in trace.doc, "no CUPTI")
