#!/usr/bin/env python3
"""How the program and the capture library were built, as readelf sees them: the library, and with
DISTRO=1 the program, position independent; else no pointers of its tables are moved at a start;
read-only relocations bound at start, no executable stack, canaries, checked calls of libc, CET where
the processor's family has it; and no path of the folder they were built in.

Python's standard library and readelf, which comes with every compiler.
"""
import os
import platform
import shutil
import subprocess
import sys

B = os.path.abspath(os.environ.get("B", "build/release"))
FILES = ["traceq", "libtraceq-capture.so"]
passed = failed = 0


def check(condition, text):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {text}")


def readelf(options, *paths):
    return subprocess.run(["readelf", "-W", *options, *paths], stdout=subprocess.PIPE, check=True,
                          text=True).stdout


def look_at(name):
    path = os.path.join(B, name)
    dynamic, segments = readelf(["-d"], path), readelf(["-l"], path)
    symbols = readelf(["--dyn-syms"], path)
    stack = [line for line in segments.splitlines() if "GNU_STACK" in line]
    if name == "traceq" and "Elf file type is DYN" not in segments:
        moved = readelf(["-r"], path).count("RELATIVE")
        check(moved == 0, f"{name}: at a fixed address, and {moved} pointers are moved at each start")
    else:
        check("Elf file type is DYN" in segments, f"{name}: not position independent")
        check(name != "traceq" or os.environ.get("DISTRO"), f"{name}: position independent without DISTRO=1")
    check("GNU_RELRO" in segments, f"{name}: relocations stay writable")
    check("BIND_NOW" in dynamic or "Flags: NOW" in dynamic, f"{name}: functions are bound lazily")
    check("TEXTREL" not in dynamic, f"{name}: code is relocated")
    check("RPATH" not in dynamic and "RUNPATH" not in dynamic, f"{name}: has a library path")
    check(stack and " RWE " not in stack[0], f"{name}: executable stack")
    check("__stack_chk_fail" in symbols, f"{name}: no stack protector")
    check("_chk@" in symbols.replace("__stack_chk_fail", ""), f"{name}: no _FORTIFY_SOURCE")
    with open(path, "rb") as f:
        data, here = f.read(), os.fsencode(os.getcwd())
    for part in (b"\0" + here + b"\0", here + b"/base/", here + b"/cmd/", here + b"/capture/"):
        check(part not in data, f"{name}: holds the build's path")


def look_at_objects():
    """The linker marks a program only where libc's own objects are marked, too: not on every
    system.  Ours all are."""
    paths = [os.path.join(folder, name) for folder, _, files in os.walk(B)
             for name in files if name.endswith(".o")]
    by_file = dict(part.split("\n", 1) for part in readelf(["-n"], *paths).split("\nFile: ")[1:])
    for path in paths:
        notes = by_file.get(path, "")
        check("IBT" in notes and "SHSTK" in notes, f"{path}: no control-flow protection")


def main():
    if os.environ.get("SAN"):
        print("SKIP: a sanitizer's build is not the one that ships")
        print("0 passed, 0 failed, 1 skipped")
        return
    if not shutil.which("readelf"):
        print("SKIP: no readelf")
        print("0 passed, 0 failed, 1 skipped")
        return
    for name in FILES:
        look_at(name)
    if platform.machine() == "x86_64":
        look_at_objects()
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
