/* Demangling: the cursor, pieces of text, and what keeps hostile names small. */
#include "base/ascii.h"
#include "base/name/demangle_parts.h"

enum { DEPTH_MAX = 200, TEXT_BYTES_MAX = 64 << 10, MADE_MAX = 4 << 20, NUMBER_MAX = 64 << 10 };

const struct piece *demangle_fail(struct demangler *d)
{
	static const struct piece nothing = { .left = "", .right = "" };

	d->failed = true;
	d->p = d->end;
	return &nothing;
}

bool demangle_enter(struct demangler *d)
{
	d->depth++;
	if (d->depth > DEPTH_MAX)
		(void)demangle_fail(d);
	return !d->failed;
}

void demangle_leave(struct demangler *d)
{
	d->depth--;
}

char demangle_peek(const struct demangler *d, size_t at)
{
	return at < (size_t)(d->end - d->p) ? d->p[at] : '\0';
}

bool demangle_take(struct demangler *d, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(d->end - d->p) < n || memcmp(d->p, word, n) != 0)
		return false;
	d->p += n;
	return true;
}

bool demangle_number(struct demangler *d, size_t *n)
{
	const char *from = d->p;

	for (*n = 0; is_digit(demangle_peek(d, 0)); d->p++) {
		if (*n > NUMBER_MAX)
			return false;
		*n = *n * 10 + (size_t)(*d->p - '0');
	}
	return d->p > from;
}

bool demangle_sequence(struct demangler *d, unsigned base, size_t *n)
{
	size_t v = 0;
	char c;

	*n = 0;
	if (demangle_take(d, "_"))
		return true;
	for (; (c = demangle_peek(d, 0)) != '_'; d->p++) {
		if (is_digit(c))
			v = v * base + (size_t)(c - '0');
		else if (base == 36 && c >= 'A' && c <= 'Z')
			v = v * base + (size_t)(c - 'A') + 10;
		else
			return false;
		if (v > NUMBER_MAX)
			return false;
	}
	d->p++;
	*n = v + 1;
	return true;
}

/* Counts text that was made; a name that says much more than it is long is refused. */
static void count(struct demangler *d, size_t n)
{
	d->made += n;
	if (n > TEXT_BYTES_MAX || d->made > MADE_MAX)
		(void)demangle_fail(d);
}

const struct piece *demangle_text(struct demangler *d, const char *left, const char *right)
{
	struct piece *p;

	count(d, sizeof(*p));
	if (d->failed)
		return demangle_fail(d);
	p = arena_alloc(d->mem, sizeof(*p));
	*p = (struct piece){ .left = left, .right = right };
	return p;
}

const struct piece *demangle_joined(
	struct demangler *d, const char *a, const char *b, const char *c)
{
	count(d, strlen(a) + strlen(b) + strlen(c));
	if (d->failed)
		return demangle_fail(d);
	return demangle_text(d, arena_printf(d->mem, "%s%s%s", a, b, c), "");
}

const char *demangle_flat(struct demangler *d, const struct piece *p)
{
	if (p->is_pack)
		return demangle_list(d, p->item, p->nitem);
	if (!p->right[0])
		return p->left;
	return demangle_joined(d, p->left, p->right, "")->left;
}

const char *demangle_list(struct demangler *d, const struct piece *const *v, size_t n)
{
	struct str b = { 0 };
	const char *text;

	str_adds(&b, "");
	if (!demangle_enter(d))
		n = 0;
	for (size_t i = 0; i < n && !d->failed; i++) {
		text = demangle_flat(d, v[i]);
		count(d, strlen(text));
		if (text[0])
			str_addf(&b, "%s%s", b.n ? ", " : "", text);
	}
	demangle_leave(d);
	text = d->failed ? "" : arena_copy(d->mem, b.s, b.n);
	str_free(&b);
	return text;
}

void demangle_keep(struct demangler *d, struct pieces *to, const struct piece *p)
{
	if (d->failed)
		return;
	to->v = arena_grow(d->mem, to->v, to->n, &to->cap, 16, sizeof(const struct piece *));
	to->v[to->n++] = p;
}
