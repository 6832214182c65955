/* Loaders: how much of the main thread's waiting for data each thread works in. */
#include "analyze/measure/gaps/loaders.h"

#include "analyze/measure/gaps/gap_words.h"
#include "analyze/measure/host/pyframes.h"
#include "analyze/measure/interval.h"
#include "analyze/measure/phase.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"

static void find_waits(struct intervals *out, struct gap_words *words, struct phases *phases,
	struct pyframes *functions, uint32_t lane)
{
	const struct run *r = words->run;
	const struct events *ev = &r->events;
	size_t begin, end;

	for (size_t i = r->order->host_begin[lane]; i < r->order->host_begin[lane + 1]; i++) {
		uint32_t row = r->order->host[i];

		if (phases_of(phases, ev->name[row], (enum kind)ev->kind[row], PHASE_OTHER) ==
				PHASE_DATA ||
			gap_words_of(words, row) == GAP_CAUSE_DATA)
			intervals_add(out, ev->start[row], events_end(ev, row));
	}
	pyframes_of(functions, lane, &begin, &end);
	for (size_t i = begin; i < end; i++)
		if (gap_words_own(words, functions->row[i]) == GAP_CAUSE_DATA)
			intervals_add(out, ev->start[functions->row[i]],
				events_end(ev, functions->row[i]));
	intervals_unite(out);
}

/* How much of it a thread is in operators or calls. */
static nsec works_in(const struct intervals *waits, const struct run *r, size_t lane)
{
	const struct events *ev = &r->events;
	nsec upto = INT64_MIN, sum = 0;
	size_t next = 0; /* of what is waited for: not over yet */

	for (size_t i = r->order->host_begin[lane]; i < r->order->host_begin[lane + 1]; i++) {
		uint32_t row = r->order->host[i];
		nsec end = events_end(ev, row);

		if (ev->kind[row] == KIND_ANNOTATION || end <= upto)
			continue;
		nsec start = MAX(ev->start[row], upto);
		while (next < waits->n && waits->v[next].end <= start)
			next++;
		if (next == waits->n)
			break;
		if (waits->v[next].start < end)
			saturate_onto(&sum, intervals_within(waits, start, end));
		upto = end;
	}
	return sum;
}

static bool is_alone(const struct run *r, uint32_t main_lane)
{
	const size_t *begin = r->order->host_begin;

	return begin[r->lanes.n] == begin[main_lane + 1] - begin[main_lane];
}

bool *loaders_find(uint32_t main_lane, struct gap_words *words, struct phases *phases,
	struct pyframes *functions, struct arena *mem)
{
	const struct run *r = words->run;
	struct intervals waits = { 0 };
	bool *is = NULL;

	if (main_lane == NO_ROW || is_alone(r, main_lane))
		return NULL;
	find_waits(&waits, words, phases, functions, main_lane);
	nsec all = intervals_length(&waits);
	for (size_t lane = 0; all > 0 && lane < r->lanes.n; lane++) {
		if (lane == main_lane || works_in(&waits, r, lane) <= all / 2)
			continue;
		is = is ? is : arena_array(mem, r->lanes.n, sizeof(*is));
		is[lane] = true;
	}
	intervals_clear(&waits);
	return is;
}
