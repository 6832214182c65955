/* `comms`: its tables. */
#include "analyze/answer/comms/comms.h"
#include "analyze/trace/run.h"

#define BIT(column) (UINT64_C(1) << (column))

static void place_device(const void *ctx UNUSED, const void *item, struct groupby_place *to)
{
	to->a[0] = ((const struct comms_group *)item)->key.device;
}

static void put_device(const struct groupby *g, const void *item, uint32_t i)
{
	const struct window *w = &((const struct comms *)g->ctx)->window;

	for (i = 0; i < w->ndevice; i++)
		if (w->device[i].id == ((const struct comms_group *)item)->key.device)
			groupby_real(g, CDEV_PER_STEP,
				(double)w->device[i].ledger.exposed_comm / (double)w->nstep);
}

/* Ties by what it is. */
static void place_collective(const void *ctx, const void *item, struct groupby_place *to)
{
	const struct comms_group *g = item;

	to->a[0] = g->key.op;
	to->a[1] = g->key.bytes;
	to->name = strings_get(&((const struct comms *)ctx)->p->run->strings, g->kernel);
}

static void put_collective(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	const struct comms_group *of = item;

	groupby_text(g, COLL_OP, span_of(commclass_word((enum comm_op)of->key.op)));
	if (of->bus_ns > 0)
		groupby_real(g, COLL_BUS, commclass_bus_rate(of->bus, of->bus_ns));
}

/* What nothing is known of, or what is the same in all rows. */
static uint64_t hidden_columns(const struct comms *c)
{
	const struct comms_group *g = c->groups[BY_WHAT].item;
	bool has_args = false, has_bytes = false, several_groups = false;
	uint64_t v = 0;

	for (EACH(const struct comms_group, group, g, c->groups[BY_WHAT].n)) {
		has_args |= group->key.ranks != ARG_UNKNOWN;
		has_bytes |= group->key.bytes != ARG_UNKNOWN;
		several_groups |= group->key.process_group != g[0].key.process_group;
	}
	v |= several_groups ? 0 : BIT(COLL_GROUP);
	v |= has_bytes ? 0 : BIT(COLL_BYTES) | BIT(COLL_ALGORITHM) | BIT(COLL_BUS);
	if (c->by == COMMS_BY_KERNEL || !has_args)
		return v | BIT(COLL_DTYPE) | BIT(COLL_RANKS);
	return v | BIT(COLL_KERNEL);
}

static const struct lane *lane_of(const struct comms *c, const void *item)
{
	return &c->p->run->lanes.lane[((const struct comms_group *)item)->key.lane];
}

static void place_stream(const void *ctx, const void *item, struct groupby_place *to)
{
	to->a[0] = lane_of(ctx, item)->device;
	to->a[1] = lane_of(ctx, item)->stream;
}

static void put_stream(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	groupby_int(g, CSTR_DEVICE, lane_of(g->ctx, item)->device);
	groupby_int(g, CSTR_STREAM, lane_of(g->ctx, item)->stream);
}

static void put_host(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	enum comm_op op =
		commclass_of(strings_get(g->of.names, ((const struct comms_host *)item)->name));

	if (op != COMM_UNKNOWN)
		groupby_text(g, CHOST_OP, span_of(commclass_word(op)));
}

static const struct grouping devices = {
	.sort = GROUPBY_PLACE, .place = place_device, .put = put_device
};
static const struct grouping collectives = { .sort = COLL_SUM,
	.name = COLL_OP,
	.people = 20,
	.place = place_collective,
	.put = put_collective };
static const struct grouping streams = {
	.sort = GROUPBY_PLACE, .place = place_stream, .put = put_stream
};
static const struct grouping host = { .sort = CHOST_CPU, .name = CHOST_NAME, .put = put_host };

static void put(struct comms *c, const struct grouping *how, enum comms_table table,
	const struct groups *from)
{
	struct groupby g = groupby_of(how, c->p, &comms_docs[table], from, c);

	g.of.whole = (double)c->device_sum;
	if (table == COMMS_COLLECTIVES) {
		g.hide = hidden_columns(c);
		groupby_limit(&g, c->o->limit);
	}
	groupby_put(&g);
}

void comms_tables(struct comms *c)
{
	put(c, &devices, COMMS_DEVICES, &c->groups[BY_DEVICE]);
	put(c, &collectives, COMMS_COLLECTIVES, &c->groups[BY_WHAT]);
	put(c, &streams, COMMS_STREAMS, &c->groups[BY_LANE]);
	put(c, &host, COMMS_HOST, &c->host);
}
