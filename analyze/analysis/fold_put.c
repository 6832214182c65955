/* Folding tables over ranks: the median rank, and those with least and most. */
#include "analyze/analysis/fold.h"
#include "analyze/analysis/pagecells.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/stat/quantile.h"

enum { MEDIAN, LEAST, LEAST_RANK, MOST, MOST_RANK, HAVE, FOLDED };

/* A row over all ranks. */
struct folded {
	size_t label; /* its row in fold.label */
	double median, least, most, sum;
	int64_t least_rank, most_rank;
	size_t have; /* ranks with the row */
	double beside[FOLD_BESIDE];
};

static bool is_elastic(const struct column *c)
{
	return c->flags & COLUMN_ELASTIC;
}

static const struct column rank_columns[] = {
	{ "least_rank", "rank",
		"The first rank that has the least; absent where all have the same.", NULL,
		CELL_INT, UNIT_NONE, .is_optional = true },
	{ "most_rank", "rank", "The first rank that has the most; absent where all have the same.",
		NULL, CELL_INT, UNIT_NONE, .is_optional = true },
	{ "ranks", "ranks", "Ranks that have the row; absent where all have it.", NULL, CELL_INT,
		UNIT_COUNT, .is_optional = true },
};

static struct column value_column(
	struct arena *mem, const struct column *c, const char *word, const char *doc)
{
	struct column v = *c;

	v.key = arena_printf(mem, "%s_%s", word, c->key);
	v.title = word;
	v.type = CELL_REAL;
	v.doc = doc;
	return v;
}

static bool has_label(const struct fold *f, const char *key)
{
	size_t col;

	return table_find_column(f->label, key, &col);
}

size_t fold_width(const struct fold *f)
{
	return f->label->ncol + FOLDED + f->nvalue;
}

/* The columns: labels of fixed width, the value over ranks, those beside it, the other labels. */
size_t fold_columns(const struct fold *f, struct column *col, size_t *value, struct arena *mem)
{
	size_t n = 0;

	for (size_t i = 0; i < f->label->ncol; i++)
		if (!is_elastic(&f->label->col[i]))
			col[n++] = f->label->col[i];
	*value = n;
	col[n + MEDIAN] = value_column(mem, f->value, "median", "What the median rank has.");
	col[n + LEAST] = value_column(mem, f->value, "least", "The least of all ranks.");
	col[n + MOST] = value_column(mem, f->value, "most", "The most of all ranks.");
	col[n + LEAST_RANK] = rank_columns[0];
	col[n + MOST_RANK] = rank_columns[1];
	col[n + HAVE] = rank_columns[2];
	if (has_label(f, col[n + HAVE].key))
		col[n + HAVE].key = "have_ranks";
	n += FOLDED;
	for (size_t i = 1; i < f->nvalue; i++) {
		col[n] = f->value[i];
		col[n].type = CELL_REAL;
		col[n++].flags |= COLUMN_SPARE;
	}
	for (size_t i = 0; i < f->label->ncol; i++)
		if (is_elastic(&f->label->col[i]))
			col[n++] = f->label->col[i];
	return n;
}

/* Whether a rank without a row has nothing of it; else that is not known. */
static bool is_nothing(const struct fold *f, size_t input)
{
	return !f->doc->is_figure && input < f->ninput && !f->is_cut[input];
}

/* What the ranks have of one of the values, NaN where that is unknown; returns how many have the
 * row. */
static size_t take(const struct fold *f, const struct fold_row *row, size_t value,
	const struct fold_ranks *ranks, double *v)
{
	size_t n = 0;

	for (size_t i = 0; i < ranks->n; i++)
		v[i] = ranks->rank[i] != FOLD_NO_RANK && is_nothing(f, i) ? 0 : NAN;
	for (uint32_t at = row->last; at; at = f->cell[at - 1].before) {
		const struct fold_cell *c = &f->cell[at - 1];

		if ((size_t)c->input >= ranks->n || ranks->rank[c->input] == FOLD_NO_RANK)
			continue;
		v[c->input] = c->v[value];
		n++;
	}
	return n;
}

static double median_of(const double *v, size_t n, double *scratch)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(v[i]))
			scratch[known++] = v[i];
	return quantile_select(scratch, known, 0.5);
}

/* False: no rank of the job has it. */
static bool fold_one(const struct fold *f, const struct fold_row *row,
	const struct fold_ranks *ranks, double *v, struct folded *to)
{
	double *scratch = v + ranks->n;

	*to = (struct folded){ .label = row->label, .least = NAN, .most = NAN };
	to->have = take(f, row, 0, ranks, v);
	for (size_t i = 0; i < ranks->n; i++) {
		if (isnan(v[i]))
			continue;
		to->sum += v[i];
		if (isnan(to->least) || v[i] < to->least) {
			to->least = v[i];
			to->least_rank = ranks->rank[i];
		}
		if (isnan(to->most) || v[i] > to->most) {
			to->most = v[i];
			to->most_rank = ranks->rank[i];
		}
	}
	to->median = median_of(v, ranks->n, scratch);
	for (size_t i = 1; i < f->nvalue; i++) {
		(void)take(f, row, i, ranks, v);
		to->beside[i - 1] = median_of(v, ranks->n, scratch);
	}
	return to->have > 0;
}

ORDER(by_sum, struct folded, compare3_down(a->sum, b->sum), compare3(a->label, b->label))

static void put_row(
	struct table *t, const struct fold *f, const struct folded *r, size_t value, size_t nrank)
{
	size_t n = 0;

	table_row(t);
	for (size_t i = 0; i < f->label->ncol; i++)
		if (!is_elastic(&f->label->col[i]))
			pagecells_copy(t, n++, f->label, r->label, i);
	table_real(t, value + MEDIAN, r->median);
	table_real(t, value + LEAST, r->least);
	table_real(t, value + MOST, r->most);
	if (r->have < nrank)
		table_int(t, value + HAVE, (int64_t)r->have);
	if (r->least < r->most) {
		table_int(t, value + LEAST_RANK, r->least_rank);
		table_int(t, value + MOST_RANK, r->most_rank);
	}
	n = value + FOLDED;
	for (size_t i = 1; i < f->nvalue; i++)
		table_real(t, n++, r->beside[i - 1]);
	for (size_t i = 0; i < f->label->ncol; i++)
		if (is_elastic(&f->label->col[i]))
			pagecells_copy(t, n++, f->label, r->label, i);
}

/* The rows that a rank of the job has, in their order; returns how many. */
static size_t fold_rows(
	const struct fold *f, const struct fold_ranks *ranks, struct folded *to, struct arena *mem)
{
	double *v = arena_array(mem, 2 * ranks->n, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < f->nrow; i++)
		n += fold_one(f, &f->row[i], ranks, v, &to[n]);
	if (!f->doc->in_order && n > 1)
		qsort(to, n, sizeof(*to), by_sum);
	return n;
}

/* The column a row for those left out has its text in. */
static size_t text_column(const struct column *col, size_t n)
{
	for (size_t i = n; i > 0; i--)
		if (col[i - 1].type == CELL_TEXT)
			return i - 1;
	return n;
}

void fold_put(const struct fold *f, struct result *r, const struct fold_ranks *ranks, size_t limit)
{
	const size_t nrank = SUM(size_t, i, ranks->n, ranks->rank[i] != FOLD_NO_RANK);
	size_t i, value;

	if (f->nrow == 0)
		return;
	struct column *col = arena_array(&r->keep, fold_width(f), sizeof(*col));
	struct folded *v = arena_array(&r->keep, f->nrow, sizeof(*v));
	size_t n = fold_rows(f, ranks, v, &r->keep);
	if (n == 0)
		return;
	size_t ncol = fold_columns(f, col, &value, &r->keep);
	struct table *t = result_table(r, arena_copy(&r->keep, f->label->id, strlen(f->label->id)),
		arena_printf(
			&r->keep, "%s, over %zu ranks: %s", f->title, nrank, f->value[0].title),
		col, ncol);
	for (i = 0; i < n && i < limit; i++)
		put_row(t, f, &v[i], value, nrank);
	table_drop_empty(t);
	if (text_column(t->col, t->ncol) < t->ncol)
		rows_cut(t, text_column(t->col, t->ncol), n - i);
	else
		t->ncut = n - i;
}
