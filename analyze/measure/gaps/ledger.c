/* The ledger: one partition by set of classes for each device. */
#include "analyze/measure/gaps/ledger.h"

#include "analyze/measure/device/devices.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

/* Steps x devices beyond this have no figures: 128 MiB of sums; real traces have some thousand. */
enum { RANGES_MAX = 1 << 20 };

#define SET(k) (1u << CLASS_##k)

static bool takes(const struct run *r, const struct filter_view *v, uint32_t row)
{
	return (KIND_BIT(r->events.kind[row]) & v->kinds) != 0 &&
		(!v->lane || v->lane[r->events.lane[row]]);
}

ORDER(by_number, int64_t, compare3(*a, *b))

/* Devices with work in lanes that are taken; --cat may leave some of them without events. */
static void find_devices(
	struct ledgers *l, const struct run *r, const struct filter_view *v, struct arena *mem)
{
	const struct order *o = r->order;
	int64_t *id = arena_array(mem, r->lanes.n, sizeof(*id));
	size_t n = 0, distinct = 0;

	for (size_t i = 0; i < r->lanes.n; i++)
		if (r->lanes.lane[i].is_device && (!v->lane || v->lane[i]) &&
			o->device_begin[i] < o->device_begin[i + 1])
			id[n++] = r->lanes.lane[i].device;
	sort_rows(id, n, sizeof(*id), by_number);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || id[i] != id[i - 1])
			id[distinct++] = id[i];
	l->ndevice = MIN(distinct, DEVICES_MAX);
	l->nmore = distinct - l->ndevice;
	l->device = arena_array(mem, l->ndevice, sizeof(*l->device));
	for (size_t i = 0; i < l->ndevice; i++)
		l->device[i].id = id[i];
}

static void sweep(struct ledger_device *d, const struct run *r, const struct classes *c,
	const struct filter_view *v, const struct partition_edges *edges, struct arena *mem)
{
	struct partition p;
	struct sweep s;
	uint32_t row;

	partition_init(&p, edges, d->range, CLASS_COUNT, true);
	sweep_device(&s, r, d->id, mem);
	while (sweep_next(&s, &row)) {
		nsec start = r->events.start[row], end = events_end(&r->events, row);

		if (!takes(r, v, row))
			continue;
		enum devclass k = classes_of(c, row);
		if (d->nevent++ == 0) {
			d->first = start;
			d->last = end;
		}
		d->last = MAX(end, d->last);
		saturate_onto(&d->sum[k], r->events.dur[row]);
		d->count[k]++;
		partition_add(&p, k, start, end);
	}
	partition_end(&p);
	d->whole = p.sums;
	/* The sums may begin before the first event and end after the last one: idle there. */
	d->whole.ns[0] = (uint64_t)d->last - (uint64_t)d->first;
	for (size_t i = 1; i < PARTITION_SLOTS; i++)
		d->whole.ns[0] -= d->whole.ns[i];
}

/* Devices that --cat left without events go. */
static void drop_empty(struct ledgers *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->ndevice; i++)
		if (l->device[i].nevent > 0)
			l->device[n++] = l->device[i];
	l->ndevice = n;
}

void ledgers_init(struct ledgers *l, const struct run *r, const struct classes *c,
	const struct filter_view *v, struct arena *mem)
{
	struct partition_edges edges, none = { 0 };

	*l = (struct ledgers){ 0 };
	find_devices(l, r, v, mem);
	partition_edges_of_steps(&edges, r->steps, mem);
	l->nstep = edges.nrange;
	for (size_t i = 0; i < l->ndevice; i++) {
		bool fits = i == 0 || (i + 1) * l->nstep <= RANGES_MAX;

		if (fits)
			l->device[i].range =
				arena_array(mem, l->nstep, sizeof(*l->device[i].range));
		sweep(&l->device[i], r, c, v, fits ? &edges : &none, mem);
	}
	drop_empty(l);
	for (size_t i = 0; i < l->ndevice; i++)
		l->nwithout += !l->device[i].range;
}

static nsec sum_of(const struct partition_sums *s, unsigned any, unsigned none, unsigned all)
{
	uint64_t sum = 0;

	for (unsigned set = 1; set < 1u << CLASS_COUNT; set++)
		if ((set & any) && !(set & none) && (set & all) == all)
			sum += s->ns[set];
	return (nsec)sum;
}

static struct ledger ledger_of(const struct partition_sums *s)
{
	const unsigned computes = SET(COMPUTE) | SET(MEMSET), every = (1u << CLASS_COUNT) - 1;
	struct ledger l = {
		.compute = sum_of(s, computes, 0, 0),
		.exposed_comm = sum_of(s, SET(COMM), computes, 0),
		.exposed_memcpy = sum_of(s, SET(MEMCPY), computes | SET(COMM), 0),
		.idle = (nsec)s->ns[0],
		.busy = sum_of(s, every, 0, 0),
		.kernels = sum_of(s, SET(COMPUTE) | SET(COMM), 0, 0),
		.compute_kernels = sum_of(s, SET(COMPUTE), 0, 0),
		.comm = sum_of(s, SET(COMM), 0, 0),
		.memcpy = sum_of(s, SET(MEMCPY), 0, 0),
		.memset = sum_of(s, SET(MEMSET), 0, 0),
		.comm_compute = sum_of(s, computes, 0, SET(COMM)),
		.comm_compute_kernels = sum_of(s, SET(COMPUTE), 0, SET(COMM)),
	};

	l.total = (nsec)((uint64_t)l.busy + s->ns[0]);
	l.only_memset = l.compute - l.compute_kernels;
	return l;
}

struct ledger ledger_whole(const struct ledgers *l, size_t d)
{
	return ledger_of(&l->device[d].whole);
}

struct ledger ledger_outside(const struct ledgers *l, size_t d)
{
	struct partition_sums out = l->device[d].whole;

	out.ns[0] = 0;
	for (size_t i = 0; i < l->nstep; i++)
		for (int set = 1; set < PARTITION_SLOTS; set++) /* steps may overlap */
			out.ns[set] -= MIN(l->device[d].range[i].ns[set], out.ns[set]);
	return ledger_of(&out);
}

struct ledger ledger_step(const struct ledgers *l, size_t d, size_t step)
{
	return ledger_of(&l->device[d].range[step]);
}
