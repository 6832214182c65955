/* One name: as much of it as fits. */
#include "base/name/name.h"

#include "base/name/cudaname.h"
#include "base/name/demangle.h"
#include "base/name/reading.h"
#include "base/width.h"

/* What a kernel keeps of itself beside what it is known by, and beside its operator. */
enum { HEAD_MIN = 8, KERNEL_MIN = 16 };

struct omission name_omission(bool utf8)
{
	return utf8 ? (struct omission){ "\xe2\x80\xa6", 1 } : (struct omission){ "...", 3 };
}

static bool is_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c);
}

/* Where the bracket that opens at byte `at` is closed; s.n: never. */
static size_t closing(struct span s, size_t at)
{
	size_t depth = 0;

	for (; at < s.n; at++) {
		depth += s.p[at] == '(';
		if (s.p[at] == ')' && --depth == 0)
			break;
	}
	return at;
}

/* Where a name is indented, that stays.  "op (kernel)" and "op (kernel) [[2, 3]]": the kernel; all
 * of it where it is of another form. */
static struct span split_op(struct span s, struct reading *r)
{
	size_t indent = FIRST(i, s.n, s.p[i] != ' ');

	r->op = (struct span){ s.p, indent };
	size_t from = indent;
	while (from < s.n && s.p[from] != ' ' && !is_of(s.p[from], "<>(){}"))
		from++;
	if (from == indent || s.n - from < 4 || memcmp(s.p + from, " (", 2) != 0)
		return (struct span){ s.p + indent, s.n - indent };
	size_t to = closing(s, from + 1);
	if (to == s.n || (to + 1 < s.n && (s.n - to < 3 || memcmp(s.p + to, ") [", 3) != 0)))
		return (struct span){ s.p + indent, s.n - indent };
	from += 2;
	r->op = (struct span){ s.p, from };
	r->behind = (struct span){ s.p + to, s.n - to };
	return (struct span){ s.p + from, to - from };
}

void name_read(struct arena *mem, struct span name, struct reading *r)
{
	struct str plain = { 0 };

	*r = (struct reading){ .op = SPAN(""), .behind = SPAN("") };
	r->text = split_op(name, r);
	if (demangle(&plain, r->text) || cudaname_read(&plain, r->text))
		r->text = (struct span){ arena_copy(mem, plain.s, plain.n), plain.n };
	str_free(&plain);
	r->tree = name_tree(mem, r->text);
	r->levels = r->tree ? name_tree_rank(mem, r->tree) : 0;
}

struct span name_head(struct span s, size_t width)
{
	size_t to = 0, next, wide = 0;

	for (; to < s.n; to = next) {
		for (next = to + 1; next < s.n && ((unsigned char)s.p[next] & 0xc0) == 0x80; next++)
			continue;
		wide += width_of((struct span){ s.p + to, next - to });
		if (wide > width)
			break;
	}
	return (struct span){ s.p, to };
}

static size_t width_at(struct str *b, const struct name_node *tree, int32_t level, const char *mark)
{
	str_reset(b);
	name_tree_put(b, tree, level, mark);
	return width_of((struct span){ b->s, b->n });
}

/* "vectorized_el…<AddFunctor>": what a frame is known by, and what there is room for of it. */
static void put_frame(struct str *b, const struct reading *r, size_t width, bool utf8)
{
	struct omission out = name_omission(utf8);
	struct span ident = name_tree_ident(r->tree);
	SCOPED_STR core = { 0 };
	size_t wide = width_at(&core, name_tree_core(r->tree), r->levels, "") + 2;

	if (width < HEAD_MIN + out.width + 2 + HEAD_MIN) {
		width_cut(b, ident, width, utf8);
		return;
	}
	size_t room = width - out.width;
	room = room > wide + HEAD_MIN ? room - wide : HEAD_MIN;
	ident = width_of(ident) <= room + out.width ? ident : name_head(ident, room);
	str_add(b, ident.p, ident.n);
	room = width_of(ident);
	if (ident.n < name_tree_ident(r->tree).n) {
		str_adds(b, out.mark);
		room += out.width;
	}
	str_addc(b, '<');
	width_cut(b, (struct span){ core.s, core.n }, width - room - 2, utf8);
	str_addc(b, '>');
}

/* A function, at the first level at which it fits. */
static void put_tree(struct str *b, const struct reading *r, size_t width, bool utf8)
{
	struct omission out = name_omission(utf8);
	SCOPED_STR text = { 0 };
	int32_t level; /* it fits here, or nowhere */

	level = PARTITION_POINT(i, 0, r->levels, width_at(&text, r->tree, i, out.mark) > width);
	if (width_at(&text, r->tree, level, out.mark) <= width)
		str_add(b, text.s, text.n);
	else if (name_tree_core(r->tree))
		put_frame(b, r, width, utf8);
	else
		width_cut(b, name_tree_ident(r->tree), width, utf8);
}

static void put_function(struct str *b, const struct reading *r, size_t width, bool utf8)
{
	if (r->tree)
		put_tree(b, r, width, utf8);
	else
		width_cut(b, r->text, width, utf8);
}

/* "op (kernel)": both are shortened where neither would be half as wide. */
static void put_with_op(struct str *b, const struct reading *r, size_t width, bool utf8)
{
	size_t op = width_of(r->op), behind = width_of(r->behind);
	struct span bracket = r->behind;
	SCOPED_STR all = { 0 };

	put_function(&all, r, SIZE_MAX / 4, utf8);
	size_t kernel = width_of((struct span){ all.s, all.n });
	kernel = MIN(kernel, KERNEL_MIN);
	str_reset(&all);
	if (op + behind + kernel > width) {
		bracket.n = bracket.n > 0;
		behind = bracket.n;
	}
	size_t half = kernel + 3 < width / 2 ? width - kernel - 3 : (width - 3) / 2;
	if (op + behind + kernel > width && bracket.n && width > 2 * HEAD_MIN) {
		name_shorten(&all, (struct span){ r->op.p, r->op.n - 2 }, half, utf8);
		str_adds(&all, " (");
	} else {
		str_add(&all, r->op.p, r->op.n);
	}
	op = width_of((struct span){ all.s, all.n });
	put_function(&all, r, width > op + behind ? width - op - behind : 0, utf8);
	str_add(&all, bracket.p, bracket.n);
	width_cut(b, (struct span){ all.s, all.n }, width, utf8);
}

void name_put(struct str *b, const struct reading *r, size_t width, bool utf8)
{
	if (r->op.n == 0)
		put_function(b, r, width, utf8);
	else
		put_with_op(b, r, width, utf8);
}

void name_shorten(struct str *b, struct span name, size_t width, bool utf8)
{
	SCOPED_ARENA mem = { 0 };
	struct reading r;

	name_read(&mem, name, &r);
	name_put(b, &r, width, utf8);
}
