/* Sections about what could be saved: on the critical path by any change, in kernels up to the
 * roofs of the device. */
#include "base/name/name.h"
#include "report/page/section/section.h"

/* As their charts ask, so that both are answered once. */
const char ask_critical[] = "critical --limit=60";
const char ask_roofline[] = "roofline --limit=0 --sort=above";

enum { ROWS = 8, CHANGES = 8, NAME_LETTERS = 26 };

/* What changes, and of a kernel which. */
static void put_changes(struct page *d, const struct table *t)
{
	static const struct page_column col[] = { { "saves", true, false },
		{ "share", true, false }, { "step then", true, false },
		{ "what if", false, true } };
	size_t n = table_rows(t);

	if (n == 0)
		return;
	struct page_block *b = page_table(d, "what a change would bring", col, COUNT_OF(col));
	for (size_t i = 0; i < n && i < CHANGES; i++) {
		SCOPED_STR kernel = { 0 };

		name_shorten(&kernel, table_word(t, i, "name"), NAME_LETTERS, true);
		PAGE_ROW(d, b, TONE_NONE, page_value(d, t, i, "saves_per_step_ns"),
			page_value(d, t, i, "saves_ratio"), page_value(d, t, i, "step_then_ns"),
			page_printf(d, "%s%s%s", section_word(d, t, i, "says"),
				kernel.n ? ": " : "", kernel.n ? kernel.s : ""));
	}
}

/* What repairs of a job would bring: at least, and at most. */
static void put_repairs(struct page *d, const struct table *t)
{
	static const struct page_column col[] = { { "saves", true, false },
		{ "share", true, false }, { "at most", true, false }, { "share", true, false },
		{ "step then", true, false }, { "what if", false, true } };

	if (table_rows(t) == 0)
		return;
	struct page_block *b = page_table(d,
		"what repairs of the job would bring: gaps between work kept, and dropped", col,
		COUNT_OF(col));
	for (size_t i = 0; i < table_rows(t); i++)
		PAGE_ROW(d, b, TONE_NONE, page_value(d, t, i, "saves_per_step_ns"),
			page_value(d, t, i, "saves_ratio"), page_value(d, t, i, "most_per_step_ns"),
			page_value(d, t, i, "most_ratio"), page_value(d, t, i, "most_then_ns"),
			section_word(d, t, i, "says"));
}

static void write_critical(const struct answers *in, struct page *d)
{
	static const struct section_table owners = SECTION_TABLE(ask_critical, "path",
		"the path by owner", ROWS, { "on_path_ns", "time" }, { "share_ratio", "share" },
		{ "per_step_ns", "per step" }, { "segments", "segments" }, { "class", "owner" });
	static const struct section_table behind =
		SECTION_TABLE(ask_critical, "data", "GPU work behind other work on its stream",
			ROWS, { "on_path_ns", "time" }, { "share_ratio", "share" },
			{ "calls", "calls" }, { "waits_for", "of the work before it" });
	const struct table *bound = answers_rows(in, ask_critical, "bound");

	if (!bound || !page_has(bound, 0, "bound_text"))
		return;
	page_heading(d, "Critical path");
	put_repairs(d, answers_rows(in, ask_critical, "job_what_if"));
	section_fact(d, bound, "bound_text", "bound by");
	section_fact(d, bound, "best_text", "saves");
	section_fact(d, bound, "verdict_text", "verdict");
	section_put_tables(in, d, &owners, 1);
	put_changes(d, answers_rows(in, ask_critical, "what_if"));
	section_put_tables(in, d, &behind, 1);
}

const struct section section_critical = {
	.id = "critical",
	.ask = { ask_critical },
	.chart = { "critical-path", "critical-slack" },
	.write = write_critical,
};

/* Rows of which something is known; those with time above the roof stand first. */
static size_t count_known(const struct table *t, const char *key)
{
	return SUM(size_t, i, table_rows(t), table_number(t, i, key) > 0);
}

/* Utilisation over all steps that have one. */
static double over_steps(const struct table *t, const char *key)
{
	double sum = 0, ns = 0;

	for (size_t i = 0; i < table_rows(t); i++) {
		double v = table_number(t, i, key), step = table_number(t, i, "step_ns");

		if (isnan(v) || !(step > 0))
			continue;
		sum += v * step;
		ns += step;
	}
	return ns > 0 ? sum / ns : NAN;
}

/* Share of the devices' busy time that is known. */
static double known_share(const struct table *t)
{
	return FIND_VALUE(i, table_rows(t), span_is(table_word(t, i, "what"), "known"),
		table_number(t, i, "share_ratio"), NAN);
}

static void write_roofline(const struct answers *in, struct page *d)
{
	static const struct page_picks above = { "most time above the roof", ROWS,
		.pick = { { "above_roof_ns", "above roof" }, { "busy_ns", "time" },
			{ "roof_ratio", "of roof" }, { "bound", "bound by" },
			{ "shapes", "shapes" }, { "name", "op" } } };
	static const struct page_picks rates = { "most time", ROWS,
		.pick = { { "busy_ns", "time" }, { "calls", "calls" }, { "tflop_per_s", "TFLOP/s" },
			{ "bytes_per_s", "bytes/s" }, { "shapes", "shapes" }, { "name", "op" } } };
	const struct table *ops = answers_rows(in, ask_roofline, "ops");
	size_t over = count_known(ops, "above_roof_ns");
	struct page_picks picks = over > 0 ? above : rates;

	if (count_known(ops, "flop") == 0)
		return;
	page_heading(d, "Roofline");
	const struct table *steps = answers_rows(in, ask_roofline, "steps");
	const struct table *peaks = answers_rows(in, ask_roofline, "peaks");
	double mfu = over_steps(steps, "mfu_ratio"), hfu = over_steps(steps, "hfu_ratio");
	if (!isnan(mfu))
		page_fact(d, "MFU", "%s of what %s can do (HFU %s)", section_percent(d, mfu),
			peaks ? section_word(d, peaks, 0, "name") : "the GPU",
			section_percent(d, hfu));
	else if (!peaks)
		page_fact(d, "MFU", "not known: no peaks are known of the GPU");
	page_fact(d, "known", "operations and bytes of %s of GPU time",
		section_percent(d, known_share(answers_rows(in, ask_roofline, "coverage"))));
	if (over > 0)
		picks.most = MIN(over, ROWS);
	page_pick_table(d, ops, &picks);
}

const struct section section_roofline = {
	.id = "roofline",
	.ask = { ask_roofline },
	.chart = { "roofline" },
	.write = write_roofline,
};
