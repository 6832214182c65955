# For Spack 1.0 and later: this file is packages/traceq/package.py of a repository of your own (spack repo create). What is
# built is the checkout that TRACEQ_REPO names, or that one stands in: spack dev-build traceq@main.
import os

from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Traceq(MakefilePackage):
    """An offline analyzer of traces and metrics of GPU training and inference."""

    git = f"file://{os.environ.get('TRACEQ_REPO', '')}"

    license("MIT")

    version("main", branch="main")

    variant("isal", default=True, description="inflate .gz by ISA-L, about three times as fast")
    variant("archive", default=True, description="read zstd, xz, bzip2, lz4, zip and tar")
    variant("sqlite", default=True, description="read exports of Nsight Systems and rocpd; traceq sql")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("zlib-api")
    depends_on("pcre2")
    depends_on("libyaml")
    depends_on("xxhash")
    depends_on("isa-l", when="+isal")
    depends_on("libarchive", when="+archive")
    depends_on("sqlite", when="+sqlite")

    def words(self):
        options = {"isal": "NO_ISAL=1", "archive": "NO_LIBARCHIVE=1", "sqlite": "NO_SQLITE=1"}
        return ["NO_INSTALL=1", "DISTRO=1"] + [word for name, word in options.items() if f"+{name}" not in self.spec]

    def build(self, spec, prefix):
        make(*self.words())

    def install(self, spec, prefix):
        make("install", f"PREFIX={prefix}", *self.words())
