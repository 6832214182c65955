/* SQLite databases: which schema one has.  Without SQLite, sqlite/ is not part of the program. */

#include "analyze/input/format/format.h"

#ifdef HAVE_SQLITE
#include <sqlite3.h>

#include "analyze/input/format/sqlite/database.h"

static const struct schema *const schemas[] = {
#define X(name) &schema_##name,
	SCHEMAS(X)
#undef X
		NULL,
};

static enum status read_schema(
	struct database *d, struct format_input *in, struct emit_sink *out, struct err *e)
{
	for (size_t i = 0; schemas[i]; i++)
		if (schemas[i]->is(d))
			return schemas[i]->read(d, in, out, e);
	if (database_has(d, "gap_parts") && database_has(d, "ledger"))
		return err_hinted(e, E_FORMAT,
			"ask it with sqlite3, or read an export to a folder: traceq export FILE -o "
			"run.parquet/",
			"a database that traceq exported, which is not read again");
	(void)err_set(e, E_FORMAT, 0, "an SQLite database without the tables of a trace");
	return err_hint(e,
		"read are exports of Nsight Systems (nsys export --type sqlite), rocpd databases of "
		"rocprofv3 and those of Ascend's profiler");
}

static enum status read_sqlite(struct format_input *in, struct emit_sink *out, struct err *e)
{
	struct database *d;
	enum status st = database_open(&d, in, e);

	THEN(st, read_schema(d, in, out, e));
	database_close(d);
	return st;
}

const char *format_sqlite_version(void)
{
	return ", SQLite " SQLITE_VERSION;
}
#else

static enum status read_sqlite(
	struct format_input *in UNUSED, struct emit_sink *out UNUSED, struct err *e)
{
	(void)err_set(e, E_FORMAT, 0,
		"an SQLite database, and traceq was built without SQLite (package libsqlite3-dev)");
	return err_hint(e, "build it again where that is installed, or give a Chrome trace");
}

const char *format_sqlite_version(void)
{
	return "";
}
#endif

static bool is_sqlite(struct span head)
{
	static const char magic[] = "SQLite format 3";

	return head.n >= sizeof(magic) && memcmp(head.p, magic, sizeof(magic)) == 0;
}

const struct format format_sqlite = {
	.name = "sqlite",
	.title = "SQLite database of a profiler",
	.summary = "Nsight Systems' export, rocprofv3's rocpd, those of Ascend's profiler",
	.is = is_sqlite,
	.read = read_sqlite,
};
