/* `critical`: the path of a job over its ranks, and what a faster rank would bring. */
#include "analyze/answer/critical/critical.h"

#include "analyze/analysis/ranked.h"
#include "analyze/job/path/jobpath.h"
#include "analyze/job/path/rankpath.h"
#include "analyze/analysis/jobpage.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/run_steps.h"
#include "base/unit.h"

static const double WORTH_NAMING = 0.05; /* an owner, of the path */
enum { OWNERS_NAMED = 3, PEOPLE_ROWS = 10 };

void critical_job_init(struct critical_job *j, const struct query *q)
{
	*j = (struct critical_job){ .q = q, .path = zeroed(q->nrun, sizeof(struct rankpath *)) };
}

void critical_job_clear(struct critical_job *j)
{
	for (size_t i = 0; i < j->q->nrun; i++)
		rankpath_free(j->path[i]);
	free(j->path);
}

void critical_job_look(struct critical *c)
{
	struct critical_job *j = c->at->ctx;
	const struct steps *steps = c->at->run->steps;
	const struct stepstat *stat = &c->window.stat;
	struct rankwork_step *step;

	if (j->q->nrun < 2 || j->q->is_per_run || j->q->layout != TABLE_GRID)
		return;
	step = arena_array(&c->at->mem, stat->count, sizeof(*step));
	for (size_t i = 0; i < stat->count; i++) {
		const struct step *s = &steps->step[stat->step[stat->from + i]];

		step[i] = (struct rankwork_step){ s->number, s->start, s->end };
	}
	rankpath_free(j->path[c->at->input]);
	j->path[c->at->input] = rankpath_new(&c->depend, step, stat->count);
}

/* What is said of a job. */
struct saying {
	const struct jobpage *page;
	struct result *out;
	const struct job *job;
	struct jobpath path;
	uint32_t most_on;             /* the rank that the path is on longest */
	const struct rankpath **rank; /* by rank of the job */
	struct arena mem;
	bool for_people;
	unsigned threads;
	size_t limit; /* of rows by rank */
	struct job_repairs repairs;
	struct critical_given given;
};

static struct row_cell rank_cell(const struct job *j, uint32_t rank)
{
	return cell_count(j->rank[rank].rank);
}

static nsec unrecorded(const struct jobpath *p)
{
	nsec ns = 0;

	for (size_t r = 0; r < p->job->nrank; r++)
		saturate_onto(&ns, p->ns_of[r][OWNER_UNRECORDED]);
	return ns;
}

static double share_of(const struct jobpath *p, nsec ns)
{
	return ratio_of((double)ns, (double)(p->ns - unrecorded(p)));
}

/* ---- tables ---- */

static void put_path(struct saying *s)
{
	const struct jobpath *p = &s->path;
	struct ranked *v = arena_array(&s->mem, s->job->nrank * OWNER_COUNT, sizeof(*v));
	struct table *t = result_table_of(s->out, &critical_docs[CRITICAL_JOB_PATH]);
	size_t i, n = 0;

	for (uint32_t r = 0; r < s->job->nrank; r++)
		for (uint32_t o = 0; o < OWNER_COUNT; o++)
			if (p->ns_of[r][o] > 0)
				v[n++] = (struct ranked){ .value = p->ns_of[r][o],
					.at = (size_t)r * OWNER_COUNT + o };
	ranked_sort(v, n);
	for (i = 0; i < n && i < s->limit; i++) {
		enum owner owner = (enum owner)(v[i].at % OWNER_COUNT);

		TABLE_ROW(t, [CJPATH_NS] = cell_int(v[i].value),
			[CJPATH_SHARE] = CELL_IF(
				owner != OWNER_UNRECORDED, cell_real(share_of(p, v[i].value))),
			[CJPATH_STEP] = cell_real((double)v[i].value / (double)s->job->nstep),
			[CJPATH_RANK] = rank_cell(s->job, (uint32_t)(v[i].at / OWNER_COUNT)),
			[CJPATH_OWNER] = cell_word(owner_word(owner)));
	}
	rows_cut(t, CJPATH_OWNER, n - i);
}

/* Who waits longest first. */
ORDER(by_behind, struct jobpath_crossing, compare3_down(a->behind, b->behind),
	compare3(a->from, b->from), compare3(a->to, b->to))

static void put_crossings(struct saying *s)
{
	struct jobpath_crossing *v = s->path.crossing;
	size_t i;

	if (s->for_people && s->path.ncrossing == 0)
		return;
	struct table *t = result_table_of(s->out, &critical_docs[CRITICAL_CROSSINGS]);
	sort_rows(v, s->path.ncrossing, sizeof(*v), by_behind);
	for (i = 0; i < s->path.ncrossing && i < s->limit; i++) {
		const struct jobpath_crossing *c = &v[i];

		TABLE_ROW(t, [CCROSS_BEHIND] = cell_int(c->behind),
			[CCROSS_COUNT] = cell_int(c->count),
			[CCROSS_FROM] = rank_cell(s->job, c->from),
			[CCROSS_TO] = rank_cell(s->job, c->to));
	}
	if (i < s->path.ncrossing)
		t->footnote = "-n 0 shows all";
}

static void put_steps(struct saying *s)
{
	struct table *t = result_table_of(s->out, &critical_docs[CRITICAL_JOB_STEPS]);
	uint32_t r, most;

	for (size_t i = 0; i < s->job->nstep; i++) {
		const struct jobpath_step *step = &s->path.step[i];

		for (r = 1, most = 0; r < s->job->nrank; r++)
			if (step->rank[r] > step->rank[most])
				most = r;
		TABLE_ROW(t, [CJSTEP_NUMBER] = cell_int(s->job->step[i]),
			[CJSTEP_NS] = cell_int(step->ns),
			[CJSTEP_CROSSINGS] = cell_int(step->crossings));
		if (step->ns == 0)
			continue;
		TABLE_CELLS(t, [CJSTEP_RANK] = rank_cell(s->job, most),
			[CJSTEP_SHARE] = cell_real((double)step->rank[most] / (double)step->ns));
	}
}

/* ---- what a faster rank would bring ---- */

/* The rank that is looked at by itself: who was asked for, else whom the path is on most. */
static uint32_t rank_alone(const struct saying *s)
{
	uint32_t r = 0;

	while (s->given.rank >= 0 && r < s->job->nrank && s->job->rank[r].rank != s->given.rank)
		r++;
	return s->given.rank >= 0 && r < s->job->nrank ? r : s->most_on;
}

/* ---- sentences ---- */

static void say_rank(struct str *b, const struct job *j, uint32_t rank)
{
	const char *slash = strrchr(j->rank[rank].digest->path, '/');

	if (j->rank[rank].rank >= 0)
		str_addf(b, "rank %" PRId64, j->rank[rank].rank);
	else
		str_adds(b, slash ? slash + 1 : j->rank[rank].digest->path);
}

static nsec recorded_of(const struct jobpath *p, uint32_t rank)
{
	return p->rank[rank] - p->ns_of[rank][OWNER_UNRECORDED];
}

/* The rank that the others wait for is slower than they are; most of the path may be elsewhere. */
static void say_verdict(struct saying *s, struct table *t, uint32_t most)
{
	const struct job_why *w = job_why_straggler(&s->page->why);
	struct str b = { 0 };

	if (w->state != JOB_STRAGGLER || w->rank == UINT32_MAX || w->rank == most ||
		job_why_is_slow(w, most))
		return;
	str_adds(&b, "the others wait for ");
	say_rank(&b, s->job, w->rank);
	str_addf(&b,
		", which has %s of the path: that is all that had to be done in turn, not "
		"what takes longer than elsewhere",
		IN_PERCENT(share_of(&s->path, recorded_of(&s->path, w->rank))));
	TABLE_CELLS(t, [CJOB_VERDICT_TEXT] = cell_str(t, &b));
}

static void put_sentences(struct saying *s, struct table *t)
{
	const uint32_t most = s->most_on;
	struct str b = { 0 };

	t->layout = TABLE_LIST;
	TABLE_ROW(
		t, [CJOB_NS] = cell_int(s->path.ns), [CJOB_CROSSINGS] = cell_int(s->path.crossings),
		[CJOB_UNKNOWN] = cell_int(s->path.unknown), [CJOB_LEFT] = cell_size(s->path.nleft),
		[CJOB_RANK] = rank_cell(s->job, most),
		[CJOB_SHARE] = cell_real(share_of(&s->path, recorded_of(&s->path, most))));
	str_addf(&b, "the path of the job runs %s over ",
		IN_PERCENT(share_of(&s->path, recorded_of(&s->path, most))));
	say_rank(&b, s->job, most);
	/* "(kernel 40%, data loader 20%)": the largest of a rank's owners that are worth it. */
	const nsec *ns = s->path.ns_of[most];
	struct ranked v[OWNER_COUNT];
	uint32_t o;
	for (o = 0; o < OWNER_COUNT; o++)
		v[o] = (struct ranked){ .value = o == OWNER_UNRECORDED ? 0 : ns[o], .at = o };
	ranked_sort(v, OWNER_COUNT);
	for (o = 0; o < OWNERS_NAMED && share_of(&s->path, v[o].value) >= WORTH_NAMING; o++)
		str_addf(&b, "%s%s %s", o == 0 ? " (" : ", ", owner_word((enum owner)v[o].at),
			IN_PERCENT(share_of(&s->path, v[o].value)));
	if (o > 0)
		str_addc(&b, ')');
	TABLE_CELLS(t, [CJOB_TEXT] = cell_str(t, &b));
	if (job_repairs_say(&b, &s->repairs))
		TABLE_CELLS(t, [CJOB_BEST_TEXT] = cell_str(t, &b));
	say_verdict(s, t, most);
	if (s->for_people)
		table_drop_empty(t);
}

/* ---- all of it ---- */

static void put_repairs(struct saying *s)
{
	const struct rankwork **work = arena_array(&s->mem, s->job->nrank, sizeof(*work));
	for (size_t i = 0; i < s->job->nrank; i++)
		work[i] = s->rank[i] ? &s->rank[i]->work : NULL;
	s->repairs = (struct job_repairs){ .facts = &s->page->facts,
		.why = &s->page->why,
		.work = work,
		.asked = s->given.repairs,
		.is_asked = s->given.repairs || s->given.rank >= 0,
		.is_alone_asked = s->given.rank >= 0,
		.alone = rank_alone(s),
		.for_people = s->for_people,
		.threads = s->threads };
	job_repairs_put(&s->repairs, s->out, &s->mem);
}

static void put_tables(struct saying *s)
{
	struct table *t = result_table_of(s->out, &critical_docs[CRITICAL_JOB]);

	put_path(s);
	put_repairs(s);
	put_crossings(s);
	put_steps(s);
	put_sentences(s, t);
	if (s->path.nleft > 0)
		result_note(s->out, NOTE_INFO, "job_path_partial", -1, (int64_t)s->path.nleft,
			"the clocks of %zu of %zu ranks are not known: the path of the job is "
			"without them",
			s->path.nleft, s->job->nrank);
}

static void say_no_path(struct saying *s, const char *why)
{
	result_note(s->out, NOTE_INFO, "no_job_path", -1, -1,
		"nothing is known of the path of the job: %s", why);
}

/* Whether any rank's path comes to a collective: those that hosts carry out are on none. */
static bool comes_to_any(const struct saying *s)
{
	for (size_t r = 0; r < s->job->nrank; r++) {
		size_t n = s->rank[r] ? s->rank[r]->ncollective : 0;

		if (ANY(i, n, s->rank[r]->start[i] != RANKPATH_NONE))
			return true;
	}
	return false;
}

/* folds.put: ctx is a struct critical_job. */
void critical_job_put(void *ctx, const struct jobpage *page, struct result *out)
{
	const struct critical_job *c = ctx;
	const struct critical_options *o = c->q->opts;
	struct err e;
	struct saying s = { .page = page,
		.out = out,
		.job = &page->job,
		.for_people = c->q->for_people,
		.threads = c->q->threads,
		.limit = rows_limit(c->q, o->limit, PEOPLE_ROWS, SIZE_MAX) };

	if (critical_read_given(&s.given, &o->what_if, &s.mem, &e) != OK)
		s.given = (struct critical_given){ .rank = -1 }; /* that was checked before */
	/* The paths of the job's ranks, whose collectives are those of their digests now. */
	size_t r;
	s.rank = arena_array(&s.mem, s.job->nrank, sizeof(*s.rank));
	for (size_t i = 0; i < s.page->n; i++) {
		if (!c->path[i] || !s.page->digest[i] || !s.page->digest[i]->collectives)
			continue;
		for (r = 0; r < s.job->nrank; r++)
			if (s.job->rank[r].digest == s.page->digest[i])
				break;
		if (r == s.job->nrank)
			continue;
		rankpath_number(c->path[i], s.page->digest[i]->collectives);
		s.rank[r] = c->path[i];
	}
	jobpath_init(&s.path, s.job, s.rank, &s.mem);
	bool is_on_hosts = s.job->nmeet > 0 && !comes_to_any(&s);
	if (s.path.ns <= 0)
		say_no_path(&s, "its ranks have no step in common, or no path");
	else if (s.path.nleft + 1 >= s.job->nrank)
		say_no_path(&s, "no two ranks have clocks that can be compared");
	else if (is_on_hosts)
		say_no_path(&s, "hosts carry out its collectives");
	else if (!jobpath_most(&s.path, &s.most_on))
		say_no_path(&s, "nothing is recorded of what its ranks did on it");
	else
		put_tables(&s);
	if (is_on_hosts)
		put_repairs(&s);
	arena_clear(&s.mem);
}
