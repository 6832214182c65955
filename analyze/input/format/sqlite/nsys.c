/*
 * Exports of Nsight Systems: the order of work, and going through one table.
 */
#include "analyze/input/format/sqlite/nsys.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/format/sqlite/schema.h"
#include "base/compiler.h"

enum { MERGE_ROWS = 8192 };

int64_t nsys_count(struct nsys *n, const char *table)
{
	struct str sql = { 0 };
	struct rows *r = NULL;
	struct err ignored;
	int64_t count = -1;
	bool there;

	if (!database_has(n->d, table))
		return -1;
	str_addf(&sql, "SELECT count(*) FROM \"%s\"", table);
	if (rows_open(&r, n->d, sql.s, &ignored) == OK && rows_next(r, &there, &ignored) == OK &&
		there)
		count = rows_int(r, 0, -1);
	rows_close(r);
	str_free(&sql);
	return count;
}

bool nsys_times(const struct rows *r, nsec *start, nsec *dur)
{
	int64_t end;

	if (!rows_take_int(r, 0, start))
		return false;
	*dur = DECODE_NO_DURATION;
	if (rows_is_null(r, 1))
		return true;
	return rows_take_int(r, 1, &end) && !sub_overflows(end, *start, dur) &&
		*dur != DECODE_NO_DURATION;
}

void nsys_end(struct nsys *n, nsec start, nsec dur)
{
	emit_end(&n->m, start, dur, -1);
	n->nrow++;
	n->unmerged++;
}

static enum status merge(struct nsys *n, struct err *e)
{
	n->unmerged = 0;
	return emit_merge(n->out, &n->m, e);
}

static enum status next_row(
	struct nsys *n, const struct nsys_table *t, struct rows *r, bool *there, struct err *e)
{
	TRY(rows_next(r, there, e));
	if (*there && !t->row(n, r))
		emit_problem(&n->m, PROBLEM_SKIPPED_RECORD, -1);
	return OK;
}

static void note_damage(struct nsys *n, const struct err *e)
{
	if (n->damaged++ == 0)
		n->damage = *e;
}

/* Asks for those columns that are for nothing or for what somebody wants. */
static enum status ask(struct nsys *n, const struct nsys_table *t, struct rows **r, struct err *e)
{
	const char *names[TABLE_COLUMNS];
	size_t i;

	for (i = 0; i < t->ncolumn; i++) {
		const struct nsys_column *c = &t->columns[i];
		bool wanted = !c->key || emit_key(&n->m, c->key) != PLAN_NO_KEY;

		names[i] = wanted ? c->name : NULL;
	}
	return rows_of(r, n->d, t->name, names, t->ncolumn, e);
}

enum status nsys_read(struct nsys *n, const struct nsys_table *t, struct err *e)
{
	struct rows *r = NULL;
	struct err failed;
	bool there = true;
	enum status st;

	if (!database_has(n->d, t->name))
		return OK;
	st = ask(n, t, &r, &failed);
	while (st == OK && there) {
		st = next_row(n, t, r, &there, &failed);
		if (n->unmerged >= MERGE_ROWS && merge(n, e) != OK) {
			rows_close(r);
			return e->status;
		}
	}
	rows_close(r);
	if (st != OK)
		note_damage(n, &failed);
	return merge(n, e);
}

static bool is_nsys(struct database *d)
{
	static const char *const tables[] = { "META_DATA_EXPORT", "EXPORT_META_DATA",
		"ANALYSIS_DETAILS", "TARGET_INFO_SESSION_START_TIME", "TARGET_INFO_SYSTEM_ENV",
		"NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL",
		"OSRT_API" };
	size_t i;

	if (!database_has(d, "StringIds"))
		return false;
	for (i = 0; i < COUNT_OF(tables); i++)
		if (database_has(d, tables[i]))
			return true;
	return false;
}

/* An export without anything that becomes an event: what is in it, with its largest tables. */
static enum status refuse_empty(struct nsys *n, struct err *e)
{
	char *names = database_tables(n->d, ""), *name;
	struct str said = { 0 };
	size_t said_n = 0;

	for (name = names; *name && said_n < 6; name += strlen(name) + 1) {
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
	return merge(n, e);
}

static enum status read_nsys(
	struct database *d, struct format_input *in, struct emit_sink *out, struct err *e)
{
	struct nsys n = { .d = d, .in = in, .out = out };
	enum status st;

	out->producer = "Nsight Systems";
	arena_init(&n.mem);
	emitter_init(&n.m, out->plan);
#define X(member, text) n.key.member = emit_key(&n.m, text);
	NSYS_KEYS(X)
#undef X
	nsys_names_open(&n);
	nsys_places_open(&n);
	st = read_tables(&n, e);
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
