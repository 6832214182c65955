/* Compact documents: how values are packed, and the lists and maps that nobody has taken. */
#include "analyze/input/value/compact.h"

#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"

enum { TYPE_BITS = 4, KIND_BITS = 4, LOOKED_AT = 64, OBJECTS = 1 << 24 };

#define ROW_STEP (UINT64_C(1) << (TYPE_BITS + KIND_BITS))

_Static_assert(COMPACT_ROW < 1 << TYPE_BITS && COMPACT_KINDS == 1 << KIND_BITS, "they fit");

static compact_value make(enum compact_type type, uint64_t payload)
{
	return payload << TYPE_BITS | type;
}

static uint64_t payload(compact_value v)
{
	return v >> TYPE_BITS;
}

void compact_init(struct compact *c, struct strings *names, const struct compact_taker *taker)
{
	*c = (struct compact){ .names = names, .taker = taker };
}

void compact_clear(struct compact *c)
{
	for (size_t i = 0; i < c->nobject; i++)
		free(c->object[i].item);
	FREE_ALL(c->object, c->memo, c->free, c->wide, c->real);
	*c = (struct compact){ 0 };
}

enum compact_type compact_type(compact_value v)
{
	return (enum compact_type)(v & ((1 << TYPE_BITS) - 1));
}

compact_value compact_bool(bool b)
{
	return make(COMPACT_BOOL, b);
}

compact_value compact_int(struct compact *c, int64_t i)
{
	if (i >= -(INT64_C(1) << 59) && i < INT64_C(1) << 59)
		return make(COMPACT_INT, (uint64_t)i);
	c->wide = array_grow(c->wide, &c->wide_cap, c->nwide + 1, sizeof(*c->wide));
	c->wide[c->nwide] = i;
	return make(COMPACT_WIDE, c->nwide++);
}

compact_value compact_real(struct compact *c, double r)
{
	c->real = array_grow(c->real, &c->real_cap, c->nreal + 1, sizeof(*c->real));
	c->real[c->nreal] = r;
	return make(COMPACT_REAL, c->nreal++);
}

compact_value compact_text(struct compact *c, struct span text)
{
	return make(COMPACT_TEXT, strings_intern(c->names, text));
}

compact_value compact_row(unsigned kind, uint64_t number)
{
	return make(COMPACT_ROW, number << KIND_BITS | kind);
}

bool compact_is_row(compact_value v, unsigned kind, uint64_t *number)
{
	if (compact_type(v) != COMPACT_ROW || (payload(v) & (COMPACT_KINDS - 1)) != kind)
		return false;
	*number = payload(v) >> KIND_BITS;
	return true;
}

bool compact_to_int(const struct compact *c, compact_value v, int64_t *i)
{
	double r;

	if (compact_type(v) == COMPACT_INT)
		*i = (int64_t)v >> TYPE_BITS;
	else if (compact_type(v) == COMPACT_WIDE)
		*i = c->wide[payload(v)];
	else if (compact_to_real(c, v, &r) && r == floor(r) && fabs(r) < 0x1p62)
		*i = saturate_whole(r);
	else
		return false;
	return true;
}

bool compact_to_real(const struct compact *c, compact_value v, double *r)
{
	if (compact_type(v) != COMPACT_REAL)
		return false;
	*r = c->real[payload(v)];
	return true;
}

sym compact_to_sym(compact_value v)
{
	return compact_type(v) == COMPACT_TEXT ? (sym)payload(v) : 0;
}

struct span compact_to_text(const struct compact *c, compact_value v)
{
	return strings_get(c->names, compact_to_sym(v));
}

bool compact_is_true(compact_value v)
{
	return v == compact_bool(true);
}

/* NULL: it is no object. */
static struct compact_object *object_of(const struct compact *c, compact_value v)
{
	return compact_type(v) == COMPACT_OBJECT ? &c->object[payload(v)] : NULL;
}

/* Of an object, what it is by now: a taken one is its row. */
static compact_value now(const struct compact *c, compact_value v)
{
	const struct compact_object *o = object_of(c, v);

	return o && o->shape == SHAPE_TAKEN ? o->first : v;
}

size_t compact_count(const struct compact *c, compact_value list)
{
	const struct compact_object *o = object_of(c, list);

	return o && (o->shape == SHAPE_LIST || o->shape == SHAPE_RUN) ? o->n : 0;
}

compact_value compact_item(const struct compact *c, compact_value list, size_t i)
{
	const struct compact_object *o = object_of(c, list);

	if (i >= compact_count(c, list))
		return make(COMPACT_NONE, 0);
	return o->shape == SHAPE_RUN ? o->first + i * ROW_STEP : now(c, o->item[i]);
}

bool compact_run(
	const struct compact *c, compact_value list, unsigned kind, uint64_t *first, size_t *n)
{
	const struct compact_object *o = object_of(c, list);

	*n = compact_count(c, list);
	*first = 0;
	if (!o || (o->shape != SHAPE_RUN && (o->shape != SHAPE_LIST || o->n)))
		return false;
	return *n == 0 || compact_is_row(o->first, kind, first);
}

const compact_value *compact_pairs(const struct compact *c, compact_value map, size_t *n)
{
	static const compact_value none;
	const struct compact_object *o = object_of(c, map);

	if (!o || o->shape != SHAPE_MAP)
		return NULL;
	*n = o->n / 2;
	return o->item ? o->item : &none;
}

compact_value compact_get(const struct compact *c, compact_value map, const char *key)
{
	size_t n = 0;
	const compact_value *pair = compact_pairs(c, map, &n);
	compact_value wanted = make(COMPACT_TEXT, strings_find(c->names, span_of(key)));

	for (; n > 0; n--)
		if (pair[2 * n - 2] == wanted)
			return now(c, pair[2 * n - 1]);
	return COMPACT_NONE;
}

enum status compact_new(
	struct compact *c, enum compact_shape shape, compact_value *out, struct err *e)
{
	size_t i = c->nobject;

	if (c->nfree) {
		i = c->free[--c->nfree];
	} else if (c->nobject == OBJECTS) {
		return err_set(e, E_LIMIT, -1,
			"more than %d lists and dicts that nothing is known of", (int)OBJECTS);
	} else {
		PUSH(c->object, c->nobject, c->object_cap, (struct compact_object){ 0 });
	}
	struct compact_object *o = &c->object[i];
	*o = (struct compact_object){ .item = o->item, .cap = o->cap, .shape = (uint8_t)shape };
	*out = make(COMPACT_OBJECT, i);
	return OK;
}

/* Nobody can ask for it any more: it is used again. */
static void release(struct compact *c, compact_value object)
{
	struct compact_object *o = object_of(c, object);

	o->shape = SHAPE_FREE;
	if (o->cap > LOOKED_AT) {
		free(o->item);
		o->item = NULL;
		o->cap = 0;
	}
	PUSH(c->free, c->nfree, c->free_cap, (uint32_t)payload(object));
}

/* It is a row from now on, wherever it stands. */
static void become(struct compact *c, compact_value *object, compact_value row)
{
	struct compact_object *o = object_of(c, *object);

	o->shape = SHAPE_TAKEN;
	o->first = row;
	if (o->memo && c->memo[o->memo - 1] == *object)
		c->memo[o->memo - 1] = row;
	if (!o->is_shared)
		release(c, *object);
	*object = row;
}

void compact_share(struct compact *c, compact_value v)
{
	struct compact_object *o = object_of(c, v);

	if (o)
		o->is_shared = true;
}

void compact_put(struct compact *c, size_t number, compact_value v)
{
	struct compact_object *o = object_of(c, v);

	c->memo = array_grow(c->memo, &c->memo_cap, number + 1, sizeof(*c->memo));
	for (size_t i = c->nmemo; i < number; i++)
		c->memo[i] = 0;
	if (o && o->memo)
		o->is_shared = true;
	else if (o)
		o->memo = (uint32_t)number + 1;
	c->memo[number] = v;
	c->nmemo = MAX(number + 1, c->nmemo);
}

static void append(struct compact_object *o, compact_value v)
{
	PUSH(o->item, o->n, o->cap, v);
}

/* A run that something else follows is a list of its items. */
static void spread(struct compact_object *o)
{
	size_t n = o->n;

	o->shape = SHAPE_LIST;
	o->n = 0;
	for (size_t i = 0; i < n; i++)
		append(o, o->first + i * ROW_STEP);
}

static bool makes_run(const struct compact *c, compact_value v)
{
	return compact_type(v) == COMPACT_ROW && c->taker &&
		c->taker->runs >> (payload(v) & (COMPACT_KINDS - 1)) & 1;
}

static void append_item(const struct compact *c, struct compact_object *o, compact_value v)
{
	if (o->shape == SHAPE_LIST && o->n == 0 && makes_run(c, v)) {
		o->shape = SHAPE_RUN;
		o->first = v;
		o->n = 1;
	} else if (o->shape == SHAPE_RUN && v == o->first + o->n * ROW_STEP) {
		o->n++;
	} else {
		if (o->shape == SHAPE_RUN)
			spread(o);
		append(o, v);
	}
}

static enum status offer(struct compact *c, bool is_map, const compact_value *v, size_t n,
	compact_value *row, struct err *e)
{
	const struct compact_taker *t = c->taker;

	if (!t)
		return OK;
	return is_map ? t->map(t->ctx, c, v, n / 2, row, e) : t->list(t->ctx, c, v, n, row, e);
}

/* A list is complete where it becomes a member: the taker may take it. */
static enum status settle(struct compact *c, compact_value *v, struct err *e)
{
	compact_value row = 0;

	*v = now(c, *v);
	struct compact_object *o = object_of(c, *v);
	if (!o || o->shape != SHAPE_LIST || o->is_left)
		return OK;
	TRY(offer(c, false, o->item, o->n, &row, e));
	o->is_left = !row;
	if (row)
		become(c, v, row);
	return OK;
}

static enum status add_to_list(
	struct compact *c, compact_value list, const compact_value *v, size_t n)
{
	struct compact_object *o = object_of(c, list);

	o->is_left = false;
	for (size_t i = 0; i < n; i++)
		append_item(c, o, now(c, v[i]));
	return OK;
}

static enum status add_to_map(
	struct compact *c, compact_value *map, const compact_value *v, size_t n, struct err *e)
{
	struct compact_object *o = object_of(c, *map);
	compact_value row = 0;

	for (size_t i = 0; i < n; i++)
		append(o, v[i]);
	if (o->n > LOOKED_AT)
		return OK;
	TRY(offer(c, true, o->item, o->n, &row, e));
	if (row)
		become(c, map, row);
	return OK;
}

enum status compact_add(struct compact *c, compact_value *of, bool is_map, compact_value *v,
	size_t n, struct err *e)
{
	for (size_t i = 1; is_map && i < n; i += 2)
		TRY(settle(c, &v[i], e));
	*of = now(c, *of);
	const struct compact_object *o = object_of(c, *of);
	if (!o && is_map && compact_type(*of) == COMPACT_ROW)
		return offer(c, true, v, n, of, e);
	if (!o || is_map != (o->shape == SHAPE_MAP))
		return err_set(e, E_SYNTAX, -1, "malformed: something else where a %s was expected",
			is_map ? "dict" : "list");
	return is_map ? add_to_map(c, of, v, n, e) : add_to_list(c, *of, v, n);
}

/* --- JSON as a compact document --- */

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

	if (is_escaped)
		text = json_unescape(text, &g->mem, NULL);
	compact_value v = compact_text(g->c, text);
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
	PUSH(g->stack, g->n, g->cap, v);
}

static enum status of_json(
	struct growing *g, struct json_value j, unsigned depth, compact_value *out);

static enum status make_list(
	struct growing *g, struct json_value j, unsigned depth, compact_value *out)
{
	compact_value child = 0;

	TRY(compact_new(g->c, SHAPE_LIST, out, g->e));
	for (struct json_items it = json_items(j); json_more(&it);) {
		TRY(of_json(g, it.v, depth + 1, &child));
		TRY(compact_add(g->c, out, false, &child, 1, g->e));
	}
	return OK;
}

static enum status make_map(
	struct growing *g, struct json_value j, unsigned depth, compact_value *out)
{
	size_t from = g->n;
	compact_value child = 0;

	TRY(compact_new(g->c, SHAPE_MAP, out, g->e));
	for (struct json_items it = json_items(j); json_more(&it);) {
		push(g, text_of(g, it.key, it.key.n && memchr(it.key.p, '\\', it.key.n)));
		TRY(of_json(g, it.v, depth + 1, &child));
		push(g, child);
	}
	TRY(compact_add(g->c, out, true, g->stack + from, g->n - from, g->e));
	g->n = from;
	return OK;
}

static enum status of_json(
	struct growing *g, struct json_value j, unsigned depth, compact_value *out)
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

	enum status st = of_json(&g, v, 0, out);
	arena_clear(&g.mem);
	free(g.stack);
	return st;
}
