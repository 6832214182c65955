#!/usr/bin/env python3
"""What a run is bound by, against runs whose cause is known because it was put there.

A small job of one thread and one GPU is carried out, call by call: streams work in order, a pageable copy and a
synchronizing call wait, collectives have a stream of their own.  Each run has one thing wrong, or two, with and
without an .item() at the end of a step.  What it costs is known by carrying the job out again without it.

  the word      `diagnose` calls the run as an expert does, who knows the cause
  the change    the change that names the run is the one that takes the cause away
  the figure    no change of `diagnose` saves more than carrying it out says, and the first saves as much (NEAR of a step)
"""
import contextlib
import json
import os
import subprocess
import sys
import tempfile

TRACEQ = os.environ["TRACEQ"]
STEPS = 14
NEAR = 0.03
LAUNCH, OP, COPY_CALL = 5, 12, 4  # us of a launch, of an op before its launch, of the call of a copy

FUNCTION, REGION = "python_function", "user_annotation"
LOADER = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"


class Job:
    """The host's clock, the ends of the streams, the events; all in us.  `change` says what is different."""

    device = "NVIDIA H100 80GB HBM3"

    def __init__(self, change=None):
        self.change, self.t, self.end, self.events, self.number = change or {}, 1000.0, {}, [], 0

    def add(self, cat, name, start, end, stream=None, **args):
        on_device = stream is not None
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": 0 if on_device else 100,
                            "tid": stream if on_device else 100, "ts": round(start, 3), "dur": round(end - start, 3),
                            "args": {**({"device": 0, "stream": stream} if on_device else {}), **args}})

    @contextlib.contextmanager
    def within(self, cat, name, **args):
        start = self.t
        yield
        self.add(cat, name, start, self.t, **args)

    def host(self, us, cat=None, name=None, what="host"):
        """The host is busy for so long, with something that is recorded if it has a name."""
        us *= self.change.get(what, 1)
        if us and name:
            self.add(cat, name, self.t, self.t + us)
        self.t += us

    def put(self, cat, name, us, stream, after=0.0, **args):
        start = max(self.t + 1, self.end.get(stream, 0), after)
        self.end[stream] = start + us
        self.add(cat, name, start, start + us, stream, correlation=self.number, **args)
        return start + us

    def call(self, name, us, wait=None):
        self.number += 1
        start = self.t
        self.t += us
        if wait:
            self.t = max(self.t, wait())
        self.add("cuda_runtime", name, start, self.t, correlation=self.number)

    def kernel(self, name, us, op="aten::mm", host=OP, stream=7, what=None):
        us *= self.change.get("kernel", 1) * self.change.get(what, 1)
        if us <= 0:
            return
        with self.within("cpu_op", op):
            self.t += host * self.change.get("ops", 1)
            self.call("cudaLaunchKernel", LAUNCH)
            self.put("kernel", name, us, stream, grid=[256, 1, 1], block=[256, 1, 1])

    def copy(self, us, pageable=True, stream=7):
        us *= self.change.get("copy", 1)
        if us <= 0:
            return
        with self.within("cpu_op", "aten::copy_"):
            self.t += OP
            kind = "Memcpy HtoD (Pageable -> Device)" if pageable else "Memcpy HtoD (Pinned -> Device)"
            waits = pageable and self.change.get("sync", 1) != 0
            self.call("cudaMemcpyAsync", COPY_CALL)
            done = self.put("gpu_memcpy", kind, us, stream, bytes=int(us * 12000))
            if waits:  # the call returns when the copy has ended
                self.events[-2]["dur"], self.t = round(done - self.events[-2]["ts"], 3), done

    def item(self):
        if self.change.get("sync", 1) == 0:
            return
        with self.within("cpu_op", "aten::item"), self.within("cpu_op", "aten::_local_scalar_dense"):
            self.t += 3
            self.call("cudaMemcpyAsync", COPY_CALL)
            self.put("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 1.5, 7, bytes=4)
            self.call("cudaStreamSynchronize", 2, lambda: self.end[7])
            self.t += 2

    def collective(self, us, **args):
        """It begins when what was launched before has ended; what is launched later waits for it."""
        us *= self.change.get("comm", 1)
        if us <= 0:
            return
        with self.within("cpu_op", "c10d::allreduce_"):
            self.t += OP
            self.call("cudaLaunchKernel", LAUNCH)
            done = self.put("kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", us, 20,
                            after=self.end.get(7, 0), grid=[24, 1, 1], block=[512, 1, 1], **args)
        if not self.change.get("hidden"):
            self.end[7] = max(self.end.get(7, 0), done)

    def trace(self):
        head = [{"ph": "M", "name": "process_name", "pid": p, "tid": 0, "args": {"name": n}} for p, n in ((100, "python"), (0, "GPU"))]
        return {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": self.device}],
                "traceEvents": head + self.events}


GEMM = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas"
NORM = "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float, float const*)"
ADD = ("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, "
       "at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, at::detail::Array<char*, 3>)")
CAST = ("void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)"
        "::{lambda()#3}::operator()() const::{lambda()#7}::operator()() const::{lambda(float)#1}, at::detail::Array<char*, 2>, "
        "TrivialOffsetCalculator<1, unsigned int>, TrivialOffsetCalculator<1, unsigned int>, "
        "at::native::memory::LoadWithCast<1>, at::native::memory::StoreWithCast<1> >(int)")


def compute(j, n=32, us=250):
    for i in range(n):
        j.kernel(NORM if i % 8 == 7 else GEMM, us, "aten::layer_norm" if i % 8 == 7 else "aten::mm")


def busy(what, us, cat, name):
    """The host does something for so long at the start of each step."""
    def body(j, step):
        j.host(us, cat, name, what)
        compute(j)
    return body


def methods(j, step):
    """Of objects that are made anew: one function, whatever their addresses."""
    for i in range(3):
        j.host(3000, FUNCTION, f"<built-in method encode of Tokenizer object at {0x7f1bafbe0340 + 64 * (3 * step + i):#x}>", "py")
    compute(j, 12)


def every(k, what, us, cat, name):
    def body(j, step):
        if step % k == k // 2:
            j.host(us, cat, name, what)
        compute(j)
    return body


def small_kernels(j, step, n=300):
    if j.change.get("graph"):  # its kernels follow each other by what a GPU takes for that
        j.call("cudaGraphLaunch", 10)
        for i in range(n):
            j.end[7] = j.put("kernel", GEMM if i % 2 else NORM, 4, 7) + 1
        return
    for i in range(n):
        j.kernel(GEMM if i % 2 else NORM, 4, "aten::mm" if i % 2 else "aten::layer_norm", host=9)


def small_elementwise(j, step):
    """An optimizer that is not fused: one kernel of 2 us for each operation and tensor."""
    compute(j, 6)
    j.item()
    if j.change.get("graph"):
        j.call("cudaGraphLaunch", 10)
        for _ in range(500):
            j.end[7] = j.put("kernel", ADD, 2, 7)
        return
    for _ in range(500):
        j.kernel(ADD, 2, "aten::mul_", what="fused")


def small_compiled(j, step, n=300):
    """A compiler fused what it could: launching is what is left."""
    if j.change.get("graph"):
        j.call("cudaGraphLaunch", 10)
        for i in range(n):
            j.end[7] = j.put("kernel", "triton_poi_fused_add_mul_0", 4, 7) + 1
        return
    with j.within("cpu_op", "## Call CompiledFxGraph fabc ##"):
        for i in range(n):
            j.kernel("triton_poi_fused_add_mul_0", 4, "aten::mul", host=9)


def small_kernels_behind(j, step):
    """A function prepares them: no graph takes that away."""
    j.host(900, FUNCTION, "model/inputs.py(31): prepare", "py")
    small_kernels(j, step, 160)
    j.host(700, "cpu_op", "aten::sort")


def small_kernels_between_items(j, step):
    for _ in range(3):
        small_kernels(j, step, 80)
        j.item()
        j.host(400, "cpu_op", "aten::index")


def slow_ops(j, step):
    """Twelve operators that take long on the host, a kernel each."""
    for _ in range(12):
        j.host(900, "cpu_op", "aten::unique_dim", "ops")
        j.kernel(GEMM, 250)


def many_items(j, step):
    for _ in range(24):
        j.kernel(GEMM, 200)
        j.item()
        j.host(120, "cpu_op", "aten::index", "ops")


def blocking_copies(j, step):
    for _ in range(4):
        j.copy(2500)
        compute(j, 6)


def copies_in_line(j, step):
    for _ in range(4):
        j.copy(2500, pageable=False)
        compute(j, 6)


def exposed_collectives(j, step):
    for _ in range(8):
        compute(j, 4)
        j.collective(900)


def hidden_collectives(j, step):
    for _ in range(8):
        compute(j, 4)
        us = 300 * j.change.get("comm", 1)
        if us > 0:
            j.call("cudaLaunchKernel", LAUNCH)
            j.put("kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", us, 20)


def allocations(j, step):
    for _ in range(4):
        with j.within("cpu_op", "aten::empty"):
            us = 1800 * j.change.get("allocator", 1)
            if us:
                j.call("cudaMalloc", us)
        compute(j, 6)


def emptied_cache(j, step):
    """Memory is given back and taken again: cudaFree waits for all work, which is the allocator's doing."""
    compute(j, 16)
    if j.change.get("allocator", 1):
        j.call("cudaFree", 900, lambda: max(j.end.values()) + 900)
        with j.within("cpu_op", "aten::empty"):
            j.call("cudaMalloc", 1500)
    compute(j, 16)


def casts(j, step):
    for _ in range(16):
        with j.within("cpu_op", "aten::to"), j.within("cpu_op", "aten::_to_copy"):
            j.kernel(CAST, 220, "aten::copy_", what="cast")
        j.kernel(GEMM, 250)


def elementwise(j, step):
    compute(j, 8)
    for _ in range(40):
        j.kernel(ADD, 150, "aten::add", what="fused")


def loader_and_pinning(j, step):
    """A thread of its own pins batches: it launches nothing, and nobody is seen to wait for it."""
    j.events.append({"ph": "X", "cat": "cpu_op", "name": "aten::pin_memory", "pid": 100, "tid": 777, "ts": round(j.t + 400, 3),
                     "dur": 9000 * j.change.get("loader", 1)})
    j.host(12000, REGION, LOADER, "loader")
    compute(j)


def loading_thread(us, launches, waits):
    """A thread loads one batch after another, by operators, and launches some itself; the loop waits for the next."""
    def body(j, step):
        begin, took = getattr(j, "loaded", j.t), us * j.change.get("loader", 1)
        j.loaded = begin + took

        def thread(cat, name, start, end):
            j.events.append({"ph": "X", "cat": cat, "name": name, "pid": 100, "tid": 777, "ts": round(start, 3), "dur": round(end - start, 3),
                             "args": {"correlation": j.number}})

        def launch(call, at, cat, name, us, **args):
            j.number += 1
            thread("cuda_runtime", call, at, at + 4)
            start = max(at + 5, j.end.get(9, 0))
            j.end[9] = start + us
            j.add(cat, name, start, start + us, 9, correlation=j.number, **args)

        for i in range(8 if took else 0):
            at, end = begin + took * i / 8, begin + took * (i + 1) / 8
            thread("cpu_op", ("aten::stack", "aten::to", "torchvision::decode_jpeg", "aten::pin_memory")[i % 4], at + 20, end - 20)
            for k in range(5 if "kernel" in launches else 0):
                launch("cudaLaunchKernel", at + 100 + 200 * k, "kernel", "decode_kernel", 40)
        if took and "copy" in launches:
            launch("cudaMemcpyAsync", j.loaded - 15, "gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 300, bytes=3600000)
        if took:
            start, j.t = j.t, max(j.t + 30, j.loaded)
            for cat, name in waits:
                j.add(cat, name, start, j.t)
        compute(j, 32)
    return body


BY_LOADER = [(REGION, LOADER)]
BY_NEXT = [(FUNCTION, "train.py(12): main"), (FUNCTION, "torch/utils/data/dataloader.py(1280): _next_data")]
BY_QUEUE = [(FUNCTION, "prefetch.py(40): __next__"), (FUNCTION, "queue.py(154): get"), (FUNCTION, "threading.py(288): wait"),
            (FUNCTION, "<built-in method acquire of _thread.lock object at 0x7f00>")]


def loader_and_copies(j, step):
    j.host(9000, REGION, LOADER, "loader")
    j.copy(5000)
    compute(j, 24)


def tiny(j, n, us, op="aten::mul"):
    """Operators with Python in between, which is the function's around them."""
    for _ in range(n):
        j.host(us, what="py")
        j.kernel(ADD, 2, op, host=9)


def tiny_operators(j, step):
    with j.within(FUNCTION, "train.py(41): augment"):
        tiny(j, 120, 60)
    compute(j, 16)


def custom_operator(j, step):
    """Of an autograd.Function the operator is around what it does in Python."""
    with j.within("cpu_op", "MyFn"):
        j.host(20)
        with j.within(FUNCTION, "ops/myfn.py(12): forward"):
            tiny(j, 120, 60)
    compute(j, 16)


def hook_in_optimizer(cat):
    def body(j, step):
        compute(j, 16)
        with j.within(cat, "Optimizer.step#AdamW.step"), j.within(FUNCTION, "torch/optim/optimizer.py(300): wrapper"):
            j.host(5)
            with j.within(FUNCTION, "train.py(88): clip_hook"):
                j.host(7000, what="py")
            for _ in range(20):
                j.kernel(GEMM, 5)
    return body


def hooks_in_backward(j, step):
    compute(j, 8)
    for _ in range(8):
        with j.within("cpu_op", "autograd::engine::evaluate_function: AccumulateGrad"):
            j.host(5)
            with j.within(FUNCTION, "ddp_hook.py(20): hook"):
                j.host(900, what="py")
        j.kernel(GEMM, 200)


def layers_in_python(j, step):
    """What runs an operator is the operator's way through Python and PyTorch: nobody makes that free."""
    with j.within(FUNCTION, "model.py(30): forward"):
        for i in range(100):
            j.host(60, what="py")
            with j.within(FUNCTION, f"nn.Module: Linear_{i}"), j.within(FUNCTION, "torch/nn/modules/linear.py(113): forward"):
                j.host(16, what="ops")
                with j.within(FUNCTION, "<built-in function linear>" if i % 2 else "<built-in method mul of Tensor object at 0x7f00>"):
                    j.host(12, what="ops")
                    j.kernel(GEMM, 30, "aten::linear", host=12)


def log_in_operator(j, step):
    with j.within("cpu_op", "MyLoss"), j.within(FUNCTION, "train.py(55): log_loss"):
        j.host(300)
        with j.within(FUNCTION, "<built-in function print>"):
            j.host(7000, what="log")
    compute(j, 16)


def python(name):
    return f"python:^\\Q{name}\\E$=0"


# name: what a step does; the words an expert has for it without and with an .item() at its end (a second in brackets,
# '-': none); the change that names the run; what takes its cause away in carrying it out.
CASES = {
    "nothing": (lambda j, s: compute(j, 40), "healthy", "healthy", None, None),
    # The host takes as long as the GPU does: no change alone saves anything.
    "both as long": (lambda j, s: (j.host(5200, "cpu_op", "aten::sort", "ops"), j.copy(300, pageable=False), compute(j, 22)),
                     "healthy", "host-bound (sync-bound)", None, None),
    "loader": (busy("loader", 16000, REGION, LOADER), "dataloader-bound (-)", "dataloader-bound (-)", "dataloader=0", {"loader": 0}),
    # The loader alone is not longer than the GPU's work by much: the .item() is what keeps it from being hidden.
    "loader, a little": (busy("loader", 9500, REGION, LOADER), "dataloader-bound (-)", "dataloader-bound (sync-bound)",
                         "dataloader=0", {"loader": 0}),
    "loader, behind": (busy("loader", 5000, REGION, LOADER), "healthy", "dataloader-bound (sync-bound)", "dataloader=0", {"loader": 0}),
    "loader, in Python": (busy("loader", 14000, FUNCTION, "torch/utils/data/dataloader.py(701): __next__"),
                          "dataloader-bound (-)", "dataloader-bound (sync-bound)", "dataloader=0", {"loader": 0}),
    "loader, and a thread that pins": (loader_and_pinning, "dataloader-bound", "dataloader-bound", "dataloader=0", {"loader": 0}),
    "a thread that loads": (loading_thread(16000, "", BY_LOADER), "dataloader-bound (-)", "dataloader-bound (-)",
                            "dataloader=0", {"loader": 0}),
    "a thread that loads and copies": (loading_thread(16000, "copy", BY_LOADER), "dataloader-bound (-)", "dataloader-bound",
                                       "dataloader=0", {"loader": 0}),
    "a thread that decodes on the GPU": (loading_thread(16000, "kernel copy", BY_LOADER), "dataloader-bound (-)", "dataloader-bound",
                                         "dataloader=0", {"loader": 0}),
    "a thread that is ahead": (loading_thread(5000, "kernel copy", BY_LOADER), "healthy", "healthy", None, None),
    "a thread that loads, by its function": (loading_thread(16000, "copy", BY_NEXT), "dataloader-bound (-)", "dataloader-bound",
                                             "dataloader=0", {"loader": 0}),
    "a queue of batches": (loading_thread(16000, "kernel copy", BY_QUEUE), "dataloader-bound (-)", "dataloader-bound", "dataloader=0",
                           {"loader": 0}),
    "small kernels": (small_kernels, "launch-bound (-)", "launch-bound (-)", "launch=graph", {"graph": 1}),
    "small compiled kernels": (small_compiled, "launch-bound (-)", "launch-bound (-)", "launch=graph", {"graph": 1}),
    # Of what the GPU waits for launches a graph takes only what lies between them.
    "small elementwise": (small_elementwise, "launch-bound (-)", "launch-bound (-)", "kernel=fused", None),
    "small kernels behind": (small_kernels_behind, "launch-bound", "launch-bound", "launch=graph", {"graph": 1}),
    "small kernels between items": (small_kernels_between_items, "launch-bound", "launch-bound", "launch=graph", {"graph": 1}),
    "slow operators": (slow_ops, "host-bound (-)", "host-bound (-)", "host=0.5", {"ops": 0.5}),
    "items": (many_items, "sync-bound", "sync-bound", "sync=0", None),
    "blocking copies": (blocking_copies, "copy-bound (-)", "copy-bound (-)", "copy=0", {"copy": 0}),
    "copies in line": (copies_in_line, "copy-bound (-)", "copy-bound (-)", "copy=0", {"copy": 0}),
    "collectives": (exposed_collectives, "comm-bound (compute-bound)", "comm-bound (compute-bound)", "comm=hidden", {"hidden": True}),
    "collectives beside": (hidden_collectives, "healthy", "healthy", None, None),
    "allocator": (allocations, "malloc-bound (-)", "malloc-bound", "allocator=0", {"allocator": 0}),
    "cache emptied": (emptied_cache, "malloc-bound (compute-bound)", "malloc-bound (compute-bound)", "allocator=0", {"allocator": 0}),
    "checkpoints": (busy("save", 15000, REGION, "save_checkpoint"), "host-bound (-)", "host-bound (-)", "checkpoint=0", {"save": 0}),
    "logging": (busy("log", 13000, FUNCTION, "<built-in function print>"), "host-bound (-)", "host-bound (sync-bound)", "logging=0",
                {"log": 0}),
    "logging, behind": (busy("log", 6000, FUNCTION, "<built-in function print>"), "healthy", "host-bound (sync-bound)", "logging=0",
                        {"log": 0}),
    "garbage": (busy("gc", 14000, FUNCTION, "<built-in function collect>"), "host-bound (-)", "host-bound (sync-bound)", "gc=0",
                {"gc": 0}),
    "a function": (busy("py", 15000, FUNCTION, "data/tokens.py(88): encode_batch"), "host-bound (-)", "host-bound (-)",
                   "python:^\\Qdata/tokens.py(88): encode_batch\\E$=0", {"py": 0}),
    "methods": (methods, "host-bound (-)", "host-bound (-)",
                "python:^\\Q<built-in method encode of Tokenizer object at 0x7f1bafbe0340>\\E$=0", {"py": 0}),
    "a function of tiny operators": (tiny_operators, "host-bound (-)", "host-bound", python("train.py(41): augment"), {"py": 0}),
    "a function in an operator": (custom_operator, "host-bound (-)", "host-bound", python("ops/myfn.py(12): forward"), {"py": 0}),
    "a hook in an optimizer": (hook_in_optimizer(REGION), "host-bound (-)", "host-bound (-)", python("train.py(88): clip_hook"), {"py": 0}),
    "a hook in an optimizer, of an old trace": (hook_in_optimizer("cpu_op"), "host-bound (-)", "host-bound (-)",
                                                python("train.py(88): clip_hook"), {"py": 0}),
    "hooks in backward": (hooks_in_backward, "host-bound (-)", "host-bound (-)", python("ddp_hook.py(20): hook"), {"py": 0}),
    "layers in Python": (layers_in_python, "host-bound (-)", "host-bound (-)", python("model.py(30): forward"), {"py": 0}),
    "logging in an operator": (log_in_operator, "host-bound (-)", "host-bound (sync-bound)", "logging=0", {"log": 0}),
    "checkpoint, every fourth step": (every(4, "save", 40000, REGION, "save_checkpoint"), "uneven-steps", "uneven-steps", None, None),
    "casts": (casts, "cast-bound (compute-bound)", "cast-bound (compute-bound)", "family:casts=0", {"cast": 0}),
    # Of kernels alone, on a GPU that is never idle: a finding, and no word.
    "elementwise chains": (elementwise, "healthy", "healthy", "kernel=fused", None),
    # The copy waits for the step before, so that less loading saves less; what the host did is the second, not the waiting.
    "loader and copies": (loader_and_copies, "copy-bound (dataloader-bound)", "dataloader-bound (sync-bound)", None, None),
}
# What each change of the answer is in carrying it out.
CARRIED = {"dataloader=0": {"loader": 0}, "copy=0": {"copy": 0}, "comm=0": {"comm": 0}, "allocator=0": {"allocator": 0},
           "kernel=0.5": {"kernel": 0.5, "comm": 1}, "checkpoint=0": {"save": 0}, "logging=0": {"log": 0}, "gc=0": {"gc": 0},
           "sync=0": {"sync": 0}, "family:casts=0": {"cast": 0}}

# What a rule's finding says that it saves, in carrying it out.  Long kernels are no matter of graphs: a faster host is.
MENDED = {"G03": {"copy": 0}, "G04": {"cast": 0}, "G08": {"allocator": 0}, "G09": {"ops": 0, "py": 0, "allocator": 0}, "G10": {"loader": 0},
          "G13": {"hidden": True}, "G15": {"sync": 0}}

checked = 0
failures = []


def expect(where, what, holds):
    global checked
    checked += 1
    if not holds:
        failures.append(f"{where}: {what}")


def carry_out(body, has_item, change=None, job=Job):
    """The job, and how long its usual step is: between the ends of what the device does in two steps that follow."""
    j, ends = job(change), []
    for step in range(STEPS):
        with j.within(REGION, f"ProfilerStep#{step + 1}"):
            body(j, step)
            if has_item:
                j.item()
        ends.append(max(j.end.get(7, 0), j.t if has_item and not change else 0))
    j.call("cudaDeviceSynchronize", 5, lambda: max(j.end.values()))
    return j, (ends[-2] - ends[1]) / (STEPS - 3)


def diagnose(j, folder):
    path = os.path.join(folder, "trace.json")
    with open(path, "w") as out:
        out.write(json.dumps(j.trace()))
    done = subprocess.run([TRACEQ, "diagnose", path, "--json", "-q"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return {t["id"]: t["rows"] for t in json.loads(done.stdout)["tables"]}


def check(name, has_item, folder):
    body, without, with_item, change, cure = CASES[name]
    words = with_item if has_item else without
    where = name + (", with .item()" if has_item else "")
    j, step = carry_out(body, has_item)
    answer = diagnose(j, folder)
    verdict, changes = answer["verdict"][0], answer["changes"]
    word, _, second = words.rstrip(")").partition(" (")
    expect(where, f"is {verdict['verdict']} ({verdict['why']}), not {words}", verdict["verdict"] == word)
    if second:
        expect(where, f"{verdict['second']} comes second, not {second}", (verdict["second"] or "-") == second)
    said = {row["scenario"]: row["saves_ratio"] for row in changes}
    first = next((row["scenario"] for row in changes if row["change"] == verdict["change"]), None)
    if os.environ.get("V"):
        print(f"{where}: {verdict['verdict']}, {verdict['second']}: {verdict['why']}; {said}")
    if change and word != "healthy" or change and not cure:
        expect(where, f"named by {first} ({said}), not {change}", first == change)
    if cure:
        truth = 1 - carry_out(body, has_item, cure)[1] / step
        expect(where, f"{change} saves {said.get(change)}, not {truth:.3f}", abs(said.get(change, 0) - truth) <= NEAR)
    expect(where, f"what runs operators has a change: {said}", not any("linear>" in s or "of Tensor" in s for s in said if s))
    for scenario, saves in said.items():
        if scenario in CARRIED and verdict["verdict"] != "uneven-steps":  # those are judged on the usual steps
            truth = 1 - carry_out(body, has_item, CARRIED[scenario])[1] / step
            expect(where, f"{scenario} saves {saves:.3f}, in truth {truth:.3f}", saves <= truth + NEAR)
    for found in answer["findings"]:
        if found["rule"] in MENDED and found["saves_ratio"] and verdict["verdict"] != "uneven-steps":
            mended = {"graph": 1} if word == "launch-bound" and found["rule"] == "G09" else MENDED[found["rule"]]
            truth = 1 - carry_out(body, has_item, mended)[1] / step
            expect(where, f"{found['rule']} saves {found['saves_ratio']:.3f}, in truth {truth:.3f}",
                   found["saves_ratio"] <= truth + NEAR)


# How often a byte is on the bus in eight ranks, of 1/8 of the elements in or out where that is so; what is said of gradients.
COLLECTIVES = {"allreduce": (2 * 7 / 8, 1, 1, True), "_allgather_base": (7 / 8, 8, 1, True),
               "_reduce_scatter_base": (7 / 8, 1, 8, True), "all_to_all": (7 / 8, 1, 1, False), "broadcast": (1, 1, 1, False)}


def check_links(folder, kind, share):
    """Collectives of 256 MiB in eight ranks at a share of what NVLink 4 carries in a direction, 450 GB/s."""
    times, of_in, of_out, is_gradients = COLLECTIVES[kind]
    us = (256 << 20) * times / (share * 450e9) * 1e6

    def body(j, step):
        for _ in range(8):
            compute(j, 4)
            j.collective(us, **{"Collective name": kind, "dtype": "BFloat16", "In msg nelems": (128 << 20) // of_in,
                                "Out msg nelems": (128 << 20) // of_out, "Group size": 8, "Process Group Ranks": "[0, 1, 2, 3, 4, 5, 6, 7]"})

    answer = diagnose(carry_out(body, False)[0], folder)
    finding = next(row for row in answer["findings"] if row["rule"] == "G13")
    is_said = "at the peak of the links" in finding["finding"]
    expect(f"{kind} at {share:.0%} of the links", finding, is_said == (share > 0.8) and
           ("fewer bytes" in (finding["action"] or "")) == is_said and
           ("gradients" in (finding["action"] or "")) == (is_said and is_gradients))


SGEMM, TF32 = "ampere_sgemm_128x64_tn", "sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32_stage4_execute_kernel__5x_cublas"
VECTOR = "void gemmSN_TN_kernel<float, 128, 16, 2, 4, 4, 4, true, cublasGemvTensorStridedBatched<float const> >(int)"
# Matrix products of n x n in a kernel, on a device at 80 % of what its data sheet says of the format they are in (TFLOP/s,
# else so many us); what a format of 16 bits makes of them, and its name.  A kernel takes 4 us, however small.
H100, A100, V100, T4 = "NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-80GB", "Tesla V100-SXM2-16GB", "Tesla T4"
PRECISIONS = [
    (H100, SGEMM, 4096, 66.9, 66.9 / 989.4, "bfloat16"), (H100, TF32, 4096, 494.7, 0.5, "bfloat16"),
    (A100, SGEMM, 4096, 19.5, 19.5 / 312, "bfloat16"), (A100, TF32, 4096, 156, 0.5, "bfloat16"),
    (V100, "volta_sgemm_128x64_nn", 4096, 15.7, 15.7 / 125.3, "float16"),
    (T4, "volta_sgemm_128x64_nn", 4096, 8.1, 8.1 / 65.1, "float16"),
    (A100, "sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_stage3_execute_kernel__5x_cublas", 4096, 312, 1, None),
    (A100, "cutlass_80_tensorop_f16_s16816gemm_f16_128x128_32x5_nn_align8", 4096, 312, 1, None),
    (A100, "cutlass_80_tensorop_s1688gemm_bf16_128x128_16x5_nn_align4", 4096, 200, 1, None),
    (H100, SGEMM, 128, "5 us", 0.8, "bfloat16"), (H100, SGEMM, 16, "3 us", 1, None),
]


def check_precision(folder, device, kernel, n, rate, becomes, says, has_shapes):
    us = float(rate.split()[0]) if isinstance(rate, str) else 2 * n ** 3 / (0.8 * rate * 1e6)
    args = {"Input Dims": [[n, n], [n, n]], "Input type": ["float", "float"]} if has_shapes else {}
    job = type("Job", (Job,), {"device": device})

    def body(j, step):
        for _ in range(16 if us > 20 else 400):
            with j.within("cpu_op", "aten::mm", **args):
                j.t += OP if us > 20 else 0.1
                j.call("cudaLaunchKernel", LAUNCH if us > 20 else 0.5)
                j.put("kernel", kernel, us * j.change.get("kernel", 1), 7, grid=[256, 1, 1], block=[256, 1, 1])

    j, step = carry_out(body, False, job=job)
    truth = 1 - carry_out(body, False, {"kernel": becomes}, job)[1] / step
    found = next(row for row in diagnose(j, folder)["findings"] if row["rule"] == "G25")
    where = f"{kernel} of {n} on {device}{', shapes' if has_shapes else ''}"
    expect(where, found, (found["action"] or "").count(f"torch.{says})") == (1 if says else 0))
    expect(where, f"{found['saves_ratio']}, in truth {truth:.3f}: {found}", abs((found["saves_ratio"] or 0) - truth) <= NEAR)


def check_plain_words():
    """Of a program that is not PyTorch's, on a device that is not NVIDIA's, advice has no word of either."""
    path = os.path.join(os.environ.get("SHARED", ""), "samples/formats/python.1234.json")
    if not os.path.exists(path):
        return
    overview = subprocess.run([TRACEQ, path, "-q"], capture_output=True, text=True, timeout=60).stdout
    answer = json.loads(subprocess.run([TRACEQ, "diagnose", path, "--json", "-q"], capture_output=True, text=True, timeout=60).stdout)
    rows = [row for table in answer["tables"] for row in table["rows"]]
    said = [row["advice"] for row in rows if row.get("advice")] + [row["action"] for row in rows if row.get("action")]
    expect("advice for Intel's unitrace", "says nothing", len(said) >= 4)
    for text in [overview, *said]:
        foreign = [word for word in ("torch", ".item()", "DataLoader", "pin_memory", "PYTORCH", "CUDA", "HIP ") if word in text]
        expect("advice for Intel's unitrace", f"{foreign} in {text[:400]}", not foreign)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in CASES:
            if len(sys.argv) == 1 or any(word in name for word in sys.argv[1:]):
                for has_item in (False, True):
                    check(name, has_item, folder)
        for kind in COLLECTIVES:
            for share in (0.5, 0.7, 0.9, 1.0):
                check_links(folder, kind, share)
        for row in PRECISIONS:
            for has_shapes in (True, False):
                check_precision(folder, *row, has_shapes)
        check_plain_words()
        check_precision(folder, H100, VECTOR, 4096, "40 us", 1, None, False)
    for failure in failures:
        print(failure)
    print(f"{checked - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
