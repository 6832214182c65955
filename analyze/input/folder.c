/* Walking and sniffing. */
#include "analyze/input/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/folder_settle.h"
#include "analyze/input/format/format.h"
#include "analyze/input/format/parquet/export_files.h"
#include "analyze/input/load_file.h"
#include "analyze/input/load_kept.h"
#include "analyze/input/source/packed.h"
#include "analyze/input/source/source.h"
#include "analyze/trace/columns/keymap.h"
#include "base/door.h"
#include "base/reach.h"

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
	folder_settle(f);
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
