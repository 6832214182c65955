/* All fuzz targets in one program, so that the library is linked once: which of them it is the name
 * says that it is called by, a link's (Makefile). */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int input_fn(const uint8_t *data, size_t size);
typedef size_t mutator_fn(uint8_t *data, size_t size, size_t max, unsigned seed);

static input_fn *input;
static mutator_fn *mutator;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *path = (*argv)[0], *slash = strrchr(path, '/');
	char name[128];

	(void)argc;
	snprintf(name, sizeof(name), "%s_input", slash ? slash + 1 : path);
	*(void **)&input = dlsym(RTLD_DEFAULT, name);
	snprintf(name, sizeof(name), "%s_mutator", slash ? slash + 1 : path);
	*(void **)&mutator = dlsym(RTLD_DEFAULT, name);
	if (!input) {
		fprintf(stderr, "%s: no target has this name (tests/fuzz)\n", path);
		exit(2);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return input(data, size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return mutator ? mutator(data, size, max, seed) : LLVMFuzzerMutate(data, size, max);
}
