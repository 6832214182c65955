/*
 * Styles of documents, and what their sections share.
 */
#include "report/section_week1.h"

#include <math.h>
#include <string.h>

#include "base/unit.h"

const char ask_info[] = "info", ask_summary[] = "summary", ask_diagnose[] = "diagnose",
	   ask_kernels[] = "kernels --limit=15", ask_top[] = "top --limit=10 --memory",
	   ask_idle[] = "idle --streams --limit=15", ask_copies[] = "copies", ask_comms[] = "comms",
	   ask_memory[] = "memory --points=4000";

const struct style style_run = {
	.name = "run",
	.title = "Run report",
	.summary = "one page about any trace: the verdict, where the time goes, what to do",
	.section = { &section_overview, &section_ledger, &section_findings, &section_bottlenecks,
		&section_work, &section_waiting, &section_transfers, &section_memory,
		&section_opportunities, &section_missing },
};

const struct style style_week1 = {
	.name = "week1",
	.title = "Week 1: baseline profiling summary",
	.summary = "a results folder: model, batch sizes, bottlenecks, questions, targets",
	.section = { &section_model, &section_data, &section_performance, &section_batch,
		&section_bottlenecks, &section_work, &section_memory, &section_opportunities,
		&section_questions, &section_targets, &section_open, &section_missing },
	.seed = week1_seed,
	.seed_ask = { ask_info, ask_batch },
};

const struct style style_diff = {
	.name = "diff",
	.title = "What changed",
	.summary = "two runs: the verdict, where the change is, what is not the same",
	.section = { &section_verdict, &section_change, &section_figures, &section_differences },
};

#define X(name) &style_##name,
static const struct style *const styles[] = { STYLES(X) };
#undef X

const struct style *const *style_all(size_t *n)
{
	*n = COUNT_OF(styles);
	return styles;
}

const struct style *style_find(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT_OF(styles); i++)
		if (strcmp(styles[i]->name, name) == 0)
			return styles[i];
	return NULL;
}

bool section_finding(
	const struct answers *in, const char *rule, const struct table **t, size_t *row)
{
	*t = answers_table(in, ask_diagnose, "findings", 0);
	for (*row = 0; *row < table_rows(*t); ++*row)
		if (span_is(table_word(*t, *row, "rule"), rule))
			return true;
	return false;
}

static const char *put(struct page *d, double v, void (*unit)(struct str *b, double v))
{
	struct str b = { 0 };
	const char *text;

	if (isnan(v))
		return "-";
	unit(&b, v);
	text = arena_copy(&d->mem, b.s, b.n);
	str_free(&b);
	return text;
}

const char *section_percent(struct page *d, double ratio)
{
	return put(d, ratio, unit_put_percent);
}

const char *section_time(struct page *d, double ns)
{
	return put(d, ns, unit_put_time);
}

const char *section_bytes(struct page *d, double bytes)
{
	return put(d, bytes, unit_put_bytes);
}

const char *section_word(struct page *d, const struct table *t, size_t row, const char *key)
{
	struct span s = table_word(t, row, key);

	return arena_copy(&d->mem, s.p ? s.p : "", s.n);
}
