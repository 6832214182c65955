/* `diagnose`: one run's answer as tables. */
#include "analyze/answer/diagnose/diagnose.h"
#include "analyze/analysis/notes.h"
#include "analyze/measure/gaps/gap_words.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/makers.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/table_row.h"

enum { BAR_COLUMNS = 40 };

/* The finding that explains the verdict; NULL: it needs none, or no rule looks for it. */
static const struct finding *reason_of(const struct diagnosis *g)
{
	const char *word = g->profile.verdict.word;

	return FIND(i, g->look.v, g->look.n,
		g->look.v[i].severity >= SEVERITY_NOTE &&
			strcmp(g->look.v[i].rule->verdict, word) == 0);
}

/* A loss of this share is named beside computing. */
static const double LOSS_MIN = 0.05;

/* "computing for 61.0% of a step, matmul 40.1% of that; exposed communication 18.8%" */
static const char *computing_text(const struct diagnosis *g)
{
	const struct profile *x = &g->profile;
	const struct verdict *v = &x->verdict;
	const char *text = arena_printf(x->mem, "computing for %s of %s",
		unit_percent(x->mem, v->share), x->has_steps ? "a step" : "the run");

	if (!isnan(v->family_share))
		text = arena_printf(x->mem, "%s, %s %s of that", text, family_word(v->family),
			unit_percent(x->mem, v->family_share));
	if (x->top_roof)
		text = arena_printf(x->mem, "%s; %s", text, x->top_roof);
	if (v->second_share >= LOSS_MIN && v->second_part != v->part)
		text = arena_printf(x->mem, "%s; %s %s", text, part_word(v->second_part),
			unit_percent(x->mem, v->second_share));
	return text;
}

static const char *host_text(const struct profile *x)
{
	const struct profile_name *top = &x->host.top;

	int64_t launches = links_lost_work(x->run);
	const char *text = "no GPU work is recorded";

	if (launches > 0)
		text = arena_printf(x->mem,
			"%" PRId64 " call%s to launch GPU work, and none of it is recorded",
			launches, plural_s(launches));
	if (!top->name || x->step_ns <= 0)
		return text;
	return arena_printf(x->mem, "%s; on the CPU %s runs for %s of %s", text,
		rules_name(x, top->name), unit_percent(x->mem, rules_share(x, top->sum.ns)),
		x->has_steps ? "a step" : "the run");
}

/* What there is in a trace of which nobody knows what its slices are. */
static const char *stranger_text(const struct profile *x)
{
	const struct profile_name *top = &x->host.top;
	const struct run *r = x->run;
	const struct cat_count *most = NULL;
	const char *text = "none of its slices is of a kind that traceq knows";

	for (EACH(const struct cat_count, c, r->cat, r->ncat))
		if (c->cat && (!most || c->count > most->count))
			most = c;
	if (most) {
		struct span cat = strings_get(&r->strings, most->cat);

		text = arena_printf(x->mem, "%s, most are '%.*s'", text, (int)cat.n, cat.p);
	}
	if (!top->name || x->step_ns <= 0)
		return text;
	return arena_printf(x->mem, "%s; %s runs for %s of the run", text, rules_name(x, top->name),
		unit_percent(x->mem, rules_share(x, top->sum.ns)));
}

/* Why the run is called so, in words. */
static const char *why(const struct diagnosis *g)
{
	const struct finding *reason = reason_of(g);
	const struct profile *x = &g->profile;

	if (x->verdict.is_odd)
		return step_kinds_text(&x->window.kinds, x->run, &x->window.stat, x->mem);
	if (reason)
		return reason->text;
	if (x->verdict.is_unjudged && !producers_know(x->run))
		return stranger_text(x);
	if (!x->has_device)
		return x->run->is_complete
			? host_text(x)
			: "the file ends early, before any GPU work: record it again, or see "
			  "'traceq check'";
	if (x->verdict.part == PART_OF_COMPUTE)
		return computing_text(g);
	return arena_printf(x->mem, "%s for %s of %s%s", part_word(x->verdict.part),
		unit_percent(x->mem, x->verdict.share), x->has_steps ? "a step" : "the run",
		x->verdict.part == PART_OF_STARTUP ? ": profile after the warm-up" : "");
}

/* What saves most, and what was found. */
static const char *because(const struct diagnosis *g)
{
	const struct verdict *v = &g->profile.verdict;

	if (!v->change)
		return why(g);
	return arena_printf(g->profile.mem, "%s saves %s; %s", v->change,
		unit_percent(g->profile.mem, v->saves), why(g));
}

static void count_findings(const struct diagnosis *g, struct table *t)
{
	int64_t count[SEVERITY_COUNT] = { 0 };

	for (size_t i = 0; i < g->look.n; i++)
		count[g->look.v[i].severity]++;
	TABLE_CELLS(t, [DIAG_CRIT] = cell_int(count[SEVERITY_CRIT]),
		[DIAG_WARN] = cell_int(count[SEVERITY_WARN]),
		[DIAG_NOTE] = cell_int(count[SEVERITY_NOTE]),
		[DIAG_UNKNOWN] = cell_int(count[SEVERITY_UNKNOWN]),
		[DIAG_OK] = cell_int(count[SEVERITY_OK]));
}

/* "2 of 12, not counted: checkpoint every 5 steps, from #4"; NULL: none is odd. */
static const char *odd_text(const struct profile *x, struct arena *mem)
{
	const struct step_kinds *k = &x->window.kinds;
	const char *text = step_kinds_text(k, x->run, &x->window.stat, x->mem);
	bool is_before = ANY(i, k->n, k->v[i].before > 0);

	if (!text || x->window.stat.outliers == 0)
		return text;
	return arena_printf(mem, "%zu of %zu, not counted: %s%s", x->window.stat.outliers,
		x->window.stat.n, is_before ? "those before; " : "", text);
}

static void put_verdict(const struct diagnosis *g)
{
	struct table *t = perrun_table(g->at, &diagnose_docs[DIAGNOSE_VERDICT]);
	const struct finding *reason = reason_of(g);
	const struct profile *x = &g->profile;
	const struct verdict *v = &x->verdict;

	t->title = NULL;
	t->layout = TABLE_LIST;
	TABLE_ROW(t, [DIAG_VERDICT] = cell_word(v->word), [DIAG_SECOND] = cell_word(v->second),
		[DIAG_RULE] = CELL_IF(reason, cell_word(reason->rule->word.id)),
		[DIAG_WHY] = cell_copy(t, span_of(because(g))),
		[DIAG_CHANGE] = CELL_IF(v->change, cell_copy(t, span_of(v->change))),
		[DIAG_SAVES] = CELL_IF(v->change, cell_real(v->saves)),
		[DIAG_DOUBT] = cell_word(v->doubt),
		[DIAG_SHARE] =
			cell_real(x->has_device ? v->share : rules_share(x, x->host.top.sum.ns)),
		[DIAG_SECOND_SHARE] = CELL_IF(v->second, cell_real(v->second_share)),
		[DIAG_STEPS] = CELL_IF(x->has_steps, cell_size(x->nstep)),
		[DIAG_ODD] = CELL_IF(x->has_steps, cell_word(odd_text(x, t->mem))),
		[DIAG_STEP] = cell_real(
			rules_per_step(x, (double)(x->has_steps ? x->window.ns : x->step_ns))),
		[DIAG_DOCUMENTS_CPU] = cell_int(x->host.cpu_total),
		[DIAG_DOCUMENTS_CUDA] = cell_int(rules_documents_cuda(x)),
		[DIAG_DOCUMENTS_TOP] = cell_int(x->device.top10),
		[DIAG_DOCUMENTS_COPIES] = cell_int(x->device.top10_copies));
	if (x->has_device)
		TABLE_CELLS(t,
			[DIAG_DEVICE] = CELL_IF(!g->at->q->for_people || x->window.ndevice > 1,
				cell_int(x->account.id)),
			[DIAG_BUSY] = cell_real(account_busy(&x->account)),
			[DIAG_RUN] = cell_word(verdict_run_text(&x->window, v->device, t->mem)),
			[DIAG_IDLE] = cell_real(1 - account_busy(&x->account)));
	count_findings(g, t);
	if (g->at->q->for_people)
		table_drop_empty(t);
}

static void put_part(const struct diagnosis *g, struct table *t, const char *what, nsec ns)
{
	static const char bar[] = "########################################";
	double share = rules_share(&g->profile, ns);

	if (ns == 0 && g->at->q->for_people)
		return;
	TABLE_ROW(t, [LEDGER_WHAT] = cell_word(what),
		[LEDGER_BAR] =
			CELL_IF(g->at->q->for_people && share >= 0 && ns < g->profile.account.ns,
				cell_text((struct span){ bar,
					(size_t)saturate_round(fmin(share, 1) * BAR_COLUMNS) })),
		[LEDGER_PER_STEP] = cell_real(rules_per_step(&g->profile, (double)ns)),
		[LEDGER_SHARE] = cell_real(share), [LEDGER_NS] = cell_int(ns));
}

static void put_ledger(const struct diagnosis *g)
{
	const struct account *a = &g->profile.account;

	if (!g->profile.has_device)
		return;
	struct table *t = perrun_table(g->at, &diagnose_docs[DIAGNOSE_LEDGER]);
	t->title = NULL;
	put_part(g, t, "compute", a->ledger.compute);
	put_part(g, t, "exposed comm", a->ledger.exposed_comm);
	put_part(g, t, "exposed copies", a->ledger.exposed_memcpy);
	for (int k = 0; k < GAP_CAUSE_UNRECORDED; k++)
		put_part(g, t,
			arena_printf(
				&g->at->out->mem, "idle: %s", gap_cause_word((enum gap_cause)k)),
			a->wait[k]);
	put_part(g, t,
		a->wait[GAP_CAUSE_UNRECORDED] > 0 ? "all but unrecorded"
			: g->profile.has_steps    ? "step"
						  : "the run",
		a->ns);
	t->nfoot = 1;
}

/* What a share is of, per step: of usual steps less what is unrecorded, or of all steps. */
static double step_of(const struct diagnosis *g, bool is_of_all)
{
	const struct stepstat *all = &g->profile.window.stat;

	return is_of_all ? (double)all->sum / (double)all->n
			 : rules_per_step(&g->profile, (double)g->profile.step_ns);
}

/* Of one rank of a job: the others hold it up in collectives as long as their hosts are as slow. */
static const char *if_all_do(const struct diagnosis *g, const struct judge_doc *doc)
{
	const unsigned host = 1u << PART_OF_DATA | 1u << PART_OF_MALLOC | 1u << PART_OF_HOST |
		1u << PART_OF_LAUNCH | 1u << PART_OF_SYNC;
	bool is_alone = g->at->q->for_people && g->at->q->nrun == 1 &&
		g->profile.run->meta.world_size > 1 &&
		g->profile.judge->depend->work_of[CLASS_COMM] > 0;

	return is_alone && (host >> doc->part & 1) ? ", if all ranks do it" : "";
}

/* Of odd steps what helps against what most of them do; in words of who made the trace. */
static const char *advice_of(const struct diagnosis *g, const struct judge_row *row)
{
	const struct step_kind *worst = g->profile.window.kinds.worst;
	const char *help = row->of == JUDGE_UNEVEN && worst ? gap_words_help(worst->cause) : NULL;

	return maker_words(maker_of(g->at->run), &g->at->mem,
		help ? help : judge_advice(row->of, !producers_torch(g->at->run)));
}

static void put_change(const struct diagnosis *g, struct table *t, const struct judge_row *row)
{
	const struct judge_doc *doc = judge_doc(row->of);
	double saves = (double)row->saves, whole = (double)g->profile.step_ns;
	bool is_of_all = row->of == JUDGE_UNEVEN;
	double share = is_of_all ? g->profile.window.kinds.lost : saves / whole;

	TABLE_ROW(t,
		[CHANGES_SAVES] = cell_real(
			is_of_all ? share * step_of(g, true) : rules_per_step(&g->profile, saves)),
		[CHANGES_SHARE] = cell_real(share),
		[CHANGES_WHAT] = cell_textf(t, "%s%s", row->says, if_all_do(g, doc)),
		[CHANGES_KIND] = cell_word(doc->kind == JUDGE_REMEDY ? "remedy" : "sensitivity"),
		[CHANGES_SCENARIO] = CELL_IF(row->scenario, cell_textf(t, "%s", row->scenario)),
		[CHANGES_EFFORT] = cell_word(effort_word(doc->effort)),
		[CHANGES_VERDICT] = cell_word(part_verdict(judge_part(g->profile.judge, row))),
		[CHANGES_ADVICE] = cell_textf(t, "%s", advice_of(g, row)));
}

/* All that were tried, what saves most first. */
static void put_changes(const struct diagnosis *g)
{
	const struct judge *j = g->profile.judge;
	size_t n = 0;

	if (!j || j->doubt || g->profile.step_ns <= 0)
		return;
	bool all = !g->at->q->for_people;
	const struct judge_row **order = arena_array(&g->at->mem, j->n, sizeof(*order));
	for (size_t i = 0; i < j->n; i++)
		if (all || judge_is_shown(&j->row[i], (double)g->profile.step_ns))
			order[n++] = &j->row[i];
	if (n == 0)
		return;
	judge_sort(order, n);
	struct table *t = perrun_table(g->at, &diagnose_docs[DIAGNOSE_CHANGES]);
	t->title = NULL;
	for (size_t i = 0; i < n; i++)
		put_change(g, t, order[i]);
}

/* Which steps the changes were tried on. */
static void note_typical(const struct diagnosis *g)
{
	const struct window *w = &g->profile.window;
	const struct typical *t = &w->typical;
	const struct step *step = g->profile.run->steps->step;

	result_note(g->at->out, NOTE_INFO, "typical_steps", g->at->input, (int64_t)t->n,
		"what changes would save was found on steps %" PRId64 " to %" PRId64
		", on average like all %zu that count",
		step[w->step[t->first]].number, step[w->step[t->first + t->n - 1]].number,
		w->nstep);
}

/* What of the trace the figures are not about. */
static void put_notes(const struct diagnosis *g)
{
	const struct profile *x = &g->profile;

	notes_add_window(g->at->out, x->run, g->at->input, &x->window);
	if (x->judge && x->judge->depend->is_part)
		note_typical(g);
}

/* ---- findings ---- */

static const struct finding_columns columns = { FIND_SEVERITY, FIND_RULE, FIND_NAME, FIND_TEXT,
	FIND_ACTION };

/* People see what found nothing, and what nobody knows, in a row each behind the others. */
static bool is_shown(const struct diagnosis *g, const struct finding *f)
{
	return f->severity >= g->d->min &&
		(f->severity > SEVERITY_UNKNOWN || !g->at->q->for_people);
}

static size_t value_column(const struct finding *f)
{
	switch (f->unit) {
	case UNIT_NS: return FIND_VALUE_NS;
	case UNIT_RATIO: return FIND_VALUE_RATIO;
	case UNIT_BYTES: return FIND_VALUE_BYTES;
	default: return FIND_VALUE;
	}
}

static void put_example(const struct diagnosis *g, struct table *t, const struct finding *f)
{
	const struct interval place = rules_place(&g->profile, f);
	const struct run *r = g->at->run;
	int64_t step;

	TABLE_CELLS(t,
		[FIND_ID] = CELL_IF(place.start < place.end,
			cell_text(place_id(r, f->rule->word.id, place.start, place.end, t->mem))),
		[FIND_OP] = CELL_IF(f->name, cell_text(strings_get(&r->strings, f->name))));
	if (f->row == NO_ROW)
		return;
	TABLE_CELLS(t, [FIND_AT] = cell_int(r->events.start[f->row]),
		[FIND_DUR] = cell_int(r->events.dur[f->row]),
		[FIND_STEP] = CELL_IF(
			steps_number_at(r->steps, r->events.start[f->row], &step), cell_int(step)));
}

static void put_finding(const struct diagnosis *g, struct table *t, const struct finding *f)
{
	bool has_saves = !isnan(f->saves);

	finding_put(t, &columns, f);
	TABLE_CELLS(t, [FIND_VERDICT] = cell_word(f->rule->verdict),
		[FIND_SHARE] = cell_real(f->share), [FIND_SAVES] = cell_real(f->saves),
		[FIND_SAVES_NS] =
			CELL_IF(has_saves, cell_real(f->saves * step_of(g, f->is_of_all))),
		[FIND_SAVES_BY] =
			CELL_IF(has_saves, cell_word(f->is_predicted ? "what-if" : "sum")),
		[FIND_COUNT] = cell_count(f->count),
		[FIND_EVIDENCE] = CELL_IF(f->evidence, cell_copy(t, span_of(f->evidence))));
	table_real(t, value_column(f), f->value);
	put_example(g, t, f);
	if (!g->at->q->for_people || f->severity < SEVERITY_WARN || f->rule->is_symptom)
		return;
	if (f->evidence)
		finding_put_line(t, &columns, "", f->evidence);
	if (finding_action(f))
		finding_put_line(t, &columns, "-> ", finding_action(f));
}

static void put_findings(const struct diagnosis *g)
{
	bool has_rest = g->at->q->for_people && g->d->min <= SEVERITY_UNKNOWN;
	size_t n = SUM(size_t, i, g->look.n, is_shown(g, &g->look.v[i]));

	if (n == 0 && g->at->q->for_people && (!has_rest || g->profile.verdict.is_unjudged))
		return;
	struct table *t = perrun_table(g->at, &diagnose_docs[DIAGNOSE_FINDINGS]);
	t->title = NULL;
	for (EACH(const struct finding, finding, g->look.v, g->look.n))
		if (is_shown(g, finding))
			put_finding(g, t, finding);
	if (!has_rest || g->look.n == 0)
		return;
	findings_put_rest(&g->look, t, &columns, SEVERITY_UNKNOWN);
	if (g->d->min == SEVERITY_OK)
		findings_put_rest(&g->look, t, &columns, SEVERITY_OK);
	t->footnote =
		"'traceq explain ID' explains a rule; 'traceq config diagnose' has the limits";
}

void diagnose_put(const struct diagnosis *g)
{
	put_verdict(g);
	put_ledger(g);
	put_changes(g);
	put_notes(g);
	put_findings(g);
}
