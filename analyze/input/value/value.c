/*
 * Values: made, looked at, checked.
 */
#include "analyze/input/value/value.h"

#include <math.h>

#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"
#include "base/saturate.h"

enum { FIRST_ITEMS = 4, BEING_CHECKED = ~0 };

struct value *value_new(struct arena *mem, enum value_type type)
{
	struct value *v = arena_alloc(mem, sizeof(*v));

	v->type = type;
	return v;
}

static void put(struct value *v, size_t n, struct value *item, struct arena *mem)
{
	v->u.item = arena_grow(mem, v->u.item, n, &v->cap, FIRST_ITEMS, sizeof(*v->u.item));
	v->u.item[n] = item;
}

void value_append(struct value *list, struct value *item, struct arena *mem)
{
	put(list, list->n, item, mem);
	list->n++;
}

void value_set(struct value *map, struct value *key, struct value *v, struct arena *mem)
{
	put(map, 2 * map->n, key, mem);
	put(map, 2 * map->n + 1, v, mem);
	map->n++;
}

const struct value *value_get(const struct value *map, const char *key)
{
	size_t i;

	if (!map || map->type != VALUE_MAP)
		return NULL;
	for (i = map->n; i > 0; i--)
		if (span_is(value_text(map->u.item[2 * (i - 1)]), key))
			return map->u.item[2 * (i - 1) + 1];
	return NULL;
}

size_t value_count(const struct value *list)
{
	return list && list->type == VALUE_LIST ? list->n : 0;
}

const struct value *value_item(const struct value *list, size_t i)
{
	return i < value_count(list) ? list->u.item[i] : NULL;
}

bool value_int(const struct value *v, int64_t *i)
{
	if (v && v->type == VALUE_TEXT)
		return num_i64(value_text(v), i);
	if (v && v->type == VALUE_REAL && fabs(v->u.r) < 9e18 && v->u.r == floor(v->u.r))
		*i = saturate_whole(v->u.r);
	else if (v && v->type == VALUE_INT)
		*i = v->u.i;
	else
		return false;
	return true;
}

bool value_is_true(const struct value *v)
{
	return v && v->type == VALUE_BOOL && v->u.b;
}

struct span value_text(const struct value *v)
{
	return v && v->type == VALUE_TEXT ? (struct span){ v->u.p, v->n } : SPAN("");
}

static size_t children(const struct value *v)
{
	return v->type == VALUE_LIST ? v->n : v->type == VALUE_MAP ? 2 * v->n : 0;
}

/* Each value is looked at once: its height is known then, and it may be met again. */
static enum status check(struct value *v, unsigned depth, struct err *e)
{
	unsigned height = 1;
	size_t i;

	if (v->height == (unsigned)BEING_CHECKED)
		return err_set(e, E_SYNTAX, -1, "a list or dict that holds itself");
	if (depth + v->height > LIMIT_JSON_DEPTH)
		return err_set(
			e, E_LIMIT, -1, "values nest deeper than %d levels", (int)LIMIT_JSON_DEPTH);
	if (v->height)
		return OK;
	v->height = (unsigned)BEING_CHECKED;
	for (i = 0; i < children(v); i++) {
		TRY(check(v->u.item[i], depth + 1, e));
		if (v->u.item[i]->height >= height)
			height = v->u.item[i]->height + 1;
	}
	v->height = height;
	return OK;
}

enum status value_check(struct value *v, struct err *e)
{
	return check(v, 0, e);
}
