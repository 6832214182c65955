/* A reading: one artifact on its way from a source into a record.  What readers (read_*.c) share:
 * the whole text, or its lines one after the other. */
#pragma once

#include "analyze/trace/columns/record.h"
#include "base/base.h"

struct head;
struct source;

struct reading {
	struct source *source;
	const struct head *head; /* its beginning, which the source delivers once more */
	struct record *record;
	int artifact;         /* index in the record */
	struct arena mem;     /* until the reading ends */
	char *text;           /* reading_all's */
	struct series beyond; /* values of the series that are too many; nobody looks at it */
};

/* All of the text, with REAL_PADDING readable bytes behind it; valid until the reading ends.
 * E_LIMIT beyond LIMIT_DOCUMENT_BYTES.  Call once, and not with lines_next. */
enum status reading_all(struct reading *in, struct span *text, struct err *e) MUST_CHECK;

/* The artifact being read. */
struct record_artifact *reading_artifact(const struct reading *in);

/* A note about the artifact with the place of its first cause; printf-style. */
void reading_note(struct reading *in, enum note_level level, const char *id, int64_t count,
	int64_t offset, const char *fmt, ...) PRINTF_LIKE(6, 7);

/* The last line is cut off, and left out: a note says so, and the artifact is not complete. */
void reading_torn(struct reading *in, int64_t offset);

/* What was passed over: how much of it, and where the first was. */
struct passed {
	int64_t n, at;
};
void passed_add(struct passed *p, int64_t offset);

/* A note of that, with how much it was in front, where it was anything.  text: a word in braces is
 * that of one thing, and of several, "line{ is|s are} no sample". */
void reading_passed(struct reading *in, enum note_level level, const char *id,
	const struct passed *p, const char *text);

/* The artifact's newest sheet of that kind, made when it has none. */
struct sheet *reading_sheet(struct reading *in, enum sheet_table kind);

/* The artifact's series of that name and group, made when it is new, on that axis and of that
 * measure, MEASURE_NONE being what its name says; where there are too many, one that is none's. */
struct series *reading_series(
	struct reading *in, struct span name, struct span group, enum axis axis, enum measure m);

/* A value at x, or one more that is absent. */
void reading_point(struct series *s, double x, bool is_known, double y);

/* One more value of a figure that was measured again and again. */
void reading_repeat(
	struct reading *in, struct span name, struct span group, enum measure m, double v);

/* A number, with how it was written, or a text under a key. */
void reading_number(struct reading *in, struct scalars *to, struct span key, enum measure m,
	double v, struct span text);
void reading_text(struct reading *in, struct scalars *to, struct span key, struct span text);

/* Lines of a text, in constant memory. */
struct lines {
	struct reading *in;
	char *buf;
	size_t cap, at, n; /* unread: buf[at .. n), then padding */
	bool eof;
	bool by_return; /* a carriage return ends a part of a line, which is given by itself */
	bool goes_on;   /* the newest was such a part */
	size_t newline, carriage; /* behind the next "\n" and "\r" in buf, or n + 1; 0: not known */
	int64_t base;             /* offset of buf[0] in the text */
	int64_t offset;           /* of the newest line */
	int64_t number;           /* of the newest line, from 1 */
	bool is_torn;             /* the newest line has no line end */
	int64_t too_long, too_long_at; /* lines beyond LIMIT_LINE_BYTES, which are passed over */
	int64_t nuls, nuls_at;         /* of a file system that lost text */
	struct err err;                /* when reading failed; lines_next is false then */
};

void lines_open(struct lines *l, struct reading *in);
void lines_close(struct lines *l);

/* The next line without its end ("\n", "\r\n"), with REAL_PADDING readable bytes behind it; valid
 * until the next call.  False at the end and after a failure (l->err).  By carriage returns, each
 * part of a line has the number and the offset of the whole. */
bool lines_next(struct lines *l, struct span *line);

/* What is odd about the lines as notes, and the status of reading; closes them. */
enum status lines_end(struct lines *l, struct err *e) MUST_CHECK;

/* What a reader made of a line. */
enum took { TOOK, TOOK_ALIEN, TOOK_OTHER };

/* Lines that a reader made nothing of: those that should be its own, and others. */
struct untaken {
	struct passed alien, other;
	bool is_torn;    /* the last line is an alien, and has no end */
	int64_t torn_at; /* where that is; -1: not known */
};

void untaken_add(struct untaken *u, enum took took, int64_t offset, bool is_torn);

/* Hands every line on, and counts what is made of them; as lines_end. */
enum status reading_lines(struct reading *in,
	enum took (*take)(void *ctx, struct span line, const struct lines *l), void *ctx,
	struct untaken *untaken, struct err *e) MUST_CHECK;

/* Says what was not taken, in the words of reading_passed; a last line that is torn by itself. */
void reading_untaken(
	struct reading *in, struct untaken *untaken, const char *alien, const char *other);
