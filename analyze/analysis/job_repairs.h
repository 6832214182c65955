/* What repairs of a job would bring (job_bounds.h), as a table and a sentence: the straggler as
 * fast as the others, a rank by itself, stages, ranks, links. */
#pragma once

#include "analyze/job/path/job_bounds.h"
#include "analyze/job/waits/jobwhy.h"

#define TABLES_DEF "analyze/analysis/job_repairs_tables.def"
#include "base/table_names_impl.h"

extern const struct column columns_REPAIRS_JOB[];

struct job_repairs {
	const struct job_facts *facts;
	const struct job_why *why;
	const struct rankwork *const *work; /* as of timing_init */
	unsigned asked;                     /* 1 << enum job_repair */
	bool is_asked, is_alone_asked;      /* nothing else is said; `alone` is one of it */
	uint32_t alone; /* a rank by itself, if it is no straggler; UINT32_MAX */
	bool for_people;
	unsigned threads; /* to work with; 0: one per core */
	/* Made by job_repairs_put. */
	struct job_bounds bounds;
	struct result *out;
	struct table *table; /* NULL: not yet */
	size_t nslow;        /* stragglers */
	nsec saves, most;    /* as fast as the others: from and to; 0: there is none */
};

/* The table, for people only if it has rows.  Scratch is taken from the arena. */
void job_repairs_put(struct job_repairs *j, struct result *out, struct arena *mem);

/* What the straggler as fast as the others saves; false: there is none. */
bool job_repairs_say(struct str *b, const struct job_repairs *j) MUST_CHECK;
