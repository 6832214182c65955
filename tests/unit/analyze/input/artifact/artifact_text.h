/* A text read as an artifact, for tests. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include <cmocka.h>

#include "analyze/input/load.h"
#include "analyze/trace/run.h"
#include "base/err.h"

struct artifact_text_file {
	const char *p;
	size_t n;
};

static inline ssize_t artifact_text_read(void *ctx, void *buf, size_t n)
{
	struct artifact_text_file *f = ctx;

	n = n < f->n ? n : f->n;
	memcpy(buf, f->p, n);
	f->p += n;
	f->n -= n;
	return (ssize_t)n;
}

/* The status of reading it; run is to be cleared when it is OK. */
static inline enum status artifact_text_status(const char *text, struct run *run, struct err *e)
{
	struct artifact_text_file f = { text, strlen(text) };
	struct load_options o = { .needs = 0, .threads = 1 };

	err_clear(e);
	return load_reader(artifact_text_read, &f, "text", &o, run, e);
}

/* Reads it; the caller clears run. */
static inline void artifact_text(const char *text, struct run *run)
{
	struct err e;

	if (artifact_text_status(text, run, &e) != OK)
		fail_msg("%s", e.text);
	assert_non_null(run->record);
}
