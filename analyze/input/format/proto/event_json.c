/* Echoes: texts of events, member by member. */
#include "analyze/input/format/proto/event_json.h"

#include "analyze/input/events/plan.h"
#include "analyze/input/format/proto/decoder.h"
#include "analyze/input/format/proto/packet.h"
#include "analyze/input/format/proto/wire.h"
#include "analyze/trace/columns/lanes.h"

#define NS_PER_US 1000u

static void put_text(struct str *to, const char *key, struct span text)
{
	str_addf(to, ", \"%s\": ", key);
	notes_quote(to, text);
}

/* A pid or tid: a number where it is one. */
static void put_place(struct str *to, const char *key, struct span text)
{
	if (lane_number(text) == LANE_NO_NUMBER) {
		put_text(to, key, text);
		return;
	}
	str_addf(to, ", \"%s\": ", key);
	str_add(to, text.p, text.n);
}

/* Microseconds with all of their three digits. */
static void put_time(struct str *to, nsec t)
{
	uint64_t size = t < 0 ? 0 - (uint64_t)t : (uint64_t)t;

	str_addf(to, ", \"ts\": %s%" PRIu64 ".%03" PRIu64, t < 0 ? "-" : "", size / NS_PER_US,
		size % NS_PER_US);
}

void event_json_begin(struct decoder *d, const struct event_json_event *event)
{
	struct str *to = &d->echo;

	str_reset(to);
	str_addf(to, "{\"ph\": \"%c\"", event->ph);
	if (event->cat.p)
		put_text(to, "cat", event->cat);
	if (event->name.p)
		put_text(to, "name", event->name);
	if (event->has_id)
		str_addf(to, ", \"id\": %" PRIu64, event->id);
	put_place(to, "pid", event->track->pid);
	if (event->ph != 'C' || event->track->tid.n)
		put_place(to, "tid", event->track->tid);
	put_time(to, event->time);
	if (event->binds_enclosing)
		str_adds(to, ", \"bp\": \"e\"");
	if (event->scope)
		str_addf(to, ", \"s\": \"%c\"", event->scope);
	d->event_json_args = 0;
}

static void begin_arg(struct decoder *d)
{
	str_adds(&d->echo, d->event_json_args++ ? ", " : ", \"args\": {");
}

void event_json_note(struct decoder *d, struct span annotation)
{
	begin_arg(d);
	notes_member(&d->notes, annotation, &d->echo);
}

void event_json_value(struct decoder *d, struct span key, double value)
{
	begin_arg(d);
	notes_quote(&d->echo, key);
	str_adds(&d->echo, ": ");
	notes_real(&d->echo, value);
}

void event_json_whole(struct decoder *d, struct span key, int64_t value)
{
	begin_arg(d);
	notes_quote(&d->echo, key);
	str_addf(&d->echo, ": %" PRId64, value);
}

void event_json_end(struct decoder *d, uint32_t row)
{
	const struct tap *tap = d->m.plan->tap;

	str_adds(&d->echo, d->event_json_args ? "}}" : "}");
	tap->said(tap->ctx, &d->m.batch, row, (struct span){ d->echo.s, d->echo.n });
}

static void put_flow(struct decoder *d, const struct event_json_event *of, uint64_t id, bool ends)
{
	struct event_json_event event = *of;

	event.ph = ends ? 'f' : 's';
	event.scope = 0;
	event.cat = event.name = SPAN("ac2g");
	event.id = id;
	event.has_id = true;
	event.binds_enclosing = ends;
	event_json_begin(d, &event);
	event_json_end(d, TAP_NO_ROW);
}

void event_json_flows(struct decoder *d, const struct event_json_event *event, struct span message,
	bool on_device)
{
	struct wire w = wire_of(message);
	struct wire_field f;
	uint64_t id;

	while (wire_next(&w, &f)) {
		bool is_old = f.number == EVENT_FLOW_OLD || f.number == EVENT_FLOW_END_OLD;
		bool ends = f.number == EVENT_FLOW_END || f.number == EVENT_FLOW_END_OLD;

		if (!is_old && !ends && f.number != EVENT_FLOW)
			continue;
		for (size_t at = 0;
			wire_repeated(&f, is_old ? WIRE_VARINT : WIRE_FIXED64, &at, &id);)
			put_flow(d, event, id, ends || on_device);
	}
}

void event_json_name(struct decoder *d, const struct said_name *name)
{
	static const char *const called[] = { "process_name", "process_labels", "thread_name" };
	bool of_thread = name->what == NAME_THREAD;
	const char *what = called[name->what], *key = "name";
	struct str *to = &d->echo;

	if (name->is_order)
		what = of_thread ? "thread_sort_index" : "process_sort_index";
	else if (name->what == NAME_LABELS)
		key = "labels";
	str_reset(to);
	str_addf(to, "{\"ph\": \"M\", \"name\": \"%s\"", what);
	put_place(to, "pid", name->pid);
	if (of_thread)
		put_place(to, "tid", name->tid);
	str_addf(to, ", \"args\": {\"%s\": ", name->is_order ? "sort_index" : key);
	if (name->is_order)
		str_add(to, name->value.p, name->value.n);
	else
		notes_quote(to, name->value);
	d->event_json_args = 1;
	event_json_end(d, TAP_NO_ROW);
}
