/*
 * The door: files, folders, and readers of the caller's.
 */
#include "analyze/input/load.h"

#include <stdlib.h>

#include "analyze/input/events/scan.h"
#include "analyze/input/folder.h"
#include "analyze/input/format/format.h"
#include "analyze/input/source/inflate.h"
#include "analyze/input/source/libarchive.h"
#include "analyze/input/source/source.h"
#include "analyze/trace/columns/record.h"

enum status load_path(
	const char *path, const struct load_options *o, struct run *run, struct err *e)
{
	return folder_is(path) ? load_folder(path, o, run, e) : load_single(path, o, run, e);
}

enum status load_single(
	const char *path, const struct load_options *o, struct run *run, struct err *e)
{
	load_begin(run, path, o);
	return load_end(run, o, load_file(path, o, run, e), e);
}

enum status load_reader(ssize_t (*read)(void *ctx, void *buf, size_t n), void *ctx,
	const char *path, const struct load_options *o, struct run *run, struct err *e)
{
	const char *inflate = load_or_environment(o->inflate, "TRACEQ_INFLATE");
	struct source s;
	enum status st;

	load_begin(run, path, o);
	st = source_open_reader(&s, read, ctx, inflate, e);
	if (st == OK)
		st = load_source(&s, path, o, run, e);
	return load_end(run, o, st, e);
}

enum status load_want_trace(const struct run *r, struct err *e)
{
	if (r->has_trace)
		return OK;
	(void)err_set(e, E_FORMAT, -1, "there is no trace in it");
	return record_hint(r->record, false, e);
}

enum status load_want_events(const struct run *r, struct err *e)
{
	TRY(load_want_trace(r, e));
	if (!r->kept)
		return OK;
	(void)err_set(e, E_FORMAT, -1, "it is a digest, and has no events");
	return err_hint(e, "name the trace that it was made of; 'traceq info' says which");
}

const char *load_inflate_version(void)
{
	return inflate_versions();
}

const char *load_sqlite_version(void)
{
	return format_sqlite_version();
}

const char *load_archive_version(void)
{
	return libarchive_version();
}

const char *load_scanner_name(void)
{
	return scanner_pick(getenv("TRACEQ_SCANNER"))->name;
}
