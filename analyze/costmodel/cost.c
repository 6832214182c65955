/*
 * What a cost is held against.
 */
#include "analyze/costmodel/cost.h"

#include <math.h>

#include "analyze/costmodel/ops.h"
#include "base/minmax.h"

static double roof_peak_of(const struct roof_peaks *p, const struct roof_cost *c)
{
	enum roof_dtype d = c->work.dtype;

	if (!c->op || d == ROOF_DTYPE_COUNT)
		return NAN;
	if (c->op->unit == ROOF_VECTOR)
		return p->vector[d];
	return roof_matrix_peak(p, (int)d);
}

/*
 * Both times have to be known, but that the vector units' peak may not be: an op of theirs does too
 * little with each byte to be bound by them.
 */
struct roof_limit roof_limit_of(const struct roof_peaks *p, const struct roof_cost *c)
{
	const struct roof_work *w = &c->work;
	struct roof_limit l = { NAN, NAN, NAN, NAN };

	if (c->is_comm && c->bus != COMM_BUS_UNKNOWN)
		l.ns = l.link_ns = 1e9 * commclass_bus_bytes(c->bus) / p->link_Bps;
	if (w->why == ROOF_WHY_HOST_COPY || c->is_comm)
		return l;
	if (w->flop >= 0)
		l.compute_ns = w->flop == 0 ? 0 : 1e9 * (double)w->flop / roof_peak_of(p, c);
	if (w->bytes >= 0)
		l.memory_ns = 1e9 * (double)w->bytes / p->memory_Bps;
	if (isnan(l.memory_ns))
		return l;
	if (!isnan(l.compute_ns))
		l.ns = MAX(l.compute_ns, l.memory_ns);
	else if (w->flop >= 0 && c->op && c->op->unit == ROOF_VECTOR)
		l.ns = l.memory_ns;
	return l;
}

const char *roof_class_of(const struct roof_cost *c)
{
	if (c->is_comm)
		return "collective";
	return c->op ? roof_class_words[c->op->class] : roof_class_words[ROOF_CLASS_OTHER];
}
