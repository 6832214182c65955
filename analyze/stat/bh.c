/* The procedure of Benjamini and Hochberg. */
#include "analyze/stat/bh.h"

struct test {
	double p;
	size_t at;
};

ORDER(by_p, struct test, compare3(a->p, b->p), compare3(a->at, b->at))

void bh_adjust(const double *p, size_t n, double *q, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	struct test *t = arena_array(mem, n, sizeof(*t));
	size_t m = 0;
	double least = 1;

	for (size_t i = 0; i < n; i++) {
		q[i] = NAN;
		if (!isnan(p[i]))
			t[m++] = (struct test){ p[i], i };
	}
	if (m > 0)
		qsort(t, m, sizeof(*t), by_p);
	for (size_t i = m; i-- > 0;) {
		double adjusted = t[i].p * (double)m / (double)(i + 1);

		least = MIN(adjusted, least);
		q[t[i].at] = least;
	}
	arena_reset(mem, mark);
}
