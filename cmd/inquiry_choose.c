/* Which traces of a job are looked at where not all are: another inquiry says whom the others wait
 * for. */
#include "analyze/analysis/analysis.h"
#include "base/base.h"
#include "cmd/inquiry.h"

/* Whether there are more traces of a run than are looked at together. */
static bool has_left(const struct inquiry *g)
{
	const struct inputs_want want = { .folder = FOLDER_RANKS, .is_of_events = true };
	struct input_list l = { .want = &want };
	struct err e;

	for (size_t i = 0; i < g->npath; i++)
		if (inputs_find(&l, g->path[i], &e) != OK)
			break;
	bool is_left = ANY(i, l.n, l.input[i].kind == INPUT_LEFT);
	input_list_clear(&l);
	return is_left;
}

static void take_ranks(struct inquiry *g, const struct table *ranks, bool are_slow)
{
	for (size_t i = 0; i < table_rows(ranks); i++) {
		struct span what = table_word(ranks, i, "what"),
			    file = table_word(ranks, i, "file");

		if (what.n > 0 && !span_is(what, "odd") && span_is(what, "slow") == are_slow)
			g->first[g->nfirst++] = arena_copy(&g->mem, file.p, file.n);
	}
}

static void take_named(struct inquiry *g, const struct result *job)
{
	const struct table *ranks = result_find(job, "ranks", 0);

	for (EACH(const struct note, note, job->note, job->nnote))
		if (strcmp(note->id, "ranks_missing") == 0)
			g->absent = arena_copy(&g->mem, note->text, strlen(note->text));
	g->first = arena_array(&g->mem, table_rows(ranks), sizeof(*g->first));
	take_ranks(g, ranks, true);
	g->nslow = g->nfirst;
	take_ranks(g, ranks, false);
}

void inquiry_choose(struct inquiry *g)
{
	struct inquiry job;
	const char *where;
	struct err e;

	if (!has_left(g))
		return;
	g->filter.is_part = true;
	inquiry_init(&job, g->all);
	job.read = g->read;
	job.is_quiet = true;
	job.npath = g->npath;
	job.path = zeroed(g->npath, sizeof(*job.path));
	memcpy(job.path, g->path, g->npath * sizeof(*job.path));
	const struct inquiry_ask *a = inquiry_ask_alone(&job, analysis_find(g->all, "ranks"));
	enum status st = operands_split(&job.operands, job.path, job.npath, a->analysis->sides.min,
		a->analysis->sides.max, &job.mem, &e);
	THEN(st, inquiry_run(&job, &where, &e));
	if (st == OK)
		take_named(g, &a->result);
	inquiry_clear(&job);
}
