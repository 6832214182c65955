#!/usr/bin/env python3
"""Exports against readers that are not ours (DuckDB, hyparquet; sqlite3): every value is what `sql --json` and the
source say, sums are those of `top`; groups of rows, encodings, bounds; hostile texts; a fleet; a disk that is full;
the same bytes each time, and how many."""
import collections
import itertools
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

from exporting.readers import Readers, are_here

TRACEQ = os.environ["TRACEQ"]
FIXTURES = os.environ["FIXTURES"]
SHARED = pathlib.Path(os.environ.get("SHARED", "../shared"))
TABLES = ("events", "kernels", "copies", "collectives", "steps", "ledger", "gaps", "gap_parts", "memory", "findings",
          "series")
LEFT_OUT = ("at_ns", "end_ns")
SAME = 30  # exports that are one
LARGE = 300_000  # bytes of a .gz beside which heads and footers of 11 files are nothing
MANY = 1_150_000  # events: more than a group of rows
GROUP = 1 << 20
ALL_NAMES = 70_000  # more than a dictionary has

passed = 0
failures = []


def expect(what, is_true, why=""):
    global passed
    passed += 1
    if not is_true:
        failures.append(f"{what}: {why}")


def run(*argv, code=0, **how):
    done = subprocess.run([TRACEQ, *map(str, argv)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)
    expect(" ".join(map(str, argv[:4])), done.returncode == code,
           f"exit {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode("utf-8")


def answer(*argv):
    """Keys and rows of each table."""
    tables = collections.OrderedDict()
    for t in json.loads(run(*argv, "--json", "-q"))["tables"]:
        keys = [c["key"] for c in t["columns"]]
        tables.setdefault(t["id"], (keys, []))[1].extend(tuple(row.get(k) for k in keys) for row in t["rows"])
    return tables


def fixture(path, *argv):
    with open(path, "wb") as out:
        subprocess.run([FIXTURES, *argv], stdout=out, check=True)
    return path


def same(what, want, got):
    """Tables hold the same: keys in order, and rows as a bag."""
    expect(f"{what}: columns", want[0] == got[0] or not got[0] and not want[1], f"{want[0]} are {got[0]}")
    a, b = collections.Counter(want[1]), collections.Counter(got[1])
    expect(what, a == b, f"{list((a - b).items())[:1]} is {list((b - a).items())[:1]}")


# ---- every table of some traces ----

def as_sqlite(rows, keys, bools):
    return [tuple(bool(v) if k in bools and v is not None else v for k, v in zip(keys, row)) for row in rows]


def check_tables(folder, readers, trace):
    """Each table by itself, as the number of an event is that among those read, here and by `sql`."""
    out, base = folder / f"{trace.stem}.parquet", folder / f"{trace.stem}.db"
    for name in TABLES:
        keys, rows = answer("sql", trace, f"select * from {name}")["rows"]
        bools = {k for k in keys if k.startswith("is_")}
        want = keys, as_sqlite(rows, keys, bools)
        run("export", trace, "-o", base, "-q", "--table", name)
        db = sqlite3.connect(base)
        expect("integrity", db.execute("pragma integrity_check").fetchall() == [("ok",)])
        got = db.execute(f"select * from {name}")
        same(f"{trace.stem}: SQLite {name}", want, ([d[0] for d in got.description],
                                                    as_sqlite(got.fetchall(), keys, bools)))
        db.close()
        if readers:
            if name == "events":  # Parquet leaves out what start and duration give
                left = [i for i, k in enumerate(keys) if k not in LEFT_OUT]
                keys = [keys[i] for i in left]
                want = keys, [tuple(row[i] for i in left) for row in want[1]]
            run("export", trace, "-o", out, "-q", "--table", name, "--force")
            path = out / f"{name}.parquet"
            got = readers.duckdb(path)
            expect(f"{name}: keys", got[0] == keys, f"{got[0]}")
            same(f"{trace.stem}: DuckDB {name}", want, got)
            rows = readers.hyparquet(path)
            same(f"{trace.stem}: hyparquet {name}", want, rows)
            if name == "events":
                check_order(trace.stem, *rows)
    run("export", trace, "-o", out, "-q", "--force")


def check_order(what, keys, rows):
    """Rows of one kind on one track stand together, by start."""
    kind, track, start = (keys.index(k) for k in ("kind", "track", "start_ns"))
    runs = [list(g) for _, g in itertools.groupby(rows, lambda row: (row[kind], row[track]))]
    expect(f"{what}: kinds and tracks together", len(runs) == len({(r[0][kind], r[0][track]) for r in runs}), f"{len(runs)}")
    expect(f"{what}: by start", all(a[start] <= b[start] for r in runs for a, b in zip(r, r[1:])))


def check_joins(folder, readers, trace):
    """Tables of one export name events alike."""
    place = folder / f"{trace.stem}.parquet"
    for table in ("kernels", "copies", "collectives"):
        for number, name in (("launch_event", "launch_name"), ("op_event", "op")):
            said, met = readers.sql(f"select count(t.{number}), count(*) filter (where e.name = t.{name}) from "
                                    f"'{place}/{table}.parquet' t left join '{place}/events.parquet' e on "
                                    f"e.event = t.{number}")[0]
            expect(f"{trace.stem}: {table}.{number}", said == met, f"{met} of {said}")


def check_sums(folder, readers, trace):
    """DuckDB's sums are those of `top`, to the nanosecond."""
    keys, rows = answer("top", trace, "-n", "0")["device"]
    at = {k: i for i, k in enumerate(keys)}
    want = {(row[at["name"]], row[at["device_sum_ns"]], row[at["calls"]]) for row in rows}
    place = folder / f"{trace.stem}.parquet"
    got = set(readers.sql(f"select name, sum(dur_ns)::bigint, count(*) from (select name, dur_ns from "
                          f"'{place}/kernels.parquet' union all select name, dur_ns from '{place}/copies.parquet') "
                          "group by name"))
    expect(f"{trace.stem}: sums are those of top", got == want, f"{sorted(got ^ want)[:2]}")


# ---- answers ----

def check_answers(folder, readers, traces):
    for argv in (["top"], ["kernels"], ["steps"], ["idle"], ["copies"], ["diagnose"], ["summary"]):
        of = traces if argv == ["summary"] else traces[:1]
        into = folder / f"{argv[0]}s/"
        want = answer(*argv, *of)
        run(*argv, *of, "--format", "parquet", "-o", f"{into}/", "-q")
        for name, table in want.items():
            keys, rows = readers.duckdb(into / f"{name}.parquet")
            if keys and keys[0] == "input" and table[0][:1] != ["input"]:
                keys, rows = keys[1:], [row[1:] for row in rows]
            shared = [k for k in table[0] if k in keys]
            same(f"{argv[0]} as Parquet: {name}", (shared, [tuple(r[table[0].index(k)] for k in shared) for r in table[1]]),
                 (shared, [tuple(r[keys.index(k)] for k in shared) for r in rows]))


# ---- more than a group, more names than a dictionary has, texts that are none ----

HOSTILE = (b"nul\\u0000byte", b"broken \xff\xfe utf-8", b"cut \xe2\x82", b"", b"\\ud83d", b"\xf0\x9f\x98\x80", b"n" * 1000)
HOSTILE_READ = ("nul\0byte", "broken \ufffd\ufffd utf-8", "cut \ufffd", "", None, "\U0001f600", "n" * 1000)


def large_trace(path):
    """Rows (start, duration, name's number) by event, from no random numbers; starts go back and forth."""
    events = []
    with open(path, "wb") as out:
        out.write(b'{"traceEvents": [\n')
        for i in range(MANY):
            start, dur, name = (i ^ 5) * 7, (i * 7919) % 100_003, i // 2 % ALL_NAMES
            events.append((start * 1000, dur * 1000, name))
            out.write(b'{"ph":"X","cat":"cpu_op","name":"%b","pid":1,"tid":2,"ts":%d,"dur":%d},\n' % (
                b"op%d" % name if name >= len(HOSTILE) else HOSTILE[name], start, dur))
        out.write(b'{"ph":"M","name":"process_name","pid":1,"args":{"name":"x"}}]}\n')
    return events


def name_of(number):
    if number >= len(HOSTILE):
        return f"op{number}"
    return HOSTILE_READ[number]


def check_large(folder, readers):
    trace, out = folder / "large.json", folder / "large.parquet"
    events = large_trace(trace)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    run("export", trace, "-o", f"{out}/", "-q", "--table", "events")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    expect("memory", peak <= max(before, 400 << 10), f"{peak} KiB")
    if not readers:
        return
    path = out / "events.parquet"
    meta = readers.sql(f"select row_group_id, path_in_schema, type, encodings, row_group_num_rows, stats_min_value, "
                       f"stats_max_value, stats_null_count, compression from parquet_metadata('{path}')")
    groups = {m[0]: m[4] for m in meta}
    expect("groups of rows", groups == {0: GROUP, 1: MANY - GROUP}, f"{groups}")
    of = {(m[0], m[1]): m for m in meta}
    times = sorted(e[0] for e in events)
    for g, part in enumerate((times[:GROUP], times[GROUP:])):
        m = of[g, "start_ns"]
        expect("times", (m[2], m[3]) == ("INT64", "RLE, DELTA_BINARY_PACKED"), f"{m}")
        expect("bounds", (int(m[5]), int(m[6]), m[7]) == (part[0], part[-1], 0), f"{m}")
        expect("nulls", of[g, "device"][7] == groups[g], f"{of[g, 'device']}")
        expect("dictionary", "RLE_DICTIONARY" in of[g, "kind"][3], f"{of[g, 'kind']}")
    expect("a dictionary that is full", of[0, "name"][3] == "PLAIN, RLE, RLE_DICTIONARY", f"{of[0, 'name'][3]}")
    expect("compression", {m[8] for m in meta} <= {"GZIP", "UNCOMPRESSED"} and of[0, "name"][8] == "GZIP")
    facts = dict(readers.sql(f"select key::varchar, value::varchar from parquet_kv_metadata('{path}')"))
    expect("a run's number", re.fullmatch("[0-9a-f]{16}", facts.pop("traceq.run", "")) is not None, f"{facts}")
    expect("what is kept", 0 < int(facts.pop("traceq.kept", 0)) < 4096, f"{facts}")
    expect("facts", facts == {"traceq.schema": "1", "traceq.table": "events"}, f"{facts}")
    want = collections.Counter()
    for _, dur, name in events:
        want[name_of(name)] += dur
    got = dict(readers.sql(f"select name, sum(dur_ns)::bigint from '{path}' group by name"))
    strange = [k for k in got if k not in want]  # half of a pair of surrogates is no text: what stands for it is ours
    expect("a name for half a pair", len(strange) == 1 and want.pop(None) == got.pop(strange[0]), f"{strange}")
    expect("sums by name", got == want, f"{[k for k in want if got.get(k) != want[k]][:3]}")
    rows = readers.hyparquet(path, "start_ns", "dur_ns")[1]
    expect("by time, every value", rows == sorted(e[:2] for e in events))
    check_skipping(path, readers, events, times[GROUP])


def check_skipping(path, readers, events, from_ns):
    """A filter on time passes over groups: of a file whose first group is overwritten the second still answers."""
    begin = readers.sql(f"select min(coalesce(dictionary_page_offset, data_page_offset)) from parquet_metadata('{path}') "
                        "where row_group_id = 1")[0][0]
    with open(path, "r+b") as out:
        out.seek(10)
        out.write(bytes(begin - 10))
    ask = f"select sum(dur_ns)::bigint from '{path}'"
    got = readers.sql(f"{ask} where start_ns >= {from_ns}")
    expect("a filter on time passes over groups", got == [(sum(d for s, d, _ in events if s >= from_ns),)], f"{got}")
    try:
        got = readers.sql(ask)
    except ValueError:
        got = None
    expect("the whole file does not answer then", got is None, f"{got}")


# ---- a fleet; what goes wrong ----

def check_fleet(folder, readers, n=64):
    job, out = folder / "job", folder / "job.parquet"
    job.mkdir()
    for r in range(n):
        fixture(job / f"rank{r}.json", "multi-rank", "--rank", str(r), "--world", str(n), "--steps", "1", "--layers", "2")
    run("export", job, "-o", out, "-q", "--table", "kernels,steps")
    want = {}
    for r in (0, 1, n // 2, n - 1):
        keys, rows = answer("top", job / f"rank{r}.json", "-n", "0")["device"]
        at = {k: i for i, k in enumerate(keys)}
        want[r] = sum(row[at["device_sum_ns"]] for row in rows if row[at["kind"]] == "kernel")
    if not readers:
        return
    got = dict(readers.sql(f"select rank, sum(dur_ns)::bigint from read_parquet('{out}/rank=*/kernels.parquet', "
                           "hive_partitioning = true) group by rank"))
    expect("each rank", set(got) == set(range(n)), f"{sorted(got)}")
    expect("its sum", {r: got.get(r) for r in want} == want, f"{want}")
    slow = readers.sql(f"select rank from read_parquet('{out}/**/kernels.parquet') where name not like '%nccl%' "
                       "group by rank order by sum(dur_ns) desc limit 1")
    expect("who works longest", slow == [(n // 2,)], f"{slow}")


def check_full(folder, trace):
    """A file that cannot be written whole is an error with its name, and nothing is left."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
    for out in ("full.parquet", "full.db"):
        done = subprocess.run([TRACEQ, "export", trace, "-o", out], cwd=folder, stderr=subprocess.PIPE, preexec_fn=limit)
        expect(f"{out}: no room", done.returncode == 2 and out.encode() in done.stderr and done.stderr.count(b"\n") == 1,
               f"{done.returncode} {done.stderr}")
        left = [str(p) for p in folder.glob("**/*") if p.name.startswith(("full.db", ".")) or "full.parquet/" in str(p)]
        expect(f"{out}: nothing is left", not left, f"{left}")


def check_same(folder, trace):
    """The same bytes each time, whichever thread writes which column."""
    seen = set()
    for i in range(SAME):
        out = folder / f"same{i}"
        run("export", trace, "-o", f"{out}/", "-q", "--threads", "8")
        seen.add(tuple((p.name, p.read_bytes()) for p in sorted(out.glob("*.parquet"))))
        shutil.rmtree(out)
    expect(f"{SAME} exports are one", len(seen) == 1, f"{len(seen)}")


def check_sizes(folder):
    """Events are a quarter of the .gz at most, all tables half of it."""
    for trace in sorted((SHARED / "traces").glob("*.json.gz")):
        size = trace.stat().st_size
        if size < LARGE:
            continue
        out = folder / "size"
        run("export", trace, "-o", f"{out}/", "-q")
        tables = {p.stem: p.stat().st_size for p in out.glob("*.parquet")}
        shutil.rmtree(out)
        expect(f"{trace.name}: size of events", tables["events"] <= size / 4, f"{tables['events']} of {size}")
        expect(f"{trace.name}: size", sum(tables.values()) <= size / 2, f"{sum(tables.values())} of {size}")


def check_all(folder, readers):
    traces = [fixture(folder / f"{s}.json", s, "--steps", "2") for s in ("copy-bound", "python-stacks", "leak")]
    traces += [fixture(folder / "rank.json", "multi-rank", "--rank", "1", "--world", "4", "--steps", "2"),
               fixture(folder / "cpu.json", "cpu-only", "--steps", "1"), fixture(folder / "tiny.json", "tiny")]
    for trace in traces:
        check_tables(folder, readers, trace)
        if readers and trace.stem != "cpu":
            check_sums(folder, readers, trace)
            check_joins(folder, readers, trace)
    if readers:
        check_answers(folder, readers, traces[:2])
    check_large(folder, readers)
    check_fleet(folder, readers)
    check_full(folder, traces[0])
    check_same(folder, traces[1])
    check_sizes(folder)


def main():
    skipped = 0
    with tempfile.TemporaryDirectory() as name:
        if are_here():
            with Readers() as readers:
                check_all(pathlib.Path(name), readers)
        else:
            skipped = 1
            print("skip Parquet's other readers: no node, or no build/readers (tests/deps.sh readers)")
            check_all(pathlib.Path(name), None)
    for line in failures[:40]:
        print("FAIL", " ".join(line.split())[:300])
    print(f"{passed - len(failures)} passed, {len(failures)} failed, {skipped} skipped")
    return 1 if failures else 0


sys.exit(main())
