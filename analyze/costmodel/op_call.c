/* Reads the arguments of a call out of their JSON texts, which may be anything. */
#include "analyze/costmodel/op_call.h"

/* Text that is read from the front. */
struct text {
	const char *at, *end;
};

static void skip_blanks(struct text *t)
{
	while (t->at < t->end &&
		(*t->at == ' ' || *t->at == '\n' || *t->at == '\t' || *t->at == '\r'))
		t->at++;
}

static bool take(struct text *t, char c)
{
	skip_blanks(t);
	if (t->at == t->end || *t->at != c)
		return false;
	t->at++;
	return true;
}

static bool is_next(struct text *t, char c)
{
	skip_blanks(t);
	return t->at < t->end && *t->at == c;
}

/* A whole number; false: it is none, or does not fit. */
static bool take_int(struct text *t, int64_t *v)
{
	bool negative = take(t, '-');

	skip_blanks(t);
	const char *from = t->at;
	*v = 0;
	for (; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++)
		*v = saturate_add(saturate_times(*v, 10), *t->at - '0');
	if (t->at == from || *v == ROOF_MANY)
		return false;
	*v = negative ? -*v : *v;
	return true;
}

/* A quoted string as it stands, without unescaping. */
static bool take_string(struct text *t, struct span *s)
{
	if (!take(t, '"'))
		return false;
	s->p = t->at;
	while (t->at < t->end && *t->at != '"')
		t->at += *t->at == '\\' && t->at + 1 < t->end ? 2 : 1;
	if (t->at >= t->end)
		return false;
	s->n = (size_t)(t->at++ - s->p);
	return true;
}

/* Passes over one value of any kind. */
static bool take_any(struct text *t)
{
	struct span s;
	int depth = 0;

	do {
		skip_blanks(t);
		if (t->at == t->end)
			return false;
		if (*t->at == '"') {
			if (!take_string(t, &s))
				return false;
			continue;
		}
		depth += (*t->at == '[') - (*t->at == ']');
		if (depth < 0)
			return false;
		t->at++;
	} while (depth > 0 || (t->at < t->end && *t->at != ',' && *t->at != ']'));
	return true;
}

/* "[1, 2]" into v; how many there are, -1 where it is no list of numbers or is too long. */
static int take_numbers(struct text *t, int64_t *v, int max)
{
	int n = 0;

	if (!take(t, '['))
		return -1;
	if (take(t, ']'))
		return 0;
	do {
		if (n == max || !take_int(t, &v[n++]))
			return -1;
	} while (take(t, ','));
	return take(t, ']') ? n : -1;
}

static bool is_size(const struct roof_shape *s)
{
	return ALL(i, (size_t)s->n, s->dim[i] >= 0);
}

static void read_shape(struct text *t, struct roof_shape *s)
{
	struct text from = *t;

	s->n = take_numbers(t, s->dim, ROOF_DIMS_MAX);
	if (s->n >= 0 && is_size(s))
		return;
	s->n = -1;
	*t = from;
	take_any(t);
}

/* Whether the next value is an array of arrays. */
static bool is_list(struct text t)
{
	return take(&t, '[') && is_next(&t, '[');
}

static void read_list(struct text *t, struct roof_arg *a, struct arena *mem)
{
	size_t cap = 0;

	a->kind = ROOF_ARG_LIST;
	take(t, '[');
	do {
		a->member = arena_grow(mem, a->member, a->nmember, &cap, sizeof(*a->member));
		read_shape(t, &a->member[a->nmember++]);
	} while (take(t, ','));
	take(t, ']');
}

static bool read_dims(struct roof_call *c, struct span dims, struct arena *mem)
{
	struct text t = { dims.p, dims.p + dims.n };

	if (!take(&t, '['))
		return false;
	while (!take(&t, ']')) {
		struct roof_arg *a = &c->arg[c->n];

		if (c->n == ROOF_ARGS_MAX)
			return true;
		if (is_list(t))
			read_list(&t, a, mem);
		else if (is_next(&t, '['))
			read_shape(&t, &a->shape);
		else
			return false;
		c->n++;
		if (!take(&t, ',') && !is_next(&t, ']'))
			return false;
	}
	return true;
}

/* One type for all in a list, where they say one each; NULL where they differ. */
static const struct roof_element *read_types_of_list(struct text *t)
{
	const struct roof_element *all = NULL, *one;
	struct span s;
	size_t n = 0;

	take(t, '[');
	while (take_string(t, &s)) {
		one = roof_element_of(s);
		all = n++ == 0 || all == one ? one : NULL;
		if (!all || !take(t, ','))
			break;
	}
	return take(t, ']') ? all : NULL;
}

static void set_type(struct roof_arg *a, struct span s)
{
	if (a->kind == ROOF_ARG_LIST)
		return;
	a->element = roof_element_of(s);
	if (span_is(s, "Scalar") || span_is(s, "ScalarList"))
		a->kind = ROOF_ARG_SCALAR;
	else if (span_is(s, "TensorList"))
		a->kind = ROOF_ARG_LIST;
	else if (s.n > 0)
		a->kind = ROOF_ARG_TENSOR;
}

static void read_types(struct roof_call *c, struct span types)
{
	struct text t = { types.p, types.p + types.n };
	struct span s;

	if (!take(&t, '['))
		return;
	for (EACH(struct roof_arg, arg, c->arg, c->n)) {
		if (is_next(&t, '[')) {
			arg->element = read_types_of_list(&t);
		} else {
			if (!take_string(&t, &s))
				return;
			set_type(arg, s);
		}
		if (!take(&t, ','))
			return;
	}
}

static void read_strides(struct roof_call *c, struct span strides)
{
	struct text t = { strides.p, strides.p + strides.n };

	if (!take(&t, '['))
		return;
	for (size_t i = 0; i < c->n; i++) {
		struct roof_shape *s = &c->arg[i].shape;
		struct text from = t;

		s->has_strides = take_numbers(&t, s->stride, ROOF_DIMS_MAX) == s->n && s->n > 0;
		t = from;
		if (!take_any(&t) || !take(&t, ','))
			return;
	}
}

static void read_values(struct roof_call *c, struct span values)
{
	struct text t = { values.p, values.p + values.n };

	if (!take(&t, '['))
		return;
	c->has_values = true;
	for (size_t i = 0; i < c->n; i++)
		if (!(is_next(&t, '"') ? take_string(&t, &c->arg[i].value) : take_any(&t)) ||
			!take(&t, ','))
			return;
}

bool roof_call_read(struct roof_call *c, struct span dims, struct span types, struct span strides,
	struct span values, struct arena *mem)
{
	memset(c, 0, sizeof(*c));
	if (!read_dims(c, dims, mem))
		return false;
	read_types(c, types);
	read_strides(c, strides);
	read_values(c, values);
	return true;
}

const struct roof_arg *roof_call_tensor(const struct roof_call *c, int arg)
{
	if (arg < 0 || (size_t)arg >= c->n || c->arg[arg].kind != ROOF_ARG_TENSOR)
		return NULL;
	return c->arg[arg].shape.n >= 0 ? &c->arg[arg] : NULL;
}

int64_t roof_elements(const struct roof_shape *s)
{
	int64_t n = s->n < 0 ? ROOF_MANY : 1;

	for (int i = 0; i < s->n; i++)
		n = saturate_times(n, s->dim[i]);
	return n;
}

int64_t roof_stored(const struct roof_shape *s)
{
	int64_t n = s->n < 0 ? ROOF_MANY : 1;

	for (int i = 0; i < s->n; i++)
		if (!s->has_strides || s->stride[i] != 0 || s->dim[i] == 0)
			n = saturate_times(n, s->dim[i]);
	return n;
}

int64_t roof_arg_elements(const struct roof_arg *a)
{
	int64_t n = 0;

	if (a->kind != ROOF_ARG_LIST)
		return roof_elements(&a->shape);
	for (size_t i = 0; i < a->nmember; i++)
		saturate_onto(&n, roof_elements(&a->member[i]));
	return n;
}

int64_t roof_arg_bytes(const struct roof_arg *a)
{
	if (!a->element)
		return -1;
	if (a->kind == ROOF_ARG_LIST)
		return saturate_times(roof_arg_elements(a), a->element->bytes);
	return saturate_times(roof_stored(&a->shape), a->element->bytes);
}

/* Of what has none an empty one, which is somewhere. */
static struct span value_of(const struct roof_call *c, int arg)
{
	bool has = arg >= 0 && (size_t)arg < c->n && c->arg[arg].value.n > 0;

	return has ? c->arg[arg].value : SPAN("");
}

bool roof_call_int(const struct roof_call *c, int arg, int64_t *v)
{
	struct span s = value_of(c, arg);
	struct text t = { s.p, s.p + s.n };

	return s.n > 0 && take_int(&t, v) && t.at == t.end;
}

bool roof_call_bool(const struct roof_call *c, int arg, bool *v)
{
	struct span s = value_of(c, arg);

	*v = span_is_nocase(s, "true") || span_is(s, "1");
	return *v || span_is_nocase(s, "false") || span_is(s, "0");
}

int roof_call_list(const struct roof_call *c, int arg, int64_t *v, int max)
{
	struct span s = value_of(c, arg);
	struct text t = { s.p, s.p + s.n };

	if (s.n > 0 && s.p[0] != '[' && max > 0)
		return roof_call_int(c, arg, v) ? 1 : -1;
	return s.n > 0 ? take_numbers(&t, v, max) : -1;
}

bool roof_call_mask(const struct roof_call *c, int arg, int which)
{
	struct span s = value_of(c, arg);
	size_t i;

	for (i = 0; i < s.n && which > 0; i++)
		which -= s.p[i] == ',';
	for (; i < s.n && (s.p[i] == ' ' || s.p[i] == '['); i++)
		continue;
	return i >= s.n || (s.p[i] != 'F' && s.p[i] != 'f' && s.p[i] != '0');
}

/* ---- input Dims as a text for people ---- */

enum { SHAPES_WIDTH = 30 };

struct span roof_shapes_text(struct span dims, struct arena *mem)
{
	char *to = arena_alloc(mem, SHAPES_WIDTH + 8);
	size_t n = 0, whole = 0, i;
	bool is_inside = false;

	for (i = 0; i < dims.n && n < SHAPES_WIDTH; i++) {
		bool is_digit = dims.p[i] >= '0' && dims.p[i] <= '9';

		if (is_digit && !is_inside) {
			memcpy(to + n, " [", 2);
			n += 2;
			is_inside = true;
		}
		if (is_digit || (dims.p[i] == ',' && is_inside))
			to[n++] = dims.p[i];
		if (dims.p[i] != ']' || !is_inside)
			continue;
		to[n++] = ']';
		whole = n;
		is_inside = false;
	}
	if (i < dims.n) {
		memcpy(to + whole, " ..", 3);
		whole += 3;
	}
	return whole > 0 ? (struct span){ to + 1, whole - 1 } : SPAN("");
}
