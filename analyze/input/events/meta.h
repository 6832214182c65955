/* Metadata: the document's outer members to struct meta. */
#pragma once

#include "analyze/input/events/merge_batches.h"
#include "analyze/input/text/json_text.h"
#include "analyze/trace/run.h"

/* Decodes the members gathered from the document; never fails: what is malformed is "not said". */
void meta_decode(struct run *run, const struct gathered *g);
