/*
 * Work by its call, and each pair of neighbours on a stream by what their calls do.
 */
#include "analyze/depgraph/datadeps.h"

#include <stdlib.h>

#include "analyze/depgraph/dataflow.h"
#include "analyze/trace/links/etjoin.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"
#include "base/zeroed.h"

const char *data_key(enum data_class c)
{
#define X(name, key, word, what) key,
	static const char *const keys[] = { DATA_CLASSES(X) };
#undef X

	return keys[c];
}

const char *data_word(enum data_class c)
{
#define X(name, key, word, what) word,
	static const char *const words[] = { DATA_CLASSES(X) };
#undef X

	return words[c];
}

const char *data_what(enum data_class c)
{
#define X(name, key, word, what) what,
	static const char *const whats[] = { DATA_CLASSES(X) };
#undef X

	return whats[c];
}

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
	uint32_t side = depend_is_work(n) ? r->events.args[n->row] : NO_ARGS;
	uint32_t op = side == NO_ARGS ? NO_ROW : r->links->op[side - 1];

	return op < m->j->nrow && m->j->node_of[op] != ET_NONE ? op : NO_ROW;
}

static void find_ops(struct making *m)
{
	struct datadeps *t = m->t;
	uint32_t i;

	for (i = 0; i < m->d->n; i++) {
		uint32_t row = row_of(m, i);

		t->op[i] = ET_NONE;
		if (row == NO_ROW)
			continue;
		if (!m->number[row]) {
			m->row = array_grow(m->row, &m->row_cap, t->nop + 1, sizeof(*m->row));
			m->row[t->nop++] = row;
			m->number[row] = (uint32_t)t->nop;
		}
		t->op[i] = m->number[row] - 1;
	}
}

/* Operators whose data each of them needs. */
static void find_after(struct making *m)
{
	struct datadeps *t = m->t;
	size_t op, i;

	t->begin = zeroed(t->nop + 1, sizeof(*t->begin));
	for (op = 0; op < t->nop; op++) {
		uint32_t row = m->row[op], call = m->j->node_of[row];

		t->begin[op] = t->nafter;
		for (i = m->flow.begin[call]; i < m->flow.begin[call + 1]; i++) {
			uint32_t by =
				etjoin_row(m->j, m->j->iteration_of[row], m->flow.edge[i].node);

			if (by == NO_ROW || !m->number[by])
				continue;
			t->after = array_grow(
				t->after, &t->after_cap, t->nafter + 1, sizeof(*t->after));
			t->after[t->nafter++] = m->number[by] - 1;
		}
	}
	t->begin[t->nop] = t->nafter;
}

/* What work of call b has of the data of call a, both of one iteration. */
static enum data_class class_within(const struct making *m, uint32_t a, uint32_t b)
{
	const struct exectrace *et = m->j->et;
	enum data_class cls = DATA_FOLLOWS;
	size_t i;

	if (exectrace_is_in(et, a, b) || exectrace_is_in(et, b, a))
		return DATA_SAME;
	if (!m->flow.is_known[b] || !m->flow.is_known[a])
		return DATA_UNKNOWN;
	for (i = m->flow.begin[b]; i < m->flow.begin[b + 1]; i++) {
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
	uint32_t a = m->t->op[m->d->node[node].from[EDGE_PREV]], b = m->t->op[node], call;

	if (a == ET_NONE || b == ET_NONE)
		return DATA_UNKNOWN;
	a = m->row[a];
	b = m->row[b];
	call = m->j->node_of[b];
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
	uint32_t i;

	*t = (struct datadeps){ 0 };
	t->cls = zeroed(d->n, sizeof(*t->cls));
	t->op = zeroed(d->n, sizeof(*t->op));
	t->base = zeroed(d->n, sizeof(*t->base));
	m.number = zeroed(m.j->nrow, sizeof(*m.number));
	m.base = zeroed(d->run->lanes.n, sizeof(*m.base));
	m.going = zeroed(d->run->lanes.n, sizeof(*m.going));
	dataflow_init(&m.flow, m.j->et);
	find_ops(&m);
	find_after(&m);
	for (i = 0; i < d->n; i++)
		add(&m, i);
	dataflow_clear(&m.flow);
	free(m.row);
	free(m.number);
	free(m.base);
	free(m.going);
}

void datadeps_clear(struct datadeps *t)
{
	free(t->cls);
	free(t->op);
	free(t->base);
	free(t->begin);
	free(t->after);
	*t = (struct datadeps){ 0 };
}
