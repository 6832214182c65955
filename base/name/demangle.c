/*
 * Mangled names: which are looked at, and what becomes of them; the cursor, pieces of text, and
 * what keeps hostile names small.
 */
#include "base/name/demangle.h"

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
	SCOPED_STR b = { 0 };
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
	return d->failed ? "" : arena_copy(d->mem, b.s, b.n);
}

void demangle_keep(struct demangler *d, struct pieces *to, const struct piece *p)
{
	if (d->failed)
		return;
	to->v = arena_grow(d->mem, to->v, to->n, &to->cap, 16, sizeof(const struct piece *));
	to->v[to->n++] = p;
}

/*
 * Itanium C++ ABI, 5.1.3, 5.1.6 and 5.1.6.1: template arguments, literals, expressions, operators.
 */

struct operator_code {
	const char *code, *sign;
	unsigned arity;
};

/* clang-format off */
static const struct operator_code OPERATORS[] = {
	{"nw", " new", 1}, {"na", " new[]", 1}, {"dl", " delete", 1}, {"da", " delete[]", 1},
	{"ps", "+", 1}, {"ng", "-", 1}, {"ad", "&", 1}, {"de", "*", 1}, {"co", "~", 1},
	{"nt", "!", 1}, {"pp", "++", 1}, {"mm", "--", 1}, {"pl", "+", 2}, {"mi", "-", 2},
	{"ml", "*", 2}, {"dv", "/", 2}, {"rm", "%", 2}, {"an", "&", 2}, {"or", "|", 2},
	{"eo", "^", 2}, {"aS", "=", 2}, {"pL", "+=", 2}, {"mI", "-=", 2}, {"mL", "*=", 2},
	{"dV", "/=", 2}, {"rM", "%=", 2}, {"aN", "&=", 2}, {"oR", "|=", 2}, {"eO", "^=", 2},
	{"ls", "<<", 2}, {"rs", ">>", 2}, {"lS", "<<=", 2}, {"rS", ">>=", 2}, {"eq", "==", 2},
	{"ne", "!=", 2}, {"lt", "<", 2}, {"gt", ">", 2}, {"le", "<=", 2}, {"ge", ">=", 2},
	{"ss", "<=>", 2}, {"aa", "&&", 2}, {"oo", "||", 2}, {"cm", ",", 2}, {"pm", "->*", 2},
	{"pt", "->", 2}, {"cl", "()", 0}, {"ix", "[]", 2}, {"qu", "?", 3},
};
/* clang-format on */

const char *demangle_operator(struct demangler *d, unsigned *arity)
{
	for (EACH(const struct operator_code, c, OPERATORS, COUNT_OF(OPERATORS))) {
		if (demangle_take(d, c->code)) {
			*arity = c->arity;
			return c->sign;
		}
	}
	return NULL;
}

/* A number as it is written in C++: "4", "4u", "true"; of an enumeration "(E)4". */
static const char *number_text(struct demangler *d, const char *type, const char *digits)
{
	static const struct {
		const char *type, *suffix;
	} plain[] = { { "int", "" }, { "unsigned int", "u" }, { "long", "l" },
		{ "unsigned long", "ul" }, { "long long", "ll" }, { "unsigned long long", "ull" } };

	if (strcmp(type, "bool") == 0 && (strcmp(digits, "0") == 0 || strcmp(digits, "1") == 0))
		return digits[0] == '1' ? "true" : "false";
	for (size_t i = 0; i < COUNT_OF(plain); i++)
		if (strcmp(type, plain[i].type) == 0)
			return demangle_joined(d, digits, plain[i].suffix, "")->left;
	if (!digits[0])
		return type;
	return demangle_joined(d, demangle_joined(d, "(", type, ")")->left, digits, "")->left;
}

static const struct piece *literal(struct demangler *d)
{
	const char *at;
	const struct piece *of;

	if (!demangle_take(d, "L"))
		return demangle_fail(d);
	if (demangle_take(d, "_Z")) {
		of = demangle_encoding(d);
		return demangle_take(d, "E") ? of : demangle_fail(d);
	}
	const char *type = demangle_flat(d, demangle_type(d));
	const char *sign = demangle_take(d, "n") ? "-" : "";
	for (at = d->p; is_digit(demangle_peek(d, 0)) || is_letter(demangle_peek(d, 0)); d->p++)
		if (*d->p == 'E')
			break;
	at = arena_copy(d->mem, at, (size_t)(d->p - at));
	if (!demangle_take(d, "E"))
		return demangle_fail(d);
	at = sign[0] ? demangle_joined(d, sign, at, "")->left : at;
	return demangle_text(d, number_text(d, type, at), "");
}

/* Operands behind their sign. */
static const struct piece *operation(struct demangler *d, const char *sign, unsigned arity)
{
	const char *v[3] = { "", "", "" };

	for (unsigned i = 0; i < arity; i++)
		v[i] = demangle_flat(d, demangle_expression(d));
	if (arity == 1 && sign[0] == '&')
		return demangle_joined(d, sign, v[0], "");
	if (arity == 1)
		return demangle_joined(d, sign, demangle_joined(d, "(", v[0], ")")->left, "");
	v[0] = demangle_joined(d, "(", v[0], ")")->left;
	v[1] = demangle_joined(d, "(", v[1], ")")->left;
	v[0] = demangle_joined(d, v[0], sign, v[1])->left;
	if (arity == 3)
		v[0] = demangle_joined(d, v[0], ":", demangle_joined(d, "(", v[2], ")")->left)
			       ->left;
	return demangle_text(d, v[0], "");
}

/* "f(a, b)" */
static const struct piece *call(struct demangler *d)
{
	const char *of = demangle_flat(d, demangle_expression(d));
	struct pieces v = { 0 };

	while (!d->failed && !demangle_take(d, "E"))
		demangle_keep(d, &v, demangle_expression(d));
	return demangle_joined(
		d, of, "(", demangle_joined(d, demangle_list(d, v.v, v.n), ")", "")->left);
}

/* A name by itself, or in what a type is. */
static const struct piece *named(struct demangler *d)
{
	const char *in = demangle_take(d, "sr") ? demangle_flat(d, demangle_type(d)) : NULL;
	struct name_kind kind;

	(void)demangle_take(d, "on");
	const struct piece *of = demangle_name(d, false, &kind);
	return in ? demangle_joined(d, in, "::", demangle_flat(d, of)) : of;
}

static const struct piece *expression(struct demangler *d)
{
	char c = demangle_peek(d, 0);
	const char *sign;
	unsigned arity;
	size_t n;

	if (c == 'L')
		return literal(d);
	if (c == 'T')
		return demangle_param(d);
	if (is_digit(c) || (c == 's' && demangle_peek(d, 1) == 'r'))
		return named(d);
	if (demangle_take(d, "cl"))
		return call(d);
	if (demangle_take(d, "st") || demangle_take(d, "sZ"))
		return demangle_joined(d, "sizeof (", demangle_flat(d, demangle_type(d)), ")");
	if (demangle_take(d, "sz"))
		return demangle_joined(
			d, "sizeof (", demangle_flat(d, demangle_expression(d)), ")");
	if (demangle_take(d, "cv")) {
		sign = demangle_joined(d, "(", demangle_flat(d, demangle_type(d)), ")")->left;
		return demangle_joined(d, sign, demangle_flat(d, demangle_expression(d)), "");
	}
	if (demangle_take(d, "fp"))
		return demangle_sequence(d, 10, &n) ? demangle_text(d, "{parm}", "")
						    : demangle_fail(d);
	sign = demangle_operator(d, &arity);
	return sign && arity > 0 ? operation(d, sign, arity) : demangle_fail(d);
}

const struct piece *demangle_expression(struct demangler *d)
{
	const struct piece *of = demangle_enter(d) ? expression(d) : demangle_fail(d);

	demangle_leave(d);
	return of;
}

static const struct piece *argument(struct demangler *d);

static const struct piece *pack(struct demangler *d)
{
	struct pieces v = { 0 };
	struct piece *of = arena_alloc(d->mem, sizeof(*of));

	while (!d->failed && !demangle_take(d, "E"))
		demangle_keep(d, &v, argument(d));
	*of = (struct piece){ .left = "", .right = "", .is_pack = true, .item = v.v, .nitem = v.n };
	return of;
}

static const struct piece *argument(struct demangler *d)
{
	const struct piece *of;

	if (!demangle_enter(d)) {
		of = demangle_fail(d);
	} else if (demangle_take(d, "X")) {
		of = demangle_expression(d);
		if (!demangle_take(d, "E"))
			of = demangle_fail(d);
	} else if (demangle_take(d, "J")) {
		of = pack(d);
	} else if (demangle_take(d, "Tn")) {
		(void)demangle_type(d);
		of = argument(d);
	} else if (demangle_take(d, "Ty")) {
		of = argument(d);
	} else {
		of = demangle_peek(d, 0) == 'L' ? literal(d) : demangle_type(d);
	}
	demangle_leave(d);
	return of;
}

const struct piece *demangle_arguments(struct demangler *d, bool is_own)
{
	struct pieces v = { 0 };

	if (!demangle_take(d, "I"))
		return demangle_fail(d);
	if (is_own)
		d->params = (struct pieces){ 0 };
	while (!d->failed && !demangle_take(d, "E")) {
		const struct piece *of = argument(d);

		demangle_keep(d, &v, of);
		if (is_own)
			demangle_keep(d, &d->params, of);
	}
	const char *list = demangle_list(d, v.v, v.n);
	return demangle_joined(d, "<", list, list[0] && list[strlen(list) - 1] == '>' ? " >" : ">");
}

enum { MANGLED_MAX = 64 << 10 };

/* Letters, digits and what compilers put between; not what no linker takes. */
static bool is_plain(struct span s)
{
	return !ANY(i, s.n, (unsigned char)s.p[i] <= ' ' || s.p[i] == 0x7f);
}

bool demangle(struct str *b, struct span mangled)
{
	SCOPED_ARENA mem = { 0 };
	struct demangler d = { .mem = &mem };

	if (mangled.n < 4 || mangled.n > MANGLED_MAX || !span_starts(mangled, "_Z") ||
		!is_plain(mangled))
		return false;
	d.p = mangled.p + 2;
	d.end = mangled.p + mangled.n;
	const char *text = demangle_flat(&d, demangle_encoding(&d));
	bool is_good = !d.failed && (d.p == d.end || *d.p == '.' || *d.p == '@');
	if (is_good)
		str_adds(b, text);
	return is_good;
}
