/* Sums over calls. */
#include "analyze/costmodel/sum.h"

/* 2^-40 ns; a call's time is cut at 2^50 ns, 13 days, so that sums of 2^32 calls fit. */
static const double FINE = 0x1p40, CALL_MAX = 0x1p50;

static roof_fine fine(double ns, int64_t calls)
{
	return (roof_fine)(MIN(ns, CALL_MAX) * FINE) * calls; /* lint: allow cast, of
	                                                                       128 bits */
}

static void add_roof(
	struct roof_sum *s, const struct roof_limit *l, int64_t calls, nsec busy, nsec own)
{
	if (isnan(l->ns))
		return;
	roof_fine ns = fine(l->ns, calls);
	saturate_onto(&s->roof_busy, busy);
	saturate_onto(&s->roof_own, own);
	s->at_roof += ns;
	if (!isnan(l->link_ns))
		s->at_link += ns;
	else if (l->compute_ns >= l->memory_ns)
		s->at_compute += ns;
}

void roof_sum_add(struct roof_sum *s, const struct roof_cost *c, const struct roof_peaks *p,
	int64_t calls, nsec busy, nsec own)
{
	const struct roof_work *w = &c->work;
	const struct roof_limit l = roof_limit_of(p, c);

	saturate_onto(&s->calls, calls);
	saturate_onto(&s->busy, busy);
	saturate_onto(&s->own, own);
	saturate_onto(&s->why[w->why], own);
	if (w->flop >= 0) {
		saturate_onto(&s->flop, saturate_times(w->flop, calls));
		saturate_onto(&s->flop_busy, busy);
	}
	if (w->bytes >= 0) {
		saturate_onto(&s->bytes, saturate_times(w->bytes, calls));
		saturate_onto(&s->bytes_busy, busy);
	}
	if (w->flop >= 0 && w->bytes >= 0) {
		s->both_flop += (double)w->flop * (double)calls;
		s->both_bytes += (double)w->bytes * (double)calls;
	}
	if (c->is_comm && c->bus != COMM_BUS_UNKNOWN) {
		s->bus += c->bus * calls;
		saturate_onto(&s->bus_busy, busy);
	}
	add_roof(s, &l, calls, busy, own);
	s->is_most |= w->is_most;
}

void roof_sum_join(struct roof_sum *to, const struct roof_sum *from)
{
	saturate_onto(&to->calls, from->calls);
	saturate_onto(&to->flop, from->flop);
	saturate_onto(&to->bytes, from->bytes);
	saturate_onto(&to->busy, from->busy);
	saturate_onto(&to->own, from->own);
	saturate_onto(&to->flop_busy, from->flop_busy);
	saturate_onto(&to->bytes_busy, from->bytes_busy);
	saturate_onto(&to->roof_busy, from->roof_busy);
	saturate_onto(&to->roof_own, from->roof_own);
	saturate_onto(&to->bus_busy, from->bus_busy);
	to->bus += from->bus;
	to->both_flop += from->both_flop;
	to->both_bytes += from->both_bytes;
	to->at_roof += from->at_roof;
	to->at_compute += from->at_compute;
	to->at_link += from->at_link;
	to->is_most |= from->is_most;
	for (size_t i = 0; i < ROOF_WHY_COUNT; i++)
		saturate_onto(&to->why[i], from->why[i]);
}

double roof_sum_at(const struct roof_sum *s)
{
	return (double)s->at_roof / FINE;
}

static double per(double v, nsec ns, double unit)
{
	return ns > 0 ? v / (double)ns * 1e9 / unit : NAN;
}

double roof_sum_tflops(const struct roof_sum *s)
{
	return per((double)s->flop, s->flop_busy, 1e12);
}

double roof_sum_rate(const struct roof_sum *s)
{
	return per((double)s->bytes, s->bytes_busy, 1);
}

double roof_sum_bus(const struct roof_sum *s)
{
	return s->bus_busy > 0 ? commclass_bus_rate(s->bus, s->bus_busy) : NAN;
}

double roof_sum_intensity(const struct roof_sum *s)
{
	return s->both_bytes > 0 ? s->both_flop / s->both_bytes : NAN;
}

double roof_sum_ratio(const struct roof_sum *s)
{
	return s->roof_busy > 0 ? roof_sum_at(s) / (double)s->roof_busy : NAN;
}

double roof_sum_known(const struct roof_sum *s)
{
	return s->busy > 0 ? (double)s->roof_busy / (double)s->busy : NAN;
}

const char *roof_sum_bound(const struct roof_sum *s)
{
	roof_fine at_memory = s->at_roof - s->at_compute - s->at_link;

	if (s->roof_busy <= 0)
		return NULL;
	if (s->roof_busy == s->bus_busy || (s->at_link > s->at_compute && s->at_link > at_memory))
		return "link";
	return s->at_compute >= at_memory ? "compute" : "memory";
}

enum roof_reason roof_sum_why(const struct roof_sum *s)
{
	enum roof_reason why = ROOF_WHY_KNOWN;

	for (enum roof_reason i = ROOF_WHY_KNOWN + 1; i < ROOF_WHY_COUNT; i++)
		if (s->why[i] > 0 && (why == ROOF_WHY_KNOWN || s->why[i] > s->why[why]))
			why = i;
	return why;
}
