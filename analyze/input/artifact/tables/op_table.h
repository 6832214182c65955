/* The text of torch's key_averages().table(), found line by line in any text. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "base/base.h"

enum { OP_TABLE_COLUMNS = 32, OP_TABLE_TITLE = 80 };

enum op_table_state { TABLE_OUTSIDE, TABLE_HEADING, TABLE_ROWS };

struct op_table_column {
	size_t from, to; /* characters */
	int col;         /* enum ops_column, or -1 */
};

struct op_table {
	struct reading *in;
	enum op_table_state state;
	struct str heading; /* its line, until the dashes below it tell the columns */
	struct op_table_column column[OP_TABLE_COLUMNS];
	size_t n, name;             /* name: the column of the names */
	struct sheet *sheet;        /* of the table at hand */
	char title[OP_TABLE_TITLE]; /* the line in front of the table */
	double flops;               /* in one of its unit: 1e6 for MFLOPs */
	int64_t tables, rows;
};

void op_table_open(struct op_table *t, struct reading *in);
void op_table_close(struct op_table *t);

/* Takes the next line; true when it is part of a table. */
bool op_table_line(struct op_table *t, struct span line);

/* The line stands in front of a table, if the next one begins it. */
void op_table_title(struct op_table *t, struct span line);

/* The line is a table's heading. */
bool op_table_is_heading(struct span line);
