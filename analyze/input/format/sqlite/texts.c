/* Texts by number, as they are first asked for. */
#include "analyze/input/format/sqlite/texts.h"

#include <stdio.h>

#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/sqlite/database.h"

void damage_note(struct damage *d, const struct err *e)
{
	if (d->n++ == 0)
		d->first = *e;
}

/* A copy with room behind it, as emit wants. */
static struct span keep(struct texts *t, struct span text)
{
	char *p = arena_alloc(&t->mem, text.n + EMIT_PADDING);

	memcpy(p, text.p, text.n);
	memset(p + text.n, ' ', EMIT_PADDING);
	return (struct span){ p, text.n };
}

static struct span look_up(struct texts *t, int64_t id)
{
	struct span text = { NULL, 0 };
	struct err failed;
	bool there;

	rows_again(t->by_id, id);
	if (rows_next(t->by_id, &there, &failed) != OK) {
		damage_note(t->damage, &failed);
		return text;
	}
	if (there)
		text = rows_text(t->by_id, 0);
	return text.p ? keep(t, text) : text;
}

struct span texts_of(struct texts *t, int64_t id)
{
	bool is_new;

	if (!t->by_id)
		return (struct span){ NULL, 0 };
	struct span *text = valuemap_slot(&t->of, &id, &is_new);
	if (is_new)
		*text = look_up(t, id);
	return *text;
}

struct span texts_at(struct texts *t, const struct rows *r, int column)
{
	int64_t id;

	return rows_take_int(r, column, &id) ? texts_of(t, id) : (struct span){ NULL, 0 };
}

struct span texts_number(struct texts *t, int64_t number)
{
	char digits[24];
	bool is_new;
	struct span *text = valuemap_slot(&t->numbers, &number, &is_new);

	if (is_new) {
		(void)snprintf(digits, sizeof(digits), "%" PRId64, number);
		*text = keep(t, span_of(digits));
	}
	return *text;
}

struct span texts_made(struct texts *t, int64_t key, const char *text)
{
	bool is_new;
	struct span *made = valuemap_slot(&t->made, &key, &is_new);

	if (is_new)
		*made = keep(t, span_of(text));
	return *made;
}

void texts_open(struct texts *t, struct database *d, const char *table, struct damage *damage)
{
	SCOPED_STR sql = { 0 };

	*t = (struct texts){ .damage = damage };
	valuemap_init(&t->of, sizeof(int64_t), sizeof(struct span));
	valuemap_init(&t->numbers, sizeof(int64_t), sizeof(struct span));
	valuemap_init(&t->made, sizeof(int64_t), sizeof(struct span));
	str_addf(&sql, "SELECT \"value\" FROM \"%s\" WHERE \"id\" = ?1", table);
	if (database_has_column(d, table, "id") && database_has_column(d, table, "value") &&
		rows_open(&t->by_id, d, sql.s, &(struct err){ 0 }) != OK)
		t->by_id = NULL;
}

void texts_close(struct texts *t)
{
	rows_close(t->by_id);
	valuemap_clear(&t->of);
	valuemap_clear(&t->numbers);
	valuemap_clear(&t->made);
	arena_clear(&t->mem);
}
