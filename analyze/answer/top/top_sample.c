/*
 * Durations of the rows `top` shows, and their quantiles, on several threads: one pass for each
 * table, then the shown groups one by one.
 */
#include "analyze/answer/top/top_task.h"
#include "analyze/answer/top/top_rank.h"
#include "base/parallel.h"

static void sample_job(void *ctx, size_t i)
{
	struct top *t = ctx;

	if (i == 0 && t->ops_shown)
		top_ops_sample(t, &t->ops_shown->samples);
	if (i == 1 && t->device_shown)
		top_device_sample(t, &t->device_shown->samples);
}

static void quantile_job(void *ctx, size_t i)
{
	struct top *t = ctx;
	size_t nops = t->ops_shown ? t->ops_shown->samples.n : 0;
	struct top_shown *s = i < nops ? t->ops_shown : t->device_shown;

	top_samples_take(&s->samples, i < nops ? i + 1 : i - nops + 1, !t->at->q->for_people);
}

void top_sample(struct top *t)
{
	size_t n = (t->ops_shown ? t->ops_shown->samples.n : 0) +
		(t->device_shown ? t->device_shown->samples.n : 0);

	if (t->at->q->no_quantiles)
		return;
	parallel_run(2, top_threads(t), sample_job, t);
	parallel_run(n, top_threads(t), quantile_job, t);
}

void top_sample_clear(struct top *t)
{
	if (t->ops_shown)
		top_samples_clear(&t->ops_shown->samples);
	if (t->device_shown)
		top_samples_clear(&t->device_shown->samples);
}
