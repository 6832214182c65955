/* `ranks`: the verdict, the runs, the job as a whole; and cells that several tables have. */
#include "analyze/answer/ranks/ranks.h"

#include "analyze/analysis/row_limit.h"

/* ---- cells that several tables have: ranks, groups, texts ---- */

size_t ranks_limit(const struct ranks *r, size_t people)
{
	return rows_limit(r->q, r->o->limit, people, SIZE_MAX);
}

struct row_cell ranks_number(const struct ranks *r, uint32_t rank)
{
	const struct job *j = &r->at->job;

	if (rank < j->nrank)
		return cell_count(j->rank[rank].rank);
	if (rank >= j->nrank + j->nabsent || j->absent[rank - j->nrank].nrank != 1)
		return NO_CELL;
	return cell_count(j->absent[rank - j->nrank].rank[0]);
}

struct row_cell ranks_members(
	const struct ranks *r, const struct table *t, const uint32_t *rank, size_t n)
{
	const struct job *j = &r->at->job;
	struct str b = { 0 };
	size_t k;

	for (size_t i = 0; i < n; i = k) {
		int64_t first = j->rank[rank[i]].rank;

		k = FIRST_FROM(at, i + 1, n, j->rank[rank[at]].rank != first + (int64_t)(at - i));
		str_addf(&b, "%s%lld", i ? ", " : "", (long long)first);
		if (k > i + 1)
			str_addf(&b, "%s%lld", k == i + 2 ? ", " : " to ",
				(long long)(first + (int64_t)(k - i) - 1));
	}
	return cell_str(t, &b);
}

struct row_cell ranks_group(const struct ranks *r, const struct table *t, uint32_t group)
{
	const struct job_group *g = &r->at->job.group[group];

	if (group >= r->at->job.ngroup)
		return NO_CELL;
	return cell_copy(t, g->name.n > 0 ? g->name : g->desc);
}

/* ---- the verdict, the runs, the job as a whole ---- */

static void put_finding(struct ranks *r, struct table *t, const struct job_why *w)
{
	bool is_caused = w->cause != JOB_CAUSE_NONE && w->cause != JOB_CAUSE_NO_TRACE;

	TABLE_ROW(t, [RFIND_STATE] = cell_word(job_state_word(w->state)),
		[RFIND_RANK] = cell_count(w->number),
		[RFIND_ALSO] = ranks_members(r, t, w->also, w->nalso),
		[RFIND_CAUSE] = cell_word(job_cause_word(w->cause)),
		[RFIND_GROUP] = ranks_group(r, t, w->group),
		[RFIND_WAIT] = CELL_IF(w->state != JOB_UNJUDGED, cell_int(w->wait)),
		[RFIND_SHARE] = cell_real(w->share),
		[RFIND_OWN] = CELL_IF(is_caused, cell_int(w->own)),
		[RFIND_OTHERS] = CELL_IF(is_caused, cell_int(w->others)),
		[RFIND_LAST] = cell_real(w->last_ratio), [RFIND_TEXT] = cell_copy(t, w->text),
		[RFIND_ADVICE] = cell_copy(t, w->advice));
}

/* Whoever is missing may be the one that is waited for. */
static void put_missing(struct ranks *r, struct table *t)
{
	struct str b = { 0 };

	if (r->at->members.nmissing == 0 || r->at->own.is_chosen)
		return;
	members_put_none(&b, &r->at->members);
	TABLE_ROW(t, [RFIND_STATE] = cell_word("missing ranks"), [RFIND_TEXT] = cell_str(t, &b));
}

void ranks_put_findings(struct ranks *r)
{
	const struct job_why *first = &r->at->why, *w = first;
	struct table *t = result_table_of(r->out, &ranks_docs[RANKS_FINDINGS]);

	t->layout = TABLE_LINE;
	put_missing(r, t);
	do {
		put_finding(r, t, w);
		w = w->next;
	} while (w);
	if (!r->q->for_people || first->advice.n == 0)
		return;
	struct table *advice = result_table_of(r->out, &ranks_docs[RANKS_ADVICE]);
	advice->layout = TABLE_LINE;
	TABLE_ROW(advice, [RADV_TEXT] = cell_copy(advice, first->advice));
}

void ranks_put_runs(struct ranks *r)
{
	const struct ranks_job *at = r->at;

	if (r->njob < 2)
		return;
	struct table *t = result_table_of(r->out, &ranks_docs[RANKS_RUNS]);
	for (EACH(const struct ranks_job, j, r->jobs, r->njob)) {
		r->at = j;
		TABLE_ROW(t, [RRUN_RANKS] = cell_size(j->job.nrank),
			[RRUN_STEPS] = cell_size(j->job.nstep),
			[RRUN_STEP] = cell_real(j->facts.ledgers.step),
			[RRUN_WAIT] = CELL_IF(j->why.state != JOB_UNJUDGED, cell_int(j->why.wait)),
			[RRUN_SHARE] = cell_real(j->why.share),
			[RRUN_STATE] = cell_word(job_state_word(j->why.state)),
			[RRUN_RANK] = cell_count(j->why.number),
			[RRUN_CAUSE] = cell_word(job_cause_word(j->why.cause)),
			[RRUN_MATCHED] = cell_real(j->why.matched_ratio),
			[RRUN_NAME] = cell_copy(t, span_of(r->q->side[0].run[j->run].name)));
	}
	r->at = at;
}

static nsec uncertainty(const struct job *j)
{
	nsec most = 0;

	for (size_t i = 0; i < j->nrank; i++)
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
	TABLE_CELLS(t,
		[RJOB_CLOCKS] = j->nisland == 1 ? cell_word("common")
						: cell_textf(t, "%u groups", (unsigned)j->nisland),
		[RJOB_UNCERTAINTY] = cell_int(uncertainty(j)),
		[RJOB_REFERENCE] = ranks_number(r, j->reference));
}

/* What is gained if the straggler is none, and the table of that. */
static void put_repairs(struct ranks *r, struct table *t)
{
	const struct job *j = &r->at->job;
	const struct rankwork **work = arena_array(&r->mem, j->nrank, sizeof(*work));
	struct job_repairs repairs = { .facts = &r->at->facts,
		.why = &r->at->why,
		.work = work,
		.alone = UINT32_MAX,
		.for_people = r->q->for_people,
		.threads = r->q->threads };
	struct str b = { 0 };

	for (size_t i = 0; i < j->nrank; i++)
		work[i] = j->rank[i].digest->timing;
	job_repairs_put(&repairs, r->out, &r->mem);
	if (job_repairs_say(&b, &repairs))
		TABLE_CELLS(t, [RJOB_BEST] = cell_str(t, &b));
}

void ranks_put_job(struct ranks *r)
{
	const struct job *j = &r->at->job;
	const struct job_ledgers *l = &r->at->facts.ledgers;
	struct table *t = result_table_of(r->out, &ranks_docs[RANKS_JOB]);
	double wait = 0, transfer = 0;

	t->layout = TABLE_LIST;
	table_row(t);
	for (EACH(const struct job_ledger, ledger, l->v, l->n)) {
		wait += ledger->suffered / (double)l->n;
		transfer += ledger->transfer / (double)l->n;
	}
	TABLE_CELLS(t, [RJOB_RUN] = cell_copy(t, span_of(r->q->side[0].run[r->at->run].name)),
		[RJOB_RANKS] = cell_size(j->nrank),
		[RJOB_WORLD] = CELL_IF(r->at->members.world > 0, cell_int(r->at->members.world)),
		[RJOB_STEPS] = cell_size(j->nstep), [RJOB_STEP] = cell_real(l->step));
	if (j->nstep > 0)
		TABLE_CELLS(t, [RJOB_WAIT] = cell_real(wait),
			[RJOB_WAIT_SHARE] = cell_real(ratio_of(wait, l->step)),
			[RJOB_TRANSFER] = cell_real(transfer));
	TABLE_CELLS(t, [RJOB_COLLECTIVES] = cell_size(j->ncollective),
		[RJOB_MATCHED] = cell_real(ratio_of((double)j->nmatched, (double)j->ncollective)));
	put_clocks(r, t);
	put_repairs(r, t);
	rows_for_people(r->q, t);
}
