/*
 * The list of documents; what a report prints of a run's files; the format that prints their lines.
 * Names in them come from files and are made harmless.
 */
#include "report/documents/document.h"

#include <string.h>

#include "base/compiler.h"
#include "report/cells.h"
#include "report/documents/printed.h"
#include "report/escape.h"
#include "report/format/renderer.h"
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
	size_t i;

	for (i = 0; i < COUNT_OF(ALL); i++)
		if (strcmp(ALL[i]->answer, answer) == 0)
			return ALL[i];
	return NULL;
}

/* ---- lines to text ---- */

static void add_lines(struct str *b, const struct table *t)
{
	size_t row;

	for (row = 0; row < t->nrow; row++) {
		escape_terminal(b, table_text_at(t, row, 0), true);
		str_addc(b, '\n');
	}
}

static enum status put(FILE *out, const struct result *r, const struct render *how, struct err *e)
{
	struct str b = { 0 };
	bool any = false;
	size_t i;

	(void)how;
	for (i = 0; i < r->ntable; i++) {
		if (r->table[i]->layout != TABLE_TEXT)
			continue;
		any = true;
		add_lines(&b, r->table[i]);
		cells_flush(out, &b);
	}
	str_free(&b);
	if (!any) {
		(void)err_set(e, E_USAGE, -1,
			"--format seed is for what the documents print, and none of it is here");
		return err_hint(e, "'traceq info' says what is");
	}
	return cells_done(out, e);
}

const struct renderer renderer_seed = {
	.name = "seed",
	.summary = "the layout of the field's own documents, line for line",
	.layout = TABLE_TEXT,
	.is_silent = true,
	.put = put,
};

/* ---- reports ---- */

/* The pages as one block; of several each begins with a blank line, which some have themselves. */
static void put_block(struct page *d, const struct result *r)
{
	struct str b = { 0 };
	size_t i;

	for (i = 0; i < r->ntable; i++) {
		if (i > 0 && table_text_at(r->table[i], 0, 0).n)
			str_addc(&b, '\n');
		add_lines(&b, r->table[i]);
	}
	if (b.n)
		page_lines(d, arena_copy(&d->mem, b.s, b.n));
	str_free(&b);
}

void document_week1(const struct answers *in, struct page *d)
{
	struct printed p;
	struct result r;

	result_init(&r, "");
	p = printed_of(in, 0, &r);
	baseline_summary_put(&p);
	put_block(d, &r);
	result_clear(&r);
}

static bool put_gpu_models(struct printed *p)
{
	return gpu_put_run(p, false);
}

static bool put_gpu_checks(struct printed *p)
{
	return gpu_put_run(p, true);
}

/* The summary of a profiler's folder stands for a run that has nothing of a canary's. */
static bool put_profiled(struct printed *p)
{
	size_t row;

	return !printed_artifact(p, "canary_metrics", &row) && profiled_put_run(p);
}

void document_run(const struct answers *in, struct page *d)
{
	/* In the order of the scripts. */
	static bool (*const puts[])(struct printed * p) = { put_gpu_models, batches_put_benchmark,
		put_gpu_checks, canary_put_run, put_profiled };
	size_t i, k, n = printed_inputs(in);
	struct result r;

	result_init(&r, "");
	for (i = 0; i < COUNT_OF(puts); i++)
		for (k = 0; k < n; k++) {
			struct printed p = printed_of(in, (int)k, &r);

			(void)puts[i](&p);
		}
	put_block(d, &r);
	result_clear(&r);
	if (baseline_summary_has(in))
		document_week1(in, d);
}
