"""Bundles: several .c files that are compiled as one, which saves reading the same headers again.

    bundles.py FOLDER MOST    reads words NAME:FILE.c; writes FOLDER/NAME_N.c, which include at most
                              MOST files each, and FOLDER/bundles.mk, which says the bundle of each;
                              FOLDER/members has the same, as old as what it says

Files of a bundle share one scope.  None may define at its top what another one defines there, nor a
macro whose name another one uses: such files are put into different bundles.
"""
import collections
import os
import re
import sys

NO_CODE = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)
INNER = re.compile(r"^\t+(?:enum|struct|union) (\w+) \{", re.M)  # a member's type is known everywhere
BODY = re.compile(r"^\{\n.*?^\}", re.S | re.M)  # as clang-format leaves them
WORD = re.compile(r"[A-Za-z_]\w*")
INCLUDED = re.compile(r'^[ \t]*#[ \t]*(?:include|define[ \t]+TABLES_DEF)[ \t]+"([^"]+)"', re.M)
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(define|undef|pragma)[ \t]+(\w+)(?:\\\n|[^\n])*\n|^[ \t]*#(?:\\\n|[^\n])*\n", re.M)
TOKEN = re.compile(r"([A-Za-z_]\w*)|([{}()\[\]=;,])")
GLOBAL = "everywhere"  # the place of what the linker joins


class File:
    """What a file, .c or .h, defines at its top, and where each thing is; its macros; its words."""

    known = {}  # those that were read, by path

    def __init__(self, path):
        self.path = path
        self.place, self.macros, self.words = {}, {}, set()
        self.has_main = self.whole = False
        self.guarded = path.endswith("_tables.def")  # of which there is one for each header
        self.headers = []
        self.depth = self.parens = 0
        self.head = []  # words of a declaration, up to the name that it declares
        self.enum = self.call = self.value = self.closed = False
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for name in INCLUDED.findall(text):
            self.include(name)
        text = NO_CODE.sub(" ", text)
        self.words = set(WORD.findall(text))
        for name in INNER.findall(text):
            self.define("tag " + name, self.path)
        text = BODY.sub("{}", text)
        for directive, name in DIRECTIVE.findall(text):
            if directive == "define":
                self.macros[name] = path
            elif directive == "undef":
                self.macros.pop(name, None)
            elif name == "once":
                self.guarded = True
        for word, sign in TOKEN.findall(DIRECTIVE.sub("", text)):
            if word:
                self.take_word(word)
            else:
                self.take_sign(sign)

    def define(self, name, place):
        """Notes that a name is this file's, or of all."""
        self.place[name] = place

    def take_headers(self, macros):
        """What it includes is its own, too; what has no guard is made anew by each that includes it."""
        if self.whole:
            return
        self.whole = True
        self.words &= macros
        for header in self.headers:
            header.take_headers(macros)
            self.macros |= header.macros
            self.words |= header.words
            if header.guarded:
                self.place |= header.place
            else:
                for name, place in header.place.items():
                    self.place[name] = self.path if place == header.path else place

    def take_word(self, word):
        """A word of C."""
        if self.call:
            if not self.path.endswith(".h"):
                self.define(word, self.path)  # ORDER(name, ...) makes something of that name
                self.define(word + "_COLUMNS", self.path)  # END(name) of a table
            self.call = False
        elif self.parens == 0 and not self.value and (self.depth == 0 or self.enum):
            self.head.append(word)

    def take_top(self, sign):
        """The end of a declaration's words outside of all braces."""
        name, before = self.head[-1], self.head[:-1]
        self.call = sign == "(" and not before
        attribute = self.closed and not before and sign != "("
        if self.call or attribute or name in ("enum", "struct", "union"):
            return
        if name == "main" and sign == "(":
            self.has_main = True
        elif before and before[-1] in ("enum", "struct", "union"):
            self.define("kind " + name, before[-1])
            if sign == "{":
                self.define("tag " + name, self.path)
        elif "static" in before or "typedef" in before or not before:
            self.define(name, self.path)
        else:
            self.define(name, GLOBAL)

    def take_sign(self, sign):
        """What ends or nests a declaration."""
        top = self.depth == 0 and self.parens == 0
        if self.enum and self.parens == 0 and self.head:
            self.define(self.head[0], self.path)
            self.head = []
        if top and self.head:
            self.take_top(sign)
        if sign == "=" or sign in ",;":
            self.value = sign == "=" and (top or self.enum)
        self.closed = sign == ")" and self.depth == 0 and self.parens == 1 or self.closed and sign not in "{};"
        if sign == "{":
            self.enum = top and "enum" in self.head[-2:]
        if sign in "({[=" and top or sign in ";,":
            self.head = []
        if sign in "([":
            self.parens += 1
        elif sign in ")]":
            self.parens -= 1
        elif sign == "{":
            self.depth += 1
        elif sign == "}":
            self.depth -= 1
            self.enum = self.value = False

    def include(self, name):
        """A file of the tree that it includes."""
        for path in (os.path.join(os.path.dirname(self.path), name), name):
            if os.path.isfile(path):
                path = os.path.normpath(path)
                if path not in self.known:
                    self.known[path] = File(path)
                self.headers.append(self.known[path])
                return


def differ(one, other):
    """Whether a name stands for two things."""
    return len(one.keys() & other.keys()) != len(one.items() & other.items())


def alters(macros, file):
    """Whether macros would change words of a file that does not have them."""
    return any(macros[word] != file.macros.get(word) for word in macros.keys() & file.words)


class Bundle:
    """Files that go together."""

    def __init__(self):
        self.files, self.place, self.macros, self.words = [], {}, {}, set()

    def takes(self, file, most):
        """Whether a file may be one of them."""
        return not (len(self.files) == most or differ(self.place, file.place)
                    or alters(self.macros, file) or alters(file.macros, self))

    def add(self, file):
        """Adds it."""
        self.files.append(file)
        self.place.update(file.place)
        self.macros |= file.macros
        self.words |= file.words


def bundled(files, most):
    """Files in bundles: each goes to the first that takes it."""
    bundles = []
    for file in files:
        for bundle in bundles:
            if bundle.takes(file, most):
                break
        else:
            bundle = Bundle()
            bundles.append(bundle)
        bundle.add(file)
    return bundles


def text_of(bundle):
    """The file that includes those of a bundle.  A test's main is that test's."""
    lines = ["#undef main\n"]
    for file in bundle.files:
        name = os.path.basename(file.path)[:-2]
        if file.has_main:
            lines.append(f'#define main {name}_main\n#include "{file.path}"\n#undef main\n')
        else:
            lines.append(f'#include "{file.path}"\n')
    return "".join(lines)


def write_changed(path, text):
    """Writes a file, unless it is that already."""
    try:
        with open(path, encoding="utf-8") as f:
            if f.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def main(folder, most):
    """See above."""
    files = collections.defaultdict(list)
    for word in sys.stdin.read().split():
        name, path = word.split(":")
        files[name].append(File(path))
    every = [*sum(files.values(), []), *File.known.values()]
    macros = set().union(*(file.macros for file in every))
    places = collections.defaultdict(set)
    for file in every:
        file.take_headers(macros)
        for name, place in file.place.items():
            places[name].add(place)
    several = {name for name, of in places.items() if len(of) > 1}
    for file in every:
        file.place = {name: file.place[name] for name in file.place.keys() & several}
    os.makedirs(folder, exist_ok=True)
    lines = []
    for name, members in files.items():
        for number, bundle in enumerate(bundled(members, int(most))):
            if len(bundle.files) == 1:
                continue
            source = f"{folder}/{name}_{number}"
            write_changed(source + ".c", text_of(bundle))
            lines += [f"BUNDLE_OF_{file.path} := {source}.o\n" for file in bundle.files]
    write_changed(f"{folder}/members", "".join(lines))
    with open(f"{folder}/bundles.mk", "w", encoding="utf-8") as f:
        f.write("".join(lines))


main(*sys.argv[1:])
