/* Events of Chrome's JSON, taken apart for Perfetto's protobuf. */

#include "analyze/input/text/num.h"
#include "base/compiler.h"
#include "edit/chains.h"
#include "edit/out/annotation.h"
#include "edit/out/write_pftrace_parts.h"
#include "edit/out/pb.h"
#include "edit/event_members.h"

static struct json_value value_of(struct parts *e, const char *key)
{
	const struct part_of *part = parts_find(e, key);
	struct json_value none = { JSON_NONE, { "", 0 }, false };
	struct span rest;

	return part ? json_value(part->value, &rest) : none;
}

/* What a member says, as text without escapes; "" without it. */
static struct span text_of(struct pftrace *p, struct parts *e, const char *key)
{
	struct json_value v = value_of(e, key);

	return v.type == JSON_STRING ? annotation_text(v, &p->mem) : v.text;
}

/* ---- processes and lanes ---- */

static uint32_t process_of(struct pftrace *p, struct parts *e)
{
	sym pid = strings_intern(&p->text, text_of(p, e, "pid"));
	size_t before = p->processes.n;
	uint32_t at = keymap_add(&p->processes, &pid);

	if (at == before) {
		p->process = array_grow(
			p->process, &p->process_cap, p->processes.n, sizeof(*p->process));
		p->process[at] = (struct pf_process){ .pid = pid };
	}
	return at;
}

static uint32_t lane_of(struct pftrace *p, struct parts *e, enum pf_row row, struct span tid)
{
	const uint32_t key[3] = { process_of(p, e), strings_intern(&p->text, tid), row };
	size_t before = p->lanes.n;
	uint32_t at = keymap_add(&p->lanes, key);

	if (at == before) {
		p->lane = array_grow(p->lane, &p->lane_cap, p->lanes.n, sizeof(*p->lane));
		p->lane[at] = (struct pf_lane){ .process = key[0], .tid = key[1], .row = row };
	}
	return at;
}

static uint32_t thread_of(struct pftrace *p, struct parts *e)
{
	return lane_of(p, e, PF_THREAD, text_of(p, e, "tid"));
}

/* An M event. */
static void take_name(struct pftrace *p, struct parts *e)
{
	struct span what = text_of(p, e, "name");
	struct parts args;
	int64_t sort = 0;

	if (!parts_read(&args, value_of(e, "args").text))
		return;
	(void)num_i64(text_of(p, &args, "sort_index"), &sort);
	if (span_is(what, "thread_name")) {
		uint32_t lane = thread_of(p, e);

		p->lane[lane].name = strings_intern(&p->text, text_of(p, &args, "name"));
	} else if (span_is(what, "thread_sort_index")) {
		uint32_t lane = thread_of(p, e);

		p->lane[lane].sort = sort;
		p->lane[lane].has_sort = true;
	} else if (span_starts(what, "process_")) {
		uint32_t at = process_of(p, e); /* which may move them */
		struct pf_process *process = &p->process[at];

		if (span_is(what, "process_name"))
			process->name = strings_intern(&p->text, text_of(p, &args, "name"));
		else if (span_is(what, "process_labels"))
			process->labels = strings_intern(&p->text, text_of(p, &args, "labels"));
		else if (span_is(what, "process_sort_index")) {
			process->sort = sort;
			process->has_sort = true;
		}
	}
}

/* ---- slices, instants, counters ---- */

static struct pf_event *add_event(
	struct pftrace *p, uint32_t lane, uint8_t type, nsec start, nsec end, size_t body)
{
	p->event = array_grow(p->event, &p->event_cap, p->nevent + 1, sizeof(*p->event));
	struct pf_event *v = &p->event[p->nevent++];
	*v = (struct pf_event){ .start = start,
		.end = end,
		.order = p->order++,
		.body = body,
		.body_n = (uint32_t)(p->bodies.n - body),
		.lane = lane,
		.type = type };
	if (start < p->first)
		p->first = start;
	return v;
}

/* Category, name and arguments; returns where they begin. */
static size_t put_body(struct pftrace *p, struct parts *e)
{
	size_t at = p->bodies.n;
	struct json_value args = value_of(e, "args"), v;
	struct span it = args.text, key;

	if (parts_find(e, "cat"))
		pbw_varint(&p->bodies, EVENT_CATEGORY_IID,
			strings_intern(&p->cats, text_of(p, e, "cat")) + 1u);
	if (parts_find(e, "name"))
		pbw_varint(&p->bodies, EVENT_NAME_IID,
			strings_intern(&p->names, text_of(p, e, "name")) + 1u);
	while (args.type == JSON_OBJECT && json_next(&it, &key, &v))
		annotation_put(&p->bodies, EVENT_NOTE, key, v, &p->keys, &p->mem);
	return at;
}

/* The row of a counter's series: named by the counter, its id, and the key of the value. */
static uint32_t counter_lane(struct pftrace *p, struct parts *e, struct span key)
{
	struct span cat = text_of(p, e, "cat"), id = text_of(p, e, "id");
	struct str name = { 0 }, which = { 0 };

	str_add(&name, text_of(p, e, "name").p, text_of(p, e, "name").n);
	str_adds(&name, id.n ? " " : "");
	str_add(&name, id.p, id.n);
	str_adds(&name, key.n ? " " : "");
	str_add(&name, key.p, key.n);
	str_add(&which, name.s ? name.s : "", name.n);
	str_addc(&which, '\0');
	str_add(&which, cat.p, cat.n);
	str_addc(&which, '\0');
	str_add(&which, key.p, key.n);
	size_t before = p->lanes.n;
	uint32_t lane = lane_of(p, e, PF_COUNTER, (struct span){ which.s, which.n });
	if (lane == before) {
		p->lane[lane].name =
			strings_intern(&p->text, (struct span){ name.s ? name.s : "", name.n });
		p->lane[lane].cat = strings_intern(&p->text, cat);
		p->lane[lane].unit = strings_intern(&p->text, key);
	}
	str_free(&name);
	str_free(&which);
	return lane;
}

static void take_counter(struct pftrace *p, struct parts *e, nsec at)
{
	struct json_value args = value_of(e, "args"), v;
	struct span it = args.text, key;
	int64_t i;
	double f;

	while (args.type == JSON_OBJECT && json_next(&it, &key, &v)) {
		size_t body = p->bodies.n;

		if (v.type != JSON_NUMBER)
			continue;
		if (num_i64(v.text, &i) && !memchr(v.text.p, '.', v.text.n))
			pbw_varint(&p->bodies, EVENT_COUNTER_VALUE, (uint64_t)i);
		else if (num_f64(v.text, &f))
			pbw_double(&p->bodies, EVENT_COUNTER_DOUBLE, f);
		(void)add_event(p, counter_lane(p, e, key), TYPE_COUNTER, at, at, body);
	}
}

static void take_half(struct pftrace *p, uint32_t lane, nsec at, size_t event)
{
	p->half = array_grow(p->half, &p->half_cap, p->nhalf + 1, sizeof(*p->half));
	p->half[p->nhalf++] = (struct pf_half){ at, p->order++, event, lane };
}

static void take_slice(struct pftrace *p, struct parts *e, nsec start, char ph)
{
	nsec dur = 0, end;

	if (ph == 'X' && (!num_ns(text_of(p, e, "dur"), &dur) || dur < 0))
		dur = 0;
	if (ph == 'B' || add_overflows(start, dur, &end))
		end = INT64_MAX;
	struct pf_event *v = add_event(p, thread_of(p, e), TYPE_BEGIN, start, end, put_body(p, e));
	if (ph != 'B')
		return;
	v->is_open = true;
	take_half(p, v->lane, start, p->nevent - 1);
}

/* ---- what has a phase of Chrome's ---- */

/* The id of a flow or of an asynchronous event: a number, or one that stands for a word. */
static uint64_t id_of(struct pftrace *p, struct parts *e)
{
	struct span id = text_of(p, e, "id");
	uint64_t v;

	return num_u64(id, &v) ? v : chain_key((struct span){ "", 0 }, id);
}

/* The older asynchronous phases, which are not drawn, are those of today. */
static char phase_of(char ph)
{
	switch (ph) {
	case 'S': return 'b';
	case 'F': return 'e';
	case 'T':
	case 'p': return 'n';
	default: return ph;
	}
}

static void take_phase(struct pftrace *p, struct parts *e, nsec at, char ph)
{
	uint32_t lane = thread_of(p, e);
	size_t body = put_body(p, e), legacy = pbw_begin(&p->bodies, EVENT_LEGACY);

	pbw_varint(&p->bodies, LEGACY_PHASE, (uint64_t)(unsigned char)phase_of(ph));
	if (parts_find(e, "id"))
		pbw_varint(&p->bodies, LEGACY_UNSCOPED_ID, id_of(p, e));
	if (span_is(text_of(p, e, "bp"), "e"))
		pbw_varint(&p->bodies, LEGACY_ENCLOSING, 1);
	pbw_end(&p->bodies, legacy);
	(void)add_event(p, lane, TYPE_NONE, at, at, body);
}

static void take_instant(struct pftrace *p, struct parts *e, nsec at)
{
	static const char scopes[] = " gpt"; /* by their numbers */
	struct span scope = text_of(p, e, "s");
	const char *is = scope.n == 1 ? strchr(scopes, scope.p[0]) : NULL;
	size_t body = put_body(p, e), legacy;

	if (is && is > scopes && *is) {
		legacy = pbw_begin(&p->bodies, EVENT_LEGACY);
		pbw_varint(&p->bodies, LEGACY_SCOPE, (uint64_t)(is - scopes));
		pbw_end(&p->bodies, legacy);
	}
	(void)add_event(p, thread_of(p, e), TYPE_INSTANT, at, at, body);
}

void pftrace_take_event(struct pftrace *p, struct span event)
{
	struct parts e;
	nsec at;

	if (!parts_read(&e, event))
		return;
	struct span phase = text_of(p, &e, "ph");
	char ph = phase.n == 1 ? phase.p[0] : 0;
	if (ph == 'M') {
		take_name(p, &e);
		return;
	}
	if (!num_ns(text_of(p, &e, "ts"), &at))
		return;
	if (ph == 'X' || ph == 'B')
		take_slice(p, &e, at, ph);
	else if (ph == 'E')
		take_half(p, thread_of(p, &e), at, PF_END);
	else if (ph == 'C')
		take_counter(p, &e, at);
	else if (ph == 'i' || ph == 'I')
		take_instant(p, &e, at);
	else if (ph)
		take_phase(p, &e, at, ph);
}
