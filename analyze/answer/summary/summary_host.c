/*
 * `summary`: one pass over the op tree for CPU time by phase, and for the sums the documents use.
 */
#include <stdlib.h>

#include "analyze/answer/summary/summary.h"
#include "analyze/measure/host/callpath.h"
#include "analyze/measure/device/devtime.h"
#include "analyze/measure/host/hoststeps.h"
#include "analyze/measure/host/optree.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/analysis/shared.h"
#include "analyze/trace/links/calls.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

struct walk {
	struct summary *s;
	struct events ev; /* the run's, at hand for every call, as the next two */
	struct calls calls;
	const uint32_t *host;
	bool takes_all; /* neither --cat nor --steps */
	struct phases phases;
	struct devtime devtime;
	bool *is_hidden;      /* by sym */
	struct callpath path; /* bits: the phase; rows: of torch's table, that the time of its
	                         device work is in */
	struct host_steps steps;
};

HOT_INLINE bool takes(struct walk *w, uint32_t row)
{
	return LIKELY(w->takes_all) || filter_host(&w->s->at->view, row);
}

/*
 * Whether torch's table has the row: those that the filter takes and torch does not hide, but for
 * the one that is dropped as its parent's only child of the same name.
 */
HOT_INLINE int table_rows_of(struct walk *w, uint32_t place, uint32_t row)
{
	int n = takes(w, row) && !w->is_hidden[w->ev.name[row]];
	uint32_t up;

	if (w->calls.flags[place] & CALL_IS_DUP) {
		up = w->host[w->calls.parent[place]];
		n -= takes(w, up) && !w->is_hidden[w->ev.name[up]];
	}
	return n;
}

/*
 * Self times count hidden rows too, so that they add up to the roots.  Totals are torch's, which
 * sums cpu_time_total and device_time_total over all rows after its dedup: what is nested counts at
 * each level.
 */
static void add_call(struct walk *w, uint32_t place)
{
	struct summary *s = w->s;
	uint32_t row = w->host[place];
	struct callpath_node *node = callpath_enter(&w->path, &w->calls, place);
	nsec dur = w->ev.dur[row], self = saturate_sub(dur, w->calls.child_ns[place]);
	nsec device = devtime_get(&w->devtime, row);
	enum phase phase = phases_of(
		&w->phases, w->ev.name[row], (enum kind)w->ev.kind[row], (enum phase)node[-1].bits);
	int n = table_rows_of(w, place, row);

	node->bits = phase;
	node->rows = node[-1].rows + n;
	if (n)
		s->cpu_total =
			n > 0 ? saturate_add(s->cpu_total, dur) : saturate_sub(s->cpu_total, dur);
	if (device)
		saturate_onto(&s->device_total, saturate_times(device, node->rows));
	if (!takes(w, row))
		return;
	saturate_onto(&s->cpu_self, self);
	if (!host_steps_have(&w->steps, place))
		return;
	saturate_onto(&s->phase_cpu[phase], self);
	saturate_onto(&s->phase_device[phase], device);
}

void summary_collect_host(struct summary *s)
{
	const struct run *r = s->at->run;
	struct arena *mem = &s->at->mem;
	size_t n = r->order->host_begin[r->lanes.n], i;
	struct walk w = { .s = s };

	if (!s->has_host)
		return;
	w.ev = r->events;
	w.calls = *r->calls;
	w.host = r->order->host;
	w.takes_all = s->at->view.kinds == KINDS_ALL && !s->at->view.step;
	w.is_hidden = arena_array(mem, r->strings.n, sizeof(*w.is_hidden));
	for (i = 0; i < r->strings.n; i++)
		w.is_hidden[i] = optree_hides(strings_get(&r->strings, (sym)i));
	phases_init(&w.phases, r, mem);
	host_steps_in_view(&w.steps, &s->inside);
	shared_devtime(s->at->shared, &w.devtime, r, &s->at->view);
	for (i = 0; i < n; i++)
		if (w.calls.flags[i] & CALL_IN_TREE)
			add_call(&w, (uint32_t)i);
	devtime_clear(&w.devtime);
	free(w.path.node);
}
