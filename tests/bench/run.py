#!/usr/bin/env python3
"""make bench: traceq beside gzip, igzip and simdjson, on the same files in the same run.

Machines are shared and noisy, so all programs take turns, those that are compared one right after the
other, and every figure is the median of the rounds' ratios.  Nothing fails here: the table says what was
met.

  BENCH_SIZE    text per file (default 1G)       BENCH_ROUNDS   rounds (default 7)
  BENCH_DIR     where the files are kept (default build/bench-files)
  BENCH_SCENARIO_SIZE    text per scenario (default 128M; 0: leave that table out)

Words are parts of it, which then run alone: packets exports surgery ...
"""
import collections
import os
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
from judging import digest_format as tqd  # noqa: E402

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
BENCH = os.environ.get("BENCH", "")
SIZE = os.environ.get("BENCH_SIZE", "1G")
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))
FOLDER = os.environ.get("BENCH_DIR", os.path.join(os.environ.get("BUILD", "build"), "bench-files"))
SCENARIO_SIZE = os.environ.get("BENCH_SCENARIO_SIZE", "128M")
ANALYSES = ["summary", "steps", "kernels", "idle", "launches", "copies", "comms", "memory",
            "stages", "stacks", "diagnose"]
LAYOUTS = [
    ("kineto", "several lines per event, shapes"),
    ("compact", "one compact line per event"),
    ("line", "re-serialised, one single line"),
]


Run = collections.namedtuple("Run", "wall peak cpu faults")


def run(argv):
    """What a program takes whose output is thrown away: wall seconds, peak KiB, seconds of processor
    time, minor page faults."""
    begin = time.monotonic()
    child = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - begin
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"bench: {' '.join(argv)}: exit {child.returncode}")
    return Run(wall, usage.ru_maxrss, usage.ru_utime + usage.ru_stime, usage.ru_minflt)


def make_plain(scenario, layout, size):
    plain = os.path.join(FOLDER, f"{scenario}-{layout}-{size}.json")
    if not os.path.exists(plain):
        print(f"making {plain}", file=sys.stderr)
        argv = [FIXTURES, scenario, "--size", size, "--layout", layout]
        with open(plain + ".part", "wb") as out:
            subprocess.run(argv + (["--memory"] if scenario == "leak" else []), stdout=out,
                           check=True)
        os.rename(plain + ".part", plain)
    return plain


def make_file(layout):
    plain = make_plain("healthy", layout, SIZE)
    if not os.path.exists(plain + ".gz"):
        print(f"making {plain}.gz", file=sys.stderr)
        with open(plain + ".gz.part", "wb") as out:
            subprocess.run(["gzip", "-6", "-c", plain], stdout=out, check=True)
        os.rename(plain + ".gz.part", plain + ".gz")
    return plain


def programs(plain):
    """name -> argv, of those that are there."""
    simdjson = os.path.join(BENCH, "simdjson_reader")
    p = {
        "gzip": ["gzip", "-dc", plain + ".gz"],
        "top.gz": [TRACEQ, "top", "-q", plain + ".gz"],
        "igzip": ["igzip", "-dc", plain + ".gz"],
        "simdjson": [simdjson, plain],
        "top": [TRACEQ, "top", "-q", plain],
        "info": [TRACEQ, "info", "-q", plain],
        "check": [TRACEQ, "check", "-q", plain],
    }
    return {name: argv for name, argv in p.items() if shutil.which(argv[0])}


def events_of(plain):
    import json
    out = subprocess.run([TRACEQ, "info", "--json", "-q", plain], stdout=subprocess.PIPE, check=True)
    for table in json.loads(out.stdout)["tables"]:
        for row in table["rows"]:
            if row.get("events") and "text_bytes" in row:
                return row["events"]
    return None


def take_turns(todo, rounds):
    """name -> figures, each a list by round: of wall seconds, peak KiB, processor time, faults."""
    taken = collections.defaultdict(list)
    for _ in range(rounds):
        for name, argv in todo.items():
            taken[name].append(run(argv))
    return Run(*({name: [getattr(r, f) for r in runs] for name, runs in taken.items()} for f in Run._fields))


def ratio_of(figures, a, b):
    """The median of the rounds' ratios."""
    return statistics.median(x / y for x, y in zip(figures[a], figures[b]))


def verdict(met):
    return "met" if met else "NOT MET"


def show(label, figure, target, met):
    print(f"  {label:<46} {figure:>12}   {target:<20} {verdict(met)}")


def packets():
    """The same events as packets of Perfetto: what they cost beside the text, and a second."""
    text, packed = make_plain("healthy", "kineto", SCENARIO_SIZE), make_plain("healthy", "pftrace", SCENARIO_SIZE)
    rounds = [(run([TRACEQ, "top", packed]), run([TRACEQ, "top", text]), run(["cat", packed])) for _ in range(ROUNDS)]
    wall = statistics.median(p.wall for p, _, _ in rounds)
    print(f"\npftrace: all begins, then all ends; {os.path.getsize(packed) / 1e6:,.0f} MB")
    ratio = statistics.median(p.wall / t.wall for p, t, _ in rounds)
    show("top X.pftrace / top X.json of the same events", f"{ratio:.2f}", "<= 2.0", ratio <= 2.0)
    peak = statistics.median(p.peak / t.peak for p, t, _ in rounds)
    show("the same, peak memory", f"{peak:.2f}", "<= 1.5", peak <= 1.5)
    beside = statistics.median(p.wall / c.wall for p, _, c in rounds)
    rate = os.path.getsize(packed) / wall / 1e9
    show(f"top X.pftrace, {beside:.1f} times as long as cat", f"{rate:.2f} GB/s", ">= 1 GB/s", rate >= 1)


def report(layout, what, plain):
    todo = programs(plain)
    take_turns(todo, 1)  # warm the page cache
    walls, peaks, *_ = take_turns(todo, ROUNDS)
    wall = {name: statistics.median(w) for name, w in walls.items()}
    peak = {name: statistics.median(p) for name, p in peaks.items()}
    text = os.path.getsize(plain)
    events = events_of(plain)
    print(f"\n{layout}: {what}; {text / 1e6:,.0f} MB text, "
          f"{os.path.getsize(plain + '.gz') / 1e6:,.0f} MB gz, {events:,} events")
    print("  seconds, median of %d: " % ROUNDS +
          ", ".join(f"{n} {wall[n]:.3f}" for n in wall))
    ratio = ratio_of(walls, "top.gz", "gzip")
    show("top X.json.gz / gzip -dc X.json.gz", f"{ratio:.2f}", "<= 0.30", ratio <= 0.30)
    if "igzip" in wall:
        ratio = ratio_of(walls, "top.gz", "igzip")
        show("top X.json.gz / igzip -dc X.json.gz", f"{ratio:.2f}", "<= 2.0", ratio <= 2.0)
    if "simdjson" in wall:
        ratio = ratio_of(walls, "simdjson", "top")
        show("simdjson on-demand X.json / top X.json", f"{ratio:.2f}", ">= 3", ratio >= 3)
    else:
        print("  simdjson is not installed: that row is left out")
    print(f"  top X.json reads {text / wall['top'] / 1e9:.2f} GB/s")
    for name in ("top", "top.gz", "info", "check"):
        limit = 48 * events + (48 << 20)
        used = peak[name] * 1024
        show(f"peak memory of {name}", f"{used / 2**20:.0f} MiB",
             f"<= {limit / 2**20:.0f} MiB", used <= limit)


def against_top(plain, rounds):
    """analysis -> (wall, peak memory) in units of top's."""
    todo = {name: [TRACEQ, name, "-q", plain] for name in ["top"] + ANALYSES}
    walls, peaks, *_ = take_turns(todo, rounds)
    return {n: (ratio_of(walls, n, "top"), ratio_of(peaks, n, "top")) for n in ANALYSES}


def analyses(plain):
    print("\nanalyses of the first file, against top: wall and peak memory")
    for name, (wall, peak) in against_top(plain, max(3, ROUNDS // 2)).items():
        show(f"{name} / top", f"{wall:.2f} {peak:.2f}", "<= 1.5 both", wall <= 1.5 and peak <= 1.5)


def critical_path(plain):
    """`critical` keeps what each event waited for, and asks some ten scenarios of it."""
    events = events_of(plain)
    todo = {n: [TRACEQ, n, "-q", plain] for n in ("top", "critical")}
    walls, peaks, *_ = take_turns(todo, ROUNDS)
    wall = ratio_of(walls, "critical", "top")
    more = (statistics.median(peaks["critical"]) - statistics.median(peaks["top"])) * 1024 / events
    show("critical / top", f"{wall:.2f}", "<= 2", wall <= 2)
    show("memory of critical beside top's", f"{more:.0f} bytes an event", "<= 48", more <= 48)


def documents(plain):
    """The report, which asks eleven analyses, against one top of the same file."""
    for path in (plain, plain + ".gz"):
        walls, *_ = take_turns({n: [TRACEQ, n, "-q", path] for n in ("top", "report")}, ROUNDS)
        ratio = ratio_of(walls, "report", "top")
        show(f"report / top of {'json.gz' if path.endswith('.gz') else 'json'}", f"{ratio:.2f}",
             "<= 2.0", ratio <= 2)


def worst(ratios, which):
    name = max(ratios, key=lambda n: ratios[n][which])
    return ratios[name][which], f"{ratios[name][which]:.2f} {name}"


def scenarios():
    """The dearest analysis of each scenario and layout."""
    out = subprocess.run([FIXTURES, "--list"], stdout=subprocess.PIPE, check=True, text=True).stdout
    parts = {}
    for line in out.splitlines():
        if line.startswith(" "):
            parts[part].append(line.split()[0])
        else:
            part = line.strip()
            parts[part] = []
    files = [(s, "kineto") for s in parts["scenarios"] if not s.startswith("hostile") and s != "tiny"]
    files += [("healthy", layout) for layout in parts["layouts"] if layout != "kineto"]
    print(f"\ndearest of the analyses against top, {SCENARIO_SIZE} of text: wall; peak memory")
    for scenario, layout in files:
        ratios = against_top(make_plain(scenario, layout, SCENARIO_SIZE), 3)
        wall, wall_word = worst(ratios, 0)
        peak, peak_word = worst(ratios, 1)
        show(f"{scenario}, {layout}", f"{wall_word}; {peak_word}".rjust(30), "<= 1.5 both",
             wall <= 1.5 and peak <= 1.5)


def make_rank(rank):
    path = os.path.join(FOLDER, f"rank{rank}-56M.json")
    if not os.path.exists(path):
        with open(path + ".part", "wb") as out:
            subprocess.run([FIXTURES, "multi-rank", "--size", "56M", "--world", "64", "--rank", str(rank)],
                           stdout=out, check=True)
        os.rename(path + ".part", path)
    return path


def many_files():
    """64 traces of a job, several at a time, against one after the other; memory against one's."""
    files = [make_rank(rank) for rank in range(8)]
    top = [TRACEQ, "top", "-q"]
    todo = {"cores": top + files * 8, "one": top + ["--threads", "1"] + files * 8,
            "file": top + ["--threads", "1", files[0]]}
    walls, peaks, *_ = take_turns(todo, ROUNDS)
    ratio, cores = ratio_of(walls, "cores", "one"), os.cpu_count()
    print(f"\n64 files of 56 MB, as many at a time as there are cores ({cores})")
    limit = 0.65 if cores > 1 else 1.05
    show("top of 64 files / the same, --threads 1", f"{ratio:.2f}", f"<= {limit}", ratio <= limit)
    grown = ratio_of(peaks, "cores", "file")
    show("peak memory / that of one file", f"{grown:.1f}", f"<= {cores + 2}", grown <= cores + 2)


def rank_of(record, rank, world):
    """The same record, of another rank."""
    parts = tqd.sections(record)
    facts = tqd.facts(parts["facts"])
    own = tqd.put_int(facts["rank"]) + tqd.put_int(facts["world"])
    new = tqd.put_int(rank) + tqd.put_int(world)
    at = parts["facts"].rindex(own)
    parts["facts"] = parts["facts"][:at] + new + parts["facts"][at + len(own):]
    parts["digest"] = new + parts["digest"][len(own):]
    return tqd.record_of(parts)


def digests():
    """What a digest of a large trace takes, and the time and memory that 1,024 of them do."""
    plain = make_plain("multi-rank", "kineto", SIZE)
    packed, made, many = (f"{plain}{end}" for end in [".gz", ".tqd", "-1024.tqd"])
    if not os.path.exists(packed):
        with open(packed, "wb") as out:
            subprocess.run(["gzip", "-6", "-c", plain], stdout=out, check=True)
    run([TRACEQ, "digest", "-q", packed, "-o", made])
    per = os.path.getsize(made) / os.path.getsize(packed) * 100e6
    print(f"\ndigests: of {os.path.getsize(packed) / 1e6:,.0f} MB of .gz {os.path.getsize(made) / 1e6:.2f} MB")
    show("bytes for 100 MB of .gz", f"{per / 1e6:.2f} MB", "<= 1 MB", per <= 1e6)
    small = os.path.join(FOLDER, "rank.json")
    with open(small, "wb") as out:
        subprocess.run([FIXTURES, "multi-rank", "--rank", "0", "--world", "1024", "--steps", "8"], stdout=out,
                       check=True)
    run([TRACEQ, "digest", "-q", small, "-o", made])
    with open(made, "rb") as one:
        (_, record), = tqd.records(one.read())
    with open(many, "wb") as out:
        out.write(tqd.file_of([(f"rank{r}.json", rank_of(record, r, 1024)) for r in range(1024)]))
    for words, most in [["summary"], 5], [["diff", many, "vs"], 10]:
        wall, peak, *_ = run([TRACEQ, *words, "-q", many])
        show(f"{words[0]} of {most // 5 * 1024:,} digests, {peak / 1024:.0f} MiB", f"{wall:.2f} s",
             f"<= {most} s, 1 GiB", wall <= most and peak <= 1 << 20)


def logs():
    """A JSONL log of SIZE: text a second of user and system time, and peak memory against a tenth
    of it, which is the same when memory is constant."""
    units = {"K": 1e3, "M": 1e6, "G": 1e9}
    rows = int(float(SIZE.rstrip("KMGi")) * units.get(SIZE.rstrip("i")[-1], 1) / 304)
    peaks = {}
    for part in (10, 1):
        plain = os.path.join(FOLDER, f"log-{rows // part}.jsonl")
        if not os.path.exists(plain):
            with open(plain, "wb") as out:
                subprocess.run([FIXTURES, "artifact", "jsonl", "--rows", str(rows // part)],
                               stdout=out, check=True)
        before = os.times()
        results = [run([TRACEQ, "info", "-q", plain]) for _ in range(ROUNDS)]
        after = os.times()
        cpu = (after.children_user + after.children_system - before.children_user
               - before.children_system) / ROUNDS
        peaks[part] = statistics.median(r.peak for r in results)
    text = os.path.getsize(plain)
    rate = text / cpu / 1e6
    print(f"\nlog of JSON lines: {text / 1e6:,.0f} MB, {rows:,} lines, 14 keys each")
    show("text a second of processor time", f"{rate:,.0f} MB/s", ">= 500 MB/s", rate >= 500)
    show("peak memory", f"{peaks[1] / 1024:.1f} MiB", f"as of a tenth: {peaks[10] / 1024:.1f} MiB",
         peaks[1] <= peaks[10] * 1.1)


MIXED = [
    " iteration {0:8d}/ 500000 | consumed samples: {1:12d} | elapsed time per iteration (ms): {2}.5 | learning rate: "
    "1.500000E-04 | lm loss: 6.5{3:03d}E+00 | grad norm: 0.{3:03d} | number of skipped iterations:   0 |",
    "[rank0]:2026-03-11 00:{4:02d}:{5:02d},{3:03d} - root - INFO - step: {0:5d}  loss:  7.{3:03d}  memory:  5.28GiB"
    "(66.1%)  tps: 1,{3:03d}  tflops: 2.9  mfu: 0.9%",
    "[rank1]:2026-03-11 00:{4:02d}:{5:02d},{3:03d} - root - INFO - step: {0:5d}  loss:  7.{3:03d}  memory:  5.28GiB"
    "(66.1%)  tps: 1,{3:03d}  tflops: 2.9  mfu: 0.9%",
    "INFO 03-11 00:{4:02d}:{5:02d} [loggers.py:118] Engine 000: Avg prompt throughput: 10{6}.{6} tokens/s, Avg "
    "generation throughput: 5{6}.5 tokens/s, Running: {6} reqs, Waiting: 2 reqs, GPU KV cache usage: {6}.5%",
    "{{'loss': 2.{3:03d}, 'grad_norm': 0.{3:03d}, 'learning_rate': 4.9e-05, 'epoch': 0.{3:03d}}}",
    "Training:  12%|#2        | {0}/500000 [00:{4:02d}<01:{5:02d},  4.{6}2it/s, loss=2.{3:03d}, v_num=0]",
    "/usr/lib/python3/site-packages/torch/utils/checkpoint.py:429: UserWarning: please pass in use_reentrant=True",
]


def make_mixed(size):
    """A log of several programs: prefixes, ranks, bars, lines without a figure."""
    plain = os.path.join(FOLDER, f"mixed-{size}.log")
    if not os.path.exists(plain):
        with open(plain, "w", encoding="utf-8") as out:
            step = 0
            while out.tell() < size:
                step += 1
                given = (step, step * 512, 1200 + step % 50, step * 7 % 1000, step // 60 % 60, step % 60, step % 10)
                out.write("\n".join(MIXED).format(*given) + "\n")
    return plain


def mixed_log():
    """Text a second of processor time, and memory: 64 MiB and 48 bytes a value that is kept."""
    import json
    plain = make_mixed(int(float(SIZE.rstrip("KMGi")) * {"K": 1e3, "M": 1e6, "G": 1e9}.get(SIZE.rstrip("i")[-1], 1)))
    before = os.times()
    peak = statistics.median(run([TRACEQ, "info", "-q", plain]).peak for _ in range(ROUNDS)) / 1024
    after = os.times()
    rate = os.path.getsize(plain) / (after.children_user - before.children_user) * ROUNDS / 1e6
    out = subprocess.run([TRACEQ, "info", "--json", "-q", plain], stdout=subprocess.PIPE, check=True)
    rows = [r for t in json.loads(out.stdout)["tables"] if t["id"] == "series" for r in t["rows"]]
    limit = 64 + sum(min(r["values"], 65536) for r in rows) * 48 / 2**20
    print(f"\nlog of mixed text: {os.path.getsize(plain) / 1e6:,.0f} MB, {len(rows)} series")
    show("text a second of user time", f"{rate:,.0f} MB/s", ">= 400 MB/s", rate >= 400)
    show("peak memory", f"{peak:.0f} MiB", f"<= {limit:.0f} MiB", peak <= limit)


def exports():
    """An export of Nsight Systems of the scenario's size: rows a second of processor time, and memory."""
    made = os.path.join(FOLDER, f"healthy-nsys-{SCENARIO_SIZE}.sqlite")
    if not os.path.exists(made):
        with open(made + ".part", "wb") as out:
            if subprocess.run([FIXTURES, "healthy", "--size", SCENARIO_SIZE, "--layout", "nsys"], stdout=out,
                              check=False).returncode:
                print("\nno export of Nsight Systems: SQLite is not there")
                return
        os.rename(made + ".part", made)
    before = os.times()
    results = [run([TRACEQ, "top", "-q", made]) for _ in range(ROUNDS)]
    after = os.times()
    cpu = (after.children_user + after.children_system - before.children_user - before.children_system) / ROUNDS
    rows = events_of(made)
    peak = statistics.median(r.peak for r in results)
    limit = 48 * rows / 1024 + 48 * 1024
    print(f"\nexport of Nsight Systems: {os.path.getsize(made) / 1e6:,.0f} MB, {rows:,} rows")
    show("rows a second of processor time", f"{rows / cpu / 1e6:.2f} M", ">= 1 M", rows / cpu >= 1e6)
    show("peak memory", f"{peak / 1024:.0f} MiB", f"<= {limit / 1024:.0f} MiB", peak <= limit)


def surgery():
    """Cutting and merging, against `top` of the same files, which reads them once."""
    plain, made = make_plain("healthy", "kineto", SIZE), os.path.join(FOLDER, "cut.json.gz")
    todo = {"top": [TRACEQ, "top", "-q", plain],
            "cut": [TRACEQ, "cut", "-q", "--steps", "5", "-o", made, plain],
            "lanes": [TRACEQ, "cut", "-q", "--steps", "5", "--lanes", "perfetto", "-o", made, plain],
            "anonymize": [TRACEQ, "cut", "-q", "--steps", "5", "--anonymize", "-o", made, plain]}
    walls, peaks, *_ = take_turns(todo, ROUNDS)
    print(f"\ncut --steps 5 of {os.path.getsize(plain) / 1e6:,.0f} MB")
    ratio, peak = ratio_of(walls, "cut", "top"), statistics.median(peaks["cut"]) / 1024
    show("cut / top", f"{ratio:.2f}", "<= 2.0", ratio <= 2)
    show("peak memory of cut", f"{peak:.0f} MiB", "<= 64 MiB", peak <= 64)
    for name in ("lanes", "anonymize"):
        print(f"  with --{name}: {ratio_of(walls, name, 'top'):.2f} times top, "
              f"{statistics.median(peaks[name]) / 1024:.0f} MiB")
    ranks = [make_rank(r) for r in range(8)]
    todo = {"top": [TRACEQ, "top", "-q", *ranks],
            "merge": [TRACEQ, "merge", "-q", "--steps", "5", "-o", made, *ranks]}
    walls, peaks, *_ = take_turns(todo, ROUNDS)
    print(f"  merge --steps 5 of 8 ranks of 56 MB: {ratio_of(walls, 'merge', 'top'):.2f} times top of them, "
          f"{statistics.median(peaks['merge']) / 1024:.0f} MiB")


def hello():
    """A dynamic program that does nothing: what starting one takes at least."""
    source, made = os.path.join(FOLDER, "hello.c"), os.path.join(FOLDER, "hello")
    with open(source, "w", encoding="ascii") as out:
        out.write("int main(void) { return 0; }\n")
    subprocess.run([os.environ.get("CC") or "cc", "-O2", "-o", made, source], check=True)
    return [made]


def packed_of(scenario, *words):
    """A small trace as people have it: gzip's."""
    made = os.path.join(FOLDER, f"{scenario}{''.join(words)}.json.gz")
    if not os.path.exists(made):
        with open(made + ".part", "wb") as out:
            subprocess.run([FIXTURES, scenario, *words, "--gzip"], stdout=out, check=True)
        os.rename(made + ".part", made)
    return made


def start_up():
    """Starting, and the answer of a tiny trace, beside a program that does nothing."""
    tiny = packed_of("tiny")
    turns = take_turns({"hello": hello(), "version": [TRACEQ, "--version"], "top": [TRACEQ, "top", tiny]}, 41)
    print(f"\nstart; a program that does nothing takes {statistics.median(turns.wall['hello']) * 1e3:.1f} ms")
    for name, label, most in [("version", "traceq --version", 1.3), ("top", "top of a tiny trace", 1.6)]:
        ratio = ratio_of(turns.wall, name, "hello")
        show(f"{label} / it", f"{ratio:.2f}", f"<= {most}", ratio <= most)


def small_files():
    """35 MB of text, which gzip unpacks in a tenth of a second."""
    packed = packed_of("healthy", "--size", "35M")
    turns = take_turns({"zcat": ["gzip", "-dc", packed], "top": [TRACEQ, "top", packed],
                        "overview": [TRACEQ, packed]}, max(ROUNDS, 21))
    print(f"\na small file: 35 MB of text, {os.path.getsize(packed) / 1e6:.1f} MB of .gz")
    for name, most in [("top", 0.5), ("overview", 0.8)]:
        ratio = ratio_of(turns.wall, name, "zcat")
        show(f"{name} / gzip -dc", f"{ratio:.2f}", f"<= {most}", ratio <= most)
    faults = statistics.median(turns.faults["top"])
    show("page faults of top", f"{faults:,.0f}", "<= 1,000", faults <= 1000)


def beside_top(words, most_wall, most_cpu):
    """Each of words, an answer's name and options, against top of the same file."""
    packed = make_file(LAYOUTS[0][0]) + ".gz"
    todo = {"top": [TRACEQ, "top", "-q", packed], **{n: [TRACEQ, w[0], "-q", packed, *w[1:]] for n, w in words.items()}}
    turns = take_turns(todo, max(ROUNDS, 9))
    for name in words:
        wall, cpu = ratio_of(turns.wall, name, "top"), ratio_of(turns.cpu, name, "top")
        show(f"{name} / top, wall; processor time", f"{wall:.2f}; {cpu:.2f}",
             f"<= {most_wall}; {most_cpu}", wall <= most_wall and cpu <= most_cpu)
    return turns


def answers():
    """What the judge's answers take beside one reading of the file."""
    print("\nanswers beside top, of .gz")
    turns = beside_top({"overview": ["overview"], "diagnose": ["diagnose"]}, 1.3, 1.6)
    beside_top({"roofline": ["roofline"]}, 1.4, 1.6)
    beside_top({"report without charts": ["report", "--format", "md"]}, 1.6, 1.6)
    for name in ("overview", "diagnose"):
        ratio = ratio_of(turns.peak, name, "top")
        show(f"peak memory of {name} / top's, {statistics.median(turns.peak['top']) / 1024:.0f} MiB", f"{ratio:.2f}",
             "<= 1.5", ratio <= 1.5)


def columns():
    """An export and statements, beside top of the same file."""
    made = os.path.join(FOLDER, "export.parquet")
    packed = make_file(LAYOUTS[0][0]) + ".gz"
    print("\nexport and sql beside top, of .gz")
    turns = []
    for _ in range(ROUNDS):
        shutil.rmtree(made, ignore_errors=True)
        turns.append((run([TRACEQ, "export", "-q", packed, "-o", made]), run([TRACEQ, "top", "-q", packed])))
    ratio = statistics.median(e.wall / t.wall for e, t in turns)
    show("export to Parquet / top", f"{ratio:.2f}", "<= 3", ratio <= 3)
    size = os.path.getsize(os.path.join(made, "events.parquet")) / os.path.getsize(packed)
    show("its table of events / the .gz", f"{size:.2f}", "<= 0.25", size <= 0.25)
    for name, most in [("sum(dur_ns) from events", 1.3),
                       ("name_id, sum(dur_ns) from events group by name_id", 3),
                       ("name, sum(dur_ns) from events group by name", 6)]:
        beside_top({f"sql 'select {name[:22]}...'": ["sql", "select " + name]}, most, most)


# Artifacts of lines, and how many of them are a head.
LINED = {"perf-script": 2, "austin": 4, "folded": 0, "memray-csv": 1, "ascend-kernels": 1, "nsys-api-trace": 1, "sacct": 1,
         "dcgm-dmon": 2, "amd-smi-csv": 1, "otlp-spans": 0, "train-jsonl": 0, "nccl-inspector": 0, "torch-trace": 0,
         "v8-log": 2, "aiperf-records": 0, "smi": 1, "op-csv": 1}
LINED_BYTES = 4 << 20


def readers():
    """Files of other programs, by lines that come again and again."""
    path = os.path.join(FOLDER, "lined")
    print("\nreaders of artifacts, MB a second of processor time")
    for name, head in LINED.items():
        lines = subprocess.run([FIXTURES, "artifact", name], stdout=subprocess.PIPE, check=True).stdout.splitlines(True)
        body = b"".join(lines[head:])
        with open(path, "wb") as f:
            f.write(b"".join(lines[:head]) + body * (LINED_BYTES // len(body)))
        turns = take_turns({name: [TRACEQ, "info", "-q", path]}, ROUNDS)
        speed = os.path.getsize(path) / 1e6 / statistics.median(turns.cpu[name])
        show(name, f"{speed:.0f}", ">= 5", speed >= 5)


def texts():
    for layout, what in LAYOUTS:
        report(layout, what, make_file(layout))
        documents(make_file(layout))


def all_analyses():
    plain = make_file(LAYOUTS[0][0])
    analyses(plain)
    critical_path(plain)


# The parts, by name: `run.sh NAME...` runs those alone.
PARTS = {"texts": texts, "packets": packets, "analyses": all_analyses, "scenarios": scenarios,
         "surgery": surgery, "many_files": many_files, "digests": digests, "logs": logs, "mixed_log": mixed_log, "exports": exports,
         "start_up": start_up, "small_files": small_files, "answers": answers, "columns": columns,
         "readers": readers}


def main():
    wanted = sys.argv[1:] or [p for p in PARTS if SCENARIO_SIZE != "0" or p not in ("packets", "scenarios")]
    if set(wanted) - set(PARTS):
        sys.exit(f"bench: parts are {' '.join(PARTS)}")
    os.makedirs(FOLDER, exist_ok=True)
    print(subprocess.run([TRACEQ, "--version"], stdout=subprocess.PIPE, check=True,
                         text=True).stdout.strip() + f", {os.cpu_count()} cores")
    for part in wanted:
        PARTS[part]()


if __name__ == "__main__":
    main()
