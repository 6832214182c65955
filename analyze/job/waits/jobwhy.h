/* What is wrong with a job of several ranks: who makes the others wait, and by what.
 *
 * A straggler is a rank that others wait for by far more than for anybody else, step after step, or
 * for half of all waits in whatever steps; its cause is what its ledger has more of than the median
 * rank's, between the collectives.  A rank without a trace that most waits go back to is one of an
 * unknown cause.  Where the one that comes last changes, the job is imbalanced and nobody is the
 * culprit. */
#pragma once

#include "analyze/job/job.h"
#include "base/base.h"

/* X(NAME, word, what it means) */
#define JOB_STATES(X)                                                                         \
	X(BALANCED, "balanced", "no rank makes the others wait")                              \
	X(STRAGGLER, "straggler", "one rank makes the others wait")                           \
	X(MOVING, "moving imbalance", "ranks wait for each other, for another one each time") \
	X(SLOW_LINK, "slow link", "transfers of some ranks take longer than those of others") \
	X(BUBBLE, "pipeline bubbles", "stages wait for the stages before and behind them")    \
	X(EXPERTS, "expert imbalance", "some ranks get more tokens than others")              \
	X(UNJUDGED, "not judged", "too few collectives of the ranks could be matched")

#define JOB_ID(name, ...) JOB_##name,
enum job_state { JOB_STATES(JOB_ID) JOB_STATE_COUNT };

/* X(NAME, word, what it is) */
#define JOB_CAUSES(X)                                                                           \
	X(NONE, "-", "nothing stands out")                                                      \
	X(SLOWER, "slower GPU", "the same kernels, each slower")                                \
	X(WORK, "more work", "more kernels, or kernels of larger shapes")                       \
	X(INPUT, "data loader", "its GPU waits for the data loader")                            \
	X(HOST, "host",                                                                         \
		"its GPU waits for operators, Python, runtime calls, launches; without a GPU: " \
		"its CPU computes longer")                                                      \
	X(SYNC, "synchronizing", "its GPU waits after calls that wait for the GPU")             \
	X(COPIES, "copies", "copies that nothing hides")                                        \
	X(LINK, "link", "its transfers take longer")                                            \
	X(OTHER, "idle", "its GPU waits, and what for is not known")                            \
	X(SEQUENCES, "uneven sequences", "its attention takes longer, all else as long")        \
	X(BATCHES, "uneven batches",                                                            \
		"all of its pipeline computes longer, another in other steps")                  \
	X(NO_TRACE, "no trace", "what it does is not recorded")

#define JOB_CAUSE_ID(name, ...) JOB_CAUSE_##name,
enum job_cause { JOB_CAUSES(JOB_CAUSE_ID) JOB_CAUSE_COUNT };

struct job_facts;

struct job_why {
	enum job_state state;
	enum job_cause cause;
	uint32_t rank;        /* place in job.rank of the culprit; UINT32_MAX: nobody there */
	int64_t number;       /* of the culprit, also where it has no trace; -1 */
	uint32_t group;       /* in job.group: SLOW_LINK, BUBBLE, EXPERTS; UINT32_MAX */
	nsec wait;            /* what the median other rank waits for it, a step */
	double share;         /* of the job's median step, of the mean one where only some have it;
	                         NaN without steps */
	double cost;          /* ns a step: wait; of bubbles what they cost without slow ranks */
	nsec own, others;     /* of the cause, a step: the culprit's, the median rank's */
	double last_ratio;    /* of the judged meets: how often it came last */
	double matched_ratio; /* of all collectives */
	struct span text;     /* "rank 3 makes the other 7 wait 34.1 ms a step (34%): it computes
	                         95.0 ms, they 60.2: the same kernels, 1.58 times slower" */
	struct span advice;   /* what to look at, a sentence; empty */
	const uint32_t *also; /* further ranks that are as slow as the culprit, ascending */
	size_t nalso;
	double uncertainty;         /* of what is compared between clocks, ns; 0: nothing is */
	const struct job_why *next; /* what costs less; NULL: nothing */
};

/* What is wrong, what costs most first.  Memory is the arena's.  O(meets log meets + ranks x steps
 * + kernels). */
void job_why(struct job_why *w, const struct job *j, struct arena *mem);

/* The same of facts that are there. */
void job_why_of(struct job_why *w, const struct job_facts *f, struct arena *mem);

/* The ranks that are slow by any of the findings: whether this one, a place in job.rank, is. */
bool job_why_is_slow(const struct job_why *w, uint32_t rank);

/* The first finding of a straggler, else the first. */
const struct job_why *job_why_straggler(const struct job_why *w);

/* "straggler", "data loader"; constant. */
const char *job_state_word(enum job_state s);
const char *job_cause_word(enum job_cause c);
