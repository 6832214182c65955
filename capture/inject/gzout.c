/* Text to one gzip member with checkpoints. */
#include "capture/inject/gzout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/seal.h"
#include "capture/system.h"

enum { TEXT_BYTES = 256 << 10, PUMP_BYTES = 192 << 10, PACKED_BYTES = 64 << 10, NAMES_MAX = 10000 };

static bool fail(struct gzout *o, const char *what, int error)
{
	(void)snprintf(o->error, sizeof(o->error), "%s: %s", what, strerror(error));
	o->failed = true;
	return false;
}

static bool write_all(struct gzout *o, const unsigned char *p, size_t n)
{
	while (n) {
		ssize_t k = pwrite(o->fd, p, n, (off_t)o->offset);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return fail(o, "cannot write", k < 0 ? errno : ENOSPC);
		o->offset += (uint64_t)k;
		p += k;
		n -= (size_t)k;
	}
	return true;
}

static void tell(const struct gzout *o)
{
	if (o->tell)
		o->tell(o->tell_user);
}

/* A name beside the file's that is this process's alone, short, and sealed becomes a good one. */
static bool own_name(struct gzout *o)
{
	const char *slash = strrchr(o->wish, '/');
	int folder = slash ? (int)(slash - o->wish) + 1 : 0;
	int n = snprintf(o->part, sizeof(o->part),
		"%.*straceq-%d-%llx.pt.trace.json.gz" CAPTURE_PART, folder, o->wish, (int)getpid(),
		(unsigned long long)system_realtime());

	return (n > 0 && (size_t)n < sizeof(o->part)) || fail(o, "file name", ENAMETOOLONG);
}

static bool create(struct gzout *o)
{
	unsigned char head[CHECKPOINT_HEAD];

	checkpoint_head(head, (uint32_t)getpid());
	tell(o);
	o->fd = open(o->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (o->fd < 0)
		return fail(o, o->wish, errno);
	if (write_all(o, head, sizeof(head)))
		return true;
	(void)unlink(o->part);
	return false;
}

bool gzout_open(
	struct gzout *o, const char *path, int level, void (*tell_fn)(void *user), void *user)
{
	*o = (struct gzout){ .fd = -1, .tell = tell_fn, .tell_user = user };
	o->packed = malloc(PACKED_BYTES);
	if (!o->packed || !jtext_room(&o->text, TEXT_BYTES) ||
		deflateInit2(&o->z, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		(void)fail(o, "memory", ENOMEM);
	else if ((size_t)snprintf(o->wish, sizeof(o->wish), "%s", path) >= sizeof(o->wish))
		(void)fail(o, "file name", ENAMETOOLONG);
	o->crc = (uint32_t)crc32(0, NULL, 0);
	if (!o->failed && own_name(o) && create(o))
		return true;
	gzout_forget(o);
	o->part[0] = 0;
	return false;
}

/* The file gets o->next for o->part; false with errno, EEXIST when somebody has it. */
static bool move(const struct gzout *o)
{
	if (!seal_rename_new(o->part, o->next))
		return false;
	/* Only now can nobody else take the final name; another may have been quicker. */
	if (access(o->path, F_OK) != 0)
		return true;
	(void)rename(o->next, o->part);
	errno = EEXIST;
	return false;
}

bool gzout_settle(struct gzout *o)
{
	for (int n = 0; n < NAMES_MAX && !o->failed; n++) {
		seal_name(o->path, sizeof(o->path) - sizeof(CAPTURE_PART), o->wish, n);
		if (!o->path[0])
			return fail(o, "file name", ENAMETOOLONG);
		if (access(o->path, F_OK) == 0)
			continue;
		(void)snprintf(o->next, sizeof(o->next), "%s" CAPTURE_PART, o->path);
		tell(o);
		if (move(o)) {
			memcpy(o->part, o->next, sizeof(o->part));
			o->next[0] = 0;
			tell(o);
			return true;
		}
		if (errno != EEXIST)
			return fail(o, o->next, errno);
	}
	return !o->failed && fail(o, o->wish, EEXIST);
}

/* Compresses all text; flush as zlib's. */
static bool pack(struct gzout *o, int flush)
{
	o->z.next_in = (Bytef *)o->text.p;
	o->z.avail_in = (uInt)o->text.n;
	o->crc = (uint32_t)crc32(o->crc, (const Bytef *)o->text.p, (uInt)o->text.n);
	o->isize += (uint32_t)o->text.n;
	do {
		o->z.next_out = o->packed;
		o->z.avail_out = PACKED_BYTES;
		(void)deflate(&o->z, flush);
		if (!write_all(o, o->packed, PACKED_BYTES - o->z.avail_out))
			return false;
	} while (o->z.avail_out == 0);
	o->text.n = 0;
	return true;
}

bool gzout_pump(struct gzout *o)
{
	return !o->failed && (o->text.n < PUMP_BYTES || pack(o, Z_NO_FLUSH));
}

static bool put_checkpoint(struct gzout *o, uint32_t flags)
{
	unsigned char field[CHECKPOINT_BYTES];
	struct checkpoint c = {
		.committed = o->offset,
		.crc = o->crc,
		.isize = o->isize,
		.events = o->events,
		.device_ns = o->device_ns,
		.pid = (uint32_t)getpid(),
		.flags = flags,
	};

	checkpoint_put(field, &c);
	if (pwrite(o->fd, field, sizeof(field), CHECKPOINT_AT) != (ssize_t)sizeof(field))
		return fail(o, "cannot write", errno);
	return true;
}

bool gzout_commit(struct gzout *o)
{
	if (o->failed || !pack(o, Z_SYNC_FLUSH))
		return false;
	return put_checkpoint(o, 0);
}

/* The name it was settled on, or where a file came there meanwhile, the next that is free. */
static bool take_name(struct gzout *o)
{
	for (int n = 0; n < NAMES_MAX; n++) {
		if (seal_rename_new(o->part, o->path))
			return true;
		if (errno != EEXIST)
			return false;
		seal_name(o->path, sizeof(o->path), o->wish, n);
		if (!o->path[0]) {
			errno = ENAMETOOLONG;
			return false;
		}
	}
	errno = EEXIST;
	return false;
}

bool gzout_finish(struct gzout *o)
{
	unsigned char trailer[8];

	if (o->failed || !pack(o, Z_FINISH))
		return false;
	checkpoint_trailer(trailer, o->crc, o->isize);
	bool ok = write_all(o, trailer, sizeof(trailer)) && put_checkpoint(o, CHECKPOINT_COMPLETE);
	if (ok && !take_name(o))
		ok = fail(o, "cannot rename", errno);
	if (close(o->fd) != 0 && ok)
		ok = fail(o, "cannot write", errno);
	o->fd = -1;
	return ok;
}

void gzout_forget(struct gzout *o)
{
	if (o->fd >= 0)
		(void)close(o->fd);
	o->fd = -1;
	(void)deflateEnd(&o->z);
	jtext_free(&o->text);
	free(o->packed);
	o->packed = NULL;
}
