"""What Perfetto demands of a trace of track events, checked field by field and packet by packet: wire types, what is
defined before it is used, order and nesting.  Numbers are those of perfetto.dev's .proto files."""
import collections

from judging import perfetto_format

VARINT, FIXED, BYTES = 0, 1, 2
# message: {field: (wire type, message inside or None)}
MESSAGES = {
    "Trace": {1: (BYTES, "TracePacket")},
    "TracePacket": {5: (BYTES, "ChromeEventBundle"), 6: (BYTES, "ClockSnapshot"), 8: (VARINT, None), 10: (VARINT, None),
                    11: (BYTES, "TrackEvent"), 12: (BYTES, "InternedData"), 13: (VARINT, None),
                    60: (BYTES, "TrackDescriptor")},
    "ChromeEventBundle": {2: (BYTES, "ChromeMetadata")},
    "ChromeMetadata": {1: (BYTES, None), 2: (BYTES, None), 5: (BYTES, None)},
    "ClockSnapshot": {1: (BYTES, "Clock"), 2: (VARINT, None)},
    "Clock": {1: (VARINT, None), 2: (VARINT, None)},
    "InternedData": {1: (BYTES, "Entry"), 2: (BYTES, "Entry"), 3: (BYTES, "Entry")},
    "Entry": {1: (VARINT, None), 2: (BYTES, None)},
    "TrackDescriptor": {1: (VARINT, None), 2: (BYTES, None), 3: (BYTES, "ProcessDescriptor"), 4: (BYTES, "ThreadDescriptor"),
                        5: (VARINT, None), 8: (BYTES, "CounterDescriptor")},
    "ProcessDescriptor": {1: (VARINT, None), 3: (VARINT, None), 6: (BYTES, None), 8: (BYTES, None)},
    "ThreadDescriptor": {1: (VARINT, None), 2: (VARINT, None), 3: (VARINT, None), 5: (BYTES, None)},
    "CounterDescriptor": {2: (BYTES, None), 6: (BYTES, None)},
    "TrackEvent": {3: (VARINT, None), 4: (BYTES, "DebugAnnotation"), 6: (BYTES, "LegacyEvent"), 9: (VARINT, None),
                   10: (VARINT, None), 11: (VARINT, None), 30: (VARINT, None), 44: (FIXED, None)},
    "LegacyEvent": {2: (VARINT, None), 6: (VARINT, None), 12: (VARINT, None), 14: (VARINT, None)},
    "DebugAnnotation": {1: (VARINT, None), 2: (VARINT, None), 3: (VARINT, None), 4: (VARINT, None), 5: (FIXED, None),
                        6: (BYTES, None), 9: (BYTES, None), 11: (BYTES, "DebugAnnotation"), 12: (BYTES, "DebugAnnotation")},
}
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


def fields(data):
    """(field, wire type, value)"""
    at = 0
    while at < len(data):
        tag, at = perfetto_format.varint(data, at)
        start = at
        if tag & 7 == VARINT:
            value, at = perfetto_format.varint(data, at)
        elif tag & 7 == FIXED:
            at += 8
            value = data[start:at]
        elif tag & 7 == BYTES:
            n, at = perfetto_format.varint(data, at)
            value, at = data[at:at + n], at + n
        else:
            raise ValueError(f"wire type {tag & 7}")
        if at > len(data):
            raise ValueError("a field ends behind its message")
        yield tag >> 3, tag & 7, value


class Rules:
    """odd: what is against the rules, by what it is, with how often and the first example."""

    def __init__(self, data):
        self.odd = collections.OrderedDict()
        self.types, self.parents, self.open, self.last = {}, {}, collections.defaultdict(list), {}
        self.interned, self.cleared = {1: set(), 2: set(), 3: set()}, False
        self.sequences, self.events = set(), 0
        for packet in self.message("Trace", data).get(1, []):
            self.packet(packet)
        for track, begins in self.open.items():
            if self.types.get(track) not in ("thread", "beside") and begins:
                self.say("a slice on a track that is no thread's", track)

    def say(self, what, example=""):
        n, first = self.odd.get(what, (0, example))
        self.odd[what] = (n + 1, first)

    def message(self, kind, data):
        found, may_have = {}, MESSAGES[kind]
        for number, wire, value in fields(data):
            known = may_have.get(number)
            if not known:
                self.say(f"{kind} has no field {number}")
                continue
            if known[0] != wire:
                self.say(f"{kind}.{number} has wire type {wire}")
                continue
            found.setdefault(number, []).append(self.message(known[1], value) if known[1] else value)
        return found

    def packet(self, p):
        self.sequences.add(p.get(10, [None])[0])
        if p.get(13, [0])[0] & 1:
            self.cleared, self.interned = True, {1: set(), 2: set(), 3: set()}
        for data in p.get(12, []):
            for field, entries in data.items():
                for e in entries:
                    if e[1][0] == 0 or e[1][0] in self.interned[field]:
                        self.say("an iid is 0 or given twice", (field, e[1]))
                    self.interned[field].add(e[1][0])
        for d in p.get(60, []):
            self.track(d)
        for e in p.get(11, []):
            self.event(p, e)

    def track(self, d):
        uuid = d.get(1, [0])[0]
        if uuid == 0 or uuid in self.types:
            self.say("a uuid is 0 or given twice", uuid)
        kind = "process" if 3 in d else "thread" if 4 in d else "counter" if 8 in d else "beside"
        parent = self.types.get(d.get(5, [None])[0])
        if kind != "process" and parent != ("thread" if kind == "beside" else "process"):
            self.say(f"a {kind} below a {parent}", uuid)
        for descriptor in d.get(3, []) + d.get(4, []):
            for field in (1, 2):
                for v in descriptor.get(field, []):
                    if not -1 << 31 <= perfetto_format.signed(v) < 1 << 31 and isinstance(v, int):
                        self.say("a pid or tid is no int32", v)
        self.types[uuid] = kind

    def notes(self, notes):
        for n in notes:
            if 1 in n and n[1][0] not in self.interned[3]:
                self.say("a key that was not interned", n[1])
            self.notes(n.get(11, []) + n.get(12, []))

    def event(self, p, e):
        self.events += 1
        kind, track = e.get(9, [0])[0], e.get(11, [0])[0]
        if not self.cleared or not p.get(13, [0])[0] & 2 or 8 not in p:
            self.say("an event without a time, or that does not need the state it uses")
            return
        at = perfetto_format.signed(p[8][0])
        if track not in self.types:
            self.say("an event of no track", track)
        for field, of in ((3, 1), (10, 2)):
            if any(i not in self.interned[of] for i in e.get(field, [])):
                self.say("a name or category that was not interned")
        self.notes(e.get(4, []))
        if at < self.last.get(track, at):
            self.say("an event before the one before it on its track", (track, at))
        self.last[track] = at
        if (kind == COUNTER) != (self.types.get(track) == "counter") or (kind == COUNTER) != (30 in e or 44 in e):
            self.say("a counter's value that is none", e)
        phase = e.get(6, [{}])[0].get(2, [0])[0]
        if not kind and not phase:
            self.say("an event of no type and no phase")
        if chr(phase) in "stfbne" and phase and 6 not in e[6][0]:
            self.say("an arrow or asynchronous event without an id", e)
        if kind == BEGIN:
            self.open[track].append(at)
        elif kind == END and not (self.open[track] and self.open[track].pop() <= at):
            self.say("an end of nothing", track)
