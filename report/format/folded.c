/*
 * Folded stacks: "frame;frame;frame value", one line a row, for flamegraph.pl and its like.  Only
 * for tables with a text column "stack"; the value is the first integer column, in its base unit.
 */
#include <string.h>

#include "report/cells.h"
#include "report/escape.h"
#include "report/format/renderer.h"

/* The columns of stack and value; false when the table is another. */
static bool find_columns(const struct table *t, size_t *stack, size_t *value)
{
	size_t i;

	*stack = *value = t->ncol;
	for (i = t->ncol; i-- > 0;) {
		if (t->col[i].type == CELL_TEXT &&
			strcmp(t->col[i].key, renderer_folded.column) == 0)
			*stack = i;
		if (t->col[i].type == CELL_INT)
			*value = i;
	}
	return *stack < t->ncol && *value < t->ncol;
}

/* The stack has no semicolons in names: its analysis sees to that. */
static void put_rows(FILE *out, const struct table *t, size_t stack, size_t value, struct str *line)
{
	size_t row;

	for (row = 0; row < t->nrow - t->nfoot; row++) {
		const union cell *s = table_cell(t, row, stack), *v = table_cell(t, row, value);

		if (!s || !v)
			continue;
		escape_folded(line, s->s);
		str_addc(line, ' ');
		cells_put_exact(line, &t->col[value], v);
		str_addc(line, '\n');
		cells_flush(out, line);
	}
}

static enum status put_folded(
	FILE *out, const struct result *r, const struct render *how, struct err *e)
{
	struct str line = { 0 };
	bool any = false;
	size_t i, stack, value;

	(void)how;
	for (i = 0; i < r->ntable; i++) {
		if (!find_columns(r->table[i], &stack, &value))
			continue;
		any = true;
		put_rows(out, r->table[i], stack, value, &line);
	}
	str_free(&line);
	if (!any) {
		err_set(e, E_USAGE, -1, "--format folded is for stacks, and there are none here");
		return err_hint(e, "'traceq stacks' makes them");
	}
	return cells_done(out, e);
}

const struct renderer renderer_folded = {
	.name = "folded",
	.summary = "folded stacks, the input of flame graphs",
	.doc = "A line a stack: the frames, root first, joined by semicolons, and its time in ns; of "
	       "memory snapshots its bytes at the peak. "
	       "flamegraph.pl, inferno and speedscope read it.",
	.suffix = ".folded",
	.column = "stack",
	.put = put_folded,
};
