/* `info`: what was recorded, events by category, lanes. */
#include "analyze/answer/info/info.h"
#include "analyze/analysis/ranked.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/producers.h"

enum { PEOPLE_LANES = 20, LANES_MAX = 4096, CATEGORIES_MAX = 4096 };

static const char *said(enum tristate s)
{
	return s == YES ? "yes" : s == NO ? "no" : "unknown";
}

/* seen < 0: not known. */
static void put_recorded(struct table *t, const char *what, const char *asked, int64_t seen)
{
	TABLE_ROW(t, [RECORDED_WHAT] = cell_word(what), [RECORDED_SAID] = cell_word(asked),
		[RECORDED_SEEN] = cell_count(seen));
}

/* Rows of an argument's side table that have it; -1 when it was not loaded. */
static int64_t count_texts(const struct run *r, enum arg arg)
{
	const sym *text = arg_set(arg) == SET_NONE ? r->args.col[arg].sym : NULL;
	size_t n = r->args.n[arg_infos[arg].table];
	int64_t count = 0;

	if (!args_keeps(&r->args, arg))
		return -1;
	for (size_t i = 0; text && i < n; i++)
		count += text[i] != 0;
	if (text || !args_any_text(&r->args, arg))
		return count;
	for (size_t i = 0; i < n; i++)
		count += args_sym(&r->args, arg, i) != 0;
	return count;
}

/* Events of these phases, of any category. */
static int64_t count_phases(const struct run *r, const char *phases)
{
	int64_t count = 0;

	for (EACH(const struct cat_count, c, r->cat, r->ncat))
		if (c->ph && strchr(phases, c->ph))
			count += c->count;
	return count;
}

static int64_t count_rows(const struct run *r, enum kind k)
{
	int64_t count = 0;

	for (EACH_OF_KIND(i, &r->events, (int)k))
		count++;
	return count;
}

/* Of the row that was put last: what its producer is to be told. */
static void put_how(struct table *t, const struct run *r, enum recording what)
{
	table_text(t, RECORDED_HOW, span_of(recording_word(r, what)));
}

void info_recorded_table(struct info *f)
{
	const struct run *r = f->at->run;
	const struct meta *m = &r->meta;
	const int64_t *kind = r->kind_count;
	struct table *t = perrun_table(f->at, &info_docs[INFO_RECORDED]);

	put_recorded(t, "operators", NULL, kind[KIND_OP]);
	put_recorded(t, "annotations", NULL, kind[KIND_ANNOTATION]);
	put_how(t, r, RECORDING_RANGES);
	put_recorded(t, "runtime calls", NULL, kind[KIND_RUNTIME]);
	put_how(t, r, RECORDING_RUNTIME);
	put_recorded(
		t, "GPU work", NULL, kind[KIND_KERNEL] + kind[KIND_MEMCPY] + kind[KIND_MEMSET]);
	put_how(t, r, RECORDING_WORK);
	put_recorded(t, "GPU synchronization", NULL, kind[KIND_SYNC]);
	put_recorded(t, "GPU annotations", NULL, kind[KIND_GPU_ANNOTATION]);
	put_recorded(t, "other slices", NULL, kind[KIND_OTHER]);
	put_recorded(t, "Python functions", said(m->with_stack), kind[KIND_PYTHON]);
	put_how(t, r, RECORDING_STACKS);
	put_recorded(t, "call stacks", said(m->with_stack), count_texts(r, ARG_OP_STACK));
	put_how(t, r, RECORDING_STACKS);
	put_recorded(t, "modules", said(m->with_modules), count_texts(r, ARG_OP_MODULES));
	put_recorded(t, "input shapes", said(m->record_shapes), count_texts(r, ARG_OP_DIMS));
	put_how(t, r, RECORDING_SHAPES);
	put_recorded(t, "FLOPs", said(m->with_flops), -1);
	put_recorded(t, "allocator events", said(m->profile_memory), count_rows(r, KIND_MEMORY));
	put_how(t, r, RECORDING_ALLOCATIONS);
	put_recorded(t, "flows", NULL, count_phases(r, "stf"));
	put_recorded(t, "counters", NULL, count_phases(r, "C"));
}

/* A row of the categories, for sorting. */
struct category {
	struct span cat;
	bool has_cat;
	char ph;
	int64_t count;
};

ORDER(by_count, struct category, compare3(b->count, a->count),
	compare3_down(a->has_cat, b->has_cat), span_cmp(a->cat, b->cat), compare3(a->ph, b->ph))

void info_category_table(struct info *f)
{
	const struct run *r = f->at->run;
	struct table *t = perrun_table(f->at, &info_docs[INFO_CATEGORIES]);
	struct category *v = arena_array(t->mem, r->ncat, sizeof(*v));
	size_t i;

	for (i = 0; i < r->ncat; i++)
		v[i] = (struct category){ strings_get(&r->strings, r->cat[i].cat),
			r->cat[i].has_cat, r->cat[i].ph, r->cat[i].count };
	sort_rows(v, r->ncat, sizeof(*v), by_count);
	for (i = 0; i < r->ncat && i < CATEGORIES_MAX; i++)
		TABLE_ROW(t, [CATEGORY_CAT] = CELL_IF(v[i].has_cat, cell_text(v[i].cat)),
			[CATEGORY_PH] = CELL_IF(v[i].ph, cell_text((struct span){ &v[i].ph, 1 })),
			[CATEGORY_COUNT] = cell_int(v[i].count),
			[CATEGORY_SHARE] = cell_ratio(v[i].count, r->nevent));
	rows_cut(t, CATEGORY_CAT, r->ncat - i);
}

void info_lane_table(struct info *f)
{
	const struct run *r = f->at->run;
	struct table *t = perrun_table(f->at, &info_docs[INFO_LANES]);
	size_t limit = rows_limit(f->at->q, f->o->limit, PEOPLE_LANES, SIZE_MAX),
	       most = MIN(limit, LANES_MAX), shown = r->lanes.n;
	struct ranked *v = arena_array(t->mem, r->lanes.n, sizeof(*v));

	for (size_t i = 0; i < r->lanes.n; i++)
		v[i].at = i;
	/* Rows of each lane.  Rows of one lane stand side by side, and a sum that was just written
	 * is slow to add to: rows take turns with SUMS of them. */
	enum { SUMS = 4 };
	const uint32_t *lane = r->events.lane;
	SCOPED_ARENA mem = { 0 };
	uint32_t *sum = arena_array(&mem, SUMS * r->lanes.n, sizeof(*sum));
	for (size_t i = 0; i < r->events.n; i++)
		sum[SUMS * (size_t)lane[i] + i % SUMS]++;
	for (size_t i = 0; i < SUMS * r->lanes.n; i++)
		v[i / SUMS].value += sum[i];
	ranked_sort(v, r->lanes.n);
	shown = MIN(shown, most);
	for (size_t i = 0; i < shown; i++) {
		const struct lane *l = &f->at->run->lanes.lane[v[i].at];
		TABLE_ROW(
			t, [LANE_KIND] = cell_text(l->is_device ? SPAN("stream") : SPAN("thread")),
			[LANE_PROCESS] = info_cell(f, l->process_name),
			[LANE_LABELS] = info_cell(f, l->process_labels),
			[LANE_NAME] = info_cell(f, l->thread_name),
			[LANE_PID] = cell_text(strings_get(&f->at->run->strings, l->pid)),
			[LANE_TID] = cell_text(strings_get(&f->at->run->strings, l->tid)),
			[LANE_DEVICE] = CELL_IF(l->is_device, cell_int(l->device)),
			[LANE_STREAM] = CELL_IF(l->is_device, cell_int(l->stream)),
			[LANE_EVENTS] = cell_int(v[i].value));
	}
	rows_cut(t, LANE_NAME, r->lanes.n - shown);
}
