/* Work by its call, and each pair of neighbours on a stream by what their calls do. */
#include "analyze/depgraph/datadeps.h"

#include <assert.h>

#include "analyze/trace/links/etjoin.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"
#include "base/words.h"

WORDS(data_key, enum data_class, DATA_CLASSES, 2)

WORDS(data_word, enum data_class, DATA_CLASSES, 3)

WORDS(data_what, enum data_class, DATA_CLASSES, 4)

struct making {
	struct datadeps *t;
	const struct depend *d;
	const struct etjoin *j;
	struct dataflow flow;
	uint32_t *row; /* by number of an operator: its row */
	size_t row_cap;
	uint32_t *number; /* by row: 1 + its number, where it has launched anything */
	uint32_t *base;   /* by lane: the last work before the iteration that is going on */
	uint32_t *going;  /* by lane: 1 + that iteration; 0: none */
};

static uint32_t row_of(const struct making *m, uint32_t node)
{
	const struct run *r = m->d->run;
	const struct depend_node *n = &m->d->node[node];
	uint32_t op = depend_is_work(n) ? op_of_row(r, n->row) : NO_ROW;

	return op < m->j->nrow && m->j->node_of[op] != ET_NONE ? op : NO_ROW;
}

static void find_ops(struct making *m)
{
	struct datadeps *t = m->t;

	for (uint32_t i = 0; i < m->d->n; i++) {
		uint32_t row = row_of(m, i);

		t->op[i] = ET_NONE;
		if (row == NO_ROW)
			continue;
		if (!m->number[row]) {
			PUSH(m->row, t->nop, m->row_cap, row);
			m->number[row] = (uint32_t)t->nop;
		}
		t->op[i] = m->number[row] - 1;
	}
}

/* Operators whose data each of them needs. */
static void find_after(struct making *m)
{
	struct datadeps *t = m->t;

	assert(t->nop == 0 || m->row);
	t->begin = zeroed(t->nop + 1, sizeof(*t->begin));
	for (size_t op = 0; op < t->nop; op++) {
		uint32_t row = m->row[op], call = m->j->node_of[row];

		t->begin[op] = t->nafter;
		for (size_t i = m->flow.begin[call]; i < m->flow.begin[call + 1]; i++) {
			uint32_t by =
				etjoin_row(m->j, m->j->iteration_of[row], m->flow.edge[i].node);

			if (by == NO_ROW || !m->number[by])
				continue;
			PUSH(t->after, t->nafter, t->after_cap, m->number[by] - 1);
		}
	}
	t->begin[t->nop] = t->nafter;
}

/* What work of call b has of the data of call a, both of one iteration. */
static enum data_class class_within(const struct making *m, uint32_t a, uint32_t b)
{
	const struct exectrace *et = m->j->et;
	enum data_class cls = DATA_FOLLOWS;

	if (exectrace_is_in(et, a, b) || exectrace_is_in(et, b, a))
		return DATA_SAME;
	if (!m->flow.is_known[b] || !m->flow.is_known[a])
		return DATA_UNKNOWN;
	for (size_t i = m->flow.begin[b]; i < m->flow.begin[b + 1]; i++) {
		const struct flow_edge *e = &m->flow.edge[i];

		if (e->node == a && !e->is_maybe)
			return DATA_NEEDS;
		/* What a call around it wrote may be its work. */
		if (e->node == a || exectrace_is_in(et, a, e->node))
			cls = DATA_UNKNOWN;
	}
	return cls;
}

static enum data_class class_of(const struct making *m, uint32_t node)
{
	uint32_t a = m->t->op[m->d->node[node].from[EDGE_PREV]], b = m->t->op[node];

	if (a == ET_NONE || b == ET_NONE)
		return DATA_UNKNOWN;
	a = m->row[a];
	b = m->row[b];
	uint32_t call = m->j->node_of[b];
	if (m->j->iteration_of[a] == m->j->iteration_of[b])
		return class_within(m, m->j->node_of[a], call);
	if (m->j->iteration_of[a] > m->j->iteration_of[b])
		return DATA_UNKNOWN;
	return m->flow.is_known[call] && !m->flow.is_outside[call] ? DATA_FOLLOWS : DATA_UNKNOWN;
}

static void add(struct making *m, uint32_t node)
{
	const struct depend_node *n = &m->d->node[node];
	uint32_t op = m->t->op[node], row = op == ET_NONE ? NO_ROW : m->row[op];

	m->t->cls[node] = DATA_COUNT;
	m->t->base[node] = NO_NODE;
	if (!depend_is_work(n))
		return;
	if (row != NO_ROW && m->going[n->lane] != m->j->iteration_of[row] + 1) {
		m->going[n->lane] = m->j->iteration_of[row] + 1;
		m->base[n->lane] = n->from[EDGE_PREV];
	}
	if (n->from[EDGE_PREV] == NO_NODE)
		return;
	m->t->cls[node] = (uint8_t)class_of(m, node);
	if (m->t->cls[node] == DATA_FOLLOWS && m->flow.is_outside[m->j->node_of[row]])
		m->t->base[node] = m->base[n->lane];
}

void datadeps_init(struct datadeps *t, const struct depend *d)
{
	struct making m = { .t = t, .d = d, .j = d->run->etjoin };

	*t = (struct datadeps){
		.cls = zeroed(d->n, sizeof(*t->cls)),
		.op = zeroed(d->n, sizeof(*t->op)),
		.base = zeroed(d->n, sizeof(*t->base)),
	};
	m.number = zeroed(m.j->nrow, sizeof(*m.number));
	m.base = zeroed(d->run->lanes.n, sizeof(*m.base));
	m.going = zeroed(d->run->lanes.n, sizeof(*m.going));
	dataflow_init(&m.flow, m.j->et);
	find_ops(&m);
	find_after(&m);
	for (uint32_t i = 0; i < d->n; i++)
		add(&m, i);
	dataflow_clear(&m.flow);
	FREE_ALL(m.row, m.number, m.base, m.going);
}

void datadeps_clear(struct datadeps *t)
{
	FREE_ALL(t->cls, t->op, t->base, t->begin, t->after);
	*t = (struct datadeps){ 0 };
}

/* ---- writers of each storage, newest first, as the calls go by ---- */

enum { NO_WRITE = UINT32_MAX };

struct write {
	int64_t begin, end;
	uint32_t node;
	uint32_t older; /* of the same storage, or NO_WRITE */
	bool is_maybe;
};

struct flowing {
	struct dataflow *f;
	const struct exectrace *et;
	struct write *write;
	size_t nwrite, cap;
	uint32_t *newest; /* by storage, or NO_WRITE */
	size_t *edge_of;  /* by node: 1 + the last edge to it */
};

/* Of writers that are alike one is enough. */
static void add_edge(struct flowing *w, uint32_t to, uint32_t node, bool is_maybe)
{
	struct dataflow *f = w->f;

	if (w->edge_of[node] > f->begin[to]) {
		f->edge[w->edge_of[node] - 1].is_maybe &= is_maybe;
		return;
	}
	PUSH(f->edge, f->nedge, f->cap, (struct flow_edge){ node, is_maybe });
	w->edge_of[node] = f->nedge;
}

static void read_use(struct flowing *w, uint32_t node, const struct et_use *use)
{
	bool is_maybe = (use->flags & ET_MAYBE) != 0, any = false;
	uint32_t at = w->newest[use->storage];
	int looks = FLOW_WRITERS;

	assert(w->write || at == NO_WRITE);
	for (; at != NO_WRITE && looks-- > 0; at = w->write[at].older) {
		const struct write *by = &w->write[at];

		if (by->begin >= use->end || use->begin >= by->end)
			continue;
		any = true;
		add_edge(w, node, by->node, is_maybe || by->is_maybe);
	}
	if (!any || at != NO_WRITE)
		w->f->is_outside[node] = true;
}

/* Whether all that was written before is gone. */
static bool is_all(const struct flowing *w, const struct et_use *use, uint32_t newest)
{
	const struct write *old = newest == NO_WRITE ? NULL : &w->write[newest];

	if (use->flags & ET_FRESH)
		return true;
	return (use->flags & ET_OVER) && old && use->begin <= old->begin && use->end >= old->end &&
		old->older == NO_WRITE;
}

static void add_write(struct flowing *w, uint32_t node, const struct et_use *use)
{
	const struct et_node *n = &w->et->node[node];
	uint32_t newest = w->newest[use->storage];
	bool is_leaf = n->last == node, is_maybe = (use->flags & ET_MAYBE) != 0;

	assert(w->write || newest == NO_WRITE);
	bool by_inner = newest != NO_WRITE && w->write[newest].node > node;

	/* Without a schema a call that others do the work of may hand on what is older. */
	if (!is_leaf && !n->has_schema && !by_inner && newest != NO_WRITE)
		return;
	if (!by_inner && !is_maybe && is_all(w, use, newest))
		newest = NO_WRITE;
	w->write = array_grow(w->write, &w->cap, w->nwrite + 1, sizeof(*w->write));
	w->write[w->nwrite] = (struct write){ use->begin, use->end, node, newest, is_maybe };
	if (use->flags & ET_FRESH) {
		w->write[w->nwrite].begin = 0;
		w->write[w->nwrite].end = INT64_MAX;
	}
	w->newest[use->storage] = (uint32_t)w->nwrite++;
}

static void add_writes(struct flowing *w, uint32_t node)
{
	const struct et_node *n = &w->et->node[node];

	for (size_t i = n->use; i < n->use + n->nuse; i++)
		if (w->et->use[i].flags & (ET_WRITES | ET_MAYBE))
			add_write(w, node, &w->et->use[i]);
}

static void add_reads(struct flowing *w, uint32_t node)
{
	const struct et_node *n = &w->et->node[node];

	w->f->begin[node] = w->f->nedge;
	w->f->is_known[node] = n->nuse > 0;
	for (size_t i = n->use; i < n->use + n->nuse; i++)
		if (w->et->use[i].flags & (ET_READS | ET_MAYBE))
			read_use(w, node, &w->et->use[i]);
}

/* Behind a call the writes of all that end with it. */
static void leave(struct flowing *w, uint32_t node)
{
	uint32_t up = node;

	while (up != ET_NONE && w->et->node[up].last == node) {
		add_writes(w, up);
		up = w->et->node[up].parent;
	}
}

void dataflow_init(struct dataflow *f, const struct exectrace *et)
{
	struct flowing w = { .f = f, .et = et };

	*f = (struct dataflow){
		.begin = zeroed(et->n + 1, sizeof(*f->begin)),
		.is_known = zeroed(et->n, sizeof(*f->is_known)),
		.is_outside = zeroed(et->n, sizeof(*f->is_outside)),
	};
	w.newest = zeroed(et->nstorage, sizeof(*w.newest));
	w.edge_of = zeroed(et->n, sizeof(*w.edge_of));
	for (uint32_t i = 0; i < et->nstorage; i++)
		w.newest[i] = NO_WRITE;
	for (uint32_t i = 0; i < et->n; i++) {
		add_reads(&w, i);
		leave(&w, i);
	}
	f->begin[et->n] = f->nedge;
	FREE_ALL(w.write, w.newest, w.edge_of);
}

void dataflow_clear(struct dataflow *f)
{
	FREE_ALL(f->begin, f->edge, f->is_known, f->is_outside);
	*f = (struct dataflow){ 0 };
}
