/* Archives: where their bytes come from, which member is wanted, what went wrong. */
#include "analyze/input/source/archive_members.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/digest/digest_files.h"

/* A file of digests: records of traces (analyze/trace/digest/digest_file.h) behind a list of their
 * names, read as an archive is.  Private to archive_members.c. */

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
	SCOPED_STR list = { 0 };
	enum status st = OK;
	char piece[PIECE];

	while (st == OK && list.n < r->file.list) {
		size_t n = MIN(r->file.list - list.n, PIECE);

		st = take(r, piece, n, e);
		if (st == OK)
			str_add(&list, piece, n);
	}
	THEN(st, digest_files_list(&r->file, head, list.n ? list.s : "", &r->mem, e));
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

/* Reads and checks the list.  Ways of `from` that do not lead back are read through.  E_SYNTAX: cut
 * off, longer than it says, damaged; E_FORMAT: of an unknown version; E_IO.  *made is there to be
 * closed, or NULL. */
static enum status records_open(
	struct records **made, const struct unpack_from *from, struct err *e)
{
	struct records *r = zeroed(1, sizeof(*r));
	char head[DIGEST_FILE_HEAD];

	*made = r;
	r->from = *from;
	TRY(take(r, head, sizeof(head), e));
	TRY(digest_files_head(&r->file, head, e));
	TRY(check_length(r, e));
	return take_list(r, head, e);
}

static void records_close(struct records *r)
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

/* The next record.  Its name is unlike all others'.  UNPACK_MORE: it is in *one; UNPACK_OVER;
 * UNPACK_FAILED, with the reason in e. */
static enum unpack_end records_next(struct records *r, struct archived *one, struct err *e)
{
	if (r->next == r->file.n) /* where they come through a pipe, all bytes have to */
		return go_to(r, r->file.length, e) == OK ? UNPACK_OVER : UNPACK_FAILED;
	const struct digest_file_place *p = &r->file.record[r->next++];
	r->left = p->length; /* gone to when it is read */
	*one = (struct archived){ .name = p->name, .bytes = (int64_t)p->length };
	return UNPACK_MORE;
}

/* Up to n bytes of the record; all n came with UNPACK_MORE, *got in any case. */
static enum unpack_end records_read(
	struct records *r, void *buf, size_t n, size_t *got, struct err *e)
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

enum { BLOCK_BYTES = 256 << 10 };

struct members {
	struct unwrap outer;
	struct tally *tally;   /* the caller's */
	struct tally of_outer; /* its places are none of a text */
	enum container form;
	int fd; /* -1: by the outer's bytes */
	char *block;
	size_t nfirst; /* bytes of the block that are there already */
	int64_t taken;
	struct unpack *unpack;   /* what takes it apart: libarchive, or */
	struct records *records; /* of CONTAINER_DIGESTS this */
	struct str name;         /* of the member at hand */
	int64_t given;           /* bytes of it */
	bool is_told;            /* what ended the archive is counted */
	struct err err;          /* E_LIMIT, E_IO: why there is no more */
};

static ssize_t more(void *ctx, const void **p)
{
	struct members *m = ctx;
	size_t got = m->nfirst;
	ssize_t n;

	*p = m->block;
	if (m->fd >= 0) {
		do
			n = read(m->fd, m->block, BLOCK_BYTES);
		while (n < 0 && errno == EINTR);
		if (n < 0)
			(void)err_set(&m->err, E_IO, -1, "cannot read: %s", strerror(errno));
		m->taken += MAX(n, 0);
		return n;
	}
	m->nfirst = 0;
	if (got == 0 && unwrap_read(&m->outer, m->block, BLOCK_BYTES, &got, &m->err) != OK)
		return -1;
	return (ssize_t)got;
}

static int64_t seek(void *ctx, int64_t to, int whence)
{
	const struct members *m = ctx;
	off_t was = lseek(m->fd, 0, SEEK_CUR), at = lseek(m->fd, to, whence);
	struct stat st;

	if (at < 0 || fstat(m->fd, &st) != 0 || at <= st.st_size)
		return at;
	(void)lseek(m->fd, was, SEEK_SET); /* there is nothing to pass over */
	return -1;
}

enum status members_open(
	struct members **made, struct unwrap *outer, struct span first, int fd, struct err *e)
{
	enum container form = magic_container(first);
	const char *why = form == CONTAINER_DIGESTS ? NULL : unpack_missing();
	bool seeks = outer->container == form && fd >= 0 && lseek(fd, 0, SEEK_SET) == 0;

	if (why)
		return magic_refuse_packed(first, why, e);
	struct members *m = zeroed(1, sizeof(*m));
	m->form = form;
	m->fd = seeks ? fd : -1;
	m->block = xmalloc(BLOCK_BYTES);
	memcpy(m->block, first.p, first.n);
	m->nfirst = first.n;
	err_clear(&m->err);
	unwrap_move(&m->outer, outer);
	m->tally = m->outer.tally;
	m->outer.tally = &m->of_outer;
	tally_init(&m->of_outer);
	tally_merge(&m->of_outer, m->tally);
	tally_init(m->tally);
	*made = m;
	struct unpack_from from = (struct unpack_from){ more, seeks ? seek : NULL, m };
	if (form == CONTAINER_DIGESTS)
		return records_open(&m->records, &from, e);
	m->unpack = unpack_open(form, &from);
	return m->unpack ? OK : err_set(e, E_FORMAT, -1, "libarchive cannot read it");
}

void members_close(struct members *m)
{
	if (!m)
		return;
	unpack_close(m->unpack);
	records_close(m->records);
	unwrap_close(&m->outer);
	free(m->block);
	str_free(&m->name);
	free(m);
}

bool members_is_hidden(const char *name)
{
	return name[0] == '.' || strstr(name, "/.");
}

static void set_name(struct str *out, const char *name)
{
	str_reset(out);
	str_adds(out, "");
	while (*name) {
		size_t n = strcspn(name, "/");

		if (n > 0 && !(n == 1 && name[0] == '.')) {
			if (out->n)
				str_addc(out, '/');
			str_add(out, name, n);
		}
		name += n + (name[n] == '/');
	}
}

/* Counts what ended the archive, once. */
static void tell(struct members *m, enum unpack_end end)
{
	bool is_cut = end == UNPACK_CUT || m->of_outer.count[PROBLEM_TRUNCATED_GZIP];

	if (end == UNPACK_BOMB)
		(void)err_set(&m->err, E_LIMIT, -1, "%s", UNPACK_BOMB_TEXT);
	if ((end != UNPACK_CUT && end != UNPACK_BAD) || m->is_told)
		return;
	m->is_told = true;
	tally_add(m->tally, is_cut ? PROBLEM_TRUNCATED_GZIP : PROBLEM_CORRUPT_GZIP, 1,
		m->given > 0 ? m->given : -1);
	tally_init(&m->of_outer);
}

enum unpack_end members_next(struct members *m, struct archived *one)
{
	enum unpack_end end =
		m->records ? records_next(m->records, one, &m->err) : unpack_next(m->unpack, one);

	m->given = 0;
	tell(m, end);
	if (end != UNPACK_MORE) {
		/* At the end of the archive: what its frame came to, unless libarchive stumbled
		 * over the same. */
		for (enum problem p = 0; p < PROBLEM_COUNT; p++)
			if (m->of_outer.count[p])
				tally_add(m->tally, p, m->of_outer.count[p], -1);
		tally_init(&m->of_outer);
		return end;
	}
	set_name(&m->name, one->name);
	one->name = m->name.s;
	return end;
}

/* A read that ends for good; libarchive's words for it may be the last there are. */
static enum status not_found(
	const struct members *m, const char *name, enum unpack_end end, struct err *e)
{
	if (m->err.status != OK)
		return members_failed(m, e);
	if (end == UNPACK_CUT)
		return err_set(e, E_SYNTAX, -1, "the %s archive ends before %s",
			magic_container_name(m->form), name ? name : "its first file");
	if (end == UNPACK_BAD)
		return err_set(e, E_SYNTAX, -1, "the %s archive is damaged before %s: %s",
			magic_container_name(m->form), name ? name : "its first file",
			unpack_why(m->unpack));
	(void)err_set(e, E_NODATA, -1,
		name ? "the archive has no file of that name" : "no file is in the archive");
	return name ? err_hint(e,
			      "'traceq info FILE' lists what is in it; a folder in it is "
			      "named with '/' behind")
		    : e->status;
}

enum status members_find(struct members *m, const char *name, int64_t *bytes, struct err *e)
{
	struct archived one;
	enum unpack_end end;

	while ((end = members_next(m, &one)) == UNPACK_MORE) {
		if (one.what != MEMBER_FILE ||
			(name ? strcmp(one.name, name) != 0 : members_is_hidden(one.name)))
			continue;
		*bytes = one.bytes;
		if (!one.is_locked)
			return OK;
		return err_hinted(e, E_FORMAT, "traceq asks for no password; unpack it: unzip FILE",
			"%s in the archive is encrypted", one.name);
	}
	return not_found(m, name, end, e);
}

ssize_t members_read(void *members, void *buf, size_t n)
{
	struct members *m = members;
	size_t got;
	enum unpack_end end = m->records ? records_read(m->records, buf, n, &got, &m->err)
					 : unpack_read(m->unpack, buf, n, &got);

	m->given += (int64_t)got;
	tell(m, end);
	if (m->err.status != OK && got == 0) {
		errno = EIO;
		return -1;
	}
	return (ssize_t)got;
}

enum status members_failed(const struct members *m, struct err *e)
{
	if (m->err.status != OK)
		*e = m->err;
	return e->status;
}

int64_t members_left(struct members *m)
{
	struct archived one;
	int64_t n = 0;

	while (members_next(m, &one) == UNPACK_MORE)
		n += one.what == MEMBER_FILE && !members_is_hidden(one.name);
	return n;
}

int64_t members_taken(const struct members *m)
{
	return m->fd >= 0 ? m->taken : m->outer.read_bytes;
}

enum container members_form(const struct members *m)
{
	return m->form;
}

enum container members_outer(const struct members *m)
{
	return m->outer.container == m->form ? CONTAINER_PLAIN : m->outer.container;
}

bool members_split(const char *path, size_t *file_len, const char **name)
{
	const char *mark = path;
	struct stat st;

	while ((mark = strchr(mark, '!'))) {
		struct str file = { 0 };

		*file_len = (size_t)(mark - path);
		str_add(&file, path, *file_len);
		bool is_file = *file_len > 0 && stat(file.s, &st) == 0 && S_ISREG(st.st_mode);
		str_free(&file);
		*name = ++mark;
		if (is_file)
			return true;
	}
	return false;
}
