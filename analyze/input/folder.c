/* Walking and sniffing. */
#include "analyze/input/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/format/format.h"
#include "analyze/input/format/parquet/export_files.h"
#include "analyze/input/load_file.h"
#include "analyze/input/load_kept.h"
#include "analyze/input/source/packed.h"
#include "analyze/input/source/source.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/digest/digest_files.h"
#include "base/door.h"
#include "base/reach.h"

/* Which files of a folder belong together.
 *
 * rocprofv3's outputs: the tables of one recording, PREFIX_kernel_trace.csv and those beside it,
 * are one trace; where PREFIX_results.db or .json is there, too, that has all of it.  Records of
 * digests are what their traces are, in whichever files they lie.  Logs beside databases: what a
 * database is read with is no file of its own.  Logs are known by their names, which SQLite makes:
 * the database's, and what they are behind it. */

/* --- logs --- */

static const char *const suffixes[] = { "-wal", "-journal", "-shm" };

struct named {
	struct span name; /* unpacked */
	const struct folder_file *file;
};

ORDER(by_unpacked, struct named, span_cmp(a->name, b->name))

/* The name of the database whose log it would be; empty: it is called otherwise. */
static struct span database_of(const char *name)
{
	struct span all = { name, packed_stem(name) };
	size_t k;

	for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
		k = strlen(suffixes[i]);
		if (all.n > k && span_ends(all, suffixes[i]))
			return (struct span){ all.p, all.n - k };
	}
	return (struct span){ all.p, 0 };
}

/* Logs and journals of databases of the folder become FOLDER_JOINED, is_log. */
static void folder_settle_logs(struct folder *f)
{
	struct named *v = arena_array(&f->mem, f->n, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->file[i].format == &format_sqlite && f->file[i].what == FOLDER_TRACE)
			v[n++] = (struct named){ { f->file[i].name, packed_stem(f->file[i].name) },
				&f->file[i] };
	sort_rows(v, n, sizeof(*v), by_unpacked);
	for (size_t i = 0; n > 0 && i < f->n; i++) {
		struct folder_file *file = &f->file[i];
		const struct named key = { database_of(file->name), NULL }, *found;

		if (key.name.n == 0 || file->format || file->kind)
			continue;
		found = bsearch(&key, v, n, sizeof(*v), by_unpacked);
		if (!found)
			continue;
		file->what = FOLDER_JOINED;
		file->is_log = true;
		file->why = arena_printf(&f->mem, "read with %s", found->file->name);
	}
}

/* --- records --- */

ORDER(by_record, struct folder_file, strcmp(a->name, b->name),
	digest_file_compare((uint64_t)a->bytes, a->check, (uint64_t)b->bytes, b->check),
	strcmp(a->path, b->path))

static bool is_same_record(const struct folder_file *a, const struct folder_file *b)
{
	return strcmp(a->name, b->name) == 0 && a->bytes == b->bytes && a->check == b->check;
}

/* What is no record to the front, in its order; returns how many. */
static size_t part(struct folder *f)
{
	struct folder_file *record = arena_array(&f->mem, f->n, sizeof(*record));
	size_t n = 0, records = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->file[i].is_record)
			record[records++] = f->file[i];
		else
			f->file[n++] = f->file[i];
	for (size_t i = 0; i < records; i++)
		f->file[n + i] = record[i];
	return n;
}

/* Records of a folder behind all else, by name and by what they say, each once: how they lie in
 * files makes no difference. */
static void folder_settle_records(struct folder *f)
{
	size_t from = part(f), n = from;

	if (from == f->n)
		return;
	sort_rows(f->file + from, f->n - from, sizeof(*f->file), by_record);
	for (size_t i = from; i < f->n; i++)
		if (n == from || !is_same_record(&f->file[n - 1], &f->file[i]))
			f->file[n++] = f->file[i];
	f->n = n;
}

/* --- tables --- */

/* The one that is read, or with which the others are, is the first of these that is there. */
enum { WHOLE = 2 }; /* so many of them have everything */
static const char *const words[] = { "results.db", "results.json", "kernel_trace",
	"counter_collection", "hip_api_trace", "hip_trace", "memory_copy_trace", "marker_api_trace",
	"hsa_api_trace", "hsa_trace", "rccl_api_trace", "rccl_trace", "memory_allocation_trace",
	"scratch_memory_trace", "marker_trace", "rocdecode_api_trace", "rocjpeg_api_trace",
	"agent_info" };

struct recorded {
	struct folder_file *file;
	size_t prefix; /* bytes of its name */
	size_t word;
};

/* What the name ends in, whatever it is packed in: false for a name of another making. */
static bool split(struct folder_file *file, struct recorded *t)
{
	const char *name = path_name(file->name);

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		size_t n = strlen(words[i]);
		const char *at = strstr(name, words[i]);

		if (at && (i < WHOLE || strncmp(at + n, ".csv", 4) == 0) &&
			(i >= WHOLE) == (file->format == &format_rocprof_csv)) {
			*t = (struct recorded){ file, (size_t)(at - file->name), i };
			return true;
		}
	}
	return false;
}

ORDER(by_prefix, struct recorded, memcmp(a->file->name, b->file->name, MIN(a->prefix, b->prefix)),
	compare3(a->prefix, b->prefix), compare3(a->word, b->word),
	strcmp(a->file->name, b->file->name))

/* The first of n has all that is in the others. */
static void leave(struct folder *f, struct recorded *t, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		t[i].file->what = FOLDER_UNKNOWN;
		t[i].file->why = arena_printf(&f->mem, "the same recording as %s", t[0].file->name);
	}
}

/* The first of n tables has the others beside it. */
static void join(struct folder *f, struct recorded *t, size_t n)
{
	struct load_beside *b = arena_alloc(&f->mem, sizeof(*b));

	b->path = arena_array(&f->mem, n, sizeof(*b->path));
	for (size_t i = 1; i < n; i++) {
		b->path[b->n++] = t[i].file->path;
		t[i].file->what = FOLDER_JOINED;
		t[i].file->why = arena_printf(&f->mem, "read with %s", t[0].file->name);
	}
	t[0].file->beside = b;
}

/* Of the outputs of a folder that have one prefix one stays: results as they are, and others are
 * FOLDER_UNKNOWN with a word; else the first table, of kernels where there is one, with the others
 * beside it, which are FOLDER_JOINED. */
static void folder_settle_tables(struct folder *f)
{
	struct recorded *t = arena_array(&f->mem, f->n, sizeof(*t));
	size_t end, n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->file[i].format && f->file[i].what == FOLDER_TRACE)
			n += split(&f->file[i], &t[n]);
	sort_rows(t, n, sizeof(*t), by_prefix);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && t[i].prefix == t[end].prefix &&
			memcmp(t[i].file->name, t[end].file->name, t[i].prefix) == 0;)
			end++;
		if (end - i > 1 && t[i].word < WHOLE)
			leave(f, t + i, end - i);
		else if (end - i > 1)
			join(f, t + i, end - i);
	}
}

/* --- Ascend --- */

/* The name without its folder. */
static struct span last_of(const struct folder_file *file)
{
	const char *name = path_name(file->name);

	return (struct span){ name, packed_stem(name) };
}

/* What lies beside a database and says less of the same recording. */
static bool says_less(const struct folder_file *file, const struct folder_file *database)
{
	size_t n = (size_t)(path_name(database->name) - database->name);

	return file->what == FOLDER_TRACE &&
		span_in(last_of(file), "trace_view.json|analysis.db") &&
		path_name(file->name) == file->name + n &&
		memcmp(file->name, database->name, n) == 0;
}

/* Of what torch_npu writes of one recording the database stays: it has all that trace_view.json
 * has and the rank, and analysis.db has sums of it. */
static void folder_settle_ascend(struct folder *f)
{
	for (EACH(const struct folder_file, database, f->file, f->n)) {
		if (database->what != FOLDER_TRACE || database->format != &format_sqlite ||
			!span_starts(last_of(database), "ascend_pytorch_profiler"))
			continue;
		for (EACH(struct folder_file, file, f->file, f->n))
			if (says_less(file, database)) {
				file->what = FOLDER_UNKNOWN;
				file->why = arena_printf(
					&f->mem, "the same recording as %s", database->name);
			}
	}
}

/* --- exports --- */

/* Of the tables of an export that of events is the trace; others are read with it. */
static void folder_settle_exports(struct folder *f)
{
	for (EACH(struct folder_file, events, f->file, f->n)) {
		if (events->format != &format_parquet || events->what != FOLDER_TRACE)
			continue;
		for (EACH(struct folder_file, table, f->file, f->n)) {
			if (table == events || table->format != &format_parquet ||
				!export_is_beside(table->name, events->name))
				continue;
			table->what = FOLDER_JOINED;
			table->why = arena_printf(&f->mem, "read with %s", events->name);
		}
	}
}

/* --- walking --- */

/* What tells files apart; no padding, since it is a key. */
struct place {
	dev_t dev;
	ino_t ino;
};

struct walker {
	struct folder *f;
	const struct folder_reach *reach; /* NULL: everything within the limits */
	char *root;                       /* the folder itself, without links in its path */
	const char *inflate;
	struct keymap file, folder; /* places of all that was taken */
	struct head *head;
};

bool folder_is(const char *path)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return false;
	if (stat(path, &st) != 0)
		return archive_has_folder(path) || load_kept_joined(path);
	return (S_ISDIR(st.st_mode) && !export_is(path)) ||
		(S_ISREG(st.st_mode) && archive_is_folder(path));
}

bool folder_is_missing(const char *path)
{
	const char *name = path_name(path);
	struct stat st;

	if (!*path || strcmp(path, "-") == 0 || strchr(name, '.'))
		return false;
	return lstat(path, &st) != 0 && errno == ENOENT;
}

static int no_dots(const struct dirent *d)
{
	return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
}

/* By bytes, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* --- one file --- */

/* True when it is an archive of several files: then it is a folder of them. */
static bool sniff(struct walker *w, struct folder_file *file)
{
	bool is_archive = false;
	struct source s;
	struct err e;

	file->why = "";
	err_clear(&e);
	if (file->bytes == 0) {
		file->what = FOLDER_DAMAGED;
		file->why = "empty";
		return false;
	}
	if (source_open(&s, file->path, w->inflate, &e) != OK) {
		folder_file_damaged(w->f, file, &e);
		if (e.status == E_FORMAT) {
			const char *what = strstr(file->why, "this is ");

			file->what = FOLDER_UNKNOWN;
			file->why = what ? what + strlen("this is ") : file->why;
		}
		return false;
	}
	file->is_record = load_kept_is(&s); /* judged when it is taken out of what it is in */
	is_archive = file->is_record;
	if (!is_archive) {
		folder_file_judge(w->f, file, &s, w->head);
		is_archive = source_has_further(&s);
	}
	source_close(&s);
	return is_archive;
}

/* False when it was taken before: by a link, or under another name. */
static bool take(struct keymap *taken, const struct stat *st)
{
	const struct place at = { st->st_dev, st->st_ino };
	size_t before = taken->n;

	(void)keymap_add(taken, &at);
	return taken->n > before;
}

static void take_file(
	struct walker *w, const char *path, const char *name, const struct stat *st, unsigned depth)
{
	struct folder *f = w->f;

	if (!take(&w->file, st)) {
		f->twice++;
		return;
	}
	struct folder_file *file = folder_file_add(f);
	if (!file)
		return;
	*file = (struct folder_file){
		.path = path, .name = name, .bytes = st->st_size, .depth = depth
	};
	if (sniff(w, file)) {
		const struct folder_file archive = *file;

		f->n--;
		archive_add(f, &archive, w->inflate);
	}
}

/* --- folders --- */

static bool walk(struct walker *w, const char *path, const char *name, unsigned depth);

static const char *joined(struct folder *f, const char *a, const char *b)
{
	size_t n = strlen(a);

	return n == 0 ? arena_copy(&f->mem, b, strlen(b))
		      : arena_printf(&f->mem, "%s%s%s", a, a[n - 1] == '/' ? "" : "/", b);
}

/* What a walk does with the entries of a folder, one after the other. */
enum pass {
	PASS_FILES,
	PASS_LINKS, /* behind the files: a link must not stand in for what is there itself */
	PASS_FOLDERS
};

static void take_folder(
	struct walker *w, const char *path, const char *name, const struct stat *st, unsigned depth)
{
	if (depth > (w->reach ? w->reach->depth : FOLDER_DEPTH))
		w->f->too_deep++;
	else if (w->folder.n == FOLDER_FOLDERS)
		w->f->too_many++;
	else if (!take(&w->folder, st))
		w->f->twice++;
	else if (!walk(w, path, name, depth))
		w->f->unreadable++;
}

static bool is_inside(const struct walker *w, const char *path)
{
	size_t n = strlen(w->root);
	char *real = realpath(path, NULL);
	bool is = real && strncmp(real, w->root, n) == 0 &&
		(real[n] == '/' || real[n] == '\0' || w->root[n - 1] == '/');

	free(real);
	return is;
}

static void take_link(
	struct walker *w, const char *path, const char *name, const struct stat *st, unsigned depth)
{
	if (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode))
		w->f->special++;
	else if (!is_inside(w, path))
		w->f->outside++;
	else if (S_ISDIR(st->st_mode))
		w->f->twice++;
	else
		take_file(w, path, name, st, depth);
}

/* Files of other names, and all when there are enough. */
static bool is_beyond(const struct walker *w, const char *entry, enum pass pass)
{
	if (!w->reach)
		return false;
	return w->f->n >= w->reach->files || (pass != PASS_FOLDERS && !w->reach->wants(entry));
}

static void take_entry(struct walker *w, const char *path, const char *name, const char *entry,
	unsigned depth, enum pass pass)
{
	struct stat st;

	if (is_beyond(w, entry, pass))
		return;
	const char *full = joined(w->f, path, entry);
	const char *below = joined(w->f, name, entry);
	if (lstat(full, &st) != 0)
		return;
	if (pass == PASS_LINKS && S_ISLNK(st.st_mode)) {
		if (stat(full, &st) == 0)
			take_link(w, full, below, &st, depth);
		else
			w->f->dangling++;
	} else if (pass == PASS_FOLDERS && S_ISDIR(st.st_mode)) {
		take_folder(w, full, below, &st, depth + 1);
	} else if (pass == PASS_FILES && S_ISREG(st.st_mode)) {
		take_file(w, full, below, &st, depth);
	} else if (pass == PASS_FILES && !S_ISDIR(st.st_mode) && !S_ISLNK(st.st_mode)) {
		w->f->special++;
	}
}

/* As scandir(3). */
static int list(const char *path, struct dirent ***entry)
{
	int fd = reach_open(path, O_DIRECTORY);

	if (fd < 0)
		return -1;
	int n = scandirat(fd, ".", entry, no_dots, by_name); /* lint: allow scandirat: of that */
	int code = errno;
	(void)close(fd);
	errno = code;
	return n;
}

static bool walk(struct walker *w, const char *path, const char *name, unsigned depth)
{
	struct dirent **entry;
	int n = list(path, &entry);

	if (n < 0)
		return false;
	for (enum pass pass = PASS_FILES; pass <= PASS_FOLDERS; pass++)
		for (int i = 0; i < n; i++)
			if (entry[i]->d_name[0] != '.')
				take_entry(w, path, name, entry[i]->d_name, depth, pass);
	for (int i = 0; i < n; i++) {
		w->f->hidden += entry[i]->d_name[0] == '.';
		free(entry[i]);
	}
	free(entry);
	return true;
}

/* What of it is read for an answer is not to be written over, however that came to be asked. */
static void tell_inputs(const struct folder *f)
{
	for (EACH(const struct folder_file, file, f->file, f->n))
		if (file->bytes > 0 && (file->what != FOLDER_UNKNOWN || file->is_exectrace))
			door_input(file->path);
}

static enum status walk_folder(struct folder *f, const char *path, const char *inflate,
	const struct folder_reach *reach, struct err *e)
{
	struct walker w = { .f = f, .reach = reach, .inflate = inflate };
	struct stat st;

	w.head = xmalloc(sizeof(*w.head));
	keymap_init(&w.file, sizeof(struct place));
	keymap_init(&w.folder, sizeof(struct place));
	w.root = realpath(path, NULL);
	bool ok = w.root && stat(path, &st) == 0 && take(&w.folder, &st) && walk(&w, path, "", 0);
	if (!ok)
		(void)err_set(e, E_IO, -1, "cannot open the folder: %s", strerror(errno));
	free(w.root);
	keymap_clear(&w.file);
	keymap_clear(&w.folder);
	free(w.head);
	return ok ? OK : E_IO;
}

static enum status read_folder(struct folder *f, const char *path, const char *inflate,
	const struct folder_reach *reach, struct err *e)
{
	struct stat st;
	bool is_walked = stat(path, &st) == 0 && !S_ISREG(st.st_mode);

	*f = (struct folder){ .join = "/" };
	arena_init(&f->mem);
	f->path = arena_copy(&f->mem, path, strlen(path));
	TRY(is_walked ? walk_folder(f, path, inflate, reach, e)
		      : archive_read(f, path, inflate, e));
	folder_settle_records(f);
	folder_settle_tables(f);
	folder_settle_ascend(f);
	folder_settle_exports(f);
	folder_settle_logs(f);
	if (!is_walked || f->n > 0 || f->outside == 0)
		return OK;
	return err_hinted(e, E_NODATA, "give what they lead to by itself",
		"the folder holds nothing but links that lead out of it");
}

enum status folder_read(struct folder *f, const char *path, const char *inflate, struct err *e)
{
	enum status st = read_folder(f, path, inflate, NULL, e);

	tell_inputs(f);
	return st;
}

enum status folder_glance(
	struct folder *f, const char *path, const struct folder_reach *reach, struct err *e)
{
	return read_folder(f, path, NULL, reach, e);
}

void folder_clear(struct folder *f)
{
	arena_clear(&f->mem);
	*f = (struct folder){ 0 };
}

_Static_assert(FOLDER_FILES == 10000 && FOLDER_FOLDERS == 10000,
	"as the words below say, and record_beyond");

int64_t folder_put_left_out(const struct folder *f, struct str *out, bool *is_odd)
{
	const struct {
		int64_t count;
		const char *one, *many;
		bool is_odd;
	} kinds[] = {
		{ f->hidden, "hidden name", "hidden names", false },
		{ f->twice, "link to what is there already", "links to what is there already",
			false },
		{ f->outside, "link that leads out of the folder",
			"links that lead out of the folder", true },
		{ f->dangling, "link to nothing", "links to nothing", true },
		{ f->linked, "link in the archive", "links in the archive", true },
		{ f->upwards, "name that leads out of the archive",
			"names that lead out of the archive", true },
		{ f->doubled, "file with the name of another", "files with the names of others",
			true },
		{ f->special, "pipe, socket or device", "pipes, sockets or devices", true },
		{ f->too_deep, "folder too deep", "folders too deep", true },
		{ f->unreadable, "folder that cannot be opened", "folders that cannot be opened",
			true },
		{ f->too_many, "file or folder beyond the first 10,000",
			"files or folders beyond the first 10,000", true },
	};
	int64_t all = 0;

	*is_odd = false;
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (kinds[i].count == 0)
			continue;
		str_addf(out, "%s%lld %s", all ? ", " : "", (long long)kinds[i].count,
			kinds[i].count == 1 ? kinds[i].one : kinds[i].many);
		all += kinds[i].count;
		*is_odd |= kinds[i].is_odd;
	}
	if (f->damage) {
		str_addf(out, "%s%s", all ? ", " : "", f->damage);
		*is_odd = true;
		all++;
	}
	return all;
}
