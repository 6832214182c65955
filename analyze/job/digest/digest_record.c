/*
 * Digest of what other files say: environment and configuration under the house's words.
 */
#include "analyze/job/digest/digest_gather.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "base/unit.h"

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
};

/* Numbers as they are, however they are written: 1e-5 is 1e-05. */
static struct span text_of(const struct scalar *s, struct arena *mem)
{
	struct str b = { 0 };
	const char *text;

	switch (s->type) {
	case SCALAR_NULL: return SPAN("null");
	case SCALAR_BOOL: return s->number != 0 ? SPAN("true") : SPAN("false");
	case SCALAR_TEXT: return s->text;
	case SCALAR_NUMBER: break;
	}
	unit_put_real(&b, s->number);
	text = arena_copy(mem, b.s, b.n);
	str_free(&b);
	return span_of(text);
}

static void add_env(struct digest *d, const struct scalar *s)
{
	size_t i;

	for (i = 0; i < COUNT_OF(keys); i++)
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

void digest_record(struct digest *d, const struct run *r)
{
	const struct record *record = r->record;
	size_t i;

	if (!record)
		return;
	if (!r->has_trace && record->nartifact > 0)
		d->kind = record->artifact[0].kind;
	d->is_aside = !r->has_trace && is_aside(record);
	for (i = 0; i < record->env.n; i++)
		add_env(d, &record->env.v[i]);
	for (i = 0; i < record->config.n; i++) {
		const struct scalar *s = &record->config.v[i];

		digest_condition_add(&d->config, &d->mem, arena_copy(&d->mem, s->key.p, s->key.n),
			text_of(s, &d->mem));
	}
}
