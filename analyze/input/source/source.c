/*
 * Files and encodings.  The layers, from the file up: frames taken off (unwrap.c), UTF-16 decoded
 * (utf16.c), text delivered (source_read).
 */
#include "analyze/input/source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/input/text/utf16.h"
#include "base/die.h"

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

static void *allocate(size_t n)
{
	void *p = malloc(n);

	if (!p)
		die_oom(n);
	return p;
}

static enum status read_utf16(struct source *s, char *buf, size_t n, size_t *got, struct err *e)
{
	*got = 0;
	while (*got < n) {
		size_t some, used;

		if (s->ready_at < s->nready) {
			some = s->nready - s->ready_at < n - *got ? s->nready - s->ready_at
								  : n - *got;
			memcpy(buf + *got, s->ready + s->ready_at, some);
			s->ready_at += some;
			*got += some;
			continue;
		}
		if (!s->raw_eof) {
			TRY(unwrap_read(
				&s->file, (char *)s->raw + s->nraw, RAW_BYTES - s->nraw, &some, e));
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

/* The encoding, from the first unwrapped bytes, which are then put into `ready`. */
static enum status begin_text(struct source *s, struct err *e)
{
	size_t got, skip;
	char first[MAGIC_BYTES];

	TRY(unwrap_read(&s->file, first, sizeof(first), &got, e));
	s->encoding = magic_encoding((struct span){ first, got }, &skip);
	s->ready = allocate(UTF16_ROOM(RAW_BYTES));
	if (s->encoding == ENCODING_UTF8) {
		s->nready = got - skip;
		memcpy(s->ready, first + skip, s->nready);
	} else {
		s->raw = allocate(RAW_BYTES);
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
		TRY(unwrap_read(&s->file, buf + *got, n - *got, &some, e));
		*got += some;
	}
	return OK;
}

enum status source_peek(struct source *s, size_t n, struct span *text, struct err *e)
{
	char *more = allocate(n);
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
	size_t some = s->npeeked - s->peeked_at < n ? s->npeeked - s->peeked_at : n;

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

static enum status begin_source(struct source *s, ssize_t (*reader)(void *, void *, size_t),
	void *ctx, const char *inflate, struct err *e)
{
	enum status st;

	tally_init(&s->tally);
	st = unwrap_open(&s->file, reader, ctx, inflate, &s->tally, e);
	if (st == OK)
		st = begin_text(s, e);
	if (st != OK)
		source_close(s);
	return st;
}

enum status source_open_reader(struct source *s, ssize_t (*reader)(void *, void *, size_t),
	void *ctx, const char *inflate, struct err *e)
{
	*s = (struct source){ .fd = -1, .file_bytes = -1 };
	return begin_source(s, reader, ctx, inflate, e);
}

enum status source_open(struct source *s, const char *path, const char *inflate, struct err *e)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct stat st;

	*s = (struct source){ .fd = -1, .file_bytes = -1 };
	s->fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0)
		return err_set(e, E_IO, -1, "cannot open: %s", strerror(errno));
	if (fstat(s->fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		source_close(s);
		return err_set(e, E_IO, -1, "is a directory");
	}
	if (S_ISREG(st.st_mode))
		s->file_bytes = st.st_size;
	return begin_source(s, read_fd, s, inflate, e);
}

void source_close(struct source *s)
{
	unwrap_close(&s->file);
	if (s->fd >= 0)
		(void)close(s->fd);
	free(s->raw);
	free(s->ready);
	free(s->peeked);
	s->raw = NULL;
	s->ready = s->peeked = NULL;
	s->fd = -1;
}

const char *source_container(const struct source *s)
{
	if (s->file.container == CONTAINER_GZIP)
		return "gzip";
	return s->file.container == CONTAINER_ZLIB ? "zlib" : "plain";
}
