/*
 * `diff`: what the sides are, and what about them differs before anything is measured.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answer/diff/diff.h"

static struct span kept(struct diff *d, struct span s)
{
	return (struct span){ arena_copy(&d->out->mem, s.p, s.n), s.n };
}

static void put_difference(
	struct diff *d, const char *kind, const char *what, struct span base, struct span now)
{
	const struct table_doc *doc = &diff_docs[DIFF_ENV_TABLE];
	struct table *t = d->differences;

	if (!t)
		t = d->differences = result_table(d->out, doc->id, doc->title, doc->col, doc->ncol);
	table_row(t);
	table_text(t, DENV_KIND, span_of(kind));
	table_text(t, DENV_KEY, kept(d, span_of(what)));
	if (base.n > 0)
		table_text(t, DENV_BASE, kept(d, base));
	if (now.n > 0)
		table_text(t, DENV_NEW, kept(d, now));
}

/* One key of the environment: equal, unknown on a side, or said to differ. */
static enum status compare_env(struct diff *d, const char *key, const char *what, bool is_needed)
{
	struct span base = sides_fact(d->base, key, false, &d->mem);
	struct span now = sides_fact(d->now, key, false, &d->mem);

	if (base.n == 0 || now.n == 0 || span_eq(base, now))
		return OK;
	if (is_needed && !d->w.allow_gpu) {
		(void)err_set(d->e, E_NODATA, -1,
			"base has %s %.*s, new has %s %.*s: not comparable", what, (int)base.n,
			base.p, what, (int)now.n, now.p);
		return err_hint(d->e, "--allow-env %s compares them anyway", key);
	}
	put_difference(d, "environment", what, base, now);
	result_note(d->out, NOTE_WARNING, "env_differs", -1, -1, "%s: %.*s -> %.*s%s", what,
		(int)base.n, base.p, (int)now.n, now.p,
		is_needed ? "; times of different GPUs are compared" : "");
	return OK;
}

static int by_key(const void *pa, const void *pb)
{
	return strcmp(*(const char *const *)pa, *(const char *const *)pb);
}

static size_t config_keys(const struct side *s, const char **key, size_t n)
{
	size_t i, k, f;

	for (i = 0; i < s->nrun; i++)
		for (k = 0; k < s->run[i].n; k++) {
			const struct digest_facts *c = &s->run[i].part[k].digest->config;

			for (f = 0; f < c->n; f++)
				key[n++] = c->v[f].key;
		}
	return n;
}

static size_t count_config(const struct side *s)
{
	size_t i, k, n = 0;

	for (i = 0; i < s->nrun; i++)
		for (k = 0; k < s->run[i].n; k++)
			n += s->run[i].part[k].digest->config.n;
	return n;
}

static void compare_configs(struct diff *d)
{
	size_t n = count_config(d->base), m = count_config(d->now), i;
	const char **key = arena_array(&d->mem, n + m, sizeof(*key));

	if (n == 0 || m == 0)
		return;
	n = config_keys(d->base, key, 0);
	n = config_keys(d->now, key, n);
	qsort(key, n, sizeof(*key), by_key);
	for (i = 0; i < n; i++) {
		struct span base, now;

		if (i > 0 && strcmp(key[i], key[i - 1]) == 0)
			continue;
		base = sides_fact(d->base, key[i], true, &d->mem);
		now = sides_fact(d->now, key[i], true, &d->mem);
		if (!span_eq(base, now))
			put_difference(d, "config", key[i], base, now);
	}
}

/* Ranks that the world has and a run's files have not. */
static void note_ranks(struct diff *d, const struct side *s, const char *word)
{
	size_t i, k;

	for (i = 0; i < s->nrun; i++) {
		const struct side_run *run = &s->run[i];
		int64_t world = -1;

		for (k = 0; k < run->nrank; k++)
			world = run->part[k].digest->world > world ? run->part[k].digest->world
								   : world;
		if (run->nrank > 0 && world > (int64_t)run->nrank)
			result_note(d->out, NOTE_INFO, "ranks_missing", -1,
				world - (int64_t)run->nrank,
				"%s, run %s: traces of %zu of %lld ranks", word, run->name,
				run->nrank, (long long)world);
	}
}

/* What was found and not used: of no known kind, or damaged. */
static void note_left(struct diff *d, const struct side *s, const char *word)
{
	const struct side_left *odd = NULL, *damaged = NULL;
	int64_t nodd = 0, ndamaged = 0;
	size_t i;

	for (i = 0; i < s->nleft; i++) {
		const struct side_left **first = s->left[i].is_damaged ? &damaged : &odd;

		*first = *first ? *first : &s->left[i];
		++*(s->left[i].is_damaged ? &ndamaged : &nodd);
	}
	if (odd)
		result_note(d->out, NOTE_INFO, "files_left_out", -1, nodd,
			"%s: %lld file%s left out, the first %s: %s", word, (long long)nodd,
			nodd == 1 ? "" : "s", odd->path, odd->why);
	if (damaged)
		result_note(d->out, NOTE_WARNING, "files_unreadable", -1, ndamaged,
			"%s: %lld file%s cannot be read, the first %s: %s", word,
			(long long)ndamaged, ndamaged == 1 ? "" : "s", damaged->path, damaged->why);
}

enum status diff_env(struct diff *d)
{
#define X(key, what, is_needed) TRY(compare_env(d, #key, what, is_needed));
	ENV_KEYS(X)
#undef X
	compare_configs(d);
	note_ranks(d, d->base, "base");
	note_ranks(d, d->now, "new");
	note_left(d, d->base, "base");
	note_left(d, d->now, "new");
	return OK;
}

static void put_side(struct diff *d, struct table *t, const struct side *s, const char *word,
	const struct metricset *m)
{
	const struct metric *step = metricset_find(m, "step_time");
	struct span gpu = sides_fact(s, "gpu", false, &d->mem);

	table_row(t);
	table_text(t, DSIDE_SIDE, span_of(word));
	table_int(t, DSIDE_RUNS, (int64_t)s->nrun);
	if (sides_ranks(s) > 0)
		table_int(t, DSIDE_RANKS, (int64_t)sides_ranks(s));
	if (sides_steps(s) > 0)
		table_int(t, DSIDE_STEPS, (int64_t)sides_steps(s));
	if (step)
		table_real(t, DSIDE_STEP, metric_centre(step));
	if (gpu.n > 0)
		table_text(t, DSIDE_GPU, kept(d, gpu));
	table_text(t, DSIDE_LABEL, kept(d, span_of(s->label)));
}

void diff_put_sides(struct diff *d)
{
	const struct table_doc *doc = &diff_docs[DIFF_SIDES_TABLE];
	struct table *t = result_table(d->out, doc->id, doc->title, doc->col, doc->ncol);

	put_side(d, t, d->base, "base", &d->base_metrics);
	put_side(d, t, d->now, "new", &d->now_metrics);
}

static void put_parts(struct diff *d, struct table *t, const struct side *s, const char *word)
{
	size_t i, k;

	for (i = 0; i < s->nrun; i++)
		for (k = 0; k < s->run[i].n; k++) {
			const struct side_part *p = &s->run[i].part[k];

			table_row(t);
			table_text(t, DRUN_SIDE, span_of(word));
			table_text(t, DRUN_RUN, kept(d, span_of(s->run[i].name)));
			if (p->rank >= 0)
				table_int(t, DRUN_RANK, p->rank);
			table_text(t, DRUN_KIND, span_of(p->digest->kind));
			if (p->digest->nstep > 0) {
				table_int(t, DRUN_STEPS, (int64_t)p->digest->nstep);
				table_real(t, DRUN_STEP, p->digest->median);
			}
			table_text(t, DRUN_FILE, kept(d, span_of(p->digest->path)));
		}
}

void diff_put_runs(struct diff *d)
{
	const struct table_doc *doc = &diff_docs[DIFF_RUNS_TABLE];
	struct table *t;

	if (d->q->for_people && sides_parts(d->base) <= 1 && sides_parts(d->now) <= 1)
		return;
	t = result_table(d->out, doc->id, doc->title, doc->col, doc->ncol);
	put_parts(d, t, d->base, "base");
	put_parts(d, t, d->now, "new");
}
