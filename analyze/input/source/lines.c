/* Counting newlines up to offsets.  Only files in which something was odd pay for this. */
#include "analyze/input/source/lines.h"

#include <sys/stat.h>

#include "analyze/input/source/archive_members.h"
#include "analyze/input/source/source.h"

enum { CHUNK_BYTES = 256 << 10 };

struct mark {
	int64_t offset;
	int64_t *line;
};

ORDER(by_offset, struct mark, compare3(a->offset, b->offset))

static size_t collect(struct mark *m, struct tally *t, struct err *e)
{
	size_t n = 0;

	for (size_t i = 0; i < PROBLEM_COUNT; i++)
		if (t->count[i] && t->offset[i] >= 0)
			m[n++] = (struct mark){ t->offset[i], &t->line[i] };
	if (e && e->offset >= 0)
		m[n++] = (struct mark){ e->offset, &e->line };
	qsort(m, n, sizeof(*m), by_offset);
	return n;
}

/* Eight bytes at a time: the top bit of each byte that is a newline, summed by byte. */
static int64_t newlines(const char *p, size_t n)
{
	static const uint64_t ones = 0x0101010101010101, low = 0x7f * 0x0101010101010101;
	int64_t count = 0;

	while (n >= 8) {
		size_t words = MIN(n / 8, 255); /* a byte counts up to 255 */
		uint64_t sum = 0;

		for (size_t i = 0; i < words; i++, p += 8, n -= 8) {
			uint64_t x;

			memcpy(&x, p, 8);
			x ^= '\n' * ones;
			sum += ~(((x & low) + low) | x | low) >> 7;
		}
		for (; sum; sum >>= 8)
			count += (int64_t)(sum & 0xff);
	}
	for (; n > 0; n--, p++)
		count += *p == '\n';
	return count;
}

static void count(struct source *s, struct mark *m, size_t n)
{
	char *buf = xmalloc(CHUNK_BYTES);
	int64_t base = 0, line = 1;
	size_t got, i = 0;

	do {
		size_t at = 0;

		if (source_read(s, buf, CHUNK_BYTES, &got, &(struct err){ 0 }) != OK)
			break;
		for (; i < n && m[i].offset <= base + (int64_t)got; i++) {
			size_t to = (size_t)(m[i].offset - base);

			line += newlines(buf + at, to - at);
			*m[i].line = line;
			at = to;
		}
		line += newlines(buf + at, got - at);
		base += (int64_t)got;
	} while (i < n && got == CHUNK_BYTES);
	free(buf);
}

static bool is_readable_again(const char *path)
{
	const char *member;
	struct stat st;
	size_t n;

	if (strcmp(path, "-") == 0)
		return false;
	return stat(path, &st) == 0 ? S_ISREG(st.st_mode) : members_split(path, &n, &member);
}

void lines_locate(const char *path, const char *inflate, struct tally *tally, struct err *e)
{
	struct mark m[PROBLEM_COUNT + 1];
	size_t n = collect(m, tally, e);
	struct source s;

	if (n == 0 || !is_readable_again(path) ||
		source_open(&s, path, inflate, &(struct err){ 0 }) != OK)
		return;
	count(&s, m, n);
	source_close(&s);
}
