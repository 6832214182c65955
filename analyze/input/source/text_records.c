/* Records of a file of digests, one after the other. */
#include "analyze/input/source/text_records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/digest/digest_files.h"
#include "base/minmax.h"
#include "base/zeroed.h"

struct records {
	struct unpack_from from;
	struct digest_files file;
	size_t next;                /* the record that records_next gives */
	uint64_t at;                /* place in the file of what comes next */
	uint64_t left;              /* bytes of the record at hand */
	const unsigned char *block; /* what was read and not yet used */
	size_t nblock;
	struct arena mem;
};

static enum status cut(const struct records *r, struct err *e)
{
	if (r->file.length)
		(void)err_set(e, E_SYNTAX, -1,
			"a file of digests is cut off at byte %" PRIu64 " of %" PRIu64, r->at,
			r->file.length);
	else
		(void)err_set(e, E_SYNTAX, -1,
			"a file of digests is cut off at byte %" PRIu64 ", in its head", r->at);
	return err_hint(e, "copy it again, or write it again: traceq digest FILE... -o X.tqd");
}

/* The next n bytes, or with out NULL past them. */
static enum status take(struct records *r, char *out, uint64_t n, struct err *e)
{
	while (n > 0) {
		size_t some = (size_t)MIN(n, r->nblock);

		if (some == 0) {
			const void *p;
			ssize_t got = r->from.more(r->from.ctx, &p);

			if (got < 0)
				return err_set(e, E_IO, -1, "cannot read the digests");
			if (got == 0)
				return cut(r, e);
			r->block = p;
			r->nblock = (size_t)got;
			continue;
		}
		if (out)
			memcpy(out, r->block, some);
		out = out ? out + some : NULL;
		r->block += some;
		r->nblock -= some;
		r->at += some;
		n -= some;
	}
	return OK;
}

/* What a list says, as it comes: no more is allocated than there is. */
static enum status take_list(struct records *r, const char *head, struct err *e)
{
	enum { PIECE = 64 << 10 };
	struct str list = { 0 };
	enum status st = OK;
	char piece[PIECE];

	while (st == OK && list.n < r->file.list) {
		size_t n = MIN(r->file.list - list.n, PIECE);

		st = take(r, piece, n, e);
		if (st == OK)
			str_add(&list, piece, n);
	}
	if (st == OK)
		st = digest_files_list(&r->file, head, list.n ? list.s : "", &r->mem, e);
	str_free(&list);
	return st;
}

/* A file that can be gone back in is looked at as a whole. */
static enum status check_length(struct records *r, struct err *e)
{
	if (!r->from.seek)
		return OK;
	int64_t here = r->from.seek(r->from.ctx, 0, SEEK_CUR);
	int64_t end = r->from.seek(r->from.ctx, 0, SEEK_END);
	if (here < 0 || end < 0 || r->from.seek(r->from.ctx, here, SEEK_SET) != here)
		return err_set(e, E_IO, -1, "cannot seek in the digests");
	if ((uint64_t)end < r->file.length) {
		r->at = (uint64_t)end;
		return cut(r, e);
	}
	if ((uint64_t)end > r->file.length)
		return err_set(e, E_SYNTAX, -1,
			"a file of digests says it is %" PRIu64 " bytes long, and is %" PRId64,
			r->file.length, end);
	return OK;
}

enum status records_open(struct records **made, const struct unpack_from *from, struct err *e)
{
	struct records *r = zeroed(1, sizeof(*r));
	char head[DIGEST_FILE_HEAD];

	*made = r;
	r->from = *from;
	arena_init(&r->mem);
	TRY(take(r, head, sizeof(head), e));
	TRY(digest_files_head(&r->file, head, e));
	TRY(check_length(r, e));
	return take_list(r, head, e);
}

void records_close(struct records *r)
{
	if (!r)
		return;
	arena_clear(&r->mem);
	free(r);
}

/* To a place behind the one at hand. */
static enum status go_to(struct records *r, uint64_t place, struct err *e)
{
	if (place - r->at <= r->nblock || !r->from.seek)
		return take(r, NULL, place - r->at, e);
	if (r->from.seek(r->from.ctx, (int64_t)place, SEEK_SET) != (int64_t)place)
		return err_set(e, E_IO, -1, "cannot seek in the digests");
	r->nblock = 0;
	r->at = place;
	return OK;
}

enum unpack_end records_next(struct records *r, struct archived *one, struct err *e)
{
	if (r->next == r->file.n) /* where they come through a pipe, all bytes have to */
		return go_to(r, r->file.length, e) == OK ? UNPACK_OVER : UNPACK_FAILED;
	const struct digest_file_place *p = &r->file.record[r->next++];
	r->left = p->length; /* gone to when it is read */
	*one = (struct archived){ .name = p->name, .bytes = (int64_t)p->length };
	return UNPACK_MORE;
}

enum unpack_end records_read(struct records *r, void *buf, size_t n, size_t *got, struct err *e)
{
	const struct digest_file_place *p = &r->file.record[r->next - 1];

	*got = n < r->left ? n : (size_t)r->left;
	if (go_to(r, p->offset + p->length - r->left, e) != OK || take(r, buf, *got, e) != OK) {
		*got = 0;
		return UNPACK_FAILED;
	}
	r->left -= *got;
	return *got == n ? UNPACK_MORE : UNPACK_OVER;
}
