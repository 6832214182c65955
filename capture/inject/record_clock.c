/* Times of records against the time of the recording. */
#include "capture/inject/record_clock.h"

#include "capture/cupti_abi.h"
#include "capture/inject/hold.h"

/* The system's clock may be set while we record; another clock is off by years. */
#define SLACK_NS (INT64_C(2) * 3600 * 1000000000)

void record_clock_start(struct record_clock *c, int64_t cupti_ns, int64_t mono_ns)
{
	c->start_ns = cupti_ns;
	c->start_mono_ns = mono_ns;
	c->from_ns = cupti_ns - SLACK_NS;
	record_clock_look(c, mono_ns);
}

void record_clock_look(struct record_clock *c, int64_t mono_ns)
{
	c->to_ns = c->start_ns + (mono_ns - c->start_mono_ns) + SLACK_NS;
}

/* Where the times of a record stand; 0: it has none there. */
static const struct {
	uint32_t kind;
	size_t start, end;
} times[] = {
	{ ACT_KERNEL, AT_KERNEL_START, AT_KERNEL_END },
	{ ACT_MEMCPY, AT_COPY_START, AT_COPY_END },
	{ ACT_MEMCPY2, AT_COPY_START, AT_COPY_END },
	{ ACT_MEMSET, AT_SET_START, AT_SET_END },
	{ ACT_RUNTIME, AT_API_START, AT_API_END },
	{ ACT_DRIVER, AT_API_START, AT_API_END },
	{ ACT_SYNC, AT_SYNC_START, AT_SYNC_END },
	{ ACT_OVERHEAD, AT_OVERHEAD_START, AT_OVERHEAD_END },
	{ ACT_GRAPH, AT_GRAPH_START, AT_GRAPH_END },
	{ ACT_MEMORY2, AT_MEMORY_TIME, 0 },
};

static bool is_ours(const struct record_clock *c, const unsigned char *record, size_t at)
{
	uint64_t ns = 0;

	if (at)
		memcpy(&ns, record + at, sizeof(ns));
	return !ns || (ns >= (uint64_t)c->from_ns && ns <= (uint64_t)c->to_ns);
}

bool record_clock_holds(struct record_clock *c, const unsigned char *record)
{
	uint32_t kind = get_KIND(record);
	size_t i = 0;

	if (!c->start_ns)
		return true;
	while (i < sizeof(times) / sizeof(times[0]) && times[i].kind != kind)
		i++;
	if (i == sizeof(times) / sizeof(times[0]) ||
		(is_ours(c, record, times[i].start) && is_ours(c, record, times[i].end)))
		return true;
	c->others++;
	return false;
}

/* ---- windows ---- */

void windows_init(struct windows *w)
{
	*w = (struct windows){ 0 };
	(void)pthread_mutex_init(&w->lock, NULL);
}

void windows_open(struct windows *w, int64_t now_ns)
{
	HOLD(&w->lock);
	if (w->depth++ == 0) {
		if (w->n < WINDOWS_MAX)
			w->v[w->n++] = (struct window){ now_ns, INT64_MAX };
		else
			w->left_out++;
	}
}

void windows_close(struct windows *w, int64_t now_ns)
{
	HOLD(&w->lock);
	if (w->depth > 0 && --w->depth == 0 && w->n > 0 && w->v[w->n - 1].end_ns == INT64_MAX)
		w->v[w->n - 1].end_ns = now_ns;
}

void windows_look(struct windows *w, struct windows_view *view)
{
	HOLD(&w->lock);
	view->n = w->n;
	memcpy(view->v, w->v, (size_t)w->n * sizeof(w->v[0]));
}

bool windows_hold(const struct windows_view *view, int64_t start_ns, int64_t end_ns)
{
	for (int i = view->n - 1; i >= 0; i--)
		if (start_ns >= view->v[i].start_ns)
			return end_ns <= view->v[i].end_ns;
	return false;
}

/* ---- steps of the system's clock ---- */

void clock_steps_look(struct clock_steps *c, int64_t realtime_ns, int64_t monotonic_ns)
{
	int64_t ahead = realtime_ns - monotonic_ns, by = ahead - c->ahead_ns;

	if (c->ahead_ns && (by > CLOCK_STEP_NS || by < -CLOCK_STEP_NS)) {
		c->sum_ns += by;
		c->n++;
	}
	c->ahead_ns = ahead;
}
