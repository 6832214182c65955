/* Host time: a stack of open calls, as the op tree has it (measure/optree.h). */
#include "analyze/depgraph/hosttime.h"

#include "analyze/measure/gaps/gap_cause.h"
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
		.place = o->host_begin[lane],
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

static const struct host_open outside = { .word = GAP_CAUSE_COUNT, .factor = 1 };

static void begin(struct hosttime *h, uint32_t row)
{
	struct host_open now = h->depth ? h->open[h->depth - 1] : outside;
	enum gap_cause own = hostwhat_word(h->what, row);

	h->changed = h->run->events.start[row];
	now.end = events_end(&h->run->events, row);
	now.row = row;
	now.cls = hostwhat_class(h->what, row, now.cls);
	if (own != GAP_CAUSE_COUNT) {
		now.word = own;
		now.since = h->run->events.start[row];
	}
	if (h->scale)
		now.factor *= h->scale(h->scale_ctx, &now, &now.tags);
	PUSH(h->open, h->depth, h->cap, now);
}

/* The place of the innermost function at h->t, or NO_ROW; until when it is, at most *end. */
static uint32_t function_now(struct hosttime *h, nsec *end)
{
	const struct events *ev = &h->run->events;
	const struct pyframes *f = &h->what->functions;

	for (; h->function < h->function_end && ev->start[f->row[h->function]] <= h->t;
		h->function++)
		h->in = (uint32_t)h->function;
	while (h->in != NO_ROW && events_end(ev, f->row[h->in]) <= h->t)
		h->in = f->parent[h->in];
	if (h->function < h->function_end)
		*end = MIN(ev->start[f->row[h->function]], *end);
	if (h->in != NO_ROW)
		*end = MIN(events_end(ev, f->row[h->in]), *end);
	return h->in;
}

/* What names a piece: of calls and functions the word of what began last. */
static void name_piece(struct hosttime *h, const struct host_open *in, struct host_piece *p)
{
	struct hostwhat *w = h->what;
	uint32_t at = function_now(h, &p->end);
	enum gap_cause word = gap_words_of_function(&w->words, &w->functions, at);

	p->word = in ? in->word : GAP_CAUSE_COUNT;
	p->function = at == NO_ROW ? NO_ROW : w->functions.row[at];
	if (word != GAP_CAUSE_COUNT &&
		(p->word == GAP_CAUSE_COUNT ||
			gap_words_since(&w->words, &w->functions, at) > in->since))
		p->word = word;
}

/* When the next call begins, or the innermost one ends. */
static nsec changes_next(const struct hosttime *h)
{
	const struct events *ev = &h->run->events;
	const uint32_t *host = h->run->order->host;
	size_t next = FIRST_FROM(i, h->place, h->place_end, KIND_BIT(ev->kind[host[i]]) & h->kinds);
	nsec end = h->open[h->depth - 1].end;

	return next < h->place_end ? MIN(ev->start[host[next]], end) : end;
}

/* Long, with nothing but the mark of a step around it, however it is cut into pieces: nothing is
 * recorded, not even Python. */
static bool is_unknown(const struct hosttime *h, const struct host_piece *p)
{
	return p->cls == HOST_PYTHON && h->run->kind_count[KIND_PYTHON] == 0 &&
		phases_is_step(&h->what->phases, h->run->events.name[p->row]) &&
		saturate_sub(changes_next(h), h->changed) >= GAP_CAUSES_LONG_NS;
}

/* Tells the time up to `until`, in which no call begins. */
static void tell(struct hosttime *h, nsec until, host_piece_fn *fn, void *ctx)
{
	while (h->t < until) {
		const struct host_open *in = h->depth ? &h->open[h->depth - 1] : NULL;
		struct host_piece p = { .start = h->t, .end = until, .row = NO_ROW, .factor = 1 };

		if (in && in->end <= h->t) {
			h->changed = in->end;
			h->depth--;
			continue;
		}
		if (in) {
			p.end = MIN(in->end, until);
			p.row = in->row;
			p.cls = in->cls;
			p.factor = in->factor;
			p.is_unknown = is_unknown(h, &p);
		}
		if (fn && h->names)
			name_piece(h, in, &p);
		if (fn)
			fn(ctx, &p);
		h->t = p.end;
	}
}

/* A call begins: what has ended, or ends before it does, is not around it. */
static void close_for(struct hosttime *h, nsec start, nsec end)
{
	while (h->depth && (start >= h->open[h->depth - 1].end || end > h->open[h->depth - 1].end))
		h->depth--;
}

void hosttime_go(struct hosttime *h, nsec until, host_piece_fn *fn, void *ctx)
{
	const struct events *ev = &h->run->events;
	const uint32_t *host = h->run->order->host;

	for (; h->place < h->place_end && ev->start[host[h->place]] < until; h->place++) {
		uint32_t row = host[h->place];

		if (!(KIND_BIT(ev->kind[row]) & h->kinds))
			continue;
		tell(h, ev->start[row], fn, ctx);
		close_for(h, ev->start[row], events_end(ev, row));
		begin(h, row);
	}
	tell(h, until, fn, ctx);
}

enum gap_cause hosttime_word(const struct hosttime *h, uint32_t row)
{
	size_t i = h->depth;

	while (i > 0 && h->open[i - 1].row != row)
		i--;
	return i > 0 ? h->open[i - 1].word : GAP_CAUSE_COUNT;
}

void hosttime_skip(struct hosttime *h, nsec until)
{
	hosttime_go(h, until, NULL, NULL);
}

/* ---- what a thread is in: names are asked once each ---- */

/* of_name: bits */
enum { NAME_ASKED = 1, NAME_WAITS = 2, NAME_COPIES = 4, NAME_GRAPHS = 8 };

static void find_launches(struct hostwhat *w, const struct run *r)
{
	size_t n = r->order->device_begin[r->lanes.n];

	for (size_t i = 0; i < n; i++) {
		uint32_t row = launch_of_row(r, r->order->device[i]);

		if (row != NO_ROW)
			w->launches[row / 64] |= (uint64_t)1 << row % 64;
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

static void take_launch(struct usual *u, nsec dur)
{
	u->n++;
	u->in[saturate_size(log2((double)MAX(dur, 1)) * OCTAVE)]++;
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
		take_launch(&u->v[0], ev->dur[row]);
		struct usual *own = usual_of(u, ev->name[row], true);
		if (own != &u->v[0])
			take_launch(own, ev->dur[row]);
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
}

static unsigned look(const struct hostwhat *w, uint32_t row)
{
	uint8_t *known = &w->of_name[w->run->events.name[row]];
	struct span name;

	if (w->run->events.kind[row] != KIND_RUNTIME)
		return 0;
	if (!*known) {
		name = run_name(w->run, row);
		*known = (uint8_t)(NAME_ASKED | (gap_causes_is_sync_name(name) ? NAME_WAITS : 0) |
			(span_has(name, "emcpy") ? NAME_COPIES : 0) |
			(span_has(name, "Graph") ? NAME_GRAPHS : 0));
	}
	return *known;
}

bool hostwhat_waits(const struct hostwhat *w, uint32_t row)
{
	return (look(w, row) & NAME_WAITS) != 0;
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

bool hostwhat_copies(const struct hostwhat *w, uint32_t row)
{
	return (look(w, row) & NAME_COPIES) != 0;
}

bool hostwhat_graphs(const struct hostwhat *w, uint32_t row)
{
	return (look(w, row) & NAME_GRAPHS) != 0;
}

static enum phase phase_of(struct hostwhat *w, uint32_t row)
{
	const struct events *ev = &w->run->events;

	return phases_of(&w->phases, ev->name[row], (enum kind)ev->kind[row], PHASE_OTHER);
}

void hostwhat_ask(struct hostwhat *w, uint32_t row)
{
	(void)look(w, row);
	(void)hostwhat_word(w, row);
}

enum gap_cause hostwhat_word(struct hostwhat *w, uint32_t row)
{
	return phase_of(w, row) == PHASE_DATA ? GAP_CAUSE_DATA : gap_words_of(&w->words, row);
}

bool hostwhat_is_region(struct hostwhat *w, uint32_t row)
{
	switch (w->run->events.kind[row]) {
	case KIND_RUNTIME: return false;
	case KIND_ANNOTATION: return hostwhat_word(w, row) == GAP_CAUSE_COUNT;
	case KIND_OP: return phase_of(w, row) == PHASE_OTHER; /* a step of an old trace */
	default: return false;
	}
}

enum host_class hostwhat_class(struct hostwhat *w, uint32_t row, enum host_class around)
{
	if (around == HOST_SYNC)
		return around;
	if (w->run->events.kind[row] == KIND_RUNTIME) {
		if (hostwhat_waits(w, row) && !(w->in_vain[row / 64] >> row % 64 & 1))
			return HOST_SYNC;
		if (around == HOST_DATA)
			return around;
		return hostwhat_launches(w, row) ? HOST_LAUNCH : HOST_RUNTIME;
	}
	if (around == HOST_DATA || phase_of(w, row) == PHASE_DATA)
		return HOST_DATA;
	return hostwhat_is_region(w, row) ? HOST_PYTHON : HOST_OP;
}
