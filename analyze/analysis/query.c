/* The runs of a query: loaded all of them, or one after the other as an analysis asks for them. */
#include "analyze/analysis/analysis.h"

#include "analyze/trace/filter.h"
#include "base/setting.h"

static const struct setting settings[] = {
	{ "comm", SETTING_TEXT, "", NULL,
		"kernels whose names match (PCRE2) are collectives, beside those that are known; as "
		"--comm" },
};

const struct setting *query_setting(size_t i)
{
	return i < COUNT_OF(settings) ? &settings[i] : NULL;
}

bool analysis_is_set(const struct analysis *a)
{
	return a->options.setting || !(a->options.ignores & FILTER_COMM);
}

enum status query_open(const struct query *q, size_t i, const struct run **run, struct err *e)
{
	if (q->source)
		return q->source->open(q->source->ctx, i, run, e);
	*run = q->run[i];
	return OK;
}

void query_close(const struct query *q, size_t i)
{
	if (q->source)
		q->source->close(q->source->ctx, i);
}
