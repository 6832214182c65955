/*
 * `diagnose`: one run's answer as tables.
 */
#include <math.h>
#include <string.h>

#include "analyze/answer/diagnose/diagnose.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"
#include "base/str.h"

enum { BAR_COLUMNS = 40, SCREEN_COLUMNS = 80, GAP_COLUMNS = 2 };

/*
 * The finding that gives the verdict, above a note; NULL: there is none.  The first one; but where
 * that says only how much is lost, a cause that explains half of it.
 */
static const struct finding *worst_of(const struct diagnosis *g)
{
	const struct finding *first = &g->finding[0];
	size_t i;

	if (g->n == 0 || first->severity < SEVERITY_WARN)
		return NULL;
	for (i = 1; first->rule->is_symptom && i < g->n; i++) {
		const struct finding *f = &g->finding[i];

		if (f->severity >= SEVERITY_WARN && !f->rule->is_symptom &&
			f->share >= first->share / 2)
			return f;
	}
	return first;
}

/* The word for the run: the worst finding's, "healthy", "no-device", ... */
static const char *word_of(const struct diagnosis *g)
{
	const struct finding *worst = worst_of(g);

	if (worst)
		return worst->verdict ? worst->verdict : worst->rule->verdict;
	if (!g->profile.has_device)
		return g->profile.has_host ? "no-device" : "empty";
	return g->profile.has_host ? "healthy" : "device-only";
}

/* Scratch texts live as long as the run's scratch; a result's must live longer. */
static struct span keep(const struct diagnosis *g, const char *text)
{
	size_t n = strlen(text);

	return (struct span){ arena_copy(&g->at->out->mem, text, n), n };
}

static void put_verdict(const struct diagnosis *g)
{
	struct table *t = perrun_table(g->at, &diagnose_docs[DIAGNOSE_VERDICT]);
	const struct finding *worst = worst_of(g);
	const struct profile *x = &g->profile;
	int64_t count[SEVERITY_COUNT] = { 0 };
	size_t i;

	for (i = 0; i < g->n; i++)
		count[g->finding[i].severity]++;
	t->title = NULL;
	t->layout = TABLE_LIST;
	table_row(t);
	table_text(t, DIAG_VERDICT, span_of(word_of(g)));
	if (worst) {
		table_text(t, DIAG_RULE, span_of(worst->rule->word.id));
		table_text(t, DIAG_WHY, keep(g, worst->text));
		table_real(t, DIAG_SHARE, worst->share);
	}
	if (x->has_steps)
		table_int(t, DIAG_STEPS, (int64_t)x->nstep);
	table_real(t, DIAG_STEP, rules_per_step(x, (double)x->step_ns));
	if (x->has_device) {
		table_int(t, DIAG_DEVICE, x->ledgers.device[x->main].id);
		table_real(t, DIAG_BUSY, rules_share(x, x->ledger.busy));
	}
	table_int(t, DIAG_CRIT, count[SEVERITY_CRIT]);
	table_int(t, DIAG_WARN, count[SEVERITY_WARN]);
	table_int(t, DIAG_NOTE, count[SEVERITY_NOTE]);
	table_int(t, DIAG_UNKNOWN, count[SEVERITY_UNKNOWN]);
	table_int(t, DIAG_OK, count[SEVERITY_OK]);
	if (g->at->q->for_people)
		table_drop_empty(t);
}

static void put_part(const struct diagnosis *g, struct table *t, const char *what, nsec ns)
{
	static const char bar[] = "########################################";
	double share = rules_share(&g->profile, ns);

	table_row(t);
	table_text(t, LEDGER_WHAT, span_of(what));
	if (g->at->q->for_people && share >= 0 && ns < g->profile.ledger.total)
		table_text(t, LEDGER_BAR,
			(struct span){ bar, (size_t)llround(fmin(share, 1) * BAR_COLUMNS) });
	table_real(t, LEDGER_PER_STEP, rules_per_step(&g->profile, (double)ns));
	table_real(t, LEDGER_SHARE, share);
	table_int(t, LEDGER_NS, ns);
}

static void put_ledger(const struct diagnosis *g)
{
	const struct ledger *l = &g->profile.ledger;
	struct table *t;

	if (!g->profile.has_device)
		return;
	t = perrun_table(g->at, &diagnose_docs[DIAGNOSE_LEDGER]);
	t->title = NULL;
	put_part(g, t, "compute", l->compute);
	put_part(g, t, "exposed comm", l->exposed_comm);
	put_part(g, t, "memcpy", l->exposed_memcpy);
	put_part(g, t, "GPU idle", l->idle);
	put_part(g, t, g->profile.has_steps ? "step" : "the whole trace", l->total);
	t->nfoot = 1;
}

/* ---- findings ---- */

/* A line for people in the column of findings. */
static void put_line(struct table *t, const char *p, size_t n, bool is_new_row)
{
	if (is_new_row) {
		table_row(t);
		table_text(t, FIND_SEVERITY, SPAN(""));
		table_text(t, FIND_RULE, SPAN(""));
		table_text(t, FIND_NAME, SPAN(""));
	}
	table_text(t, FIND_TEXT, (struct span){ p, n });
}

/* People see what found nothing in one row behind the others. */
static bool is_shown(const struct diagnosis *g, const struct finding *f)
{
	return f->severity >= g->d->min && (f->severity > SEVERITY_OK || !g->at->q->for_people);
}

static size_t wider(size_t columns, const char *word)
{
	return strlen(word) > columns ? strlen(word) : columns;
}

/* What the columns in front leave of a narrow terminal, where wider lines lose their middle. */
static size_t line_columns(const struct diagnosis *g)
{
	size_t severity = 0, name = strlen("about"), rule = strlen("rule"), i;

	for (i = 0; i < g->n; i++) {
		const struct finding *f = &g->finding[i];

		if (!is_shown(g, f))
			continue;
		severity = wider(severity, severity_word(f->severity));
		rule = wider(rule, f->rule->word.id);
		name = wider(name, f->rule->word.text);
	}
	severity = wider(severity, severity_word(SEVERITY_OK));
	return SCREEN_COLUMNS - (severity + rule + name + 3 * (size_t)GAP_COLUMNS);
}

/* The text in lines that fit, cut at blanks; the first in the row there is. */
static void put_wrapped(const struct diagnosis *g, struct table *t, const char *start,
	const char *text, bool is_first)
{
	char *all = arena_printf(&g->at->out->mem, "%s%s", start, text), *p = all;
	size_t most = line_columns(g);

	while (*p) {
		size_t n = strlen(p), cut = n;

		if (n > most)
			for (cut = most; cut > 0 && p[cut] != ' '; cut--)
				;
		if (cut == 0)
			cut = most;
		put_line(t, p, cut, !is_first || p != all);
		p += cut;
		while (*p == ' ')
			p++;
	}
}

static void put_value(struct table *t, const struct finding *f)
{
	switch (f->unit) {
	case UNIT_NS: table_real(t, FIND_VALUE_NS, f->value); break;
	case UNIT_RATIO: table_real(t, FIND_VALUE_RATIO, f->value); break;
	case UNIT_BYTES: table_real(t, FIND_VALUE_BYTES, f->value); break;
	default: table_real(t, FIND_VALUE, f->value); break;
	}
}

static void put_example(const struct diagnosis *g, struct table *t, const struct finding *f)
{
	const struct run *r = g->at->run;
	int64_t step;

	if (f->name)
		table_text(t, FIND_OP, strings_get(&r->strings, f->name));
	if (f->row == NO_ROW)
		return;
	table_int(t, FIND_AT, r->events.start[f->row]);
	table_int(t, FIND_DUR, r->events.dur[f->row]);
	if (steps_number_at(r->steps, r->events.start[f->row], &step))
		table_int(t, FIND_STEP, step);
}

static void put_finding(const struct diagnosis *g, struct table *t, const struct finding *f)
{
	bool is_found = f->severity >= SEVERITY_NOTE;

	table_row(t);
	table_text(t, FIND_SEVERITY, span_of(severity_word(f->severity)));
	table_text(t, FIND_RULE, span_of(f->rule->word.id));
	table_text(t, FIND_NAME, span_of(f->rule->word.text));
	table_text(t, FIND_VERDICT, span_of(f->verdict ? f->verdict : f->rule->verdict));
	table_real(t, FIND_SHARE, f->share);
	put_value(t, f);
	if (f->count >= 0)
		table_int(t, FIND_COUNT, f->count);
	put_example(g, t, f);
	if (f->evidence)
		table_text(t, FIND_EVIDENCE, keep(g, f->evidence));
	if (f->action && is_found)
		table_text(t, FIND_ACTION, keep(g, f->action));
	if (!g->at->q->for_people) {
		table_text(t, FIND_TEXT, keep(g, f->text));
		return;
	}
	put_wrapped(g, t, "", f->text, true);
	if (f->evidence && is_found)
		put_wrapped(g, t, "", f->evidence, false);
	if (f->action && is_found)
		put_wrapped(g, t, "-> ", f->action, false);
}

/* People see the rules that found nothing in one row. */
static void put_fine(const struct diagnosis *g, struct table *t)
{
	const char *list = "";
	size_t i;

	for (i = 0; i < g->n; i++)
		if (g->finding[i].severity == SEVERITY_OK)
			list = rules_text(&g->profile, "%s%s%s", list, *list ? " " : "",
				g->finding[i].rule->word.id);
	if (!*list)
		return;
	table_row(t);
	table_text(t, FIND_SEVERITY, span_of(severity_word(SEVERITY_OK)));
	table_text(t, FIND_RULE, SPAN(""));
	table_text(t, FIND_NAME, SPAN(""));
	put_wrapped(g, t, "", list, true);
}

static void put_findings(const struct diagnosis *g)
{
	bool has_fine = g->at->q->for_people && g->d->min == SEVERITY_OK;
	struct table *t;
	size_t i, n = 0;

	for (i = 0; i < g->n; i++)
		n += is_shown(g, &g->finding[i]);
	if (n == 0 && g->at->q->for_people && !has_fine)
		return;
	t = perrun_table(g->at, &diagnose_docs[DIAGNOSE_FINDINGS]);
	t->title = NULL;
	for (i = 0; i < g->n; i++)
		if (is_shown(g, &g->finding[i]))
			put_finding(g, t, &g->finding[i]);
	if (!has_fine)
		return;
	put_fine(g, t);
	t->footnote =
		"'traceq explain G03' explains a rule; 'traceq config diagnose' has the limits";
}

void diagnose_put(const struct diagnosis *g)
{
	put_verdict(g);
	put_ledger(g);
	put_findings(g);
}
