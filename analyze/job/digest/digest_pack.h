/* Digests as bytes: section "digest" of a record (analyze/trace/digest/digest_file.h). */
#pragma once

#include "base/base.h"

struct digest;
struct digest_options;
struct kept;
struct wire_in;
struct wire_out;

#define DIGEST_SECTION "digest"
#define WORK_SECTION   "work"  /* what ops should cost: records written before it have none */
#define COST_SECTION   "costs" /* that by arguments; the same */

/*
 * How a digest that is to be kept is made: all steps, input shapes, collectives; names made the
 * same.
 */
extern const struct digest_options digest_kept_options;

/* Appends all that a trace's digest says, but for its path and its record. */
void digest_pack(struct wire_out *w, const struct digest *d);

/* The same of what its ops should cost; of a trace in which nothing is known, too. */
void work_pack(struct wire_out *w, const struct digest *d);

/* digest_pack_work.c: its bytes, into a digest that has its steps. */
void work_unpack(struct wire_in *w, struct digest *d);

/* Costs, and the time of ops by step; into a digest that has its work. */
void cost_pack(struct wire_out *w, const struct digest *d);
void cost_unpack(struct wire_in *w, struct digest *d);

/*
 * The digest of a record, in the memory of a new digest, as digest_new would have made it of the
 * trace with those options; path is copied.  E_SYNTAX: damaged; E_NODATA: the options ask for what
 * a record does not have.  Any thread may do this.
 */
enum status digest_unpack(struct digest **out, const struct kept *k, const char *path,
	const struct digest_options *o, struct err *e) MUST_CHECK;

/* digest_pack_coll.c: collectives, which may be none. */
struct arena;
struct collectives;
void collectives_pack(struct wire_out *w, const struct collectives *c);
const struct collectives *collectives_unpack(struct wire_in *w, size_t nstep, struct arena *mem);
