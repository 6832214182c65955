/* Exports of Nsight Systems: going through one table; and words of its enum tables. */
#include "analyze/input/format/sqlite/nsys.h"
#include "base/base.h"

enum { MERGE_ROWS = 8192 };

enum status nsys_merge(struct nsys *n, struct err *e)
{
	n->unmerged = 0;
	return emit_merge(n->out, &n->m, e);
}

/* Start and duration of a row; false when they are no times. */
static bool times_of(const struct rows *r, nsec *start, nsec *dur)
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

static void take_row(struct nsys *n, const struct nsys_table *t, const struct rows *r)
{
	enum nsys_row is = t->is ? t->is(n, r) : NSYS_EVENT;
	nsec start, dur;

	if (is == NSYS_OTHER)
		return;
	if (is == NSYS_BAD || !times_of(r, &start, &dur)) {
		emit_problem(&n->m, PROBLEM_SKIPPED_RECORD, -1);
		return;
	}
	t->put(n, r);
	emit_end(&n->m, start, dur, -1);
	n->nrow++;
	n->unmerged++;
}

/* Asks for those columns that are for nothing or for what somebody wants. */
static enum status ask(struct nsys *n, const struct nsys_table *t, struct rows **r, struct err *e)
{
	const char *names[TABLE_COLUMNS];

	for (size_t i = 0; i < t->ncolumn; i++) {
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
	bool there;

	if (!database_has(n->d, t->name))
		return OK;
	enum status st = ask(n, t, &r, &failed);
	while (st == OK && (st = rows_next(r, &there, &failed)) == OK && there) {
		take_row(n, t, r);
		if (n->unmerged >= MERGE_ROWS && nsys_merge(n, e) != OK) {
			rows_close(r);
			return e->status;
		}
	}
	rows_close(r);
	if (st != OK)
		damage_note(&n->damage, &failed);
	return nsys_merge(n, e);
}

/* --- enums --- */

static uint8_t word_of(const struct nsys_word *word, size_t nword, struct span symbol)
{
	for (size_t i = 1; i < nword; i++)
		if (span_is(symbol, word[i].symbol))
			return (uint8_t)i;
	return NSYS_NO_WORD;
}

void nsys_enum_read(struct nsys *n, const char *table, const struct nsys_word *word, size_t nword,
	struct nsys_enum *out)
{
	static const char *const columns[] = { "id", "name" };
	struct rows *r = rows_if(n->d, table, columns, 2);
	bool any = false;
	int64_t id;

	*out = (struct nsys_enum){ { NSYS_NO_WORD } };
	while (rows_more(r)) {
		if (!rows_take_int(r, 0, &id) || id < 0 || id >= NSYS_ENUM_IDS)
			continue;
		out->word[id] = word_of(word, nword, rows_text(r, 1));
		any = true;
	}
	rows_close(r);
	for (size_t i = 1; !any && i < nword; i++)
		out->word[word[i].id] = (uint8_t)i;
}

unsigned nsys_enum_word(const struct nsys_enum *t, int64_t id)
{
	return id >= 0 && id < NSYS_ENUM_IDS ? t->word[id] : NSYS_NO_WORD;
}
