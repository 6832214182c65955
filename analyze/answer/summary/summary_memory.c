/*
 * `summary`: peaks of memory.
 */
#include "analyze/answer/summary/summary.h"
#include "analyze/measure/memory/memcurve.h"
#include "analyze/trace/run.h"
#include "base/unit.h"

/* Memory of a device, or ARG_UNKNOWN. */
static int64_t capacity(const struct run *r, const struct memcurve *c)
{
	size_t i;

	for (i = 0; c->type != 0 && i < r->meta.ngpu; i++)
		if (r->meta.gpu[i].id == c->device && r->meta.gpu[i].memory_bytes > 0)
			return r->meta.gpu[i].memory_bytes;
	return ARG_UNKNOWN;
}

static int64_t peak(const struct memcurve *c, size_t at, const int64_t *v)
{
	return at < c->n ? v[at] : ARG_UNKNOWN;
}

static void put_text(struct str *b, const struct memcurve *c, int64_t held, int64_t all)
{
	int64_t allocated = peak(c, c->peak, c->allocated);

	if (c->type == 0 || allocated == ARG_UNKNOWN)
		return;
	str_addf(b, "%sdevice %lld: ", b->n > 0 ? "; " : "", (long long)c->device);
	unit_put_bytes(b, (double)allocated);
	str_adds(b, c->is_relative ? " more than at the start" : " allocated");
	if (held != ARG_UNKNOWN) {
		str_adds(b, ", ");
		unit_put_bytes(b, (double)held);
		str_adds(b, " reserved");
	}
	if (all != ARG_UNKNOWN) {
		str_adds(b, ", of ");
		unit_put_bytes(b, (double)all);
	}
}

void summary_memory(struct summary *s, struct str *b)
{
	const struct run *r = s->at->run;
	struct memcurves curves;
	struct table *t = NULL;
	size_t i;

	if (r->kind_count[KIND_MEMORY] == 0)
		return;
	memcurves_init(&curves, r, &s->at->view);
	if (!s->at->q->for_people)
		t = perrun_table(s->at, &summary_docs[SUMMARY_MEMORY]);
	for (i = 0; i < curves.n; i++) {
		const struct memcurve *c = &curves.v[i];
		int64_t allocated = peak(c, c->peak, c->allocated), all = capacity(r, c);
		int64_t held = peak(c, c->peak_reserved, c->reserved);
		int64_t most = held != ARG_UNKNOWN ? held : allocated;

		put_text(b, c, held, all);
		if (!t)
			continue;
		TABLE_ROW(t, [PEAK_TYPE] = cell_known(c->type, ARG_UNKNOWN),
			[PEAK_DEVICE] = cell_known(c->device, ARG_UNKNOWN),
			[PEAK_ALLOCATED] = cell_known(allocated, ARG_UNKNOWN),
			[PEAK_RESERVED] = cell_known(held, ARG_UNKNOWN),
			[PEAK_CAPACITY] = cell_known(all, ARG_UNKNOWN),
			[PEAK_RATIO] = CELL_IF(
				all != ARG_UNKNOWN && most != ARG_UNKNOWN && !c->is_relative,
				cell_real((double)most / (double)all)));
	}
	memcurves_clear(&curves);
}
