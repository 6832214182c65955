"""A trace as Python's json reads it, and its times in whole ns."""
import decimal
import functools
import gc
import gzip
import json
import os

# A trace is a tree of up to a million objects, in which there are no circles to be looked for.
gc.disable()


def document(path, number=str):
    """What a file says, packed or not; number makes of the text of a fraction what it is.  The last is kept: nobody may
    change it."""
    about = os.stat(path)
    return parsed(path, number, about.st_mtime_ns, about.st_size)


@functools.lru_cache(maxsize=1)
def parsed(path, number, _time, _size):
    with open(path, "rb") as f:
        raw = f.read()
    if raw[:2] == b"\x1f\x8b":
        raw = gzip.decompress(raw)
    return json.loads(raw.decode("utf-8", "surrogateescape"), parse_float=number, strict=False)


def events(path, number=str):
    read = document(path, number)
    return read if isinstance(read, list) else read["traceEvents"]


def ns(us):
    """Of us, a number or its text; a part of a ns is rounded, a half to the even one."""
    whole, _, part = str(us).partition(".")
    if len(part) <= 3 and (whole + part).removeprefix("-").isdecimal():
        return int(whole + part.ljust(3, "0"))
    return int((decimal.Decimal(us) * 1000).to_integral_value(decimal.ROUND_HALF_EVEN))
