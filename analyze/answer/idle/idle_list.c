/* `idle`: the longest gaps, and gaps by what the CPU did. */
#include "analyze/answer/idle/idle.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/run_steps.h"

void idle_list_init(struct idle_list *l, struct perrun *at, struct gaps *gaps, size_t limit)
{
	*l = (struct idle_list){
		.run = at->run, .gaps = gaps, .view = &at->view, .longest = { .limit = limit }
	};
	keymap_init(&l->by_cause, 2 * sizeof(uint32_t));
}

void idle_list_clear(struct idle_list *l)
{
	long_gaps_clear(&l->longest);
	free(l->cause);
	keymap_clear(&l->by_cause);
	*l = (struct idle_list){ 0 };
}

static nsec length(const struct gap *g)
{
	return saturate_sub(g->end, g->start);
}

static struct idle_cause *cause_of(struct idle_list *l, sym name, enum gap_cause cls)
{
	uint32_t key[] = { name, cls }, at = keymap_add(&l->by_cause, key);

	if (at == l->ncause) {
		PUSH(l->cause, l->ncause, l->cause_cap,
			(struct idle_cause){ .name = name, .cls = cls, .held = NO_ROW });
	}
	return &l->cause[at];
}

/* The name of what the CPU was in; steps are one. */
static sym name_of(struct idle_list *l, const struct gap *g)
{
	if (g->doing == NO_ROW)
		return 0;
	sym name = l->run->events.name[g->doing];
	if (!span_starts(strings_get(&l->run->strings, name), "ProfilerStep#"))
		return name;
	if (!l->step)
		l->step = name;
	return l->step;
}

void idle_list_add(void *ctx, const struct gap *g)
{
	struct idle_list *l = ctx;
	sym name = name_of(l, g);

	gap_sums_add(l->sums, g);
	if (g->cls == GAP_CAUSE_UNRECORDED || !filter_name(l->view, name))
		return;
	saturate_onto(&l->all_ns, length(g));
	struct idle_cause *c = cause_of(l, name, g->cls);
	c->gaps++;
	saturate_onto(&c->ns, length(g));
	c->max = MAX(length(g), c->max);
	saturate_onto(&c->behind_ns, g->behind_ns);
	if (g->held != NO_ROW && length(g) > c->held_gap) {
		c->held = g->held;
		c->held_gap = length(g);
	}
	long_gaps_add(&l->longest, g, l->device);
}

/* The name of what a call that held the thread up is; NO_ROW: none had. */
static struct row_cell behind_cell(struct idle_list *l, uint32_t held)
{
	return CELL_IF(held != NO_ROW, cell_text(run_name(l->run, gaps_behind(l->gaps, held))));
}

/* Whether a tenth of its time or more is in such calls, or behind them. */
static bool is_behind(const struct idle_cause *c)
{
	return c->cls == GAP_CAUSE_SYNC || c->behind_ns >= c->ns / 10;
}

struct cause_place {
	const struct idle_cause *c;
	struct span name;
};

ORDER(by_time, struct cause_place, compare3(b->c->ns, a->c->ns), span_cmp(a->name, b->name),
	compare3(a->c->cls, b->c->cls))

/* People see whether one is behind a call where any is. */
void idle_put_causes(const struct perrun *at, struct idle_list *l, size_t limit)
{
	struct cause_place *v = arena_array(&at->out->mem, l->ncause, sizeof(*v));
	uint64_t seen = COLUMN_SET(
		CAUSE_NS, CAUSE_SHARE, CAUSE_CLASS, CAUSE_GAPS, CAUSE_MEAN, CAUSE_MAX, CAUSE_NAME);
	size_t i;

	for (i = 0; i < l->ncause; i++) {
		if (l->cause[i].held != NO_ROW && is_behind(&l->cause[i]))
			seen |= COLUMN_SET(CAUSE_BEHIND);
		struct span name = strings_get(&l->run->strings, l->cause[i].name);

		if (l->step && l->cause[i].name == l->step)
			name = SPAN("ProfilerStep*");
		v[i] = (struct cause_place){ &l->cause[i], name };
	}
	struct table *t = perrun_table_seen(at, &idle_docs[IDLE_CAUSES], seen);
	sort_rows(v, l->ncause, sizeof(*v), by_time);
	for (i = 0; i < l->ncause && i < limit; i++) {
		const struct idle_cause *c = v[i].c;

		TABLE_ROW(t, [CAUSE_NS] = cell_int(c->ns),
			[CAUSE_SHARE] = cell_real((double)c->ns / (double)l->all_ns),
			[CAUSE_CLASS] = cell_word(gap_cause_word(c->cls)),
			[CAUSE_BEHIND] = behind_cell(l, is_behind(c) ? c->held : NO_ROW),
			[CAUSE_BEHIND_NS] = cell_int(c->behind_ns),
			[CAUSE_GAPS] = cell_int(c->gaps),
			[CAUSE_MEAN] = cell_real((double)c->ns / (double)c->gaps),
			[CAUSE_MAX] = cell_int(c->max), [CAUSE_NAME] = cell_name(v[i].name));
	}
	rows_cut(t, CAUSE_NAME, l->ncause - i);
	t->footnote = "a gap is in one row with all its time, by the class of most of it";
}

static void put_gap(
	struct table *t, const struct perrun *at, struct idle_list *l, const struct long_gap *v)
{
	const struct run *r = at->run;
	const struct gap *g = &v->gap;
	int64_t step;

	TABLE_ROW(t, [LONG_NS] = cell_int(length(g)),
		[LONG_ID] = cell_text(place_id_of_gap(r, &at->view, v->device, g, &at->out->mem)),
		[LONG_CLASS] = cell_word(gap_cause_word(g->cls)),
		[LONG_DEVICE] = cell_int(v->device),
		[LONG_STEP] =
			CELL_IF(steps_number_around(r->steps, g->start, &step), cell_int(step)),
		[LONG_AT] = cell_int(saturate_sub(g->start, r->first_ns)),
		[LONG_START] = cell_int(g->start));
	if (g->doing != NO_ROW) {
		const struct lane *lane = &r->lanes.lane[r->events.lane[g->doing]];
		struct span pid = strings_get(&r->strings, lane->pid);
		struct span tid = strings_get(&r->strings, lane->tid);
		TABLE_CELLS(t, [LONG_DOING] = cell_text(run_name(r, g->doing)),
			[LONG_COVERED] = cell_real((double)g->doing_ns / (double)length(g)),
			[LONG_THREAD] =
				cell_textf(t, "%.*s/%.*s", (int)pid.n, pid.p, (int)tid.n, tid.p));
	}
	TABLE_CELLS(t, [LONG_BEHIND] = behind_cell(l, g->held),
		[LONG_BEHIND_NS] = cell_int(g->behind_ns));
	TABLE_CELLS(t, [LONG_NEXT] = CELL_IF(g->next != NO_ROW, cell_text(run_name(r, g->next))),
		[LONG_PREV] = CELL_IF(g->prev != NO_ROW, cell_text(run_name(r, g->prev))));
	if (g->launch != NO_ROW)
		TABLE_CELLS(t, [LONG_LAUNCH] = cell_text(run_name(r, g->launch)),
			[LONG_LAUNCH_AT] =
				cell_int(saturate_sub(r->events.start[g->launch], g->start)));
}

void idle_put_longest(const struct perrun *at, struct idle_list *l)
{
	struct table *t = perrun_table(at, &idle_docs[IDLE_LONGEST]);
	size_t i;

	long_gaps_sort(&l->longest);
	for (i = 0; i < l->longest.n; i++)
		put_gap(t, at, l, &l->longest.v[i]);
	rows_cut(t, LONG_DOING, (size_t)l->longest.all - i);
}
