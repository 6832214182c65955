#!/usr/bin/env python3
"""What others measured: sums of NCCL's Inspector and RAS, tables of Ascend's profiler and AIPerf, as traceq says them, against
Python over the same files.

Samples of $SHARED/samples/formats (skipped with a word where they are absent), what `fixtures artifact` writes, and drawn
ones: ranks that come late, are missing or behind, communicators of one name, sizes and collectives in turn."""
import collections
import csv
import glob
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

TRACEQ, FIXTURES = os.environ["TRACEQ"], os.environ["FIXTURES"]
SAMPLES = os.path.join(os.environ.get("SHARED", "../shared"), "samples", "formats")
ALL = os.environ.get("CHECK_ALL")

passed, failures, skipped = 0, [], 0


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, float) or isinstance(b, float):
        return a is not None and b is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-6)
    return a == b


def expect(what, got, want):
    global passed
    if same(got, want):
        passed += 1
    else:
        failures.append(f"{what}: {str(got)[:400]}, not {str(want)[:400]}")


def answer(argv):
    done = subprocess.run([TRACEQ, *argv, "--json", "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):
        failures.append(f"{argv}: exit {done.returncode}: {done.stderr.decode()[:300]}")
        return collections.defaultdict(list), []
    doc = json.loads(done.stdout)
    return collections.defaultdict(list, {t["id"]: t["rows"] for t in doc["tables"]}), doc["notes"]


def series(path):
    """(key, group) -> (count, sum) of metrics"""
    return {(r["key"], r["group"]): (r["count"], r["mean"] * r["count"]) for r in answer(["metrics", path, "-n", "0", "--key", "."])[0]["keys"]}


# ---- NCCL's Inspector ----

def records_of(texts):
    for text in texts:
        for line in text.splitlines():
            record = json.loads(line)
            for member, kind in (("coll_perf", "coll"), ("p2p_perf", "p2p")):
                if member in record:
                    yield record["header"], record[member], kind


def check_inspector(name, path, texts):
    want = {}
    for header, perf, kind in records_of(texts):
        group = " ".join(filter(None, (header.get("comm_name"), header["id"])))
        key = (group, perf[kind], perf[kind + "_msg_size_bytes"], header["rank"])
        row = want.setdefault(key, {"ns": [], "algorithm": 0, "bus": 0, "ranks": header["n_ranks"]})
        ns = perf[kind + "_exec_time_us"] * 1e3
        row["ns"].append(ns)
        row["algorithm"] += perf[kind + "_algobw_gbs"] * ns
        row["bus"] += perf[kind + "_busbw_gbs"] * ns
    found, notes = answer(["comms", path])
    got = {(r["communicator"], r["collective"], r["bytes"], r["rank"]):
           (r["calls"], r["total_ns"], r["mean_ns"], r["min_ns"], r["max_ns"], r["algorithm_bytes_per_s"], r["bus_bytes_per_s"], r["ranks"])
           for r in found["recorded_collectives"]}
    expect(f"{name} collectives", got, {
        k: (len(v["ns"]), sum(v["ns"]), sum(v["ns"]) / len(v["ns"]), min(v["ns"]), max(v["ns"]),
            v["algorithm"] / sum(v["ns"]) * 1e9, v["bus"] / sum(v["ns"]) * 1e9, v["ranks"]) for k, v in want.items()})
    order = [r["total_ns"] for r in found["recorded_collectives"]]
    expect(f"{name} order", order, sorted(order, reverse=True))
    # Who comes last: all ranks, as many calls, and clearly less time in them than each other rank.
    last = []
    by = collections.defaultdict(dict)
    for (group, op, size, rank), v in want.items():
        by[group, op, size][rank] = v
    for (group, op, size), ranks in sorted(by.items()):
        if op in ("Send", "Recv"):
            continue
        times = sorted((sum(v["ns"]), rank) for rank, v in ranks.items())
        whole = len(ranks) > 1 and len({len(v["ns"]) for v in ranks.values()}) == 1 and \
            len(ranks) == next(iter(ranks.values()))["ranks"]
        if whole and times[1][0] - times[0][0] > 0.1 * sum(t for t, _ in times) / len(times):
            last.append((op, group, times[0][1]))
    got = [(n["text"].split(" of ")[0], n["text"].split(" of ")[1].split(":")[0], n["count"]) for n in notes if n["id"] == "comes_last"]
    expect(f"{name} who comes last", sorted(got), sorted(last))


def draw_inspector(folder, seed):
    rng = random.Random(seed)
    texts = []
    os.makedirs(folder)
    size, late = rng.choice([2, 4]), rng.randrange(5)
    for rank in range(size):
        if seed % 4 == 3 and rank == 1:
            continue  # its file is lost
        lines = []
        for sn in range(rng.choice([6, 6, 6, 9]) if seed % 4 == 2 else 6):
            for group in ("0xa", "0xb"):
                op, number = [("AllReduce", 1 << 20), ("AllGather", 1 << 22), ("ReduceScatter", 4096)][sn % 3]
                us = 1000 + rng.randrange(20) - (400 if rank == late else 0)
                header = {"id": group, "rank": rank, "n_ranks": size, "nnodes": 1}
                if group == "0xa" or seed % 2:
                    header["comm_name"] = "DP"
                lines.append(json.dumps({"header": header, "metadata": {"hostname": "h", "pid": rank}, "coll_perf": {
                    "coll": op, "coll_sn": sn, "coll_msg_size_bytes": number, "coll_exec_time_us": us,
                    "coll_timing_source": "kernel_gpu", "coll_algobw_gbs": number / us / 1e3, "coll_busbw_gbs": number / us / 2e3}}))
        texts.append("\n".join(lines) + "\n")
        with open(os.path.join(folder, f"h-pid{rank}.log"), "w", encoding="ascii") as f:
            f.write(texts[-1])
    return texts


# ---- NCCL's RAS ----

def check_ras(name, path, doc):
    want = {}
    for c in doc["communicators"]:
        most = collections.Counter()
        for r in c["ranks"]:
            for op, n in r["collective_counts"].items():
                most[op] = max(most[op], n)
        for r in c["ranks"]:
            lacks = {op: most[op] - n for op, n in r["collective_counts"].items()}
            want[c["hash"], r["rank"]] = ("answers", sum(r["collective_counts"].values()), max(lacks.values(), default=0), r["host"])
        for r in c["missing_ranks"]:
            want[c["hash"], r["rank"]] = ("dead" if r["considered_dead"] else "missing", None, None, r["host"])
    found, _ = answer(["hang", path])
    got = {(r["communicator"], r["rank"]): (r["state"], r["calls"], r["behind"], r["host"]) for r in found["members"]}
    expect(f"{name} members", got, want)
    kinds = sorted(r["kind"] for r in found["causes"])
    missing, behind = any(v[0] != "answers" for v in want.values()), any(v[2] for v in want.values())
    expect(f"{name} causes", kinds, sorted(["missing"] * missing + ["late"] * behind) or ["none"])
    got = {k: v for k, v in series(path).items() if k[0] == "missing ranks"}
    expect(f"{name} missing", got, {("missing ranks", c["hash"]): (1, float(len(c["missing_ranks"]))) for c in doc["communicators"]})


def draw_ras(seed):
    rng = random.Random(seed)
    communicators = []
    for c in range(3):
        ranks = [{"rank": r, "host": f"10.0.0.{r}", "pid": 10 + r, "status": {"init_state": 0, "abort_flag": False},
                  "collective_counts": {"AllReduce": 50 - (rng.random() < 0.2), "Broadcast": 3}} for r in range(4)]
        lost = [r for r in ranks if rng.random() < 0.2] if seed % 3 else []
        ranks = [r for r in ranks if r not in lost]
        communicators.append({"hash": hex(c + 10), "size": 4, "ranks_count": len(ranks), "missing_ranks_count": len(lost), "ranks": ranks,
                              "missing_ranks": [{"rank": r["rank"], "host": r["host"], "pid": r["pid"],
                                                 "considered_dead": rng.random() < 0.5} for r in lost]})
    return {"nccl_version": "2.29.1", "timestamp": "2026-09-01 10:00:00", "communicators_count": 3, "communicators": communicators}


# ---- Ascend's tables ----

def check_ascend(name, path, text):
    rows = list(csv.DictReader(io.StringIO(text)))
    if "Start Time(us)" in rows[0]:
        want = collections.defaultdict(lambda: [0, 0.0])
        for r in rows:
            want[r["Name"]][0] += 1
            want[r["Name"]][1] += float(r["Duration(us)"]) * 1e3
        got = {r["name"]: [r["calls"], float(r["self_device_ns"])] for r in answer(["top", path, "-n", "0"])[0]["recorded_device"]}
        expect(f"{name} kernels", got, dict(want))
    elif "Core Type" in rows[0]:
        got = {r["name"]: [r["calls"], float(r["self_device_ns"])] for r in answer(["top", path, "-n", "0"])[0]["recorded_device"]}
        expect(f"{name} ops", got, {r["OP Type"]: [int(r["Count"]), float(r["Total Time(us)"]) * 1e3] for r in rows})
    elif "API Name" in rows[0]:
        got = {r["name"]: [r["calls"], float(r["self_cpu_ns"])] for r in answer(["top", path, "-n", "0"])[0]["recorded_ops"]}
        expect(f"{name} calls", got, {r["API Name"]: [int(r["Count"]), float(r["Time(us)"]) * 1e3] for r in rows})
    else:
        parts = [k for k in rows[0] if k not in ("Device_id", "Step")]
        first = rows[0]["Device_id"]
        want = collections.defaultdict(lambda: [0, 0.0])
        for r in rows:
            for part in parts:
                cell = want[part, None if r["Device_id"] == first else r["Device_id"]]
                cell[0] += 1
                cell[1] += float(r[part]) * 1e3
        expect(f"{name} steps", {k: list(v) for k, v in series(path).items()}, dict(want))


# ---- Ascend's communication ----

def put(want, key, group, value):
    name, _, unit = key.partition("(")
    cell = want[name, group]
    cell[0] += 1
    cell[1] += value * {"ms)": 1e6, "MB)": 1e6, "GB/s)": 1e9}.get(unit, 1)


def figures_of(want, call, group):
    for key, value in call["Communication Time Info"].items():
        if not key.startswith("Start"):
            put(want, key, group, value)
    for link, info in call["Communication Bandwidth Info"].items():
        for key, value in info.items():
            if info["Transit Size(MB)"] > 0 and key != "Size Distribution":
                put(want, f"{link} {key}", group, value)


def check_ascend_comms(name, path, doc):
    want, rows = collections.defaultdict(lambda: [0, 0.0]), {}
    for kinds in doc.values():
        for kind, calls in kinds.items():
            for call, info in calls.items():
                if call == "Total Op Info":
                    figures_of(want, info, kind)
                    continue
                op, communicator = call.split("__")[0], call.split("@")[1]
                figures_of(want, info, f"{communicator} {op}")
                links = info["Communication Bandwidth Info"]
                size = round((links["SDMA"]["Transit Size(MB)"] + links["RDMA"]["Transit Size(MB)"]) * 1e6)
                row = rows.setdefault((communicator, op, size), [0] + [0.0] * 4)
                row[0] += 1
                for i, part in enumerate(("Elapse", "Transit", "Wait", "Synchronization")):
                    row[1 + i] += info["Communication Time Info"][part + " Time(ms)"] * 1e6
    expect(f"{name} figures", {k: list(v) for k, v in series(path).items()}, dict(want))
    found, notes = answer(["comms", path])
    got = {(r["communicator"], r["collective"], r["bytes"]):
           [r[c] for c in ("calls", "total_ns", "transit_ns", "wait_ns", "synchronization_ns", "transit_bytes_per_s")]
           for r in found["recorded_collectives"]}
    expect(f"{name} collectives", got, {k: [*v, k[2] * v[0] * 1e9 / v[2]] for k, v in rows.items()})
    expect(f"{name} last", [n for n in notes if n["id"] in ("comes_last", "last_unknown")], [])


def check_ascend_matrix(name, path, doc):
    want = collections.defaultdict(lambda: [0, 0.0])
    for kinds in doc.values():
        for calls in kinds.values():
            for call, links in calls.items():
                what, communicator = call.split("@")
                for link, info in links.items():
                    for key in ("Transit Time(ms)", "Transit Size(MB)", "Bandwidth(GB/s)"):
                        if what.endswith("-total"):
                            put(want, key, f"{communicator} {what} {info['Transport Type']} {link}", info[key])
    expect(f"{name} figures", {k: list(v) for k, v in series(path).items()}, dict(want))


def draw_communication(seed):
    rng = random.Random(seed)

    def call():
        times = {k + " Time(ms)": rng.randint(1, 999) / 64 for k in ("Elapse", "Transit", "Wait", "Synchronization", "Idle")}
        links = {}
        for link in ("RDMA", "HCCS", "PCIE"):
            size, ms = rng.choice((0, 1, 64)), rng.randint(1, 99) / 64
            links[link] = {"Transit Size(MB)": size, "Transit Time(ms)": ms, "Bandwidth(GB/s)": size / ms, "Large Packet Ratio": 0.5,
                           "Size Distribution": {"1": [2, ms]}}
        links["SDMA"] = {k: links["HCCS"][k] + links["PCIE"][k] for k in ("Transit Size(MB)", "Transit Time(ms)")}
        return {"Communication Time Info": {"Start Timestamp(us)": 1.7e15, **times, "Wait Time Ratio": 0.25}, "Communication Bandwidth Info": links}

    return {f"step{s}": {kind: {f"hcom_{op}__{rng.randint(1, 9)}_{i}_1@{rng.randint(1, 2)}": call() for i in range(rng.randint(0, 6))} | {
        "Total Op Info": call()} for kind, op in (("p2p", "send"), ("collective", rng.choice(("allReduce", "allGather"))))}
        for s in range(1, 4)}


# ---- tables that AIPerf and GenAI-Perf print ----

def check_statistics(name, path, text):
    want, head, title, group, row = collections.defaultdict(lambda: [0, 0.0]), None, "", "", None
    rows = []
    for line in text.splitlines():
        cells = [c.strip() for c in line.replace("┃", "│").split("│")[1:-1]]
        if not cells and line.strip() and line.strip()[0] not in "┏┡└":
            title = line.strip()
        elif cells and cells[0] in ("Statistic", "Metric"):
            head, group = cells, None if title.endswith("Metrics") else title
        elif cells and any(cells[1:]):
            row = [cells[0], cells[1:], head, group]
            rows.append(row)
        elif cells:
            row[0] += " " + cells[0]
    for what, cells, columns, of in rows:
        key, _, unit = what.partition(" (")
        key = key.lower().replace(" ", "_")
        for column, cell in zip(columns[1:], cells):
            if cell != "N/A":
                want[key if column == "avg" else f"{key} {column}", of] = [1, float(cell.replace(",", "")) * UNITS.get(unit[:-1], 1)]
    expect(f"{name} figures", {k: list(v) for k, v in series(path).items()}, dict(want))


# ---- AIPerf ----

UNITS = {"ms": 1e6, "us": 1e3, "ns": 1, "sec": 1e9}


def check_aiperf(name, path, text):
    if "\n{" in text.strip():
        want = collections.defaultdict(lambda: [0, 0.0])
        for line in text.splitlines():
            record = json.loads(line)
            if record.get("error"):
                continue
            for key, v in record["metrics"].items():
                cell = want[key, record["metadata"]["benchmark_phase"]]
                cell[0] += 1
                cell[1] += v["value"] * UNITS.get(v["unit"], 1)
    else:
        want = {}
        for key, v in json.loads(text).items():
            if isinstance(v, dict) and "unit" in v:
                for stat, value in v.items():
                    if stat != "unit":
                        want[key if stat == "avg" else f"{key} {stat}", None] = [1, float(value * UNITS.get(v["unit"], 1))]
    expect(f"{name} figures", {k: list(v) for k, v in series(path).items()}, dict(want))


def fixture(what):
    return subprocess.run([FIXTURES, "artifact", what], stdout=subprocess.PIPE, check=True).stdout.decode()


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def check_text(check, name, folder, text, parse=lambda t: t):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    check(name, path, parse(text))


def main():
    global skipped
    with tempfile.TemporaryDirectory() as folder:
        if os.path.isdir(SAMPLES):
            where = os.path.join(SAMPLES, "nccl_inspector")
            check_inspector("sample", where, [read(p) for p in sorted(glob.glob(os.path.join(where, "*.log")))])
            check_ras("sample", os.path.join(SAMPLES, "nccl_ras.json"), json.loads(read(os.path.join(SAMPLES, "nccl_ras.json"))))
            for path in sorted(glob.glob(os.path.join(SAMPLES, "ascend_pt", "*", "*.csv"))):
                check_ascend("sample " + os.path.basename(path), path, read(path))
            for path in ("profile_export.jsonl", "profile_export_aiperf.json"):
                check_aiperf("sample " + path, os.path.join(SAMPLES, path), read(os.path.join(SAMPLES, path)))
        else:
            skipped += 1
            print("skip: no samples/formats in $SHARED")
        check_text(check_inspector, "nccl-inspector", folder, fixture("nccl-inspector"), lambda t: [t])
        check_text(check_ras, "nccl-ras", folder, fixture("nccl-ras"), json.loads)
        for name in ("ascend-kernels", "ascend-ops", "ascend-api", "ascend-steps"):
            check_text(check_ascend, name, folder, fixture(name))
        for name in ("aiperf-records", "aiperf"):
            check_text(check_aiperf, name, folder, fixture(name))
        for name in ("genai-perf", "aiperf-table"):
            check_text(check_statistics, name, folder, fixture(name))
        check_text(check_ascend_comms, "ascend-comms", folder, fixture("ascend-comms"), json.loads)
        check_text(check_ascend_matrix, "ascend-matrix", folder, fixture("ascend-matrix"), json.loads)
        for seed in range(40 if ALL else 8):
            check_text(check_ascend_comms, f"communication{seed}.json", folder, json.dumps(draw_communication(seed)), json.loads)
            where = os.path.join(folder, f"inspector{seed}")
            check_inspector(f"drawn {seed}", where, draw_inspector(where, seed))
            check_text(check_ras, f"ras{seed}.json", folder, json.dumps(draw_ras(seed)), json.loads)
    for line in failures[:40]:
        print("FAIL", line)
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
