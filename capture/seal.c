/*
 * Closes the event list and the gzip stream of an interrupted capture file at its last checkpoint.
 */
#include "capture/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zlib.h>

enum { NAMES_MAX = 10000 };

static enum seal_status fail(char *error, enum seal_status status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static enum seal_status fail(char *error, enum seal_status status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(error, CAPTURE_WORDS_MAX, fmt, ap);
	va_end(ap);
	return status;
}

void seal_name(char *to, unsigned long size, const char *path, int n)
{
	static const char *const suffix[] = { ".pt.trace.json.gz", ".trace.json.gz", ".json.gz",
		".json", ".gz" };
	size_t len = strlen(path), stem = len;
	int put;

	for (size_t i = 0; i < sizeof(suffix) / sizeof(suffix[0]); i++) {
		size_t k = strlen(suffix[i]);

		if (len > k && strcmp(path + len - k, suffix[i]) == 0) {
			stem = len - k;
			break;
		}
	}
	if (n == 0)
		put = snprintf(to, size, "%s", path);
	else
		put = snprintf(to, size, "%.*s.%d%s", (int)stem, path, n, path + stem);
	if (put < 0 || (size_t)put >= size)
		to[0] = 0;
}

/* The system call itself: the program's own C library may be too old to know it. */
bool seal_rename_new(const char *from, const char *to)
{
	enum { NO_REPLACE = 1 };

	if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, NO_REPLACE) == 0)
		return true;
	if (errno == EEXIST)
		return false;
	if (link(from, to) == 0)
		return unlink(from) == 0;
	if (errno == EEXIST || access(to, F_OK) == 0) {
		errno = EEXIST;
		return false;
	}
	return rename(from, to) == 0; /* a file system without links */
}

/* Appends the end of the document, as a last deflate block, and the trailer, at c->committed. */
static bool write_end(int fd, const struct checkpoint *c, char *error)
{
	char text[256];
	unsigned char packed[512];
	z_stream z = { 0 };

	size_t n = (size_t)snprintf(text, sizeof(text),
		"\n],\n\"traceqCapture\": {\"events\": %" PRIu64 ", \"complete\": false}}\n",
		c->events);
	if (deflateInit2(&z, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return fail(error, SEAL_FAILED, "no memory"), false;
	z.next_in = (Bytef *)text;
	z.avail_in = (uInt)n;
	z.next_out = packed;
	z.avail_out = sizeof(packed) - 8;
	(void)deflate(&z, Z_FINISH);
	(void)deflateEnd(&z);
	uLong crc = crc32_combine(c->crc, crc32(0, (const Bytef *)text, (uInt)n), (z_off_t)n);
	checkpoint_trailer(packed + z.total_out, (uint32_t)crc, (uint32_t)(c->isize + n));
	/* Cut first: that may free the very blocks the end needs on a full disk. */
	ssize_t put = ftruncate(fd, (off_t)c->committed);
	if (put == 0)
		put = pwrite(fd, packed, z.total_out + 8, (off_t)c->committed);
	if (put != (ssize_t)z.total_out + 8)
		return fail(error, SEAL_FAILED, "cannot write: %s",
			       put < 0 ? strerror(errno) : "the disk is full"),
		       false;
	return true;
}

static enum seal_status seal_open(int fd, struct sealed *s, char *error)
{
	unsigned char head[CHECKPOINT_HEAD], field[CHECKPOINT_BYTES];
	struct checkpoint c;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return fail(error, SEAL_FAILED, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fail(error, SEAL_FAILED, "not a regular file");
	if (pread(fd, head, sizeof(head), 0) != (ssize_t)sizeof(head) || !checkpoint_get(head, &c))
		return fail(error, SEAL_FAILED, "not a file that traceq capture wrote");
	s->events = c.events;
	s->device_ns = c.device_ns;
	s->pid = c.pid;
	s->bytes = (uint64_t)st.st_size;
	s->was_complete = c.flags & CHECKPOINT_COMPLETE;
	if (s->was_complete)
		return SEAL_OK;
	if (c.committed == 0)
		return fail(error, SEAL_EMPTY, "the process died before anything was recorded");
	if (c.committed < CHECKPOINT_HEAD || c.committed > (uint64_t)st.st_size)
		return fail(error, SEAL_FAILED,
			"the checkpoint names byte %" PRIu64 ", the file has %" PRIu64, c.committed,
			s->bytes);
	if (!write_end(fd, &c, error))
		return SEAL_FAILED;
	if (fstat(fd, &st) != 0)
		return fail(error, SEAL_FAILED, "%s", strerror(errno));
	c.flags |= CHECKPOINT_COMPLETE;
	checkpoint_put(field, &c);
	if (pwrite(fd, field, sizeof(field), CHECKPOINT_AT) != (ssize_t)sizeof(field))
		return fail(error, SEAL_FAILED, "%s", strerror(errno));
	s->bytes = (uint64_t)st.st_size;
	return SEAL_OK;
}

/* Gives the file at `path` its name without ".part"; the first that is free. */
static bool rename_free(const char *path, char *to, char *error)
{
	char plain[SEAL_PATH_MAX];
	size_t len = strlen(path) - strlen(CAPTURE_PART);

	(void)snprintf(plain, sizeof(plain), "%.*s", (int)len, path);
	for (int n = 0; n < NAMES_MAX; n++) {
		seal_name(to, SEAL_PATH_MAX, plain, n);
		if (to[0] && seal_rename_new(path, to))
			return true;
		if (to[0] && errno != EEXIST)
			break;
	}
	(void)fail(error, SEAL_FAILED, "no free name: %s", strerror(errno));
	return false;
}

enum seal_status seal_file(const char *path, struct sealed *s, char *error)
{
	*s = (struct sealed){ 0 };
	if (strlen(path) >= sizeof(s->path))
		return fail(error, SEAL_FAILED, "the name is too long");
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return fail(error, SEAL_FAILED, "%s", strerror(errno));
	enum seal_status status = seal_open(fd, s, error);
	if (close(fd) != 0 && status == SEAL_OK)
		status = fail(error, SEAL_FAILED, "%s", strerror(errno));
	if (status != SEAL_OK)
		return status;
	(void)snprintf(s->path, sizeof(s->path), "%s", path);
	size_t n = strlen(path), k = strlen(CAPTURE_PART);
	if (n > k && strcmp(path + n - k, CAPTURE_PART) == 0 && !rename_free(path, s->path, error))
		return fail(error, SEAL_FAILED, "cannot rename: %s", strerror(errno));
	return SEAL_OK;
}

/* ---- the checkpoint field in the gzip header ---- */

static void put32(unsigned char *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (unsigned char)(v >> (8 * i) & 255);
}

static void put64(unsigned char *p, uint64_t v)
{
	put32(p, (uint32_t)v);
	put32(p + 4, (uint32_t)(v >> 32));
}

static uint32_t get32(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t get64(const unsigned char *p)
{
	return get32(p) | (uint64_t)get32(p + 4) << 32;
}

/* Magic, deflate, FEXTRA, no time, no level, Unix; 44 bytes of extra; "TQ", 40 bytes. */
static const unsigned char start[CHECKPOINT_AT] = { 0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3, 44, 0, 'T',
	'Q', CHECKPOINT_BYTES, 0 };

void checkpoint_head(unsigned char head[CHECKPOINT_HEAD], uint32_t pid)
{
	struct checkpoint none = { .pid = pid };

	memcpy(head, start, sizeof(start));
	checkpoint_put(head + CHECKPOINT_AT, &none);
}

void checkpoint_put(unsigned char field[CHECKPOINT_BYTES], const struct checkpoint *c)
{
	put64(field, c->committed);
	put32(field + 8, c->crc);
	put32(field + 12, c->isize);
	put64(field + 16, c->events);
	put64(field + 24, c->device_ns);
	put32(field + 32, c->pid);
	put32(field + 36, c->flags);
}

bool checkpoint_get(const unsigned char head[CHECKPOINT_HEAD], struct checkpoint *c)
{
	const unsigned char *field = head + CHECKPOINT_AT;

	if (memcmp(head, start, sizeof(start)) != 0)
		return false;
	c->committed = get64(field);
	c->crc = get32(field + 8);
	c->isize = get32(field + 12);
	c->events = get64(field + 16);
	c->device_ns = get64(field + 24);
	c->pid = get32(field + 32);
	c->flags = get32(field + 36);
	return true;
}

void checkpoint_trailer(unsigned char trailer[8], uint32_t crc, uint32_t isize)
{
	put32(trailer, crc);
	put32(trailer + 4, isize);
}
