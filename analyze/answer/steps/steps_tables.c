/* `steps`: a row for each step and device, with the ledger of its time; the eight roles. */
#include "analyze/answer/steps/steps.h"

#include "analyze/analysis/row_limit.h"
#include "analyze/measure/host/optree.h"
#include "analyze/trace/run_steps.h"

/* Steps x devices: beyond this the table is cut whatever the options. */
enum { PEOPLE_ROWS = 20, ROWS_MAX = 250000 };

static size_t row_limit(const struct steps_view *v)
{
	size_t limit = rows_limit(v->p->q, v->o->limit, PEOPLE_ROWS, SIZE_MAX);

	return MIN(limit, ROWS_MAX);
}

/* The step's number; absent for the whole trace. */
static struct row_cell number_cell(const struct steps_view *v, size_t i)
{
	return CELL_IF(v->stat.has_steps, cell_int(v->p->run->steps->step[v->stat.step[i]].number));
}

/* ---- a row for each step and device, with the ledger of its time ---- */

/* Ratios have a median as integers of this part. */
static const double RATIO_PART = 1e-9;

/* Columns of the ledger are fields of struct account, of nothing else. */
static const struct fields_of none = { 0 };

/* Where the i-th step taken goes; its idle time without what is unrecorded. */
static struct account account_of(const struct steps_view *v, size_t d, size_t i)
{
	struct account a = account_of_step(&v->ledgers, &v->waiting, d, v->stat.step[i]);

	a.ledger.idle -= a.wait[GAP_CAUSE_UNRECORDED];
	return a;
}

static nsec host_dur(const struct steps_view *v, size_t i)
{
	const struct step *step = &v->p->run->steps->step[v->stat.step[i]];

	return saturate_sub(step->host_end, step->host_start);
}

/* d: the device; SIZE_MAX: there is none. */
static void put_row(struct steps_view *v, struct table *t, size_t i, size_t d)
{
	const struct ledgers *all = &v->ledgers;

	TABLE_ROW(t, [STEPS_STEP] = number_cell(v, i),
		[STEPS_WALL] = cell_int(stepstat_dur(&v->stat, v->p->run, i)),
		[STEPS_HOST] = cell_int(host_dur(v, i)),
		[STEPS_DEVICE] = CELL_IF(d != SIZE_MAX, cell_int(all->device[d].id)));
	const struct stepstat *s = &v->stat;
	const struct run *r = v->p->run;
	const struct step *step = &r->steps->step[s->step[i]];
	bool is_whole = r->steps->source == STEPS_WHOLE;
	TABLE_CELLS(t,
		[STEPS_MARK] = is_whole
			? cell_word("the whole trace")
			: CELL_IF(s->mark[i], cell_word(stepstat_words(s->mark[i]))),
		[STEPS_NAME] =
			CELL_IF(!is_whole && step_thread(r, step), cell_text(step_name(r, step))),
		[STEPS_START] = cell_int(step->start), [STEPS_END] = cell_int(step->end),
		[STEPS_COUNTED] = cell_bool(!v->window.counts || v->window.counts[s->step[i]]),
		[STEPS_OUTLIER] = cell_bool((s->mark[i] & (STEP_SLOW | STEP_FAST)) != 0),
		[STEPS_SLOW_FIRST] = cell_bool((s->mark[i] & STEP_SLOW_FIRST) != 0),
		[STEPS_INCOMPLETE] = cell_bool((s->mark[i] & STEP_INCOMPLETE) != 0));
	if (d == SIZE_MAX || !all->device[d].range)
		return;
	struct account a = account_of(v, d, i);
	for (size_t k = 0; k < t->ncol; k++)
		fields_put_one(t, k, &a, &none);
	TABLE_CELLS(t, [STEPS_EVENTS] = cell_int(v->events[d][v->stat.step[i]]),
		[STEPS_BUSY_RATIO] = cell_real(account_busy(&a)),
		[STEPS_UTILIZATION] = cell_ratio(a.ledger.kernels, a.ns));
}

static void put_median(
	const struct steps_view *v, struct table *t, size_t col, const int64_t *value, double part)
{
	double median = stepstat_median(&v->stat, value, &v->p->mem);

	if (t->col[col].type == CELL_INT)
		table_int(t, col, saturate_round(median));
	else
		table_real(t, col, median * part);
}

/* The medians of one device's columns, each by itself. */
static void put_medians(struct steps_view *v, struct table *t, size_t d)
{
	const struct stepstat *s = &v->stat;
	struct arena_mark mark = arena_mark(&v->p->mem);
	struct account *a = arena_array(&v->p->mem, s->n, sizeof(*a));
	int64_t *value = arena_array(&v->p->mem, s->n, sizeof(*value));

	for (size_t i = 0; i < s->n; i++)
		a[i] = account_of(v, d, i);
	for (size_t k = 0; k < t->ncol; k++) {
		for (size_t i = 0; i < s->n; i++)
			value[i] = fields_number(&t->col[k].from, &a[i], &none).whole;
		if (t->col[k].from.how != FIELDS_BY_HAND)
			put_median(v, t, k, value, 1);
	}
	for (size_t i = 0; i < s->n; i++)
		value[i] = a[i].ns > 0 ? saturate_round(account_busy(&a[i]) / RATIO_PART) : 0;
	put_median(v, t, STEPS_BUSY_RATIO, value, RATIO_PART);
	for (size_t i = 0; i < s->n; i++)
		value[i] = a[i].ns > 0
			? saturate_round(ratio_of((double)a[i].ledger.kernels, (double)a[i].ns) /
				  RATIO_PART)
			: 0;
	put_median(v, t, STEPS_UTILIZATION, value, RATIO_PART);
	for (size_t i = 0; i < s->n; i++)
		value[i] = v->events[d][s->step[i]];
	put_median(v, t, STEPS_EVENTS, value, 1);
	arena_reset(&v->p->mem, mark);
}

/* A row of medians for each device; d as in put_row. */
static void put_foot(struct steps_view *v, struct table *t, size_t d)
{
	const struct stepstat *s = &v->stat;

	if (s->n < 2)
		return;
	TABLE_ROW(t,
		[STEPS_MARK] = s->count < s->n
			? cell_textf(t, "median of %zu of %zu", s->count, s->n)
			: cell_textf(t, "median of %zu", s->count),
		[STEPS_WALL] = cell_int(saturate_round(s->median)));
	if (d != SIZE_MAX) {
		table_int(t, STEPS_DEVICE, v->ledgers.device[d].id);
		if (v->ledgers.device[d].range)
			put_medians(v, t, d);
	}
	t->nfoot++;
}

static bool has_unrecorded(const struct steps_view *v)
{
	return ANY(i, v->window.ndevice, v->window.device[i].wait[GAP_CAUSE_UNRECORDED] > 0);
}

/* What people see: device ids only where there are several. */
static uint64_t visible(const struct steps_view *v)
{
	uint64_t set = COLUMN_SET(STEPS_STEP, STEPS_WALL, STEPS_MARK);

	if (v->ledgers.ndevice > 0)
		set |= COLUMN_SET(STEPS_COMPUTE, STEPS_COMM, STEPS_MEMCPY, STEPS_IDLE,
			STEPS_BUSY_RATIO, STEPS_UTILIZATION, STEPS_EVENTS);
	if (v->ledgers.ndevice > 1)
		set |= COLUMN_SET(STEPS_DEVICE);
	if (has_unrecorded(v))
		set |= COLUMN_SET(STEPS_UNRECORDED);
	return set;
}

void steps_ledger_table(struct steps_view *v)
{
	struct table *t = perrun_table_seen(v->p, &steps_docs[STEPS_LEDGER], visible(v));
	size_t each = v->ledgers.ndevice > 0 ? v->ledgers.ndevice : 1, limit = row_limit(v);
	size_t n = v->stat.n * each, shown = MIN(n, limit);

	for (size_t i = 0; i < shown; i++)
		put_row(v, t, i / each, v->ledgers.ndevice > 0 ? i % each : SIZE_MAX);
	rows_cut(t, STEPS_MARK, n - shown);
	for (size_t i = 0; i < each; i++)
		put_foot(v, t, v->ledgers.ndevice > 0 ? i : SIZE_MAX);
	if (v->ledgers.ndevice > 0)
		t->footnote = has_unrecorded(v)
			? "wall = compute + exposed communication + exposed copies + idle + "
			  "unrecorded, exactly; each median stands for itself"
			: "wall = compute + exposed communication + exposed copies + idle, "
			  "exactly; each median stands for itself";
}

/* ---- kinds ---- */

static void put_kind(struct steps_view *v, struct table *t, const struct step_kind *k)
{
	const struct run *r = v->p->run;

	if (k->before > 0)
		TABLE_ROW(
			t, [KINDS_WHAT] = cell_word("before"), [KINDS_STEPS] = cell_size(k->before),
			[KINDS_MEAN] = cell_real(k->mean - k->more));
	TABLE_ROW(t, [KINDS_WHAT] = cell_word(k->what),
		[KINDS_WHEN] = cell_word(step_kind_when(k, r, &v->stat, t->mem)),
		[KINDS_STEPS] = cell_size(k->n), [KINDS_MEAN] = cell_real(k->mean),
		[KINDS_MORE] = cell_real(k->more), [KINDS_SHARE] = cell_real(k->share),
		[KINDS_FIRST] = cell_int(
			r->steps->step[v->stat.step[k->when == WHEN_RAMP ? v->stat.ramp.from
									 : k->at[0]]]
				.number),
		[KINDS_LAST] = CELL_IF(k->when == WHEN_RAMP,
			cell_int(r->steps->step[v->stat.step[v->stat.ramp.to]].number)),
		[KINDS_CHANGE] = CELL_IF(k->when == WHEN_RAMP, cell_real(k->slope)),
		[KINDS_PERIOD] = CELL_IF(k->when == WHEN_EVERY, cell_size(k->at[1] - k->at[0])),
		[KINDS_NAME] = CELL_IF(k->name, cell_text(strings_get(&r->strings, k->name))));
}

void steps_kind_table(struct steps_view *v)
{
	if (!v->stat.has_steps || (v->window.kinds.n == 0 && v->p->q->for_people))
		return;
	struct table *t = perrun_table(v->p, &steps_docs[STEPS_KINDS]);
	TABLE_ROW(t, [KINDS_WHAT] = cell_word("usual"),
		[KINDS_STEPS] = cell_size(v->window.kinds.usual),
		[KINDS_MEAN] = CELL_IF(v->window.kinds.usual > 0, cell_real(v->window.kinds.mean)));
	for (size_t i = 0; i < v->window.kinds.n; i++)
		put_kind(v, t, &v->window.kinds.v[i]);
}

/* ---- the eight roles, on average and step by step ---- */

static nsec time_of(const struct steps_view *v, size_t i, enum role k)
{
	return (nsec)v->roles.step[v->stat.step[i]].ns[k];
}

/* Roles of devices are unknown without device work, those of the host where nothing recorded it. */
static bool is_known(const struct steps_view *v, enum role k)
{
	const int64_t *count = v->p->run->kind_count;
	unsigned kinds = optree_kinds(v->p->run);
	bool has_device = v->ledgers.ndevice > 0;

	switch (k) {
	case ROLE_KERNEL:
	case ROLE_MEMCPY:
	case ROLE_MEMSET: return has_device;
	case ROLE_COMM: return has_device || (nsec)v->roles.window.ns[k] > 0;
	case ROLE_RUNTIME: return count[KIND_RUNTIME] > 0;
	case ROLE_DATA:
	case ROLE_CPU:
		return count[KIND_OP] > 0 || count[KIND_ANNOTATION] > 0 ||
			(kinds & KIND_BIT(KIND_OTHER) && count[KIND_OTHER] > 0);
	default: return true;
	}
}

static void put_means(struct steps_view *v)
{
	struct table *t = perrun_table(v->p, &steps_docs[STEPS_ROLE_MEANS]);
	const struct stepstat *s = &v->stat;
	int64_t *value = arena_array(&v->p->mem, s->n, sizeof(*value));

	for (int role = 0; role < ROLE_COUNT; role++) {
		nsec sum = 0;

		TABLE_ROW(t, [MEANS_ROLE] = cell_word(role_word((enum role)role)));
		if (!is_known(v, (enum role)role))
			continue;
		for (size_t i = 0; i < s->n; i++) {
			value[i] = time_of(v, i, (enum role)role);
			saturate_onto(&sum, value[i]);
		}
		TABLE_CELLS(
			t, [MEANS_MEAN] = cell_real(s->n > 0 ? (double)sum / (double)s->n : NAN),
			[MEANS_SHARE] = cell_real(s->sum > 0 ? (double)sum / (double)s->sum : NAN),
			[MEANS_SUM] = cell_int(sum),
			[MEANS_MEDIAN] = cell_real(stepstat_median(s, value, &v->p->mem)));
	}
	TABLE_ROW(t, [MEANS_ROLE] = cell_word("step"),
		[MEANS_MEAN] = cell_real(s->n > 0 ? (double)s->sum / (double)s->n : NAN),
		[MEANS_SHARE] = cell_real(s->sum > 0 ? 1.0 : NAN), [MEANS_SUM] = cell_int(s->sum),
		[MEANS_MEDIAN] = cell_real(s->median));
	t->nfoot++;
}

void steps_role_tables(struct steps_view *v)
{
	put_means(v);
	if (v->o->roles || !v->p->q->for_people) {
		struct table *t = perrun_table(v->p, &steps_docs[STEPS_ROLES]);
		size_t limit = row_limit(v), n = MIN(v->stat.n, limit);
		for (size_t i = 0; i < n; i++) {
			TABLE_ROW(t, [ROLES_STEP] = number_cell(v, i),
				[ROLES_WALL] = cell_int(stepstat_dur(&v->stat, v->p->run, i)),
				[ROLES_MARK] = CELL_IF(v->stat.mark[i],
					cell_word(stepstat_words(v->stat.mark[i]))));
			for (int role = 0; role < ROLE_COUNT; role++)
				if (is_known(v, (enum role)role))
					table_int(t, (size_t)ROLES_FIRST + (size_t)role,
						time_of(v, i, (enum role)role));
		}
		rows_cut(t, ROLES_MARK, v->stat.n - n);
	}
}
