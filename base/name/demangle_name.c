/* Itanium C++ ABI, 5.1.1, 5.1.2 and 5.1.6: functions, names and their scopes. */
#include "base/ascii.h"
#include "base/compiler.h"
#include "base/name/demangle_parts.h"

/* "name" of a number of letters; anonymous namespaces have a name of their own. */
static const struct piece *source_name(struct demangler *d)
{
	size_t n;

	if (!demangle_number(d, &n) || n == 0 || n > (size_t)(d->end - d->p))
		return demangle_fail(d);
	const char *at = d->p;
	d->p += n;
	if (n >= 11 && memcmp(at, "_GLOBAL__N_", 11) == 0)
		return demangle_text(d, "(anonymous namespace)", "");
	return demangle_text(d, arena_copy(d->mem, at, n), "");
}

/* "{lambda(int)#1}" */
static const struct piece *lambda(struct demangler *d)
{
	bool was_in = d->in_lambda;
	size_t n;

	d->in_lambda = true;
	const char *list = demangle_parameters(d);
	d->in_lambda = was_in;
	if (!demangle_take(d, "E") || !demangle_sequence(d, 10, &n))
		return demangle_fail(d);
	return demangle_joined(d, "{lambda(", list, arena_printf(d->mem, ")#%zu}", n + 1));
}

static const struct piece *operator_name(struct demangler *d, struct name_kind *kind)
{
	unsigned arity;

	if (demangle_take(d, "cv")) {
		kind->has_no_type = true;
		return demangle_joined(d, "operator ", demangle_flat(d, demangle_type(d)), "");
	}
	if (demangle_take(d, "li"))
		return demangle_joined(d, "operator\"\" ", source_name(d)->left, "");
	const char *sign = demangle_operator(d, &arity);
	return sign ? demangle_joined(d, "operator", sign, "") : demangle_fail(d);
}

/* The last part of a name: what it is called there. */
static const struct piece *unqualified(struct demangler *d, struct name_kind *kind)
{
	const struct piece *of;
	size_t n;

	(void)demangle_take(d, "L");
	if (is_digit(demangle_peek(d, 0))) {
		of = source_name(d);
	} else if (demangle_take(d, "Ul")) {
		of = lambda(d);
	} else if (demangle_take(d, "Ut")) {
		of = demangle_sequence(d, 10, &n)
			? demangle_text(d, arena_printf(d->mem, "{unnamed type#%zu}", n + 1), "")
			: demangle_fail(d);
	} else {
		of = operator_name(d, kind);
	}
	while (demangle_take(d, "B"))
		of = demangle_joined(d, of->left,
			"[abi:", demangle_joined(d, source_name(d)->left, "]", "")->left);
	return of;
}

/* The class's own name in front of its arguments, behind its scopes. */
static const char *own_name(struct demangler *d, const char *whole)
{
	size_t end = strlen(whole), n = end, depth = 0;

	while (n > 0) {
		char c = whole[n - 1];

		if (c == '>')
			depth++;
		else if (c == '[' ? depth == 0 : c == '<' && depth > 0 && --depth == 0)
			end = n - 1;
		else if (c == ':' && depth == 0)
			break;
		n--;
	}
	return n < end ? arena_copy(d->mem, whole + n, end - n) : "";
}

static const struct piece *scoped(
	struct demangler *d, const struct piece *in, const struct piece *of)
{
	return in ? demangle_joined(d, demangle_flat(d, in), "::", demangle_flat(d, of)) : of;
}

/* C1, D2: a constructor or destructor of what it is in; NULL: it is none. */
static const struct piece *constructor(
	struct demangler *d, const struct piece *in, struct name_kind *kind)
{
	char c = demangle_peek(d, 0), n = demangle_peek(d, 1);

	if (!in || !((c == 'C' && n >= '1' && n <= '5') || (c == 'D' && n >= '0' && n <= '5')))
		return NULL;
	d->p += 2;
	kind->has_no_type = true;
	return demangle_joined(d, c == 'D' ? "~" : "", own_name(d, demangle_flat(d, in)), "");
}

/* One more part of a nested name behind `in`; *is_new: it can be referred to. */
static const struct piece *nested_part(struct demangler *d, const struct piece *in, bool is_own,
	struct name_kind *kind, bool *is_new)
{
	char c = demangle_peek(d, 0), next = demangle_peek(d, 1);

	*is_new = true;
	if (c == 'S' && next != 't') {
		*is_new = false;
		return in ? demangle_fail(d) : demangle_substitution(d);
	}
	if (demangle_take(d, "St")) {
		*is_new = false;
		return in ? demangle_fail(d) : demangle_text(d, "std", "");
	}
	if (c == 'I') {
		kind->is_template = true;
		return in ? demangle_joined(d, demangle_flat(d, in),
				    demangle_flat(d, demangle_arguments(d, is_own)), "")
			  : demangle_fail(d);
	}
	kind->is_template = false;
	if (c == 'T')
		return in ? demangle_fail(d) : demangle_param(d);
	if (c == 'D' && (next == 't' || next == 'T'))
		return in ? demangle_fail(d) : demangle_type(d);
	const struct piece *of = constructor(d, in, kind);
	return scoped(d, in, of ? of : unqualified(d, kind));
}

static const struct piece *nested(struct demangler *d, bool is_own, struct name_kind *kind)
{
	const struct piece *of = NULL;
	bool is_new;

	(void)demangle_take(d, "r");
	(void)demangle_take(d, "V");
	bool is_const = demangle_take(d, "K");
	if (!demangle_take(d, "R"))
		(void)demangle_take(d, "O");
	while (!d->failed && !demangle_take(d, "E")) {
		(void)demangle_take(d, "M");
		of = nested_part(d, of, is_own, kind, &is_new);
		if (is_new && demangle_peek(d, 0) != 'E')
			demangle_keep(d, &d->known, of);
	}
	kind->quals = is_const ? " const" : "";
	return of ? of : demangle_fail(d);
}

/* "_1", "__12_": which of several with the name; nobody asks. */
static void skip_discriminator(struct demangler *d)
{
	size_t n;

	if (demangle_take(d, "__")) {
		if (!demangle_number(d, &n) || !demangle_take(d, "_"))
			(void)demangle_fail(d);
	} else if (demangle_peek(d, 0) == '_' && is_digit(demangle_peek(d, 1))) {
		d->p += 2;
	}
}

/* What stands in a function: "f(int)::{lambda()#1}". */
static const struct piece *local(struct demangler *d, bool is_own, struct name_kind *kind)
{
	const struct piece *in = demangle_encoding(d), *of;
	size_t n;

	if (!demangle_take(d, "E"))
		return demangle_fail(d);
	if (demangle_take(d, "s")) {
		of = demangle_text(d, "string literal", "");
	} else {
		if (demangle_take(d, "d") && !demangle_sequence(d, 10, &n))
			return demangle_fail(d);
		of = demangle_name(d, is_own, kind);
	}
	skip_discriminator(d);
	return scoped(d, in, of);
}

static const struct piece *unscoped(struct demangler *d, struct name_kind *kind)
{
	const struct piece *in = demangle_take(d, "St") ? demangle_text(d, "std", "") : NULL;

	return scoped(d, in, unqualified(d, kind));
}

const struct piece *demangle_name(struct demangler *d, bool is_own, struct name_kind *kind)
{
	const struct piece *of;
	bool is_old;

	*kind = (struct name_kind){ .quals = "" };
	if (!demangle_enter(d)) {
		demangle_leave(d);
		return demangle_fail(d);
	}
	if (demangle_take(d, "N")) {
		of = nested(d, is_own, kind);
	} else if (demangle_take(d, "Z")) {
		of = local(d, is_own, kind);
	} else {
		is_old = demangle_peek(d, 0) == 'S' && demangle_peek(d, 1) != 't';
		of = is_old ? demangle_substitution(d) : unscoped(d, kind);
		if (demangle_peek(d, 0) == 'I') {
			if (!is_old)
				demangle_keep(d, &d->known, of);
			kind->is_template = true;
			of = demangle_joined(d, demangle_flat(d, of),
				demangle_flat(d, demangle_arguments(d, is_own)), "");
		} else if (is_old) {
			of = demangle_fail(d);
		}
	}
	demangle_leave(d);
	return of;
}

const struct piece *demangle_substitution(struct demangler *d)
{
	static const struct {
		const char *code, *text;
	} standard[] = { { "Sa", "std::allocator" }, { "Sb", "std::basic_string" },
		{ "Ss", "std::string" }, { "Si", "std::istream" }, { "So", "std::ostream" },
		{ "Sd", "std::iostream" } };
	size_t n;

	for (size_t i = 0; i < COUNT_OF(standard); i++)
		if (demangle_take(d, standard[i].code))
			return demangle_text(d, standard[i].text, "");
	if (!demangle_take(d, "S") || !demangle_sequence(d, 36, &n) || n >= d->known.n)
		return demangle_fail(d);
	return d->known.v[n];
}

const char *demangle_parameters(struct demangler *d)
{
	struct pieces v = { 0 };
	char c;

	if (demangle_peek(d, 0) == 'v' &&
		(demangle_peek(d, 1) == 'E' || demangle_peek(d, 1) == '.' || d->p + 1 == d->end)) {
		d->p++;
		return "";
	}
	while (!d->failed && d->p < d->end && (c = *d->p) != 'E' && c != '.' && c != '@')
		demangle_keep(d, &v, demangle_type(d));
	return demangle_list(d, v.v, v.n);
}

const struct piece *demangle_encoding(struct demangler *d)
{
	struct pieces params = d->params;
	struct name_kind kind = { .quals = "" };

	if (!demangle_enter(d))
		return demangle_fail(d);
	const struct piece *name = demangle_name(d, true, &kind);
	char c = demangle_peek(d, 0);
	if (!d->failed && c && c != 'E' && c != '.' && c != '@') {
		if (kind.is_template && !kind.has_no_type)
			(void)demangle_type(d);
		const char *list = demangle_parameters(d);
		name = demangle_joined(d, demangle_flat(d, name), "(", list);
		name = demangle_joined(d, name->left, ")", kind.quals);
	}
	d->params = params;
	demangle_leave(d);
	return name;
}
