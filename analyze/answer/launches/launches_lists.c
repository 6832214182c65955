/* `launches`: short kernels by name, the worst calls, and halves without the other half. */
#include "analyze/answer/launches/launches.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run_steps.h"

static struct groupby begin(struct launches *l, const struct grouping *how,
	enum launches_table table, const struct groups *from)
{
	struct groupby g = groupby_of(how, l->at, &launches_docs[table], from, l);

	g.limit = l->limit;
	return g;
}

static const struct grouping short_kernels = { .sort = LSHORT_CALLS, .name = LSHORT_NAME };

void launches_put_short(struct launches *l)
{
	const struct events *ev = &l->at->run->events;
	struct groups by_name;

	groups_init(
		&by_name, sizeof(sym), sizeof(struct launch_group), NULL, l->at->run->strings.n);
	for (EACH(const struct launch_call, c, l->call, l->ncall)) {
		if (c->n == 0 || !launches_is_short(l, c))
			continue;
		struct launch_group *of =
			groups_item(&by_name, groups_of(&by_name, ev->name[c->one]));
		durations_add(&of->calls, ev->dur[c->row]);
		saturate_onto(&of->device_ns, c->device_ns);
	}
	struct groupby g = begin(l, &short_kernels, LAUNCHES_SHORT, &by_name);
	g.of.whole = (double)l->calls;
	groupby_put(&g);
	groups_clear(&by_name);
}

/* What is equally long by time and name, so that the order of a file does not show. */
static void place_outlier(const void *ctx, const void *item, struct groupby_place *to)
{
	const struct launch_outlier *v = item;

	to->a[0] = v->start;
	to->name = strings_get(&((const struct launches *)ctx)->at->run->strings, v->call);
	to->b[0] = v->c->row;
}

static void put_outlier(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	const struct launch_outlier *v = item;
	const struct run *r = g->at->run;
	uint32_t op = r->links->op_of_launch[r->events.args[v->c->row] - 1];
	int64_t step;

	if (steps_number_at(r->steps, v->start, &step))
		groupby_int(g, LOUT_STEP, step);
	if (op != NO_ROW)
		groupby_text(g, LOUT_OP, run_name(r, op));
}

static const struct grouping outliers = {
	.sort = LOUT_NS, .name = LOUT_OP, .place = place_outlier, .put = put_outlier
};

static void put_worst(struct launches *l, struct table *t, bool is_delay)
{
	const struct events *ev = &l->at->run->events;
	size_t all = (size_t)(is_delay ? l->delayed : l->slow);
	nsec over = (is_delay ? l->o->long_delay_us : l->o->slow_call_us) * 1000;
	struct arena_mark mark = arena_mark(&l->at->mem);
	struct launch_outlier *v = arena_array(&l->at->mem, all, sizeof(*v));
	struct groupby g = begin(
		l, &outliers, LAUNCHES_OUTLIERS, &(struct groups){ .item = v, .size = sizeof(*v) });

	for (EACH(const struct launch_call, c, l->call, l->ncall)) {
		if (c->n == 0)
			continue;
		nsec ns = is_delay ? launches_delay(l, c) : ev->dur[c->row];
		if (ns > over)
			v[g.n++] = (struct launch_outlier){ is_delay ? "long delay" : "slow call",
				ns, ev->start[c->row],
				saturate_sub(ev->start[c->row], l->at->run->first_ns),
				ev->name[c->row], ev->name[c->one], c };
	}
	g.t = t;
	t->ncut += groupby_put_rows(&g);
	arena_reset(&l->at->mem, mark);
}

/* People see slow calls only: long delays are what a full queue looks like. */
void launches_put_outliers(struct launches *l)
{
	if (l->slow == 0 && (l->delayed == 0 || l->at->q->for_people))
		return;
	struct table *t = perrun_table(l->at, &launches_docs[LAUNCHES_OUTLIERS]);
	put_worst(l, t, false);
	if (l->at->q->for_people)
		rows_cut(t, LOUT_OP, t->ncut);
	else
		put_worst(l, t, true);
}

static void count(struct launches *l, struct groups *by_name, size_t row, const char *what)
{
	const struct events *ev = &l->at->run->events;
	struct launch_group *of = groups_item(by_name, groups_of(by_name, ev->name[row]));

	durations_add(&of->calls, ev->dur[row]);
	of->what = what;
}

/* Calls that look like launches and have no device event at all.  Those are not filtered. */
static void collect_calls(struct launches *l, struct groups *by_name)
{
	const struct run *r = l->at->run;
	const uint32_t *id = r->args.col[ARG_LAUNCH_CORRELATION].id;
	uint8_t *has_work = arena_array(&l->at->mem, l->ncall, sizeof(*has_work));

	for (EACH_DEVICE_ROW(row, r)) {
		uint32_t call = launch_of_row(r, row);

		if (call != NO_ROW)
			has_work[r->events.args[call] - 1] = 1;
	}
	for (size_t i = 0; id && i < r->events.n; i++) {
		uint32_t side = r->events.args[i];

		if (r->events.kind[i] == KIND_RUNTIME && side != NO_ARGS && !has_work[side - 1] &&
			id[side - 1] != 0 && launch_is_name(run_name(r, i)))
			count(l, by_name, i, "call without work");
	}
}

static void collect_work(struct launches *l, struct groups *by_name)
{
	const struct run *r = l->at->run;

	for (EACH_DEVICE_ROW(row, r)) {
		if (launch_of_row(r, row) == NO_ROW && filter_device(&l->at->view, row) &&
			filter_name(&l->at->view, r->events.name[row]))
			count(l, by_name, row, "work without launch");
	}
}

static const struct grouping unmatched = { .sort = LMISS_COUNT, .name = LMISS_NAME };

static void put_missing(struct launches *l, struct table *t,
	void (*collect)(struct launches *l, struct groups *by_name))
{
	struct groups by_name;

	groups_init(
		&by_name, sizeof(sym), sizeof(struct launch_group), NULL, l->at->run->strings.n);
	collect(l, &by_name);
	struct groupby g = begin(l, &unmatched, LAUNCHES_UNMATCHED, &by_name);
	g.t = t;
	t->ncut += groupby_put_rows(&g);
	groups_clear(&by_name);
}

void launches_put_unmatched(struct launches *l)
{
	struct arena_mark mark = arena_mark(&l->at->mem);

	if (l->unlinked == 0 && l->at->run->links->nwithout_device == 0)
		return;
	struct table *t = perrun_table(l->at, &launches_docs[LAUNCHES_UNMATCHED]);
	put_missing(l, t, collect_calls);
	put_missing(l, t, collect_work);
	rows_cut(t, LMISS_NAME, t->ncut);
	arena_reset(&l->at->mem, mark);
}
