/* Names of kernels and of API functions. */
#include "capture/inject/symbols.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEMANGLED_MAX = 8192, API_NAME_MAX = 256, KERNEL_NAMES = 2 << 20 };

static void make_kernel(struct jtext *t, const char *mangled, size_t n, void *user)
{
	const struct symbols *s = user;
	char *plain = NULL;
	int status = 0;

	if (s->demangle && mangled[0] == '_' && n <= DEMANGLED_MAX)
		plain = s->demangle(mangled, NULL, NULL, &status);
	if (plain && strlen(plain) <= DEMANGLED_MAX)
		jtext_string(t, plain, strlen(plain));
	else
		jtext_string(t, mangled, n);
	free(plain);
}

bool symbols_init(struct symbols *s, api_name_fn api_name)
{
	void *f = dlsym(RTLD_DEFAULT, "__cxa_demangle");
	void *cxx = f ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);

	*s = (struct symbols){ .api_name = api_name };
	if (cxx)
		f = dlsym(cxx, "__cxa_demangle");
	memcpy(&s->demangle, &f, sizeof(f));
	s->api[0] = calloc(API_IDS_MAX, sizeof(**s->api));
	s->api[1] = calloc(API_IDS_MAX, sizeof(**s->api));
	if (intern_init(&s->kernels, KERNEL_NAMES, make_kernel, s) && s->api[0] && s->api[1])
		return true;
	symbols_free(s);
	return false;
}

static void free_api(struct api_name *api)
{
	for (size_t i = 0; api && i < API_IDS_MAX; i++)
		free((void *)(uintptr_t)api[i].json);
	free(api);
}

void symbols_free(struct symbols *s)
{
	intern_free(&s->kernels);
	free_api(s->api[0]);
	free_api(s->api[1]);
	*s = (struct symbols){ 0 };
}

struct name symbols_kernel(struct symbols *s, const char *mangled, bool *keeps)
{
	return intern_get(&s->kernels, mangled, strlen(mangled), keeps);
}

const char *symbols_stable(struct symbols *s, const char *mangled)
{
	bool keeps;

	(void)symbols_kernel(s, mangled, &keeps);
	return keeps ? intern_raw(&s->kernels, mangled, strlen(mangled)) : NULL;
}

/* ---- API functions ---- */

static bool cut_end(char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	if (n <= k || strcmp(s + n - k, end) != 0)
		return false;
	s[n - k] = 0;
	return true;
}

void symbols_api_plain(const char *cupti_name, char *text, size_t size)
{
	if (cupti_name[0] == '_')
		cupti_name += strspn(cupti_name, "_");
	(void)snprintf(text, size, "%s", cupti_name);
	char *v = strrchr(text, '_');
	if (v && v[1] == 'v' && strlen(v) >= 6 && strspn(v + 2, "0123456789") == strlen(v + 2))
		*v = 0;
	if (!cut_end(text, "_ptsz"))
		(void)cut_end(text, "_ptds");
}

static bool begins(const char *s, const char *start)
{
	return strncmp(s, start, strlen(start)) == 0;
}

static bool one_of(const char *s, const char *const *list)
{
	for (; *list; list++)
		if (begins(s, *list))
			return true;
	return false;
}

static bool is_noise(const char *name)
{
	static const char *const noise[] = { "cudaGetDevice", "cudaSetDevice", "cudaGetLastError",
		"cudaPeekAtLastError", "cudaEventCreate", "cudaEventCreateWithFlags",
		"cudaEventDestroy", NULL };

	for (size_t i = 0; noise[i]; i++)
		if (strcmp(name, noise[i]) == 0)
			return true;
	return false;
}

void symbols_classify(struct api_name *a, const char *name)
{
	static const char *const launches[] = { "Launch", "Memcpy", "Memset", "GraphLaunch",
		"StreamWaitEvent", "MemPrefetch", NULL };
	static const char *const wanted[] = { "cuLaunch", "cuGraphLaunch", "cuMemcpy", "cuMemset",
		"cuModuleLoad", "cuLibraryLoad", "cuMemCreate", "cuMemMap", "cuMemUnmap",
		"cuMemRelease", "cuMemExport", "cuMemImport", NULL };
	const char *verb = begins(name, "cuda") ? name + 4 : begins(name, "cu") ? name + 2 : "";

	a->is_launch = (one_of(verb, launches) && !begins(verb, "LaunchHostFunc")) ||
		strstr(verb, "Synchronize");
	a->is_kernel = (begins(verb, "Launch") && !begins(verb, "LaunchHostFunc")) ||
		begins(verb, "GraphLaunch");
	a->is_query = strcmp(verb, "EventQuery") == 0 || strcmp(verb, "StreamQuery") == 0;
	a->is_noise = is_noise(name);
	a->is_wanted = one_of(name, wanted) || strstr(verb, "Synchronize");
}

const struct api_name *symbols_api(struct symbols *s, bool is_runtime, uint32_t id)
{
	static const struct api_name unknown = {
		.json = "\"CUDA call\"", .n = 11, .is_wanted = true
	};
	struct api_name *a = id < API_IDS_MAX ? &s->api[is_runtime][id] : NULL;

	if (!a)
		return &unknown;
	/* The quoted name of a function, or of its number when CUPTI does not know it. */
	if (!a->json) {
		const char *name = NULL;
		char text[API_NAME_MAX];
		struct jtext json = { 0 };
		if (!s->api_name || s->api_name(is_runtime ? 2 : 1, id, &name) != 0 || !name)
			(void)snprintf(text, sizeof(text), "%s call %u",
				is_runtime ? "CUDA runtime" : "CUDA driver", id);
		else
			symbols_api_plain(name, text, sizeof(text));
		symbols_classify(a, text);
		jtext_string(&json, text, strlen(text));
		a->json = json.p;
		a->n = json.n;
	}
	return a->json ? a : &unknown;
}
