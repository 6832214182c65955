/* A record: what the files of one run say beside its events.  Logs, summaries, tables, samples of
 * nvidia-smi, configurations: each is an artifact, read into
 *
 *   series    one quantity along the run           (analyze/trace/columns/series.h)
 *   sheets    tables with typed columns            (analyze/trace/columns/sheet.h)
 *   scalars   single numbers, texts and answers, by key
 *   snapshot  what an allocator held and did       (analyze/trace/memsnap.h)
 *   config    how the run was set up, by key       (scalars, too)
 *   env       where it ran, by key                 (scalars, too)
 *
 * Filled by analyze/input; const afterwards.  Keys of nested documents are joined by dots:
 * "perf.step_time.mean".  Numbers are as written, with the measure they are in; sheets are in base
 * units.  Where two artifacts say the same key, both are there, in the order of the artifacts. */
#pragma once

#include "analyze/trace/unit_of_measure.h"
#include "analyze/trace/columns/series.h"
#include "analyze/trace/columns/sheet.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"
#include "base/table.h"

enum {
	RECORD_SERIES = 4096,   /* at most so many series of one artifact */
	RECORD_SCALARS = 65536, /* and scalars */
	RECORD_ROWS = 1 << 20,  /* and rows of a sheet */
	RECORD_SAMPLES = 65536, /* and of a sheet of samples, which grows with a log */
	RECORD_TEXT = 4096      /* bytes of a text that are kept */
};

/* A file that was read. */
struct record_artifact {
	const char *path;   /* as opened */
	const char *kind;   /* the reader's name: "jsonl_log"; of samples of GPUs it begins with
	                       "smi_"; constant */
	const char *title;  /* for people: "training log, one JSON object a line"; constant */
	int64_t file_bytes; /* -1 for a pipe */
	int64_t text_bytes; /* inflated */
	int64_t rows;       /* lines, rows or values read */
	size_t nseries;     /* of its series */
	bool is_complete;   /* the text ended where its grammar says, and is what was written */
	const char *issue;  /* where it is not: what of it; constant */
	bool is_copy;       /* a report that says again what other files say */
};

/* A file of a folder: what became of it. */
enum record_state {
	FILE_READ,
	FILE_LEFT_OUT, /* it is not read; why says why */
	FILE_FURTHER,  /* a further trace of the run, a rank mostly: it is a run by itself */
	FILE_UNKNOWN,  /* nothing traceq reads */
	FILE_DAMAGED
};

struct record_file {
	const char *name;  /* below the folder */
	const char *kind;  /* "trace", an artifact's kind, or "" */
	const char *title; /* for people; "" */
	enum record_state state;
	const char *why; /* of all but FILE_READ; "" */
	int64_t bytes;
};

enum scalar_type { SCALAR_NUMBER, SCALAR_TEXT, SCALAR_BOOL, SCALAR_NULL };

struct scalar {
	struct span key;
	enum scalar_type type;
	double number;    /* SCALAR_NUMBER: as written; SCALAR_BOOL: 0 or 1 */
	struct span text; /* SCALAR_TEXT; of a number: how it was written */
	enum measure measure;
	int artifact; /* index */
};

struct scalars {
	struct scalar *v;
	size_t n, cap;
	int64_t left_out; /* beyond RECORD_SCALARS */
};

struct memsnap;

struct record {
	struct record_file *file; /* of a folder, in the walk's order; none for a single file */
	size_t nfile, file_cap;
	bool is_folder;
	bool is_packed;  /* the folder is an archive: its files are ARCHIVE!NAME */
	bool is_missing; /* the folder is not there */
	int64_t beyond;  /* files and folders of it, too many to be looked at */
	struct record_artifact *artifact;
	size_t nartifact, artifact_cap;
	struct series **series; /* by artifact, then in order of first sight */
	struct strings names;   /* artifact, group and name of each; its id is the index + 1 */
	size_t nseries, series_cap;
	int64_t series_left_out; /* keys beyond RECORD_SERIES, counted once a value */
	struct sheet **sheet;    /* by artifact */
	size_t nsheet, sheet_cap;
	struct memsnap **snapshot; /* memory snapshots (memsnap.h), by artifact; owned */
	size_t nsnapshot, snapshot_cap;
	struct scalars scalars, config, env;
	/* What was odd about an artifact; note.input is its index, RECORD_OF_RUN or _OF_FOLDER. */
	struct note *note;
	size_t nnote, note_cap;
	struct arena mem; /* owns the texts, sheets and the arrays above */
};

/* An empty record on the heap. */
struct record *record_new(void);
void record_free(struct record *r); /* NULL is fine */

/* Adds an artifact and returns its index; path is copied, kind and title are borrowed. */
int record_artifact(struct record *r, const char *path, const char *kind, const char *title);

/* Adds a file of the folder; name and why are copied, kind and title borrowed. */
void record_file(struct record *r, const struct record_file *file);

/* The i-th command that has something to say of what is in it, beside a trace where there is one;
 * info comes last.  NULL: there are no more. */
const char *record_command(const struct record *r, bool has_trace, size_t i);

/* What is not in a folder, behind how much of the folder was not looked at, as that may be why: in
 * mem, or `what` itself where all of it was looked at (0). */
const char *record_beyond(int64_t beyond, const char *what, struct arena *mem);

/* The same of what e says, and hints what to do. */
void record_say_beyond(int64_t beyond, struct err *e);

/* A hint for e: what the files are, and which commands answer from them.  has_trace: there is a
 * trace, too.  Returns e's status.  As record_say_beyond where that much was left out. */
enum status record_hint(const struct record *r, bool has_trace, struct err *e);

/* A copy of the bytes in the record's memory, cut at RECORD_TEXT. */
struct span record_text(struct record *r, struct span text);

/* The series of that name and group of an artifact, made when it is new; NULL when the artifact has
 * RECORD_SERIES already.  Name and group are copied. */
struct series *record_series(struct record *r, int artifact, struct span name, struct span group);

/* Series that were cleared go; their artifacts count them no more. */
void record_drop_cleared(struct record *r);

/* The newest artifact is none: it goes, with all of it that was not there before, when it was new.
 */
void record_take_back(struct record *r, const struct record *before);

/* The same, but NULL when it is new. */
struct series *record_known_series(
	const struct record *r, int artifact, struct span name, struct span group);

/* The first series of that name, in any artifact and group; NULL when there is none. */
const struct series *record_find_series(const struct record *r, const char *name);

/* A new sheet of an artifact.  Rows are added by table_row and the setters of base/table.h. */
struct sheet *record_sheet(struct record *r, int artifact, enum sheet_table kind);

/* A new memory snapshot of an artifact. */
struct memsnap *record_snapshot(struct record *r, int artifact);

/* The first artifact of that kind, or -1. */
int record_find_artifact(const struct record *r, const char *kind);

/* The first sheet of a kind, or NULL. */
const struct sheet *record_find_sheet(const struct record *r, enum sheet_table kind);

/* The first of an artifact, or NULL. */
const struct sheet *record_sheet_of(const struct record *r, int artifact, enum sheet_table kind);

/* A new row of a sheet, or false when it has RECORD_ROWS (counted in left_out): its setters must
 * not be called then. */
bool record_row(struct sheet *s) MUST_CHECK;

/* "line 31, after step 30: \"...\"" of a log whose run broke and did not go on; NULL: none did. */
const char *record_why_broken(const struct record *r, struct arena *mem);

/* Adds a scalar to r->scalars, r->config or r->env.  Its texts are copied. */
void record_scalar(struct record *r, struct scalars *to, const struct scalar *s);

/* The first scalar of that key, or NULL. */
const struct scalar *record_find(const struct scalars *in, const char *key);

/* Its number; NaN when it is NULL or no number. */
double scalar_number(const struct scalar *s);

/* What else a note is about: the run, or the folder that it was found in, which its text names. */
enum { RECORD_OF_RUN = -1, RECORD_OF_FOLDER = -2 };

/* Adds a note about an artifact, printf-style; as result_note.  offset, line: -1 unknown. */
struct note *record_note(struct record *r, int artifact, enum note_level level, const char *id,
	int64_t count, const char *fmt, ...) PRINTF_LIKE(6, 7);
