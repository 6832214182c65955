/* Texts that a database says by number, looked up in its table of them when they are first asked
 * for; and numbers in digits.  All stay until the end, with room behind them, as emitting wants. */
#pragma once

#include "analyze/trace/columns/keymap.h"
#include "base/base.h"

struct database;
struct rows;

/* Tables that could not be read to their end, and the first of them. */
struct damage {
	int64_t n;
	struct err first;
};
void damage_note(struct damage *d, const struct err *e);

struct texts {
	struct arena mem;
	struct rows *by_id;      /* NULL: there is no such table */
	struct valuemap of;      /* int64_t, an id: struct span */
	struct valuemap numbers; /* int64_t: struct span, in digits */
	struct valuemap made;    /* int64_t: struct span */
	struct damage *damage;
};

/* The table has the columns id and value. */
void texts_open(struct texts *t, struct database *d, const char *table, struct damage *damage);
void texts_close(struct texts *t);

/* The text of an id; p is NULL when there is none.  The same of a row's column. */
struct span texts_of(struct texts *t, int64_t id);
struct span texts_at(struct texts *t, const struct rows *r, int column);

/* A number in digits; a text that the caller makes the same way for each key. */
struct span texts_number(struct texts *t, int64_t number);
struct span texts_made(struct texts *t, int64_t key, const char *text);
