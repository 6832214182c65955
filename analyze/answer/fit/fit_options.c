/*
 * `fit`: its options, understood and checked.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "analyze/answer/fit/fit.h"
#include "analyze/costmodel/capacity.h"
#include "base/compiler.h"
#include "base/saturate.h"
#include "base/setting.h"
#include "base/str.h"

#define SHAPE_MAX (INT64_C(1) << 40)

static int64_t factor_of(const char *suffix)
{
	static const struct {
		char letter;
		int64_t factor;
	} words[] = { { 'k', 1000 }, { 'm', 1000000 }, { 'b', 1000000000 }, { 'g', 1000000000 },
		{ 't', INT64_C(1000000000000) } };
	size_t i;

	while (*suffix == ' ')
		suffix++;
	if (!*suffix)
		return 1;
	for (i = 0; i < COUNT_OF(words); i++)
		if (tolower((unsigned char)*suffix) == words[i].letter && !suffix[1])
			return words[i].factor;
	return 0;
}

static enum status no_params(const char *text, const char *option, struct err *e)
{
	err_set(e, E_USAGE, -1, "'%s' is no value for '%s': a number of parameters is wanted", text,
		option);
	return err_hint(e, "such as 7B, 0.5B, 494M or 494,033,920; at most 1000T");
}

enum status fit_parse_params(const char *text, const char *option, int64_t *n, struct err *e)
{
	int64_t digits = 0, scale = 1, factor;
	bool has_point = false, has_digit = false;
	const char *p;

	for (p = text; isdigit((unsigned char)*p) || *p == '.' || *p == ',' || *p == '_'; p++) {
		if (*p == '.' && has_point)
			return no_params(text, option, e);
		has_point |= *p == '.';
		if (!isdigit((unsigned char)*p))
			continue;
		has_digit = true;
		if (digits > FIT_PARAMS_MAX || scale > FIT_PARAMS_MAX)
			return no_params(text, option, e);
		digits = digits * 10 + (*p - '0');
		scale *= has_point ? 10 : 1;
	}
	factor = factor_of(p);
	if (!has_digit || factor == 0)
		return no_params(text, option, e);
	while (scale > 1 && factor > 1) {
		scale /= 10;
		factor /= 10;
	}
	if (scale > 1 || mul_overflows(digits, factor, n) || *n < 1 || *n > FIT_PARAMS_MAX)
		return no_params(text, option, e);
	return OK;
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
	return OK;
}

enum status fit_check_shape(const struct fit *f, struct err *e)
{
	if (f->o->seq && !f->model.kv && !f->model.activations)
		return err_set(e, E_USAGE, -1,
			"--seq needs the shape of the model: --layers, --hidden and --heads");
	return OK;
}

enum status fit_read_options(struct fit *f, const struct fit_options *o, struct err *e)
{
	static const struct setting context = { "--context", SETTING_BYTES, "", NULL, "" };
	static const struct setting lost = { "--fragmentation", SETTING_RATIO, "", NULL, "" };
	struct capacity gpu = { NULL, 0 };
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
	f->model.trainable = saturate_whole((double)f->model.params * FIT_TRAINABLE);
	if (o->trainable)
		TRY(fit_parse_params(o->trainable, "--trainable", &f->model.trainable, e));
	if (o->params && f->model.trainable > f->model.params)
		return err_set(e, E_USAGE, -1, "--trainable is more than --params");
	if (o->regime)
		TRY(find_regime(f, o->regime, e));
	if (o->gpu)
		TRY(capacity_parse(o->gpu, "--gpu", &gpu, e));
	f->gpu = gpu.name;
	f->capacity = gpu.memory;
	return measure_shape(f, e);
}
