/*
 * Calls of a report: CUDA's runtime and driver, and the profiler's own work.
 *
 * Calls of the operating system's libraries (OSRT_API) are no events: each wait in a lock or a read
 * would be an op to every answer.  That they are there is said (nsys_facts.c).
 */
#include "analyze/input/format/sqlite/nsys.h"

enum { START, END, THREAD, NAME, CORRELATION };

static const struct nsys_column call_columns[] = { { "start", NULL }, { "end", NULL },
	{ "globalTid", NULL }, { "nameId", NULL }, { "correlationId", "correlation" } };

/* CUPTI's version behind a name, "_v7000"; "_v2" of the API's own is part of it. */
enum { VERSION_DIGITS = 4 };

static struct span without_version(struct span name)
{
	size_t digits = 0;

	while (digits < name.n && name.p[name.n - 1 - digits] >= '0' &&
		name.p[name.n - 1 - digits] <= '9')
		digits++;
	if (digits >= VERSION_DIGITS && name.n > digits + 2 && name.p[name.n - digits - 1] == 'v' &&
		name.p[name.n - digits - 2] == '_')
		name.n -= digits + 2;
	return name;
}

/* "cuLaunchKernel", not "cudaLaunchKernel" */
static bool is_driver(struct span name)
{
	return name.n > 2 && name.p[0] == 'c' && name.p[1] == 'u' && name.p[2] >= 'A' &&
		name.p[2] <= 'Z';
}

static bool put_call(struct nsys *n, const struct rows *r)
{
	struct span name;
	nsec start, dur;

	if (!nsys_times(r, &start, &dur))
		return false;
	name = without_version(nsys_text_of(n, r, NAME));
	emit_begin(&n->m, 'X',
		is_driver(name) ? EMIT_WORD("cuda_driver") : EMIT_WORD("cuda_runtime"), name);
	nsys_on_thread(n, rows_int(r, THREAD, 0));
	nsys_int_of(n, r, CORRELATION, n->key.correlation);
	nsys_end(n, start, dur);
	return true;
}

static bool put_overhead(struct nsys *n, const struct rows *r)
{
	nsec start, dur;

	if (!nsys_times(r, &start, &dur))
		return false;
	emit_begin(&n->m, 'X', EMIT_WORD("overhead"), nsys_text_of(n, r, NAME));
	nsys_on_thread(n, rows_int(r, THREAD, 0));
	nsys_end(n, start, dur);
	return true;
}

enum status nsys_read_calls(struct nsys *n, struct err *e)
{
	static const struct nsys_table tables[] = {
		NSYS_TABLE("CUPTI_ACTIVITY_KIND_RUNTIME", call_columns, put_call),
		NSYS_TABLE("CUPTI_ACTIVITY_KIND_DRIVER", call_columns, put_call),
		NSYS_TABLE("CUPTI_ACTIVITY_KIND_OVERHEAD", call_columns, put_overhead),
		NSYS_TABLE("PROFILER_OVERHEAD", call_columns, put_overhead),
	};
	size_t i;

	for (i = 0; i < COUNT_OF(tables); i++)
		TRY(nsys_read(n, &tables[i], e));
	return OK;
}
