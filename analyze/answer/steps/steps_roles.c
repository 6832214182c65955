/*
 * `steps`: the eight roles, on average and step by step.
 */
#include <math.h>

#include "analyze/answer/steps/steps.h"
#include "analyze/measure/host/optree.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/run.h"
#include "base/minmax.h"
#include "base/saturate.h"

static nsec time_of(const struct steps_view *v, size_t i, enum role k)
{
	return (nsec)v->roles.step[v->stat.step[i]].ns[k];
}

/* Roles of devices are unknown without device work, those of the host where nothing recorded it. */
static bool is_known(const struct steps_view *v, enum role k)
{
	const int64_t *count = v->p->run->kind_count;
	unsigned kinds = optree_kinds(v->p->run);
	bool has_device = v->ledgers.ndevice > 0;

	switch (k) {
	case ROLE_KERNEL:
	case ROLE_MEMCPY:
	case ROLE_MEMSET: return has_device;
	case ROLE_COMM: return has_device || (nsec)v->roles.window.ns[k] > 0;
	case ROLE_RUNTIME: return count[KIND_RUNTIME] > 0;
	case ROLE_DATA:
	case ROLE_CPU:
		return count[KIND_OP] > 0 || count[KIND_ANNOTATION] > 0 ||
			(kinds & KIND_BIT(KIND_OTHER) && count[KIND_OTHER] > 0);
	default: return true;
	}
}

static void put_means(struct steps_view *v)
{
	struct table *t = perrun_table(v->p, &steps_docs[STEPS_ROLE_MEANS]);
	const struct stepstat *s = &v->stat;
	int64_t *value = arena_array(&v->p->mem, s->n, sizeof(*value));
	int role;
	size_t i;

	for (role = 0; role < ROLE_COUNT; role++) {
		nsec sum = 0;

		table_row(t);
		table_text(t, MEANS_ROLE, span_of(role_word((enum role)role)));
		if (!is_known(v, (enum role)role))
			continue;
		for (i = 0; i < s->n; i++) {
			value[i] = time_of(v, i, (enum role)role);
			saturate_onto(&sum, value[i]);
		}
		table_real(t, MEANS_MEAN, s->n > 0 ? (double)sum / (double)s->n : NAN);
		table_real(t, MEANS_SHARE, s->sum > 0 ? (double)sum / (double)s->sum : NAN);
		table_int(t, MEANS_SUM, sum);
		table_real(t, MEANS_MEDIAN, stepstat_median(s, value, &v->p->mem));
	}
	table_row(t);
	table_text(t, MEANS_ROLE, SPAN("step"));
	table_real(t, MEANS_MEAN, s->n > 0 ? (double)s->sum / (double)s->n : NAN);
	table_real(t, MEANS_SHARE, s->sum > 0 ? 1.0 : NAN);
	table_int(t, MEANS_SUM, s->sum);
	table_real(t, MEANS_MEDIAN, s->median);
	t->nfoot++;
}

static void put_steps(struct steps_view *v)
{
	struct table *t = perrun_table(v->p, &steps_docs[STEPS_ROLES]);
	size_t limit = steps_limit(v), n = MIN(v->stat.n, limit), i;
	int role;

	for (i = 0; i < n; i++) {
		table_row(t);
		steps_put_number(v, t, ROLES_STEP, i);
		table_int(t, ROLES_WALL, stepstat_dur(&v->stat, v->p->run, i));
		for (role = 0; role < ROLE_COUNT; role++)
			if (is_known(v, (enum role)role))
				table_int(t, (size_t)ROLES_FIRST + (size_t)role,
					time_of(v, i, (enum role)role));
		if (v->stat.mark[i])
			table_text(t, ROLES_MARK, span_of(stepstat_words(v->stat.mark[i])));
	}
	rows_cut(t, ROLES_MARK, v->stat.n - n);
}

void steps_role_tables(struct steps_view *v)
{
	put_means(v);
	if (v->o->roles || !v->p->q->for_people)
		put_steps(v);
}
