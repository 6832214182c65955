"""The ledger of a run, worked out in plain Python from the text of its trace, to the nanosecond.

A run's window is cut into what its device did (compute, exposed communication, exposed copies) and, where
it did nothing, into what it waited for.  Written from the definitions (analyze/trace/run_steps.h,
analyze/measure/gaps/gap_cause.h, docs/definitions.md), not from the program:

  steps    ProfilerStep#N; else an annotation that is repeated at least three times on a thread and has
           80 % of the device's work launched in it.  Where the first work of steps starts more than 10 % of
           a step after its launch (medians), a step lasts from its first work to the first work of the next.
  window   the steps, of seven and more without the first and the last; without steps from the first launch
           to the end of the last work
  a gap    [a, b) ends with work W that was launched by the call [L, M)
             before L               sync while a call that waits for the device and was open at a lasts
                                    (allocator where it is cudaFree); then what the launching thread was
                                    in, else what the main thread was in, for as long as that call had
                                    waited marked as behind it
             to L + launch cost     launch; where the call took longer and ended before b, runtime to M and
                                    then launch
             after that             still that call where it ended after b; else dependency; unrecorded where
                                    W is the first of its queue and waits longer than 1 ms and than all work
                                    before it took
  in       the innermost call or Python function (of 10 us or more) whose name is a word: the data loader,
           the allocator, a checkpoint, logging, garbage collection, compiling; else what the innermost call
           is: runtime, op, python, nothing (also where a step's mark alone is open, for 1 ms or more)
  shares   are of the window less what is unrecorded.
"""
import bisect
import collections
import functools
import re
import statistics

from judging.reading import document, events, ns

KERNEL = {"kernel", "mtia_ccp_events", "collective_comm"}
COPY = {"gpu_memcpy", "memcpy"}
WORK = KERNEL | COPY | {"gpu_memset", "memset"}
COMPUTE = WORK - COPY
RUNTIME = {"cuda_runtime", "cuda_driver", "runtime", "driver", "hip_runtime", "xpu_runtime", "xpu_driver",
           "mtia_runtime", "glow_runtime", "privateuse1_runtime", "privateuse1_driver"}
OPS = {"cpu_op", "operator", "hpu_op"}
HOST = RUNTIME | OPS | {"user_annotation"}
PYTHON = {"python_function", "pythonfunction", "python"}
COLLECTIVE = re.compile("nccl|rccl|deep_ep(?!.*layout)|push_and_wait_kernel|all_?reduce|all_?gather|"
                        "reduce_?scatter|all_?to_?all|cross_device_reduce", re.I)
WAITS_BY_NAME = re.compile("[Ss]ynchronize|^(cuda|hip)(Memcpy|Memcpy2D|Memcpy3D|Memset|Free)$|"
                           "^hipMemcpy(WithStream|DtoH|HtoD)$|^ur(EventWait|QueueFinish)$")
LOADER = ("enumerate(DataLoader)", "data_load", "dataload")
# Of an idle device's time, what the host spends on the way to the next launch.
HOST_WAIT = ("launch", "runtime", "op", "python", "nothing", "allocator", "checkpoint", "logging", "gc",
             "compile")
# Of it what no word names: in gaps below LONG_NS that a sync opened the sync is to blame for it.
ALONE = 1000000  # the mark of a step alone for so long is no Python between calls: nothing is recorded
PLAIN = {"runtime", "op", "python", "nothing"}
LONG_NS = 1000000
FUNCTION_MIN_NS = 10000
# The classes of waiting in the order in which the program has them, and its names.
WAITS = {"loader": "dataloader", "sync": "sync", "allocator": "allocator", "checkpoint": "checkpoint",
         "logging": "logging", "gc": "gc", "compile": "compile", "queue": "queue", "runtime": "runtime_call", "op": "cpu_op", "python": "python",
         "nothing": "nothing", "launch": "launch", "dependency": "dependency", "unlinked": "unknown",
         "unrecorded": "unrecorded"}
MANY_STEPS = 7
ODD_STEPS = 5
AHEAD = 10
USUAL_COST_NS = 10000
UNRECORDED_NS = 1000000


class Row:
    """An event of host or device, ns."""
    __slots__ = ("name", "cat", "start", "end", "lane", "correlation", "device", "stream", "launch")

    def __init__(self, e, cat):
        self.name, self.cat = str(e["name"]), cat
        self.start = ns(e["ts"])
        self.end = self.start + max(0, ns(e.get("dur") or 0))
        pid, tid, args = e.get("pid"), e.get("tid"), e.get("args") or {}
        self.lane = (str(pid), str(tid))
        self.correlation = args.get("correlation")
        if cat in WORK:
            self.device, self.stream = str(args.get("device", pid)), str(args.get("stream", tid))
        self.launch = None

    def computes(self):
        return self.cat in COMPUTE and not self.communicates()

    def communicates(self):
        return self.cat in KERNEL and is_collective(self.name)


@functools.lru_cache(None)
def is_collective(name):
    return bool(COLLECTIVE.search(name))


@functools.lru_cache(None)
def waits_by_name(name):
    return bool(WAITS_BY_NAME.search(name))


def load(path):
    """Rows of the host and of the devices, each work with its launch, and of Python."""
    host, work, python = [], [], []
    lists = {**dict.fromkeys(HOST, host), **dict.fromkeys(WORK, work), **dict.fromkeys(PYTHON, python)}
    for e in events(path):
        if e.get("ph") == "X" and "ts" in e and e.get("cat"):
            cat = str(e["cat"]).lower()
            if cat in lists:
                lists[cat].append(Row(e, cat))
    calls = {}
    for r in host:
        if r.cat in RUNTIME and r.correlation:
            old = calls.get(r.correlation)
            if old is None or r.start < old.start:
                calls[r.correlation] = r
    work = [w for w in work if w.start]
    for w in work:
        w.launch = calls.get(w.correlation)
    return host, sorted(work, key=lambda w: w.start), python


# Spans: sorted lists of [start, end), apart from each other.

def union(spans):
    out = []
    for a, b in sorted(s for s in spans if s[1] > s[0]):
        if out and a <= out[-1][1]:
            out[-1][1] = max(out[-1][1], b)
        else:
            out.append([a, b])
    return out


def of(rows):
    return union([(r.start, r.end) for r in rows])


def minus(spans, holes):
    out = []
    starts = [h[0] for h in holes]
    for a, b in spans:
        for c, d in holes[max(0, bisect.bisect_right(starts, a) - 1):bisect.bisect_left(starts, b)]:
            if d <= a:
                continue
            if c > a:
                out.append([a, c])
            a = d
        if a < b:
            out.append([a, b])
    return out


def within(spans, windows):
    return minus(spans, minus([[min(spans[0][0], windows[0][0]), max(spans[-1][1], windows[-1][1])]],
                              windows)) if spans and windows else []


def length(spans):
    return sum(b - a for a, b in spans)


def median(values):
    v, n = sorted(values), len(values)
    return (v[(n - 1) // 2] + v[n // 2]) / 2 if v else None


# What a thread was in.

# The names that the traces here have, not the program's table: a word more there must be one here.
CALL_WORDS = ((re.compile("^(cuda|hip)(Malloc|Free|Host(Alloc|Malloc|Free|Register))|^(cu|hip)Mem(Alloc|Free|"
                          "Create|Release|Map|Unmap|SetAccess)"), "allocator"),
              (re.compile("^(cuda|cu|hip)(Module|Library)Load"), "compile"))
HOST_WORDS = ((re.compile(r"^(save_checkpoint|torch\.save|state_dict)"), "checkpoint"),
              (re.compile(r"^(log_metrics|wandb\.log|logging$)"), "logging"),
              (re.compile(r"^gc\.collect"), "gc"),
              (re.compile(r"^_compile\.|\(dynamo_timed\)$"), "compile"))
FUNCTION_WORDS = ((re.compile(r"torch/utils/data/(dataloader\.py\(|_utils/)"), "loader"),
                  (re.compile(r"torch/cuda/memory\.py\(\d+\): empty_cache"), "allocator"),
                  (re.compile(r"torch/serialization\.py\(|torch/distributed/checkpoint/|safetensors/|"
                              r"function fsync>|: state_dict$"), "checkpoint"),
                  (re.compile(r"logging/__init__\.py\(|function print>|wandb/|tensorboard/"), "logging"),
                  (re.compile(r"function collect>"), "gc"),
                  (re.compile(r"torch/_dynamo/convert_frame\.py\(|torch/_inductor/(graph|scheduler|codecache)"
                              r"\.py\(|triton/compiler/compiler\.py\(\d+\): compile$|triton_heuristics\.py\(\d+\): "
                              r"(autotune|benchmark)|function compile>"), "compile"))


@functools.lru_cache(None)
def word_of(name, cat):
    words = CALL_WORDS if cat in RUNTIME else FUNCTION_WORDS if cat in PYTHON else HOST_WORDS
    return next((w for pattern, w in words if pattern.search(name)), None)


def own_kind(row):
    """loader, another word, or sync, when a call says so itself."""
    if row.cat not in PYTHON and row.name.startswith(LOADER):
        return "loader"
    return word_of(row.name, row.cat) or ("sync" if row.cat in RUNTIME and waits_by_name(row.name) else None)


def kind_of(path, has_peers, functions=()):
    """What a path of open calls is, the innermost last; functions: Python's, too."""
    for row in sorted((*path, *functions), key=lambda r: (r.start, -r.end, r.cat not in PYTHON))[::-1]:
        said = own_kind(row)
        if said and (said != "sync" or has_peers):
            return said
    if not path:
        return "python" if functions else None
    if path[-1].cat in RUNTIME:
        return "runtime"
    if functions and (functions[-1].start, -functions[-1].end) > (path[-1].start, -path[-1].end):
        return "python"
    return "python" if path[-1].cat == "user_annotation" or STEP.match(path[-1].name) else "op"


class Thread:
    """A thread's time as stretches, each with the path of calls that are open in it."""

    def __init__(self, rows):
        self.stretches, self.open, self.at = [], (), None
        for r in sorted(rows, key=lambda r: (r.start, -r.end)):
            while self.open and (self.open[-1].end <= r.start or self.open[-1].end < r.end):
                self._advance(min(self.open[-1].end, r.start))
                self.open = self.open[:-1]
            self._advance(r.start)
            self.open += (r,)
        while self.open:
            self._advance(self.open[-1].end)
            self.open = self.open[:-1]
        self.starts = [s[0] for s in self.stretches]

    def _advance(self, to):
        if self.at is not None and to > self.at and self.open:
            self.stretches.append((self.at, to, self.open))
        self.at = to if self.at is None else max(self.at, to)

    def path(self, t):
        """The calls open at t, and until when that stays so (None: for ever)."""
        i = bisect.bisect_right(self.starts, t)
        if i > 0 and t < self.stretches[i - 1][1]:
            return self.stretches[i - 1][2], self.stretches[i - 1][1]
        return (), self.starts[i] if i < len(self.starts) else None


NO_THREAD = Thread([])

# The steps and the window.

STEP = re.compile(r"ProfilerStep#\d{1,18}$")


class Steps:
    """Steps by start: their marks on the host, and the spans that figures are about."""

    def __init__(self, host, work):
        self.marks = sorted((r for r in host if STEP.match(r.name) and r.cat not in RUNTIME),
                            key=lambda r: (r.start, -r.end))
        if not self.marks:
            self.marks = repeated(host, work)
        self.starts = [m.start for m in self.marks]
        self.spans = [(m.start, m.end) for m in self.marks]
        self.on_device = False
        self.whole = 1 + max((i for i in (self.at(w.launch.start if w.launch else w.start) for w in work) if i is not None),
                             default=len(self.marks) - 1)
        if len(self.marks) >= 2:
            self._cut(work)
        if not self.marks and work:
            self.spans = [(min(w.launch.start if w.launch else w.start for w in work), max(w.end for w in work))]

    def counted(self, with_odd=False):
        """Without the last ones that have no work, and the odd ones, which in traces made for this are far off: 10 % and
        five deviations from the median."""
        spans = self.spans[:self.whole] if self.marks else self.spans
        if self.marks and len(spans) + (len(spans) < len(self.spans)) >= MANY_STEPS:
            spans = spans[1:] if len(spans) < len(self.spans) else spans[1:-1]
        if with_odd or len(self.spans) < ODD_STEPS:
            return spans
        middle = statistics.median(b - a for a, b in self.spans)
        spread = statistics.median(abs(b - a - middle) for a, b in self.spans)
        return [s for s in spans if abs(s[1] - s[0] - middle) <= max(0.1 * middle, 5 * 1.4826 * spread)] or spans

    def at(self, t):
        return step_at(self.marks, self.starts, t)

    def _cut(self, work):
        own = [[] for _ in self.marks]
        for w in work:
            i = self.at(w.launch.start) if w.launch else None
            if i is not None:
                own[i].append(w)
        of_stream = collections.defaultdict(lambda: [0, 0, 0])
        for w in sum(own, []):
            ns = w.end - w.start
            load = of_stream[w.lane]
            load[0] += ns if w.cat in KERNEL and not is_collective(w.name) else 0
            load[1] += ns if w.cat in KERNEL else 0
            load[2] += ns
        if not of_stream:
            return
        busiest = max(sorted(of_stream), key=lambda k: of_stream[k])
        first = [min((w for w in o if w.lane == busiest), key=lambda w: w.start, default=None) for o in own]
        delays, before = [], None
        for o, f in zip(own, first):
            if f and before is not None:
                delays.append(max(min(before, f.start) - f.launch.start, 0))
            before = max([w.end for w in o] + ([] if before is None else [before]), default=None)
        host = [m.end - m.start for m, f in zip(self.marks, first) if f]
        self.on_device = bool(delays) and AHEAD * median(delays) > median(host)
        if not self.on_device:
            return
        last = max(i for i, f in enumerate(first) if f)
        begins, ends = {}, {}
        end = max(w.end for w in own[last])
        for i in range(last, -1, -1):
            ends[i] = end
            begins[i] = end = min(end, first[i].start) if first[i] else end
        at, spans = begins[0], []
        for i in range(len(self.marks)):
            spans.append((begins[i], ends[i]) if first[i] else (at, at) if i else (begins[0], begins[0]))
            at = spans[-1][1]
        self.spans = spans


def step_at(marks, starts, t):
    i = bisect.bisect_right(starts, t) - 1
    return i if i >= 0 and t < marks[i].end else None


def repeated(host, work):
    """The annotation that has most of the run in it; nothing without a device."""
    groups = collections.defaultdict(list)
    for r in sorted((r for r in host if r.cat == "user_annotation"), key=lambda r: (r.start, -r.end)):
        g = groups[r.lane, re.sub(r"[0-9]+", "#", r.name)]
        if not g or r.start >= g[-1].end:
            g.append(r)
    linked = [w for w in work if w.launch]
    for rows in sorted(groups.values(), key=lambda g: -sum(r.end - r.start for r in g)):
        starts = [r.start for r in rows]
        inside = sum(w.end - w.start for w in linked if step_at(rows, starts, w.launch.start) is not None)
        if len(rows) >= 3 and linked and inside >= 0.8 * sum(w.end - w.start for w in linked):
            return rows
    return []


# Gaps.

class Gap:
    """What lies between work, or between work and the window's ends; parts: (start, end, kind)."""

    def __init__(self, start, end, previous, work, busy):
        self.start, self.end, self.previous, self.work, self.busy = start, end, previous, work, busy
        self.launch = work.launch if work else None
        self.is_late = bool(self.launch and self.launch.start > start)
        self.parts = []
        self.held = None  # the call that had held the thread up
        self.behind = []  # of parts: (start, end, kind), in other classes than sync, behind that call

    def add(self, end, kind, behind=False):
        at = self.parts[-1][1] if self.parts else self.start
        if min(end, self.end) > at:
            self.parts.append((at, min(end, self.end), kind))
            if behind:
                self.behind.append(self.parts[-1])

    def behind_within(self, start, end, kinds=None):
        return sum(max(0, min(b, end) - max(a, start)) for a, b, k in self.behind if not kinds or k in kinds)

    def late_within(self, start, end):
        """What of it is the sync's rather than the host's."""
        return self.behind_within(start, end, PLAIN) if self.end - self.start < LONG_NS else 0

    def within(self, start, end):
        """Time by kind of the part of it inside [start, end)."""
        out = collections.defaultdict(int)
        for a, b, kind in self.parts:
            if b > start and a < end:
                out[kind] += min(b, end) - max(a, start)
        return out

    def in_each(self, windows):
        """(start, end, time by kind) of those windows that have some of it."""
        for a, b in windows:
            if b > self.start and a < self.end:
                parts = self.within(a, b)
                if parts:
                    yield a, b, parts


def gaps_between(work, window):
    """Of work by start; with the time of the window before the first of it and behind the last."""
    out, end, previous, busy = [], None, None, 0
    for w in work:
        if end is None and w.start > window[0]:
            out.append(Gap(window[0], w.start, None, w, 0))
        elif end is not None and w.start > end:
            out.append(Gap(end, w.start, previous, w, busy))
        if end is None or w.end > end:
            busy += w.end - (w.start if end is None else max(end, w.start))
            end, previous = w.end, w
    if end is not None and end < window[1]:
        out.append(Gap(end, window[1], previous, None, busy))
    return out


def world_size(path):
    said = document(path)
    info = said.get("distributedInfo") if isinstance(said, dict) else None
    world = info.get("world_size") if isinstance(info, dict) else None
    return world if isinstance(world, int) else 1


class Run:
    """A trace: its steps, its threads and what its devices waited for."""

    def __init__(self, path):
        self.host, self.work, python = load(path)
        self.has_python = bool(python)
        self.python = collections.defaultdict(list)
        for r in python:
            if r.end - r.start >= FUNCTION_MIN_NS:
                self.python[r.lane].append(r)
        self.function_threads, self.kinds = {}, {}
        self.steps = Steps(self.host, self.work)
        self.has_peers = len({w.device for w in self.work}) > 1 or world_size(path) > 1
        lanes, self.threads = collections.defaultdict(list), {}
        for r in self.host:
            lanes[r.lane].append(r)
        self.lanes = lanes
        launching = collections.Counter(w.launch.lane for w in self.work if w.launch)
        self.step_names = {m.name for m in self.steps.marks}
        self.main = self.steps.marks[0].lane if self.steps.marks else \
            launching.most_common(1)[0][0] if launching else None
        self.first = {}
        for w in self.work:
            self.first.setdefault((w.device, w.stream), w)
        self.loaders = self._loaders()
        self.cost = {d: self._cost(d) for d in {w.device for w in self.work}}

    def _loaders(self):
        """Threads that work for half of the time in which the main one is in the data loader."""
        waits = union([(r.start, r.end) for r in (*self.lanes.get(self.main, ()), *self.python.get(self.main, ()))
                       if own_kind(r) == "loader"])
        works = {lane: union([(r.start, r.end) for r in rows if r.cat != "user_annotation"]) for lane, rows in self.lanes.items()}
        return {lane for lane, work in works.items()
                if waits and lane != self.main and 2 * length(within(work, waits)) >= length(waits)}

    def thread(self, lane):
        if lane not in self.lanes:
            return NO_THREAD
        if lane not in self.threads:
            self.threads[lane] = Thread(self.lanes[lane])
        return self.threads[lane]

    def functions(self, lane):
        """Python's functions as a thread of their own."""
        if lane not in self.function_threads:
            self.function_threads[lane] = Thread(self.python.get(lane, []))
        return self.function_threads[lane]

    def work_of(self, device, stream=None):
        return [w for w in self.work if w.device == device and stream in (None, w.stream)]

    def _cost(self, device):
        late = [g for g in gaps_between(self.work_of(device), (float("inf"), float("-inf"))) if g.is_late]
        return int(median([g.end - g.launch.start for g in late]) or 0) if late else USUAL_COST_NS

    def gaps(self, device, stream=None):
        """All gaps of a device or stream, with their parts."""
        spans = self.steps.spans
        reach = (min(a for a, _ in spans), max(b for _, b in spans))
        out = gaps_between(self.work_of(device, stream), reach)
        for g in out:
            self._split(g, self.cost[device])
        return out

    def _split(self, gap, cost):
        if gap.work and not gap.launch:
            gap.add(gap.end, "unlinked")
            return
        before = min(gap.launch.start, gap.end) if gap.launch else gap.end
        lane = self.main if not gap.launch or gap.launch.lane in self.loaders else gap.launch.lane
        if before > gap.start:
            call = gap.held = self._held(gap, lane)
            at = gap.start
            if call:
                word = word_of(call.name, call.cat)
                gap.add(min(call.end, before), word or "sync")
                at = min(call.end, before)
                lag = min(2 * gap.start - call.start, before)
                self._host(gap, lane, at, lag, True)
                at = max(at, lag)
            self._host(gap, lane, at, before)
        if gap.launch:
            self._launched(gap, cost)

    def _held(self, gap, lane):
        """The call that held a thread up."""
        for of in dict.fromkeys((lane, self.main)):
            for call in reversed(self.thread(of).path(gap.start - 1)[0]):
                copied = gap.previous and gap.previous.cat in COPY and gap.previous.launch is call
                if copied or call.cat in RUNTIME and waits_by_name(call.name):
                    return call
        return None

    def _host(self, gap, lane, at, end, behind=False):
        while at < end:
            until, kind = end, None
            for of in dict.fromkeys((lane, self.main)):
                path, to = self.thread(of).path(at)
                until = min(until, to or until)
                functions, to = self.functions(of).path(at)
                until = min(until, to or until)
                kind = self._kind(path, functions)
                if kind == "python" and path and not functions and until - at >= ALONE and \
                        (STEP.match(path[-1].name) or path[-1].name in self.step_names):
                    kind = "python" if self.has_python else "nothing"
                if kind:
                    break
            gap.add(until, kind or ("python" if self.has_python else "nothing"), behind)
            at = until

    def _kind(self, path, functions):
        if (path, functions) not in self.kinds:
            self.kinds[path, functions] = kind_of(path, self.has_peers, functions)
        return self.kinds[path, functions]

    def _launched(self, gap, cost):
        begin, end = gap.launch.start, gap.launch.end
        paid = begin + cost
        if end <= gap.end and end - begin > cost:
            gap.add(end, "runtime")
            paid = end + cost
        gap.add(paid, "launch")
        rest = gap.end - max(gap.start, paid)
        first = self.first[gap.work.device, gap.work.stream] is gap.work
        if end > gap.end:
            gap.add(gap.end, "runtime")
        elif first and rest >= UNRECORDED_NS and rest > gap.busy:
            gap.add(gap.end, "unrecorded")
        else:
            gap.add(gap.end, "dependency")


class Device:
    """One device's ledger: ns by class, which add up to the window."""

    def __init__(self, run, device):
        work = run.work_of(device)
        self.windows = union(run.steps.counted())
        compute = of([w for w in work if w.computes()])
        comm = of([w for w in work if w.communicates()])
        self.ledger = collections.Counter(
            compute=length(within(compute, self.windows)),
            comm=length(within(minus(comm, compute), self.windows)))
        self.busy = length(within(of(work), self.windows))
        self.ledger["copy"] = self.busy - self.ledger["compute"] - self.ledger["comm"]
        self.gaps, self.late = [], 0
        for g in run.gaps(device):
            for a, b, parts in g.in_each(self.windows):
                late = g.late_within(a, b)
                self.late += late
                self.gaps.append((g.end - g.start, sum(parts[k] for k in parts if k in HOST_WAIT) - late))
                for kind in parts:
                    self.ledger[kind] += parts[kind]
        self.total = sum(self.ledger.values()) - self.ledger["unrecorded"]

    def shares(self):
        """Of the window, by verdict; 'waits' is what blames nobody."""
        wait = sum(self.ledger[k] for k in HOST_WAIT) - self.late
        parts = {"compute-bound": self.ledger["compute"], "comm-bound": self.ledger["comm"],
                 "copy-bound": self.ledger["copy"], "dataloader-bound": self.ledger["loader"],
                 "sync-bound": self.ledger["sync"] + self.late, "launch-bound": wait, "host-bound": wait,
                 "waits": self.ledger["dependency"] + self.ledger["unlinked"]}
        parts["healthy"] = parts["compute-bound"]
        return {k: v / max(1, self.total) for k, v in parts.items()}

    def busy_share(self):
        return self.busy / max(1, self.total)

    def usual_gap(self):
        """Half of the host's waiting lies in gaps of this length and more, ns."""
        half = sum(w for _, w in self.gaps) / 2
        for gap, wait in sorted(self.gaps, key=lambda g: -g[0]):
            half -= wait
            if half <= 0:
                return gap
        return 0


def devices(path):
    """The ledgers of a trace by device; empty where it has none."""
    run = Run(path)
    return {d: Device(run, d) for d in sorted({w.device for w in run.work})}
