/* What `top` says about the whole run: the header line, its sums, and a row for each device. */
#include "analyze/trace/run_steps.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/measure/stepstat.h"
#include "analyze/analysis/shared.h"
#include "analyze/answer/top/top.h"
#include "base/unit.h"

static const struct column figures_columns[1] = {
	{ "figures", "figures", "The median step, and GPU busy, for people.", NULL, CELL_TEXT,
		UNIT_NONE, .flags = 0 },
};

enum { GPU_MODELS_MAX = 8 }; /* named in the headline */

/* One device's figures. */
struct device {
	int64_t id, activities, streams;
	nsec sum, kernel, memcpy, memset;
	nsec first, last;
	struct sweep_union busy;
};

ORDER(by_id, struct device, compare3(a->id, b->id))

/* The devices that have rows, by id. */
static size_t list_devices(struct top *t, struct device **out)
{
	const struct run *r = t->at->run;
	struct device *d = arena_array(&t->at->mem, r->lanes.n, sizeof(*d));
	size_t n = 0, m = 0;

	for (size_t i = 0; i < r->lanes.n; i++)
		if (r->lanes.lane[i].is_device &&
			r->order->device_begin[i] < r->order->device_begin[i + 1])
			d[n++] = (struct device){ .id = r->lanes.lane[i].device };
	sort_rows(d, n, sizeof(*d), by_id);
	for (EACH(const struct device, one, d, n))
		if (m == 0 || d[m - 1].id != one->id)
			d[m++] = (struct device){ .id = one->id,
				.first = INT64_MAX,
				.last = INT64_MIN,
				.busy = SWEEP_UNION };
	*out = d;
	return m;
}

/* seen: by lane. */
static void measure(struct top *t, struct device *d, bool *seen)
{
	struct sweep s;
	uint32_t row;

	sweep_device(&s, t->at->run, d->id, &t->at->mem);
	while (sweep_next(&s, &row)) {
		uint32_t lane = t->at->run->events.lane[row];

		if (!filter_device(&t->at->view, row))
			continue;
		d->streams += !seen[lane];
		seen[lane] = true;
		nsec dur = t->at->run->events.dur[row], end = events_end(&t->at->run->events, row);
		nsec *of = t->at->run->events.kind[row] == KIND_KERNEL ? &d->kernel
			: t->at->run->events.kind[row] == KIND_MEMCPY  ? &d->memcpy
								       : &d->memset;
		saturate_onto(of, dur);
		saturate_onto(&d->sum, dur);
		d->activities++;
		d->first = MIN(t->at->run->events.start[row], d->first);
		d->last = MAX(end, d->last);
		sweep_cover(&d->busy, t->at->run->events.start[row], end);
	}
}

static void put_devices(struct top *t, const struct device *d, size_t n)
{
	size_t i;

	if (t->at->q->for_people && n < 2)
		return;
	struct table *out = perrun_table(t->at, &top_docs[TOP_DEVICES]);
	out->title = "devices";
	for (i = 0; i < n && i < DEVICES_MAX; i++) {
		nsec span = saturate_sub(d[i].last, d[i].first);

		if (d[i].activities == 0)
			continue;
		TABLE_ROW(
			out, [DEVS_ID] = cell_int(d[i].id), [DEVS_BUSY] = cell_int(d[i].busy.busy),
			[DEVS_BUSY_RATIO] = cell_ratio(d[i].busy.busy, span),
			[DEVS_IDLE] = cell_int(span - d[i].busy.busy), [DEVS_SPAN] = cell_int(span),
			[DEVS_SUM] = cell_int(d[i].sum), [DEVS_KERNEL] = cell_int(d[i].kernel),
			[DEVS_MEMCPY] = cell_int(d[i].memcpy),
			[DEVS_MEMSET] = cell_int(d[i].memset),
			[DEVS_ACTIVITIES] = cell_int(d[i].activities),
			[DEVS_STREAMS] = cell_int(d[i].streams));
	}
	devices_say(t->at->out, t->at->input, n, i);
}

/* Devices of the i-th one's model: how many are listed, how many of them have work.  ROCm numbers
 * devices with work in another way than those listed, so of one model their number counts. */
static void put_model(
	struct str *b, const struct meta *m, size_t i, const struct devices *with_work)
{
	size_t listed = 0, used = 0, first = i;
	sym name = m->gpu[i].name;

	for (; i < m->ngpu; i++) {
		if (m->gpu[i].name != name)
			continue;
		listed++;
		used += devices_find(with_work, m->gpu[i].id) != SIZE_MAX;
	}
	if (first == 0 && listed == m->ngpu)
		used = MIN(with_work->n, listed);
	if (used == listed)
		str_addf(b, " x%zu", listed);
	else if (used == 0)
		str_addf(b, ", %zu listed", listed);
	else
		str_addf(b, ", %zu of %zu used", used, listed);
}

/* "NVIDIA H100 80GB HBM3 x8", or ", 1 of 8 used", ", 8 listed"; several models have semicolons
 * between. */
static struct row_cell gpu_cell(struct top *t, const struct table *out)
{
	const struct meta *m = &t->at->run->meta;
	struct devices with_work;
	struct str b = { 0 };
	size_t i, models = 0;

	devices_init(&with_work, t->at->run, &t->at->mem);
	for (i = 0; i < m->ngpu && models < GPU_MODELS_MAX; i++) {
		struct span name = strings_get(&t->at->run->strings, m->gpu[i].name);

		if (name.n == 0 || ANY(j, i, m->gpu[j].name == m->gpu[i].name))
			continue;
		str_adds(&b, b.n ? "; " : "");
		str_add(&b, name.p, name.n);
		put_model(&b, m, i, &with_work);
		models++;
	}
	if (i < m->ngpu)
		str_adds(&b, "; ...");
	return cell_str(out, &b);
}

static struct row_cell software_cell(struct top *t, const struct table *out)
{
	const struct meta *m = &t->at->run->meta;
	struct span torch = strings_get(&t->at->run->strings, m->torch);
	struct span cuda = strings_get(&t->at->run->strings, m->cuda_runtime);
	int64_t n = cuda.n ? lane_number(cuda) : LANE_NO_NUMBER;
	struct str b = { 0 };

	if (torch.n)
		str_addf(&b, "torch %.*s", (int)torch.n, torch.p);
	if (n >= 1000) /* CUDART_VERSION is 1000 major + 10 minor */
		str_addf(&b, "%sCUDA %" PRId64 ".%" PRId64, b.n ? ", " : "", n / 1000,
			n % 1000 / 10);
	return cell_str(out, &b);
}

/* Steps that are looked at: how many, which, and the median of their durations. */
static void put_steps(struct top *t, struct table *out)
{
	const struct steps *s = t->at->run->steps;
	size_t n = top_steps(t);
	struct stepstat stat;

	if (n == 0)
		return;
	stepstat_init(&stat, t->at->run, &t->at->view, &t->at->mem);
	TABLE_CELLS(out,
		[TOTALS_STEPS_TEXT] = cell_textf(out,
			n == 1 ? "%zu step (#%" PRId64 ")"
			       : "%zu steps (#%" PRId64 "-#%" PRId64 ")",
			n, s->step[stat.step[0]].number, s->step[stat.step[stat.n - 1]].number),
		[TOTALS_STEPS] = cell_size(n), [TOTALS_STEP_MEDIAN] = cell_real(stat.median));
}

/* A line for people: what a step takes, and how busy the devices are. */
static void put_figures(struct top *t, const struct table *totals)
{
	const union cell *median = table_cell(totals, 0, TOTALS_STEP_MEDIAN);
	const union cell *busy = table_cell(totals, 0, TOTALS_BUSY_RATIO);
	static const struct table_doc doc = { "figures", NULL, figures_columns, 1 };
	struct str b = { 0 };

	if (median) {
		str_adds(&b, "median step ");
		unit_put_time(&b, median->r);
	}
	if (busy) {
		str_adds(&b, b.n ? "  GPU busy " : "GPU busy ");
		unit_put_percent(&b, busy->r);
	}
	if (b.n == 0)
		return;
	struct table *out = perrun_table(t->at, &doc);
	out->layout = TABLE_LINE;
	TABLE_ROW(out, cell_str(out, &b));
}

static void put_device_sums(struct top *t, struct table *out, const struct device *d, size_t n)
{
	const struct top_totals *all = &t->totals;
	nsec busy = 0, span = 0;

	if (!t->has_device)
		return;
	for (EACH(const struct device, device, d, n)) {
		if (device->activities == 0)
			continue;
		saturate_onto(&busy, device->busy.busy);
		saturate_onto(&span, saturate_sub(device->last, device->first));
	}
	TABLE_CELLS(out, [TOTALS_DEVICE_SUM] = cell_int(all->device),
		[TOTALS_BUSY_RATIO] = cell_real(
			shared_busy(t->at->shared, t->at->run, &t->at->view, &t->at->mem)),
		[TOTALS_DEVICE_BUSY] = cell_int(busy), [TOTALS_DEVICE_SPAN] = cell_int(span),
		[TOTALS_KERNEL] = cell_int(all->kernel), [TOTALS_MEMCPY] = cell_int(all->memcpy),
		[TOTALS_MEMSET] = cell_int(all->memset),
		[TOTALS_ACTIVITIES] = cell_int(all->ndevice));
}

struct table *top_totals_line(struct top *t)
{
	struct table *out = perrun_table(t->at, &top_docs[TOP_TOTALS]);
	SCOPED_STR events = { 0 };

	out->title = NULL;
	out->layout = TABLE_LINE;
	unit_put_count(&events, t->at->run->nevent);
	TABLE_ROW(out, [TOTALS_GPU] = gpu_cell(t, out), [TOTALS_SOFTWARE] = software_cell(t, out),
		[TOTALS_EVENTS_TEXT] = cell_textf(out, "%s events", events.s),
		[TOTALS_EVENTS] = cell_int(t->at->run->nevent));
	put_steps(t, out);
	return out;
}

void top_totals_tables(struct top *t)
{
	struct table *out = top_totals_line(t);
	struct device *d;
	size_t n = list_devices(t, &d);
	bool *seen = arena_array(&t->at->mem, t->at->run->lanes.n, sizeof(*seen));

	for (size_t i = 0; i < n; i++)
		measure(t, &d[i], seen);
	TABLE_CELLS(out, [TOTALS_CPU_TOTAL] = cell_int(t->totals.cpu),
		[TOTALS_CPU_TOTAL_OPS] = cell_int(t->totals.cpu_ops));
	put_device_sums(t, out, d, n);
	if (t->at->q->for_people)
		put_figures(t, out);
	put_devices(t, d, n);
}
