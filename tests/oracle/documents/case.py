"""A snippet of a document: files as it prints them, the same of a worse run, and its figures."""
import csv
import io
import json
import re

FACTOR = 1.7


class Case:
    """name: of the file, or of the folder when it ends in a slash and files are {name: text}.
    worse: the same of a run that is worse; None: nothing in it can be.  figures: the numbers it
    prints where they are not those of JSON or CSV.  but: commands with nothing to say about it, also:
    others that have.  gated: the document compares runs by it; without, a gate that has nothing to
    compare may say so, but not pass; only_warns: of what is worse (a loss), as the documents do.
    checks: how `check` exits."""

    def __init__(self, name, files, worse, figures=(), but=(), also=(), gated=True,
                 only_warns=False, checks=0):
        self.name = name
        self.files = files if isinstance(files, dict) else {name: files}
        self.worse = worse if isinstance(worse, dict) or worse is None else {name: worse}
        self.figures = [float(f) for f in figures] or [
            f for n, text in self.files.items() for f in figures_of(n, text)]
        self.but, self.also, self.gated = set(but), sorted(also), gated
        self.only_warns, self.checks = only_warns, checks
        self.is_folder = isinstance(files, dict)


def leaves(value, key=""):
    """(key, number) of everything below a JSON value; a text that is a number is one."""
    if isinstance(value, dict):
        for k, v in value.items():
            yield from leaves(v, k)
    elif isinstance(value, list):
        for v in value:
            yield from leaves(v, key)
    elif isinstance(value, str):
        try:
            yield key, float(value)
        except ValueError:
            pass
    elif not isinstance(value, bool) and value is not None:
        yield key, float(value)


def figures_of(name, text):
    if name.endswith(".json") and isinstance(text, str) and "traceEvents" not in text:
        return [v for _, v in leaves(json.loads(text))]
    if name.endswith(".csv") and "mean" in text:
        rows = list(csv.DictReader(io.StringIO(text)))
        return [float(v) for row in rows for v in row.values() if re.fullmatch(r"[\d.eE+-]+", v)]
    return []


def worsened(key, value, path=""):
    """The figure of a run that is slower, needs more and is less right; path: the keys above it."""
    if re.search(r"per_sec|throughput|accuracy|f1_|score|reward|utilization", key.lower()):
        return value / FACTOR
    if re.search(r"sec|time|_ms|latency|mem|_gb|_mb|bytes|loss|cuda|cpu|kl_", (path + key).lower()):
        return value * FACTOR
    return value


# what does not become worse: counts, sizes, what is configured
SAME = {"timestamp", "count", "device", "total_memory_gb", "required_gb", "num_params", "score_counts",
        "config", "env", "gpu_info", "model_info", "dataset_info", "compatibility", "model_estimates",
        "total_steps", "total_stages", "step_count", "total_epochs", "num_measurements", "batch_size",
        "num_samples", "num_runs", "total_artifacts"}
STATISTICS = {"mean", "min", "max", "std", "median", "p50", "p95", "p99", "latest", "p25", "p75"}


def worse_json(text):
    """What the same program writes in a worse run: times up, rates and scores down."""
    def change(value, key, path):
        if key in SAME:
            return value
        if isinstance(value, dict):
            return {k: change(v, key if k in STATISTICS else k, path + key + ".")
                    for k, v in value.items()}
        if isinstance(value, list):
            return [change(v, key, path) for v in value]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return value
        return worsened(key, value, path)
    return json.dumps(change(json.loads(text), "", ""), indent=2)


def worse_csv(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: v if k in SAME else repr(worsened(k, float(v)))
                         for k, v in row.items()})
    return out.getvalue()
