/*
 * Contrasts: conditions, what differs before anything is measured, in environment and
 * configuration.
 */
#include <stdlib.h>

#include "analyze/compare/contrast.h"
#include "analyze/job/digest/digest.h"
#include "analyze/job/sides.h"

/* One key of the environment: equal, unknown on a side, or said to differ. */
static void compare_env(struct contrast *c, const char *key, const char *what, bool is_needed)
{
	struct span base = sides_condition(c->base, key, false, c->mem);
	struct span now = sides_condition(c->now, key, false, c->mem);

	if (base.n > 0 && now.n > 0 && !span_eq(base, now))
		c->condition[c->ncondition++] =
			(struct contrast_condition){ key, what, base, now, false, is_needed };
}

static int by_key(const void *pa, const void *pb)
{
	return strcmp(*(const char *const *)pa, *(const char *const *)pb);
}

static size_t config_keys(const struct side *s, const char **key, size_t n)
{
	for (size_t i = 0; i < s->nrun; i++)
		for (size_t k = 0; k < s->run[i].n; k++) {
			const struct digest_conditions *c = &s->run[i].part[k].digest->config;

			for (size_t f = 0; f < c->n; f++)
				key[n++] = c->v[f].key;
		}
	return n;
}

static size_t count_config(const struct side *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nrun; i++)
		for (size_t k = 0; k < s->run[i].n; k++)
			n += s->run[i].part[k].digest->config.n;
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

void contrast_find_conditions(struct contrast *c)
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
	return arena_printf(mem, "%s: %.*s -> %.*s%s", f->what, (int)f->base.n, f->base.p,
		(int)f->now.n, f->now.p,
		f->is_needed ? "; times of different GPUs are compared" : "");
}
