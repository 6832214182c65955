/*
 * rocpd: how its tables are asked, whichever columns a version has.
 */
#include "analyze/input/format/sqlite/rocpd.h"

/* "rocpd_info_node_0198..." */
static void add_name(struct str *to, const struct rocpd *r, const char *table)
{
	str_adds(to, table);
	str_adds(to, r->suffix);
}

bool rocpd_has(struct rocpd *r, const char *table, const char *column)
{
	struct str name = { 0 };
	bool has;

	add_name(&name, r, table);
	has = column ? database_has_column(r->d, name.s, column) : database_has(r->d, name.s);
	str_free(&name);
	return has;
}

void rocpd_select(struct rocpd *r)
{
	str_reset(&r->sql);
	str_adds(&r->sql, "SELECT 1");
}

void rocpd_column(struct rocpd *r, const char *table, const char *alias, const char *column)
{
	if (rocpd_has(r, table, column))
		str_addf(&r->sql, ", %s.\"%s\"", alias, column);
	else
		str_adds(&r->sql, ", NULL");
}

enum status rocpd_ask(struct rocpd *r, const char *table, const char *alias, const char *more,
	struct rows **rows, struct err *e)
{
	str_adds(&r->sql, " FROM \"");
	add_name(&r->sql, r, table);
	str_addf(&r->sql, "\" %s", alias);
	for (; *more; more++) {
		if (*more == '%')
			str_adds(&r->sql, r->suffix);
		else
			str_addc(&r->sql, *more);
	}
	return rows_open(rows, r->d, r->sql.s, e);
}

const struct rocpd_value *rocpd_find(struct rocpd_map *m, int64_t id)
{
	uint32_t at = keymap_find(&m->key, &id);

	return at == KEYMAP_NONE ? NULL : &m->value[at];
}
