/*
 * `diagnose`: what the files beside a trace say, or those of a run that has none: which rules, in
 * what order, as a table.
 */
#include "analyze/answer/diagnose/diagnose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answer/diagnose/recorded.h"
#include "analyze/trace/run.h"
#include "base/compare3.h"

/* ---- the order ---- */

/* What is found comes first; then what nobody knows, then what is well. */
static int group_of(const struct recorded_finding *f)
{
	if (f->severity == SEVERITY_OK)
		return 3;
	if (f->severity == SEVERITY_UNKNOWN)
		return 2;
	return isnan(f->cost) && f->severity == SEVERITY_CRIT ? 0 : 1;
}

/* What costs most comes first; what costs no time behind it, worse before better. */
static int by_cost(const void *pa, const void *pb)
{
	const struct recorded_finding *a = pa, *b = pb;
	double x = isnan(a->cost) ? -1 : a->cost, y = isnan(b->cost) ? -1 : b->cost;
	int m = group_of(a), n = group_of(b);

	if (m != n)
		return compare3(m, n);
	if (x != y && m < 2)
		return x > y ? -1 : 1;
	if (a->severity != b->severity)
		return compare3(b->severity, a->severity);
	m = strcmp(a->rule->word.id, b->rule->word.id);
	if (m == 0)
		m = a->artifact - b->artifact;
	return m ? m : strcmp(a->text, b->text);
}

/* ---- the table ---- */

static void put_line(struct table *t, const char *start, const char *text)
{
	table_row(t);
	table_text(t, RECORDED_SEVERITY, SPAN(""));
	table_text(t, RECORDED_RULE, SPAN(""));
	table_text(t, RECORDED_NAME, SPAN(""));
	table_textf(t, RECORDED_TEXT, "%s%s", start, text);
}

/* People read the advice below what it is for. */
static void put_finding(const struct perrun *at, struct table *t, const struct recorded_finding *f)
{
	const struct record *r = at->run->record;
	const char *file = f->artifact >= 0 && (size_t)f->artifact < r->nartifact
		? run_below(at->run, r->artifact[f->artifact].path)
		: "";

	table_row(t);
	table_text(t, RECORDED_SEVERITY, span_of(severity_word(f->severity)));
	table_text(t, RECORDED_RULE, span_of(f->rule->word.id));
	table_text(t, RECORDED_NAME, span_of(f->rule->word.text));
	table_text(t, RECORDED_TEXT, span_of(f->text));
	table_real(t, RECORDED_VALUE, f->value);
	table_real(t, RECORDED_SHARE, f->cost);
	if (*file)
		table_text(t, RECORDED_FILE, span_of(file));
	if (f->action)
		table_text(t, RECORDED_ACTION, span_of(f->action));
	if (!at->q->for_people)
		return;
	if (f->action)
		put_line(t, "-> ", f->action);
	if (*file && r->is_folder)
		put_line(t, "in ", file);
}

/* Beside a trace what is well is one row. */
static void put_rest(struct table *t, const struct recorded *k, struct arena *mem)
{
	const char *list = "";
	size_t i;

	for (i = 0; i < k->n; i++)
		if (k->v[i].severity == SEVERITY_OK && !strstr(list, k->v[i].rule->word.id))
			list = arena_printf(mem, "%s%s%s (%s)", list, *list ? ", " : "",
				k->v[i].rule->word.text, k->v[i].rule->word.id);
	if (!*list)
		return;
	table_row(t);
	table_text(t, RECORDED_SEVERITY, span_of(severity_word(SEVERITY_OK)));
	table_text(t, RECORDED_RULE, SPAN(""));
	table_text(t, RECORDED_NAME, SPAN(""));
	table_text(t, RECORDED_TEXT, span_of(list));
}

static void put_table(const struct perrun *at, const struct recorded *k)
{
	const struct diagnose *d = at->ctx;
	struct table *t = perrun_table(at, &diagnose_docs[DIAGNOSE_RECORDED]);
	bool is_brief = k->in.profile && at->q->for_people;
	size_t i;

	if (k->in.profile)
		t->title = "What other files of the run say";
	for (i = 0; i < k->n; i++)
		if (k->v[i].severity >= d->min && (!is_brief || k->v[i].severity != SEVERITY_OK))
			put_finding(at, t, &k->v[i]);
	if (is_brief && d->min == SEVERITY_OK)
		put_rest(t, k, t->mem);
	t->ncut = k->left_out;
}

static void say_no_trace(const struct perrun *at, const struct record *r)
{
	result_note(at->out, NOTE_INFO, "no_trace", at->input, -1,
		"no trace: the documents' rules on what %s; where time goes inside a step is "
		"unknown",
		r->nartifact == 1 ? arena_printf(&at->out->mem, "%s says", r->artifact[0].title)
				  : "the run's other files say");
}

/* The memory of the device: --capacity, the trace's, what a file says of its GPU; NaN. */
static double capacity_of(const struct perrun *at)
{
	const struct diagnose *d = at->ctx;
	const struct meta *m = &at->run->meta;
	const struct sheet *s = record_find_sheet(at->run->record, SHEET_GPUS);

	if (d->capacity > 0)
		return (double)d->capacity;
	if (m->ngpu && m->gpu[0].memory_bytes > 0)
		return (double)m->gpu[0].memory_bytes;
	return s && s->table.nrow ? table_number_at(&s->table, 0, GPUS_MEMORY_BYTES) : NAN;
}

bool diagnose_recorded(struct perrun *at, const struct profile *p)
{
	const struct diagnose *d = at->ctx;
	struct recorded k = { .r = at->run->record,
		.run = at->run,
		.in = { p, &d->settings, d->capacity },
		.mem = &at->out->mem,
		.scratch = &at->mem };
	size_t i;

	if (!k.r || !k.r->nartifact)
		return false;
	k.capacity = capacity_of(at);
	k.v = arena_array(k.scratch, RECORDED_MAX + 1, sizeof(*k.v));
	for (i = 0; (k.rule = recorded_rule(i)); i++)
		if (diagnose_wants(d, k.rule->word.id))
			k.rule->check(&k);
	if (k.n == 0)
		return false;
	qsort(k.v, k.n, sizeof(*k.v), by_cost);
	put_table(at, &k);
	return true;
}

enum status diagnose_record(struct perrun *at)
{
	if (diagnose_recorded(at, NULL)) {
		say_no_trace(at, at->run->record);
		return OK;
	}
	(void)err_set(at->e, E_NODATA, -1,
		"no trace, no table of operations, no stage times and no memory figures in %s",
		at->run->path);
	return record_hint(at->run->record, false, at->e);
}
