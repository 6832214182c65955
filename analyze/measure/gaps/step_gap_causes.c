/* Waiting: a partition of each device's gaps by what they were for. */
#include "analyze/measure/gaps/step_gap_causes.h"

#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

/* Steps x devices beyond this have no figures, as in ledger.c. */
enum { RANGES_MAX = 1 << 20 };

/* What else is known of parts: of these one each. */
enum { LONG_HOST, LONG_HOST_BEHIND, LATE, BEHIND, SIDES };

/* A device's two partitions: by what was waited for; and by whose fault that may be. */
struct dividing {
	struct partition all, side;
};

static void add_part(void *ctx, const struct gap_cause_part *p)
{
	struct dividing *d = ctx;

	partition_add(&d->all, p->cls, p->start, p->end);
	bool is_long_host = p->gap_ns >= GAP_CAUSES_LONG_NS && (GAP_CAUSES_HOST >> p->cls & 1);
	bool is_behind = p->held != NO_ROW && p->cls != GAP_CAUSE_SYNC;

	if (is_long_host)
		partition_add(&d->side, is_behind ? LONG_HOST_BEHIND : LONG_HOST, p->start, p->end);
	else if (is_behind)
		partition_add(&d->side, gap_cause_is_late(p) ? LATE : BEHIND, p->start, p->end);
}

static void nothing(void *ctx UNUSED, const struct gap *g UNUSED)
{
}

/* From the first step's start to the last one's end. */
static struct interval reach_of(const struct steps *s)
{
	struct interval all = { INT64_MAX, INT64_MIN };

	for (EACH(const struct step, step, s->step, s->n)) {
		all.start = MIN(step->start, all.start);
		all.end = MAX(step->end, all.end);
	}
	return all;
}

void step_gap_causes_init(struct step_gap_causes *w, const struct run *r,
	const struct filter_view *v, struct arena *mem)
{
	const struct interval reach = reach_of(r->steps);
	struct partition_edges edges;
	struct gaps g;

	devices_init(&w->devices, r, mem);
	w->step = arena_array(mem, w->devices.n, sizeof(struct partition_sums *));
	w->side = arena_array(mem, w->devices.n, sizeof(struct partition_sums *));
	w->notes = arena_array(mem, w->devices.n, sizeof(*w->notes));
	if (reach.start >= reach.end)
		return;
	partition_edges_of_steps(&edges, r->steps, mem);
	gaps_init(&g, r, v, &reach, 1);
	g.part = add_part;
	for (size_t i = 0; i < w->devices.n; i++) {
		struct dividing d;

		if (i > 0 && (i + 1) * r->steps->n > RANGES_MAX)
			break;
		w->step[i] = arena_array(mem, r->steps->n, sizeof(**w->step));
		w->side[i] = arena_array(mem, r->steps->n, sizeof(**w->side));
		partition_init(&d.all, &edges, w->step[i], GAP_CAUSE_COUNT, false);
		partition_init(&d.side, &edges, w->side[i], SIDES, false);
		struct gap_notes notes = { 0 };

		g.part_ctx = &d;
		g.to = &notes;
		gaps_of_device(&g, w->devices.id[i], nothing, NULL);
		partition_end(&d.all);
		partition_end(&d.side);
		w->notes[i].n = notes.n;
		w->notes[i].launch_cost = notes.launch_cost;
		w->notes[i].v = arena_array(mem, notes.n, sizeof(*notes.v));
		for (size_t k = 0; k < notes.n; k++)
			w->notes[i].v[k] = notes.v[k];
		free(notes.v);
	}
	gaps_clear(&g);
}

const struct gap_notes *step_gap_causes_notes(const struct step_gap_causes *w, int64_t device)
{
	size_t d = devices_find(&w->devices, device);

	return d == SIZE_MAX || !w->notes ? NULL : &w->notes[d];
}

void step_gap_causes_add(
	const struct step_gap_causes *w, int64_t device, size_t step, struct step_waits *sum)
{
	size_t d = devices_find(&w->devices, device);

	if (d == SIZE_MAX || !w->step[d])
		return;
	for (int i = 0; i < GAP_CAUSE_COUNT; i++)
		saturate_onto(&sum->ns[i], (nsec)w->step[d][step].ns[i]);
	const uint64_t *side = w->side[d][step].ns;

	saturate_onto(&sum->long_host, (nsec)(side[LONG_HOST] + side[LONG_HOST_BEHIND]));
	saturate_onto(&sum->late, (nsec)side[LATE]);
	saturate_onto(&sum->behind, (nsec)(side[LONG_HOST_BEHIND] + side[LATE] + side[BEHIND]));
}
