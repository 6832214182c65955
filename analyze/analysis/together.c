/* Several runs answered for together. */
#include "analyze/analysis/together.h"

#include "analyze/analysis/pagecells.h"
#include "analyze/trace/run.h"
#include "analyze/trace/runpath.h"
#include "base/opt.h"

static bool has_runs(const struct query *q, const struct perrun_how *how)
{
	return how->runs && !(how->runs->wants_pages && how->runs->wants_pages(q->opts));
}

/* The rank of an input, as far as it is known before it is opened. */
static int64_t rank_of(const struct query *q, size_t i, const char *path)
{
	const struct run *r = q->run ? q->run[i] : NULL;

	return r && r->has_trace && r->meta.rank >= 0 ? r->meta.rank : runpath_rank(path);
}

/* The first run is loaded in any case.  The others may be waiting. */
static bool may_be_job(const struct query *q, const struct result *out)
{
	int64_t first = rank_of(q, 0, out->input[0]), second = rank_of(q, 1, out->input[1]);
	const struct run *run = NULL;
	struct err e;

	if (q->nrun == 2 && first == second && first >= 0)
		return false;
	if (first >= 0 || second >= 0)
		return true;
	err_clear(&e);
	if (query_open(q, 0, &run, &e) != OK)
		return false;
	first = run ? run->meta.rank : -1;
	query_close(q, 0);
	return first >= 0;
}

bool together_init(
	struct together *g, const struct query *q, const struct perrun_how *how, struct result *out)
{
	*g = (struct together){ .q = q, .how = how, .out = out };
	if (q->nrun < 2 || q->is_per_run || q->layout != TABLE_GRID)
		return false;
	g->has_runs = has_runs(q, how);
	g->has_job = how->folds && !(how->folds->wants_pages && how->folds->wants_pages(q->opts)) &&
		may_be_job(q, out);
	if (!g->has_runs && !g->has_job)
		return false;
	result_init(&g->kept, "");
	if (g->has_runs)
		runs_table_init(&g->runs, how->runs);
	if (g->has_job) {
		const struct folds *f = g->how->folds;
		jobpage_init(&g->job, g->q->nrun);
		g->fold = arena_array(&g->mem, f->n, sizeof(*g->fold));
		for (size_t i = 0; i < f->n; i++)
			fold_init(&g->fold[i], &f->doc[i]);
		g->has_ranks = f->ranks && g->q->for_people;
		if (g->has_ranks)
			runs_table_init(&g->ranks, f->ranks);
	}
	return true;
}

void together_clear(struct together *g)
{
	if (g->has_runs)
		runs_table_clear(&g->runs);
	for (size_t i = 0; g->has_job && i < g->how->folds->n; i++)
		fold_clear(&g->fold[i]);
	if (g->has_ranks)
		runs_table_clear(&g->ranks);
	if (g->has_job)
		jobpage_clear(&g->job);
	result_clear(&g->kept);
	arena_clear(&g->mem);
}

void together_take(struct together *g, const struct run *run, struct shared *shared, int input,
	size_t ntable, size_t nnote)
{
	struct result *r = g->out;

	if (r->ntable > ntable) {
		g->nrun++;
		g->input = input;
		if (g->has_runs)
			runs_table_add(&g->runs, r, ntable, input);
		if (g->has_ranks)
			runs_table_add(&g->ranks, r, ntable, input);
	}
	if (g->has_job)
		jobpage_look(&g->job, run, g->q->filter, shared, (size_t)input);
	if (!g->q->for_people)
		return;
	for (size_t i = 0; g->has_job && i < g->how->folds->n; i++)
		fold_add(&g->fold[i], r, ntable, input);
	/* Tables of a page that stay where the page goes. */
	const char *ids = g->has_job ? g->how->folds->kept : g->how->runs->kept;
	for (size_t i = ntable; ids && i < r->ntable; i++)
		if (r->table[i]->nrow > 0 && span_in(span_of(r->table[i]->id), ids))
			pagecells_copy_table(&g->kept, r->table[i]);
	result_drop_tables(r, ntable);
	size_t n = nnote;
	for (size_t i = nnote; i < r->nnote; i++)
		if (r->note[i].level != NOTE_INFO)
			r->note[n++] = r->note[i];
	r->nnote = n;
}

/* How many rows people want of a table: -n, where the analysis has it. */
static size_t limit_of(const struct together *g, const struct fold_doc *doc)
{
	const struct analysis_options *o = &g->q->analysis->options;
	const struct opt *limit = FIND(i, o->opt, o->n, strcmp(o->opt[i].name, "limit") == 0);
	int64_t asked = -1;

	if (limit)
		memcpy(&asked, (const char *)g->q->opts + limit->offset, sizeof(asked));
	if (asked < 0)
		return doc->rows ? doc->rows : SIZE_MAX;
	return asked == 0 ? SIZE_MAX : (size_t)asked;
}

static enum jobpage_form form_of(const struct together *g)
{
	if (!g->q->for_people)
		return JOBPAGE_ALL;
	return g->how->folds->is_verdict ? JOBPAGE_VERDICT : JOBPAGE_BRIEF;
}

static void put_job(struct together *g)
{
	struct result *out = g->out;
	const struct fold_ranks ranks = { g->job.rank, g->job.n };
	size_t before = out->ntable;

	if (g->how->folds->settle)
		g->how->folds->settle(g->ctx, &g->job, g->fold);
	jobpage_put(&g->job, out, form_of(g));
	if (g->how->folds->put)
		g->how->folds->put(g->ctx, &g->job, out);
	result_front(out, before);
	if (!g->q->for_people)
		return;
	if (g->how->folds->join)
		g->how->folds->join(&g->job, &g->kept, out);
	for (size_t i = 0; !g->how->folds->join && i < g->kept.ntable; i++)
		pagecells_copy_table(out, g->kept.table[i]);
	if (g->has_ranks)
		runs_table_put(&g->ranks, out, true);
	for (size_t i = 0; i < g->how->folds->n; i++)
		fold_put(&g->fold[i], out, &ranks, limit_of(g, &g->how->folds->doc[i]));
	if (out->ntable > 0)
		out->table[out->ntable - 1]->footnote = "--per-rank shows the page of each";
}

bool together_put(struct together *g)
{
	bool is_job = g->has_job && jobpage_find(&g->job);

	if (is_job)
		put_job(g);
	if (g->has_runs && !(is_job && g->q->for_people)) {
		runs_table_put(&g->runs, g->out, g->q->for_people);
		for (size_t i = 0; g->how->runs->kept && i < g->kept.ntable; i++)
			pagecells_copy_table(g->out, g->kept.table[i]);
	}
	return is_job || g->has_runs;
}
