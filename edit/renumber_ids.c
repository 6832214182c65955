/* Ids become id * processes + number of the process. */
#include "edit/renumber_ids.h"

#include "analyze/trace/run.h"

struct apart {
	struct run *run;
	uint32_t *process; /* by lane */
	uint64_t n;        /* processes */
};

/* Processes by number, in the order of their lanes. */
static void number(struct apart *a)
{
	const struct lanes *l = &a->run->lanes;
	uint32_t *of = zeroed(a->run->strings.n, sizeof(*of)); /* by pid: 1 + its number */

	a->process = zeroed(l->n, sizeof(*a->process));
	for (size_t i = 0; i < l->n; i++) {
		uint32_t *p = &of[l->lane[i].pid];

		*p = *p ? *p : (uint32_t)++a->n;
		a->process[i] = *p - 1;
	}
	free(of);
}

static uint32_t *id_of(const struct run *r, enum arg arg, size_t row)
{
	uint32_t *ids = r->args.col[arg].id;
	enum args_table table = args_table_of((enum kind)r->events.kind[row]);

	if (!ids || r->events.args[row] == NO_ARGS || arg_infos[arg].table != table)
		return NULL;
	return &ids[r->events.args[row] - 1];
}

static int64_t *wait_of(const struct run *r, size_t row)
{
	int64_t *v = r->args.col[ARG_DEVICE_WAIT_CORRELATION].i64;

	if (!v || r->events.args[row] == NO_ARGS ||
		args_table_of((enum kind)r->events.kind[row]) != ARGS_DEVICE)
		return NULL;
	return &v[r->events.args[row] - 1];
}

static bool fits(const struct apart *a, uint64_t id)
{
	return id < ID_WIDE && (id + 1) * a->n < ID_WIDE;
}

static const enum arg columns[] = { ARG_LAUNCH_CORRELATION, ARG_DEVICE_CORRELATION };

static bool all_fit(const struct apart *a)
{
	const struct run *r = a->run;

	for (size_t row = 0; row < r->events.n; row++)
		for (size_t c = 0; c < COUNT_OF(columns); c++) {
			const uint32_t *id = id_of(r, columns[c], row);

			if (id && !fits(a, *id))
				return false;
		}
	return true;
}

void renumber_ids(struct run *r)
{
	struct apart a = { .run = r };

	if (!r->streams_of_processes)
		return;
	number(&a);
	for (size_t row = all_fit(&a) ? 0 : r->events.n; row < r->events.n; row++) {
		uint32_t process = a.process[a.run->events.lane[row]];
		int64_t *wait = wait_of(a.run, row);
		for (size_t c = 0; c < COUNT_OF(columns); c++) {
			uint32_t *id = id_of(a.run, columns[c], row);

			if (id && *id)
				*id = (uint32_t)(*id * a.n + process);
		}
		if (wait && *wait > 0 && fits(&a, (uint64_t)*wait))
			*wait = *wait * (int64_t)a.n + process;
	}
	free(a.process);
}
