/*
 * JSON as values.
 */
#include "analyze/input/value/value.h"

#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"

/* A tree that grows. */
struct growing {
	struct arena *mem;
	size_t nvalue;
	struct err *e;
};

static struct value *text_of(struct growing *g, struct span text, bool is_escaped)
{
	struct value *v = value_new(g->mem, VALUE_TEXT);
	unsigned bad = 0;

	if (is_escaped)
		text = json_unescape(text, g->mem, &bad);
	v->u.p = text.p;
	v->n = text.n;
	return v;
}

static struct value *number_of(struct growing *g, struct span text)
{
	struct value *v = value_new(g->mem, VALUE_INT);

	if (!num_i64(text, &v->u.i)) {
		v->type = VALUE_REAL;
		(void)num_f64(text, &v->u.r);
	}
	return v;
}

static struct value *word_of(struct growing *g, struct span text)
{
	bool is_true = span_is(text, "true");
	struct value *v;

	if (span_is(text, "NaN") || span_is(text, "Infinity") || span_is(text, "-Infinity"))
		return number_of(g, text);
	v = value_new(g->mem, is_true || span_is(text, "false") ? VALUE_BOOL : VALUE_NONE);
	v->u.b = is_true;
	return v;
}

static enum status make(struct growing *g, struct json_value j, unsigned depth, struct value **out)
{
	struct span it = j.text, key;
	struct json_value member;
	struct value *v, *child;

	if (depth > LIMIT_JSON_DEPTH || g->nvalue++ >= LIMIT_VALUES)
		return err_set(g->e, E_LIMIT, -1, "the document has more than %d %s",
			depth > LIMIT_JSON_DEPTH ? (int)LIMIT_JSON_DEPTH : (int)LIMIT_VALUES,
			depth > LIMIT_JSON_DEPTH ? "levels" : "values");
	switch (j.type) {
	case JSON_STRING: *out = text_of(g, j.text, j.escaped); return OK;
	case JSON_NUMBER: *out = number_of(g, j.text); return OK;
	case JSON_WORD:
	case JSON_NONE: *out = word_of(g, j.text); return OK;
	case JSON_ARRAY:
	case JSON_OBJECT: break;
	}
	v = value_new(g->mem, j.type == JSON_ARRAY ? VALUE_LIST : VALUE_MAP);
	while (json_next(&it, &key, &member)) {
		TRY(make(g, member, depth + 1, &child));
		if (v->type == VALUE_LIST)
			value_append(v, child, g->mem);
		else
			value_set(v, text_of(g, key, memchr(key.p, '\\', key.n) != NULL), child,
				g->mem);
	}
	*out = v;
	return OK;
}

enum status value_of_json(struct json_value v, struct arena *mem, struct value **out, struct err *e)
{
	struct growing g = { mem, 0, e };

	return make(&g, v, 0, out);
}
