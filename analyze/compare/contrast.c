/* Contrasts: the order of work, and the metrics. */
#include "analyze/compare/contrast.h"

/* Contrasts: conditions, what differs before anything is measured, in environment and
 * configuration. */

/* One key of the environment: equal, unknown on a side, or said to differ. */
static void compare_env(struct contrast *c, const char *key, const char *what, bool is_needed)
{
	struct span base = sides_condition(c->base, key, false, c->mem);
	struct span now = sides_condition(c->now, key, false, c->mem);

	if (base.n > 0 && now.n > 0 && !span_eq(base, now))
		c->condition[c->ncondition++] =
			(struct contrast_condition){ key, what, base, now, false, is_needed };
}

ORDER(by_key, char *const, strcmp(*a, *b))

static size_t config_keys(const struct side *s, const char **key, size_t n)
{
	for (EACH(const struct side_run, run, s->run, s->nrun))
		for (size_t k = 0; k < run->n; k++) {
			const struct digest_conditions *c = &run->part[k].digest->config;

			for (size_t f = 0; f < c->n; f++)
				key[n++] = c->v[f].key;
		}
	return n;
}

static size_t count_config(const struct side *s)
{
	size_t n = 0;

	for (EACH(const struct side_run, run, s->run, s->nrun))
		for (size_t k = 0; k < run->n; k++)
			n += run->part[k].digest->config.n;
	return n;
}

static void compare_configs(struct contrast *c, const char **key)
{
	size_t n = config_keys(c->now, key, config_keys(c->base, key, 0));

	qsort(key, n, sizeof(*key), by_key);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && strcmp(key[i], key[i - 1]) == 0)
			continue;
		struct span base = sides_condition(c->base, key[i], true, c->mem);
		struct span now = sides_condition(c->now, key[i], true, c->mem);
		if (!span_eq(base, now))
			c->condition[c->ncondition++] = (struct contrast_condition){ key[i], key[i],
				base, now, true, false };
	}
}

/* Fills condition. */
static void find_conditions(struct contrast *c)
{
#define X(key, what, is_needed) +1
	enum { ENV_COUNT = 0 ENV_KEYS(X) };
#undef X
	size_t nbase = count_config(c->base), nnow = count_config(c->now);

	c->condition = arena_array(c->mem, ENV_COUNT + nbase + nnow, sizeof(*c->condition));
#define X(key, what, is_needed) compare_env(c, #key, what, is_needed);
	ENV_KEYS(X)
#undef X
	if (nbase > 0 && nnow > 0)
		compare_configs(c, arena_array(c->mem, nbase + nnow, sizeof(const char *)));
}

const char *contrast_condition_text(const struct contrast_condition *f, struct arena *mem)
{
	const char *means = f->is_needed ? "; times of different GPUs are compared"
		: span_in(span_of(f->key), "with_stack|profile_memory")
		? "; recording it takes time of the CPU's"
		: "";

	return arena_printf(mem, "%s: %.*s -> %.*s%s", f->what, (int)f->base.n, f->base.p,
		(int)f->now.n, f->now.p, means);
}

const struct contrast_options contrast_usual = { .by = OPSUMS_OP,
	.alpha = CONTRAST_ALPHA / 100.0,
	.noise = NAN,
	.threshold = CONTRAST_THRESHOLD / 100.0 };

/* The mean over runs of the mean of all steps. */
static double all_mean(const struct metric *m)
{
	return SUM(double, i, m->n, m->sample[i].mean) / (double)m->n;
}

static struct change change_from(double base, double now)
{
	return (struct change){ .base = base,
		.now = now,
		.delta = now - base,
		.ratio = base != 0 ? (now - base) / base : NAN,
		.lo = NAN,
		.hi = NAN,
		.p = NAN };
}

static void judge_step(struct contrast *c, const struct metric *base, const struct metric *now)
{
	contrast_judge_by(c, base, now, 0, &c->step);
	c->has_step = true;
	if (!base->is_log) {
		struct metric a = metric_of_medians(base, c->mem),
			      b = metric_of_medians(now, c->mem);

		c->has_median = true;
		contrast_judge_by(c, &a, &b, 0, &c->median);
		c->all = change_from(all_mean(base), all_mean(now));
	}
}

/* The step time of both sides: of traces where both have them, else of logs. */
static const struct metric_pair *find_step(const struct contrast *c)
{
	for (EACH(const struct metric_pair, p, c->pairs.v, c->pairs.n))
		if (p->base && p->now && strcmp(metric_quantity(p->base), "step_time") == 0)
			return p;
	return NULL;
}

static void find_metrics(struct contrast *c)
{
	metricset_init(&c->base_metrics, c->base, c->mem);
	metricset_init(&c->now_metrics, c->now, c->mem);
	c->better_unknown = c->o.nbetter;
	for (size_t i = c->o.nbetter; i-- > 0;)
		if (!better_apply(&c->o.better[i], &c->base_metrics, &c->now_metrics))
			c->better_unknown = i;
	metric_pairs_init(&c->pairs, &c->base_metrics, &c->now_metrics, c->mem);
	const struct metric_pair *step = find_step(c);
	if (step)
		judge_step(c, step->base, step->now);
	for (size_t i = 0; i < c->pairs.n && !c->has_common; i++)
		c->has_common = c->pairs.v[i].base && c->pairs.v[i].now;
}

void contrast_init(struct contrast *c, const struct side *base, const struct side *now,
	const struct contrast_options *o, struct arena *mem)
{
	*c = (struct contrast){ .o = *o, .base = base, .now = now, .mem = mem };
	find_conditions(c);
	find_metrics(c);
}

/* The step that is judged is the ledger's, to the nanosecond. */
static void align(struct contrast *c)
{
	struct change *s = &c->step;

	if (!c->has_median)
		return;
	const struct change ledger = change_from((double)c->ledger.base, (double)c->ledger.now);
	s->base = ledger.base;
	s->now = ledger.now;
	s->delta = ledger.delta;
	s->ratio = ledger.ratio;
}

void contrast_find_work(struct contrast *c)
{
	contrast_find_ledger(c);
	if (c->ledger.n == 0)
		return;
	align(c);
	contrast_find_ranks(c);
	contrast_find_jobs(c);
	contrast_find_rows(c, &c->device, false, c->o.by);
	contrast_test_rows(c, &c->device);
	contrast_find_rows(c, &c->host, true, c->o.by);
	contrast_test_rows(c, &c->host);
	if (c->o.by == OPSUMS_OP || c->o.by == OPSUMS_SHAPE) {
		contrast_find_rows(c, &c->kernels, false, OPSUMS_CALL);
		contrast_test_rows(c, &c->kernels);
	}
	if (c->ledger.is_device)
		contrast_find_amounts(c);
}
