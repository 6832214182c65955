/* Texts of events as notes in a file. */
#include "edit/event_spool.h"

#include <errno.h>

#include "analyze/input/events/event_batch.h"
#include "edit/window_notes.h"
#include "edit/number.h"

/* Of an event, or of the window whose events are behind it. */
struct said {
	uint64_t row; /* counted from the window's first; NO_ROW: none; of the window: that row */
	bool is_window;
};

static void add(struct str *to, uint64_t row, bool is_window, struct span text)
{
	struct said head;

	memset(&head, 0, sizeof(head));
	head.row = row;
	head.is_window = is_window;
	notes_add(to, &head, sizeof(head), &text, 1);
}

static void take_text(void *ctx, struct batch *b, uint32_t row, struct span text)
{
	(void)ctx;
	add(&b->tapped.text[0], row == TAP_NO_ROW ? NO_ROW : row, false, text);
}

static enum status failed(struct err *e)
{
	return err_set(e, E_IO, -1, "cannot write a temporary file: %s", strerror(errno));
}

/* As it is, by fwrite. */
static bool write_all(struct event_spool *s, const struct str *notes)
{
	return fwrite(notes->s, 1, notes->n, s->file) == notes->n; /* lint: allow text: as it is */
}

static enum status take_window(void *ctx, struct batch *b, size_t first_row, struct err *e)
{
	struct event_spool *s = ctx;
	const struct str *text = &b->tapped.text[0];
	struct str head = { 0 };

	if (!s->file && !(s->file = fopen(s->temp.path, "w+b"))) /* lint: allow fopen: our own */
		return failed(e);
	if (text->n == 0)
		return OK;
	add(&head, first_row, true, SPAN(""));
	bool ok = write_all(s, &head) && write_all(s, text);
	str_free(&head);
	return ok ? OK : failed(e);
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
	struct said head;
	struct span said;

	while (s->file && notes_read(s->file, &s->note, &head, sizeof(head), &said, 1)) {
		if (head.is_window) {
			s->first_row = head.row;
			continue;
		}
		*row = head.row == NO_ROW ? NO_ROW : (uint32_t)(s->first_row + head.row);
		str_reset(text);
		str_add(text, said.p, said.n);
		return true;
	}
	return false;
}

void event_spool_finish(struct str *text, const struct run *r, uint32_t row)
{
	const struct events *ev = &r->events;
	bool has_args = text->n > 1 && text->s[text->n - 2] == '}';

	text->n--; /* the '}' of the event, and then of its arguments */
	if (ev->flags[row] & EVENT_CUT) {
		text->n -= has_args;
		str_adds(text, has_args ? ", " : ", \"args\": {");
		str_adds(text, "\"finished\": false}");
	}
	number_put(text, "dur", ev->dur[row]);
	str_addc(text, '}');
}

void event_spool_drop(struct event_spool *s)
{
	if (s->file)
		(void)fclose(s->file);
	str_free(&s->note);
	io_temp_drop(&s->temp);
}
