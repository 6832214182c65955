/*
 * `ranks`: the verdict, the runs, the job as a whole.
 */
#include "analyze/answer/ranks/ranks.h"

#include <math.h>

#include "base/ratio.h"

static void put_also(struct ranks *r, struct table *t, const struct job_why *w)
{
	if (w->nalso > 0)
		ranks_members(r, t, RFIND_ALSO, w->also, w->nalso);
}

static void put_finding(struct ranks *r, struct table *t, const struct job_why *w)
{
	table_row(t);
	table_text(t, RFIND_STATE, span_of(job_state_word(w->state)));
	ranks_number(r, t, RFIND_RANK, w->rank);
	put_also(r, t, w);
	table_text(t, RFIND_CAUSE, span_of(job_cause_word(w->cause)));
	ranks_group(r, t, RFIND_GROUP, w->group);
	if (w->state != JOB_UNJUDGED)
		table_int(t, RFIND_WAIT, w->wait);
	table_real(t, RFIND_SHARE, w->share);
	if (w->cause != JOB_CAUSE_NONE) {
		table_int(t, RFIND_OWN, w->own);
		table_int(t, RFIND_OTHERS, w->others);
	}
	table_real(t, RFIND_LAST, w->last_ratio);
	ranks_text(r, t, RFIND_TEXT, w->text);
	ranks_text(r, t, RFIND_ADVICE, w->advice);
}

void ranks_put_findings(struct ranks *r)
{
	const struct job_why *first = &r->at->why, *w = first;
	struct table *t = ranks_begin(r, RANKS_FINDINGS), *advice;

	t->layout = TABLE_LINE;
	do {
		put_finding(r, t, w);
		w = w->next;
	} while (w);
	if (!r->q->for_people || first->advice.n == 0)
		return;
	advice = ranks_begin(r, RANKS_ADVICE);
	advice->layout = TABLE_LINE;
	table_row(advice);
	ranks_text(r, advice, RADV_TEXT, first->advice);
}

void ranks_put_runs(struct ranks *r)
{
	const struct ranks_job *at = r->at;
	struct table *t;
	size_t i;

	if (r->njob < 2)
		return;
	t = ranks_begin(r, RANKS_RUNS);
	for (i = 0; i < r->njob; i++) {
		const struct ranks_job *j = &r->jobs[i];

		r->at = j;
		table_row(t);
		table_int(t, RRUN_RANKS, (int64_t)j->job.nrank);
		table_int(t, RRUN_STEPS, (int64_t)j->job.nstep);
		table_real(t, RRUN_STEP, j->facts.ledgers.step);
		if (j->why.state != JOB_UNJUDGED)
			table_int(t, RRUN_WAIT, j->why.wait);
		table_real(t, RRUN_SHARE, j->why.share);
		table_text(t, RRUN_STATE, span_of(job_state_word(j->why.state)));
		ranks_number(r, t, RRUN_RANK, j->why.rank);
		table_text(t, RRUN_CAUSE, span_of(job_cause_word(j->why.cause)));
		table_real(t, RRUN_MATCHED, j->why.matched_ratio);
		ranks_text(r, t, RRUN_NAME, span_of(r->q->side[0].run[j->run].name));
	}
	r->at = at;
}

static nsec uncertainty(const struct job *j)
{
	nsec most = 0;
	size_t i;

	for (i = 0; i < j->nrank; i++)
		if (j->rank[i].clock.is_known && j->rank[i].clock.uncertainty > most)
			most = j->rank[i].clock.uncertainty;
	return most;
}

static void put_clocks(struct ranks *r, struct table *t)
{
	const struct job *j = &r->at->job;

	if (j->nisland == j->nrank) {
		table_text(t, RJOB_CLOCKS, SPAN("none"));
		return;
	}
	if (j->nisland == 1)
		table_text(t, RJOB_CLOCKS, SPAN("common"));
	else
		table_textf(t, RJOB_CLOCKS, "%u groups", (unsigned)j->nisland);
	table_int(t, RJOB_UNCERTAINTY, uncertainty(j));
	ranks_number(r, t, RJOB_REFERENCE, j->reference);
}

void ranks_put_job(struct ranks *r)
{
	const struct job *j = &r->at->job;
	const struct job_ledgers *l = &r->at->facts.ledgers;
	struct table *t = ranks_begin(r, RANKS_JOB);
	double wait = 0, transfer = 0;
	size_t i;

	t->layout = TABLE_LIST;
	table_row(t);
	for (i = 0; i < l->n; i++) {
		wait += l->v[i].suffered / (double)l->n;
		transfer += l->v[i].transfer / (double)l->n;
	}
	ranks_text(r, t, RJOB_RUN, span_of(r->q->side[0].run[r->at->run].name));
	table_int(t, RJOB_RANKS, (int64_t)j->nrank);
	if (r->at->members.world > 0)
		table_int(t, RJOB_WORLD, r->at->members.world);
	table_int(t, RJOB_STEPS, (int64_t)j->nstep);
	table_real(t, RJOB_STEP, l->step);
	if (j->nstep > 0) {
		table_real(t, RJOB_WAIT, wait);
		table_real(t, RJOB_WAIT_SHARE, ratio_of(wait, l->step));
		table_real(t, RJOB_TRANSFER, transfer);
	}
	table_int(t, RJOB_COLLECTIVES, (int64_t)j->ncollective);
	table_real(t, RJOB_MATCHED, ratio_of((double)j->nmatched, (double)j->ncollective));
	put_clocks(r, t);
	if (r->q->for_people)
		table_drop_empty(t);
}
