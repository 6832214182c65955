/* Lists of ranks. */
#include "analyze/trace/ranklist.h"

ORDER(by_number, int64_t, compare3(*a, *b))

size_t ranklist_sort(int64_t *v, size_t n)
{
	size_t kept = 0;

	sort_rows(v, n, sizeof(*v), by_number);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || v[i] != v[i - 1])
			v[kept++] = v[i];
	return kept;
}

/* How many ranks from the first on are as far apart as the first two. */
static size_t run_length(const int64_t *v, size_t n)
{
	return FIRST_FROM(i, MIN(n, 2), n, v[i] - v[i - 1] != v[1] - v[0]);
}

void ranklist_put(struct str *out, const int64_t *v, size_t n, bool is_for_people)
{
	size_t len;

	for (size_t i = 0; i < n; i += len) {
		int64_t step = 1;

		if (i)
			str_adds(out, is_for_people ? ", " : ",");
		len = run_length(v + i, n - i);
		if (len > 1)
			step = v[i + 1] - v[i];
		if (len < 3 || (step > 1 && len < 4)) {
			len = 1;
			str_addf(out, "%" PRId64, v[i]);
		} else {
			str_addf(out, "%" PRId64 "-%" PRId64, v[i], v[i + len - 1]);
			if (step > 1)
				str_addf(out, is_for_people ? " by %" PRId64 : ":%" PRId64, step);
		}
	}
}

static int64_t read_number(struct span *t)
{
	int64_t v = 0;

	for (; t->n && is_digit(*t->p) && v < INT32_MAX; t->p++, t->n--)
		v = v * 10 + (*t->p - '0');
	return v;
}

static bool skip(struct span *t, char c)
{
	if (t->n == 0 || *t->p != c)
		return false;
	t->p++;
	t->n--;
	return true;
}

int64_t *ranklist_read(struct span text, struct arena *mem, size_t *n)
{
	int64_t *v = NULL;
	size_t cap = 0;

	for (*n = 0; text.n && is_digit(*text.p) && *n < RANKLIST_MOST; (void)skip(&text, ',')) {
		int64_t from = read_number(&text), to = from, step = 1;

		if (skip(&text, '-'))
			to = read_number(&text);
		if (skip(&text, ':'))
			step = read_number(&text);
		for (; from <= to && step > 0 && *n < RANKLIST_MOST; from += step)
			ARENA_PUSH(mem, v, *n, cap, from);
	}
	return v;
}
