/* `diff`: what of a change is more work and what the same work done slower, op by op. */
#include "analyze/answer/diff/diff.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/regex.h"

enum { PEOPLE_ROWS = 10 };

struct place {
	const struct contrast_work_row *row;
	double by;
};

ORDER(compare, struct place, compare3_down(a->by, b->by), span_cmp(a->row->op, b->row->op))

double diff_rank(const struct diff *d, int64_t base_ns, int64_t now_ns, int64_t delta)
{
	switch (d->w.sort) {
	case SORT_RATIO:
		if (base_ns == 0 || now_ns == 0)
			return delta == 0 ? 0 : INFINITY;
		return fabs(log((double)now_ns / (double)base_ns));
	case SORT_NAME: return 0;
	case SORT_DELTA: break;
	}
	return fabs((double)delta);
}

static enum status wanted(
	const struct diff *d, const struct contrast_work_row *row, struct filter_set *set, bool *is)
{
	bool exclude = false;

	*is = !d->o->only_changed || contrast_has_changed(row->status);
	if (*is && set->match)
		TRY(regex_match(set->match, row->op, is, d->e));
	if (*is && set->exclude)
		TRY(regex_match(set->exclude, row->op, &exclude, d->e));
	*is = *is && !exclude;
	return OK;
}

static void put_amount(
	struct table *t, size_t col, size_t rate, double scale, const struct work_amount *a)
{
	if (a->v > 0)
		table_real(t, col, a->v);
	if (a->v > 0 && a->ns > 0)
		table_real(t, rate, scale * a->v / a->ns);
}

/* A FLOP a ns is 10^9 a second. */
static void put_sides(struct table *t, const struct contrast_work_row *row)
{
	if (row->base) {
		TABLE_CELLS(t, [DWORK_BASE] = cell_int(row->base_ns),
			[DWORK_BASE_PER_STEP] = cell_real(row->base->calls));
		put_amount(t, DWORK_BASE_FLOP, DWORK_BASE_TFLOPS, 1e-3, &row->base->flop);
		put_amount(t, DWORK_BASE_BYTES, DWORK_BASE_RATE, 1e9, &row->base->bytes);
	}
	if (row->now) {
		TABLE_CELLS(t, [DWORK_NEW] = cell_int(row->now_ns),
			[DWORK_NEW_PER_STEP] = cell_real(row->now->calls));
		put_amount(t, DWORK_NEW_FLOP, DWORK_NEW_TFLOPS, 1e-3, &row->now->flop);
		put_amount(t, DWORK_NEW_BYTES, DWORK_NEW_RATE, 1e9, &row->now->bytes);
	}
}

static void put_split(struct table *t, const struct worksplit *s)
{
	static const char *const units[] = { "calls", "FLOP", "bytes" };

	table_int(t, DWORK_DELTA, s->delta);
	if (s->is_known)
		TABLE_CELLS(t, [DWORK_MORE] = cell_int(saturate_add(s->calls, s->larger)),
			[DWORK_SLOWER] = cell_int(s->slower), [DWORK_BY_CALLS] = cell_int(s->calls),
			[DWORK_BY_SIZE] = cell_int(s->larger),
			[DWORK_UNIT] = cell_word(units[s->unit]));
	TABLE_CELLS(t,
		[DWORK_UNKNOWN] =
			CELL_IF(!s->is_known || s->unknown != 0 || s->why != ROOF_WHY_KNOWN,
				cell_int(s->unknown)),
		[DWORK_WHY] =
			CELL_IF(s->why != ROOF_WHY_KNOWN, cell_word(roof_reason_words[s->why])));
}

static void put_row(struct diff *d, struct table *t, const struct contrast_work_row *row)
{
	table_row(t);
	put_split(t, &row->split);
	put_sides(t, row);
	TABLE_CELLS(t, [DWORK_BASE_DIMS] = cell_copy(t, row->split.base_dims),
		[DWORK_NEW_DIMS] = cell_copy(t, row->split.now_dims), [DWORK_Q] = cell_real(row->q),
		[DWORK_P] = cell_real(row->p), [DWORK_NEEDED] = cell_real(row->needed),
		[DWORK_STATUS] = cell_word(contrast_status_word(row->status)),
		[DWORK_WHAT] = cell_text(row->op.n > 0 ? diff_kept(d, row->op)
						       : SPAN("GPU work that no op launched")),
		[DWORK_OP] = cell_copy(t, row->op));
}

/* Sums of rows from `from` on as one: what is known and what is not. */
static void put_sum(struct table *t, const struct place *p, size_t from, size_t n, const char *what)
{
	struct worksplit sum = { 0 };
	int64_t base = 0, now = 0;

	for (size_t i = from; i < n; i++) {
		const struct worksplit *s = &p[i].row->split;

		saturate_onto(&sum.delta, s->delta);
		saturate_onto(&sum.calls, s->calls);
		saturate_onto(&sum.larger, s->larger);
		saturate_onto(&sum.slower, s->slower);
		saturate_onto(&sum.unknown, s->unknown);
		saturate_onto(&base, p[i].row->base_ns);
		saturate_onto(&now, p[i].row->now_ns);
	}
	TABLE_ROW(t, [DWORK_DELTA] = cell_int(sum.delta),
		[DWORK_MORE] = cell_int(saturate_add(sum.calls, sum.larger)),
		[DWORK_SLOWER] = cell_int(sum.slower), [DWORK_UNKNOWN] = cell_int(sum.unknown),
		[DWORK_BY_CALLS] = cell_int(sum.calls), [DWORK_BY_SIZE] = cell_int(sum.larger),
		[DWORK_BASE] = cell_int(base), [DWORK_NEW] = cell_int(now),
		[DWORK_WHAT] = cell_word(what));
	t->nfoot++;
}

/* Rows that are shown first, then those that options leave out; *shown receives how many. */
static enum status order(struct diff *d, struct filter_set *set, struct place *p, size_t *shown)
{
	const struct contrast_work *w = &d->c.work;
	size_t n = 0, out = w->n;

	for (size_t i = 0; i < w->n; i++) {
		const struct contrast_work_row *row = &w->v[i];
		bool is = false;

		TRY(wanted(d, row, set, &is));
		p[is ? n++ : --out] = (struct place){ row,
			diff_rank(d, row->base_ns, row->now_ns, row->split.delta) };
	}
	sort_rows(p, n, sizeof(*p), compare);
	*shown = rows_limit(d->q, d->o->limit, PEOPLE_ROWS, SIZE_MAX);
	*shown = MIN(n, *shown);
	return OK;
}

static bool has_collectives(const struct contrast_work *w)
{
	return w->base.comm_ns > 0 || w->now.comm_ns > 0;
}

static void put_collectives(struct table *t, const struct contrast_work *w)
{
	int64_t base = saturate_round(w->base.comm_ns), now = saturate_round(w->now.comm_ns);

	if (!has_collectives(w))
		return;
	TABLE_ROW(t, [DWORK_DELTA] = cell_int(now - base), [DWORK_BASE] = cell_int(base),
		[DWORK_NEW] = cell_int(now), [DWORK_WHAT] = cell_word("collectives"));
	t->nfoot++;
}

enum status diff_put_work(struct diff *d)
{
	const struct contrast_work *w = &d->c.work;
	struct place *p;
	struct filter_set set;
	size_t shown = 0;

	if (!w->is_known)
		return OK;
	p = arena_array(&d->mem, w->n, sizeof(*p));
	enum status st = filter_parse(&set, d->q->filter, d->e);
	THEN(st, order(d, &set, p, &shown));
	filter_free(&set);
	TRY(st);
	struct table *t = result_table_of(d->out, &diff_docs[DIFF_WORK_TABLE]);
	for (size_t i = 0; i < shown; i++)
		put_row(d, t, p[i].row);
	if (shown < w->n)
		put_sum(t, p, shown, w->n,
			arena_printf(&d->out->mem, "... %zu more (-n 0)", w->n - shown));
	t->ncut = w->n - shown;
	put_sum(t, p, 0, w->n, has_collectives(w) ? "all but collectives" : "GPU time");
	put_collectives(t, w);
	return OK;
}

void diff_note_work(struct diff *d)
{
	bool base = d->c.work.base.is_known, now = d->c.work.now.is_known;

	if (d->c.ledger.n > 0 && d->c.ledger.is_device && base != now)
		result_note(d->out, NOTE_INFO, "work_on_one_side", -1, -1,
			"%s has no input shapes: whether it does more work or works slower is not "
			"known",
			base ? "new" : "base");
}
