"""Perfetto traces decoded by other hands than traceq's and the generator's: the wire format, packet
sequences with their state, clocks, tracks.  Field numbers are those of perfetto.dev's .proto files."""
import collections
import struct


def varint(data, at):
    if data[at] < 0x80:
        return data[at], at + 1
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value & (1 << 64) - 1, at


def fields(data):
    """(number, value) in order: an int of varints and fixed64, bytes of all that has a length."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        elif tag & 7 == 2:
            n, at = varint(data, at)
            value, at = data[at:at + n], at + n
            assert len(value) == n, "a field ends behind its message"
        else:
            raise ValueError(f"wire type {tag & 7}")
        yield tag >> 3, value


def message(data):
    """Field number to list of values."""
    found = {}
    for number, value in fields(data):
        found.setdefault(number, []).append(value)
    return found


def first(m, number, default=None):
    return m[number][0] if number in m else default


def text(m, number):
    return m[number][0].decode() if number in m else None


def signed(v):
    return v - (1 << 64) if v >> 63 else v


def annotation(data, keys):
    """(name, value) of a DebugAnnotation."""
    m = message(data)
    name = text(m, 10) if 10 in m else keys.get(first(m, 1))
    if 11 in m:
        return name, dict(annotation(d, keys) for d in m[11])
    if 12 in m:
        return name, [annotation(d, keys)[1] for d in m[12]]
    for number, read in ((2, bool), (3, int), (4, signed), (6, bytes.decode),
                         (5, lambda v: struct.unpack("<d", struct.pack("<Q", v))[0])):
        if number in m:
            return name, read(m[number][0])
    return name, None  # an empty list or object: the format does not tell which


class Sequence:
    def __init__(self):
        self.clear()
        self.clocks = {}

    def clear(self):
        self.interned = collections.defaultdict(dict)
        self.track = self.clock = None


class Trace:
    """rows: dicts of name, cat, ts, dur (None of instants), args, track, flows, ends; tracks: uuid to
    (pid, tid, name) or (pid, None, name); counters: (track name, pid, ts, value); metadata."""

    def __init__(self, data):
        self.tracks, self.parents, self.names = {}, {}, {}
        self.rows, self.stages, self.counters, self.metadata, self.labels = [], [], [], {}, {}
        self.realtime = None
        self.sequences, self.opened, self.begins = {}, {}, {}
        for number, packet in fields(data):
            assert number == 1
            self.packet(message(packet))

    def packet(self, m):
        s = self.sequences.setdefault(first(m, 10), Sequence())
        if first(m, 13, 0) & 1:
            s.clear()
        elif first(m, 13, 0) & 2:
            assert 59 not in m
        if 59 in m:
            defaults = message(m[59][0])
            s.clock = first(defaults, 58)
            s.track = first(message(first(defaults, 11, b"")), 11)
        for number, entries in message(first(m, 12, b"")).items():
            for entry in map(message, entries):
                s.interned[number][entry[1][0]] = entry if number in (23, 1000) else text(entry, 2)
        if 6 in m:
            self.snapshot(s, message(m[6][0]))
        if 60 in m:
            self.descriptor(message(m[60][0]))
        if 5 in m:
            for entry in map(message, message(m[5][0]).get(2, [])):
                self.metadata[text(entry, 1)] = next(entry[k][0] for k in (2, 3, 4, 5) if k in entry)
        if 53 in m:
            self.stage(s, self.time(s, m), message(m[53][0]))
        if 11 in m:
            self.event(s, self.time(s, m), message(m[11][0]))

    def snapshot(self, s, m):
        clocks = {first(c, 1): c for c in map(message, m[1])}
        boot = first(clocks[6], 2)
        if 1 in clocks:
            self.realtime = first(clocks[1], 2) - boot
        if 64 in clocks:
            shows = first(clocks[64], 2)
            s.clocks[64] = [boot - shows, shows, first(clocks[64], 3, 0)]

    def time(self, s, m):
        clock = first(m, 58, s.clock)
        if clock is None:
            return first(m, 8)
        offset, last, counts = s.clocks[clock]
        s.clocks[clock][1] = first(m, 8) + (last if counts else 0)
        return s.clocks[clock][1] + offset

    def descriptor(self, m):
        uuid = first(m, 1)
        self.parents[uuid], self.names[uuid] = first(m, 5), text(m, 2)
        if 3 in m:
            p = message(m[3][0])
            self.tracks[uuid] = (signed(first(p, 1)), None, text(p, 6))
            self.labels[uuid] = text(p, 8)
        elif 4 in m:
            t = message(m[4][0])
            self.tracks[uuid] = (signed(first(t, 1)), signed(first(t, 2)), text(t, 5))

    def lane(self, uuid):
        """The thread or process that a track belongs to."""
        while uuid not in self.tracks:
            uuid = self.parents[uuid]
        return self.tracks[uuid]

    def event(self, s, ts, m):
        track, kind = first(m, 11, s.track), first(m, 9)
        if kind == 4:
            value = signed(m[30][0]) if 30 in m else struct.unpack("<d", struct.pack("<Q", m[44][0]))[0]
            self.counters.append((self.names[track], self.lane(self.parents[track])[0], ts, value))
            return
        if kind == 2:
            self.end(s, track, ts)
            return
        cats = [c.decode() for c in m.get(22, [])] + [s.interned[1][i] for i in m.get(3, [])]
        row = {"name": text(m, 23) if 23 in m else s.interned[2][first(m, 10)], "cat": ",".join(cats),
               "args": dict(annotation(a, s.interned[3]) for a in m.get(4, [])), "ts": ts, "dur": None,
               "track": track, "flows": m.get(47, []), "ends": m.get(48, []),
               "stages": message(m[3000][0]).get(1, []) if 3000 in m else []}
        self.rows.append(row)
        if kind == 1:
            self.opened.setdefault(track, []).append(row)

    def stage(self, s, ts, m):
        """A GpuRenderStageEvent: its queue's name is its lane; grid and block as arrays."""
        stage, pairs = s.interned[24][first(m, 14)], {text(p, 1): text(p, 2) for p in map(message, m.get(6, []))}
        row = {"stage": stage, "name": s.interned[2][first(m, 20)] if 20 in m else stage, "ts": ts,
               "dur": first(m, 2), "args": pairs, "lane": [first(m, 11), s.interned[24][first(m, 13)]],
               "id": first(m, 1)}
        if 21 in m:
            assert text(s.interned[1000][first(m, 19)], 3) == row["name"]
            launch = message(m[21][0])
            row["grid"], row["block"] = ([first(message(launch[k][0]), i) for i in (1, 2, 3)] for k in (1, 2))
            row["launch"] = {s.interned[1001][first(a, 1)]: first(a, 4) for a in map(message, launch.get(3, []))}
        self.stages.append(row)

    def end(self, s, track, ts):
        """What ends is what was opened last; but of tracks with a lot that is open and does not nest in
        the order of the file, as PyTorch writes, the first."""
        rows = self.opened[track]
        row = rows.pop(0 if s.track is None and self.grouped else -1)
        row["dur"] = ts - row["ts"]
        assert row["dur"] >= 0, f"{row['name']} ends before it begins"

    grouped = False


class Grouped(Trace):
    """As PyTorch writes it: on a track, the first end of a group is that of its first begin."""
    grouped = True
