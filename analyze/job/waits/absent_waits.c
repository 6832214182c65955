/* Waits for ranks without a trace.
 *
 * Once all have come a collective lasts as long as others that are alike: with the same op, in
 * groups of the same size that are there for the same thing.  Of groups that have all their traces
 * that is the median of those of as many bytes.  Where there are none, it is what the fastest tenth
 * takes of as many bytes, or what other sizes tell: a larger one takes no less, and a smaller one
 * moves its bytes no faster.  What lasts longer than nine tenths of the former do, or by a fifth
 * than the latter, has waited for an absent one. */
#include "analyze/job/waits/arrival_waits.h"

#include "analyze/job/jobflows.h"
#include "analyze/stat/quantile.h"
#include "base/base.h"

static const double slow_ratio = 1.2; /* of what is usual */
static const double fastest = 0.1;    /* of those of a group that lacks ranks */
static const double slowest = 0.9;    /* of those of groups that have all: what is usual, still */

/* A meet, and what makes it alike. */
struct sample {
	enum comm_op op;
	int64_t size;
	struct span desc;
	int64_t bytes; /* 1 more than there are; 1: unknown */
	bool is_lacking;
	nsec transfer;
	struct collective_instance *meet;
};

/* Of as many bytes. */
struct point {
	double bytes, usual, most; /* most: what lasts longer has waited */
	double of_larger;          /* the least that so many or more take */
	double a_byte;             /* the least that a byte takes of so many or fewer */
};

static int compare_class(const struct sample *a, const struct sample *b)
{
	return COMPARE_BY(
		compare3(a->op, b->op), compare3(a->size, b->size), span_cmp(a->desc, b->desc));
}

ORDER(by_class, struct sample, compare_class(a, b), compare3(a->bytes, b->bytes),
	compare3(a->is_lacking, b->is_lacking), compare3(a->transfer, b->transfer),
	compare3(a->meet, b->meet))

static size_t take_samples(struct job *j, struct sample *v)
{
	size_t n = 0;

	for (EACH(struct collective_instance, m, j->meet, j->nmeet)) {
		const struct job_group *g = &j->group[m->group];

		if (m->is_sync)
			v[n++] = (struct sample){ m->op, job_is_pair(m->op) ? 2 : g->nrank, g->desc,
				MAX(m->bytes, 0) + 1, m->absent > 0, m->transfer, m };
	}
	sort_rows(v, n, sizeof(*v), by_class);
	return n;
}

static bool has_whole(const struct sample *v, size_t n)
{
	return ANY(i, n, !v[i].is_lacking);
}

/* What v[0..n), of one class, usually take by bytes: the points.  whole: only such count. */
static size_t find_points(
	const struct sample *v, size_t n, bool whole, struct point *p, struct arena *mem)
{
	double *ns = arena_array(mem, n, sizeof(*ns));
	size_t count, npoint = 0, end;

	for (size_t i = 0; i < n; i = end) {
		count = 0;
		for (end = i; end < n && v[end].bytes == v[i].bytes; end++)
			if (!whole || !v[end].is_lacking)
				ns[count++] = (double)v[end].transfer;
		if (count > 0)
			p[npoint++] = (struct point){ .bytes = (double)v[i].bytes,
				.usual = quantile_sorted(ns, count, whole ? 0.5 : fastest),
				.most = whole ? quantile_sorted(ns, count, slowest) : 0 };
	}
	for (size_t i = 0; i < npoint; i++)
		p[i].a_byte = fmin(p[i].usual / p[i].bytes, i > 0 ? p[i - 1].a_byte : INFINITY);
	for (size_t i = npoint; i-- > 0;)
		p[i].of_larger = fmin(p[i].usual, i + 1 < npoint ? p[i + 1].of_larger : INFINITY);
	return npoint;
}

/* Those of v[0..n), whose points are ascending. */
static void set_late(struct sample *v, size_t n, const struct point *p, size_t npoint)
{
	for (size_t i = 0, at = 0; i < n; i++) {
		struct collective_instance *m = v[i].meet;
		double bytes = (double)v[i].bytes;

		while (at + 1 < npoint && p[at + 1].bytes <= bytes)
			at++;
		double usual = fmin(p[at].bytes >= bytes ? p[at].of_larger
				: at + 1 < npoint        ? p[at + 1].of_larger
							 : INFINITY,
			p[at].bytes <= bytes ? p[at].a_byte * bytes : INFINITY);
		double most = slow_ratio * usual;
		if (p[at].most > 0 && p[at].bytes == bytes) {
			usual = p[at].usual;
			most = p[at].most;
			m->is_told = true;
		}
		if (!m->absent || (double)m->transfer <= most)
			continue;
		m->late = saturate_round((double)m->transfer - usual);
		m->transfer = saturate_sub(m->transfer, m->late);
	}
}

void absent_waits(struct job *j, struct arena *mem)
{
	struct sample *v = arena_array(mem, j->nmeet, sizeof(*v));
	struct point *p = arena_array(mem, j->nmeet, sizeof(*p));
	size_t n = take_samples(j, v), end;

	for (size_t i = 0; i < n; i = end) {
		for (end = i; end < n && compare_class(&v[i], &v[end]) == 0; end++)
			;
		bool whole = has_whole(v + i, end - i);
		set_late(v + i, end - i, p, find_points(v + i, end - i, whole, p, mem));
	}
}
