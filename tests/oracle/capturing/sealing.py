"""Files that nobody finished, and the options that need no program."""
import os
import subprocess
import zlib

from capturing.box import APP, LIBRARY, LIMIT_S, same, Trace, TRACEQ, wait_for, want


def unsealed(box):
    """A .part file as a killed program without a launcher leaves it."""
    env = box.env({"CUDA_INJECTION64_PATH": LIBRARY, "TRACEQ_CAPTURE":
                   f"v1;out={box.dir}/out.json.gz;flush_ns=50000000"})
    part = os.path.join(box.dir, "out.json.gz.part")
    go = os.path.join(box.dir, "go")

    def is_committed():
        """300 kernels, their calls, arrows and names are about 1,300 events."""
        if not os.path.exists(part):
            return False
        with open(part, "rb") as f:
            return int.from_bytes(f.read(56)[32:40], "little") > 1200

    with subprocess.Popen([APP, "n=300", "hold=60000", f"go={go}", "end=kill9"], env=env,
                          cwd=box.dir, stdout=subprocess.DEVNULL) as p:
        wait_for(is_committed, "a checkpoint")
        with open(go, "w", encoding="utf-8"):
            pass
        p.wait(timeout=LIMIT_S)
    os.unlink(go)
    return part


def seal(box):
    part = unsealed(box)
    text = zlib.decompressobj(31).decompress(open(part, "rb").read())
    want(text.count(b'"cat": "kernel"') == 300, "an unsealed file is readable")
    done = subprocess.run([TRACEQ, "capture", "--seal", part], stderr=subprocess.PIPE, check=True)
    want(b"events, sealed" in done.stderr, done.stderr)
    trace = box.only()
    trace.sane()
    same(len(trace.by["kernel"]), 300, "kernels")
    done = subprocess.run([TRACEQ, "capture", "--seal", trace.path], stderr=subprocess.PIPE,
                          check=True)
    want(b"was complete" in done.stderr, done.stderr)


def seal_prefixes(box):
    """Cut anywhere: sealed and then whole, or one clear error, and then untouched."""
    data = open(unsealed(box), "rb").read()
    committed = int.from_bytes(data[16:24], "little")
    places = sorted({0, 1, 9, 10, 15, 16, 17, 30, 55, 56, 57, committed - 1, committed,
                     committed + 1, len(data), *range(60, len(data), max(1, len(data) // 25))})
    path = os.path.join(box.dir, "cut.json.gz.part")
    for n in places:
        with open(path, "wb") as f:
            f.write(data[:n])
        done = subprocess.run([TRACEQ, "capture", "--seal", path], stderr=subprocess.PIPE,
                              check=False)
        if n < committed:
            same((done.returncode, done.stderr.count(b"\n")), (2, 1), f"{n}: {done.stderr}")
            same(open(path, "rb").read(), data[:n], "the file")
            os.unlink(path)
        else:
            same(done.returncode, 0, f"{n}: {done.stderr}")
            Trace(path[:-5])
            os.unlink(path[:-5])


def env_option(box):
    done = subprocess.run([TRACEQ, "capture", "-o", f"{box.dir}/it's_%p.json.gz", "--env"],
                          env=box.env(), stdout=subprocess.PIPE, check=True)
    script = done.stdout.decode() + f"exec {APP} n=50\n"
    subprocess.run(["sh", "-c", script], env=box.env(), stdout=subprocess.DEVNULL, check=True)
    same(len(box.only().by["kernel"]), 50, "kernels")


def check_option(box):
    """Each thing a recording does first is tried, and what is refused is said, with its code."""
    def check(code, words, **env):
        done = subprocess.run([TRACEQ, "capture", "--check"], env=box.env(env), check=False,
                              stdout=subprocess.PIPE)
        text = done.stdout.decode()
        same(done.returncode, code, f"{env}: {text}")
        for w in ("GPU work can be recorded here" if code == 0 else "GPU work cannot", *words):
            same(text.count(w), 1, f"{env}: {text}")
    check(0, [])
    for version in ("18", "130100", "130200", "130400"):
        check(0, [], FAKE_CUPTI_VERSION=version)
    check(1, ["administrators only"], FAKE_SUBSCRIBE_RC="35")
    check(1, ["administrators only"], FAKE_ENABLE_RC="35")
    check(1, ["CUPTI takes no buffers", "CUPTI_ERROR_UNKNOWN"], FAKE_REGISTER_RC="999")
    check(1, ["administrators only"], FAKE_ENABLE_RC="35", FAKE_ENABLE_KIND="10,1,22,2")
    check(0, ["refused: SYNCHRONIZATION (CUPTI_ERROR_NOT_SUPPORTED)"], FAKE_ENABLE_RC="27",
          FAKE_ENABLE_KIND="38")
