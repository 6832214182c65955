/*
 * Workflow commands for GitHub Actions.
 */
#include "report/escape.h"
#include "report/sink/sink.h"

enum { CHECKS_MAX = 8, TITLE_MAX = 250, TEXT_MAX = 16384 };

static void put_command(struct str *out, const char *word, const char *title, const char *text)
{
	str_addf(out, "::%s title=", word);
	escape_github_property(out, utf8_cut(span_of(title), TITLE_MAX));
	str_adds(out, "::");
	escape_github_message(out, utf8_cut(span_of(text), TEXT_MAX));
	str_adds(out, "\n");
}

/* The checks that fail, worst first, a line each, and why. */
static void put_failures(struct str *out, const struct verdict *v)
{
	struct str title = { 0 }, text = { 0 };
	size_t i, n = 0;

	for (i = 0; i < v->n; i++) {
		if (!v->check[i].fails || n++ >= CHECKS_MAX)
			continue;
		str_adds(&text, text.n ? "\n" : "");
		str_adds(&text, v->check[i].message);
	}
	if (n > CHECKS_MAX)
		str_addf(&text, "\nand %zu more", n - CHECKS_MAX);
	for (i = 0; i < v->nwhy; i++)
		str_addf(&text, "\n%s", v->why[i]);
	str_addf(&title, "traceq %s FAILED (%s)", v->name, v->summary);
	put_command(out, "error", title.s, text.s ? text.s : v->summary);
	str_free(&title);
	str_free(&text);
}

void sink_github(struct str *out, const struct verdict *v)
{
	struct str title = { 0 };
	size_t i, n = 0;

	if (v->error) {
		str_addf(&title, "traceq %s: no answer", v->name);
		put_command(out, "error", title.s, v->error);
		str_free(&title);
		return;
	}
	if (v->exit_code)
		put_failures(out, v);
	if (v->n == 0 && v->state == VERDICT_IS_WARN) {
		str_addf(&title, "traceq %s: warn", v->name);
		put_command(out, "warning", title.s, v->summary);
	}
	for (i = 0; i < v->n && n < CHECKS_MAX; i++) {
		const struct verdict_check *c = &v->check[i];

		if (c->fails || c->state < VERDICT_IS_NOISY)
			continue;
		str_reset(&title);
		str_addf(&title, "traceq %s: %s", v->name, verdict_state_word(c->state));
		put_command(out, "warning", title.s, c->message);
		n++;
	}
	str_free(&title);
}
