/*
 * Memory of GPUs by name.  What a GPU exposes is less than its name says: ECC, firmware and page
 * tables take their part, and drivers differ by about 1 %.
 */
#include "analyze/measure/capacity.h"

#include <ctype.h>
#include <string.h>

#include "base/compiler.h"
#include "base/opt.h"
#include "base/setting.h"

#define MIB(n) ((int64_t)(n) << 20)

/* A GPU; a macro, and no braces, so that clang-format wraps it instead of aligning. */
#define GPU(name, also, memory)    \
	{                          \
		name, also, memory \
	}

/*
 * Source: total_memory of torch's device properties, as traces (totalGlobalMem) and PyTorch's
 * out-of-memory messages ("total capacity of 79.11 GiB") show it; AMD's multi-die boards by die.
 * Newer drivers expose less of some: 14.56 to 14.58 GiB of a T4.
 *
 * Checked against a second source, the totals NVML reports (nvidia-smi), which are 0.5 to 2.5 %
 * larger: T4 15,360, A10 23,028, L4 23,034, L40S 46,068, A100 40,960 and 81,920, H100 81,559, H200
 * 143,771 MiB (tests/unit/analyze/answer/fit/test_fit.c).  The others have that one source.
 */
static const struct capacity gpus[] = {
	GPU("T4", "T4-16|T4 16GB", MIB(15102)),
	GPU("P100-16", "P100|P100-PCIE-16GB|P100-SXM2-16GB", MIB(16276)),
	GPU("V100-16", "V100-SXM2-16GB|V100-PCIE-16GB", INT64_C(16945512448)),
	GPU("V100-32", "V100-SXM2-32GB|V100-PCIE-32GB|V100-SXM3-32GB|V100-DGXS-32GB|V100S",
		INT64_C(34079637504)),
	GPU("A10", "A10G|A10-24", MIB(22515)),
	GPU("A30", "A30-24", MIB(24068)),
	GPU("A40", "A40-48", MIB(45416)),
	GPU("A100-40", "A100-SXM4-40GB|A100-PCIE-40GB|A100-PG509-200", INT64_C(42297524224)),
	GPU("A100-80", "A100-SXM4-80GB|A100-80GB-PCIe|A100-SXM-80GB|A800|A800-SXM4-80GB",
		MIB(81038)),
	GPU("L4", "L4-24", MIB(22563)),
	GPU("L40S", "L40|L20|L40-48", MIB(45469)),
	GPU("H100-80", "H100|H100-80GB-HBM3|H100-SXM5-80GB|H100-PCIe|H800", MIB(81008)),
	GPU("H100-94", "H100-NVL", MIB(95232)),
	GPU("H20", "H20-96", MIB(97300)),
	GPU("H200", "H200-141|H200-NVL", MIB(143073)),
	GPU("B200", "B200-180|B200-192", MIB(182630)),
	GPU("RTX-2080-Ti", "2080Ti", MIB(11011)),
	GPU("RTX-3060", "3060|RTX-3060-12", MIB(12042)),
	GPU("RTX-3080", "3080|RTX-3080-10", MIB(10009)),
	GPU("RTX-3090", "3090|RTX-3090-Ti|3090Ti", MIB(24258)),
	GPU("RTX-4080", "4080|RTX-4080-SUPER", MIB(16066)),
	GPU("RTX-4090", "4090", MIB(24083)),
	GPU("RTX-5090", "5090", MIB(32112)),
	GPU("RTX-A6000", "A6000|RTX-6000-Ada|RTX-6000-Ada-Generation", MIB(48670)),
	GPU("MI210", "MI210-64", INT64_C(68702699520)),
	GPU("MI250", "MI250X|MI250X-die", INT64_C(68702699520)),
	GPU("MI300X", "MI300|MI300X-192", INT64_C(206141652992)),
	GPU("MI325X", "MI325|MI325X-256", MIB(262128)),
};

static const char *const several[] = { "A100", "V100" };

const struct capacity *capacity_all(size_t *n)
{
	*n = COUNT_OF(gpus);
	return gpus;
}

/* Letters and digits only, in lower case, without the maker's words. */
static void plain_name(const char *p, size_t n, char *out, size_t cap)
{
	static const char *const makers[] = { "nvidia", "amd", "tesla", "geforce", "instinct" };
	size_t i, used = 0;

	for (i = 0; i < n && used + 1 < cap; i++)
		if (isalnum((unsigned char)p[i]))
			out[used++] = (char)tolower((unsigned char)p[i]);
	out[used] = '\0';
	for (i = 0; i < COUNT_OF(makers); i++) {
		size_t len = strlen(makers[i]);

		if (strncmp(out, makers[i], len) == 0) {
			used -= len;
			memmove(out, out + len, used + 1);
		}
	}
	if (used > 2 && strcmp(out + used - 2, "gb") == 0)
		out[used - 2] = '\0';
}

enum { NAME_MAX_BYTES = 64 };

static bool is_named(const char *want, const char *name, size_t n)
{
	char other[NAME_MAX_BYTES];

	plain_name(name, n, other, sizeof(other));
	return strcmp(want, other) == 0;
}

static bool is_gpu(const struct capacity *g, const char *want)
{
	const char *p = g->also;

	if (is_named(want, g->name, strlen(g->name)))
		return true;
	while (*p) {
		size_t n = strcspn(p, "|");

		if (is_named(want, p, n))
			return true;
		p += n + (p[n] == '|');
	}
	return false;
}

const struct capacity *capacity_find(const char *name, bool *is_ambiguous)
{
	char want[NAME_MAX_BYTES];
	size_t i;

	*is_ambiguous = false;
	plain_name(name, strlen(name), want, sizeof(want));
	for (i = 0; i < COUNT_OF(several); i++)
		*is_ambiguous |= is_named(want, several[i], strlen(several[i]));
	for (i = 0; i < COUNT_OF(gpus); i++)
		if (is_gpu(&gpus[i], want))
			return &gpus[i];
	return NULL;
}

/* The sizes that a name without one could mean. */
static enum status ambiguous(const char *option, const char *text, struct err *e)
{
	bool is_a100 = tolower((unsigned char)text[strlen(text) - 4]) == 'a';

	return err_set(e, E_USAGE, -1, "%s '%s' comes in several sizes: %s or %s", option, text,
		is_a100 ? "A100-40" : "V100-16", is_a100 ? "A100-80" : "V100-32");
}

enum { NAMES_MAX = 64 };
_Static_assert(COUNT_OF(gpus) <= NAMES_MAX, "names for did-you-mean");

enum status capacity_parse(const char *text, const char *option, struct capacity *c, struct err *e)
{
	const struct setting size = { option, SETTING_BYTES, "", NULL, "" };
	const struct capacity *g;
	struct setting_value v;
	const char *word[NAMES_MAX], *near;
	bool is_ambiguous;
	size_t i;

	g = capacity_find(text, &is_ambiguous);
	if (g) {
		*c = *g;
		return OK;
	}
	if (is_ambiguous)
		return ambiguous(option, text, e);
	if (setting_parse(&size, text, &v, e) == OK && v.i > 0) {
		*c = (struct capacity){ .name = NULL, .memory = v.i };
		return OK;
	}
	for (i = 0; i < COUNT_OF(gpus); i++)
		word[i] = gpus[i].name;
	near = opt_nearest(text, word, i);
	err_set(e, E_USAGE, -1, "%s '%s' is neither a GPU known by name nor a size", option, text);
	if (near)
		return err_hint(e, "did you mean '%s'? a size is written like 16GiB", near);
	return err_hint(
		e, "a size is written like 16GiB; 'traceq fit --params 7B' lists the names");
}
