/* Merging: a batch's rows, texts and lanes into the run, in file order. */
#pragma once

#include "analyze/input/events/arrows.h"
#include "analyze/trace/run.h"
#include "base/base.h"

struct batch;

/* M events by (pid, tid), kept until all lanes are known. */
struct names {
	struct lanes of; /* keys as lanes that are no device lanes; tid UINT32_MAX for processes */
};

/* A lane that belongs to another: `cut --lanes` puts slices that overlap on lanes of their own, and
 * says by M events whose they are (LANE_HOME_NAME). */
struct home {
	sym pid, tid; /* of the lane */
	sym of;       /* tid of the one it belongs to */
};

struct homes {
	struct home *v; /* owned */
	size_t n, cap;
};

/* What is gathered over the batches beside the run. */
struct gathered {
	struct names names;
	struct homes homes;
	uint32_t *text, *lane, *id, *set; /* scratch: batch number -> run number */
	size_t text_cap, lane_cap, id_cap, set_cap;
	uint32_t *cat_slot; /* hash table over run->cat: 0 free, else index + 1 */
	size_t ncat_slot;
	nsec bare_first, bare_last; /* over slices without a category */
	nsec zero_last; /* last end of device work at time 0; INT64_MIN: there is none */
	bool saw_begin_end;
	bool is_restored; /* the run was finished before it was written, and is so again */
	struct arrows arrows;
	struct batch_member *member;
	size_t nmember, member_cap;
	struct arena mem; /* owns the members' texts */
};

void gathered_init(struct gathered *g);
void gathered_clear(struct gathered *g);

/* Appends the batch.  E_LIMIT when the run would have more rows than can be numbered. */
enum status merge_batch(
	struct run *run, struct gathered *g, const struct batch *b, struct err *e) MUST_CHECK;

/* Gives what lies on such lanes back to those they belong to, work to the lane of its device and
 * stream.  Before lanes are named.  Sorts *h. */
void homes_fold(struct homes *h, struct run *run);
