/* Itanium C++ ABI, 5.1.1, 5.1.2, 5.1.5 and 5.1.6: functions, names and their scopes, types. */
#include "base/ascii.h"
#include "base/base.h"
#include "base/name/demangle_parts.h"

/* A standard abbreviation (Ss, Sa, ...) or what was named before; not St. */
static const struct piece *demangle_substitution(struct demangler *d);
/* Types up to an E (not taken), the end or a suffix: "int, float"; "" for void. */
static const char *demangle_parameters(struct demangler *d);

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

static const struct piece *demangle_substitution(struct demangler *d)
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

static const char *demangle_parameters(struct demangler *d)
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

/* --- types --- */

struct word {
	const char *code, *text;
};

/* clang-format off */
static const struct word BUILTINS[] = {
	{"v", "void"}, {"w", "wchar_t"}, {"b", "bool"}, {"c", "char"}, {"a", "signed char"},
	{"h", "unsigned char"}, {"s", "short"}, {"t", "unsigned short"}, {"i", "int"},
	{"j", "unsigned int"}, {"l", "long"}, {"m", "unsigned long"}, {"x", "long long"},
	{"y", "unsigned long long"}, {"n", "__int128"}, {"o", "unsigned __int128"}, {"f", "float"},
	{"d", "double"}, {"e", "long double"}, {"g", "__float128"}, {"z", "..."},
	{"DF16b", "std::bfloat16_t"}, {"DF16_", "_Float16"}, {"DF32_", "_Float32"}, {"DF64_", "_Float64"},
	{"Dh", "half"}, {"Di", "char32_t"}, {"Ds", "char16_t"}, {"Du", "char8_t"}, {"Da", "auto"},
	{"Dc", "decltype(auto)"}, {"Dn", "decltype(nullptr)"},
};
/* clang-format on */

static const char *builtin(struct demangler *d)
{
	return FIND_VALUE(
		i, COUNT_OF(BUILTINS), demangle_take(d, BUILTINS[i].code), BUILTINS[i].text, NULL);
}

/* "T*", "T&", "T const": of functions and arrays, "void (*)(int)". */
static const struct piece *with_suffix(
	struct demangler *d, const struct piece *of, const char *suffix)
{
	const struct piece *left;
	size_t n = strlen(of->left);

	if (suffix[0] == '&' && n > 1 && of->left[n - 1] == '&') { /* references collapse */
		if (suffix[1] || of->left[n - 2] != '&')
			return of;
		return demangle_text(d, arena_copy(d->mem, of->left, n - 1), of->right);
	}
	if (of->is_pack) { /* each of a pack; as nobody asks which, the pack is one text */
		left = demangle_joined(d, demangle_flat(d, of), suffix, "");
		return left;
	}
	if (of->is_inner && suffix[0] != ' ') {
		left = demangle_joined(d, of->left, "(", suffix);
		return demangle_text(d, left->left,
			demangle_joined(d, of->right[0] == '[' ? ") " : ")", of->right, "")->left);
	}
	left = demangle_joined(d, of->left, suffix, "");
	return demangle_text(d, left->left, of->right);
}

static const struct piece *qualified(struct demangler *d)
{
	bool is_restrict = demangle_take(d, "r"), is_volatile = demangle_take(d, "V"),
	     is_const = demangle_take(d, "K");
	const struct piece *of = demangle_type(d);

	if (is_const)
		of = with_suffix(d, of, " const");
	if (is_volatile)
		of = with_suffix(d, of, " volatile");
	return is_restrict ? with_suffix(d, of, " __restrict") : of;
}

static const struct piece *function(struct demangler *d)
{
	struct piece *made;

	(void)demangle_take(d, "Y");
	const struct piece *of = demangle_type(d);
	if (demangle_peek(d, 0) == 'v' && demangle_peek(d, 1) == 'E')
		d->p++;
	const char *list = demangle_parameters(d);
	if (!demangle_take(d, "E"))
		return demangle_fail(d);
	made = arena_alloc(d->mem, sizeof(*made));
	*made = *demangle_joined(d, demangle_flat(d, of), " ", "");
	made->right = demangle_joined(d, "(", list, ")")->left;
	made->is_inner = true;
	return d->failed ? demangle_fail(d) : made;
}

static const struct piece *array(struct demangler *d)
{
	struct piece *made;
	const char *size = "";
	size_t n;

	if (!demangle_take(d, "_")) {
		if (demangle_number(d, &n))
			size = arena_printf(d->mem, "%zu", n);
		else
			size = demangle_flat(d, demangle_expression(d));
		if (!demangle_take(d, "_"))
			return demangle_fail(d);
	}
	const struct piece *of = demangle_type(d);
	made = arena_alloc(d->mem, sizeof(*made));
	*made = *demangle_joined(d, of->left, of->is_inner ? "" : " ", "");
	made->right =
		demangle_joined(d, demangle_joined(d, "[", size, "]")->left, of->right, "")->left;
	made->is_inner = true;
	return d->failed ? demangle_fail(d) : made;
}

/* "int A::*" */
static const struct piece *member(struct demangler *d)
{
	const char *class = demangle_flat(d, demangle_type(d));
	const struct piece *of = demangle_type(d);

	return with_suffix(d, of, demangle_joined(d, of->is_inner ? "" : " ", class, "::*")->left);
}

/* What begins with D and is no builtin. */
static const struct piece *special(struct demangler *d)
{
	const struct piece *of;
	size_t n;

	if (demangle_take(d, "Dp"))
		return demangle_type(d);
	if (demangle_take(d, "Dt") || demangle_take(d, "DT")) {
		of = demangle_expression(d);
		return demangle_take(d, "E")
			? demangle_joined(d, "decltype (", demangle_flat(d, of), ")")
			: demangle_fail(d);
	}
	if (demangle_take(d, "Dv") && demangle_number(d, &n) && demangle_take(d, "_")) {
		of = demangle_type(d);
		return demangle_joined(
			d, demangle_flat(d, of), arena_printf(d->mem, " __vector(%zu)", n), "");
	}
	if (demangle_take(d, "Do"))
		return demangle_type(d);
	return demangle_fail(d);
}

const struct piece *demangle_param(struct demangler *d)
{
	size_t n;

	if (!demangle_take(d, "T") || !demangle_sequence(d, 10, &n))
		return demangle_fail(d);
	if (d->in_lambda)
		return demangle_text(d, "auto", "");
	return n < d->params.n ? d->params.v[n] : demangle_fail(d);
}

/* T_ by itself, or a template that is a parameter, with arguments. */
static const struct piece *parameter(struct demangler *d)
{
	const struct piece *of = demangle_param(d);

	if (demangle_peek(d, 0) != 'I')
		return of;
	demangle_keep(d, &d->known, of);
	const struct piece *args = demangle_arguments(d, false);
	return demangle_joined(d, demangle_flat(d, of), demangle_flat(d, args), "");
}

/* A name that was there before: by itself it is not kept again. */
static const struct piece *repeated(struct demangler *d)
{
	const struct piece *of = demangle_substitution(d);

	if (demangle_peek(d, 0) != 'I')
		return of;
	const struct piece *args = demangle_arguments(d, false);
	of = demangle_joined(d, demangle_flat(d, of), demangle_flat(d, args), "");
	demangle_keep(d, &d->known, of);
	return of;
}

static const struct piece *vendor(struct demangler *d)
{
	size_t n;

	if (!demangle_number(d, &n) || n > (size_t)(d->end - d->p))
		return demangle_fail(d);
	d->p += n;
	return demangle_text(d, arena_copy(d->mem, d->p - n, n), "");
}

static const struct piece *compound(struct demangler *d)
{
	struct name_kind kind;
	char c = demangle_peek(d, 0);

	switch (c) {
	case 'r':
	case 'V':
	case 'K': return qualified(d);
	case 'T': return parameter(d);
	case 'D': return special(d);
	case 'P':
	case 'R':
	case 'O':
		d->p++;
		return with_suffix(d, demangle_type(d), c == 'P' ? "*" : c == 'R' ? "&" : "&&");
	case 'C': d->p++; return with_suffix(d, demangle_type(d), " _Complex");
	case 'F': d->p++; return function(d);
	case 'A': d->p++; return array(d);
	case 'M': d->p++; return member(d);
	case 'u': d->p++; return vendor(d);
	case 'N':
	case 'Z':
	case 'S': return demangle_name(d, false, &kind);
	default: return is_digit(c) ? demangle_name(d, false, &kind) : demangle_fail(d);
	}
}

const struct piece *demangle_type(struct demangler *d)
{
	const struct piece *of;

	if (!demangle_enter(d)) {
		demangle_leave(d);
		return demangle_fail(d);
	}
	const char *word = builtin(d);
	if (word) {
		of = demangle_text(d, word, "");
	} else if (demangle_peek(d, 0) == 'S' && demangle_peek(d, 1) != 't') {
		of = repeated(d);
	} else {
		of = compound(d);
		demangle_keep(d, &d->known, of);
	}
	demangle_leave(d);
	return of;
}
