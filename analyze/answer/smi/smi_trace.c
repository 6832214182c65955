/*
 * `smi`: how busy the GPU was by the traces given beside the samples.
 */
#include "analyze/answer/smi/smi.h"
#include "analyze/measure/device/devices.h"
#include "analyze/measure/interval.h"
#include "analyze/trace/columns/kinds.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

static void put_device(struct table *t, const struct run *r, int64_t device)
{
	struct intervals set = { 0 };
	nsec busy, span;

	intervals_of_device(&set, r, device, KINDS_DEVICE, NULL);
	busy = intervals_length(&set);
	if (set.n) {
		span = saturate_sub(set.v[set.n - 1].end, set.v[0].start);
		table_row(t);
		table_text(t, STRACE_TRACE, span_of(r->path));
		table_int(t, STRACE_DEVICE, device);
		table_int(t, STRACE_BUSY, busy);
		table_int(t, STRACE_SPAN, span);
		if (span > 0)
			table_real(t, STRACE_RATIO, (double)busy / (double)span);
	}
	intervals_clear(&set);
}

void smi_put_traces(const struct query *q, struct result *out, const struct table_doc *doc)
{
	struct table *t = NULL;
	size_t i, k;

	for (i = 0; i < q->nrun; i++) {
		const struct run *r = q->run[i];
		struct devices devices;
		struct arena mem;

		if (r->events.n == 0 || !r->order)
			continue;
		if (!t)
			t = result_table(out, doc->id, doc->title, doc->col, doc->ncol);
		arena_init(&mem);
		devices_init(&devices, r, &mem);
		for (k = 0; k < devices.n; k++)
			put_device(t, r, devices.id[k]);
		arena_clear(&mem);
	}
}
