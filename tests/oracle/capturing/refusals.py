"""What the driver, the settings or other tools refuse, and what is said then."""
import glob
import os
import shutil
import subprocess

from capturing.box import APP, FAKE, LIBRARY, same, SAN, Skip, Trace, TRACEQ, want


def refused(box):
    for code, words in (("39", 'another profiler holds CUPTI ("CUPTI for Kineto"): nsys'),
                        ("35", "the driver allows GPU tracing to administrators only"),
                        ("999", "CUPTI could not reach the driver (CUPTI_ERROR_UNKNOWN)"),
                        ("33", "this GPU forbids tracing: it is a virtual GPU"),
                        ("41", "confidential computing is on"),
                        ("8", "CUPTI refuses")):
        box.run(["n=10", "end=fail"], env={"FAKE_SUBSCRIBE_RC": code}, code=5)
        same(box.said.count(words), 1, f"{code}: {box.said}")
        same(box.files(), [], "files")
    box.run(["n=10"], env={"FAKE_SUBSCRIBE_RC": "15", "FAKE_DRIVER_VERSION": "12040"})
    # The fake is libcupti.so.13, which a driver of 12.4 does not serve: --cupti insists.
    want("libcupti" in box.said, box.said)
    box.run(["n=10"], ["--cupti", os.path.join(FAKE, "libcupti.so.13")],
            env={"FAKE_SUBSCRIBE_RC": "15", "FAKE_DRIVER_VERSION": "12040"})
    want("is newer than the driver (12.4): use the CUPTI of CUDA 12.4 or older" in box.said,
         box.said)
    box.run(["n=10"], env={"FAKE_DRIVER_VERSION": "11000"})
    want("libcupti not found (looked for libcupti.so.13, .12, .11.8" in box.said, box.said)
    box.run(["n=10"], ["--cupti", "/nonexistent/libcupti.so"], code=125)


def some_kinds(box):
    box.run(["n=100"], env={"FAKE_ENABLE_RC": "27", "FAKE_ENABLE_KIND": "38"})
    want("cannot record SYNCHRONIZATION" in box.said and "the rest is recorded" in box.said,
         box.said)
    same(len(box.only().by["kernel"]), 100, "kernels")


def no_privileges(box):
    """A driver that lets only administrators trace may say so when a kind is switched on: said once,
    with what to do, and what is then recorded is not said to be all."""
    words = "the driver allows GPU tracing to administrators only"
    for code, other in (("35", words), ("41", "confidential computing is on"), ("14", "CUPTI_ERROR_NOT_COMPATIBLE")):
        box.run(["n=100", "end=fail"], env={"FAKE_ENABLE_RC": code}, code=5)
        same(box.said.count(other), 1, box.said)
        same(box.said.count("recording NVTX only"), 1, box.said)
        same((box.said.count("cannot record"), box.said.count("the rest")), (0, 0), box.said)
        same(box.files(), [], "files")
    box.run(["n=100", "nvtx=1"], env={"FAKE_ENABLE_RC": "35"})
    trace = box.only()
    same(len(trace.by["user_annotation"]), box.did[0]["ranges"], "ranges")
    os.unlink(trace.path)
    box.run(["n=100"], env={"FAKE_ENABLE_RC": "35", "FAKE_ENABLE_KIND": "10,1,22,2"})
    same(box.said.count(words), 1, box.said)
    want("cannot record CONCURRENT_KERNEL, MEMCPY, MEMCPY2, MEMSET: " in box.said, box.said)
    want("--cap-add=SYS_ADMIN" in box.said and "  incomplete" in box.said, box.said)
    trace = box.only()
    same((len(trace.by["cuda_runtime"]), trace.end["complete"], trace.end["other_user"]),
         (box.did[0]["api"], False, False), "calls alone")
    os.unlink(trace.path)
    box.run(["n=2000", "us=500"], ["--delay", "200ms", "--warmup", "100ms"], env={"FAKE_ENABLE_RC": "35"})
    same(box.said.count(words), 1, box.said)


def losses(box):
    box.run(["n=200"], env={"FAKE_NO_WORK": "1"})
    want("launches but no kernel record: CUPTI 13.0 may be too old for this GPU" in box.said,
         box.said)
    box.run(["n=100", "mix=0"], env={"FAKE_NO_TIMES": "10"})
    want("10 kernels or copies have no times" in box.said, box.said)
    box.run(["n=100"], env={"FAKE_DROPPED": "12288"})
    want("CUPTI dropped 12288 records" in box.said, box.said)
    box.run(["n=100"], env={"FAKE_FATAL": "50"})
    want("CUPTI stopped: the fake device fell off the bus; the trace ends" in box.said, box.said)


def torn_buffer(box):
    """A walk that ends at what is no record: what is behind it is counted, never silently left."""
    box.run(["n=300", "mix=0"], env={"FAKE_TORN": "200"})
    trace = box.only()
    unread = trace.end["unread_bytes"]
    want(unread > 1000, f"{unread} bytes behind the fault")
    want(0 < len(trace.by["kernel"]) < 300, f"{len(trace.by['kernel'])} kernels")
    same(trace.end["complete"], False, "complete")
    want(f"up to {unread} bytes behind it are not in the trace" in box.said and "  incomplete" in box.said, box.said)


def other_tool(box):
    for name in ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "NSYS_PROFILING_SESSION_ID"):
        box.run(["n=10"], env={name: "/opt/x.so"}, code=125)
        want(f"{name} is set: another profiler is at work here" in box.said, box.said)
    box.run(["n=10"], ["--force"], env={"NSYS_PROFILING_SESSION_ID": "1"})
    box.only()


def not_run(box):
    box.run([], program="./no-such-program", code=127)
    box.run([], program="/etc/passwd", code=126)
    box.run([], program="/bin/true")
    want("the program used no CUDA: nothing recorded" in box.said and LIBRARY in box.said, box.said)
    done = subprocess.run([TRACEQ, "capture", "--", "cat", "/proc/self/maps"], env=box.env(),
                          cwd=box.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    want(b"libtraceq-capture" not in done.stdout, "loaded into a program without CUDA")


def wrong_settings(box):
    for value, words in (("v2;out=/x", "version 'v2' is not v1"), ("v1;out=/x;zeal=1", "unknown key 'zeal'"),
                         ("v1;out=/x;level=99", "out of range"), ("v1;out=x", "out of range"),
                         ("v1;out=/x;flow=maybe", "bad value of 'flow'"), ("", "version ''")):
        done = subprocess.run([APP, "n=10", "end=fail"], cwd=box.dir, stderr=subprocess.PIPE,
                              env=box.env({"CUDA_INJECTION64_PATH": LIBRARY,
                                           "TRACEQ_CAPTURE": value}),
                              stdout=subprocess.DEVNULL, check=False)
        same(done.returncode, 5, "exit")
        same(done.stderr.decode().count(words), 1, f"{value}: {done.stderr}")
    done = subprocess.run([APP, "n=10"], env=box.env({"CUDA_INJECTION64_PATH": LIBRARY}),
                          cwd=box.dir, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          check=True)
    same(done.stderr, b"", "said without settings")


def one_cupti(box):
    """A program that brings its own CUPTI, as PyTorch does: that one is used, no second loaded."""
    if SAN:
        raise Skip("a preloaded library comes before the sanitizer's")
    other = os.path.join(box.dir, "its-own", "libcupti.so.13")
    os.mkdir(os.path.dirname(other))
    shutil.copy(os.path.join(FAKE, "libcupti.so.13"), other)
    real = os.path.join(box.dir, "fakes")
    os.mkdir(real)
    shutil.copy(os.path.join(FAKE, "libcuda.so.1"), real)
    box.run(["n=100"], env={"LD_PRELOAD": other, "LD_LIBRARY_PATH": real})
    same(box.did[0]["cuptis"], 1, "CUPTIs in the process")
    same(len(Trace(box.files("*.gz")[0]).by["kernel"]), 100, "kernels")


def too_new(box):
    """The newest CUPTI does not start with the driver: the next older one is taken, in silence."""
    if SAN:
        raise Skip("a copied library has no sanitizer's names")
    older = os.path.join(box.dir, "older")
    os.mkdir(older)
    shutil.copy(os.path.join(FAKE, "libcupti.so.13"), os.path.join(older, "libcupti.so.12"))
    env = {"LD_LIBRARY_PATH": f"{FAKE}:{older}", "FAKE_TOO_NEW": "libcupti.so.13"}
    box.run(["n=100"], env=env)
    want("could not start" not in box.said, box.said)
    same(len(Trace(box.files("*.gz")[0]).by["kernel"]), 100, "kernels")
    done = subprocess.run([TRACEQ, "capture", "--check"], env=box.env(env), stdout=subprocess.PIPE,
                          check=False)
    same(done.returncode, 0, done.stdout.decode())
    want(b"older/libcupti.so.12)" in done.stdout, done.stdout.decode())
    env["FAKE_TOO_NEW"] = "libcupti.so"  # all of them: said of the newest, once
    box.run(["n=100", "end=fail"], env=env, code=5)
    same(box.said.count("could not start with this driver (13.0)"), 1, box.said)
    want(f"({FAKE}/libcupti.so.13)" in box.said, box.said)
    box.run(["n=100", "end=fail"], ["--cupti", os.path.join(FAKE, "libcupti.so.13")],
            env={**env, "FAKE_TOO_NEW": "libcupti.so.13"}, code=5)
    same(box.said.count("could not start with this driver"), 1, "what is asked for is not replaced")


def real_cupti(box):
    """The real libcupti with the fake driver, where a toolkit is installed: it must say that it
    cannot reach the driver, and harm nothing."""
    found = glob.glob("/usr/local/cuda/lib*/libcupti.so.1[0-9]")
    if not found:
        raise Skip("no CUDA toolkit with libcupti here")
    box.run(["n=100", "end=fail"], ["--cupti", found[0]], code=5)
    want("CUPTI could not reach the driver (CUPTI_ERROR_UNKNOWN)" in box.said, box.said)
