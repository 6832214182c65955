/* Digest of the environment: what has to be the same for two runs to be compared. */
#include "analyze/job/digest/digest_gather.h"

#include "analyze/measure/device/devices.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "base/base.h"
#include "base/unit.h"

static void add_sym(struct digest_view *v, const char *key, sym text)
{
	if (text)
		digest_condition_add(
			&v->d->env, &v->d->mem, key, strings_get(&v->run->strings, text));
}

static void add_number(struct digest_view *v, const char *key, int64_t n)
{
	if (n < 0)
		return;
	const char *text = arena_printf(&v->d->mem, "%" PRId64, n);
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
	size_t n = 0;

	devices_init(&used, v->run, &v->scratch);
	for (size_t i = 0; i < m->ngpu; i++)
		if (devices_find(&used, m->gpu[i].id) != SIZE_MAX)
			name[n++] = strings_get(&v->run->strings, m->gpu[i].name);
	for (size_t i = 0; n == 0 && i < m->ngpu; i++)
		name[i] = strings_get(&v->run->strings, m->gpu[i].name);
	n = n ? n : m->ngpu;
	sort_rows(name, n, sizeof(*name), by_text);
	for (size_t i = 0; i < n; i++) {
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

/* What the profiler was told to record beside ops, which takes time of the host's: as the trace
 * says, else by what it has. */
static void add_recorded(struct digest_view *v, const char *key, enum tristate said, enum kind kind)
{
	bool is_yes = said == YES || v->run->kind_count[kind] > 0;

	if (v->run->kind_count[KIND_OP] > 0)
		digest_condition_add(
			&v->d->env, &v->d->mem, key, is_yes ? SPAN("yes") : SPAN("no"));
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
	add_sym(v, "host", m->host_name);
	add_recorded(v, "with_stack", m->with_stack, KIND_PYTHON);
	add_recorded(v, "profile_memory", m->profile_memory, KIND_MEMORY);
}

/* Digest of what other files say: environment and configuration under the house's words. */

/* Keys of environments, as their writers spell them, and ours. */
static const struct {
	const char *key, *ours;
} keys[] = {
	{ "gpu_name", "gpu" },
	{ "gpu_count", "gpu_count" },
	{ "device_count", "gpu_count" },
	{ "gpu_info.device_count", "gpu_count" },
	{ "world_size", "world_size" },
	{ "torch_version", "torch" },
	{ "pytorch_version", "torch" },
	{ "torch", "torch" },
	{ "cuda_version", "cuda_runtime" },
	{ "driver_version", "cuda_driver" },
	{ "nccl_version", "nccl" },
	{ "transformers_version", "transformers" },
	{ "trl_version", "trl" },
	{ "python_version", "python" },
	{ "platform", "platform" },
	{ "hostname", "host" },
	{ "host_name", "host" },
	{ "host", "host" },
};

/* Numbers as they are, however they are written: 1e-5 is 1e-05. */
static struct span text_of(const struct scalar *s, struct arena *mem)
{
	SCOPED_STR b = { 0 };

	switch (s->type) {
	case SCALAR_NULL: return SPAN("null");
	case SCALAR_BOOL: return s->number != 0 ? SPAN("true") : SPAN("false");
	case SCALAR_TEXT: return s->text;
	case SCALAR_NUMBER: break;
	}
	unit_put_real(&b, s->number);
	const char *text = arena_copy(mem, b.s, b.n);
	return span_of(text);
}

static void add_env(struct digest *d, const struct scalar *s)
{
	for (size_t i = 0; i < COUNT_OF(keys); i++)
		if (span_is(s->key, keys[i].key) && s->type != SCALAR_NULL &&
			!digest_condition(&d->env, keys[i].ours).p)
			digest_condition_add(&d->env, &d->mem, keys[i].ours, text_of(s, &d->mem));
}

/* Only how a run was made: no figure of what came out. */
static bool is_aside(const struct record *r)
{
	return r->nseries == 0 && r->nsheet == 0 && r->scalars.n == 0 &&
		(r->config.n > 0 || r->env.n > 0);
}

/* The rank that all series of a log are of; -1: none, or several. */
static int64_t rank_of(const struct record *r)
{
	static const char word[] = "rank ";
	int64_t rank = -1;

	for (size_t i = 0; i < r->nseries; i++) {
		struct span group = r->series[i]->group;
		int64_t of = 0;

		for (size_t k = sizeof(word) - 1; k < group.n && is_digit(group.p[k]); k++)
			of = of > INT32_MAX ? of : of * 10 + (group.p[k] - '0');
		if (!span_starts(group, word) || (rank >= 0 && rank != of))
			return -1;
		rank = of;
	}
	return rank;
}

void digest_record(struct digest *d, const struct run *r)
{
	const struct record *record = r->record;

	if (!record)
		return;
	if (!r->has_trace && record->nartifact > 0)
		d->kind = record->artifact[0].kind;
	if (!r->has_trace)
		d->rank = rank_of(record);
	d->is_aside = !r->has_trace && is_aside(record);
	for (size_t i = 0; i < record->env.n; i++)
		add_env(d, &record->env.v[i]);
	for (EACH(const struct scalar, s, record->config.v, record->config.n)) {
		digest_condition_add(&d->config, &d->mem, arena_copy(&d->mem, s->key.p, s->key.n),
			text_of(s, &d->mem));
	}
}
