/* Answers that are no tables: formats of calls (renderer.is_of_calls) of analyses that have some
 * (runs.calls).  They are written while the run is looked at. */
#pragma once

#include "analyze/analysis/analysis.h"
#include "base/io.h"

struct inquiry_ask;
struct output_options;
struct renderer;

/* Where it goes, and what is there. */
struct stream_to {
	const struct analysis *of; /* whose question it is */
	FILE *out;
	struct io_file file;
	bool is_file, is_written;
};

struct stream {
	struct analysis analysis; /* asked in place of to.of */
	struct stream_to *at, to; /* at: &to; NULL: there is no stream */
};

/* Has what is asked written as a stream where the format wants it; s lives as long as the ask. */
void stream_take(struct stream *s, struct inquiry_ask *ask, const struct renderer *renderer);

/* Opens what is written to, before the question is asked.  E_IO. */
enum status stream_open(struct stream *s, const struct output_options *o, struct err *e) MUST_CHECK;

/* After it was answered, or not (is_good).  E_IO: what was written is gone.  s->to.is_written: all
 * of the answer is written, there is no table to be put. */
enum status stream_close(
	struct stream *s, const struct output_options *o, bool is_good, struct err *e) MUST_CHECK;
