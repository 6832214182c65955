/*
 * Writers of each storage, newest first, as the calls go by.
 */
#include "analyze/depgraph/dataflow.h"

#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/zeroed.h"

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
	f->edge = array_grow(f->edge, &f->cap, f->nedge + 1, sizeof(*f->edge));
	f->edge[f->nedge++] = (struct flow_edge){ node, is_maybe };
	w->edge_of[node] = f->nedge;
}

static void read(struct flowing *w, uint32_t node, const struct et_use *use)
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
	bool by_inner;

	assert(w->write || newest == NO_WRITE);
	by_inner = newest != NO_WRITE && w->write[newest].node > node;

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
	size_t i;

	for (i = n->use; i < n->use + n->nuse; i++)
		if (w->et->use[i].flags & (ET_WRITES | ET_MAYBE))
			add_write(w, node, &w->et->use[i]);
}

static void add_reads(struct flowing *w, uint32_t node)
{
	const struct et_node *n = &w->et->node[node];
	size_t i;

	w->f->begin[node] = w->f->nedge;
	w->f->is_known[node] = n->nuse > 0;
	for (i = n->use; i < n->use + n->nuse; i++)
		if (w->et->use[i].flags & (ET_READS | ET_MAYBE))
			read(w, node, &w->et->use[i]);
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
	uint32_t i;

	*f = (struct dataflow){ 0 };
	f->begin = zeroed(et->n + 1, sizeof(*f->begin));
	f->is_known = zeroed(et->n, sizeof(*f->is_known));
	f->is_outside = zeroed(et->n, sizeof(*f->is_outside));
	w.newest = zeroed(et->nstorage, sizeof(*w.newest));
	w.edge_of = zeroed(et->n, sizeof(*w.edge_of));
	for (i = 0; i < et->nstorage; i++)
		w.newest[i] = NO_WRITE;
	for (i = 0; i < et->n; i++) {
		add_reads(&w, i);
		leave(&w, i);
	}
	f->begin[et->n] = f->nedge;
	free(w.write);
	free(w.newest);
	free(w.edge_of);
}

void dataflow_clear(struct dataflow *f)
{
	free(f->begin);
	free(f->edge);
	free(f->is_known);
	free(f->is_outside);
	*f = (struct dataflow){ 0 };
}
