/* Finding what is wrong with a job.  Private to analyze/job/waits/jobwhy*.c. */
#pragma once

#include "analyze/job/jobfacts.h"
#include "analyze/job/waits/jobwhy.h"

#define WHY_NOBODY UINT32_MAX

struct why_work {
	const struct job_facts *f;
	const struct job *j;
	struct arena *mem;
	size_t *alone;  /* by rank: its collectives of groups whose other ranks are all absent */
	double floor;   /* waits of a step below this are not looked at, ns */
	bool is_judged; /* its collectives tell: enough match, and well */
};

/* jobwhy_straggler.c */
struct why_slow {
	uint32_t *rank; /* who the others wait for, the slowest first; n of them */
	size_t n;
	bool *is_slow;  /* by rank of the job */
	bool is_uneven; /* in some steps only */
	bool is_idle;   /* the others wait in no collective: they idle */
	bool is_vague;  /* and they may wait in copies and communication, too */
	uint32_t *peer; /* those the slowest is compared with: of its stage, or all; without it */
	size_t npeer;
	double lead;     /* how much later the slowest comes than its median peer, ns a step */
	double wait;     /* what the median of the others waits for them, ns a step */
	double *by_step; /* what is waited for them, in each of the job's steps */
};
void why_find_slow(struct why_slow *s, const struct why_work *w);
/* jobwhy_idle.c: the same of waits that are no collectives, or mismatched ones: one works longer,
 * and its peers idle as much longer; false: none does. */
bool why_find_idle(struct why_slow *s, const struct why_work *w);
/* How much longer a rank has something in a step than the median of the others of its stage, of the
 * mean device. */
double why_longer(
	const struct why_work *w, size_t step, uint32_t rank, double (*of)(const nsec *part));
/* Stages are compared by themselves where each has several ranks. */
bool why_by_stages(const struct why_work *w);

/* jobwhy_absent.c: ranks without a trace, one of which at least half of all waits go back to. */
struct why_absent {
	int64_t *rank; /* those that it may be, ascending; n of them, 0: it is not known who */
	size_t n;
	double all;  /* waits that go back to them, ns: sum over the ranks and steps */
	double wait; /* what the median rank waits for them, ns a step */
};
bool why_find_absent(struct why_absent *a, const struct why_work *w);
/* The ranks that they lack where transfers may be waits for them as well, since nothing that is
 * alike and lacks nobody tells how long those need.  False: that is not much. */
bool why_may_be_absent(struct why_absent *a, const struct why_work *w);

/* jobwhy_pattern.c: ", in every third step": when the others wait, by step of the job; nothing
 * where they always do. */
void why_put_pattern(struct str *b, const struct why_work *w, const double *by_step);
/* Of n steps the places of those that matter; how many.  hit: room for n. */
size_t why_find_hits(const double *by_step, size_t n, size_t *hit);

/* jobwhy_cause.c */
/* Whether any rank has a device: else it is hosts that compute. */
bool why_has_devices(const struct why_work *w);
struct why_part {
	enum job_cause cause;
	double own, others; /* ns a step: the rank's, its median peer's */
};
/* What of the slowest rank's step is longest beside its peers'. */
struct why_part why_cause(const struct why_work *w, const struct why_slow *s);
/* The same of whoever comes last in each step, where that changes. */
struct why_part why_moving_cause(const struct why_work *w);
/* Whether those that a rank, or whoever comes last, hands work to and gets it from compute longer
 * with it, and not in all steps: it is what they work on. */
bool why_is_batches(const struct why_work *w, uint32_t rank);

/* jobwhy_kernels.c: why a rank computes longer than the peer whose compute is the median. */
struct why_kernels {
	bool is_work;                /* it has more to do; else it does the same slower */
	bool by_shape;               /* more to do: larger inputs; else more kernels */
	double ratio;                /* of the same kernels: its time over the peer's; NaN */
	double elements;             /* of inputs that differ: its elements over the peer's; NaN */
	double calls, peer_calls;    /* kernels a step */
	struct span gpu, peer_gpu;   /* where they differ; else empty */
	const struct digest_op *top; /* the kernel that explains most; NULL */
};
void why_kernels(struct why_kernels *k, const struct why_work *w, const struct why_slow *s);

/* jobwhy_link.c: false where no group's transfers are slow. */
struct why_link {
	uint32_t group, rank;        /* rank: the only one that all slow groups share; WHY_NOBODY */
	const struct job_flow *flow; /* the group's that costs most */
	size_t ngroup;               /* that are slow */
	double excess;               /* ns a step, of the group */
};
bool why_find_link(struct why_link *l, const struct why_work *w);

/* jobwhy_text.c */
void why_say_slow(struct job_why *y, const struct why_work *w, const struct why_slow *s,
	const struct why_kernels *k);
/* is_sure: they wait for it; else they may. */
void why_say_absent(
	struct job_why *y, const struct why_work *w, const struct why_absent *a, bool is_sure);
void why_say_experts(struct job_why *y, const struct why_work *w, const struct why_slow *s);
void why_say_link(struct job_why *y, const struct why_work *w, const struct why_link *l);
void why_say_bubble(struct job_why *y, const struct why_work *w);
void why_say_moving(struct job_why *y, const struct why_work *w);
void why_say_balanced(struct job_why *y, const struct why_work *w);
void why_say_unjudged(struct job_why *y, const struct why_work *w);
