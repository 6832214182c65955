/*
 * Runs that are the ranks of one job, found while they are answered for one after the other: a
 * digest is kept of each (job/digest.h), and which of them belong together is told by all.
 */
#ifndef ANALYZE_QUERY_JOBPAGE_H
#define ANALYZE_QUERY_JOBPAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/job/members.h"
#include "analyze/job/sides.h"
#include "base/arena.h"

struct digest;
struct filter;
struct result;
struct run;

struct jobpage {
	struct digest **digest; /* by input; NULL: there is none */
	const char **path;      /* of each trace */
	int64_t *rank; /* by input: its rank; FOLD_NO_RANK (fold.h): it is none of the job */
	size_t n;
	struct side side;
	const struct side_run *run; /* the job; NULL: there is none, or it was not looked for */
	struct members members;
	bool is_chosen; /* --rank: those that are not looked at are not missing */
	struct arena mem;
};

void jobpage_init(struct jobpage *p, size_t ninput);
void jobpage_clear(struct jobpage *p);

/* What has to be loaded for it (enum need). */
unsigned jobpage_needs(void);

/*
 * Keeps what is needed of the run of that input, in the steps that the filter takes, whatever else
 * it leaves out; one without such steps is no rank.
 */
void jobpage_look(struct jobpage *p, const struct run *r, const struct filter *f, size_t input);

/*
 * Whether two ranks at least of those that were looked at are of one job, and all others are
 * doubled or foreign ranks of it.
 */
bool jobpage_find(struct jobpage *p);

/* Tables and notes about the job that was found. */
void jobpage_put(struct jobpage *p, struct result *r);

#endif
