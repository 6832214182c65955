/* Exports of Nsight Systems: whether it is one, and the order of work. */
#include "analyze/input/format/sqlite/nsys.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/trace/producers.h"
#include "base/search.h"

static bool is_nsys(struct database *d)
{
	static const char *const tables[] = { "META_DATA_EXPORT", "EXPORT_META_DATA",
		"ANALYSIS_DETAILS", "TARGET_INFO_SESSION_START_TIME", "TARGET_INFO_SYSTEM_ENV",
		"NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL",
		"OSRT_API" };

	if (!database_has(d, "StringIds"))
		return false;
	return ANY(i, COUNT_OF(tables), database_has(d, tables[i]));
}

/* An export without anything that becomes an event: what is in it, with its largest tables. */
static enum status refuse_empty(struct nsys *n, struct err *e)
{
	char *names = database_tables(n->d, "");
	struct str said = { 0 };
	size_t said_n = 0;

	for (char *name = names; *name && said_n < 6; name += strlen(name) + 1) {
		int64_t rows = nsys_count(n, name);

		if (rows <= 0 || strstr(name, "ENUM_") || strstr(name, "META_DATA") ||
			strstr(name, "TARGET_INFO") || strstr(name, "NVTX_PAYLOAD"))
			continue;
		str_addf(&said, "%s%s (%" PRId64 ")", said_n++ ? ", " : "", name, rows);
	}
	(void)err_set(e, E_NODATA, -1,
		"an export of Nsight Systems without CUDA work and without NVTX ranges%s%s",
		said_n ? "; it holds " : "", said_n ? said.s : "");
	str_free(&said);
	free(names);
	return err_hint(e, "record with nsys profile --trace=cuda,nvtx, and export that report");
}

static enum status read_tables(struct nsys *n, struct err *e)
{
	TRY(nsys_read_device(n, e));
	TRY(nsys_read_calls(n, e));
	TRY(nsys_read_ranges(n, e));
	TRY(nsys_read_syncs(n, e));
	TRY(nsys_read_memory(n, e));
	if (n->nrow == 0 && n->damaged) {
		*e = n->damage;
		return e->status;
	}
	if (n->nrow == 0)
		return refuse_empty(n, e);
	nsys_read_facts(n);
	while (n->damaged-- > 0)
		emit_problem(&n->m, PROBLEM_DAMAGED_TABLE, -1);
	return nsys_merge(n, e);
}

static enum status read_nsys(
	struct database *d, struct format_input *in, struct emit_sink *out, struct err *e)
{
	struct nsys n = { .d = d, .in = in, .out = out };

	out->producer = &producers[PRODUCER_NSYS];
	arena_init(&n.mem);
	emitter_init(&n.m, out->plan);
#define X(member, text) n.key.member = emit_key(&n.m, text);
	NSYS_KEYS(X)
#undef X
	nsys_names_open(&n);
	nsys_places_open(&n);
	enum status st = read_tables(&n, e);
	nsys_places_close(&n);
	nsys_names_close(&n);
	emitter_clear(&n.m);
	arena_clear(&n.mem);
	return st;
}

const struct schema schema_nsys = {
	.name = "nsys",
	.title = "Nsight Systems export",
	.is = is_nsys,
	.read = read_nsys,
};
