/* Statistics of steps. */
#include "analyze/measure/stepstat.h"

#include "analyze/stat/exceptions.h"
#include "analyze/stat/stats.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

nsec stepstat_dur(const struct stepstat *s, const struct run *r, size_t i)
{
	const struct step *step = &r->steps->step[s->step[i]];

	return saturate_sub(step->end, step->start);
}

double stepstat_median(const struct stepstat *s, const int64_t *v, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	int64_t *copy = arena_array(mem, s->count, sizeof(*copy));

	if (s->count > 0)
		memcpy(copy, v + s->from, s->count * sizeof(*copy));
	double median = stats_quantile(copy, s->count, 0.5);
	arena_reset(mem, mark);
	return median;
}

static void spread(struct stepstat *s, const int64_t *dur, struct arena *mem)
{
	int64_t *off = arena_array(mem, s->n, sizeof(*off));

	s->median = stepstat_median(s, dur, mem);
	s->min = s->count > 0 ? dur[s->from] : 0;
	s->max = s->min;
	for (size_t i = s->from; i < s->from + s->count; i++) {
		s->min = MIN(dur[i], s->min);
		s->max = MAX(dur[i], s->max);
	}
	for (size_t i = 0; i < s->n; i++)
		off[i] = saturate_whole(fabs((double)dur[i] - s->median));
	s->mad = stepstat_median(s, off, mem);
}

/* Steps that are cut off, or have no length as nothing of theirs ran, are left out. */
static bool is_comparable(const struct stepstat *s, const struct run *r, size_t i)
{
	return !(s->mark[i] & STEP_INCOMPLETE) && stepstat_dur(s, r, i) > 0;
}

/* The run's first step against the median of all others that are taken and whole. */
static void look_at_first(
	struct stepstat *s, const struct run *r, const int64_t *dur, struct arena *mem)
{
	int64_t *others = arena_array(mem, s->n, sizeof(*others));
	size_t n = 0;

	s->first_ratio = NAN;
	for (size_t i = 1; i < s->n; i++)
		if (is_comparable(s, r, i))
			others[n++] = dur[i];
	if (n < 2 || s->step[0] != 0)
		return;
	double median = stats_quantile(others, n, 0.5);
	if (median > 0)
		s->first_ratio = (double)dur[0] / median;
	if (s->first_ratio * 100 > STEPSTAT_SLOW_FIRST_PERCENT)
		s->mark[0] |= STEP_SLOW_FIRST;
}

void stepstat_find_odd(
	struct stepstat *s, const struct run *r, const bool *known, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double *v = arena_array(mem, s->n, sizeof(*v));
	size_t *place = arena_array(mem, s->n, sizeof(*place));
	bool *is = arena_array(mem, s->n, sizeof(*is));
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (is_comparable(s, r, i) && !(known && known[i])) {
			place[n] = i;
			v[n++] = (double)stepstat_dur(s, r, i);
		}
	bool is_few = n < EXCEPTIONS_VALUES;
	exceptions_find(v, n, is, &s->ramp, mem);
	if (s->ramp.to > 0) {
		s->ramp.from = place[s->ramp.from];
		s->ramp.to = place[s->ramp.to];
	}
	s->outliers = n = 0;
	for (size_t i = 0; i < s->n; i++) {
		bool is_known = known && known[i];
		bool is_first = s->mark[i] & STEP_SLOW_FIRST;

		s->odd[i] = is_known || (is_comparable(s, r, i) && is[n++]) || (is_few && is_first);
		s->outliers += s->odd[i];
		s->mark[i] &= (uint8_t) ~(STEP_SLOW | STEP_FAST);
		if (s->odd[i] && !(s->mark[i] & STEP_SLOW_FIRST))
			s->mark[i] |=
				(double)stepstat_dur(s, r, i) > s->median ? STEP_SLOW : STEP_FAST;
	}
	arena_reset(mem, mark);
}

static void mark_incomplete(struct stepstat *s, const struct run *r)
{
	for (size_t i = 0; i < s->n; i++)
		if (r->steps->step[s->step[i]].incomplete) {
			s->mark[i] |= STEP_INCOMPLETE;
			s->incomplete++;
		}
}

/* What the end of the recording cut off is set aside: it is the last.  One step is always left. */
static void choose_range(struct stepstat *s, const struct steps *steps)
{
	size_t whole = s->n;

	while (whole > 0 && steps->step[s->step[whole - 1]].incomplete == STEP_IS_CUT_OFF)
		whole--;
	whole = MAX(whole, s->n > 0);
	bool is_cut_off = whole < s->n;
	s->from = whole + is_cut_off >= STEPSTAT_REMAINING_MIN + 2 ? 1 : 0;
	s->count = whole - s->from - (is_cut_off ? 0 : s->from);
}

void stepstat_init(
	struct stepstat *s, const struct run *r, const struct filter_view *v, struct arena *mem)
{
	const struct steps *steps = r->steps;
	int64_t *dur;

	*s = (struct stepstat){
		.has_steps = steps->source != STEPS_WHOLE,
		.step = arena_array(mem, steps->n, sizeof(*s->step)),
	};
	for (size_t i = 0; i < steps->n; i++)
		if (!v || !v->step || v->step[i])
			s->step[s->n++] = (uint32_t)i;
	s->mark = arena_array(mem, s->n, sizeof(*s->mark));
	dur = arena_array(mem, s->n, sizeof(*dur));
	for (size_t i = 0; i < s->n; i++) {
		dur[i] = stepstat_dur(s, r, i);
		saturate_onto(&s->sum, dur[i]);
	}
	choose_range(s, steps);
	spread(s, dur, mem);
	mark_incomplete(s, r);
	look_at_first(s, r, dur, mem);
	s->odd = arena_array(mem, s->n, sizeof(*s->odd));
	stepstat_find_odd(s, r, NULL, mem);
}

const char *stepstat_words(unsigned mark)
{
	static const char *const words[] = {
		[0] = "",
		[STEP_SLOW_FIRST] = "slow first",
		[STEP_SLOW] = "slow",
		[STEP_FAST] = "fast",
		[STEP_INCOMPLETE] = "incomplete",
		[STEP_SLOW_FIRST | STEP_INCOMPLETE] = "slow first, incomplete",
		[STEP_SLOW | STEP_INCOMPLETE] = "slow, incomplete",
		[STEP_FAST | STEP_INCOMPLETE] = "fast, incomplete",
	};

	return mark < COUNT_OF(words) && words[mark] ? words[mark] : "";
}
