/* Mangled names, by binutils' libiberty: it hands out the text in pieces, so that one that would
 * become too long is left in the middle.  It keeps the parts of a name on the stack, more than a
 * hundred bytes for a letter, and what it does goes as deep as the name: hence names are short.
 * Of a name that is too new for it the scopes are read, which are written out. */
#include "base/name/demangle.h"

#include "base/ascii.h"

#if HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#include <setjmp.h>

enum { MANGLED_MAX = 4096, TEXT_BYTES_MAX = 64 << 10 };

struct plain {
	struct str *text;
	size_t longest;
	jmp_buf too_long;
};

static void take_piece(const char *s, size_t n, void *ctx)
{
	struct plain *p = ctx;

	if (n > p->longest - p->text->n)
		longjmp(p->too_long, 1);
	str_add(p->text, s, n);
}

static bool whole_name(struct str *b, struct span mangled)
{
	enum { OPTIONS = DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP | DMGL_NO_RECURSE_LIMIT };
	struct plain p = { .text = b, .longest = b->n + TEXT_BYTES_MAX };
	char name[MANGLED_MAX + 1];

	if (mangled.n > MANGLED_MAX || memchr(mangled.p, '\0', mangled.n))
		return false;
	memcpy(name, mangled.p, mangled.n);
	name[mangled.n] = '\0';
	return setjmp(p.too_long) == 0 && cplus_demangle_v3_callback(name, OPTIONS, take_piece, &p);
}
#else
static bool whole_name(struct str *b UNUSED, struct span mangled UNUSED)
{
	return false;
}
#endif

/* _ZN2at6native3addI...: at::native::add, up to the template arguments. */
static bool scopes(struct str *b, struct span mangled)
{
	const char *p = mangled.p + 2, *end = mangled.p + mangled.n;
	const size_t before = b->n;

	p += p < end && *p == 'N';
	while (p < end && is_digit(*p)) {
		size_t n = 0;

		for (; p < end && is_digit(*p) && n < mangled.n; p++)
			n = n * 10 + (size_t)(*p - '0');
		if (n > (size_t)(end - p))
			return false;
		struct span ident = { p, n };
		if (span_starts(ident, "_GLOBAL__N_"))
			ident = SPAN("(anonymous namespace)");
		str_addf(b, "%s%.*s", b->n > before ? "::" : "", (int)ident.n, ident.p);
		p += n;
	}
	return b->n > before && p < end && *p == 'I';
}

bool demangle(struct str *b, struct span mangled)
{
	const size_t before = b->n;
	const char *suffix = memchr(mangled.p, '.', mangled.n);

	if (suffix)
		mangled.n = (size_t)(suffix - mangled.p);
	if (!span_starts(mangled, "_Z"))
		return false;
	if (whole_name(b, mangled))
		return true;
	b->n = before;
	if (scopes(b, mangled))
		return true;
	b->n = before;
	return false;
}
