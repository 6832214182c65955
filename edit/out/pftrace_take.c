/*
 * Events of Chrome's JSON, taken apart for Perfetto's protobuf.
 */
#include <string.h>

#include "analyze/input/text/num.h"
#include "base/compiler.h"
#include "edit/chains.h"
#include "edit/out/annotation.h"
#include "edit/out/pftrace_parts.h"
#include "edit/out/pb.h"
#include "edit/parts.h"

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
	struct pf_event *v;

	p->event = array_grow(p->event, &p->event_cap, p->nevent + 1, sizeof(*p->event));
	v = &p->event[p->nevent];
	*v = (struct pf_event){ .start = start,
		.end = end,
		.order = p->nevent++,
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
	pbw_varint(
		&p->bodies, EVENT_NAME_IID, strings_intern(&p->names, text_of(p, e, "name")) + 1u);
	while (args.type == JSON_OBJECT && json_next(&it, &key, &v))
		annotation_put(&p->bodies, EVENT_NOTE, key, v, &p->keys, &p->mem);
	return at;
}

static void take_counter(struct pftrace *p, struct parts *e, nsec at)
{
	struct json_value args = value_of(e, "args"), v;
	struct span it = args.text, key, name = text_of(p, e, "name");
	struct str tid = { 0 };
	int64_t i;
	double f;

	while (args.type == JSON_OBJECT && json_next(&it, &key, &v)) {
		size_t body = p->bodies.n;
		uint32_t lane;

		if (v.type != JSON_NUMBER)
			continue;
		str_reset(&tid);
		str_add(&tid, name.p, name.n);
		str_adds(&tid, key.n ? " " : "");
		str_add(&tid, key.p, key.n);
		lane = lane_of(p, e, PF_COUNTER, (struct span){ tid.s, tid.n });
		if (num_i64(v.text, &i) && !memchr(v.text.p, '.', v.text.n))
			pbw_varint(&p->bodies, EVENT_COUNTER, (uint64_t)i);
		else if (num_f64(v.text, &f))
			pbw_double(&p->bodies, EVENT_COUNTER_REAL, f);
		(void)add_event(p, lane, TYPE_COUNTER, at, at, body);
	}
	str_free(&tid);
}

static void open_slice(struct pftrace *p, uint32_t lane)
{
	p->open = array_grow(p->open, &p->open_cap, p->nopen + 1, sizeof(*p->open));
	p->open[p->nopen++] = (struct pf_open){ lane, p->nevent - 1 };
}

/* The last that was opened on the lane ends. */
static void close_slice(struct pftrace *p, uint32_t lane, nsec at)
{
	size_t i = p->nopen;

	while (i > 0 && p->open[i - 1].lane != lane)
		i--;
	if (i == 0)
		return;
	if (at > p->event[p->open[i - 1].event].start)
		p->event[p->open[i - 1].event].end = at;
	memmove(&p->open[i - 1], &p->open[i], (p->nopen - i) * sizeof(*p->open));
	p->nopen--;
}

static void take_flow(struct pftrace *p, struct parts *e, nsec at, char ph)
{
	struct span id = text_of(p, e, "id");
	uint64_t key = chain_key(text_of(p, e, "cat"), id);

	p->flow = array_grow(p->flow, &p->flow_cap, p->nflow + 1, sizeof(*p->flow));
	p->flow[p->nflow++] = (struct pf_flow){
		.at = at, .id = key ? key : 1, .lane = thread_of(p, e), .ends = ph == 'f'
	};
}

/* Asynchronous slices are on a row of their own for each id. */
static uint32_t async_lane(struct pftrace *p, struct parts *e)
{
	struct span cat = text_of(p, e, "cat"), id = text_of(p, e, "id");
	struct span name = text_of(p, e, "name");
	struct str tid = { 0 };
	uint32_t lane;

	str_add(&tid, cat.p, cat.n);
	str_addc(&tid, '\n');
	str_add(&tid, id.p, id.n);
	lane = lane_of(p, e, PF_ASYNC, (struct span){ tid.s, tid.n });
	if (!p->lane[lane].name)
		p->lane[lane].name = strings_intern(&p->text, name);
	str_free(&tid);
	return lane;
}

static void take_slice(struct pftrace *p, struct parts *e, nsec start, char ph)
{
	nsec dur = 0, end;

	if (ph == 'X' && (!num_ns(text_of(p, e, "dur"), &dur) || dur < 0))
		dur = 0;
	if (add_overflows(start, dur, &end))
		end = start;
	(void)add_event(p, thread_of(p, e), TYPE_BEGIN, start, end, put_body(p, e));
	if (ph == 'B')
		open_slice(p, thread_of(p, e));
}

static void take_async(struct pftrace *p, struct parts *e, nsec at, char ph)
{
	uint32_t lane = async_lane(p, e);

	if (ph == 'e' || ph == 'F') {
		close_slice(p, lane, at);
		return;
	}
	(void)add_event(p, lane, ph == 'n' ? TYPE_INSTANT : TYPE_BEGIN, at, at, put_body(p, e));
	if (ph != 'n')
		open_slice(p, lane);
}

void pftrace_take_event(struct pftrace *p, struct span event)
{
	struct parts e;
	struct span phase;
	nsec at;
	char ph;

	if (!parts_read(&e, event))
		return;
	phase = text_of(p, &e, "ph");
	ph = phase.n == 1 ? phase.p[0] : 0;
	if (ph == 'M') {
		take_name(p, &e);
		return;
	}
	if (!num_ns(text_of(p, &e, "ts"), &at))
		return;
	if (ph == 'X' || ph == 'B')
		take_slice(p, &e, at, ph);
	else if (ph == 'E')
		close_slice(p, thread_of(p, &e), at);
	else if (ph == 'C')
		take_counter(p, &e, at);
	else if (chain_is_flow(ph))
		take_flow(p, &e, at, ph);
	else if (ph && strchr("beSFn", ph))
		take_async(p, &e, at, ph);
	else
		(void)add_event(p, thread_of(p, &e), TYPE_INSTANT, at, at, put_body(p, &e));
}
