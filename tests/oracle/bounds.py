#!/usr/bin/env python3
"""What a hostile input may cost: memory linear in operands, devices, lanes, keys and names, time
no worse than n log n, answers no longer than their named limits.

Each case is run on n and on 2 n things.  A child has a hard limit of CPU time, which linear work
undercuts ten times and quadratic work passes far, and a limit of address space; what it took at
most and how long is then compared between n and 2 n.  Under a sanitizer only the answers are.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
SAN = bool(os.environ.get("SAN"))
MIB = 1 << 20
CPU_S, ADDRESS_BYTES = 8, 2048 * MIB
OPERANDS, TOGETHER = 100000, 10000  # paths of a command line: cmd/load/operands.h
ROOM_BYTES = 600 * MIB  # what OPERANDS tiny files may take; fewer take their part
DEVICES, STREAMS, FRAMES = 1024, 4096, 1024
SLOWER, LARGER = 3.2, 2.6  # what twice the work may cost; n^2 costs 4
TRIES, SHORT_S = 3, 0.15   # below this time says nothing
BASE_BYTES = 12 * MIB      # of a program that does nothing, and its window

passed = failed = skipped = 0


def check(ok, what):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print("FAIL", what)


class Run:
    """One child: exit code, seconds of CPU, most resident bytes, output."""

    def __init__(self, args, cwd=None, cpu_s=CPU_S):
        def limits():
            if not SAN:
                resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
                resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_BYTES, ADDRESS_BYTES))

        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen([TRACEQ] + args, stdout=out, stderr=err, cwd=cwd,
                                     preexec_fn=limits)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = self.rc = os.waitstatus_to_exitcode(status)
            self.cpu = used.ru_utime + used.ru_stime
            self.bytes = used.ru_maxrss * 1024
            # What this program has when it starts a child counts as the child's.
            with open("/proc/self/statm", encoding="ascii") as f:
                self.least = int(f.read().split()[1]) * resource.getpagesize()
            self.out_bytes = os.fstat(out.fileno()).st_size
            out.seek(0)
            err.seek(0)
            self.text = out.read(64 * MIB).decode("utf-8", "replace")
            self.err = err.read(MIB).decode("utf-8", "replace")


def fits(what, run, most):
    check(SAN or run.bytes < max(most, run.least + MIB), f"{what}: {run.bytes // MIB} MiB")


def compare(what, args_n, args_2n, cwd=None, rc=0):
    """Both sizes answered, and the second cost about twice the first.  Returns the second."""
    a, b = Run(args_n, cwd), Run(args_2n, cwd)
    check(a.rc == rc and b.rc == rc, f"{what}: exit {a.rc}, {b.rc}: {b.err[:200]}")
    if SAN or a.rc != rc or b.rc != rc:
        return b
    ratio = b.cpu / max(a.cpu, SHORT_S / 2)
    for _ in range(TRIES - 1):
        if b.cpu < SHORT_S or ratio < SLOWER:
            break
        a, b = Run(args_n, cwd), Run(args_2n, cwd)
        ratio = min(ratio, b.cpu / max(a.cpu, SHORT_S / 2))
    check(b.cpu < SHORT_S or ratio < SLOWER, f"{what}: {a.cpu:.2f} s, then {b.cpu:.2f} s")
    check(b.bytes < LARGER * max(a.bytes, BASE_BYTES),
          f"{what}: {a.bytes // MIB} MiB, then {b.bytes // MIB}")
    return b


# ---- operands ----

TRACE = """{"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1,"dur":9},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":2,"dur":1,
"args":{"correlation":5}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":4,"dur":%d,
"args":{"correlation":5,"device":0,"stream":7}}]}
"""
# Bytes a tiny file may cost, its own rows of the answer included.
PART = ROOM_BYTES // OPERANDS
EACH = {"top": PART, "info": PART, "check": PART, "summary": PART, "diagnose": PART,
        "report": 176 << 10, "diff": 16 << 10, "gate": 16 << 10, "noise": 16 << 10}


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def operands(folder):
    n = 96 if SAN else 1600
    for i in range(2 * n):
        for side in "ab":
            for size in (n, 2 * n):
                if i < size:
                    os.makedirs(f"{folder}/{side}{size}", exist_ok=True)
                    if size == n:
                        write(f"{folder}/{side}{size}/{i}.json", TRACE % (5 + i % 7))
                    elif i < n:
                        os.link(f"{folder}/{side}{n}/{i}.json", f"{folder}/{side}{size}/{i}.json")
                    else:
                        write(f"{folder}/{side}{size}/{i}.json", TRACE % (5 + i % 7))
        write(f"{folder}/{i}.jsonl", '{"step":1,"loss":0.5}\n{"step":2,"loss":0.4}\n')
    traces = [f"a{2 * n}/{i}.json" for i in range(2 * n)]
    logs = [f"{i}.jsonl" for i in range(2 * n)]
    for verb in ("top", "info", "check", "summary", "diagnose", "report"):
        b = compare(f"{verb} of {2 * n} traces", [verb] + traces[:n], [verb] + traces, folder)
        fits(verb, b, BASE_BYTES + 2 * n * EACH[verb])
    for verb in ("metrics", "report"):
        compare(f"{verb} of {2 * n} logs", [verb] + logs[:n], [verb] + logs, folder)
    for verb in ("diff", "gate", "noise"):
        b = compare(f"{verb} of {2 * n} traces a side", [verb, f"a{n}", f"b{n}"],
                    [verb, f"a{2 * n}", f"b{2 * n}"], folder)
        fits(verb, b, BASE_BYTES + 4 * n * EACH[verb])
    compare("diff of labels", ["diff"] + ["a=" + t for t in traces[:n]] + ["b=" + traces[0]],
            ["diff"] + ["a=" + t for t in traces] + ["b=" + traces[0]], folder)
    runs(folder, n // 4)
    too_many(folder, traces[0])


def runs(folder, n):
    """Folders of runs: each with a trace and a log of its own, and a configuration for all."""
    for size in (n, 2 * n):
        for i in range(size):
            os.makedirs(f"{folder}/runs{size}/run_{i}")
            os.link(f"{folder}/a{8 * n}/{i}.json", f"{folder}/runs{size}/run_{i}/trace.json")
            os.link(f"{folder}/{i}.jsonl", f"{folder}/runs{size}/run_{i}/train.jsonl")
        write(f"{folder}/runs{size}/config.yaml", "batch_size: 8\nlr: 0.1\n")
    for verb in ("info", "diff"):
        args = [[verb, f"runs{s}"] + ([f"runs{s}"] if verb == "diff" else []) for s in (n, 2 * n)]
        compare(f"{verb} of {2 * n} runs", args[0], args[1], folder)


def too_many(folder, trace):
    """Beyond the limit nothing is opened, and the text says what the limit is."""
    short = "t"  # a command line is 2 MiB
    os.link(f"{folder}/{trace}", f"{folder}/{short}")
    for verb, most in (("top", OPERANDS), ("metrics", OPERANDS), ("diff", TOGETHER),
                       ("gate", TOGETHER), ("report", TOGETHER)):
        r = Run([verb] + [short] * (most + 1), folder)
        check(r.rc == 2 and f"at most {most} paths" in r.err and r.bytes < 64 * MIB or SAN,
              f"{verb} of {most + 1} operands: exit {r.rc}: {r.err[:200]}")


# Of what kind, how many, and the seconds of CPU they may take.
MANY = {"metrics": ("log", 10000, 30), "top": ("trace", 10000, 30),
        "stacks": ("trace", 10000, 30), "check": ("log", OPERANDS, 60)}


def many(folder):
    """Tiny files, one after the other: the whole answer within its part of the room."""
    part = 1000 if SAN else 1
    small = TRACE.replace("\n", "")
    for i in range(OPERANDS // part):
        write(f"{folder}/n{i}", '{"step":1,"loss":0.5}\n{"step":2,"loss":0.%d}\n' % i)
        if i < 10000 // part:
            write(f"{folder}/m{i}", small % (5 + i % 7))
    for verb, (kind, n, cpu_s) in MANY.items():
        names = [("n" if kind == "log" else "m") + str(i) for i in range(n // part)]
        r = Run([verb, "--json"] + names, folder, cpu_s)
        check(r.rc == 0, f"{verb} of {n} tiny files: exit {r.rc}: {r.err[:200]}")
        fits(f"{verb} of {n}", r, BASE_BYTES + n * PART)
        del r  # and its output


# ---- one file ----

def event(cat, name, ts, dur, args="", pid=1, tid=1):
    return (f'{{"ph":"X","cat":"{cat}","name":"{name}","pid":{pid},"tid":{tid},"ts":{ts},'
            f'"dur":{dur},"args":{{{args}}}}}')


def kernel(ts, dur=5, device=0, stream=7, more="", name="gemm"):
    return event("kernel", name, ts, dur, f'"device":{device},"stream":{stream}{more}', device,
                 stream)


def memory(i):
    return (f'{{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":{i},'
            f'"s":"t","args":{{"Total Allocated":{i % 7},"Total Reserved":9,"Bytes":8,"Addr":{i},'
            f'"Device Id":{i},"Device Type":1}}}}')


def step(i):
    return ",".join([event("user_annotation", f"ProfilerStep#{i}", 100 * i, 99),
                     event("cuda_runtime", "cudaLaunchKernel", 100 * i + 2, 1,
                           f'"correlation":{i + 1}'),
                     kernel(100 * i + 30, 40, more=f',"correlation":{i + 1}')])


def pair(i):
    launch = event("cuda_runtime", "cudaLaunchKernel", 10 * i, 1, '"correlation":7')
    return launch + "," + kernel(10 * i + 3, 4, more=',"correlation":7')


ONE = {
    "devices": lambda i, n: kernel(10 * i, device=i),
    "streams": lambda i, n: kernel(10 * i, stream=i),
    "lanes": lambda i, n: event("cpu_op", "aten::mm", 10 * i, 5, pid=i // 2, tid=i),
    "names": lambda i, n: kernel(10 * i, name=f"kernel_{i}"),
    "steps": lambda i, n: step(i),
    "nested": lambda i, n: event("cpu_op", f"f{i % 9}", i, 2 * (n - i)),
    "annotations": lambda i, n: event("user_annotation", f"## s{i} ##", 10 * i, 9),
    "correlation": lambda i, n: pair(i),
    "overlap": lambda i, n: kernel(i, 2 * n - i // 3),
    "shapes": lambda i, n: event("cpu_op", "aten::mm", 10 * i, 5, f'"Input Dims":[[{i},{i}]]'),
    "memory": lambda i, n: memory(i),
}


def trace(kind, n):
    return '{"traceEvents":[' + ",\n".join(ONE[kind](i, n) for i in range(n)) + "]}"


def gpus(n):
    listed = ",".join(f'{{"id":{i},"name":"G{i}"}}' for i in range(n))
    return f'{{"deviceProperties":[{listed}],"traceEvents":[{kernel(1)}]}}'


def jsonl(n):
    return "".join(f'{{"step":{i},"key_{i}":0.5}}\n' for i in range(n))


def groups(n):
    return "".join(f'{{"step":{i},"phase":"p{i}","loss":0.5}}\n' for i in range(n))


def wide_jsonl(n):
    line = "{" + ",".join(f'"key_{i}":{i}' for i in range(n)) + "}\n"
    return line + line


def wide_csv(n):
    head = "step," + ",".join(f"metric_{i}" for i in range(n))
    return head + "\n" + "".join(f"{r}," + ",".join(["0.5"] * n) + "\n" for r in range(3))


def op_csv(n):
    return ("name,calls,cpu_time_total_us,self_cpu_time_total_us,cuda_time_total_us,"
            "self_cuda_time_total_us\n" + "".join(f"aten::op_{i},1,{i},{i},{i},{i}\n"
                                                  for i in range(n)))


def stages(n):
    return json.dumps([{"stage": f"stage_{i}", "seconds": i / 10} for i in range(n)])


TEXTS = {"stages": stages, "gpus": gpus, "jsonl": jsonl, "groups": groups, "wide jsonl": wide_jsonl,
         "wide csv": wide_csv, "op csv": op_csv}

# Kind: how many, then the commands.
CASES = {
    "devices": (8000, ["idle", "info", "top", "summary", "timeline", "report", "comms"]),
    "streams": (8000, ["idle", "diagnose"]),
    "lanes": (8000, ["top", "info"]),
    "names": (10000, ["kernels", "diagnose"]),
    "steps": (4000, ["steps", "diagnose"]),
    "nested": (20000, ["stacks", "top"]),
    "annotations": (8000, ["stages"]),
    "correlation": (8000, ["launches"]),
    "overlap": (10000, ["idle"]),
    "shapes": (8000, ["top"]),
    "memory": (10000, ["memory", "diagnose"]),
    "gpus": (10000, ["top", "info"]),
    "jsonl": (50000, ["metrics"]),
    "groups": (20000, ["metrics"]),
    "wide jsonl": (6000, ["metrics"]),
    "wide csv": (6000, ["metrics"]),
    "stages": (20000, ["metrics", "info"]),
    "op csv": (10000, ["top"]),
}
# What is cut says so, and is as long for 2 n as for n.
SAYS = {("idle", "devices"): "many_devices", ("info", "devices"): "many_devices",
        ("top", "devices"): "many_devices",
        ("summary", "devices"): "many_devices", ("idle", "streams"): "many_streams",
        ("memory", "memory"): "many_devices", ("info", "gpus"): "many_devices",
        ("stacks", "nested"): "stacks_deep"}
MOST = {("idle", "devices"): DEVICES, ("top", "devices"): DEVICES, ("info", "devices"): DEVICES,
        ("idle", "streams"): STREAMS, ("stacks", "nested"): FRAMES}


def files(folder):
    for kind, (n, verbs) in CASES.items():
        n = n // 5 if SAN else n
        paths = []
        for size in (n, 2 * n):
            paths.append(f"{folder}/{kind.replace(' ', '_')}.{size}")
            write(paths[-1], TEXTS[kind](size) if kind in TEXTS else trace(kind, size))
        for verb in verbs:
            said = SAYS.get((verb, kind))
            args = [verb] + (["--json"] if said else [])
            b = compare(f"{verb} of {2 * n} {kind}", args + paths[:1], args + paths[1:])
            if said:
                check(f'"{said}"' in b.text, f"{verb} of {kind}: no note {said}")
            if (verb, kind) in MOST:
                check(b.out_bytes < MOST[verb, kind] * 9000, f"{verb} {kind}: {b.out_bytes} bytes")
        for path in paths:
            os.unlink(path)


def main():
    room = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=room) as folder:
        many(folder)
        files(folder)
        operands(folder)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
