/*
 * Exports of Nsight Systems: going through one table.
 */
#include <stdlib.h>

#include "analyze/input/format/sqlite/nsys.h"
#include "base/compiler.h"

enum { MERGE_ROWS = 8192 };

int64_t nsys_count(struct nsys *n, const char *table)
{
	struct str sql = { 0 };
	struct rows *r = NULL;
	struct err ignored;
	int64_t count = -1;
	bool there;

	if (!database_has(n->d, table))
		return -1;
	str_addf(&sql, "SELECT count(*) FROM \"%s\"", table);
	if (rows_open(&r, n->d, sql.s, &ignored) == OK && rows_next(r, &there, &ignored) == OK &&
		there)
		count = rows_int(r, 0, -1);
	rows_close(r);
	str_free(&sql);
	return count;
}

bool nsys_times(const struct rows *r, nsec *start, nsec *dur)
{
	int64_t end;

	if (!rows_take_int(r, 0, start))
		return false;
	*dur = DECODE_NO_DURATION;
	if (rows_is_null(r, 1))
		return true;
	return rows_take_int(r, 1, &end) && !sub_overflows(end, *start, dur) &&
		*dur != DECODE_NO_DURATION;
}

void nsys_end(struct nsys *n, nsec start, nsec dur)
{
	emit_end(&n->m, start, dur, -1);
	n->nrow++;
	n->unmerged++;
}

enum status nsys_merge(struct nsys *n, struct err *e)
{
	n->unmerged = 0;
	return emit_merge(n->out, &n->m, e);
}

static enum status next_row(
	struct nsys *n, const struct nsys_table *t, struct rows *r, bool *there, struct err *e)
{
	TRY(rows_next(r, there, e));
	if (*there && !t->row(n, r))
		emit_problem(&n->m, PROBLEM_SKIPPED_RECORD, -1);
	return OK;
}

static void note_damage(struct nsys *n, const struct err *e)
{
	if (n->damaged++ == 0)
		n->damage = *e;
}

/* Asks for those columns that are for nothing or for what somebody wants. */
static enum status ask(struct nsys *n, const struct nsys_table *t, struct rows **r, struct err *e)
{
	const char *names[TABLE_COLUMNS];
	size_t i;

	for (i = 0; i < t->ncolumn; i++) {
		const struct nsys_column *c = &t->columns[i];
		bool wanted = !c->key || emit_key(&n->m, c->key) != PLAN_NO_KEY;

		names[i] = wanted ? c->name : NULL;
	}
	return rows_of(r, n->d, t->name, names, t->ncolumn, e);
}

enum status nsys_read(struct nsys *n, const struct nsys_table *t, struct err *e)
{
	struct rows *r = NULL;
	struct err failed;
	bool there = true;
	enum status st;

	if (!database_has(n->d, t->name))
		return OK;
	st = ask(n, t, &r, &failed);
	while (st == OK && there) {
		st = next_row(n, t, r, &there, &failed);
		if (n->unmerged >= MERGE_ROWS && nsys_merge(n, e) != OK) {
			rows_close(r);
			return e->status;
		}
	}
	rows_close(r);
	if (st != OK)
		note_damage(n, &failed);
	return nsys_merge(n, e);
}
