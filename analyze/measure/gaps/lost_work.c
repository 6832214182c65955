/* Lost work: the launches nothing of which is in the trace, where work came without times. */
#include "analyze/measure/gaps/lost_work.h"

#include "analyze/trace/columns/order.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"

/* By launch side row: whether it launched something that is there. */
static bool *find_launching(const struct run *r, struct arena *mem)
{
	bool *is_launching = arena_array(mem, r->args.n[ARGS_LAUNCH] + 1, sizeof(*is_launching));

	for (EACH_DEVICE_ROW(row, r)) {
		uint32_t launch = launch_of_row(r, row);

		if (launch != NO_ROW && r->events.kind[launch] == KIND_RUNTIME)
			is_launching[r->events.args[launch] - 1] = true;
	}
	return is_launching;
}

void lost_work_init(struct lost_work *w, const struct run *r, struct arena *mem)
{
	const struct events *ev = &r->events;

	*w = (struct lost_work){ .v = NULL };
	if (r->tally.count[PROBLEM_ZERO_TIME_KERNEL] == 0)
		return;
	bool *is_launching = find_launching(r, mem);
	for (uint32_t lane = 0; lane < r->lanes.n; lane++)
		for (size_t i = r->order->host_begin[lane]; i < r->order->host_begin[lane + 1];
			i++) {
			uint32_t row = r->order->host[i];

			if (ev->kind[row] == KIND_RUNTIME && ev->args[row] != NO_ARGS &&
				!is_launching[ev->args[row] - 1] &&
				links_is_launch(run_name(r, row)))
				ARENA_PUSH(mem, w->v, w->n, w->cap,
					((struct lost_launch){ lane, ev->start[row] }));
		}
}

bool lost_work_between(const struct lost_work *w, uint32_t lane, nsec from, nsec to)
{
	size_t first = PARTITION_POINT(
		i, 0, w->n, w->v[i].lane < lane || (w->v[i].lane == lane && w->v[i].at <= from));

	return first < w->n && w->v[first].lane == lane && w->v[first].at < to;
}
