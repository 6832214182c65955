/*
 * `fit`: its tables of the model, of the regimes, and of the GPUs.
 */
#include <inttypes.h>

#include "analyze/answer/fit/fit.h"
#include "analyze/costmodel/hardware.h"
#include "base/compiler.h"
#include "base/saturate.h"
#include "base/str.h"

enum { SHOWN_GPUS = 8 }; /* N of ZeRO where neither --gpus nor --gpu is given */

/* GPUs to divide among: what was asked for, else the fewest; 0: none is enough. */
static int64_t gpus_of(const struct fit *f, const struct fit_regime *r, int64_t capacity)
{
	if (r->stage == 0)
		return 1;
	if (f->o->gpus)
		return f->o->gpus;
	return capacity ? fit_gpus(r, &f->model, &f->overhead, capacity) : SHOWN_GPUS;
}

/* 200 as "2", 56 as "0.56". */
static void add_hundredths(struct str *b, int v)
{
	if (v % 100 == 0)
		str_addf(b, "%d", v / 100);
	else
		str_addf(b, "%d.%02d", v / 100, v % 100);
}

static void put_formula(struct table *t, const struct fit_regime *r)
{
	int shared = (r->stage >= 1 ? r->optimizer : 0) + (r->stage >= 2 ? r->grads : 0) +
		(r->stage >= 3 ? r->weights : 0);
	int whole = r->weights + r->grads + r->optimizer - shared;
	struct str b = { 0 };

	if (r->is_adapter)
		whole = r->weights;
	if (whole || !shared)
		add_hundredths(&b, whole);
	if (shared) {
		str_adds(&b, whole ? " + " : "");
		add_hundredths(&b, shared);
		str_adds(&b, "/N");
	}
	if (r->is_adapter)
		str_adds(&b, " + 16");
	table_textf(t, FREG_FORMULA, "%s", b.s);
	str_free(&b);
}

static void put_need(const struct fit *f, struct table *t, const struct fit_regime *r, int64_t gpus)
{
	struct fit_need n;
	enum fit_verdict v;

	fit_need(&n, r, &f->model, &f->overhead, gpus);
	v = fit_judge(&n, f->capacity);
	table_int(t, FREG_GPUS, gpus);
	table_int(t, FREG_NEED, n.need);
	table_int(t, FREG_TOTAL, n.total);
	table_int(t, FREG_WEIGHTS, n.weights);
	table_int(t, FREG_GRADS, n.grads);
	table_int(t, FREG_OPTIMIZER, n.optimizer);
	if (!r->is_training && f->model.kv)
		table_int(t, FREG_KV, f->model.kv);
	if (r->is_training && f->model.activations)
		table_int(t, FREG_ACTIVATIONS, f->model.activations);
	if (v == FIT_UNKNOWN)
		return;
	table_real(t, FREG_RATIO, (double)n.total / (double)f->capacity);
	table_text(t, FREG_VERDICT, span_of(fit_verdict_word(v)));
	if (v == FIT_TOO_LARGE)
		return;
	table_int(t, FREG_FREE, f->capacity - n.total);
	if (!r->is_training && f->model.kv_token)
		table_int(t, FREG_TOKENS,
			saturate_whole((double)(f->capacity - n.total) /
				(1 + f->overhead.fragmentation) / (double)f->model.kv_token));
}

void fit_put_regimes(const struct fit *f, struct result *out, const struct table_doc *doc)
{
	struct table *t = result_table(out, doc->id, doc->title, doc->col, doc->ncol);
	size_t i, n;
	const struct fit_regime *r = fit_regimes(&n);

	for (i = 0; i < n; i++) {
		int64_t gpus = gpus_of(f, &r[i], f->capacity);

		if (f->only && f->only != &r[i])
			continue;
		table_row(t);
		table_text(t, FREG_REGIME, span_of(r[i].word.text));
		table_text(t, FREG_ID, span_of(r[i].word.id));
		put_formula(t, &r[i]);
		if (f->capacity && gpus)
			table_int(t, FREG_MOST,
				fit_most_params(&r[i], &f->model, &f->overhead, f->capacity, gpus));
		if (!f->model.params)
			continue;
		if (gpus)
			put_need(f, t, &r[i], gpus);
		else
			table_text(t, FREG_VERDICT, span_of(fit_verdict_word(FIT_TOO_LARGE)));
	}
}

/*
 * Of inference or training: the best verdict on `capacity`, and among those the largest need.
 * Regimes on several GPUs count when --gpus says how many.
 */
static const struct fit_regime *best_of(
	const struct fit *f, int64_t capacity, bool is_training, enum fit_verdict *verdict)
{
	size_t i, n;
	const struct fit_regime *r = fit_regimes(&n), *best = NULL;
	int64_t most = 0;

	*verdict = FIT_TOO_LARGE;
	for (i = 0; i < n; i++) {
		struct fit_need need;
		enum fit_verdict v;

		if (r[i].is_training != is_training || (r[i].stage && !f->o->gpus))
			continue;
		fit_need(&need, &r[i], &f->model, &f->overhead, r[i].stage ? f->o->gpus : 1);
		v = fit_judge(&need, capacity);
		if (v > *verdict || v == FIT_TOO_LARGE || (v == *verdict && need.need <= most))
			continue;
		best = &r[i];
		*verdict = v;
		most = need.need;
	}
	return best;
}

static void put_best(
	const struct fit *f, struct table *t, size_t col, int64_t capacity, bool is_training)
{
	enum fit_verdict v;
	const struct fit_regime *r = best_of(f, capacity, is_training, &v);

	if (!r)
		table_text(t, col, SPAN("nothing fits"));
	else if (v == FIT_TIGHT)
		table_textf(t, col, "%s (tight)", r->word.text);
	else
		table_text(t, col, span_of(r->word.text));
}

/* The fewest GPUs that hold it with everything divided; 0: no number is enough. */
static int64_t zero3_gpus(const struct fit *f, int64_t capacity)
{
	size_t n;
	const struct fit_regime *r = fit_regimes(&n);

	return fit_gpus(&r[n - 1], &f->model, &f->overhead, capacity);
}

static void put_training(const struct fit *f, struct table *t)
{
	enum fit_verdict v;
	int64_t gpus;

	if (best_of(f, f->capacity, true, &v)) {
		put_best(f, t, FMODEL_TRAINING, f->capacity, true);
		return;
	}
	gpus = zero3_gpus(f, f->capacity);
	if (gpus)
		table_textf(t, FMODEL_TRAINING, "nothing fits on %s; ZeRO-3 on %" PRId64 " GPUs",
			f->o->gpus > 1 ? "them" : "one", gpus);
	else
		table_text(t, FMODEL_TRAINING, SPAN("nothing fits"));
}

void fit_put_model(const struct fit *f, struct result *out, const struct table_doc *doc)
{
	struct table *t = result_table(out, doc->id, doc->title, doc->col, doc->ncol);

	t->layout = TABLE_LIST;
	table_row(t);
	if (f->model.params)
		table_int(t, FMODEL_PARAMS, f->model.params);
	if (f->model.trainable)
		table_int(t, FMODEL_TRAINABLE, f->model.trainable);
	table_int(t, FMODEL_CONTEXT, f->overhead.context);
	table_real(t, FMODEL_FRAGMENTATION, f->overhead.fragmentation);
	if (f->gpu)
		table_textf(t, FMODEL_GPU, "%s", f->gpu);
	if (!f->capacity)
		return;
	table_int(t, FMODEL_CAPACITY, f->capacity);
	table_int(t, FMODEL_USABLE, saturate_whole((double)f->capacity * FIT_USABLE));
	if (!f->model.params)
		return;
	put_best(f, t, FMODEL_INFERENCE, f->capacity, false);
	put_training(f, t);
}

void fit_put_gpus(const struct fit *f, struct result *out, const struct table_doc *doc)
{
	struct table *t = result_table(out, doc->id, doc->title, doc->col, doc->ncol);
	size_t i, n;
	const struct hardware *g = hardware_all(&n);

	for (i = 0; i < n; i++) {
		int64_t gpus;

		if (g[i].is_variant)
			continue;
		gpus = zero3_gpus(f, g[i].memory);
		table_row(t);
		table_text(t, FGPU_NAME, span_of(g[i].name));
		table_int(t, FGPU_MEMORY, g[i].memory);
		put_best(f, t, FGPU_INFERENCE, g[i].memory, false);
		put_best(f, t, FGPU_TRAINING, g[i].memory, true);
		if (gpus)
			table_int(t, FGPU_MOST, gpus);
	}
}
