/* `critical`: what each moment of the steps had to wait for, and what a change would bring.
 * Options, the order of work, notes. */
#include "analyze/answer/critical/critical.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/notes.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/analysis/shared.h"

enum { PEOPLE_ROWS = 10 };

#define AT(field) offsetof(struct critical_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows of each list; 0 = all [10, of segments 40; all for machines]"),
	LIST_OPT("what-if", 0, "KIND:REGEX=FACTOR|TIME", AT(what_if),
		"what it would bring if things of that name took FACTOR times as long, or TIME each; "
		"comm=hidden: nothing waits for collectives. KIND is one of" CRITICAL_KINDS
		". Of a job: slow=even, rank:N=even, stage=even, ranks=even, links=even, gaps=0, "
		"imbalance=0"),
	FLAG_OPT("list", 0, AT(list), "the segments of the path, too"),
};

static enum status check(const void *opts, const struct settings *settings UNUSED, struct err *e)
{
	const struct critical_options *o = opts;
	struct critical_given g;
	SCOPED_ARENA mem = { 0 };

	return critical_read_given(&g, &o->what_if, &mem, e);
}

static enum status put_tables(struct critical *c)
{
	struct table *bound = perrun_table(c->at, &critical_docs[CRITICAL_BOUND]);

	critical_put_path(c);
	TRY(critical_put_what_if(c));
	critical_put_bound(c, bound);
	critical_put_owners(c);
	critical_put_phases(c);
	critical_put_steps(c);
	critical_put_slack(c);
	critical_put_data(c);
	critical_put_evidence(c);
	if (c->o->list)
		critical_put_segments(c);
	const struct perrun *at = c->at;
	const struct depend *d = &c->depend;
	int64_t unlinked = d->works - d->launched;
	int64_t guessed = saturate_add(d->returns[EVIDENCE_INFERRED], d->waits[EVIDENCE_INFERRED]);
	const char *odd = step_kinds_text(&c->window.kinds, at->run, &c->window.stat, &c->at->mem);
	notes_add_window(at->out, at->run, at->input, &c->window);
	if (odd && c->window.stat.outliers > 0)
		result_note(at->out, NOTE_INFO, "odd_steps_apart", at->input,
			(int64_t)c->window.stat.outliers,
			"%zu of %zu steps are odd and left out: %s", c->window.stat.outliers,
			c->window.stat.n, odd);
	if (unlinked > 0)
		result_note(at->out, NOTE_INFO, "unlinked_work", at->input, unlinked,
			"%" PRId64 " of %" PRId64
			" GPU events have no launch in the trace: apart from their stream it "
			"is unknown what they waited for",
			unlinked, d->works);
	if (guessed > 0)
		result_note(at->out, NOTE_INFO, "path_is_guessed", at->input, guessed,
			"of %" PRId64 " waits no row of the trace says for what: inferred from the "
			"names and the order of calls",
			guessed);
	return OK;
}

static enum status answer_run(struct perrun *at)
{
	struct critical c = { .at = at, .o = at->q->opts };
	enum status st = OK;

	c.limit = rows_limit(at->q, c.o->limit, PEOPLE_ROWS, SIZE_MAX);
	critical_collect(&c);
	if (c.depend.n == 0)
		result_note(at->out, NOTE_INFO, "no_path", at->input, -1,
			"no GPU work and no steps: nothing is known to wait for anything");
	else
		st = put_tables(&c);
	if (st == OK && c.depend.n > 0)
		critical_job_look(&c);
	critical_clear(&c);
	return st;
}

static enum status compute(
	const struct query *q, struct result *out, int *exit_code UNUSED, struct err *e)
{
	struct critical_job job;

	critical_job_init(&job, q);
	enum status st = perrun_all(q, &q->analysis->per_run, &job, out, e);
	critical_job_clear(&job);
	return st;
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("path", "class", "on_path_ns", "share_ratio|segments"),
	FOLD("what_if", "says|name", "saves_per_step_ns", "saves_ratio|step_then_ns",
		.key = "scenario", .is_figure = true),
	FOLD("owners", "class|name", "on_path_ns", "of_total_ratio", .rows = 10),
};

ANALYSIS(critical) = {
	.name = "critical",
	.summary = "the critical path, slack, and what a change would bring",
	.help.doc =
		"Goes backwards from the end of the last step, always to what finished last of "
		"what was waited for: kernels wait for their launch, for the work before them "
		"on the stream and for events; calls that synchronize wait for the GPU; threads "
		"run on, or take over from one another. What is passed owns the time: the path "
		"is as long as the steps, to the nanosecond, and only what is on it can make "
		"them shorter.\n\n"
		"What a change would bring is a prediction: everything is timed again under the "
		"same dependencies, with other durations. A stream, a thread and a link still "
		"do one thing after the other; what a change would do to caches, clocks or the "
		"choice of kernels is not in it, and other ranks are as fast as they were. "
		"--what-if asks for changes of one's own; several of them are answered together "
		"and one by one. A name is a regular expression as of -f, a time has its unit "
		"(5us, 1.5ms), a number without one is a factor.\n\n"
		"Of the ranks of a job the path is the job's: at a collective it goes over to "
		"the rank that came last, once the clocks of the ranks are set right (traceq "
		"ranks). What each rank's own path is follows, folded.\n\n"
		"--et takes the execution trace of the same program (ExecutionTraceObserver), "
		"which says what memory operators read and write: of GPU work behind other work "
		"on its stream the table data says whether it needs its data or only follows "
		"it, and could have run beside it. One that lies in the folder of the trace is "
		"taken by itself, if it is of the trace's rank and process as far as it says, "
		"and no other fits as well.\n\n"
		"-f and -v choose from the lists by name; the path is always whole. The id of a "
		"piece says where it is (traceq explain stretch); --wide shows it.",
	.help.source = "HTA critical_path_analysis.py; docs/definitions.md says what differs",
	.help.examples = "traceq critical trace.json.gz\n"
			 "traceq critical trace.json.gz --what-if dataloader=0,kernel:gemm=0.8\n"
			 "traceq critical trace.json.gz --steps 5-9 --list -n 100\n"
			 "traceq critical replays.json.gz --capture capture.json.gz\n"
			 "traceq critical trace.json.gz --et et.json.gz",
	ANALYSIS_EACH_RUN(NEED_ORDER | NEED_FUNCTIONS | NEED_LINKS | NEED_STEPS | NEED_CALLS |
		NEED_SYNC | NEED_MEMORY),
	.shares = SHARED_BIT(LEDGERS) | SHARED_BIT(WAITING),
	.weight = 3,
	.runs.takes_capture = true,
	.runs.takes_exectrace = true,
	ANALYSIS_OPTIONS(options, struct critical_options, .limit = -1),
	.options.check = check,
	.options.ignores = FILTER_DEVICE | FILTER_STREAM | FILTER_CAT,
	ANALYSIS_TABLES(critical, CRITICAL),
	.help.main_table = "path",
	.compute = compute,
	.per_run = { .answer = answer_run,
		.needs = PERRUN_VIEW,
		.folds = FOLDS(fold_docs, .put = critical_job_put,
			.tables = "job_bound|job_path|job_what_if|crossings|job_steps") },
};
