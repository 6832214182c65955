/* Itanium C++ ABI, 5.1.5: types. */
#include "base/ascii.h"
#include "base/compiler.h"
#include "base/name/demangle_parts.h"

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
	for (size_t i = 0; i < COUNT_OF(BUILTINS); i++)
		if (demangle_take(d, BUILTINS[i].code))
			return BUILTINS[i].text;
	return NULL;
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
