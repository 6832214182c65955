#!/usr/bin/env python3
"""wheel.py VERSION PLATFORM PROGRAM LIBRARY FOLDER: packs a wheel of the static program, the library that
capture injects, and the Python module; prints its path.  Equal for equal files.

Source of the format: PyPA's binary distribution format; of the platform tags: PEP 600.
"""
import base64
import hashlib
import os
import sys
import zipfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
WHEN = (1980, 1, 1, 0, 0, 0)  # the first that zip knows

METADATA = """Metadata-Version: 2.1
Name: traceq
Version: {version}
Summary: An offline analyzer of traces and metrics of GPU training and inference
License: MIT
Requires-Python: >=3.8
Classifier: License :: OSI Approved :: MIT License
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Software Development :: Debuggers
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

"""

WHEEL = """Wheel-Version: 1.0
Generator: traceq
Root-Is-Purelib: false
Tag: {tag}
"""


def read(*path):
    with open(os.path.join(*path), "rb") as f:
        return f.read()


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def main():
    version, platform, program, library, folder = sys.argv[1:]
    # What is linked into the program is in no need of the system's libc, so of any that pip knows.
    tag = f"py3-none-manylinux_2_17_{platform}.manylinux2014_{platform}"
    info, data = f"traceq-{version}.dist-info", f"traceq-{version}.data"
    module = os.path.join(ROOT, "packages", "python", "traceq")
    files = [(f"traceq/{name}", read(module, name), 0o644) for name in ("__init__.py", "py.typed")]
    files += [
        (f"{data}/scripts/traceq", read(program), 0o755),
        (f"{data}/data/lib/traceq/libtraceq-capture.so", read(library), 0o644),
        (f"{info}/METADATA", METADATA.format(version=version).encode() + read(ROOT, "README.md"), 0o644),
        (f"{info}/WHEEL", WHEEL.format(tag=tag.replace(".", "\nTag: py3-none-", 1)).encode(), 0o644),
        (f"{info}/licenses/LICENSE", read(ROOT, "LICENSE"), 0o644),
    ]
    record = "".join(record_line(name, text) for name, text, _ in files) + f"{info}/RECORD,,\n"
    files.append((f"{info}/RECORD", record.encode(), 0o644))
    path = os.path.join(folder, f"traceq-{version}-{tag}.whl")
    with zipfile.ZipFile(path + ".new", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, text, mode in files:
            entry = zipfile.ZipInfo(name, WHEN)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, text)
    os.replace(path + ".new", path)
    print(path)


if __name__ == "__main__":
    main()
