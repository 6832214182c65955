/* Numbers in names, and what those of one pattern are together. */
#include "analyze/job/sides_names.h"

enum { NUMBERS = 2, DIGITS = 5 };

/* One name taken apart. */
struct taken {
	struct sides_name *of;
	const char *pattern; /* "#" for its numbers; NULL: it has none */
	const char *key;     /* without folders of ranks */
	int64_t number[NUMBERS];
	size_t n;
	bool is_rank; /* the word says it; else it has but a number at its end */
};

/* ---- one name ---- */

/* The word of a rank at p, which no letter is in front of: how long it is, or 0. */
static size_t word_at(struct span t, size_t at)
{
	static const char *const words[] = { "node", "host", "gpu", "device", "task", "process",
		"proc", "rank", "worker" };

	if (at > 0 && is_letter(t.p[at - 1]))
		return 0;
	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (span_starts_in_nocase(span_from(t, at), words[i]))
			return strlen(words[i]);
	return 0;
}

/* Where the digits of a rank at `at` begin, with a word before them; 0: there are none. */
static size_t digits_at(struct span t, size_t at)
{
	size_t n = word_at(t, at), from = at + n;

	if (n == 0)
		return 0;
	from += from < t.n && strchr("-_=", t.p[from]) != NULL;
	return from < t.n && is_digit(t.p[from]) ? from : 0;
}

/* "0" of "slurm-1234-0.out", as --output=slurm-%j-%t.out names what a task writes. */
static size_t slurm_task(struct span t, size_t base)
{
	struct span name = span_from(t, base);
	size_t i = sizeof("slurm-") - 1;

	if (!span_starts(name, "slurm-"))
		return 0;
	i = FIRST_FROM(k, i, name.n, !is_digit(name.p[k]));
	return i + 1 < name.n && name.p[i] == '-' && is_digit(name.p[i + 1]) ? base + i + 1 : 0;
}

/* What a name of repeats says in front of their number. */
static bool is_of_repeat(struct span word)
{
	return span_in_nocase(word,
		"run|seed|repeat|rep|trial|night|nightly|try|attempt|day|exp|iter|epoch|step|v|"
		"version|base|new|r");
}

/* A number that the file's name ends in, but for what is behind a point: "train_0.log", "out.1". */
static size_t last_number(struct span t, size_t base)
{
	size_t end = t.n, dot = FIRST_FROM(i, base, t.n, t.p[i] == '.'), from;

	if (dot < t.n && !is_digit(t.p[t.n - 1]))
		end = dot;
	for (from = end; from > base && is_digit(t.p[from - 1]);)
		from--;
	struct span word = { t.p + base, from - base };
	while (word.n && strchr("-_.=", word.p[word.n - 1]))
		word.n--;
	word = span_from(word, word.n - FIRST(i, word.n, !is_letter(word.p[word.n - 1 - i])));
	return from < end && !is_of_repeat(word) ? from + 1 : 0;
}

/* The number at from goes into the pattern as "#"; returns what is behind it. */
static size_t take_number(struct taken *t, struct span path, size_t from, struct str *pattern)
{
	int64_t v = 0;
	size_t end = FIRST_FROM(i, from, path.n, !is_digit(path.p[i]));

	for (size_t i = from; i < end && i < from + DIGITS; i++)
		v = v * 10 + (path.p[i] - '0');
	t->number[t->n++] = v;
	str_addc(pattern, '#');
	return end;
}

/* The key without the folder that path[at] is in. */
static const char *without_folder(const char *key, struct span path, size_t at, struct arena *mem)
{
	size_t from = at, end = FIRST_FROM(i, at, path.n, path.p[i] == '/');

	while (from > 0 && path.p[from - 1] != '/')
		from--;
	struct span folder = { path.p + from, end - from + 1 };
	for (const char *p = key; end < path.n && *p; p = strchr(p, '/') + 1) {
		if (strncmp(p, folder.p, folder.n) == 0)
			return arena_printf(mem, "%.*s%s", (int)(p - key), key, p + folder.n);
		if (!strchr(p, '/'))
			break;
	}
	return key;
}

static void take(struct taken *t, struct arena *mem)
{
	struct span path = span_of(t->of->within);
	size_t base = (size_t)(path_name(t->of->within) - t->of->within), at = 0;
	size_t task = slurm_task(path, base);
	SCOPED_STR pattern = { 0 };

	t->key = t->of->key;
	while (at < path.n) {
		size_t from = digits_at(path, at);

		from = at == base && task ? task : from;
		if (from == 0 || t->n == NUMBERS) {
			str_addc(&pattern, path.p[at++]);
			continue;
		}
		str_add(&pattern, path.p + at, from - at);
		if (at < base)
			t->key = without_folder(t->key, path, at, mem);
		at = take_number(t, path, from, &pattern);
	}
	t->is_rank = t->n > 0;
	size_t last = t->n ? 0 : last_number(path, base);
	if (last) {
		str_reset(&pattern);
		str_add(&pattern, path.p, last - 1);
		at = take_number(t, path, last - 1, &pattern);
		str_add(&pattern, path.p + at, path.n - at);
	}
	t->pattern = t->n ? arena_copy(mem, pattern.s, pattern.n) : NULL;
}

/* ---- those of one pattern ---- */

ORDER(by_pattern, struct taken, strcmp(a->key, b->key), strcmp(a->of->kind, b->of->kind),
	strcmp(a->pattern, b->pattern), compare3(a->number[0], b->number[0]),
	compare3(a->number[1], b->number[1]))

static bool is_alike(const struct taken *a, const struct taken *b)
{
	return strcmp(a->key, b->key) == 0 && strcmp(a->of->kind, b->of->kind) == 0 &&
		strcmp(a->pattern, b->pattern) == 0;
}

ORDER(by_number, int64_t, compare3(*a, *b))

/* How many of the last numbers there are at most below one of the first; 0: each is there once, and
 * says the rank by itself. */
static int64_t width_of(const struct taken *v, size_t n, struct arena *mem)
{
	int64_t *number = arena_array(mem, n, sizeof(*number)), most = 0;

	for (size_t i = 0; i < n; i++) {
		number[i] = v[i].number[v[i].n - 1];
		most = MAX(number[i], most);
	}
	qsort(number, n, sizeof(*number), by_number);
	return ANY(i, n - 1, number[i] == number[i + 1]) ? most + 1 : 0;
}

/* All that are alike; true: they are ranks. */
static bool settle(struct taken *v, size_t n, struct arena *mem)
{
	size_t last = v[0].n - 1;
	bool has_zero = v[0].number[0] == 0 && ANY(i, n, v[i].number[last] == 0);
	int64_t width = width_of(v, n, mem);

	if (!v[0].is_rank || !has_zero)
		return false;
	for (size_t i = 0; i < n; i++) {
		v[i].of->key = v[i].key;
		v[i].of->rank = v[i].number[last] + (last ? v[i].number[0] * width : 0);
	}
	return true;
}

/* The word stands in it, and no rank is said but by that. */
static bool is_open(const struct taken *t)
{
	return t->pattern && !t->of->is_fixed && (t->of->rank < 0 || t->n == NUMBERS);
}

const char *sides_names_find(struct sides_name *name, size_t n, struct arena *mem)
{
	struct taken *v = arena_array(mem, n, sizeof(*v));
	const char *said = NULL;
	size_t k = 0, end;

	for (size_t i = 0; i < n; i++) {
		v[k].of = &name[i];
		take(&v[k], mem);
		k += is_open(&v[k]);
		if (k < n)
			v[k] = (struct taken){ 0 };
	}
	sort_rows(v, k, sizeof(*v), by_pattern);
	for (size_t i = 0; i < k; i = end) {
		for (end = i + 1; end < k && is_alike(&v[i], &v[end]);)
			end++;
		bool are_ranks = settle(v + i, end - i, mem);
		bool is_doubt = !are_ranks && v[i].of->is_doubtful && v[i].number[v[i].n - 1] == 0;
		if (said || end - i < 2 || !(are_ranks || is_doubt))
			continue;
		said = arena_printf(mem,
			are_ranks
				? "%s and %zu more are read as ranks of one run, by their names"
				: "%s and %zu more are read as repeats of one run; files of ranks "
				  "have the word in their names: rank0.log",
			v[i].of->within, end - i - 1);
	}
	return said;
}
