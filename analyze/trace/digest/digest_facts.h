/* What a record says of its trace as a file: section "facts". */
#pragma once

#include "analyze/trace/columns/tally.h"
#include "base/base.h"

struct kept;
struct run;
struct walk;
struct wire_out;

#define DIGEST_FACTS "facts"

struct digest_facts {
	struct span path;      /* of the trace, as it was opened */
	struct span container; /* "gzip" */
	struct span made_by;   /* "traceq 1.4.0" */
	int64_t file_bytes, text_bytes, nevent;
	int64_t rank, world; /* as the trace says; -1 */
	struct tally tally;
};

/* Of a run that was read. */
void digest_facts_put(struct wire_out *w, const struct run *r, struct span made_by);

/* Texts are in mem.  E_SYNTAX. */
enum status digest_facts_get(
	struct digest_facts *f, const struct kept *k, struct arena *mem, struct err *e) MUST_CHECK;

/* What was odd about a trace, by the words for it: written or read (digest_wire.h). */
void tally_walk(struct walk *w, struct tally *t);

/* E_SYNTAX: bytes that a checksum holds for right, and that are no such section all the same. */
enum status digest_file_refuse_section(const char *section, struct err *e);
