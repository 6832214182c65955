/* The scanner alone, inside an array of events, on text as it comes: all scanners do the same with
 * the same bytes, and none reads behind the window's padding. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/trace_document.h"
#include "analyze/input/events/scan.h"
#include "analyze/input/text/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct outcome {
	size_t used, events, names;
	uint64_t problems, starts;
	enum doc_where where;
};

static struct outcome scan(const struct scanner *scanner, const char *text, size_t n)
{
	/* With little wanted, the rest of args is passed over by what was there before. */
	unsigned needs = n & 2 ? NEED_LINKS : (1u << 12) - 1;
	struct outcome o = { 0 };
	struct batch b;
	struct plan plan;
	struct doc d;
	size_t i;

	plan_init(&plan, needs, scanner, 7);
	batch_init(&b, needs, 7);
	doc_guess(&d);
	o.used = doc_scan(&plan, &b, &d, text, n, 0, n & 1);
	o.events = b.events.n;
	o.names = b.ndict;
	o.where = d.where;
	for (i = 0; i < PROBLEM_COUNT; i++)
		o.problems = o.problems * 31 + (uint64_t)(b.tally.count[i] + b.tally.offset[i]);
	for (i = 0; i < b.events.n; i++)
		o.starts = o.starts * 31 + (uint64_t)b.events.start[i] + (uint64_t)b.events.dur[i] +
			b.events.args[i];
	batch_clear(&b);
	return o;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct scanner *const *s = scanner_all();
	char *text = malloc(size + WINDOW_PADDING); /* exactly: one byte further is an error */
	struct outcome first, other;

	if (!text)
		abort();
	if (size)
		memcpy(text, data, size);
	memset(text + size, '"', WINDOW_PADDING);
	memset(&first, 0, sizeof(first));
	memset(&other, 0, sizeof(other));
	first = scan(s[0], text, size);
	for (s++; *s; s++) {
		other = scan(*s, text, size);
		if (other.used != first.used || other.events != first.events ||
			other.names != first.names || other.problems != first.problems ||
			other.starts != first.starts || other.where != first.where)
			abort();
	}
	free(text);
	return 0;
}
