"""The data of a chart against the tables it asked for."""
from charting.box import blocks_of, expect, parts_by, same, tables_of
from charting.columns import NAMED, named_columns


def check_waterfall(what, paths, text):
    """Each part begins where the one before ended; they lead from base to new."""
    parts = [r for r in tables_of("diff", paths)["ledger"] if not r["is_detail"]]
    (_, columns), = blocks_of(text)
    at, rows = 0, list(zip(*columns))
    for i, row in enumerate(rows):
        y, lo, hi = next(row[k:k + 3] for k in (1, 4, 7) if row[k] == row[k])
        is_end = i in (0, len(rows) - 1)
        want = at if i == len(rows) - 1 else \
            sum(p["base_ns"] for p in parts) if is_end else parts[i - 1]["delta_ns"]
        expect(what + " data", y == want, f"bar {i}: {y} for {want}")
        expect(what + " data", (lo, hi) == ((0, y) if is_end else (at, at + y)), f"bar {i}")
        at = y if is_end else at + y
    expect(what + " data", at == sum(p["new_ns"] for p in parts), "the parts do not add up")


STACKS = {"execution-summary": [("roles", "role", "mean_ns")],
          "kernel-type": [("types", "types", "time_ns")],
          "kernel-durations": [("durations", "range", "kernels"),
                               ("durations", "range", "device_sum_ns")]}


def check_stack(what, tables, head, columns, table, by, key):
    """Each part of each place's bar is the row of that place and word; of nothing else."""
    places = [place for name, rows in tables.items() if name.startswith(table + " ")
              for place in (parts_by(rows, ("device",)) if "device" in rows[0] else [rows])]
    words = head.removeprefix("# index, ").removesuffix(", # name").split(", ")
    expect(what + " width", len(words) == len(columns) - 1 and len(places) == len(columns[0]),
           f"{words} for {len(columns) - 1} columns, {len(places)} for {len(columns[0])}")
    expect(what + " words", {r[by] for place in places for r in place} == set(words), str(words))
    for word, column in zip(words, columns[1:]):
        want = [next((r[key] for r in place if r[by] == word), None) for place in places]
        expect(what + " data", same(want, column), f"{word}: {column[:4]} for {want[:4]}")


def is_band_of_others(what, head, columns):
    """Those of many panels that are not drawn: from their lowest to their highest at each x."""
    if head != "# x, the others, low, high":
        return False
    expect(what + " band", all(a <= b for a, b in zip(columns[2], columns[3]) if a == a), head)
    return True


def check_data(what, chart, asks, paths, text):
    """Every column of every block is the one it should be, in the tables the chart asked for."""
    answers = [tables_of(ask, paths) for ask in asks]
    expect("charts named", chart in NAMED, f"{chart} has no columns in NAMED")
    blocks = NAMED.get(chart, [[]])
    drawn = [b for b in blocks_of(text) if not is_band_of_others(what, *b)]
    for k, (head, columns) in enumerate(drawn):
        has_index = head.startswith("# index")
        if has_index and chart in STACKS and len(columns) > 2:
            check_stack(what, answers[0], head, columns, *STACKS[chart][k])
            continue
        specs = blocks[k % len(blocks)]
        if chart == "straggler":
            specs = specs[:len(columns) - 1]
        expect(what + " width", len(specs) == len(columns) - has_index,
               f"'{head}' has {len(columns)} columns, not those of {specs}")
        for spec, column in zip(specs, columns[1:] if has_index else columns):
            known = [v for t in answers for v in named_columns(t, spec)]
            expect(what + " data", any(same(c[:len(column)], column) for c in known),
                   f"a column of '{head}' is not {spec}: {column[:4]}")
