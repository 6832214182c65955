/* Power samples to energy: one integral, how far it may be off, and a sweep that splits it. */
#include "analyze/measure/power/energy.h"

#include "analyze/measure/gaps/inflight.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/stat/quantile.h"

/* What no device draws; more than that is a wrong unit. */
#define WATTS_MAX 1e6

/* The area of the line from (0, a) to (length, b) up to x. */
static double area(double a, double b, double length, double x)
{
	return a * x + (b - a) / length * x * x / 2;
}

static bool is_pause(const struct energy *e, size_t i)
{
	return (double)(e->t[i + 1] - e->t[i]) > (double)ENERGY_PAUSE * (double)e->usual;
}

/* Of the whole interval behind sample i: power stays among two samples on either side. */
static double error_of_whole(const struct energy *e, size_t i)
{
	size_t from = i ? i - 1 : 0, to = i + 2 < e->n ? i + 3 : e->n;
	double lo = INFINITY, hi = 0, mean = (e->watts[i] + e->watts[i + 1]) / 2;

	for (size_t k = from; k < to; k++) {
		lo = fmin(lo, e->watts[k]);
		hi = fmax(hi, e->watts[k]);
	}
	return fmax(hi - mean, mean - lo) * (double)(e->t[i + 1] - e->t[i]);
}

static void find_usual(struct energy *e, struct arena *mem)
{
	double *gap = arena_array(mem, e->n, sizeof(*gap));

	for (size_t i = 0; i + 1 < e->n; i++)
		gap[i] = (double)(e->t[i + 1] - e->t[i]);
	e->usual = e->n > 1 ? saturate_whole(quantile_median(gap, e->n - 1, mem)) : 0;
}

static void integrate(struct energy *e)
{
	for (size_t i = 0; i + 1 < e->n; i++) {
		double length = (double)(e->t[i + 1] - e->t[i]);
		bool pause = is_pause(e, i);

		e->pauses += pause;
		e->at[i + 1] = e->at[i];
		e->seen[i + 1] = e->seen[i];
		e->error[i + 1] = e->error[i];
		if (pause)
			continue;
		e->at[i + 1] = saturate_add(e->at[i],
			saturate_round(area(e->watts[i], e->watts[i + 1], length, length)));
		saturate_onto(&e->seen[i + 1], saturate_sub(e->t[i + 1], e->t[i]));
		e->error[i + 1] += error_of_whole(e, i);
	}
}

void energy_init(struct energy *e, const nsec *t, const double *watts, size_t n, struct arena *mem)
{
	*e = (struct energy){
		.lo = INFINITY,
		.t = arena_array(mem, n, sizeof(*e->t)),
		.watts = arena_array(mem, n, sizeof(*e->watts)),
	};
	for (size_t i = 0; i < n; i++) {
		if (!(watts[i] >= 0 && watts[i] <= WATTS_MAX) || (e->n && t[i] <= e->t[e->n - 1]))
			continue;
		e->t[e->n] = t[i];
		e->watts[e->n++] = watts[i];
		e->lo = fmin(e->lo, watts[i]);
		e->hi = fmax(e->hi, watts[i]);
	}
	e->at = arena_array(mem, e->n, sizeof(*e->at));
	e->seen = arena_array(mem, e->n, sizeof(*e->seen));
	e->error = arena_array(mem, e->n, sizeof(*e->error));
	find_usual(e, mem);
	integrate(e);
}

/* The interval that holds t: of the last sample at or before it; t is in [t[0], t[n - 1]]. */
static size_t interval_of(const struct energy *e, nsec t)
{
	return PARTITION_POINT(i, 1, e->n - 1, e->t[i] <= t) - 1;
}

/* nJ from the first sample to t in interval i; between those of its ends. */
static int64_t until(const struct energy *e, size_t i, nsec t)
{
	double length = (double)(e->t[i + 1] - e->t[i]);

	if (e->at[i + 1] == e->at[i])
		return e->at[i];
	if (t == e->t[i + 1])
		return e->at[i + 1];
	int64_t part =
		saturate_round(area(e->watts[i], e->watts[i + 1], length, (double)(t - e->t[i])));
	return part < e->at[i + 1] - e->at[i] ? e->at[i] + part : e->at[i + 1];
}

/* How far `x` ns of interval i may be off: by their own range, or by that of the rest. */
static double error_of_piece(const struct energy *e, size_t i, double x)
{
	double length = (double)(e->t[i + 1] - e->t[i]), whole = e->error[i + 1] - e->error[i];
	double low = fmin(e->watts[i], e->watts[i + 1]), high = fmax(e->watts[i], e->watts[i + 1]);
	double off = fmax(e->hi - low, high - e->lo);

	return is_pause(e, i) || x <= 0 ? 0 : fmin(x * off, whole + fmax(length - x, 0) * off);
}

struct energy_part energy_between(const struct energy *e, nsec from, nsec to)
{
	struct energy_part p = { 0, 0, 0 };

	if (e->n < 2)
		return p;
	from = MAX(from, e->t[0]);
	to = MIN(to, e->t[e->n - 1]);
	if (from >= to)
		return p;
	size_t a = interval_of(e, from);
	size_t b = interval_of(e, to);
	p.nj = until(e, b, to) - until(e, a, from);
	p.ns = e->seen[b] - e->seen[a] + (is_pause(e, b) ? 0 : to - e->t[b]) -
		(is_pause(e, a) ? 0 : from - e->t[a]);
	if (a == b) {
		p.error = error_of_piece(e, a, (double)(to - from));
		return p;
	}
	p.error = e->error[b] - e->error[a + 1] +
		error_of_piece(e, a, (double)(e->t[a + 1] - from)) +
		error_of_piece(e, b, (double)(to - e->t[b]));
	return p;
}

const char *energy_word(unsigned part)
{
	static const char *const words[] = { "communication", "copies", "sets", "idle" };

	return part < FAMILY_COUNT ? family_word((enum family)part) : words[part - FAMILY_COUNT];
}

/* A sweep over the device's work, cut at samples. */
struct splitter {
	const struct energy *e;
	struct energy_split *out;
	const struct run *run;
	const struct classes *classes;
	uint8_t *part_of_name;      /* by sym: 1 + its part; 0: not asked yet */
	struct inflight flying;     /* id: part */
	size_t count[ENERGY_PARTS]; /* in flight */
	nsec now;
	size_t interval;            /* of now */
	double piece[ENERGY_PARTS]; /* ns of the interval so far */
};

static unsigned part_of(struct splitter *s, uint32_t row)
{
	sym name = s->run->events.name[row];

	switch (classes_of(s->classes, row)) {
	case CLASS_COMM: return ENERGY_COMM;
	case CLASS_MEMCPY: return ENERGY_MEMCPY;
	case CLASS_MEMSET: return ENERGY_MEMSET;
	default: break;
	}
	if (!s->part_of_name[name])
		s->part_of_name[name] =
			(uint8_t)(1 + family_of(strings_get(&s->run->strings, name)));
	return s->part_of_name[name] - 1u;
}

/* A stretch without an edge in it, in equal shares to all that run; what is left over of the
 * division to one of them. */
static void give(struct splitter *s, nsec to)
{
	int64_t nj = until(s->e, s->interval, to) - until(s->e, s->interval, s->now);
	int64_t ns = to - s->now, n = (int64_t)s->flying.n;
	bool is_first = true;

	if (n == 0) {
		saturate_onto(&s->out->part[ENERGY_IDLE].nj, nj);
		saturate_onto(&s->out->part[ENERGY_IDLE].ns, ns);
		s->piece[ENERGY_IDLE] += (double)ns;
		return;
	}
	for (unsigned k = 0; k < ENERGY_PARTS; k++) {
		int64_t count = (int64_t)s->count[k];

		if (count == 0)
			continue;
		saturate_onto(&s->out->part[k].nj, nj / n * count + (is_first ? nj % n : 0));
		saturate_onto(&s->out->part[k].ns, ns / n * count + (is_first ? ns % n : 0));
		s->piece[k] += (double)ns * (double)count / (double)n;
		is_first = false;
	}
}

static void close_interval(struct splitter *s)
{
	for (unsigned k = 0; k < ENERGY_PARTS; k++) {
		s->out->part[k].error += error_of_piece(s->e, s->interval, s->piece[k]);
		s->piece[k] = 0;
	}
}

static void advance(struct splitter *s, nsec to)
{
	const struct energy *e = s->e;

	while (s->now < to) {
		nsec end = MIN(e->t[s->interval + 1], to);

		if (!is_pause(e, s->interval))
			give(s, end);
		s->now = end;
		if (end < e->t[s->interval + 1])
			return;
		close_interval(s);
		if (s->interval + 2 == e->n)
			return;
		s->interval++;
	}
}

static void land(struct splitter *s, nsec until_ns)
{
	while (s->flying.n && s->flying.v[0].end <= until_ns) {
		nsec end = s->flying.v[0].end;

		advance(s, end);
		s->count[inflight_pop(&s->flying).id]--;
	}
}

static void sweep(struct splitter *s, int64_t device, nsec to, struct arena *mem)
{
	const struct events *ev = &s->run->events;
	struct sweep w;
	uint32_t row;

	sweep_device(&w, s->run, device, mem);
	while (sweep_next(&w, &row)) {
		nsec start = ev->start[row], end = events_end(ev, row);

		if (start >= to)
			break;
		end = MIN(end, to);
		if (end <= start || end <= s->now)
			continue;
		land(s, start);
		advance(s, start);
		unsigned part = part_of(s, row);
		s->count[part]++;
		inflight_push(&s->flying, (struct inflight_item){ .end = end, .id = part });
	}
	land(s, to);
	advance(s, to);
}

void energy_split(struct energy_split *out, const struct energy *e, const struct run *r,
	const struct classes *c, int64_t device, nsec from, nsec to, struct arena *mem)
{
	struct splitter s = { .e = e, .out = out, .run = r, .classes = c };

	*out = (struct energy_split){ .whole = energy_between(e, from, to) };
	if (e->n < 2)
		return;
	from = MAX(from, e->t[0]);
	to = MIN(to, e->t[e->n - 1]);
	if (from >= to)
		return;
	s.part_of_name = arena_alloc(mem, r->strings.n);
	memset(s.part_of_name, 0, r->strings.n);
	s.now = from;
	s.interval = interval_of(e, from);
	sweep(&s, device, to, mem);
	close_interval(&s);
	inflight_clear(&s.flying);
}
