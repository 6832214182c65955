/* `check`: launches in figures.  How device events are linked, how long after their call they
 * start. */
#include "analyze/answer/check/check.h"
#include "analyze/analysis/row_limit.h"

enum { PEOPLE_LAUNCHERS = 10 };

static void put_launch(const struct check *c)
{
	const struct links *l = c->at->run->links;
	const int64_t value[LAUNCH_COLUMNS] = {
		[LAUNCH_DEVICE] = c->device,
		[LAUNCH_MATCHED] = l->linked + l->graph,
		[LAUNCH_LINKED] = l->linked,
		[LAUNCH_GRAPH] = l->graph,
		[LAUNCH_UNLINKED] = l->unlinked,
		[LAUNCH_UNLINKED_NS] = c->unlinked_ns,
		[LAUNCH_BY_EXTERNAL] = l->by_external_id,
		[LAUNCH_DISTINCT] = l->launching,
		[LAUNCH_GRAPHS] = l->graph_launches,
		[LAUNCH_DUPLICATES] = l->duplicate_correlations,
		[LAUNCH_WITHOUT_DEVICE] = (int64_t)l->nwithout_device,
		[LAUNCH_OUTSIDE] = c->seen[CHECK_OUTSIDE].n,
		[LAUNCH_OUTSIDE_NS] = c->outside_ops_ns,
		[LAUNCH_NO_EXTERNAL] = c->seen[CHECK_NO_EXTERNAL].n,
	};
	struct table *t = perrun_table(c->at, &check_docs[CHECK_LAUNCH]);

	t->layout = TABLE_LIST;
	table_row(t);
	for (size_t i = 0; i < LAUNCH_COLUMNS; i++)
		if (value[i] != 0 || !c->at->q->for_people)
			table_int(t, i, value[i]);
	rows_for_people(c->at->q, t);
}

/* Delays of the device events of some kinds, into v, which has room; how many. */
static size_t collect(const struct run *r, unsigned kinds, enum launch_delay d, int64_t *v)
{
	const struct events *ev = &r->events;
	size_t n = 0;

	for (size_t i = 0; i < ev->n; i++)
		if ((KIND_BIT(ev->kind[i]) & kinds) && launch_of_row(r, (uint32_t)i) != NO_ROW)
			v[n++] = launch_delay_of(r, (uint32_t)i, d);
	return n;
}

/* Device events by the name of their call. */
struct launcher {
	struct span name;
	int64_t events;
};

ORDER(by_events, struct launcher, compare3(b->events, a->events), span_cmp(a->name, b->name))

/* One launcher for each name that has any, sorted; *n receives how many. */
static struct launcher *count_launchers(const struct run *r, struct arena *mem, size_t *n)
{
	const struct events *ev = &r->events;
	int64_t *by_name = arena_array(mem, r->strings.n, sizeof(*by_name));
	struct launcher *v;
	uint32_t call;
	size_t i;

	for (i = 0; i < ev->n; i++)
		if (kind_is_device((enum kind)ev->kind[i]) &&
			(call = launch_of_row(r, (uint32_t)i)) != NO_ROW)
			by_name[ev->name[call]]++;
	for (i = 0, *n = 0; i < r->strings.n; i++)
		*n += by_name[i] > 0;
	v = arena_array(mem, *n, sizeof(*v));
	for (i = 0, *n = 0; i < r->strings.n; i++)
		if (by_name[i] > 0)
			v[(*n)++] =
				(struct launcher){ strings_get(&r->strings, (sym)i), by_name[i] };
	sort_rows(v, *n, sizeof(*v), by_events);
	return v;
}

static void put_launchers(const struct check *c)
{
	int64_t matched = c->at->run->links->linked + c->at->run->links->graph;
	struct table *t = perrun_table(c->at, &check_docs[CHECK_LAUNCHERS]);
	size_t limit = rows_limit(c->at->q, c->o->limit, PEOPLE_LAUNCHERS, SIZE_MAX), n;
	SCOPED_ARENA mem = { 0 };

	struct launcher *v = count_launchers(c->at->run, &mem, &n);
	size_t shown = MIN(n, limit);
	for (EACH(const struct launcher, launcher, v, shown)) {
		table_row(t);
		table_text(t, LAUNCHER_NAME, launcher->name);
		table_int(t, LAUNCHER_EVENTS, launcher->events);
		table_real(t, LAUNCHER_SHARE, (double)launcher->events / (double)matched);
	}
	rows_cut(t, LAUNCHER_NAME, n - shown);
}

void check_launch_tables(struct check *c)
{
	if (c->at->q->for_people && c->device == 0)
		return;
	put_launch(c);
	/* People see all kinds together. */
	size_t size = (size_t)c->device * sizeof(int64_t);
	int64_t *v = xmalloc(size);
	struct table *t = perrun_table(c->at, &check_docs[CHECK_DELAYS]);
	struct launch_delays delays;
	for (size_t i = c->at->q->for_people ? LAUNCH_WORKS - 1 : 0; i < LAUNCH_WORKS; i++)
		for (enum launch_delay d = 0; d < LAUNCH_DELAY_COUNT; d++) {
			delays = launch_delays_of(&launch_works[i], d, v,
				collect(c->at->run, launch_works[i].kinds, d, v));
			fields_row(t, &delays, &(struct fields_of){ 0 });
		}
	free(v);
	put_launchers(c);
}
