/*
 * Tables of stacks, found by their columns.
 */
#include "report/format/stack_columns.h"

#include <string.h>

bool stack_columns_find(const struct table *t, struct stack_columns *c)
{
	size_t i;

	c->stack = c->value = t->ncol;
	for (i = t->ncol; i-- > 0;) {
		if (t->col[i].type == CELL_TEXT && strcmp(t->col[i].key, STACK_COLUMN) == 0)
			c->stack = i;
		if (t->col[i].type == CELL_INT)
			c->value = i;
	}
	return c->stack < t->ncol && c->value < t->ncol;
}

bool stack_columns_are_known(const struct table *t, size_t row, const struct stack_columns *c)
{
	return table_cell(t, row, c->stack) && table_cell(t, row, c->value);
}

enum status stack_columns_refuse(const char *format, struct err *e)
{
	err_set(e, E_USAGE, -1, "--format %s is for stacks, and there are none here", format);
	return err_hint(e, "'traceq stacks' makes them");
}
