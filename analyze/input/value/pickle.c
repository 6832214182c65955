/* The machine that pickles are programs for: a stack, marks on it, and a memo. */
#include "analyze/input/value/pickle.h"

#include <stdlib.h>

#include "analyze/input/value/pickle_scan.h"

enum { PROTO_MOST = 5, OP_TUPLE1 = 0x85 };

struct machine {
	struct pickle_scan in;
	struct compact *c;
	compact_value *stack;
	size_t nstack, stack_cap;
	size_t *mark; /* heights of the stack */
	size_t nmark, mark_cap;
	bool is_done;
};

static enum status push(struct machine *m, compact_value v)
{
	m->stack = array_grow(m->stack, &m->stack_cap, m->nstack + 1, sizeof(*m->stack));
	m->stack[m->nstack++] = v;
	return OK;
}

static size_t above_mark(const struct machine *m)
{
	return m->nstack - (m->nmark ? m->mark[m->nmark - 1] : 0);
}

static enum status want(struct machine *m, size_t n, const char *what)
{
	return above_mark(m) < n ? pickle_wants(&m->in, what) : OK;
}

static enum status pop_mark(struct machine *m, size_t *from)
{
	if (m->nmark == 0)
		return pickle_wants(&m->in, "a MARK, and there is none");
	*from = m->mark[--m->nmark];
	return OK;
}

/* What is on the stack from `from` on goes into what is below it. */
static enum status add(struct machine *m, size_t from, bool is_map)
{
	size_t n = m->nstack - from;

	m->nstack = from;
	TRY(want(m, 1, is_map ? "a dict" : "a list"));
	if (is_map && n % 2)
		return pickle_wants(&m->in, "as many values as keys");
	return compact_add(m->c, &m->stack[from - 1], is_map, m->stack + from, n, m->in.e);
}

static enum status push_new(struct machine *m, enum compact_shape shape)
{
	compact_value v = 0;

	TRY(compact_new(m->c, shape, &v, m->in.e));
	return push(m, v);
}

static enum status gather(struct machine *m, size_t from)
{
	compact_value list = 0;

	TRY(compact_new(m->c, SHAPE_LIST, &list, m->in.e));
	TRY(compact_add(m->c, &list, false, m->stack + from, m->nstack - from, m->in.e));
	m->nstack = from;
	return push(m, list);
}

/* A number behind as many as the pickle has bytes is none that its writer gave. */
static enum status put(struct machine *m, uint64_t i)
{
	TRY(want(m, 1, "a value"));
	if (i > (uint64_t)m->in.op_at || i >= UINT32_MAX)
		return pickle_wants(&m->in, "the next number of the memo");
	compact_put(m->c, (size_t)i, m->stack[m->nstack - 1]);
	return OK;
}

static enum status get(struct machine *m, uint64_t i)
{
	if (i >= m->c->nmemo || !m->c->memo[i])
		return pickle_wants(&m->in, "a number of the memo that something was put at");
	compact_share(m->c, m->c->memo[i]);
	return push(m, m->c->memo[i]);
}

static compact_value long_of(struct compact *c, struct span text)
{
	bool is_negative = text.n && (unsigned char)text.p[text.n - 1] & 0x80;
	uint64_t whole = is_negative ? UINT64_MAX : 0;
	double real = 0;

	for (size_t i = text.n; i > 0; i--) {
		unsigned char byte = (unsigned char)text.p[i - 1];

		whole = whole << 8 | byte;
		real = real * 256 + (is_negative ? 255 - byte : byte);
	}
	if (text.n <= sizeof(whole))
		return compact_int(c, (int64_t)whole);
	return compact_real(c, is_negative ? -real - 1 : real);
}

static compact_value real_of(struct compact *c, struct span text)
{
	uint64_t bits = 0;
	double r;

	for (size_t i = 0; i < text.n; i++)
		bits = bits << 8 | (unsigned char)text.p[i];
	memcpy(&r, &bits, sizeof(r));
	return compact_real(c, r);
}

static enum status mark(struct machine *m)
{
	m->mark = array_grow(m->mark, &m->mark_cap, m->nmark + 1, sizeof(*m->mark));
	m->mark[m->nmark++] = m->nstack;
	return OK;
}

static enum status pop(struct machine *m)
{
	if (above_mark(m) == 0 && m->nmark == 0)
		return pickle_wants(&m->in, "a value");
	if (above_mark(m) == 0)
		m->nmark--;
	else
		m->nstack--;
	return OK;
}

static enum status stop(struct machine *m)
{
	if (m->nmark || m->nstack != 1)
		return pickle_wants(&m->in, "one value on the stack");
	m->is_done = true;
	return OK;
}

static enum status dup(struct machine *m)
{
	TRY(want(m, 1, "a value"));
	compact_share(m->c, m->stack[m->nstack - 1]);
	return push(m, m->stack[m->nstack - 1]);
}

static enum status proto(struct machine *m, uint64_t v)
{
	if (v > PROTO_MOST)
		return err_set(m->in.e, E_FORMAT, m->in.op_at,
			"a pickle of protocol %d; those up to %d are read", (int)v,
			(int)PROTO_MOST);
	return OK;
}

static enum status run_tuple(struct machine *m)
{
	size_t n = (size_t)(m->in.code - OP_TUPLE1) + 1;

	TRY(want(m, n, "more values than there are"));
	return gather(m, m->nstack - n);
}

/* What takes all that is above the newest mark. */
static enum status run_marked(struct machine *m)
{
	size_t from = 0;

	TRY(pop_mark(m, &from));
	switch (m->in.op->act) {
	case DO_SETITEMS: return add(m, from, true);
	case DO_APPENDS: return add(m, from, false);
	case DO_TUPLE: return gather(m, from);
	default: m->nstack = from; return OK;
	}
}

static enum status push_value(struct machine *m, const struct pickle_given *a)
{
	switch (m->in.op->act) {
	case DO_TRUE: return push(m, compact_bool(true));
	case DO_FALSE: return push(m, compact_bool(false));
	case DO_INT: return push(m, compact_int(m->c, (int64_t)a->v));
	case DO_LONG: return push(m, long_of(m->c, a->text));
	case DO_REAL: return push(m, real_of(m->c, a->text));
	case DO_TEXT: return push(m, compact_text(m->c, a->text));
	case DO_LIST: return push_new(m, SHAPE_LIST);
	case DO_MAP: return push_new(m, SHAPE_MAP);
	default: return push(m, COMPACT_NONE);
	}
}

static enum status run_op(struct machine *m, const struct pickle_given *a)
{
	switch (m->in.op->act) {
	case DO_SKIP: return OK;
	case DO_PROTO: return proto(m, a->v);
	case DO_MARK: return mark(m);
	case DO_STOP: return stop(m);
	case DO_POP: return pop(m);
	case DO_DUP: return dup(m);
	case DO_POP_MARK:
	case DO_TUPLE:
	case DO_APPENDS:
	case DO_SETITEMS: return run_marked(m);
	case DO_TUPLE_OF: return run_tuple(m);
	case DO_APPEND: TRY(want(m, 2, "a list and a value")); return add(m, m->nstack - 1, false);
	case DO_SETITEM:
		TRY(want(m, 3, "a dict, a key and a value"));
		return add(m, m->nstack - 2, true);
	case DO_GET: return get(m, a->v);
	case DO_PUT: return put(m, a->v);
	case DO_MEMOIZE: return put(m, m->c->nmemo);
	case DO_REFUSE:
	case DO_REFUSE_OLD: return pickle_refuse(&m->in);
	default: return push_value(m, a);
	}
}

static enum status run_all(struct machine *m)
{
	struct pickle_given a;

	TRY(pickle_scan_begin(&m->in));
	while (!m->is_done) {
		TRY(pickle_scan_next(&m->in, &a));
		enum status st = run_op(m, &a);
		if (st != OK && m->in.e->offset < 0)
			m->in.e->offset = m->in.op_at;
		TRY(st);
	}
	return OK;
}

bool pickle_is(struct span head)
{
	return pickle_scan_is(head);
}

enum status pickle_read(struct compact *c, struct source *source, compact_value *out, int64_t *end,
	bool *has_more, struct err *e)
{
	struct machine m = { .c = c };

	pickle_scan_open(&m.in, source, e);
	enum status st = run_all(&m);
	if (st == OK) {
		*out = m.stack[0];
		*end = pickle_scan_place(&m.in);
		*has_more = pickle_scan_has_more(&m.in);
	}
	pickle_scan_close(&m.in);
	free(m.stack);
	free(m.mark);
	return st;
}
