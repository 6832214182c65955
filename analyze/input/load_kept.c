/* Records into runs. */
#include "analyze/input/load_kept.h"

#include <sys/stat.h>
#include <unistd.h>

#include "analyze/input/source/archive_members.h"
#include "analyze/input/source/source.h"
#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/digest/digest_facts.h"
#include "analyze/trace/run.h"
#include "base/reach.h"

enum { PIECE_BYTES = 256 << 10, MARK_BYTES = 8 };

bool load_kept_is(struct source *s)
{
	struct span text;

	return source_peek(s, MARK_BYTES, &text, &(struct err){ 0 }) == OK && digest_file_is(text);
}

/* Whether a path is that of a file of digests.  A pipe is not to be opened for this: its writer
 * would think that it was read. */
static bool is_file_of_digests(const char *path)
{
	char head[MARK_BYTES];
	struct stat st;
	bool is = stat(path, &st) == 0 && S_ISREG(st.st_mode);
	int fd = is ? reach_open(path, 0) : -1;

	is = fd >= 0 && read(fd, head, sizeof(head)) == sizeof(head) &&
		magic_container((struct span){ head, sizeof(head) }) == CONTAINER_DIGESTS;
	if (fd >= 0)
		(void)close(fd);
	return is;
}

size_t load_kept_join(const char **path, size_t n, struct arena *mem)
{
	SCOPED_STR all = { 0 };
	size_t left = 0, first = n, digests = 0;

	for (size_t i = 0; i < n; i++) {
		if (!is_file_of_digests(path[i])) {
			path[left++] = path[i];
			continue;
		}
		if (digests++ == 0)
			first = left++;
		else
			str_addc(&all, LOAD_KEPT_AND);
		str_adds(&all, path[i]);
	}
	if (digests > 0)
		path[first] = arena_copy(mem, all.s, all.n);
	return left;
}

bool load_kept_joined(const char *path)
{
	const char *end = strchr(path, LOAD_KEPT_AND);
	SCOPED_STR first = { 0 };

	if (!end)
		return false;
	str_add(&first, path, (size_t)(end - path));
	return is_file_of_digests(first.s);
}

size_t load_kept_name(const char *name)
{
	size_t n = strlen(name), end = n;

	while (n > 0 && is_digit(name[n - 1]))
		n--;
	return n > 1 && n < end && name[n - 1] == '~' ? n - 1 : end;
}

/* A file of one record. */
static const char *only_name(const char *path, struct arena *mem)
{
	struct archived one = { 0 };
	const char *name = path;
	struct source s;

	if (source_open_archive(&s, path, NULL, &(struct err){ 0 }) == OK && s.members &&
		members_next(s.members, &one) == UNPACK_MORE)
		name = arena_copy(mem, one.name, load_kept_name(one.name));
	if (name != path && members_left(s.members) > 0)
		name = path;
	source_close(&s);
	return name;
}

/* Of several that are one (folder.c): "a.tqd and 3 more". */
static const char *joined_name(const char *path, const char *end, struct arena *mem)
{
	size_t n = 0;

	for (const char *p = end; p; p = strchr(p + 1, LOAD_KEPT_AND))
		n++;
	return arena_printf(mem, "%.*s and %zu more", (int)(end - path), path, n);
}

const char *load_shown(const char *path, struct arena *mem)
{
	const char *name;
	size_t n;

	if (load_kept_joined(path))
		return joined_name(path, strchr(path, LOAD_KEPT_AND), mem);
	if (is_file_of_digests(path))
		return only_name(path, mem);
	if (members_split(path, &n, &name) && is_file_of_digests(arena_copy(mem, path, n)))
		return arena_copy(mem, name, load_kept_name(name));
	return path;
}

static enum status read_all(struct source *s, struct str *out, struct err *e)
{
	size_t got;

	do {
		out->s = array_grow(out->s, &out->cap, out->n + PIECE_BYTES, 1);
		TRY(source_read(s, out->s + out->n, PIECE_BYTES, &got, e));
		out->n += got;
		if (out->n > DIGEST_FILE_RECORD_MAX)
			return err_set(e, E_LIMIT, -1, "a digest of one trace is at most %d MiB",
				DIGEST_FILE_RECORD_MAX >> 20);
	} while (got == PIECE_BYTES);
	/* What comes through a pipe is whole when all of it has come. */
	err_clear(e);
	(void)source_has_further(s);
	return s->members ? members_failed(s->members, e) : OK;
}

bool load_kept_facts(
	const char *path, const char *inflate, struct digest_facts *facts, struct arena *mem)
{
	struct kept *kept = NULL;
	struct str bytes = { 0 };
	struct err e = { 0 };
	struct source s;

	bool ok = source_open(&s, path, inflate, &e) == OK && read_all(&s, &bytes, &e) == OK;
	source_close(&s);
	if (!ok)
		str_free(&bytes);
	ok = ok && digest_file_open(&kept, bytes.s, bytes.n, &e) == OK &&
		digest_facts_get(facts, kept, mem, &e) == OK;
	digest_file_free(kept);
	err_clear(&e);
	return ok;
}

enum status load_kept_check(struct source *s, uint32_t *check, struct err *e)
{
	struct span head;

	TRY(source_peek(s, DIGEST_FILE_HEAD, &head, e));
	TRY(digest_file_check_head(head, e));
	*check = digest_file_check_of(head.p);
	return OK;
}

enum status load_kept(struct source *s, struct run *run, struct err *e)
{
	struct digest_facts facts;
	struct str bytes = { 0 };
	enum status st = read_all(s, &bytes, e);

	if (st != OK) {
		str_free(&bytes);
		return st;
	}
	TRY(digest_file_open(&run->kept, bytes.s, bytes.n, e));
	TRY(digest_facts_get(&facts, run->kept, &run->mem, e));
	run->has_trace = true;
	run->is_complete = true;
	run->tally = facts.tally;
	run->meta.rank = facts.rank;
	run->meta.world_size = facts.world;
	run->nevent = facts.nevent;
	return OK;
}
