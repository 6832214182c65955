/* `metrics`: rates, and the utilisation that follows from them. */
#include "analyze/answer/metrics/metrics.h"

#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"

/* floating point work of a run, and the share of what its GPUs could do.
 *
 * What they could do is what --peak-tflops says, else what files say of the GPUs, their number and
 * the number format, all three; where one is not said there is no share. */

static const struct scalar *configured(const struct metrics *m, const char *key)
{
	const struct record *r = m->at->record;
	const struct scalar *s = record_find(&r->config, key);

	return s ? s : record_find(&r->scalars, arena_printf(&m->at->mem, "config.%s", key));
}

static bool is_yes(const struct scalar *s)
{
	return s &&
		((s->type == SCALAR_BOOL && s->number != 0) ||
			(s->type == SCALAR_TEXT && span_is_nocase(s->text, "true")));
}

/* The format of the matrix products by the configuration.  float32 says nothing: products may or
 * may not be TF32. */
static enum roof_dtype format_of(const struct metrics *m)
{
	static const char *const keys[] = { "mixed_precision", "precision", "torch_dtype",
		"dtype" };
	bool bf16 = is_yes(configured(m, "bf16")), fp16 = is_yes(configured(m, "fp16"));

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		const struct scalar *s = configured(m, keys[i]);

		if (!s || s->type != SCALAR_TEXT)
			continue;
		bf16 |= span_has_nocase(s->text, "bf16") || span_has_nocase(s->text, "bfloat16");
		fp16 |= span_has_nocase(s->text, "fp16") || span_is_nocase(s->text, "float16") ||
			span_is_nocase(s->text, "torch.float16");
	}
	if (bf16 == fp16)
		return ROOF_DTYPE_COUNT;
	return bf16 ? ROOF_BF16 : ROOF_FP16;
}

/* How many GPUs; 0: it is not said. */
static double gpus_of(const struct metrics *m)
{
	static const char *const keys[] = { "world_size", "num_gpus", "n_gpus" };

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		double n = scalar_number(configured(m, keys[i]));

		if (n >= 1 && n == floor(n))
			return n;
	}
	return m->at->run->meta.world_size > 0 ? (double)m->at->run->meta.world_size : 0;
}

static double newest(const struct record *r, const char *name)
{
	const struct series *s = record_find_series(r, name);

	return s && s->n ? s->last.y : NAN;
}

/* floating point work of the run over its time, FLOP/s; NaN: it is not said. */
static double metrics_flops(const struct metrics *m)
{
	const struct record *r = m->at->record;

	return newest(r, "total_flos") / newest(r, "train_runtime");
}

/* What all GPUs could do, FLOP/s, and in words what that is from; NaN: it is not known. */
static double metrics_peak(const struct metrics *m, const char **how)
{
	enum roof_dtype format = format_of(m);
	double n = gpus_of(m);
	struct roof_peaks p;

	*how = "TFLOP/s over --peak-tflops";
	if (m->limit->peak > 0)
		return 1e12 * m->limit->peak;
	peaks_of_run(&p, m->at->run, 0, &m->limit->peaks);
	if (format == ROOF_DTYPE_COUNT || n < 1 || isnan(p.matrix[format]))
		return NAN;
	*how = isnan(m->limit->peaks.over.matrix[format])
		? arena_printf(&m->at->out->mem, "TFLOP/s over %.0f x %s in %s", n, p.device,
			  roof_dtype_words[format])
		: arena_printf(&m->at->out->mem, "TFLOP/s over %.0f x the setting peak, %s", n,
			  roof_dtype_words[format]);
	return n * p.matrix[format];
}

/* ---- throughput as work over time ---- */

static void put_rate(struct lazy_table *to, const char *what, double value, const char *how,
	struct span source, size_t n)
{
	if (!(value > 0) || isinf(value))
		return;
	struct table *t = lazy_table(to);
	TABLE_ROW(t, [MRATE_WHAT] = cell_word(what), [MRATE_VALUE] = cell_real(value),
		[MRATE_HOW] = cell_word(how),
		[MRATE_SOURCE] = cell_textf(t, "%.*s", (int)source.n, source.p),
		[MRATE_N] = CELL_IF(n, cell_size(n)));
}

/* The value of a rising count at x: of the last entry at or before it; NaN: none. */
static double count_at(const struct curve *c, double x)
{
	size_t lo = PARTITION_POINT(i, 0, c->n, c->x[i] <= x);

	return lo ? c->y[lo - 1] : NAN;
}

/* The last values of a key, at most `want`, in base units; fewer of one that is not exact. */
static void last_values(
	struct curve *out, const struct metrics_key *k, size_t want, struct arena *mem)
{
	if (k->c.is_exact) {
		size_t n = MIN(k->c.n, want);

		*out = (struct curve){ k->c.x + (k->c.n - n), k->c.y + (k->c.n - n), n, true, 0, 0,
			NULL, NULL };
		return;
	}
	want = MIN(want, SERIES_LAST);
	struct point *p = arena_array(mem, want, sizeof(*p));
	*out = (struct curve){ .n = series_last(k->s, want, p) };
	out->x = arena_array(mem, out->n, sizeof(*out->x));
	out->y = arena_array(mem, out->n, sizeof(*out->y));
	for (size_t i = 0; i < out->n; i++) {
		out->x[i] = p[i].x;
		out->y[i] = p[i].y * k->factor;
	}
}

/* Growth of the count of tokens over the last window, over the time of its steps. */
static void put_tokens(struct metrics *m, struct lazy_table *to)
{
	const struct metrics_key *tokens = metrics_find(m, ROLE_TOKENS);
	const struct metrics_key *step = metrics_find(m, ROLE_STEP_TIME);
	struct arena *mem = &m->at->mem;
	struct curve steps, counts;
	double seconds = 0;

	if (!tokens || !step || step->unit != UNIT_NS || m->axis)
		return;
	last_values(&steps, step, m->limit->window + 1, mem);
	last_values(&counts, tokens, m->limit->window + 1, mem);
	if (steps.n < 2)
		return;
	for (size_t i = 1; i < steps.n; i++)
		seconds += steps.y[i] / 1e9;
	put_rate(to, "tokens/s",
		(count_at(&counts, steps.x[steps.n - 1]) - count_at(&counts, steps.x[0])) / seconds,
		"sum/sum",
		span_of(arena_printf(mem, "%.*s, %.*s", (int)tokens->s->name.n, tokens->s->name.p,
			(int)step->s->name.n, step->s->name.p)),
		steps.n - 1);
}

static double config(const struct metrics *m, const char *key)
{
	double v = scalar_number(record_find(&m->at->record->config, key));
	struct arena *mem = &m->at->mem;

	if (isnan(v))
		v = scalar_number(
			record_find(&m->at->record->scalars, arena_printf(mem, "config.%s", key)));
	return v;
}

static bool is_preference(const struct metrics *m)
{
	static const char *const keys[] = { "training_type", "type", "name" };

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		const struct scalar *s = record_find(&m->at->record->config, keys[i]);

		if (s && s->type == SCALAR_TEXT && span_has_nocase(s->text, "dpo"))
			return true;
	}
	return false;
}

/* What the configuration says a step is, over step times. */
static void put_configured(struct metrics *m, struct lazy_table *to)
{
	const struct metrics_key *step = metrics_find(m, ROLE_STEP_TIME);
	double batch = config(m, "batch_size"), length = config(m, "max_length");
	double many = config(m, "gradient_accumulation_steps");

	if (!step || step->unit != UNIT_NS || step->window == 0 || isnan(batch))
		return;
	size_t n = step->window;
	double seconds = step->window_mean * (double)n / 1e9;
	many = isnan(many) ? 1 : many;
	put_rate(to, "samples/s", batch * many * (double)n / seconds, "sum/sum",
		SPAN("batch_size x gradient_accumulation_steps, step time"), n);
	put_rate(to, "tokens/s",
		batch * many * length * (is_preference(m) ? 2 : 1) * (double)n / seconds, "padded",
		SPAN("batch_size x gradient_accumulation_steps x max_length, step time"), n);
}

/* Logged rates of steps that do equal work: work over time is their harmonic mean; the mean of
 * rates is what the documents print. */
static void put_logged(
	struct metrics *m, struct lazy_table *to, enum metric_role role, const char *what)
{
	const struct metrics_key *k = metrics_find(m, role);
	double inverse = 0;

	if (!k || k->c.n == 0)
		return;
	size_t n = k->window;
	for (size_t i = k->c.n - MIN(n, k->c.n); i < k->c.n; i++)
		inverse += 1 / k->c.y[i];
	if (k->c.is_exact)
		put_rate(to, what, (double)n / inverse, "harmonic mean of rates", k->s->name, n);
	put_rate(to, what, k->window_mean, "mean of rates", k->s->name, n);
}

/* Floating point work of the whole run, as Hugging Face's trainer counts it, over its time. */
static void put_flops(const struct metrics *m, struct lazy_table *to)
{
	double flops = metrics_flops(m);
	struct span source = SPAN("total_flos, train_runtime");
	const char *how;
	double peak = metrics_peak(m, &how);

	put_rate(to, "TFLOP/s", flops / 1e12, "sum/sum", source, 0);
	if (peak > 0)
		put_rate(to, "MFU", flops / peak, how, source, 0);
}

/* What a million tokens cost, by the first rate that is work over time. */
static void put_price(const struct metrics *m, struct lazy_table *to)
{
	if (!to->t || !(m->limit->price > 0))
		return;
	for (size_t i = 0; i < to->t->nrow; i++) {
		const union cell *what = table_cell(to->t, i, MRATE_WHAT);
		const union cell *source = table_cell(to->t, i, MRATE_SOURCE);
		const union cell *rate = table_cell(to->t, i, MRATE_VALUE);

		if (!what || !source || !rate || !span_is(what->s, "tokens/s"))
			continue;
		put_rate(to, "cost of 1M tokens", m->limit->price / 3600 * 1e6 / rate->r,
			"--price over tokens/s", source->s, 0);
		return;
	}
}

/* Mean time of a stage of that name in the stages of an artifact, in seconds; NaN: none. */
static double stage_seconds(const struct metrics *m, const char *name, int artifact)
{
	const struct record *r = m->at->record;

	for (size_t k = 0; k < r->nsheet; k++) {
		const struct table *t = &r->sheet[k]->table;

		if (r->sheet[k]->kind != SHEET_STAGES || r->sheet[k]->artifact != artifact)
			continue;
		for (size_t i = 0; i < t->nrow; i++) {
			const union cell *stage = table_cell(t, i, STAGES_NAME);
			const union cell *mean = table_cell(t, i, STAGES_MEAN);

			if (stage && mean && span_is(stage->s, name))
				return mean->r / 1e9;
		}
	}
	return NAN;
}

static double written_number(const struct metrics *m, const char *key, int artifact)
{
	const struct scalars *in = &m->at->record->scalars;

	return FIND_VALUE(i, in->n, in->v[i].artifact == artifact && span_is(in->v[i].key, key),
		scalar_number(&in->v[i]), NAN);
}

/* The key, and its file where others say it, too. */
static struct span source_of(const struct metrics *m, const char *key, int artifact)
{
	const struct record *r = m->at->record;
	size_t n = SUM(size_t, i, r->scalars.n, span_is(r->scalars.v[i].key, key));

	if (n < 2)
		return span_of(key);
	return span_of(arena_printf(&m->at->out->mem, "%s of %s", key,
		run_below(m->at->run, r->artifact[artifact].path)));
}

/* Figures a profile states, and what follows from them: 9.4/s x 0.425 s = 4 samples. */
static void put_written(struct metrics *m, struct lazy_table *to, int artifact)
{
	static const char *const tokens_keys[] = { "throughput.tokens_per_sec",
		"perf.approx_tokens_per_sec" };
	static const char samples_key[] = "throughput.samples_per_sec";
	double samples = written_number(m, samples_key, artifact), tokens = NAN;
	double iteration = stage_seconds(m, "iteration", artifact);

	put_rate(to, "samples/s", samples, "as written", source_of(m, samples_key, artifact), 0);
	for (size_t i = 0; i < COUNT_OF(tokens_keys); i++) {
		double v = written_number(m, tokens_keys[i], artifact);

		put_rate(
			to, "tokens/s", v, "as written", source_of(m, tokens_keys[i], artifact), 0);
		tokens = isnan(tokens) ? v : tokens;
	}
	put_rate(to, "tokens/sample", tokens / samples, "as written",
		SPAN("tokens/s over samples/s"), 0);
	put_rate(to, "samples/iteration", samples * iteration, "as written",
		SPAN("samples/s x mean iteration"), 0);
}

void metrics_put_throughput(struct metrics *m)
{
	struct lazy_table to = { m->at, &metrics_docs[METRICS_TABLE_RATES], NULL };

	put_tokens(m, &to);
	put_configured(m, &to);
	put_logged(m, &to, ROLE_SAMPLES_PER_S, "samples/s");
	put_logged(m, &to, ROLE_TOKENS_PER_S, "tokens/s");
	put_logged(m, &to, ROLE_THROUGHPUT, "throughput");
	for (size_t i = 0; i < m->at->record->nartifact; i++)
		put_written(m, &to, (int)i);
	put_flops(m, &to);
	put_price(m, &to);
}
