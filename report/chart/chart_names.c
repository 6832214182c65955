/*
 * Names of categories as pictures have room for them.
 */
#include "base/name/name.h"
#include "report/chart/chart.h"

static const char **shortened(
	struct arena *mem, const struct chart_panel *p, const struct span *whole, size_t letters)
{
	const struct span *text = names_shorten(mem, whole, p->nname, letters, true);
	const char **name = arena_array(mem, p->nname + 1, sizeof(*name));
	size_t i;

	for (i = 0; i < p->nname; i++)
		name[i] = text[i].p;
	return name;
}

void chart_shorten_names(struct chart *c)
{
	size_t i, k;

	for (k = 0; k < c->npanel; k++) {
		struct chart_panel *p = &c->panel[k];
		struct span *whole = arena_array(&c->mem, p->nname + 1, sizeof(*whole));

		for (i = 0; i < p->nname; i++)
			whole[i] = span_of(p->whole[i]);
		p->name = shortened(&c->mem, p, whole, THEME_NAME_LETTERS);
		p->brief = shortened(&c->mem, p, whole, THEME_BRIEF_LETTERS);
	}
}
