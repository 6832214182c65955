/* What the values of schema.def are said with: cells of events, of launches, of arguments.  Private
 * to analyze/columns. */
#pragma once

#include "analyze/columns/trace_columns.h"
#include "analyze/costmodel/roof.h"
#include "analyze/measure/device/copyclass.h"
#include "analyze/trace/columns/series.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run_steps.h"

/* The row in the run of row i of a table of events of some kinds; of all events there is no list.
 */
static inline uint32_t columns_row(const struct columns *c, enum schema_table_id t, size_t i)
{
	return c->rows[t].v ? c->rows[t].v[i] : (uint32_t)i;
}

#define in(T)              columns_row(c, SCHEMA_##T, i)
#define ev(field, row)     (c->run->events.field[row])
#define step(n)            (&c->run->steps->step[n])
#define arg_i64(arg, row)  columns_arg_i64(c, ARG_##arg, row)
#define arg_real(arg, row) columns_arg_real(c, ARG_##arg, row)
#define vec(arg, row, k)   columns_arg_vec(c, ARG_##arg, row, k)
#define call(c, row)       commclass_call((c)->run, row)

static inline int64_t since(const struct columns *c, nsec at)
{
	return saturate_sub(at, c->run->first_ns);
}

static inline int64_t known(int64_t v)
{
	return v < 0 ? SCHEMA_NO_INT : v;
}

static inline int64_t known_row(uint32_t row)
{
	return row == NO_ROW ? SCHEMA_NO_INT : row;
}

static inline uint32_t known_name(sym name)
{
	return name ? name : SCHEMA_NO_TEXT;
}

static inline const struct lane *lane_of(const struct columns *c, uint32_t row)
{
	return &c->run->lanes.lane[ev(lane, row)];
}

/* Of a row that may be none. */
static inline uint32_t name_of(const struct columns *c, uint32_t row)
{
	return row == NO_ROW ? SCHEMA_NO_TEXT : ev(name, row);
}

static inline int64_t start_of(const struct columns *c, uint32_t row)
{
	return row == NO_ROW ? SCHEMA_NO_INT : ev(start, row);
}

static inline int64_t dur_of(const struct columns *c, uint32_t row)
{
	return row == NO_ROW ? SCHEMA_NO_INT : ev(dur, row);
}

static inline int64_t delay(const struct columns *c, uint32_t row, uint32_t launch)
{
	return launch == NO_ROW ? SCHEMA_NO_INT
				: saturate_sub(ev(start, row), events_end(&c->run->events, launch));
}

static inline uint32_t step_mark(const struct columns *c, size_t i)
{
	uint32_t row;

	return step_event(step(i), &row) ? ev(name, row) : SCHEMA_NO_TEXT;
}

static inline int64_t step_around(const struct columns *c, nsec at)
{
	int64_t number;

	return steps_number_around(c->run->steps, at, &number) ? number : SCHEMA_NO_INT;
}

static inline bool is_copy(const struct columns *c, uint32_t row)
{
	return ev(kind, row) == KIND_MEMCPY;
}

int64_t step_at(const struct columns *c, uint32_t row);
int64_t correlation(const struct columns *c, uint32_t row);
int64_t external_id(const struct columns *c, uint32_t row);
double op_flops(const struct columns *c, uint32_t row);
uint32_t copy_details(const struct columns *c, uint32_t row);
int64_t columns_arg_i64(const struct columns *c, enum arg arg, uint32_t row);
double columns_arg_real(const struct columns *c, enum arg arg, uint32_t row);
int64_t columns_arg_vec(const struct columns *c, enum arg arg, uint32_t row, int k);
struct copy_class copy_class(const struct columns *c, uint32_t row);
int64_t memory_device(const struct columns *c, uint32_t row);
uint32_t found_text(const struct columns *c, size_t row, const char *key);
bool is_counted(const struct columns *c, size_t step);
