/* Anchors: places where an event seems to open, by what stands around its '{'. */
#include "analyze/input/events/anchor.h"

#include <string.h>

#include "base/compiler.h"

enum { FARTHEST_BLANKS = 256, FARTHEST_PHASE = 512 };

const char *anchor_blanks(const char *p, const char *end)
{
	while (p < end && (unsigned char)*p <= 0x20)
		p++;
	return p;
}

static bool is_event_key(const char *p, const char *end)
{
	static const char *const keys[] = { "\"ph\"", "\"name\"", "\"cat\"", "\"pid\"", "\"tid\"",
		"\"ts\"", "\"dur\"", "\"args\"", "\"id\"", "\"s\"", "\"bp\"", "\"tts\"" };

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		size_t n = strlen(keys[i]);

		if ((size_t)(end - p) > n && memcmp(p, keys[i], n) == 0)
			return true;
	}
	return false;
}

bool anchor_opens_event(const char *p, const char *end)
{
	return is_event_key(anchor_blanks(p + 1, end), end);
}

bool anchor_is(const char *begin, const char *p, const char *end)
{
	const char *q = p;

	while (q > begin && p - q < FARTHEST_BLANKS && (unsigned char)q[-1] <= 0x20)
		q--;
	if (q > begin && q[-1] == ',') {
		q--;
		while (q > begin && p - q < FARTHEST_BLANKS && (unsigned char)q[-1] <= 0x20)
			q--;
	}
	if (q == begin || q[-1] != '}')
		return false;
	const char *next = anchor_blanks(p + 1, end);
	return next - p <= FARTHEST_BLANKS && is_event_key(next, end);
}

const char *anchor_next(const char *begin, const char *p, const char *end)
{
	for (; p < end; p++) {
		p = memchr(p, '{', (size_t)(end - p));
		if (!p)
			return NULL;
		if (anchor_is(begin, p, end))
			return p;
	}
	return NULL;
}

bool anchor_shows_phase(const char *p, const char *end)
{
	end = end - p > FARTHEST_PHASE ? p + FARTHEST_PHASE : end;
	const char *close = memchr(p, '}', (size_t)(end - p));
	return memmem(p, (size_t)((close ? close : end) - p), "\"ph\"", 4) != NULL;
}
