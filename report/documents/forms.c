/*
 * The list of documents; what a report prints of a run's files; the format that prints their text.
 */

#include "report/cells.h"
#include "report/documents/printed.h"
#include "report/escape.h"
#include "report/page/page.h"

static const struct document *const ALL[] = { &document_diff, &document_metrics, &document_diagnose,
	&document_check, &document_fit, &document_batch };

const struct document *const *document_all(size_t *n)
{
	*n = COUNT_OF(ALL);
	return ALL;
}

const struct document *document_of(const char *answer)
{
	return FIND_NAMED(ALL, COUNT_OF(ALL), answer, answer);
}

static const struct column texts[] = {
	{ "text", "text", "A document.", NULL, CELL_TEXT, UNIT_NONE, .flags = 0 },
};

enum status document_put(const struct document *d, const struct answers *in,
	const struct document_parts *parts, struct result *out, bool *says_no, struct err *e)
{
	struct printed p = { .in = in, .parts = parts, .mem = &out->mem, .out = out, .e = e };
	enum status st = d->put(&p);
	struct table *t;

	if (st == OK && p.b.n) {
		t = result_table(out, "document", NULL, texts, COUNT_OF(texts));
		t->layout = TABLE_TEXT;
		table_row(t);
		table_text(t, 0, (struct span){ arena_copy(&out->mem, p.b.s, p.b.n), p.b.n });
	}
	*says_no = p.says_no;
	str_free(&p.b);
	return st;
}

static enum status put(
	FILE *out, const struct result *r, const struct render *how UNUSED, struct err *e)
{
	struct str b = { 0 };
	const char *end;
	bool any = false;

	for (size_t i = 0; i < r->ntable; i++) {
		if (r->table[i]->layout != TABLE_TEXT)
			continue;
		any = true;
		for (const char *line = table_text_at(r->table[i], 0, 0).p;
			(end = strchr(line, '\n')); line = end + 1) {
			escape_terminal(&b, (struct span){ line, (size_t)(end - line) }, true);
			str_addc(&b, '\n');
		}
		cells_flush(out, &b);
	}
	str_free(&b);
	if (!any)
		return err_hinted(e, E_USAGE, "'traceq info' says what is",
			"--format seed is for what the guides print, and none of it is here");
	return cells_done(out, e);
}

const struct renderer renderer_seed = {
	.name = "seed",
	.summary = "the layout of the field's own guides, line for line",
	.layout = TABLE_TEXT,
	.is_silent = true,
	.put = put,
};

/* ---- reports ---- */

void document_week1(const struct answers *in, struct page *d)
{
	struct printed p = { .in = in, .mem = &d->mem };

	baseline_summary_put(&p);
	page_lines(d, arena_copy(&d->mem, p.b.s, p.b.n));
	str_free(&p.b);
}

void document_run(const struct answers *in, struct page *d)
{
	/* In the order of the scripts. */
	static void (*const puts[])(struct printed * p) = { gpu_put_models, batches_put_benchmark,
		gpu_put_checks, canary_put_run, profiled_put_run };
	struct printed p = { .in = in, .mem = &d->mem };
	struct str all = { 0 };
	size_t n = printed_inputs(&p);

	for (size_t i = 0; i < COUNT_OF(puts); i++)
		for (size_t k = 0; k < n; k++) {
			printed_about(&p, (int)k);
			puts[i](&p);
			/* A page begins with a blank line, which some have themselves. */
			if (all.n && p.b.n && p.b.s[0] != '\n')
				str_addc(&all, '\n');
			str_add(&all, p.b.s, p.b.n);
			str_reset(&p.b);
		}
	if (all.n)
		page_lines(d, arena_copy(&d->mem, all.s, all.n));
	str_free(&all);
	str_free(&p.b);
	if (baseline_summary_has(&p))
		document_week1(in, d);
}
