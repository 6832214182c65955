/*
 * The layout of the documents of the field: prints the lines that were laid out for it (TABLE_TEXT)
 * and nothing else.  Names in them come from files and are made harmless.
 */
#include "report/cells.h"
#include "report/escape.h"
#include "report/format/renderer.h"

static void put_lines(FILE *out, const struct table *t)
{
	struct str b = { 0 };
	size_t row;

	for (row = 0; row < t->nrow; row++) {
		const union cell *v = table_cell(t, row, 0);

		if (v && t->col[0].type == CELL_TEXT)
			escape_terminal(&b, v->s, true);
		str_addc(&b, '\n');
		cells_flush(out, &b);
	}
	str_free(&b);
}

static enum status put(FILE *out, const struct result *r, const struct render *how, struct err *e)
{
	bool any = false;
	size_t i;

	(void)how;
	for (i = 0; i < r->ntable; i++) {
		if (r->table[i]->layout != TABLE_TEXT)
			continue;
		any = true;
		put_lines(out, r->table[i]);
	}
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
	.doc = "Scripts and notebooks that compare a baseline with a slow run, sum a week of runs up "
	       "or check what a run left print tables of their own. This writes the same headings, "
	       "columns and number formats from traceq's figures, so that their page and this one "
	       "can be laid beside each other: the comparison and the profiler table of rlhf-canary's "
	       "notebook 02 (diff), what that notebook prints about one run (metrics, diagnose, "
	       "report) and rldk about a profiler's folder (metrics, report), its validation (check), "
	       "the script 40_profile_gpu.py (fit, batch, report), the baseline summary of week 1 "
	       "(batch, report --style week1). Nothing else is in them; the other formats hold the "
	       "whole answer.",
	.layout = TABLE_TEXT,
	.for_people = true,
	.put = put,
};
