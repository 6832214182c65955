/* Reading an artifact from memory, and looking at all of it. */
#include "tests/fuzz/read_artifact.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/input/source/source.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "tests/fuzz/memory_file.h"

/* Every cell that is known, and every series, can be looked at. */
static void walk(const struct record *r)
{
	struct series_block *block = calloc(SERIES_BLOCKS, sizeof(*block));
	size_t i, row, col, n;
	volatile double sum = 0; /* so that nothing is left out */

	if (!block)
		abort();
	for (i = 0; i < r->nseries; i++) {
		sum += (double)series_blocks(r->series[i], block) + series_std(r->series[i], 1);
		(void)series_sample(r->series[i], &n);
	}
	for (i = 0; i < r->nsheet; i++)
		for (row = 0; row < r->sheet[i]->table.nrow; row++)
			for (col = 0; col < r->sheet[i]->table.ncol; col++) {
				const struct table *t = &r->sheet[i]->table;
				const union cell *c = table_cell(t, row, col);

				if (c && t->col[col].type == CELL_TEXT && c->s.n)
					sum += (double)c->s.p[0] + (double)c->s.p[c->s.n - 1];
			}
	(void)sum;
	free(block);
}

void read_artifact(const struct artifact *kind, const uint8_t *data, size_t size)
{
	struct memory_file f = { data, size, 0, 0 };
	struct head *head = malloc(sizeof(*head));
	struct source s;
	struct span text;
	struct run run;
	struct err e;
	enum status st;

	err_clear(&e);
	if (!head || source_open_reader(&s, memory_read, &f, NULL, &e) != OK) {
		free(head);
		return;
	}
	run_init(&run, 0);
	st = source_peek(&s, HEAD_BYTES, &text, &e);
	if (st == OK) {
		head_look(head, text, text.n < HEAD_BYTES);
		(void)artifact_probe(kind, head);
		st = merge_artifact(&s, "fuzz", head, kind, false, &run, &e);
	}
	if (st == OK)
		walk(run.record);
	else if (e.text[0] == '\0' || e.status != st)
		abort();
	source_close(&s);
	run_clear(&run);
	free(head);
}
