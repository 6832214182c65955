/*
 * Version numbers as people write them.
 */
#include "analyze/answer/info/info.h"

#include "base/compiler.h"

enum { DIGITS_MAX = 15, NCCL_CODE_MIN = 10000 };

/* The number text is, or -1. */
static int64_t number_of(struct span text)
{
	int64_t n = 0;
	size_t i;

	if (text.n == 0 || text.n > DIGITS_MAX)
		return -1;
	for (i = 0; i < text.n; i++) {
		if (text.p[i] < '0' || text.p[i] > '9')
			return -1;
		n = n * 10 + (text.p[i] - '0');
	}
	return n;
}

/*
 * CUDA_VERSION = 1000 major + 10 minor; HIP_VERSION = 10^7 major + 10^5 minor + patch;
 * NCCL_VERSION_CODE = 10^4 major + 100 minor + patch since 2.9.
 */
void info_version(struct str *b, enum info_component c, struct span raw)
{
	int64_t n = number_of(raw);

	if (c == INFO_CUDA && n >= 1000)
		str_addf(b, "%lld.%lld", (long long)(n / 1000), (long long)(n % 1000 / 10));
	else if (c == INFO_HIP && n >= 10000000)
		str_addf(b, "%lld.%lld.%lld", (long long)(n / 10000000),
			(long long)(n / 100000 % 100), (long long)(n % 100000));
	else if (c == INFO_NCCL && n >= NCCL_CODE_MIN)
		str_addf(b, "%lld.%lld.%lld", (long long)(n / 10000), (long long)(n / 100 % 100),
			(long long)(n % 100));
	else
		str_add(b, raw.p, raw.n);
}

/* What a trace can name, in the order of the table. */
struct named_version {
	const char *name;
	enum info_component how;
	sym raw;
};

enum { COMPONENTS = 8 };

static void list_versions(const struct meta *m, struct named_version v[COMPONENTS])
{
	const struct named_version all[COMPONENTS] = {
		{ "PyTorch", INFO_PLAIN, m->torch },
		{ "CUDA runtime", INFO_CUDA, m->cuda_runtime },
		{ "CUDA driver", INFO_CUDA, m->cuda_driver },
		{ "CUPTI", INFO_PLAIN, m->cupti },
		{ "HIP runtime", INFO_HIP, m->hip_runtime },
		{ "HIP driver", INFO_HIP, m->hip_driver },
		{ "roctracer", INFO_PLAIN, m->roctracer },
		{ "NCCL", INFO_NCCL, m->nccl_version },
	};

	memcpy(v, all, sizeof(all));
}

void info_software(const struct info *f, struct str *b)
{
	struct named_version v[COMPONENTS];
	size_t i;

	list_versions(&f->at->run->meta, v);
	for (i = 0; i < COMPONENTS; i++) {
		if (v[i].raw == 0)
			continue;
		str_adds(b, b->n > 0 ? ", " : "");
		str_adds(b, v[i].name);
		str_addc(b, ' ');
		info_version(b, v[i].how, strings_get(&f->at->run->strings, v[i].raw));
	}
}

void info_software_table(struct info *f)
{
	struct table *t = perrun_table(f->at, &info_docs[INFO_SOFTWARE]);
	struct named_version v[COMPONENTS];
	struct str b = { 0 };
	size_t i;

	list_versions(&f->at->run->meta, v);
	for (i = 0; i < COMPONENTS; i++) {
		if (v[i].raw == 0)
			continue;
		str_reset(&b);
		info_version(&b, v[i].how, strings_get(&f->at->run->strings, v[i].raw));
		TABLE_ROW(t, [SOFTWARE_COMPONENT] = cell_word(v[i].name),
			[SOFTWARE_VERSION] =
				cell_text((struct span){ arena_copy(t->mem, b.s, b.n), b.n }),
			[SOFTWARE_RAW] = info_cell(f, v[i].raw));
	}
	str_free(&b);
}
