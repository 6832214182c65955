/* The window: which steps count, and the sums of their accounts. */
#include "analyze/measure/window.h"

#include "analyze/measure/gaps/busy.h"
#include "analyze/stat/exceptions.h"
#include "analyze/stat/stats.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run_steps.h"

/* A ledger is times and nothing else. */
static void add_ledger(struct ledger *sum, const struct ledger *l)
{
	nsec *to = (nsec *)sum;
	const nsec *from = (const nsec *)l;

	for (size_t i = 0; i < sizeof(*l) / sizeof(nsec); i++)
		saturate_onto(&to[i], from[i]);
}

struct filter_view window_view(const struct window *w, const struct filter_view *v)
{
	struct filter_view mine = *v;

	if (w->counts) {
		mine.step = w->counts;
		mine.nstep = w->nstep;
	}
	return mine;
}

/* What has a word, comes now and then, and is not on the way to a launch. */
#define WORDS_NOW_AND_THEN                                                                  \
	(1u << GAP_CAUSE_ALLOCATOR | 1u << GAP_CAUSE_CHECKPOINT | 1u << GAP_CAUSE_LOGGING | \
		1u << GAP_CAUSE_GC | 1u << GAP_CAUSE_COMPILE)

/* Steps that wait so much longer for that cause than the median step does that they are odd. */
static void look_for_word(struct window *w, const struct run *r,
	const struct step_gap_causes *waiting, enum gap_cause cause, struct arena *mem)
{
	const struct stepstat *s = &w->stat;
	int64_t *wait = arena_array(mem, s->n, sizeof(*wait)), *copy;
	size_t n = 0;

	copy = arena_array(mem, s->n, sizeof(*copy));
	for (size_t i = 0; i < s->n; i++) {
		for (size_t d = 0; d < waiting->devices.n; d++) {
			struct step_waits one = { 0 };

			step_gap_causes_add(waiting, waiting->devices.id[d], s->step[i], &one);
			wait[i] = MAX(wait[i], one.ns[cause]);
		}
		copy[i] = wait[i];
	}
	double least = EXCEPTIONS_LEAST * s->median;
	least += 2 * stats_quantile(copy, s->n, 0.5);
	for (size_t i = 0; i < s->n; i++)
		n += (double)wait[i] > least;
	for (size_t i = 0; 2 * n <= s->n && i < s->n; i++)
		if ((double)wait[i] > least && !(s->mark[i] & STEP_INCOMPLETE) &&
			(double)stepstat_dur(s, r, i) > s->median && w->word[i] == GAP_CAUSE_COUNT)
			w->word[i] = (uint8_t)cause;
}

/* Prefills among decodes, or the other way round: the fewer. */
static void look_for_batches(struct window *w, const struct run *r)
{
	static const uint8_t word[] = {
		[SERVING_PREFILL] = STEP_KIND_PREFILL, [SERVING_DECODE] = STEP_KIND_DECODE
	};
	const struct stepstat *s = &w->stat;
	size_t n[SERVING_DECODE + 1] = { 0 };

	for (size_t i = 0; i < s->n; i++)
		n[r->steps->step[s->step[i]].serving]++;
	enum serving few =
		n[SERVING_PREFILL] <= n[SERVING_DECODE] ? SERVING_PREFILL : SERVING_DECODE;
	for (size_t i = 0; i < s->n && n[SERVING_PREFILL] + n[SERVING_DECODE] > n[few]; i++)
		if (r->steps->step[s->step[i]].serving == few)
			w->word[i] = word[few];
}

static void look_for_words(struct window *w, const struct run *r,
	const struct step_gap_causes *waiting, struct arena *mem)
{
	struct stepstat *s = &w->stat;
	bool *known = arena_array(mem, s->n, sizeof(*known));

	w->word = arena_array(mem, s->n, sizeof(*w->word));
	memset(w->word, GAP_CAUSE_COUNT, s->n);
	look_for_batches(w, r);
	for (int k = 0; s->n >= EXCEPTIONS_VALUES && waiting && k < GAP_CAUSE_COUNT; k++)
		if (WORDS_NOW_AND_THEN >> k & 1)
			look_for_word(w, r, waiting, (enum gap_cause)k, mem);
	for (size_t i = 0; i < s->n; i++)
		known[i] = w->word[i] != GAP_CAUSE_COUNT;
	stepstat_find_odd(s, r, known, mem);
}

static void choose_steps(struct window *w, const struct run *r, struct arena *mem)
{
	const struct steps *s = r->steps;
	const struct stepstat *stat = &w->stat;
	size_t usual = 0;

	for (size_t i = stat->from; i < stat->from + stat->count; i++)
		usual += !stat->odd[i];
	w->time = arena_array(mem, stat->count, sizeof(*w->time));
	w->step = arena_array(mem, stat->count, sizeof(*w->step));
	if (w->has_steps)
		w->counts = arena_array(mem, s->n, sizeof(*w->counts));
	for (size_t i = stat->from; i < stat->from + stat->count; i++) {
		const struct step *step = &s->step[stat->step[i]];

		if (stat->odd[i] && usual > 0)
			continue;
		w->step[w->nstep] = stat->step[i];
		w->time[w->nstep++] = (struct interval){ step->start, step->end };
		saturate_onto(&w->ns, saturate_sub(step->end, step->start));
		if (w->counts)
			w->counts[step - s->step] = true;
	}
	nsec first = r->first_ns < r->last_ns ? r->first_ns : INT64_MAX;
	if (!w->has_steps && w->nstep > 0 && first < w->time[0].start)
		w->lead_in = saturate_sub(w->time[0].start, first);
}

nsec window_between(const struct run *r, const struct ledgers *l, size_t d, int64_t id,
	size_t first, size_t last, nsec *run, nsec *busy)
{
	const struct step *step = r->steps->step;
	struct interval all = { step[first].start, step[last].end };
	nsec idle = *run = saturate_sub(all.end, all.start);

	(void)busy_of_device(r, id, &all, 1, busy);
	idle = saturate_sub(idle, *busy);
	for (size_t i = first; i <= last; i++) {
		idle = saturate_sub(idle, saturate_sub(step[i].end, step[i].start));
		saturate_onto(&idle, ledger_step(l, d, i).busy);
	}
	return idle;
}

/* What devices do in between, where steps that follow each other leave time out. */
static void look_between(
	struct window *w, const struct run *r, const struct filter_view *v, const struct ledgers *l)
{
	const struct stepstat *s = &w->stat;
	const struct step *step = r->steps->step;

	w->is_serving = r->steps->is_serving;
	if (r->steps->source != STEPS_ANNOTATION || v->lane || v->kinds != KINDS_ALL || s->n < 2 ||
		s->step[s->n - 1] - s->step[0] + 1 != s->n)
		return;
	nsec run = saturate_sub(step[s->step[s->n - 1]].end, step[s->step[0]].start);
	if (!((double)saturate_sub(run, s->sum) >= WINDOW_BETWEEN_MIN * (double)run))
		return;
	for (size_t d = 0; d < w->ndevice; d++) {
		struct account *a = &w->device[d];

		a->between = window_between(
			r, l, d, a->id, s->step[0], s->step[s->n - 1], &w->run, &a->busy_run);
	}
}

void window_init(struct window *w, const struct run *r, const struct filter_view *v,
	const struct ledgers *l, const struct step_gap_causes *waiting, struct arena *mem)
{
	size_t known = 0;
	double sum = 0;

	*w = (struct window){ 0 };
	stepstat_init(&w->stat, r, v, mem);
	w->has_steps = w->stat.has_steps;
	look_for_words(w, r, waiting, mem);
	choose_steps(w, r, mem);
	w->ndevice = l->ndevice - l->nwithout;
	w->device = arena_array(mem, w->ndevice, sizeof(*w->device));
	for (size_t d = 0; d < w->ndevice; d++) {
		struct account *a = &w->device[d];

		a->id = l->device[d].id;
		for (size_t i = 0; i < w->nstep; i++) {
			struct account one = account_of_step(l, waiting, d, w->step[i]);

			add_ledger(&a->ledger, &one.ledger);
			for (size_t k = 0; k < GAP_CAUSE_COUNT; k++)
				saturate_onto(&a->wait[k], one.wait[k]);
			saturate_onto(&a->long_host, one.long_host);
			saturate_onto(&a->behind, one.behind);
			saturate_onto(&a->late, one.late);
		}
		account_close(a);
		a->busy_all = ledger_whole(l, d).busy;
		a->outside = ledger_outside(l, d).busy;
		if (a->ns > 0) {
			sum += account_busy(a);
			known++;
		}
	}
	w->busy = known > 0 ? sum / (double)known : NAN;
	look_between(w, r, v, l);
	typical_init(&w->typical,
		&(struct typical_of){ w->time, w->step, w->nstep, w->ns, w->device, w->ndevice }, r,
		l, waiting);
	step_kinds_init(&w->kinds, r, &w->stat, w->word, l, waiting, mem);
}

/* Whether the first work of a queue waited so long that it may have been for unrecorded work. */
static bool may_be_unrecorded(const struct run *r)
{
	for (size_t i = 0; i < r->order->ndevice_lane; i++) {
		uint32_t lane = r->order->device_lane[i];
		uint32_t row = r->order->device[r->order->device_begin[lane]];
		uint32_t launch = launch_of_row(r, row);

		if (launch != NO_ROW &&
			saturate_sub(r->events.start[row], r->events.start[launch]) >=
				GAP_CAUSES_UNRECORDED_NS)
			return true;
	}
	return false;
}

static double busy_of_all(const struct run *r, const struct filter_view *v, struct arena *mem)
{
	struct classes classes;
	struct ledgers ledgers;
	struct step_gap_causes waiting;
	struct window w;

	classes_init(&classes, r, mem);
	ledgers_init(&ledgers, r, &classes, v, mem);
	step_gap_causes_init(&waiting, r, v, mem);
	window_init(&w, r, v, &ledgers, &waiting, mem);
	return w.busy;
}

double window_busy(const struct run *r, const struct filter_view *v, struct arena *mem)
{
	struct devices devices;
	struct window w = { 0 };
	double sum = 0;
	nsec *busy;

	stepstat_init(&w.stat, r, v, mem);
	if (v->lane || v->kinds != KINDS_ALL || may_be_unrecorded(r) ||
		(w.stat.n >= EXCEPTIONS_VALUES && gap_words_any(r, WORDS_NOW_AND_THEN)))
		return busy_of_all(r, v, mem);
	w.has_steps = w.stat.has_steps;
	choose_steps(&w, r, mem);
	devices_init(&devices, r, mem);
	busy = arena_array(mem, w.nstep, sizeof(*busy));
	for (size_t d = 0; d < devices.n; d++) {
		nsec all = 0;

		(void)busy_of_device(r, devices.id[d], w.time, w.nstep, busy);
		for (size_t i = 0; i < w.nstep; i++)
			saturate_onto(&all, busy[i]);
		sum += (double)all / (double)w.ns;
	}
	return devices.n > 0 && w.ns > 0 ? sum / (double)devices.n : NAN;
}

/*
 * Cutting at the borders of steps: the steps that begin before an end, from the last one backwards.
 */

void stepcut_init(struct stepcut *c, const struct window *w, struct arena *mem)
{
	*c = (struct stepcut){ .time = w->time, .n = w->nstep };
	c->latest = arena_array(mem, c->n, sizeof(*c->latest));
	for (size_t i = 0; i < c->n; i++) {
		c->latest[i] = c->time[i].end;
		if (i > 0 && c->latest[i - 1] > c->latest[i])
			c->latest[i] = c->latest[i - 1];
	}
	if (c->n == 0)
		return;
	c->start = c->time[0].start;
	c->end = c->latest[c->n - 1];
}

/* How many steps begin before t; `near`: how many did when it was asked last. */
static size_t begun_by(const struct stepcut *c, nsec t, size_t near)
{
	if ((near == 0 || c->time[near - 1].start < t) &&
		(near == c->n || c->time[near].start >= t))
		return near;
	return PARTITION_POINT(i, 0, c->n, c->time[i].start < t);
}

void stepcut_each(
	const struct stepcut *c, size_t *near, nsec start, nsec end, stepcut_fn *fn, void *ctx)
{
	size_t lo = *near = begun_by(c, end, *near);

	while (lo-- > 0 && c->latest[lo] > start) {
		nsec from = MAX(c->time[lo].start, start);
		nsec to = MIN(c->time[lo].end, end);

		if (from < to)
			fn(ctx, (uint32_t)lo, from, to);
	}
}
