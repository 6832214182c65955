/*
 * `summary`: what the run is bound by, and its largest bottlenecks.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/answer/summary/summary.h"
#include "analyze/query/rows.h"
#include "analyze/trace/run.h"
#include "base/ratio.h"
#include "base/saturate.h"

enum { PEOPLE_ROWS = 3 };

/* Computing bounds a run whose devices are at work for this share of the steps: the documents'
 * target, and that of rule G01.  Below it devices wait, and what they wait for bounds the run. */
static const double BUSY_TARGET = 0.80;

const char *summary_bound_word(enum bound b)
{
#define X(name, word) word,
	static const char *const words[] = { BOUNDS(X) };
#undef X

	return words[b];
}

/* What a copy in that direction waits for. */
static enum bound bound_of_copy(unsigned direction)
{
	return direction == COPY_DTOD ? BOUND_MEMORY : BOUND_IO;
}

static enum bound bound_of_name(const struct summary *s, sym name)
{
	switch (s->names.cls[name]) {
	case CLASS_COMM: return BOUND_IO;
	case CLASS_MEMCPY: return bound_of_copy(s->names.copy[name]);
	case CLASS_MEMSET: return BOUND_MEMORY;
	default: return s->names.copy[name] == COPY_KERNEL_NONE ? BOUND_COMPUTE : BOUND_MEMORY;
	}
}

/* The largest class; computing is none while the devices wait for more than they should. */
static enum bound largest(const struct summary *s)
{
	double busy = summary_busy(s, NULL);
	int k, best;

	best = busy < BUSY_TARGET ? BOUND_COMPUTE + 1 : BOUND_COMPUTE;
	for (k = best + 1; k < BOUND_COUNT; k++)
		if (s->bound[k] > s->bound[best])
			best = k;
	return (enum bound)best;
}

/* The time of kernels is split by what kinds of kernels there are, that of copies by direction. */
void summary_judge(struct summary *s)
{
	nsec moving = 0;
	double kernel = (double)s->role[ROLE_KERNEL], copy = (double)s->role[ROLE_MEMCPY];
	double all = (double)s->stat.sum, move, local;
	enum bound best;
	int k;

	s->primary = -1;
	for (k = 0; k < BOUND_COUNT; k++)
		s->bound[k] = NAN;
	if (s->ledgers.ndevice == 0 || all <= 0)
		return;
	for (k = COPY_KERNEL_NONE + 1; k <= COPY_KERNEL_UNCLEAR; k++)
		saturate_onto(&moving, s->copy_kernel_sum[k]);
	move = s->class_sum[CLASS_COMPUTE] > 0
		? (double)moving / (double)s->class_sum[CLASS_COMPUTE]
		: 0;
	local = s->class_sum[CLASS_MEMCPY] > 0
		? (double)s->copy_sum[COPY_DTOD] / (double)s->class_sum[CLASS_MEMCPY]
		: 0;
	s->bound[BOUND_COMPUTE] = kernel * (1 - move) / all;
	s->bound[BOUND_MEMORY] =
		(kernel * move + copy * local + (double)s->role[ROLE_MEMSET]) / all;
	s->bound[BOUND_IO] =
		(copy * (1 - local) + (double)s->role[ROLE_COMM] + (double)s->role[ROLE_DATA]) /
		all;
	s->bound[BOUND_CPU] = ((double)s->role[ROLE_RUNTIME] + (double)s->role[ROLE_CPU] +
				      (double)s->role[ROLE_OTHER]) /
		all;
	best = largest(s);
	if (!s->has_host)
		s->bound[BOUND_CPU] = NAN; /* idle, and nobody knows why */
	if (!isnan(s->bound[best]))
		s->primary = (int)best;
}

/* Something that takes time. */
struct neck {
	double share; /* of the steps' time */
	nsec ns;
	enum bound bound;
	struct span what;
};

struct necks {
	struct neck *v;
	size_t n;
};

static void add_neck(struct necks *b, struct neck x)
{
	b->v[b->n++] = x;
}

/* Larger shares first, ties by name. */
static int by_share(const void *a, const void *b)
{
	const struct neck *x = a, *y = b;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	return span_cmp(x->what, y->what);
}

/* What the host does while no device does anything; collectives of the host where there is none. */
#define HOST(role, bound, idle, alone)                      \
	{                                                   \
		ROLE_##role, BOUND_##bound, (idle), (alone) \
	}
static void add_roles(const struct summary *s, struct necks *b)
{
	static const struct {
		enum role role;
		enum bound bound;
		const char *idle, *alone;
	} kinds[] = {
		HOST(COMM, IO, NULL, "collectives on the CPU"),
		HOST(DATA, IO, "data loading while the GPU is idle", "data loading"),
		HOST(RUNTIME, CPU, "runtime calls while the GPU is idle", "runtime calls"),
		HOST(CPU, CPU, "operators on the CPU while the GPU is idle",
			"operators and annotations"),
		HOST(OTHER, CPU, "GPU idle, CPU in nothing that was recorded",
			"nothing that was recorded"),
	};
	size_t i;

	for (i = 0; i < COUNT_OF(kinds); i++) {
		nsec ns = s->role[kinds[i].role];
		const char *text = s->ledgers.ndevice > 0 ? kinds[i].idle : kinds[i].alone;

		if (ns <= 0 || !text)
			continue;
		if (!s->has_host)
			text = "GPU idle, and the host was not recorded";
		add_neck(b,
			(struct neck){ ratio_of((double)ns, (double)s->stat.sum), ns,
				kinds[i].bound, span_of(text) });
	}
}

static void add_names(const struct summary *s, struct necks *b)
{
	const struct strings *names = &s->at->run->strings;
	double all = (double)s->stat.sum * (double)s->ledgers.ndevice;
	size_t i;

	for (i = 0; i < names->n; i++)
		if (s->names.in_steps[i] > 0)
			add_neck(b,
				(struct neck){ ratio_of((double)s->names.in_steps[i], all),
					s->names.in_steps[i], bound_of_name(s, (sym)i),
					strings_get(names, (sym)i) });
}

static void put_neck(const struct summary *s, struct table *t, const struct neck *x)
{
	double steps = s->stat.n > 0 ? (double)s->stat.n : 1;

	table_row(t);
	table_int(t, NECK_RANK, (int64_t)t->nrow);
	table_real(t, NECK_SHARE, x->share);
	table_real(t, NECK_PER_STEP, (double)x->ns / steps);
	if (s->has_host || x->bound != BOUND_CPU) /* else nobody knows why it is idle */
		table_text(t, NECK_BOUND, span_of(summary_bound_word(x->bound)));
	table_text(t, NECK_WHAT, x->what);
	table_int(t, NECK_NS, x->ns);
}

void summary_bottleneck_table(struct summary *s)
{
	struct table *t = perrun_table(s->at, &summary_docs[SUMMARY_BOTTLENECKS]);
	size_t limit = rows_limit(s->at->q, s->o->limit, PEOPLE_ROWS, SIZE_MAX), i;
	struct necks b = { 0 };

	b.v = arena_array(&s->at->mem, s->at->run->strings.n + ROLE_COUNT, sizeof(*b.v));
	if (s->stat.sum > 0) {
		add_roles(s, &b);
		add_names(s, &b);
	}
	if (b.n > 1)
		qsort(b.v, b.n, sizeof(*b.v), by_share);
	for (i = 0; i < b.n && i < limit; i++)
		put_neck(s, t, &b.v[i]);
	t->ncut = b.n - i;
}
