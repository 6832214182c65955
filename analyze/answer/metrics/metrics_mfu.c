/*
 * `metrics`: floating point work of a run, and the share of what its GPUs could do.
 *
 * What they could do is what --peak-tflops says, else what files say of the GPUs, their number and
 * the number format, all three; where one is not said there is no share.
 */
#include <math.h>

#include "analyze/answer/metrics/metrics.h"
#include "analyze/costmodel/peaks.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "base/compiler.h"

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

/*
 * The format of the matrix products by the configuration.  float32 says nothing: products may or
 * may not be TF32.
 */
static enum roof_dtype format_of(const struct metrics *m)
{
	static const char *const keys[] = { "mixed_precision", "precision", "torch_dtype",
		"dtype" };
	bool bf16 = is_yes(configured(m, "bf16")), fp16 = is_yes(configured(m, "fp16"));
	size_t i;

	for (i = 0; i < COUNT_OF(keys); i++) {
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
	size_t i;

	for (i = 0; i < COUNT_OF(keys); i++) {
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

double metrics_flops(const struct metrics *m)
{
	const struct record *r = m->at->record;

	return newest(r, "total_flos") / newest(r, "train_runtime");
}

double metrics_peak(const struct metrics *m, const char **how)
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
		? arena_printf(&m->at->mem, "TFLOP/s over %.0f x %s in %s", n, p.device,
			  roof_dtype_words[format])
		: arena_printf(&m->at->mem, "TFLOP/s over %.0f x the setting peak, %s", n,
			  roof_dtype_words[format]);
	return n * p.matrix[format];
}
