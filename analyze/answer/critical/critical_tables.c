/*
 * `critical`: the path by owner, by phase and by step, and how it is known.
 */
#include "analyze/answer/critical/critical.h"

#include <stdlib.h>

#include "analyze/analysis/row_limit.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/compare3.h"
#include "base/ratio.h"
#include "base/saturate.h"

#define SHOW(column) (UINT64_C(1) << (column))

/* A row of sums of the path. */
struct sum {
	int kind; /* enum owner or enum phase */
	nsec ns;
	int64_t segments;
};

/* The longest first. */
static int by_time(const void *pa, const void *pb)
{
	const struct sum *a = pa, *b = pb;

	return COMPARE_BY(compare3(b->ns, a->ns), a->kind - b->kind);
}

void critical_put_path(struct critical *c)
{
	struct table *t = perrun_table(c->at, &critical_docs[CRITICAL_PATH]);
	double whole = (double)critical_whole(c);
	struct sum v[OWNER_COUNT];
	size_t i, n = 0;

	for (i = 0; i < OWNER_COUNT; i++)
		if (c->ns[i] > 0)
			v[n++] = (struct sum){ (int)i, c->ns[i], c->segments[i] };
	qsort(v, n, sizeof(*v), by_time);
	for (i = 0; i < n; i++) {
		enum owner o = (enum owner)v[i].kind;

		table_row(t);
		table_int(t, CPATH_NS, v[i].ns);
		if (o != OWNER_UNRECORDED)
			table_real(t, CPATH_SHARE, ratio_of((double)v[i].ns, whole));
		if (c->window.has_steps)
			table_real(t, CPATH_STEP, (double)v[i].ns / (double)c->window.nstep);
		table_int(t, CPATH_SEGMENTS, v[i].segments);
		table_text(t, CPATH_OWNER, span_of(owner_word(o)));
		table_text(t, CPATH_KEY, span_of(owner_key(o)));
		table_text(t, CPATH_MEANS, span_of(owner_doc(o)));
	}
	if (c->at->q->for_people)
		table_drop_empty(t);
}

void critical_put_phases(struct critical *c)
{
	struct table *t = perrun_table(c->at, &critical_docs[CRITICAL_PHASES]);
	double whole = (double)critical_whole(c);
	struct sum v[PHASE_COUNT];
	size_t i, n = 0;

	for (i = 0; i < PHASE_COUNT; i++)
		if (c->phase_ns[i] > 0)
			v[n++] = (struct sum){ (int)i, c->phase_ns[i], c->phase_segments[i] };
	qsort(v, n, sizeof(*v), by_time);
	for (i = 0; i < n; i++) {
		table_row(t);
		table_int(t, CPHASE_NS, v[i].ns);
		table_real(t, CPHASE_SHARE, ratio_of((double)v[i].ns, whole));
		if (c->window.has_steps)
			table_real(t, CPHASE_STEP, (double)v[i].ns / (double)c->window.nstep);
		table_int(t, CPHASE_SEGMENTS, v[i].segments);
		table_text(t, CPHASE_PHASE, span_of(phase_word((enum phase)v[i].kind)));
	}
	if (c->at->q->for_people)
		table_drop_empty(t);
}

/* ---- steps ---- */

_Static_assert(CSTEP_UNRECORDED == CSTEP_KERNEL + (int)OWNER_UNRECORDED, "a column for each");
_Static_assert(CSTEP_BOUND_DATA == CSTEP_BOUND_COMPUTE + (int)BOUND_DATA, "a column for each");

/* What people see: bounds that own anything, and what is unrecorded. */
static uint64_t visible(const struct critical *c)
{
	uint64_t set = SHOW(CSTEP_NUMBER) | SHOW(CSTEP_NS);
	int o;

	for (o = 0; o < OWNER_COUNT; o++) {
		enum bound b = critical_bound_of((enum owner)o);

		if (c->ns[o] > 0)
			set |= SHOW(b == BOUND_COUNT ? CSTEP_UNRECORDED : CSTEP_BOUND_COMPUTE + b);
	}
	return set;
}

static void put_step(struct critical *c, struct table *t, size_t step)
{
	const struct stepstat *stat = &c->window.stat;
	nsec bound[BOUND_COUNT + 1] = { 0 }, sum = 0;
	int i;

	table_row(t);
	table_int(t, CSTEP_NUMBER, c->at->run->steps->step[stat->step[stat->from + step]].number);
	for (i = 0; i < OWNER_COUNT; i++) {
		table_int(t, CSTEP_KERNEL + (size_t)i, c->step_ns[step][i]);
		saturate_onto(&bound[critical_bound_of((enum owner)i)], c->step_ns[step][i]);
		saturate_onto(&sum, c->step_ns[step][i]);
	}
	for (i = 0; i < BOUND_COUNT; i++)
		table_int(t, CSTEP_BOUND_COMPUTE + (size_t)i, bound[i]);
	table_int(t, CSTEP_NS, sum);
}

void critical_put_steps(struct critical *c)
{
	struct table *t;
	size_t i;

	if (!c->window.has_steps)
		return;
	t = perrun_table_seen(c->at, &critical_docs[CRITICAL_STEPS], visible(c));
	for (i = 0; i < c->window.nstep && i < c->limit; i++)
		put_step(c, t, i);
	t->ncut = c->window.nstep - i;
}

/* ---- evidence ---- */

static void put_evidence(
	struct table *t, const char *of, const char *word, const char *means, int64_t n)
{
	if (n == 0)
		return;
	table_row(t);
	table_int(t, CEVID_COUNT, n);
	table_text(t, CEVID_OF, span_of(of));
	table_text(t, CEVID_WORD, span_of(word));
	table_text(t, CEVID_MEANS, span_of(means));
}

void critical_put_evidence(struct critical *c)
{
	const struct depend *d = &c->depend;
	struct table *t;
	int i;

	if (c->at->q->for_people && d->works == 0 && d->resumes == 0)
		return;
	t = perrun_table(c->at, &critical_docs[CRITICAL_EVIDENCE]);
	for (i = 0; i < EVIDENCE_COUNT; i++)
		put_evidence(t, "sync call", evidence_key((enum evidence)i),
			evidence_what((enum evidence)i), d->returns[i]);
	for (i = 0; i < EVIDENCE_COUNT; i++)
		put_evidence(t, "stream", evidence_key((enum evidence)i),
			evidence_what((enum evidence)i), d->waits[i]);
	put_evidence(t, "hand-over", "inferred",
		"a thread begins when another, busy meanwhile, has stopped", d->resumes);
	put_evidence(t, "launch", "correlation", "the launching call is in the trace",
		d->launched - d->early);
	put_evidence(
		t, "launch", "early", "it starts before its launch: clocks disagree", d->early);
	put_evidence(
		t, "launch", "none", "no launching call is in the trace", d->works - d->launched);
}
