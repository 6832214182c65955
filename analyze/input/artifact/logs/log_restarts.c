/* Each process against those of its name in front of it. */
#include "analyze/input/artifact/logs/log_restarts.h"

/* "Worker pid=" of "Worker pid=200"; empty: it is no process. */
static struct span name_of(struct span group)
{
	const char *at = memmem(group.p, group.n, "pid=", 4);

	return at ? span_between(group.p, at + 4) : SPAN("");
}

static struct log_stage *stage_of(const struct log_figures *g, struct span group, struct span name)
{
	return FIND_VALUE(i, LOG_STAGES,
		g->stage[i] && span_eq(g->stage[i]->series->group, group) &&
			span_eq(g->stage[i]->series->name, name),
		g->stage[i], NULL);
}

static bool goes_on(const struct log_stage *from, const struct log_stage *t)
{
	const struct series *a = from ? from->series : NULL, *b = t->series;

	if (!a || from->newest > t->oldest || a->axis != AXIS_STEP || b->axis != AXIS_STEP ||
		a->n < 2 || b->n == 0 || !series_is_exact(a) || !series_is_exact(b))
		return false;
	double stride = a->last.x - a->point[a->n - 2].x;
	return b->point[0].x > a->point[0].x && b->point[0].x <= a->last.x + stride;
}

static bool is_of(const struct log_stage *t, struct span group)
{
	return t && span_eq(t->series->group, group);
}

/* All series of the group go on from those of `from`. */
static bool join(struct log_figures *g, struct span from, struct span group)
{
	if (!ANY(i, LOG_STAGES, is_of(g->stage[i], group)) ||
		ANY(i, LOG_STAGES,
			is_of(g->stage[i], group) &&
				!goes_on(
					stage_of(g, from, g->stage[i]->series->name), g->stage[i])))
		return false;
	for (size_t i = 0; i < LOG_STAGES; i++) {
		if (!is_of(g->stage[i], group))
			continue;
		struct series *s = g->stage[i]->series;
		struct log_stage *to = stage_of(g, from, s->name);
		series_add_many(to->series, s->point, (size_t)s->n);
		to->series->nan += s->nan;
		to->series->inf += s->inf;
		to->newest = g->stage[i]->newest;
		to->count += g->stage[i]->count;
		g->in->record->artifact[g->in->artifact].nseries--;
		series_clear(s);
		free(g->stage[i]);
		g->stage[i] = NULL;
	}
	return true;
}

void log_restarts_join(struct log_figures *g)
{
	size_t joined = 0;

	for (size_t i = 1; i < g->nrank; i++) {
		struct span group = g->rank[i].group, name = name_of(group);

		for (size_t k = 0; k < i && name.n; k++) /* the first is the run's own */
			if ((k == 0 || span_eq(name_of(g->rank[k].group), name)) &&
				join(g, g->rank[k].group, group)) {
				joined++;
				break;
			}
	}
	g->nother -= joined;
	if (joined)
		record_drop_cleared(g->in->record);
}
