/* Streams and archives by libarchive.  Each kind of file is given to the one reader that its first
 * bytes ask for: libarchive guesses nothing, and starts no other program. */
#include "analyze/input/source/unpack.h"

#include <locale.h>

#include "analyze/input/source/libarchive.h"
#include "base/base.h"

#ifdef HAVE_LIBARCHIVE
struct unpack {
	struct libarchive lib;
	struct archive *a;
	struct unpack_from from;
	int64_t taken, made;
	bool has_ended, has_failed; /* what `more` said last */
	enum unpack_end whole;      /* of all: MORE while members may follow */
	enum unpack_end member;     /* of the member or the stream at hand */

	/* Names are UTF-8 or bytes, whatever the user's locale: libarchive takes them to the
	   current one, and loses those that have no place there. */
	locale_t utf8; /* 0: there is none */

	const char *block; /* unpacked, not yet given */
	size_t nblock;
	int64_t place; /* in the member, behind the block */
};

static la_ssize_t on_read(struct archive *a UNUSED, void *ctx, const void **p)
{
	struct unpack *u = ctx;
	ssize_t n = u->from.more(u->from.ctx, p);

	u->has_failed |= n < 0;
	u->has_ended = n == 0;
	u->taken += MAX(n, 0);
	return n;
}

static la_int64_t on_seek(struct archive *a UNUSED, void *ctx, la_int64_t to, int whence)
{
	struct unpack *u = ctx;
	int64_t at = u->from.seek(u->from.ctx, to, whence);

	u->has_ended |= at < 0; /* asked for a place behind the end */
	return at < 0 ? ARCHIVE_FATAL : at;
}

/* What a call of libarchive that gave no bytes means. */
static enum unpack_end ended(const struct unpack *u, int rc)
{
	if (u->has_failed)
		return UNPACK_FAILED;
	if (rc == ARCHIVE_EOF)
		return UNPACK_OVER;
	return u->has_ended || strstr(unpack_why(u), "runcated") ? UNPACK_CUT : UNPACK_BAD;
}

/* A decoder that would be another program is none. */
static bool prepare(const struct unpack *u, enum container form)
{
	const struct libarchive *l = &u->lib;

	switch (form) {
	case CONTAINER_ZIP:
		return (u->from.seek ? l->archive_read_support_format_zip
				     : l->archive_read_support_format_zip_streamable)(u->a) ==
			ARCHIVE_OK;
	case CONTAINER_TAR: return l->archive_read_support_format_tar(u->a) == ARCHIVE_OK;
	case CONTAINER_ZSTD: return l->archive_read_support_filter_zstd(u->a) == ARCHIVE_OK;
	case CONTAINER_XZ: return l->archive_read_support_filter_xz(u->a) == ARCHIVE_OK;
	case CONTAINER_BZIP2: return l->archive_read_support_filter_bzip2(u->a) == ARCHIVE_OK;
	default: return l->archive_read_support_filter_lz4(u->a) == ARCHIVE_OK;
	}
}

/* The one stream is a member for libarchive. */
static void begin_stream(struct unpack *u)
{
	struct archive_entry *entry;
	int rc = u->lib.archive_read_next_header(u->a, &entry);
	int layers = u->lib.archive_filter_count(u->a) - 1; /* it counts the bytes as they come */

	u->member = rc == ARCHIVE_OK || rc == ARCHIVE_WARN ? UNPACK_MORE : ended(u, rc);
	if (u->member == UNPACK_MORE && layers < 1) /* its mark was all there was */
		u->member = u->has_ended ? UNPACK_CUT : UNPACK_BAD;
	if (layers > 1)
		u->member = UNPACK_TWICE;
}

static bool is_stream(enum container form)
{
	return form != CONTAINER_ZIP && form != CONTAINER_TAR;
}

struct unpack *unpack_open(enum container form, const struct unpack_from *from)
{
	struct unpack *u = zeroed(1, sizeof(*u));
	const struct libarchive *l = &u->lib;

	u->from = *from;
	if (!libarchive_open(&u->lib)) {
		free(u);
		return NULL;
	}
	u->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	u->a = l->archive_read_new();
	if (!u->a || !prepare(u, form) ||
		(is_stream(form) && l->archive_read_support_format_raw(u->a) != ARCHIVE_OK)) {
		unpack_close(u);
		return NULL;
	}
	(void)l->archive_read_set_callback_data(u->a, u);
	(void)l->archive_read_set_read_callback(u->a, on_read);
	if (from->seek)
		(void)l->archive_read_set_seek_callback(u->a, on_seek);
	if (l->archive_read_open1(u->a) != ARCHIVE_OK)
		u->whole = u->member = ended(u, ARCHIVE_FATAL);
	else if (is_stream(form))
		begin_stream(u);
	return u;
}

void unpack_close(struct unpack *u)
{
	if (!u)
		return;
	if (u->a)
		(void)u->lib.archive_read_free(u->a);
	libarchive_close(&u->lib);
	if (u->utf8)
		freelocale(u->utf8);
	free(u);
}

void unpack_rebase(struct unpack *u, void *ctx)
{
	u->from.ctx = ctx;
}

static enum member_what what_of(const struct libarchive *l, struct archive_entry *entry)
{
	if (l->archive_entry_hardlink(entry))
		return MEMBER_LINK;
	switch (l->archive_entry_filetype(entry)) {
	case AE_IFREG:
	case 0: return MEMBER_FILE;
	case AE_IFDIR: return MEMBER_FOLDER;
	case AE_IFLNK: return MEMBER_LINK;
	default: return MEMBER_SPECIAL;
	}
}

static const char *name_of(const struct libarchive *l, struct archive_entry *entry)
{
	const char *name = l->archive_entry_pathname_utf8(entry);

	if (!name)
		name = l->archive_entry_pathname(entry);
	return name ? name : "";
}

static enum unpack_end next_member(struct unpack *u, struct archived *m)
{
	const struct libarchive *l = &u->lib;
	struct archive_entry *entry;

	if (u->whole != UNPACK_MORE)
		return u->whole;
	u->nblock = 0;
	u->place = 0;
	int rc = l->archive_read_next_header(u->a, &entry);
	if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
		return u->whole = u->member = ended(u, rc);
	u->member = UNPACK_MORE;
	m->name = name_of(l, entry);
	m->bytes = l->archive_entry_size_is_set(entry) ? l->archive_entry_size(entry) : -1;
	m->what = what_of(l, entry);
	m->is_locked = l->archive_entry_is_encrypted(entry) != 0;
	return UNPACK_MORE;
}

enum unpack_end unpack_next(struct unpack *u, struct archived *m)
{
	locale_t before = u->utf8 ? uselocale(u->utf8) : (locale_t)0;
	enum unpack_end end = next_member(u, m);

	if (before)
		(void)uselocale(before);
	return end;
}

/* The next block; holes of a sparse file are no text. */
static void next_block(struct unpack *u)
{
	const void *p = NULL;
	la_int64_t at = 0;
	int rc = u->lib.archive_read_data_block(u->a, &p, &u->nblock, &at);

	u->block = p;
	if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN) {
		u->nblock = 0;
		u->member = ended(u, rc);
		if (rc != ARCHIVE_EOF && rc != ARCHIVE_FAILED)
			u->whole = u->member;
		return;
	}
	if (u->nblock && at != u->place) {
		u->nblock = 0;
		u->member = UNPACK_BAD;
		return;
	}
	u->place += (int64_t)u->nblock;
	u->made += (int64_t)u->nblock;
	if ((u->made - UNPACK_FREE) / UNPACK_RATIO > u->taken)
		u->whole = u->member = UNPACK_BOMB;
}

enum unpack_end unpack_read(struct unpack *u, void *buf, size_t n, size_t *got)
{
	char *out = buf;

	*got = 0;
	while (*got < n && (u->nblock || u->member == UNPACK_MORE)) {
		size_t some = MIN(u->nblock, n - *got);

		if (some == 0) {
			next_block(u);
			continue;
		}
		memcpy(out + *got, u->block, some);
		u->block += some;
		u->nblock -= some;
		*got += some;
	}
	return u->nblock ? UNPACK_MORE : u->member;
}

const char *unpack_why(const struct unpack *u)
{
	const char *why = u->lib.archive_error_string(u->a);

	return why ? why : "damaged";
}

const char *unpack_missing(void)
{
	struct libarchive l;

	if (!libarchive_open(&l))
		return "libarchive is not installed here (package libarchive13)";
	libarchive_close(&l);
	return NULL;
}
#else
struct unpack *unpack_open(enum container form UNUSED, const struct unpack_from *from UNUSED)
{
	return NULL;
}

void unpack_close(struct unpack *u UNUSED)
{
}

void unpack_rebase(struct unpack *u UNUSED, void *ctx UNUSED)
{
}

enum unpack_end unpack_next(struct unpack *u UNUSED, struct archived *m UNUSED)
{
	return UNPACK_OVER;
}

enum unpack_end unpack_read(struct unpack *u UNUSED, void *buf UNUSED, size_t n UNUSED, size_t *got)
{
	*got = 0;
	return UNPACK_OVER;
}

const char *unpack_why(const struct unpack *u UNUSED)
{
	return "";
}

const char *unpack_missing(void)
{
	return "traceq was built without libarchive (package libarchive-dev)";
}
#endif
