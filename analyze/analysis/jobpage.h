/* Runs that are the ranks of one job, found while they are answered for one after the other: a
 * digest is kept of each (job/digest.h), and which of them belong together is told by all. */
#pragma once

#include "analyze/job/jobfacts.h"
#include "analyze/job/waits/jobwhy.h"

#define TABLES_DEF "analyze/analysis/job_tables.def"
#include "base/table_names_impl.h"

struct shared;

struct jobpage {
	struct digest **digest; /* by input; NULL: there is none */
	const char **path;      /* of each trace */
	int64_t *rank; /* by input: its rank; FOLD_NO_RANK (fold.h): it is none of the job */
	size_t n;
	struct side side;
	const struct side_run *run; /* that has it; NULL: there is none, or it was not looked for */
	struct members members;
	struct side_run own; /* of its traces those that are ranks of the job */
	struct job job;
	struct job_facts facts;
	struct job_why why;
	bool is_chosen; /* --rank: those that are not looked at are not missing */
	bool is_part;   /* nor are those that are left out for want of room */
	struct arena mem;
};

void jobpage_init(struct jobpage *p, size_t ninput);
void jobpage_clear(struct jobpage *p);

/* What has to be loaded for it (enum need). */
unsigned jobpage_needs(void);

/* What it and the answer both need of a run, made; NULL: they see it through different filters, or
 * it is no trace.  Released by shared_free. */
struct shared *jobpage_share(const struct run *r, const struct filter *f);

/* What is needed of a run for it, as a record (digest_file.h), for who keeps its events and not all
 * that its job is told by: struct run's `job`.  Empty where a job has nothing of the run. */
void jobpage_record(const struct run *r, struct str *to);

/* Keeps what is needed of the run of that input, in the steps that the filter takes, whatever else
 * it leaves out; one without such steps is no rank.  s: what is shared of it through f; may be
 * NULL. */
void jobpage_look(struct jobpage *p, const struct run *r, const struct filter *f, struct shared *s,
	size_t input);

/* Whether two ranks at least of those that were looked at are of one job, and all others are
 * doubled or foreign ranks of it. */
bool jobpage_find(struct jobpage *p);

/* For machines; for people the ranks that matter, with what to do or without. */
enum jobpage_form { JOBPAGE_ALL, JOBPAGE_VERDICT, JOBPAGE_BRIEF };

/* Tables and notes about the job that was found. */
void jobpage_put(const struct jobpage *p, struct result *r, enum jobpage_form form);

/* jobpage_tables.c: whether a finding is CRIT. */
bool jobpage_is_critical(const struct job_why *w);

/* jobpage_tables.c: the tables alone. */
void jobpage_tables(const struct jobpage *p, struct result *r, enum jobpage_form form);
