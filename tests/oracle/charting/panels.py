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


def metrics_of(paths):
    """Metrics of all inputs, one entry for a key and group: [(input, row, points, name)]."""
    found, has_others = {}, False
    for n, (tables, name) in enumerate(metrics_by_input(paths)):
        about = {(r["key"], r["group"], r["file"]): r for r in tables.get("keys", [])}
        for part in parts_by(tables.get("points", []), ("key", "group", "file")):
            row = about[part[0]["key"], part[0]["group"], part[0]["file"]]
            has_others |= row["kind"] != "smi_csv"
            twice = sum((row["key"], row["group"]) == k[:2] for k in about) > 1
            found.setdefault((row["key"], row["group"], row["file"] if twice else None), []).append((n, row, part, name))
    return [(k[:2], runs) for k, runs in found.items()
            if not (has_others and all(r["kind"] == "smi_csv" for _, r, _, _ in runs))]


def spread(values):
    known = [v for v in values if v is not None]
    return max(known) - min(known) if known else 0


def apart(runs):
    """How far the runs end apart, of the range of all their values."""
    whole = max(r["max"] for _, r, _, _ in runs) - min(r["min"] for _, r, _, _ in runs)
    return spread([r["window_mean"] for _, r, _, _ in runs]) / whole if whole else 0


def is_still(runs):
    """Constant in each run, or one value."""
    return max(r["count"] for _, r, _, _ in runs) == 1 or all(r["max"] == r["min"] for _, r, _, _ in runs)


def lines_of_runs(runs):
    lines = []
    for _, row, part, _ in runs:
        is_time, is_thinned = "time" in row["axis"], any(r["low"] is not None for r in part)
        mean = "y" if part[0]["window_mean"] is None else "window_mean"
        if len(runs) == 1:
            lines.append(of_extremes(part, is_time) if is_thinned else of_metric(part, "y", is_time))
            mean = mean if is_thinned else "window_mean"
        lines.append(of_metric(part, mean, is_time))
    return lines


def panels_of_series(paths):
    """Every metric that moves, what parts the runs most first, then what moves most; runs in one panel."""
    metrics = [(key, runs) for key, runs in metrics_of(paths) if not is_still(runs)]
    files = {row["file"] for _, runs in metrics for _, row, _, _ in runs}
    metrics.sort(key=lambda m: (-apart(m[1]), -max(r["moves_ratio"] or 0 for _, r, _, _ in m[1])))
    panels = []
    for (key, group), runs in metrics:
        title = key + (f" ({group})" if group else "")
        title += f", {runs[0][3]}" if len(runs) == 1 and runs[0][3] else ""
        title += f" in {runs[0][1]['file']}" if len(files) > 1 and runs[0][1]["file"] else ""
        panels.append((title, lines_of_runs(runs)))
    return panels[:12]


def grown(v):
    """With four digits that count."""
    by, unit = next((by, unit) for by, unit in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B")) if abs(v) >= by)
    text = f"{v / by:+.2f}" if abs(v) / by < 100 else f"{v / by:+.1f}"
    return f"{text} {unit}"


def panels_of_leaks(paths):
    """The keys of the table of memory, in its order, each with its verdict and how much it grew."""
    found = []
    for tables, name in metrics_by_input(paths):
        axis = {r["key"]: r["axis"] or "" for r in tables.get("keys", [])}
        for row in tables.get("memory", [])[:12 - len(found)]:
            part = [r for r in tables["points"] if r["key"] == row["key"]]
            if not part:
                continue
            title = row["key"] + (f", {name}" if name else "") + f", {row['verdict']}, {grown(row['growth_bytes'])}"
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


def shown_as(title, full):
    """Whole, or with what is between its ends left out, as long paths are."""
    begin, left_out, end = title.partition("…")
    return full.startswith(begin) and full.endswith(end) and len(full) > len(title) if left_out else title == full


def check_panels(what, panels, script, text):
    """Each panel is of the key it should be, has its title, and its lines are that key's points."""
    texts, commands = texts_of(script)
    titles = [texts[t] for t in re.findall(r"^set title (\S+) font", commands, re.M)] or [" ".join(
        texts[t] for t in re.findall(r"^set label (\S+) at screen .* font font_title", commands, re.M))]
    blocks = [columns for _, columns in blocks_of(text)]
    if len(panels) == 1:
        titles = [title.split(": ", 1)[-1] for title in titles]
    wanted = [line for _, lines in panels for line in [*lines, *lone_of(lines)]]
    expect(what + " panels", len(titles) == len(panels) and all(map(shown_as, titles, [t for t, _ in panels])),
           f"{titles} for {[t for t, _ in panels]}")
    expect(what + " lines", len(blocks) == len(wanted), f"{len(blocks)} for {len(wanted)}")
    for block, line in zip(blocks, wanted):
        expect(what + " data", all(same(a, b) for a, b in zip(line, block)),
               f"{block[1][:4]} for {line[1][:4]}")
