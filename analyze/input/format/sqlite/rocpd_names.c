/*
 * rocpd: what ids stand for.  Each table is read once, into a map; how tables are asked, whichever
 * columns a version has.
 */

#include "analyze/input/format/sqlite/rocpd.h"
#include "analyze/input/text/limits.h"

/* --- how tables are asked, whichever columns a version has --- */

/* "rocpd_info_node_0198..." */
static void add_name(struct str *to, const struct rocpd *r, const char *table)
{
	str_adds(to, table);
	str_adds(to, r->suffix);
}

bool rocpd_has(struct rocpd *r, const char *table, const char *column)
{
	struct str name = { 0 };

	add_name(&name, r, table);
	bool has = column ? database_has_column(r->d, name.s, column) : database_has(r->d, name.s);
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

const struct rocpd_value *rocpd_find(struct valuemap *m, int64_t id)
{
	return valuemap_find(m, &id);
}

/* --- what ids stand for --- */

/* A row's value, new or in place of another of that id. */
static void put(struct valuemap *m, int64_t id, struct rocpd_value v)
{
	*(struct rocpd_value *)valuemap_slot(m, &id, NULL) = v;
}

/* A table with its columns, each of which may be missing, and what becomes of its rows. */
struct table {
	const char *name, *column[8];
	void (*take)(struct rocpd *r, const struct rows *rows);
};

static enum status read_table(struct rocpd *r, const struct table *t, struct err *e)
{
	struct rows *rows = NULL;
	bool there;

	if (!rocpd_has(r, t->name, NULL))
		return OK;
	rocpd_select(r);
	for (size_t i = 0; i < COUNT_OF(t->column) && t->column[i]; i++)
		rocpd_column(r, t->name, "t", t->column[i]);
	enum status st = rocpd_ask(r, t->name, "t", " ORDER BY t.id", &rows, e);
	while (st == OK && (st = rows_next(rows, &there, e)) == OK && there)
		t->take(r, rows);
	rows_close(rows);
	return st;
}

/* Columns are counted from 1: the first of a question is a constant. */

static void take_string(struct rocpd *r, const struct rows *rows)
{
	put(&r->strings, rows_int(rows, 1, -1),
		(struct rocpd_value){ rocm_keep(&r->rocm, rows_text(rows, 2)), 0, 0 });
}

static void take_category(struct rocpd *r, const struct rows *rows)
{
	put(&r->categories, rows_int(rows, 1, -1),
		(struct rocpd_value){ rocm_keep(&r->rocm, rows_text(rows, 2)), 0, 0 });
}

static void take_node(struct rocpd *r, const struct rows *rows)
{
	int64_t hash = rows_int(rows, 1, 0);

	if (!rocpd_find(&r->nodes, hash))
		put(&r->nodes, hash, (struct rocpd_value){ .number = r->gpus });
	r->gpu_base = rocpd_find(&r->nodes, hash)->number;
	rocm_member(&r->rocm, "host_name", rows_text(rows, 3));
}

/* The last part of the program's path. */
static struct span program(struct span command)
{
	size_t i, from = 0;

	for (i = 0; i < command.n && command.p[i] != ' '; i++)
		if (command.p[i] == '/')
			from = i + 1;
	return (struct span){ command.p + from, i - from };
}

static void take_process(struct rocpd *r, const struct rows *rows)
{
	struct span command = rows_text(rows, 4);
	struct rocpd_value v = { .number = rows_int(rows, 2, -1), .second = r->nprocess++ };

	put(&r->processes, rows_int(rows, 1, -1), v);
	if (command.n) {
		rocm_process_name(&r->rocm, v.number, program(command));
		rocm_member(&r->rocm, "command", command);
	}
}

static void take_thread(struct rocpd *r, const struct rows *rows)
{
	const struct rocpd_value *process = rocpd_find(&r->processes, rows_int(rows, 2, -1));
	struct span name = rows_text(rows, 4);
	int64_t tid = rows_int(rows, 3, -1);

	put(&r->threads, rows_int(rows, 1, -1), (struct rocpd_value){ .number = tid });
	if (name.n && process)
		rocm_thread_name(&r->rocm, process->number, tid, name);
}

static void take_agent(struct rocpd *r, const struct rows *rows)
{
	struct rocpd_value v = { .number = -1 };
	struct span name = rows_text(rows, 5), rest;

	if (span_is(rows_text(rows, 2), "GPU")) {
		v.number = rows_int(rows, 3, -1);
		v.number =
			v.number >= 0 && v.number < LIMIT_META_GPUS ? v.number + r->gpu_base : -1;
	}
	put(&r->agents, rows_int(rows, 1, -1), v);
	if (v.number < 0)
		return;
	if (v.number >= r->gpus)
		r->gpus = v.number + 1;
	struct span info = rows_text(rows, 6);
	if (info.n > 2) { /* not "{}" */
		rocm_gpu_of_json(&r->rocm, json_value(info, &rest), v.number);
		return;
	}
	if (!name.n)
		name = rows_text(rows, 4);
	rocm_gpu(&r->rocm,
		&(struct rocm_gpu){ v.number, rocm_keep(&r->rocm, name), -1, -1, -1, -1, -1, -1 });
}

static void take_kernel(struct rocpd *r, const struct rows *rows)
{
	struct span name = rows_text(rows, 2);
	int64_t accum = rows_int(rows, 5, -1);
	struct rocpd_value v = { .number = rows_int(rows, 4, -1), .second = accum };

	if (!name.n)
		name = rows_text(rows, 3);
	v.text = rocm_keep(&r->rocm, name);
	put(&r->kernels, rows_int(rows, 1, -1), v);
}

/* Those that others refer to come first. */
static const struct table tables[] = {
	{ "rocpd_string", { "id", "string" }, take_string },
	{ "rocpd_info_category", { "id", "name" }, take_category },
	{ "rocpd_info_node", { "hash", "id", "hostname" }, take_node },
	{ "rocpd_info_process", { "id", "pid", "nid", "command" }, take_process },
	{ "rocpd_info_thread", { "id", "pid", "tid", "name" }, take_thread },
	{ "rocpd_info_agent", { "id", "type", "type_index", "name", "product_name", "extdata" },
		take_agent },
	{ "rocpd_info_kernel_symbol",
		{ "id", "display_name", "kernel_name", "arch_vgpr_count", "accum_vgpr_count" },
		take_kernel },
};

enum status rocpd_names(struct rocpd *r, struct err *e)
{
	for (size_t i = 0; i < COUNT_OF(tables); i++)
		TRY(read_table(r, &tables[i], e));
	return OK;
}
