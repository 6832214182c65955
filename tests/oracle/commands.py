#!/usr/bin/env python3
"""What traceq says is to be typed next can be typed: each suggested command, as it stands, in bash.

Traces, jobs, archives, digests and stores lie under names that shells, terminals and Markdown take for something
else.  Commands are read from text in four widths and more, in ASCII and in UTF-8, on a terminal and in a pipe, from
Markdown, from pages in HTML and from a gate's summary; in all of them they must be the same, printable, and each a
line of its own.  bash runs each: it answers (0) or the answer is no (1).
"""
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from judging import terminal

TRACEQ = os.path.abspath(os.environ.get("TRACEQ", "build/release/traceq"))
FIXTURES = os.path.abspath(os.environ.get("FIXTURES", "build/release/fixtures"))
WIDTHS = ["40", "60", "80", "120"]
NAMES = [b"plain", b"a  b", b"it's", b'say "x"', b"$HOME $(touch owned) `touch owned`", b"*", b"?[a]", b"a\nb", b"a\n\nb: c",
         b"-n", b"--help", b"-", b"--", b"~", b"~root", b"#x", b"!ls", b"a!b\n", b"a;b&c|d<e>f", b"\\", b"a\\nb", b"\t",
         b"\x1b[2J\x1b]0;x\x07", b"\x7f", b"\xff\xfe", b"caf\xc3\xa9", b"caf\xc3\xa9 \xff", b"\xe6\x97\xa5 \xe6\x9c\xac",
         b"\xe2\x80\xae rtl", b"\xc2\xa0", b"\xc2\x85", b"\xf0\x9f\x98\x80", b"\xe2\x9d\xa4\xef\xb8\x8f", b"::error::x",
         b"x ::error::y", b"##[error]x", b"##vso[x]", b"```", b"``` x ```", b"<b>&amp;<!--", b"| x |", b"@everyone", b"top",
         b"explain", b"vs", b"a=b", b"=ls", b"%s%n", b"{a,b}", b"a^b^", b"(x)", b"'", b"''", b"\r", b"$'x'", b"a" * 200,
         b"word " * 40]
passed, failures = 0, []


def expect(condition, text):
    global passed
    if condition:
        passed += 1
    else:
        failures.append(text)


def environment(**more):
    env = {"PATH": os.path.dirname(TRACEQ) + ":" + os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "dumb", "HOME": "/nonexistent"}
    env.update({name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS") if name in os.environ})
    return {**env, **more}


def traceq(place, *words, **more):
    done = subprocess.run([TRACEQ, *words], cwd=place, env=environment(**more), capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def on_terminal(place, words, columns):
    """What a terminal of so many columns is given, without its colours."""
    seen, _ = terminal.run([TRACEQ, "--no-pager", *words], environment(TERM="xterm"), place, 500, columns, stderr=subprocess.DEVNULL)
    return re.sub(rb"\x1b\[[0-9;]*m", b"", seen)


def of_text(text):
    """Of the table `next`: a command a line, and indented below it what it is for."""
    block = re.search(rb"^next\n(.*?)(?:\n\n|\Z)", text, re.M | re.S)
    return [line for line in block[1].rstrip(b"\n").split(b"\n") if not line.startswith(b"  ")] if block else []


def of_markdown(text):
    return re.findall(rb"^```sh\n(.*?)\n```$", text, re.M | re.S)


def harmless(commands, what):
    for command in commands:
        expect(command.startswith(b"traceq ") and b"\n" not in command, f"{what}: {command!r} is no line of its own")
        try:
            text = command.decode()
        except UnicodeDecodeError:
            expect(False, f"{what}: {command!r} is not UTF-8")
            continue
        expect(text.isprintable(), f"{what}: {command!r} cannot be printed")
        expect("##" not in text and not re.search(r"(^|\s)::", text), f"{what}: {command!r} gives a server an order")
        expect("\u2026" not in text and "..." not in text, f"{what}: {command!r} is shortened")


def words_of(place, *commands):
    """The words that bash makes of each command, which is not run."""
    tell = rb"""traceq() { printf '%s\0' "$@"; }; for c; do eval "$c"; printf '\1\0'; done"""
    done = subprocess.run(["bash", "-c", tell, "bash", *commands], cwd=place, env=environment(), capture_output=True, check=False)
    return [words.split(b"\0")[:-1] for words in done.stdout.split(b"\1\0")[:-1]]


answered_anywhere = set()


def run(place, command, what):
    """It answers; one that names no file does so anywhere, and is asked once."""
    if command in answered_anywhere:
        expect(True, command)
        expect(True, command)
        return
    place = os.fsencode(place)
    before = set(os.listdir(place))
    done = subprocess.run(["bash", "-c", command], cwd=place, env=environment(), capture_output=True, stdin=subprocess.DEVNULL,
                          check=False)
    expect(done.returncode in (0, 1), f"{what}: {command!r}: exit {done.returncode}, {done.stderr[-300:]!r}")
    made = set(os.listdir(place)) - before
    expect(b"owned" not in made, f"{what}: {command!r} ran what a name says")
    if re.fullmatch(rb"traceq (--help|explain \w+)", command) and done.returncode == 0 and not made:
        answered_anywhere.add(command)
    for name in made:
        os.unlink(os.path.join(place, name))


def all_the_same(place, words, what):
    """The commands of one question in every shape of text; returns them."""
    base = of_text(traceq(place, *words, COLUMNS="120")[1])
    shapes = {f"{w} columns": of_text(traceq(place, *words, COLUMNS=w)[1]) for w in [*WIDTHS, "10"] if w != "120"}
    shapes |= {f"a terminal of {w}": of_text(on_terminal(place, words, w)) for w in (40, 80)}
    shapes["a pipe"] = of_text(traceq(place, *words)[1])
    for shape, got in shapes.items():
        expect(got == base, f"{what}: {shape}: {got} and not {base}")
    harmless(base, what)
    plain = of_text(traceq(place, *words, LC_ALL="C", COLUMNS="40")[1])
    harmless(plain, what)
    expect(all(command.isascii() for command in plain), f"{what}: not ASCII: {plain}")
    words = words_of(place, *plain, *base)
    expect(len(words) == 2 * len(base) and words[:len(plain)] == words[len(plain):], f"{what}: ASCII: {plain} and not {base}")
    return base


def documents(place, operand, what, base):
    """The overview as Markdown, and what a page says it was made by."""
    for words in [["--format", "md"], ["--format", "md", "--wide"]]:
        text = traceq(place, "overview", "--all", *words, operand, COLUMNS="40")[1]
        expect(of_markdown(text) == base, f"{what}: Markdown: {of_markdown(text)} and not {base}")
    code, _, said = traceq(place, "report", operand, "-o", b"page.html")
    path = os.path.join(place, "page.html")
    expect(code in (0, 1) and os.path.exists(path), f"{what}: report: {code} {said!r}")
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as f:
        page = f.read()
    os.unlink(path)
    commands = [html.unescape(s).encode() for s in re.findall(r'<p class="from made">made by\n<code>(.*?)</code></p>', page)]
    expect(words_of(place, *commands) == [[b"report", operand, b"-o", b"page.html"]],
           f"{what}: the page is made by {commands}")
    expect(re.search(r"\.made code\{[^}]*white-space:break-spaces", page), f"{what}: blanks of the page's command are not kept")
    harmless(commands, what)


def operand_of(name):
    return b"./" + name if name.startswith(b"-") or name in (b"top", b"explain", b"vs") else name


def one_file(root, trace, name):
    place = tempfile.mkdtemp(dir=root)
    os.link(trace, os.path.join(os.fsencode(place), name))
    what = repr(name)
    front = all_the_same(place, [], f"{what}, here")
    expect(not name.endswith(b".json") or [name] in [[os.path.basename(w) for w in words] for words in words_of(place, *front)],
           f"{what}: not among {front}")
    brief = all_the_same(place, ["overview", operand_of(name)], f"{what}, overview")
    expect(len(brief) == 2, f"{what}: {brief}")
    found = all_the_same(place, ["overview", "--all", operand_of(name)], f"{what}, overview --all")
    expect(len(found) >= 4, f"{what}: only {found}")
    documents(place, operand_of(name), what, found)
    for command in dict.fromkeys([*front, *brief, *found]):
        run(place, command, what)
    shutil.rmtree(place)


def folder(root, trace, other, name):
    """A job in a folder that is called so, one trace in it, and two beside a store."""
    place = os.fsencode(tempfile.mkdtemp(dir=root))
    where, what = os.fsdecode(place), f"folder {name!r}"
    os.makedirs(os.path.join(place, name, b"job"))
    for n, path in enumerate([trace, other]):
        os.link(path, os.path.join(place, name, b"job", b"rank%d.json" % n))
    for words in [[], ["overview", "--all", operand_of(name)], ["overview", operand_of(name) + b"/"]]:
        for command in all_the_same(where, words, what):
            run(where, command, what)
    os.unlink(os.path.join(place, name, b"job", b"rank1.json"))
    os.rename(os.path.join(place, name, b"job", b"rank0.json"), os.path.join(place, name, b"job", name + b".json"))
    for inside, words in [(where, [operand_of(name)]), (os.path.join(where, os.fsdecode(name)), ["."]), (where, [operand_of(name) + b"/job/"])]:
        found = all_the_same(inside, ["overview", "--all", *words], what)
        expect(any(c.startswith(b"traceq cut ") for c in found), f"{what}, {words}: {found}")
        for command in found:
            run(inside, command, what)
    shutil.rmtree(os.path.join(place, name))
    os.makedirs(os.path.join(place, name))
    for n, path in [(b"one", trace), (b"other", other)]:
        os.link(path, os.path.join(place, name, n + b".json"))
    code, _, said = traceq(where, "baseline", "add", os.path.join(b".", name + b" store"), trace)
    expect(code == 0, f"{what}: no store: {said!r}")
    found = all_the_same(where, [], what)
    for verb in [b"diff ", b"gate ", b"baseline list "]:
        expect(any(c.startswith(b"traceq " + verb) for c in found), f"{what}: no {verb!r}: {found}")
    for command in found:
        run(where, command, what)
    shutil.rmtree(place)


def own_output(root, trace):
    """What a suggestion writes is not what it reads, and replaces nothing."""
    for name in ["cut.json", "report.html", "cut-2.json"]:
        place = tempfile.mkdtemp(dir=root)
        os.link(trace, os.path.join(place, name))
        for operand in [name, "./" + name, os.path.join(place, name), "."]:
            for command in all_the_same(place, ["overview", "--all", operand], f"{operand} as input"):
                run(place, command, f"{operand} as input")
                expect(os.path.samefile(os.path.join(place, name), trace), f"{command!r} replaced {name}")
        shutil.rmtree(place)


def kinds(root, trace):
    """Whatever is read: archives, digests, other formats."""
    place = tempfile.mkdtemp(dir=root)
    files = []
    for layout in ["kineto", "ndjson", "chrome", "jax", "ascend", "pftrace", "perfetto", "xplane", "nsys", "rocpd", "ascend-db"]:
        suffix = {"pftrace": "pftrace", "perfetto": "pftrace", "xplane": "xplane.pb", "nsys": "sqlite", "rocpd": "db", "ascend-db": "db"}.get(layout, "json")
        files.append(f"{layout} x.{suffix}")
        with open(os.path.join(place, files[-1]), "wb") as out:
            subprocess.run([FIXTURES, "copy-bound", "--steps", "2", "--layout", layout], stdout=out, check=True)
    with zipfile.ZipFile(os.path.join(place, "z p.zip"), "w") as z:
        z.write(trace, "in side.json")
    expect(traceq(place, "digest", "-q", trace, "-o", "d t.tqd")[0] == 0, "no digest")
    for name in [*files, "z p.zip", "d t.tqd"]:
        for command in all_the_same(place, ["overview", "--all", name], name):
            run(place, command, name)
    shutil.rmtree(place)


def gates(root, trace, other):
    """The line that asks a gate again, in its summary."""
    for name in NAMES:
        place = os.fsencode(tempfile.mkdtemp(dir=root))
        for path, n in [(trace, b"base"), (other, name)]:
            os.link(path, os.path.join(place, n))
        where = os.fsdecode(place)
        code, _, said = traceq(where, "gate", "--md=s.md", "--check", "step_time=50%", "--junit", "x.xml", "base", b"./" + name)
        expect(code in (0, 1), f"gate {name!r}: {said!r}")
        with open(os.path.join(place, b"s.md"), "rb") as f:
            commands = of_markdown(f.read())
        expect(words_of(where, *commands) == [[b"gate", b"--check", b"step_time=50%", b"base", b"./" + name]],
               f"gate {name!r}: {commands}")
        harmless(commands, f"gate {name!r}")
        for command in commands:
            run(where, command, f"gate {name!r}")
        shutil.rmtree(place)


# Whatever of a command in quotes or brackets is left on a line that ends.
MENTION = re.compile(r"'traceq [^'\n]*$|\(traceq [^)\n]*$|'traceq$|\(traceq$", re.M)


def mentions(root, trace):
    """Commands that sentences name are not broken over lines."""
    for columns in WIDTHS:
        for words in [["diagnose", trace], ["overview", trace], ["overview", "--all", trace], ["roofline", trace], ["top", trace], ["memory", trace], ["ranks", trace],
                      ["explain", "critical"], ["explain", "self_cpu_ns"], ["explain"], ["report", trace], ["critical", trace],
                      *[["help", verb] for verb in ("diagnose", "critical", "gate", "cut", "idle", "config", "smi", "metrics", "top")]]:
            text = traceq(root, *words, COLUMNS=columns)[1].decode()
            expect(not MENTION.search(text), f"{words} at {columns}: {MENTION.findall(text)}")


def main():
    with tempfile.TemporaryDirectory() as root:
        trace, other, small = (os.path.join(root, name) for name in ("slow.json", "good.json", "small.json"))
        for path, words in [(trace, ["multi-stream", "--steps", "2"]), (other, ["graphs", "--steps", "2"]), (small, ["tiny"])]:
            with open(path, "wb") as f:
                subprocess.run([FIXTURES, *words], stdout=f, check=True)
        for name in NAMES:
            one_file(root, small, name)
            one_file(root, small, name + b".json")
        for name in NAMES[::1 if os.environ.get("CHECK_ALL") else 4]:
            if name not in (b"-", b"--"):
                folder(root, trace, other, name)
        own_output(root, small)
        kinds(root, trace)
        gates(root, trace, other)
        mentions(root, trace)
    for text in failures:
        print(f"oracle commands: {text}")
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
