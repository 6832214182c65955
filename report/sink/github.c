/* For GitHub Actions: workflow commands, and summaries for steps and comments in Markdown. */

#include "report/escape.h"
#include "report/sink/sink.h"

/* ---- summaries in Markdown ---- */

enum {
	BYTES_MAX = 900 * 1024,
	COMMENT_ROWS = 200,
	CELL_MAX = 300,  /* bytes of a cell before it is escaped: at most six times as many then */
	TEXT_MAX = 2000, /* of other texts */
	WHY_MAX = 20,
	ROW_MAX = 9 * 6 * CELL_MAX
};

/* At most so many bytes of a text, and three dots where it is cut. */
static void put_cut(
	struct str *b, const char *text, size_t most, void (*escape)(struct str *b, struct span s))
{
	escape(b, utf8_cut(span_of(text), most));
	str_adds(b, strlen(text) > most ? "..." : "");
}

static void put_text(struct str *b, const char *text, size_t most)
{
	put_cut(b, text, most, escape_markdown);
}

/* The same at the beginning of a paragraph. */
static void put_paragraph(struct str *b, const char *text, size_t most)
{
	put_cut(b, text, most, escape_markdown_block);
}

static const char *mark(const struct verdict_check *c)
{
	if (c->fails || c->state == VERDICT_IS_FAIL)
		return "\xe2\x9d\x8c"; /* cross mark */
	switch (c->state) {
	case VERDICT_IS_CHANGED:
	case VERDICT_IS_NOISY:
	case VERDICT_IS_WARN: return "\xe2\x9a\xa0\xef\xb8\x8f"; /* warning sign */
	case VERDICT_IS_SKIP: return "\xe2\x8f\xad\xef\xb8\x8f"; /* skipped */
	default: return "\xe2\x9c\x85";                          /* check mark */
	}
}

static void put_cell(struct str *b, const char *text)
{
	str_adds(b, " ");
	if (text)
		put_text(b, text, CELL_MAX);
	str_adds(b, " |");
}

static void put_row(struct str *b, const struct verdict_check *c)
{
	str_adds(b, "|");
	put_cell(b, c->id);
	put_cell(b, c->base);
	put_cell(b, c->now);
	put_cell(b, c->change);
	put_cell(b, c->interval);
	put_cell(b, c->tolerance);
	str_addf(b, " %s %s", mark(c), verdict_state_word(c->state));
	if (c->detail) {
		str_adds(b, ": ");
		put_text(b, c->detail, CELL_MAX);
	}
	str_adds(b, " |\n");
}

static bool is_bad(const struct verdict_check *c)
{
	return c->fails || c->state >= VERDICT_IS_CHANGED;
}

/* Rows of the bad, or of the others; stops at the limit and says so. */
static void put_rows(struct str *b, const struct verdict *v, bool bad)
{
	size_t n = 0, left = 0;

	for (size_t i = 0; i < v->n; i++) {
		if (is_bad(&v->check[i]) != bad)
			continue;
		if (n == 0)
			str_adds(b,
				"| check | base | new | change | 95% bounds | tolerance | |\n"
				"|:--|--:|--:|--:|:-:|--:|:--|\n");
		if (n++ < COMMENT_ROWS && b->n <= BYTES_MAX - ROW_MAX)
			put_row(b, &v->check[i]);
		else
			left++;
	}
	if (left > 0)
		str_addf(b, "\n%zu more checks are in the other reports.\n", left);
	if (n > 0)
		str_adds(b, "\n");
}

static void put_answer(struct str *out, const struct verdict *v)
{
	size_t bad = SUM(size_t, i, v->n, is_bad(&v->check[i]));

	str_addf(out, "### %s traceq %s: ",
		v->exit_code                                 ? "\xe2\x9d\x8c"
			: bad || v->state == VERDICT_IS_WARN ? "\xe2\x9a\xa0\xef\xb8\x8f"
							     : "\xe2\x9c\x85",
		v->name);
	put_text(out, v->summary, TEXT_MAX);
	str_adds(out, "\n\n");
	if (v->base) {
		put_paragraph(out, v->base, TEXT_MAX);
		str_adds(out, " \xe2\x86\x92 "); /* arrow */
	}
	(v->base ? put_text : put_paragraph)(out, v->now, TEXT_MAX);
	str_adds(out, ", ");
	put_text(out, v->about, TEXT_MAX);
	str_adds(out, "\n\n");
	put_rows(out, v, true);
	for (size_t i = 0; i < v->nwhy && i < WHY_MAX; i++) {
		str_adds(out, i == 0 ? "**Why:** " : "");
		(i == 0 ? put_text : put_paragraph)(out, v->why[i], TEXT_MAX);
		str_adds(out, "\n\n");
	}
	if (bad < v->n) {
		str_addf(out, "<details><summary>%zu other check%s</summary>\n\n", v->n - bad,
			plural_s(v->n - bad));
		put_rows(out, v, false);
		str_adds(out, "</details>\n\n");
	}
	if (v->reproduce && strlen(v->reproduce) <= TEXT_MAX) {
		str_adds(out, "Reproduce:\n\n");
		escape_markdown_command(out, span_of(v->reproduce));
	}
}

static void put(struct str *out, const struct verdict *v)
{
	if (!v->error) {
		put_answer(out, v);
		return;
	}
	str_addf(out, "### \xe2\x9d\x8c traceq %s: no answer\n\n", v->name);
	put_paragraph(out, v->error, TEXT_MAX);
	str_adds(out, "\n");
}

const struct sink sink_md = {
	.name = "md",
	.put = put,
};

/* ---- annotations ---- */

enum { CHECKS_MAX = 8, TITLE_MAX = 250, MESSAGE_MAX = 16384 };

static void put_command(struct str *out, const char *word, const char *title, const char *text)
{
	str_addf(out, "::%s title=", word);
	escape_github_property(out, utf8_cut(span_of(title), TITLE_MAX));
	str_adds(out, "::");
	escape_github_message(out, utf8_cut(span_of(text), MESSAGE_MAX));
	str_adds(out, "\n");
}

/* The checks that fail, worst first, a line each, and why. */
static void put_failures(struct str *out, const struct verdict *v)
{
	SCOPED_STR title = { 0 }, text = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++) {
		if (!v->check[i].fails || n++ >= CHECKS_MAX)
			continue;
		str_adds(&text, text.n ? "\n" : "");
		str_adds(&text, v->check[i].message);
	}
	if (n > CHECKS_MAX)
		str_addf(&text, "\nand %zu more", n - CHECKS_MAX);
	for (size_t i = 0; i < v->nwhy; i++)
		str_addf(&text, "\n%s", v->why[i]);
	str_addf(&title, "traceq %s FAILED (%s)", v->name, v->summary);
	put_command(out, "error", title.s, text.s ? text.s : v->summary);
}

void sink_github(struct str *out, const struct verdict *v)
{
	SCOPED_STR title = { 0 };
	size_t n = 0;

	if (v->error) {
		str_addf(&title, "traceq %s: no answer", v->name);
		put_command(out, "error", title.s, v->error);
		return;
	}
	if (v->exit_code)
		put_failures(out, v);
	if (v->n == 0 && v->state == VERDICT_IS_WARN) {
		str_addf(&title, "traceq %s: warn", v->name);
		put_command(out, "warning", title.s, v->summary);
	}
	for (size_t i = 0; i < v->n && n < CHECKS_MAX; i++) {
		const struct verdict_check *c = &v->check[i];

		if (c->fails || c->state < VERDICT_IS_CHANGED)
			continue;
		str_reset(&title);
		str_addf(&title, "traceq %s: %s", v->name, verdict_state_word(c->state));
		put_command(out, "warning", title.s, c->message);
		n++;
	}
}
