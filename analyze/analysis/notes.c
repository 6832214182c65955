/* Notes analyses owe their reader: the tally of the reader, in words, and what the run lacks. */
#include "analyze/analysis/notes.h"

#include "analyze/measure/window.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/graphs/replay.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run_steps.h"
#include "base/unit.h"

/* What a broken file costs the answer.  offset: of the damage, -1: a checksum is all that says it.
 */
static const char *missing_text(enum problem p, int64_t offset)
{
	switch (p) {
	case PROBLEM_TRUNCATED_JSON:
	case PROBLEM_TRUNCATED_TRACE:
	case PROBLEM_TRUNCATED_GZIP:
		return "; everything before the cut is analyzed, what came after is missing";
	case PROBLEM_CORRUPT_GZIP:
		if (offset < 0)
			return "; all of it inflated and is analyzed, but its checksum says that "
			       "something in it is wrong";
		return "; what inflated before the damage is analyzed, the rest is missing";
	case PROBLEM_GZIP_NO_TRAILER:
		return "; no event is missing, but the checksum cannot be verified";
	default: return "; some of the file is missing";
	}
}

static const char *weight_text(enum problem p, int64_t offset)
{
	switch (problem_infos[p].weight) {
	case WEIGHT_REPAIRED: return " (read as meant)";
	case WEIGHT_LOST: return " (not in the numbers)";
	case WEIGHT_BROKEN: return missing_text(p, offset);
	case WEIGHT_INFO: break;
	}
	return "";
}

void notes_add_tally(struct result *r, const struct tally *t, int input)
{
	for (int i = 0; i < PROBLEM_COUNT; i++) {
		const struct problem_info *info = &problem_infos[i];
		int64_t n = t->count[i];
		bool once = info->weight == WEIGHT_BROKEN;

		if (n == 0)
			continue;
		if (once || n == 1)
			result_note(r, info->weight == WEIGHT_INFO ? NOTE_INFO : NOTE_WARNING,
				info->id, input, n, "%s%s", info->text,
				weight_text((enum problem)i, t->offset[i]));
		else
			result_note(r, info->weight == WEIGHT_INFO ? NOTE_INFO : NOTE_WARNING,
				info->id, input, n, "%s: %" PRId64 "%s", info->text, n,
				weight_text((enum problem)i, t->offset[i]));
		struct note *note = &r->note[r->nnote - 1];
		note->offset = t->offset[i];
		note->line = t->line[i];
	}
}

void notes_add_record(struct result *r, const struct run *run, int input)
{
	const struct record *rec = run->record;

	for (size_t i = 0; rec && i < rec->nnote; i++) {
		const struct note *n = &rec->note[i];
		bool name_it = rec->nartifact > 1 && n->input >= 0;

		result_note(r, n->level, n->id, n->input == RECORD_OF_FOLDER ? -1 : input, n->count,
			"%s%s%s", name_it ? rec->artifact[n->input].path : "", name_it ? ": " : "",
			n->text);
		r->note[r->nnote - 1].offset = n->offset;
		r->note[r->nnote - 1].line = n->line;
	}
}

bool notes_no_device(struct result *r, const struct run *run, int input, const char *text)
{
	if (run->order->device_begin[run->lanes.n] > 0)
		return false;
	result_note(r, NOTE_INFO, "no_device_events", input, -1, "%s",
		text ? text : "no kernels, copies or sets in this trace: GPU figures are unknown");
	return true;
}

void notes_add_steps(struct result *r, const struct run *run, int input, const struct ledgers *l)
{
	if (!notes_no_device(r, run, input, NULL) && l->ndevice == 0)
		result_note(r, NOTE_INFO, "no_device_chosen", input, -1,
			"no GPU work matches --device, --stream and --cat");
	if (run->steps->source == STEPS_WHOLE)
		result_note(r, NOTE_INFO, "no_steps", input, -1,
			"no steps in this trace: the whole of it counts as one; %s",
			recording_word(run, RECORDING_STEPS));
	if (run->steps->others > 0) {
		const struct lane *of = step_thread(run, &run->steps->step[0]);
		struct span pid = strings_get(&run->strings, of->pid);

		result_note(r, NOTE_INFO, "steps_of_process", input, (int64_t)run->steps->others,
			"several processes mark steps: counted are those of process %.*s, which "
			"take longest",
			(int)pid.n, pid.p);
	}
	if (l->nwithout > 0)
		result_note(r, NOTE_WARNING, "many_devices", input, (int64_t)l->nwithout,
			"%zu steps on %zu GPUs: steps have no figures of the last %zu GPUs",
			l->nstep, l->ndevice, l->nwithout);
	devices_say(r, input, l->ndevice + l->nmore, l->ndevice);
}

/* A note that begins with a time. */
static void note_time(struct result *r, const char *id, int input, nsec ns, const char *text)
{
	result_note(r, NOTE_INFO, id, input, ns, "%s %s", unit_time(&r->mem, (double)ns), text);
}

/* Less than this share is not worth a line. */
static const double LEAST_OUTSIDE = 0.01;

static void note_outside(struct result *r, int input, const struct window *w)
{
	nsec busy = 0, outside = 0;

	for (size_t i = 0; i < w->ndevice; i++) {
		saturate_onto(&outside, w->device[i].outside);
		saturate_onto(&busy, w->device[i].busy_all);
	}
	if (busy <= 0 || (double)outside < LEAST_OUTSIDE * (double)busy)
		return;
	result_note(r,
		(double)outside > WINDOW_OUTSIDE_MUCH * (double)busy ? NOTE_WARNING : NOTE_INFO,
		"outside_steps", input, outside,
		"%.1f%% of GPU busy time is outside all steps and not counted per step",
		100 * (double)outside / (double)busy);
}

void notes_add_unrecorded(struct result *r, const struct run *run, int input, int64_t unrecorded)
{
	if (unrecorded > 0)
		note_time(r, "unrecorded", input, unrecorded,
			run->tally.count[PROBLEM_ZERO_TIME_KERNEL] > 0
				? "do not count: what the GPU worked on then was recorded without "
				  "times, or launched before the recording"
				: "before the first recorded work do not count: the GPU's queue "
				  "held work from before the recording");
}

void notes_add_window(struct result *r, const struct run *run, int input, const struct window *w)
{
	nsec unrecorded = 0;

	if (run->steps->on_device)
		result_note(r, NOTE_INFO, "device_steps", input, -1,
			"the CPU runs ahead of the GPU: a step lasts from its first GPU work "
			"to that of the next step");
	if (w->has_steps && !run->cut) /* what a cut has besides was left there for a reason */
		note_outside(r, input, w);
	for (size_t i = 0; i < w->ndevice; i++)
		saturate_onto(&unrecorded, w->device[i].wait[GAP_CAUSE_UNRECORDED]);
	notes_add_unrecorded(r, run, input, unrecorded);
	if (w->lead_in > 0 && (double)w->lead_in > LEAST_OUTSIDE * (double)w->ns)
		note_time(r, "lead_in", input, w->lead_in, "before the first launch do not count");
}

void notes_add_replay(struct result *r, const struct replay *p, int input)
{
	if (!p)
		return;
	if (p->by_name + p->by_place == 0) {
		/* None of the launches could be named. */
		if (p->launches == 0)
			result_note(r, NOTE_WARNING, "no_replays", input, -1,
				"no graph replays in the trace: no cudaGraphLaunch or hipGraphLaunch with "
				"kernels; --capture changes nothing");
		else
			result_note(r, NOTE_WARNING, "capture_unfit", input, p->kernels,
				"none of %" PRId64 " replayed kernels is named: the %" PRId64
				" captured graph%s other kernels; is the capture of this model on this "
				"kind of GPU?",
				p->kernels, p->graphs, plural(p->graphs, " launches", "s launch"));
		return;
	}
	/* "N of M replayed kernels ...": how many, how they are known, and what is missing. */
	int64_t named = p->by_name + p->by_place, rest = p->kernels - named;
	SCOPED_STR b = { 0 };
	str_addf(&b, "%" PRId64 " of %" PRId64 " replayed kernels are named by the capture", named,
		p->kernels);
	if (p->by_place > 0)
		str_addf(&b, ", %" PRId64 " of them by %s place in the graph alone", p->by_place,
			plural(p->by_place, "its", "their"));
	if (rest > 0)
		str_addf(&b, "; %" PRId64 " ha%s no counterpart", rest, plural(rest, "s", "ve"));
	if (p->nameless > 0)
		str_addf(&b, "; %" PRId64 " w%s captured outside of any call", p->nameless,
			plural(p->nameless, "as", "ere"));
	result_note(
		r, rest > 0 ? NOTE_WARNING : NOTE_INFO, "replays_named", input, named, "%s", b.s);
	if (p->alike > 0)
		result_note(r, NOTE_INFO, "replays_alike", input, p->alike,
			"%" PRId64 " of %" PRId64
			" graph launches fit several captured graphs; they are taken in the order "
			"of their capture",
			p->alike, p->launches);
}
