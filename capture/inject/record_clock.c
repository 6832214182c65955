/*
 * Times of records against the time of the recording.
 */
#include "capture/inject/record_clock.h"

#include <string.h>

#include "capture/cupti_abi.h"

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

static void times(const unsigned char *p, uint64_t *start, uint64_t *end)
{
	*start = *end = 0;
	switch (get_KIND(p)) {
	case ACT_KERNEL:
		*start = get_KERNEL_START(p);
		*end = get_KERNEL_END(p);
		break;
	case ACT_MEMCPY:
	case ACT_MEMCPY2:
		*start = get_COPY_START(p);
		*end = get_COPY_END(p);
		break;
	case ACT_MEMSET:
		*start = get_SET_START(p);
		*end = get_SET_END(p);
		break;
	case ACT_RUNTIME:
	case ACT_DRIVER:
		*start = get_API_START(p);
		*end = get_API_END(p);
		break;
	case ACT_SYNC:
		*start = get_SYNC_START(p);
		*end = get_SYNC_END(p);
		break;
	case ACT_OVERHEAD:
		*start = get_OVERHEAD_START(p);
		*end = get_OVERHEAD_END(p);
		break;
	case ACT_GRAPH:
		*start = get_GRAPH_START(p);
		*end = get_GRAPH_END(p);
		break;
	case ACT_MEMORY2: *start = get_MEMORY_TIME(p); break;
	default: break;
	}
}

static bool is_ours(const struct record_clock *c, uint64_t ns)
{
	return !ns || (ns >= (uint64_t)c->from_ns && ns <= (uint64_t)c->to_ns);
}

bool record_clock_holds(struct record_clock *c, const unsigned char *record)
{
	uint64_t start, end;

	if (!c->start_ns)
		return true;
	times(record, &start, &end);
	if (is_ours(c, start) && is_ours(c, end))
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
	(void)pthread_mutex_lock(&w->lock);
	if (w->depth++ == 0) {
		if (w->n < WINDOWS_MAX)
			w->v[w->n++] = (struct window){ now_ns, INT64_MAX };
		else
			w->left_out++;
	}
	(void)pthread_mutex_unlock(&w->lock);
}

void windows_close(struct windows *w, int64_t now_ns)
{
	(void)pthread_mutex_lock(&w->lock);
	if (w->depth > 0 && --w->depth == 0 && w->n > 0 && w->v[w->n - 1].end_ns == INT64_MAX)
		w->v[w->n - 1].end_ns = now_ns;
	(void)pthread_mutex_unlock(&w->lock);
}

void windows_look(struct windows *w, struct windows_view *view)
{
	(void)pthread_mutex_lock(&w->lock);
	view->n = w->n;
	memcpy(view->v, w->v, (size_t)w->n * sizeof(w->v[0]));
	(void)pthread_mutex_unlock(&w->lock);
}

bool windows_hold(const struct windows_view *view, int64_t start_ns, int64_t end_ns)
{
	int i;

	for (i = view->n - 1; i >= 0; i--)
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
