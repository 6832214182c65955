/* Texts and lines of artifacts. */
#include "analyze/input/artifact/artifact_reading.h"

#include <stdio.h>

#include "analyze/input/source/source.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"

enum { CHUNK_BYTES = 1 << 20, HOLE_BYTES = 16 /* fewer NULs are a terminal's */ };

struct record_artifact *reading_artifact(const struct reading *in)
{
	return &in->record->artifact[in->artifact];
}

void reading_note(struct reading *in, enum note_level level, const char *id, int64_t count,
	int64_t offset, const char *fmt, ...)
{
	char text[512];

	PRINTF_TO(text, fmt);
	record_note(in->record, in->artifact, level, id, count, "%s", text)->offset = offset;
}

void reading_torn(struct reading *in, int64_t offset)
{
	reading_artifact(in)->is_complete = false;
	reading_note(in, NOTE_WARNING, "torn_line", 1, offset,
		"the last line is cut off; it is left out");
}

void passed_add(struct passed *p, int64_t offset)
{
	if (p->n++ == 0)
		p->at = offset;
}

void reading_passed(struct reading *in, enum note_level level, const char *id,
	const struct passed *p, const char *text)
{
	SCOPED_STR b = { 0 };
	bool is_in = false, is_many = false;

	if (p->n == 0)
		return;
	for (; *text; text++) {
		if (*text == '{' || *text == '}')
			is_in = *text == '{';
		else if (is_in && *text == '|')
			is_many = true;
		else if (!is_in || is_many == (p->n != 1))
			str_addc(&b, *text);
		is_many = is_many && is_in;
	}
	reading_note(in, level, id, p->n, p->at, "%" PRId64 " %s", p->n, b.s);
}

struct sheet *reading_sheet(struct reading *in, enum sheet_table kind)
{
	struct record *r = in->record;

	for (size_t i = r->nsheet; i > 0 && r->sheet[i - 1]->artifact == in->artifact; i--)
		if (r->sheet[i - 1]->kind == kind)
			return r->sheet[i - 1];
	return record_sheet(r, in->artifact, kind);
}

struct series *reading_series(
	struct reading *in, struct span name, struct span group, enum axis axis, enum measure m)
{
	struct series *s = record_series(in->record, in->artifact, name, group);

	s = s ? s : &in->beyond;
	s->axis = axis;
	if (m != MEASURE_NONE)
		s->measure = m;
	return s;
}

void reading_point(struct series *s, double x, bool is_known, double y)
{
	if (is_known)
		series_add(s, x, y);
	else
		series_add_missing(s);
}

void reading_repeat(
	struct reading *in, struct span name, struct span group, enum measure m, double v)
{
	struct series *s = reading_series(in, name, group, AXIS_REPEAT, m);

	series_add(s, (double)(s->n + s->nan + s->inf), v);
}

void reading_number(struct reading *in, struct scalars *to, struct span key, enum measure m,
	double v, struct span text)
{
	record_scalar(
		in->record, to, &(struct scalar){ key, SCALAR_NUMBER, v, text, m, in->artifact });
}

void reading_text(struct reading *in, struct scalars *to, struct span key, struct span text)
{
	record_scalar(in->record, to,
		&(struct scalar){ key, SCALAR_TEXT, 0, text, MEASURE_NONE, in->artifact });
}

enum status reading_all(struct reading *in, struct span *text, struct err *e)
{
	size_t n = 0, cap = 0, got;

	do {
		size_t room = n ? n : CHUNK_BYTES;

		in->text = array_grow(in->text, &cap, n + room + REAL_PADDING, 1);
		TRY(source_read(in->source, in->text + n, room, &got, e));
		n += got;
		if (n > LIMIT_DOCUMENT_BYTES)
			return err_set(e, E_LIMIT, LIMIT_DOCUMENT_BYTES,
				"the document is larger than %d MiB", LIMIT_DOCUMENT_BYTES >> 20);
		if (got < room)
			break;
	} while (true);
	memset(in->text + n, 0, REAL_PADDING);
	*text = (struct span){ in->text, n };
	return OK;
}

void lines_open(struct lines *l, struct reading *in)
{
	*l = (struct lines){ .in = in, .cap = CHUNK_BYTES };
	err_clear(&l->err);
	l->buf = xmalloc(l->cap + REAL_PADDING);
}

void lines_close(struct lines *l)
{
	free(l->buf);
	l->buf = NULL;
}

/* p[0 .. n) is what was read last. */
static void count_nuls(struct lines *l, const char *p, size_t n)
{
	const char *end = p + n, *from = p;

	for (; (p = memchr(p, 0, (size_t)(end - p))); p++)
		if (l->nuls++ == 0)
			l->nuls_at = l->base + (int64_t)l->n + (p - from);
}

/* More text behind buf[n); false when there is none. */
static bool read_more(struct lines *l)
{
	size_t got;

	if (l->eof)
		return false;
	l->newline = l->carriage = 0;
	if (l->buf && l->at > 0) {
		memmove(l->buf, l->buf + l->at, l->n - l->at);
		l->n -= l->at;
		l->base += (int64_t)l->at;
		l->at = 0;
	}
	if (l->n == l->cap) {
		char *buf = xrealloc(l->buf, l->cap * 2 + REAL_PADDING);

		l->buf = buf;
		l->cap *= 2;
	}
	if (source_read(l->in->source, l->buf + l->n, l->cap - l->n, &got, &l->err) != OK) {
		l->eof = true;
		return false;
	}
	l->eof = got < l->cap - l->n;
	count_nuls(l, l->buf + l->n, got);
	l->n += got;
	memset(l->buf + l->n, 0, REAL_PADDING);
	return got > 0;
}

/* Passes over a line that is too long, up to its end. */
static void skip_long(struct lines *l)
{
	if (l->too_long++ == 0)
		l->too_long_at = l->base + (int64_t)l->at;
	do {
		const char *q = memchr(l->buf + l->at, '\n', l->n - l->at);

		l->at = q ? (size_t)(q - l->buf) : l->n;
		if (q)
			break;
	} while (read_more(l));
}

/* Behind the next c from buf[from) on, n + 1: there is none; *at is what was found before. */
static size_t behind_next(const struct lines *l, char c, size_t from, size_t *at)
{
	if (*at <= from) {
		const char *q = memchr(l->buf + from, c, l->n - from);
		*at = q ? (size_t)(q - l->buf) + 1 : l->n + 1;
	}
	return *at;
}

/* The end of the line that begins at buf[at), not in its first `seen` bytes; NULL: there is none.
 */
static const char *line_end(struct lines *l, size_t seen)
{
	size_t from = l->at + seen, end = behind_next(l, '\n', from, &l->newline);

	if (l->by_return)
		end = MIN(end, behind_next(l, '\r', from, &l->carriage));
	return end <= l->n ? l->buf + end - 1 : NULL;
}

bool lines_next(struct lines *l, struct span *line)
{
	size_t seen = 0;
	const char *q, *end;

	while (true) {
		q = line_end(l, seen);
		end = l->buf + l->n;
		if (q && (*q == '\n' || q + 1 < end || l->eof)) /* else "\n" may follow */
			break;
		seen = q ? (size_t)(q - l->buf) - l->at : l->n - l->at;
		if (seen > LIMIT_LINE_BYTES) {
			skip_long(l);
			seen = 0;
		} else if (!read_more(l)) {
			q = line_end(l, seen);
			break;
		}
	}
	if (l->err.status != OK || (!q && l->at == l->n))
		return false;
	if (!l->goes_on) {
		l->offset = l->base + (int64_t)l->at;
		l->number++;
	}
	end = l->buf + l->n;
	l->is_torn = !q;
	*line = (struct span){ l->buf + l->at, (size_t)((q ? q : end) - l->buf) - l->at };
	bool is_return = q && *q == '\r', is_both = is_return && q + 1 < end && q[1] == '\n';
	l->at += line->n + (q != NULL) + is_both;
	l->goes_on = is_return && !is_both;
	while (line->n && line->p[0] == 0) /* a hole in front of it */
		*line = span_from(*line, 1);
	if (!l->by_return && line->n && line->p[line->n - 1] == '\r')
		line->n--;
	return true;
}

enum status lines_end(struct lines *l, struct err *e)
{
	if (l->too_long)
		reading_note(l->in, NOTE_WARNING, "long_lines", l->too_long, l->too_long_at,
			"%" PRId64 " line%s of more than %d MiB, passed over", l->too_long,
			plural_s(l->too_long), LIMIT_LINE_BYTES >> 20);
	if (l->nuls >= HOLE_BYTES) {
		reading_artifact(l->in)->is_complete = false;
		reading_artifact(l->in)->issue = "NUL bytes stand where text was";
		reading_note(l->in, NOTE_WARNING, "nul_bytes", l->nuls, l->nuls_at,
			"%" PRId64 " NUL bytes, as a file system leaves them where text was lost, "
			"are passed over",
			l->nuls);
	}
	lines_close(l);
	if (l->err.status != OK)
		*e = l->err;
	return l->err.status;
}

void untaken_add(struct untaken *u, enum took took, int64_t offset, bool is_torn)
{
	if (took != TOOK)
		passed_add(took == TOOK_ALIEN ? &u->alien : &u->other, offset);
	u->is_torn = is_torn && took == TOOK_ALIEN;
}

enum status reading_lines(struct reading *in,
	enum took (*take)(void *ctx, struct span line, const struct lines *l), void *ctx,
	struct untaken *untaken, struct err *e)
{
	struct lines lines;
	struct span line;

	*untaken = (struct untaken){ .torn_at = -1 };
	lines_open(&lines, in);
	while (lines_next(&lines, &line))
		untaken_add(untaken, take(ctx, line, &lines), lines.offset, lines.is_torn);
	return lines_end(&lines, e);
}

void reading_untaken(
	struct reading *in, struct untaken *untaken, const char *alien, const char *other)
{
	if (untaken->is_torn) {
		untaken->alien.n--;
		reading_torn(in, untaken->torn_at);
	}
	reading_passed(in, NOTE_WARNING, "alien_lines", &untaken->alien, alien);
	if (other)
		reading_passed(in, NOTE_INFO, "other_lines", &untaken->other, other);
}
