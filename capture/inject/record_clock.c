/*
 * Times of records against the time of the recording.
 */
#include "capture/inject/record_clock.h"

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
