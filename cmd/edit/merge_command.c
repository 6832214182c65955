/* The merge command: the traces of a job's ranks in one file, on one clock. */
#include "analyze/analysis/jobpage.h"
#include "cmd/command.h"
#include "cmd/edit/edited.h"
#include "cmd/edit/known.h"
#include "cmd/load/inputs.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "edit/merge.h"
#include "report/escape.h"

enum { MERGE_IGNORES = FILTER_COMM };

struct merging {
	const struct analyses *all;
	struct wants wants;
	struct cut_want want;
	struct edited_options out;
	const char **path; /* operands */
	size_t npath;
	struct merge_rank *rank; /* one for each trace */
	size_t n;
	size_t reference; /* whose clock the others are set by */
	size_t nclocked;  /* whose clocks the collectives tell */
	int64_t kept, nunreadable;
	struct edited file;
	bool is_open;
	struct progress progress;
	struct arena mem;
	struct err err;
	const char *where; /* what err is about; NULL */
};

static size_t help_groups(struct opt_group *to, struct opt *filter)
{
	return wants_groups(to, filter, MERGE_IGNORES, NULL, NULL, NULL);
}

static enum status list(struct merging *m)
{
	const struct writer_kind *kind;
	struct trace_list l = { 0 };
	bool is_gzip;
	int level;

	if (m->npath == 0)
		return err_hinted(
			&m->err, E_USAGE, "usage: traceq merge FILE... -o OUT", "no trace given");
	TRY(edited_check(&m->out, &kind, &is_gzip, &level, &m->err));
	TRY(wants_check(&m->wants, kind, &m->err));
	output_spares(m->path, m->npath);
	TRY(output_plan_named(m->out.path, &m->err));
	TRY(traces_find(&l, m->path, m->npath, &m->mem, &m->where, &m->err));
	m->rank = arena_array(&m->mem, l.n, sizeof(*m->rank));
	m->n = l.n;
	for (size_t i = 0; i < l.n; i++)
		m->rank[i].path = l.v[i].path;
	return OK;
}

/* ---- clocks ---- */

ORDER(by_rank, struct merge_rank, compare3(a->number, b->number), strcmp(a->path, b->path))

/* Whether --rank wants it. */
static bool is_wanted(const struct merging *m, const struct run *r)
{
	struct filter_set set;
	struct err e;
	bool yes = filter_parse(&set, &m->want.filter, &e) != OK || filter_takes_run(&set, r);

	filter_free(&set);
	return yes;
}

/* Each trace is read for its collectives, which are kept, and nothing else of it. */
static enum status look_at(struct merging *m, struct jobpage *job, size_t i, size_t *kept)
{
	struct merge_rank rank = m->rank[i];
	struct load_options load;
	struct run run;

	m->where = rank.path;
	edited_load(&m->out, &m->progress, &load);
	load.needs = jobpage_needs() | NEED_LINKS;
	TRY(load_single(rank.path, &load, &run, &m->err));
	if (load_want_events(&run, &m->err) != OK) {
		run_clear(&run);
		return m->err.status;
	}
	if (is_wanted(m, &run)) {
		rank.number = run.meta.rank >= 0 ? run.meta.rank : (int64_t)i;
		merge_look(&rank, &run);
		jobpage_look(job, &run, &m->want.filter, NULL, *kept);
		m->rank[(*kept)++] = rank;
	}
	run_clear(&run);
	m->where = NULL;
	return OK;
}

/* The rank that the others' clocks are set by: in the job its reference, else the first. */
static size_t reference_of(const struct merging *m, const struct jobpage *job, bool is_job)
{
	return FIND_VALUE(i, is_job ? m->n : 0,
		strcmp(job->job.rank[job->job.reference].digest->path, m->rank[i].path) == 0, i, 0);
}

static enum status set_clocks(struct merging *m)
{
	struct jobpage job;
	enum status st = OK;
	bool is_job = false;
	size_t kept = 0;

	jobpage_init(&job, m->n);
	for (size_t i = 0; i < m->n && st == OK; i++)
		st = look_at(m, &job, i, &kept);
	m->n = kept;
	if (st == OK && m->n == 0)
		st = err_set(
			&m->err, E_NODATA, -1, "--rank '%s' matches no trace", m->want.filter.rank);
	if (st == OK) {
		is_job = m->n > 1 && jobpage_find(&job);
		/* The clocks of those that are of one job. */
		if (is_job)
			for (size_t k = 0; k < job.job.nrank; k++)
				for (EACH(struct merge_rank, rank, m->rank, m->n))
					if (strcmp(job.job.rank[k].digest->path, rank->path) == 0 &&
						job.job.rank[k].clock.island == 0) {
						rank->clock = job.job.rank[k].clock;
						m->nclocked += rank->clock.is_known;
					}
		qsort(m->rank, m->n, sizeof(*m->rank), by_rank);
		m->reference = reference_of(m, &job, is_job);
		merge_settle(m->rank, m->n, m->reference);
		/* Ranks that two traces say are told apart by their places. */
		for (size_t i = 1; i < m->n; i++)
			if (m->rank[i].number <= m->rank[i - 1].number)
				m->rank[i].number = m->rank[i - 1].number + 1;
	}
	jobpage_clear(&job);
	return st;
}

/* ---- writing ---- */

/* The document of all: what the reference says, but for what is of its rank alone. */
static enum status begin_file(struct merging *m, struct cut *first)
{
	SCOPED_STR note = { 0 };
	struct document d = cut_document(first);

	if (m->n > 1) {
		str_adds(&note, "{\"ranks\": [");
		for (size_t i = 0; i < m->n; i++) {
			const struct merge_rank *r = &m->rank[i];
			str_addf(&note, "%s{\"rank\": %" PRId64 ", \"file\": ", i ? ", " : "",
				r->number);
			escape_json(&note, span_of(r->path));
			if (r->clock.is_known)
				str_addf(&note,
					", \"offset_ns\": %.17g, \"drift\": %.17g, \"uncertainty_ns\": "
					"%" PRId64,
					r->clock.offset, r->clock.drift, r->clock.uncertainty);
			str_addc(&note, '}');
		}
		str_adds(&note, "]}");
		d.note_key = "traceq_merge";
		d.note = cut_member(first, span_of(d.note_key), (struct span){ note.s, note.n });
		d.without = "distributedInfo";
	}
	enum status st = edited_begin(&m->file, &m->out, &d, &m->err);
	m->is_open = st == OK;
	if (st != OK)
		m->where = NULL; /* it is about the output */
	return st;
}

static enum status write_rank(struct merging *m, size_t i)
{
	const struct merge_rank *r = &m->rank[i];
	struct cut cut = { 0 };
	struct rereadable plain = { 0 };
	struct known known = { .all = m->all };
	struct load_options load;

	edited_load(&m->out, &m->progress, &load);
	m->where = r->path;
	enum status st = wants_take(&m->wants, &m->want, &cut, &m->err);
	if (st == OK && m->n > 1)
		cut.change[cut.nchange++] = merge_change(r);
	THEN(st, edited_plain(&plain, &m->out, r->path, &load, &m->err));
	THEN(st, cut_survey(&cut, plain.path, &m->want, &load, &m->err));
	m->wants.number = r->number;
	THEN(st, wants_annotate(&m->wants, &m->want, &cut, &known, plain.path, &load, &m->err));
	known_clear(&known);
	if (st == OK && !m->is_open)
		st = begin_file(m, &cut);
	THEN(st, cut_write(&cut, plain.path, &m->want, &load, &m->file.w, &m->err));
	if (st == OK)
		edited_say_odd(&m->out, r->path, &cut.survey.tally);
	m->kept += cut.kept + cut.nmore;
	m->nunreadable += cut.nunreadable;
	rereadable_close(&plain);
	cut_clear(&cut);
	if (st == OK)
		m->where = NULL;
	return st;
}

static enum status write_all(struct merging *m)
{
	enum status st = set_clocks(m);

	if (st == OK) /* whose document says what zero of time is meant */
		st = write_rank(m, m->reference);
	for (size_t i = 0; i < m->n && st == OK; i++)
		if (i != m->reference)
			st = write_rank(m, i);
	if (st == OK)
		return edited_end(&m->file, &m->err);
	if (m->is_open)
		edited_drop(&m->file);
	return st;
}

static nsec worst_clock(const struct merging *m)
{
	nsec worst = 0;

	for (EACH(const struct merge_rank, rank, m->rank, m->n))
		if (rank->clock.is_known && rank->clock.uncertainty > worst)
			worst = rank->clock.uncertainty;
	return worst;
}

static int answer(struct merging *m)
{
	enum status st = list(m);

	if (st != OK)
		return m->where ? say_error(m->where, &m->err) : say_usage("merge", &m->err);
	progress_begin(&m->progress, m->rank[0].path, m->out.is_quiet);
	st = write_all(m);
	progress_end(&m->progress);
	if (st != OK)
		return say_refusal("merge", m->where, &m->err);
	if (!m->out.is_quiet)
		wants_say(&m->wants, m->nunreadable);
	if (m->out.is_quiet || m->file.is_stdout)
		return EXIT_ANSWERED;
	int code = output_line("%s: %zu trace%s, %" PRId64 " events, %" PRId64 " bytes",
		m->out.path, m->n, plural_s(m->n), m->kept, m->file.w.bytes);
	if (m->n < 2 || code != EXIT_ANSWERED)
		return code;
	if (m->nclocked == m->n)
		return output_line("clocks: set by their collectives, %.1f us off at most",
			(double)worst_clock(m) / 1e3);
	return output_line(
		"clocks: %zu of %zu set by their collectives; the others are as the files "
		"say",
		m->nclocked, m->n);
}

static int run(const struct command_line *line)
{
	struct merging m = { .all = &line->all->analyses };
	struct opt_group group[WANTS_GROUPS];
	struct opt filter[FILTER_COUNT];
	size_t n = wants_groups(group, filter, MERGE_IGNORES, &m.want.filter, &m.wants, &m.out);

	door_begin();
	err_clear(&m.err);
	int exit_code = options_parse(group, n, NULL, line, &m.path, &m.npath, &m.err) == OK
		? answer(&m)
		: say_usage("merge", &m.err);
	wants_free(&m.wants);
	free(m.path);
	arena_clear(&m.mem);
	return exit_code;
}

COMMAND(merge) = {
	.name = "merge",
	.summary = "the traces of a job's ranks in one file, on one clock",
	.operands = "FILE... -o OUT",
	.doc = "Writes the traces of several ranks into one, for a viewer to show them below each "
	       "other. Their clocks are set by the ends of their collectives, as ranks fits them; "
	       "where those do not tell, by the times the files say. Processes keep apart and say "
	       "their rank; each rank's arrows stay its own.\n\n"
	       "FILE is a trace or a folder with the traces of a job. Each is read three times, a "
	       "window at a time. One trace alone stays as it is.",
	.examples = "traceq merge runs/job/ -o job.json.gz\n"
		    "traceq merge rank*.json.gz --steps 10-11 -o job.json.gz\n"
		    "traceq merge runs/job/ --rank 0-3 --no-python -o some.json.gz",
	.more_groups = help_groups,
	.run = run,
};
