/* What a job without imbalance would take: its device work timed again, once with the gaps between
 * pieces of work kept as they are, and once without them, where work starts when what it depends on
 * has ended (rankwork.h).  Between these two is what a repair brings: the idle of a rank may be
 * waiting for others, which no trace says, or its own.
 *
 * Where gaps are kept, ranks that are as fast as the others do what leads to a collective in the
 * time of the median of the other ranks of their stage, gaps before it included.  Every other
 * repair gives work the mean time of the same work of all ranks of its stage in all steps, times
 * what the mean stage computes over what that one does.  A transfer takes the mean of the same
 * ones: of the same op, bytes, type, use and number of ranks, the n-th of its op on a rank in a
 * step. Source: Lin et al. 2025, "Understanding Stragglers in Large Model Training Using What-if
 * Analysis". */
#pragma once

#include "analyze/job/jobfacts.h"
#include "base/base.h"

/* X(NAME, word, what): repairs, of the work of some ranks or of transfers */
#define JOB_REPAIRS(X)                                                                    \
	X(NONE, "gaps=0", "no idle but for others")      /* as it is, without the gaps */ \
	X(SLOW, "slow=even", "slow ranks as the others") /* compute the mean */           \
	X(STAGE, "stage=even", "the slowest stage as the mean one")                       \
	X(RANKS, "ranks=even", "all ranks compute alike")                                 \
	X(LINKS, "links=even", "all links equal") /* transfers take the mean */           \
	X(ALL, "imbalance=0", "no imbalance: all ranks compute alike, all links equal")

#define JOB_REPAIR_ID(name, ...) JOB_REPAIR_##name,
enum job_repair { JOB_REPAIRS(JOB_REPAIR_ID) JOB_REPAIR_COUNT };

struct job_as_fast {
	nsec then;       /* what it takes; gaps are kept */
	double compared; /* of the time of those ranks: what others do, too */
};

struct job_bounds {
	bool is_known;  /* ranks have common clocks, and paths */
	size_t nstep;   /* the job's first ones, which all ranks have; times are of all of them */
	nsec now;       /* they take, each as long as its slowest rank's */
	uint32_t stage; /* the slowest; JOB_NO_STAGE: there are none */
	nsec kept[JOB_REPAIR_COUNT], dropped[JOB_REPAIR_COUNT]; /* what it takes then, from the
	                                                           begin of the first to the end of
	                                                           the last work */
	struct job_as_fast slow, alone;
};

/* slow: by rank.  rank: one that is also looked at by itself, or UINT32_MAX.  work as for
 * timing_init.  Scratch is taken from the arena.  O(pieces log pieces). */
void job_bounds(struct job_bounds *b, const struct job_facts *f, const struct rankwork *const *work,
	const bool *slow, uint32_t rank, unsigned threads, struct arena *mem);

/* "stage=even", and what a repair is; constant. */
const char *job_repair_word(enum job_repair r);
const char *job_repair_what(enum job_repair r);
