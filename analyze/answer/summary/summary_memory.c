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

static void put_known(struct table *t, size_t col, int64_t v)
{
	if (v != ARG_UNKNOWN)
		table_int(t, col, v);
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
		table_row(t);
		put_known(t, PEAK_TYPE, c->type);
		put_known(t, PEAK_DEVICE, c->device);
		put_known(t, PEAK_ALLOCATED, allocated);
		put_known(t, PEAK_RESERVED, held);
		put_known(t, PEAK_CAPACITY, all);
		if (all != ARG_UNKNOWN && most != ARG_UNKNOWN && !c->is_relative)
			table_real(t, PEAK_RATIO, (double)most / (double)all);
	}
	memcurves_clear(&curves);
}
