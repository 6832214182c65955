#!/usr/bin/env python3
"""What is said of traces of AMD's, Ascend's, Intel's and others' devices has no word of NVIDIA's, its libraries and
its tools, unless the trace has it.  The column "tensor cores" is called so for all."""
import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = pathlib.Path(os.environ.get("SHARED", "../shared"))
WORDS = ("NVIDIA", "nvidia-smi", "nsys", "Nsight", "NCCL", "CUPTI", "cuDNN", "cuBLAS", "CUDA", "cudaMalloc", "ncu", "Tensor Cores")
COMMANDS = ([], ["top"], ["kernels"], ["idle"], ["launches"], ["diagnose"], ["summary"], ["critical"], ["comms"], ["copies"],
            ["memory"], ["check"], ["info"], ["report", "--format", "md"])
SAMPLES = ("samples/formats/ascend_pytorch_profiler_0.db", "samples/formats/ascend_pt", "samples/rocprofv3",
           "cases/traces/rocprof1.json", "traces/tl_mi210_gpu_only.json.gz", "traces/hta_amd_mi250.json.gz")
GENERATED = (("rocm", "kineto"), ("rocm", "rocpd"), ("xpu", "kineto"), ("mtia", "kineto"), ("rocm", "ascend-db"))


def bytes_of(path):
    """All that is in a file, or in the files of a folder."""
    if path.is_dir():
        return b"".join(bytes_of(p) for p in sorted(path.iterdir()))
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def foreign(path):
    """(command, word, line) of each such word that is said of the trace."""
    raw = bytes_of(path)
    words = [w for w in WORDS if w.encode() not in raw]
    pattern = re.compile(r"(?<![\w.])(?:%s)(?!\w)" % "|".join(map(re.escape, words)))
    for command in COMMANDS:
        done = subprocess.run([TRACEQ, *command, str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for line in done.stdout.decode(errors="replace").split("\n"):
            for word in pattern.findall(line):
                yield " ".join(command), word, line[:100]


def main():
    passed, failed, skipped = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for scenario, layout in GENERATED:
            path = pathlib.Path(folder, f"{scenario}-{layout}{'.db' if layout in ('rocpd', 'ascend-db') else '.json'}")
            with open(path, "wb") as out:
                done = subprocess.run([FIXTURES, scenario, "--layout", layout], stdout=out, stderr=subprocess.DEVNULL)
            paths += [path] if done.returncode == 0 else []
            skipped += done.returncode != 0
        paths += [SHARED / name for name in SAMPLES if (SHARED / name).exists()]
        skipped += len(GENERATED) + len(SAMPLES) - len(paths) - skipped
        for path in paths:
            found = list(foreign(path))
            passed += len(COMMANDS) - len({command for command, *_ in found})
            failed += len({command for command, *_ in found})
            for command, word, line in found:
                print(f"FAIL {path.name} {command}: {word!r} in {line!r}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed > 0


sys.exit(main())
