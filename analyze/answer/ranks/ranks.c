/* `ranks`: who makes the others of a job wait, and by what.  Options, the order of work, notes. */
#include "analyze/answer/ranks/ranks.h"

#include "analyze/analysis/job_words.h"
#include "analyze/trace/filter.h"
#include "base/opt.h"
#include "base/unit.h"

/* ---- what is said beside the tables ---- */

static const double matched_enough = 0.9;
static const double hidden_worth = 0.01; /* of the steps of all ranks */

static void note_matched(struct ranks *r)
{
	const struct job *j = &r->at->job;

	if ((double)j->nmatched >= matched_enough * (double)j->ncollective)
		return;
	result_note(r->out, NOTE_WARNING, "few_matched", -1,
		(int64_t)(j->ncollective - j->nmatched),
		"%s of the collectives were found on another rank, too: what is said is about those",
		IN_PERCENT((double)j->nmatched / (double)j->ncollective));
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

	if (r->at->job.nstep == 0)
		return;
	for (EACH(const struct job_flow, flow, f->v, f->n))
		saturate_onto(&hidden, saturate_sub(flow->waits, flow->exposed));
	double ns = (double)hidden / (double)r->at->job.nstep / (double)l->n;
	if (ns < hidden_worth * l->step)
		return;
	result_note(r->out, NOTE_INFO, "hidden_waits", -1, -1,
		"computing hides %s of waiting, of the mean rank in a step", IN_TIME(ns));
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

static void ranks_add_notes(struct ranks *r)
{
	const struct side *s = &r->q->side[0];

	note_runs(r);
	if (!r->q->filter->rank)
		job_notes_members(r->out, &r->at->members);
	job_notes_ranks(r->out, &r->at->job);
	note_matched(r);
	note_clocks(r);
	note_hidden(r);
	if (s->nleft > 0)
		result_note(r->out, NOTE_INFO, "left_out", -1, (int64_t)s->nleft,
			"%zu %s left out, the first %s: %s", s->nleft,
			plural(s->nleft, "file", "files"), s->left[0].path, s->left[0].why);
}

/* ---- who makes the others of a job wait, and by what.  Options and the order of work ---- */

#define AT(field) offsetof(struct ranks_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit),
		"rows of each table; 0 = all [of ranks 16: the slow, the median and what is odd]"),
	CHOICE_OPT("list", "WHAT", AT(list), "arrivals",
		"when each rank arrives at each collective, in place of the other tables"),
};

static void digest_options(const void *opts UNUSED, struct digest_options *to)
{
	to->collectives = true;
	to->timing = true;
	to->no_host = true;
	to->shapes = true;
}

static void add_job(struct ranks *r, const struct side *s, size_t run)
{
	struct ranks_job *j = &r->jobs[r->njob];

	if (members_is_leftover(s, run))
		return;
	members_init(&j->members, s, run, &r->mem);
	members_run(&j->own, &j->members, &s->run[run], &r->mem);
	if (j->own.nrank < 2) {
		r->nlone += s->run[run].nrank > 0;
		return;
	}
	r->njob++;
	j->run = run;
	j->own.is_chosen = r->q->filter->rank != NULL;
	job_init(&j->job, &j->own, &r->mem);
	job_facts_init(&j->facts, &j->job, &r->mem);
	job_why_of(&j->why, &j->facts, &r->mem);
}

/* The run whose ranks wait most; of equals the first. */
static const struct ranks_job *worst(const struct ranks *r)
{
	const struct ranks_job *best = &r->jobs[0];

	for (size_t i = 1; i < r->njob; i++)
		if (r->jobs[i].why.share > best->why.share)
			best = &r->jobs[i];
	return best;
}

static enum status find_jobs(struct ranks *r, struct err *e)
{
	const struct side *s = &r->q->side[0];

	r->jobs = arena_array(&r->mem, s->nrun, sizeof(*r->jobs));
	for (size_t i = 0; i < s->nrun; i++)
		add_job(r, s, i);
	if (r->njob > 0)
		return OK;
	if (r->nlone == 0)
		return err_hinted(e, E_NODATA,
			"give the folder of a job with a trace of each rank; of NCCL's Inspector 'traceq "
			"comms' says which rank comes last, of its RAS 'traceq hang' who is missing",
			"no traces of ranks");
	return err_hinted(e, E_NODATA, "give the traces of all ranks of one run, or their folder",
		"one rank alone: whom it waits for is in others' traces");
}

static void put_tables(struct ranks *r)
{
	ranks_put_findings(r);
	if (r->o->list) {
		ranks_put_arrivals(r);
		return;
	}
	ranks_put_runs(r);
	ranks_put_job(r);
	ranks_put_ranks(r);
	ranks_put_stages(r);
	ranks_put_pairs(r);
	ranks_put_groups(r);
	ranks_put_collectives(r);
	ranks_put_experts(r);
	ranks_put_steps(r);
}

static enum status compute(const struct query *q, struct result *out, int *exit_code, struct err *e)
{
	struct ranks r = { .q = q, .o = q->opts, .out = out };

	*exit_code = 0;
	enum status st = find_jobs(&r, e);
	if (st == OK) {
		r.at = worst(&r);
		put_tables(&r);
		ranks_add_notes(&r);
	}
	arena_clear(&r.mem);
	return st;
}

ANALYSIS(ranks) = {
	.name = "ranks",
	.summary = "ranks of one job: who makes the others wait, and by what",
	.help.doc =
		"A job of several processes leaves a trace for each rank; this looks at all of them "
		"together. Collectives are matched from rank to rank, the ranks' clocks are brought "
		"together by the ends of collectives that all ranks end at once, and of each "
		"collective the wait for the last to arrive is told from the transfer after it.\n\n"
		"The first line is the verdict: the rank that makes the others wait step after step, "
		"and what its ledger has more of than that of its median peer, between the "
		"collectives. Other verdicts are imbalance without a culprit, which moves from rank to "
		"rank, a slow link, bubbles of a pipeline, and uneven experts. What else is wrong "
		"stands below.\n\n"
		"In the table of ranks 'waits' is what a rank waits for others and 'causes' what the "
		"others wait for it; both sums are the same. Only waiting that no computing hides "
		"counts. Of more than 16 ranks those are shown that say something; -n 0 shows all.\n\n"
		"A common clock has an uncertainty, which is stated; where the clocks of ranks cannot be "
		"brought together, waits are durations less the shortest rank's.",
	.help.source = "docs/definitions.md, 'ranks'; TraceLens, NcclAnalyser; nccl-tests, "
		       "doc/PERFORMANCE.md",
	.help.examples = "traceq ranks traces/\ntraceq ranks rank0.json.gz rank1.json.gz\n"
			 "traceq ranks traces/ --list arrivals --format csv",
	.help.operands = "DIR|FILE...",
	.sides.min = 1,
	.sides.max = 1,
	.sides.digest_options = digest_options,
	ANALYSIS_OPTIONS(options, struct ranks_options, .limit = -1),
	.options.ignores = FILTER_MATCH | FILTER_EXCLUDE | FILTER_CAT,
	ANALYSIS_TABLES(ranks, RANKS),
	.help.main_table = "arrivals|ranks",
	.compute = compute,
};
