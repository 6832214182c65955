/*
 * Scanning a pickle: an opcode, its argument, the next window.
 */
#include "analyze/input/value/pickle_scan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/source/source.h"
#include "analyze/input/text/limits.h"
#include "base/plural.h"
#include "base/xalloc.h"

enum { PROTO = 0x80, PROTO_FIRST = 2, PROTO_LAST = 5 };

#define CUT_HINT \
	"it was cut off while it was written or copied; copy it again from where it was written"

bool pickle_scan_is(struct span head)
{
	return head.n >= 2 && (unsigned char)head.p[0] == PROTO &&
		(unsigned char)head.p[1] >= PROTO_FIRST && (unsigned char)head.p[1] <= PROTO_LAST;
}

void pickle_scan_text(struct pickle_scan *s, struct span text, struct err *e)
{
	*s = (struct pickle_scan){ .text = text, .is_end = true, .e = e };
}

void pickle_scan_source(struct pickle_scan *s, struct source *source, struct err *e)
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
	if (n > s->text.n - s->at && s->source && n > WINDOW_BYTES)
		return err_set(s->e, E_LIMIT, s->op_at,
			"%s of %" PRIu64 " bytes, where at most %d are read", s->op->name, n,
			(int)WINDOW_BYTES);
	if (n > s->text.n - s->at)
		TRY(fill(s));
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
	s->op = &pickle_ops[s->code];
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
