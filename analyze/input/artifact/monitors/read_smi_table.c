/*
 * Tables that monitors print: nvidia-smi dmon, dcgmi dmon, rocm-smi and amd-smi monitor.  A
 * heading, which comes again every so many rows, maybe a line of units below it, and rows.  Few of
 * them say the time; a row is then one more of its GPU.  How each is written, and what its columns
 * mean, is data.  Sources: the manual of nvidia-smi; DCGM's short names of fields (dcgm_fields);
 * rocm-smi's and amd-smi's own output.
 */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/monitors/smi_rows.h"
#include "analyze/input/text/iso_time.h"
#include "analyze/input/text/num.h"
#include "base/ascii.h"
#include "base/base.h"

/* --- tables as data --- */

enum { MONITOR_WORDS = 40 };

/* How a kind of table is written. */
struct monitor {
	const char *first[3]; /* what its heading begins with, without '#' */
	const char *has[3];   /* one of these words is in it, too */
	bool is_marked;       /* headings begin with '#' */
	bool is_wide;         /* cells are apart by two blanks or more; by one otherwise */
	bool is_named;        /* rows begin with two words: "GPU 0" */
	bool is_processes;    /* rows are of processes, not of GPUs */
	struct smi_word word[MONITOR_WORDS];
};

/* clang-format off */
static const struct monitor monitor_dmon = { /* nvidia-smi dmon */
	.first = { "gpu", "Date", "Time" }, .has = { "sm", "pwr", "fb" },
	.is_marked = true,
	.word = {
		{ "pwr", "power.draw", MEASURE_WATT }, { "gtemp", "temperature.gpu", MEASURE_CELSIUS },
		{ "temp", "temperature.gpu", MEASURE_CELSIUS },
		{ "mtemp", "temperature.memory", MEASURE_CELSIUS },
		{ "sm", "utilization.gpu", MEASURE_PERCENT },
		{ "mem", "utilization.memory", MEASURE_PERCENT },
		{ "enc", "utilization.encoder", MEASURE_PERCENT },
		{ "dec", "utilization.decoder", MEASURE_PERCENT },
		{ "mclk", "clocks.mem", MEASURE_MHZ }, { "pclk", "clocks.sm", MEASURE_MHZ },
		{ "fb", "memory.used", MEASURE_MIB }, { "bar1", "memory.bar1", MEASURE_MIB },
		{ "pid", NULL, MEASURE_NONE }, { "type", NULL, MEASURE_NONE },
	},
};

static const struct monitor monitor_pmon = { /* nvidia-smi pmon */
	.first = { "gpu", "Date", "Time" }, .has = { "pid", "pid", "pid" },
	.is_marked = true, .is_processes = true,
	.word = {
		{ "sm", "process.sm", MEASURE_PERCENT }, { "mem", "process.mem", MEASURE_PERCENT },
		{ "enc", "process.enc", MEASURE_PERCENT }, { "dec", "process.dec", MEASURE_PERCENT },
		{ "jpg", "process.jpg", MEASURE_PERCENT }, { "ofa", "process.ofa", MEASURE_PERCENT },
		{ "fb", "process.memory", MEASURE_MIB }, { "ccpm", "process.ccpm", MEASURE_MIB },
		{ "type", NULL, MEASURE_NONE }, { "command", NULL, MEASURE_NONE },
	},
};

static const struct monitor monitor_dcgm = { /* dcgmi dmon */
	.first = { "Entity", "Entity", "Entity" }, .has = { "", "", "" },
	.is_marked = true, .is_named = true,
	.word = {
		{ "GPUTL", "utilization.gpu", MEASURE_PERCENT },
		{ "MCUTL", "utilization.memory", MEASURE_PERCENT },
		{ "POWER", "power.draw", MEASURE_WATT }, { "POWR", "power.draw", MEASURE_WATT },
		{ "TMPTR", "temperature.gpu", MEASURE_CELSIUS },
		{ "GTEMP", "temperature.gpu", MEASURE_CELSIUS },
		{ "MMTMP", "temperature.memory", MEASURE_CELSIUS },
		{ "SMCLK", "clocks.sm", MEASURE_MHZ }, { "MMCLK", "clocks.mem", MEASURE_MHZ },
		{ "FBTTL", "memory.total", MEASURE_MIB }, { "FBFRE", "memory.free", MEASURE_MIB },
		{ "FBUSD", "memory.used", MEASURE_MIB },
		{ "TOTEC", "total_energy_consumption", MEASURE_NONE },
		{ "GRACT", "gr_engine_active", MEASURE_RATIO }, { "SMACT", "sm_active", MEASURE_RATIO },
		{ "SMOCC", "sm_occupancy", MEASURE_RATIO },
		{ "TENSO", "tensor_active", MEASURE_RATIO }, { "DRAMA", "dram_active", MEASURE_RATIO },
		{ "FP64A", "fp64_active", MEASURE_RATIO }, { "FP32A", "fp32_active", MEASURE_RATIO },
		{ "FP16A", "fp16_active", MEASURE_RATIO },
	},
};

static const struct monitor monitor_rocm = { /* rocm-smi */
	.first = { "GPU", "Device", "GPU" }, .has = { "GPU%", "GPU%", "GPU%" },
	.is_wide = true,
	.word = {
		{ "Temp", "temperature.gpu", MEASURE_CELSIUS }, { "AvgPwr", "power.draw", MEASURE_WATT },
		{ "Power", "power.draw", MEASURE_WATT }, { "PwrCap", "power.limit", MEASURE_WATT },
		{ "SCLK", "clocks.sm", MEASURE_MHZ }, { "MCLK", "clocks.mem", MEASURE_MHZ },
		{ "Fan", "fan.speed", MEASURE_PERCENT },
		{ "VRAM%", "memory.used_percent", MEASURE_PERCENT },
		{ "GPU%", "utilization.gpu", MEASURE_PERCENT },
		{ "Perf", NULL, MEASURE_NONE }, { "Node", NULL, MEASURE_NONE },
		{ "IDs", NULL, MEASURE_NONE }, { "Partitions", NULL, MEASURE_NONE },
	},
};

static const struct monitor monitor_amd = { /* amd-smi monitor */
	.first = { "GPU", "TIMESTAMP", "GPU" }, .has = { "GFX%", "GPU_T", "VRAM_USAGE" },
	.is_wide = true,
	.word = {
		{ "POWER", "power.draw", MEASURE_WATT }, { "PWR_CAP", "power.limit", MEASURE_WATT },
		{ "GPU_T", "temperature.gpu", MEASURE_CELSIUS },
		{ "MEM_T", "temperature.memory", MEASURE_CELSIUS },
		{ "GFX_CLK", "clocks.sm", MEASURE_MHZ }, { "GFX_CLOCK", "clocks.sm", MEASURE_MHZ },
		{ "MEM_CLOCK", "clocks.mem", MEASURE_MHZ }, { "MEM_CLK", "clocks.mem", MEASURE_MHZ },
		{ "GFX%", "utilization.gpu", MEASURE_PERCENT },
		{ "MEM%", "utilization.memory", MEASURE_PERCENT },
		{ "ENC%", "utilization.encoder", MEASURE_PERCENT },
		{ "DEC%", "utilization.decoder", MEASURE_PERCENT },
		{ "VRAM_USED", "memory.used", MEASURE_MIB }, { "VRAM_FREE", "memory.free", MEASURE_MIB },
		{ "VRAM_TOTAL", "memory.total", MEASURE_MIB },
		{ "VRAM_USAGE", "memory.used", MEASURE_GIB }, { "XCP", NULL, MEASURE_NONE },
		{ "VRAM%", "memory.used_percent", MEASURE_PERCENT },
	},
};
/* clang-format on */

/* --- cells --- */

enum { SMI_CELLS = 64 };

struct smi_cells {
	struct span v[SMI_CELLS]; /* borrowed from the line; never NULL */
	size_t n;
};

static void split_commas(struct span line, struct smi_cells *c)
{
	static const char blank[] = "";
	const char *p = line.p, *end = line.p + line.n;

	while (c->n < SMI_CELLS && p <= end) {
		const char *q = memchr(p, ',', (size_t)(end - p));
		size_t n = (size_t)((q ? q : end) - p);

		c->v[c->n++] = n ? span_trim((struct span){ p, n }) : (struct span){ blank, 0 };
		p += n + 1;
	}
}

/* Words, or what is apart by two blanks and more; "Not Supported" is one. */
static void split_blanks(struct span line, bool is_wide, struct smi_cells *c)
{
	const char *p = line.p, *end = line.p + line.n;

	while (c->n < SMI_CELLS) {
		const char *from;

		while (p < end && is_space_or_tab(*p))
			p++;
		if (p == end)
			return;
		for (from = p; p < end; p++)
			if (*p == '\t' || (*p == ' ' && (!is_wide || p + 1 == end || p[1] == ' ')))
				break;
		c->v[c->n] = (struct span){ from, (size_t)(p - from) };
		if (c->n > 0 && span_is(c->v[c->n - 1], "Not") &&
			(span_is(c->v[c->n], "Supported") || span_is(c->v[c->n], "Found")))
			c->v[c->n - 1].n = (size_t)(p - c->v[c->n - 1].p);
		else
			c->n++;
	}
}

/*
 * A line's cells: between commas; or words; or, of a wide table, what is apart by two blanks or
 * more.  Those behind the last that there is room for are left out.
 */
static void smi_cells_split(struct span line, bool has_commas, bool is_wide, struct smi_cells *c)
{
	c->n = 0;
	if (has_commas)
		split_commas(line, c);
	else
		split_blanks(line, is_wide, c);
}

enum { LINES_LOOKED_AT = 200, NAME_BYTES = 64, DAY_S = 86400 };

struct smi_table {
	const struct monitor *is;
	struct reading *in;
	struct smi_rows rows;
	struct smi_cells heading;
	const struct smi_word *word[SMI_CELLS]; /* by column; NULL: not of the table above */
	enum measure unit[SMI_CELLS];
	size_t gpu, date, time, stamp, pid, command; /* columns, or SMI_CELLS */
	bool has_commas, has_heading;
	double day; /* seconds that whole days add to times without a date */
	double last;
	struct untaken untaken;
};

/* "Temp (DieEdge)" is "Temp". */
static struct span plain(struct span t)
{
	const char *open = memchr(t.p, '(', t.n);

	if (open && open > t.p)
		t.n = (size_t)(open - t.p);
	return span_trim(t);
}

/* ---- headings ---- */

static bool begins(struct span word, const char *const first[3])
{
	return span_is(word, first[0]) || span_is(word, first[1]) || span_is(word, first[2]);
}

/* Whether a line is a heading of the kind; its cells go to c. */
static bool is_heading(
	const struct monitor *is, struct span line, struct smi_cells *c, bool *has_commas)
{
	line = span_trim(line);
	if (is->is_marked != (line.n > 0 && line.p[0] == '#'))
		return false;
	if (is->is_marked)
		line = span_trim((struct span){ line.p + 1, line.n - 1 });
	*has_commas = is->is_marked && memchr(line.p, ',', line.n);
	smi_cells_split(line, *has_commas, is->is_wide, c);
	if (c->n < 2 || !begins(c->v[0], is->first))
		return false;
	for (size_t i = 1; i < c->n; i++)
		for (size_t k = 0; k < 3; k++)
			if (!*is->has[k] || span_is(c->v[i], is->has[k]))
				return is->is_processes || is->is_named || is->is_wide ||
					!(c->n > 1 && span_is(c->v[1], "pid"));
	return false;
}

static enum match probe_of(const struct monitor *is, const struct head *h)
{
	struct span text = h->text, line;
	struct smi_cells c = { .n = 0 };
	bool has_commas;

	if (h->form != HEAD_TEXT)
		return MATCH_NO;
	for (int n = 0; n < LINES_LOOKED_AT && span_line(&text, &line); n++)
		if (is_heading(is, line, &c, &has_commas))
			return MATCH_STRONG;
	return MATCH_NO;
}

static size_t column(const struct smi_cells *c, const char *name)
{
	return FIND_VALUE(i, c->n, span_is_nocase(c->v[i], name), i, SMI_CELLS);
}

static void take_heading(struct smi_table *g, const struct smi_cells *c)
{
	g->heading.n = c->n;
	for (size_t i = 0; i < c->n; i++) {
		g->heading.v[i] = record_text(g->in->record, plain(c->v[i]));
		g->word[i] = smi_word_find(g->is->word, MONITOR_WORDS, g->heading.v[i]);
		g->unit[i] = g->word[i] ? g->word[i]->measure : MEASURE_NONE;
	}
	g->gpu = column(&g->heading, g->is->is_named ? "Entity" : "gpu");
	if (g->gpu == SMI_CELLS)
		g->gpu = column(&g->heading, "Device");
	g->date = column(&g->heading, "Date");
	g->time = column(&g->heading, "Time");
	g->stamp = column(&g->heading, "TIMESTAMP");
	g->pid = column(&g->heading, "pid");
	g->command = column(&g->heading, "command");
	g->has_heading = true;
}

/* "# Idx  W  C  %": below a heading. */
static void take_units(struct smi_table *g, const struct smi_cells *c)
{
	for (size_t i = 0; i < c->n && i < g->heading.n; i++) {
		enum measure m = measure_of_unit(c->v[i]);

		if (m != MEASURE_NONE)
			g->unit[i] = m;
	}
}

/* ---- rows ---- */

/* Bytes of a text that are printed. */
static int shorter(struct span t, size_t most)
{
	return (int)MIN(t.n, most);
}

/* The row's time; NaN: it has none.  False: what stands there is no time. */
static bool time_of(struct smi_table *g, const struct smi_cells *c, double *time)
{
	char text[64];
	double day = 0;

	*time = NAN;
	if (g->stamp < c->n)
		return real_of(c->v[g->stamp], time) || iso_time(c->v[g->stamp], time);
	if (g->time >= c->n)
		return true;
	(void)snprintf(text, sizeof(text), "%.*s %.*s",
		g->date < c->n ? shorter(c->v[g->date], 32) : 8,
		g->date < c->n ? c->v[g->date].p : "19700101", shorter(c->v[g->time], 32),
		c->v[g->time].p);
	if (!iso_time(span_of(text), time))
		return false;
	if (g->date < c->n)
		return true;
	if (*time + g->day < g->last - DAY_S / 2.0) /* past midnight */
		g->day += DAY_S;
	day = g->day;
	*time += day;
	g->last = *time;
	return true;
}

/* "card0", "GPU[0]", "0": its number; others as they are. */
static struct span gpu_name(struct span t)
{
	size_t i, n;

	for (i = 0; i < t.n && !is_digit(t.p[i]); i++)
		;
	for (n = i; n < t.n && is_digit(t.p[n]); n++)
		;
	if (n == t.n || (n + 1 == t.n && t.p[n] == ']'))
		return n > i ? (struct span){ t.p + i, n - i } : t;
	return t;
}

/* "3.0/191.7 GB": what is used, and how much there is. */
static bool take_share(struct smi_table *g, struct span cell)
{
	const char *slash = memchr(cell.p, '/', cell.n);
	enum measure m = MEASURE_GIB;
	double used, total;

	if (!slash ||
		!smi_cell((struct span){ slash + 1, (size_t)(cell.p + cell.n - slash - 1) }, &total,
			&m) ||
		!smi_cell((struct span){ cell.p, (size_t)(slash - cell.p) }, &used, &m))
		return false;
	smi_rows_put(&g->rows, SPAN("memory.used"), m, used);
	smi_rows_put(&g->rows, SPAN("memory.total"), m, total);
	return true;
}

static void take_cell(struct smi_table *g, size_t i, struct span cell)
{
	enum measure m = g->unit[i];
	char name[NAME_BYTES];
	double v;

	if (i == g->gpu || i == g->date || i == g->time || i == g->stamp || i == g->pid ||
		i == g->command || (g->word[i] && !g->word[i]->name) || take_share(g, cell) ||
		!smi_cell(cell, &v, &m))
		return;
	(void)snprintf(name, sizeof(name), "%.*s", shorter(g->heading.v[i], 64), g->heading.v[i].p);
	smi_rows_put(&g->rows, span_of(g->word[i] ? g->word[i]->name : name), m, v);
}

static bool begin_row(struct smi_table *g, const struct smi_cells *c, size_t shift, double time)
{
	struct span gpu = g->gpu + shift < c->n ? c->v[g->gpu + shift] : SPAN("0");
	char group[SMI_ROWS_GROUP];

	if (g->is->is_named && !span_is(c->v[0], "GPU"))
		(void)snprintf(group, sizeof(group), "%.*s %.*s", shorter(c->v[0], 32), c->v[0].p,
			shorter(c->v[1], 32), c->v[1].p);
	else if (g->is->is_processes && g->pid < c->n)
		(void)snprintf(group, sizeof(group), "GPU %.*s, pid %.*s %.*s", shorter(gpu, 16),
			gpu.p, shorter(c->v[g->pid], 32), c->v[g->pid].p,
			g->command < c->n ? shorter(c->v[g->command], 32) : 0,
			g->command < c->n ? c->v[g->command].p : "");
	else
		(void)snprintf(
			group, sizeof(group), "%.*s", shorter(gpu_name(gpu), 64), gpu_name(gpu).p);
	return smi_rows_begin(&g->rows, span_of(group), time);
}

static bool is_number(struct span t)
{
	return t.n > 0 && is_digit(t.p[0]);
}

/*
 * Cells stand below their headings from the left, behind the two words of a name one further to the
 * right; where a cell fell apart (numbers of PCI devices), from the right.
 */
static bool take_row(struct smi_table *g, const struct smi_cells *c)
{
	size_t shift = g->is->is_named;
	double time;

	if (c->n < g->heading.n + shift ||
		(!g->is->is_wide && !g->is->is_processes && c->n != g->heading.n + shift))
		return false;
	size_t more = g->is->is_processes ? 0 : c->n - g->heading.n;
	if (!is_number(c->v[shift ? 1 : 0]) || !time_of(g, c, &time))
		return false;
	if (g->is->is_processes && g->pid < c->n && span_is(c->v[g->pid], "-"))
		return true; /* a GPU without processes */
	if (!begin_row(g, c, shift, time))
		return true;
	for (size_t i = 0; i < g->heading.n; i++)
		take_cell(g, i, c->v[i < 1 && !shift ? i : i + more]);
	return true;
}

/* A line that goes with a heading: "ID", "Id", "(DID, GUID)", "====". */
static bool is_below(const struct smi_table *g, struct span line)
{
	return !ANY(i, line.n, is_digit(line.p[i])) && g->has_heading;
}

static enum took take_line(void *ctx, struct span line, const struct lines *l UNUSED)
{
	struct smi_table *g = ctx;
	struct smi_cells c = { .n = 0 };
	bool has_commas;

	line = span_trim(line);
	if (line.n == 0)
		return TOOK;
	if (is_heading(g->is, line, &c, &has_commas)) {
		g->has_commas = has_commas;
		take_heading(g, &c);
		return TOOK;
	}
	if (g->has_heading && g->is->is_marked && line.p[0] == '#') {
		smi_cells_split(
			(struct span){ line.p + 1, line.n - 1 }, g->has_commas, g->is->is_wide, &c);
		take_units(g, &c);
		return TOOK;
	}
	smi_cells_split(line, g->has_commas, g->is->is_wide, &c);
	if ((g->has_heading && take_row(g, &c)) || is_below(g, line))
		return TOOK;
	return !g->has_heading || g->is->is_wide ? TOOK_OTHER : TOOK_ALIEN;
}

static enum status read_table(const struct monitor *is, struct reading *in, struct err *e)
{
	struct smi_table *g = arena_alloc(&in->mem, sizeof(*g));

	g->is = is;
	g->in = in;
	g->last = -INFINITY;
	g->rows.in = in;
	g->rows.is_of_others = is->is_processes;
	enum status st = reading_lines(in, take_line, g, &g->untaken, e);
	reading_artifact(in)->rows = g->rows.rows;
	reading_untaken(in, &g->untaken, "line{ is|s are} not like the others, passed over",
		"line{|s} around the table, not read");
	if (st == OK && g->rows.rows == 0)
		return err_set(e, E_NODATA, 0, "no sample in it: a heading only");
	return st;
}

#define MONITOR(kind, which, words, about)                                 \
	static enum match probe_##which(const struct head *h)              \
	{                                                                  \
		return probe_of(&monitor_##which, h);                      \
	}                                                                  \
	static enum status read_##which(struct reading *in, struct err *e) \
	{                                                                  \
		return read_table(&monitor_##which, in, e);                \
	}                                                                  \
	const struct artifact artifact_##kind = {                          \
		.name = #kind,                                             \
		.title = words,                                            \
		.summary = about,                                          \
		.is_log = true,                                            \
		.probe = probe_##which,                                    \
		.read = read_##which,                                      \
	}

MONITOR(smi_dmon, dmon, "samples of nvidia-smi (dmon)",
	"nvidia-smi dmon, as a table or with --format csv, with or without date and time");
MONITOR(process_pmon, pmon, "samples of processes (nvidia-smi pmon)",
	"nvidia-smi pmon: what processes use of each GPU");
MONITOR(smi_dcgm, dcgm, "samples of DCGM (dcgmi dmon)",
	"dcgmi dmon, whatever fields it was asked for");
MONITOR(smi_rocm, rocm, "samples of rocm-smi (table)",
	"rocm-smi without options, once or again and again");
MONITOR(smi_amd, amd, "samples of amd-smi (monitor)", "amd-smi monitor, once or with --watch");
