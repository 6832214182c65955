/* The machine that pickles are programs for: a stack, marks on it, and a memo. */
#include "analyze/input/value/pickle.h"

#include "analyze/input/source/source.h"
#include "analyze/input/text/limits.h"

/* The opcodes of a pickle with what stands behind them, one after the other.
 *
 * They come from a source in windows, so that a pickle of any size is read in constant memory. */

/* What stands behind an opcode. */
enum pickle_arg {
	ARG_NONE,
	ARG_U1,
	ARG_U2,
	ARG_U4,
	ARG_U8,
	ARG_I4,
	ARG_REAL,  /* 8 bytes, big-endian */
	ARG_TEXT1, /* a length of 1, 4 or 8 bytes, and so many bytes */
	ARG_TEXT4,
	ARG_TEXT8
};

/* What an opcode does. */
enum pickle_act {
	DO_SKIP,
	DO_PROTO,
	DO_MARK,
	DO_STOP,
	DO_POP,
	DO_POP_MARK,
	DO_DUP,
	DO_NONE, /* from here on to DO_MAP: pushes a value */
	DO_TRUE,
	DO_FALSE,
	DO_INT,
	DO_LONG,
	DO_REAL,
	DO_TEXT,
	DO_LIST,
	DO_MAP,
	DO_TUPLE,    /* of what is above the mark */
	DO_TUPLE_OF, /* of one value or more, as the opcode says */
	DO_APPEND,
	DO_APPENDS,
	DO_SETITEM,
	DO_SETITEMS,
	DO_GET,
	DO_PUT,
	DO_MEMOIZE,
	DO_REFUSE, /* imports, calls or asks the caller for something */
	DO_REFUSE_OLD
};

struct pickle_op {
	const char *name; /* NULL: there is no such opcode */
	enum pickle_arg arg;
	enum pickle_act act;
};

struct pickle_scan {
	struct span text; /* the window */
	size_t at;        /* the next byte, in text */
	int64_t base;     /* of text in the pickle */
	int64_t op_at;    /* of the opcode, in the pickle */
	const struct pickle_op *op;
	unsigned char code;
	struct source *source;
	char *window;
	bool is_end; /* the source has no more */
	struct err *e;
};

/* What stands behind an opcode.  The text is valid until the next one. */
struct pickle_given {
	uint64_t v;
	struct span text;
};

enum { PROTO = 0x80, PROTO_FIRST = 2, PROTO_LAST = 5 };

#define CUT_HINT \
	"it was cut off while it was written or copied; copy it again from where it was written"

static const struct pickle_op ops[256] = {
	[0x80] = { "PROTO", ARG_U1, DO_PROTO },
	[0x95] = { "FRAME", ARG_U8, DO_SKIP }, /* says nothing of what comes */
	['('] = { "MARK", ARG_NONE, DO_MARK },
	['.'] = { "STOP", ARG_NONE, DO_STOP },
	['0'] = { "POP", ARG_NONE, DO_POP },
	['1'] = { "POP_MARK", ARG_NONE, DO_POP_MARK },
	['2'] = { "DUP", ARG_NONE, DO_DUP },
	['N'] = { "NONE", ARG_NONE, DO_NONE },
	[0x88] = { "NEWTRUE", ARG_NONE, DO_TRUE },
	[0x89] = { "NEWFALSE", ARG_NONE, DO_FALSE },
	['J'] = { "BININT", ARG_I4, DO_INT },
	['K'] = { "BININT1", ARG_U1, DO_INT },
	['M'] = { "BININT2", ARG_U2, DO_INT },
	[0x8a] = { "LONG1", ARG_TEXT1, DO_LONG },
	[0x8b] = { "LONG4", ARG_TEXT4, DO_LONG },
	['G'] = { "BINFLOAT", ARG_REAL, DO_REAL },
	['X'] = { "BINUNICODE", ARG_TEXT4, DO_TEXT },
	[0x8c] = { "SHORT_BINUNICODE", ARG_TEXT1, DO_TEXT },
	[0x8d] = { "BINUNICODE8", ARG_TEXT8, DO_TEXT },
	['T'] = { "BINSTRING", ARG_TEXT4, DO_TEXT },
	['U'] = { "SHORT_BINSTRING", ARG_TEXT1, DO_TEXT },
	['B'] = { "BINBYTES", ARG_TEXT4, DO_TEXT },
	['C'] = { "SHORT_BINBYTES", ARG_TEXT1, DO_TEXT },
	[0x8e] = { "BINBYTES8", ARG_TEXT8, DO_TEXT },
	[0x96] = { "BYTEARRAY8", ARG_TEXT8, DO_TEXT },
	[']'] = { "EMPTY_LIST", ARG_NONE, DO_LIST },
	[')'] = { "EMPTY_TUPLE", ARG_NONE, DO_LIST },
	[0x8f] = { "EMPTY_SET", ARG_NONE, DO_LIST },
	['}'] = { "EMPTY_DICT", ARG_NONE, DO_MAP },
	['t'] = { "TUPLE", ARG_NONE, DO_TUPLE },
	[0x91] = { "FROZENSET", ARG_NONE, DO_TUPLE },
	[0x85] = { "TUPLE1", ARG_NONE, DO_TUPLE_OF },
	[0x86] = { "TUPLE2", ARG_NONE, DO_TUPLE_OF },
	[0x87] = { "TUPLE3", ARG_NONE, DO_TUPLE_OF },
	['a'] = { "APPEND", ARG_NONE, DO_APPEND },
	['e'] = { "APPENDS", ARG_NONE, DO_APPENDS },
	[0x90] = { "ADDITEMS", ARG_NONE, DO_APPENDS },
	['s'] = { "SETITEM", ARG_NONE, DO_SETITEM },
	['u'] = { "SETITEMS", ARG_NONE, DO_SETITEMS },
	['h'] = { "BINGET", ARG_U1, DO_GET },
	['j'] = { "LONG_BINGET", ARG_U4, DO_GET },
	['q'] = { "BINPUT", ARG_U1, DO_PUT },
	['r'] = { "LONG_BINPUT", ARG_U4, DO_PUT },
	[0x94] = { "MEMOIZE", ARG_NONE, DO_MEMOIZE },
	/* What imports, calls or asks the caller for something. */
	['c'] = { "GLOBAL", ARG_NONE, DO_REFUSE },
	[0x93] = { "STACK_GLOBAL", ARG_NONE, DO_REFUSE },
	['R'] = { "REDUCE", ARG_NONE, DO_REFUSE },
	['b'] = { "BUILD", ARG_NONE, DO_REFUSE },
	['i'] = { "INST", ARG_NONE, DO_REFUSE },
	['o'] = { "OBJ", ARG_NONE, DO_REFUSE },
	[0x81] = { "NEWOBJ", ARG_NONE, DO_REFUSE },
	[0x92] = { "NEWOBJ_EX", ARG_NONE, DO_REFUSE },
	['P'] = { "PERSID", ARG_NONE, DO_REFUSE },
	['Q'] = { "BINPERSID", ARG_NONE, DO_REFUSE },
	[0x82] = { "EXT1", ARG_NONE, DO_REFUSE },
	[0x83] = { "EXT2", ARG_NONE, DO_REFUSE },
	[0x84] = { "EXT4", ARG_NONE, DO_REFUSE },
	[0x97] = { "NEXT_BUFFER", ARG_NONE, DO_REFUSE },
	[0x98] = { "READONLY_BUFFER", ARG_NONE, DO_REFUSE },
	/* Text forms that picklers of protocol 2 have left. */
	['I'] = { "INT", ARG_NONE, DO_REFUSE_OLD },
	['L'] = { "LONG", ARG_NONE, DO_REFUSE_OLD },
	['F'] = { "FLOAT", ARG_NONE, DO_REFUSE_OLD },
	['S'] = { "STRING", ARG_NONE, DO_REFUSE_OLD },
	['V'] = { "UNICODE", ARG_NONE, DO_REFUSE_OLD },
	['g'] = { "GET", ARG_NONE, DO_REFUSE_OLD },
	['p'] = { "PUT", ARG_NONE, DO_REFUSE_OLD },
	['d'] = { "DICT", ARG_NONE, DO_REFUSE_OLD },
	['l'] = { "LIST", ARG_NONE, DO_REFUSE_OLD },
};

bool pickle_is(struct span head)
{
	return head.n >= 2 && (unsigned char)head.p[0] == PROTO &&
		(unsigned char)head.p[1] >= PROTO_FIRST && (unsigned char)head.p[1] <= PROTO_LAST;
}

/* What is left of the window moves to its front, and more comes behind it. */
static enum status fill(struct pickle_scan *s)
{
	size_t left = s->text.n - s->at, got = 0;

	if (s->is_end)
		return OK;
	memmove(s->window, s->window + s->at, left);
	s->base += (int64_t)s->at;
	s->at = 0;
	s->text.n = left;
	TRY(source_read(s->source, s->window + left, LIMIT_PIECE_BYTES - left, &got, s->e));
	s->text.n += got;
	s->is_end = got < LIMIT_PIECE_BYTES - left;
	return OK;
}

static enum status is_cut(struct pickle_scan *s, uint64_t wanted)
{
	size_t left = s->text.n - s->at;

	(void)err_set(s->e, E_TRUNCATED, s->base + (int64_t)s->text.n,
		"the pickle ends inside %s at byte %" PRId64 ": %" PRIu64
		" more byte%s expected, %zu %s there",
		s->op->name, s->op_at, wanted, plural_s(wanted), left, plural(left, "is", "are"));
	return err_hint(s->e, CUT_HINT);
}

/* n bytes of what is left, or E_TRUNCATED. */
static enum status take(struct pickle_scan *s, uint64_t n, struct span *out)
{
	if (n > s->text.n - s->at)
		TRY(fill(s));
	if (n > s->text.n - s->at && !s->is_end)
		return err_set(s->e, E_LIMIT, s->op_at,
			"%s of %" PRIu64 " bytes, where at most %d are read", s->op->name, n,
			(int)LIMIT_PIECE_BYTES);
	if (n > s->text.n - s->at)
		return is_cut(s, n);
	*out = (struct span){ s->text.p + s->at, (size_t)n };
	s->at += (size_t)n;
	return OK;
}

static uint64_t little(const char *p, size_t n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | (unsigned char)p[n];
	return v;
}

static enum status take_number(struct pickle_scan *s, size_t n, uint64_t *v)
{
	struct span bytes = { "", 0 };

	TRY(take(s, n, &bytes));
	*v = little(bytes.p, bytes.n);
	return OK;
}

static enum status take_text(struct pickle_scan *s, size_t n, struct pickle_given *a)
{
	TRY(take_number(s, n, &a->v));
	return take(s, a->v, &a->text);
}

static enum status take_arg(struct pickle_scan *s, struct pickle_given *a)
{
	switch (s->op->arg) {
	case ARG_NONE: break;
	case ARG_U1: return take_number(s, 1, &a->v);
	case ARG_U2: return take_number(s, 2, &a->v);
	case ARG_U4: return take_number(s, 4, &a->v);
	case ARG_U8: return take_number(s, 8, &a->v);
	case ARG_REAL: return take(s, 8, &a->text);
	case ARG_TEXT1: return take_text(s, 1, a);
	case ARG_TEXT4: return take_text(s, 4, a);
	case ARG_TEXT8: return take_text(s, 8, a);
	case ARG_I4:
		TRY(take_number(s, 4, &a->v));
		a->v = (uint64_t)(int64_t)(int32_t)(uint32_t)a->v;
		break;
	}
	return OK;
}

static enum status pickle_scan_begin(struct pickle_scan *s)
{
	TRY(fill(s));
	if (pickle_is(s->text))
		return OK;
	(void)err_set(s->e, E_FORMAT, 0,
		"not a pickle of protocol %d to %d: it begins with none of them", (int)PROTO_FIRST,
		(int)PROTO_LAST);
	return err_hint(s->e, "write it with a protocol of 2 or more");
}

/* The first byte behind what was scanned, in the pickle. */
static int64_t pickle_scan_place(const struct pickle_scan *s)
{
	return s->base + (int64_t)s->at;
}

/* The next opcode.  E_SYNTAX: there is no such opcode; E_TRUNCATED: it ends before its STOP; E_IO;
 * E_LIMIT: a text longer than a window. */
static enum status pickle_scan_next(struct pickle_scan *s, struct pickle_given *a)
{
	*a = (struct pickle_given){ 0, { "", 0 } };
	if (s->at == s->text.n)
		TRY(fill(s));
	if (s->at == s->text.n) {
		(void)err_set(
			s->e, E_TRUNCATED, pickle_scan_place(s), "the pickle ends before its STOP");
		return err_hint(s->e, CUT_HINT);
	}
	s->op_at = pickle_scan_place(s);
	s->code = (unsigned char)s->text.p[s->at++];
	s->op = &ops[s->code];
	if (!s->op->name) {
		(void)err_set(s->e, E_SYNTAX, s->op_at,
			"malformed pickle: 0x%02x where an opcode was expected", s->code);
		return err_hint(
			s->e, "the file is damaged; copy it again from where it was written");
	}
	return take_arg(s, a);
}

/* E_SYNTAX at the opcode: what it wants and does not find. */
static enum status pickle_wants(const struct pickle_scan *s, const char *what)
{
	(void)err_set(s->e, E_SYNTAX, s->op_at, "malformed pickle: %s wants %s", s->op->name, what);
	return err_hint(s->e, "the file is damaged; copy it again from where it was written");
}

/* E_FORMAT at an opcode that would run code, or is of protocol 0. */
static enum status pickle_refuse(const struct pickle_scan *s)
{
	if (s->op->act == DO_REFUSE) {
		(void)err_set(s->e, E_FORMAT, s->op_at,
			"the pickle asks for Python code: %s, where plain data was expected",
			s->op->name);
		return err_hint(s->e,
			"traceq runs nothing that a file names; dumps of the flight recorder and "
			"memory snapshots are plain data");
	}
	(void)err_set(s->e, E_FORMAT, s->op_at,
		"%s, an opcode of protocol 0, in a pickle of a later one", s->op->name);
	return err_hint(s->e, "write it with pickle.dump(value, file, protocol=2)");
}

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
	PUSH(m->stack, m->nstack, m->stack_cap, v);
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
	PUSH(m->mark, m->nmark, m->mark_cap, m->nstack);
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

static enum status dup_top(struct machine *m)
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
	if (m->nmark == 0)
		return pickle_wants(&m->in, "a MARK, and there is none");
	size_t from = m->mark[--m->nmark];
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
	case DO_DUP: return dup_top(m);
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

enum status pickle_read(struct compact *c, struct source *source, compact_value *out, int64_t *end,
	bool *has_more, struct err *e)
{
	struct machine m = { .c = c,
		.in = { .source = source, .window = xmalloc(LIMIT_PIECE_BYTES), .e = e } };

	m.in.text = (struct span){ m.in.window, 0 };
	enum status st = run_all(&m);
	if (st == OK) {
		*out = m.stack[0];
		*end = pickle_scan_place(&m.in);
		*has_more = m.in.at < m.in.text.n || (fill(&m.in) == OK && m.in.at < m.in.text.n);
	}
	FREE_ALL(m.in.window, m.stack, m.mark);
	return st;
}
