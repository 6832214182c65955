/*
 * `fit`: its options, understood and checked.
 */
#include <inttypes.h>
#include <string.h>

#include "analyze/fit.h"
#include "base/compiler.h"
#include "base/opt.h"
#include "base/setting.h"
#include "base/str.h"

#define SHAPE_MAX (INT64_C(1) << 40)

static enum status find_gpu(struct fit *f, const char *text, struct err *e)
{
	static const struct setting size = { "--gpu", SETTING_BYTES, "", NULL, "" };
	const struct fit_gpu *all, *g;
	struct setting_value v;
	const char *word[64], *near;
	bool is_ambiguous;
	size_t i, n;

	g = fit_gpu_find(text, &is_ambiguous);
	if (g) {
		f->gpu = g->name;
		f->capacity = g->memory;
		return OK;
	}
	if (is_ambiguous)
		return err_set(e, E_USAGE, -1, "--gpu '%s' comes in several sizes: %s-%s or %s-%s",
			text, text, text[0] == 'A' || text[0] == 'a' ? "40" : "16", text,
			text[0] == 'A' || text[0] == 'a' ? "80" : "32");
	if (setting_parse(&size, text, &v, e) == OK && v.i > 0) {
		f->capacity = v.i;
		return OK;
	}
	all = fit_gpu_all(&n);
	for (i = 0; i < n && i < COUNT_OF(word); i++)
		word[i] = all[i].name;
	near = opt_nearest(text, word, i);
	err_set(e, E_USAGE, -1, "--gpu '%s' is neither a GPU known by name nor a size", text);
	if (near)
		return err_hint(e, "did you mean '%s'? a size is written like 16GiB", near);
	return err_hint(
		e, "a size is written like 16GiB; 'traceq fit --params 7B' lists the names");
}

static enum status find_regime(struct fit *f, const char *id, struct err *e)
{
	size_t i, n;
	const struct fit_regime *all = fit_regimes(&n);
	struct str b = { 0 };

	for (i = 0; i < n; i++) {
		if (strcmp(all[i].word.id, id) == 0)
			f->only = &all[i];
		str_addf(&b, "%s%s", i ? ", " : "", all[i].word.id);
	}
	if (!f->only) {
		err_set(e, E_USAGE, -1, "--regime '%s' is none", id);
		(void)err_hint(e, "there are %s", b.s);
	}
	str_free(&b);
	return f->only ? OK : E_USAGE;
}

static enum status check_counts(const struct fit_options *o, struct err *e)
{
	const struct {
		const char *name;
		int64_t v, least;
	} counts[] = { { "gpus", o->gpus, 0 }, { "layers", o->layers, 0 },
		{ "hidden", o->hidden, 0 }, { "heads", o->heads, 0 },
		{ "kv-heads", o->kv_heads, 0 }, { "head-dim", o->head_dim, 0 },
		{ "seq", o->seq, 0 }, { "batch", o->batch, 1 } };
	size_t i;

	for (i = 0; i < COUNT_OF(counts); i++)
		if (counts[i].v < counts[i].least || counts[i].v > SHAPE_MAX)
			return err_set(e, E_USAGE, -1, "--%s wants 1 or more, got %" PRId64,
				counts[i].name, counts[i].v);
	if (o->gpus > FIT_GPUS_MAX)
		return err_set(e, E_USAGE, -1, "--gpus wants at most %d", FIT_GPUS_MAX);
	return OK;
}

static bool has_kv_shape(const struct fit_options *o)
{
	return o->layers && (o->heads || o->kv_heads) && (o->head_dim || (o->hidden && o->heads));
}

static bool has_layer_shape(const struct fit_options *o)
{
	bool is_stored = o->attention && strcmp(o->attention, "standard") == 0;

	return o->layers && o->hidden && (o->heads || !is_stored);
}

static enum status measure_shape(struct fit *f, struct err *e)
{
	const struct fit_options *o = f->o;
	struct fit_model *m = &f->model;
	bool is_small = true;

	if (has_kv_shape(o))
		is_small = fit_kv_token(o, &m->kv_token);
	if (is_small && m->kv_token && o->seq)
		is_small = !mul_overflows(m->kv_token, o->seq, &m->kv) &&
			!mul_overflows(m->kv, o->batch, &m->kv);
	if (is_small && has_layer_shape(o) && o->seq)
		is_small = fit_activations(o, &m->activations);
	if (!is_small || m->kv > INT64_C(1) << 60 || m->activations > INT64_C(1) << 60)
		return err_set(e, E_USAGE, -1, "a model of that shape has no place in 64 bits");
	if (o->seq && !m->kv && !m->activations)
		return err_set(e, E_USAGE, -1,
			"--seq needs the shape of the model: --layers, --hidden and --heads");
	return OK;
}

enum status fit_read_options(struct fit *f, const struct fit_options *o, struct err *e)
{
	static const struct setting context = { "--context", SETTING_BYTES, "", NULL, "" };
	static const struct setting lost = { "--fragmentation", SETTING_RATIO, "", NULL, "" };
	struct setting_value v;

	*f = (struct fit){ .o = o };
	TRY(check_counts(o, e));
	TRY(setting_parse(&context, o->context, &v, e));
	if (v.i > INT64_C(1) << 60)
		return err_set(e, E_USAGE, -1, "--context '%s' is too large", o->context);
	f->overhead.context = v.i;
	TRY(setting_parse(&lost, o->fragmentation, &v, e));
	f->overhead.fragmentation = v.r;
	if (o->params)
		TRY(fit_parse_params(o->params, "--params", &f->model.params, e));
	f->model.trainable = (int64_t)((double)f->model.params * FIT_TRAINABLE);
	if (o->trainable)
		TRY(fit_parse_params(o->trainable, "--trainable", &f->model.trainable, e));
	if (o->params && f->model.trainable > f->model.params)
		return err_set(e, E_USAGE, -1, "--trainable is more than --params");
	if (o->regime)
		TRY(find_regime(f, o->regime, e));
	if (o->gpu)
		TRY(find_gpu(f, o->gpu, e));
	return measure_shape(f, e);
}
