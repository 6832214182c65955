/* rocprofv3's CSVs (--output-format csv): kernel_trace, hip_api_trace, memory_copy_trace ...; and
 * the kernels of rocprof 1 (results.csv, with --timestamp on) and 2.
 *
 * A file has one kind of records.  Those of one recording that lie beside each other in a folder
 * are read as one trace (folder.c), agents first, which say which device is meant. */
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/format.h"
#include "analyze/input/format/rocm/rocm.h"
#include "analyze/input/load_file.h"
#include "analyze/input/source/source.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/producers.h"
#include "base/base.h"
#include "base/door.h"

/* --- columns --- */

/* X(name, heading): columns beside the numbers of all formats; versions differ in the case of
 * letters, and in which they have */
#define ROCM_COLUMNS(X)                    \
	X(KIND, "Kind")                    \
	X(DOMAIN, "Domain")                \
	X(FUNCTION, "Function")            \
	X(OPERATION, "Operation")          \
	X(DIRECTION, "Direction")          \
	X(PROCESS, "Process_Id")           \
	X(AGENT, "Agent_Id")               \
	X(FROM, "Source_Agent_Id")         \
	X(TO, "Destination_Agent_Id")      \
	X(DISPATCH, "Dispatch_Id")         \
	X(NAME, "Kernel_Name")             \
	X(COUNTER, "Counter_Name")         \
	X(BLOCK_LDS, "LDS_Block_Size")     \
	X(VGPRS, "VGPR_Count")             \
	X(ACCUM, "Accum_VGPR_Count")       \
	X(NODE, "Node_Id")                 \
	X(LOGICAL_NODE, "Logical_Node_Id") \
	X(AGENT_TYPE, "Agent_Type")        \
	X(AGENT_NAME, "Name")              \
	X(PRODUCT, "Product_Name")         \
	X(CUS, "Cu_Count")                 \
	X(WARP, "Wave_Front_Size")         \
	X(WAVES, "Max_Waves_Per_Cu")       \
	X(LDS_KB, "Lds_Size_In_Kb")        \
	X(TARGET, "Gfx_Target_Version")

#define ROCM_ID(name, ...) ROCM_##name,
enum rocm_column {
	ROCM_BEFORE_OWN = ROCM_NUMBER_COUNT - 1,
	ROCM_COLUMNS(ROCM_ID) ROCM_COLUMN_COUNT
};

enum { ROCM_COLUMN_ABSENT = -1 };

/* Which records a table has. */
enum rocm_table {
	TABLE_NONE,
	TABLE_AGENTS,
	TABLE_KERNELS,
	TABLE_COUNTERS, /* a row for each counter of a dispatch */
	TABLE_CALLS,
	TABLE_COPIES,
	TABLE_ALLOCATIONS /* of memory, of scratch */
};

struct rocm_heading {
	enum rocm_table table;
	bool is_older; /* of rocprof 1 */
	size_t n;      /* columns */
	int at[ROCM_COLUMN_COUNT];
};

static const char *const headings[ROCM_COLUMN_COUNT] = {
#define X(name, in, key, heading) [ROCM_##name] = heading,
	ROCM_NUMBERS(X)
#undef X
#define X(name, heading) [ROCM_##name] = heading,
		ROCM_COLUMNS(X)
#undef X
};

/* What rocprof 1 and 2 call the same; sizes are those of all dimensions. */
static const struct {
	const char *headings;
	unsigned column;
} older[] = {
	{ "KernelName", ROCM_NAME },
	{ "BeginNs", ROCM_START },
	{ "EndNs", ROCM_END },
	{ "gpu-id|gpu_id", ROCM_AGENT },
	{ "queue-id", ROCM_QUEUE },
	{ "grd|grid_size", ROCM_GRID_X },
	{ "wgr|workgroup_size", ROCM_GROUP_X },
	{ "lds|lds_per_workgroup", ROCM_BLOCK_LDS },
	{ "vgpr|arch_vgpr", ROCM_VGPRS },
	{ "accum_vgpr", ROCM_ACCUM },
};

static bool has(const struct rocm_heading *h, unsigned c)
{
	return h->at[c] != ROCM_COLUMN_ABSENT;
}

static enum rocm_table table_of(const struct rocm_heading *h)
{
	if (has(h, ROCM_NODE) && has(h, ROCM_AGENT_TYPE))
		return TABLE_AGENTS;
	if (!has(h, ROCM_START) || !has(h, ROCM_END))
		return TABLE_NONE;
	if (has(h, ROCM_NAME))
		return has(h, ROCM_COUNTER) ? TABLE_COUNTERS : TABLE_KERNELS;
	if (!has(h, ROCM_CORRELATION))
		return TABLE_NONE;
	if (has(h, ROCM_FUNCTION))
		return TABLE_CALLS;
	if (has(h, ROCM_DIRECTION))
		return TABLE_COPIES;
	return has(h, ROCM_OPERATION) ? TABLE_ALLOCATIONS : TABLE_NONE;
}

/* What a table with that heading has. */
static void rocm_heading(const struct csv_row *row, struct rocm_heading *h)
{
	h->n = row->n;
	FILL(h->at, ROCM_COLUMN_COUNT, ROCM_COLUMN_ABSENT);
	for (size_t i = 0; i < row->n; i++)
		for (size_t k = 0; k < ROCM_COLUMN_COUNT; k++)
			if (h->at[k] == ROCM_COLUMN_ABSENT && headings[k] &&
				span_is_nocase(row->cell[i], headings[k]))
				h->at[k] = (int)i;
	h->is_older = false;
	for (size_t i = 0; i < row->n; i++)
		for (size_t k = 0; k < COUNT_OF(older); k++)
			if (!has(h, older[k].column) &&
				span_in_nocase(row->cell[i], older[k].headings)) {
				h->at[older[k].column] = (int)i;
				h->is_older |= older[k].column == ROCM_START;
			}
	h->table = table_of(h);
}

/* A row's text, empty where there is no such column; its number, -1 where it is none. */
static struct span rocm_cell(const struct rocm_heading *h, const struct csv_row *row, unsigned c)
{
	size_t at = (size_t)h->at[c];

	return has(h, c) && at < row->n ? row->cell[at] : SPAN("");
}

static int64_t rocm_number(const struct rocm_heading *h, const struct csv_row *row, unsigned c)
{
	int64_t n;

	return num_i64(rocm_cell(h, row, c), &n) && n >= 0 ? n : -1;
}

/* --- records --- */

/* A GPU by the numbers that tables call it by. */
struct agent {
	int64_t node, logical;
};

struct tables {
	struct rocm rocm;
	struct agent gpu[LIMIT_META_GPUS];
	size_t ngpu;
	struct keymap counted; /* dispatches whose counters came */
	int64_t pid;           /* of the newest call */
};

/* One table on its way. */
struct reader {
	struct tables *t;
	const struct rocm_heading *h;
	const struct csv_row *row;
	int64_t offset;
	int64_t n[ROCM_NUMBER_COUNT]; /* of the row */
};

static struct span cell(const struct reader *r, unsigned c)
{
	return rocm_cell(r->h, r->row, c);
}

static int64_t number(const struct reader *r, unsigned c)
{
	return rocm_number(r->h, r->row, c);
}

/* The device of "GPU 1", "Agent 4" or 4.  Where no table says which agents are GPUs, devices have
 * the numbers of agents. */
static int64_t device(const struct reader *r, unsigned c)
{
	struct span t = cell(r, c);
	size_t digits = t.n;
	int64_t n;

	while (digits > 0 && is_digit(t.p[digits - 1]))
		digits--;
	if (!num_i64((struct span){ t.p + digits, t.n - digits }, &n) || span_starts(t, "CPU"))
		return -1;
	if (span_starts(t, "GPU"))
		return n;
	return FIND_VALUE(i, r->t->ngpu, n == (digits ? r->t->gpu[i].logical : r->t->gpu[i].node),
		(int64_t)i, r->t->ngpu ? -1 : n);
}

static void take_agent(const struct reader *r)
{
	struct tables *t = r->t;
	struct span name = cell(r, ROCM_PRODUCT);
	int64_t lds = number(r, ROCM_LDS_KB);
	struct rocm_gpu g = {
		.number = (int64_t)t->ngpu,
		.name = name.n ? name : cell(r, ROCM_AGENT_NAME),
		.memory_bytes = -1,
		.cus = number(r, ROCM_CUS),
		.warp = number(r, ROCM_WARP),
		.waves_per_cu = number(r, ROCM_WAVES),
		.lds_bytes = lds > 0 && lds < 1 << 20 ? lds << 10 : -1,
		.target = number(r, ROCM_TARGET),
	};

	if (!span_is(cell(r, ROCM_AGENT_TYPE), "GPU") || t->ngpu == COUNT_OF(t->gpu))
		return;
	t->gpu[t->ngpu++] = (struct agent){ number(r, ROCM_NODE), number(r, ROCM_LOGICAL_NODE) };
	rocm_gpu(&t->rocm, &g);
}

static enum status take_dispatch(struct reader *r, struct err *e)
{
	struct rocm_record d = {
		.n = r->n,
		.offset = r->offset,
		.name = emit_keep(&r->t->rocm.m, cell(r, ROCM_NAME)),
		.device = device(r, ROCM_AGENT),
		.vgprs = number(r, ROCM_VGPRS),
		.accum_vgprs = number(r, ROCM_ACCUM),
	};

	if (!has(r->h, ROCM_GRID_Y))
		r->n[ROCM_GRID_Y] = r->n[ROCM_GRID_Z] = r->n[ROCM_GROUP_Y] = r->n[ROCM_GROUP_Z] = 1;
	if (r->n[ROCM_LDS] < 0)
		r->n[ROCM_LDS] = number(r, ROCM_BLOCK_LDS);
	return rocm_dispatch(&r->t->rocm, &d, e);
}

/* A counter of a dispatch, which has a row for each of its counters. */
static enum status take_counter(struct reader *r, struct err *e)
{
	int64_t id = number(r, ROCM_DISPATCH);
	size_t known = r->t->counted.n;

	TRY(rocm_count(&r->t->rocm, "counter_collection", e));
	(void)keymap_add(&r->t->counted, &id);
	return r->t->counted.n > known ? take_dispatch(r, e) : OK;
}

static struct rocm_record call_of(const struct reader *r, unsigned domain, struct span name)
{
	int64_t pid = number(r, ROCM_PROCESS);

	if (pid >= 0)
		r->t->pid = pid;
	return (struct rocm_record){
		.n = r->n,
		.offset = r->offset,
		.domain = cell(r, domain),
		.name = emit_keep(&r->t->rocm.m, name),
		.pid = r->t->pid,
	};
}

/* A ROCTx range has its message for a name, other calls that of the function. */
static enum status take_call(const struct reader *r, struct err *e)
{
	struct rocm_record c = call_of(r, ROCM_DOMAIN, cell(r, ROCM_FUNCTION));

	c.is_range = span_starts(c.domain, "MARKER_CORE") && !span_starts(c.name, "roctx");
	return rocm_call(&r->t->rocm, &c, e);
}

static enum status take_allocation(const struct reader *r, struct err *e)
{
	struct rocm_record c = call_of(r, ROCM_KIND, cell(r, ROCM_OPERATION));

	return rocm_call(&r->t->rocm, &c, e);
}

static enum status take_copy(const struct reader *r, struct err *e)
{
	struct rocm_record c = {
		.n = r->n,
		.offset = r->offset,
		.name = cell(r, ROCM_DIRECTION),
		.from = device(r, ROCM_FROM),
		.to = device(r, ROCM_TO),
	};

	/* Without a list of agents those of the host cannot be told from devices. */
	if (r->t->ngpu == 0 && span_has(c.name, "HOST_TO"))
		c.from = -1;
	if (r->t->ngpu == 0 && span_has(c.name, "TO_HOST"))
		c.to = -1;
	return rocm_copy(&r->t->rocm, &c, e);
}

static enum status take(struct reader *r, struct err *e)
{
	for (unsigned i = 0; i < ROCM_NUMBER_COUNT; i++)
		r->n[i] = number(r, i);
	switch (r->h->table) {
	case TABLE_AGENTS: take_agent(r); return OK;
	case TABLE_KERNELS: return take_dispatch(r, e);
	case TABLE_COUNTERS: return take_counter(r, e);
	case TABLE_CALLS: return take_call(r, e);
	case TABLE_COPIES: return take_copy(r, e);
	case TABLE_ALLOCATIONS: return take_allocation(r, e);
	case TABLE_NONE: break;
	}
	return OK;
}

static bool has_times(const struct reader *r)
{
	return r->h->table == TABLE_AGENTS ||
		(number(r, ROCM_START) >= 0 && number(r, ROCM_END) >= 0);
}

/* The last line has no end, and is no whole row. */
static bool is_cut(const struct reader *r, const struct csv *csv)
{
	return csv->lines.is_torn &&
		(r->row->n < r->h->n || !has_times(r) ||
			number(r, ROCM_END) < number(r, ROCM_START));
}

static enum status take_rows(
	struct tables *t, struct csv *csv, const struct rocm_heading *h, struct err *e)
{
	struct reader r = { .t = t, .h = h, .row = &csv->row };
	size_t name = h->at[ROCM_NAME] >= 0 ? (size_t)h->at[ROCM_NAME]
		: h->at[ROCM_FUNCTION] >= 0 ? (size_t)h->at[ROCM_FUNCTION]
					    : 0;

	while (csv_next(csv)) {
		bool whole = csv_mend(&csv->row, h->n, name);

		r.offset = csv->offset;
		if (is_cut(&r, csv))
			emit_problem(&t->rocm.m, PROBLEM_TRUNCATED_TRACE, csv->offset);
		else if (whole && has_times(&r))
			TRY(take(&r, e));
		else
			rocm_skip(&t->rocm, csv->offset);
	}
	if (csv->lines.too_long)
		emit_problem(&t->rocm.m, PROBLEM_TOO_LONG, csv->lines.too_long_at);
	if (csv->lines.err.status != OK)
		*e = csv->lines.err;
	return csv->lines.err.status;
}

/* Which of a file's tables are wanted: all, only those of agents, only others. */
enum wanted { WANTED_ANY, WANTED_AGENTS, WANTED_RECORDS };

static enum status read_table(struct tables *t, struct source *s, enum wanted wanted, struct err *e)
{
	struct reading in = { .source = s };
	struct csv *csv = xmalloc(sizeof(*csv));
	struct rocm_heading h;
	enum status st = OK;

	csv_open(csv, &in);
	if (csv_next(csv)) {
		rocm_heading(&csv->row, &h);
		if (h.is_older)
			t->rocm.out->producer = &producers[PRODUCER_ROCPROF_V1];
		if (wanted == WANTED_ANY || (wanted == WANTED_AGENTS) == (h.table == TABLE_AGENTS))
			st = take_rows(t, csv, &h, e);
	}
	csv_close(csv);
	free(csv);
	return st;
}

/* Other files of the recording; one that cannot be opened was there when the folder was looked at.
 */
static enum status read_beside(
	struct tables *t, const struct format_input *in, enum wanted wanted, struct err *e)
{
	enum status st = OK;

	for (size_t i = 0; in->beside && i < in->beside->n && st == OK; i++) {
		struct source s;

		TRY(source_open(&s, in->beside->path[i], NULL, e));
		door_input_fd(s.fd, in->beside->path[i]);
		st = read_table(t, &s, wanted, e);
		tally_merge(&t->rocm.m.batch.tally, &s.tally);
		source_close(&s);
	}
	return st;
}

static enum status read_all(struct tables *t, struct format_input *in, struct err *e)
{
	TRY(read_beside(t, in, WANTED_AGENTS, e));
	TRY(read_table(t, in->source, WANTED_ANY, e));
	TRY(read_beside(t, in, WANTED_RECORDS, e));
	return rocm_finish(&t->rocm, e);
}

static enum status read_rocprof_csv(struct format_input *in, struct emit_sink *out, struct err *e)
{
	struct tables *t = xcalloc(1, sizeof(*t));

	rocm_open(&t->rocm, out);
	keymap_init(&t->counted, sizeof(int64_t));
	t->pid = -1;
	enum status st = read_all(t, in, e);
	keymap_clear(&t->counted);
	rocm_close(&t->rocm);
	free(t);
	return st;
}

static NEVER_INLINE bool has_heading(struct span line)
{
	struct rocm_heading h;
	struct csv_row row;

	csv_split(line, ',', &row, NULL);
	rocm_heading(&row, &h);
	return h.table != TABLE_NONE;
}

/* A first line with the columns of a table.  Every file is asked: without a row on the stack, whose
 * pages are all touched. */
static bool is_rocprof_csv(struct span head)
{
	struct span line = { "", 0 };

	(void)span_line(&head, &line);
	return (span_has_nocase(line, "_timestamp") || span_has_nocase(line, "logical_node_id") ||
		       span_has_nocase(line, "BeginNs")) &&
		has_heading(line);
}

const struct format format_rocprof_csv = {
	.name = "rocprof_csv",
	.title = "table of rocprofv3 (CSV)",
	.summary = "rocprofv3 --output-format csv: kernel_trace.csv and the others",
	.is = is_rocprof_csv,
	.read = read_rocprof_csv,
};
