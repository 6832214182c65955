/*
 * rocpd: the processes of a file, and how its tables are asked.
 */
#include "analyze/input/format/sqlite/rocpd.h"

#include <stdlib.h>

#include "analyze/input/format/sqlite/schema.h"

/* All files have it, and no other profiler's. */
static const char node_table[] = "rocpd_info_node";

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

static void maps_do(struct rocpd *r, void (*with)(struct rocpd_map *m))
{
	with(&r->strings);
	with(&r->categories);
	with(&r->kernels);
	with(&r->agents);
	with(&r->processes);
	with(&r->threads);
}

static void map_init(struct rocpd_map *m)
{
	keymap_init(&m->key, sizeof(int64_t));
}

static void map_empty(struct rocpd_map *m)
{
	keymap_empty(&m->key);
}

static void map_clear(struct rocpd_map *m)
{
	keymap_clear(&m->key);
	free(m->value);
}

const struct rocpd_value *rocpd_find(struct rocpd_map *m, int64_t id)
{
	uint32_t at = keymap_find(&m->key, &id);

	return at == KEYMAP_NONE ? NULL : &m->value[at];
}

static enum status read_suffix(struct rocpd *r, struct err *e)
{
	maps_do(r, map_empty);
	TRY(rocpd_names(r, e));
	return rocpd_events(r, e);
}

static enum status read_all(struct rocpd *r, struct err *e)
{
	char *tables = database_tables(r->d, node_table), *t;
	enum status st = OK;

	for (t = tables; *t && st == OK; t += strlen(t) + 1) {
		r->suffix = t + sizeof(node_table) - 1;
		st = read_suffix(r, e);
	}
	free(tables);
	return st == OK ? rocm_finish(&r->rocm, e) : st;
}

static enum status read_rocpd(
	struct database *d, struct format_input *in, struct emit_sink *out, struct err *e)
{
	struct rocpd r = { .d = d };
	enum status st;

	(void)in;
	rocm_open(&r.rocm, out);
	maps_do(&r, map_init);
	map_init(&r.nodes);
	st = read_all(&r, e);
	maps_do(&r, map_clear);
	map_clear(&r.nodes);
	str_free(&r.sql);
	rocm_close(&r.rocm);
	return st;
}

static bool is_rocpd(struct database *d)
{
	char *tables = database_tables(d, node_table);
	bool is = *tables;

	free(tables);
	return is;
}

const struct schema schema_rocpd = {
	.name = "rocpd",
	.title = "rocpd database of rocprofv3",
	.is = is_rocpd,
	.read = read_rocpd,
};
