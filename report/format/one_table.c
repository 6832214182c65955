/* Which table of a result is the one, and which columns it has. */
#include "report/format/one_table.h"

static bool has_column(const struct one_table *t, const char *key)
{
	return ANY(i, t->ncolumn, strcmp(t->column[i]->key, key) == 0);
}

static void choose_tables(struct one_table *t, struct arena *mem)
{
	const struct result *r = t->r;
	const char *id = NULL;

	for (size_t i = 0; i < r->ntable && !id; i++)
		if (r->table[i]->layout == TABLE_GRID || r->table[i]->layout == TABLE_TORCH)
			id = r->table[i]->id;
	if (!id && r->ntable)
		id = r->table[0]->id;
	t->table = arena_array(mem, r->ntable + 1, sizeof(*t->table));
	for (size_t i = 0; i < r->ntable; i++)
		if (id && strcmp(r->table[i]->id, id) == 0)
			t->table[t->ntable++] = r->table[i];
}

static void choose_columns(struct one_table *t, struct arena *mem)
{
	size_t most = 1;

	for (size_t i = 0; i < t->ntable; i++)
		most += t->table[i]->ncol;
	t->column = arena_array(mem, most, sizeof(*t->column));
	for (size_t i = 0; i < t->ntable; i++)
		for (size_t j = 0; j < t->table[i]->ncol; j++)
			if (!has_column(t, t->table[i]->col[j].key))
				t->column[t->ncolumn++] = &t->table[i]->col[j];
	for (size_t i = 0; i < t->ntable; i++)
		t->has_input |= t->r->ninput > 1 && t->table[i]->input >= 0;
	t->has_input &= !has_column(t, "input");
}

void one_table_of(struct one_table *t, const struct result *r, struct arena *mem)
{
	*t = (struct one_table){ .r = r };
	choose_tables(t, mem);
	choose_columns(t, mem);
}

void one_table_columns(const struct one_table *t, const struct table *part, size_t *at)
{
	for (size_t i = 0; i < t->ncolumn; i++)
		at[i] = table_find_column(part, t->column[i]->key, &at[i]) ? at[i] + 1 : 0;
}

struct span one_table_input(const struct one_table *t, const struct table *part)
{
	return part->input < 0 ? SPAN("") : span_of(t->r->input[part->input]);
}
