/* Tables of fixed size that put records together. */
#include "capture/inject/joins.h"

#include <stdlib.h>
#include <string.h>

#include "capture/inject/hold.h"

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a * 0x9e3779b97f4a7c15u) ^ (b * 0xc2b2ae3d27d4eb4fu);

	return h ^ h >> 32;
}

bool joins_init(struct joins *j)
{
	*j = (struct joins){ 0 };
	(void)pthread_mutex_init(&j->lock, NULL);
	j->event = calloc(JOINS_EVENTS, sizeof(*j->event));
	j->correlation = calloc(JOINS_CORRELATIONS, sizeof(*j->correlation));
	j->span = calloc(JOINS_SPANS, sizeof(*j->span));
	if (j->event && j->correlation && j->span)
		return true;
	joins_free(j);
	return false;
}

void joins_free(struct joins *j)
{
	free(j->event);
	free(j->correlation);
	free(j->span);
	j->event = NULL;
	j->correlation = NULL;
	j->span = NULL;
}

void joins_put_context(struct joins *j, uint32_t context, uint32_t device)
{
	uint32_t i = context % JOINS_CONTEXTS;

	HOLD(&j->lock);
	j->context[i] = context;
	j->device[i] = device;
	j->has_context[i] = true;
}

bool joins_get_context(struct joins *j, uint32_t context, uint32_t *device)
{
	uint32_t i = context % JOINS_CONTEXTS;

	HOLD(&j->lock);
	bool found = j->has_context[i] && j->context[i] == context;
	if (found)
		*device = j->device[i];
	return found;
}

void joins_put_event(
	struct joins *j, uint32_t context, uint32_t event, const struct event_mark *mark)
{
	struct event_slot *s = &j->event[mix(context, event) % JOINS_EVENTS];

	if (s->n && (s->context != context || s->event != event)) {
		j->evicted++;
		s->n = 0;
	}
	s->context = context;
	s->event = event;
	s->mark[s->n++ % JOINS_EVENT_DEPTH] = *mark;
}

bool joins_get_event(const struct joins *j, uint32_t context, uint32_t event, uint64_t sync_id,
	uint32_t correlation, struct event_mark *mark)
{
	const struct event_slot *s = &j->event[mix(context, event) % JOINS_EVENTS];
	const struct event_mark *best = NULL;
	uint32_t n = s->n < JOINS_EVENT_DEPTH ? s->n : JOINS_EVENT_DEPTH;

	if (!n || s->context != context || s->event != event)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct event_mark *m = &s->mark[i];

		if (sync_id && m->sync_id == sync_id) {
			*mark = *m;
			return true;
		}
		if (m->correlation < correlation && (!best || m->correlation > best->correlation))
			best = m;
	}
	if (best)
		*mark = *best;
	return best;
}

void joins_put_correlation(struct joins *j, uint32_t correlation, uint32_t thread, uint64_t range)
{
	struct correlation_slot *s = &j->correlation[correlation % JOINS_CORRELATIONS];

	if (s->correlation != correlation)
		*s = (struct correlation_slot){ .correlation = correlation };
	if (thread)
		s->thread = thread;
	if (range)
		s->range = range & ((UINT64_C(1) << 60) - 1);
}

void joins_put_in_window(struct joins *j, uint32_t correlation)
{
	struct correlation_slot *s = &j->correlation[correlation % JOINS_CORRELATIONS];

	if (s->correlation == correlation)
		s->in_window = true;
}

void joins_put_call(struct joins *j, uint32_t correlation, bool launches, bool is_query)
{
	struct correlation_slot *s = &j->correlation[correlation % JOINS_CORRELATIONS];

	if (s->correlation != correlation)
		return;
	s->launches = launches;
	s->is_query = is_query;
}

void joins_put_work(struct joins *j, uint32_t correlation)
{
	struct correlation_slot *s = &j->correlation[correlation % JOINS_CORRELATIONS];

	if (s->correlation != correlation)
		*s = (struct correlation_slot){ .correlation = correlation };
	s->is_met = true;
}

size_t joins_pending(const struct joins *j)
{
	size_t n = 0;

	for (size_t i = 0; i < JOINS_CORRELATIONS; i++)
		n += j->correlation[i].launches && j->correlation[i].in_window &&
			!j->correlation[i].is_met;
	return n;
}

const struct correlation_slot *joins_get_correlation(const struct joins *j, uint32_t correlation)
{
	const struct correlation_slot *s = &j->correlation[correlation % JOINS_CORRELATIONS];

	return s->correlation == correlation && correlation ? s : NULL;
}

bool joins_add_span(struct joins *j, uint64_t range, uint32_t device, uint32_t stream,
	int64_t start_ns, int64_t end_ns, int64_t now_ns, struct span_slot **taken)
{
	struct span_slot *s = &j->span[mix(range, (uint64_t)device << 32 | stream) % JOINS_SPANS];

	if (s->range && (s->range != range || s->device != device || s->stream != stream)) {
		*taken = s;
		return false;
	}
	if (!s->range)
		*s = (struct span_slot){ range, device, stream, start_ns, end_ns, now_ns };
	if (start_ns < s->start_ns)
		s->start_ns = start_ns;
	if (end_ns > s->end_ns)
		s->end_ns = end_ns;
	s->touched_ns = now_ns;
	return true;
}
