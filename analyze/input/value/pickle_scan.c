/* Scanning a pickle: an opcode, its argument, the next window; and which opcodes there are. */
#include "analyze/input/value/pickle_scan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/input/source/source.h"
#include "analyze/input/text/limits.h"
#include "base/plural.h"
#include "base/xalloc.h"

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

bool pickle_scan_is(struct span head)
{
	return head.n >= 2 && (unsigned char)head.p[0] == PROTO &&
		(unsigned char)head.p[1] >= PROTO_FIRST && (unsigned char)head.p[1] <= PROTO_LAST;
}

void pickle_scan_open(struct pickle_scan *s, struct source *source, struct err *e)
{
	*s = (struct pickle_scan){ .source = source, .window = xmalloc(WINDOW_BYTES), .e = e };
	s->text = (struct span){ s->window, 0 };
}

void pickle_scan_close(struct pickle_scan *s)
{
	free(s->window);
	s->window = NULL;
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
	TRY(source_read(s->source, s->window + left, WINDOW_BYTES - left, &got, s->e));
	s->text.n += got;
	s->is_end = got < WINDOW_BYTES - left;
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
			(int)WINDOW_BYTES);
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

enum status pickle_scan_begin(struct pickle_scan *s)
{
	TRY(fill(s));
	if (pickle_scan_is(s->text))
		return OK;
	(void)err_set(s->e, E_FORMAT, 0,
		"not a pickle of protocol %d to %d: it begins with none of them", (int)PROTO_FIRST,
		(int)PROTO_LAST);
	return err_hint(s->e, "write it with a protocol of 2 or more");
}

enum status pickle_scan_next(struct pickle_scan *s, struct pickle_given *a)
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

int64_t pickle_scan_place(const struct pickle_scan *s)
{
	return s->base + (int64_t)s->at;
}

bool pickle_scan_has_more(struct pickle_scan *s)
{
	return s->at < s->text.n || (fill(s) == OK && s->at < s->text.n);
}

enum status pickle_wants(const struct pickle_scan *s, const char *what)
{
	(void)err_set(s->e, E_SYNTAX, s->op_at, "malformed pickle: %s wants %s", s->op->name, what);
	return err_hint(s->e, "the file is damaged; copy it again from where it was written");
}

enum status pickle_refuse(const struct pickle_scan *s)
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
