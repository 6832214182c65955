/* Bytes with the frame taken off: members of gzip, or zlib, are inflated and checked; zstd and its
 * like are libarchive's work (unpack.c); plain ones are passed on. */
#include "analyze/input/source/unwrap.h"

#include <errno.h>

#include "analyze/input/source/unpack.h"

/* Who looks at the first bytes only reads few; then each read is GROWTH times all before it. */
enum { IN_BYTES = 256 << 10, FIRST_BYTES = 4 << 10, GROWTH = 4 };
/* Inflated at a time, so that the checksum finds it in the cache; ISA-L copies 64 KiB more in each
 * call than it makes. */
enum { CHECK_BYTES = 512 << 10 };
/* An inflater may return 8 bytes of an earlier call.  Behind them reads begin a line of the cache:
 * where they begin a few bytes behind the file's own page, the kernel copies at a third of the
 * speed. */
enum { GIVEN_BACK = 64 };

static enum status failed(struct unwrap *u, int why, struct err *e)
{
	u->read_errno = why;
	return err_set(e, E_IO, u->read_bytes, "cannot read: %s", strerror(why));
}

static enum status read_some(struct unwrap *u, void *buf, size_t n, size_t *got, struct err *e)
{
	ssize_t r = u->eof ? 0 : u->read(u->read_ctx, buf, n);

	*got = 0;
	if (r < 0)
		return failed(u, errno, e);
	u->eof = r == 0;
	u->read_bytes += r;
	*got = (size_t)r;
	return OK;
}

/* At least `want` (<= IN_BYTES) unused bytes in `in`, fewer only at the end. */
static enum status fill_in(struct unwrap *u, size_t want, struct err *e)
{
	size_t got = 0;

	if (u->n - u->at >= want)
		return OK;
	size_t keep = MIN(u->at, GIVEN_BACK);
	memmove(u->in, u->in + u->at - keep, u->n - u->at + keep);
	u->n -= u->at - keep;
	u->at = keep;
	while (u->n - u->at < want && !u->eof) {
		size_t room = MAX(FIRST_BYTES, GROWTH * (size_t)u->read_bytes);

		room = MIN(room, IN_BYTES + GIVEN_BACK - u->n);
		TRY(read_some(u, u->in + u->n, room, &got, e));
		u->n += got;
	}
	return OK;
}

static enum status next_byte(struct unwrap *u, int *c, struct err *e)
{
	TRY(fill_in(u, 1, e));
	*c = u->at < u->n ? u->in[u->at++] : -1;
	return OK;
}

/* Passes n bytes, or for n < 0 a NUL-terminated text; *ok turns false at the end of the file. */
static enum status pass(struct unwrap *u, long n, bool *ok, struct err *e)
{
	int c = 0;

	while (n != 0 && *ok) {
		TRY(next_byte(u, &c, e));
		*ok = c >= 0;
		if (n > 0)
			n--;
		else if (c == 0)
			break;
	}
	return OK;
}

static enum status gzip_header(struct unwrap *u, bool *ok, struct err *e)
{
	enum { HAS_CRC = 2, HAS_EXTRA = 4, HAS_NAME = 8, HAS_COMMENT = 16 };
	int flags, lo, hi;

	TRY(pass(u, 3, ok, e));
	TRY(next_byte(u, &flags, e));
	TRY(pass(u, 6, ok, e));
	if (!*ok || flags < 0) {
		*ok = false;
		return OK;
	}
	if (flags & HAS_EXTRA) {
		TRY(next_byte(u, &lo, e));
		TRY(next_byte(u, &hi, e));
		*ok = hi >= 0;
		if (*ok)
			TRY(pass(u, lo | hi << 8, ok, e));
	}
	if (flags & HAS_NAME)
		TRY(pass(u, -1, ok, e));
	if (flags & HAS_COMMENT)
		TRY(pass(u, -1, ok, e));
	if (flags & HAS_CRC)
		TRY(pass(u, 2, ok, e));
	return OK;
}

/* Zero padding behind the last member is silent. */
static enum status pass_zeros(struct unwrap *u, struct err *e)
{
	do {
		TRY(fill_in(u, 1, e));
		while (u->at < u->n && u->in[u->at] == 0)
			u->at++;
	} while (u->at == u->n && !u->eof);
	return OK;
}

static enum status begin_member(struct unwrap *u, struct err *e)
{
	bool ok = true;

	if (u->members > 0) {
		TRY(pass_zeros(u, e));
		TRY(fill_in(u, 2, e));
		if (u->at == u->n) {
			u->frame = FRAME_OVER;
			return OK;
		}
		if (u->container == CONTAINER_ZLIB || u->n - u->at < 2 || u->in[u->at] != 0x1f ||
			u->in[u->at + 1] != 0x8b) {
			tally_add(u->tally, PROBLEM_GZIP_TRAILING, 1, -1);
			u->frame = FRAME_OVER;
			return OK;
		}
	}
	if (u->container == CONTAINER_ZLIB)
		TRY(pass(u, 2, &ok, e));
	else
		TRY(gzip_header(u, &ok, e));
	if (!ok) {
		tally_add(u->tally, PROBLEM_TRUNCATED_GZIP, 1, -1);
		u->frame = FRAME_OVER;
		return OK;
	}
	u->inflater->reset(u->state);
	u->check = u->container == CONTAINER_ZLIB;
	u->length = 0;
	u->members++;
	u->frame = FRAME_BODY;
	return OK;
}

static enum status inflate_body(struct unwrap *u, unsigned char **out, size_t *left, struct err *e)
{
	const unsigned char *made_from = *out;
	size_t room = MIN(*left, CHECK_BYTES);

	TRY(fill_in(u, 1, e));
	const unsigned char *in = u->in + u->at;
	size_t nin = u->n - u->at;
	enum inflate_end end = u->inflater->run(u->state, &in, &nin, out, &room);
	ptrdiff_t used = in - (u->in + u->at); /* negative when it gives back more than it took */
	size_t made = (size_t)(*out - made_from);
	*left -= made;
	u->at = (size_t)((ptrdiff_t)u->at + used);
	u->length += (uint32_t)made;
	u->made_bytes += (int64_t)made;
	if (u->container == CONTAINER_ZLIB)
		u->check = u->inflater->adler32(u->check, made_from, made);
	else
		u->check = u->inflater->crc32(u->check, made_from, made);
	if (end == INFLATE_END) {
		u->frame = FRAME_TRAILER;
	} else if (end == INFLATE_BAD) {
		tally_add(u->tally, PROBLEM_CORRUPT_GZIP, 1, u->made_bytes);
		u->frame = FRAME_OVER;
	} else if (!used && !made && u->eof) {
		tally_add(u->tally, PROBLEM_TRUNCATED_GZIP, 1, u->made_bytes);
		u->frame = FRAME_OVER;
	}
	return OK;
}

static enum status end_member(struct unwrap *u, struct err *e)
{
	size_t want = u->container == CONTAINER_ZLIB ? 4 : 8;
	uint32_t v[2] = { 0, 0 };

	TRY(fill_in(u, want, e));
	if (u->n - u->at < want) {
		tally_add(u->tally, PROBLEM_GZIP_NO_TRAILER, 1, -1);
		u->frame = FRAME_OVER;
		return OK;
	}
	for (size_t i = 0; i < want; i++) {
		uint32_t c = u->in[u->at + i];

		v[i / 4] |= u->container == CONTAINER_ZLIB ? c << (24 - 8 * i) : c << 8 * (i % 4);
	}
	u->at += want;
	if (v[0] != u->check || (want == 8 && v[1] != u->length))
		tally_add(u->tally, PROBLEM_CORRUPT_GZIP, 1, -1);
	u->frame = FRAME_HEADER;
	return OK;
}

/* --- zstd and its like --- */

/* Bytes for libarchive: those read already, then more. */
static ssize_t packed_bytes(void *ctx, const void **p)
{
	struct unwrap *u = ctx;

	if (u->at == u->n) {
		u->at = u->n = 0;
		if (read_some(u, u->in, IN_BYTES, &u->n, &(struct err){ 0 }) != OK)
			return -1;
	}
	*p = u->in + u->at;
	u->at = u->n;
	return (ssize_t)((const unsigned char *)u->in + u->n - (const unsigned char *)*p);
}

static enum status begin_packed(struct unwrap *u, struct span head, struct err *e)
{
	const struct unpack_from from = { packed_bytes, NULL, u };
	const char *why = unpack_missing();

	u->frame = FRAME_BODY;
	u->unpack = why ? NULL : unpack_open(u->container, &from);
	if (u->unpack)
		return OK;
	return magic_refuse_packed(head, why ? why : "this libarchive cannot read it", e);
}

static enum status read_packed(struct unwrap *u, char *buf, size_t n, size_t *got, struct err *e)
{
	enum unpack_end end = UNPACK_OVER;

	*got = 0;
	if (u->frame == FRAME_OVER)
		return OK;
	end = unpack_read(u->unpack, buf, n, got);
	u->made_bytes += (int64_t)*got;
	if (end == UNPACK_MORE)
		return OK;
	u->frame = FRAME_OVER;
	if (end == UNPACK_CUT || end == UNPACK_BAD)
		tally_add(u->tally,
			end == UNPACK_CUT ? PROBLEM_TRUNCATED_GZIP : PROBLEM_CORRUPT_GZIP, 1,
			u->made_bytes);
	if (end == UNPACK_FAILED)
		return failed(u, u->read_errno, e);
	if (end == UNPACK_BOMB)
		return err_set(e, E_LIMIT, u->made_bytes, "%s", UNPACK_BOMB_TEXT);
	if (end == UNPACK_TWICE) {
		(void)err_set(e, E_FORMAT, 0, "compressed twice by %s",
			magic_container_name(u->container));
		return err_hint(e, "take one layer off");
	}
	return OK;
}

enum status unwrap_read(struct unwrap *u, char *buf, size_t n, size_t *got, struct err *e)
{
	unsigned char *out = (unsigned char *)buf;
	size_t left = n, some = 0;

	*got = 0;
	if (u->unpack)
		return read_packed(u, buf, n, got, e);
	if (!u->inflater) {
		*got = MIN(u->n - u->at, n);
		memcpy(buf, u->in + u->at, *got);
		u->at += *got;
		while (*got < n && !u->eof) {
			TRY(read_some(u, buf + *got, n - *got, &some, e));
			*got += some;
		}
		return OK;
	}
	while (left > 0 && u->frame != FRAME_OVER) {
		if (u->frame == FRAME_HEADER)
			TRY(begin_member(u, e));
		else if (u->frame == FRAME_BODY)
			TRY(inflate_body(u, &out, &left, e));
		else
			TRY(end_member(u, e));
	}
	*got = n - left;
	return OK;
}

static enum status begin_stream(struct unwrap *u, const char *inflate, struct err *e)
{
	TRY(fill_in(u, MAGIC_BYTES, e));
	struct span head = (struct span){ (const char *)u->in, u->n };
	/* a file of digests is read from its end; others tell by more what they are */
	if (magic_container(head) != CONTAINER_DIGESTS)
		TRY(fill_in(u, u->n - u->at + 1, e));
	head.n = u->n;
	u->container = magic_container(head);
	if (u->n == 0) {
		(void)err_set(e, E_FORMAT, 0, "the file is empty");
		return err_hint(e, "the export failed or was cut off; record the trace again");
	}
	if (u->container == CONTAINER_OTHER)
		return magic_refuse(head, e);
	if (u->container >= CONTAINER_ZSTD && u->container <= CONTAINER_LZ4)
		return begin_packed(u, head, e);
	if (u->container == CONTAINER_GZIP || u->container == CONTAINER_ZLIB) {
		u->inflater = inflater_pick(inflate);
		u->state = u->inflater->open();
	}
	return OK;
}

enum status unwrap_open(struct unwrap *u, ssize_t (*reader)(void *, void *, size_t), void *ctx,
	const char *inflate, struct tally *tally, struct err *e)
{
	*u = (struct unwrap){ .read = reader, .read_ctx = ctx, .tally = tally };
	u->in = aligned_alloc(GIVEN_BACK, IN_BYTES + GIVEN_BACK);
	if (!u->in)
		die_oom(IN_BYTES + GIVEN_BACK);
	enum status st = begin_stream(u, inflate, e);
	if (st != OK)
		unwrap_close(u);
	return st;
}

void unwrap_close(struct unwrap *u)
{
	if (u->inflater)
		u->inflater->close(u->state);
	u->inflater = NULL;
	unpack_close(u->unpack);
	u->unpack = NULL;
	free(u->in);
	u->in = NULL;
}

void unwrap_move(struct unwrap *to, struct unwrap *from)
{
	*to = *from;
	*from = (struct unwrap){ 0 };
	if (to->unpack)
		unpack_rebase(to->unpack, to);
}
