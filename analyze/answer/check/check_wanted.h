/* `check`: what a run folder should have, as the source documents list it, and where it is. */
#ifndef ANALYZE_ANSWER_CHECK_CHECK_WANTED_H
#define ANALYZE_ANSWER_CHECK_CHECK_WANTED_H

#include "analyze/answer/check/check.h"

struct record;
struct run;

/* What check_profile.py says of the whole folder. */
#define CHECK_NOTHING     "No profiler data found - profiling may have failed"
#define CHECK_ONLY_STAGES "Chrome trace not available - only stage timing data collected"
#define CHECK_NO_FOLDER   "Profiler directory does not exist: %s"

/* How a wanted file is known: by what is in it where that can be, else by its name. */
enum wanted_by { BY_TRACE, BY_OPS, BY_STAGES, BY_MEMORY, BY_KIND, BY_NAME };

struct wanted {
	const char *name, *what; /* as the document has them */
	enum wanted_by by;
	const char *kind; /* BY_KIND: of artifact */
	enum severity missing, missing_beside_trace;
	const char *said; /* the key under which a run's summary says that it was written, or NULL
	                   */
};

/* One document's list. */
struct wanted_list {
	const struct wanted *wanted;
	size_t n;
	size_t stages;      /* so many stages at least; 0: any */
	const char *figure; /* a scalar that has to be there, or NULL */
	double expected;    /* what the document expects of it */
	bool is_profiled;   /* check_profile.py's: a trace or times of stages make it valid */
};

/* Places in the list of check_profile.py; WANTED_METRICS: in that of week 1. */
enum { WANTED_TRACE, WANTED_OPS, WANTED_STAGES, WANTED_MEMORY, WANTED_METRICS = 1 };

/* The list for the run: that of the document whose files it has, else check_profile.py's. */
const struct wanted_list *check_wanted_list(const struct record *r);
extern const struct wanted_list check_wanted_profiled;

/* The file that has it, or NULL. */
const char *check_wanted_file(const struct run *run, const struct wanted *w);

/* A file of that name is there, but cannot be read. */
bool check_wanted_is_damaged(const struct record *r, const struct wanted *w);

/* One of the two. */
bool check_wanted_is_there(const struct run *run, const struct wanted *w);

/* Distinct stages in the run's table of stages. */
size_t check_wanted_stages(const struct record *r);

#endif
