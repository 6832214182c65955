"""XSpaces (xplane.pb) decoded by other hands than traceq's and the generator's."""
import struct

from .perfetto_format import first, message, signed, text


def table(plane, field):
    """Number to message of a map."""
    entries = (message(e) for e in plane.get(field, []))
    return {first(e, 1, 0): message(e[2][0]) for e in entries}


def stats(entries, names):
    found = {}
    for s in map(message, entries):
        name = text(names[first(s, 1)], 2)
        if 2 in s:
            found[name] = struct.unpack("<d", struct.pack("<Q", s[2][0]))[0]
        elif 7 in s:
            found[name] = text(names[s[7][0]], 2)
        else:
            found[name] = next(read(s[n][0]) for n, read in ((3, int), (4, signed), (5, bytes.decode), (6, bytes)) if n in s)
    return found


class Space:
    """rows: dicts of plane, line (its id), line_name, name, ts and dur in ns since the first plane's
    clock, stats; planes: name to statistics."""

    def __init__(self, data):
        space = message(data)
        self.rows, self.planes = [], {}
        for plane in map(message, space[1]):
            names, known = table(plane, 4), table(plane, 5)
            self.planes[text(plane, 2)] = stats(plane.get(6, []), known)
            for line in map(message, plane.get(3, [])):
                for event in map(message, line.get(4, [])):
                    ps = first(line, 3, 0) * 1000 + signed(first(event, 2, 0))
                    assert ps % 1000 == 0 and first(event, 3, 0) % 1000 == 0
                    self.rows.append({"plane": text(plane, 2), "line": signed(first(line, 1, 0)),
                                      "line_name": text(line, 2), "name": text(names[first(event, 1)], 2),
                                      "ts": ps // 1000, "dur": first(event, 3, 0) // 1000,
                                      "stats": stats(event.get(4, []), known)})
