/* Records as bytes. */
#include "analyze/trace/digest/digest_file.h"

#include <zlib.h>

#define MAGIC "TQRECORD"

/* Where the head of a record has what. */
enum { AT_VERSION = 8, AT_SECTIONS = 12, AT_LENGTH = 16, AT_CHECK = 24, AT_HEAD_CHECK = 28 };
enum { ENTRY_BYTES = DIGEST_FILE_NAME + 16 };

/* Deflate makes no more than this of a byte. */
enum { DEFLATE_RATIO = 1040 };

struct kept {
	char *bytes;
	size_t n, nsection;
	struct {
		const char *name; /* DIGEST_FILE_NAME bytes, zeros behind it */
		struct span packed;
		size_t plain;
	} section[DIGEST_FILE_SECTIONS];
};

struct digest_file_made {
	char name[DIGEST_FILE_NAME];
	char *packed;
	size_t npacked, nplain;
};

void digest_file_put_u32(struct str *out, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		str_addc(out, (char)(v >> 8 * i));
}

void digest_file_put_u64(struct str *out, uint64_t v)
{
	digest_file_put_u32(out, (uint32_t)v);
	digest_file_put_u32(out, (uint32_t)(v >> 32));
}

uint32_t digest_file_u32(const char *p)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++)
		v |= (uint32_t)(unsigned char)p[i] << 8 * i;
	return v;
}

uint64_t digest_file_u64(const char *p)
{
	return digest_file_u32(p) | (uint64_t)digest_file_u32(p + 4) << 32;
}

uint32_t digest_file_check(uint32_t before, struct span bytes)
{
	return (uint32_t)crc32_z(before, (const unsigned char *)bytes.p, bytes.n);
}

enum status digest_file_refuse_version(uint32_t version, int newest, struct err *e)
{
	return err_hinted(e, E_FORMAT,
		"read it with the traceq that wrote it, or digest the traces again",
		"a digest of version %" PRIu32 "; this traceq reads version %d", version, newest);
}

/* ---- reading ---- */

bool digest_file_is(struct span head)
{
	return span_starts(head, MAGIC);
}

uint32_t digest_file_check_of(const char *head)
{
	return digest_file_u32(head + AT_CHECK);
}

static enum status bad(struct err *e, const char *what)
{
	return err_hinted(e, E_SYNTAX, "digest the trace again", "a damaged digest: %s", what);
}

enum status digest_file_check_head(struct span head, struct err *e)
{
	const char *p = head.p;
	uint32_t version;

	if (head.n < DIGEST_FILE_HEAD)
		return bad(e, "a record ends in its head");
	if (!digest_file_is(head))
		return bad(e, "no record of a trace where one should be");
	if (digest_file_u32(p + AT_HEAD_CHECK) !=
		digest_file_check(0, (struct span){ p, AT_HEAD_CHECK }))
		return bad(e, "the checksum of a record's head is wrong");
	version = digest_file_u32(p + AT_VERSION);
	return version > 0 && version <= DIGEST_RECORD_VERSION
		? OK
		: digest_file_refuse_version(version, DIGEST_RECORD_VERSION, e);
}

/* The head, and all bytes by their checksum. */
static enum status check_all(const struct kept *k, struct err *e)
{
	const char *p = k->bytes;

	TRY(digest_file_check_head((struct span){ p, k->n }, e));
	if (digest_file_u64(p + AT_LENGTH) != k->n)
		return bad(e, "a record is shorter or longer than it says");
	if (digest_file_check_of(p) !=
		digest_file_check(
			0, (struct span){ p + DIGEST_FILE_HEAD, k->n - DIGEST_FILE_HEAD }))
		return bad(e, "the checksum of a record is wrong");
	return OK;
}

static enum status find_sections(struct kept *k, struct err *e)
{
	uint32_t n = digest_file_u32(k->bytes + AT_SECTIONS);

	if (n > DIGEST_FILE_SECTIONS || DIGEST_FILE_HEAD + n * ENTRY_BYTES > k->n)
		return bad(e, "a record has more sections than there can be");
	size_t at = DIGEST_FILE_HEAD + n * ENTRY_BYTES;
	for (size_t i = 0; i < n; i++) {
		const char *entry = k->bytes + DIGEST_FILE_HEAD + i * ENTRY_BYTES;
		uint64_t packed = digest_file_u64(entry + DIGEST_FILE_NAME);
		uint64_t plain = digest_file_u64(entry + DIGEST_FILE_NAME + 8);

		if (packed > k->n - at || plain > DIGEST_FILE_PLAIN_MAX ||
			plain / DEFLATE_RATIO > packed)
			return bad(e, "a section is larger than it can be");
		k->section[i].name = entry;
		k->section[i].packed = (struct span){ k->bytes + at, (size_t)packed };
		k->section[i].plain = (size_t)plain;
		at += (size_t)packed;
	}
	k->nsection = n;
	return at == k->n ? OK : bad(e, "there are bytes behind the last section");
}

enum status digest_file_open(struct kept **made, char *bytes, size_t n, struct err *e)
{
	struct kept *k = zeroed(1, sizeof(*k));

	k->bytes = bytes;
	k->n = n;
	enum status st = check_all(k, e);
	THEN(st, find_sections(k, e));
	if (st == OK)
		*made = k;
	else
		digest_file_free(k);
	return st;
}

void digest_file_free(struct kept *k)
{
	if (!k)
		return;
	FREE_ALL(k->bytes, k);
}

struct span digest_file_bytes(const struct kept *k)
{
	return (struct span){ k->bytes, k->n };
}

unsigned digest_file_version(const struct kept *k)
{
	return digest_file_u32(k->bytes + AT_VERSION);
}

static size_t find(const struct kept *k, const char *section)
{
	return FIRST(i, k->nsection, strncmp(k->section[i].name, section, DIGEST_FILE_NAME) == 0);
}

bool digest_file_has(const struct kept *k, const char *section)
{
	return find(k, section) < k->nsection;
}

enum status digest_file_get(
	const struct kept *k, const char *section, struct str *plain, struct err *e)
{
	size_t i = find(k, section);
	z_stream z = { 0 };

	str_free(plain);
	if (i == k->nsection)
		return err_set(e, E_NODATA, -1, "a digest without its section '%s'", section);
	size_t n = k->section[i].plain;
	plain->s = xmalloc(n + 1);
	if (inflateInit(&z) != Z_OK)
		die_oom(n);
	plain->cap = n + 1;
	z.next_in = (unsigned char *)k->section[i].packed.p;
	z.avail_in = (unsigned)k->section[i].packed.n;
	z.next_out = (unsigned char *)plain->s;
	z.avail_out = (unsigned)n + 1; /* so that one byte too many is seen */
	int rc = inflate(&z, Z_FINISH);
	(void)inflateEnd(&z);
	if (rc != Z_STREAM_END || z.total_out > n || z.avail_in != n - z.total_out)
		return bad(e, "a section cannot be inflated");
	memcpy(plain->s + z.total_out, z.next_in, z.avail_in);
	plain->n = n;
	plain->s[n] = '\0';
	return OK;
}

/* ---- writing ---- */

void digest_file_begin(struct digest_file_out *o)
{
	*o = (struct digest_file_out){ .section = zeroed(DIGEST_FILE_SECTIONS,
					       sizeof(struct digest_file_made)) };
}

void digest_file_add(struct digest_file_out *o, const char *section, struct span plain, size_t raw)
{
	struct digest_file_made *s = &o->section[o->n++];
	size_t nsmall = plain.n - raw;
	uLongf n = compressBound((uLong)nsmall);

	s->packed = xmalloc(n + raw);
	memcpy(s->name, section, strnlen(section, DIGEST_FILE_NAME));
	if (compress2((unsigned char *)s->packed, &n,
		    (const unsigned char *)(nsmall ? plain.p : ""), (uLong)nsmall,
		    Z_BEST_COMPRESSION) != Z_OK)
		die_oom(n);
	if (raw > 0)
		memcpy(s->packed + n, plain.p + nsmall, raw);
	s->npacked = n + raw;
	s->nplain = plain.n;
}

void digest_file_put(const struct digest_file_out *o, struct str *out)
{
	SCOPED_STR head = { 0 }, body = { 0 };

	for (EACH(const struct digest_file_made, made, o->section, o->n)) {
		str_add(&body, made->name, DIGEST_FILE_NAME);
		digest_file_put_u64(&body, made->npacked);
		digest_file_put_u64(&body, made->nplain);
	}
	for (EACH(const struct digest_file_made, m, o->section, o->n))
		str_add(&body, m->packed, m->npacked);
	str_adds(&head, MAGIC);
	digest_file_put_u32(&head, DIGEST_RECORD_VERSION);
	digest_file_put_u32(&head, (uint32_t)o->n);
	digest_file_put_u64(&head, DIGEST_FILE_HEAD + body.n);
	digest_file_put_u32(&head, digest_file_check(0, (struct span){ body.s, body.n }));
	digest_file_put_u32(&head, digest_file_check(0, (struct span){ head.s, head.n }));
	str_add(out, head.s, head.n);
	str_add(out, body.s, body.n);
}

void digest_file_end(struct digest_file_out *o)
{
	for (size_t i = 0; i < o->n; i++)
		free(o->section[i].packed);
	free(o->section);
	*o = (struct digest_file_out){ 0 };
}
