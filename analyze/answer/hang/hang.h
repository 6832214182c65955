/* `hang`: dumps of PyTorch's flight recorder as one job: which call never completed, who did not
 * come, and who waits for whom.  What its files share.
 *
 *   hang_job.c    dumps -> ranks and groups         hang_calls.c   what each rank called
 *   hang_meet.c   calls that belong together: who came, who did not, what does not fit
 *   hang_wait.c   who waits for whom, where the chains end
 *   hang_say.c    and that as a sentence            hang_tables.c  all of it as tables
 *   hang_members.c  without dumps: what NCCL's RAS says */
#pragma once

#include "analyze/analysis/analysis.h"
#include "analyze/trace/columns/sheet.h"
#include "analyze/trace/filter.h"

#define TABLES_DEF "analyze/answer/hang/hang_tables.def"
#include "base/table_names_impl.h"

struct hang_options {
	int64_t limit;
	bool wants_stacks, wants_groups;
};

enum { NOWHERE = -1 }; /* a number that is not known */

enum hang_state { STATE_SCHEDULED, STATE_STARTED, STATE_COMPLETED };

/* What a rank called: a row of its dump. */
struct hang_call {
	size_t rank, group; /* indices */
	int64_t record, seq, created, timeout;
	int64_t before; /* of a send or receive: collectives of the group that were called by then
	                 */
	int64_t peer;   /* of a send or receive: index of the rank at the other end, or NOWHERE */
	enum hang_state state;
	bool is_p2p, is_send, is_batch_end;
	struct span op, in, out, in_type, out_type, where, stack, thread;
	int64_t in_count, out_count; /* elements; NOWHERE */
	size_t meeting;              /* index; of a call that has not completed */
};

/* Of a rank in a group. */
struct hang_member {
	int64_t rank;                                /* its number */
	size_t at;                                   /* its index */
	bool is_told;                                /* its dump names the group */
	int64_t pg_id, enqueued, started, completed; /* of collectives; NOWHERE */
	bool is_guessed;     /* its status was found by the number that others have for the group */
	int64_t first, last; /* of its calls, the index of the first and last pending; NOWHERE */
	size_t npending;
};

struct hang_group {
	struct span name, desc;
	struct hang_member *member; /* by rank */
	size_t nmember;
	bool has_p2p;  /* its numbers of statuses may be those of sends */
	int64_t worst; /* the meeting that tells most of it; NOWHERE */
};

/* How a call stands in the dumps, the worse the later. */
enum hang_kind {
	KIND_STUCK,     /* everybody came, nobody is through */
	KIND_LATE,      /* everybody came, some are through */
	KIND_NO_DUMP,   /* of some who belong to it there is no dump */
	KIND_MISSING,   /* some did not come */
	KIND_MISMATCHED /* those who came called different things */
};

/* What differs. */
enum hang_differs { DIFFERS_NOT, DIFFERS_OP, DIFFERS_TYPE, DIFFERS_SIZE };

struct hang_ranks {
	size_t *v; /* indices of ranks, by number */
	size_t n;
};

/* One collective of a group, or one send and its receive, that somebody is not through. */
struct hang_meeting {
	size_t group;
	bool is_p2p;
	int64_t seq;
	size_t *call; /* pending ones, by rank's number; indices */
	size_t ncall, call_cap;
	size_t first;                /* the call that speaks for it: of the lowest rank */
	size_t odd_call, other_call; /* of KIND_MISMATCHED: two that differ */
	size_t partner;              /* of a send or receive: index of the rank that is to come */
	bool has_partner;
	enum hang_kind kind;
	enum hang_differs differs;
	struct hang_ranks came, missing, odd, through, unknown;
	struct hang_ranks blocks; /* who keeps those who came */
	size_t nhead;             /* ranks whose first pending call it is */
};

/* One end of chains: ranks that keep a meeting from happening. */
struct hang_cause {
	const struct hang_meeting *m;
	struct hang_ranks ranks;
	bool is_circle;
	size_t held; /* ranks that wait because of it */
};

struct hang_rank {
	int64_t number;
	bool has_dump;
	const struct record *record;
	int artifact, input;
	const char *path;
	size_t from, to;   /* its calls, by record */
	int64_t head;      /* its first pending call; NOWHERE: it waits for nothing */
	int64_t last;      /* its newest call that is known; NOWHERE */
	bool is_root;      /* it waits for no rank */
	bool is_explained; /* its chain ends in a root */
	bool is_in_circle;
	size_t *group; /* indices */
	size_t ngroup;
};

struct hang_job {
	const struct query *q;
	struct result *out;
	struct hang_rank *rank; /* by number, once hang_job_read is through */
	size_t nrank, rank_cap, ndump;
	struct hang_group *group;
	size_t ngroup, group_cap;
	struct hang_call *call;
	size_t ncall, call_cap;
	struct hang_meeting *meeting;
	size_t nmeeting, meeting_cap;
	size_t npending, nguessed, nunknown;
	struct keymap meetings; /* by group and number */
	struct strings names;   /* of groups, with their ranks; the id is the index + 1 */
	struct arena mem;
};

/* hang_job.c: ranks and groups from all dumps; E_NODATA when there is none. */
enum status hang_job_read(struct hang_job *job, struct err *e) MUST_CHECK;
/* The member of a group with that number of a rank, or NULL. */
struct hang_member *hang_member_of(const struct hang_group *g, int64_t rank);

/* hang_calls.c */
void hang_calls_read(struct hang_job *job);

/* hang_meet.c: pending calls that belong together. */
void hang_meet(struct hang_job *job);
/* What is known of each such meeting, and of each group the one that tells most. */
void hang_judge_groups(struct hang_job *job);

/* hang_wait.c: heads, blockers, roots and circles. */
void hang_wait(struct hang_job *job);

/* hang_say.c: words. */
void hang_put_ranks(struct str *out, const struct hang_job *job, struct hang_ranks r);
void hang_put_group(struct str *out, const struct hang_group *g);
/* "all_to_all #20537", "send #3 from rank 0 to rank 3" */
void hang_put_call(struct str *out, const struct hang_job *job, const struct hang_call *c);
const char *hang_kind_word(const struct hang_meeting *m);

/* What happened, in a sentence. */
void hang_say_cause(struct str *out, const struct hang_job *job, const struct hang_cause *c);

/* hang_wait.c, hang_tables.c */
void hang_put_causes(struct hang_job *job, struct table *t);
void hang_put_meetings(struct hang_job *job, struct table *t, size_t limit, bool is_asked);
void hang_put_states(
	struct hang_job *job, struct table *t, size_t limit, const struct filter_set *set);
void hang_put_groups(struct hang_job *job, struct table *t, const struct filter_set *set);
void hang_put_stacks(struct hang_job *job, struct table *t, const struct filter_set *set);

/* Without dumps: what NCCL's RAS says of ranks; false: nothing does. */
bool hang_put_members(struct hang_job *job);
