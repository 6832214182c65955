/*
 * Calls of a run to a format of calls.  The names of frames are numbered as they are met.
 */
#include "cmd/callstacks.h"

#include <stdlib.h>

#include "analyze/measure/host/nesting.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run.h"
#include "base/arena.h"
#include "base/saturate.h"
#include "base/zeroed.h"
#include "report/format/format_stacks.h"

struct callstacks {
	const struct run *run;
	struct speedscope w;
	struct nesting_extent extent;
	bool is_open;    /* a profile is */
	uint32_t *frame; /* by sym: 1 + its number */
	sym *name;       /* by number */
	size_t nname, cap;
};

static void end_lane(struct callstacks *c)
{
	if (c->is_open)
		speedscope_profile_end(&c->w, 0, saturate_sub(c->extent.last, c->extent.first));
	c->is_open = false;
}

static void begin_lane(void *ctx, uint32_t lane, size_t part)
{
	struct callstacks *c = ctx;
	struct str name = { 0 };

	end_lane(c);
	nesting_name(&name, c->run, lane, part);
	speedscope_profile(&c->w, (struct span){ name.s, name.n });
	str_free(&name);
	c->is_open = true;
}

static uint32_t frame_of(struct callstacks *c, uint32_t row)
{
	sym name = c->run->events.name[row];

	if (c->frame[name])
		return c->frame[name] - 1;
	c->name = array_grow(c->name, &c->cap, c->nname + 1, sizeof(*c->name));
	c->name[c->nname++] = name;
	c->frame[name] = (uint32_t)c->nname;
	return c->frame[name] - 1;
}

static void open_call(void *ctx, uint32_t row, size_t depth)
{
	struct callstacks *c = ctx;

	(void)depth;
	speedscope_event(&c->w, true, frame_of(c, row),
		saturate_sub(c->run->events.start[row], c->extent.first));
}

static void close_call(void *ctx, uint32_t row, size_t depth)
{
	struct callstacks *c = ctx;

	(void)depth;
	speedscope_event(&c->w, false, frame_of(c, row),
		saturate_sub(events_end(&c->run->events, row), c->extent.first));
}

enum status callstacks_speedscope(FILE *out, const struct run *r, struct filter_view *view,
	unsigned kinds, struct span name, size_t *ncrossing, struct err *e)
{
	struct callstacks c = { .run = r, .extent = nesting_extent(r, view, kinds) };
	const struct nesting_visitor visitor = { &c, begin_lane, open_call, close_call };
	enum status st;
	size_t n, i;

	if (view->status != OK)
		return view->status;
	if (c.extent.n == 0)
		return err_set(e, E_NODATA, -1, "no calls of what was asked for");
	c.frame = zeroed(r->strings.n, sizeof(*c.frame));
	speedscope_begin(&c.w, out, name);
	n = nesting_walk(r, view, kinds, &visitor);
	end_lane(&c);
	for (i = 0; i < c.nname; i++)
		speedscope_frame(&c.w, strings_get(&r->strings, c.name[i]));
	st = speedscope_end(&c.w, e);
	if (ncrossing)
		*ncrossing = n;
	free(c.frame);
	free(c.name);
	return st;
}
