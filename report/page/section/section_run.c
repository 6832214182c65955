/* Sections about a run: what it is, where its time goes, what is wrong. */
#include "report/page/section/section.h"

/* From here on a slowest input is worth a word. */
static const double SLOWER = 1.05;

enum { ROWS = 8 };

/* ---- overview ---- */

/* What diagnose says of an input; NULL: it is no trace. */
static const struct table *verdict_of(const struct answers *in, size_t input)
{
	return answers_of_input(in, ask_diagnose, "verdict", input);
}

/* The input whose steps take longest, where that is much longer than the others'. */
static void put_slowest(const struct answers *in, struct page *d, const struct result *r)
{
	double most = 0, second = 0;
	size_t at = 0;

	for (size_t i = 0; i < r->ninput; i++) {
		double step = table_number(verdict_of(in, i), 0, "step_ns");

		if (step > most) {
			second = most;
			most = step;
			at = i;
		} else if (step > second) {
			second = step;
		}
	}
	if (second > 0 && most > SLOWER * second) {
		struct span name = input_name(r->input[at]);

		page_item(d, TONE_WARN,
			"%.*s is the slowest: its step takes %.2f times that of the next%s",
			(int)name.n, name.p, most / second,
			answers_rows(in, ask_comms, "collectives")
				? "; 'traceq plot straggler' shows whether the others wait for it"
				: "");
	}
}

/* All words that it is called by: "dataloader-bound, sync-bound". */
static const char *words_of(struct page *d, const struct table *t)
{
	const char *first = section_word(d, t, 0, "verdict");

	return page_has(t, 0, "second")
		? page_printf(d, "%s, %s", first, section_word(d, t, 0, "second"))
		: first;
}

static void put_inputs(const struct answers *in, struct page *d, const struct result *r)
{
	static const struct page_column col[] = { { "input", false, true },
		{ "verdict", false, false }, { "step", true, false }, { "GPU busy", true, false },
		{ "why", false, true } };
	struct page_block *b = page_table(d, NULL, col, COUNT_OF(col));
	bool are_traces = true;

	for (size_t i = 0; i < r->ninput; i++) {
		const struct table *t = verdict_of(in, i);
		struct span name = input_name(r->input[i]);

		PAGE_ROW(d, b, TONE_NONE, page_printf(d, "%.*s", (int)name.n, name.p),
			t ? words_of(d, t) : "no trace", t ? page_value(d, t, 0, "step_ns") : "-",
			t ? page_value(d, t, 0, "busy_ratio") : "-", section_word(d, t, 0, "why"));
		are_traces = are_traces && t;
	}
	put_slowest(in, d, r);
	page_text(d, "%zu inputs; the sections below are about the first of them%s.", r->ninput,
		are_traces ? "" : " that has what each is about");
}

static void put_verdict(struct page *d, const struct table *t)
{
	const char *verdict = words_of(d, t), *why = section_word(d, t, 0, "why");
	const char *doubt = section_word(d, t, 0, "doubt");
	enum page_tone tone = TONE_GOOD;

	if (table_number(t, 0, "crit") > 0)
		tone = TONE_BAD;
	else if (table_number(t, 0, "warn") > 0)
		tone = TONE_WARN;
	page_item(d, tone, "%s%s%s%s%s", *verdict ? verdict : "no verdict", *why ? ": " : "", why,
		*doubt ? "; but " : "", doubt);
}

/* What is critical in files beside the trace is part of the answer. */
static void put_critical(struct page *d, const struct table *files)
{
	for (size_t i = 0; files && i < table_rows(files); i++)
		if (span_is(table_word(files, i, "severity"), "CRIT"))
			page_item(d, TONE_BAD, "%s: %s", section_word(d, files, i, "name"),
				section_word(d, files, i, "finding"));
}

/* Files of a run without a trace: what they are, so that it is clear what the rest is about. */
static void put_files(struct page *d, const struct table *t)
{
	size_t i;

	for (i = 0; i < table_rows(t) && i < ROWS; i++) {
		struct span name = input_name(section_word(d, t, i, "path"));
		const char *rows = page_has(t, i, "rows")
			? page_printf(d, ", %s rows", page_value(d, t, i, "rows"))
			: "";

		page_item(d, TONE_NONE, "%.*s: %s%s", (int)name.n, name.p,
			section_word(d, t, i, "kind_title"), rows);
	}
	if (table_rows(t) > i)
		page_text(d, "%zu more files.", table_rows(t) - i);
	page_item(d, TONE_UNKNOWN, "no trace: where the time of steps and GPUs goes is not known");
}

/* Whether another section has something to say about files without a trace. */
static bool has_figures(const struct answers *in)
{
	return answers_rows(in, "metrics", "keys") || answers_rows(in, "metrics", "stages") ||
		answers_rows(in, "metrics", "score_shares") || answers_rows(in, "smi", "gpus") ||
		section_has_recorded(in) || answers_rows(in, ask_stacks, "sampled_functions") ||
		answers_rows(in, "batch", "sizes");
}

/* ---- what to do ---- */

/* A finding that has a place is a mark in the timeline, by its rule; NULL: it has none. */
static const char *mark_of(struct page *d, const struct table *findings, size_t row)
{
	return page_has(findings, row, "at_ns") ? section_word(d, findings, row, "rule") : NULL;
}

static const char *mark_of_verdict(
	struct page *d, const struct table *findings, struct span verdict)
{
	size_t n = findings && verdict.n ? table_rows(findings) : 0;
	size_t at = FIRST(i, n,
		span_eq(table_word(findings, i, "verdict"), verdict) &&
			page_has(findings, i, "at_ns") &&
			!span_is(table_word(findings, i, "severity"), "ok"));

	return at < n ? mark_of(d, findings, at) : NULL;
}

/* What saves most of what was tried on the run, and how it is done. */
static void put_to_do(struct page *d, const struct table *changes, const struct table *findings)
{
	static const struct page_column col[] = { { "a change", false, true },
		{ "gain", false, true }, { "how", false, true } };
	struct page_block *b = NULL;
	const char *mark;

	for (size_t i = 0; i < table_rows(changes); i++) {
		struct span how = answers_how(changes, i, findings);

		if (!answers_is_first_change(changes, i))
			continue;
		if (!b)
			b = page_table(d, "what to do first, by what it saves", col, COUNT_OF(col));
		b->is_prose = true;
		PAGE_ROW(d, b, TONE_NONE, section_word(d, changes, i, "change"),
			page_printf(d, "saves %s (%s)", page_value(d, changes, i, "saves_ns"),
				page_value(d, changes, i, "saves_ratio")),
			page_printf(d, "%.*s", (int)how.n, how.p));
		mark = mark_of_verdict(d, findings, table_word(changes, i, "verdict"));
		if (mark)
			page_mark(d, b, mark);
	}
}

/* ---- what the log says ---- */

/* The first key of that role with values; false: no log has any. */
static bool find_role(
	const struct answers *in, const char *role, const struct table **t, size_t *row)
{
	for (size_t i = 0; (*t = answers_table(in, ask_metrics, "keys", i)); i++)
		for (*row = 0; *row < table_rows(*t); ++*row)
			if (span_is(table_word(*t, *row, "role"), role) &&
				table_number(*t, *row, "count") > 0)
				return true;
	return false;
}

/* "0.2155 at the end, improving, in train.jsonl" */
static void put_role(const struct answers *in, struct page *d, const char *role, const char *title)
{
	const struct table *t;
	size_t row;

	if (!find_role(in, role, &t, &row))
		return;
	const char *trend = section_word(d, t, row, "trend");
	const char *file = section_word(d, t, row, "file");
	page_fact(d, title, "%s at the end (mean of the last %.0f)%s%s%s%s",
		page_value(d, t, row, "window_mean"), table_number(t, row, "window"),
		*trend ? ", " : "", trend, *file ? ", in " : "", file);
}

/* Which rank of a job the rest is about. */
static void put_main(struct page *d, const struct answers *in, const struct result *r)
{
	const struct table *all = answers_rows(in, "ranks", "ranks");
	const struct table *t = all ? all : section_job_table(in, "job_ranks");
	struct span name = r ? input_name(r->input[in->main]) : SPAN("the first");
	bool is_slow = ANY(i, table_rows(t), span_is(table_word(t, i, "what"), "slow"));

	page_text(d, "%zu ranks; the sections below are about %.*s, %s.", table_rows(t),
		(int)name.n, name.p,
		is_slow ? "which the others wait for" : "whose computing is the median");
}

static void write_overview(const struct answers *in, struct page *d)
{
	const struct table *verdict = answers_rows(in, ask_diagnose, "verdict");
	const struct table *over = answers_rows(in, ask_summary, "overview");
	const struct table *trace = answers_rows(in, ask_info, "trace");
	const struct table *gpus = answers_rows(in, ask_info, "gpus");
	const struct table *files = answers_rows(in, ask_info, "artifacts");
	const struct answer *a = answers_find(in, ask_diagnose);

	if (!verdict && !trace && !(files && has_figures(in)))
		return;
	page_heading(d, "Answer");
	if (!trace && files)
		put_files(d, files);
	if (section_put_job(in, d))
		put_main(d, in, a ? a->result : NULL);
	else if (verdict)
		put_verdict(d, verdict);
	put_critical(d, answers_rows(in, ask_diagnose, "recorded_findings"));
	if (a && a->result && a->result->ninput > 1 && verdict && !section_job_table(in, "job"))
		put_inputs(in, d, a->result);
	if (verdict && !section_job_table(in, "job"))
		put_to_do(d, answers_rows(in, ask_diagnose, "changes"),
			answers_rows(in, ask_diagnose, "findings"));
	section_fact(d, gpus, "name", "GPU");
	section_fact(d, trace, "software", "software");
	section_fact(d, over, "steps_text", "steps");
	section_fact(d, over, "first_text", "first step");
	section_fact(d, over, "busy_text", "GPU busy");
	section_fact(d, over, "bound_text", "bound by");
	section_fact(d, over, "launch_text", "launches");
	section_fact(d, over, "memory_text", "memory");
	const struct table *rates = answers_rows(in, ask_metrics, "throughput");
	put_role(in, d, "loss", "loss");
	put_role(in, d, "step time", "step in the log");
	if (rates && table_rows(rates) > 0)
		page_fact(d, "throughput", "%s %s (%s)", page_value(d, rates, 0, "value"),
			section_word(d, rates, 0, "what"), section_word(d, rates, 0, "source"));
	if (trace)
		page_fact(d, "trace", "%s events, %s, %s", page_value(d, trace, 0, "events"),
			page_value(d, trace, 0, "file_bytes"), page_value(d, trace, 0, "state"));
}

const struct section section_overview = {
	.id = "overview",
	.ask = { ask_diagnose, ask_summary, ask_info, ask_metrics },
	.chart = { "step-ledger" },
	.write = write_overview,
};

/* ---- ledger ---- */

const struct section section_ledger = {
	.id = "ledger",
	.ask = { ask_diagnose, ask_summary },
	.chart = { "step-time", "timeline-lanes" },
	.page = { "timeline-lanes", "flame" },
	.heading = "Where a step goes",
	.table = { { .ask = ask_diagnose,
			   .id = "ledger",
			   .picks = { .caption = "on the GPU; the parts add up to the step",
				   .needs = "per_step_ns",
				   .pick = { { "part", "part" }, { "per_step_ns", "per step" },
					   { "share_ratio", "share" } } } },
		SECTION_TABLE(ask_summary, "phases", "on the CPU, by phase", 0,
			{ "phase", "phase" }, { "self_cpu_ns", "self CPU" },
			{ "share_ratio", "share" }, { "per_step_ns", "per step" },
			{ "self_device_ns", "GPU time of its ops" }) },
	.is_any = true,
};

/* ---- findings ---- */

enum { FINDING_COLUMNS = 4 };
static const struct page_column of_trace[FINDING_COLUMNS] = { { "rule", false, false },
	{ "finding", false, true }, { "evidence", false, true }, { "what to do", false, true } };
static const struct page_column of_files[FINDING_COLUMNS] = { { "rule", false, false },
	{ "finding", false, true }, { "file", false, true }, { "what to do", false, true } };

/* One table of findings.  What is well is counted in *passed only. */
static struct page_block *put_findings(
	struct page *d, const struct table *t, const struct page_column *col, size_t *passed)
{
	struct page_block *b = page_table(d, NULL, col, FINDING_COLUMNS);

	b->is_prose = true;
	*passed = 0;
	for (size_t i = 0; i < table_rows(t); i++) {
		struct span severity = table_word(t, i, "severity");

		if (span_is(severity, "ok")) {
			++*passed;
			continue;
		}
		PAGE_ROW(d, b, section_tone(severity),
			page_printf(d, "%s %s", section_word(d, t, i, "rule"),
				section_word(d, t, i, "name")),
			section_word(d, t, i, "finding"), section_word(d, t, i, col[2].title),
			section_word(d, t, i, "action"));
		if (mark_of(d, t, i))
			page_mark(d, b, mark_of(d, t, i));
	}
	return b;
}

static void write_of_trace(struct page *d, const struct table *t)
{
	size_t passed;

	page_heading(d, "Findings, worst first");
	struct page_block *b = put_findings(d, t, of_trace, &passed);
	b->footnote = page_printf(
		d, "%zu rules found nothing; 'traceq explain G03' explains one", passed);
}

static bool is_before(const struct answers *in, const struct table *a, const struct table *b)
{
	const struct result *r = answers_find(in, ask_diagnose)->result;

	return FIND_VALUE(
		i, r->ntable, r->table[i] == a || r->table[i] == b, r->table[i] == a, false);
}

/* In the order of `diagnose`, which says what is worse first. */
static void write_findings(const struct answers *in, struct page *d)
{
	const struct table *t = answers_rows(in, ask_diagnose, "findings");
	const struct table *files = answers_rows(in, ask_diagnose, "recorded_findings");
	bool are_first = t && files && is_before(in, files, t);
	size_t passed;

	if (t && !are_first)
		write_of_trace(d, t);
	if (files && ANY(i, table_rows(files), !span_is(table_word(files, i, "severity"), "ok"))) {
		page_heading(d, "What the run's other files say");
		(void)put_findings(d, files, of_files, &passed);
	}
	if (are_first)
		write_of_trace(d, t);
}

const struct section section_findings = {
	.id = "findings",
	.ask = { ask_diagnose },
	.write = write_findings,
};
