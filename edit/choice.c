/* Which events a cut keeps. */
#include "edit/choice.h"

#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/decode.h"
#include "analyze/input/events/place.h"
#include "analyze/input/text/num.h"
#include "edit/chains.h"
#include "edit/event_members.h"

enum { MEMO_TEXT = 2, NAME_NO = 1, NAME_YES = 2 };

enum status choice_init(struct choice *c, const struct filter *given, struct err *e)
{
	*c = (struct choice){ 0 };
	err_clear(&c->err);
	(void)pthread_mutex_init(&c->lock, NULL);
	c->is_filtered =
		given->match || given->exclude || given->device || given->stream || given->cat;
	return filter_parse(&c->filter, given, e);
}

void choice_clear(struct choice *c)
{
	intervals_clear(&c->hull.time);
	idset_clear(&c->calls);
	idset_clear(&c->launching);
	idset_clear(&c->launched);
	idset_clear(&c->chains);
	filter_free(&c->filter);
	(void)pthread_mutex_destroy(&c->lock);
}

static enum kind kind_of(const struct tap_event *event, const struct batch *b)
{
	const struct raw_event *raw = event->raw;
	enum kind kind = b->cat[raw->kind_cat - 1].kind;

	switch (raw->ph) {
	case 'X':
	case 'B':
	case 'E':
		if (kind == KIND_OTHER && raw_found(raw, event->plan->key_stream) &&
			raw_found(raw, event->plan->key_of[ARG_DEVICE_CORRELATION]))
			return KIND_KERNEL;
		return kind;
	case 'i':
	case 'I': return kind_refine(KIND_INSTANT, raw_name(raw));
	case 'C': return KIND_COUNTER;
	default: return chain_is_flow(raw->ph) ? KIND_FLOW : KIND_ASYNC;
	}
}

struct facts choice_facts(const struct tap_event *event, struct batch *b)
{
	const struct raw_event *raw = event->raw;
	uint8_t key = event->plan->key_of[ARG_LAUNCH_CORRELATION];
	struct facts f = { .ph = raw_has(raw, RAW_PH) ? raw->ph : 0 };
	nsec dur = 0;

	f.kind = kind_of(event, b);
	f.has_time = raw_has(raw, RAW_TS) && num_ns(raw->ts, &f.start);
	if (raw_has(raw, RAW_DUR) && !num_ns(raw->dur, &dur))
		dur = 0;
	if (f.has_time && (dur < 0 || add_overflows(f.start, dur, &f.end)))
		f.end = f.start;
	if ((f.ph == 'X' || f.ph == 'B' || f.ph == 'E') && raw_found(raw, key))
		f.has_call = num_u64(raw->arg[key], &f.call) && f.call != 0;
	return f;
}

/* The names of a batch are asked once each. */
static bool name_passes(struct choice *c, struct batch *b, const struct tap_event *event)
{
	struct str *memo = &b->tapped.text[MEMO_TEXT];
	sym name = decode_name_number(b, event->raw, event->offset);
	enum status st;
	bool yes = false;

	while (memo->n <= name)
		str_addc(memo, '\0');
	if (!memo->s[name]) {
		(void)pthread_mutex_lock(&c->lock);
		st = c->err.status == OK
			? filter_text(&c->filter, b->dict[name].text, &yes, &c->err)
			: c->err.status;
		(void)pthread_mutex_unlock(&c->lock);
		memo->s[name] = st == OK && yes ? NAME_YES : NAME_NO;
	}
	return memo->s[name] == NAME_YES;
}

static bool place_passes(const struct choice *c, struct batch *b, const struct tap_event *event)
{
	/* Before the lanes are looked at: they move when there is a new one. */
	const uint32_t at = place_lane(event->plan, b, event->raw, true, event->offset);
	const struct lane *l = &b->lanes.lane[at];

	return filter_in(&c->filter.device, l->device) && filter_in(&c->filter.stream, l->stream);
}

bool choice_passes(
	struct choice *c, struct batch *b, const struct tap_event *event, const struct facts *f)
{
	if (c->no_python && f->kind == KIND_PYTHON)
		return false;
	if (!c->is_filtered)
		return true;
	if (!(c->filter.kinds & KIND_BIT(f->kind)))
		return false;
	if ((c->filter.device.n || c->filter.stream.n) && kind_is_on_device(f->kind) &&
		!place_passes(c, b, event))
		return false;
	if ((c->filter.match || c->filter.exclude) && f->kind != KIND_COUNTER &&
		!span_starts(raw_name(event->raw), "ProfilerStep"))
		return name_passes(c, b, event);
	return true;
}

static bool keeps_chain(
	const struct choice *c, const struct tap_event *event, const struct facts *f)
{
	struct span cat = raw_has(event->raw, RAW_CAT) ? event->raw->cat : RAW_NOTHING;
	uint64_t call;
	struct span id = parts_id(event->text);

	if (!id.p)
		return keep_ranges_meets(&c->hull, f->start, f->end);
	if (chain_is_flow(f->ph) && chain_is_launch(cat) && num_u64(id, &call)) {
		if (c->is_filtered)
			return idset_has(&c->launching, call) && idset_has(&c->launched, call);
		return c->hull.is_all || idset_has(&c->calls, call);
	}
	if (c->is_filtered && chain_is_flow(f->ph))
		return false; /* the slices at its ends may be gone */
	return c->hull.is_all || idset_has(&c->chains, chain_key(cat, id));
}

bool choice_keeps(
	struct choice *c, struct batch *b, const struct tap_event *event, const struct facts *f)
{
	if (f->ph == 'M')
		return true;
	if (chain_is_flow(f->ph) || chain_is_async(f->ph))
		return f->has_time && keeps_chain(c, event, f);
	if (!f->has_time || !choice_passes(c, b, event, f))
		return false;
	return keep_ranges_meets(&c->hull, f->start, f->end) ||
		(f->has_call && idset_has(&c->calls, f->call));
}
