/*
 * Which columns of a table are stacks and what they weigh: for formats of stacks.
 */
#ifndef REPORT_FORMAT_STACK_COLUMNS_H
#define REPORT_FORMAT_STACK_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/table.h"

#define STACK_COLUMN "stack"

struct stack_columns {
	size_t stack; /* the text column STACK_COLUMN: frames, root first, semicolons between them
	               */
	size_t value; /* the first integer column */
};

/* false when the table is another. */
bool stack_columns_find(const struct table *t, struct stack_columns *c);

/* Whether the row has both. */
bool stack_columns_are_known(const struct table *t, size_t row, const struct stack_columns *c);

/* E_USAGE: there is no such table. */
enum status stack_columns_refuse(const char *format, struct err *e);

#endif
