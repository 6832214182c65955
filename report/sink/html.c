/* A verdict as one page: the answer, why, what fails with its runs so far, what else is to be
 * looked at, what passes.  The page's writer escapes, and loads nothing. */
#include "report/escape.h"
#include "report/page/page.h"
#include "report/sink/sink.h"

enum { TEXT_MAX = 2000, PANELS_MAX = 8, DOTS_MAX = 120 };

static const char *cut(struct page *d, const char *text)
{
	struct span s = utf8_cut(span_of(text ? text : ""), TEXT_MAX);

	return page_printf(d, "%.*s%s", (int)s.n, s.p, text && strlen(text) > s.n ? "..." : "");
}

static enum page_tone tone_of(const struct verdict_check *c)
{
	if (c->fails || c->state == VERDICT_IS_FAIL)
		return TONE_BAD;
	if (c->state >= VERDICT_IS_CHANGED)
		return TONE_WARN;
	return c->state <= VERDICT_IS_PASS ? TONE_GOOD : TONE_NONE;
}

static void put_checks(
	struct page *d, const struct verdict *v, const char *heading, enum page_tone tone)
{
	static const struct page_column col[] = { { "check", false, true }, { "base", true, false },
		{ "new", true, false }, { "change", true, false }, { "95% bounds", false, false },
		{ "tolerance", false, false }, { "state", false, false }, { "", false, true } };
	struct page_block *b = NULL;

	for (EACH(const struct verdict_check, c, v->check, v->n)) {
		if (tone_of(c) != tone)
			continue;
		if (!b) {
			page_heading(d, heading);
			b = page_table(d, NULL, col, COUNT_OF(col));
		}
		PAGE_ROW(d, b, tone, cut(d, c->id), cut(d, c->base), cut(d, c->now),
			cut(d, c->change), cut(d, c->interval), cut(d, c->tolerance),
			verdict_state_word(c->state), cut(d, c->detail));
	}
}

/* The runs of a store, and behind them those that are judged. */
static void put_runs(struct chart *c, const struct verdict_check *check)
{
	const struct verdict_runs *runs = check->runs;
	struct chart_panel *p = chart_panel(c, PANEL_XY, chart_text(c, span_of(check->id)));

	p->x = (struct chart_axis){ .title = "run", .unit = UNIT_COUNT };
	p->y = (struct chart_axis){ .title = "value", .unit = runs->unit };
	struct chart_series *s = chart_series(
		c, p, runs->n > DOTS_MAX ? MARK_LINE : MARK_DOTTED, "runs", COLOR_SHADE_2, runs->n);
	chart_names(c, p, runs->n);
	for (size_t i = 0; i < runs->n; i++) {
		s->x[i] = (double)i;
		s->y[i] = runs->value[i];
		chart_name(c, p, i, span_of(runs->name[i]));
	}
	if (isfinite(runs->level))
		chart_line(c, p, "base", runs->level, false);
}

static void put_history(struct page *d, const struct verdict *v)
{
	struct chart c;

	chart_init(&c, "history", "Run by run");
	for (size_t i = 0; i < v->n && c.npanel < PANELS_MAX; i++)
		if (v->check[i].runs && tone_of(&v->check[i]) == TONE_BAD)
			put_runs(&c, &v->check[i]);
	if (!chart_has_values(&c)) {
		chart_clear(&c);
		return;
	}
	chart_thin(&c);
	chart_title_alone(&c);
	chart_shorten_names(&c);
	page_chart(d, &c, NULL);
}

static void put(struct str *out, const struct verdict *v)
{
	struct page d;

	page_init(&d);
	d.title = page_printf(&d, "traceq %s", v->name);
	if (v->error) {
		page_heading(&d, "Answer");
		page_item(&d, TONE_BAD, "no answer: %s", cut(&d, v->error));
	} else {
		d.about = cut(&d, v->now);
		d.command = v->reproduce ? cut(&d, v->reproduce) : NULL;
		const char *word = v->exit_code ? "FAIL" : verdict_state_word(v->state);
		page_heading(&d, "Answer");
		page_item(&d,
			v->exit_code                         ? TONE_BAD
				: v->state > VERDICT_IS_SKIP ? TONE_WARN
							     : TONE_GOOD,
			"%s %s: %s", v->name, word, cut(&d, v->summary));
		for (size_t i = 0; i < v->nwhy; i++)
			page_item(&d, TONE_NONE, "%s", cut(&d, v->why[i]));
		if (v->base)
			page_fact(&d, "base", "%s", cut(&d, v->base));
		page_fact(&d, "new", "%s", cut(&d, v->now));
		if (v->base_days)
			page_origin(&d, "base recorded", "%s", v->base_days);
		if (v->now_days)
			page_origin(&d, v->base ? "new recorded" : "recorded", "%s", v->now_days);
		page_fact(&d, "compared", "%s", cut(&d, v->about));
		put_checks(&d, v, "What fails", TONE_BAD);
		put_history(&d, v);
		put_checks(&d, v, "What warns", TONE_WARN);
		put_checks(&d, v, "What passes", TONE_GOOD);
		put_checks(&d, v, "What is not judged", TONE_NONE);
	}
	page_format_html.put(out, &d);
	page_clear(&d);
}

const struct sink sink_html = {
	.name = "html",
	.suffix = ".html",
	.put = put,
};
