/* A job: the traces of its ranks, which collective of one is which of the others, and who waits
 * for whom.
 *
 *	match    a meet: one collective as each of its ranks saw it (match.c)
 *	clocks   offset and drift of each rank's clock, by the ends of meets (rank_clocks.c)
 *	waits    arrival, wait and transfer of each rank in each meet; sums by rank and step
 *	         (arrival_waits.c)
 *
 * A rank waits in a meet from its arrival until the last has arrived.  Where the ranks' clocks are
 * known (is_clocked), that is the difference of their starts in the reference's time, unless it is
 * within the uncertainty of the two clocks: then it is 0.  Where they are not, it is its own
 * duration less the shortest: in a synchronising collective (all_reduce, all_gather,
 * reduce_scatter, all_to_all, barrier, dispatch, combine), and of a send and its receive, all end
 * together, so that who came last has the shortest.  Others then tell nothing.  Who ended before
 * the last came has not waited for it, where not all end together; and nobody waits for longer than
 * its collective lasts.
 *
 * What is waited is for the last to arrive, of which only the exposed part is suffered.  It is
 * caused by who came last, or by whom that one waited for just before (jobblame.h).  All sums are
 * integer ns; sum of caused = sum of suffered, always.  They are over the steps that all ranks
 * counted; without any, over everything.
 *
 * Of a group some ranks may have no trace.  Where a collective of such a group takes longer after
 * the last that is there has come than those that are alike (absent_waits.c), one of the absent
 * came last, and causes it. */
#pragma once

#include "analyze/job/match/collectives.h"
#include "analyze/job/digest/digest.h"
#include "analyze/job/match/rank_members.h"
#include "analyze/job/sides.h"
#include "base/base.h"

/* A clock against that of the reference rank of its island: true = t - offset - drift x (t - at),
 * which is `true_at` where t is `at`. */
enum { CLOCK_SETS = 4 };

struct job_clock {
	bool is_known;    /* some meets tell, or it is the reference itself */
	uint32_t island;  /* ranks whose clocks are comparable have one number */
	nsec at;          /* where offset is meant: a time of its own clock */
	nsec true_at;     /* at - offset, exact also where the clocks count from different zeros */
	double offset;    /* ns */
	double drift;     /* ns by ns; 50e-6: 50 ppm fast */
	nsec uncertainty; /* of a time that is set right, ns: differences below are not judged */
	double offset_error, drift_error; /* half widths of their intervals of 95% */
	size_t nmeet;                     /* that it was fitted by */
	struct job_clock_set {
		nsec by, at; /* from that time on it is set ahead by so much */
	} set[CLOCK_SETS];   /* by time of its own as the ones before have set it back; the line is
	                        that of the clock without them */
	size_t nset;
};

struct job_rank {
	const struct digest *digest;
	int64_t rank; /* -1 unknown */
	struct job_clock clock;
	size_t ncollective;    /* there are in its digest */
	size_t nmatched;       /* of those, in a meet of two ranks at least */
	nsec suffered, caused; /* exposed waiting over all counted steps: for others; of others,
	                          that goes back to it */
	nsec transfer;         /* its exposed communication less suffered */
	size_t nlast, nmeet;   /* meets it came last in, by more than the uncertainty; was in */
};

/* Ranks of a group without a trace: one of them, which one the group does not tell. */
struct job_absent {
	int64_t *rank; /* ascending; none: it is not known who */
	size_t nrank;
	nsec caused, *by_step; /* as of those that are there; by_step: the job's steps */
};

/* A process group: the ranks that meet. */
struct job_group {
	struct span name, desc;
	struct span ranks; /* all of them, as a trace says; empty: none does */
	uint32_t *member;  /* places in job.rank, ascending: those there are traces of */
	size_t nmember;
	int64_t nrank; /* as the traces say; ARG_UNKNOWN */
};

/* One rank in a meet. */
struct job_arrival {
	uint32_t rank;       /* place in job.rank */
	uint32_t collective; /* in its digest's */
	nsec start, end;     /* in the reference's time where is_clocked, else its own */
	nsec wait;           /* until the last arrived; 0 for the last */
	nsec exposed_wait;   /* the exposed part of it: what is suffered */
};

/* One collective of several ranks; or a send and its receive.  Of one rank alone where all others
 * of its group are absent. */
struct collective_instance {
	uint32_t group; /* in job.group */
	enum comm_op op;
	int64_t bytes; /* ARG_UNKNOWN */
	struct span dtype;
	uint64_t ordinal;            /* of its group's, in their order */
	struct job_arrival *arrival; /* by rank; n of them */
	uint32_t n;
	uint32_t last;   /* index of the last to arrive in arrival; n: nobody can be told */
	uint32_t absent; /* 1 + place in job.absent of those of its ranks without a trace; 0 */
	nsec late;       /* one of the absent came so much later than the last; 0: none did */
	uint32_t step;   /* number among the job's steps, or COLL_NO_STEP */
	bool is_whole;   /* all members of its group with traces are there */
	bool is_clocked; /* all on one island: start and end are comparable */
	bool is_sync;    /* all end together */
	bool is_told;    /* others that lack nobody tell how long its transfer is usually */
	nsec transfer;   /* from the last arrival to the end: the shortest duration */
	nsec skew;       /* the longest wait */
	nsec end_skew;   /* latest less earliest end; 0 where not is_clocked */
};

/* Who waits for whom: exposed waiting of one rank caused by another, over the counted steps. */
struct job_pair {
	uint32_t waits;  /* place in job.rank */
	uint32_t causes; /* the same; nrank or more: nrank + place in job.absent */
	nsec ns;
};

/* A counted step of a rank of the job. */
struct job_step {
	nsec suffered, caused, transfer; /* exposed */
};

struct job {
	const struct side_run *run;
	struct members members; /* who of its ranks is missing */
	struct job_rank *rank;
	size_t nrank;
	struct job_group *group;
	size_t ngroup;
	struct job_absent *absent; /* each distinct set of them */
	size_t nabsent;
	struct collective_instance *meet; /* by the first start in the reference's time, then group,
	                                     ordinal */
	size_t nmeet;
	struct job_pair *pair; /* by waits, then causes; ns > 0 */
	size_t npair;
	int64_t *step; /* numbers of steps that all ranks counted (jobsteps.h) */
	size_t nstep;
	struct job_step *by_step;     /* nstep x nrank: step first */
	size_t ncollective, nmatched; /* sums over ranks */
	uint32_t nisland;
	uint32_t reference; /* place of the rank whose clock is that of island 0 */
};

/* The job of a run's traces, whose digests were made with digest_options.collectives; memory is the
 * arena's, texts are the digests'.  Nothing depends on the order of files.  O(n log n) in
 * collectives, and nrank^2 in no case. */
void job_init(struct job *j, const struct side_run *run, struct arena *mem);

/* The same of one digest a rank, without a side. */
void job_init_ranks(struct job *j, const struct digest *const *digest, size_t n, struct arena *mem);

/* What its rank kept of an arrival's collective. */
const struct collective *job_collective(const struct job *j, const struct job_arrival *a);

/* Where in job.step a number is; COLL_NO_STEP: not all ranks counted it.  O(log n). */
uint32_t job_step_place(const struct job *j, int64_t number);

/* A time of a rank's own clock in the reference's. */
nsec job_time(const struct job_clock *c, nsec own);
