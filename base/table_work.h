/* Tables of many inputs, kept small: cells as bytes, each text once.  Private to base/table*.c.
 *
 * A result about 100,000 files has a million small tables, and its answer is written only when all
 * of them are there.  What is made for one file is packed when the next one comes; a packed table
 * is read as any other, one table after the other. */
#pragma once

#include "base/base.h"

struct result;
struct table;
union cell;

struct table_pack;

/* Of one result; released by pack_free, which takes NULL. */
struct table_pack *pack_new(struct result *r);
void pack_free(struct table_pack *p);

/* Packs t, which is in r->mem: what it holds and borrows is then in r->keep. */
void pack_table(struct table_pack *p, struct table *t);

/* As table_cell, of a packed table.  The cell and its text are valid until a cell of another table
 * is asked for; the text's bytes as long as the result.  O(1) behind the first cell of a table,
 * which takes O(cells). */
const union cell *pack_cell(const struct table *t, size_t row, size_t col);
