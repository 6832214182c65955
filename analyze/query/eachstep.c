/*
 * What analyses of whole steps say about their input, and tables that hide what is not there.
 */
#include "analyze/query/eachstep.h"

#include <string.h>

#include "analyze/measure/devices.h"
#include "analyze/measure/ledger.h"
#include "analyze/trace/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"

void eachstep_notes(struct each *at, const struct ledgers *l)
{
	const struct run *r = at->run;

	if (r->order->device_begin[r->lanes.n] == 0)
		result_note(at->out, NOTE_INFO, "no_device_events", at->input, -1,
			"no kernels, copies or sets in this trace: device figures are unknown");
	else if (l->ndevice == 0)
		result_note(at->out, NOTE_INFO, "no_device_chosen", at->input, -1,
			"no device work passes --device, --stream and --cat");
	if (r->steps->source == STEPS_WHOLE)
		result_note(at->out, NOTE_INFO, "no_steps", at->input, -1,
			"no steps in this trace: the whole of it counts as one");
	if (l->nwithout > 0)
		result_note(at->out, NOTE_WARNING, "many_devices", at->input, (int64_t)l->nwithout,
			"%zu steps on %zu devices: steps have no figures of the last %zu devices",
			l->nstep, l->ndevice, l->nwithout);
	devices_say(at->out, at->input, l->ndevice + l->nmore, l->ndevice);
}

struct table *eachstep_table(struct each *at, const struct table_doc *doc, uint64_t visible)
{
	struct column *col = arena_array(&at->out->mem, doc->ncol, sizeof(*col));
	struct table *t;
	size_t i;

	memcpy(col, doc->col, doc->ncol * sizeof(*col));
	for (i = 0; i < doc->ncol; i++) {
		col[i].flags &= ~(unsigned)COLUMN_HIDDEN;
		if (!(visible >> i & 1))
			col[i].flags |= COLUMN_HIDDEN;
	}
	t = result_table(at->out, doc->id, doc->title, col, doc->ncol);
	t->input = at->input;
	return t;
}
