/*
 * `diff`: tables of device work and of host calls, the largest changes first.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/answer/diff/diff.h"
#include "analyze/query/rows.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/kinds.h"
#include "analyze/trace/regex.h"
#include "base/unit.h"

enum { PEOPLE_ROWS = 10 };

/* Order of rows in a table. */
struct place {
	const struct contrast_row *row;
	double by;
};

static int compare(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	if (a->by != b->by)
		return a->by > b->by ? -1 : 1;
	return opsum_compare(&a->row->key, &b->row->key);
}

static double rank_of(const struct diff *d, const struct contrast_row *row)
{
	switch (d->w.sort) {
	case SORT_RATIO:
		if (row->base_ns == 0 || row->now_ns == 0)
			return row->a.delta == 0 ? 0 : INFINITY;
		return fabs(log((double)row->now_ns / (double)row->base_ns));
	case SORT_NAME: return 0;
	case SORT_DELTA: break;
	}
	return fabs((double)row->a.delta);
}

static bool has_changed(const struct contrast_row *row)
{
	return row->status == CONTRAST_CHANGED || row->status == CONTRAST_NEW ||
		row->status == CONTRAST_REMOVED;
}

/* -f and -v, on the row's name or its op's. */
static enum status wanted(
	const struct diff *d, const struct contrast_row *row, struct filter_set *set, bool *is)
{
	struct span text[2] = { row->key.name, row->key.op };
	bool match = !set->match, exclude = false, hit;
	size_t i;

	for (i = 0; i < 2; i++) {
		if (set->match) {
			TRY(regex_match(set->match, text[i], &hit, d->e));
			match = match || hit;
		}
		if (set->exclude) {
			TRY(regex_match(set->exclude, text[i], &hit, d->e));
			exclude = exclude || hit;
		}
	}
	*is = match && !exclude;
	return OK;
}

static void put_calls(struct diff *d, struct table *t, const struct contrast_row *row)
{
	struct str b = { 0 };

	if (row->base_calls > 0)
		unit_put_real(&b, round(row->base_calls * 1000) / 1000);
	else
		str_addc(&b, '-');
	if (fabs(row->base_calls - row->now_calls) > 1e-9) {
		str_adds(&b, " -> ");
		if (row->now_calls > 0)
			unit_put_real(&b, round(row->now_calls * 1000) / 1000);
		else
			str_addc(&b, '-');
	}
	table_text(t, DOP_CALLS, (struct span){ arena_copy(&d->out->mem, b.s, b.n), b.n });
	str_free(&b);
}

static void put_key(struct diff *d, struct table *t, const struct contrast_row *row)
{
	table_text(t, DOP_WHAT, span_of(opsum_name(&row->key, &d->out->mem)));
	if (row->key.name.n > 0)
		table_text(t, DOP_NAME, diff_kept(d, row->key.name));
	if (row->key.op.n > 0)
		table_text(t, DOP_OP, diff_kept(d, row->key.op));
	if (row->key.dims.n > 0)
		table_text(t, DOP_DIMS, diff_kept(d, row->key.dims));
	table_text(t, DOP_KIND, span_of(kind_word(row->key.kind)));
}

static void put_counts(struct table *t, const struct contrast_row *row)
{
	if (row->base) {
		table_real(t, DOP_BASE_PER_STEP, row->base_calls);
		table_int(t, DOP_BASE_CALLS, row->base->calls);
		if (row->base->all_calls >= 0) {
			table_int(t, DOP_BASE_ALL, row->base->all_calls);
			table_int(t, DOP_BASE_ALL_NS, row->base->all_ns);
		}
	}
	if (row->now) {
		table_real(t, DOP_NEW_PER_STEP, row->now_calls);
		table_int(t, DOP_NEW_CALLS, row->now->calls);
		if (row->now->all_calls >= 0) {
			table_int(t, DOP_NEW_ALL, row->now->all_calls);
			table_int(t, DOP_NEW_ALL_NS, row->now->all_ns);
		}
	}
}

static void put_row(struct diff *d, struct table *t, const struct contrast_rows *r,
	const struct contrast_row *row)
{
	int64_t whole = d->c.ledger.now - d->c.ledger.base;

	table_row(t);
	table_int(t, DOP_DELTA, row->a.delta);
	if (row->base && row->base->calls)
		table_int(t, DOP_BASE, row->base_ns);
	if (row->now && row->now->calls)
		table_int(t, DOP_NEW, row->now_ns);
	put_calls(d, t, row);
	table_int(t, DOP_BY_CALLS, row->a.by_calls);
	table_int(t, DOP_BY_DURATION, row->a.by_duration);
	if (row->has_mix)
		table_int(t, DOP_MIX, row->mix);
	table_real(t, DOP_Q, row->q);
	table_real(t, DOP_P, row->p);
	table_text(t, DOP_STATUS, span_of(contrast_status_word(row->status)));
	if (whole != 0)
		table_real(t, DOP_SHARE, (double)row->a.delta / (double)whole);
	if (r->change_sum > 0)
		table_real(t, DOP_CONTRIBUTION, (double)row->a.delta / (double)r->change_sum);
	if (row->partner != SIZE_MAX)
		table_text(
			t, DOP_PARTNER, span_of(opsum_name(&r->v[row->partner].key, &d->out->mem)));
	put_key(d, t, row);
	put_counts(t, row);
}

static void put_foot(struct diff *d, struct table *t, const char *what, int64_t base, int64_t now)
{
	int64_t whole = d->c.ledger.now - d->c.ledger.base;

	table_row(t);
	table_int(t, DOP_BASE, base);
	table_int(t, DOP_NEW, now);
	table_int(t, DOP_DELTA, now - base);
	if (whole != 0)
		table_real(t, DOP_SHARE, (double)(now - base) / (double)whole);
	table_text(t, DOP_WHAT, span_of(what));
	t->nfoot++;
}

/* From the rows to the step: what runs at the same time, what does not run, and the sum. */
static void put_sums(struct diff *d, struct table *t, const struct contrast_rows *r, bool host)
{
	const struct contrast_ledger *l = &d->c.ledger;
	int64_t base_idle = 0, now_idle = 0;

	if (!host) {
		base_idle = l->part[PART_IDLE].base;
		now_idle = l->part[PART_IDLE].now;
	}
	put_foot(d, t, "overlap (counted more than once above), outside of steps",
		l->base - base_idle - r->base_sum, l->now - now_idle - r->now_sum);
	if (!host)
		put_foot(d, t, "GPU idle", base_idle, now_idle);
	put_foot(d, t, "step", l->base, l->now);
}

/* Rows that are not shown, as one; their net change is known. */
static void put_rest(struct diff *d, struct table *t, const struct place *p, size_t from, size_t n)
{
	int64_t base = 0, now = 0;
	size_t i, same = 0;

	for (i = from; i < n; i++) {
		base += p[i].row->base_ns;
		now += p[i].row->now_ns;
		same += !has_changed(p[i].row);
	}
	if (from == n)
		return;
	put_foot(d, t,
		arena_printf(&d->out->mem, "... %zu more, %zu of them not shown to differ (-n 0)",
			n - from, same),
		base, now);
	t->ncut = n - from;
}

/* Rows that are shown first, then those that options leave out; *shown receives how many. */
static enum status order(struct diff *d, const struct contrast_rows *r, struct filter_set *set,
	struct place *p, size_t *shown)
{
	size_t i, n = 0, out = r->n;

	for (i = 0; i < r->n; i++) {
		const struct contrast_row *row = &r->v[i];
		bool is = false;

		TRY(wanted(d, row, set, &is));
		is = is && (!d->o->only_changed || has_changed(row));
		p[is ? n++ : --out] = (struct place){ row, rank_of(d, row) };
	}
	if (n > 1)
		qsort(p, n, sizeof(*p), compare);
	if (r->n - n > 1)
		qsort(p + n, r->n - n, sizeof(*p), compare);
	*shown = n < rows_limit(d->q, d->o->limit, PEOPLE_ROWS, SIZE_MAX)
		? n
		: rows_limit(d->q, d->o->limit, PEOPLE_ROWS, SIZE_MAX);
	return OK;
}

static enum status put_table(struct diff *d, const struct contrast_rows *r, bool host)
{
	const struct table_doc *doc = &diff_docs[host ? DIFF_HOST_TABLE : DIFF_OPS_TABLE];
	struct place *p = arena_array(&d->mem, r->n, sizeof(*p));
	struct filter_set set;
	struct table *t;
	size_t i, shown = 0;
	enum status st = filter_parse(&set, d->q->filter, d->e);

	if (st == OK)
		st = order(d, r, &set, p, &shown);
	filter_free(&set);
	TRY(st);
	t = result_table(d->out, doc->id, doc->title, doc->col, doc->ncol);
	for (i = 0; i < shown; i++)
		put_row(d, t, r, p[i].row);
	put_rest(d, t, p, shown, r->n);
	put_sums(d, t, r, host);
	return OK;
}

enum status diff_put_ops(struct diff *d)
{
	if (d->c.ledger.n == 0)
		return OK;
	if (d->c.ledger.is_device)
		TRY(put_table(d, &d->c.device, false));
	return put_table(d, &d->c.host, true);
}
