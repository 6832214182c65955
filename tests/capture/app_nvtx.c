/* A loader of NVTX as the header-only NVTX has one in each object, and calls of every kind. */
#include "tests/capture/app_nvtx.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "capture/inject/nvtx_abi.h"

static nvtx_function core[16], core2[16];
static nvtx_function *core_table[16], *core2_table[16];

static int get_module(int module, nvtx_function ***table, unsigned *n)
{
	if (module != NVTX_MODULE_CORE && module != NVTX_MODULE_CORE2)
		return 0;
	*table = module == NVTX_MODULE_CORE ? core_table : core2_table;
	*n = 16;
	return 1;
}

static const void *get_export(uint32_t id)
{
	static const struct nvtx_callbacks callbacks = { sizeof(callbacks), get_module };

	return id == NVTX_ETID_CALLBACKS_ ? &callbacks : NULL;
}

void app_nvtx_load(void)
{
	const char *path = getenv("NVTX_INJECTION64_PATH");
	void *library = path ? dlopen(path, RTLD_LAZY) : NULL, *symbol;
	int (*start)(nvtx_export_fn);
	int i;

	for (i = 0; i < 16; i++) {
		core_table[i] = &core[i];
		core2_table[i] = &core2[i];
	}
	symbol = library ? dlsym(library, "InitializeInjectionNvtx2") : NULL;
	memcpy(&start, &symbol, sizeof(symbol));
	if (start)
		(void)start(get_export);
}

void app_push(const char *s)
{
	if (core[9])
		(void)((int (*)(const char *))core[9])(s);
}

void app_pop(void)
{
	if (core[11])
		(void)((int (*)(void))core[11])();
}

long app_nvtx_everything(void)
{
	struct nvtx_attributes a = { .version = 3,
		.size = sizeof(a),
		.category = 7,
		.color_type = 1,
		.color = 0xff11aa22,
		.payload_type = NVTX_F32,
		.message_type = NVTX_TEXT_A,
		.message = "attributes \"quoted\" \\ \x01 \xff\xfe end" };
	float half = 0.5f;
	uint64_t first, second;
	void *domain, *string;

	if (!core[1] || !core2[12])
		return 0;
	memcpy(&a.payload, &half, sizeof(half));
	((void (*)(uint32_t, const char *))core[12])(7, "category seven");
	((void (*)(uint32_t, const char *))core[14])((uint32_t)getpid(), "the main thread");
	(void)((int (*)(const struct nvtx_attributes *))core[8])(&a);
	app_pop();
	((void (*)(const char *))core[2])("a mark");
	(void)((int (*)(const wchar_t *))core[10])(L"wide \x263a");
	app_pop();
	first = ((uint64_t(*)(const char *))core[5])("first of two");
	second = ((uint64_t(*)(const char *))core[5])("second of two");
	((void (*)(uint64_t))core[7])(first);
	((void (*)(uint64_t))core[7])(second);
	domain = ((void *(*)(const char *))core2[12])("my domain");
	string = ((void *(*)(void *, const char *))core2[10])(domain, "registered");
	a.message_type = NVTX_TEXT_REGISTERED;
	a.message = string;
	a.payload_type = 0;
	(void)((int (*)(void *, const struct nvtx_attributes *))core2[4])(domain, &a);
	(void)((int (*)(void *))core2[5])(domain);
	return 5;
}
