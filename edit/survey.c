/* The first reading of a trace that is cut. */
#include "edit/survey.h"

#include "analyze/input/load.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/cutnote.h"
#include "analyze/trace/run_steps.h"
#include "edit/window_notes.h"
#include "edit/time_range.h"

/* ---- the tap: chains and members ---- */

struct chain_seen {
	struct chain_end end;
	bool is_flow;
};

static void see_chain(struct batch *b, const struct tap_event *event)
{
	const struct raw_event *raw = event->raw;
	struct chain_seen seen;
	struct span cat = raw_has(raw, RAW_CAT) ? raw->cat : RAW_NOTHING;
	char ph = raw_has(raw, RAW_PH) ? raw->ph : 0;

	memset(&seen, 0, sizeof(seen));
	seen.is_flow = chain_is_flow(ph);
	if (!seen.is_flow && !chain_is_async(ph))
		return;
	if ((seen.is_flow && chain_is_launch(cat)) || !raw_has(raw, RAW_TS) ||
		!num_ns(raw->ts, &seen.end.at))
		return;
	struct span id = parts_id(event->text);
	if (!id.p)
		return;
	seen.end.key = chain_key(cat, id);
	notes_add(&b->tapped.text[0], &seen, sizeof(seen), NULL, 0);
}

static void see_event(void *ctx, struct batch *b, const struct tap_event *event)
{
	const struct survey *s = ctx;

	b->tapped.n++;
	see_chain(b, event);
	for (size_t i = 0; i < s->ncompanion; i++)
		s->companion[i].see(s->companion[i].ctx, b, event, &b->tapped.text[1 + i]);
}

static enum status see_window(void *ctx, struct batch *b, struct err *e UNUSED)
{
	struct survey *s = ctx;
	struct span left = { b->tapped.text[0].s, b->tapped.text[0].n };
	struct chain_seen seen;

	s->nevent += b->tapped.n;
	while (notes_next(&left, &seen, sizeof(seen), NULL, 0))
		chains_note(&s->chains, seen.end, seen.is_flow);
	for (size_t i = 0; i < s->ncompanion; i++)
		s->companion[i].take(s->companion[i].ctx, &b->tapped.text[1 + i]);
	return OK;
}

static void see_members(void *ctx, const struct batch_member *v, size_t n)
{
	struct survey *s = ctx;

	s->member = arena_array(&s->mem, n, sizeof(*s->member));
	for (size_t i = 0; i < n; i++) {
		struct batch_member m = batch_member_copy(&v[i], &s->mem);

		if (span_is(m.key, CUTNOTE_KEY))
			s->had = m.value;
		else
			s->member[s->nmember++] = m;
	}
}

/* ---- the note of what was cut ---- */

static void put_steps(struct str *out, const struct steps *s, const bool *taken)
{
	static const char *const words[] = { "profiler", "annotation", "whole" };
	const char *comma = "";

	str_addf(out, ", \"steps_by\": \"%s\", \"on_device\": %s", words[s->source],
		s->on_device ? "true" : "false");
	if (isfinite(s->delay))
		str_addf(out, ", \"delay_ns\": %.17g", s->delay);
	str_adds(out, ", \"steps\": [");
	for (size_t i = 0; i < s->n; i++) {
		const struct step *v = &s->step[i];

		if (!taken[i])
			continue;
		str_addf(out,
			"%s[%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64
			", %d, %" PRId64 "]",
			comma, v->number, v->host_start, v->host_end, v->start, v->end,
			(int)v->incomplete, v->ndevice);
		comma = ", ";
	}
	str_addc(out, ']');
}

/* The note that a cut carries: what analyze/input/events/meta.c reads.  taken: by step of r,
 * which of them were asked for; NULL: none. */
static void put_note(
	struct str *out, const struct run *r, const bool *taken, const struct intervals *time)
{
	str_addf(out, "{\"first_ns\": %" PRId64 ", \"last_ns\": %" PRId64 ", \"time\": [",
		r->first_ns, r->last_ns);
	for (size_t i = 0; i < time->n; i++)
		str_addf(out, "%s[%" PRId64 ", %" PRId64 "]", i ? ", " : "", time->v[i].start,
			time->v[i].end);
	str_addc(out, ']');
	if (taken)
		put_steps(out, r->steps, taken);
	str_addc(out, '}');
}

/* ---- what is in the hull ---- */

static void add_steps(struct choice *c, const struct run *r, const struct filter_view *v)
{
	const struct steps *steps = r->steps;

	for (size_t i = 0; i < steps->n; i++) {
		const struct step *s = &steps->step[i];

		if (v->step[i])
			intervals_add(&c->hull.time, MIN(s->host_start, s->start),
				MAX(s->host_end, s->end));
	}
}

static uint64_t call_of(const struct run *r, size_t row)
{
	const struct events *ev = &r->events;
	uint32_t args = ev->args[row], id;

	if (args == NO_ARGS)
		return 0;
	switch (args_table_of((enum kind)ev->kind[row])) {
	case ARGS_LAUNCH: id = r->args.col[ARG_LAUNCH_CORRELATION].id[args - 1]; break;
	case ARGS_DEVICE: id = r->args.col[ARG_DEVICE_CORRELATION].id[args - 1]; break;
	default: return 0;
	}
	return ids_unpack(&r->ids, id);
}

/* The call or work of each lane that is nearest to a stretch on either side: neighbours say how
 * long a stream was idle, what a thread waited for before, and what came next. */
struct nearest {
	uint32_t before, after; /* rows, or NO_ROW */
};

static void find_nearest(struct nearest *near, const struct run *r, struct interval at)
{
	const struct events *ev = &r->events;

	FILL(near, r->lanes.n, (struct nearest){ NO_ROW, NO_ROW });
	for (size_t i = 0; i < ev->n; i++) {
		struct nearest *n = &near[ev->lane[i]];

		if (!call_of(r, i))
			continue;
		if (ev->start[i] < at.start &&
			(n->before == NO_ROW || ev->start[i] >= ev->start[n->before]))
			n->before = (uint32_t)i;
		if (ev->start[i] >= at.end &&
			(n->after == NO_ROW || ev->start[i] < ev->start[n->after]))
			n->after = (uint32_t)i;
	}
}

/* Calls and work that pass the filter, for arrows between them. */
static void add_ends(struct choice *c, const struct run *r, struct filter_view *v)
{
	const struct events *ev = &r->events;

	for (size_t i = 0; i < ev->n; i++) {
		uint64_t call = call_of(r, i);
		bool device = kind_is_device((enum kind)ev->kind[i]);

		if (!call || !(v->kinds & KIND_BIT(ev->kind[i])) || !filter_name(v, ev->name[i]))
			continue;
		if (device && v->lane && !v->lane[ev->lane[i]])
			continue;
		if (c->hull.is_all || idset_has(&c->calls, call))
			idset_add(device ? &c->launched : &c->launching, call);
	}
	idset_seal(&c->launched);
	idset_seal(&c->launching);
}

static enum status choose_time(struct choice *c, const struct run *r, const struct cut_want *want,
	struct survey *s, struct filter_view *v, struct err *e)
{
	struct interval at;

	if (want->filter.steps)
		add_steps(c, r, v);
	if (want->stretch)
		intervals_add(&c->hull.time, want->stretch->start, want->stretch->end);
	if (want->time) {
		TRY(time_range_read(want->time, r->first_ns, r->last_ns, &at, e));
		intervals_add(&c->hull.time, at.start, at.end);
	}
	c->hull.is_all = !want->filter.steps && !want->stretch && !want->time;
	intervals_unite(&c->hull.time);
	if (!c->hull.is_all)
		put_note(&s->note, r, want->filter.steps ? v->step : NULL, &c->hull.time);
	return OK;
}

static enum status choose(struct choice *c, struct run *r, const struct cut_want *want,
	struct survey *s, struct err *e)
{
	struct filter_view view;

	TRY(load_want_events(r, e));
	TRY(filter_view_init(&view, &c->filter, r, &s->mem, e));
	TRY(choose_time(c, r, want, s, &view, e));
	if (!c->hull.is_all) {
		struct nearest *near = arena_array(&s->mem, r->lanes.n, sizeof(*near));
		for (size_t k = 0; k < c->hull.time.n; k++) {
			find_nearest(near, r, c->hull.time.v[k]);
			for (EACH(const struct nearest, nearest, near, r->lanes.n)) {
				if (nearest->before != NO_ROW)
					idset_add(&c->calls, call_of(r, nearest->before));
				if (nearest->after != NO_ROW)
					idset_add(&c->calls, call_of(r, nearest->after));
			}
		}
		for (size_t i = 0; i < r->events.n; i++) {
			uint64_t call = call_of(r, i);

			if (call &&
				keep_ranges_meets(
					&c->hull, r->events.start[i], events_end(&r->events, i)))
				idset_add(&c->calls, call);
		}
		idset_seal(&c->calls);
		chains_choose(&s->chains, &c->hull, &c->chains);
	}
	if (c->is_filtered)
		add_ends(c, r, &view);
	enum status st = view.status;
	s->tally = r->tally;
	s->first = r->first_ns;
	s->last = r->last_ns;
	return st;
}

enum status survey_make(struct survey *s, struct choice *c, const char *path,
	const struct cut_want *want, const struct load_options *o, struct err *e)
{
	const struct tap tap = {
		.event = see_event, .window = see_window, .members = see_members, .ctx = s
	};
	struct load_options first = *o;
	struct run run;

	chains_init(&s->chains);
	first.needs = NEED_LINKS | (want->filter.steps ? NEED_ORDER | NEED_STEPS : 0u);
	for (size_t i = 0; i < s->ncompanion; i++)
		first.needs |= s->companion[i].needs;
	first.tap = &tap;
	first.kinds = KINDS_CALLS;
	TRY(load_single(path, &first, &run, e));
	enum status st = choose(c, &run, want, s, e);
	run_clear(&run);
	for (EACH(const struct companion, companion, s->companion, s->ncompanion))
		if (companion->ready)
			companion->ready(companion->ctx);
	return st;
}

void survey_clear(struct survey *s)
{
	str_free(&s->note);
	chains_clear(&s->chains);
	arena_clear(&s->mem);
}
