/*
 * Shorthands for rows of column tables: the usual kinds of columns, without a source of their own.
 * Macros, and no braces in the tables, so that clang-format wraps them instead of aligning.
 */
#ifndef ANALYZE_QUERY_COLUMNS_H
#define ANALYZE_QUERY_COLUMNS_H

#include "base/table.h"

#define COL_TEXT(key, title, doc, flags)                           \
	{                                                          \
		key, title, doc, NULL, CELL_TEXT, UNIT_NONE, flags \
	}
#define COL_INT(key, title, doc, unit, flags)                \
	{                                                    \
		key, title, doc, NULL, CELL_INT, unit, flags \
	}
#define COL_REAL(key, title, doc, unit, flags)                \
	{                                                     \
		key, title, doc, NULL, CELL_REAL, unit, flags \
	}
#define COL_BOOL(key, title, doc, flags)                           \
	{                                                          \
		key, title, doc, NULL, CELL_BOOL, UNIT_NONE, flags \
	}

#endif
