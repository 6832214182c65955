/* `fit`: its tables of the model, of the regimes, and of the GPUs. */
#include "analyze/answer/fit/fit.h"
#include "analyze/costmodel/hardware.h"

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
	TABLE_CELLS(t, [FREG_FORMULA] = cell_str(t, &b));
}

static void put_need(const struct fit *f, struct table *t, const struct fit_regime *r, int64_t gpus)
{
	struct fit_need n;

	fit_need(&n, r, &f->model, &f->overhead, gpus);
	enum fit_verdict v = fit_judge(&n, f->capacity);
	TABLE_CELLS(t, [FREG_GPUS] = cell_int(gpus), [FREG_NEED] = cell_int(n.need),
		[FREG_TOTAL] = cell_int(n.total), [FREG_WEIGHTS] = cell_int(n.weights),
		[FREG_GRADS] = cell_int(n.grads), [FREG_OPTIMIZER] = cell_int(n.optimizer),
		[FREG_KV] = CELL_IF(!r->is_training && f->model.kv, cell_int(f->model.kv)),
		[FREG_ACTIVATIONS] = CELL_IF(
			r->is_training && f->model.activations, cell_int(f->model.activations)));
	if (v == FIT_UNKNOWN)
		return;
	TABLE_CELLS(t, [FREG_RATIO] = cell_real((double)n.total / (double)f->capacity),
		[FREG_VERDICT] = cell_word(fit_verdict_word(v)));
	if (v == FIT_TOO_LARGE)
		return;
	TABLE_CELLS(t, [FREG_FREE] = cell_int(f->capacity - n.total),
		[FREG_TOKENS] = CELL_IF(!r->is_training && f->model.kv_token,
			cell_int(saturate_whole((double)(f->capacity - n.total) /
				(1 + f->overhead.fragmentation) / (double)f->model.kv_token))));
}

void fit_put_regimes(const struct fit *f, struct result *out)
{
	struct table *t = result_table_of(out, &fit_docs[FIT_REGIMES]);
	size_t n;
	const struct fit_regime *r = fit_regimes(&n);

	for (EACH(const struct fit_regime, regime, r, n)) {
		int64_t gpus = gpus_of(f, regime, f->capacity);

		if (f->only && f->only != regime)
			continue;
		TABLE_ROW(t, [FREG_REGIME] = cell_word(regime->word.text),
			[FREG_ID] = cell_word(regime->word.id));
		put_formula(t, regime);
		if (f->capacity && gpus)
			table_int(t, FREG_MOST,
				fit_most_params(
					regime, &f->model, &f->overhead, f->capacity, gpus));
		if (!f->model.params)
			continue;
		if (gpus)
			put_need(f, t, regime, gpus);
		else
			table_text(t, FREG_VERDICT, span_of(fit_verdict_word(FIT_TOO_LARGE)));
	}
}

/* Of inference or training: the best verdict on `capacity`, and among those the largest need.
 * Regimes on several GPUs count when --gpus says how many. */
static const struct fit_regime *best_of(
	const struct fit *f, int64_t capacity, bool is_training, enum fit_verdict *verdict)
{
	size_t n;
	const struct fit_regime *r = fit_regimes(&n), *best = NULL;
	int64_t most = 0;

	*verdict = FIT_TOO_LARGE;
	for (EACH(const struct fit_regime, regime, r, n)) {
		struct fit_need need;

		if (regime->is_training != is_training || (regime->stage && !f->o->gpus))
			continue;
		fit_need(&need, regime, &f->model, &f->overhead, regime->stage ? f->o->gpus : 1);
		enum fit_verdict v = fit_judge(&need, capacity);
		if (v > *verdict || v == FIT_TOO_LARGE || (v == *verdict && need.need <= most))
			continue;
		best = regime;
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

	if (best_of(f, f->capacity, true, &v)) {
		put_best(f, t, FMODEL_TRAINING, f->capacity, true);
		return;
	}
	int64_t gpus = zero3_gpus(f, f->capacity);
	if (gpus)
		table_textf(t, FMODEL_TRAINING, "nothing fits on %s; ZeRO-3 on %" PRId64 " GPUs",
			f->o->gpus > 1 ? "them" : "one", gpus);
	else
		table_text(t, FMODEL_TRAINING, SPAN("nothing fits"));
}

void fit_put_model(const struct fit *f, struct result *out)
{
	struct table *t = result_table_of(out, &fit_docs[FIT_MODEL]);

	t->layout = TABLE_LIST;
	TABLE_ROW(t, [FMODEL_PARAMS] = CELL_IF(f->model.params, cell_int(f->model.params)),
		[FMODEL_TRAINABLE] = CELL_IF(f->model.trainable, cell_int(f->model.trainable)),
		[FMODEL_CONTEXT] = cell_int(f->overhead.context),
		[FMODEL_FRAGMENTATION] = cell_real(f->overhead.fragmentation),
		[FMODEL_GPU] = CELL_IF(f->gpu, cell_textf(t, "%s", f->gpu)));
	if (!f->capacity)
		return;
	TABLE_CELLS(t, [FMODEL_CAPACITY] = cell_int(f->capacity),
		[FMODEL_USABLE] = cell_int(saturate_whole((double)f->capacity * FIT_USABLE)));
	if (!f->model.params)
		return;
	put_best(f, t, FMODEL_INFERENCE, f->capacity, false);
	put_training(f, t);
}

void fit_put_gpus(const struct fit *f, struct result *out)
{
	struct table *t = result_table_of(out, &fit_docs[FIT_GPUS]);
	size_t n;
	const struct hardware *g = hardware_all(&n);

	for (EACH(const struct hardware, hardware, g, n)) {
		if (hardware->is_variant)
			continue;
		int64_t gpus = zero3_gpus(f, hardware->memory);
		TABLE_ROW(t, [FGPU_NAME] = cell_word(hardware->name),
			[FGPU_MEMORY] = cell_int(hardware->memory));
		put_best(f, t, FGPU_INFERENCE, hardware->memory, false);
		put_best(f, t, FGPU_TRAINING, hardware->memory, true);
		if (gpus)
			table_int(t, FGPU_MOST, gpus);
	}
}
