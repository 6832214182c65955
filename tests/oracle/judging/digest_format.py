"""The layout of .tqd files as docs/formats.md describes it, read and written without traceq."""
import struct
import zlib

MAGIC = b"\x89TQD\r\n\x1a\n"
RECORD = b"TQRECORD"
HEAD = 32
FEW = 3  # values that make a column


class Bad(Exception):
    """What is wrong with a file."""


def need(ok, what):
    if not ok:
        raise Bad(what)


def records(data):
    """(name, record) of each record of a file, all of it checked."""
    need(data[:8] == MAGIC and len(data) >= HEAD, "magic")
    version, n, length, list_bytes, check = struct.unpack_from("<IIQII", data, 8)
    need(version == 1, "version")
    need(length == len(data), "length")
    listed = data[HEAD:HEAD + list_bytes]
    need(zlib.crc32(data[:28] + listed) == check, "checksum of the list")
    at, end, names, out = 0, HEAD + list_bytes, [], []
    for _ in range(n):
        offset, size, name = struct.unpack_from("<QQI", listed, at)
        at += 20 + name
        names.append(listed[at - name:at])
        need(offset == end, "place of a record")
        end += size
        out.append((names[-1].decode("utf-8", "surrogateescape"), data[offset:end]))
    need(at == len(listed) and end == len(data), "end")
    need(names == sorted(set(names)), "order of names")
    return out


class Section(bytes):
    """The bytes of a section, with the version of the record that it is of."""
    version = 2


def sections(record):
    """Sections of a record by name, as they are before they are packed, all of it checked."""
    need(record[:8] == RECORD, "mark of a record")
    version, n, length, check, head = struct.unpack_from("<IIQII", record, 8)
    need(zlib.crc32(record[:28]) == head, "checksum of a head")
    need(version in (1, 2) and length == len(record), "version or length of a record")
    need(zlib.crc32(record[HEAD:]) == check, "checksum of a record")
    at, out = HEAD + 32 * n, {}
    for i in range(n):
        name, packed, plain = struct.unpack_from("<16sQQ", record, HEAD + 32 * i)
        small = zlib.decompressobj()
        part = Section(small.decompress(record[at:at + packed]) + small.unused_data)
        need(small.eof and len(part) == plain, "length of a section")
        part.version = version
        out[name.rstrip(b"\0").decode()] = part
        at += packed
    need(at == len(record), "end of a record")
    return out


def record_of(parts):
    """The bytes of a record of these sections, of version 2."""
    packed = {k: zlib.compress(v, 9) for k, v in parts.items()}
    body = b"".join(struct.pack("<16sQQ", k.encode(), len(packed[k]), len(v))
                    for k, v in parts.items()) + b"".join(packed.values())
    head = RECORD + struct.pack("<IIQI", 2, len(parts), HEAD + len(body), zlib.crc32(body))
    return head + struct.pack("<I", zlib.crc32(head)) + body


def file_of(named):
    """The bytes of a file of (name, record), which have names of their own."""
    named = sorted((n.encode("utf-8", "surrogateescape"), r) for n, r in named)
    at = HEAD + sum(20 + len(n) for n, _ in named)
    listed = b""
    for name, record in named:
        listed += struct.pack("<QQI", at, len(record), len(name)) + name
        at += len(record)
    head = MAGIC + struct.pack("<IIQI", 1, len(named), at, len(listed))
    check = zlib.crc32(head + listed)
    return head + struct.pack("<I", check) + listed + b"".join(r for _, r in named)


class Wire:
    """Values of a section, one after the other."""

    def __init__(self, data):
        self.data, self.at, self.texts = data, 0, [b""]
        self.columns, self.bit = [], 0
        self.is_sealed = getattr(data, "version", 1) > 1
        if self.is_sealed:
            raw, = struct.unpack("<I", data[-4:])
            self.end = len(data) - 4 - raw
            self.bits = data[self.end:-4]

    def count(self):
        v = shift = 0
        while True:
            digit = self.data[self.at]
            self.at += 1
            v |= (digit & 127) << shift
            shift += 7
            if digit < 128:
                return v

    def int(self):
        v = self.count()
        return (v >> 1) ^ -(v & 1)

    def real(self):
        self.at += 8
        return struct.unpack_from("<d", self.data, self.at - 8)[0]

    def text(self):
        n = self.count()
        if n:
            return self.texts[n - 1].decode("utf-8", "replace")
        n = self.count()
        self.texts.append(self.data[self.at:self.at + n])
        self.at += n
        return self.texts[-1].decode("utf-8", "replace")

    def split(self):
        code = self.data[self.at]
        self.at += 1
        if code < 16:
            return code
        below = code // 4 - 2
        return (4 + code % 4) << below | self.noise(below)

    def noise(self, n):
        self.bit += n
        return int.from_bytes(self.bits[(self.bit - n) // 8:(self.bit + 7) // 8], "little") >> (self.bit - n) % 8 & (1 << n) - 1

    def natural(self):
        return self.split() if self.is_sealed else self.count()

    def step(self):
        v = self.split() if self.is_sealed else self.count()
        return (v >> 1) ^ -(v & 1)

    def likely(self, v):
        if v and len(self.columns) < 1024:
            self.columns.append(v)

    def column(self, n):
        if not self.is_sealed or n < FEW:
            return self.plain_column(n)
        by, out = self.count(), []
        middle = self.step() if by else 0
        of = self.columns[by - 2] if by > 1 else []
        low = self.count()
        for i in range(n):
            last = out[-1] if out and by != 1 else 0
            base = of[i] if i < len(of) else last
            v = self.split() << low | self.noise(low)
            out.append((base + middle + ((v >> 1) ^ -(v & 1)) + 2**63) % 2**64 - 2**63)
        self.likely(out)
        return out

    def plain_column(self, n):
        last, out = 0, []
        for _ in range(n):
            last = (last + self.int() + 2**63) % 2**64 - 2**63
            out.append(last)
        return out

    def done(self):
        if not self.is_sealed:
            return self.at == len(self.data)
        return self.at == self.end and 0 <= 8 * (len(self.data) - 4 - self.end) - self.bit < 8


def put_int(v):
    """A whole number as a section has it."""
    v, out = (v << 1) ^ (v >> 63) if v < 0 else v << 1, b""
    v &= 2**64 - 1
    while v >= 128:
        out += bytes([v & 127 | 128])
        v >>= 7
    return out + bytes([v])


def tally(w):
    return {w.text(): (w.int(), w.int(), w.int()) for _ in range(w.count())}


def facts(data):
    w = Wire(data)
    keys = ["path", "container", "made_by"]
    out = {k: w.text() for k in keys}
    out.update({k: w.int() for k in ["file_bytes", "text_bytes", "nevent", "rank", "world"]})
    out["tally"] = tally(w)
    need(w.done(), "end of the facts")
    return out


def rows(w, nstep):
    n = w.count()
    v = [{"name": w.text(), "op": w.text(), "kind": w.text()} for _ in range(n)]
    for r in v:
        r["place"] = w.count()
    for r in v:
        r["calls"] = w.int()
        r["all_calls"] = r["calls"] + w.int()
    for r in v:
        r["ns"], r["all_ns"] = w.int(), w.int()
    for r in v:
        r["step_ns"] = w.column(nstep) if w.count() else None
    for r in v:
        k = w.count()
        dims, calls, ns = [w.text() for _ in range(k)], [w.int() for _ in range(k)], None
        ns = [w.int() for _ in range(k)]
        r["shapes"] = list(zip(dims, calls, ns))
    return v


def collectives(w):
    if not w.count():
        return None
    c = {"has_epoch": w.count(), "kinds": [], "splits": []}
    for _ in range(w.count()):
        k = {x: w.text() for x in ["group", "desc", "ranks", "dtype", "op"]}
        k.update({x: w.int() for x in ["bytes", "nrank", "src", "dst"]})
        c["kinds"].append(k)
    for _ in range(w.count()):
        c["splits"].append((w.plain_column(w.count()), w.plain_column(w.count())))
    n = w.count()
    c["v"] = v = [{} for _ in range(n)]
    if not n:
        return c
    for x in v:
        x["kind"] = w.count()
    if not w.is_sealed:
        for x, start in zip(v, w.column(n)):
            x["start"] = start
        for x in v:
            x["dur"] = w.int()
    last = [0] * len(c["kinds"])
    for x in v:
        last[x["kind"]] = (last[x["kind"]] + w.step() + 2**63) % 2**64 - 2**63
        x["seq"] = last[x["kind"]]
    for key in ["step", "lane", "split"]:
        for x in v:
            x[key] = w.count()
    if w.is_sealed:
        last, end = [0] * len(c["kinds"]), {}
        for x in v:
            last[x["kind"]] = x["dur"] = last[x["kind"]] + w.step()
        for x in v:
            x["start"] = end.get(x["lane"], 0) + w.step()
            end[x["lane"]] = x["start"] + x["dur"]
    for x in v:
        x["hidden"] = w.natural()
    for key in ["npiece", "coarser"]:
        for x in v:
            x[key] = w.count()
    total = sum(x["npiece"] for x in v)
    gap, span = ([w.count() for _ in range(total)] for _ in range(2))
    at = 0
    for x in v:
        x["exposed"] = x["dur"] - x["hidden"]
        x["grid"] = (-(-x["dur"] // 4096) - 1).bit_length() + x["coarser"] if x["dur"] else x["coarser"]
        units, end = -(-x["dur"] // (1 << x["grid"])), 0
        x["pieces"] = []
        for k in range(x["npiece"]):
            start = end + gap[at]
            end = units - span[at] if k + 1 == x["npiece"] else start + span[at]
            need(start < end <= units, "a piece")
            x["pieces"].append((start << x["grid"], min(end << x["grid"], x["dur"])))
            at += 1
        need((x["exposed"] > 0) == (x["npiece"] > 0) and 0 <= x["exposed"] <= x["dur"], "what is exposed")
    return c


def digest(data):
    w = Wire(data)
    d = {"rank": w.int(), "world": w.int()}
    d["env"] = {w.text(): w.text() for _ in range(w.count())}
    for k in ["has_steps", "has_device", "on_device", "ndevice", "nstep_all"]:
        d[k] = w.count()
    d["step_ns"], d["median"] = w.real(), w.real()
    for k in ["documents_cpu", "documents_cuda", "peak_bytes", "leaks"]:
        d[k] = w.int()
    d["tally"] = tally(w)
    parts = [w.text() for _ in range(w.count())]
    phases = [w.text() for _ in range(w.count())]
    n = w.count()
    d["steps"] = {}
    if n:
        for k in ["number", "wall", "device_sum", "launched"]:
            d["steps"][k] = w.column(n)
        for k in parts:
            d["steps"][k] = w.column(n)
        d["phases"] = {k: w.column(n) for k in phases}
    d["nstep"] = n
    d["device"], d["host"] = rows(w, n), rows(w, n)
    d["collectives"] = collectives(w)
    need(w.done(), "end of the digest")
    return d
