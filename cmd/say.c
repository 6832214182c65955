/* Messages on stderr.  A line is built whole and written with one call, so that lines of several
 * programs in one pipeline do not mix. */
#include "cmd/say.h"

#include <stdio.h>

#include "base/unit.h"
#include "cmd/command.h"
#include "report/escape.h"

enum { LINE_BYTES = 2048 };

static void flush_message(struct str *b)
{
	(void)fwrite(b->s, 1, b->n, stderr);
	str_free(b);
}

static void add_text(struct str *b, const char *text)
{
	escape_terminal(b, span_of(text), true);
}

/* "at byte N, line L" */
static void add_place(struct str *b, int64_t offset, int64_t line)
{
	str_adds(b, "at byte ");
	unit_put_count(b, offset);
	if (line >= 0) {
		str_adds(b, ", line ");
		unit_put_count(b, line);
	}
}

/* "traceq: FILE: " */
static void add_start(struct str *b, const char *where)
{
	str_adds(b, "traceq: ");
	if (!where)
		return;
	if (strcmp(where, "-") == 0)
		where = "standard input";
	add_text(b, where[0] ? where : "''");
	str_adds(b, ": ");
}

int say_error(const char *where, const struct err *e)
{
	struct str b = { 0 };

	if (!e->text[0])
		return EXIT_NO_ANSWER;
	add_start(&b, where);
	add_text(&b, e->text);
	if (e->offset > 0) { /* at byte 0 it is about the whole file */
		str_addc(&b, ' ');
		add_place(&b, e->offset, e->line);
	}
	str_addc(&b, '\n');
	if (e->hint[0]) {
		str_adds(&b, "  ");
		add_text(&b, e->hint);
		str_addc(&b, '\n');
	}
	flush_message(&b);
	return EXIT_NO_ANSWER;
}

int say_usage(const char *command, const struct err *e)
{
	struct err hinted = *e;

	if (e->status == E_HELP)
		return (int)e->offset;
	if (!hinted.hint[0])
		(void)err_hint(&hinted, "'traceq %s --help' lists the options", command);
	return say_error(command, &hinted);
}

int say_refusal(const char *command, const char *where, const struct err *e)
{
	return e->status == E_USAGE || e->status == E_HELP ? say_usage(command, e)
							   : say_error(where, e);
}

int say_failure(const char *fmt, ...)
{
	char text[LINE_BYTES];
	struct str b = { 0 };

	PRINTF_TO(text, fmt);
	add_start(&b, NULL);
	add_text(&b, text);
	str_addc(&b, '\n');
	flush_message(&b);
	return EXIT_NO_ANSWER;
}

void say_command(const char *command)
{
	struct str b = { 0 };

	str_adds(&b, "  ");
	add_text(&b, command);
	str_addc(&b, '\n');
	flush_message(&b);
}

static void say_note(const struct result *r, const struct note *n)
{
	struct str b = { 0 };

	add_start(&b, n->input >= 0 && (size_t)n->input < r->ninput ? r->input[n->input] : NULL);
	add_text(&b, n->text);
	if (n->offset > 0) {
		str_adds(&b, n->count > 1 ? " (first " : " (");
		add_place(&b, n->offset, n->line);
		str_addc(&b, ')');
	}
	str_addc(&b, '\n');
	flush_message(&b);
}

void say_notes_of(struct result *r, const char *id)
{
	for (size_t i = 0; i < r->nnote; i++)
		if (!r->note[i].is_said && strcmp(r->note[i].id, id) == 0) {
			say_note(r, &r->note[i]);
			r->note[i].is_said = true;
		}
}

void say_notes(const struct result *r, bool with_info)
{
	for (EACH(const struct note, note, r->note, r->nnote))
		if (!note->is_said && (with_info || note->level != NOTE_INFO))
			say_note(r, note);
}
