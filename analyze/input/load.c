/* The door: files, folders, whose artifacts and one trace become a run, and readers of the
 * caller's. */
#include "analyze/input/load.h"

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/events/scan.h"
#include "analyze/input/folder.h"
#include "analyze/input/format/format.h"
#include "analyze/input/load_twice.h"
#include "analyze/input/run_parts.h"
#include "analyze/input/source/inflate.h"
#include "analyze/input/source/libarchive.h"
#include "analyze/input/source/source.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/runpath.h"

/* --- folders --- */

/* The folder's trace: on failure nothing of it stays in the run. */
static enum status load_its_trace(
	const char *path, const struct load_options *o, struct run *run, struct err *e)
{
	struct run whole;

	load_begin(&whole, run->path, o);
	if (load_file(path, o, &whole, e) != OK) {
		run_clear(&whole);
		return e->status;
	}
	tally_merge(&whole.tally, &run->tally);
	whole.record = run->record;
	run->record = NULL;
	run_clear(run);
	*run = whole;
	return OK;
}

/* Another rank of the run, or a repeat. */
static void be_further(struct record *r, const struct folder_file *f, struct record_file *entry)
{
	int64_t rank = runpath_rank(f->name);

	entry->state = FILE_FURTHER;
	entry->why = "a further trace of the run, looked at by itself";
	if (rank >= 0)
		entry->why = arena_printf(&r->mem, "rank %" PRId64 " of the run", rank);
}

/* One of two of a name: which is read, or what tells them apart where both are. */
static void say_twice(struct record *r, const struct folder_file *f, struct record_file *entry)
{
	SCOPED_STR why = { 0 };
	bool is_same = twice_put(f, &why), is_other = f->twin->is_other;

	entry->why = arena_copy(&r->mem, why.s, why.n);
	if (is_other || !is_same)
		record_note(r, -1, is_other ? NOTE_INFO : NOTE_WARNING, "twice", -1, "%s: %s",
			f->name, why.s);
}

/* What is known to be there and is not read into the run. */
static void leave_out(struct record *r, const struct folder_file *f, struct record_file *entry)
{
	entry->state = FILE_LEFT_OUT;
	if (f->what == FOLDER_FURTHER)
		be_further(r, f, entry);
	else if (f->what == FOLDER_BESIDE)
		entry->why = "it lies above several runs; give it by itself";
	else
		say_twice(r, f, entry);
}

/* A file of a folder, unless it is a second trace. */
static enum status load_member(
	const struct folder_file *f, const struct load_options *o, struct run *run, struct err *e)
{
	struct record_file entry = {
		.name = f->name, .kind = "", .title = "", .why = f->why, .bytes = f->bytes
	};
	struct load_options with = *o;
	enum status st = OK;

	if (f->what != FOLDER_UNKNOWN && f->what != FOLDER_DAMAGED) {
		entry.kind = f->kind ? f->kind->name : "trace";
		entry.title = f->kind ? f->kind->title : "trace";
	}
	if (f->what == FOLDER_UNKNOWN) {
		entry.state = FILE_UNKNOWN;
	} else if (f->what == FOLDER_DAMAGED) {
		entry.state = FILE_DAMAGED;
	} else if (f->what == FOLDER_JOINED) {
		entry.kind = f->is_log ? "log" : "table";
		entry.title = f->is_log ? "log of a database" : "table of a trace";
		entry.state = FILE_READ;
	} else if (!twice_is_read(f)) {
		leave_out(run->record, f, &entry);
	} else if (f->what == FOLDER_TRACE && run->has_trace) {
		entry.state = FILE_LEFT_OUT;
		entry.why = "a run has the events of one trace; give this file by itself";
	} else {
		with.beside = f->beside;
		st = f->what == FOLDER_TRACE ? load_its_trace(f->path, &with, run, e)
					     : load_file(f->path, o, run, e);
		if (st == OK && f->twin)
			say_twice(run->record, f, &entry);
		if (st != OK) {
			entry.state = st == E_NODATA ? FILE_UNKNOWN : FILE_DAMAGED;
			entry.why = e->text;
		}
	}
	record_file(run->record, &entry);
	/* Of a damaged record nothing is known, and an export says what it cannot answer. */
	const bool is_alone = f->is_record || f->format == &format_parquet;
	return o->strict || is_alone ? st : OK;
}

/* In which order files are read: as walked, but those that repeat others behind them. */
struct turn {
	bool is_copy;
	size_t twin, i;
};

ORDER(by_turn, struct turn, compare3(a->is_copy, b->is_copy), compare3(a->twin, b->twin),
	compare3(a->i, b->i))

static struct turn *find_turns(const struct folder_file *const *file, size_t n, struct arena *mem)
{
	struct turn *v = arena_array(mem, n, sizeof(*v));

	for (size_t i = 0; i < n; i++)
		v[i] = (struct turn){ twice_is_read(file[i]) && file[i]->kind &&
				file[i]->kind->is_copy,
			file[i]->twin && file[i]->twin->is_other ? file[i]->twin->turn : 0, i };
	sort_rows(v, n, sizeof(*v), by_turn);
	return v;
}

/* What could not be read of a folder: its figures are in no answer. */
static void say_damaged(struct record *r)
{
	const struct record_file *first = NULL;
	int64_t n = 0;

	for (EACH(const struct record_file, f, r->file, r->nfile)) {
		bool is = f->state == FILE_DAMAGED && f->bytes > 0;

		first = is && n == 0 ? f : first;
		n += is;
	}
	if (first)
		record_note(r, RECORD_OF_RUN, NOTE_WARNING, "damaged_files", n,
			"%lld file%s cannot be read, the first %s: %s", (long long)n, plural_s(n),
			first->name, first->why);
}

/* Some files of a folder (analyze/input/folder.h) as one run; path is the run's name for messages.
 * The first trace among them is read, further ones are left out.  Strict: a file that is damaged is
 * an error, else it is FILE_DAMAGED in the record. */
static enum status load_some(const char *path, const struct folder_file *const *file, size_t n,
	const struct load_options *o, struct run *run, struct err *e)
{
	enum status st = OK;

	load_begin(run, path, o);
	run->record = record_new();
	run->record->is_folder = true;
	run->record->is_packed = n > 0 && strncmp(file[0]->path, path, strlen(path)) == 0 &&
		file[0]->path[strlen(path)] == '!';
	const struct turn *turn = find_turns(file, n, &run->record->mem);
	for (size_t i = 0; i < n && st == OK; i++)
		st = load_member(file[turn[i].i], o, run, e);
	say_damaged(run->record);
	if (!run->container)
		run->container = "folder";
	return load_end(run, o, st, e);
}

/* shown: what the run is called; where that is not the folder, the note says which it is about. */
static void say_left_out(struct record *r, const struct folder *f, const char *shown)
{
	bool is_of_run = strcmp(shown, f->path) == 0, is_odd;
	SCOPED_STR b = { 0 };
	int64_t all = folder_put_left_out(f, &b, &is_odd);

	if (all)
		record_note(r, is_of_run ? RECORD_OF_RUN : RECORD_OF_FOLDER,
			is_odd ? NOTE_WARNING : NOTE_INFO, "not_looked_at", all,
			"%s%snot looked at: %s", is_of_run ? "" : f->path, is_of_run ? "" : ": ",
			b.s);
}

/* Which of a folder's traces the events are of, where it has but one run's. */
static void say_trace(struct record *r)
{
	const char *used = NULL;
	int64_t others = 0;

	for (size_t i = 0; i < r->nfile; i++) {
		if (strcmp(r->file[i].kind, "trace") != 0)
			continue;
		others += r->file[i].state == FILE_LEFT_OUT || r->file[i].state == FILE_FURTHER;
		if (!used && r->file[i].state == FILE_READ)
			used = r->file[i].name;
	}
	if (used && others)
		record_note(r, -1, NOTE_WARNING, "folder_trace", others,
			"the events are those of %s; further traces of the folder: %lld (give "
			"each by itself, or the folder to diff, gate or noise)",
			used, (long long)others);
	else if (used)
		record_note(
			r, -1, NOTE_INFO, "folder_trace", -1, "the events are those of %s", used);
}

static enum status be_whole(const struct folder *f, const struct load_options *o, struct err *e)
{
	if (!o->strict || !f->damage)
		return OK;
	return err_hinted(e, E_TRUNCATED, "without --strict, what is there is analyzed",
		"cannot read %s", f->damage);
}

/* A folder as one run; load_path's way for folders. */
static enum status load_folder(
	const char *path, const struct load_options *o, struct run *run, struct err *e)
{
	const struct folder_file **file;
	struct part *part;
	struct folder f;
	enum status st =
		folder_read(&f, path, load_or_environment(o->inflate, "TRACEQ_INFLATE"), e);

	THEN(st, be_whole(&f, o, e));
	if (st == OK) {
		(void)parts_of(&f, path, &part); /* says what is there twice */
		twice_settle(&f, o->inflate);
		file = arena_array(&f.mem, f.n, sizeof(*file));
		for (size_t i = 0; i < f.n; i++)
			file[i] = &f.file[i];
		st = load_some(path, file, f.n, o, run, e);
		if (st == OK) {
			run->record->beyond = f.too_many;
			say_trace(run->record);
			say_left_out(run->record, &f, path);
		}
	}
	folder_clear(&f);
	return st;
}

enum status load_missing(
	const char *path, const struct load_options *o, struct run *run, struct err *e)
{
	TRY(load_some(path, NULL, 0, o, run, e));
	run->record->is_missing = true;
	return OK;
}

enum status load_part(const struct folder *f, const struct part *part, const char *shown,
	const struct load_options *o, struct run *run, struct err *e)
{
	bool is_whole = strcmp(part->path, f->path) == 0;

	TRY(be_whole(f, o, e));
	TRY(load_some(part->path, part->file, part->n, o, run, e));
	run->record->beyond = f->too_many;
	if (is_whole && part->ntrace == 0)
		say_trace(run->record);
	if (part->is_first)
		say_left_out(run->record, f, shown);
	return OK;
}

/* --- the door --- */

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

	load_begin(run, path, o);
	enum status st = source_open_reader(&s, read, ctx, inflate, e);
	THEN(st, load_source(&s, path, o, run, e));
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
	return err_hinted(e, E_FORMAT,
		"name the trace that it was made of; 'traceq info' says which",
		"this is a digest, which has no events");
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
	return LIBARCHIVE_VERSION;
}

const char *load_scanner_name(void)
{
	return scanner_pick(getenv("TRACEQ_SCANNER"))->name;
}
