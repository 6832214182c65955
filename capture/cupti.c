/* Finding and opening libcupti, and saying what is wrong with it. */
#include "capture/cupti.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/cupti_abi.h"
#include "capture/system.h"

static const char *const sonames[] = { "libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8" };
/* The CUDA release each of them needs a driver for. */
static const int soname_release[] = { 13000, 12000, 11080 };
enum { SONAMES = sizeof(sonames) / sizeof(sonames[0]) };

/* ---- versions ---- */

/* The CUDA release an API version came with, as the driver counts: 12040; 0 when not known. */
static int cuda_release(uint32_t version)
{
	static const struct {
		uint32_t version;
		int release;
	} known[] = { { 18, 11080 }, { 19, 12000 }, { 20, 12020 }, { 21, 12030 }, { 22, 12040 },
		{ 23, 12050 }, { 24, 12060 }, { 26, 12080 }, { 27, 12090 }, { 28, 12090 } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].version == version)
			return known[i].release;
	/* 130001 is the first update of 13.0. */
	return version >= 100000 ? (int)(version / 100 * 10) : 0;
}

void cupti_version_name(uint32_t version, char *text)
{
	int release = cuda_release(version);

	if (release)
		(void)snprintf(text, 16, "%d.%d", release / 1000, release % 1000 / 10);
	else
		(void)snprintf(text, 16, "API %u", version);
}

/* Asks the driver that is in the process for its version. */
static void find_driver(struct cupti *c)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD), *symbol;
	int (*version)(int *);
	Dl_info where;

	if (!driver)
		return;
	system_symbol(driver, "cuDriverGetVersion", &version);
	if (version && version(&c->driver) != 0)
		c->driver = 0;
	memcpy(&symbol, &version, sizeof(symbol));
	if (symbol && dladdr(symbol, &where) && where.dli_fname)
		(void)snprintf(c->driver_path, sizeof(c->driver_path), "%s", where.dli_fname);
	(void)dlclose(driver);
}

/* ---- finding ---- */

static int seen_in_process(struct dl_phdr_info *info, size_t size UNUSED, void *user)
{
	char *path = user;

	if (!strstr(info->dlpi_name, "libcupti.so"))
		return 0;
	(void)snprintf(path, CUPTI_PATH_MAX, "%s", info->dlpi_name);
	return 1;
}

static void *open_at(const char *dir, const char *sub, const char *name)
{
	char path[CUPTI_PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s/%s/%s", dir, sub, name);

	return n > 0 && (size_t)n < sizeof(path) ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
}

static void *open_toolkit(const char *name)
{
	static const char *const subs[] = { "lib64", "lib", "extras/CUPTI/lib64",
		"extras/CUPTI/lib" };
	const char *dirs[] = { getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda" };
	void *h = NULL;

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]) && !h; i++)
		for (size_t k = 0;
			dirs[i] && dirs[i][0] == '/' && k < sizeof(subs) / sizeof(subs[0]) && !h;
			k++)
			h = open_at(dirs[i], subs[k], name);
	return h;
}

/* The next of what may be installed: by name, newest first, then in the toolkit's folders.  NULL
 * when there is no more. */
static void *open_next(struct cupti *c)
{
	void *h = NULL;

	while (!h && c->ntried < 2 * SONAMES) {
		int i = c->ntried % SONAMES, in_toolkit = c->ntried >= SONAMES;

		c->ntried++;
		if (!c->driver || c->driver >= soname_release[i])
			h = in_toolkit ? open_toolkit(sonames[i])
				       : dlopen(sonames[i], RTLD_LAZY | RTLD_LOCAL);
	}
	return h;
}

static bool load_functions(struct cupti *c, char *words)
{
	void *symbol;
	Dl_info where;

#define X(name, required, args)                                               \
	symbol = dlsym(c->handle, "cupti" #name);                             \
	if (!symbol && (required))                                            \
		return capture_fail(words,                                    \
			"%s has no function cupti%s: it is too old (11.8 or " \
			"newer is needed)",                                   \
			c->path, #name);                                      \
	memcpy(&c->name, &symbol, sizeof(symbol));
	CUPTI_FUNCTIONS(X)
#undef X
	memcpy(&symbol, &c->GetVersion, sizeof(symbol));
	if (dladdr(symbol, &where) && where.dli_fname)
		(void)snprintf(c->path, sizeof(c->path), "%s", where.dli_fname);
	return true;
}

/* Its functions and version. */
static bool get_to_know(struct cupti *c, char *words)
{
	c->version = 0;
	if (!load_functions(c, words))
		return false;
	if (c->GetVersion(&c->version) != CUPTI_OK || !c->version)
		return capture_fail(words, "%s does not tell its version", c->path);
	return true;
}

bool cupti_open(struct cupti *c, const char *path, char *words)
{
	char loaded[CUPTI_PATH_MAX] = "";

	*c = (struct cupti){ 0 };
	find_driver(c);
	if (path[0]) {
		c->handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
		if (!c->handle)
			return capture_fail(words, "cannot load %s: %s", path, dlerror());
	}
	if (!c->handle && dl_iterate_phdr(seen_in_process, loaded))
		c->handle = dlopen(loaded, RTLD_LAZY | RTLD_NOLOAD);
	if (c->handle)
		c->ntried = 2 * SONAMES; /* that one and no other */
	else
		c->handle = open_next(c);
	if (!c->handle)
		return capture_fail(words,
			"libcupti not found (looked for libcupti.so.13, .12, .11.8 in the loader's "
			"path, $CUDA_HOME and /usr/local/cuda): install the CUDA toolkit's CUPTI or "
			"give --cupti=PATH; recording NVTX only");
	(void)snprintf(c->path, sizeof(c->path), "%s", path[0] ? path : loaded);
	if (get_to_know(c, words))
		return true;
	(void)dlclose(c->handle);
	c->handle = NULL;
	return false;
}

/* ---- names ---- */

const char *cupti_kind_name(int kind)
{
	switch (kind) {
#define X(id, cupti, number) \
	case id: return #cupti;
		CUPTI_KINDS(X)
#undef X
	default: return "?";
	}
}

const char *cupti_code_name(const struct cupti *c, int code)
{
	const char *name = NULL;

	if (c->GetResultString(code, &name) != CUPTI_OK || !name)
		name = "an unknown error";
	return name;
}

/* ---- becoming the subscriber ---- */

/* Whether the driver lets only administrators look: a line of its parameters says so. */
static bool admins_only(void)
{
	char text[4096];

	return system_read("/proc/driver/nvidia/params", text, sizeof(text)) &&
		strstr(text, "RmProfilingAdminOnly: 1");
}

static void say_too_new(const struct cupti *c, char *words)
{
	char mine[16], driver[32] = "";

	cupti_version_name(c->version, mine);
	if (c->driver)
		(void)snprintf(
			driver, sizeof(driver), "%d.%d", c->driver / 1000, c->driver % 1000 / 10);
	if (!c->driver || cuda_release(c->version) <= c->driver)
		(void)capture_fail(words,
			"CUPTI %s (%s) could not start with this driver%s%s%s "
			"(CUPTI_ERROR_NOT_INITIALIZED)",
			mine, c->path, *driver ? " (" : "", driver, *driver ? ")" : "");
	else
		(void)capture_fail(words,
			"CUPTI %s (%s) is newer than the driver (%s): use the CUPTI of CUDA %s or "
			"older with --cupti",
			mine, c->path, driver, driver);
}

void cupti_say_why(const struct cupti *c, int code, const char *other, char *words)
{
	const char *why = NULL;

	switch (code) {
	case CUPTI_NOT_INITIALIZED: say_too_new(c, words); return;
	case CUPTI_UNKNOWN:
		(void)capture_fail(words,
			"CUPTI could not reach the driver (CUPTI_ERROR_UNKNOWN): is this "
			"libcuda.so.1 a stub? %s",
			c->driver_path);
		return;
	case CUPTI_OTHER_TOOL:
		(void)capture_fail(words,
			"another profiler holds CUPTI%s%s%s: nsys, ncu, cuda-gdb, compute-sanitizer or "
			"torch.profiler; run without it",
			*other ? " (\"" : "", other, *other ? "\")" : "");
		return;
	case CUPTI_PRIVILEGES:
		(void)capture_fail(words,
			"the driver allows GPU tracing to administrators only%s: run as root, in a "
			"container with --cap-add=SYS_ADMIN, or ask for "
			"NVreg_RestrictProfilingToAdminUsers=0",
			admins_only() ? " (RmProfilingAdminOnly 1)" : "");
		return;
	case CUPTI_VIRTUAL: why = "it is a virtual GPU"; break;
	case CUPTI_VIRTUAL_PRIVILEGES: why = "the hypervisor does not allow it"; break;
	case CUPTI_CONFIDENTIAL: why = "confidential computing is on"; break;
	case CUPTI_CMP: why = "it is a mining card"; break;
	case CUPTI_MIG: why = "MIG is on, and this CUPTI cannot trace it"; break;
	case CUPTI_WSL: why = "WSL, and this CUPTI cannot trace there"; break;
	default: break;
	}
	if (why)
		(void)capture_fail(words, "this GPU forbids tracing: %s", why);
	else
		(void)capture_fail(words, "CUPTI refuses: %s", cupti_code_name(c, code));
}

bool cupti_say_refused(const struct cupti *c, int code, const char *other, char *words)
{
	static const char end[] = "; recording NVTX only";

	cupti_say_why(c, code, other, words);
	size_t n = strlen(words);
	if (n > CAPTURE_WORDS_MAX - sizeof(end))
		n = CAPTURE_WORDS_MAX - sizeof(end);
	memcpy(words + n, end, sizeof(end));
	return false;
}

enum { OTHER_MAX = 128 };

/* What cuptiSubscribe_v2 wants to know, and where it names the other tool. */
struct subscriber_params {
	size_t size;
	const char *name;
	char *old_name;
	size_t old_size;
};

static int subscribe(struct cupti *c, cupti_callback_fn callback, void *user, char *other)
{
	struct subscriber_params params = { sizeof(params), "traceq capture", other, OTHER_MAX };
	int code;

	/* It names the other tool.  Where it excludes the functions without _v2, it is not for us.
	 */
	if (c->Subscribe_v2 && c->version < CUPTI_V13_2)
		code = c->Subscribe_v2(&c->subscriber, callback, user, &params);
	else
		code = c->Subscribe(&c->subscriber, callback, user);
	other[OTHER_MAX - 1] = 0;
	if (code != CUPTI_OK)
		c->subscriber = NULL;
	else if (!c->subscriber)
		code = CUPTI_UNKNOWN;
	return code;
}

/* An older one may start where this one does not.  It stays loaded: it may have begun something. */
static bool open_older(struct cupti *c)
{
	char words[CAPTURE_WORDS_MAX];
	void *h;

	while ((h = open_next(c))) {
		if (h == c->handle)
			continue;
		c->handle = h;
		c->path[0] = 0;
		if (get_to_know(c, words))
			return true;
	}
	return false;
}

static bool is_too_new(int code)
{
	return code == CUPTI_NOT_INITIALIZED || code == CUPTI_NOT_COMPATIBLE;
}

bool cupti_subscribe(struct cupti *c, cupti_callback_fn callback, void *user, char *words)
{
	char other[OTHER_MAX] = "";
	struct cupti newest = *c;
	int first = subscribe(c, callback, user, other), code = first;

	if (is_too_new(first))
		while ((is_too_new(code) || code == CUPTI_UNKNOWN) && open_older(c))
			code = subscribe(c, callback, user, other);
	if (code == CUPTI_OK)
		return true;
	if (is_too_new(first) && (is_too_new(code) || code == CUPTI_UNKNOWN))
		*c = newest;
	return cupti_say_refused(c, c->handle == newest.handle ? first : code, other, words);
}
