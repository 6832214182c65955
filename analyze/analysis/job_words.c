/* What is found about jobs, as words that `explain` knows. */
#include "analyze/analysis/job_words.h"

#include "analyze/job/clocks/clock_steps.h"
#include "analyze/measure/stepstat.h"
#include "base/unit.h"

void job_notes_members(struct result *r, const struct members *m)
{
	if (members_are_whole(m))
		return;
	/* Notes about the members of a job. */
	if (m->nmissing > 0) {
		int64_t all = m->nmissing + (int64_t)m->nrank;
		SCOPED_STR b = { 0 };
		members_put_missing(&b, m);
		result_note(r, NOTE_WARNING, "ranks_missing", -1, m->nmissing,
			"traces of %zu of %lld ranks: %s %s missing", m->nrank, (long long)all, b.s,
			plural(m->nmissing, "is", "are"));
	}
	if (m->nforeign > 0) {
		const struct side_part *p = m->foreign[0];
		bool is_world = p->digest->world > 0 && p->digest->world != m->world;
		result_note(r, NOTE_WARNING, "ranks_foreign", -1, (int64_t)m->nforeign,
			"%zu %s not of this job of %lld ranks, the first %s: it says %s %lld",
			m->nforeign, plural(m->nforeign, "trace is", "traces are"),
			(long long)m->world, p->digest->path, is_world ? "a world of" : "rank",
			(long long)(is_world ? p->digest->world : p->rank));
	}
	if (m->nunknown > 0)
		result_note(r, NOTE_WARNING, "ranks_unknown", -1, (int64_t)m->nunknown,
			"%zu %s no rank, the first %s", m->nunknown,
			plural(m->nunknown, "trace says", "traces say"),
			m->unknown[0]->digest->path);
	if (m->ndoubled > 0)
		result_note(r, NOTE_WARNING, "ranks_doubled", -1, (int64_t)m->ndoubled,
			"%zu further %s of ranks that are there, the first %s of rank %lld",
			m->ndoubled, plural(m->ndoubled, "trace", "traces"),
			m->doubled[0]->digest->path, (long long)m->doubled[0]->rank);
}

/* The number of its last step, or of the first, also where these are set aside; -1: it has none. */
static int64_t outer_step(const struct job_rank *r, bool is_last)
{
	const struct digest *d = r->digest;
	bool is_aside = d->nstep >= STEPSTAT_REMAINING_MIN && d->nstep_all >= d->nstep + 2;

	if (d->nstep == 0)
		return -1;
	return is_last ? d->step[d->nstep - 1].number + is_aside : d->step[0].number - is_aside;
}

/* Those that end before the last, or begin behind the first, which half of the ranks have at
 * least. */
static void note_outer(struct result *r, const struct job *j, bool is_last)
{
	size_t most = 0, n = 0, first = 0, steps = 0;
	int64_t outer = is_last ? -1 : INT64_MAX;

	for (size_t i = 0; i < j->nrank; i++) {
		int64_t step = outer_step(&j->rank[i], is_last);

		if (step >= 0)
			outer = is_last ? MAX(step, outer) : MIN(step, outer);
		steps = MAX(j->rank[i].digest->nstep, steps);
	}
	for (size_t i = 0; i < j->nrank; i++) {
		int64_t step = outer_step(&j->rank[i], is_last);
		bool is_short = is_last ? step < outer : step > outer;

		most += step == outer;
		first = is_short && n == 0 ? i : first;
		n += is_short;
	}
	if (n == 0 || most < n)
		return;
	result_note(r, NOTE_WARNING, is_last ? "ranks_end_early" : "ranks_begin_late", -1,
		(int64_t)n,
		"the trace of rank %lld%s %s with step %lld, those of the others with %lld: %zu "
		"of %zu steps are compared",
		(long long)j->rank[first].rank, n > 1 ? " and others" : "",
		is_last ? "ends" : "begins", (long long)outer_step(&j->rank[first], is_last),
		(long long)outer, j->nstep, steps);
}

/* The step in which a rank's clock was set; -1: in none. */
static int64_t step_of(const struct job_rank *r, size_t set)
{
	const struct collectives *c = r->digest->collectives;
	struct job_clock clock = r->clock; /* as it was till then */

	clock.nset = set;

	for (size_t i = 0; c && i < c->n; i++)
		if (clock_step_back(&clock, c->v[i].start) >= clock.set[set].at &&
			c->v[i].step != COLL_NO_STEP)
			return r->digest->step[c->v[i].step].number;
	return -1;
}

static void note_clock(struct result *r, const struct job_rank *of, size_t place)
{
	const struct job_clock_set *set = &of->clock.set[place];
	int64_t step = step_of(of, place);

	result_note(r, NOTE_WARNING, "clock_set", -1, set->by,
		step >= 0
			? "the clock of rank %lld was set %s by %s in step %lld: its times behind "
			  "that are taken for what they were without"
			: "the clock of rank %lld was set %s by %s: its times behind that are taken "
			  "for what they were without",
		(long long)of->rank, set->by > 0 ? "forward" : "back",
		IN_TIME(fabs((double)set->by)), (long long)step);
}

void job_notes_ranks(struct result *r, const struct job *j)
{
	note_outer(r, j, false);
	note_outer(r, j, true);
	/*
	 * Where it cannot be helped: of digests, and where runs are looked at one after the other.
	 */
	size_t n = SUM(size_t, i, j->nrank, j->rank[i].digest->on_device);
	if (n > 0 && n < j->nrank)
		result_note(r, NOTE_WARNING, "steps_cut_two_ways", -1, (int64_t)(j->nrank - n),
			"the CPU runs ahead of the GPU on %zu of %zu ranks: their steps last from GPU "
			"work to GPU work, those of the others from mark to mark",
			n, j->nrank);
	for (size_t i = 0; i < j->nrank; i++)
		for (size_t k = 0; k < j->rank[i].clock.nset; k++)
			note_clock(r, &j->rank[i], k);
}

#define SOURCE "docs/definitions.md, 'ranks'"

static const struct analysis_word words[JOB_WORD_COUNT] = {
	[JOB_BALANCED] = { "balanced", "no rank makes the others wait",
		"The ranks of the job arrive together at their collectives, as far as their clocks "
		"tell.",
		SOURCE },
	[JOB_STRAGGLER] = { "straggler", "one rank makes the others wait",
		"The other ranks wait for this one in their collectives, far more than for any "
		"other, in most steps, or half of all waits are for it, in whatever steps. The "
		"cause is what its own step has more of than the median "
		"rank's; of one without a trace it is not known. That is where the job's time can "
		"be saved, at most what the others wait. "
		"What is said of the waiting ranks, that communication bounds them, follows from "
		"it.",
		SOURCE },
	[JOB_MOVING] = { "moving_imbalance", "ranks wait for each other, for another one each time",
		"Ranks wait in collectives, but the one they wait for changes from step to "
		"step: work of uneven size (sequence lengths, garbage collection, input), not a "
		"bad GPU.",
		SOURCE },
	[JOB_SLOW_LINK] = { "slow_link", "transfers of some ranks take longer than those of others",
		"The same collective with the same bytes takes longer to transfer, after all have "
		"arrived, in one process group or between some ranks than in others: a link, a "
		"switch, a NIC, or another route.",
		SOURCE },
	[JOB_BUBBLE] = { "pipeline_bubble", "stages wait for the stages before and behind them",
		"Ranks wait in sends and receives of a pipeline: its stages take unequal time, or "
		"there are too few micro-batches to fill it.",
		SOURCE },
	[JOB_EXPERTS] = { "expert_imbalance", "some ranks get more tokens than others",
		"The split sizes of all_to_all are uneven: ranks whose experts get more tokens "
		"compute longer, and the others wait for them.",
		SOURCE },
	[JOB_UNJUDGED] = { "not_judged", "too few collectives of the ranks could be matched",
		"Which collective of one rank is which of another is told by group, op, sequence "
		"number or order. Where too few are found on other ranks, who waits for whom is "
		"not known.",
		SOURCE },
	[JOB_WORD_MISSING] = { "missing_ranks", "ranks of the job have no trace",
		"The traces say how many ranks the job has, or numbers between theirs are left "
		"out. Whom the others wait for may be one of those.",
		SOURCE },
};

const struct analysis_word *job_word(size_t i)
{
	return i < JOB_WORD_COUNT ? &words[i] : NULL;
}
