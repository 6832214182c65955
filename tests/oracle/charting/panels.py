"""Charts of a panel for each key of a log: which keys, which titles, which points."""
import math
import pathlib
import re

from charting.box import blocks_of, expect, parts_by, same, tables_of, texts_of


def paused(x):
    """Where a line breaks: before values that come more than five usual intervals late."""
    gaps = [b - a for a, b in zip(x, x[1:])]
    usual = sorted(gaps)[len(gaps) // 2] if gaps else 0
    return {i + 1 for i, gap in enumerate(gaps)
            if gap > 5 * usual and gap > 5 * min(gaps[max(0, i - 1):i] + gaps[i + 1:i + 2],
                                                 default=math.inf)}


def of_metric(part, key, is_time):
    """The line of a key: broken where nothing was logged, times from its first value on."""
    breaks = paused([r["x"] for r in part])
    x, y = [], []
    for i, r in enumerate(part):
        at = (r["x"] - part[0]["x"]) * 1e9 if is_time else r["x"]
        x += [at, at] if i in breaks else [at]
        y += [None, r[key]] if i in breaks else [r[key]]
    return [x, y]


def of_extremes(part, is_time):
    """The lowest and the highest of each stretch."""
    low, high = ([dict(r, v=r["y"] if r[k] is None else r[k]) for r in part] for k in ("low", "high"))
    (x, lows), (_, highs) = (of_metric(rows, "v", is_time) for rows in (low, high))
    breaks = {i for i, v in enumerate(lows) if v is None}
    return [[v for i, at in enumerate(x) for v in ([at] if i in breaks else [at, at])],
            [v for i, pair in enumerate(zip(lows, highs)) for v in (pair[:1] if i in breaks else pair)]]


def metrics_by_input(paths):
    """The tables of `metrics` of each input by itself, by their ids, and the input's name."""
    for path in paths:
        tables = tables_of("metrics", [path])
        yield tables, re.sub(r"\.json$", "", pathlib.Path(path).name) if len(paths) > 1 else ""


def panels_of_series(paths):
    """Every key that has points, but those of nvidia-smi where there are others: title, lines."""
    found = []
    for tables, name in metrics_by_input(paths):
        about = {(r["key"], r["group"]): r for r in tables.get("keys", [])}
        for part in parts_by(tables.get("points", []), ("key", "group")):
            key, group = part[0]["key"], part[0]["group"]
            row = about[key, group]
            is_thinned = any(r["low"] is not None for r in part)
            mean = "y" if is_thinned and part[0]["window_mean"] is None else "window_mean"
            is_time = "time" in row["axis"]
            lines = [of_extremes(part, is_time) if is_thinned else of_metric(part, "y", is_time),
                     of_metric(part, mean, is_time)]
            title = key + (f" ({group})" if group else "") + (f", {name}" if name else "")
            found.append((row["kind"] == "smi_csv", title, lines))
    has_others = any(not is_smi for is_smi, _, _ in found)
    return [(title, lines) for is_smi, title, lines in found if not (has_others and is_smi)][:12]


def panels_of_leaks(paths):
    """The keys of the table of memory, in its order, each with its verdict."""
    found = []
    for tables, name in metrics_by_input(paths):
        axis = {r["key"]: r["axis"] or "" for r in tables.get("keys", [])}
        for row in tables.get("memory", [])[:12 - len(found)]:
            part = [r for r in tables["points"] if r["key"] == row["key"]]
            if not part:
                continue
            title = row["key"] + (f", {name}" if name else "") + f": {row['verdict']}"
            found.append((title, [of_metric(part, "y", "time" in axis[row["key"]])]))
    return found


PANELS = {"metric-series": panels_of_series, "mem-leak": panels_of_leaks}


def lone_of(lines):
    """The dots of lines: values between two gaps."""
    for x, y in lines:
        known = [False] + [v is not None for v in y] + [False]
        lone = [i for i in range(len(y)) if known[i:i + 3] == [False, True, False]]
        if lone:
            yield [[x[i] for i in lone], [y[i] for i in lone]]


def check_panels(what, panels, script, text):
    """Each panel is of the key it should be, has its title, and its lines are that key's points."""
    texts, commands = texts_of(script)
    titles = [texts[t] for t in re.findall(r"^set title (\S+) font", commands, re.M)] or [" ".join(
        texts[t] for t in re.findall(r"^set label (\S+) at screen .* font font_title", commands, re.M))]
    blocks = [columns for _, columns in blocks_of(text)]
    if len(panels) == 1:
        titles = [title.split(": ", 1)[-1] for title in titles]
    wanted = [line for _, lines in panels for line in [*lines, *lone_of(lines)]]
    expect(what + " panels", titles == [title for title, _ in panels],
           f"{titles} for {[t for t, _ in panels]}")
    expect(what + " lines", len(blocks) == len(wanted), f"{len(blocks)} for {len(wanted)}")
    for block, line in zip(blocks, wanted):
        expect(what + " data", all(same(a, b) for a, b in zip(line, block)),
               f"{block[1][:4]} for {line[1][:4]}")
