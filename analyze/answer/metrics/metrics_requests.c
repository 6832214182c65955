/* `metrics`: requests of a server whose spans say when their first token came: what the time until
 * then was for, in parts that add up.
 *
 *	  span       |--rest--|----queue----|---prefill---|----- decode ...
 *	             |<------ time to first token ------->|
 *
 * Parts are durations as the spans say; where they stand in it nothing does. */
#include "analyze/answer/metrics/metrics.h"
#include "analyze/measure/power/sampleclock.h"
#include "analyze/stat/quantile.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"

enum part { PART_QUEUE, PART_PREFILL, PART_REST, PART_WHOLE, PART_COUNT };
enum { SLOW_OF = 10 }; /* the slow ones are one of so many */

/* ns by part; NaN: the span does not say. */
struct request {
	struct span group;
	double ns[PART_COUNT];
};

static double or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

static struct request request_of(const struct table *t, size_t row)
{
	struct request r = { .group = table_cell(t, row, REQUESTS_GROUP)->s };

	r.ns[PART_QUEUE] = table_number_at(t, row, REQUESTS_QUEUE);
	r.ns[PART_PREFILL] = table_number_at(t, row, REQUESTS_PREFILL);
	r.ns[PART_WHOLE] = table_number_at(t, row, REQUESTS_FIRST);
	r.ns[PART_REST] =
		r.ns[PART_WHOLE] - or_zero(r.ns[PART_QUEUE]) - or_zero(r.ns[PART_PREFILL]);
	return r;
}

ORDER(compare, struct request, span_cmp(a->group, b->group),
	compare3(a->ns[PART_WHOLE], b->ns[PART_WHOLE]))

static double mean_of(const struct request *r, size_t n, enum part part)
{
	double sum = SUM(double, i, n, or_zero(r[i].ns[part]));

	return n ? sum / (double)n : NAN;
}

/* A row; r: one group's requests, the slowest last. */
static void put_part(
	const struct metrics *m, struct table *t, const struct request *r, size_t n, enum part part)
{
	static const char *const words[] = { "queue", "prefill", "rest", "whole" };
	size_t known = 0, slow = MAX(n / SLOW_OF, 1);
	double *v = arena_array(&m->at->mem, n, sizeof(*v));

	for (size_t i = 0; i < n; i++)
		if (!isnan(r[i].ns[part]))
			v[known++] = r[i].ns[part];
	if (known == 0)
		return;
	quantile_sort(v, known);
	TABLE_ROW(t, [MFIRST_MEAN] = cell_real(mean_of(r, n, part)),
		[MFIRST_SHARE] = cell_real(mean_of(r, n, part) / mean_of(r, n, PART_WHOLE)),
		[MFIRST_P50] = cell_real(quantile_sorted(v, known, 0.5)),
		[MFIRST_P99] = cell_real(quantile_sorted(v, known, 0.99)),
		[MFIRST_SLOW] = cell_real(mean_of(r + n - slow, slow, part)),
		[MFIRST_N] = cell_size(known), [MFIRST_PART] = cell_word(words[part]),
		[MFIRST_GROUP] = cell_text(r[0].group));
}

/* ---- one clock with a trace beside them ---- */

static void say_clock(const struct metrics *m, const struct table *t)
{
	const struct run *r = m->at->run;
	size_t within = 0;
	nsec epoch;

	if (!r->has_trace)
		return;
	if (!sampleclock_epoch(r, &epoch)) {
		result_note(m->at->out, NOTE_INFO, "requests_clock", m->at->input, -1,
			"the trace does not say when it was recorded: which requests ran then is not "
			"known");
		return;
	}
	for (size_t i = 0; i < t->nrow; i++) {
		const union cell *start = table_cell(t, i, REQUESTS_START);
		nsec dur = table_cell(t, i, REQUESTS_DURATION)->i;

		within += start && start->i <= saturate_add(r->last_ns, epoch) &&
			saturate_add(start->i, dur) >= saturate_add(r->first_ns, epoch);
	}
	result_note(m->at->out, within ? NOTE_INFO : NOTE_WARNING, "requests_clock", m->at->input,
		(int64_t)within,
		within ? "%zu of %zu requests were on their way while the trace was recorded"
		       : "%zu of %zu requests were on their way while the trace was recorded: they are "
			 "of another time, or the clocks differ",
		within, t->nrow);
}

void metrics_put_first_token(const struct metrics *m)
{
	const struct sheet *s = record_find_sheet(m->at->record, SHEET_REQUESTS);
	const struct table *from = s ? &s->table : NULL;

	if (!from || from->nrow == 0 || m->key_regex)
		return;
	struct request *r = arena_array(&m->at->mem, from->nrow, sizeof(*r));
	size_t n = from->nrow, end;
	for (size_t i = 0; i < n; i++)
		r[i] = request_of(from, i);
	sort_rows(r, n, sizeof(*r), compare);
	struct table *t = perrun_table_seen(m->at, &metrics_docs[METRICS_TABLE_FIRST],
		span_eq(r[0].group, r[n - 1].group) ? ~COLUMN_SET(MFIRST_GROUP) : UINT64_MAX);
	for (size_t i = 0; i < n; i = end) {
		end = PARTITION_POINT(k, i, n, span_eq(r[k].group, r[i].group));
		for (int part = 0; part < PART_COUNT; part++)
			put_part(m, t, r + i, end - i, (enum part)part);
	}
	say_clock(m, from);
}
