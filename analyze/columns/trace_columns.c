/* The rows of each table, found when they are first asked for. */
#include "analyze/columns/trace_columns.h"

#include "analyze/analysis/shared.h"
#include "analyze/measure/device/copyclass.h"
#include "analyze/measure/window.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run_steps.h"

void columns_init(
	struct columns *c, const struct run *r, const char *file, const struct table *findings)
{
	*c = (struct columns){ .run = r, .findings = findings };
	strings_init(&c->own, 0);
	c->file = strings_intern(&c->own, span_of(file));
}

void columns_clear(struct columns *c)
{
	for (EACH(struct columns_rows, rows, c->rows, SCHEMA_TABLES))
		free(rows->v);
	FREE_ALL(c->account, c->gap, c->part, c->point);
	strings_clear(&c->own);
	arena_clear(&c->mem);
	*c = (struct columns){ 0 };
}

/* ---- events of some kinds ---- */

enum { KINDS_NO_SLICE = KIND_BIT(KIND_MEMORY) | KIND_BIT(KIND_COUNTER) };

static void find_kinds(struct columns *c, enum schema_table_id t, unsigned kinds)
{
	const struct events *ev = &c->run->events;
	struct columns_rows *rows = &c->rows[t];
	size_t n = SUM(size_t, i, ev->n, (KIND_BIT(ev->kind[i]) & kinds) != 0);

	if (n == ev->n) {
		rows->n = n;
		return;
	}
	rows->v = zeroed(n + 1, sizeof(*rows->v));
	for (size_t i = 0; i < ev->n; i++)
		if (KIND_BIT(ev->kind[i]) & kinds)
			rows->v[rows->n++] = (uint32_t)i;
}

static void make_classes(struct columns *c)
{
	if (!c->has_classes)
		classes_init(&c->classes, c->run, &c->mem);
	c->has_classes = true;
}

static void find_collectives(struct columns *c)
{
	struct columns_rows *rows = &c->rows[SCHEMA_COLLECTIVES];
	size_t n = columns_rows(c, SCHEMA_KERNELS);

	rows->v = zeroed(n + 1, sizeof(*rows->v));
	for (size_t i = 0; i < n; i++) {
		uint32_t row =
			c->rows[SCHEMA_KERNELS].v ? c->rows[SCHEMA_KERNELS].v[i] : (uint32_t)i;

		if (classes_of(&c->classes, row) == CLASS_COMM)
			rows->v[rows->n++] = row;
	}
}

/* ---- the window: ledger and gaps ---- */

struct columns_window {
	struct filter filter;
	struct filter_set set;
	struct filter_view view;
	struct window window;
	struct ledgers ledgers;
	struct step_gap_causes waiting;
};

static bool has_device_work(const struct run *r)
{
	return r->order && r->order->ndevice_lane > 0 && r->steps;
}

static bool make_window(struct columns *c, struct columns_window *w)
{
	struct err e;

	*w = (struct columns_window){ 0 };
	err_clear(&e);
	make_classes(c);
	if (filter_parse(&w->set, &w->filter, &e) != OK ||
		filter_view_init(&w->view, &w->set, c->run, &c->mem, &e) != OK)
		return false;
	shared_window(
		NULL, &w->window, &w->ledgers, &w->waiting, c->run, &c->classes, &w->view, &c->mem);
	c->counts = w->window.counts;
	return true;
}

static void make_ledger(struct columns *c)
{
	struct columns_window w;

	if (!has_device_work(c->run))
		return;
	if (make_window(c, &w))
		for (size_t s = 0; s < c->run->steps->n; s++)
			for (size_t d = 0; d < w.ledgers.ndevice; d++)
				if (w.ledgers.device[d].range)
					PUSH(c->account, c->naccount, c->account_cap,
						(struct columns_account){ (uint32_t)s,
							w.ledgers.device[d].id,
							account_of_step(
								&w.ledgers, &w.waiting, d, s) });
	filter_free(&w.set);
}

static void add_part(void *ctx, const struct gap_cause_part *p)
{
	struct columns *c = ctx;

	PUSH(c->part, c->npart, c->part_cap,
		(struct columns_gap_part){ p->start, p->end, (uint32_t)c->ngap, p->held, p->cls });
}

struct adding_gaps {
	struct columns *c;
	int64_t device;
};

static void add_gap(void *ctx, const struct gap *g)
{
	struct adding_gaps *to = ctx;
	struct columns *c = to->c;

	PUSH(c->gap, c->ngap, c->gap_cap,
		(struct columns_gap){ .device = to->device,
			.start = g->start,
			.end = g->end,
			.covered = g->doing_ns,
			.behind = g->behind_ns,
			.prev = g->prev,
			.next = g->next,
			.launch = g->launch,
			.doing = g->doing,
			.held = g->held,
			.cause = g->cls });
}

static void make_gaps(struct columns *c)
{
	struct columns_window w;
	struct devices devices;
	struct gaps g;

	if (!has_device_work(c->run))
		return;
	if (make_window(c, &w)) {
		gaps_init(&g, c->run, &w.view, w.window.time, w.window.nstep);
		g.part = add_part;
		g.part_ctx = c;
		devices_init(&devices, c->run, &c->mem);
		for (size_t i = 0; i < devices.n; i++) {
			struct adding_gaps to = { c, devices.id[i] };

			gaps_of_device(&g, devices.id[i], add_gap, &to);
		}
		gaps_clear(&g);
	}
	filter_free(&w.set);
}

/* ---- what is not of events ---- */

static void make_findings(struct columns *c)
{
	for (size_t i = 0; i < table_rows(c->findings); i++)
		for (size_t k = 0; k < c->findings->ncol; k++)
			if (c->findings->col[k].type == CELL_TEXT)
				(void)strings_intern(&c->own, table_text_at(c->findings, i, k));
}

static void add_series(struct columns *c, const struct record *rec, const struct series *s)
{
	struct columns_point p = { .series = s, .n = 1 };
	struct series_block *block;
	size_t n;

	p.name = strings_intern(&c->own, s->name);
	p.group = s->group.n ? strings_intern(&c->own, s->group) : SCHEMA_NO_TEXT;
	p.file = (size_t)s->artifact < rec->nartifact
		? strings_intern(
			  &c->own, span_of(run_below(c->run, rec->artifact[s->artifact].path)))
		: SCHEMA_NO_TEXT;
	if (series_is_exact(s)) {
		for (int64_t i = 0; i < s->n; i++) {
			p.x = s->point[i].x;
			p.value = p.min = p.max = s->point[i].y;
			PUSH(c->point, c->npoint, c->point_cap, p);
		}
		return;
	}
	block = zeroed(SERIES_BLOCKS, sizeof(*block));
	n = series_blocks(s, block);
	for (EACH(const struct series_block, b, block, n)) {
		p.n = b->n;
		p.x = b->first_x;
		p.value = b->mean;
		p.min = b->min;
		p.max = b->max;
		PUSH(c->point, c->npoint, c->point_cap, p);
	}
	free(block);
}

static void make_series(struct columns *c)
{
	const struct record *rec = c->run->record;

	for (size_t i = 0; rec && i < rec->nseries; i++)
		add_series(c, rec, rec->series[i]);
}

/* ---- all of them ---- */

bool columns_can(const struct run *r)
{
	return r->has_trace || (r->record && r->record->nseries > 0);
}

static void make(struct columns *c, enum schema_table_id t)
{
	switch (t) {
	case SCHEMA_EVENTS: find_kinds(c, t, KINDS_ALL & ~(unsigned)KINDS_NO_SLICE); return;
	case SCHEMA_KERNELS:
		find_kinds(c, t, KIND_BIT(KIND_KERNEL));
		make_classes(c);
		return;
	case SCHEMA_COPIES: find_kinds(c, t, KIND_BIT(KIND_MEMCPY) | KIND_BIT(KIND_MEMSET)); return;
	case SCHEMA_MEMORY: find_kinds(c, t, KIND_BIT(KIND_MEMORY)); return;
	case SCHEMA_COLLECTIVES: find_collectives(c); return;
	case SCHEMA_LEDGER: make_ledger(c); return;
	case SCHEMA_GAPS:
	case SCHEMA_GAP_PARTS:
		make_gaps(c);
		c->is_made[SCHEMA_GAPS] = c->is_made[SCHEMA_GAP_PARTS] = true;
		return;
	case SCHEMA_FINDINGS: make_findings(c); return;
	case SCHEMA_SERIES: make_series(c); return;
	case SCHEMA_STEPS:
	case SCHEMA_TABLES: return;
	}
}

size_t columns_rows(struct columns *c, enum schema_table_id t)
{
	if (!c->is_made[t])
		make(c, t);
	c->is_made[t] = true;
	switch (t) {
	case SCHEMA_STEPS: return c->run->steps ? c->run->steps->n : 0;
	case SCHEMA_LEDGER: return c->naccount;
	case SCHEMA_GAPS: return c->ngap;
	case SCHEMA_GAP_PARTS: return c->npart;
	case SCHEMA_FINDINGS: return table_rows(c->findings);
	case SCHEMA_SERIES: return c->npoint;
	default: return c->rows[t].n;
	}
}

/* ---- texts ---- */

/* By enum axis. */
static const char *const axes[] = { "row", "step", "time", "repeat" };

static const char *word_of(enum schema_dictionary d, uint32_t id)
{
	switch (d) {
	case DICTIONARY_KINDS: return kind_word((enum kind)id);
	case DICTIONARY_CLASSES: return classes_word((enum devclass)id);
	case DICTIONARY_CAUSES: return gap_cause_word((enum gap_cause)id);
	case DICTIONARY_COLLECTIVES: return commclass_word((enum comm_op)id);
	case DICTIONARY_DIRECTIONS: return copyclass_direction_word((enum copy_direction)id);
	case DICTIONARY_MEMORIES: return copyclass_memory_word((enum copy_memory)id);
	default: return axes[id];
	}
}

size_t columns_texts(const struct columns *c, enum schema_dictionary d)
{
	const size_t n[DICTIONARY_COUNT] = { [DICTIONARY_NAMES] = c->run->strings.n,
		[DICTIONARY_OWN] = c->own.n,
		[DICTIONARY_KINDS] = KIND_COUNT,
		[DICTIONARY_CLASSES] = CLASS_COUNT,
		[DICTIONARY_CAUSES] = GAP_CAUSE_COUNT,
		[DICTIONARY_COLLECTIVES] = COMM_OP_COUNT,
		[DICTIONARY_DIRECTIONS] = COPY_DIRECTION_COUNT,
		[DICTIONARY_MEMORIES] = COPY_MEMORY_COUNT,
		[DICTIONARY_AXES] = COUNT_OF(axes) };

	return n[d];
}

struct span columns_text(const struct columns *c, enum schema_dictionary d, uint32_t id)
{
	if (id == SCHEMA_NO_TEXT)
		return span_of("");
	if (d == DICTIONARY_NAMES)
		return strings_get(&c->run->strings, id);
	return d == DICTIONARY_OWN ? strings_get(&c->own, id) : span_of(word_of(d, id));
}

uint32_t columns_find_text(const struct columns *c, enum schema_dictionary d, struct span text)
{
	if (d == DICTIONARY_NAMES)
		return strings_find(&c->run->strings, text);
	if (d == DICTIONARY_OWN)
		return strings_find(&c->own, text);
	return FIND_VALUE(i, columns_texts(c, d), span_is(text, word_of(d, (uint32_t)i)),
		(uint32_t)i, SCHEMA_NO_TEXT);
}
