/* The list of charts, as data. */
#include "report/chart/charts.h"

#define X(name) &chart_kind_##name,
static const struct chart_kind *const all[] = { CHARTS(X) };
static const struct chart_kind *const of_answers[] = { CHARTS_OF_ANSWERS(X) };
#undef X

const struct chart_kind *const *chart_all(size_t *n)
{
	*n = COUNT_OF(all);
	return all;
}

const char *const *chart_asks(const struct chart_kind *kind, const struct chart_look *look)
{
	if (look && look->is_inside && kind->inside_ask[0])
		return kind->inside_ask;
	return look && look->is_page && kind->page_ask[0] ? kind->page_ask : kind->ask;
}

const struct chart_kind *chart_find(const char *id)
{
	return FIND_NAMED(all, COUNT_OF(all), id, id);
}

const struct chart_kind *chart_of_answer(const char *analysis)
{
	const struct chart_kind *kind =
		FIND_NAMED(of_answers, COUNT_OF(of_answers), answer, analysis);

	return kind
		? kind
		: FIND_VALUE(i, COUNT_OF(all),
			  all[i]->answer && strcmp(all[i]->answer, analysis) == 0, all[i], NULL);
}

static bool draw_bars(const struct chart_kind *kind, const struct answers *in, struct chart *out)
{
	const char *why = NULL;
	bool any = false;

	for (size_t i = 0; i < CHART_BARS_MAX && kind->bars[i].table; i++) {
		/* Whether others than these bars are drawn in their place. */
		const struct bars *b = &kind->bars[i];
		if (kind->is_either && i + 1 < CHART_BARS_MAX && b[1].table &&
			!answers_rows(in, b->ask ? b->ask : kind->ask[0], b->table))
			continue;
		why = bars_draw(in, out, kind->ask[0], &kind->bars[i]);
		any |= !why;
		if (kind->is_either)
			break;
	}
	return any || chart_refuse(out, "%s", why);
}

/* "trace.json.gz \u00b7 H100 x2 \u00b7 24 steps \u00b7 2024-05-31": the same below every title. */
static void put_subtitle(struct chart *c, const struct answers_about *about)
{
	const char *part[] = { about->input, about->device, about->steps, about->date };
	SCOPED_STR b = { 0 };

	for (size_t i = 0; i < COUNT_OF(part); i++) {
		if (!part[i])
			continue;
		str_adds(&b, b.n ? " \u00b7 " : "");
		str_adds(&b, part[i]);
	}
	if (b.n)
		c->subtitle = chart_text(c, (struct span){ b.s, b.n });
}

bool chart_draw(const struct chart_kind *kind, const struct answers *in,
	const struct chart_look *look, struct chart *out)
{
	const char *why = "not asked";
	bool is_answered = false;

	chart_init(out, kind->id, kind->title);
	if (look)
		out->look = *look;
	const char *const *ask = chart_asks(kind, &out->look);
	for (size_t i = 0; i < CHART_ASKS_MAX && ask[i]; i++) {
		const struct answer *a = answers_find(in, ask[i]);

		is_answered |= a && a->result;
		if (a && a->why && i == 0)
			why = a->why;
	}
	if (!is_answered)
		return chart_refuse(out, "%s", why);
	if (kind->note) {
		const struct table *t = answers_table(in, kind->ask[0], kind->note, 0);
		struct span text = table_rows(t) ? table_word(t, 0, "text") : SPAN("");
		if (text.n)
			chart_note(out, "%s", chart_text(out, text));
	}
	if (!(kind->draw ? kind->draw(in, out, ask[0]) : draw_bars(kind, in, out)))
		return false;
	if (!chart_has_values(out))
		return chart_refuse(out, "no value is known");
	chart_limit(out);
	chart_compare(out);
	if (!chart_arrange(out))
		return false;
	chart_thin(out);
	chart_dot(out);
	chart_title_alone(out);
	chart_shorten_names(out);
	put_subtitle(out, &in->about);
	if (out->look.title)
		out->title = chart_text(out, span_of(out->look.title));
	return true;
}

/* ---- charts that are not drawn ---- */

static const struct chart_absent absent[] = {
	{ "sequences", "Most frequent sequences of kernels",
		"no analysis counts sequences; 'traceq stacks' has kernels by what launched them" },
};

const struct chart_absent *chart_absent_all(size_t *n)
{
	*n = COUNT_OF(absent);
	return absent;
}
