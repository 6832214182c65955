/* What a statement of SQL selects, as bars: the first number of each row, called by the texts and
 * ids beside it. */
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char rows[] = "rows";

static bool is_number(const struct column *c)
{
	return c->type == CELL_REAL || (c->type == CELL_INT && c->unit != UNIT_NONE);
}

static struct span name_of(struct chart *c, const struct chart_rows *r, size_t i)
{
	const struct table *t = r->t[i];
	SCOPED_STR name = { 0 };

	for (size_t k = 0; k < t->ncol; k++) {
		const union cell *v = is_number(&t->col[k]) ? NULL : table_cell(t, r->row[i], k);

		if (!v || t->col[k].type == CELL_BOOL)
			continue;
		str_adds(&name, name.n ? " \u00b7 " : "");
		if (t->col[k].type == CELL_TEXT)
			str_add(&name, v->s.p, v->s.n);
		else
			str_addf(&name, "%s %" PRId64, t->col[k].key, v->i);
	}
	return span_of(chart_text(c, (struct span){ name.n ? name.s : "", name.n }));
}

static bool draw(const struct answers *in, struct chart *c, const char *ask)
{
	const struct table *t = answers_table(in, ask, rows, 0);
	const size_t at = t ? FIRST(k, t->ncol, is_number(&t->col[k])) : 0;

	if (!t || table_rows(t) == 0)
		return chart_refuse(c, "the statement selects no row");
	if (at == t->ncol)
		return chart_refuse(c, "the statement selects no number but ids");
	const struct bars b = { .table = rows,
		.call = name_of,
		.why = "no row",
		.axis = t->col[at].title,
		.unit = t->col[at].unit,
		.part = { { t->col[at].key, NULL, COLOR_SHADE_4 } } };
	const char *why = bars_draw(in, c, ask, &b);
	return !why || chart_refuse(c, "%s", why);
}

const struct chart_kind chart_kind_selected = {
	.id = "selected",
	.title = "What the statement selects",
	.doc = "The first 15 rows in their order: the length of a bar is the first number that is no "
	       "id, its name the texts and ids of the row.",
	.source = "this program",
	.ask = { "sql" },
	.answer = "sql",
	.draw = draw,
};
