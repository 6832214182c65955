/* Suffixes that compressors put behind a name. */
#include "analyze/input/source/packed.h"

static const char *const suffixes[] = { ".gz", ".zst", ".xz", ".bz2", ".lz4", ".zz", ".zlib" };

size_t packed_stem(const char *path)
{
	size_t n = strlen(path), k;

	for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
		k = strlen(suffixes[i]);
		if (n > k && strcmp(path + n - k, suffixes[i]) == 0)
			return n - k;
	}
	return n;
}
