/* Functions of sampled stacks, as a table. */
#include "analyze/analysis/sampled_table.h"

#include "analyze/measure/host/sampled.h"
#include "analyze/analysis/row_limit.h"

#define COLUMN(index, key_, title_, type_, unit_, flag_, ...) \
	[index] = { .key = key_,                              \
		.title = title_,                              \
		.type = CELL_##type_,                         \
		.unit = UNIT_##unit_,                         \
		.flags = COLUMN_##flag_,                      \
		.doc = __VA_ARGS__ }

const struct column sampled_by_count[SAMPLED_COLUMNS] = {
	COLUMN(SAMPLED_SELF, "self_samples", "self", REAL, COUNT, SHOWN,
		"Samples in which it was the last frame: it ran itself.", "py-spy record"),
	COLUMN(SAMPLED_SELF_SHARE, "self_ratio", "%", REAL, RATIO, SHOWN, "Of all samples."),
	COLUMN(SAMPLED_TOTAL, "total_samples", "with callees", REAL, COUNT, SHOWN,
		"Samples in which it was on the stack, each counted once however often it was there."),
	COLUMN(SAMPLED_TOTAL_SHARE, "total_ratio", "% of all", REAL, RATIO, SHOWN,
		"Of all samples."),
	COLUMN(SAMPLED_NAME, "name", "function", TEXT, NONE, ELASTIC,
		"Function and file; lines of one function are one."),
};

const struct column sampled_by_time[SAMPLED_COLUMNS] = {
	COLUMN(SAMPLED_SELF, "self_ns", "self", REAL, NS, SHOWN,
		"Time in which it was the last frame: it ran itself.", "speedscope's file format"),
	COLUMN(SAMPLED_SELF_SHARE, "self_ratio", "%", REAL, RATIO, SHOWN,
		"Of the time of all stacks."),
	COLUMN(SAMPLED_TOTAL, "total_ns", "with callees", REAL, NS, SHOWN,
		"Time in which it was on the stack, each stack counted once however often it was "
		"there."),
	COLUMN(SAMPLED_TOTAL_SHARE, "total_ratio", "% of all", REAL, RATIO, SHOWN,
		"Of the time of all stacks."),
	COLUMN(SAMPLED_NAME, "name", "function", TEXT, NONE, ELASTIC,
		"Function and file; lines of one function are one."),
};
#undef COLUMN

static void put_row(struct table *t, const struct sampled_function *f, double all)
{
	table_row(t);
	table_real(t, SAMPLED_SELF, f->self);
	table_real(t, SAMPLED_SELF_SHARE, f->self / all);
	table_real(t, SAMPLED_TOTAL, f->total);
	table_real(t, SAMPLED_TOTAL_SHARE, f->total / all);
	table_text(t, SAMPLED_NAME,
		(struct span){ arena_copy(t->mem, f->name.p, f->name.n), f->name.n });
}

enum status sampled_put(struct perrun *at, const struct sheet *s, bool is_time, size_t limit)
{
	static const struct table_doc docs[] = { { "sampled_functions",
							 "sampled functions, in samples",
							 sampled_by_count, SAMPLED_COLUMNS },
		{ "sampled_functions", "sampled functions, in time", sampled_by_time,
			SAMPLED_COLUMNS } };
	struct sampled found;
	size_t cut = 0;

	sampled_functions(s, is_time, &at->mem, &found);
	if (found.n == 0)
		return OK;
	struct table *t = perrun_table(at, &docs[is_time]);
	for (EACH(const struct sampled_function, function, found.v, found.n)) {
		bool yes;

		TRY(filter_text(at->set, function->name, &yes, at->e));
		if (!yes)
			continue;
		if (t->nrow < limit)
			put_row(t, function, found.all);
		else
			cut++;
	}
	rows_cut(t, SAMPLED_NAME, cut);
	return OK;
}
