/*
 * Reading of C++ names: brackets are matched once, then each stretch between them is taken apart.
 */
#include "base/ascii.h"
#include "base/name/tree.h"

enum { TEXT_BYTES_MAX = 64 << 10, DEEP_MAX = 64 };

struct reader {
	const char *s;
	size_t n;
	uint32_t *match; /* of an opening bracket: where it is closed (n: never); else 0 */
	struct arena *mem;
	size_t place;
	unsigned depth;
};

static bool is_word(char c)
{
	return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '~' ||
		(unsigned char)c >= 0x80;
}

static bool has_at(const struct reader *r, size_t at, const char *word)
{
	size_t n = strlen(word);

	return r->n - at >= n && memcmp(r->s + at, word, n) == 0;
}

/* The sign of "operator<" and the like at byte `at` behind the word operator: its length. */
static size_t sign_length(const struct reader *r, size_t at)
{
	static const char *const signs[] = { "<<=", ">>=", "<=>", "->*", "()", "[]", "<<", ">>",
		"->", "<=", ">=", "<", ">" };

	return FIND_VALUE(i, COUNT_OF(signs), has_at(r, at, signs[i]), strlen(signs[i]), 0);
}

/* Whether a word ends at byte `at` that is "operator". */
static bool is_behind_operator(const struct reader *r, size_t at)
{
	return at >= 8 && memcmp(r->s + at - 8, "operator", 8) == 0 &&
		(at == 8 || !is_word(r->s[at - 9]));
}

static bool opens(const struct reader *r, size_t at, bool is_after_sign)
{
	char c = r->s[at];

	if (c == '<')
		return is_after_sign || (at > 0 && (is_word(r->s[at - 1]) || r->s[at - 1] == ']'));
	return c == '(' || c == '{' || c == '[';
}

static char closing(char c)
{
	return c == '<' ? '>' : c == '(' ? ')' : c == '{' ? '}' : ']';
}

static void match_brackets(struct reader *r)
{
	uint32_t *open = arena_array(r->mem, r->n + 1, sizeof(*open));
	size_t nopen = 0, k;
	bool is_after_sign = false;

	for (size_t i = 0; i < r->n; i++) {
		char c = r->s[i];

		k = is_behind_operator(r, i) ? sign_length(r, i) : 0;
		if (k > 0) {
			i += k - 1;
			is_after_sign = true;
			continue;
		}
		if (opens(r, i, is_after_sign)) {
			r->match[i] = (uint32_t)r->n;
			open[nopen++] = (uint32_t)i;
		} else if (c == '>'
				? nopen > 0 && r->s[open[nopen - 1]] == '<' && r->s[i - 1] != '-'
				: c == ')' || c == '}' || c == ']') {
			for (k = nopen; k > 0 && closing(r->s[open[k - 1]]) != c; k--)
				continue;
			for (; k > 0 && nopen > k; nopen--) /* less-than signs */
				r->match[open[nopen - 1]] = 0;
			if (k > 0)
				r->match[open[--nopen]] = (uint32_t)i;
		}
		is_after_sign = false;
	}
}

/* The byte behind a bracket that opens at `at`, or the next one. */
static size_t step(const struct reader *r, size_t at)
{
	size_t k = is_behind_operator(r, at) ? sign_length(r, at) : 0;

	if (k > 0)
		return at + k;
	if (r->match[at])
		return r->match[at] < r->n ? r->match[at] + 1 : r->n;
	return at + 1;
}

static struct span cut(const struct reader *r, size_t from, size_t to)
{
	from = FIRST_FROM(k, from, to, r->s[k] != ' ');
	while (to > from && r->s[to - 1] == ' ')
		to--;
	return (struct span){ r->s + from, to - from };
}

static bool is_builtin(struct span s)
{
	size_t from = 0;

	for (size_t i = 0; i <= s.n; i++) {
		if (i < s.n && s.p[i] != ' ')
			continue;
		if (!span_in((struct span){ s.p + from, i - from },
			    "unsigned|signed|long|int|short|char|float|double|bool|void|half|"
			    "__int128|auto|const|volatile|int8_t|uint8_t|int16_t|int32_t|"
			    "uint32_t|int64_t|uint64_t|size_t"))
			return false;
		from = i + 1;
	}
	return s.n > 0;
}

static enum name_sort sort_of(const struct name_node *node)
{
	struct span ident = node->part[node->main].ident;

	if (is_builtin(ident) || span_starts(ident, "Float8") ||
		span_in(ident,
			"BFloat16|Half|complex|OpaqueType|half_t|bfloat16_t|__half|half2|"
			"__nv_bfloat16|nv_bfloat16|__hip_bfloat16|hip_bfloat16|_Float16|float2|"
			"float4|tfloat32_t|nullptr"))
		return NAME_TYPE;
	if (span_in(ident,
		    "gpu_kernel_impl|gpu_kernel_impl_nocast|BinaryFunctor|BUnaryFunctor|"
		    "AUnaryFunctor|ReduceOp|func_wrapper_t|opmath_gpu_kernel_with_scalars|"
		    "opmath_symmetric_gpu_kernel_with_scalars"))
		return NAME_FRAME;
	if (span_starts_in(ident,
		    "Array|array|Load|Store|TensorInfo|TensorListMetadata|FusedOptimizer|"
		    "TrivialOffset|OffsetCalculator|TensorSizeStride|IntegerDivider|"
		    "integral_constant|index_sequence|sequence|tuple|wrapped_|default_config"))
		return NAME_HELPER;
	return NAME_SPEAKING;
}

static struct name_node *read_argument(struct reader *r, size_t from, size_t to);

static void read_arguments(struct reader *r, struct name_part *p, size_t from, size_t to)
{
	size_t at = from, cap = 0;

	while (from < to) {
		while (at < to && r->s[at] != ',')
			at = step(r, at);
		at = MIN(at, to);
		ARENA_PUSH(r->mem, p->arg, p->narg, cap, read_argument(r, from, at));
		from = ++at;
	}
}

/* What a function is qualified with, or a compiler's mark: it says nothing. */
static bool is_trailer(struct span s)
{
	return span_in(s, "|const|const &|&|&&|volatile|noexcept|.kd") ||
		span_starts_in(s, "[clone |[abi:|const [clone ");
}

/* The end of the identifier that a part begins with; `from` where there is none. */
static size_t ident_end(const struct reader *r, size_t from, size_t to)
{
	size_t at = from;

	if (at < to && (r->s[at] == '{' || has_at(r, at, "(anonymous namespace)")))
		return MIN(step(r, at), to);
	at = FIRST_FROM(k, at, to, !is_word(r->s[k]));
	if (is_behind_operator(r, at) && sign_length(r, at))
		return at + sign_length(r, at);
	if (is_behind_operator(r, at)) /* a conversion, or a sign that is no bracket */
		while (at < to && r->s[at] != '(' && r->s[at] != '<')
			at++;
	return at;
}

static bool read_part(struct reader *r, struct name_part *p, size_t from, size_t to)
{
	size_t at = ident_end(r, from, to), end;

	p->ident = (struct span){ r->s + from, at - from };
	if (at == from || is_digit(r->s[from]))
		return false;
	if (has_at(r, from, "(anonymous namespace)"))
		p->ident.n = 0;
	if (at < to && r->s[at] == '<' && r->match[at]) {
		end = MIN(r->match[at], to);
		read_arguments(r, p, at + 1, end);
		at = end < to ? end + 1 : to;
	}
	if (at < to && r->s[at] == '(' && r->match[at]) {
		p->has_params = true;
		at = MIN(step(r, at), to);
	}
	return is_trailer(cut(r, at, to));
}

/* The part that says what a name with parts is. */
static size_t main_part(const struct name_node *node)
{
	size_t i = 0;

	while (i + 1 < node->npart && !node->part[i].has_params)
		i++;
	while (i > 0 &&
		(span_in(node->part[i].ident, "type|value|operator()|Params|Arguments") ||
			span_starts(node->part[i].ident, "{")) &&
		node->part[i - 1].ident.n > 0)
		i--;
	return i;
}

/* Parts between "::"; false where it is no name. */
static bool read_parts(struct reader *r, struct name_node *node, size_t from, size_t to)
{
	size_t at = from, cap = 0;

	while (from < to) {
		while (at < to && !has_at(r, at, "::"))
			at = step(r, at);
		at = MIN(at, to);
		node->part = arena_grow(r->mem, node->part, node->npart, &cap, sizeof(*node->part));
		if (!read_part(r, &node->part[node->npart++], from, at))
			return false;
		from = at = at + 2;
	}
	if (node->npart == 0 || node->part[node->npart - 1].ident.n == 0)
		return false;
	node->main = main_part(node);
	return true;
}

/* Where " const*" and the like begin behind a type. */
static size_t type_end(const struct reader *r, size_t from, size_t to)
{
	for (size_t at = from; at < to; at = step(r, at)) {
		if (r->s[at] == '*' || r->s[at] == '&')
			return at;
		if (has_at(r, at, " const") && !has_at(r, at, " const::"))
			return at;
	}
	return to;
}

static struct name_node *new_node(struct reader *r, size_t from, size_t to)
{
	struct name_node *node = arena_alloc(r->mem, sizeof(*node));

	node->text = cut(r, from, to);
	node->place = r->place++;
	node->hide = node->hide_scopes = node->hide_tail = node->hide_frame = NAME_NEVER;
	return node;
}

static struct name_node *read_argument(struct reader *r, size_t from, size_t to)
{
	struct name_node *node = new_node(r, from, to);

	from = (size_t)(node->text.p - r->s);
	to = from + node->text.n;
	node->sort = is_builtin(node->text) ? NAME_TYPE : NAME_WORDS;
	if (node->sort == NAME_TYPE || from == to || ++r->depth > DEEP_MAX)
		return node;
	if (r->s[from] == '&') {
		node->before = (struct span){ r->s + from, 1 };
		from++;
	}
	size_t end = type_end(r, from, to);
	node->after = (struct span){ r->s + end, to - end };
	if (is_builtin((struct span){ r->s + from, end - from }))
		node->sort = NAME_HELPER; /* a pointer, mostly */
	else if (span_is(node->text, "true") || span_is(node->text, "false"))
		node->sort = NAME_WORDS;
	else if (read_parts(r, node, from, end))
		node->sort = sort_of(node);
	if (node->sort == NAME_WORDS || !node->part)
		node->part = NULL, node->npart = 0;
	r->depth--;
	return node;
}

/* Whether what is before the name may be its returned type. */
static bool is_type(const struct reader *r, size_t to)
{
	for (size_t at = 0; at < to; at = step(r, at))
		if (!is_word(r->s[at]) && !strchr("<( :*&", r->s[at]))
			return false;
	return to > 0 && (is_letter(r->s[0]) || r->s[0] == '_') &&
		(is_word(r->s[to - 1]) || strchr("*&>)", r->s[to - 1]));
}

/* Where the name begins behind the returned type. */
static size_t name_begin(const struct reader *r)
{
	size_t from = 0;

	for (size_t at = 0; at < r->n; at = step(r, at)) {
		if (r->s[at] != ' ' || at + 1 >= r->n)
			continue;
		if (has_at(r, at, " const::") || is_trailer(cut(r, at, r->n)) ||
			is_behind_operator(r, at))
			continue;
		from = at + 1;
	}
	return from;
}

/* Whether parameters look as if a compiler wrote them: Python's calls have brackets, too. */
static bool has_cpp(struct span text, bool has_type)
{
	return span_has_in(text,
		       "::|<|*|&|(int|(float|(long|(unsigned|(double|(bool|(char|ernel|nccl|()") ||
		has_type;
}

struct name_node *name_tree(struct arena *mem, struct span text)
{
	struct reader r = { .s = text.p, .n = text.n, .mem = mem };
	bool has_more = false;

	if (text.n == 0 || text.n > TEXT_BYTES_MAX || memchr(text.p, '\0', text.n))
		return NULL;
	r.match = arena_array(mem, text.n + 1, sizeof(*r.match));
	match_brackets(&r);
	size_t from = name_begin(&r);
	struct name_node *top = new_node(&r, from, r.n);
	if (from > 0 && !is_type(&r, from - 1))
		return NULL;
	if (!read_parts(&r, top, from, r.n) || !has_cpp(text, from > 0))
		return NULL;
	for (EACH(const struct name_part, part, top->part, top->npart))
		has_more |= part->has_params || part->narg > 0;
	if (from > 0 && !has_more)
		return NULL; /* words with spaces */
	top->sort = NAME_SPEAKING;
	return has_more || top->npart > 1 ? top : NULL;
}
