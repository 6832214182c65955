/*
 * `info`: memory snapshots: what is in them, and whether their history reaches back to the begin.
 */
#include "analyze/answer/info/info.h"
#include "analyze/measure/memory/snapreplay.h"
#include "analyze/measure/memory/snapstate.h"
#include "analyze/trace/columns/record.h"

static const struct memsnap_trace *trace_of(const struct memsnap *m, int64_t device)
{
	size_t i;

	for (i = 0; i < m->ntrace; i++)
		if (m->trace[i].device == device)
			return &m->trace[i];
	return NULL;
}

static void put_history(struct table *t, const struct memsnap *m, const struct memsnap_trace *trace)
{
	struct snapreplay r;

	snapreplay_init(&r, m, trace);
	table_int(t, SNAPS_ENTRIES, (int64_t)trace->n);
	table_bool(t, SNAPS_FROM_BEGIN, r.before == 0);
	table_int(t, SNAPS_BEFORE, r.before);
	snapreplay_clear(&r);
}

static void put_device(struct table *t, const struct memsnap *m, int64_t device,
	const struct snapsum *sum, const struct memsnap_trace *trace)
{
	int64_t blocks = 0;
	size_t i;

	table_row(t);
	table_int(t, SNAPS_ARTIFACT, m->artifact);
	if (device != MEMSNAP_UNKNOWN)
		table_int(t, SNAPS_DEVICE, device);
	for (i = 0; sum && i < MEMSNAP_STATE_COUNT; i++)
		blocks += sum->blocks[i];
	if (sum) {
		table_int(t, SNAPS_SEGMENTS, sum->segments);
		table_int(t, SNAPS_BLOCKS, blocks);
		table_int(t, SNAPS_RESERVED, sum->reserved);
	}
	if (trace)
		put_history(t, m, trace);
}

static void put_snapshot(struct table *t, const struct memsnap *m)
{
	struct snapstate s;
	size_t i;

	snapstate_init(&s, m);
	for (i = 0; i < s.ndevice; i++)
		put_device(t, m, s.device[i].device, &s.device[i].sum,
			trace_of(m, s.device[i].device));
	for (i = 0; i < m->ntrace; i++)
		if (!snapstate_of(&s, m->trace[i].device))
			put_device(t, m, m->trace[i].device, NULL, &m->trace[i]);
	snapstate_clear(&s);
}

void info_snapshot_table(struct info *f)
{
	const struct record *r = f->at->run->record;
	struct table *t;
	size_t i;

	if (r->nsnapshot == 0)
		return;
	t = perrun_table(f->at, &info_docs[INFO_SNAPSHOTS]);
	for (i = 0; i < r->nsnapshot; i++)
		put_snapshot(t, r->snapshot[i]);
}
