/* The pipeline: inflating, scanning and merging side by side, with the result of doing them in
 * turn. */
#pragma once

#include "analyze/input/events/trace_document.h"
#include "analyze/input/events/merge_batches.h"
#include "analyze/input/events/plan.h"
#include "analyze/input/source/source.h"
#include "analyze/trace/run.h"
#include "base/base.h"

struct pipeline_options {
	unsigned threads;    /* >= 1 */
	size_t window_bytes; /* text scanned at a time; WINDOW_BYTES unless a test wants less */
	void (*progress)(void *ctx, int64_t done, int64_t total, int64_t text);
	void *progress_ctx;
};

/* Reads all of the source into the run and *g, of what is no JSON the first
 * LIMIT_ALIEN_BYTES; *d is the document's state then.  The result does not depend on the number of
 * threads, the scanner or the window size. */
enum status pipeline_run(struct source *s, const struct plan *plan,
	const struct pipeline_options *o, struct run *run, struct gathered *g, struct doc *d,
	struct err *e) MUST_CHECK;
