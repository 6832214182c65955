#!/usr/bin/env python3
"""Databases that were copied before they were closed: what lies beside one (-wal, -journal) is part of it.

SQLite itself says what is in each: it opens a copy of the files, replays or rolls back, and sums the kernels. traceq
reads the files where they lie, in a folder, an archive, compressed, through a link, and must find the same; no byte of
the folder changes and no file appears in it, also where it may not be written to.
"""
import contextlib
import gzip
import hashlib
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile

TRACEQ = os.path.abspath(os.environ.get("TRACEQ", "build/release/traceq"))
passed, failures = 0, []

NSYS = """CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
 demangledName INTEGER, shortName INTEGER, correlationId INTEGER);
INSERT INTO StringIds VALUES(1,'one'),(2,'two'),(3,'three');"""
FILL = """WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {n})
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT {at} + i * 10000, {at} + i * 10000 + {ns} + i % 7, 0, 7, 1 + i % 3,
1 + i % 3, i FROM n;"""


def expect(condition, text):
    global passed
    if condition:
        passed += 1
    else:
        failures.append(text)


def run(*argv, **how):
    return subprocess.run([TRACEQ, *argv], capture_output=True, **how)


def by_sqlite(path):
    """name -> (calls, ns), of a copy that SQLite may write to; None: it cannot be read."""
    with tempfile.TemporaryDirectory() as place:
        copy = os.path.join(place, "copy")
        for end in ["", "-wal", "-journal"]:
            if os.path.isfile(path + end):
                shutil.copy(path + end, copy + end)
        try:
            with contextlib.closing(sqlite3.connect(copy)) as db:
                return {name: (n, ns) for name, n, ns in db.execute(
                    "SELECT value, count(*), sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds "
                    "ON id = demangledName GROUP BY value")}
        except sqlite3.DatabaseError:
            return None


def by_traceq(*words, **how):
    done = run("kernels", "--json", "-q", "--limit=0", "--table=kernels", *words, **how)
    if done.returncode != 0:
        return None, done.stderr.decode()
    rows = json.loads(done.stdout)["tables"][0]["rows"]
    return {r["name"]: (r["calls"], r["device_sum_ns"]) for r in rows}, ""


def state(folder):
    """All that is in a folder, with what would tell of a write."""
    found = {}
    for root, folders, names in os.walk(folder):
        for name in folders + names:
            at = os.path.join(root, name)
            s = os.lstat(at)
            data = b""
            if os.path.isfile(at):
                with open(at, "rb") as f:
                    data = f.read()
            found[at] = (s.st_ino, s.st_mode, s.st_size, s.st_mtime_ns, hashlib.sha256(data).digest())
    return found


def same(what, path, want, *more):
    before = state(os.path.dirname(path.split("!")[0]))
    got, said = by_traceq(path, *more)
    if want is None:  # SQLite calls it damaged
        got, said = by_traceq(path, "--strict")
    expect(got == want, f"{what}: {got} {said[:200]}, not {want}")
    expect(state(os.path.dirname(path.split("!")[0])) == before, f"{what}: its folder has changed")


# ---- making them ----

def copied(live, to, ends):
    for end in ends:
        shutil.copy(live + end, to + end)


def with_wal(folder, name, page=4096, grows=True):
    """Committed, and not checkpointed: other times of all kernels, and more of them."""
    live, to = os.path.join(folder, "live"), os.path.join(folder, name)
    with contextlib.closing(sqlite3.connect(live, isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size = {page}")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        db.executescript(NSYS + FILL.format(n=500, at=0, ns=100))
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start + (end - start) * 3")
        if grows:
            db.executescript(FILL.format(n=3000, at=10 ** 9, ns=50))
        copied(live, to, ["", "-wal"])
    for end in ["", "-wal", "-shm"]:
        if os.path.exists(live + end):
            os.unlink(live + end)
    return to


def with_journal(folder, name, grows):
    """A transaction that never ended, of which some pages are in the database already."""
    live, to = os.path.join(folder, "live"), os.path.join(folder, name)
    with contextlib.closing(sqlite3.connect(live, isolation_level=None)) as db:
        db.executescript("PRAGMA page_size = 1024;" + NSYS + FILL.format(n=20000, at=0, ns=100))
        db.execute("PRAGMA cache_size = 5")
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start + (end - start) * 5")
        if grows:
            for statement in FILL.format(n=5000, at=10 ** 9, ns=50).split(";")[:1]:
                db.execute(statement)
        else:
            db.execute("DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE correlationId > 15000")
        copied(live, to, ["", "-journal"])
        db.execute("ROLLBACK")
    for end in ["", "-journal"]:
        if os.path.exists(live + end):
            os.unlink(live + end)
    return to


def alone(path):
    """What the database says without what lies beside it: the wrong figure."""
    with tempfile.TemporaryDirectory() as place:
        shutil.copy(path, os.path.join(place, "x"))
        return by_traceq(os.path.join(place, "x"))[0]


# ---- where they lie ----

def places(work, kind, path):
    """The same two files everywhere that traceq reads from."""
    name, folder = os.path.basename(path), os.path.dirname(path)
    end = "-wal" if os.path.exists(path + "-wal") else "-journal"
    want = by_sqlite(path)
    expect(want and want != alone(path), f"{kind}: the database alone says the same, so that nothing is tried")
    same(kind, path, want)
    os.chmod(folder, 0o555)
    same(f"{kind}, in a folder that may not be written to", path, want)
    os.chmod(folder, 0o755)
    got, said = by_traceq(name, cwd=folder)
    expect(got == want, f"{kind}, by its name alone: {said}")
    links = os.path.join(work, f"links-{kind}")
    os.mkdir(links)
    os.symlink(path, os.path.join(links, "link.sqlite"))
    same(f"{kind}, through a link", os.path.join(links, "link.sqlite"), want)
    os.unlink(os.path.join(links, "link.sqlite"))
    store = os.path.join(work, f"store-{kind}")
    os.mkdir(store)
    for i, e in enumerate(["", end]):
        shutil.copy(path + e, os.path.join(store, f"object{i}"))
        os.symlink(os.path.join(store, f"object{i}"), os.path.join(links, "far.sqlite" + e))
    same(f"{kind}, both of them links into a store", os.path.join(links, "far.sqlite"), want)
    squeezed = os.path.join(work, f"squeezed-{kind}")
    os.mkdir(squeezed)
    for which in [("", end), ("",)]:
        for e in ["", end]:
            with open(path + e, "rb") as f:
                data = f.read()
            to = os.path.join(squeezed, "a.sqlite" + e)
            for old in [to, to + ".gz"]:
                if os.path.exists(old):
                    os.unlink(old)
            with gzip.open(to + ".gz", "wb", 1) if e in which else open(to, "wb") as f:
                f.write(data)
        same(f"{kind}, compressed: {which}", os.path.join(squeezed, "a.sqlite.gz"), want)
    packed = os.path.join(work, f"packed-{kind}")
    os.mkdir(packed)
    for form in ["zip", "tar", "tar.gz"]:
        to = os.path.join(packed, f"a.{form}")
        if form == "zip":
            with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as z:
                for e in [end, ""]:
                    z.write(path + e, "run/" + name + e)
        else:
            with tarfile.open(to, "w:gz" if form == "tar.gz" else "w") as t:
                for e in [end, ""]:
                    t.add(path + e, "run/" + name + e)
        same(f"{kind}, in a {form}", f"{to}!run/{name}", want)
        same(f"{kind}, a {form} as a folder", to, want)
    digest = os.path.join(work, f"{kind}.tqd")
    done = run("digest", path, "-o", digest)
    ns = json.loads(run("summary", "--json", "-q", path).stdout)
    kept = json.loads(run("diff", "--json", "-q", digest, path).stdout)
    expect(done.returncode == 0 and ns and not [r for t in kept["tables"] for r in t["rows"] if r.get("delta_ns")],
           f"{kind}: its digest differs from it: {done.stderr[:200]}")
    cut = os.path.join(work, f"{kind}.json")
    expect(run("cut", path, "-o", cut).returncode == 0 and by_traceq(cut)[0] == want, f"{kind}: what is cut of it")


def folders(work):
    folder = os.path.join(work, "listed")
    os.mkdir(folder)
    with_wal(folder, "a.sqlite")
    with open(os.path.join(folder, "a.sqlite-shm"), "wb") as f:
        f.write(bytes(32768))
    shutil.copy(os.path.join(folder, "a.sqlite-wal"), os.path.join(folder, "other.sqlite-wal"))
    done = run("info", "--json", "-q", folder)
    files = next(t for t in json.loads(done.stdout)["tables"] if t["id"] == "files")["rows"]
    said = {r["file"]: (r["state"], r.get("why")) for r in files}
    for end in ["-wal", "-shm"]:
        expect(said["a.sqlite" + end] == ("read", "read with a.sqlite"), f"info of a folder: {said}")
    expect(said["other.sqlite-wal"][0] != "read", f"a log of no database is read: {said}")


# ---- what SQLite makes of them ----

def changed(path, to, at, new):
    for end in ["", "-wal", "-journal"]:
        if os.path.exists(path + end):
            shutil.copy(path + end, to + end)
    end = "-wal" if os.path.exists(path + "-wal") else "-journal"
    with open(to + end, "r+b") as f:
        f.seek(at, os.SEEK_END if at < 0 else os.SEEK_SET)
        f.write(new)
    return to


def damaged(work):
    folder = os.path.join(work, "damaged")
    os.mkdir(folder)
    whole = with_wal(folder, "whole")
    size = os.path.getsize(whole + "-wal")
    frames = (size - 32) // (4096 + 24)
    answers = set()
    for what, at, new in [("a byte of the first frame", 32 + 24 + 100, b"\xff"), ("a byte of the last frame", -100, b"\xff"),
                          ("a byte in the middle", 32 + frames // 2 * 4120 + 24 + 9, b"\xff"),
                          ("other salt of the header", 16, b"saltsalt"), ("no magic", 0, bytes(4)),
                          ("another version", 4, struct.pack(">I", 3007001)), ("another page size", 8, struct.pack(">I", 1024)),
                          ("other salt of a frame", 32 + frames // 2 * 4120 + 8, b"saltsalt")]:
        path = changed(whole, os.path.join(folder, "x"), at, new)
        same(f"log with {what}", path, by_sqlite(path))
        answers.add(str(by_sqlite(path)))
    expect(len(answers) > 1, "no damage of a log changes what SQLite says")
    for n in [0, 1, 31, 32, 33, 32 + 4120, 32 + 4120 * 3 + 50, size - 1]:
        path = changed(whole, os.path.join(folder, "x"), 0, b"")
        os.truncate(path + "-wal", n)
        same(f"log of {n} bytes", path, by_sqlite(path))
    os.unlink(path + "-wal")
    same("no log", path, by_sqlite(path))
    os.mkdir(path + "-wal")
    got, said = by_traceq(path)
    expect(got is None and "-wal" in said, f"a log that is a folder: {said}")
    os.rmdir(path + "-wal")
    os.mkfifo(path + "-wal")
    got, said = by_traceq(path, timeout=20)
    expect(got is None and "-wal" in said, f"a log that is a pipe: {said}")


def journals(work):
    folder = os.path.join(work, "journals")
    os.mkdir(folder)
    whole = with_journal(folder, "whole", True)
    for what, at, new in [("zeroed", 0, bytes(28)), ("of no magic", 1, b"x"), ("whose first page is damaged", 600, b"\xff" * 9),
                          ("of another nonce", 12, b"abcd"), ("of text", 0, b"no journal at all")]:
        path = changed(whole, os.path.join(folder, "x"), at, new)
        want = by_sqlite(path)
        same(f"journal {what}", path, want)
    for n in [0, 1, 28, 600, 5000]:
        path = changed(whole, os.path.join(folder, "x"), 0, b"")
        os.truncate(path + "-journal", n)
        same(f"journal of {n} bytes", path, by_sqlite(path))
    path = changed(whole, os.path.join(folder, "x"), 0, b"")
    name = b"/tmp/some/super-journal-mj12345678"
    with open(path + "-journal", "ab") as f:
        f.write(struct.pack(">I", 1) + name + struct.pack(">II", len(name), sum(name)) + b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
    got, said = by_traceq(path)
    expect(got is None and "other databases" in said, f"a journal of several databases: {got} {said}")


def main():
    with tempfile.TemporaryDirectory() as work:
        for kind, make in [("wal", lambda f: with_wal(f, "a.sqlite")), ("pages", lambda f: with_wal(f, "b.db", 65536)),
                           ("small-pages", lambda f: with_wal(f, "c%20?#.db", 512, False)),
                           ("grown", lambda f: with_journal(f, "d.sqlite", True)),
                           ("shrunk", lambda f: with_journal(f, "e.sqlite", False))]:
            folder = os.path.join(work, kind)
            os.mkdir(folder)
            places(work, kind, make(folder))
        folders(work)
        damaged(work)
        journals(work)
    for text in failures:
        print(f"oracle wal: {text}")
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
