/* `stacks`: what a sampling profiler saw, in samples, time or bytes, as its file says. */

#include "analyze/answer/stacks/stacks.h"
#include "analyze/measure/host/sampled.h"
#include "analyze/analysis/row_limit.h"

/* What is looked at: a sheet's stacks of one unit. */
struct samples {
	const struct sheet *from;
	enum stack_unit unit;
};

static bool takes(const void *ctx, const void *item)
{
	const struct samples *s = ctx;
	double weight;

	return sampled_weight(s->from, ((const struct field_row *)item)->row, s->unit, &weight);
}

/* The heaviest first, then as in the file. */
static void place(const void *ctx UNUSED, const void *item, struct groupby_place *to)
{
	to->a[0] = (int64_t)((const struct field_row *)item)->row;
}

static void put(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	struct span rest = fields_text(&g->doc->col[SEEN_TEXT].from, item, &g->of), frame,
		    leaf = { "", 0 };
	int64_t depth = 0;

	while (sampled_frame(&rest, &frame)) {
		leaf = frame;
		depth++;
	}
	groupby_int(g, SEEN_VALUE, saturate_round(MIN(fields_number(g->by, item, &g->of).v, 9e18)));
	groupby_int(g, SEEN_DEPTH, depth);
	groupby_text(g, SEEN_LEAF, leaf);
}

static const struct grouping samples = {
	.name = SEEN_TEXT, .takes = takes, .place = place, .put = put
};

static enum status put_stacks(
	struct stacks *s, const struct sheet *from, enum stack_unit unit, size_t limit)
{
	static const enum stacks_table docs[] = { [STACK_IN_BYTES] = STACKS_SAMPLED_BYTES,
		[STACK_IN_SAMPLES] = STACKS_SAMPLED,
		[STACK_IN_NS] = STACKS_SAMPLED_TIME };
	static const struct column_from weight = {
		.how = FIELDS_VALUE, .a_type = FIELDS_OTHERS, .a = STACKS_WEIGHT
	};
	struct samples of = { from, unit };
	struct groupby g = { .how = &samples,
		.at = s->at,
		.doc = &stacks_docs[docs[unit]],
		.ctx = &of,
		.by = &weight,
		.limit = limit };

	groupby_table(&g);
	TRY(groupby_rows(&g, &from->table, STACKS_FRAMES, &weight));
	rows_cut(g.t, SEEN_TEXT, groupby_put_rows(&g));
	return OK;
}

static void say_source(const struct stacks *s, const struct sheet *from, enum stack_unit unit)
{
	const struct record_artifact *a = &s->at->record->artifact[from->artifact];

	result_note(s->at->out, NOTE_INFO, "stacks_source", s->at->input, -1,
		"frames are those of %s (%s), weights are %s", a->path, a->title,
		unit == STACK_IN_NS                      ? "time"
			: unit == STACK_IN_BYTES         ? "bytes"
			: strcmp(a->kind, "folded") == 0 ? "counts"
							 : "samples");
}

static enum status add_stacks(struct stacks *s, const struct sheet *from, enum stack_unit unit)
{
	for (size_t i = 0; i < from->table.nrow; i++) {
		struct span rest = table_text_at(&from->table, i, STACKS_FRAMES), frame;
		uint32_t node = 0;
		double weight;
		bool yes;

		if (!sampled_weight(from, i, unit, &weight))
			continue;
		TRY(filter_text(s->at->set, rest, &yes, s->at->e));
		while (yes && sampled_frame(&rest, &frame))
			node = calltree_child(&s->tree, node, strings_intern(&s->names, frame));
		int64_t whole = saturate_round(MIN(weight, 9e18));
		if (node)
			calltree_count(&s->tree, node, whole, whole);
	}
	return OK;
}

static enum status no_samples(const struct stacks *s)
{
	const struct run *run = s->at->run;

	(void)err_set(s->at->e, E_NODATA, -1, "%s has no sampled stacks", run->path);
	return s->at->record ? record_hint(s->at->record, run->has_trace, s->at->e) : E_NODATA;
}

enum status stacks_sampled(struct stacks *s, size_t limit, size_t functions)
{
	const struct record *r = s->at->record;
	bool is_any = false;
	size_t more = 0;

	if (s->is_device)
		return err_set(s->at->e, E_NODATA, -1, "sampled stacks have no GPU time");
	for (enum stack_unit unit = 0; unit < STACK_UNITS; unit++) {
		const struct sheet *from = sampled_sheet(r, NULL, unit), *next = from;

		if (!from)
			continue;
		is_any = true;
		TRY(put_stacks(s, from, unit, limit));
		TRY(sampled_put(s->at, from, unit, functions));
		say_source(s, from, unit);
		while ((next = sampled_sheet(r, next, unit)))
			more += next->artifact != from->artifact;
	}
	if (more)
		result_note(s->at->out, NOTE_INFO, "sampled_profiles", s->at->input, (int64_t)more,
			"%zu more sampled profile%s not shown", more, plural(more, " is", "s are"));
	return is_any ? OK : no_samples(s);
}

enum status stacks_sampled_frames(struct stacks *s, size_t limit)
{
	const struct sheet *from;

	if (s->is_device)
		return err_set(s->at->e, E_NODATA, -1, "sampled stacks have no GPU time");
	s->is_sampled = true;
	for (enum stack_unit unit = 0; unit < STACK_UNITS; unit++) {
		from = sampled_sheet(s->at->record, NULL, unit);
		if (!from)
			continue;
		TRY(add_stacks(s, from, unit));
		say_source(s, from, unit);
		return stacks_put_frames(s, unit, limit);
	}
	return no_samples(s);
}
