/*
 * `ranks`: who makes the others of a job wait, and by what.  Options and the order of work.
 */
#include "analyze/answer/ranks/ranks.h"

#include "analyze/trace/filter.h"
#include "base/opt.h"

#define AT(field) offsetof(struct ranks_options, field)
static const struct opt options[] = {
	OPT("limit", 'n', OPT_INT, "N",
		"rows of each table; 0 = all [of ranks 16: the slow, the median and what is odd]",
		AT(limit), NULL, "row-limit"),
	OPT("list", 0, OPT_CHOICE, "WHAT",
		"when each rank arrives at each collective, in place of the other tables", AT(list),
		"arrivals", NULL),
};
#undef AT

static void set_defaults(void *opts)
{
	((struct ranks_options *)opts)->limit = -1;
}

static void digest_options(const void *opts, struct digest_options *to)
{
	(void)opts;
	to->collectives = true;
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
	job_init(&j->job, &j->own, &r->mem);
	job_facts_init(&j->facts, &j->job, &r->mem);
	job_why_of(&j->why, &j->facts, &r->mem);
}

/* The run whose ranks wait most; of equals the first. */
static const struct ranks_job *worst(const struct ranks *r)
{
	const struct ranks_job *best = &r->jobs[0];
	size_t i;

	for (i = 1; i < r->njob; i++)
		if (r->jobs[i].why.share > best->why.share)
			best = &r->jobs[i];
	return best;
}

static enum status find_jobs(struct ranks *r, struct err *e)
{
	const struct side *s = &r->q->side[0];
	size_t i;

	r->jobs = arena_array(&r->mem, s->nrun, sizeof(*r->jobs));
	for (i = 0; i < s->nrun; i++)
		add_job(r, s, i);
	if (r->njob > 0)
		return OK;
	if (r->nlone == 0) {
		(void)err_set(e, E_NODATA, -1, "no traces of ranks");
		return err_hint(e, "give the folder of a job with a trace of each rank");
	}
	(void)err_set(e, E_NODATA, -1, "one rank alone: whom it waits for is in others' traces");
	return err_hint(e, "give the traces of all ranks of one run, or their folder");
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
	enum status st;

	*exit_code = 0;
	arena_init(&r.mem);
	st = find_jobs(&r, e);
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
	.options.opt = options,
	.options.n = COUNT_OF(options),
	.options.size = sizeof(struct ranks_options),
	.options.set_defaults = set_defaults,
	.options.ignores = FILTER_MATCH | FILTER_EXCLUDE | FILTER_CAT,
	.help.tables = ranks_docs,
	.help.ntables = RANKS_TABLES,
	.help.main_table = "arrivals|ranks",
	.help.notes = ranks_notes,
	.compute = compute,
};
