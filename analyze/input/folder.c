/*
 * Walking and sniffing.
 */
#include "analyze/input/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/input/artifact.h"
#include "analyze/input/jsondoc_check.h"
#include "analyze/input/source.h"
#include "base/die.h"

struct place {
	dev_t dev;
	ino_t ino;
};

struct walker {
	struct folder *f;
	const char *inflate;
	struct place *folder; /* all folders taken */
	size_t nfolder, folder_cap;
	struct head *head;
};

bool folder_is(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
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

static void damaged(struct walker *w, struct folder_file *file, const struct err *e)
{
	file->what = FOLDER_DAMAGED;
	file->why = arena_copy(&w->f->mem, e->text, strlen(e->text));
}

/* JSON of no known kind that is cut off or malformed: it may have been one. */
static bool is_torn_json(const struct head *h, struct err *e)
{
	size_t end;

	return h->is_whole && (h->form == HEAD_OBJECT || h->form == HEAD_ARRAY) &&
		jsondoc_check(h->text, &end, e) != OK;
}

static void judge(struct walker *w, struct folder_file *file, struct span text)
{
	struct err e;

	err_clear(&e);
	head_look(w->head, text, text.n < HEAD_BYTES);
	if (head_is_trace(w->head)) {
		file->what = FOLDER_TRACE;
	} else if (artifact_find(w->head, &file->kind, &e) != OK ||
		(!file->kind && is_torn_json(w->head, &e))) {
		damaged(w, file, &e);
	} else if (file->kind) {
		file->what = FOLDER_ARTIFACT;
	} else {
		file->what = FOLDER_UNKNOWN;
		file->why = w->head->form == HEAD_BINARY ? "binary data"
			: w->head->form == HEAD_TEXT     ? "other text"
			: w->head->form == HEAD_EMPTY    ? "only blanks"
							 : "other JSON";
	}
}

static void sniff(struct walker *w, struct folder_file *file)
{
	struct source s;
	struct span text;
	struct err e;

	file->why = "";
	err_clear(&e);
	if (file->bytes == 0) {
		file->what = FOLDER_DAMAGED;
		file->why = "empty";
		return;
	}
	if (source_open(&s, file->path, w->inflate, &e) != OK) {
		damaged(w, file, &e);
		if (e.status == E_FORMAT) {
			const char *what = strstr(file->why, "this is ");

			file->what = FOLDER_UNKNOWN;
			file->why = what ? what + strlen("this is ") : file->why;
		}
		return;
	}
	if (source_peek(&s, HEAD_BYTES, &text, &e) == OK)
		judge(w, file, text);
	else
		damaged(w, file, &e);
	source_close(&s);
}

static bool is_twice(struct folder *f, const struct stat *st)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (f->file[i].ino == st->st_ino && f->file[i].dev == st->st_dev)
			return true;
	return false;
}

static void take_file(
	struct walker *w, const char *path, const char *name, const struct stat *st, unsigned depth)
{
	struct folder *f = w->f;
	struct folder_file *file;

	if (is_twice(f, st)) {
		f->twice++;
		return;
	}
	if (f->n == FOLDER_FILES) {
		f->too_many++;
		return;
	}
	if (f->n == f->cap) {
		size_t cap = f->cap ? f->cap * 2 : 64;
		struct folder_file *more = arena_array(&f->mem, cap, sizeof(*more));

		if (f->n)
			memcpy(more, f->file, f->n * sizeof(*more));
		f->file = more;
		f->cap = cap;
	}
	file = &f->file[f->n++];
	*file = (struct folder_file){ .path = path,
		.name = name,
		.bytes = st->st_size,
		.depth = depth,
		.dev = st->st_dev,
		.ino = st->st_ino };
	sniff(w, file);
}

/* --- folders --- */

/* False when it was taken before: a link into itself, or a second one. */
static bool enter(struct walker *w, const struct stat *st)
{
	size_t i;

	for (i = 0; i < w->nfolder; i++)
		if (w->folder[i].ino == st->st_ino && w->folder[i].dev == st->st_dev)
			return false;
	w->folder = array_grow(w->folder, &w->folder_cap, w->nfolder + 1, sizeof(*w->folder));
	w->folder[w->nfolder++] = (struct place){ st->st_dev, st->st_ino };
	return true;
}

static bool walk(struct walker *w, const char *path, const char *name, unsigned depth);

static const char *joined(struct folder *f, const char *a, const char *b)
{
	size_t n = strlen(a);

	return n == 0 ? arena_copy(&f->mem, b, strlen(b))
		      : arena_printf(&f->mem, "%s%s%s", a, a[n - 1] == '/' ? "" : "/", b);
}

/* What a walk does with the entries of a folder, one after the other. */
struct pass {
	bool folders; /* else files */
	bool links;   /* else what is there itself: a link must not stand in for it */
};

static void take_folder(
	struct walker *w, const char *path, const char *name, const struct stat *st, unsigned depth)
{
	if (depth > FOLDER_DEPTH)
		w->f->too_deep++;
	else if (!enter(w, st))
		w->f->twice++;
	else if (!walk(w, path, name, depth))
		w->f->unreadable++;
}

static void take_entry(struct walker *w, const char *path, const char *name, const char *entry,
	unsigned depth, struct pass pass)
{
	const char *full = joined(w->f, path, entry), *below = joined(w->f, name, entry);
	struct stat st;

	if (lstat(full, &st) != 0 || S_ISLNK(st.st_mode) != pass.links)
		return;
	if (pass.links && stat(full, &st) != 0)
		return;
	if (S_ISDIR(st.st_mode) && pass.folders)
		take_folder(w, full, below, &st, depth + 1);
	else if (S_ISREG(st.st_mode) && !pass.folders)
		take_file(w, full, below, &st, depth);
}

static bool walk(struct walker *w, const char *path, const char *name, unsigned depth)
{
	static const struct pass passes[] = { { false, false }, { false, true }, { true, false },
		{ true, true } };
	struct dirent **entry;
	int i, n = scandir(path, &entry, no_dots, by_name);
	size_t k;

	if (n < 0)
		return false;
	for (k = 0; k < COUNT_OF(passes); k++)
		for (i = 0; i < n; i++)
			if (entry[i]->d_name[0] != '.')
				take_entry(w, path, name, entry[i]->d_name, depth, passes[k]);
	for (i = 0; i < n; i++) {
		w->f->hidden += entry[i]->d_name[0] == '.';
		free(entry[i]);
	}
	free(entry);
	return true;
}

enum status folder_read(struct folder *f, const char *path, const char *inflate, struct err *e)
{
	struct walker w = { .f = f, .inflate = inflate };
	struct stat st;
	bool ok;

	*f = (struct folder){ 0 };
	arena_init(&f->mem);
	w.head = malloc(sizeof(*w.head));
	if (!w.head)
		die_oom(sizeof(*w.head));
	ok = stat(path, &st) == 0 && enter(&w, &st) && walk(&w, path, "", 0);
	if (!ok)
		(void)err_set(e, E_IO, -1, "cannot open the folder: %s", strerror(errno));
	free(w.folder);
	free(w.head);
	return ok ? OK : E_IO;
}

void folder_clear(struct folder *f)
{
	arena_clear(&f->mem);
	*f = (struct folder){ 0 };
}
