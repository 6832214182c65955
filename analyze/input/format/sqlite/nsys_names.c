/*
 * Texts of a report: StringIds by number, as they are first asked for, and words of its enum
 * tables.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/format/sqlite/nsys.h"

/* A copy with room behind it, as emit wants. */
static struct span keep(struct nsys *n, struct span text)
{
	char *p = arena_alloc(&n->mem, text.n + EMIT_PADDING);

	memcpy(p, text.p, text.n);
	memset(p + text.n, ' ', EMIT_PADDING);
	return (struct span){ p, text.n };
}

void *nsys_map_slot(struct nsys_map *m, const void *key, size_t size, bool *is_new)
{
	size_t before = m->key.n, old = m->cap;
	uint32_t at = keymap_add(&m->key, key);

	*is_new = m->key.n > before;
	if (m->key.n > m->cap) {
		m->value = array_grow(m->value, &m->cap, m->key.n, size);
		memset((char *)m->value + old * size, 0, (m->cap - old) * size);
	}
	return (char *)m->value + at * size;
}

static struct span look_up(struct nsys *n, int64_t id)
{
	struct span text = { NULL, 0 };
	struct err failed;
	bool there;

	rows_again(n->text_by_id, id);
	if (rows_next(n->text_by_id, &there, &failed) != OK) {
		if (n->damaged++ == 0)
			n->damage = failed;
		return text;
	}
	if (there)
		text = rows_text(n->text_by_id, 0);
	return text.p ? keep(n, text) : text;
}

/* The text of a StringIds id; an empty one with p NULL when there is none. */
static struct span text_by_id(struct nsys *n, int64_t id)
{
	struct span *text;
	bool is_new;

	if (!n->text_by_id)
		return (struct span){ NULL, 0 };
	text = nsys_map_slot(&n->texts, &id, sizeof(*text), &is_new);
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
	struct span *text;
	bool is_new;

	text = nsys_map_slot(&n->numbers, &number, sizeof(*text), &is_new);
	if (is_new) {
		(void)snprintf(digits, sizeof(digits), "%" PRId64, number);
		*text = keep(n, span_of(digits));
	}
	return *text;
}

struct span nsys_made(struct nsys *n, int64_t key, const char *text)
{
	struct span *made;
	bool is_new;

	made = nsys_map_slot(&n->made, &key, sizeof(*made), &is_new);
	if (is_new)
		*made = keep(n, span_of(text));
	return *made;
}

void nsys_names_open(struct nsys *n)
{
	struct err ignored;

	keymap_init(&n->texts.key, sizeof(int64_t));
	keymap_init(&n->numbers.key, sizeof(int64_t));
	keymap_init(&n->made.key, sizeof(int64_t));
	if (database_has_column(n->d, "StringIds", "id") &&
		database_has_column(n->d, "StringIds", "value") &&
		rows_open(&n->text_by_id, n->d,
			"SELECT \"value\" FROM \"StringIds\" WHERE \"id\" = ?1", &ignored) != OK)
		n->text_by_id = NULL;
}

void nsys_names_close(struct nsys *n)
{
	rows_close(n->text_by_id);
	keymap_clear(&n->texts.key);
	keymap_clear(&n->numbers.key);
	keymap_clear(&n->made.key);
	free(n->texts.value);
	free(n->numbers.value);
	free(n->made.value);
}

static uint8_t word_of(const struct nsys_word *word, size_t nword, struct span symbol)
{
	size_t i;

	for (i = 1; i < nword; i++)
		if (span_is(symbol, word[i].symbol))
			return (uint8_t)i;
	return NSYS_NO_WORD;
}

void nsys_enum_read(struct nsys *n, const char *table, const struct nsys_word *word, size_t nword,
	struct nsys_enum *out)
{
	static const char *const columns[] = { "id", "name" };
	struct rows *r = NULL;
	struct err ignored;
	bool there, any = false;
	int64_t id;
	size_t i;

	*out = (struct nsys_enum){ { NSYS_NO_WORD } };
	if (database_has(n->d, table) && rows_of(&r, n->d, table, columns, 2, &ignored) == OK)
		while (rows_next(r, &there, &ignored) == OK && there) {
			if (!rows_take_int(r, 0, &id) || id < 0 || id >= NSYS_ENUM_IDS)
				continue;
			out->word[id] = word_of(word, nword, rows_text(r, 1));
			any = true;
		}
	rows_close(r);
	for (i = 1; !any && i < nword; i++)
		out->word[word[i].id] = (uint8_t)i;
}

unsigned nsys_enum_word(const struct nsys_enum *t, int64_t id)
{
	return id >= 0 && id < NSYS_ENUM_IDS ? t->word[id] : NSYS_NO_WORD;
}
