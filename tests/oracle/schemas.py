#!/usr/bin/env python3
"""What every command writes with --json, against the schema that `explain --schema` prints of it.

The validator is our own (schematic/validator.py), and beside it Debian's python3-jsonschema where it is
installed: the two have to agree.  Answers about generated traces, ranks of a job, two sides, a store, every
kind of artifact and, where they are there, real files are valid; the same answers with a wrong type, an
unknown key, a missing one, a word or an id that is none are not.  The columns of the schemas are those that
`explain` explains, and those of the answers.
"""
import collections
import concurrent.futures
import copy
import glob
import json
import os
import subprocess
import sys
import tempfile

from schematic.validator import BadSchema, Schema

try:
    import jsonschema
    DRAFT = jsonschema.Draft202012Validator
except (ImportError, AttributeError):
    jsonschema = DRAFT = None

TRACEQ = os.path.abspath(os.environ.get("TRACEQ", "build/release/traceq"))
FIXTURES = os.path.abspath(os.environ.get("FIXTURES", "build/release/fixtures"))
SHARED = os.environ.get("SHARED", "../shared")
ONE_RUN = ["top", "summary", "steps", "kernels", "roofline", "idle", "launches", "critical", "memory", "stages",
           "stacks", "timeline", "copies", "comms", "diagnose", "metrics", "smi", "hang", "info", "check"]
# Those that answer where there is no trace; other files than traces are put to these alone, but for CHECK_ALL=1.
OF_RECORDS = ["info", "metrics", "diagnose"]
BY_KIND = {"sweep-csv": ["batch"], "gpu-profile": ["batch", "fit"], "baseline-metrics": ["batch", "fit"],
           "memory-snapshot": ["memory"], "memory-snapshot-oom": ["memory"], "memory-timeline": ["memory"],
           "smi": ["smi"], "smi-index": ["smi"], "_dump_0": ["hang"], "op-csv": ["top", "summary"],
           "op-table": ["top"], "ncu-raw": ["kernels"], "nsys-stats": ["kernels", "copies"], "folded": ["stacks", "top"],
           "speedscope": ["stacks"], "stage-times": ["stages"], "canary-metrics": ["steps", "memory"]}
TWO_SIDES = ["diff", "gate"]
MORE = {"top": [["--tree"], ["--by", "shape"], ["--by", "kernel"], ["--by", "stream"], ["--table", "ops"]],
        "kernels": [["--roof"]], "diagnose": [["--exit-code"]], "critical": [["--segments"]],
        "idle": [["--strict"], ["-n", "0"]], "steps": [["--comm", "x"]]}
SMALL = 8000 if not os.environ.get("CHECK_ALL") else 10 ** 9

checked = collections.Counter()
failures = []


def expect(name, condition, text):
    checked[name] += 1
    if not condition:
        failures.append(f"{name}: {text}")


def run(*words, text=None):
    done = subprocess.run([TRACEQ, *words], input=text, capture_output=True, cwd=os.environ["WORK"])
    return done.returncode, done.stdout, done.stderr


class Contract:
    """The schemas, as the program prints them."""

    def __init__(self):
        listed = json.loads(run("explain", "--schema", "--json")[1])
        self.names = {r["answer"]: r["schema"] for r in listed["tables"][0]["rows"]}
        self.text = {name: run("explain", "--schema", name)[1] for name in self.names}
        self.schema = {name: Schema(json.loads(text)) for name, text in self.text.items()}
        self.second, self.asked = {}, 0
        for name, schema in self.schema.items():
            expect("ids", (schema.root["$id"], self.names[name]) == (f"urn:traceq:{name}:1", f"traceq.{name}/1"), f"$id of {name}")
            expect("again", run("explain", "--schema", self.names[name])[1] == self.text[name], f"{name} twice")
            if jsonschema:
                DRAFT.check_schema(schema.root)
                self.second[name] = DRAFT(schema.root)

    def errors(self, name, answer):
        """What is wrong with it; the two validators say the same of every sixteenth, as jsonschema is ten times as slow."""
        errors = self.schema[name].errors(answer)
        self.asked += 1
        if jsonschema and (self.asked % 16 == 0 or os.environ.get("CHECK_ALL")):
            other = self.second[name].is_valid(answer)
            expect("agree", other == (not errors), f"{name}: jsonschema says {other}, ours {errors[:1]}")
        return errors

    def row(self, name, table):
        """Shapes of rows of the table of that id."""
        defs = self.schema[name].root["$defs"]
        return [defs[key + ".row"] for key in defs if key == table or
                (key.startswith(table + ".") and key[len(table) + 1:].isdigit())]


# ---- inputs ----

def write(path, *argv):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        subprocess.run([FIXTURES, *argv], stdout=out, check=True)
    return path


def make_inputs(folder):
    """Names of single runs, of folders of ranks, and of pairs."""
    runs = [write(f"{folder}/{name}/trace.json", scenario, "--steps", "3", *more) for name, scenario, more in (
        ("healthy", "healthy", ["--memory"]), ("tiny", "tiny", []),
        ("graph", "graphs", []), ("leak", "leak", ["--memory"]), ("devices", "multi-gpu", []))]
    with open(f"{folder}/cut.json", "wb") as out, open(runs[0], "rb") as whole:
        out.write(whole.read()[:60000])
    runs.append(f"{folder}/cut.json")
    for number in (1, 2, 3):
        write(f"{folder}/base/run{number}/trace.json", "healthy", "--steps", "6", "--seed", str(number))
        write(f"{folder}/new/run{number}/trace.json", "comm-bound", "--steps", "6", "--seed", str(number))
    subprocess.run([FIXTURES, "multi-rank", "--all-ranks", f"{folder}/job", "--world", "4", "--layers", "2",
                    "--steps", "3"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([FIXTURES, "multi-rank", "--all-ranks", f"{folder}/pipeline", "--world", "4", "--pp", "2",
                    "--layers", "2", "--steps", "3"], check=True, stdout=subprocess.DEVNULL)
    for name in subprocess.run([FIXTURES, "artifact", "--list"], capture_output=True, text=True).stdout.split("\n"):
        if name.strip():
            # A dump says of which rank it is by its name alone.
            called = {"flight-recorder": "_dump_0"}.get(name.split()[0], name.split()[0])
            runs.append(write(f"{folder}/artifact/{name.split()[0]}/{called}", "artifact", name.split()[0]))
    return runs


def real_files():
    found = [p for p in sorted(glob.glob(f"{SHARED}/traces/*.json*")) if os.path.getsize(p) < SMALL]
    found += sorted(glob.glob(f"{SHARED}/samples/flight_recorder/*")) + sorted(glob.glob(f"{SHARED}/samples/xplane/*.pb"))
    return found + sorted(glob.glob(f"{SHARED}/samples/nsys/mfu*before*"))


def questions(folder, runs):
    for path in runs:
        is_trace = "/artifact/" not in path or os.environ.get("CHECK_ALL")
        yield from ((name, [path]) for name in (ONE_RUN if is_trace else OF_RECORDS))
        yield from ((name, [path]) for name in BY_KIND.get(os.path.basename(path), []))
    healthy = f"{folder}/healthy/trace.json"
    for name, more in MORE.items():
        yield from ((name, [healthy, *words]) for words in more)
    for job in (f"{folder}/job", f"{folder}/pipeline"):
        yield from ((name, [job]) for name in ONE_RUN + ["ranks"])
        yield from ((name, [job, "--per-run"]) for name in ("top", "idle", "diagnose"))
    yield from ((name, [healthy, f"{folder}/tiny/trace.json"]) for name in ONE_RUN)
    for name in TWO_SIDES:
        yield name, [f"{folder}/base", f"{folder}/new"]
        yield name, [f"{folder}/base", f"{folder}/base"]
        yield name, [healthy, f"{folder}/new/run1/trace.json"]
        yield name, [f"{folder}/job", f"{folder}/pipeline"]
    yield "noise", [f"{folder}/base"]
    yield "fit", ["--params", "7e9"]
    yield from ((name, [f"{folder}/base"]) for name in ("batch", "fit", "info", "check"))
    yield "gate", ["--history", f"{folder}/store"]
    yield "gate", [f"{folder}/store", f"{folder}/new/run1"]
    yield "baseline", ["list", f"{folder}/store"]
    yield "sql", ["--schema"]
    yield "sql", [healthy, "select name, count(*) as calls, avg(dur_ns) from kernels group by name_id"]
    yield "config", []
    yield "explain", []
    yield "explain", ["idle"]
    yield "explain", ["--schema"]


# ---- checks ----

def check_answer(contract, name, words, answer):
    what = f"{name} {' '.join(words)}"
    for text in contract.errors(name, answer)[:3]:
        failures.append(f"valid: {what}: {text[:300]}")
    checked["valid"] += 1
    for t in answer["tables"]:
        keys = [c["key"] for c in t["columns"]]
        expect("columns", len(set(keys)) == len(keys), f"{what}: {t['id']}: a key twice: {keys}")
        expect("rows", all(list(r) == keys for r in t["rows"] + t["footer"]), f"{what}: {t['id']}: rows of other keys")
        shapes = contract.row(name, t["id"])
        order = [[k for k in shape["properties"] if k in keys] for shape in shapes]
        free = name in ("top", "baseline") or (name, t["id"]) == ("sql", "rows")
        expect("order", free or keys in order, f"{what}: {t['id']}: in another order")
        expect("inputs", t["input"] is None or t["input"] < len(answer["inputs"]), f"{what}: input {t['input']}")


def wrong_value(shape):
    """A value of a type that the column has not, or a text that is none of its words."""
    if "enum" in shape or "pattern" in shape:
        return "no such word"
    return "text" if shape["type"][0] != "string" else 12.5


def spoiled(contract, name, answer):
    """The answer with one fault each, and what it is."""
    for i, t in enumerate(answer["tables"]):
        shapes = contract.row(name, t["id"])
        if not t["rows"] or len(shapes) != 1:
            continue
        for key, shape in shapes[0]["properties"].items():
            if key in t["rows"][0]:
                yield i, lambda r, k=key, s=shape: r.update({k: wrong_value(s)}), f"{t['id']}.{key} of a wrong type"
        if shapes[0]["additionalProperties"] is False:
            yield i, lambda r: r.update({"unheard_of": 1}), f"{t['id']}: an unknown key"
        for key in shapes[0]["required"][::4]:
            yield i, lambda r, k=key: r.pop(k), f"{t['id']}.{key} missing"


def check_faults(contract, name, answer):
    for i, spoil, what in spoiled(contract, name, answer):
        bad = dict(answer, tables=[dict(answer["tables"][i], rows=[dict(answer["tables"][i]["rows"][0])])])
        spoil(bad["tables"][0]["rows"][0])
        expect("faults", contract.errors(name, bad), f"{name}: {what}: taken for valid")
    for what, change in (
            ("another schema", lambda a: a.update(schema="traceq.other/1")),
            ("a member", lambda a: a.update(more=1)),
            ("no notes", lambda a: a.pop("notes")),
            ("an unknown table", lambda a: a["tables"][0].update(id="unheard_of")),
            ("an unknown unit", lambda a: a["tables"][0]["columns"][0].update(unit="furlongs")),
            ("an unknown column", lambda a: a["tables"][0]["columns"].append(
                {"key": 1, "title": None, "unit": None})),
            ("a table without footer", lambda a: a["tables"][0].pop("footer")),
            ("a negative cut", lambda a: a["tables"][0].update(cut=-1)),
            ("an unknown note", lambda a: a["notes"].append(
                {"level": "info", "id": "unheard_of", "input": None, "count": None, "offset": None, "line": None,
                 "text": ""}))):
        bad = copy.deepcopy(dict(answer, tables=[dict(t, rows=t["rows"][:1]) for t in answer["tables"][:1]]))
        change(bad)
        expect("faults", contract.errors(name, bad), f"{name}: {what}: taken for valid")


def check_explained(contract):
    """Columns and tables that `explain` lists are those of the schemas."""
    rows = json.loads(run("explain", "--json")[1])["tables"][0]["rows"]
    listed = collections.defaultdict(set)
    for r in rows:
        for where in r["where"].split(", ") if r["kind"] == "column" else []:
            listed[where].add(r["word"])
    for name in ONE_RUN + TWO_SIDES + ["ranks", "batch", "fit", "noise"]:
        root = contract.schema[name].root
        for table in root["properties"]["tables"]["items"]["properties"]["id"]["enum"]:
            of = "ranks of a job" if f"{name}.{table}" not in listed else name
            keys, known = listed[f"{of}.{table}"], set()
            for shape in contract.row(name, table):
                folded = not shape["required"]
                known |= set() if folded else set(shape["properties"])
                extra = {k for k in shape["properties"] if not k.startswith(("median_", "least_", "most_"))} - keys
                expect("explained", not folded or extra <= {"ranks", "have_ranks"}, f"{name}.{table}: {extra}")
            expect("explained", known == keys, f"{name}.{table}: {sorted(known ^ keys)}")
    notes = {r["word"] for r in rows if r["kind"] == "note"}
    said = set()
    for name in ONE_RUN + TWO_SIDES + ["ranks", "batch", "fit", "noise", "sql"]:
        said |= set(contract.schema[name].root["$defs"]["any.note"]["properties"]["id"]["enum"])
    expect("explained", said == notes, f"notes: {sorted(said ^ notes)}")


def check_errors(folder):
    """No answer: exit code 2, a word on stderr and nothing on stdout."""
    with open(f"{folder}/nothing.json", "w", encoding="utf-8") as out:
        out.write("no trace")
    for words in (["top", f"{folder}/absent"], ["top", f"{folder}/nothing.json"], ["top"], ["idle", "--by", "what"],
                  ["explain", "no-such-word"], ["explain", "--schema", "no-such-answer"],
                  ["explain", "--schema", "top", "--format", "csv"], ["gate", f"{folder}/absent", f"{folder}/base"]):
        code, out, err = run(*words, *([] if "--format" in words or "no-such-answer" in words else ["--json"]))
        expect("errors", (code, out) == (2, b"") and err, f"{words}: exit {code}, {out[:50]!r}, {err[:50]!r}")


def check_validator():
    """It says no where it has to: what it does not know is an error, not a pass."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "x"}
    for bad in ({"oneOf": [{}]}, {"type": "text"}, {"properties": {"a": {"format": "date"}}}, {"$ref": "#/$defs/no"},
                {"items": {"$ref": "other"}}, {"enum": []}, {"enum": [1, 1]}, {"required": ["a", "a"]},
                {"x-unit": "ns"}, {"anyOf": []}, {"title": 1}):
        try:
            Schema(dict(head, **{"$defs": {}}, **bad))
            expect("validator", False, f"{bad}: taken for a schema")
        except BadSchema:
            checked["validator"] += 1
    for schema, good, bad in (
            ({"type": "integer"}, 3, True), ({"type": ["number", "null"]}, None, "1"), ({"const": 1}, 1, True),
            ({"enum": ["a", None]}, None, 0), ({"minimum": 0}, 0, -1), ({"maxItems": 0}, [], [1]),
            ({"pattern": "^a$"}, "a", "ab"), ({"required": ["a"]}, {"a": 1}, {"b": 1}),
            ({"properties": {"a": {}}, "additionalProperties": False}, {"a": 1}, {"a": 1, "b": 1}),
            ({"if": {"const": 1}, "then": {"type": "string"}}, 2, 1), ({"minProperties": 1}, {"a": 1}, {}),
            ({"anyOf": [{"const": 1}, {"const": 2}]}, 2, 3), ({"allOf": [{"minimum": 1}, {"type": "integer"}]}, 1, 1.5)):
        s = Schema(dict(head, **{"$defs": {}}, **schema))
        expect("validator", not s.errors(good) and s.errors(bad), f"{schema}: {good!r}, {bad!r}")
        if jsonschema:
            other = DRAFT(dict(head, **schema))
            expect("agree", other.is_valid(good) and not other.is_valid(bad), f"{schema}: jsonschema")


def ask(question):
    name, words = question
    code, out, err = run(name, *words, "--json")
    return name, words, code, out, err


def check_all(contract, folder, runs):
    spoil = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, words, code, out, err in pool.map(ask, questions(folder, runs)):
            expect("exit", code in (0, 1, 2) and (out or (code == 2 and err)), f"{name} {words}: {code}, {err[:80]!r}")
            if not out:
                continue
            answer = json.loads(out)
            check_answer(contract, name, words, answer)
            size = sum(len(t["columns"]) for t in answer["tables"] if t["rows"])
            if answer["tables"] and size > spoil.get(name, (0, None))[0]:
                spoil[name] = size, answer
    for name in contract.names:
        expect("asked", name in spoil, f"no answer of {name}")
        if name in spoil:
            check_faults(contract, name, spoil[name][1])


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WORK"] = folder
        contract = Contract()
        runs = make_inputs(folder)
        for number in (1, 2, 3):
            code, _, err = run("baseline", "add", f"{folder}/store", f"{folder}/base/run{number}", "-q")
            expect("store", code == 0, f"baseline add: {err!r}")
        check_validator()
        check_explained(contract)
        check_errors(folder)
        check_all(contract, folder, runs + [os.path.abspath(p) for p in real_files()])
    for text in failures[:40]:
        print("FAIL", text)
    print(", ".join(f"{n} {name}" for name, n in checked.items()))
    if not jsonschema:
        print("SKIP: python3-jsonschema is not installed: nothing is checked twice")
    print(f"{sum(checked.values()) - len(failures)} passed, {len(failures)} failed, {0 if jsonschema else 1} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
