#!/usr/bin/env python3
"""What a capture costs: the worker for each event, memory above the cap, a program that uses neither
CUDA nor NVTX.  Prints figures and their limits; with the fakes, so no device is needed."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

B = os.path.abspath(os.environ.get("B", "build/release"))
BENCH = os.environ.get("BENCH", os.path.join(B, "bench"))
LIBRARY = os.path.join(B, "libtraceq-capture.so")
APP = os.path.join(B, "capture", "app")


def env(**more):
    return dict(os.environ, LD_LIBRARY_PATH=os.path.join(B, "capture"), **more)


def injected(folder, options=""):
    return env(CUDA_INJECTION64_PATH=LIBRARY, NVTX_INJECTION64_PATH=LIBRARY,
               TRACEQ_CAPTURE=f"v1;out={folder}/%25p.json.gz{options}")


def peak(e, *work):
    done = subprocess.run([APP, *work, "mix=0", "peak=1"], env=e, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout.decode().splitlines()[-1])["peak_kib"] / 1024


def plain(e, n=200):
    began = time.perf_counter()
    for _ in range(n):
        subprocess.run(["true"], env=e, check=True)
    return (time.perf_counter() - began) / n * 1e6


def main():
    sys.stdout.flush()
    subprocess.run([os.path.join(BENCH, "capture_worker")], check=False)
    with tempfile.TemporaryDirectory() as folder:
        for cap in (8, 64):
            e = injected(folder, f";cap_bytes={cap << 20}")
            used = peak(e, "n=400000")
            flooded = peak(e, "n=400000", "t=4", "nvtx=1", "flood=500000")
            print(f"memory: cap {cap} MiB, peak {used:.1f} MiB of the whole program at full speed, "
                  f"{flooded:.1f} with 2,000,000 NVTX ranges (limit {cap + 10})")
        a, b = [], []
        for _ in range(5):
            a.append(plain(env()))
            b.append(plain(injected(folder)))
        print(f"a program without CUDA and NVTX: {statistics.median(a):.0f} us, under capture "
              f"{statistics.median(b):.0f} us (nothing is loaded into it)")


if __name__ == "__main__":
    main()
