# spack repo: put this file into packages/traceq/ of a repository of your own.
from spack.package import *


class Traceq(MakefilePackage):
    """An offline analyzer of traces and metrics of GPU training and inference."""

    license("MIT")

    # From the tarball of `make dist`, beside the recipe, or from a checkout: spack dev-build traceq@main.
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

    def flags(self):
        options = {"isal": "NO_ISAL=1", "archive": "NO_LIBARCHIVE=1", "sqlite": "NO_SQLITE=1"}
        return ["NO_INSTALL=1"] + [word for name, word in options.items() if f"+{name}" not in self.spec]

    def build(self, spec, prefix):
        make(*self.flags())

    def install(self, spec, prefix):
        make("install", f"PREFIX={prefix}", *self.flags())
