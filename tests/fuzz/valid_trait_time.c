/* Traits of times and of steps. */
#include <string.h>

#include "base/compiler.h"
#include "base/saturate.h"
#include "tests/fuzz/valid_run.h"
#include "tests/fuzz/valid_trait.h"

static bool is_step(const struct valid_event *e)
{
	return e->cat == VALID_ANNOTATION && strncmp(e->name, "ProfilerStep#", 13) == 0;
}

bool valid_trait_hits(size_t i, unsigned how)
{
	static const size_t every[] = { 1, 2, 3, 7 };

	return i % every[how % COUNT_OF(every)] == 0;
}

void valid_trait_zero_durations(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (valid_trait_hits(i, how))
			r->ev[i].dur = 0;
}

/* The middle of the run is at zero; or long before. */
void valid_trait_negative_times(struct valid_run *r, unsigned how)
{
	int64_t by = r->n ? r->ev[r->n / 2].ts : 0;
	size_t i;

	for (i = 0; i < r->n; i++) {
		r->ev[i].ts = saturate_sub(r->ev[i].ts, by);
		if (how % 2)
			saturate_onto(&r->ev[i].ts, -4000000000000000000);
	}
}

/* All times, or some of them. */
void valid_trait_huge_times(struct valid_run *r, unsigned how)
{
	static const int64_t far[] = { INT64_MAX - 2000000, 9000000000000000000, INT64_MAX,
		4611686018427387904 };
	int64_t first = r->n ? r->ev[0].ts : 0, to = far[how / 4 % COUNT_OF(far)];
	size_t i;

	for (i = 0; i < r->n; i++)
		if (valid_trait_hits(i, how))
			r->ev[i].ts = saturate_add(to, saturate_sub(r->ev[i].ts, first));
}

/* Rows of one lane begin before the one before them ends; or all work of a device is on one. */
void valid_trait_overlapping(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		struct valid_event *e = &r->ev[i];

		if (!(VALID_BIT(e->cat) & VALID_WORK))
			continue;
		if (how % 2)
			e->tid = 7;
		e->dur = saturate_times(e->dur, 5);
	}
}

/* Ends of rows of the host are behind those of their parents. */
void valid_trait_crossing(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (r->ev[i].ph == 'X' && !(VALID_BIT(r->ev[i].cat) & VALID_ON_DEVICE) &&
			valid_trait_hits(i + 1, how + 1))
			saturate_onto(&r->ev[i].dur, r->ev[i].dur / 2 + 1 + 40 * (int64_t)how);
}

void valid_trait_early_kernels(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (VALID_BIT(r->ev[i].cat) & VALID_WORK && valid_trait_hits(i, how))
			saturate_onto(&r->ev[i].ts, -50000 - 5000000 * (int64_t)(how / 64));
}

void valid_trait_steps_overlap(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (is_step(&r->ev[i]))
			r->ev[i].dur = saturate_times(r->ev[i].dur, 2 + how % 4);
}

/* Names go down where times go up, or are all the same, or huge, or below zero. */
void valid_trait_steps_unordered(struct valid_run *r, unsigned how)
{
	unsigned long long number = how % 4 == 2 ? 18446744073709551615ull : 100;
	size_t i;

	for (i = 0; i < r->n; i++) {
		if (!is_step(&r->ev[i]))
			continue;
		r->ev[i].name = arena_printf(
			r->mem, "ProfilerStep#%s%llu", how % 4 == 3 ? "-" : "", number);
		number -= how % 4 != 1;
	}
}

void valid_trait_steps_empty(struct valid_run *r, unsigned how)
{
	size_t i, nth = 0;

	for (i = 0; i < r->n; i++)
		if (is_step(&r->ev[i]) && valid_trait_hits(nth++, how))
			r->ev[i].dur = 0;
}

void valid_trait_all_at_once(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (how % 2 == 0 || VALID_BIT(r->ev[i].cat) & VALID_ON_DEVICE)
			r->ev[i].ts = r->ev[0].ts;
}

/* Days, years, or as long as times can be. */
void valid_trait_long_pause(struct valid_run *r, unsigned how)
{
	static const int64_t pause[] = { 86400000000000, 31536000000000000, 3000000000000000000,
		9000000000000000000 };
	size_t i;

	for (i = r->n / 2; i < r->n; i++)
		saturate_onto(&r->ev[i].ts, pause[how % COUNT_OF(pause)]);
}

/* One row, or one of many, that lasts as long as times can be. */
void valid_trait_endless(struct valid_run *r, unsigned how)
{
	static const int64_t most[] = { INT64_MAX, 9000000000000000000, 3000000000000000000,
		4611686018427387904 };
	size_t i, every = how / 4 % 2 ? 7 : r->n;

	for (i = how % (r->n ? r->n : 1); i < r->n; i += every)
		r->ev[i].dur = most[how % COUNT_OF(most)];
}

void valid_trait_negative_durations(struct valid_run *r, unsigned how)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (valid_trait_hits(i, how))
			r->ev[i].dur = how % 8 < 4 ? saturate_sub(-1, r->ev[i].dur) : INT64_MIN + 1;
}

/* The order in the file is no order of time. */
void valid_trait_shuffled(struct valid_run *r, unsigned how)
{
	size_t i;

	draw_seed(&r->by, how);
	for (i = r->n; i > 1; i--) {
		size_t k = (size_t)draw_chance(&r->by, 0, (int64_t)i - 1);
		struct valid_event e = r->ev[i - 1];

		r->ev[i - 1] = r->ev[k];
		r->ev[k] = e;
	}
}

/* A step lies in another. */
void valid_trait_steps_nested(struct valid_run *r, unsigned how)
{
	size_t i, n = r->n;

	for (i = 0; i < n; i++) {
		struct valid_event e = r->ev[i];

		if (is_step(&e))
			valid_run_add(r, 'X', VALID_ANNOTATION,
				how % 2 ? "ProfilerStep#77" : e.name, e.pid, e.tid,
				saturate_add(e.ts, e.dur / 4), e.dur / 2)
				->ext = e.ext;
	}
}

void valid_trait_at_zero(struct valid_run *r, unsigned how)
{
	int64_t first = r->n ? r->ev[0].ts : 0;
	size_t i;

	for (i = 0; i < r->n; i++)
		r->ev[i].ts = saturate_sub(r->ev[i].ts, first);
	r->base_ns = how % 2 ? 0 : INT64_MAX;
}

/* Steps of other threads or processes, so that of none there is more than one. */
void valid_trait_steps_apart(struct valid_run *r, unsigned how)
{
	int64_t nth = 0;
	size_t i;

	for (i = 0; i < r->n; i++)
		if (is_step(&r->ev[i])) {
			saturate_onto(&r->ev[i].tid, ++nth);
			saturate_onto(&r->ev[i].pid, how % 2 ? nth : 0);
		}
}

/* The device says steps, the host does not. */
void valid_trait_steps_of_device(struct valid_run *r, unsigned how)
{
	size_t i, n = 0;

	for (i = 0; i < r->n; i++) {
		if (is_step(&r->ev[i]))
			continue;
		r->ev[n++] = r->ev[i];
		if (how % 2 && r->ev[n - 1].cat == VALID_GPU_ANNOTATION)
			r->ev[n - 1].dur = 0;
	}
	r->n = n;
}
