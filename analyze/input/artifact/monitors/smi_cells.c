/*
 * Cells of tables that are made to be looked at.
 */
#include "analyze/input/artifact/monitors/smi_cells.h"

#include <string.h>

#include "base/ascii.h"

static void split_commas(struct span line, struct smi_cells *c)
{
	static const char blank[] = "";
	const char *p = line.p, *end = line.p + line.n;

	while (c->n < SMI_CELLS && p <= end) {
		const char *q = memchr(p, ',', (size_t)(end - p));
		size_t n = (size_t)((q ? q : end) - p);

		c->v[c->n++] = n ? span_trim((struct span){ p, n }) : (struct span){ blank, 0 };
		p += n + 1;
	}
}

/* Words, or what is apart by two blanks and more; "Not Supported" is one. */
static void split_blanks(struct span line, bool is_wide, struct smi_cells *c)
{
	const char *p = line.p, *end = line.p + line.n;

	while (c->n < SMI_CELLS) {
		const char *from;

		while (p < end && is_space_or_tab(*p))
			p++;
		if (p == end)
			return;
		for (from = p; p < end; p++)
			if (*p == '\t' || (*p == ' ' && (!is_wide || p + 1 == end || p[1] == ' ')))
				break;
		c->v[c->n] = (struct span){ from, (size_t)(p - from) };
		if (c->n > 0 && span_is(c->v[c->n - 1], "Not") &&
			(span_is(c->v[c->n], "Supported") || span_is(c->v[c->n], "Found")))
			c->v[c->n - 1].n = (size_t)(p - c->v[c->n - 1].p);
		else
			c->n++;
	}
}

void smi_cells_split(struct span line, bool has_commas, bool is_wide, struct smi_cells *c)
{
	c->n = 0;
	if (has_commas)
		split_commas(line, c);
	else
		split_blanks(line, is_wide, c);
}
