/* The contract of an analysis.
 *
 * An analysis answers one question about one or more runs with tables and notes.  It never reads a
 * file and never prints.  A new one is one file and one line in ANALYSES (cmd/commands.h).  It is a
 * subcommand in every output format by that. */
#pragma once

#include "analyze/trace/columns/args.h"
#include "base/table.h"

struct digest_options;
struct filter;
struct folds;
struct history;
struct opt;
struct perrun;
struct run;
struct runs_doc;
struct setting;
struct settings;
struct shared;
struct side;

/* What is missing that the person said may be: the answer is about that, then. */
enum missing { MISSING_NOTHING, MISSING_WARN, MISSING_PASS };

/* Runs that are there only while they are looked at: one at a time, in order.  open: E_* when it
 * cannot be loaded, or OK and no run (NULL) where that has been said and the others are answered
 * for.  The run is valid until close, and so is what a table borrows from it. */
struct run_source {
	enum status (*open)(void *ctx, size_t i, const struct run **run, struct err *e);
	void (*close)(void *ctx, size_t i);
	void *ctx;
};

struct query {
	const struct run *const *run;
	size_t nrun;
	const struct run_source *source; /* in place of run, for analyses one_by_one; or NULL */
	const struct side *side; /* analyses of sides have these in place of runs (sides.max) */
	size_t nside;
	const struct filter *filter;     /* never NULL */
	const struct analysis *analysis; /* whose question it is; set by analysis_answer */
	const void *opts;         /* the analysis' own option struct, filled from its table */
	enum table_layout layout; /* what the format has room for: TABLE_TORCH */
	bool no_quantiles; /* nobody looks at quantiles of single calls: they may be left out */
	bool no_rows;      /* nor at those of names: only at what is said of a whole run */
	bool is_per_run;   /* several runs are answered one after the other, not side by side */
	bool is_folded;   /* rows of pages are wanted for one table of all runs: -n is about that */
	bool for_people;  /* text or markdown: row limits apply as defaults, extras are welcome */
	size_t most;      /* rows of a list for machines where none is asked for; 0: all of them */
	unsigned threads; /* to work with; 0: one per core */
	const struct settings *settings; /* what configuration says; NULL: everything built in */
	int64_t now_s;                   /* when the question is asked, seconds since 1970 */
	enum missing missing;            /* not NOTHING: there is no base, and nside is 0 */
	const struct history *history;   /* what came in place of the first side (wants_history) */
	const struct analysis *findings; /* it finds what is wrong in runs; NULL: nobody does */
	const struct analysis *logs;     /* it finds what is wrong in logs (READS_SERIES), for those
	                                    who say it beside a trace; NULL: nobody does */
	struct shared *const *shared;    /* by run: what other answers need, too; NULL: none */
};

/* What an analysis of one run after the other needs of each before it looks at it. */
enum perrun_need {
	PERRUN_VIEW = 1,       /* the filters laid over it */
	PERRUN_TRACE_VIEW = 2, /* the same, unless it has but a record */
	PERRUN_RECORD = 4      /* a record; runs without are passed over */
};

/* How it answers, called by perrun_all (perrun.h); at->ctx is what perrun_all was given. */
struct perrun_how {
	enum status (*answer)(struct perrun *at);
	void (*beside)(struct perrun *at); /* adds what other files of a run say whose trace was
	                                      digested; NULL: the digest says it all */
	unsigned needs;                    /* enum perrun_need */
	const char *wanted; /* PERRUN_RECORD: what none of the runs has: "samples of nvidia-smi" */
	const struct runs_doc *runs; /* several side by side (runs_table.h); NULL: never */
	const struct folds *folds;   /* of one job's ranks (fold.h); NULL: they are no job to it */
};

/* What help, man page and `explain` say beside name and summary. */
struct analysis_help {
	const char *doc;    /* what it answers and how to read it; blank lines between paragraphs */
	const char *source; /* where its definitions come from */
	const char *examples;           /* lines "traceq top trace.json.gz -n 5" */
	const char *operands;           /* usage: "BASE NEW"; NULL: FILE or FILE... */
	const struct table_doc *tables; /* its tables, with their columns */
	size_t ntables;
	const struct column *more; /* columns that the first has beside its own, whose keys nobody
	                              knows before; NULL */
	/* "tree|ops": the one that formats of one table hold, the first of these that is there;
	 * NULL: the first grid. */
	const char *main_table;
	const struct note_doc *notes; /* the notes that it alone makes */
	unsigned rules; /* what its rules read (analyze/rule/list.h): their words are its own */
	/* Its i-th other word, or NULL behind the last; NULL: there are none. */
	const struct analysis_word *(*word)(size_t i);
};

/* Its own options, and what of those of all means nothing to it. */
struct analysis_options {
	const struct opt *opt;
	size_t n;
	size_t nhidden;       /* of them, at the end, that help is silent about */
	size_t size;          /* bytes of the option struct */
	const void *defaults; /* such a struct, as it is before options are parsed */
	/* Refuses options that make no sense, before anything is read; NULL: none do.  E_USAGE. */
	enum status (*check)(const void *opts, const struct settings *settings, struct err *e);
	/* Takes an operand that is no file from the n of them; NULL: all are files. */
	void (*take_operand)(void *opts, const char **operand, size_t *n);
	/* The i-th value configuration can set for it, or NULL behind the last; NULL: none. */
	const struct setting *(*setting)(size_t i);
	unsigned ignores; /* enum filter_bit: help leaves them out, giving one is an error */
	unsigned layouts; /* 1 << enum table_layout: what it can lay out beside grids */
};

/* What its operands are where they are runs. */
struct analysis_runs {
	unsigned min, max; /* min 0: answers without any; max 0: no limit */
	unsigned needs;    /* enum need: always */
	/* More needs, depending on the options; may be NULL. */
	unsigned (*needs_more)(const void *opts, const struct filter *f);
	/* It looks at one run after the other, each once, through query_open, and no table of it is
	 * about several: query.source may be what it gets. */
	bool is_one_by_one;
	bool takes_records;   /* runs without a trace, which have a record only, too */
	bool is_of_folders;   /* it says what is in a folder, not only in its traces */
	bool takes_missing;   /* a folder that is not there is an answer, too (record.is_missing) */
	bool takes_capture;   /* --capture: kernels of graph replays have ops (trace/replay.h) */
	bool takes_exectrace; /* --et: what operators read and write (trace/etjoin.h) */
	/* Kinds of events that formats of calls over time (speedscope) hold of a run; 0: they hold
	 * its tables.  NULL: they always do. */
	unsigned (*calls)(const void *opts, const struct run *r);
};

/* What they are where it compares: files or folders are sides (sides.h), at least and at most so
 * many; each run is digested and released.  max 0: operands are runs. */
struct analysis_sides {
	unsigned min, max;
	/* The first side may be a history (trace/history.h); NULL: it may not.  True: it has to be,
	 * also where it is no store. */
	bool (*wants_history)(const void *opts);
	/* What digests keep, from the options.  The filter is set. */
	void (*digest_options)(const void *opts, struct digest_options *o);
	bool takes_broken; /* the last side may have no run: nothing of it can be read */
};

struct analysis {
	const char *name;    /* the subcommand */
	const char *summary; /* one line */
	struct analysis_help help;
	struct analysis_options options;
	struct analysis_runs runs;
	struct analysis_sides sides;
	bool has_verdict; /* it sets result->verdict, for reports beside the answer */
	unsigned shares;  /* SHARED_BITs (shared.h): what it takes from query.shared */
	unsigned weight;  /* what its answer costs beside others', about: the heavier begin first */
	struct perrun_how per_run; /* analyses of one run after the other */
	/* Fills *out (initialised by the caller, inputs already listed).  exit_code: 0, or 1 when
	 * the answer is "regressed" or "invalid".  E_USAGE for options that make no sense together
	 * or a bad regex, E_NODATA when nothing in the runs can answer.  NULL: each run is answered
	 * for as `per_run` says, and there is nothing before or after that.  Called by
	 * analysis_answer. */
	enum status (*compute)(const struct query *q, struct result *out, int *exit_code,
		struct err *e) MUST_CHECK;
};

/* Defines analysis_NAME; that it stands in the list too, lint sees to (`unused`). */
#define ANALYSIS(name)                                \
	extern const struct analysis analysis_##name; \
	const struct analysis analysis_##name

/* What an analysis says of its options: a table of them, their struct, and what is not zero in that
 * unless it is given; and of its tables.def. */
#define ANALYSIS_OPTIONS(list, type, ...)                                               \
	.options.opt = list, .options.n = COUNT_OF(list), .options.size = sizeof(type), \
	.options.defaults = &(const type)                                               \
	{                                                                               \
		__VA_ARGS__                                                             \
	}
#define ANALYSIS_TABLES(name, NAME) \
	.help.tables = name##_docs, .help.ntables = NAME##_TABLES, .help.notes = name##_notes

/* It answers for one run after the other, as many as there are, and needs that of each. */
#define ANALYSIS_EACH_RUN(of_each) \
	.runs.needs = (of_each), .runs.min = 1, .runs.is_one_by_one = true

/* A word in an answer that is no table, column or note: the id of a check or of a rule.  Settings
 * "ANALYSIS.ID.*" belong to it. */
struct analysis_word {
	const char *id;     /* as its table has it */
	const char *text;   /* what it is, in short */
	const char *doc;    /* its definition; paragraphs separated by blank lines */
	const char *source; /* where that comes from; NULL: where the analysis does */
};

/* The i-th run of a query, as run_source.open gives it; query_close after it was looked at. */
enum status query_open(
	const struct query *q, size_t i, const struct run **run, struct err *e) MUST_CHECK;
void query_close(const struct query *q, size_t i);

/* The i-th setting that several analyses follow, or NULL behind the last: "comm", for those that
 * take --comm. */
const struct setting *query_setting(size_t i);

/* Whether any setting changes its answers: one of its own or one of those. */
bool analysis_is_set(const struct analysis *a);

/* All there are, in the order of their list, which stands above all and is handed down. */
struct analyses {
	const struct analysis *const *v;
	size_t n;
};

/* The one of that name, or NULL. */
const struct analysis *analysis_find(const struct analyses *all, const char *name);

/* The options of a question in words, "kernels --limit=12", with single blanks between; what these
 * do not say is as ever.  Memory is the arena's, but for lists (opt_free_lists).  That they can be
 * parsed is the caller's promise. */
void *analysis_options(const struct analysis *a, const char *words, struct arena *mem);

/* Such words into options that are there. */
void analysis_tell(const struct analysis *a, void *opts, const char *words, struct arena *mem);

/* What a->compute says, or what it says of each run. */
enum status analysis_answer(const struct analysis *a, const struct query *q, struct result *out,
	int *exit_code, struct err *e) MUST_CHECK;
