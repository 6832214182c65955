/*
 * Folded stacks: "frame;frame;frame value", one line a row, for flamegraph.pl and its like.  Only
 * for tables with a text column "stack"; the value is the first integer column, in its base unit.
 */
#include "report/cells.h"
#include "report/escape.h"
#include "report/format/renderer.h"
#include "report/format/stack_columns.h"

/* The stack has no semicolons in names: its analysis sees to that. */
static void put_rows(
	FILE *out, const struct table *t, const struct stack_columns *c, struct str *line)
{
	size_t row;

	for (row = 0; row < t->nrow - t->nfoot; row++) {
		if (!stack_columns_are_known(t, row, c))
			continue;
		escape_folded(line, table_text_at(t, row, c->stack));
		str_addc(line, ' ');
		cells_put_exact(line, &t->col[c->value], table_cell(t, row, c->value));
		str_addc(line, '\n');
		cells_flush(out, line);
	}
}

static enum status put_folded(
	FILE *out, const struct result *r, const struct render *how, struct err *e)
{
	struct stack_columns c;
	struct str line = { 0 };
	bool any = false;
	size_t i;

	(void)how;
	for (i = 0; i < r->ntable; i++) {
		if (!stack_columns_find(r->table[i], &c))
			continue;
		any = true;
		put_rows(out, r->table[i], &c, &line);
	}
	str_free(&line);
	return any ? cells_done(out, e) : stack_columns_refuse("folded", e);
}

const struct renderer renderer_folded = {
	.name = "folded",
	.summary = "folded stacks, the input of flame graphs",
	.doc = "A line a stack: the frames, root first, joined by semicolons, and its time in ns; of "
	       "memory snapshots its bytes at the peak. "
	       "flamegraph.pl, inferno and speedscope read it.",
	.suffix = ".folded",
	.column = STACK_COLUMN,
	.put = put_folded,
};
