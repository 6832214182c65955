/* The reader from memory and the digest of the fuzz targets, linked to the unit tests, too. */
#include "tests/fuzz/memory_file.c" /* NOLINT(bugprone-suspicious-include): one source, two sets */
