/* Tables of a job: its verdict, and where the steps of its ranks go. */
#include "analyze/analysis/job_words.h"
#include "analyze/analysis/jobpage.h"
#include "base/table_row.h"

#define TABLES_DEF "analyze/analysis/job_tables.def"
#include "base/table_rows_impl.h"

enum { PEOPLE_RANKS = 8 };
static const double CRITICAL = 0.2, WARNING = 0.05; /* share of a step */

static const char *severity_of(const struct job_why *w)
{
	if (w->state == JOB_BALANCED)
		return "ok";
	if (w->state == JOB_UNJUDGED)
		return "unknown";
	return w->share >= CRITICAL ? "CRIT" : w->share >= WARNING ? "WARN" : "note";
}

bool jobpage_is_critical(const struct job_why *w)
{
	return strcmp(severity_of(w), "CRIT") == 0;
}

static void put_job(const struct jobpage *p, struct table *t)
{
	TABLE_CELLS(t, [JOB_RANKS] = cell_size(p->own.nrank),
		[JOB_WORLD] = CELL_IF(p->members.world > 0, cell_int(p->members.world)),
		[JOB_STEP] = cell_real(p->facts.ledgers.step));
}

static void put_finding(const struct jobpage *p, struct table *t, const struct job_why *w)
{
	bool is_wrong = w->state != JOB_BALANCED && w->state != JOB_UNJUDGED;

	TABLE_ROW(t, [JOB_FINDING] = cell_word(job_word(w->state)->id),
		[JOB_SEVERITY] = cell_word(severity_of(w)), [JOB_TEXT] = cell_copy(t, w->text),
		[JOB_ACTION] = cell_copy(t, w->advice),
		[JOB_MATCHED] = cell_real(w->matched_ratio));
	put_job(p, t);
	if (!is_wrong)
		return;
	TABLE_CELLS(t, [JOB_WAIT] = cell_int(w->wait), [JOB_SHARE] = cell_real(w->share));
	TABLE_CELLS(t, [JOB_RANK] = cell_count(w->number), [JOB_LAST] = cell_real(w->last_ratio));
	if (w->cause == JOB_CAUSE_NONE || (w->rank == UINT32_MAX && w->cause != JOB_CAUSE_NO_TRACE))
		return;
	TABLE_CELLS(t, [JOB_CAUSE] = cell_word(job_cause_word(w->cause)));
	if (w->rank != UINT32_MAX)
		TABLE_CELLS(t, [JOB_OWN] = cell_int(w->own), [JOB_OTHERS] = cell_int(w->others));
}

static void put_action(struct table *t, const struct job_why *w)
{
	if (w->advice.n == 0)
		return;
	TABLE_ROW(t, [JOB_TEXT] = cell_textf(t, "-> %.*s", (int)w->advice.n, w->advice.p));
}

static void put_findings(const struct jobpage *p, struct result *r, enum jobpage_form form)
{
	const bool is_partial =
		form != JOBPAGE_BRIEF && !p->is_chosen && !p->is_part && p->members.nmissing > 0;
	struct table *t = result_table_of(r, &jobpage_docs[JOBPAGE_JOB]);

	t->layout = TABLE_LINE;
	/* Where answers judge, people see how bad it is. */
	if (form == JOBPAGE_VERDICT) {
		struct column *col = arena_array(t->mem, t->ncol, sizeof(*col));
		memcpy(col, t->col, t->ncol * sizeof(*col));
		col[JOB_SEVERITY].flags = COLUMN_SHOWN;
		col[JOB_FINDING].flags = COLUMN_SHOWN;
		t->col = col;
	}
	if (is_partial) {
		struct str b = { 0 };

		members_put_none(&b, &p->members);
		TABLE_ROW(t, [JOB_FINDING] = cell_word(job_word(JOB_WORD_MISSING)->id),
			[JOB_SEVERITY] = cell_word("WARN"), [JOB_TEXT] = cell_str(t, &b));
		put_job(p, t);
	}
	for (const struct job_why *w = &p->why; w; w = w->next) {
		put_finding(p, t, w);
		if (form == JOBPAGE_VERDICT)
			put_action(t, w);
	}
}

/* ---- ranks ---- */

static void put_ledger(struct table *t, const struct job_ledger *l)
{
	static const struct {
		int col;
		enum digest_part part;
	} parts[] = {
		{ JRANK_COMPUTE, PART_COMPUTE },
		{ JRANK_MEMCPY, PART_MEMCPY },
		{ JRANK_IDLE, PART_IDLE },
		{ JRANK_DATA, PART_IDLE_DATA },
		{ JRANK_UNRECORDED, PART_UNRECORDED },
	};

	TABLE_CELLS(t, [JRANK_STEP] = cell_real(l->median), [JRANK_WAIT] = cell_real(l->suffered),
		[JRANK_TRANSFER] = cell_real(l->transfer), [JRANK_CAUSED] = cell_real(l->caused));
	for (size_t i = 0; i < COUNT_OF(parts); i++)
		table_real(t, (size_t)parts[i].col, l->part[parts[i].part]);
}

/* A rank by what its step has before it waits for others. */
struct standing {
	uint32_t rank;
	bool is_slow;
	double far; /* from the median rank's */
};

ORDER(by_standing, struct standing, compare3_down(a->is_slow, b->is_slow),
	compare3_down(a->far, b->far), compare3(a->rank, b->rank))

ORDER(by_place, struct standing, compare3(a->rank, b->rank))

/* The ranks that are shown, by rank: the slow ones, then those farthest from the median. */
static size_t choose(const struct jobpage *p, struct standing *v, size_t limit)
{
	const struct job_ledgers *l = &p->facts.ledgers;
	size_t n = l->n;

	for (size_t i = 0; i < n; i++) {
		double wait = l->v[i].suffered, far = fabs(wait - l->middle.suffered);

		v[i] = (struct standing){ (uint32_t)i, job_why_is_slow(&p->why, (uint32_t)i),
			isnan(far) ? 0 : far };
	}
	if (n <= limit)
		return n;
	qsort(v, n, sizeof(*v), by_standing);
	qsort(v, limit, sizeof(*v), by_place);
	return limit;
}

void jobpage_tables(const struct jobpage *p, struct result *r, enum jobpage_form form)
{
	put_findings(p, r, form);
	size_t n = p->facts.ledgers.n;
	struct standing *v = arena_array(&r->keep, n, sizeof(*v));
	if (n == 0 || isnan(p->facts.ledgers.step))
		return;
	struct table *t = result_table_of(r, &jobpage_docs[JOBPAGE_RANKS]);
	size_t shown = choose(p, v, form == JOBPAGE_ALL ? SIZE_MAX : PEOPLE_RANKS);
	for (size_t i = 0; i < shown; i++) {
		const struct job_rank *of = &p->job.rank[v[i].rank];
		const char *path = of->digest->path;
		TABLE_ROW(t, [JRANK_RANK] = cell_int(of->rank),
			[JRANK_WHAT] =
				CELL_IF(job_why_is_slow(&p->why, v[i].rank), cell_word("slow")));
		put_ledger(t, &p->facts.ledgers.v[v[i].rank]);
		TABLE_CELLS(t, [JRANK_FILE] = cell_copy(t, span_of(path)));
	}
	TABLE_ROW(t, [JRANK_WHAT] = cell_word("median"));
	put_ledger(t, &p->facts.ledgers.middle);
	t->nfoot = 1;
	t->ncut = n - shown;
	if (n > shown)
		t->footnote = "the slow ranks, and those that wait most or least; 'traceq ranks' "
			      "has all of them";
}
