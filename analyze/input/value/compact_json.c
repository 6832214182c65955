/* JSON as a compact document. */
#include <stdlib.h>

#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"
#include "analyze/input/value/compact.h"
#include "base/arena.h"

/* Members of the maps that are open. */
struct growing {
	struct compact *c;
	compact_value *stack;
	size_t n, cap;
	struct arena mem; /* of texts being unescaped */
	struct err *e;
};

static compact_value text_of(struct growing *g, struct span text, bool is_escaped)
{
	struct arena_mark mark = arena_mark(&g->mem);
	unsigned bad = 0;
	compact_value v;

	if (is_escaped)
		text = json_unescape(text, &g->mem, &bad);
	v = compact_text(g->c, text);
	arena_reset(&g->mem, mark);
	return v;
}

static compact_value number_of(struct growing *g, struct span text)
{
	int64_t i;
	double r = 0;

	if (num_i64(text, &i))
		return compact_int(g->c, i);
	(void)num_f64(text, &r);
	return compact_real(g->c, r);
}

static compact_value word_of(struct growing *g, struct span text)
{
	if (span_in(text, "NaN|Infinity|-Infinity"))
		return number_of(g, text);
	if (span_is(text, "true") || span_is(text, "false"))
		return compact_bool(span_is(text, "true"));
	return COMPACT_NONE;
}

static void push(struct growing *g, compact_value v)
{
	g->stack = array_grow(g->stack, &g->cap, g->n + 1, sizeof(*g->stack));
	g->stack[g->n++] = v;
}

static enum status make(struct growing *g, struct json_value j, unsigned depth, compact_value *out);

static enum status make_list(
	struct growing *g, struct json_value j, unsigned depth, compact_value *out)
{
	struct span it = j.text, key;
	struct json_value member;
	compact_value child = 0;

	TRY(compact_new(g->c, SHAPE_LIST, out, g->e));
	while (json_next(&it, &key, &member)) {
		TRY(make(g, member, depth + 1, &child));
		TRY(compact_add(g->c, out, false, &child, 1, g->e));
	}
	return OK;
}

static enum status make_map(
	struct growing *g, struct json_value j, unsigned depth, compact_value *out)
{
	struct span it = j.text, key;
	struct json_value member;
	size_t from = g->n;
	compact_value child = 0;

	TRY(compact_new(g->c, SHAPE_MAP, out, g->e));
	while (json_next(&it, &key, &member)) {
		push(g, text_of(g, key, key.n && memchr(key.p, '\\', key.n)));
		TRY(make(g, member, depth + 1, &child));
		push(g, child);
	}
	TRY(compact_add(g->c, out, true, g->stack + from, g->n - from, g->e));
	g->n = from;
	return OK;
}

static enum status make(struct growing *g, struct json_value j, unsigned depth, compact_value *out)
{
	if (depth > LIMIT_JSON_DEPTH)
		return err_set(g->e, E_LIMIT, -1, "the document has more than %d levels",
			(int)LIMIT_JSON_DEPTH);
	switch (j.type) {
	case JSON_STRING: *out = text_of(g, j.text, j.escaped); return OK;
	case JSON_NUMBER: *out = number_of(g, j.text); return OK;
	case JSON_WORD:
	case JSON_NONE: *out = word_of(g, j.text); return OK;
	case JSON_ARRAY: return make_list(g, j, depth, out);
	case JSON_OBJECT: break;
	}
	return make_map(g, j, depth, out);
}

enum status compact_of_json(
	struct compact *c, struct json_value v, compact_value *out, struct err *e)
{
	struct growing g = { .c = c, .e = e };

	arena_init(&g.mem);
	enum status st = make(&g, v, 0, out);
	arena_clear(&g.mem);
	free(g.stack);
	return st;
}
