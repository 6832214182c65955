#!/usr/bin/env python3
"""compare.py TRACE DID: a trace of work.cu against what the program said it did."""
import collections
import gzip
import json
import sys


def main():
    trace = json.load(gzip.open(sys.argv[1]))
    did = json.loads([line for line in open(sys.argv[2]) if line.startswith("{")][0])
    events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    by = collections.defaultdict(list)
    for e in events:
        by[e["cat"]].append(e)
    names = collections.Counter(e["name"].split("(")[0] for e in by["kernel"])
    calls = {e["args"]["correlation"]: e for e in by["cuda_runtime"] + by["cuda_driver"]}
    work = by["kernel"] + by["gpu_memcpy"] + by["gpu_memset"]
    lonely = [e for e in work if e["args"]["correlation"] not in calls]
    early = [e for e in work if e not in lonely
             and e["ts"] < calls[e["args"]["correlation"]]["ts"]]
    whole = sum(e["name"].startswith("CUDA Graph") for e in by["kernel"])
    print("launching calls and their ids:", collections.Counter(
        (e["name"], e["args"]["cbid"]) for e in calls.values() if "aunch" in e["name"]))
    print("start of device work after its call, us:", sorted(
        round(e["ts"] - calls[e["args"]["correlation"]]["ts"], 1) for e in work
        if e not in lonely)[:3])
    checks = {
        # One that nobody waited for may have been done before the end, or not.
        "empty kernels": (min(names["empty"] + whole * 20, did["empty"] + did["graph_nodes"] + did["maybe"])
                          - (names["empty"] + whole * 20 > did["empty"] + did["graph_nodes"]) * did["maybe"],
                          did["empty"] + did["graph_nodes"]),
        "saxpy": (names["saxpy"], did["saxpy"]),
        "bytes copied": (sum(e["args"]["bytes"] for e in by["gpu_memcpy"]), did["copy_bytes"]),
        "sets": (len(by["gpu_memset"]), did["sets"]),
        "without a call": (len(lonely), 0),
        "before their call": (len(early), 0),
    }
    spin = [e["dur"] for e in by["kernel"] if e["name"].startswith("spin")]
    if did["spin_us"]:
        # A pair of CUDA events holds the gaps around the launch, too.
        checks["spin within 1 % + 15 us"] = (
            bool(spin) and abs(spin[0] - did["spin_us"]) <= did["spin_us"] * 0.01 + 15, True)
    bad = 0
    for what, (got, want) in checks.items():
        bad += got != want
        print("ok  " if got == want else "FAIL", what, got, "" if got == want else f"not {want}")
    print("end:", trace["traceqCapture"])
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
