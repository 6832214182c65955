#!/usr/bin/env python3
"""What capture believes of CUDA, where a toolkit is installed: the numbers of its tables against
the headers, record sizes against the real libcupti (which walks records without a driver), its
occupancy against cuda_occupancy.h, and that the programs for a machine with a GPU compile.

Nothing of this is needed to build traceq.  CUDA names the toolkit [/usr/local/cuda].  CUPTIS names
folders with further CUPTIs, older or newer, each with cupti.h in include/ or usr/include/ and
libcupti.so somewhere below ("a:b"); of the toolkit they use cuda.h and NVTX's headers.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

CUDA = os.environ.get("CUDA", "/usr/local/cuda")
CC = os.environ.get("CC", "cc").split()
CUPTIS = [c for c in os.environ.get("CUPTIS", "").split(":") if c]
HERE = "tests/capture/toolkit"
FLAGS = ["-std=c17", "-O1", "-D_GNU_SOURCE=1", "-I.", "-isystem", f"{CUDA}/include"]
passed, failed, skipped = 0, 0, 0


def result(name, ok, text):
    global passed, failed
    passed, failed = passed + ok, failed + (not ok)
    print(f"{'ok' if ok else 'FAIL'} {name}{': ' + text.strip()[:2000] if text.strip() else ''}")


def skip(name, why):
    global skipped
    skipped += 1
    print(f"skip {name}: {why}")


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                          check=False)
    return done.returncode == 0, done.stdout.decode(errors="replace")


def compiled(folder, name, sources, *more):
    program = os.path.join(folder, name)
    ok, text = run([*CC, *FLAGS, "-o", program, *sources, *more])
    if not ok:
        result(name, False, text)
    return program if ok else None


def check_layouts(name, include, walk, libraries):
    """The table of records against a header, and a library walking records of these sizes."""
    flags = [f for f in FLAGS if f not in ("-isystem", f"{CUDA}/include")]
    result(f"abi {name}", *run([*CC, *flags, "-isystem", include, "-idirafter", f"{CUDA}/include",
                                "-fsyntax-only", f"{HERE}/abi_check.c"]))
    if walk and libraries:
        result(f"walk {name}", *run([walk, libraries[0]]))
    elif walk:
        skip(f"walk {name}", "no libcupti")


def main():
    if not os.path.exists(f"{CUDA}/include/cupti.h"):
        skip("toolkit", f"no CUDA toolkit in {CUDA}")
        print(f"{passed} passed, {failed} failed, {skipped} skipped")
        return
    with tempfile.TemporaryDirectory() as folder:
        walk = compiled(folder, "walk", [f"{HERE}/walk_check.c", "tests/capture/fake_records.c"],
                        "-ldl")
        check_layouts(CUDA, f"{CUDA}/include", walk, glob.glob(f"{CUDA}/lib*/libcupti.so.1[0-9]*"))
        for place in CUPTIS:
            headers = glob.glob(f"{place}/**/cupti.h", recursive=True)
            if headers:
                check_layouts(place, os.path.dirname(headers[0]), walk,
                              glob.glob(f"{place}/**/libcupti.so.[0-9]*", recursive=True))
            else:
                skip(place, "no cupti.h")
        occupancy = compiled(folder, "occupancy", [f"{HERE}/occupancy_check.c",
                                                   "capture/inject/kernel_occupancy.c"])
        if occupancy:
            result("occupancy", *run([occupancy]))
        nvcc = shutil.which("nvcc") or f"{CUDA}/bin/nvcc"
        for source in sorted(glob.glob("tests/capture/gpu/*.cu")):
            if not os.path.exists(nvcc):
                skip(source, "no nvcc")
                continue
            result(source, *run([nvcc, "-arch=sm_90", "-o", os.path.join(folder, "gpu"), source]))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
