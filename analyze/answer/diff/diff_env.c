/* `diff`: what the sides are, and what about them differs before anything is measured. */
#include "analyze/answer/diff/diff.h"

struct span diff_kept(struct diff *d, struct span s)
{
	return (struct span){ arena_copy(&d->out->mem, s.p, s.n), s.n };
}

static enum status put_conditions(struct diff *d)
{
	struct table *t = NULL;

	for (size_t i = 0; i < d->c.ncondition; i++) {
		const struct contrast_condition *f = &d->c.condition[i];

		if (f->is_needed && !d->w.allow_gpu) {
			(void)err_set(d->e, E_NODATA, -1,
				"base has %s %.*s, new has %s %.*s: not comparable", f->what,
				(int)f->base.n, f->base.p, f->what, (int)f->now.n, f->now.p);
			return err_hint(d->e, "--allow-env %s compares them anyway", f->key);
		}
		if (!t)
			t = result_table_of(d->out, &diff_docs[DIFF_ENV_TABLE]);
		TABLE_ROW(t, [DENV_KIND] = cell_word(f->is_config ? "config" : "environment"),
			[DENV_KEY] = cell_text(diff_kept(d, span_of(f->what))),
			[DENV_BASE] = cell_copy(t, f->base), [DENV_NEW] = cell_copy(t, f->now));
		if (!f->is_config)
			result_note(d->out, NOTE_WARNING, "env_differs", -1, -1, "%s",
				contrast_condition_text(f, &d->mem));
	}
	return OK;
}

/* Ranks that the world has and a run's files have not. */
static void note_ranks(struct diff *d, const struct side *s, const char *word)
{
	for (EACH(const struct side_run, run, s->run, s->nrun)) {
		int64_t world = -1;

		for (size_t k = 0; k < run->nrank; k++)
			world = MAX(run->part[k].digest->world, world);
		if (run->nrank > 0 && world > (int64_t)run->nrank)
			result_note(d->out, NOTE_INFO, "ranks_missing", -1,
				world - (int64_t)run->nrank,
				"%s, run %s: traces of %zu of %lld ranks", word, run->name,
				run->nrank, (long long)world);
	}
}

/* Traces that are in no figure, since their ranks are there. */
static void note_doubled(struct diff *d, const struct side *s, const char *word)
{
	const struct side_run *over = &s->run[s->nrun];
	size_t n = SUM(size_t, i, s->nover, over[i].nrank);

	if (n > 0)
		result_note(d->out, NOTE_WARNING, "ranks_doubled", -1, (int64_t)n,
			"%s: %zu further %s of ranks that are there, the first %s of rank %lld",
			word, n, plural(n, "trace", "traces"), over->part[0].digest->path,
			(long long)over->part[0].rank);
}

/* What was found and not used: of no known kind, or damaged. */
static void note_left(struct diff *d, const struct side *s, const char *word)
{
	const struct side_left *odd = NULL, *damaged = NULL;
	int64_t nodd = 0, ndamaged = 0;

	for (EACH(const struct side_left, l, s->left, s->nleft)) {
		const struct side_left **first = l->is_damaged ? &damaged : &odd;

		*first = *first ? *first : l;
		++*(l->is_damaged ? &ndamaged : &nodd);
	}
	if (odd)
		result_note(d->out, NOTE_INFO, "files_left_out", -1, nodd,
			"%s: %lld file%s left out, the first %s: %s", word, (long long)nodd,
			plural_s(nodd), odd->path, odd->why);
	if (damaged)
		result_note(d->out, NOTE_WARNING, "files_unreadable", -1, ndamaged,
			"%s: %lld file%s cannot be read, the first %s: %s", word,
			(long long)ndamaged, plural_s(ndamaged), damaged->path, damaged->why);
}

/* A number of the run's configuration by the end of its key: "profiler.num_steps"; -1: none. */
static int64_t config_number(const struct side_run *run, const char *profiler, const char *plain)
{
	for (size_t i = 0; i < run->n; i++) {
		const struct digest_conditions *config = &run->part[i].digest->config;
		struct span v = digest_condition(config, profiler);
		int64_t n = 0;
		size_t k;

		v = v.p ? v : digest_condition(config, plain);
		for (k = 0; k < v.n && k < 9 && v.p[k] >= '0' && v.p[k] <= '9'; k++)
			n = 10 * n + (v.p[k] - '0');
		if (v.n > 0 && k == v.n)
			return n;
	}
	return -1;
}

void diff_note_window(struct diff *d, const struct side *s, const char *word)
{
	for (EACH(const struct side_run, run, s->run, s->nrun)) {
		int64_t from = config_number(run, "profiler.start_step", "start_step");
		int64_t steps = config_number(run, "profiler.num_steps", "num_steps");
		const struct digest *trace = run->nrank > 0 ? run->part[0].digest : NULL;

		if (steps <= 0 || from < 0 || !trace || !trace->has_steps ||
			(size_t)steps == trace->nstep_all)
			continue;
		result_note(d->out, NOTE_WARNING, "profiled_window", -1, steps,
			"%s, run %s: %lld steps from step %lld on were to be profiled, its trace has "
			"%zu",
			word, run->name, (long long)steps, (long long)from, trace->nstep_all);
	}
}

enum status diff_env(struct diff *d)
{
	TRY(put_conditions(d));
	note_ranks(d, d->c.base, "base");
	note_doubled(d, d->c.base, "base");
	note_ranks(d, d->c.now, "new");
	note_doubled(d, d->c.now, "new");
	note_left(d, d->c.base, "base");
	note_left(d, d->c.now, "new");
	return OK;
}

/* By the documents' formulas, mean over the side's traces. */
static void put_documents_times(struct table *t, const struct side *s)
{
	double cpu = 0, cuda = 0;
	size_t n = 0;

	for (EACH(const struct side_run, run, s->run, s->nrun))
		for (size_t k = 0; k < run->nrank; k++, n++) {
			cpu += (double)run->part[k].digest->documents_cpu;
			cuda += (double)run->part[k].digest->documents_cuda;
		}
	if (n == 0)
		return;
	table_real(t, DSIDE_DOCUMENTS_CPU, cpu / (double)n);
	table_real(t, DSIDE_DOCUMENTS_CUDA, cuda / (double)n);
}

static void put_side(
	struct diff *d, struct table *t, const struct side *s, const char *word, double step)
{
	struct span gpu = sides_condition(s, "gpu", false, &d->mem);

	TABLE_ROW(t, [DSIDE_SIDE] = cell_word(word), [DSIDE_RUNS] = cell_size(s->nrun),
		[DSIDE_RANKS] = CELL_IF(sides_ranks(s) > 0, cell_size(sides_ranks(s))),
		[DSIDE_STEPS] = CELL_IF(sides_steps(s) > 0, cell_size(sides_steps(s))),
		[DSIDE_STEP] = cell_real(step), [DSIDE_GPU] = cell_copy(t, gpu),
		[DSIDE_LABEL] = cell_text(diff_kept(d, span_of(s->label))));
	put_documents_times(t, s);
}

/* Where the sides' step times are of different kinds: each as its own says. */
static double centre(const struct metricset *m)
{
	const struct metric *step = metricset_find(m, "step_time");

	return step ? metric_centre(step) : NAN;
}

void diff_put_sides(struct diff *d)
{
	struct table *t = result_table_of(d->out, &diff_docs[DIFF_SIDES_TABLE]);

	put_side(d, t, d->c.base, "base",
		d->c.has_step ? d->c.step.base : centre(&d->c.base_metrics));
	put_side(d, t, d->c.now, "new", d->c.has_step ? d->c.step.now : centre(&d->c.now_metrics));
}

static double mean_step(const struct digest *d)
{
	double sum = SUM(double, i, d->nstep, (double)d->step[i].wall);

	return sum / (double)d->nstep;
}

static void put_parts(struct diff *d, struct table *t, const struct side *s, const char *word)
{
	for (EACH(const struct side_run, run, s->run, s->nrun))
		for (EACH(const struct side_part, p, run->part, run->n)) {
			TABLE_ROW(t, [DRUN_SIDE] = cell_word(word),
				[DRUN_RUN] = cell_text(diff_kept(d, span_of(run->name))),
				[DRUN_RANK] = cell_count(p->rank),
				[DRUN_KIND] = cell_word(p->digest->kind));
			if (p->digest->nstep > 0)
				TABLE_CELLS(t, [DRUN_STEPS] = cell_size(p->digest->nstep),
					[DRUN_STEP] = cell_real(mean_step(p->digest)));
			table_text(t, DRUN_FILE, diff_kept(d, span_of(p->digest->path)));
		}
}

void diff_put_runs(struct diff *d)
{
	if (d->q->for_people && sides_parts(d->c.base) <= 1 && sides_parts(d->c.now) <= 1)
		return;
	struct table *t = result_table_of(d->out, &diff_docs[DIFF_RUNS_TABLE]);
	put_parts(d, t, d->c.base, "base");
	put_parts(d, t, d->c.now, "new");
}
