/* `summary`: the list at the top, and peaks of memory. */
#include "analyze/answer/summary/summary.h"

#include "analyze/analysis/row_limit.h"
#include "analyze/measure/memory/memcurve.h"
#include "analyze/trace/run_steps.h"
#include "base/unit.h"

/* ---- peaks of memory ---- */

/* Memory of a device, or ARG_UNKNOWN. */
static int64_t capacity(const struct run *r, const struct memcurve *c)
{
	for (size_t i = 0; c->type != 0 && i < r->meta.ngpu; i++)
		if (r->meta.gpu[i].id == c->device && r->meta.gpu[i].memory_bytes > 0)
			return r->meta.gpu[i].memory_bytes;
	return ARG_UNKNOWN;
}

static int64_t peak(const struct memcurve *c, size_t at, const int64_t *v)
{
	return at < c->n ? v[at] : ARG_UNKNOWN;
}

static void put_text(struct str *b, const struct memcurve *c, int64_t held, int64_t all)
{
	int64_t allocated = peak(c, c->peak, c->allocated);

	if (c->type == 0 || allocated == ARG_UNKNOWN)
		return;
	str_addf(b, "%sdevice %lld: %s%s", b->n > 0 ? "; " : "", (long long)c->device,
		IN_BYTES((double)allocated),
		c->is_relative ? " more than at the start" : " allocated");
	if (held != ARG_UNKNOWN)
		str_addf(b, ", %s reserved", IN_BYTES((double)held));
	if (all != ARG_UNKNOWN)
		str_addf(b, ", of %s", IN_BYTES((double)all));
}

/* Appends the peaks to b, for people; and the table. */
static void summary_memory(struct summary *s, struct str *b)
{
	const struct run *r = s->at->run;
	struct memcurves curves;
	struct table *t = NULL;

	if (r->kind_count[KIND_MEMORY] == 0)
		return;
	memcurves_init(&curves, r, &s->at->view);
	if (!s->at->q->for_people)
		t = perrun_table(s->at, &summary_docs[SUMMARY_MEMORY]);
	for (EACH(const struct memcurve, c, curves.v, curves.n)) {
		int64_t allocated = peak(c, c->peak, c->allocated), all = capacity(r, c);
		int64_t held = peak(c, c->peak_reserved, c->reserved);
		int64_t most = held != ARG_UNKNOWN ? held : allocated;

		put_text(b, c, held, all);
		if (!t)
			continue;
		TABLE_ROW(t, [PEAK_TYPE] = cell_known(c->type, ARG_UNKNOWN),
			[PEAK_DEVICE] = cell_known(c->device, ARG_UNKNOWN),
			[PEAK_ALLOCATED] = cell_known(allocated, ARG_UNKNOWN),
			[PEAK_RESERVED] = cell_known(held, ARG_UNKNOWN),
			[PEAK_CAPACITY] = cell_known(all, ARG_UNKNOWN),
			[PEAK_RATIO] = CELL_IF(
				all != ARG_UNKNOWN && most != ARG_UNKNOWN && !c->is_relative,
				cell_real((double)most / (double)all)));
	}
	memcurves_clear(&curves);
}

/* ---- the list at the top ---- */

/* "6 (#5-#10), median 176.3 ms (164.3 ms to 181.3 ms)" */
static void put_steps_text(const struct summary *s, struct table *t)
{
	const struct stepstat *st = &s->window.stat;
	const struct step *step = s->at->run->steps->step;
	struct str b = { 0 };

	if (!st->has_steps) {
		table_textf(t, OVER_STEPS,
			"none marked; from the first launch to the last work: %s",
			unit_time(t->mem, (double)s->window.ns));
		return;
	}
	str_addf(&b, "%zu (#%" PRId64, st->n, step[st->step[0]].number);
	if (st->n > 1)
		str_addf(&b, "-#%" PRId64, step[st->step[st->n - 1]].number);
	str_addf(&b, ")");
	if (st->outliers > 0)
		str_addf(&b, ", %zu usual", st->n - st->outliers);
	str_addf(&b, ", median %s", unit_time(t->mem, st->median));
	if (st->count > 1)
		str_addf(&b, " (%s to %s%s)", unit_time(t->mem, (double)st->min),
			unit_time(t->mem, (double)st->max),
			st->from > 0 ? "; first and last set aside" : "");
	TABLE_CELLS(t, [OVER_STEPS] = cell_str(t, &b));
}

static void put_steps(const struct summary *s, struct table *t)
{
	const struct stepstat *st = &s->window.stat;
	const struct step *step = s->at->run->steps->step;

	table_int(t, OVER_SUM, s->window.ns);
	if (st->n == 0)
		return;
	put_steps_text(s, t);
	if (!st->has_steps)
		return;
	TABLE_CELLS(t,
		[OVER_FIRST] = CELL_IF(!isnan(st->first_ratio),
			cell_textf(t, "%.2f times the median of the others%s", st->first_ratio,
				st->mark[0] & STEP_SLOW_FIRST ? ": slow" : "")),
		[OVER_KINDS] = cell_word(step_kinds_text(&s->window.kinds, s->at->run, st, t->mem)),
		[OVER_LAST] = CELL_IF(st->incomplete > 0,
			cell_textf(t, "%zu incomplete: cut off by the end of recording",
				st->incomplete)),
		[OVER_NSTEP] = cell_size(st->n),
		[OVER_FIRST_STEP] = cell_int(step[st->step[0]].number),
		[OVER_LAST_STEP] = cell_int(step[st->step[st->n - 1]].number),
		[OVER_MEDIAN] = cell_real(st->median), [OVER_MIN] = cell_int(st->min),
		[OVER_MAX] = cell_int(st->max), [OVER_MAD] = cell_real(st->mad),
		[OVER_FIRST_RATIO] = cell_real(st->first_ratio),
		[OVER_SLOW_FIRST] = cell_bool((st->mark[0] & STEP_SLOW_FIRST) != 0),
		[OVER_INCOMPLETE] = cell_size(st->incomplete),
		[OVER_OUTLIERS] = cell_size(st->outliers));
}

static void put_busy(const struct summary *s, struct table *t)
{
	if (isnan(s->window.busy))
		return;
	table_real(t, OVER_BUSY_RATIO, s->window.busy);
	const char *run = verdict_run_text(&s->window, s->verdict.device, t->mem);
	table_textf(t, OVER_BUSY, "%s (kernels alone %s)%s%s%s",
		unit_percent(t->mem, s->window.busy), unit_percent(t->mem, summary_kernels(s)),
		s->window.ndevice > 1 ? ", mean of the GPUs" : "", run ? "; " : "", run ? run : "");
}

/* "compute, 55.0% of the steps' time (I/O 35.0%, CPU 9.9%, memory 0.1%)" */
static void put_bound(const struct summary *s, struct table *t)
{
	static const uint8_t cols[] = { OVER_COMPUTE_RATIO, OVER_MEMORY_RATIO, OVER_IO_RATIO,
		OVER_CPU_RATIO };
	const char *sep = "";
	struct str b = { 0 };

	_Static_assert(COUNT_OF(cols) == BOUND_COUNT, "a column for each");
	for (int k = 0; k < BOUND_COUNT; k++)
		table_real(t, cols[k], s->bound[k]);
	if (s->primary < 0)
		return;
	table_text(t, OVER_PRIMARY, span_of(summary_bound_word((enum bound)s->primary)));
	str_addf(&b, "%s, %s of the %s time (", summary_bound_word((enum bound)s->primary),
		unit_percent(t->mem, s->bound[s->primary]),
		s->window.has_steps ? "steps'" : "run's");
	for (int k = 0; k < BOUND_COUNT; k++) {
		if (k == s->primary || isnan(s->bound[k]))
			continue;
		str_addf(&b, "%s%s %s", sep, summary_bound_word((enum bound)k),
			unit_percent(t->mem, s->bound[k]));
		sep = ", ";
	}
	str_addc(&b, ')');
	TABLE_CELLS(t, [OVER_BOUND] = cell_str(t, &b));
}

static void put_count(struct str *b, const char *what, int64_t count, double of)
{
	str_adds(b, what);
	unit_put_count(b, saturate_round((double)count / of));
}

static void put_launches(const struct summary *s, struct table *t)
{
	bool per_step = s->window.has_steps && s->window.nstep > 0;
	double n = per_step ? (double)s->window.nstep : 1;
	int64_t kernels = s->class_count[CLASS_COMPUTE] + s->class_count[CLASS_COMM];
	struct str b = { 0 };

	if (s->ledgers.ndevice == 0)
		return;
	TABLE_CELLS(t, [OVER_KERNELS] = cell_int(kernels), [OVER_UNLINKED] = cell_int(s->unlinked),
		[OVER_DEVICE_SUM] = cell_int(s->device_sum));
	put_count(&b, per_step ? "per step: kernels " : "kernels ", kernels, n);
	put_count(&b, ", copies ", s->class_count[CLASS_MEMCPY], n);
	put_count(&b, ", sets ", s->class_count[CLASS_MEMSET], n);
	if (s->launches > 0) {
		put_count(&b, "; launching calls ", s->launches, n);
		TABLE_CELLS(t, [OVER_LAUNCHES] = cell_int(s->launches),
			[OVER_GRAPHS] = cell_int(s->graph_launches),
			[OVER_LAUNCHES_PER_STEP] =
				CELL_IF(per_step, cell_real((double)s->launches / n)));
	}
	if (s->graph_launches > 0)
		put_count(&b, ", of graphs ", s->graph_launches, n);
	TABLE_CELLS(t, [OVER_LAUNCH_TEXT] = cell_str(t, &b));
}

void summary_overview_table(struct summary *s)
{
	struct table *t = perrun_table(s->at, &summary_docs[SUMMARY_OVERVIEW]);
	struct str b = { 0 };

	t->layout = TABLE_LIST;
	table_row(t);
	/* "comm-bound: communication hidden saves 31.0%; exposed communication 41.2%, computing
	 * 38.0%" */
	const struct verdict *v = &s->verdict;
	TABLE_CELLS(t, [OVER_VERDICT] = cell_word(v->word), [OVER_SECOND] = cell_word(v->second));
	str_addf(&b, "%s%s%s", v->word, v->second ? " and " : "", v->second ? v->second : "");
	if (v->device == SIZE_MAX || v->is_leak)
		str_addf(&b, ": %s", verdict_meaning(v->word));
	if (v->device != SIZE_MAX) {
		table_real(t, OVER_SHARE, v->share);
		if (v->change && !v->is_leak)
			str_addf(&b, ": %s saves %s;", v->change, unit_percent(t->mem, v->saves));
		else
			str_adds(&b, v->is_leak ? ";" : ":");
		str_addf(&b, " %s %s, %s %s", part_word(v->part), unit_percent(t->mem, v->share),
			part_word(v->second_part), unit_percent(t->mem, v->second_share));
	}
	if (s->window.ndevice > 1 && v->device != SIZE_MAX)
		str_addf(&b, " (GPU %" PRId64 ")", s->window.device[v->device].id);
	if (v->doubt)
		str_addf(&b, "; but %s", v->doubt);
	TABLE_CELLS(t, [OVER_VERDICT_TEXT] = cell_str(t, &b));
	put_steps(s, t);
	put_busy(s, t);
	put_bound(s, t);
	put_launches(s, t);
	summary_memory(s, &b);
	TABLE_CELLS(t, [OVER_MEMORY] = cell_str(t, &b),
		[OVER_CPU_SELF] = CELL_IF(s->has_host, cell_int(s->cpu_self)));
	rows_for_people(s->at->q, t);
}
