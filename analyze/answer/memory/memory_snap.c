/* `memory` of snapshots: their devices, one after the other. */
#include "analyze/answer/memory/memory.h"

#include "analyze/measure/device/devices.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/record.h"
#include "base/unit.h"

enum { PEOPLE_ROWS = 10, PEOPLE_POINTS = 16, MACHINE_POINTS = 1000 };

/* Beside a trace, or another snapshot, with its file. */
static const char *label_of(const struct snap *s, const struct memsnap *m, int64_t id)
{
	const struct record *r = s->at->record;
	const char *file = run_below(s->at->run, r->artifact[m->artifact].path);
	bool is_one = r->nsnapshot == 1 && !s->at->run->has_trace;
	struct arena *mem = &s->at->out->mem;

	if (id == MEMSNAP_UNKNOWN)
		return is_one ? "device" : arena_printf(mem, "%s: device", file);
	return is_one ? arena_printf(mem, "GPU %" PRId64, id)
		      : arena_printf(mem, "%s: GPU %" PRId64, file, id);
}

static void find_history(struct snapdev *d, const struct memsnap_trace *t, size_t points)
{
	d->has_history = true;
	snapreplay_init(&d->replay, d->m, t);
	snapcurve_init(&d->curve, &d->replay, points);
	snapheld_init(&d->held, &d->replay, &d->curve, &d->mem);
	snapgrowths_init(&d->growths, &d->replay, &d->curve, &d->held, &d->mem);
	d->noom = d->curve.noom;
	d->oom = arena_array(&d->mem, d->noom, sizeof(*d->oom));
	for (size_t i = 0; i < d->noom; i++)
		snapoom_of(&d->oom[i], &d->replay, &d->curve, i, d->sum);
}

static void add_device(struct snap *s, const struct memsnap *m, const struct snapstate *state,
	int64_t id, const struct memsnap_trace *t)
{
	struct snapdev *d = &s->dev[s->ndev];
	size_t points = rows_limit(s->at->q, s->o->points, PEOPLE_POINTS, MACHINE_POINTS);

	if (s->at->set->device.n && !filter_in(&s->at->set->device, id))
		return;
	*d = (struct snapdev){ .m = m, .id = id, .state = state };
	d->label = label_of(s, m, id);
	d->sum = snapstate_of(state, id);
	if (t)
		find_history(d, t, points);
	else
		snapheld_blocks(&d->held, m, id, &d->mem);
	s->ndev++;
}

/* Devices that hold something, then those that have but a history. */
static void add_devices(struct snap *s, const struct memsnap *m, const struct snapstate *state)
{
	for (EACH(const struct snapgroup, snapgroup, state->device, state->ndevice))
		add_device(s, m, state, snapgroup->device,
			FIND(i, m->trace, m->ntrace, m->trace[i].device == snapgroup->device));
	for (size_t i = 0; i < m->ntrace && i < DEVICES_MAX; i++)
		if (!snapstate_of(state, m->trace[i].device))
			add_device(s, m, state, m->trace[i].device, &m->trace[i]);
}

static void say_before(const struct snap *s, const struct snapdev *d)
{
	struct arena *mem = &s->at->out->mem;
	const char *freed = "";

	if (d->replay.nfreed)
		freed = arena_printf(mem,
			"; %zu of these blocks were freed since, and who had allocated them is "
			"unknown",
			d->replay.nfreed);
	result_note(s->at->out, NOTE_INFO, "snapshot_before", s->at->input,
		(int64_t)d->replay.nearly,
		"%s: %s were alive before its history of %zu entries begins, which was begun late or has "
		"lost its oldest entries%s",
		d->label, unit_bytes(mem, (double)d->replay.before), d->replay.n, freed);
}

static void say_notes(const struct snap *s)
{
	const struct record *r = s->at->record;
	struct result *out = s->at->out;

	for (EACH(const struct snapdev, d, s->dev, s->ndev)) {
		if (d->has_history && d->replay.before > 0)
			say_before(s, d);
		if (d->has_history && d->replay.drift)
			result_note(s->at->out, NOTE_WARNING, "snapshot_drift", s->at->input, -1,
				"%s: what its history leaves allocated differs from its blocks by %s; figures over "
				"time are off by that",
				d->label, unit_bytes(&s->at->out->mem, (double)d->replay.drift));
	}
	for (size_t i = 0; i < r->nsnapshot; i++) {
		const struct snapstate *state = &s->state[i];

		if (r->snapshot[i]->ntrace == 0)
			result_note(out, NOTE_INFO, "snapshot_no_history", s->at->input, -1,
				"the snapshot has no history: "
				"torch.cuda.memory._record_memory_history() records it");
		if (r->snapshot[i]->stacks.n <= 1)
			result_note(out, NOTE_INFO, "snapshot_no_stacks", s->at->input, -1,
				"the snapshot has no stacks, so that it does not say who "
				"allocated");
		if (state->uneven)
			result_note(out, NOTE_WARNING, "snapshot_uneven", s->at->input,
				state->uneven,
				"%" PRId64 " segments have blocks that do not come to their size",
				state->uneven);
		devices_say(
			out, s->at->input, state->ndevice + state->ndevice_more, state->ndevice);
	}
	if (s->at->q->filter->steps || s->at->q->filter->match || s->at->q->filter->exclude ||
		s->at->q->filter->stream)
		result_note(out, NOTE_INFO, "snapshot_filters", s->at->input, -1,
			"a memory snapshot has neither steps nor names: of the filters only "
			"--device leaves something out");
}

static void put_tables(const struct snap *s)
{
	snap_put_answer(s);
	snap_put_oom(s);
	snap_put_held(s);
	snap_put_stacks(s);
	snap_put_growing(s);
	snap_put_peaks(s);
	snap_put_history(s);
	snap_put_segments(s);
	snap_put_blocks(s);
	snap_put_curve(s);
	snap_put_lives(s);
	say_notes(s);
}

enum status memory_put_snapshots(struct perrun *at, const struct memory_options *o)
{
	struct snap s = { .at = at, .o = o };
	const struct record *r = at->record;
	enum status st = OK;

	s.limit = rows_limit(at->q, o->limit, PEOPLE_ROWS, SIZE_MAX);
	s.state = arena_array(&at->mem, r->nsnapshot, sizeof(*s.state));
	for (size_t i = 0; i < r->nsnapshot; i++)
		snapstate_init(&s.state[i], r->snapshot[i]);
	s.dev = arena_array(&at->mem,
		SUM(size_t, i, s.at->record->nsnapshot,
			s.state[i].ndevice + s.at->record->snapshot[i]->ntrace),
		sizeof(*s.dev));
	for (size_t i = 0; i < r->nsnapshot; i++)
		add_devices(&s, r->snapshot[i], &s.state[i]);
	if (s.ndev || !at->q->filter->device)
		put_tables(&s);
	else
		st = err_set(at->e, E_NODATA, -1,
			"the snapshot has no device that --device '%s' takes",
			at->q->filter->device);
	for (EACH(struct snapdev, snapdev, s.dev, s.ndev)) {
		snapreplay_clear(&snapdev->replay);
		snapcurve_clear(&snapdev->curve);
		arena_clear(&snapdev->mem);
	}
	for (size_t i = 0; i < s.at->record->nsnapshot; i++)
		snapstate_clear(&s.state[i]);
	return st;
}
