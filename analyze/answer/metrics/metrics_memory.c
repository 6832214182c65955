/* `metrics`: memory over steps: the documents' leak rule, and one that does not always fire. */
#include "analyze/answer/metrics/metrics.h"
#include "analyze/measure/memory/leakcheck.h"
#include "analyze/measure/memory/memtrend.h"
#include "analyze/trace/columns/record.h"
#include "base/unit.h"

/* Memory of one key of the record, or of one column of a sheet of measurements. */
struct leak {
	struct metrics *m;
	struct lazy_table *to;
	struct span key;
	struct curve c; /* bytes */
	double baseline, peak;
	bool is_reserved;
	bool allocated_grows;   /* for reserved: whether the allocated beside it does */
	struct leakcheck check; /* of allocated memory */
	const char *place;      /* of check.x: "step" */
	/* found: */
	struct memtrend found;
};

/* A peak, of what. */
struct peak {
	struct span key;
	double bytes;
};

static void check_leak(struct look *look)
{
	const struct leak *l = look->what;
	const struct curve_trend *t = &l->found.trend;

	if (l->found.sign == MEMTREND_LEAK)
		metrics_found(look, l->key,
			"+%s a step (95%% interval %s .. %s, p = %.1e), %s so far",
			unit_bytes(look->mem, t->slope), unit_bytes(look->mem, t->lo),
			unit_bytes(look->mem, t->hi), t->p,
			unit_bytes(look->mem, l->c.y[l->c.n - 1] - l->c.y[0]));
}

RULE(D07, "memory leak",
	"Allocated memory grows from step to step: Mann-Kendall p below 0.01, the 95% interval "
	"of Theil-Sen's slope above 0, growth above 1 MiB and 0.1% of the peak, and no single "
	"jump explains it. Memory that a log only calls memory (mem, gpu_memory) has to fall at "
	"times, or to rise in a quarter of its steps: else it may be a running maximum.",
	"Theil 1950, Sen 1968; Mann 1945, Kendall 1975", .severity = SEVERITY_WARN,
	.advice =
		"look for tensors kept across steps: losses added up without item(), growing lists",
	.about = ABOUT_MEMORY, .series = check_leak)

static void check_fragments(struct look *look)
{
	const struct leak *l = look->what;

	if (l->found.sign == MEMTREND_FRAGMENTED)
		metrics_found(look, l->key,
			"+%s a step (p = %.1e) while allocated memory does not grow",
			unit_bytes(look->mem, l->found.trend.slope), l->found.trend.p);
}

RULE(D08, "reserved memory grows",
	"Reserved memory grows as in D07 while allocated memory does not: the allocator cannot "
	"reuse what is freed.",
	NULL, .severity = SEVERITY_WARN,
	.advice = "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; fewer different shapes",
	.about = ABOUT_MEMORY, .series = check_fragments)

static void check_once(struct look *look)
{
	const struct leak *l = look->what;

	if (l->found.sign == MEMTREND_ONCE)
		metrics_found(look, l->key, "+%s at %.6g, flat before and after",
			unit_bytes(look->mem, l->found.jump.size), l->found.jump.x);
}

RULE(D09, "one-time increase of memory",
	"Memory rose once and stayed: two levels explain it better than a line, and neither has "
	"a trend. Gradients and the optimizer's state come so, evaluation, too.",
	NULL, .severity = SEVERITY_NOTE, .about = ABOUT_MEMORY, .series = check_once)

/* The program looked itself, as the documents' does, and wrote what it saw. */
static void check_told(struct look *look)
{
	const struct series *s = look->what;
	struct point first;

	if (!span_is(s->name, "leak_detected") || series_first(s, 1, &first) == 0)
		return;
	if (s->axis == AXIS_STEP)
		metrics_found(look, s->name,
			"the log says so %" PRId64 " time%s, first at step %.0f", s->n,
			plural_s(s->n), first.x);
	else
		metrics_found(
			look, s->name, "the log says so %" PRId64 " time%s", s->n, plural_s(s->n));
}

static bool is_leak_by_documents(const struct leak *l)
{
	return !l->is_reserved && l->check.checks >= 2 && l->check.is_found;
}

/* The documents' rule on allocated memory, in its own words. */
static void check_documents(struct look *look)
{
	const struct leak *l = look->what;

	if (look->about == ABOUT_SERIES)
		check_told(look);
	else if (is_leak_by_documents(l))
		metrics_found(look, l->key,
			"a leak at %s %.0f by this check: +%s over the baseline of %s", l->place,
			l->check.x, unit_bytes(look->mem, l->check.growth),
			unit_bytes(look->mem, l->check.baseline));
}

RULE(D19, "leak check, simple rule",
	"The guides' detect_leak: allocated memory less the baseline above 0.5 GB "
	"(--leak-threshold), looked at every 100 steps. In training it fires always, as gradients "
	"and the optimizer's state come after the baseline; D07 tells a leak from that.",
	"Profiling & Metrics, detect_leak", .severity = SEVERITY_NOTE,
	.advice = "see D07: memory that grows from step to step is a leak",
	.about = ABOUT_SERIES | ABOUT_MEMORY, .series = check_documents)

/* How much of the GPU's memory a peak takes, where somebody says how much that is. */
static void check_full(struct look *look)
{
	double capacity = (double)look->metrics->limit->capacity;
	const struct peak *p = look->what;
	double share = p->bytes / capacity;

	if (capacity > 0 && share > look_limit(look, "D21.share"))
		metrics_found(look, p->key, "a peak of %s of %s: %.1f%%%s",
			unit_bytes(look->mem, p->bytes), unit_bytes(look->mem, capacity),
			100 * share, share > 0.98 ? ", may run out of memory" : "");
}

RULE(D21, "memory nearly full",
	"The peak of allocated memory is above 95% of what the GPU has (--capacity, a trace, a "
	"file that says it). The guide: 85 to 95% is ideal, above 98% may run out of memory.",
	"PyTorch Profiler Analysis Guide; Profiling & Metrics", .severity = SEVERITY_WARN,
	.advice = "Reduce batch size / Gradient accumulation",
	.limits = LIMITS(LIMIT("metrics.D21.share", RATIO, "95%",
		"of the GPU's memory at the peak: from this on")),
	.about = ABOUT_PEAK, .series = check_full)

static void ask_peak(struct metrics *m, struct span key, double bytes)
{
	struct peak *p = arena_alloc(&m->at->mem, sizeof(*p));

	*p = (struct peak){ key, bytes };
	metrics_ask(m, ABOUT_PEAK, p);
}

static void put_leak(struct leak *l)
{
	struct table *t = lazy_table(l->to);
	double last = l->c.y[l->c.n - 1], growth = last - l->baseline;
	double limit = l->m->limit->leak_threshold;

	memtrend_of(&l->found, &l->c, l->peak, l->is_reserved, l->allocated_grows, &l->m->at->mem);
	TABLE_ROW(t, [MMEM_KEY] = cell_text(l->key),
		[MMEM_VERDICT] = cell_word(memtrend_word(l->found.sign)),
		[MMEM_BASELINE] = cell_real(l->baseline), [MMEM_LAST] = cell_real(last),
		[MMEM_GROWTH] = cell_real(growth), [MMEM_SLOPE] = cell_real(l->found.trend.slope),
		[MMEM_LO] = cell_real(isfinite(l->found.trend.lo) ? l->found.trend.lo : NAN),
		[MMEM_HI] = cell_real(isfinite(l->found.trend.hi) ? l->found.trend.hi : NAN),
		[MMEM_P] = cell_real(l->found.trend.p),
		[MMEM_DOCUMENTS] = cell_text(growth > limit ? SPAN("leak") : SPAN("no leak")),
		[MMEM_THRESHOLD] = cell_real(limit), [MMEM_PEAK] = cell_real(l->peak),
		[MMEM_N] = cell_size(l->c.n),
		[MMEM_JUMP] = CELL_IF(l->found.sign == MEMTREND_ONCE, cell_real(l->found.jump.x)),
		[MMEM_FULL] = CELL_IF(l->found.sign == MEMTREND_LEAK && l->m->limit->capacity,
			cell_real(fmax(
				0, ((double)l->m->limit->capacity - last) / l->found.trend.slope))),
		[MMEM_CHECK] = CELL_IF(is_leak_by_documents(l), cell_real(l->check.x)));
	metrics_ask(l->m, ABOUT_MEMORY, l);
	ask_peak(l->m, l->key, l->peak);
}

/* The value at the step --leak-baseline, else the first. */
static double baseline_of(const struct metrics *m, const struct curve *c)
{
	return FIND_VALUE(i, m->o->leak_baseline >= 0 ? c->n : 0,
		c->x[i] >= (double)m->o->leak_baseline, c->y[i], c->y[0]);
}

/* The largest value of the maximum the allocator keeps, where it is logged beside. */
static double peak_of(const struct metrics *m, const struct metrics_key *k)
{
	double peak = k->max;

	for (size_t i = 0; i < m->nkey; i++)
		if (m->key[i].role == k->role && memtrend_is_maximum(m->key[i].s->name) &&
			m->key[i].max > peak)
			peak = m->key[i].max;
	return peak;
}

static struct leak *new_leak(struct metrics *m, struct lazy_table *to, struct span key)
{
	struct leak *l = arena_alloc(&m->at->mem, sizeof(*l));

	*l = (struct leak){ .m = m, .to = to, .key = key };
	return l;
}

static void put_key(
	struct metrics *m, struct lazy_table *to, const struct metrics_key *k, bool *grows)
{
	struct leak *l = new_leak(m, to, k->s->name);
	struct curve all;

	curve_of(&all, k->s, metrics_steps(m, k->s), 0, &m->at->mem);
	for (size_t i = 0; i < all.n; i++)
		all.y[i] *= k->factor;
	l->c = all;
	l->is_reserved = k->role == ROLE_RESERVED;
	l->allocated_grows = *grows;
	l->peak = peak_of(m, k);
	l->baseline = baseline_of(m, &all);
	l->place = k->s->axis == AXIS_STEP ? "step" : "row";
	l->check = leakcheck_curve(&all, l->baseline, m->limit->leak_threshold,
		k->s->axis == AXIS_STEP ? LEAKCHECK_EVERY : SIZE_MAX);
	put_leak(l);
	if (!l->is_reserved)
		*grows |= l->found.sign == MEMTREND_LEAK;
}

static bool is_unnamed_leak(const struct metrics *m, const struct metrics_key *k)
{
	struct curve c;

	if (k->role != ROLE_OTHER || k->unit != UNIT_BYTES || k->c.n == 0)
		return false;
	curve_of(&c, k->s, metrics_steps(m, k->s), 0, &m->at->mem);
	for (size_t i = 0; i < c.n; i++)
		c.y[i] *= k->factor;
	return memtrend_is_unnamed_leak(k->s, &c, k->max, &m->at->mem);
}

static double tagged_baseline(const struct table *s, size_t col)
{
	for (size_t i = 0; i < s->nrow; i++) {
		const union cell *tag = table_cell(s, i, TAKEN_TAG);
		const union cell *v = table_cell(s, i, col);

		if (tag && v && span_is(tag->s, "baseline"))
			return v->r;
	}
	return NAN;
}

/* Their check on a sheet of measurements; the baseline of --leak-baseline is the row's then. */
static void check_column(struct leak *l, const struct table *s)
{
	bool is_step;

	l->check = leakcheck_sheet(s, l->m->limit->leak_threshold, &is_step, &l->m->at->mem);
	l->place = is_step ? "step" : "measurement";
}

static void put_column(struct metrics *m, struct lazy_table *to, const struct table *s, size_t col,
	size_t max_col, bool *grows)
{
	struct leak *l = new_leak(m, to, span_of(s->col[col].key));

	memtrend_column(&l->c, &l->peak, s, col, max_col, &m->at->mem);
	if (l->c.n == 0)
		return;
	l->is_reserved = col == TAKEN_RESERVED;
	l->allocated_grows = *grows;
	l->baseline = tagged_baseline(s, col);
	if (isnan(l->baseline))
		l->baseline = baseline_of(m, &l->c);
	check_column(l, s);
	put_leak(l);
	*grows |= l->found.sign == MEMTREND_LEAK;
}

/* What files state of a peak, without values; where several do, the largest. */
static const struct {
	const char *peak, *baseline; /* keys; baseline: or NULL */
	enum measure measure;
} stated[] = {
	{ "memory.peak_allocated_gb", "memory.baseline_gb", MEASURE_GIB },
	{ "memory_profile.peak_allocated_gb", "memory_profile.baseline_gb", MEASURE_GIB },
	{ "perf.max_mem_mb", NULL, MEASURE_MIB },
	{ "full_dataset_metrics.peak_gpu_mem", NULL, MEASURE_MIB },
};

static const struct scalar *largest_of(const struct scalars *in, const char *key)
{
	const struct scalar *best = NULL;

	for (EACH(const struct scalar, scalar, in->v, in->n))
		if (span_is(scalar->key, key) && !isnan(scalar_number(scalar)) &&
			(!best || scalar_number(scalar) > scalar_number(best)))
			best = scalar;
	return best;
}

static void put_stated(struct metrics *m, struct lazy_table *to)
{
	const struct scalars *s = &m->at->record->scalars;

	for (size_t i = 0; i < COUNT_OF(stated); i++) {
		const struct scalar *peak = largest_of(s, stated[i].peak);
		double factor = measure_infos[stated[i].measure].factor;

		if (!peak)
			continue;
		struct table *t = lazy_table(to);
		TABLE_ROW(
			t, [MMEM_KEY] = cell_text(peak->key), [MMEM_VERDICT] = cell_word("unknown"),
			[MMEM_BASELINE] = CELL_IF(stated[i].baseline,
				cell_real(scalar_number(record_find(s, stated[i].baseline)) *
					factor)),
			[MMEM_PEAK] = cell_real(scalar_number(peak) * factor));
		ask_peak(m, peak->key, scalar_number(peak) * factor);
	}
}

/* Without the column of peaks for people, who need it for what is stated without values. */
static const struct table_doc *without_peak(const struct metrics *m, const struct table_doc *doc)
{
	struct table_doc *seen = arena_alloc(&m->at->out->mem, sizeof(*seen));
	struct column *col = arena_array(&m->at->out->mem, doc->ncol, sizeof(*col));

	for (size_t i = 0; i < COUNT_OF(stated); i++)
		if (largest_of(&m->at->record->scalars, stated[i].peak))
			return doc;
	memcpy(col, doc->col, doc->ncol * sizeof(*col));
	col[MMEM_PEAK].flags |= COLUMN_HIDDEN;
	*seen = *doc;
	seen->col = col;
	return seen;
}

void metrics_put_memory(struct metrics *m)
{
	static const enum metric_role order[] = { ROLE_ALLOCATED, ROLE_RESERVED };
	const struct sheet *s = record_find_sheet(m->at->record, SHEET_MEMORY);
	struct lazy_table to = { m->at, without_peak(m, &metrics_docs[METRICS_TABLE_MEMORY]),
		NULL };
	bool grows = false;

	for (size_t k = 0; k < COUNT_OF(order); k++)
		for (size_t i = 0; i < m->nkey; i++)
			if (m->key[i].role == order[k] && m->key[i].c.n &&
				m->key[i].unit == UNIT_BYTES &&
				!memtrend_is_maximum(m->key[i].s->name))
				put_key(m, &to, &m->key[i], &grows);
	for (size_t i = 0; i < m->nkey; i++)
		if (is_unnamed_leak(m, &m->key[i]))
			put_key(m, &to, &m->key[i], &grows);
	if (s && !to.t) {
		put_column(m, &to, &s->table, TAKEN_ALLOCATED, TAKEN_MAX_ALLOCATED, &grows);
		put_column(m, &to, &s->table, TAKEN_RESERVED, TAKEN_MAX_RESERVED, &grows);
	}
	put_stated(m, &to);
}
