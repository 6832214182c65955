/*
 * Lines in and out, by read and write: what is buffered elsewhere could not be waited for.
 */
#include "cmd/mcp/channel.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/minmax.h"

enum { CHUNK = 65536 };

/* Forgets what was taken. */
static void shift(struct channel *w)
{
	size_t left = w->text.n - w->taken;

	if (w->taken && left)
		memmove(w->text.s, w->text.s + w->taken, left);
	w->text.n = left;
	w->taken = 0;
}

void channel_read(struct channel *w)
{
	char chunk[CHUNK];
	ssize_t n;

	shift(w);
	do
		n = read(w->in, chunk, sizeof(chunk));
	while (n < 0 && errno == EINTR);
	if (n > 0)
		str_add(&w->text, chunk, (size_t)n);
	else
		w->is_ended = true;
}

enum channel_line channel_next(struct channel *w, struct span *line)
{
	size_t left = w->text.n - w->taken;
	const char *p = left ? w->text.s + w->taken : NULL;
	const char *feed = p ? memchr(p, '\n', left) : NULL;
	size_t n = feed ? (size_t)(feed - p) : left;
	bool was_skipping = w->is_skipping;

	if (!feed && !(w->is_ended && left) && left <= CHANNEL_LINE_MAX)
		return CHANNEL_NONE;
	w->taken += n + (feed != NULL);
	w->is_skipping = !feed && !w->is_ended;
	if (was_skipping)
		return feed ? channel_next(w, line) : CHANNEL_NONE;
	if (n > CHANNEL_LINE_MAX)
		return CHANNEL_TOO_LONG;
	*line = (struct span){ p, n };
	return CHANNEL_LINE;
}

bool channel_put(const struct channel *w, const struct str *text)
{
	struct str line = { 0 };
	size_t done = 0;
	ssize_t n;

	str_add(&line, text->s, text->n);
	str_addc(&line, '\n');
	while (done < line.n) {
		n = write(w->out, line.s + done, line.n - done);
		if (n < 0 && errno == EAGAIN)
			(void)poll(&(struct pollfd){ w->out, POLLOUT, 0 }, 1, -1);
		else if (n < 0 && errno != EINTR)
			break;
		done += (size_t)MAX(n, 0);
	}
	n = (ssize_t)(line.n - done);
	str_free(&line);
	return n == 0;
}

void channel_free(struct channel *w)
{
	str_free(&w->text);
}
