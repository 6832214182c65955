/* Names of kernels and API functions as they stand in the file: demangled, stripped, classified.
 *
 * Kernel names belong to CUPTI and may go with their module, so they are known by their bytes, not
 * by their address. */
#pragma once

#include "capture/inject/intern.h"

enum { API_IDS_MAX = 4096 };

/* What is known of one API function, by its id. */
struct api_name {
	const char *json; /* NULL: not asked for yet */
	size_t n;
	bool is_launch; /* device work, or waiting for it, may follow: gets a flow arrow */
	bool is_query;  /* asks whether something is done, and waits for nothing */
	bool is_kernel; /* kernels follow: a launch in the narrow sense */
	bool is_noise;  /* runtime calls nobody wants to see, as Kineto leaves them out */
	bool is_wanted; /* of the driver's calls, one of those that are recorded */
};

/* cuptiGetCallbackName. */
typedef int (*api_name_fn)(int domain, uint32_t id, const char **name);

struct symbols {
	struct intern kernels;
	char *(*demangle)(const char *, char *, size_t *, int *); /* NULL: names stay mangled */
	struct api_name *api[2];                                  /* driver, runtime */
	api_name_fn api_name;
};

/* Returns false when there is no memory.  api_name may be NULL. */
bool symbols_init(struct symbols *s, api_name_fn api_name);
void symbols_free(struct symbols *s);

/* A kernel's name, demangled.  *keeps as intern_get's. */
struct name symbols_kernel(struct symbols *s, const char *mangled, bool *keeps);

/* A copy of the mangled name that lives as long as s, or NULL when there is none to be had. */
const char *symbols_stable(struct symbols *s, const char *mangled);

/* An API function; lives as long as s.  is_runtime: else the driver's. */
const struct api_name *symbols_api(struct symbols *s, bool is_runtime, uint32_t id);

/* How a function is classified; `name` as the file has it.  By name, because ids differ between
 * releases and Kineto's list of ids lacks the new ones. */
void symbols_classify(struct api_name *a, const char *name);

/* CUPTI's name of a function to the one people know: "cudaLaunchKernel_v7000" and
 * "__cudaLaunchKernel_ptsz_v13000" are cudaLaunchKernel; "cuMemcpyDtoH_v2" stays.  text[size]. */
void symbols_api_plain(const char *cupti_name, char *text, size_t size);
