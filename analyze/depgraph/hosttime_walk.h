/* The walk of hosttime.h, inline: for who is told the pieces of every call. */
#pragma once

#include "analyze/depgraph/hosttime.h"
#include "analyze/measure/gaps/gap_cause.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/base.h"

HOT_INLINE void hosttime_begin(struct hosttime *h, uint32_t row)
{
	static const struct host_open outside = { .word = GAP_CAUSE_COUNT, .factor = 1 };
	enum gap_cause own = hostwhat_word(h->what, row);

	if (UNLIKELY(h->depth == h->cap))
		h->open = array_grow(h->open, &h->cap, h->depth + 1, sizeof(*h->open));
	struct host_open *now = &h->open[h->depth];
	*now = h->depth++ ? now[-1] : outside;
	h->changed = h->run->events.start[row];
	now->end = events_end(&h->run->events, row);
	now->row = row;
	now->cls = hostwhat_class(h->what, row, now->cls);
	if (own != GAP_CAUSE_COUNT) {
		now->word = own;
		now->since = h->run->events.start[row];
	}
	if (UNLIKELY(h->scale != NULL))
		now->factor *= h->scale(h->scale_ctx, now, &now->tags);
}

/* The place of the innermost function at h->t, or NO_ROW; until when it is, at most *end. */
static inline uint32_t hosttime_function(struct hosttime *h, nsec *end)
{
	const struct events *ev = &h->run->events;
	const struct pyframes *f = &h->what->functions;

	for (; h->function < h->function_end && ev->start[f->row[h->function]] <= h->t;
		h->function++)
		h->in = (uint32_t)h->function;
	while (h->in != NO_ROW && events_end(ev, f->row[h->in]) <= h->t)
		h->in = f->parent[h->in];
	if (h->function < h->function_end)
		*end = MIN(ev->start[f->row[h->function]], *end);
	if (h->in != NO_ROW)
		*end = MIN(events_end(ev, f->row[h->in]), *end);
	return h->in;
}

/* What names a piece: of calls and functions the word of what began last. */
HOT_INLINE void hosttime_name_piece(
	struct hosttime *h, const struct host_open *in, struct host_piece *p)
{
	struct hostwhat *w = h->what;

	p->word = in ? in->word : GAP_CAUSE_COUNT;
	p->function = NO_ROW;
	if (h->function == h->function_end && h->in == NO_ROW)
		return;
	uint32_t at = hosttime_function(h, &p->end);
	enum gap_cause word = gap_words_of_function(&w->words, &w->functions, at);

	p->function = at == NO_ROW ? NO_ROW : w->functions.row[at];
	if (hostwhat_is_function(w, p->cls, p->row, p->function))
		p->cls = HOST_PYTHON;
	if (word != GAP_CAUSE_COUNT &&
		(!in || in->word == GAP_CAUSE_COUNT ||
			gap_words_since(&w->words, &w->functions, at) > in->since))
		p->word = word;
}

/* When the next call begins, or the innermost one ends. */
static inline nsec hosttime_changes_next(const struct hosttime *h)
{
	const struct events *ev = &h->run->events;
	const uint32_t *host = h->run->order->host;
	size_t next = FIRST_FROM(i, h->place, h->place_end, KIND_BIT(ev->kind[host[i]]) & h->kinds);
	nsec end = h->open[h->depth - 1].end;

	return next < h->place_end ? MIN(ev->start[host[next]], end) : end;
}

/* Long, with nothing but the mark of a step around it, however it is cut into pieces: nothing is
 * recorded, not even Python. */
HOT_INLINE bool hosttime_is_unknown(const struct hosttime *h, const struct host_piece *p)
{
	return p->cls == HOST_PYTHON && h->run->kind_count[KIND_PYTHON] == 0 &&
		phases_is_step(&h->what->phases, h->run->events.name[p->row]) &&
		saturate_sub(hosttime_changes_next(h), h->changed) >= GAP_CAUSES_LONG_NS;
}

/* Tells the time up to `until`, in which no call begins. */
HOT_INLINE void hosttime_tell(struct hosttime *h, nsec until, host_piece_fn *fn, void *ctx)
{
	while (h->t < until) {
		const struct host_open *in = h->depth ? &h->open[h->depth - 1] : NULL;
		struct host_piece p = { .start = h->t, .end = until, .row = NO_ROW, .factor = 1 };

		if (in && in->end <= h->t) {
			h->changed = in->end;
			h->depth--;
			continue;
		}
		if (in) {
			p.end = MIN(in->end, until);
			p.row = in->row;
			p.cls = in->cls;
			p.factor = in->factor;
			p.is_unknown = hosttime_is_unknown(h, &p);
		}
		if (fn && h->names)
			hosttime_name_piece(h, in, &p);
		if (fn)
			fn(ctx, &p);
		h->t = p.end;
	}
}

/* A call begins: what has ended, or ends before it does, is not around it. */
HOT_INLINE void hosttime_close_for(struct hosttime *h, nsec start, nsec end)
{
	while (h->depth && (start >= h->open[h->depth - 1].end || end > h->open[h->depth - 1].end))
		h->depth--;
}

HOT_INLINE void hosttime_walk(struct hosttime *h, nsec until, host_piece_fn *fn, void *ctx)
{
	const struct events *ev = &h->run->events;
	const uint32_t *host = h->run->order->host;

	for (; h->place < h->place_end && ev->start[host[h->place]] < until; h->place++) {
		uint32_t row = host[h->place];

		if (!(KIND_BIT(ev->kind[row]) & h->kinds))
			continue;
		hosttime_tell(h, ev->start[row], fn, ctx);
		hosttime_close_for(h, ev->start[row], events_end(ev, row));
		hosttime_begin(h, row);
	}
	hosttime_tell(h, until, fn, ctx);
}
