/* Exports of Nsight Systems: going through one table; and texts of a report: StringIds by number,
 * as they are first asked for, and words of its enum tables. */
#include <stdio.h>

#include "analyze/input/format/sqlite/nsys.h"
#include "base/base.h"

enum { MERGE_ROWS = 8192 };

int64_t nsys_count(struct nsys *n, const char *table)
{
	SCOPED_STR sql = { 0 };
	struct rows *r = NULL;
	int64_t count = -1;

	if (!database_has(n->d, table))
		return -1;
	str_addf(&sql, "SELECT count(*) FROM \"%s\"", table);
	if (rows_open(&r, n->d, sql.s, &(struct err){ 0 }) == OK && rows_more(r))
		count = rows_int(r, 0, -1);
	rows_close(r);
	return count;
}

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

static void note_damage(struct nsys *n, const struct err *e)
{
	if (n->damaged++ == 0)
		n->damage = *e;
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
		note_damage(n, &failed);
	return nsys_merge(n, e);
}

/* --- texts --- */

/* A copy with room behind it, as emit wants. */
static struct span keep(struct nsys *n, struct span text)
{
	char *p = arena_alloc(&n->mem, text.n + EMIT_PADDING);

	memcpy(p, text.p, text.n);
	memset(p + text.n, ' ', EMIT_PADDING);
	return (struct span){ p, text.n };
}

static struct span look_up(struct nsys *n, int64_t id)
{
	struct span text = { NULL, 0 };
	struct err failed;
	bool there;

	rows_again(n->text_by_id, id);
	if (rows_next(n->text_by_id, &there, &failed) != OK) {
		note_damage(n, &failed);
		return text;
	}
	if (there)
		text = rows_text(n->text_by_id, 0);
	return text.p ? keep(n, text) : text;
}

/* The text of a StringIds id; an empty one with p NULL when there is none. */
static struct span text_by_id(struct nsys *n, int64_t id)
{
	bool is_new;

	if (!n->text_by_id)
		return (struct span){ NULL, 0 };
	struct span *text = valuemap_slot(&n->texts, &id, &is_new);
	if (is_new)
		*text = look_up(n, id);
	return *text;
}

struct span nsys_text_of(struct nsys *n, const struct rows *r, int column)
{
	int64_t id;

	return rows_take_int(r, column, &id) ? text_by_id(n, id) : (struct span){ NULL, 0 };
}

struct span nsys_number(struct nsys *n, int64_t number)
{
	char digits[24];
	bool is_new;
	struct span *text = valuemap_slot(&n->numbers, &number, &is_new);

	if (is_new) {
		(void)snprintf(digits, sizeof(digits), "%" PRId64, number);
		*text = keep(n, span_of(digits));
	}
	return *text;
}

struct span nsys_made(struct nsys *n, int64_t key, const char *text)
{
	bool is_new;
	struct span *made = valuemap_slot(&n->made, &key, &is_new);

	if (is_new)
		*made = keep(n, span_of(text));
	return *made;
}

void nsys_names_open(struct nsys *n)
{
	valuemap_init(&n->texts, sizeof(int64_t), sizeof(struct span));
	valuemap_init(&n->numbers, sizeof(int64_t), sizeof(struct span));
	valuemap_init(&n->made, sizeof(int64_t), sizeof(struct span));
	if (database_has_column(n->d, "StringIds", "id") &&
		database_has_column(n->d, "StringIds", "value") &&
		rows_open(&n->text_by_id, n->d,
			"SELECT \"value\" FROM \"StringIds\" WHERE \"id\" = ?1",
			&(struct err){ 0 }) != OK)
		n->text_by_id = NULL;
}

void nsys_names_close(struct nsys *n)
{
	rows_close(n->text_by_id);
	valuemap_clear(&n->texts);
	valuemap_clear(&n->numbers);
	valuemap_clear(&n->made);
}

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
