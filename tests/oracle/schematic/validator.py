"""JSON Schema, draft 2020-12: the keywords that traceq's schemas use, and an error for any other.

Written from the specification (Core and Validation, 2022-06-16), not from the program.
"""
import re

# Keywords that say something to people only.
ANNOTATIONS = {"$schema", "$id", "title", "description"}
DRAFT = "https://json-schema.org/draft/2020-12/schema"
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")


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
        self.root, self.named = root, {}
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
        return list(self.check(self.root, value, "$"))

    def check(self, s, v, at):
        if s is False:
            yield f"{at}: may not be there"
            return
        yield from self.check_value(s, v, at)
        if isinstance(v, dict):
            yield from self.check_object(s, v, at)
        if isinstance(v, list):
            if len(v) > s.get("maxItems", len(v)):
                yield f"{at}: {len(v)} items"
            for i, item in enumerate(v if "items" in s else []):
                yield from self.check(s["items"], item, f"{at}[{i}]")
        if "$ref" in s:
            yield from self.check(self.find(s["$ref"]), v, at)
        for part in s.get("allOf", []):
            yield from self.check(part, v, at)
        if "anyOf" in s:
            found = [list(self.check(part, v, at)) for part in s["anyOf"]]
            if all(found):
                yield f"{at}: none of {len(found)}: " + " | ".join(f[0] for f in found)
        if "if" in s and "then" in s and not list(self.check(s["if"], v, at)):
            yield from self.check(s["then"], v, at)

    @staticmethod
    def check_value(s, v, at):
        types = s.get("type", [])
        types = types if isinstance(types, list) else [types]
        if types and not any(type_fits(t, v) for t in types):
            yield f"{at}: {v!r} is no {'/'.join(types)}"
        if "enum" in s and not any(same(v, e) for e in s["enum"]):
            yield f"{at}: {v!r} is none of the words"
        if "const" in s and not same(v, s["const"]):
            yield f"{at}: {v!r} is not {s['const']!r}"
        if "pattern" in s and isinstance(v, str) and not re.search(s["pattern"], v):
            yield f"{at}: {v!r} does not match {s['pattern']}"
        if "minimum" in s and type_fits("number", v) and v < s["minimum"]:
            yield f"{at}: {v!r} is below {s['minimum']}"

    def check_object(self, s, v, at):
        if len(v) < s.get("minProperties", 0):
            yield f"{at}: {len(v)} members"
        for key in s.get("required", []):
            if key not in v:
                yield f"{at}: {key!r} is missing"
        properties = s.get("properties", {})
        for key, value in v.items():
            if key in properties:
                yield from self.check(properties[key], value, f"{at}.{key}")
            elif "additionalProperties" in s:
                yield from self.check(s["additionalProperties"], value, f"{at}.{key}")
