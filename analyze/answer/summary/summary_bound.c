/* `summary`: what the run is bound by, and its largest bottlenecks. */
#include "analyze/answer/summary/summary.h"
#include "analyze/analysis/row_limit.h"
#include "base/words.h"

enum { PEOPLE_ROWS = 3 };

WORDS(summary_bound_word, enum bound, BOUNDS, 2)

/* The documents' class of a part of the window. */
static enum bound bound_of(enum verdict_part part)
{
	switch (part) {
	case PART_OF_COMPUTE: return BOUND_COMPUTE;
	case PART_OF_COMM:
	case PART_OF_COPY:
	case PART_OF_DATA: return BOUND_IO;
	default: return BOUND_CPU;
	}
}

/* The parts of the window, computing and copies split by what kinds of kernels and copies there
 * are. */
static void split_bounds(struct summary *s)
{
	const nsec *ns = s->verdict.ns;
	double all = (double)s->window.device[s->verdict.device].ns, move = 0, local = 0;
	nsec moving = 0, cpu = 0;

	for (int k = COPY_KERNEL_NONE + 1; k <= COPY_KERNEL_UNCLEAR; k++)
		saturate_onto(&moving, s->copy_kernel_sum[k]);
	if (s->class_sum[CLASS_COMPUTE] > 0)
		move = (double)moving / (double)s->class_sum[CLASS_COMPUTE];
	if (s->class_sum[CLASS_MEMCPY] > 0)
		local = (double)s->copy_sum[COPY_DTOD] / (double)s->class_sum[CLASS_MEMCPY];
	for (int k = 0; k < PART_OF_COUNT; k++)
		if (bound_of((enum verdict_part)k) == BOUND_CPU)
			saturate_onto(&cpu, ns[k]);
	s->bound[BOUND_COMPUTE] = (double)ns[PART_OF_COMPUTE] * (1 - move) / all;
	s->bound[BOUND_MEMORY] =
		((double)ns[PART_OF_COMPUTE] * move + (double)ns[PART_OF_COPY] * local) / all;
	s->bound[BOUND_IO] = ((double)ns[PART_OF_COPY] * (1 - local) + (double)ns[PART_OF_COMM] +
				     (double)ns[PART_OF_DATA]) /
		all;
	if (s->has_host)
		s->bound[BOUND_CPU] = (double)cpu / all;
}

void summary_judge(struct summary *s)
{
	s->primary = -1;
	for (int k = 0; k < BOUND_COUNT; k++)
		s->bound[k] = NAN;
	if (s->verdict.device == SIZE_MAX || s->window.device[s->verdict.device].ns <= 0)
		return;
	split_bounds(s);
	s->primary = (int)bound_of(s->verdict.part);
	/* What is not in the steps that count is in no class of their time. */
	for (int k = 0; s->verdict.part >= PART_OF_BETWEEN && k < BOUND_COUNT; k++)
		if (k == 0 || s->bound[k] > s->bound[s->primary])
			s->primary = k;
	if (s->primary == BOUND_COMPUTE && s->bound[BOUND_MEMORY] > s->bound[BOUND_COMPUTE])
		s->primary = BOUND_MEMORY;
	if (isnan(s->bound[s->primary]))
		s->primary = -1;
}

/* Something that takes time. */
struct neck {
	double share; /* of the window less unrecorded time */
	enum bound bound;
	struct span what;
};

struct necks {
	struct neck *v;
	size_t n;
};

static void add_neck(struct necks *b, struct neck x)
{
	if (x.share > 0)
		b->v[b->n++] = x;
}

/* Larger shares first, ties by name. */
ORDER(by_share, struct neck, compare3_down(a->share, b->share), span_cmp(a->what, b->what))

/* Whether most of the copying is within devices. */
static bool copies_are_local(const struct summary *s)
{
	return s->copy_sum[COPY_DTOD] > s->class_sum[CLASS_MEMCPY] / 2;
}

/* Computing, shared out among the names of kernels and sets by their durations. */
static void add_names(const struct summary *s, struct necks *b)
{
	const struct strings *names = &s->at->run->strings;
	const struct account *a = &s->window.device[s->verdict.device];
	double computing = (double)a->ledger.compute / (double)a->ns;
	nsec all = 0;

	for (size_t i = 0; i < names->n; i++)
		if (s->names.cls[i] == CLASS_COMPUTE || s->names.cls[i] == CLASS_MEMSET)
			saturate_onto(&all, s->names.in_steps[i]);
	for (size_t i = 0; i < names->n && all > 0; i++) {
		bool moves =
			s->names.cls[i] == CLASS_MEMSET || s->names.copy[i] != COPY_KERNEL_NONE;

		if (s->names.cls[i] != CLASS_COMPUTE && s->names.cls[i] != CLASS_MEMSET)
			continue;
		add_neck(b,
			(struct neck){ computing * (double)s->names.in_steps[i] / (double)all,
				moves ? BOUND_MEMORY : BOUND_COMPUTE, strings_get(names, (sym)i) });
	}
}

static void put_neck(const struct summary *s, struct table *t, const struct neck *x)
{
	double steps = s->window.nstep > 0 ? (double)s->window.nstep : 1;
	double ns = x->share * (double)s->window.device[s->verdict.device].ns;

	TABLE_ROW(t, [NECK_RANK] = cell_size(t->nrow + 1), [NECK_SHARE] = cell_real(x->share),
		[NECK_PER_STEP] = cell_real(ns / steps));
	if (s->has_host || x->bound != BOUND_CPU) /* else nobody knows why it is idle */
		table_text(t, NECK_BOUND, span_of(summary_bound_word(x->bound)));
	TABLE_CELLS(t, [NECK_WHAT] = cell_text(x->what), [NECK_NS] = cell_int(saturate_round(ns)));
}

void summary_bottleneck_table(struct summary *s)
{
	struct table *t = perrun_table(s->at, &summary_docs[SUMMARY_BOTTLENECKS]);
	size_t limit = rows_limit(s->at->q, s->o->limit, PEOPLE_ROWS, SIZE_MAX), i;
	struct necks b = { 0 };

	b.v = arena_array(
		&s->at->mem, s->at->run->strings.n + GAP_CAUSE_COUNT + PART_OF_COUNT, sizeof(*b.v));
	if (s->verdict.device != SIZE_MAX && s->window.device[s->verdict.device].ns > 0) {
		/* Exposed communication and copies, and what is waited for. */
		const struct account *a = &s->window.device[s->verdict.device];
		double all = (double)a->ns;
		add_neck(&b,
			(struct neck){ (double)a->ledger.exposed_comm / all, BOUND_IO,
				SPAN("exposed communication") });
		add_neck(&b,
			(struct neck){ (double)a->ledger.exposed_memcpy / all,
				copies_are_local(s) ? BOUND_MEMORY : BOUND_IO,
				SPAN("exposed copies") });
		for (int k = 0; k < GAP_CAUSE_UNRECORDED; k++) {
			char *text = arena_printf(&s->at->out->mem, "GPU idle: %s",
				gap_cause_word((enum gap_cause)k));

			add_neck(&b,
				(struct neck){ (double)a->wait[k] / all,
					k == GAP_CAUSE_DATA ? BOUND_IO : BOUND_CPU,
					span_of(text) });
		}
		add_names(s, &b);
	}
	sort_rows(b.v, b.n, sizeof(*b.v), by_share);
	for (i = 0; i < b.n && i < limit; i++)
		put_neck(s, t, &b.v[i]);
	t->ncut = b.n - i;
}
