/* Host time: a stack of open calls, as the op tree has it (measure/optree.h). */
#include "analyze/depgraph/hosttime.h"

#include "analyze/measure/gaps/gap_cause.h"
#include "analyze/measure/gaps/loaders.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/links/calls.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"

void hosttime_init(
	struct hosttime *h, const struct run *r, struct hostwhat *what, uint32_t lane, nsec t)
{
	const struct order *o = r->order;

	*h = (struct hosttime){
		.run = r,
		.what = what,
		.kinds = calls_kinds(r),
		.place = r->calls ? calls_from(r->calls, r, lane, t) : o->host_begin[lane],
		.place_end = o->host_begin[lane + 1],
		.t = t,
		.in = NO_ROW,
	};
}

void hosttime_name(struct hosttime *h, uint32_t lane)
{
	h->names = true;
	pyframes_of(&h->what->functions, lane, &h->function, &h->function_end);
}

void hosttime_clear(struct hosttime *h)
{
	free(h->open);
}

enum gap_cause hosttime_word(const struct hosttime *h, uint32_t row)
{
	size_t i = h->depth;

	while (i > 0 && h->open[i - 1].row != row)
		i--;
	return i > 0 ? h->open[i - 1].word : GAP_CAUSE_COUNT;
}

/* ---- what a thread is in: names are asked once each ---- */

static void find_launches(struct hostwhat *w, const struct run *r)
{
	for (EACH_DEVICE_ROW(row, r)) {
		uint32_t call = launch_of_row(r, row);

		if (call != NO_ROW)
			w->launches[call / 64] |= (uint64_t)1 << call % 64;
	}
}

/* ---- calls that start something up ---- */

/* Durations in buckets, OCTAVE of them for each power of two: their median, within a tenth. */
enum { OCTAVE = 8, BUCKETS = 64 * OCTAVE, NAMES = 16, USUAL_MIN = 4 };

/* Launches by one call: its name, and how many took how long. */
struct usual {
	sym name;
	uint32_t n, in[BUCKETS];
	double ns; /* the median */
};

/* [0] is of all names. */
struct usuals {
	struct usual v[NAMES];
	size_t n;
};

/* Of a name that has no place, of all. */
static struct usual *usual_of(struct usuals *u, sym name, bool is_new)
{
	for (size_t i = 1; i < u->n; i++)
		if (u->v[i].name == name)
			return &u->v[i];
	if (!is_new || u->n == NAMES)
		return &u->v[0];
	u->v[u->n].name = name;
	return &u->v[u->n++];
}

static size_t bucket_of(nsec dur)
{
	return saturate_size(log2((double)MAX(dur, 1)) * OCTAVE);
}

static void take_launch(struct usual *u, size_t bucket)
{
	u->n++;
	u->in[bucket]++;
}

static void find_median(struct usual *u)
{
	uint32_t before = 0;
	size_t at = 0;

	while (at + 1 < BUCKETS && before + u->in[at] <= u->n / 2)
		before += u->in[at++];
	u->ns = exp2(((double)at + 0.5) / OCTAVE);
}

static void find_usuals(struct usuals *u, const struct hostwhat *w)
{
	const struct events *ev = &w->run->events;

	u->n = 1;
	for (uint32_t row = 0; row < ev->n; row++) {
		if (!hostwhat_launches(w, row))
			continue;
		size_t bucket = bucket_of(ev->dur[row]);
		take_launch(&u->v[0], bucket);
		struct usual *own = usual_of(u, ev->name[row], true);
		if (own != &u->v[0])
			take_launch(own, bucket);
	}
	for (size_t i = 0; i < u->n; i++)
		find_median(&u->v[i]);
}

/* What a launch takes that is called so; NO_ROW: any. */
static double usual_ns(const struct hostwhat *w, struct usuals *u, uint32_t row)
{
	const struct usual *own =
		row == NO_ROW ? &u->v[0] : usual_of(u, w->run->events.name[row], false);

	if (own->n < USUAL_MIN)
		own = &u->v[0];
	if (row != NO_ROW && span_has(run_name(w->run, row), "Graph"))
		return own->ns;
	return MIN(own->ns, STARTUP_USUAL_NS);
}

/* The calls of a name: the first, how many, and what they take together. */
struct named_calls {
	uint32_t first; /* NO_ROW: none */
	uint32_t n;
	double ns;
};

static struct named_calls *calls_by_name(const struct run *r, struct arena *mem)
{
	const struct events *ev = &r->events;
	struct named_calls *calls = arena_array(mem, r->strings.n, sizeof(*calls));

	for (size_t i = 0; i < r->strings.n; i++)
		calls[i].first = NO_ROW;
	for (uint32_t row = 0; row < ev->n; row++) {
		struct named_calls *c = &calls[ev->name[row]];

		if (ev->kind[row] != KIND_RUNTIME)
			continue;
		if (c->first == NO_ROW || ev->start[row] < ev->start[c->first])
			c->first = row;
		c->n++;
		c->ns += (double)ev->dur[row];
	}
	return calls;
}

/* The first of its name, which takes more than twice as long as the others do on average. */
static bool is_once(const struct named_calls *c, uint32_t row, nsec dur)
{
	return c->first == row &&
		(c->n == 1 || (c->n - 1) * (double)dur > 2 * (c->ns - (double)dur));
}

/* What a program does once: launches that load their modules, and first calls. */
static void find_startups(struct hostwhat *w)
{
	const struct events *ev = &w->run->events;
	SCOPED_ARENA mem = { 0 };

	struct usuals *u = arena_array(&mem, 1, sizeof(*u));
	struct named_calls *calls = calls_by_name(w->run, &mem);
	find_usuals(u, w);
	for (uint32_t row = 0; row < ev->n && u->v[0].n > 0; row++) {
		if (ev->kind[row] != KIND_RUNTIME || ev->dur[row] < STARTUP_MIN_NS)
			continue;
		bool is_launch = hostwhat_launches(w, row);
		if ((is_launch || is_once(&calls[ev->name[row]], row, ev->dur[row])) &&
			(double)ev->dur[row] >
				STARTUP_TIMES * usual_ns(w, u, is_launch ? row : NO_ROW))
			w->startup[row / 64] |= (uint64_t)1 << row % 64;
	}
}

void hostwhat_init(struct hostwhat *w, const struct run *r, struct arena *mem)
{
	*w = (struct hostwhat){ .run = r };
	phases_init(&w->phases, r, mem);
	gap_words_init(&w->words, r, mem);
	pyframes_init(&w->functions, r, mem);
	w->of_name = arena_array(mem, r->strings.n, sizeof(*w->of_name));
	w->launches = arena_array(mem, r->events.n / 64 + 1, sizeof(*w->launches));
	w->in_vain = arena_array(mem, r->events.n / 64 + 1, sizeof(*w->in_vain));
	w->held = arena_array(mem, r->events.n / 64 + 1, sizeof(*w->held));
	w->startup = arena_array(mem, r->events.n / 64 + 1, sizeof(*w->startup));
	find_launches(w, r);
	find_startups(w);
	w->is_loader =
		loaders_find(gap_causes_main_lane(r), &w->words, &w->phases, &w->functions, mem);
}

uint8_t hostwhat_look(const struct hostwhat *w, uint32_t row)
{
	struct span name = run_name(w->run, row);

	return (uint8_t)(HOSTWHAT_ASKED | (gap_causes_is_sync_name(name) ? HOSTWHAT_WAITS : 0) |
		(span_has(name, "emcpy") ? HOSTWHAT_COPIES : 0) |
		(span_has(name, "Graph") ? HOSTWHAT_GRAPHS : 0));
}

void hostwhat_waits_in_vain(struct hostwhat *w, uint32_t row)
{
	w->in_vain[row / 64] |= (uint64_t)1 << row % 64;
}

void hostwhat_is_held(struct hostwhat *w, uint32_t row)
{
	w->held[row / 64] |= (uint64_t)1 << row % 64;
	w->startup[row / 64] &= ~((uint64_t)1 << row % 64);
}
