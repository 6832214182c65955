/* A plane: what its numbers mean. */
#include <math.h>
#include <stdlib.h>

#include "analyze/input/format/proto/wire.h"
#include "analyze/input/format/proto/xplane.h"
#include "base/minmax.h"
#include "base/saturate.h"

enum { PLANE_ID = 1, PLANE_NAME, PLANE_LINES, PLANE_EVENTS, PLANE_STATS, PLANE_OWN };
enum { ENTRY_KEY = 1, ENTRY_VALUE };
enum { MEANING_ID = 1, MEANING_NAME, EVENT_DISPLAY = 4, EVENT_STATS = 5 };
enum { STAT_ID = 1, STAT_REAL, STAT_UINT, STAT_INT, STAT_TEXT, STAT_BYTES, STAT_REF };

static const char *const stat_names[] = {
#define X(name, text) text,
	XSTATS(X)
#undef X
};

/* Where the value of a number of the map stands, new or old. */
static void *meaning_by_id(struct keymap *ids, int64_t id, void **all, size_t *cap, size_t size)
{
	size_t before = ids->n;
	uint32_t at = keymap_add(ids, &id);

	*all = array_grow(*all, cap, ids->n, size);
	if (ids->n > before)
		memset((char *)*all + at * size, 0, size);
	return (char *)*all + at * size;
}

static enum xstat stat_of(struct span name)
{
	for (size_t i = 0; i < XSTAT_COUNT; i++)
		if (span_is(name, stat_names[i]))
			return (enum xstat)i;
	return XSTAT_OTHER;
}

static void take_stat_meaning(struct xplane *p, int64_t id, struct span message)
{
	struct wire w = wire_of(message);
	struct wire_field f;
	void *all = p->stat;
	struct xstat_meaning *m =
		meaning_by_id(&p->stat_ids, id, &all, &p->stat_cap, sizeof(*p->stat));

	p->stat = all;
	m->is = XSTAT_OTHER;
	while (wire_next(&w, &f))
		if (f.number == MEANING_NAME && f.type == WIRE_BYTES) {
			m->name = f.bytes;
			m->is = stat_of(f.bytes);
		}
}

static void take_event_meaning(struct xplane *p, int64_t id, struct span message)
{
	struct wire w = wire_of(message);
	struct wire_field f;
	void *all = p->event;
	struct xevent_meaning *m =
		meaning_by_id(&p->event_ids, id, &all, &p->event_cap, sizeof(*p->event));

	p->event = all;
	m->stats = message;
	while (wire_next(&w, &f)) {
		if (f.number == MEANING_NAME && f.type == WIRE_BYTES)
			m->name = f.bytes;
		else if (f.number == EVENT_DISPLAY && f.type == WIRE_BYTES)
			m->display_name = f.bytes;
	}
}

/* An entry of a map: a number and a message. */
static bool take_entry(struct span entry, int64_t *key, struct span *value)
{
	struct wire w = wire_of(entry);
	struct wire_field f;
	bool has = false;

	*key = 0;
	while (wire_next(&w, &f)) {
		if (f.number == ENTRY_KEY && f.type == WIRE_VARINT)
			*key = (int64_t)f.value;
		else if (f.number == ENTRY_VALUE && f.type == WIRE_BYTES) {
			*value = f.bytes;
			has = true;
		}
	}
	return has;
}

/* The number behind the last ':' of "/device:GPU:3", or of "/device:GPU:3 (pod 0)"; else -1. */
static int64_t device_number(struct span name)
{
	int64_t n = -1;
	size_t i;

	if (!span_starts(name, "/device:") || span_starts(name, "/device:CPU"))
		return -1;
	for (i = sizeof("/device:") - 1; i < name.n && name.p[i] != ':'; i++)
		;
	for (i++; i < name.n && name.p[i] >= '0' && name.p[i] <= '9' && n < 1 << 20; i++)
		n = MAX(0, n) * 10 + (name.p[i] - '0');
	return n;
}

/* Whether a line's message says that it is a stream of a device. */
static bool is_stream_line(struct span line)
{
	struct wire w = wire_of(line);
	struct wire_field f;

	while (wire_next(&w, &f))
		if (f.number == 2 && f.type == WIRE_BYTES)
			return span_starts(f.bytes, "Stream #");
	return false;
}

static void take_maps(struct xplane *p)
{
	struct wire w = wire_of(p->message);
	struct wire_field f;
	struct span value;
	int64_t id;

	while (wire_next(&w, &f)) {
		if (f.number == PLANE_ID && f.type == WIRE_VARINT)
			p->id = (int64_t)f.value;
		if (f.type != WIRE_BYTES)
			continue;
		if (f.number == PLANE_NAME)
			p->name = f.bytes;
		else if (f.number == PLANE_LINES)
			p->has_streams |= is_stream_line(f.bytes);
		else if (f.number == PLANE_EVENTS && take_entry(f.bytes, &id, &value))
			take_event_meaning(p, id, value);
		else if (f.number == PLANE_STATS && take_entry(f.bytes, &id, &value))
			take_stat_meaning(p, id, value);
	}
}

void xplane_open(struct xplane *p, struct span message)
{
	struct wire w = wire_of(message);
	struct wire_field f;

	memset(p, 0, sizeof(*p));
	p->message = message;
	p->name = SPAN("");
	keymap_init(&p->stat_ids, sizeof(int64_t));
	keymap_init(&p->event_ids, sizeof(int64_t));
	take_maps(p);
	p->device = device_number(p->name);
	while (wire_next(&w, &f))
		if (f.number == PLANE_OWN && f.type == WIRE_BYTES)
			xplane_stat(p, f.bytes, p->value);
}

void xplane_close(struct xplane *p)
{
	keymap_clear(&p->stat_ids);
	keymap_clear(&p->event_ids);
	free(p->stat);
	free(p->event);
}

/* A statistic's number is looked up in a const plane: a map remembers what was asked last. */
static const struct xstat_meaning *stat_meaning(const struct xplane *p, int64_t id)
{
	struct keymap *ids = (struct keymap *)&p->stat_ids;
	uint32_t at = keymap_find(ids, &id);

	return at == KEYMAP_NONE ? NULL : &p->stat[at];
}

static void set_number(struct xvalue *v, const struct wire_field *f)
{
	if (f->number != STAT_REAL) {
		v->number = (int64_t)f->value;
	} else {
		double d = wire_double(f);

		v->there = d == trunc(d) && fabs(d) < 9e15;
		v->number = v->there ? saturate_whole(d) : 0;
	}
}

void xplane_stat(const struct xplane *p, struct span stat, struct xvalue value[XSTAT_COUNT])
{
	struct wire w = wire_of(stat);
	struct wire_field f;
	struct xvalue v = { 0 };
	const struct xstat_meaning *m = NULL, *ref;

	while (wire_next(&w, &f)) {
		if (f.number == STAT_ID && f.type == WIRE_VARINT) {
			m = stat_meaning(p, (int64_t)f.value);
			continue;
		}
		v.there = true;
		if (f.number == STAT_REF && f.type == WIRE_VARINT) {
			ref = stat_meaning(p, (int64_t)f.value);
			v.text = ref ? ref->name : SPAN("");
		} else if (f.type == WIRE_BYTES) {
			v.text = f.bytes;
		} else if (f.number >= STAT_REAL && f.number <= STAT_INT) {
			set_number(&v, &f);
		}
	}
	if (m && m->is != XSTAT_OTHER && v.there)
		value[m->is] = v;
}

const struct xevent_meaning *xplane_meaning(struct xplane *p, int64_t id)
{
	uint32_t at = keymap_find(&p->event_ids, &id);

	return at == KEYMAP_NONE ? NULL : &p->event[at];
}
