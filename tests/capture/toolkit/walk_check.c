/* The real libcupti walks records the fake wrote: its sizes are ours.  It needs no driver for that.
 *
 *   walk_check LIBCUPTI */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "capture/cupti_abi.h"
#include "tests/capture/fake_records.h"

int main(int argc, char **argv)
{
	static const int kinds[] = { ACT_KERNEL, ACT_RUNTIME, ACT_MEMCPY, ACT_MEMCPY2, ACT_MEMSET,
		ACT_SYNC, ACT_CUDA_EVENT, ACT_EXTERNAL, ACT_DRIVER, ACT_OVERHEAD, ACT_DEVICE,
		ACT_CONTEXT, ACT_GRAPH, ACT_MEMORY2, ACT_KERNEL };
	enum { N = sizeof(kinds) / sizeof(kinds[0]) };
	static uint8_t buffer[8192];
	void *library = argc > 1 ? dlopen(argv[1], RTLD_LAZY) : NULL;
	void *symbol = library ? dlsym(library, "cuptiGetVersion") : NULL;
	int (*version)(uint32_t *), (*next)(uint8_t *, size_t, uint8_t **), i;
	size_t at[N], n = 0;
	uint8_t *p = NULL;
	uint32_t v = 0;

	memcpy(&version, &symbol, sizeof(symbol));
	symbol = library ? dlsym(library, "cuptiActivityGetNextRecord") : NULL;
	memcpy(&next, &symbol, sizeof(symbol));
	if (!version || !next || version(&v) != 0) {
		fprintf(stderr, "no CUPTI: %s\n", dlerror());
		return 2;
	}
	for (i = 0; i < N; i++) {
		uint32_t kind = (uint32_t)kinds[i];

		if (cupti_size_min(kind, v) > fake_size(kind, v)) {
			fprintf(stderr, "CUPTI %u: kind %d is shorter than what is read of it\n", v,
				kinds[i]);
			return 1;
		}
		at[i] = n;
		memcpy(buffer + n, &kind, sizeof(kind));
		n += fake_size(kind, v);
	}
	for (i = 0; i < N; i++) {
		if (next(buffer, n, &p) != CUPTI_OK || p != buffer + at[i]) {
			fprintf(stderr, "CUPTI %u: record %d (kind %d) is not where we think\n", v,
				i, kinds[i]);
			return 1;
		}
	}
	if (next(buffer, n, &p) != CUPTI_MAX_LIMIT)
		return 1;
	printf("CUPTI %u walks %d records as we do\n", v, (int)N);
	return 0;
}
