/*
 * Texts of events as records of a file: the row, how long, the text.
 */
#include "edit/event_spool.h"

#include <errno.h>
#include <string.h>

#include "analyze/input/events/event_batch.h"
#include "base/minmax.h"
#include "edit/number.h"

enum { PIECE = 4096 };

struct record {
	uint64_t row; /* NO_ROW: none */
	size_t n;
};

static void take_text(void *ctx, struct batch *b, uint32_t row, struct span text)
{
	const struct record head = { row == TAP_NO_ROW ? NO_ROW : row, text.n };
	struct str *to = &b->tapped.text[0];

	(void)ctx;
	str_add(to, (const char *)&head, sizeof(head));
	str_add(to, text.p, text.n);
}

static enum status failed(struct err *e)
{
	return err_set(e, E_IO, -1, "cannot write a temporary file: %s", strerror(errno));
}

static enum status take_window(void *ctx, struct batch *b, size_t first_row, struct err *e)
{
	struct event_spool *s = ctx;
	struct str *text = &b->tapped.text[0];
	size_t at = 0;

	while (at < text->n) {
		struct record head;

		memcpy(&head, text->s + at, sizeof(head));
		if (head.row != NO_ROW)
			head.row += first_row;
		memcpy(text->s + at, &head, sizeof(head));
		at += sizeof(head) + head.n;
	}
	if (!s->file && !(s->file = fopen(s->temp.path, "w+b"))) /* lint: allow fopen: our own */
		return failed(e);
	if (text->n && fwrite(text->s, 1, text->n, s->file) != text->n) /* lint: allow text: as it
	                                                                   is */
		return failed(e);
	return OK;
}

void event_spool_listen(struct tap *tap)
{
	tap->said = take_text;
	tap->rows = take_window;
}

enum status event_spool_rewind(struct event_spool *s, struct err *e)
{
	return s->file && fseek(s->file, 0, SEEK_SET) != 0 ? failed(e) : OK;
}

bool event_spool_next(struct event_spool *s, uint32_t *row, struct str *text)
{
	char piece[PIECE];
	struct record head;
	size_t n;

	str_reset(text);
	if (!s->file || fread(&head, sizeof(head), 1, s->file) != 1)
		return false;
	while (text->n < head.n) {
		size_t left = head.n - text->n;

		n = fread(piece, 1, MIN(left, sizeof(piece)), s->file);
		if (n == 0)
			return false;
		str_add(text, piece, n);
	}
	*row = (uint32_t)head.row;
	return true;
}

void event_spool_finish(struct str *text, const struct run *r, uint32_t row)
{
	const struct events *ev = &r->events;
	bool has_args = text->n > 1 && text->s[text->n - 2] == '}';
	char dur[NUMBER_US_MAX];
	size_t n = number_us(dur, ev->dur[row]);

	text->n--; /* the '}' of the event, and then of its arguments */
	if (ev->flags[row] & EVENT_CUT) {
		text->n -= has_args;
		str_adds(text, has_args ? ", " : ", \"args\": {");
		str_adds(text, "\"finished\": false}");
	}
	str_adds(text, ", \"dur\": ");
	str_add(text, dur, n);
	str_addc(text, '}');
}

void event_spool_drop(struct event_spool *s)
{
	if (s->file)
		(void)fclose(s->file);
	io_temp_drop(&s->temp);
}
