/*
 * `summary`: the list at the top.
 */
#include <inttypes.h>
#include <math.h>

#include "analyze/answer/summary/summary.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/plural.h"
#include "base/saturate.h"
#include "base/unit.h"

/* What is built goes into the cell; the builder is freed. */
static void put_str(struct table *t, size_t col, struct str *b)
{
	if (b->n > 0)
		table_text(t, col, (struct span){ arena_copy(t->mem, b->s, b->n), b->n });
	str_free(b);
}

/* "6 (#5-#10), median 176.3 ms (164.3 ms to 181.3 ms)" */
static void put_steps_text(const struct summary *s, struct table *t)
{
	const struct stepstat *st = &s->window.stat;
	const struct step *step = s->at->run->steps->step;
	struct str b = { 0 };

	if (!st->has_steps) {
		str_adds(&b, "none marked; from the first launch to the last work: ");
		unit_put_time(&b, (double)s->window.ns);
		put_str(t, OVER_STEPS, &b);
		return;
	}
	str_addf(&b, "%zu (#%" PRId64, st->n, step[st->step[0]].number);
	if (st->n > 1)
		str_addf(&b, "-#%" PRId64, step[st->step[st->n - 1]].number);
	str_adds(&b, "), median ");
	unit_put_time(&b, st->median);
	if (st->count > 1) {
		str_adds(&b, " (");
		unit_put_time(&b, (double)st->min);
		str_adds(&b, " to ");
		unit_put_time(&b, (double)st->max);
		str_addf(&b, st->from > 0 ? "; first and last set aside)" : ")");
	}
	if (st->outliers > 0)
		str_addf(&b, ", %zu outlier%s", st->outliers, plural_s(st->outliers));
	put_str(t, OVER_STEPS, &b);
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
	if (!isnan(st->first_ratio))
		table_textf(t, OVER_FIRST, "%.2f times the median of the others%s", st->first_ratio,
			st->mark[0] & STEP_SLOW_FIRST ? ": slow" : "");
	if (st->incomplete > 0)
		table_textf(t, OVER_LAST, "%zu incomplete: cut off by the end of recording",
			st->incomplete);
	table_int(t, OVER_NSTEP, (int64_t)st->n);
	table_int(t, OVER_FIRST_STEP, step[st->step[0]].number);
	table_int(t, OVER_LAST_STEP, step[st->step[st->n - 1]].number);
	table_real(t, OVER_MEDIAN, st->median);
	table_int(t, OVER_MIN, st->min);
	table_int(t, OVER_MAX, st->max);
	table_real(t, OVER_MAD, st->mad);
	table_real(t, OVER_FIRST_RATIO, st->first_ratio);
	table_bool(t, OVER_SLOW_FIRST, (st->mark[0] & STEP_SLOW_FIRST) != 0);
	table_int(t, OVER_INCOMPLETE, (int64_t)st->incomplete);
	table_int(t, OVER_OUTLIERS, (int64_t)st->outliers);
}

static void put_busy(const struct summary *s, struct table *t)
{
	struct str b = { 0 };

	if (isnan(s->window.busy))
		return;
	table_real(t, OVER_BUSY_RATIO, s->window.busy);
	unit_put_percent(&b, s->window.busy);
	str_adds(&b, " (kernels alone ");
	unit_put_percent(&b, summary_kernels(s));
	str_addf(&b, ")%s", s->window.ndevice > 1 ? ", mean of the devices" : "");
	put_str(t, OVER_BUSY, &b);
}

/* "comm-bound and sync-bound: exposed communication 41.2%, waiting after synchronizing 38.0%" */
static void put_verdict(const struct summary *s, struct table *t)
{
	const struct verdict *v = &s->verdict;
	struct str b = { 0 };

	table_text(t, OVER_VERDICT, span_of(v->word));
	if (v->second)
		table_text(t, OVER_SECOND, span_of(v->second));
	str_addf(&b, "%s%s%s", v->word, v->second ? " and " : "", v->second ? v->second : "");
	if (v->device == SIZE_MAX || v->is_leak)
		str_addf(&b, ": %s", verdict_meaning(v->word));
	if (v->device != SIZE_MAX) {
		table_real(t, OVER_SHARE, v->share);
		str_addf(&b, "%s %s ", v->is_leak ? ";" : ":", part_word(v->part));
		unit_put_percent(&b, v->share);
		str_addf(&b, ", %s ", part_word(v->second_part));
		unit_put_percent(&b, v->second_share);
	}
	if (s->window.ndevice > 1 && v->device != SIZE_MAX)
		str_addf(&b, " (device %" PRId64 ")", s->window.device[v->device].id);
	put_str(t, OVER_VERDICT_TEXT, &b);
}

/* "compute, 55.0% of the steps' time (I/O 35.0%, CPU 9.9%, memory 0.1%)" */
static void put_bound(const struct summary *s, struct table *t)
{
	static const uint8_t cols[] = { OVER_COMPUTE_RATIO, OVER_MEMORY_RATIO, OVER_IO_RATIO,
		OVER_CPU_RATIO };
	const char *sep = "";
	struct str b = { 0 };
	int k;

	_Static_assert(COUNT_OF(cols) == BOUND_COUNT, "a column for each");
	for (k = 0; k < BOUND_COUNT; k++)
		table_real(t, cols[k], s->bound[k]);
	if (s->primary < 0)
		return;
	table_text(t, OVER_PRIMARY, span_of(summary_bound_word((enum bound)s->primary)));
	str_addf(&b, "%s, ", summary_bound_word((enum bound)s->primary));
	unit_put_percent(&b, s->bound[s->primary]);
	str_adds(&b, " of the steps' time (");
	for (k = 0; k < BOUND_COUNT; k++) {
		if (k == s->primary || isnan(s->bound[k]))
			continue;
		str_addf(&b, "%s%s ", sep, summary_bound_word((enum bound)k));
		unit_put_percent(&b, s->bound[k]);
		sep = ", ";
	}
	str_addc(&b, ')');
	put_str(t, OVER_BOUND, &b);
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
	table_int(t, OVER_KERNELS, kernels);
	table_int(t, OVER_UNLINKED, s->unlinked);
	table_int(t, OVER_DEVICE_SUM, s->device_sum);
	put_count(&b, per_step ? "per step: kernels " : "kernels ", kernels, n);
	put_count(&b, ", copies ", s->class_count[CLASS_MEMCPY], n);
	put_count(&b, ", sets ", s->class_count[CLASS_MEMSET], n);
	if (s->launches > 0) {
		put_count(&b, "; launching calls ", s->launches, n);
		table_int(t, OVER_LAUNCHES, s->launches);
		table_int(t, OVER_GRAPHS, s->graph_launches);
		if (per_step)
			table_real(t, OVER_LAUNCHES_PER_STEP, (double)s->launches / n);
	}
	if (s->graph_launches > 0)
		put_count(&b, ", of graphs ", s->graph_launches, n);
	put_str(t, OVER_LAUNCH_TEXT, &b);
}

void summary_overview_table(struct summary *s)
{
	struct table *t = perrun_table(s->at, &summary_docs[SUMMARY_OVERVIEW]);
	struct str b = { 0 };

	t->layout = TABLE_LIST;
	table_row(t);
	put_verdict(s, t);
	put_steps(s, t);
	put_busy(s, t);
	put_bound(s, t);
	put_launches(s, t);
	summary_memory(s, &b);
	put_str(t, OVER_MEMORY, &b);
	if (s->has_host)
		table_int(t, OVER_CPU_SELF, s->cpu_self);
	if (s->at->q->for_people)
		table_drop_empty(t);
}
