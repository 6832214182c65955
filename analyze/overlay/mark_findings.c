/* Marks of findings: what `diagnose` says, read from its table as any program would. */

#include "analyze/overlay/mark_work.h"
#include "analyze/measure/place_id.h"
#include "analyze/analysis/analysis.h"
#include "base/base.h"
#include "base/table.h"

/* Columns of the table of findings, by key, that become arguments.  What of them is a number. */
static const struct {
	const char *key;
	bool is_number;
} args[] = {
	{ "severity", false },
	{ "finding", false },
	{ "evidence", false },
	{ "action", false },
	{ "saves_ns", true },
	{ "share_ratio", true },
	{ "count", true },
};

static struct span keep(struct marking *k, struct span s)
{
	return (struct span){ arena_copy(k->mem, s.p, s.n), s.n };
}

/* What was found: nothing else has a place in time. */
static bool is_found(struct span severity)
{
	return span_in(severity, "CRIT|WARN|note");
}

static void put_args(struct marking *k, const struct table *t, size_t row)
{
	for (size_t i = 0; i < COUNT_OF(args); i++) {
		size_t col;

		if (!table_find_column(t, args[i].key, &col) || !table_cell(t, row, col))
			continue;
		if (args[i].is_number)
			marking_number(k, args[i].key, table_number_at(t, row, col));
		else
			marking_text(k, args[i].key, keep(k, table_text_at(t, row, col)));
	}
}

static enum status put_finding(struct marking *k, const struct table *t, size_t row)
{
	struct span id = table_word(t, row, "id"), rule = table_word(t, row, "rule");
	struct span name = table_word(t, row, "name");
	struct interval at;

	if (id.n == 0 || !is_found(table_word(t, row, "severity")))
		return OK;
	id = keep(k, id);
	TRY(place_id_find(k->run, id.p, &at, k->e));
	struct mark *m = marking_add(k);
	m->lane = arena_printf(k->mem, "finding %.*s", (int)rule.n, rule.p);
	m->name = span_of(
		arena_printf(k->mem, "%.*s %.*s", (int)rule.n, rule.p, (int)name.n, name.p));
	m->start = at.start;
	m->dur = saturate_sub(at.end, at.start);
	m->id = id;
	put_args(k, t, row);
	return OK;
}

static enum status put_table(struct marking *k, const struct table *t)
{
	for (size_t i = 0; i < t->nrow; i++) {
		if (k->out->n == k->limit) {
			k->out->nleft = t->nrow - i;
			break;
		}
		TRY(put_finding(k, t, i));
	}
	return OK;
}

enum status mark_findings(struct marking *k)
{
	const struct run *const runs[] = { k->run };
	const struct analysis *a = k->analysis;
	const struct query q = {
		.run = runs,
		.nrun = 1,
		.filter = &k->filter,
		.opts = a->options.defaults,
		.is_per_run = true,
		.threads = k->q->threads,
		.settings = k->q->settings,
	};
	struct result r;
	int exit_code = 0;

	result_init(&r, "");
	(void)result_input(&r, k->run->path ? k->run->path : "");
	enum status st = analysis_answer(a, &q, &r, &exit_code, k->e);
	const struct table *t = result_find(&r, "findings", 0);
	if (st == OK && t)
		st = put_table(k, t);
	result_clear(&r);
	return st;
}
