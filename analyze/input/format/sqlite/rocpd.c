/* rocpd: the processes of a file. */
#include "analyze/input/format/sqlite/rocpd.h"

#include <stdlib.h>

/* All files have it, and no other profiler's. */
static const char node_table[] = "rocpd_info_node";

static void maps_do(struct rocpd *r, void (*with)(struct valuemap *m))
{
	with(&r->strings);
	with(&r->categories);
	with(&r->kernels);
	with(&r->agents);
	with(&r->processes);
	with(&r->threads);
}

static void map_init(struct valuemap *m)
{
	valuemap_init(m, sizeof(int64_t), sizeof(struct rocpd_value));
}

static void map_empty(struct valuemap *m)
{
	keymap_empty(&m->key);
}

static enum status read_suffix(struct rocpd *r, struct err *e)
{
	maps_do(r, map_empty);
	TRY(rocpd_names(r, e));
	return rocpd_events(r, e);
}

static enum status read_all(struct rocpd *r, struct err *e)
{
	char *tables = database_tables(r->d, node_table);
	enum status st = OK;

	for (char *t = tables; *t && st == OK; t += strlen(t) + 1) {
		r->suffix = t + sizeof(node_table) - 1;
		st = read_suffix(r, e);
	}
	free(tables);
	return st == OK ? rocm_finish(&r->rocm, e) : st;
}

static enum status read_rocpd(
	struct database *d, struct format_input *in UNUSED, struct emit_sink *out, struct err *e)
{
	struct rocpd r = { .d = d };

	rocm_open(&r.rocm, out);
	maps_do(&r, map_init);
	map_init(&r.nodes);
	enum status st = read_all(&r, e);
	maps_do(&r, valuemap_clear);
	valuemap_clear(&r.nodes);
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
