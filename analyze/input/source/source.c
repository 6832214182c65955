/* Files and encodings.  The layers, from the file up: frames taken off (unwrap.c), a member of an
 * archive (archive_members.c) and its own frame, UTF-16 decoded (utf16.c), text delivered
 * (source_read). */
#include "analyze/input/source/source.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/input/source/archive_members.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/utf16.h"
#include "base/reach.h"

enum { RAW_BYTES = 64 << 10 };

static ssize_t read_fd(void *ctx, void *buf, size_t n)
{
	const struct source *s = ctx;
	ssize_t got;

	do
		got = read(s->fd, buf, n);
	while (got < 0 && errno == EINTR);
	return got;
}

static void count_further(struct source *s)
{
	int64_t left = s->is_first ? members_left(s->members) : 0;

	s->is_first = false;
	if (left > 0)
		tally_add(&s->tally, PROBLEM_FURTHER_MEMBERS, left, -1);
}

bool source_has_further(struct source *s)
{
	count_further(s);
	return s->tally.count[PROBLEM_FURTHER_MEMBERS] > 0;
}

/* Unwrapped bytes; of a member, what its archive says goes before what it came to. */
static enum status read_file(struct source *s, char *buf, size_t n, size_t *got, struct err *e)
{
	enum status st = unwrap_read(&s->file, buf, n, got, e);

	if (st != OK && s->members)
		return members_failed(s->members, e);
	if (s->members && s->tally.count[PROBLEM_TRUNCATED_GZIP] > 1)
		s->tally.count[PROBLEM_TRUNCATED_GZIP] = 1; /* one cut ends both frames */
	if (st == OK && *got < n)
		count_further(s);
	return st;
}

static enum status read_utf16(struct source *s, char *buf, size_t n, size_t *got, struct err *e)
{
	*got = 0;
	while (*got < n) {
		size_t some, used;

		if (s->ready_at < s->nready) {
			some = MIN(s->nready - s->ready_at, n - *got);
			memcpy(buf + *got, s->ready + s->ready_at, some);
			s->ready_at += some;
			*got += some;
			continue;
		}
		if (!s->raw_eof) {
			TRY(read_file(s, (char *)s->raw + s->nraw, RAW_BYTES - s->nraw, &some, e));
			s->raw_eof = some < RAW_BYTES - s->nraw;
			s->nraw += some;
		}
		s->nready = utf16_to_utf8(s->raw, s->nraw, s->encoding == ENCODING_UTF16BE,
			s->raw_eof, s->ready, &used);
		s->ready_at = 0;
		memmove(s->raw, s->raw + used, s->nraw - used);
		s->nraw -= used;
		if (!s->nready && s->raw_eof)
			break;
	}
	return OK;
}

static bool is_archive(struct span first)
{
	enum container c = magic_container(first);

	return c == CONTAINER_ZIP || c == CONTAINER_TAR || c == CONTAINER_DIGESTS;
}

static enum status enter_archive(struct source *s, struct span first, struct err *e)
{
	struct stat st;
	bool is_file = s->fd >= 0 && fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode);

	return members_open(&s->members, &s->file, first, is_file ? s->fd : -1, e);
}

/* The first bytes of what was asked for: of the file, or of its member. */
static enum status begin_file(
	struct source *s, const char *member, char *first, size_t *got, struct err *e)
{
	int64_t bytes;

	TRY(unwrap_read(&s->file, first, MAGIC_BYTES, got, e));
	if (!is_archive((struct span){ first, *got })) {
		if (!member)
			return OK;
		return err_set(e, E_FORMAT, -1, "not an archive, so %s is not in it", member);
	}
	TRY(enter_archive(s, (struct span){ first, *got }, e));
	TRY(members_find(s->members, member, &bytes, e));
	if (member)
		s->file_bytes = bytes;
	s->is_first = !member;
	enum status st = unwrap_open(&s->file, members_read, s->members, s->inflate, &s->tally, e);
	THEN(st, read_file(s, first, MAGIC_BYTES, got, e));
	if (st != OK)
		return members_failed(s->members, e);
	if (!is_archive((struct span){ first, *got }))
		return OK;
	(void)err_set(e, E_FORMAT, 0, "an archive inside an archive");
	return err_hint(e, "unpack the outer one, and give what was inside");
}

static void name_container(struct source *s)
{
	const char *inner = magic_container_name(s->file.container);

	if (!s->members) {
		(void)snprintf(s->container, sizeof(s->container), "%s", inner);
		return;
	}
	enum container form = members_form(s->members);
	enum container outer = members_outer(s->members);
	(void)snprintf(s->container, sizeof(s->container), "%s%s%s%s%s",
		s->file.container == CONTAINER_PLAIN ? "" : inner,
		s->file.container == CONTAINER_PLAIN ? "" : " in ", magic_container_name(form),
		outer == CONTAINER_PLAIN ? "" : " in ",
		outer == CONTAINER_PLAIN ? "" : magic_container_name(outer));
}

/* The encoding, from the first unwrapped bytes, which are then put into `ready`. */
static enum status begin_text(struct source *s, const char *member, struct err *e)
{
	size_t got, skip;
	char first[MAGIC_BYTES];

	TRY(begin_file(s, member, first, &got, e));
	s->encoding = magic_encoding((struct span){ first, got }, &skip);
	s->ready = xmalloc(UTF16_ROOM(RAW_BYTES));
	if (s->encoding == ENCODING_UTF8) {
		s->nready = got - skip;
		memcpy(s->ready, first + skip, s->nready);
	} else {
		s->raw = xmalloc(RAW_BYTES);
		s->nraw = got - skip;
		memcpy(s->raw, first + skip, s->nraw);
		tally_add(&s->tally, PROBLEM_TRANSCODED, 1, 0);
	}
	return OK;
}

static enum status read_text(struct source *s, char *buf, size_t n, size_t *got, struct err *e)
{
	size_t some = 0;

	*got = 0;
	if (s->encoding != ENCODING_UTF8) {
		TRY(read_utf16(s, buf, n, got, e));
	} else {
		while (*got < n && s->ready_at < s->nready)
			buf[(*got)++] = s->ready[s->ready_at++];
		TRY(read_file(s, buf + *got, n - *got, &some, e));
		*got += some;
	}
	return OK;
}

enum status source_peek(struct source *s, size_t n, struct span *text, struct err *e)
{
	char *more = xmalloc(n);
	size_t got = 0;

	memcpy(more, s->npeeked ? s->peeked : "", s->npeeked);
	free(s->peeked);
	s->peeked = more;
	TRY(read_text(s, more + s->npeeked, n - s->npeeked, &got, e));
	s->npeeked += got;
	*text = (struct span){ s->peeked, s->npeeked };
	return OK;
}

enum status source_read(struct source *s, char *buf, size_t n, size_t *got, struct err *e)
{
	size_t some = MIN(s->npeeked - s->peeked_at, n);

	if (some)
		memcpy(buf, s->peeked + s->peeked_at, some);
	s->peeked_at += some;
	TRY(read_text(s, buf + some, n - some, got, e));
	*got += some;
	s->text_bytes += (int64_t)*got;
	for (some = 0; s->nhead < sizeof(s->head) && some < *got; some++)
		s->head[s->nhead++] = buf[some];
	return OK;
}

static enum status begin_source(struct source *s, const char *member,
	ssize_t (*reader)(void *, void *, size_t), void *ctx, struct err *e)
{
	tally_init(&s->tally);
	enum status st = unwrap_open(&s->file, reader, ctx, s->inflate, &s->tally, e);
	THEN(st, begin_text(s, member, e));
	if (st == OK)
		name_container(s);
	else
		source_close(s);
	return st;
}

enum status source_open_reader(struct source *s, ssize_t (*reader)(void *, void *, size_t),
	void *ctx, const char *inflate, struct err *e)
{
	*s = (struct source){ .fd = -1, .file_bytes = -1, .disk_bytes = -1, .inflate = inflate };
	return begin_source(s, NULL, reader, ctx, e);
}

static enum status open_fd(struct source *s, const char *path, struct err *e)
{
	struct stat st;

	s->fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : reach_open(path, 0);
	if (s->fd < 0)
		return err_set(e, E_IO, -1, "cannot open: %s", strerror(errno));
	if (fstat(s->fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		source_close(s);
		return err_set(e, E_IO, -1, "is a directory");
	}
	if (S_ISREG(st.st_mode))
		s->file_bytes = s->disk_bytes = st.st_size;
	return OK;
}

/* FILE!NAME. */
static enum status open_member(struct source *s, const char *path, struct err *e)
{
	const char *name;
	SCOPED_STR file = { 0 };
	size_t n;

	if (!members_split(path, &n, &name))
		return e->status;
	str_add(&file, path, n);
	enum status st = open_fd(s, file.s, e);
	return st == OK ? begin_source(s, name, read_fd, s, e) : st;
}

enum status source_open(struct source *s, const char *path, const char *inflate, struct err *e)
{
	*s = (struct source){ .fd = -1, .file_bytes = -1, .disk_bytes = -1, .inflate = inflate };
	if (open_fd(s, path, e) == OK)
		return begin_source(s, NULL, read_fd, s, e);
	return open_member(s, path, e);
}

enum status source_open_archive(
	struct source *s, const char *path, const char *inflate, struct err *e)
{
	char first[MAGIC_BYTES];
	size_t got;

	*s = (struct source){ .fd = -1, .file_bytes = -1, .disk_bytes = -1, .inflate = inflate };
	TRY(open_fd(s, path, e));
	tally_init(&s->tally);
	TRY(unwrap_open(&s->file, read_fd, s, inflate, &s->tally, e));
	TRY(unwrap_read(&s->file, first, sizeof(first), &got, e));
	return is_archive((struct span){ first, got })
		? enter_archive(s, (struct span){ first, got }, e)
		: OK;
}

void source_close(struct source *s)
{
	unwrap_close(&s->file);
	members_close(s->members);
	if (s->fd >= 0)
		(void)close(s->fd);
	FREE_ALL(s->raw, s->ready, s->peeked);
	s->raw = NULL;
	s->ready = s->peeked = NULL;
	s->members = NULL;
	s->fd = -1;
}

bool source_is_plain_file(const struct source *s)
{
	struct stat st;

	return s->fd > STDIN_FILENO && fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode) &&
		!s->members && s->file.container == CONTAINER_PLAIN && s->encoding == ENCODING_UTF8;
}

int64_t source_taken(const struct source *s)
{
	return s->members ? members_taken(s->members) : s->file.read_bytes;
}

const char *source_container(const struct source *s)
{
	return s->container;
}

void window_reserve(struct window_text *t, size_t n)
{
	t->p = array_grow(t->p, &t->cap, n + WINDOW_PADDING, 1);
}

void window_renew(struct window_text *t, size_t n)
{
	if (t->cap < n + WINDOW_PADDING) {
		free(t->p);
		*t = (struct window_text){ 0 };
	}
	t->n = 0;
	window_reserve(t, n);
}

void window_append(struct window_text *t, const char *p, size_t n)
{
	window_reserve(t, t->n + n);
	if (n)
		memcpy(t->p + t->n, p, n);
	t->n += n;
}
