/*
 * `stacks`: what a sampling profiler saw, in samples or in time, as its file says.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answer/stacks/stacks.h"
#include "analyze/measure/host/sampled.h"
#include "analyze/analysis/row_limit.h"
#include "base/compare3.h"
#include "base/minmax.h"
#include "base/plural.h"
#include "base/saturate.h"

struct sample {
	double weight;
	size_t row;
};

/* The heaviest first, then as in the file. */
static int by_weight(const void *pa, const void *pb)
{
	const struct sample *a = pa, *b = pb;

	return COMPARE_BY(compare3_down(a->weight, b->weight), compare3(a->row, b->row));
}

static struct sample *rank(
	const struct stacks *s, const struct sheet *from, bool is_time, size_t *n, double *all)
{
	struct sample *v = arena_array(&s->at->mem, from->table.nrow, sizeof(*v));
	size_t i;

	*all = 0;
	for (i = 0, *n = 0; i < from->table.nrow; i++) {
		if (!sampled_weight(from, i, is_time, &v[*n].weight))
			continue;
		*all += v[*n].weight;
		v[(*n)++].row = i;
	}
	if (*n)
		qsort(v, *n, sizeof(*v), by_weight);
	return v;
}

static void put_stack(struct table *t, struct span stack, double weight, double all)
{
	struct span rest = stack, frame, leaf = { "", 0 };
	int64_t depth = 0;

	while (sampled_frame(&rest, &frame)) {
		leaf = frame;
		depth++;
	}
	table_row(t);
	table_int(t, SEEN_VALUE, saturate_round(MIN(weight, 9e18)));
	table_real(t, SEEN_SHARE, weight / all);
	table_int(t, SEEN_DEPTH, depth);
	table_text(t, SEEN_LEAF, leaf);
	table_text(t, SEEN_TEXT, stack);
}

static enum status put_stacks(
	struct stacks *s, const struct sheet *from, bool is_time, size_t limit)
{
	struct table *t =
		perrun_table(s->at, &stacks_docs[is_time ? STACKS_SAMPLED_TIME : STACKS_SAMPLED]);
	size_t n, i, cut = 0;
	double all;
	struct sample *v = rank(s, from, is_time, &n, &all);

	for (i = 0; i < n; i++) {
		struct span stack = table_text_at(&from->table, v[i].row, STACKS_FRAMES);
		bool yes;

		TRY(filter_text(s->at->set, stack, &yes, s->at->e));
		if (!yes)
			continue;
		if (t->nrow < limit)
			put_stack(t, stack, v[i].weight, all);
		else
			cut++;
	}
	rows_cut(t, SEEN_TEXT, cut);
	return OK;
}

static void say_source(const struct stacks *s, const struct sheet *from, bool is_time)
{
	const struct record_artifact *a = &s->at->record->artifact[from->artifact];

	result_note(s->at->out, NOTE_INFO, "stacks_source", s->at->input, -1,
		"frames are those of %s (%s), weights are %s", a->path, a->title,
		is_time                                  ? "time"
			: strcmp(a->kind, "folded") == 0 ? "counts"
							 : "samples");
}

static enum status add_stacks(struct stacks *s, const struct sheet *from, bool is_time)
{
	size_t i;

	for (i = 0; i < from->table.nrow; i++) {
		struct span rest = table_text_at(&from->table, i, STACKS_FRAMES), frame;
		uint32_t node = 0;
		double weight;
		int64_t whole;
		bool yes;

		if (!sampled_weight(from, i, is_time, &weight))
			continue;
		TRY(filter_text(s->at->set, rest, &yes, s->at->e));
		while (yes && sampled_frame(&rest, &frame))
			node = calltree_child(&s->tree, node, strings_intern(&s->names, frame));
		whole = saturate_round(MIN(weight, 9e18));
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
	int unit;

	if (s->is_device)
		return err_set(s->at->e, E_NODATA, -1, "sampled stacks have no device time");
	for (unit = 0; unit < 2; unit++) {
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
	int unit;

	if (s->is_device)
		return err_set(s->at->e, E_NODATA, -1, "sampled stacks have no device time");
	s->is_sampled = true;
	for (unit = 0; unit < 2; unit++) {
		from = sampled_sheet(s->at->record, NULL, unit);
		if (!from)
			continue;
		TRY(add_stacks(s, from, unit));
		say_source(s, from, unit);
		return stacks_put_frames(s, !unit, limit);
	}
	return no_samples(s);
}
