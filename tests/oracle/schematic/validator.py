"""JSON Schema, draft 2020-12: the keywords that traceq's schemas use, and an error for any other.

Written from the specification (Core and Validation, 2022-06-16), not from the program.
"""
import re

# Keywords that say something to people only.
ANNOTATIONS = {"$schema", "$id", "title", "description"}
DRAFT = "https://json-schema.org/draft/2020-12/schema"
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
PYTHON_TYPES = (type(None), bool, int, float, str, list, dict)


class BadSchema(Exception):
    """It is none, or says something that is not known here."""


def type_fits(name, value):
    if name not in TYPES:
        raise BadSchema(f"type {name!r}")
    if name == "null":
        return value is None
    if name == "boolean":
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    if name == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if name == "number":
        return isinstance(value, (int, float))
    return isinstance(value, {"string": str, "array": list, "object": dict}[name])


def same(a, b):
    """Equal as JSON is: true is not 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b


def names(value):
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value) or len(set(value)) != len(value):
        raise BadSchema(f"not a list of different names: {value!r}")
    return value


class Schema:
    def __init__(self, root):
        if root.get("$schema") != DRAFT or not root.get("$id"):
            raise BadSchema("no draft 2020-12, or without $id")
        self.root, self.checks = root, {}
        self.walk(root, "#", True)

    def walk(self, s, at, is_root=False):
        """Every keyword is known and has a value that makes sense, also where no answer leads."""
        if s is False:
            return
        if not isinstance(s, dict):
            raise BadSchema(f"{at}: not a schema: {s!r}")
        for key, value in s.items():
            check = getattr(self, "look_" + key.strip("$"), None)
            if key in ("$schema", "$id", "$defs") and not is_root:
                raise BadSchema(f"{at}: {key} inside")
            if key in ANNOTATIONS:
                if not isinstance(value, str):
                    raise BadSchema(f"{at}/{key}: no text")
            elif not check:
                raise BadSchema(f"{at}: keyword {key!r}")
            else:
                check(value, f"{at}/{key}")

    def look_defs(self, value, at):
        for name, s in value.items():
            self.walk(s, f"{at}/{name}")

    look_properties = look_defs

    def look_list(self, value, at):
        if not value:
            raise BadSchema(f"{at}: empty")
        for i, s in enumerate(value):
            self.walk(s, f"{at}/{i}")

    look_anyOf = look_allOf = look_list

    def look_schema(self, value, at):
        self.walk(value, at)

    look_items = look_additionalProperties = look_if = look_then = look_schema

    def look_ref(self, value, _):
        self.find(value)

    def look_type(self, value, _):
        for name in value if isinstance(value, list) else [value]:
            type_fits(name, None)

    def look_enum(self, value, at):
        if not isinstance(value, list) or not value or any(same(a, b) for i, a in enumerate(value) for b in value[:i]):
            raise BadSchema(f"{at}: {value!r}")

    def look_const(self, _value, _at):
        pass

    def look_required(self, value, _):
        names(value)

    def look_pattern(self, value, _):
        re.compile(value)

    def look_number(self, value, at):
        if not isinstance(value, int) or value < 0:
            raise BadSchema(f"{at}: {value!r}")

    look_minimum = look_maxItems = look_minProperties = look_number

    def find(self, ref):
        name = ref.removeprefix("#/$defs/")
        if name == ref or name not in self.root["$defs"]:
            raise BadSchema(f"$ref {ref!r}")
        return self.root["$defs"][name]

    def errors(self, value):
        """What is wrong with it, as texts; none: it is valid."""
        return [f"${at}: {text}" for at, text in self.check_of(self.root)(value)]

    def check_of(self, s):
        """What tells by a schema what is wrong with a value: (place in it, text) each."""
        if id(s) not in self.checks:
            checks = [lambda v: [("", "may not be there")]] if s is False else []
            for key, value in s.items() if s else ():
                make = getattr(self, "make_" + key.strip("$"), None)
                if make:
                    checks.append(make(value, s))

            def all_of(v):
                return [wrong for check in checks for wrong in check(v)]

            self.checks[id(s)] = checks[0] if len(checks) == 1 else all_of
        return self.checks[id(s)]

    # For each keyword, what tells what is wrong with a value.

    def make_type(self, value, _):
        names = value if isinstance(value, list) else [value]
        fitting = {t for t in PYTHON_TYPES if any(type_fits(n, t()) for n in names)}

        def check(v):
            if type(v) in fitting and (type(v) is not float or any(type_fits(n, v) for n in names)):
                return ()
            return [("", f"{v!r} is no {'/'.join(names)}")]
        return check

    def make_enum(self, value, _):
        words = {v for v in value if v is None or isinstance(v, str)}

        def check(v):
            has = v in words if v is None or isinstance(v, str) else any(same(v, e) for e in value)
            return () if has else [("", f"{v!r} is none of the words")]
        return check

    def make_const(self, value, _):
        return lambda v: () if same(v, value) else [("", f"{v!r} is not {value!r}")]

    def make_pattern(self, value, _):
        pattern = re.compile(value)
        return lambda v: () if not isinstance(v, str) or pattern.search(v) else \
            [("", f"{v!r} does not match {value}")]

    def make_minimum(self, value, _):
        return lambda v: [("", f"{v!r} is below {value}")] if type_fits("number", v) and v < value else ()

    def make_maxItems(self, value, _):
        return lambda v: [("", f"{len(v)} items")] if isinstance(v, list) and len(v) > value else ()

    def make_items(self, value, _):
        item = self.check_of(value)
        return lambda v: [(f"[{i}]{at}", text) for i, x in enumerate(v) for at, text in item(x)] \
            if isinstance(v, list) else ()

    def make_minProperties(self, value, _):
        return lambda v: [("", f"{len(v)} members")] if isinstance(v, dict) and len(v) < value else ()

    def make_required(self, value, _):
        return lambda v: [("", f"{key!r} is missing") for key in value if key not in v] if isinstance(v, dict) else ()

    def make_properties(self, value, s):
        known = {key: self.check_of(part) for key, part in value.items()}
        other = self.check_of(s.get("additionalProperties", {}))
        return lambda v: [(f".{key}{at}", text) for key, x in v.items() for at, text in known.get(key, other)(x)] \
            if isinstance(v, dict) else ()

    def make_additionalProperties(self, _, s):
        return self.make_properties({}, s) if "properties" not in s else lambda v: ()

    def make_ref(self, value, _):
        return lambda v: self.check_of(self.find(value))(v)

    def make_allOf(self, value, _):
        parts = [self.check_of(part) for part in value]
        return lambda v: [wrong for part in parts for wrong in part(v)]

    def make_anyOf(self, value, _):
        parts = [self.check_of(part) for part in value]

        def check(v):
            found = [part(v) for part in parts]
            return [("", f"none of {len(found)}: " + " | ".join(f"{f[0][0]}: {f[0][1]}" for f in found))] if all(found) else ()
        return check

    def make_if(self, value, s):
        holds, then = self.check_of(value), self.check_of(s.get("then", {}))
        return lambda v: () if holds(v) else then(v)
