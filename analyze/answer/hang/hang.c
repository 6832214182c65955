/* `hang`: what a job hung in, from dumps of PyTorch's flight recorder. */
#include "analyze/answer/hang/hang.h"

#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/record.h"
#include "base/opt.h"

enum { ROWS_SHOWN = 20 };

#define AT(field) offsetof(struct hang_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows of a table; 0 = all [20; all for machines]"),
	FLAG_OPT("stack", 0, AT(wants_stacks), "whole stacks of what each rank is in"),
	FLAG_OPT("groups", 0, AT(wants_groups),
		"how far each rank is in each of its groups [for machines]"),
};

static enum status say_damaged(struct hang_job *job, struct err *e)
{
	const struct run *run;

	for (size_t i = 0; i < job->q->nrun; i++) {
		TRY(query_open(job->q, i, &run, e));
		const struct record *r = run ? run->record : NULL;
		for (size_t k = 0; r && k < r->nfile; k++)
			if (r->file[k].state == FILE_DAMAGED)
				result_note(job->out, NOTE_WARNING, "hang_damaged", (int)i, -1,
					"%s cannot be read: %s", r->file[k].name, r->file[k].why);
		query_close(job->q, i);
	}
	return OK;
}

static void put_tables(struct hang_job *job, const struct filter_set *set)
{
	const struct hang_options *o = job->q->opts;
	size_t limit = rows_limit(job->q, o->limit, ROWS_SHOWN, SIZE_MAX);
	struct table *t = result_table_of(job->out, &hang_docs[HANG_CAUSES]);

	t->layout = TABLE_LINE;
	hang_put_causes(job, t);
	if (job->nmeeting)
		hang_put_meetings(job, result_table_of(job->out, &hang_docs[HANG_MEETINGS]), limit,
			o->limit >= 0);
	hang_put_states(job, result_table_of(job->out, &hang_docs[HANG_RANKS]), limit, set);
	if (o->wants_groups || !job->q->for_people)
		hang_put_groups(job, result_table_of(job->out, &hang_docs[HANG_GROUPS]), set);
	if (o->wants_stacks)
		hang_put_stacks(job, result_table_of(job->out, &hang_docs[HANG_STACKS]), set);
}

/* --rank takes some of the ranks there are. */
static enum status want_rank(struct hang_job *job, const struct filter_set *set, struct err *e)
{
	struct hang_ranks all = { arena_array(&job->mem, job->nrank, sizeof(size_t)), 0 };
	SCOPED_STR b = { 0 };

	for (size_t i = 0; i < job->nrank; i++) {
		if (filter_in(&set->rank, job->rank[i].number))
			return OK;
		all.v[all.n++] = i;
	}
	hang_put_ranks(&b, job, all);
	(void)err_set(e, E_NODATA, -1, "--rank '%s' matches no dump", job->q->filter->rank);
	(void)err_hint(e, "there are ranks %s", b.s);
	return E_NODATA;
}

static enum status answer(struct hang_job *job, struct err *e)
{
	struct filter_set set = { 0 };
	enum status st = filter_parse(&set, job->q->filter, e);

	THEN(st, hang_job_read(job, e));
	if (st == E_NODATA && job->ndump == 0 && hang_put_members(job)) {
		err_clear(e);
		filter_free(&set);
		return OK;
	}
	THEN(st, want_rank(job, &set, e));
	if (st == OK) {
		hang_calls_read(job);
		hang_meet(job);
		hang_judge_groups(job);
		hang_wait(job);
		put_tables(job, &set);
		struct hang_ranks absent = { arena_array(&job->mem, job->nrank, sizeof(size_t)),
			0 };
		SCOPED_STR b = { 0 };
		for (size_t i = 0; i < job->nrank; i++)
			if (!job->rank[i].has_dump)
				absent.v[absent.n++] = i;
		hang_put_ranks(&b, job, absent);
		if (absent.n)
			result_note(job->out, NOTE_WARNING, "hang_no_dump", -1, (int64_t)absent.n,
				"no dump of %zu of %zu ranks: %s", absent.n, job->nrank, b.s);
		if (job->nguessed && job->npending)
			result_note(job->out, NOTE_INFO, "hang_guessed", -1, (int64_t)job->nguessed,
				"%zu statuses of groups that no call of the rank names are found by the "
				"group's number on other ranks",
				job->nguessed);
		if (job->npending)
			result_note(job->out, NOTE_INFO, "hang_running", -1, -1,
				"of a job that still runs, what is under way looks the same");
		st = say_damaged(job, e);
	}
	filter_free(&set);
	return st;
}

static enum status compute(
	const struct query *q, struct result *out, int *exit_code UNUSED, struct err *e)
{
	struct hang_job job = { .q = q, .out = out };

	enum status st = answer(&job, e);
	keymap_clear(&job.meetings);
	strings_clear(&job.names);
	arena_clear(&job.mem);
	return st;
}

ANALYSIS(hang) = {
	.name = "hang",
	.summary = "flight recorder dumps: what hung, who did not come, and where",
	.help.doc =
		"From the dumps that PyTorch's flight recorder leaves of each rank when a "
		"collective times out (a pickle, or the same as JSON; nothing in a pickle is "
		"run): which call of which process group did not complete, which ranks did not "
		"come to it, called something else, or have not completed what others have, and "
		"who waits for whom.\n\n"
		"A rank waits in its first call that has not completed: for those who did not "
		"call it, or, where all did, for those who are held up before it. Following "
		"that from rank to rank ends at ranks that wait for nobody: those are named "
		"first. Sends and receives are matched in their order between two ranks, "
		"collectives by their number in the group.\n\n"
		"Without dumps, what NCCL's RAS answered (ncclras -f json): which ranks of which "
		"communicator do not answer, who has called fewer collectives than others, and "
		"what of a rank's status is not as it should be.\n\n"
		"The dumps of a job lie in a folder, or are named one by one. A rank is known "
		"by its groups, else by the number in the file's name. Record with "
		"TORCH_FR_BUFFER_SIZE=2000 and TORCH_NCCL_DUMP_ON_TIMEOUT=1.",
	.help.source = "PyTorch: torch/csrc/distributed/c10d/FlightRecorder.hpp, "
		       "torch/distributed/flight_recorder; docs/definitions.md",
	.help.examples = "traceq hang dumps/\n"
			 "traceq hang dumps/ --rank 12 --stack\n"
			 "traceq hang dumps/ --json | jq '.tables[] | select(.id == \"causes\")'",
	.help.operands = "DUMPS...",
	.help.main_table = "collectives|members|causes",
	.runs.min = 1,
	.runs.takes_records = true,
	.options.ignores = FILTER_ALL & ~FILTER_RANK,
	ANALYSIS_OPTIONS(options, struct hang_options, .limit = -1),
	ANALYSIS_TABLES(hang, HANG),
	.compute = compute,
};
