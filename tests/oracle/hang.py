#!/usr/bin/env python3
"""`hang` against Python's own pickle: the missing ranks of real flight recorder dumps and of made-up
ones, worked out anew; the same dumps as JSON and in every protocol of pickle; pickles that would run
code, refused by the opcode and the place that pickletools names; dumps cut short.

The dumps of ../shared/samples/flight_recorder are NVIDIA's (nvidia-resiliency-ext, tests/attribution),
with what its own analysis says of them in expected.txt and the faults that were injected in
fault_injection.log.  Python's standard library only.
"""
import collections
import glob
import io
import json
import os
import pickle
import pickletools
import random
import re
import subprocess
import sys
import tempfile

TRACEQ = os.environ.get("TRACEQ", "build/release/traceq")
SAMPLES = os.path.join(os.environ.get("SHARED", "../shared"), "samples", "flight_recorder")
passed = failed = 0


def check(condition, text):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {text}")


class Plain(pickle.Unpickler):
    """Of data only."""

    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"{module}.{name}")


def load(path):
    with open(path, "rb") as f:
        return Plain(f).load()


def run(*words):
    p = subprocess.run([TRACEQ, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                       errors="replace")
    return p.returncode, p.stdout, p.stderr


def hang(folder):
    code, out, err = run("hang", folder, "--format", "json")
    check(code == 0, f"hang {folder}: exit {code}: {err}")
    return {t["id"]: t["rows"] for t in json.loads(out)["tables"]} if code == 0 else {}


def ranks_of(text):
    """"0-3, 8, 10-22 by 4" and "[0, 1]" as a set."""
    out = set()
    for low, high, step in re.findall(r"(\d+)(?:-(\d+))?(?: by (\d+))?", text or ""):
        out.update(range(int(low), int(high or low) + 1, int(step or 1)))
    return out


def members(config):
    return sorted(int(n) for n in re.findall(r"\d+", str(config["ranks"])))


def groups_of(dumps):
    """Name of a group -> (ranks, number of the last call and of the last completed one by rank)."""
    out, ids = {}, {}
    for dump in dumps.values():
        for name, config in dump["pg_config"].items():
            out[name] = members(config)
        for e in dump.get("entries", []):
            ids[e["process_group"][0]] = str(e["pg_id"])
    status = collections.defaultdict(dict)
    for name, ranks in out.items():
        for r in ranks:
            s = dumps[r]["pg_status"].get(ids.get(name)) if r in dumps else None
            if s:
                status[name][r] = (int(s["last_enqueued_collective"]),
                                   int(s["last_completed_collective"]))
    return out, status


def missing_of(dumps):
    """Name of a group -> (number of the call that waits, ranks that did not come to it)."""
    groups, status = groups_of(dumps)
    out = {}
    for name, ranks in groups.items():
        calls = [e for r in ranks if r in dumps for e in dumps[r].get("entries", [])
                 if e["process_group"][0] == name]
        if any(e["is_p2p"] for e in calls):
            continue
        for seq in sorted({e["collective_seq_id"] for e in calls if e["state"] != "completed"}):
            gone = {r for r in ranks if r in dumps and status[name].get(r, (0, 0))[0] < seq}
            if gone:
                out[name] = (seq, gone)
                break
    return out


def ends_of(dumps):
    """The ranks at which the chains of those who wait end: each waits in its first call that has not
    completed, for those who did not come to it, else for those who are not at it yet."""
    groups, status = groups_of(dumps)
    head = {}
    for r, dump in dumps.items():
        pending = [e for e in dump.get("entries", []) if e["state"] != "completed"]
        head[r] = min(pending, key=lambda e: e["record_id"]) if pending else None

    def peer(e, rank):
        return groups[e["process_group"][0]][int(re.search(r"(\d+)$", e["profiling_name"]).group(1))]

    def waits_for(r):
        e = head[r]
        if e is None:
            return set()
        name = e["process_group"][0]
        if e["is_p2p"]:
            q, back = peer(e, r), {"send": "recv", "recv": "send"}
            word = e["profiling_name"].split(":")[1].split()[0]
            there = [x for x in dumps[q]["entries"] if x["is_p2p"] and x["state"] != "completed" and
                     x["process_group"][0] == name and peer(x, q) == r and
                     x["profiling_name"].split(":")[1].startswith(back[word])]
            return {q} if not there or head[q] is not there[0] else set()
        seq = e["collective_seq_id"]
        gone = {q for q in groups[name] if status[name].get(q, (0, 0))[0] < seq}
        if gone:
            return gone
        return {q for q in groups[name]
                if q != r and status[name][q][1] < seq and head[q] is not None and
                (head[q]["process_group"][0], head[q]["collective_seq_id"]) != (name, seq) and
                any(x["collective_seq_id"] == seq and x["process_group"][0] == name and
                    x["state"] != "completed" for x in dumps[q]["entries"])}

    return {r for r in dumps if not waits_for(r)}


def look_at_sample(folder):
    name = os.path.basename(folder)
    dumps = {int(p.rsplit("_", 1)[1]): load(p) for p in glob.glob(os.path.join(folder, "_dump_*"))}
    tables = hang(folder)
    with open(os.path.join(folder, "expected.txt"), encoding="utf-8") as f:
        rows = [[w.strip() for w in line.split("|")] for line in f.read().splitlines()[1:] if line]
    wanted = [(w[0], w[1].split(",")[0], w[2].split(":")[1], w[3], w[4], ranks_of(w[5])) for w in rows]
    causes = [(c["group"], c["description"], c["op"], c["input_sizes"], c["input_dtypes"],
               ranks_of(c["ranks"])) for c in tables["causes"] if c["kind"] == "missing"]
    check(causes == wanted, f"{name}: {causes}, where expected.txt has {wanted}")
    with open(os.path.join(folder, "fault_injection.log"), encoding="utf-8") as f:
        faults = ranks_of(re.search(r"\[(.*?)\]", f.read()).group(1))
    found = set().union(*(ranks_of(c["ranks"]) for c in tables["causes"]))
    check(found == faults, f"{name}: causes name {found}, the faults were in {faults}")
    ends = ends_of(dumps)
    check(ends == {r["rank"] for r in tables["ranks"] if r["state"] not in ("waits", "circle")},
          f"{name}: chains end in {ends}")
    look_at_missing(name, dumps, tables)
    return dumps


def look_at_missing(name, dumps, tables):
    wanted = missing_of(dumps)
    got = {row["group"]: (row["seq"], ranks_of(row["missing_ranks"])) for row in tables["collectives"]
           if row["missing_ranks"] and row["op"] not in ("send", "recv")}
    check(got == wanted, f"{name}: missing {got}, by Python {wanted}")


def as_json(dump):
    """As FlightRecorder::dump_json spells it: keys sorted, statuses as texts, no time as 0, no frames, no empty
    list of entries."""
    d = json.loads(json.dumps(dump))
    d["pg_status"] = {k: {n: str(v) for n, v in s.items()} for k, s in d["pg_status"].items()}
    for e in d["entries"]:
        for key in ("time_discovered_started_ns", "time_discovered_completed_ns"):
            e[key] = e[key] or 0
        e.pop("frames", None)
    if not d["entries"]:
        del d["entries"]
    return json.dumps(d, sort_keys=True).encode()


def bare(dump):
    return dict(dump, entries=[{k: v for k, v in e.items() if k != "frames"} for e in dump["entries"]])


def answer_of(dumps, write, name="_dump_%d"):
    with tempfile.TemporaryDirectory() as folder:
        for rank, dump in dumps.items():
            with open(os.path.join(folder, name % rank), "wb") as f:
                f.write(write(dump))
        tables = hang(folder)
    for row in tables.get("ranks", []):
        row["dump"] = None
    return tables


def look_at_forms(name, dumps):
    """The same dumps, whatever they are written in."""
    first = answer_of(dumps, lambda d: pickle.dumps(bare(d), 2))
    for protocol in (3, 4, 5):
        check(answer_of(dumps, lambda d: pickle.dumps(bare(d), protocol)) == first,
              f"{name}: protocol {protocol} gives another answer")
    check(answer_of(dumps, as_json) == first, f"{name}: JSON gives another answer")
    check(answer_of(dumps, as_json, "nccl_trace_rank_%d.json") == first,
          f"{name}: another name gives another answer")


def entry(record, group, op, seq, state, size=(8, ), dtype="Float", **more):
    return dict({"record_id": record, "pg_id": int(group[0]), "process_group": group,
                 "collective_seq_id": seq, "p2p_seq_id": 0, "op_id": seq, "profiling_name": f"nccl:{op}",
                 "time_created_ns": 1700000000000000000 + record, "input_sizes": [list(size)],
                 "output_sizes": [list(size)], "input_dtypes": [dtype], "output_dtypes": [dtype],
                 "state": state, "time_discovered_started_ns": None,
                 "time_discovered_completed_ns": 5 if state == "completed" else None,
                 "retired": False, "timeout_ms": 600000, "is_p2p": False,
                 "frames": [{"name": "all_reduce", "filename": "/x/torch/distributed/c10d.py", "line": 1},
                            {"name": "step", "filename": "train.py", "line": record}]}, **more)


def made_up(world=8, slow=5):
    """All ranks reduce; one of them has not come to the third of four."""
    out = {}
    for rank in range(world):
        done = 2
        called = done if rank == slow else 4
        entries = [entry(i, ("0", "default_pg"), "all_reduce", i, "completed" if i <= done else "scheduled")
                   for i in range(1, called + 1)]
        out[rank] = {"version": "2.10", "pg_config": {"0": {"name": "0", "desc": "default_pg",
                                                           "ranks": str(list(range(world)))}},
                     "comm_lib_version": "2.27.3",
                     "pg_status": {"0": {"last_enqueued_collective": called,
                                         "last_started_collective": -1,
                                         "last_completed_collective": done}},
                     "entries": entries}
    return out


def grid(world, wide):
    """Ranks in rows of `wide`: groups of rows, of columns, and of all."""
    rows = [list(range(i, i + wide)) for i in range(0, world, wide)]
    named = [("row", r) for r in rows] + [("column", list(c)) for c in zip(*rows)]
    return [(str(i), desc, ranks) for i, (desc, ranks) in
            enumerate([("default_pg", list(range(world)))] + named)]


def program(dice, groups, length):
    """What all ranks are to call, in an order in which nothing hangs: (group, ranks that call, words)."""
    out = []
    for _ in range(length):
        name, desc, ranks = dice.choice(groups)
        if dice.random() < 0.3:
            a, b = dice.sample(range(len(ranks)), 2)
            out.append((name, desc, [ranks[a], ranks[b]], {ranks[a]: f"send {a}->{b}",
                                                           ranks[b]: f"recv {b}<-{a}"}))
        else:
            out.append((name, desc, ranks, {r: "all_reduce" for r in ranks}))
    return out


def simulate(dice, world, wide):
    """A job in which the host of one rank stops calling. Hosts run ahead of their devices by a few
    calls; a device does one call after the other, and a call is through when all of its ranks are at
    it."""
    groups = grid(world, wide)
    todo = program(dice, groups, 60)
    mine = {r: [i for i, op in enumerate(todo) if r in op[2]] for r in range(world)}
    culprit, ahead = dice.randrange(world), {r: dice.randrange(1, 7) for r in range(world)}
    last = dice.randrange(len(mine[culprit]))
    called, through = dict.fromkeys(range(world), 0), dict.fromkeys(range(world), 0)
    moved = True
    while moved:
        moved = False
        for r in range(world):
            while (called[r] < len(mine[r]) and called[r] - through[r] < ahead[r] and
                   not (r == culprit and called[r] == last)):
                called[r] += 1
                moved = True
            if through[r] < called[r]:
                op = mine[r][through[r]]
                if all(through[q] < called[q] and mine[q][through[q]] == op for q in todo[op][2]):
                    for q in todo[op][2]:
                        through[q] += 1
                    moved = True
    dumps = {r: dump_of(r, groups, todo, mine[r][:called[r]], through[r]) for r in range(world)}
    return dumps, culprit, sum(called[r] > through[r] for r in range(world))


def dump_of(rank, groups, todo, calls, through):
    own = [g for g in groups if rank in g[2]]
    count, p2p, entries = collections.Counter(), collections.Counter(), []
    for i, op in enumerate(calls):
        name, desc, _, words = todo[op]
        word = words[rank]
        is_p2p = word != "all_reduce"
        (p2p if is_p2p else count)[name] += 1
        state = "completed" if i < through else "scheduled"
        entries.append(entry(i, (name, desc), word, count[name], state, is_p2p=is_p2p,
                             p2p_seq_id=p2p[name]))
    return {"version": "2.9", "pg_config": {n: {"name": n, "desc": d, "ranks": str(r)} for n, d, r in own},
            "pg_status": {n: {"last_enqueued_collective": max(count[n], p2p[n]),
                              "last_started_collective": -1, "last_completed_collective": -1}
                          for n, d, r in own}, "entries": entries}


def look_at_jobs(seeds):
    """Who stopped is named, and nobody else; all who wait are held up by it."""
    hung = 0
    for seed in range(seeds):
        dice = random.Random(seed)
        dumps, culprit, waiting = simulate(dice, *dice.choice([(4, 2), (8, 2), (8, 4), (9, 3)]))
        tables = answer_of(dumps, lambda d: pickle.dumps(bare(d), 2))
        found = set().union(*(ranks_of(c["ranks"]) for c in tables["causes"]))
        hung += waiting > 0
        check(found == ({culprit} if waiting else set()),
              f"job {seed}: {found} are named, rank {culprit} stopped, {waiting} wait")
        held = sum(c["held_up"] for c in tables["causes"])
        check(held == waiting, f"job {seed}: {held} held up, {waiting} wait")
    check(hung > seeds / 2, f"{hung} of {seeds} jobs hang")


def look_at_orders(dumps):
    """Files in any order give the same tables."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for rank, dump in dumps.items():
            paths.append(os.path.join(folder, f"_dump_{rank}"))
            with open(paths[-1], "wb") as f:
                f.write(pickle.dumps(dump, 2))
        out = [json.loads(run("hang", *order, "--json")[1])["tables"] for order in
               (paths, paths[::-1], paths[1::2] + paths[::2])]
    check(out[0] == out[1] == out[2], "the order of files changes the answer")


def refusal(text):
    """Opcode and place of the first that is no data, as pickletools reads it."""
    code = ("GLOBAL", "STACK_GLOBAL", "REDUCE", "BUILD", "NEWOBJ", "NEWOBJ_EX", "INST", "OBJ", "PERSID",
            "BINPERSID", "EXT1", "EXT2", "EXT4", "NEXT_BUFFER", "READONLY_BUFFER")
    return next((op.name, at) for op, _, at in pickletools.genops(text) if op.name in code)


def look_at_code():
    """What would run something is refused, by the opcode and its place."""
    for what in (collections.OrderedDict(a=1), collections.Counter("abc"), io.BytesIO, complex(1, 2)):
        for protocol in range(2, 6):
            dump = dict(made_up()[0], extra=what)
            text = pickle.dumps(dump, protocol)
            name, at = refusal(text)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "_dump_0")
                with open(path, "wb") as f:
                    f.write(text)
                code, out, err = run("hang", path)
            check(code == 2 and not out and f": {name}, where" in err and f"at byte {at:,}" in err,
                  f"{what!r} in protocol {protocol}: {name} at {at}, but {err}")


def look_at_cuts():
    """A dump that is cut short is one error with the place, and in a folder a rank without a dump."""
    text = pickle.dumps(made_up()[0], 2)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "_dump_0")
        for n in range(120, len(text), len(text) // 40):
            with open(path, "wb") as f:
                f.write(text[:n])
            code, out, err = run("hang", path)
            check(code == 2 and not out and "the pickle ends" in err and f"at byte {n:,}" in err,
                  f"cut at {n}: exit {code}: {err}")
        for rank, dump in made_up().items():
            with open(os.path.join(folder, f"_dump_{rank}"), "wb") as f:
                f.write(pickle.dumps(dump, 2)[:-5 if rank == 5 else None])
        tables = hang(folder)
    check([(c["kind"], c["ranks"]) for c in tables["causes"]] == [("no dump", "5")],
          f"a damaged dump of rank 5: {tables['causes']}")


def main():
    dumps = made_up()
    with tempfile.TemporaryDirectory() as folder:
        for rank, dump in dumps.items():
            with open(os.path.join(folder, f"_dump_{rank}"), "wb") as f:
                f.write(pickle.dumps(dump, 2))
        tables = hang(folder)
    check([(c["kind"], c["ranks"], c["seq"], c["held_up"]) for c in tables["causes"]] ==
          [("missing", "5", 3, 7)], f"made up: {tables['causes']}")
    check(all(c["where"] == "step (train.py:3)" for c in tables["causes"]), "made up: where it is")
    look_at_missing("made up", dumps, tables)
    look_at_forms("made up", dumps)
    look_at_orders(dumps)
    look_at_jobs(int(os.environ.get("HANG_JOBS", "400" if os.environ.get("CHECK_ALL") else "60")))
    look_at_code()
    look_at_cuts()
    samples = sorted(os.path.dirname(p) for p in glob.glob(os.path.join(SAMPLES, "*", "expected.txt")))
    for folder in samples:
        dumps = look_at_sample(folder)
        look_at_forms(os.path.basename(folder), dumps)
        look_at_orders(dumps)
    if not samples:
        print(f"SKIP: the real dumps: there is no {SAMPLES}")
    print(f"{passed} passed, {failed} failed, {int(not samples)} skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
