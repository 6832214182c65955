/* Mangled names: which are looked at, and what becomes of them. */
#include "base/name/demangle.h"

#include "base/name/demangle_parts.h"
#include "base/search.h"

enum { MANGLED_MAX = 64 << 10 };

/* Letters, digits and what compilers put between; not what no linker takes. */
static bool is_plain(struct span s)
{
	return !ANY(i, s.n, (unsigned char)s.p[i] <= ' ' || s.p[i] == 0x7f);
}

bool demangle(struct str *b, struct span mangled)
{
	struct arena mem;
	struct demangler d = { .mem = &mem };

	if (mangled.n < 4 || mangled.n > MANGLED_MAX || !span_starts(mangled, "_Z") ||
		!is_plain(mangled))
		return false;
	arena_init(&mem);
	d.p = mangled.p + 2;
	d.end = mangled.p + mangled.n;
	const char *text = demangle_flat(&d, demangle_encoding(&d));
	bool is_good = !d.failed && (d.p == d.end || *d.p == '.' || *d.p == '@');
	if (is_good)
		str_adds(b, text);
	arena_clear(&mem);
	return is_good;
}
