/* Stretches: ids to times and back. */
#include "analyze/measure/place_id.h"

#include "analyze/measure/device/devices.h"
#include "analyze/measure/gaps/gaps.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/setting.h"

#define GAP  "gap:"
#define STEP "step:"

/* ---- to texts ---- */

nsec place_id_zero(const struct run *r)
{
	return r->first_ns <= r->last_ns ? r->first_ns : 0;
}

static struct span text(const char *s)
{
	return (struct span){ s, strlen(s) };
}

struct span place_id(const struct run *r, const char *what, nsec start, nsec end, struct arena *mem)
{
	return text(arena_printf(mem, "%s@%" PRId64 "+%" PRId64, what,
		saturate_sub(start, place_id_zero(r)), saturate_sub(end, start)));
}

/* The whole of a gap: from the end of the work before it, or the first event, to the start of the
 * work behind it, or the last end. */
static struct interval whole_gap(const struct run *r, const struct gap *g)
{
	const struct events *ev = &r->events;
	struct interval whole = { g->start, g->end };

	if (g->prev != NO_ROW)
		whole.start = events_end(ev, g->prev);
	else if (place_id_zero(r) < g->start)
		whole.start = place_id_zero(r);
	if (g->next != NO_ROW)
		whole.end = ev->start[g->next];
	else if (r->last_ns > g->end)
		whole.end = r->last_ns;
	return whole;
}

/* Whether the filter takes all of the work there is on a device that it takes. */
static bool takes_all(const struct filter_view *v)
{
	return !v || (v->set->stream.n == 0 && (v->kinds & KINDS_DEVICE) == KINDS_DEVICE);
}

struct span place_id_of_gap(const struct run *r, const struct filter_view *v, int64_t device,
	const struct gap *g, struct arena *mem)
{
	const struct interval whole = whole_gap(r, g);
	const char *what = arena_printf(mem, GAP "%" PRId64, device);

	if (!takes_all(v))
		return place_id(r, what, whole.start, whole.end, mem);
	return text(arena_printf(
		mem, "%s@%" PRId64, what, saturate_sub(whole.start, place_id_zero(r))));
}

struct span place_id_of_step(int64_t number, struct arena *mem)
{
	return text(arena_printf(mem, STEP "%" PRId64, number));
}

/* ---- to times ---- */

/* An id in its parts. */
struct parts {
	const char *id;
	char what[64];  /* in front of the @ */
	char start[32]; /* behind it, "" for none */
	char length[32];
	bool has_length;
};

static enum status no_id(const char *id, struct err *e)
{
	return err_hinted(e, E_USAGE,
		"such as gap:0@31294811 (traceq idle), path@31294811+4821 (traceq critical "
		"--list), G07@31294811+4821 (traceq diagnose --format json), step:7; times are ns "
		"from the first event, or have a unit: gap:0@31.3ms",
		"'%s' is not the id of a time range", id);
}

/* Copies n bytes as a text; false when there is no room. */
static bool take(char *to, size_t room, const char *p, size_t n)
{
	if (n >= room || n == 0)
		return false;
	memcpy(to, p, n);
	to[n] = '\0';
	return true;
}

static bool split(struct parts *p, const char *id)
{
	const char *at = strchr(id, '@'), *plus = at ? strchr(at, '+') : NULL;
	size_t n = at ? (size_t)(at - id) : strlen(id);

	*p = (struct parts){ .id = id, .has_length = plus };
	if (!take(p->what, sizeof(p->what), id, n))
		return false;
	if (!at)
		return true;
	n = plus ? (size_t)(plus - at - 1) : strlen(at + 1);
	return take(p->start, sizeof(p->start), at + 1, n) &&
		(!plus || take(p->length, sizeof(p->length), plus + 1, strlen(plus + 1)));
}

/* Digits, with a - in front or without. */
static bool read_whole(const char *s, int64_t *v)
{
	bool is_negative = *s == '-', has_digits = false;

	*v = 0;
	for (s += is_negative; is_digit(*s); s++) {
		if (mul_overflows(*v, 10, v) || sub_overflows(*v, *s - '0', v))
			return false;
		has_digits = true;
	}
	if (*s || !has_digits)
		return false;
	return is_negative || !sub_overflows(0, *v, v);
}

/* "31294811", "31.3ms". */
static bool read_time(const char *s, nsec *v)
{
	static const struct setting row = { "time", SETTING_TIME, "0ns", NULL, "a time" };
	struct setting_value value;
	struct err e;

	if (read_whole(s, v))
		return true;
	if (setting_parse(&row, s, &value, &e) != OK)
		return false;
	*v = value.i;
	return true;
}

/* What lies around a moment on a device. */
struct around {
	nsec at;
	nsec end;      /* the latest end of what begins by then */
	nsec next;     /* the first start after it */
	uint32_t row;  /* what ends there; NO_ROW: nothing begins by then */
	bool has_next; /* something begins after it */
};

static void look(struct around *a, const struct run *r, int64_t device)
{
	const struct events *ev = &r->events;
	SCOPED_ARENA mem = { 0 };
	struct sweep s;
	uint32_t row;

	sweep_device(&s, r, device, &mem);
	a->row = NO_ROW;
	while (!a->has_next && sweep_next(&s, &row)) {
		if (ev->start[row] > a->at) {
			a->has_next = true;
			a->next = ev->start[row];
		} else if (a->row == NO_ROW || events_end(ev, row) > a->end) {
			a->row = row;
			a->end = events_end(ev, row);
		}
	}
}

static bool has_device(const struct run *r, int64_t device)
{
	struct devices d;
	SCOPED_ARENA mem = { 0 };

	devices_init(&d, r, &mem);
	return devices_find(&d, device) != SIZE_MAX;
}

static enum status find_gap(
	const struct run *r, const struct parts *p, nsec at, struct interval *out, struct err *e)
{
	struct around a = { .at = at };
	int64_t device;

	if (!read_whole(p->what + strlen(GAP), &device))
		return no_id(p->id, e);
	if (!has_device(r, device))
		return err_hinted(e, E_NODATA, "'traceq idle' lists GPUs and their gaps",
			"'%s': the trace has no GPU %" PRId64, p->id, device);
	look(&a, r, device);
	if (a.row != NO_ROW && a.end > at) {
		(void)err_set(e, E_NODATA, -1, "'%s': GPU %" PRId64 " works then, in no gap", p->id,
			device);
		return err_hint(e, "that work ends at %" PRId64 " ns; 'traceq idle' lists the gaps",
			saturate_sub(a.end, place_id_zero(r)));
	}
	*out = (struct interval){ a.row != NO_ROW ? a.end : place_id_zero(r),
		a.has_next ? a.next : r->last_ns };
	if (at < out->start || at >= out->end)
		return err_set(e, E_NODATA, -1, "'%s': the trace has nothing at that time", p->id);
	return OK;
}

static enum status find_step(
	const struct run *r, const struct parts *p, struct interval *out, struct err *e)
{
	const struct steps *s = r->steps;
	int64_t number;

	if (!read_whole(p->what + strlen(STEP), &number))
		return no_id(p->id, e);
	for (EACH(const struct step, one, s->step, s->n))
		if (one->number == number) {
			*out = (struct interval){ one->start, one->end };
			return OK;
		}
	(void)err_set(e, E_NODATA, -1, "'%s': the trace has no step %" PRId64, p->id, number);
	if (s->n == 0 || s->source == STEPS_WHOLE)
		return err_hint(e, "nothing marks steps in it");
	return err_hint(e, "it has steps %" PRId64 " to %" PRId64, s->step[0].number,
		s->step[s->n - 1].number);
}

static enum status find_length(
	const struct run *r, const struct parts *p, nsec at, struct interval *out, struct err *e)
{
	nsec length;

	if (!read_time(p->length, &length) || length < 0)
		return no_id(p->id, e);
	*out = (struct interval){ at, saturate_add(at, length) };
	if (out->end < place_id_zero(r) || out->start > r->last_ns) {
		(void)err_set(e, E_NODATA, -1, "'%s': the trace has nothing at that time", p->id);
		return err_hint(
			e, "it is %" PRId64 " ns long", saturate_sub(r->last_ns, place_id_zero(r)));
	}
	return OK;
}

enum status place_id_find(const struct run *r, const char *id, struct interval *out, struct err *e)
{
	const bool is_gap = strncmp(id, GAP, strlen(GAP)) == 0;
	struct parts p;
	nsec at;

	if (!split(&p, id))
		return no_id(id, e);
	if (!p.start[0])
		return strncmp(id, STEP, strlen(STEP)) == 0 ? find_step(r, &p, out, e)
							    : no_id(id, e);
	if (!read_time(p.start, &at) || (!is_gap && !p.has_length))
		return no_id(id, e);
	at = saturate_add(at, place_id_zero(r));
	return p.has_length ? find_length(r, &p, at, out, e) : find_gap(r, &p, at, out, e);
}
