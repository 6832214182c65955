/* `copies`: what its parts share.  Private to analyze/answer/copies/.
 *
 * One sweep for each device, in the order of starts: copies, sets and copying kernels are grouped
 * by kind and by the op that caused them, and what computes or communicates hides copies. */
#pragma once

#include "analyze/measure/device/copyclass.h"
#include "analyze/measure/gaps/exposure.h"
#include "analyze/measure/window.h"
#include "analyze/analysis/groupby.h"

struct copies_options {
	int64_t limit;
	bool types;
};

/* What a device event moves.  Bytes only: it is compared as bytes. */
struct copies_kind {
	uint8_t what;      /* enum copies_what; 0: it moves nothing */
	uint8_t kind;      /* enum kind of the event */
	uint8_t direction; /* enum copy_direction */
	uint8_t from, to;  /* enum copy_memory */
};
enum copies_what { MOVES_NOTHING, MOVES_COPY, MOVES_SET, MOVES_CAST, MOVES_LAYOUT, MOVES_UNCLEAR };

/* What makes a group.  What does not is 0.  No padding: it is compared as bytes. */
struct copies_key {
	int64_t device;
	sym op;        /* 0: none is known */
	uint32_t kind; /* index in kinds */
};

struct copies_group {
	struct copies_key key;
	struct durations calls;
	nsec sized_ns; /* of those that say their bytes */
	int64_t sized, bytes;
	struct exposure_group x;
	bool is_copy;
};

/* A kind on each device; a kind by each op; every copy. */
enum copies_by { BY_KIND, BY_OP, BY_NOTHING, COPIES_BYS };

struct copies {
	struct perrun *p;
	struct window window; /* with steps only */
	const struct copies_options *o;
	struct classes classes;
	struct keymap kinds; /* of struct copies_kind */
	uint32_t *kind_of;   /* by sym and twice: 1 + index in kinds; 0 not looked up */
	struct groups by[COPIES_BYS];
	struct exposure exposure[COPIES_BYS];
	nsec device_sum; /* of all device work that passes the filters, names aside */
	struct devices devices;
};

/* copies_collect.c */
void copies_collect(struct copies *c);
void copies_clear(struct copies *c);
const struct copies_kind *copies_kind_at(const struct copies *c, uint32_t index);

/* copies_tables.c */
void copies_tables(struct copies *c);

#define TABLES_DEF "analyze/answer/copies/copies_tables.def"
#include "base/table_names_impl.h"
