/* Trying the driver and CUPTI in this process. */
#include "capture/precheck.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/cupti.h"
#include "capture/cupti_abi.h"
#include "capture/launch.h"
#include "capture/process_identity.h"
#include "capture/system.h"

static void add(struct precheck *p, const char *what, bool is_wrong, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
static void add(struct precheck *p, const char *what, bool is_wrong, const char *fmt, ...)
{
	struct precheck_item *item = &p->item[p->n];
	va_list ap;

	if (p->n == PRECHECK_ITEMS_MAX)
		return;
	p->n++;
	item->what = what;
	item->is_wrong = is_wrong;
	p->records_gpu = p->records_gpu && !is_wrong;
	va_start(ap, fmt);
	(void)vsnprintf(item->text, sizeof(item->text), fmt, ap);
	va_end(ap);
}

static void look_driver(struct precheck *p)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY);
	int (*init)(unsigned), (*version)(int *), (*count)(int *);
	int code, v = 0, n = 0;

	if (!driver) {
		add(p, "driver", true, "none: libcuda.so.1 not found");
		return;
	}
	system_symbol(driver, "cuInit", &init);
	system_symbol(driver, "cuDriverGetVersion", &version);
	system_symbol(driver, "cuDeviceGetCount", &count);
	code = init ? init(0) : -1;
	if (code != 0) {
		add(p, "driver", true, "cuInit fails with code %d", code);
		return;
	}
	if (version)
		(void)version(&v);
	if (count)
		(void)count(&n);
	add(p, "driver", false, "CUDA %d.%d, devices: %d", v / 1000, v % 1000 / 10, n);
}

static void ignore(
	void *user UNUSED, int domain UNUSED, uint32_t id UNUSED, const void *data UNUSED)
{
}

enum { TRY_BYTES = 65536 };

/* Buffers for what CUPTI may tell meanwhile, of itself. */
static void lend(uint8_t **buffer, size_t *size, size_t *records)
{
	*buffer = calloc(1, TRY_BYTES);
	*size = *buffer ? TRY_BYTES : 0;
	*records = 0;
}

static void take_back(void *context UNUSED, uint32_t stream UNUSED, uint8_t *buffer,
	size_t size UNUSED, size_t valid UNUSED)
{
	free(buffer);
}

/* What a recording does first, tried: buffers, and each kind on and off.  A driver that lets
 * administrators only may say so no sooner. */
static void try_recording(struct precheck *p, const struct cupti *c)
{
	static const int kinds[] = { ACT_KERNEL, ACT_MEMCPY, ACT_MEMCPY2, ACT_MEMSET, ACT_RUNTIME,
		ACT_SYNC, ACT_OVERHEAD };
	enum { N = sizeof(kinds) / sizeof(kinds[0]) };
	char words[CAPTURE_WORDS_MAX], refused[256] = "";
	int code = c->ActivityRegisterCallbacks(lend, take_back), last = CUPTI_OK;
	size_t i, nrefused = 0, n = 0;
	bool lacks_kernels = false;

	if (code != CUPTI_OK) {
		add(p, "tracing", true, "CUPTI takes no buffers (%s); recording NVTX only",
			cupti_code_name(c, code));
		return;
	}
	for (i = 0; i < N; i++) {
		code = c->ActivityEnable(kinds[i]);
		if (code == CUPTI_OK) {
			(void)c->ActivityDisable(kinds[i]);
			continue;
		}
		lacks_kernels |= kinds[i] == ACT_KERNEL;
		last = code;
		nrefused++;
		n += (size_t)snprintf(refused + n, sizeof(refused) - n, "%s%s",
			n ? ", " : "refused: ", cupti_kind_name(kinds[i]));
	}
	if (nrefused == N) {
		(void)cupti_say_refused(c, last, "", words);
		add(p, "tracing", true, "%s", words);
	} else if (nrefused) {
		cupti_say_why(c, last, "", words);
		add(p, "tracing", lacks_kernels, "CUPTI can be subscribed to; %s (%s): %s", refused,
			cupti_code_name(c, last), words);
	} else {
		add(p, "tracing", false, "CUPTI can be subscribed to, and records");
	}
}

static void look_cupti(struct precheck *p, const char *path)
{
	char words[CAPTURE_WORDS_MAX], version[16];
	struct cupti c;

	if (!cupti_open(&c, path, words)) {
		add(p, "CUPTI", true, "%s", words);
		return;
	}
	bool is_ours = p->records_gpu && cupti_subscribe(&c, ignore, NULL, words);
	cupti_version_name(c.version, version);
	add(p, "CUPTI", false, "%s (%s)", version, c.path);
	if (!is_ours) {
		if (p->records_gpu)
			add(p, "tracing", true, "%s", words);
		return;
	}
	try_recording(p, &c);
	(void)c.Unsubscribe(c.subscriber);
}

void precheck_look(struct precheck *p, const char *cupti)
{
	const char *other = launch_other_tool();
	char library[CAPTURE_PATH_MAX], words[CAPTURE_WORDS_MAX];

	p->n = 0;
	p->records_gpu = true;
	if (launch_find_library(NULL, library, words))
		add(p, "library", false, "%s", library);
	else
		add(p, "library", true, "%s", words);
	/* cuInit here must not load what another tool, or we, would inject. */
	(void)unsetenv("CUDA_INJECTION64_PATH");
	look_driver(p);
	look_cupti(p, cupti);
	void *nvml = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
	add(p, "NVML", false,
		nvml ? "there: --nvml=100ms samples power and clocks"
		     : "none: libnvidia-ml.so.1 not found");
	if (nvml)
		(void)dlclose(nvml);
	if (other)
		add(p, "other tool", true, "%s is set; capture refuses without --force", other);
	struct process_identity w;
	process_identity_ask(&w);
	if (w.rank < 0)
		add(p, "rank", false, "none in the environment");
	else
		add(p, "rank", false, "%d", w.rank);
}
