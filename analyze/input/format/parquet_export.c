/* Exports of traceq: the table of events as a file, and others of the same run beside it. */
#include "analyze/input/format/parquet/parquet_in.h"

#include "analyze/input/events/finish.h"
#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/format.h"
#include "analyze/input/format/parquet/export_files.h"
#include "analyze/input/format/parquet/restore.h"
#include "analyze/input/source/source.h"

enum { PIECE = 1 << 20 };
static const size_t BYTES_MAX = (size_t)1 << 34;

/* All bytes of a file, with room behind them. */
static enum status read_all(struct source *s, struct str *bytes, struct err *e)
{
	size_t got = PIECE;

	while (got == PIECE) {
		if (bytes->n > BYTES_MAX)
			return err_set(e, E_LIMIT, -1, "a Parquet file of more than 16 GiB");
		bytes->s = array_grow(bytes->s, &bytes->cap, bytes->n + PIECE + PARQUET_PADDING, 1);
		TRY(source_read(s, bytes->s + bytes->n, PIECE, &got, e));
		bytes->n += got;
	}
	memset(bytes->s + bytes->n, 0, PARQUET_PADDING);
	return OK;
}

/* Another table, whose bytes stay until the next. */
struct beside {
	const char *path; /* of the events */
	struct str bytes;
};

static enum status open_table(void *ctx, const char *table, struct parquet_in *p, struct err *e)
{
	struct beside *b = ctx;
	SCOPED_ARENA mem = { 0 };
	const char *path = b->path ? export_file_beside(b->path, table, &mem) : NULL;
	struct source s;

	str_reset(&b->bytes);
	if (!path || source_open(&s, path, NULL, e) != OK)
		return err_hinted(e, E_NODATA,
			"give the folder that 'traceq export' wrote, with all tables in it",
			"the export's table '%s' is not beside its events", table);
	enum status st = read_all(&s, &b->bytes, e);
	source_close(&s);
	THEN(st, parquet_open(p, (struct span){ b->bytes.s, b->bytes.n }, false, e));
	return st;
}

static enum status restore(
	const struct parquet_in *p, struct format_input *in, struct emit_sink *out, struct err *e)
{
	struct beside b = { .path = in->path };
	const struct restore_sides sides = { open_table, &b };

	TRY(restore_knows(p, e));
	if (!span_is(p->table, EXPORT_EVENTS))
		return err_hinted(e, E_FORMAT,
			"give the folder that 'traceq export' wrote, with its table 'events'",
			"the table '%.*s' of an export; what is read is its events",
			(int)MIN(p->table.n, (size_t)40), p->table.p);
	if (out->plan->tap)
		return err_hinted(e, E_NODATA, "give the trace itself",
			"an export has no events to copy, only their columns");
	enum status st = restore_run(p, &sides, out, e);
	str_free(&b.bytes);
	out->g->is_restored = st == OK;
	return st;
}

static enum status read_parquet(struct format_input *in, struct emit_sink *out, struct err *e)
{
	SCOPED_STR bytes = { 0 };
	struct parquet_in p = { 0 };
	enum status st = read_all(in->source, &bytes, e);

	THEN(st, parquet_open(&p, (struct span){ bytes.s, bytes.n }, false, e));
	THEN(st, restore(&p, in, out, e));
	parquet_close(&p);
	return st;
}

const struct format format_parquet = {
	.name = "parquet",
	.title = "export of traceq (Parquet)",
	.summary = "traceq export",
	.is = parquet_is,
	.read = read_parquet,
};
