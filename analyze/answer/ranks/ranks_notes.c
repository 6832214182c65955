/*
 * `ranks`: what is said beside the tables.
 */
#include "analyze/answer/ranks/ranks.h"

#include "analyze/analysis/job_notes.h"
#include "analyze/trace/filter.h"
#include "base/plural.h"
#include "base/saturate.h"
#include "base/unit.h"

static const double matched_enough = 0.9;
static const double hidden_worth = 0.01; /* of the steps of all ranks */

static void note_matched(struct ranks *r)
{
	const struct job *j = &r->at->job;
	struct str b = { 0 };

	if ((double)j->nmatched >= matched_enough * (double)j->ncollective)
		return;
	unit_put_percent(&b, (double)j->nmatched / (double)j->ncollective);
	result_note(r->out, NOTE_WARNING, "few_matched", -1,
		(int64_t)(j->ncollective - j->nmatched),
		"%s of the collectives were found on another rank, too: what is said is about those",
		b.s);
	str_free(&b);
}

static void note_clocks(struct ranks *r)
{
	const struct job *j = &r->at->job;

	if (j->nisland > 1 && j->nmatched > 0)
		result_note(r->out, NOTE_INFO, "no_common_clock", -1, (int64_t)j->nisland,
			"the ranks' clocks could not all be brought together (%u groups of %zu ranks): "
			"waits are durations less the shortest there",
			(unsigned)j->nisland, j->nrank);
}

/* Waiting that computing hides. */
static void note_hidden(struct ranks *r)
{
	const struct job_flows *f = &r->at->facts.flows;
	const struct job_ledgers *l = &r->at->facts.ledgers;
	nsec hidden = 0;
	struct str b = { 0 };
	double ns;
	size_t i;

	if (r->at->job.nstep == 0)
		return;
	for (i = 0; i < f->n; i++)
		saturate_onto(&hidden, saturate_sub(f->v[i].waits, f->v[i].exposed));
	ns = (double)hidden / (double)r->at->job.nstep / (double)l->n;
	if (ns < hidden_worth * l->step)
		return;
	unit_put_time(&b, ns);
	result_note(r->out, NOTE_INFO, "hidden_waits", -1, -1,
		"computing hides %s of waiting, of the mean rank in a step", b.s);
	str_free(&b);
}

static void note_runs(struct ranks *r)
{
	if (r->njob > 1)
		result_note(r->out, NOTE_INFO, "other_runs", -1, (int64_t)r->njob - 1,
			"%zu runs: the tables below are of %s, whose ranks wait most", r->njob,
			r->q->side[0].run[r->at->run].name);
	if (r->nlone > 0)
		result_note(r->out, NOTE_INFO, "lone_runs", -1, (int64_t)r->nlone,
			"%zu %s of a single rank left out", r->nlone,
			plural(r->nlone, "run", "runs"));
}

void ranks_add_notes(struct ranks *r)
{
	const struct side *s = &r->q->side[0];

	note_runs(r);
	if (!r->q->filter->rank)
		job_notes_members(r->out, &r->at->members, -1);
	note_matched(r);
	note_clocks(r);
	note_hidden(r);
	if (s->nleft > 0)
		result_note(r->out, NOTE_INFO, "left_out", -1, (int64_t)s->nleft,
			"%zu %s left out, the first %s: %s", s->nleft,
			plural(s->nleft, "file", "files"), s->left[0].path, s->left[0].why);
}
