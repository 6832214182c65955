/* Reading one format from memory. */
#include "tests/fuzz/format_input.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/input/events/finish.h"
#include "analyze/input/events/merge_batches.h"
#include "analyze/input/events/meta.h"
#include "analyze/input/events/scan.h"
#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/format.h"
#include "analyze/input/source/source.h"
#include "analyze/trace/run.h"
#include "tests/fuzz/memory_file.h"

/* What came of it: a digest of the run, or the status. */
static uint64_t read_once(
	const struct format *format, const uint8_t *data, size_t size, size_t window)
{
	struct memory_file f = { data, size, 0, 0 };
	unsigned needs = (1u << 20) - 1;
	struct gathered g;
	struct plan plan;
	struct run run;
	struct source s;
	struct err e;
	struct emit_sink out = { .plan = &plan, .run = &run, .g = &g };
	struct format_input in = { .source = &s, .threads = 1, .window_bytes = window };
	enum status st;
	uint64_t digest;

	err_clear(&e);
	st = source_open_reader(&s, memory_read, &f, NULL, &e);
	if (st != OK)
		return (uint64_t)-st;
	run_init(&run, needs);
	gathered_init(&g);
	plan_init(&plan, needs, scanner_pick("portable"), run.strings.seed);
	run.kinds_kept = plan.kinds_kept;
	st = format->read(&in, &out, &e);
	if (st == OK) {
		finish_run(&run, &g);
		meta_decode(&run, &g);
	} else if (e.text[0] == '\0' || e.status != st) {
		abort();
	}
	digest = st == OK ? memory_run_digest(&run) : (uint64_t)-st;
	gathered_clear(&g);
	run_clear(&run);
	source_close(&s);
	return digest;
}

void format_input_try(const struct format *format, const uint8_t *data, size_t size)
{
	size_t window = size ? 64 + (size_t)data[size - 1] * 8 : 64;

	(void)format->is(
		(struct span){ (const char *)data, size < FORMAT_HEAD ? size : FORMAT_HEAD });
	if (read_once(format, data, size, window) != read_once(format, data, size, 1 << 20))
		abort();
}
