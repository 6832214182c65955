/*
 * What the sections of documents share: the words of their asks, findings, figures as text.
 */
#include "report/page/section/section.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/unit.h"
#include "report/documents/document.h"

const char ask_info[] = "info", ask_summary[] = "summary", ask_diagnose[] = "diagnose",
	   ask_kernels[] = "kernels --limit=15", ask_top[] = "top --limit=10 --memory",
	   ask_idle[] = "idle --streams --limit=15", ask_copies[] = "copies", ask_comms[] = "comms",
	   ask_memory[] = "memory --points=4000", ask_metrics[] = "metrics", ask_smi[] = "smi",
	   ask_check[] = "check", ask_stacks[] = "stacks --source=samples --limit=10";

void section_put_tables(
	const struct answers *in, struct page *d, const struct section_table *t, size_t n)
{
	size_t i;

	for (i = 0; i < n && t[i].id; i++)
		page_pick_table(d, answers_rows(in, t[i].ask, t[i].id), &t[i].picks);
}

/* Whether the section has something to say with its tables. */
static bool has_tables(const struct section *s, const struct answers *in)
{
	size_t i;

	for (i = 0; i < SECTION_TABLES_MAX && s->table[i].id; i++) {
		if (answers_rows(in, s->table[i].ask, s->table[i].id))
			return true;
		if (!s->is_any)
			return false;
	}
	return false;
}

void section_write(const struct section *s, const struct answers *in, struct page *d)
{
	if (s->heading && !has_tables(s, in))
		return;
	if (s->heading)
		page_heading(d, s->heading);
	section_put_tables(in, d, s->table, SECTION_TABLES_MAX);
	if (s->write)
		s->write(in, d);
}

enum page_tone section_tone(struct span word)
{
	static const struct {
		const char *word;
		enum page_tone tone;
	} tones[] = { { "CRIT", TONE_BAD }, { "regression", TONE_BAD }, { "WARN", TONE_WARN },
		{ "improvement", TONE_GOOD }, { "unknown", TONE_UNKNOWN },
		{ "cannot", TONE_UNKNOWN } };
	size_t i;

	for (i = 0; i < COUNT_OF(tones); i++)
		if (span_has(word, tones[i].word))
			return tones[i].tone;
	return TONE_NONE;
}

bool section_finding(
	const struct answers *in, const char *rule, const struct table **t, size_t *row)
{
	*t = answers_table(in, ask_diagnose, "findings", 0);
	return table_find_word(*t, "rule", span_of(rule), row);
}

static const char *in_unit(struct page *d, double v, void (*unit)(struct str *b, double v))
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
	return in_unit(d, ratio, unit_put_percent);
}

const char *section_time(struct page *d, double ns)
{
	return in_unit(d, ns, unit_put_time);
}

const char *section_bytes(struct page *d, double bytes)
{
	return in_unit(d, bytes, unit_put_bytes);
}

const char *section_word(struct page *d, const struct table *t, size_t row, const char *key)
{
	struct span s = table_word(t, row, key);

	return arena_copy(&d->mem, s.p, s.n);
}

void section_fact(struct page *d, const struct table *t, const char *key, const char *title)
{
	const char *text = t ? section_word(d, t, 0, key) : "";

	if (*text)
		page_fact(d, title, "%s", text);
}

/* ---- styles ---- */

static const struct style style_run = {
	.name = "run",
	.title = "Run report",
	.summary = "one page about a run: the verdict, where the time goes, metrics, what to do",
	.section = { &section_overview, &section_ranks, &section_ledger, &section_findings,
		&section_bottlenecks, &section_critical, &section_profiler, &section_work,
		&section_roofline, &section_sampled, &section_waiting, &section_transfers,
		&section_memory, &section_metrics, &section_scores, &section_gpus, &section_batch,
		&section_opportunities, &section_missing },
	.document = document_run,
	.document_ask = { DOCUMENT_RUN_ASKS },
};

static const struct style style_week1 = {
	.name = "week1",
	.title = "Week 1: baseline profiling summary",
	.summary =
		"a results folder: model, batch sizes, bottlenecks, its logs, questions, targets",
	.section = { &section_overview, &section_model, &section_data, &section_performance,
		&section_batch, &section_bottlenecks, &section_work, &section_metrics,
		&section_sampled, &section_memory, &section_gpus, &section_opportunities,
		&section_questions, &section_targets, &section_expected, &section_checklist,
		&section_open, &section_missing },
	.document = document_week1,
	.document_ask = { DOCUMENT_WEEK1_ASKS },
};

static const struct style style_diff = {
	.name = "diff",
	.title = "What changed",
	.summary = "two runs: the verdict, where the change is, what is not the same",
	.section = { &section_verdict, &section_change, &section_figures, &section_differences },
};

static const struct style style_nightly = {
	.name = "nightly",
	.title = "Nightly runs",
	.summary = "a history: is the newest run off, and when did levels change",
	.section = { &section_tonight, &section_newest, &section_levels },
};

#define X(name) &style_##name,
static const struct style *const styles[] = { STYLES(X) };
#undef X

const struct style *style_find(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT_OF(styles); i++)
		if (strcmp(styles[i]->name, name) == 0)
			return styles[i];
	return NULL;
}
