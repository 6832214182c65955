/*
 * Digest of the environment: what has to be the same for two runs to be compared.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analyze/job/digest/digest_gather.h"
#include "analyze/measure/device/devices.h"
#include "analyze/trace/run.h"

static void add_sym(struct digest_view *v, const char *key, sym text)
{
	if (text)
		digest_condition_add(
			&v->d->env, &v->d->mem, key, strings_get(&v->run->strings, text));
}

static void add_number(struct digest_view *v, const char *key, int64_t n)
{
	const char *text;

	if (n < 0)
		return;
	text = arena_printf(&v->d->mem, "%" PRId64, n);
	digest_condition_add(&v->d->env, &v->d->mem, key, span_of(text));
}

static int by_text(const void *pa, const void *pb)
{
	return span_cmp(*(const struct span *)pa, *(const struct span *)pb);
}

/* Distinct names of the GPUs with work, else of all that are listed, with ", " between. */
static void add_gpus(struct digest_view *v)
{
	const struct meta *m = &v->run->meta;
	struct span *name = arena_array(&v->scratch, m->ngpu, sizeof(*name));
	struct str b = { 0 };
	struct devices used;
	size_t i, n = 0;

	devices_init(&used, v->run, &v->scratch);
	for (i = 0; i < m->ngpu; i++)
		if (devices_find(&used, m->gpu[i].id) != SIZE_MAX)
			name[n++] = strings_get(&v->run->strings, m->gpu[i].name);
	for (i = 0; n == 0 && i < m->ngpu; i++)
		name[i] = strings_get(&v->run->strings, m->gpu[i].name);
	n = n ? n : m->ngpu;
	if (n > 1)
		qsort(name, n, sizeof(*name), by_text);
	for (i = 0; i < n; i++) {
		if (i > 0 && span_eq(name[i], name[i - 1]))
			continue;
		if (b.n)
			str_adds(&b, ", ");
		str_add(&b, name[i].p, name[i].n);
	}
	digest_condition_add(&v->d->env, &v->d->mem, "gpu", (struct span){ b.s, b.n });
	str_free(&b);
	if (m->ngpu > 0)
		add_number(v, "gpu_count", (int64_t)m->ngpu);
}

void digest_env(struct digest_view *v)
{
	const struct meta *m = &v->run->meta;

	v->d->rank = m->rank;
	v->d->world = m->world_size;
	add_gpus(v);
	add_number(v, "world_size", m->world_size);
	add_sym(v, "backend", m->backend);
	add_sym(v, "torch", m->torch);
	add_sym(v, "cuda_runtime", m->cuda_runtime);
	add_sym(v, "cuda_driver", m->cuda_driver);
	add_sym(v, "cupti", m->cupti);
	add_sym(v, "hip_runtime", m->hip_runtime);
	add_sym(v, "hip_driver", m->hip_driver);
	add_sym(v, "nccl", m->nccl_version);
	add_sym(v, "producer", m->producer);
}
