/* The names of one table: those that would look alike show the words in which they differ. */
#include "base/name/name.h"

#include <stdio.h>

#include "base/base.h"
#include "base/name/reading.h"
#include "base/width.h"

/* Of a group that looks alike: how many, and words of each, are looked at; words that are shown. */
enum { GROUP_MAX = 256, WORDS_MAX = 96, SHOWN_MAX = 12 };
enum { WIDTH_MIN = 8, HEAD_MIN = 6, ROUNDS = 4 };

/* Where the words in which names differ are looked for. */
enum look {
	LOOK_LABELS, /* arguments */
	LOOK_NAME,   /* words of what the name would be with room */
	LOOK_ALL,    /* of all of it */
	LOOK_PARTS   /* the same, parted where small letters end */
};

struct word_list {
	struct span v[WORDS_MAX];
	size_t n;
};

struct entry {
	struct span name;
	const char *text; /* as it is written; NUL-terminated, of mem */
	size_t at;        /* in what was given */
	/* Of a group: */
	struct reading reading;
	struct word_list *words;
	unsigned class;       /* those of one class look alike by the words that were chosen */
	struct span known_as; /* what its text begins with */
	struct span core;     /* the argument that a frame is known by; empty: none */
	unsigned shown;       /* bit i: it needs the i-th of the chosen words */
	bool is_apart;        /* it has a text of its own in this group */
	struct entry *group;  /* one of those it ever looked like, itself at first */
	bool is_new;          /* of a group's first: it has more since it was told apart */
};

struct table_of_names {
	struct entry *v;
	size_t n;
	size_t width;
	bool utf8;
	struct arena *mem, scratch;
};

ORDER(by_name, struct entry, span_cmp(a->name, b->name), compare3(a->at, b->at))

ORDER(by_text, struct entry *const, strcmp((*a)->text, (*b)->text), compare3(*a, *b))

static bool is_of_word(char c)
{
	return is_letter(c) || is_digit(c) || (unsigned char)c >= 0x80;
}

static bool is_small(char c)
{
	return c >= 'a' && c <= 'z';
}

/* The words of a text: letters and digits; finer: "SingleProcess" is two. */
static void split(struct word_list *w, struct span s, bool finer)
{
	size_t i = 0, from;

	for (w->n = 0; w->n < WORDS_MAX; w->v[w->n++] = (struct span){ s.p + from, i - from }) {
		i = FIRST_FROM(k, i, s.n, is_of_word(s.p[k]));
		if (i == s.n)
			return;
		for (from = i++; i < s.n && is_of_word(s.p[i]); i++)
			if (finer && is_small(s.p[i - 1]) != is_small(s.p[i]) &&
				is_small(s.p[i - 1]))
				break;
		if (w->n + 1 == WORDS_MAX)
			i = s.n;
	}
}

static struct span word_at(const struct entry *e, size_t at)
{
	return at < e->words->n ? e->words->v[at] : SPAN("");
}

/* How many pairs of one class the word at `at` would part. */
static size_t parts(struct entry *const *v, size_t n, size_t at)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n && j < i + 64; j++)
			k += v[i]->class == v[j]->class &&
				!span_eq(word_at(v[i], at), word_at(v[j], at));
	return k;
}

/* New classes by the word at `at`; returns how many there are. */
static unsigned reclass(struct table_of_names *t, struct entry *const *v, size_t n, size_t at)
{
	unsigned *class = arena_array(&t->scratch, n, sizeof(*class)), last = 0;
	size_t j;

	for (size_t i = 0; i < n; i++) {
		for (j = 0; j < i; j++)
			if (v[j]->class == v[i]->class &&
				span_eq(word_at(v[j], at), word_at(v[i], at)))
				break;
		class[i] = j < i ? class[j] : last++;
	}
	for (size_t i = 0; i < n; i++)
		v[i]->class = class[i];
	return last;
}

ORDER(by_size, size_t, compare3(*a, *b))

/* The places of the words that tell the group apart, in order; returns how many. */
static size_t choose(struct table_of_names *t, struct entry *const *v, size_t n, size_t *place)
{
	size_t chosen = 0, most, best = 0, words = MOST(size_t, i, n, v[i]->words->n);

	while (chosen < SHOWN_MAX) {
		most = 0;
		for (size_t at = 0; at < words; at++) {
			size_t k = parts(v, n, at);

			if (k > most) {
				most = k;
				best = at;
			}
		}
		if (most == 0)
			break;
		place[chosen++] = best;
		if (reclass(t, v, n, best) == n)
			break;
	}
	qsort(place, chosen, sizeof(*place), by_size);
	return chosen;
}

/* "…word…word" of the chosen ones, what a frame is known by before them. */
static void join_words(const struct table_of_names *t, struct str *b, const struct entry *e,
	const size_t *place, size_t n, bool has_core)
{
	struct omission out = name_omission(t->utf8);
	struct span core = e->core, last = has_core ? core : SPAN("");

	str_adds(b, "");
	if (has_core)
		str_add(b, core.p, core.n);
	for (size_t i = 0; i < n; i++) {
		struct span w = word_at(e, place[i]);

		if (!(e->shown >> i & 1) || w.n == 0 || span_eq(w, last) ||
			(has_core && span_eq(w, core)))
			continue;
		str_adds(b, out.mark);
		str_add(b, w.p, w.n);
		last = w;
	}
}

/* "head<core…word>", "head…word…word"; false: not all of it has room. */
static bool put_words(const struct table_of_names *t, struct str *b, const struct entry *e,
	const size_t *place, size_t n, enum look look)
{
	struct omission out = name_omission(t->utf8);
	bool is_tree = look == LOOK_LABELS || (e->core.n > 0 && e->reading.op.n == 0);
	struct span base = is_tree ? name_tree_ident(e->reading.tree) : e->known_as;
	SCOPED_STR words = { 0 };

	join_words(t, &words, e, place, n, is_tree && e->core.n > 0);
	size_t wide = width_of((struct span){ words.s, words.n }) + (is_tree ? 2 : 0);
	size_t room =
		t->width > wide + HEAD_MIN + out.width ? t->width - wide : HEAD_MIN + out.width;
	if (width_of(base) > room) {
		base = name_head(base, is_tree ? room - out.width : room);
		str_add(b, base.p, base.n);
		if (is_tree)
			str_adds(b, out.mark);
	} else {
		str_add(b, base.p, base.n);
	}
	str_adds(b, is_tree ? "<" : "");
	str_add(b, words.s, words.n);
	str_adds(b, is_tree ? ">" : "");
	return width_of((struct span){ b->s, b->n }) <= t->width;
}

/* What of the name the words are looked for in. */
static void find_words(struct table_of_names *t, struct entry *e, enum look look)
{
	SCOPED_STR b = { 0 };

	if (look == LOOK_LABELS) {
		e->words->n = name_tree_labels(e->reading.tree, e->words->v, WORDS_MAX);
		return;
	}
	if (look == LOOK_NAME)
		name_put(&b, &e->reading, SIZE_MAX / 4, t->utf8);
	else
		str_add(&b, e->name.p, e->name.n);
	split(e->words, (struct span){ arena_copy(&t->scratch, b.s ? b.s : "", b.n), b.n },
		look == LOOK_PARTS);
}

/* Whether all are functions of one identifier. */
static bool is_one_function(struct entry *const *v, size_t n)
{
	return !ANY(i, n,
		!v[i]->reading.tree || v[i]->reading.op.n ||
			!span_eq(name_tree_ident(v[i]->reading.tree),
				name_tree_ident(v[0]->reading.tree)));
}

/* Names that are known by different arguments differ already. */
static void class_by_core(struct entry *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i]->class = (unsigned)FIRST(j, i, span_eq(v[j]->core, v[i]->core));
}

/* Whether the words of e that `shown` has are those of another one, too. */
static bool is_alike(struct entry *const *v, size_t n, const struct entry *e, const size_t *place,
	size_t nplace, unsigned shown, enum look look)
{
	for (size_t i = 0; i < n; i++) {
		bool same = v[i] != e && (look != LOOK_LABELS || span_eq(v[i]->core, e->core));

		for (size_t k = 0; k < nplace && same; k++)
			same = !(shown >> k & 1) ||
				span_eq(word_at(v[i], place[k]), word_at(e, place[k]));
		if (same)
			return true;
	}
	return false;
}

/* Of the chosen words each name shows those that it needs. */
static void need_words(
	struct entry *const *v, size_t n, const size_t *place, size_t nplace, enum look look)
{
	for (size_t i = 0; i < n; i++) {
		v[i]->shown = (1U << nplace) - 1;
		for (size_t k = nplace; k > 0; k--)
			if (!is_alike(v, n, v[i], place, nplace, v[i]->shown & ~(1U << (k - 1)),
				    look))
				v[i]->shown &= ~(1U << (k - 1));
	}
}

/* Gives a text to those that differ, and fit, by one kind of words.  The others come first then:
 * returns how many. */
static size_t try_words(struct table_of_names *t, struct entry **v, size_t n, enum look look)
{
	size_t place[SHOWN_MAX], left = 0;

	for (size_t i = 0; i < n; i++) {
		v[i]->class = 0;
		find_words(t, v[i], look);
	}
	if (look == LOOK_LABELS)
		class_by_core(v, n);
	size_t nplace = choose(t, v, n, place);
	need_words(v, n, place, nplace, look);
	for (size_t i = 0; i < n; i++) {
		SCOPED_STR b = { 0 };

		v[i]->is_apart = !is_alike(v, n, v[i], place, nplace, v[i]->shown, look) &&
			put_words(t, &b, v[i], place, nplace, look);
		if (v[i]->is_apart)
			v[i]->text = arena_copy(t->mem, b.s, b.n);
	}
	for (size_t i = 0; i < n; i++) {
		if (!v[i]->is_apart) {
			struct entry *e = v[left];

			v[left++] = v[i];
			v[i] = e;
		}
	}
	return left;
}

static void tell_apart(struct table_of_names *t, struct entry **v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct name_node *core = NULL;
		struct reading *r = &v[i]->reading;

		name_read(&t->scratch, v[i]->name, r);
		v[i]->words = arena_alloc(&t->scratch, sizeof(*v[i]->words));
		if (r->tree)
			core = name_tree_core(r->tree);
		while (core && core->core)
			core = core->core;
		v[i]->core = core ? name_tree_label(core) : SPAN("");
		v[i]->known_as = r->op.n ? v[i]->name
			: r->tree        ? name_tree_ident(r->tree)
					 : r->text;
	}
	if (is_one_function(v, n))
		n = try_words(t, v, n, LOOK_LABELS);
	n = try_words(t, v, n, LOOK_NAME);
	n = try_words(t, v, n, LOOK_ALL);
	(void)try_words(t, v, n, LOOK_PARTS);
}

/* Where the group of the text at `from` ends. */
static size_t group_end(struct entry *const *v, size_t n, size_t from)
{
	return FIRST_FROM(i, from + 1, n, strcmp(v[i]->text, v[from]->text) != 0);
}

/* Numbers all of a group but its first: "name~2", from `first` on; returns the next number. */
static size_t number(struct table_of_names *t, struct entry **v, size_t n, size_t first)
{
	for (size_t i = 1; i < n; i++) {
		SCOPED_STR b = { 0 };
		char no[24];
		int w = snprintf(no, sizeof(no), "~%zu", first++);

		width_cut(&b, span_of(v[i]->text), t->width - (size_t)w, t->utf8);
		str_adds(&b, no);
		v[i]->text = arena_copy(t->mem, b.s, b.n);
	}
	return first;
}

static struct entry *group_of(struct entry *e)
{
	while (e->group != e) /* each group has its own root */
		e = e->group = e->group->group;
	return e;
}

static int by_group(const void *a, const void *b)
{
	struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
	const struct entry *gx = group_of(x), *gy = group_of(y);

	return gx != gy ? compare3(gx, gy) : compare3(x, y);
}

/* Makes one group of those that look alike and of what these looked like before; false: none do. */
static bool join_alike(struct entry **v, size_t n)
{
	size_t to;
	bool any = false;

	qsort(v, n, sizeof(*v), by_text);
	for (size_t from = 0; from < n; from = to) {
		to = group_end(v, n, from);
		for (size_t i = from + 1; i < to; i++) {
			any = true;
			group_of(v[i])->group = group_of(v[from]);
			group_of(v[from])->is_new = true;
		}
	}
	return any;
}

/* Tells the groups apart that have more in them than the last time. */
static void part_groups(struct table_of_names *t, struct entry **v, size_t n)
{
	size_t to;

	qsort(v, n, sizeof(*v), by_group);
	for (size_t from = 0; from < n; from = to) {
		struct entry *group = group_of(v[from]);
		struct arena_mark mark = arena_mark(&t->scratch);

		to = FIRST_FROM(i, from + 1, n, group_of(v[i]) != group);
		if (group->is_new && to - from > 1 && to - from <= GROUP_MAX)
			tell_apart(t, v + from, to - from);
		group->is_new = false;
		arena_reset(&t->scratch, mark);
	}
}

/* Each group from 2 on at first, then with numbers that none has yet; returns the next of those. */
static size_t number_groups(struct table_of_names *t, struct entry **v, size_t n, size_t next)
{
	bool is_first = next == 0;
	size_t to, after = next;

	for (size_t from = 0; from < n; from = to) {
		to = group_end(v, n, from);
		next = number(t, v + from, to - from, is_first ? 2 : next);
		after = MAX(next, after);
	}
	return after;
}

static void shorten_all(struct table_of_names *t)
{
	struct entry **v = arena_array(&t->scratch, t->n + 1, sizeof(struct entry *));
	size_t n = 0, next = 0;

	qsort(t->v, t->n, sizeof(*t->v), by_name);
	for (size_t i = 0; i < t->n; i++) {
		struct arena_mark mark = arena_mark(&t->scratch);
		struct str b = { 0 };

		if (i > 0 && span_eq(t->v[i].name, t->v[i - 1].name))
			continue;
		name_read(&t->scratch, t->v[i].name, &t->v[i].reading);
		name_put(&b, &t->v[i].reading, t->width, t->utf8);
		t->v[i].text = arena_copy(t->mem, b.s ? b.s : "", b.n);
		str_free(&b);
		arena_reset(&t->scratch, mark);
		v[n++] = t->v[i].group = &t->v[i];
	}
	for (unsigned k = 0; k < ROUNDS && join_alike(v, n); k++)
		part_groups(t, v, n);
	while (join_alike(v, n))
		next = number_groups(t, v, n, next);
	for (size_t i = 1; i < t->n; i++)
		if (!t->v[i].text)
			t->v[i].text = t->v[i - 1].text;
}

const struct span *names_shorten(
	struct arena *mem, const struct span *name, size_t n, size_t width, bool utf8)
{
	struct span *text = arena_array(mem, n + 1, sizeof(*text));
	struct table_of_names t = {
		.n = n,
		.utf8 = utf8,
		.mem = mem,
		.width = MAX(WIDTH_MIN, width),
	};

	t.v = arena_array(&t.scratch, n + 1, sizeof(*t.v));
	for (size_t i = 0; i < n; i++)
		t.v[i] = (struct entry){ .name = name[i], .at = i };
	if (n > 0)
		shorten_all(&t);
	for (EACH(struct entry, entry, t.v, n))
		text[entry->at] = span_of(entry->text);
	arena_clear(&t.scratch);
	return text;
}
