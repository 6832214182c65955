/* Notes: the head, the length of each text, the texts. */
#include "edit/window_notes.h"

#include <assert.h>

enum { PIECE = 4096 };

void notes_add(struct str *notes, const void *head, size_t size, const struct span *text, size_t n)
{
	uint32_t length[NOTES_TEXTS];

	assert(n <= NOTES_TEXTS);
	for (size_t i = 0; i < n; i++)
		length[i] = (uint32_t)text[i].n;
	str_add(notes, head, size);
	str_add(notes, (const char *)length, n * sizeof(*length));
	for (EACH(const struct span, span, text, n))
		if (span->n)
			str_add(notes, span->p, span->n);
}

/* Head and lengths, which are `at`, and the texts behind them; returns how long they are. */
static size_t unpack(const char *at, void *head, size_t size, struct span *text, size_t n)
{
	const char *p = at + size + n * sizeof(uint32_t);
	uint32_t length[NOTES_TEXTS];
	size_t all = 0;

	memcpy(head, at, size);
	memcpy(length, at + size, n * sizeof(*length));
	for (size_t i = 0; i < n; all += text[i++].n)
		text[i] = (struct span){ p + all, length[i] };
	return all;
}

bool notes_next(struct span *notes, void *head, size_t size, struct span *text, size_t n)
{
	if (notes->n == 0)
		return false;
	size += unpack(notes->p, head, size, text, n) + n * sizeof(uint32_t);
	notes->p += size;
	notes->n -= size;
	return true;
}

/* As much more of the file at the end of buf. */
static bool read_more(FILE *from, struct str *buf, size_t left)
{
	char piece[PIECE];
	size_t n;

	for (; left; left -= n) {
		n = fread(piece, 1, MIN(left, sizeof(piece)), from);
		if (n == 0)
			return false;
		str_add(buf, piece, n);
	}
	return true;
}

bool notes_read(FILE *from, struct str *buf, void *head, size_t size, struct span *text, size_t n)
{
	str_reset(buf);
	if (!read_more(from, buf, size + n * sizeof(uint32_t)) ||
		!read_more(from, buf, unpack(buf->s, head, size, text, n)))
		return false;
	(void)unpack(buf->s, head, size, text, n);
	return true;
}
