/* `diagnose`: what the files beside a trace say, or those of a run that has none: a table
 * of what rules found in them. */
#include "analyze/answer/diagnose/diagnose.h"

#include "analyze/trace/run.h"

enum { FINDINGS_MOST = 200 };

static const struct finding_columns columns = { RECORDED_SEVERITY, RECORDED_RULE, RECORDED_NAME,
	RECORDED_TEXT, RECORDED_ACTION };

/* People read the advice below what it is for. */
static void put_finding(const struct perrun *at, struct table *t, const struct finding *f)
{
	const struct record *r = at->run->record;
	const char *file = f->artifact >= 0 && (size_t)f->artifact < r->nartifact
		? run_below(at->run, r->artifact[f->artifact].path)
		: "";

	finding_put(t, &columns, f);
	TABLE_CELLS(t, [RECORDED_VALUE] = cell_real(f->value),
		[RECORDED_SHARE] = cell_real(f->saves), [RECORDED_FILE] = cell_name(span_of(file)));
	if (!at->q->for_people)
		return;
	if (finding_action(f))
		finding_put_line(t, &columns, "-> ", finding_action(f));
	if (*file && r->is_folder)
		finding_put_line(t, &columns, "in ", file);
}

/* Beside a trace what is well is one row. */
void diagnose_put_recorded(const struct perrun *at, const struct look *k)
{
	const struct diagnose *d = at->ctx;
	struct table *t = perrun_table(at, &diagnose_docs[DIAGNOSE_RECORDED]);
	bool is_brief = (k->profile || at->run->kept) && at->q->for_people;

	if (k->profile || at->run->kept)
		t->title = "What other files of the run say";
	for (EACH(const struct finding, finding, k->v, k->n))
		if (finding->severity >= d->min && (!is_brief || finding->severity != SEVERITY_OK))
			put_finding(at, t, finding);
	if (is_brief && d->min == SEVERITY_OK)
		findings_put_rest(k, t, &columns, SEVERITY_OK);
	t->ncut = k->left_out;
}

static void say_no_trace(const struct perrun *at, const struct record *r)
{
	result_note(at->out, NOTE_INFO, "no_trace", at->input, -1,
		"no trace: these are checks of what %s; where time goes inside a step is unknown",
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

/* The row of a table of findings of logs: what is worse than a note. */
static void add_log(struct look *k, const struct table *t, size_t i)
{
	struct span id = table_word(t, i, "rule"), key = table_word(t, i, "key");
	struct span text = table_word(t, i, "text"), word = table_word(t, i, "severity");
	const struct rule *rule = rules_find(READS_SERIES, id.p, id.n);
	enum severity s = span_is(word, "CRIT") ? SEVERITY_CRIT : SEVERITY_WARN;

	if (!rule || !span_in(word, "CRIT|WARN"))
		return;
	k->rule = rule;
	look_found(
		k, s, -1, "%.*s%s%.*s", (int)key.n, key.p, key.n ? ": " : "", (int)text.n, text.p)
		->action =
		arena_copy(k->mem, table_word(t, i, "action").p, table_word(t, i, "action").n);
}

/* What `metrics` finds in the logs of the run, asked with no option. */
static void add_logs(struct perrun *at, struct look *k)
{
	const struct analysis *logs = at->q->logs;
	struct query q = { .run = &at->run,
		.nrun = 1,
		.filter = at->q->filter,
		.settings = at->q->settings,
		.threads = 1 };
	const struct table *t;
	struct result r;
	int exit_code;
	struct err e;

	if (!logs || k->record->nseries == 0)
		return;
	err_clear(&e);
	result_init(&r, "");
	(void)result_input(&r, at->run->path);
	q.opts = analysis_options(logs, "", k->mem);
	if (analysis_answer(logs, &q, &r, &exit_code, &e) == OK &&
		(t = result_find(&r, "findings", 0)) != NULL)
		for (size_t i = 0; i < t->nrow; i++)
			add_log(k, t, i);
	result_clear(&r);
}

bool diagnose_recorded(struct perrun *at, const struct profile *p, struct look *k)
{
	struct diagnose *d = at->ctx;

	*k = (struct look){ .command = "diagnose",
		.settings = &d->settings,
		.run = at->run,
		.record = at->run->record,
		.profile = p,
		.mem = &at->mem,
		.most = FINDINGS_MOST };
	if (!k->record || !k->record->nartifact)
		return false;
	k->capacity = capacity_of(at);
	look_at(k, READS_RECORD, d->wants);
	if ((p || at->run->kept || k->n > 0) && !d->o->rules)
		add_logs(at, k);
	findings_rank(k);
	for (size_t i = 0; i < k->n; i++)
		d->is_critical |= k->v[i].severity == SEVERITY_CRIT;
	return k->n > 0;
}

void diagnose_beside(struct perrun *at)
{
	struct look k;

	if (diagnose_recorded(at, NULL, &k))
		diagnose_put_recorded(at, &k);
}

enum status diagnose_record(struct perrun *at)
{
	struct look k;

	if (diagnose_recorded(at, NULL, &k)) {
		diagnose_put_recorded(at, &k);
		say_no_trace(at, at->run->record);
		return OK;
	}
	(void)err_set(at->e, E_NODATA, -1,
		"no trace, no table of operations, no stage times and no memory figures in %s",
		at->run->path);
	return record_hint(at->run->record, false, at->e);
}
