/* A dump of PyTorch's flight recorder, taken apart: one decoder, whatever it was written in.
 *
 * Source: torch/csrc/distributed/c10d/FlightRecorder.hpp and FlightRecorderDetail.hpp, versions 2.0
 * to 2.10: {version, pg_config, pg_status, entries, nccl_version or comm_lib_version}. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/input/value/compact.h"

/* A group, in the order in which it is first named. */
struct flight_group {
	struct span name;
	compact_value config; /* its member of pg_config; COMPACT_NONE: it has none */
	int64_t pg_id;        /* -1: no call tells it */
};

/* A decoding. */
struct flight {
	struct reading *in;
	struct compact doc; /* its texts are borrowed until the reading ends */
	struct strings texts;
	compact_value dump;
	struct flight_group *group;
	size_t ngroup, group_cap;
	struct strings names; /* of groups: the id is the index + 1 */
	int64_t looked_at;    /* values, each time they are */
};

/* The group of that name, made when it is new. */
struct flight_group *flight_group_of(struct flight *f, struct span name);

/* The same: a member, its text, and an integer, also one that is written as text. */
compact_value flight_get(const struct flight *f, compact_value map, const char *key);
struct span flight_text(const struct flight *f, compact_value map, const char *key);
bool flight_int(const struct flight *f, compact_value v, int64_t *i);

/* Its entries to the sheet of calls; groups learn their numbers. */
void flight_calls(struct flight *f);
