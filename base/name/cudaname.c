/* NVIDIA's spelling of names: one pass, piece by piece. */
#include "base/name/cudaname.h"

#include "base/ascii.h"

static const char instance[] = " (instance ";

/* "(unsigned long)" before a number: how much of it. */
static size_t cast_before(struct span s)
{
	const char *close = memchr(s.p, ')', s.n);
	struct span type;

	if (!close)
		return 0;
	type = span_between(s.p + 1, close);
	struct span rest = span_between(close + 1, s.p + s.n);
	bool is_number = rest.n && (is_digit(rest.p[0]) || rest.p[0] == '-');
	return is_number &&
			span_in(type,
				"bool|char|signed char|unsigned char|short|unsigned short|"
				"int|unsigned int|long|unsigned long|long long|"
				"unsigned long long")
		? type.n + 2
		: 0;
}

/* What is at the beginning of s, which is behind `before`: bytes taken; 0: it stays as it is. */
static size_t take_piece(struct str *b, struct span s, char before)
{
	static const char unnamed[] = "<unnamed>", lambda[] = "[lambda", call[] = "operator ()";

	if (span_starts(s, unnamed)) {
		str_adds(b, "(anonymous namespace)");
		return sizeof(unnamed) - 1;
	}
	if (span_starts(s, lambda)) {
		str_adds(b, "{lambda");
		return sizeof(lambda) - 1;
	}
	if (span_starts(s, instance)) {
		size_t from = sizeof(instance) - 1;
		size_t to = FIRST_FROM(i, from, s.n, !is_digit(s.p[i]));

		if (to + 1 >= s.n || s.p[to] != ')' || s.p[to + 1] != ']')
			return 0;
		str_addf(b, "#%.*s}", (int)(to - from), s.p + from);
		return to + 2;
	}
	if (span_starts(s, call)) {
		str_adds(b, "operator()");
		return sizeof(call) - 1;
	}
	if (span_starts(s, " *") || span_starts(s, " &"))
		return 1;
	if (span_starts(s, "void ") && (before == '<' || before == ' '))
		return strlen("void ");
	return s.p[0] == '(' && (before == '<' || before == ' ') ? cast_before(s) : 0;
}

bool cudaname_read(struct str *b, struct span name)
{
	const size_t before = b->n;

	if (!span_has(name, "<unnamed>::") && !span_has(name, instance) && !span_has(name, "<(") &&
		!span_has(name, ", (") && !span_has(name, " *"))
		return false;
	for (size_t i = 0; i < name.n;) {
		struct span rest = { name.p + i, name.n - i };
		size_t n = take_piece(b, rest, i ? name.p[i - 1] : '\0');

		if (n == 0)
			str_addc(b, name.p[i]);
		i += n ? n : 1;
	}
	if (b->n - before != name.n || memcmp(b->s + before, name.p, name.n) != 0)
		return true;
	b->n = before;
	return false;
}
