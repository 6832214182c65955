/* `timeline`: what the longest marks say of themselves. */
#include "analyze/answer/timeline/timeline.h"
#include "analyze/measure/host/callers.h"
#include "analyze/trace/links/links.h"

ORDER(by_length, struct timeline_single, compare3_down(a->length, b->length),
	compare3(a->mark, b->mark))

static struct row_cell shapes_of(const struct run *r, uint32_t row)
{
	uint32_t side = row == NO_ROW ? NO_ARGS : r->events.args[row];
	bool is_op = row != NO_ROW && args_table_of((enum kind)r->events.kind[row]) == ARGS_OP;

	if (!is_op || side == NO_ARGS)
		return NO_CELL;
	return cell_name(strings_get(&r->strings, args_sym(&r->args, ARG_OP_DIMS, side - 1)));
}

static void put_detail(
	struct timeline *l, struct table *t, struct callers *from, const struct timeline_single *v)
{
	const struct run *r = l->at->run;
	bool is_work = r->lanes.lane[r->events.lane[v->row]].is_device;
	uint32_t launch = is_work ? launch_of_row(r, v->row) : NO_ROW;
	uint32_t op = is_work ? op_of_row(r, v->row) : NO_ROW;
	sym stack = is_work ? callers_of(from, v->row) : 0;

	TABLE_ROW(t, [TDET_MARK] = cell_size(v->mark),
		[TDET_OP] = CELL_IF(op != NO_ROW, cell_text(run_name(r, op))),
		[TDET_SHAPES] = shapes_of(r, is_work ? op : v->row));
	if (stack)
		TABLE_CELLS(t, [TDET_STACK] = cell_copy(t, strings_get(&from->names, stack)));
	if (launch == NO_ROW)
		return;
	TABLE_CELLS(t, [TDET_LAUNCH] = cell_int(saturate_sub(r->events.start[launch], l->zero)),
		[TDET_LANE] = timeline_lane_name(t, r, &r->lanes.lane[r->events.lane[launch]]));
}

void timeline_put_details(struct timeline *l, struct timeline_single *v, size_t n, size_t most)
{
	struct table *t = perrun_table(l->at, &timeline_docs[TIMELINE_DETAILS]);
	struct callers from;

	callers_init(&from, l->at->run, CALLERS_STACK, &l->at->mem);
	sort_rows(v, n, sizeof(*v), by_length);
	for (size_t i = 0; i < n && i < most; i++)
		put_detail(l, t, &from, &v[i]);
	callers_clear(&from);
}
