/* Digests as bytes: section "digest" of a record (analyze/trace/digest/digest_file.h). */
#pragma once

#include "base/base.h"

struct digest;
struct digest_file_out;
struct digest_options;
struct kept;
struct walk;

#define DIGEST_SECTION  "digest"
#define WORK_SECTION    "work"    /* what ops should cost: records written before it have none */
#define COST_SECTION    "costs"   /* that by arguments; the same */
#define TIMING_SECTION  "timing"  /* device work, to time it again; the same */
#define OUTSIDE_SECTION "outside" /* what lies outside of all steps; the same */
#define BETWEEN_SECTION "between" /* idle between steps that annotations make; the same */

/* How a digest that is to be kept is made: all steps, input shapes, collectives; names made the
 * same. */
extern const struct digest_options digest_kept_options;

/* Writes or reads all that a trace's digest says, but for its path and its record; what is written
 * is not changed. */
void digest_walk(struct walk *w, struct digest *d);

/* What lies outside of all steps. */
void outside_walk(struct walk *w, struct digest *d);
void between_walk(struct walk *w, struct digest *d);

/* digest_pack_work.c: what ops should cost, of a digest that has its steps; nothing known, too. */
void work_walk(struct walk *w, struct digest *d);

/* digest_timing.c: device work to time it again, of a digest that has its steps and collectives. */
void timing_walk(struct walk *w, struct digest *d);

/* Costs, and the time of ops by step, of a digest that has its work. */
void cost_walk(struct walk *w, struct digest *d);

/* Adds the sections of a digest to a record.  E_LIMIT: it is too large. */
enum status digest_pack(
	struct digest_file_out *to, const struct digest *d, struct err *e) MUST_CHECK;

/* The digest of a record, in the memory of a new digest, as digest_new would have made it of the
 * trace with those options; path is copied.  E_SYNTAX: damaged; E_NODATA: the options ask for what
 * a record does not have.  Any thread may do this. */
enum status digest_unpack(struct digest **out, const struct kept *k, const char *path,
	const struct digest_options *o, struct err *e) MUST_CHECK;

/* digest_pack_coll.c: collectives, which may be NULL; c, or those that were read. */
struct collectives;
const struct collectives *collectives_walk(
	struct walk *w, const struct collectives *c, size_t nstep);
