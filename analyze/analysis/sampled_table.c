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
#define SAMPLED(in, unit, what, source)                                                            \
	{                                                                                          \
		COLUMN(SAMPLED_SELF, "self_" in, "self", REAL, unit, SHOWN,                        \
			what " of stacks that end in it.", source),                                \
			COLUMN(SAMPLED_SELF_SHARE, "self_ratio", "%", REAL, RATIO, SHOWN,          \
				"Of all stacks."),                                                 \
			COLUMN(SAMPLED_TOTAL, "total_" in, "with callees", REAL, unit, SHOWN,      \
				what " of stacks it is in, each once however often it is there."), \
			COLUMN(SAMPLED_TOTAL_SHARE, "total_ratio", "% of all", REAL, RATIO, SHOWN, \
				"Of all stacks."),                                                 \
			COLUMN(SAMPLED_NAME, "name", "function", TEXT, NONE, ELASTIC,              \
				"Function and file; lines of one function are one."),              \
	}

const struct column sampled_columns[STACK_UNITS][SAMPLED_COLUMNS] = {
	[STACK_IN_BYTES] = SAMPLED("bytes", BYTES, "Bytes", "memray transform"),
	[STACK_IN_SAMPLES] = SAMPLED("samples", COUNT, "Samples", "py-spy record"),
	[STACK_IN_NS] = SAMPLED("ns", NS, "Time", "speedscope's file format"),
};
#undef SAMPLED
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

enum status sampled_put(
	struct perrun *at, const struct sheet *s, enum stack_unit unit, size_t limit)
{
#define DOC(unit, title) \
	[unit] = { "sampled_functions", title, sampled_columns[unit], SAMPLED_COLUMNS }
	static const struct table_doc docs[STACK_UNITS] = {
		DOC(STACK_IN_BYTES, "sampled functions, in bytes"),
		DOC(STACK_IN_SAMPLES, "sampled functions, in samples"),
		DOC(STACK_IN_NS, "sampled functions, in time"),
	};
#undef DOC
	struct sampled found;
	size_t cut = 0;

	sampled_functions(s, unit, &at->mem, &found);
	if (found.n == 0)
		return OK;
	struct table *t = perrun_table(at, &docs[unit]);
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
