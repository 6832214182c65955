/* Memory curves: [memory] records by device and time. */
#include "analyze/measure/memory/memcurve.h"

#include "analyze/measure/device/devices.h"
#include "analyze/measure/host/hostpath.h"
#include "analyze/stat/kendall.h"
#include "analyze/stat/line.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/words.h"

enum { THIN_EACH = 4, THIN_LEAST = 8 };

static int64_t value_of(const struct run *r, enum arg arg, uint32_t row)
{
	const int64_t *v = r->args.col[arg].i64;
	uint32_t side = r->events.args[row];

	return v && side != NO_ARGS ? v[side - 1] : ARG_UNKNOWN;
}

static bool is_oom(const struct run *r, uint32_t row)
{
	return !span_is(run_name(r, row), "[memory]");
}

/* What tells curves apart; no padding, since it is a key. */
struct curve_key {
	int64_t type, device;
};

static struct curve_key key_of(const struct run *r, uint32_t row)
{
	return (struct curve_key){ value_of(r, ARG_MEMORY_DEVICE_TYPE, row),
		value_of(r, ARG_MEMORY_DEVICE, row) };
}

/* The curve of a row, new or old. */
static struct memcurve *curve_of(
	struct memcurves *m, struct keymap *keys, size_t *cap, const struct run *r, uint32_t row)
{
	const struct curve_key key = key_of(r, row);
	size_t i = keymap_add(keys, &key);

	if (i < m->n)
		return &m->v[i];
	m->v = array_grow(m->v, cap, m->n + 1, sizeof(*m->v));
	m->v[m->n] = (struct memcurve){ .type = key.type, .device = key.device };
	return &m->v[m->n++];
}

static bool wants(const struct memcurve *c, const struct filter_view *v)
{
	if (!v || c->type == DEVICE_TYPE_CPU || c->device == ARG_UNKNOWN)
		return true;
	return filter_in(&v->set->device, c->device);
}

ORDER(by_device, struct memcurve, compare3(a->type, b->type), compare3(a->device, b->device))

/* How many rows each curve has, in two passes: count, then fill. */
static void list_rows(
	struct memcurves *m, struct keymap *keys, const struct run *r, const struct filter_view *v)
{
	const struct events *ev = &r->events;
	size_t cap = 0, i, keep;

	for (i = events_find(ev, 0, KIND_MEMORY); i < ev->n;
		i = events_find(ev, i + 1, KIND_MEMORY)) {
		struct memcurve *c = curve_of(m, keys, &cap, r, (uint32_t)i);

		if (is_oom(r, (uint32_t)i))
			c->ooms++;
		else
			c->n++;
	}
	for (i = 0, keep = 0; i < m->n; i++)
		if (wants(&m->v[i], v))
			m->v[keep++] = m->v[i];
	m->n = keep;
	sort_rows(m->v, m->n, sizeof(*m->v), by_device);
	keep = MIN(m->n, DEVICES_MAX);
	m->nmore = m->n - keep;
	m->n = keep;
	keymap_empty(keys);
	for (i = 0; i < m->n; i++) {
		(void)keymap_add(keys, &(struct curve_key){ m->v[i].type, m->v[i].device });
		m->v[i].row = arena_array(&m->mem, m->v[i].n, sizeof(*m->v[i].row));
		m->v[i].n = 0;
	}
}

/* A curve that is wanted, or NULL. */
static struct memcurve *find(
	struct memcurves *m, struct keymap *keys, const struct run *r, uint32_t row)
{
	const struct curve_key key = key_of(r, row);
	uint32_t i = keymap_find(keys, &key);

	return i == KEYMAP_NONE ? NULL : &m->v[i];
}

static void fill_rows(struct memcurves *m, struct keymap *keys, const struct run *r)
{
	struct memcurve *c;

	for (EACH_OF_KIND(i, &r->events, KIND_MEMORY))
		if (!is_oom(r, (uint32_t)i) && (c = find(m, keys, r, (uint32_t)i)))
			c->row[c->n++] = (uint32_t)i;
}

static void find_values(struct memcurve *c, const struct run *r, struct arena *mem)
{
	int64_t sum = 0;

	c->allocated = arena_array(mem, c->n, sizeof(*c->allocated));
	c->reserved = arena_array(mem, c->n, sizeof(*c->reserved));
	c->is_relative = true;
	for (size_t i = 0; i < c->n; i++) {
		c->allocated[i] = value_of(r, ARG_MEMORY_ALLOCATED, c->row[i]);
		c->reserved[i] = value_of(r, ARG_MEMORY_RESERVED, c->row[i]);
		c->is_relative &= c->allocated[i] == ARG_UNKNOWN;
	}
	for (size_t i = 0; c->is_relative && i < c->n; i++) {
		int64_t bytes = value_of(r, ARG_MEMORY_BYTES, c->row[i]);

		saturate_onto(&sum, bytes == ARG_UNKNOWN ? 0 : bytes);
		c->allocated[i] = sum;
	}
}

static bool in_steps(const struct run *r, const struct filter_view *v, nsec t)
{
	uint32_t at = steps_at(r->steps, t);

	return at != NO_ROW && v->step[at];
}

static void drop_other_steps(struct memcurve *c, const struct run *r, const struct filter_view *v)
{
	size_t n = 0;

	if (!v || !v->step)
		return;
	for (size_t i = 0; i < c->n; i++) {
		if (!in_steps(r, v, r->events.start[c->row[i]]))
			continue;
		c->row[n] = c->row[i];
		c->allocated[n] = c->allocated[i];
		c->reserved[n++] = c->reserved[i];
	}
	c->n = n;
}

/* What was there before the first record; of a running sum, 0. */
static int64_t allocated_before(const struct memcurve *c, const struct run *r)
{
	if (c->is_relative || c->n == 0)
		return 0;
	int64_t bytes = value_of(r, ARG_MEMORY_BYTES, c->row[0]);
	if (bytes == ARG_UNKNOWN || c->allocated[0] == ARG_UNKNOWN)
		return ARG_UNKNOWN;
	return saturate_sub(c->allocated[0], bytes);
}

static void sum_up(struct memcurve *c, const struct run *r)
{
	c->peak = c->peak_reserved = c->n;
	c->before = allocated_before(c, r);
	for (size_t i = 0; i < c->n; i++) {
		int64_t bytes = value_of(r, ARG_MEMORY_BYTES, c->row[i]);

		if (bytes > 0) {
			c->allocs++;
			saturate_onto(&c->alloc_bytes, bytes);
		} else if (bytes != ARG_UNKNOWN && bytes < 0) {
			c->frees++;
			c->free_bytes = saturate_sub(c->free_bytes, bytes);
		}
		if (c->allocated[i] != ARG_UNKNOWN &&
			(c->peak == c->n || c->allocated[i] > c->allocated[c->peak]))
			c->peak = i;
		if (c->reserved[i] != ARG_UNKNOWN &&
			(c->peak_reserved == c->n ||
				c->reserved[i] > c->reserved[c->peak_reserved]))
			c->peak_reserved = i;
	}
}

void memcurves_init(struct memcurves *m, const struct run *r, const struct filter_view *v)
{
	struct keymap keys; /* curves by type and device */

	*m = (struct memcurves){ 0 };
	keymap_init(&keys, sizeof(struct curve_key));
	list_rows(m, &keys, r, v);
	fill_rows(m, &keys, r);
	keymap_clear(&keys);
	for (EACH(struct memcurve, c, m->v, m->n)) {
		struct arena_mark mark = arena_mark(&m->mem);

		order_sort(r, c->row, c->n, arena_array(&m->mem, c->n / 2 + 1, sizeof(uint32_t)));
		arena_reset(&m->mem, mark);
		find_values(c, r, &m->mem);
		drop_other_steps(c, r, v);
		sum_up(c, r);
	}
}

void memcurves_clear(struct memcurves *m)
{
	free(m->v);
	arena_clear(&m->mem);
	*m = (struct memcurves){ 0 };
}

size_t memcurve_at(const struct memcurve *c, const struct run *r, nsec t)
{
	size_t lo = PARTITION_POINT(i, 0, c->n, r->events.start[c->row[i]] <= t);

	return lo - 1;
}

/* Of the records [from, to) the first, last, lowest and highest, ascending. */
static size_t thin_stretch(const struct memcurve *c, size_t from, size_t to, size_t *keep)
{
	size_t at[THIN_EACH] = { from, from, from, to - 1 }, n = 0, i;

	for (i = from; i < to; i++) {
		at[1] = c->allocated[i] < c->allocated[at[1]] ? i : at[1];
		at[2] = c->allocated[i] > c->allocated[at[2]] ? i : at[2];
	}
	if (at[1] > at[2]) {
		i = at[1];
		at[1] = at[2];
		at[2] = i;
	}
	for (i = 0; i < THIN_EACH; i++)
		if (n == 0 || at[i] > keep[n - 1])
			keep[n++] = at[i];
	return n;
}

/* Puts one more index among the ascending ones. */
static size_t insert(size_t *keep, size_t n, size_t at)
{
	size_t i = n;

	while (i > 0 && keep[i - 1] > at)
		i--;
	if (i > 0 && keep[i - 1] == at)
		return n;
	memmove(keep + i + 1, keep + i, (n - i) * sizeof(*keep));
	keep[i] = at;
	return n + 1;
}

size_t memcurve_thin(const struct memcurve *c, const struct run *r, size_t most, size_t *keep)
{
	const nsec *start = r->events.start;
	size_t from = 0, n = 0;

	most = MAX(THIN_LEAST, most);
	if (c->n <= most) {
		for (size_t i = 0; i < c->n; i++)
			keep[i] = i;
		return c->n;
	}
	size_t stretches = most / THIN_EACH;
	nsec first = start[c->row[0]];
	nsec width = saturate_sub(start[c->row[c->n - 1]], first) / (nsec)stretches + 1;
	while (from < c->n) {
		nsec which = saturate_sub(start[c->row[from]], first) / width;
		size_t to = from + 1;

		while (to < c->n && saturate_sub(start[c->row[to]], first) / width == which)
			to++;
		n += thin_stretch(c, from, to, keep + n);
		from = to;
	}
	if (c->peak_reserved < c->n)
		n = insert(keep, n, c->peak_reserved);
	return n;
}

uint32_t memcurve_op(struct hostpath *h, uint32_t row)
{
	const struct events *ev = &h->run->events;
	uint32_t at = hostpath_at(h, ev->lane[row], ev->start[row]), annotation = NO_ROW;

	for (; at != NO_ROW; at = hostpath_up(h, at)) {
		uint32_t call = hostpath_row(h, at);

		if (ev->kind[call] == KIND_OP)
			return call;
		if (ev->kind[call] == KIND_ANNOTATION && annotation == NO_ROW)
			annotation = call;
	}
	return annotation;
}

/* Source: c10/core/DeviceType.h. */
struct span memcurve_device(const struct memcurve *c, struct arena *mem)
{
	static const char *const words[] = { "CPU", "CUDA", "MKLDNN", "OpenGL", "OpenCL", "IDEEP",
		"HIP", "FPGA", "MAIA", "XLA", "Vulkan", "Metal", "XPU", "MPS", "Meta", "HPU", "VE",
		"Lazy", "IPU", "MTIA", "PrivateUse1" };
	const char *word =
		c->type >= 0 && c->type < (int64_t)COUNT_OF(words) ? words[c->type] : "device";

	if (c->device < 0)
		return span_of(word);
	return span_of(arena_printf(mem, "%s %" PRId64, word, c->device));
}

/* ---- memory curves: the trend from step to step ---- */

enum { LEAST_STEPS = 3, SET_ASIDE = 5 };
static const double CONFIDENCE = 0.95;

WORDS(memcurve_sign_word, enum memcurve_sign, MEMCURVE_SIGNS, 2)

struct series {
	double *step; /* numbers of the steps */
	int64_t *v;
	double *y; /* the same as v */
	size_t n;
};

/* Values at the ends of steps; a step before the first record, or with an unknown one, has none. */
static void collect(struct series *s, const struct memcurve *c, const struct run *r,
	const struct filter_view *v, const int64_t *value)
{
	const struct steps *steps = r->steps;

	s->n = 0;
	for (size_t i = 0; i < steps->n; i++) {
		if (v && v->step && !v->step[i])
			continue;
		size_t at = memcurve_at(c, r, steps->step[i].host_end);
		if (at == SIZE_MAX || value[at] == ARG_UNKNOWN)
			continue;
		s->step[s->n] = (double)i;
		s->v[s->n++] = value[at];
	}
	if (s->n > SET_ASIDE) {
		s->step++;
		s->v++;
		s->n--;
	}
}

static void spread(struct series *s)
{
	size_t n = MEMCURVE_STEPS_MAX;

	if (s->n <= n)
		return;
	for (size_t i = 0; i < n; i++) {
		size_t at = i * (s->n - 1) / (n - 1);

		s->step[i] = s->step[at];
		s->v[i] = s->v[at];
	}
	s->n = n;
}

static void make_series(struct series *s, size_t n, struct arena *mem)
{
	s->step = arena_array(mem, n, sizeof(*s->step));
	s->v = arena_array(mem, n, sizeof(*s->v));
	s->y = arena_array(mem, n, sizeof(*s->y));
}

/* Fills y, which is what statistics want. */
static void as_reals(struct series *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->y[i] = (double)s->v[i];
}

/* Whether one step alone makes at least 80% of the growth, and the others do not matter. */
static bool is_jump(const struct series *s, int64_t growth)
{
	int64_t most = 0;

	for (size_t i = 1; i < s->n; i++) {
		int64_t d = saturate_sub(s->v[i], s->v[i - 1]);

		most = MAX(d, most);
	}
	return (double)most >= 0.8 * (double)growth;
}

static bool always_grows(const struct series *s)
{
	for (size_t i = 1; i < s->n; i++)
		if (s->v[i] <= s->v[i - 1])
			return false;
	return true;
}

static bool is_growth(int64_t growth, int64_t peak)
{
	return growth > MEMCURVE_LEAK_BYTES && growth > peak / 1000;
}

static enum memcurve_sign sign_of(
	const struct series *s, double slope, double p, int64_t peak, const struct series *reserved)
{
	int64_t growth = saturate_sub(s->v[s->n - 1], s->v[0]);

	if (is_growth(growth, peak) && is_jump(s, growth))
		return MEMCURVE_JUMP;
	if (is_growth(growth, peak) && slope > 0 && p < 0.01)
		return MEMCURVE_LEAK;
	if (is_growth(growth, peak) && always_grows(s))
		return MEMCURVE_RISING;
	if (reserved->n >= LEAST_STEPS) {
		int64_t more = saturate_sub(reserved->v[reserved->n - 1], reserved->v[0]);

		if (is_growth(more, peak) && !is_jump(reserved, more))
			return MEMCURVE_RESERVED;
	}
	return MEMCURVE_STEADY;
}

/* t is UNKNOWN so far, and there are steps. */
static void find_trend(struct memcurve_trend *t, const struct memcurve *c, const struct run *r,
	const struct filter_view *v, struct arena *mem)
{
	size_t n = r->steps->n;
	struct series s, reserved;

	make_series(&s, n, mem);
	make_series(&reserved, n, mem);
	collect(&s, c, r, v, c->allocated);
	collect(&reserved, c, r, v, c->reserved);
	spread(&s);
	spread(&reserved);
	as_reals(&s);
	as_reals(&reserved);
	t->steps = s.n;
	if (s.n < LEAST_STEPS)
		return;
	t->first = s.v[0];
	t->last = s.v[s.n - 1];
	struct theilsen line = theilsen_fit(s.step, s.y, s.n, CONFIDENCE, mem);
	t->slope = line.slope;
	t->slope_lo = isfinite(line.lo) ? line.lo : NAN;
	t->slope_hi = isfinite(line.hi) ? line.hi : NAN;
	t->slope_reserved =
		theilsen_fit(reserved.step, reserved.y, reserved.n, CONFIDENCE, mem).slope;
	t->p = kendall_trend(s.y, s.n, mem).p;
	t->sign = sign_of(&s, t->slope, t->p, c->allocated[c->peak], &reserved);
	t->is_leak = t->sign == MEMCURVE_LEAK;
}

bool memcurve_trend(struct memcurve_trend *t, const struct memcurve *c, const struct run *r,
	const struct filter_view *v)
{
	const struct steps *s = r->steps;
	SCOPED_ARENA mem = { 0 };

	*t = (struct memcurve_trend){
		.slope = NAN, .slope_lo = NAN, .slope_hi = NAN, .slope_reserved = NAN, .p = NAN
	};
	if (!s || s->n < LEAST_STEPS || s->source == STEPS_WHOLE || c->n == 0)
		return false;
	find_trend(t, c, r, v, &mem);
	return t->sign != MEMCURVE_UNKNOWN;
}
