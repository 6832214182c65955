/*
 * Notes analyses owe their reader: the tally of the reader, in words, and what the run lacks.
 */
#include "analyze/query/notes.h"

#include <inttypes.h>

#include "analyze/measure/devices.h"
#include "analyze/measure/ledger.h"
#include "analyze/trace/order.h"
#include "analyze/trace/record.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"
#include "analyze/trace/tally.h"

/* What a broken file costs the answer. */
static const char *missing_text(enum problem p)
{
	switch (p) {
	case PROBLEM_TRUNCATED_JSON:
	case PROBLEM_TRUNCATED_GZIP:
		return "; everything before the cut is analyzed, what came after is missing";
	case PROBLEM_CORRUPT_GZIP:
		return "; what inflated before the damage is analyzed, the rest is missing";
	case PROBLEM_GZIP_NO_TRAILER:
		return "; no event is missing, but the checksum cannot be verified";
	default: return "; some of the file is missing";
	}
}

static const char *weight_text(enum problem p)
{
	switch (problem_infos[p].weight) {
	case WEIGHT_REPAIRED: return " (read as meant)";
	case WEIGHT_LOST: return " (not in the numbers)";
	case WEIGHT_BROKEN: return missing_text(p);
	case WEIGHT_INFO: break;
	}
	return "";
}

void notes_add_tally(struct result *r, const struct tally *t, int input)
{
	int i;

	for (i = 0; i < PROBLEM_COUNT; i++) {
		const struct problem_info *info = &problem_infos[i];
		int64_t n = t->count[i];
		bool once = info->weight == WEIGHT_BROKEN;
		struct note *note;

		if (n == 0)
			continue;
		if (once || n == 1)
			result_note(r, info->weight == WEIGHT_INFO ? NOTE_INFO : NOTE_WARNING,
				info->id, input, n, "%s%s", info->text,
				weight_text((enum problem)i));
		else
			result_note(r, info->weight == WEIGHT_INFO ? NOTE_INFO : NOTE_WARNING,
				info->id, input, n, "%s: %" PRId64 "%s", info->text, n,
				weight_text((enum problem)i));
		note = &r->note[r->nnote - 1];
		note->offset = t->offset[i];
		note->line = t->line[i];
	}
}

void notes_add_record(struct result *r, const struct run *run, int input)
{
	const struct record *rec = run->record;
	size_t i;

	for (i = 0; rec && i < rec->nnote; i++) {
		const struct note *n = &rec->note[i];
		bool name_it = rec->nartifact > 1 && n->input >= 0;

		result_note(r, n->level, n->id, input, n->count, "%s%s%s",
			name_it ? rec->artifact[n->input].path : "", name_it ? ": " : "", n->text);
		r->note[r->nnote - 1].offset = n->offset;
		r->note[r->nnote - 1].line = n->line;
	}
}

bool notes_no_device(struct result *r, const struct run *run, int input, const char *text)
{
	if (run->order->device_begin[run->lanes.n] > 0)
		return false;
	result_note(r, NOTE_INFO, "no_device_events", input, -1, "%s",
		text ? text
		     : "no kernels, copies or sets in this trace: device figures are unknown");
	return true;
}

void notes_add_steps(struct result *r, const struct run *run, int input, const struct ledgers *l)
{
	if (!notes_no_device(r, run, input, NULL) && l->ndevice == 0)
		result_note(r, NOTE_INFO, "no_device_chosen", input, -1,
			"no device work passes --device, --stream and --cat");
	if (run->steps->source == STEPS_WHOLE)
		result_note(r, NOTE_INFO, "no_steps", input, -1,
			"no steps in this trace: the whole of it counts as one");
	if (l->nwithout > 0)
		result_note(r, NOTE_WARNING, "many_devices", input, (int64_t)l->nwithout,
			"%zu steps on %zu devices: steps have no figures of the last %zu devices",
			l->nstep, l->ndevice, l->nwithout);
	devices_say(r, input, l->ndevice + l->nmore, l->ndevice);
}
