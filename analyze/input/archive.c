/* Archives as folders.  Their files are looked at as they come by; to be read they are opened anew,
 * by their paths, each for itself. */
#include "analyze/input/folder_file.h"

#include <unistd.h>

#include "analyze/input/artifact/head.h"
#include "analyze/input/load_kept.h"
#include "analyze/input/source/archive_members.h"
#include "analyze/input/source/source.h"
#include "base/base.h"
#include "base/io.h"
#include "base/reach.h"

/* What is compressed as a whole is read from its beginning for each of its files; of more than this
 * in all nobody waits for the end. */
static const int64_t again_max = (int64_t)32 << 30;

/* To find one is to go through the names in front of it: so many in all. */
enum { NAMES_MAX = 4000000 };

struct packed {
	struct folder *f;
	const char *file;  /* the archive */
	const char *below; /* the folder in it that is wanted, with its '/'; "" for all */
	const char *as;    /* what its names begin with in *f: "" or the archive's own and '/' */
	unsigned depth;    /* of it in *f */
	size_t first;      /* its first file in *f */
	const char *inflate;
	struct source source;
	struct head *head;
	const char *last; /* the name that came last, or NULL */
	int64_t came;     /* bytes of all members so far */
	int64_t again;    /* bytes that reading each file once passes over */
	int64_t names;    /* of all members */
	int64_t wanted;   /* files that will be read */
	struct err refused;
};

bool archive_has_folder(const char *path)
{
	size_t n = strlen(path), file_len;
	const char *name;

	return n > 1 && path[n - 1] == '/' && members_split(path, &file_len, &name) && *name;
}

/* By the first bytes alone: most files are none. */
static bool may_be_archive(const char *path)
{
	char head[MAGIC_BYTES];
	int fd = reach_open(path, 0);
	ssize_t n = fd < 0 ? 0 : read(fd, head, sizeof(head));
	enum container c = magic_container((struct span){ head, n > 0 ? (size_t)n : 0 });

	if (fd >= 0)
		(void)close(fd);
	return c != CONTAINER_PLAIN && c != CONTAINER_OTHER;
}

static bool is_archive(const char *path)
{
	struct source s;

	if (!may_be_archive(path))
		return false;
	/* zlib begins with less work, and nearly all that come here are a trace's gzip. */
	bool is = source_open_archive(&s, path, "zlib", &(struct err){ 0 }) == OK && s.members;
	source_close(&s);
	return is;
}

bool archive_is_folder(const char *path)
{
	struct source s;
	struct archived one;
	size_t n = 0;

	if (!is_archive(path))
		return false;
	if (source_open_archive(&s, path, NULL, &(struct err){ 0 }) == OK && s.members)
		while (n < 2 && members_next(s.members, &one) == UNPACK_MORE)
			n += one.what == MEMBER_FILE && !members_is_hidden(one.name);
	source_close(&s);
	return n > 1;
}

/* --- one member --- */

static void look_into(struct packed *p, struct folder_file *file)
{
	struct source s;
	struct err e;

	err_clear(&e);
	if (file->bytes == 0) {
		file->what = FOLDER_DAMAGED;
		file->why = "empty";
	} else if (source_open_reader(&s, members_read, p->source.members, p->inflate, &e) != OK) {
		(void)members_failed(p->source.members, &e);
		folder_file_damaged(p->f, file, &e);
		if (e.status == E_FORMAT)
			file->what = FOLDER_UNKNOWN;
	} else if (s.members) {
		file->what = FOLDER_UNKNOWN;
		file->why = "an archive inside an archive; unpack the outer one";
		source_close(&s);
	} else {
		folder_file_judge(p->f, file, &s, p->head);
		source_close(&s);
	}
}

/* Digests are all right, or none of them is believed. */
static void refuse_damaged(struct packed *p, const struct folder_file *file)
{
	if (members_form(p->source.members) != CONTAINER_DIGESTS ||
		(file->is_record && file->what == FOLDER_TRACE) || p->refused.status != OK)
		return;
	(void)err_set(&p->refused, E_SYNTAX, -1, "%s: %s", file->name, file->why);
	(void)err_hint(&p->refused, "digest the traces again");
}

static void take_file(
	struct packed *p, const struct archived *one, const char *name, unsigned depth)
{
	struct folder *f = p->f;
	struct folder_file *file = folder_file_add(f);

	if (!file)
		return;
	*file = (struct folder_file){
		.path = arena_printf(&f->mem, "%s!%s", p->file, one->name),
		.name = arena_printf(&f->mem, "%s%s", p->as, name),
		.why = "",
		.bytes = one->bytes > 0 || one->is_locked ? one->bytes : 0,
		.depth = depth,
	};
	if (one->bytes < 0)
		file->bytes = 1; /* a stream says it behind the file: all that is known is that
		                    there is one */
	if (one->is_locked) {
		file->what = FOLDER_DAMAGED;
		file->why = "encrypted";
	} else {
		look_into(p, file);
	}
	refuse_damaged(p, file);
	if (file->what == FOLDER_TRACE || file->what == FOLDER_ARTIFACT) {
		p->again += p->came;
		p->wanted++;
	}
}

static unsigned slashes(const char *name)
{
	unsigned n = 0;

	for (; *name; name++)
		n += *name == '/';
	return n;
}

static bool leads_out(const char *name)
{
	for (; *name; name += strcspn(name, "/"), name += *name == '/')
		if (strcspn(name, "/") == 2 && strncmp(name, "..", 2) == 0)
			return true;
	return false;
}

static void take_member(struct packed *p, const struct archived *one)
{
	struct folder *f = p->f;
	size_t n = strlen(p->below);
	const char *name = one->name + n;

	if (one->what == MEMBER_FOLDER || strncmp(one->name, p->below, n) != 0)
		return;
	unsigned depth = p->depth + slashes(name);
	if (leads_out(name))
		f->upwards++;
	else if (members_is_hidden(name))
		f->hidden++;
	else if (one->what == MEMBER_LINK)
		f->linked++;
	else if (one->what == MEMBER_SPECIAL)
		f->special++;
	else if (depth > FOLDER_DEPTH && members_form(p->source.members) != CONTAINER_DIGESTS)
		f->too_deep++;
	else
		take_file(p, one, name, depth);
}

/* --- the archive --- */

/* Files are read one by one, each from the beginning of the archive. */
static enum status be_affordable(const struct packed *p, struct err *e)
{
	bool is_packed = members_outer(p->source.members) != CONTAINER_PLAIN;

	if (!is_packed && members_form(p->source.members) == CONTAINER_DIGESTS)
		return OK; /* a name is found in their list */
	if (is_packed && p->again > again_max)
		(void)err_set(e, E_LIMIT, -1,
			"to read the files of this archive one by one is to unpack %lld GiB",
			(long long)(p->again >> 30));
	else if (p->wanted > NAMES_MAX / (p->names + 1))
		(void)err_set(e, E_LIMIT, -1,
			"an archive of %lld names, of which %lld are to be read, is too large to "
			"go through for each",
			(long long)p->names, (long long)p->wanted);
	else
		return OK;
	return err_hint(e, "unpack it, and give the folder");
}

static enum status take_all(struct packed *p, struct err *e)
{
	struct archived one;
	enum unpack_end end;
	struct folder *f = p->f;

	while ((end = members_next(p->source.members, &one)) == UNPACK_MORE) {
		take_member(p, &one);
		p->names++;
		p->last = arena_copy(&f->mem, one.name, strlen(one.name));
		p->came += MAX(one.bytes, 0);
	}
	if (p->refused.status != OK) {
		*e = p->refused;
		return e->status;
	}
	if (end == UNPACK_BOMB || end == UNPACK_FAILED)
		return members_failed(p->source.members, e);
	if (end != UNPACK_OVER)
		f->damage = arena_printf(&f->mem, "%s%swhat is behind %s: the archive %s",
			f->damage ? f->damage : "", f->damage ? ", " : "",
			p->last ? p->last : p->file,
			end == UNPACK_CUT ? "ends too early" : "is damaged");
	return be_affordable(p, e);
}

/* As a folder is walked: its files by name, then its folders by name. */
static int as_walked(const void *pa, const void *pb)
{
	const struct folder_file *a = pa, *b = pb;
	const char *x = a->name, *y = b->name;
	size_t n = 0;

	for (size_t i = 0; x[i] && x[i] == y[i]; i++)
		if (x[i] == '/')
			n = i + 1;
	bool x_below = strchr(x + n, '/') != NULL;
	bool y_below = strchr(y + n, '/') != NULL;
	if (x_below != y_below)
		return x_below ? 1 : -1;
	if (x_below) {
		struct span p = { x + n, strcspn(x + n, "/") }, q = { y + n, strcspn(y + n, "/") };

		return span_cmp(p, q);
	}
	return strcmp(x + n, y + n);
}

/* The first of a name is the one that its path finds. */
static void sort_files(struct folder *f, size_t first)
{
	size_t n = first;

	if (f->n > first + 1)
		qsort(f->file + first, f->n - first, sizeof(*f->file), as_walked);
	for (size_t i = first; i < f->n; i++) {
		if (n > first && strcmp(f->file[n - 1].name, f->file[i].name) == 0)
			f->doubled++;
		else
			f->file[n++] = f->file[i];
	}
	f->n = n;
}

static enum status read_files(struct packed *p, struct err *e)
{
	struct folder *f = p->f;

	TRY(source_open_archive(&p->source, p->file, p->inflate, e));
	if (!p->source.members)
		return err_set(e, E_FORMAT, -1, "no archive");
	TRY(take_all(p, e));
	sort_files(f, p->first);
	if (f->n > p->first || !*p->below)
		return OK;
	return err_set(e, E_NODATA, -1, "no file is in that folder of the archive");
}

static enum status read_members(struct packed *p, struct err *e)
{
	p->head = xmalloc(sizeof(*p->head));
	enum status st = read_files(p, e);
	source_close(&p->source);
	free(p->head);
	return st;
}

/* All digests, one file after the other, as if they were one. */
static enum status read_joined(
	struct folder *f, const char *path, const char *inflate, struct err *e)
{
	enum status st = OK;
	size_t n;

	for (; *path && st == OK; path += n + (path[n] == LOAD_KEPT_AND)) {
		struct packed p = { .f = f, .below = "", .as = "", .first = f->n };

		n = strcspn(path, (const char[]){ LOAD_KEPT_AND, '\0' });
		p.inflate = inflate;
		p.file = arena_copy(&f->mem, path, n);
		st = io_named(p.file, read_members(&p, e), e);
	}
	return st;
}

enum status archive_read(struct folder *f, const char *path, const char *inflate, struct err *e)
{
	struct packed p = { .f = f, .file = path, .below = "", .as = "", .inflate = inflate };
	size_t n;

	f->join = "!";
	if (load_kept_joined(path))
		return read_joined(f, path, inflate, e);
	if (archive_has_folder(path) && members_split(path, &n, &p.below)) {
		p.file = arena_copy(&f->mem, path, n);
		f->join = "";
	}
	return read_members(&p, e);
}

/* "sub/" of "sub/ranks.tqd": records are in the folder that their file is in. */
static const char *folder_of(struct folder *f, const char *name)
{
	return arena_copy(&f->mem, name, (size_t)(path_name(name) - name));
}

void archive_add(struct folder *f, const struct folder_file *archive, const char *inflate)
{
	struct packed p = { .f = f,
		.file = archive->path,
		.below = "",
		.as = archive->is_record ? folder_of(f, archive->name)
					 : arena_printf(&f->mem, "%s/", archive->name),
		.depth = archive->depth + 1,
		.first = f->n,
		.inflate = inflate };
	const struct folder_file own = *archive;
	struct err e;

	if (read_members(&p, &e) == OK)
		return;
	f->n = p.first;
	struct folder_file *file = folder_file_add(f);
	if (!file)
		return;
	*file = own;
	folder_file_damaged(f, file, &e);
}
