/*
 * Notes every analysis owes its reader: the tally of the reader, in words.
 */
#include "analyze/query/notes.h"

#include <inttypes.h>

#include "analyze/trace/record.h"
#include "analyze/trace/run.h"
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
