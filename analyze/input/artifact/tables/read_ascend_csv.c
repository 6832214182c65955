/* Tables of Ascend's profiler (torch_npu, msprof): kernel_details.csv and op_summary.csv have a row
 * a kernel, op_statistic.csv sums by kind, api_statistic.csv those of calls, step_trace_time.csv
 * where each step went, which becomes a series a part.  Times are in us. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/tables/kernel_rows.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

enum { PARTS_MAX = 16 };

enum layout { KERNELS, KINDS, CALLS, STEPS, LAYOUTS };

/* Headings by which each is known, and where name, time and count are. */
static const struct {
	const char *sign, *name, *time, *count;
} layouts[LAYOUTS] = {
	[KERNELS] = { "Start Time(us)|Task Start Time(us)", "Name|Op Name",
		"Duration(us)|Task Duration(us)", NULL },
	[KINDS] = { "Core Type", "OP Type", "Total Time(us)", "Count" },
	[CALLS] = { "Level", "API Name", "Time(us)", "Count" },
	[STEPS] = { "Communication(Not Overlapped)", "Step", "Computing", NULL },
};

/* What step_trace_time.csv has of a step. */
static const char parts[] =
	"Computing|Communication(Not Overlapped)|Overlapped|Communication|Free|Stage|Bubble|"
	"Communication(Not Overlapped and Exclude Receive)|Preparing";

/* A part's column and name. */
struct part {
	size_t at;
	struct span name;
};

struct ascend {
	struct reading *in;
	enum layout layout; /* LAYOUTS: the heading is of none */
	size_t n, name, time, count, device;
	bool is_begun;
	struct part part[PARTS_MAX];
	size_t npart;
	struct span first; /* device */
	struct kernel_rows kernels;
	struct op_rows ops;
};

static size_t column(const struct csv_row *row, const char *words)
{
	return FIND_VALUE(i, row->n, words && span_in(row->cell[i], words), i, SIZE_MAX);
}

static bool columns_of(const struct csv_row *row, struct ascend *g)
{
	for (unsigned k = 0; k < LAYOUTS; k++) {
		g->layout = (enum layout)k;
		g->n = row->n;
		g->name = column(row, layouts[k].name);
		g->time = column(row, layouts[k].time);
		g->count = column(row, layouts[k].count);
		g->device = column(row, "Device_id");
		if (column(row, layouts[k].sign) != SIZE_MAX && g->name != SIZE_MAX &&
			g->time != SIZE_MAX && (g->count != SIZE_MAX || !layouts[k].count))
			return true;
	}
	g->layout = LAYOUTS;
	return false;
}

static enum match probe(const struct csv_row *row)
{
	struct ascend g;

	return columns_of(row, &g) ? MATCH_STRONG : MATCH_NO;
}

/* A row of sums, of device work or of calls. */
static void take_sum(struct ascend *g, const struct csv_row *row, double us)
{
	size_t at = op_rows_row(&g->ops, NULL, row->cell[g->name]);
	bool is_call = g->layout == CALLS;
	double calls;

	if (at == SIZE_MAX)
		return;
	if (real_of(row->cell[g->count], &calls))
		op_rows_add(&g->ops, at, OPS_CALLS, calls, MEASURE_COUNT);
	op_rows_add(&g->ops, at, is_call ? OPS_CPU : OPS_DEVICE, us, MEASURE_US);
	op_rows_add(&g->ops, at, is_call ? OPS_SELF_CPU : OPS_SELF_DEVICE, us, MEASURE_US);
}

static void take_kernel(struct ascend *g, const struct csv_row *row, double us)
{
	struct kernel_launch l = kernel_launch_new();

	l.v[KERNEL_NS] = measure_base(MEASURE_US, us);
	kernel_rows_launch(&g->kernels, row->cell[g->name], &l);
}

static void take_step(struct ascend *g, const struct csv_row *row)
{
	struct span device = g->device < row->n ? row->cell[g->device] : SPAN(""), group;
	double us, step;
	bool is_known;

	if (!g->first.p)
		g->first = record_text(g->in->record, device);
	group = span_eq(device, g->first) ? SPAN("") : device;
	if (!real_of(row->cell[g->name], &step))
		step = (double)reading_artifact(g->in)->rows;
	for (size_t i = 0; i < g->npart; i++) {
		is_known = real_of(row->cell[g->part[i].at], &us);
		reading_point(reading_series(g->in, g->part[i].name, group, AXIS_STEP, MEASURE_US),
			step, is_known, us);
	}
}

static void take_heading(struct ascend *g, const struct csv_row *row)
{
	g->is_begun = true;
	(void)columns_of(row, g);
	if (g->layout == KERNELS)
		kernel_rows_open(&g->kernels, g->in);
	if (g->layout == KINDS || g->layout == CALLS)
		op_rows_open(&g->ops, g->in);
	for (size_t i = 0; i < row->n && g->npart < PARTS_MAX; i++)
		if (g->layout == STEPS && span_in(row->cell[i], parts))
			g->part[g->npart++] =
				(struct part){ i, record_text(g->in->record, row->cell[i]) };
}

static enum took take_row(void *ctx, struct csv_row *row)
{
	struct ascend *g = ctx;
	double us;

	if (!g->is_begun) {
		take_heading(g, row);
		return TOOK;
	}
	if (g->layout == LAYOUTS)
		return TOOK;
	if (!csv_mend(row, g->n, g->name) || !real_of(row->cell[g->time], &us))
		return TOOK_ALIEN;
	switch (g->layout) {
	case KERNELS: take_kernel(g, row, us); break;
	case KINDS:
	case CALLS: take_sum(g, row, us); break;
	case STEPS: take_step(g, row); break;
	case LAYOUTS: break;
	}
	reading_artifact(g->in)->rows++;
	return TOOK;
}

static enum status read_ascend(struct reading *in, struct err *e)
{
	struct ascend *g = arena_alloc(&in->mem, sizeof(*g));

	*g = (struct ascend){ .in = in, .layout = LAYOUTS };
	enum status st = csv_read(in, take_row, g, CSV_ALIEN, NULL, e);
	if (g->layout == KERNELS)
		kernel_rows_close(&g->kernels);
	if (g->layout == KINDS || g->layout == CALLS)
		op_rows_close(&g->ops);
	return st;
}

const struct artifact artifact_ascend_csv = {
	.name = "ascend_csv",
	.title = "table of Ascend's profiler (CSV)",
	.summary = "kernel_details.csv, op_summary.csv, op_statistic.csv, api_statistic.csv, "
		   "step_trace_time.csv",
	.heading = probe,
	.read = read_ascend,
};
