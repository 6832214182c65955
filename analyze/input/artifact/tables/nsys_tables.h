/* Tables as nsys stats prints them, found line by line in any text: a heading, dashes below it that
 * tell the columns, rows as far as an empty line. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"

struct nsys_tables;

/* The line is such a table's heading. */
bool nsys_is_printed(struct span line);

/* Memory of the reading. */
struct nsys_tables *nsys_tables_open(struct reading *in);

/* Takes the next line; true when it is part of a table. */
bool nsys_tables_line(struct nsys_tables *t, struct span line);

/* Between a heading and the end of its rows. */
bool nsys_tables_inside(const struct nsys_tables *t);

/* How many rows there were. */
int64_t nsys_tables_close(struct nsys_tables *t);
