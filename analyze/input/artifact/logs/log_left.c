/* The note that lines are left. */
#include "analyze/input/artifact/logs/log_left.h"

#include "base/utf8.h"

void log_left_keep(struct log_left *l, const struct lines *at, struct span line)
{
	if (l->n++ > 0)
		return;
	struct span t = utf8_cut(span_trim(line), LOG_LEFT_SHOWN);
	l->line = at->number;
	l->offset = at->offset;
	memcpy(l->text, t.p, t.n);
	l->text[t.n] = '\0';
}

static void say(const struct log_left *l, struct reading *in, const char *id, int64_t count,
	const char *what)
{
	if (l->n == 0)
		return;
	struct note *n = record_note(in->record, in->artifact, NOTE_INFO, id, count,
		"%s; the first is line %" PRId64 ": \"%s\"", what, l->line, l->text);
	n->offset = l->offset;
	n->line = l->line;
}

void log_left_say_lines(const struct log_left *l, struct reading *in, int64_t count)
{
	say(l, in, "other_lines", l->n,
		arena_printf(
			&in->mem, "%" PRId64 " of %" PRId64 " lines have no figures", l->n, count));
}

void log_left_say_bare(const struct log_left *l, struct reading *in, int64_t numbers)
{
	size_t n = (size_t)numbers;

	say(l, in, "unread_numbers", numbers,
		arena_printf(&in->mem,
			"%" PRId64 " number%s in %" PRId64
			" line%s with figures %s no name and %s not read",
			numbers, plural_s(n), l->n, plural_s((size_t)l->n),
			plural(n, "has", "have"), plural(n, "is", "are")));
}
