/* `diff`: tables of device work and of host calls, the largest changes first. */
#include "analyze/answer/diff/diff.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/columns/kinds.h"
#include "analyze/trace/regex.h"
#include "base/unit.h"

enum { PEOPLE_ROWS = 10 };

/* Order of rows in a table. */
struct place {
	const struct contrast_row *row;
	double by;
};

ORDER(compare, struct place, compare3_down(a->by, b->by), opsum_compare(&a->row->key, &b->row->key))

/* Whether a pattern is in the row's own names; of ops also in a kernel's, or with all in each. */
static enum status has_name(const struct diff *d, const struct contrast_row *row,
	struct regex *pattern, bool all, bool *is)
{
	const struct opsum *of[2] = { row->base, row->now };
	size_t n = 0, hits = 0;
	bool hit;

	TRY(regex_match(pattern, row->key.name, is, d->e));
	if (!*is)
		TRY(regex_match(pattern, row->key.op, is, d->e));
	for (size_t k = 0; !*is && k < 2; k++)
		for (size_t i = 0; of[k] && i < of[k]->nitem; i++, n++) {
			TRY(regex_match(pattern, of[k]->item[i].op->name, &hit, d->e));
			hits += hit;
		}
	*is = *is || (all ? n > 0 && hits == n : hits > 0);
	return OK;
}

/* -f and -v. */
static enum status wanted(
	const struct diff *d, const struct contrast_row *row, struct filter_set *set, bool *is)
{
	bool exclude = false;

	*is = true;
	if (set->match)
		TRY(has_name(d, row, set->match, false, is));
	if (*is && set->exclude)
		TRY(has_name(d, row, set->exclude, true, &exclude));
	*is = *is && !exclude;
	return OK;
}

/* A kernel that is all of its op says what the op's row says. */
static bool is_all_of_op(const struct diff *d, const struct contrast_row *row)
{
	const struct contrast_row *op = contrast_op_of(&d->c, row);

	return op && op->base_ns == row->base_ns && op->now_ns == row->now_ns &&
		row->status != CONTRAST_NEW_KERNEL && row->status != CONTRAST_OLD_KERNEL;
}

/* "12 -> 14" */
static struct row_cell calls_cell(const struct table *t, const struct contrast_row *row)
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
	return cell_str(t, &b);
}

/* The one kernel or copy that all of an op's work on both sides is; n is 0 when there are several.
 */
static struct span only_kernel(const struct contrast_row *row)
{
	const struct opsum *of[2] = { row->base, row->now };
	struct span name = { "", 0 };

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; of[k] && i < of[k]->nitem; i++) {
			const struct digest_op *op = of[k]->item[i].op;

			if (op->calls == 0)
				continue;
			if (name.n > 0 && !span_eq(name, op->name))
				return (struct span){ "", 0 };
			name = op->name;
		}
	return name;
}

static const char *what(
	struct diff *d, const struct contrast_rows *r, const struct contrast_row *row)
{
	struct span kernel = only_kernel(row);

	if (r == &d->c.device && row->key.op.n == 0 && !span_eq(kernel, row->key.name) &&
		kernel.n > 0)
		return arena_printf(&d->out->mem, "%s (%.*s)", opsum_name(&row->key, &d->out->mem),
			(int)kernel.n, kernel.p);
	return opsum_name(&row->key, &d->out->mem);
}

static void put_counts(struct table *t, const struct contrast_row *row)
{
	if (row->base) {
		TABLE_CELLS(t, [DOP_BASE_PER_STEP] = cell_real(row->base_calls),
			[DOP_BASE_CALLS] = cell_int(row->base->calls));
		if (row->base->all_calls >= 0)
			TABLE_CELLS(t, [DOP_BASE_ALL] = cell_int(row->base->all_calls),
				[DOP_BASE_ALL_NS] = cell_int(row->base->all_ns));
	}
	if (row->now) {
		TABLE_CELLS(t, [DOP_NEW_PER_STEP] = cell_real(row->now_calls),
			[DOP_NEW_CALLS] = cell_int(row->now->calls));
		if (row->now->all_calls >= 0)
			TABLE_CELLS(t, [DOP_NEW_ALL] = cell_int(row->now->all_calls),
				[DOP_NEW_ALL_NS] = cell_int(row->now->all_ns));
	}
}

static void put_row(struct diff *d, struct table *t, const struct contrast_rows *r,
	const struct contrast_row *row)
{
	int64_t whole = d->c.ledger.now - d->c.ledger.base;

	TABLE_ROW(t, [DOP_DELTA] = cell_int(row->a.delta),
		[DOP_BASE] = CELL_IF(row->base && row->base->calls, cell_int(row->base_ns)),
		[DOP_NEW] = CELL_IF(row->now && row->now->calls, cell_int(row->now_ns)),
		[DOP_CALLS] = calls_cell(t, row), [DOP_BY_CALLS] = cell_int(row->a.by_calls),
		[DOP_BY_DURATION] = cell_int(row->a.by_duration),
		[DOP_MIX] = CELL_IF(row->has_mix, cell_int(row->mix)), [DOP_Q] = cell_real(row->q),
		[DOP_P] = cell_real(row->p), [DOP_NEEDED] = cell_real(row->needed),
		[DOP_STATUS] = cell_word(contrast_status_word(row->status)),
		[DOP_SHARE] = CELL_IF(whole != 0, cell_real((double)row->a.delta / (double)whole)),
		[DOP_CONTRIBUTION] = cell_ratio(row->a.delta, r->change_sum),
		[DOP_PARTNER] = CELL_IF(row->partner != SIZE_MAX,
			cell_word(opsum_name(&r->v[row->partner].key, &d->out->mem))),
		[DOP_WHAT] = cell_word(what(d, r, row)), [DOP_NAME] = cell_copy(t, row->key.name),
		[DOP_OP] = cell_copy(t, row->key.op), [DOP_DIMS] = cell_copy(t, row->key.dims),
		[DOP_KIND] = cell_word(kind_word(row->key.kind)));
	put_counts(t, row);
}

static void put_foot(struct diff *d, struct table *t, const char *what, int64_t base, int64_t now)
{
	int64_t whole = d->c.ledger.now - d->c.ledger.base;

	TABLE_ROW(t, [DOP_BASE] = cell_int(base), [DOP_NEW] = cell_int(now),
		[DOP_DELTA] = cell_int(now - base),
		[DOP_SHARE] = CELL_IF(whole != 0, cell_real((double)(now - base) / (double)whole)),
		[DOP_WHAT] = cell_word(what));
	t->nfoot++;
}

/* From the rows to the step: what runs at the same time, what does not run, and the sum. */
static void put_sums(struct diff *d, struct table *t, const struct contrast_rows *r, bool host)
{
	const struct contrast_ledger *l = &d->c.ledger;
	const struct contrast_part *more = contrast_imbalance(l);
	int64_t base_idle = 0, now_idle = 0;
	int64_t base_more = more ? more->base : 0, now_more = more ? more->now : 0;

	if (!host) {
		base_idle = l->part[PART_IDLE].base;
		now_idle = l->part[PART_IDLE].now;
	}
	put_foot(d, t, "overlap (counted more than once above), outside of usual steps",
		l->base - base_more - base_idle - r->base_sum,
		l->now - now_more - now_idle - r->now_sum);
	if (!host)
		put_foot(d, t, "GPU idle", base_idle, now_idle);
	if (more)
		put_foot(d, t, "imbalance of ranks", base_more, now_more);
	put_foot(d, t, "step", l->base, l->now);
}

/* Rows that are not shown, as one; their net change is known. */
static void put_rest(struct diff *d, struct table *t, const struct place *p, size_t from, size_t n)
{
	int64_t base = 0, now = 0;
	size_t same = 0;

	for (size_t i = from; i < n; i++) {
		saturate_onto(&base, p[i].row->base_ns);
		saturate_onto(&now, p[i].row->now_ns);
		same += !contrast_has_changed(p[i].row->status);
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
	size_t n = 0, out = r->n;

	for (size_t i = 0; i < r->n; i++) {
		const struct contrast_row *row = &r->v[i];
		bool is = false;

		TRY(wanted(d, row, set, &is));
		is = is && (!d->o->only_changed || contrast_has_changed(row->status));
		if (r == &d->c.kernels && d->q->for_people)
			is = is && !is_all_of_op(d, row);
		p[is ? n++ : --out] = (struct place){ row,
			diff_rank(d, row->base_ns, row->now_ns, row->a.delta) };
	}
	sort_rows(p, n, sizeof(*p), compare);
	sort_rows(p + n, r->n - n, sizeof(*p), compare);
	*shown = MIN(n, rows_limit(d->q, d->o->limit, PEOPLE_ROWS, SIZE_MAX));
	return OK;
}

static enum status put_table(
	struct diff *d, const struct contrast_rows *r, const struct table_doc *doc)
{
	struct place *p = arena_array(&d->mem, r->n, sizeof(*p));
	struct filter_set set;
	size_t shown = 0;
	enum status st = filter_parse(&set, d->q->filter, d->e);

	THEN(st, order(d, r, &set, p, &shown));
	filter_free(&set);
	TRY(st);
	if (r == &d->c.kernels && d->q->for_people && shown == 0)
		return OK;
	struct table *t = result_table_of(d->out, doc);
	for (size_t i = 0; i < shown; i++)
		put_row(d, t, r, p[i].row);
	put_rest(d, t, p, shown, r->n);
	put_sums(d, t, r, r == &d->c.host);
	return OK;
}

enum status diff_put_ops(struct diff *d)
{
	if (d->c.ledger.n == 0)
		return OK;
	if (d->c.ledger.is_device)
		TRY(put_table(d, &d->c.device, &diff_docs[DIFF_OPS_TABLE]));
	if (d->c.ledger.is_device && d->c.kernels.n > 0)
		TRY(put_table(d, &d->c.kernels, &diff_docs[DIFF_KERNELS_TABLE]));
	TRY(diff_put_work(d));
	return put_table(d, &d->c.host, &diff_docs[DIFF_HOST_TABLE]);
}
