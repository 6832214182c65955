/* Lanes that belong to another. */
#include "analyze/input/events/home.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/trace/columns/kinds.h"
#include "analyze/trace/run.h"
#include "base/compare3.h"
#include "base/xalloc.h"

void homes_add(struct homes *h, struct home home)
{
	h->v = array_grow(h->v, &h->cap, h->n + 1, sizeof(*h->v));
	h->v[h->n++] = home;
}

ORDER(by_lane, struct home, compare3(a->pid, b->pid), compare3(a->tid, b->tid))

/* The lane of a stream, as it is called where nothing was moved. */
static sym tid_of_stream(struct strings *s, int64_t stream)
{
	char text[24];
	int n = snprintf(text, sizeof(text), "%" PRId64, stream);

	return strings_intern(s, (struct span){ text, (size_t)n });
}

static struct lane lane_at_home(struct run *run, const struct lane *l, const struct home *h)
{
	struct span of = strings_get(&run->strings, h->of);
	struct lane at = *l;

	if (span_is(of, LANE_HOME_STREAM)) {
		at.tid = l->is_device ? tid_of_stream(&run->strings, l->stream) : l->tid;
	} else {
		at.tid = h->of;
		/* The stream of what says none is that of its lane. */
		if (l->is_device && l->stream == l->tid_number && lane_number(of) != LANE_NO_NUMBER)
			at.stream = lane_number(of);
	}
	at.tid_number = lane_number(strings_get(&run->strings, at.tid));
	return at;
}

void homes_fold(struct homes *h, struct run *run)
{
	struct lanes folded;
	uint32_t *to;

	if (h->n == 0)
		return;
	qsort(h->v, h->n, sizeof(*h->v), by_lane);
	to = xcalloc(run->lanes.n + 1, sizeof(*to));
	lanes_init(&folded);
	for (size_t i = 0; i < run->lanes.n; i++) {
		const struct lane *l = &run->lanes.lane[i];
		const struct home key = { l->pid, l->tid, 0 }, *home;
		struct lane at = *l;

		home = bsearch(&key, h->v, h->n, sizeof(*h->v), by_lane);
		if (home)
			at = lane_at_home(run, l, home);
		to[i] = lanes_add(&folded, &at);
	}
	for (size_t i = 0; i < run->events.n; i++)
		run->events.lane[i] = to[run->events.lane[i]];
	lanes_clear(&run->lanes);
	run->lanes = folded;
	free(to);
}
