/* `launches`: histograms of kernels' durations, launching calls' durations and delays; ten bins for
 * each power of ten. */
#include "analyze/answer/launches/launches.h"
#include "analyze/trace/columns/order.h"

/* From 100 ns to 1,000 s.  What is shorter or longer is in the first or last bin. */
enum { PER_DECADE = 10, DECADES = 10, BINS = PER_DECADE * DECADES };

enum what { DURATION, CALL, DELAY, WHATS };

static const char *const words[WHATS] = { "kernel duration", "launching call", "launch delay" };

struct histograms {
	int64_t edges[BINS + 1];
	int64_t count[WHATS][BINS];
};

static void count_value(struct histograms *h, enum what w, int64_t v)
{
	h->count[w][PARTITION_POINT(i, (size_t)1, BINS, h->edges[i] <= v) - 1]++;
}

/* The bins of one quantity, from the first with anything in it to the last. */
static void put_bins(struct table *t, const struct histograms *h, enum what w)
{
	size_t first = BINS, last = 0;

	for (size_t i = 0; i < BINS; i++) {
		if (h->count[w][i] == 0)
			continue;
		first = MIN(i, first);
		last = i;
	}
	for (size_t i = first; i <= last && first < BINS; i++) {
		table_row(t);
		table_text(t, LHIST_WHAT, span_of(words[w]));
		table_int(t, LHIST_FROM, h->edges[i]);
		table_int(t, LHIST_TO, h->edges[i + 1]);
		table_int(t, LHIST_COUNT, h->count[w][i]);
	}
}

void launches_put_histograms(struct launches *l, const struct table_doc *doc)
{
	struct histograms *h = arena_alloc(&l->at->mem, sizeof(*h));
	struct table *t = perrun_table(l->at, doc);

	for (size_t i = 0; i <= BINS; i++)
		/* Edges in whole ns: 100 x 10^(i/10), rounded. */
		h->edges[i] = saturate_round(100 * pow(10, (double)i / PER_DECADE));
	const struct run *r = l->at->run;
	for (EACH_DEVICE_ROW(row, r)) {
		if (!filter_device(&l->at->view, row) ||
			!filter_name(&l->at->view, r->events.name[row]))
			continue;
		if (r->events.kind[row] == KIND_KERNEL)
			count_value(h, DURATION, r->events.dur[row]);
		uint32_t call = launch_of_row(r, row);
		if (call == NO_ROW)
			continue;
		count_value(h, CALL, r->events.dur[call]);
		count_value(h, DELAY, launch_delay_of(r, row, LAUNCH_DELAY_START));
	}
	for (size_t i = 0; i < WHATS; i++)
		put_bins(t, h, (enum what)i);
}
