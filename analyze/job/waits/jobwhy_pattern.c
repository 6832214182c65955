/*
 * When the others wait for a rank: from a step on, up to one, in every third, in some.
 *
 * The steps that matter are those with half at least of what the others wait for it in a step
 * where they do: the mean of the waits, each weighted by itself, which many short ones do not move.
 */
#include "analyze/job/waits/jobwhy_parts.h"

#include "base/unit.h"

static const double matters = 0.5;
static const double always = 0.75; /* of the steps */
enum { PERIODS_MIN = 3 };          /* stretches that lie equally far apart, for a period */

size_t why_find_hits(const double *by_step, size_t n, size_t *hit)
{
	double sum = 0, squares = 0;
	size_t hits = 0;

	for (size_t i = 0; i < n; i++) {
		double ns = fmax(by_step[i], 0);

		sum += ns;
		squares += ns * ns;
	}
	for (size_t i = 0; i < n && sum > 0; i++)
		if (by_step[i] >= matters * squares / sum)
			hit[hits++] = i;
	return hits;
}

/* How many steps lie from the first of a stretch of such steps to that of the next, if it is always
 * as many; a stretch that the first step cuts begins anywhere. */
static size_t period_of(const struct job *j, const size_t *hit, size_t n)
{
	size_t before = SIZE_MAX, period = 0, count = 0, i = 0;

	while (i < n && hit[i] == i)
		i++;
	for (; i < n; i++) {
		if (i > 0 && hit[i] == hit[i - 1] + 1)
			continue;
		if (before != SIZE_MAX && period && hit[i] - before != period)
			return 0;
		period = before == SIZE_MAX ? 0 : hit[i] - before;
		before = hit[i];
		count++;
	}
	return count >= PERIODS_MIN && before + period + 1 >= j->nstep ? period : 0;
}

static void put_period(struct str *b, size_t period)
{
	static const char *const word[] = { "second", "third", "fourth", "fifth" };

	if (period < 2 + sizeof(word) / sizeof(*word))
		str_addf(b, ", in every %s step", word[period - 2]);
	else
		str_addf(b, ", in one of %zu steps", period);
}

/* "12 (1.90 min)": the steps up to there, and how long they take together. */
static void put_until(struct str *b, const struct why_work *w, size_t steps)
{
	double ns = SUM(double, i, steps, (double)job_ledgers_step(&w->f->ledgers, i, 0)->wall);

	str_addf(b, "the first %zu steps (", steps);
	unit_put_time(b, ns);
	str_addc(b, ')');
}

void why_put_pattern(struct str *b, const struct why_work *w, const double *by_step)
{
	const struct job *j = w->j;
	size_t *hit = arena_array(w->mem, j->nstep, sizeof(*hit));
	size_t steps = j->nstep, n = why_find_hits(by_step, steps, hit);

	if (n == 0 || !w->f->ledgers.has_steps)
		return;
	size_t first = hit[0], last = hit[n - 1];
	bool is_one_stretch = last - first + 1 - n <= n / 4;
	if (is_one_stretch && (n > 1 || steps == 1) && first < 2 && last + 2 >= steps)
		return; /* the first step may begin before it is late, the last end so */
	if (n == 1)
		str_addf(b, ", in step %lld alone", (long long)j->step[first]);
	else if (period_of(j, hit, n) > 1)
		put_period(b, period_of(j, hit, n));
	else if (is_one_stretch && last + 1 == steps)
		str_addf(b, ", from step %lld on", (long long)j->step[first]);
	else if (is_one_stretch && first == 0) {
		str_adds(b, ", in ");
		put_until(b, w, last + 1);
	} else if ((double)n < always * (double)steps)
		str_addf(b, ", in %zu of %zu steps", n, steps);
}
