/*
 * Files, frames and encodings.  The layers, from the file up: raw bytes (fill), frames inflated
 * (unwrap), UTF-16 decoded (utf16.c), text delivered (source_read).
 */
#include "analyze/input/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/input/utf16.h"
#include "base/die.h"

enum { IN_BYTES = 256 << 10, RAW_BYTES = 64 << 10 };
/*
 * Inflated at a time, so that the checksum finds it in the cache; ISA-L copies 64 KiB more in each
 * call than it makes.
 */
enum { CHECK_BYTES = 512 << 10 };
enum { GIVEN_BACK = 8 }; /* an inflater may return so many bytes of an earlier call */

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

static enum status read_some(struct source *s, void *buf, size_t n, size_t *got, struct err *e)
{
	ssize_t r = s->eof ? 0 : s->read(s->read_ctx, buf, n);

	*got = 0;
	if (r < 0)
		return err_set(e, E_IO, s->read_bytes, "cannot read: %s", strerror(errno));
	s->eof = r == 0;
	s->read_bytes += r;
	*got = (size_t)r;
	return OK;
}

/* At least `want` (<= IN_BYTES) unused bytes in `in`, fewer only at the end. */
static enum status fill(struct source *s, size_t want, struct err *e)
{
	size_t got = 0, keep;

	if (s->n - s->at >= want)
		return OK;
	keep = s->at < GIVEN_BACK ? s->at : GIVEN_BACK;
	memmove(s->in, s->in + s->at - keep, s->n - s->at + keep);
	s->n -= s->at - keep;
	s->at = keep;
	while (s->n - s->at < want && !s->eof) {
		TRY(read_some(s, s->in + s->n, IN_BYTES + GIVEN_BACK - s->n, &got, e));
		s->n += got;
	}
	return OK;
}

/* --- frames --- */

static enum status next_byte(struct source *s, int *c, struct err *e)
{
	TRY(fill(s, 1, e));
	*c = s->at < s->n ? s->in[s->at++] : -1;
	return OK;
}

/* Passes n bytes, or for n < 0 a NUL-terminated text; *ok turns false at the end of the file. */
static enum status pass(struct source *s, long n, bool *ok, struct err *e)
{
	int c = 0;

	while (n != 0 && *ok) {
		TRY(next_byte(s, &c, e));
		*ok = c >= 0;
		if (n > 0)
			n--;
		else if (c == 0)
			break;
	}
	return OK;
}

static enum status gzip_header(struct source *s, bool *ok, struct err *e)
{
	enum { HAS_CRC = 2, HAS_EXTRA = 4, HAS_NAME = 8, HAS_COMMENT = 16 };
	int flags, lo, hi;

	TRY(pass(s, 3, ok, e));
	TRY(next_byte(s, &flags, e));
	TRY(pass(s, 6, ok, e));
	if (!*ok || flags < 0) {
		*ok = false;
		return OK;
	}
	if (flags & HAS_EXTRA) {
		TRY(next_byte(s, &lo, e));
		TRY(next_byte(s, &hi, e));
		*ok = hi >= 0;
		if (*ok)
			TRY(pass(s, lo | hi << 8, ok, e));
	}
	if (flags & HAS_NAME)
		TRY(pass(s, -1, ok, e));
	if (flags & HAS_COMMENT)
		TRY(pass(s, -1, ok, e));
	if (flags & HAS_CRC)
		TRY(pass(s, 2, ok, e));
	return OK;
}

/* Zero padding behind the last member is silent. */
static enum status pass_zeros(struct source *s, struct err *e)
{
	do {
		TRY(fill(s, 1, e));
		while (s->at < s->n && s->in[s->at] == 0)
			s->at++;
	} while (s->at == s->n && !s->eof);
	return OK;
}

static enum status begin_member(struct source *s, struct err *e)
{
	bool ok = true;

	if (s->members > 0) {
		TRY(pass_zeros(s, e));
		TRY(fill(s, 2, e));
		if (s->at == s->n) {
			s->frame = FRAME_OVER;
			return OK;
		}
		if (s->container == CONTAINER_ZLIB || s->n - s->at < 2 || s->in[s->at] != 0x1f ||
			s->in[s->at + 1] != 0x8b) {
			tally_add(&s->tally, PROBLEM_GZIP_TRAILING, 1, -1);
			s->frame = FRAME_OVER;
			return OK;
		}
	}
	if (s->container == CONTAINER_ZLIB)
		TRY(pass(s, 2, &ok, e));
	else
		TRY(gzip_header(s, &ok, e));
	if (!ok) {
		tally_add(&s->tally, PROBLEM_TRUNCATED_GZIP, 1, -1);
		s->frame = FRAME_OVER;
		return OK;
	}
	s->inflater->reset(s->state);
	s->check = s->container == CONTAINER_ZLIB;
	s->length = 0;
	s->members++;
	s->frame = FRAME_BODY;
	return OK;
}

static enum status inflate_body(struct source *s, unsigned char **out, size_t *left, struct err *e)
{
	const unsigned char *in, *made_from = *out;
	size_t room = *left < CHECK_BYTES ? *left : CHECK_BYTES;
	size_t nin, made;
	ptrdiff_t used;
	enum inflate_end end;

	TRY(fill(s, 1, e));
	in = s->in + s->at;
	nin = s->n - s->at;
	end = s->inflater->run(s->state, &in, &nin, out, &room);
	used = in - (s->in + s->at); /* negative when it gives back more than it took */
	made = (size_t)(*out - made_from);
	*left -= made;
	s->at = (size_t)((ptrdiff_t)s->at + used);
	s->length += (uint32_t)made;
	s->made_bytes += (int64_t)made;
	if (s->container == CONTAINER_ZLIB)
		s->check = s->inflater->adler32(s->check, made_from, made);
	else
		s->check = s->inflater->crc32(s->check, made_from, made);
	if (end == INFLATE_END) {
		s->frame = FRAME_TRAILER;
	} else if (end == INFLATE_BAD) {
		tally_add(&s->tally, PROBLEM_CORRUPT_GZIP, 1, s->made_bytes);
		s->frame = FRAME_OVER;
	} else if (!used && !made && s->eof) {
		tally_add(&s->tally, PROBLEM_TRUNCATED_GZIP, 1, s->made_bytes);
		s->frame = FRAME_OVER;
	}
	return OK;
}

static enum status end_member(struct source *s, struct err *e)
{
	size_t want = s->container == CONTAINER_ZLIB ? 4 : 8, i;
	uint32_t v[2] = { 0, 0 };

	TRY(fill(s, want, e));
	if (s->n - s->at < want) {
		tally_add(&s->tally, PROBLEM_GZIP_NO_TRAILER, 1, -1);
		s->frame = FRAME_OVER;
		return OK;
	}
	for (i = 0; i < want; i++) {
		uint32_t c = s->in[s->at + i];

		v[i / 4] |= s->container == CONTAINER_ZLIB ? c << (24 - 8 * i) : c << 8 * (i % 4);
	}
	s->at += want;
	if (v[0] != s->check || (want == 8 && v[1] != s->length))
		tally_add(&s->tally, PROBLEM_CORRUPT_GZIP, 1, -1);
	s->frame = FRAME_HEADER;
	return OK;
}

/* Bytes with the frame taken off. */
static enum status unwrap(struct source *s, char *buf, size_t n, size_t *got, struct err *e)
{
	unsigned char *out = (unsigned char *)buf;
	size_t left = n, some = 0;

	*got = 0;
	if (s->container == CONTAINER_PLAIN) {
		while (*got < n && s->at < s->n)
			buf[(*got)++] = (char)s->in[s->at++];
		while (*got < n && !s->eof) {
			TRY(read_some(s, buf + *got, n - *got, &some, e));
			*got += some;
		}
		return OK;
	}
	while (left > 0 && s->frame != FRAME_OVER) {
		if (s->frame == FRAME_HEADER)
			TRY(begin_member(s, e));
		else if (s->frame == FRAME_BODY)
			TRY(inflate_body(s, &out, &left, e));
		else
			TRY(end_member(s, e));
	}
	*got = n - left;
	return OK;
}

/* --- text --- */

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
			TRY(unwrap(s, (char *)s->raw + s->nraw, RAW_BYTES - s->nraw, &some, e));
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

	TRY(unwrap(s, first, sizeof(first), &got, e));
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
		TRY(unwrap(s, buf + *got, n - *got, &some, e));
		*got += some;
	}
	return OK;
}

enum status source_peek(struct source *s, size_t n, struct span *text, struct err *e)
{
	s->peeked = allocate(n);
	TRY(read_text(s, s->peeked, n, &s->npeeked, e));
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

static enum status begin(struct source *s, const char *inflate, struct err *e)
{
	struct span head;

	tally_init(&s->tally);
	s->in = allocate(IN_BYTES + GIVEN_BACK);
	TRY(fill(s, MAGIC_BYTES, e));
	head = (struct span){ (const char *)s->in, s->n };
	s->container = magic_container(head);
	if (s->n == 0) {
		(void)err_set(e, E_FORMAT, 0, "the file is empty");
		return err_hint(e, "the export failed or was cut off; record the trace again");
	}
	if (s->container == CONTAINER_OTHER)
		return magic_refuse(head, e);
	if (s->container != CONTAINER_PLAIN) {
		s->inflater = inflater_pick(inflate);
		s->state = s->inflater->open();
		if (!s->state)
			die_oom(64 << 10);
	}
	return begin_text(s, e);
}

enum status source_open_reader(struct source *s, ssize_t (*reader)(void *, void *, size_t),
	void *ctx, const char *inflate, struct err *e)
{
	enum status st;

	*s = (struct source){ .read = reader, .read_ctx = ctx, .fd = -1, .file_bytes = -1 };
	st = begin(s, inflate, e);
	if (st != OK)
		source_close(s);
	return st;
}

enum status source_open(struct source *s, const char *path, const char *inflate, struct err *e)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct stat st;
	enum status status;

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
	s->read = read_fd;
	s->read_ctx = s;
	status = begin(s, inflate, e);
	if (status != OK)
		source_close(s);
	return status;
}

void source_close(struct source *s)
{
	if (s->inflater)
		s->inflater->close(s->state);
	if (s->fd >= 0)
		(void)close(s->fd);
	free(s->in);
	free(s->raw);
	free(s->ready);
	free(s->peeked);
	s->in = s->raw = NULL;
	s->ready = s->peeked = NULL;
	s->inflater = NULL;
	s->fd = -1;
}

const char *source_container(const struct source *s)
{
	if (s->container == CONTAINER_GZIP)
		return "gzip";
	return s->container == CONTAINER_ZLIB ? "zlib" : "plain";
}
