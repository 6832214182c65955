/* Histories: any text is read or refused with a reason; a store that is written again says the
 * same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/compare/segment.h"
#include "analyze/input/read_history.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fabs(a);
}

/* What was read, as the lines of a store, reads back to the same figures. */
static void check_again(const struct history *h)
{
	struct history again;
	SCOPED_STR text = { 0 };
	struct err e;
	size_t torn, i, k;

	for (i = 0; i < h->nrun; i++)
		history_put_line(&text, h, &h->run[i]);
	if (history_read(&again, (struct span){ text.s, text.n }, "f", &torn, &e) != OK || torn ||
		again.nrun != h->nrun)
		abort();
	for (i = 0; i < h->nrun; i++)
		for (k = 0; k < h->nmetric; k++) {
			size_t at = history_metric(&again, span_of(h->metric[k].id));

			if (at < HISTORY_FIGURES &&
				!same(history_get(h, i, k).centre,
					history_get(&again, i, at).centre))
				abort();
		}
	history_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct segment_options o = { 8, 0.01, 0, NULL };
	struct history h;
	struct metricset m;
	SCOPED_ARENA mem = { 0 };
	struct err e;
	size_t torn;

	err_clear(&e);
	if (history_read(&h, (struct span){ (const char *)data, size }, "f", &torn, &e) == OK) {
		check_again(&h);
		segment_metricset(&m, &h, &o, &mem);
	} else if (!e.text[0]) {
		abort();
	}
	history_clear(&h);
	return 0;
}
