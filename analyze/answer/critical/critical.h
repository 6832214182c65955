/* `critical`: what its parts share.  Private to analyze/answer/critical/.
 *
 * One path over the whole window (depend/critpath.h); its segments are cut where steps that count
 * begin and end, and what lies in none of them is in no figure.  So all sums are of the window, to
 * the nanosecond. */
#pragma once

#include "analyze/depgraph/critpath.h"
#include "analyze/depgraph/datadeps.h"
#include "analyze/judge/judge.h"
#include "analyze/analysis/job_repairs.h"
#include "analyze/analysis/perrun.h"
#include "analyze/measure/place_id.h"
#include "base/opt.h"

/* The kinds of --what-if, a blank in front of each. */
#define CRITICAL_KIND(name, word, what) " " word
#define CRITICAL_KINDS                  CHANGES(CRITICAL_KIND)

struct critical_options {
	int64_t limit; /* rows of the lists; below 0: the default */
	bool list;     /* the segments, too */
	struct opt_list what_if;
};

/* X(NAME, key, word, what bounds the step then): owners that are seen as one where people look for
 * what bounds a step */
#define BOUNDS(X)                                                         \
	X(COMPUTE, "compute", "computing", "kernels: the GPU computes")   \
	X(COMM, "comm", "collectives", "collectives: communication")      \
	X(COPY, "copy", "copies", "copies")                               \
	X(GAP, "gap", "gaps", "gaps between work on the GPU")             \
	X(SYNC, "sync", "syncs", "calls that wait, and their return")     \
	X(HOST, "host", "host", "CPU ops, Python and launches: the host") \
	X(DATA, "dataloader", "data loader", "the data loader")

enum bound {
#define X(name, key, word, what) BOUND_##name,
	BOUNDS(X)
#undef X
		BOUND_COUNT
};

/* BOUND_COUNT: unrecorded, which bounds nothing. */
enum bound critical_bound_of(enum owner o);

/* Time on the path of one owner, under one name. */
struct critical_owner {
	enum owner owner;
	sym name;       /* 0: none */
	uint32_t next;  /* 1 + another of that name; 0: there is none */
	nsec ns, total; /* total: of that owner in the window, on the path or not; -1: none is known
	                 */
	int64_t segments;
	struct interval longest; /* of them, the first of equals */
};

/* Which op most of what has a name is of. */
struct critical_ops {
	struct keymap keys; /* index of the name, op */
	nsec *ns;
	size_t cap;
};

/* A segment as far as it is in a step that counts. */
struct critical_piece {
	struct segment s;
	uint32_t step; /* index in window.time */
};

/* Device work behind other work on its stream. */
struct critical_data {
	nsec ns;    /* on the path: the work, and the gap before it */
	nsec total; /* durations of all of it in the steps */
	int64_t calls, on_path;
};

struct critical {
	struct perrun *at;
	const struct critical_options *o;
	size_t limit;
	struct classes classes;
	struct window window;
	struct verdict verdict;
	struct judge judge; /* borrows depend and predict */
	struct depend depend;
	struct predict predict;
	unsigned threads;
	struct stepcut cut; /* of all steps that count */
	uint8_t *phase;     /* by row: enum phase of host calls */
	bool has_data;      /* a host call is in the phase of data loading */
	bool *is_step;      /* by sym: ProfilerStep#N */
	sym step_name;      /* stands for all of those; 0: there is none */
	size_t near;        /* of the path: stepcut_each */

	nsec ns[OWNER_COUNT]; /* on the path */
	int64_t segments[OWNER_COUNT];
	nsec (*step_ns)[OWNER_COUNT];
	nsec phase_ns[PHASE_COUNT]; /* on the path, less unrecorded */
	int64_t phase_segments[PHASE_COUNT];
	struct critical_owner *owner;
	size_t nowner, owner_cap;
	uint32_t *owner_of;      /* by sym: 1 + the last owner of that name; 0: there is none */
	struct critical_ops ops; /* by index of owner */
	uint64_t *on_path;       /* bits by node: work that is on the path */
	struct critical_piece *piece; /* with --list only: last first */
	size_t npiece, piece_cap;

	nsec *late; /* by node: its slack */

	bool has_data_deps; /* an execution trace is joined with the run */
	struct datadeps data;
	nsec *data_ns; /* by node of work: its time on the path where it waited for the work before
	                  it on its stream, with the gap between them */

	struct critical_saving {
		const char *says; /* NULL: no scenario saves anything */
		nsec ns;
	} best; /* of the default scenarios */
};

/* The window less what is unrecorded on the path: what shares are of. */
nsec critical_whole(const struct critical *c);

/* The name of the op of an event (of device work: which launched it; of a call: around it), or 0;
 * the text of a name, steps being one. */
sym critical_op(const struct critical *c, uint32_t row);
struct span critical_text(const struct critical *c, sym name);

/* critical_collect.c: which ops there are. */
void critical_ops_init(struct critical_ops *o);
void critical_ops_clear(struct critical_ops *o);
void critical_ops_add(struct critical_ops *o, uint32_t index, sym op, nsec ns);
/* By index < n: the op with most time, of equals the first that came; 0: none is known. */
sym *critical_ops_main(const struct critical_ops *o, size_t n, struct arena *mem);

/* critical_collect.c: the window and the path; `total` of all owners that have one. */
void critical_collect(struct critical *c);
void critical_clear(struct critical *c);
void critical_add_totals(struct critical *c);

/* critical_tables.c */
void critical_put_path(struct critical *c);
void critical_put_phases(struct critical *c);
void critical_put_steps(struct critical *c);
void critical_put_evidence(struct critical *c);
void critical_put_owners(struct critical *c);
void critical_put_segments(struct critical *c);
void critical_put_slack(struct critical *c);
/* Whether a moment is in a step that counts. */
bool critical_is_in_step(const struct critical *c, nsec t);

/* critical_data.c: what needs whose data. */
void critical_put_data(struct critical *c);

/* critical_words.c: what bounds the step, in a sentence; t is the table of it, made before. */
void critical_put_bound(struct critical *c, struct table *t);

/* One change as given: "kernel:gemm=0.5". */
struct critical_change {
	const char *text;
	struct change change; /* match: not yet */
	const char *regex;    /* NULL: all names */
};
struct critical_given {
	struct critical_change *v;
	size_t n;
	unsigned repairs; /* of a job: bits of enum job_repair */
	int64_t rank;     /* as fast as the others; -1: none */
};

/* critical_given.c: reads --what-if.  Memory is the arena's.  E_USAGE. */
enum status critical_read_given(struct critical_given *g, const struct opt_list *list,
	struct arena *mem, struct err *e) MUST_CHECK;
/* The names in the run that a change is about; *n: how many events have them. */
enum status critical_match(struct critical *c, const struct critical_change *given,
	const bool **match, int64_t *n) MUST_CHECK;

/* critical_whatif.c: makes `total` of owners and `late`, too, beside the scenarios. */
enum status critical_put_what_if(struct critical *c) MUST_CHECK;

/* critical_job.c: what is kept of each run, for the path of the job. */
struct jobpage;
struct rankpath;
struct critical_job {
	const struct query *q;
	struct rankpath **path; /* by input; NULL: none */
};
void critical_job_init(struct critical_job *j, const struct query *q);
void critical_job_clear(struct critical_job *j);
void critical_job_look(struct critical *c);
void critical_job_put(void *ctx, const struct jobpage *page, struct result *out);

#define TABLES_DEF "analyze/answer/critical/critical_tables.def"
#include "base/table_names_impl.h"
