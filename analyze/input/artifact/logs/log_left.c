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

void log_left_say(const struct log_left *l, struct reading *in, const char *id, int64_t count,
	const char *what)
{
	if (l->n == 0)
		return;
	struct note *n = record_note(in->record, in->artifact, NOTE_INFO, id, count,
		"%s; the first is line %" PRId64 ": \"%s\"", what, l->line, l->text);
	n->offset = l->offset;
	n->line = l->line;
}
