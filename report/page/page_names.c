/*
 * Names of kernels and ops in the tables of a document.
 */
#include "base/name/name.h"
#include "report/page/page.h"

const char **page_short_names(struct arena *mem, const struct page_block *b, size_t letters)
{
	const char **cell = arena_array(mem, b->nrow * b->ncol + 1, sizeof(*cell));
	struct span *name = arena_array(mem, b->nrow + 1, sizeof(*name));
	size_t i, j;

	for (i = 0; i < b->nrow * b->ncol; i++)
		cell[i] = b->cell[i];
	for (j = 0; j < b->ncol; j++) {
		const struct span *text;

		if (!b->is_name || !b->is_name[j])
			continue;
		for (i = 0; i < b->nrow; i++)
			name[i] = span_of(cell[i * b->ncol + j]);
		text = names_shorten(mem, name, b->nrow, letters, true);
		for (i = 0; i < b->nrow; i++)
			cell[i * b->ncol + j] = text[i].p;
	}
	return cell;
}
