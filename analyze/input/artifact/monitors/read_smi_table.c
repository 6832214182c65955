/* Tables that monitors print: nvidia-smi dmon, dcgmi dmon, rocm-smi and amd-smi monitor.  A
 * heading, which comes again every so many rows, maybe a line of units below it, and rows.  Few of
 * them say the time.  A row is then one more of its GPU.  How each is written, and what its columns
 * mean, is data.  Sources: the manual of nvidia-smi; DCGM's short names of fields (dcgm_fields);
 * rocm-smi's and amd-smi's own output. */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/monitors/smi_rows.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/text/iso_time.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

/* --- tables as data --- */

enum { MONITOR_WORDS = 40 };

/* How a kind of table is written. */
struct monitor {
	const char *first; /* what its heading begins with, without '#'; bars between */
	const char *has;   /* one of these words is in it, too; NULL: any */
	bool is_marked;    /* headings begin with '#' */
	bool is_wide;      /* cells are apart by two blanks or more; by one otherwise */
	bool is_named;     /* rows begin with two words: "GPU 0" */
	bool is_processes; /* rows are of processes, not of GPUs */
	struct smi_word word[MONITOR_WORDS];
};

/* clang-format off */
static const struct monitor monitor_dmon = { /* nvidia-smi dmon */
	.first = "gpu|Date|Time", .has = "sm|pwr|fb",
	.is_marked = true,
	.word = {
		{ "pwr", "power.draw", MEASURE_WATT }, { "type", NULL, MEASURE_NONE },
		{ "gtemp|temp", "temperature.gpu", MEASURE_CELSIUS },
		{ "mtemp", "temperature.memory", MEASURE_CELSIUS },
		{ "sm", "utilization.gpu", MEASURE_PERCENT },
		{ "mem", "utilization.memory", MEASURE_PERCENT },
		{ "enc", "utilization.encoder", MEASURE_PERCENT },
		{ "dec", "utilization.decoder", MEASURE_PERCENT },
		{ "mclk", "clocks.mem", MEASURE_MHZ }, { "pclk", "clocks.sm", MEASURE_MHZ },
		{ "fb", "memory.used", MEASURE_MIB }, { "bar1", "memory.bar1", MEASURE_MIB },
	},
};

static const struct monitor monitor_pmon = { /* nvidia-smi pmon */
	.first = "gpu|Date|Time", .has = "pid",
	.is_marked = true, .is_processes = true,
	.word = {
		{ "sm", "process.sm", MEASURE_PERCENT }, { "mem", "process.mem", MEASURE_PERCENT },
		{ "enc", "process.enc", MEASURE_PERCENT }, { "dec", "process.dec", MEASURE_PERCENT },
		{ "jpg", "process.jpg", MEASURE_PERCENT }, { "ofa", "process.ofa", MEASURE_PERCENT },
		{ "fb", "process.memory", MEASURE_MIB }, { "ccpm", "process.ccpm", MEASURE_MIB },
		{ "type", NULL, MEASURE_NONE },
	},
};

static const struct monitor monitor_dcgm = { /* dcgmi dmon */
	.first = "Entity",
	.is_marked = true, .is_named = true,
	.word = {
		{ "GPUTL", "utilization.gpu", MEASURE_PERCENT },
		{ "MCUTL", "utilization.memory", MEASURE_PERCENT },
		{ "POWER|POWR", "power.draw", MEASURE_WATT },
		{ "TMPTR|GTEMP", "temperature.gpu", MEASURE_CELSIUS },
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
	.first = "GPU|Device", .has = "GPU%",
	.is_wide = true,
	.word = {
		{ "Temp", "temperature.gpu", MEASURE_CELSIUS },
		{ "AvgPwr|Power", "power.draw", MEASURE_WATT }, { "PwrCap", "power.limit", MEASURE_WATT },
		{ "SCLK", "clocks.sm", MEASURE_MHZ }, { "MCLK", "clocks.mem", MEASURE_MHZ },
		{ "Fan", "fan.speed", MEASURE_PERCENT },
		{ "VRAM%", "memory.used_percent", MEASURE_PERCENT },
		{ "GPU%", "utilization.gpu", MEASURE_PERCENT },
		{ "Perf|Node|IDs|Partitions", NULL, MEASURE_NONE },
	},
};

static const struct monitor monitor_amd = { /* amd-smi monitor */
	.first = "GPU|TIMESTAMP", .has = "GFX%|GPU_T|VRAM_USAGE",
	.is_wide = true,
	.word = {
		{ "POWER", "power.draw", MEASURE_WATT }, { "PWR_CAP", "power.limit", MEASURE_WATT },
		{ "GPU_T", "temperature.gpu", MEASURE_CELSIUS },
		{ "MEM_T", "temperature.memory", MEASURE_CELSIUS },
		{ "GFX_CLK|GFX_CLOCK", "clocks.sm", MEASURE_MHZ },
		{ "MEM_CLOCK|MEM_CLK", "clocks.mem", MEASURE_MHZ },
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

/* Words, or what is apart by two blanks and more; "Not Supported" is one. */
static void split_blanks(struct span line, bool is_wide, struct csv_row *c)
{
	const char *p = line.p, *end = line.p + line.n;

	while (c->n < CSV_CELLS) {
		const char *from;

		while (p < end && is_space_or_tab(*p))
			p++;
		if (p == end)
			return;
		for (from = p; p < end; p++)
			if (*p == '\t' || (*p == ' ' && (!is_wide || p + 1 == end || p[1] == ' ')))
				break;
		c->cell[c->n] = span_between(from, p);
		if (c->n > 0 && span_is(c->cell[c->n - 1], "Not") &&
			span_in(c->cell[c->n], "Supported|Found"))
			c->cell[c->n - 1] = span_between(c->cell[c->n - 1].p, p);
		else
			c->n++;
	}
}

/* A line's cells: between commas; or words; or, of a wide table, what is apart by two blanks. */
static void split(struct span line, bool has_commas, bool is_wide, struct csv_row *c)
{
	c->n = 0;
	if (has_commas)
		csv_split(line, ',', c, NULL);
	else
		split_blanks(line, is_wide, c);
}

enum { COLUMNS_MAX = 512, LINES_LOOKED_AT = 200, DAY_S = 86400 };

/* Columns that are no figures. */
enum role { GPU, DATE, TIME, STAMP, PID, COMMAND, ROLES };

struct smi_table {
	struct smi_rows rows;
	const struct monitor *is;
	size_t n;                      /* columns of the newest heading; 0: there is none yet */
	const char *name[COLUMNS_MAX]; /* NULL: of no interest */
	enum measure unit[COLUMNS_MAX];
	size_t at[ROLES]; /* columns, or SIZE_MAX */
	bool has_commas;
	double last; /* without a date, days after the first counted in */
	struct csv_row row;
};

/* ---- headings ---- */

/* Whether a line is a heading of the kind; its cells go to c. */
static bool is_heading(
	const struct monitor *is, struct span line, struct csv_row *c, bool *has_commas)
{
	line = span_trim(line);
	if (is->is_marked != span_starts(line, "#"))
		return false;
	if (is->is_marked)
		line = span_trim(span_from(line, 1));
	*has_commas = is->is_marked && memchr(line.p, ',', line.n);
	split(line, *has_commas, is->is_wide, c);
	if (c->n < 2 || !span_in(c->cell[0], is->first))
		return false;
	if (is == &monitor_dmon && span_is(c->cell[1], "pid"))
		return false;
	return ANY(i, c->n, i > 0 && (!is->has || span_in(c->cell[i], is->has)));
}

static enum match probe_of(const struct monitor *is, const struct head *h)
{
	struct span text = h->text, line;
	struct csv_row c;
	bool has_commas;

	for (int n = 0; h->form == HEAD_TEXT && n < LINES_LOOKED_AT && span_line(&text, &line); n++)
		if (is_heading(is, line, &c, &has_commas))
			return MATCH_STRONG;
	return MATCH_NO;
}

static void take_heading(struct smi_table *g, const struct csv_row *c)
{
	static const char *const words[ROLES] = { "gpu|Device", "Date", "Time", "TIMESTAMP", "pid",
		"command" };

	FILL(g->at, ROLES, SIZE_MAX);
	g->n = MIN(c->n, COLUMNS_MAX);
	for (size_t i = 0; i < g->n; i++) {
		/* "Temp (DieEdge)" is "Temp". */
		struct span t = span_trim(span_before(c->cell[i], '('));
		const struct smi_word *word = smi_word_find(g->is->word, MONITOR_WORDS, t);
		size_t role = g->is->is_named && span_is_nocase(t, "Entity")
			? GPU
			: FIRST(k, ROLES, span_in_nocase(t, words[k]));

		g->unit[i] = word ? word->measure : MEASURE_NONE;
		g->name[i] = word ? word->name : arena_copy(&g->rows.in->mem, t.p, t.n);
		if (role == ROLES)
			continue;
		g->name[i] = NULL;
		if (g->at[role] == SIZE_MAX)
			g->at[role] = i;
	}
}

/* "# Idx  W  C  %": below a heading. */
static void take_units(struct smi_table *g, const struct csv_row *c)
{
	for (size_t i = 0; i < c->n && i < g->n; i++) {
		enum measure m = measure_of_unit(c->cell[i]);

		if (m != MEASURE_NONE)
			g->unit[i] = m;
	}
}

/* ---- rows ---- */

/* The row's cell in that role; `otherwise` where it has none. */
static struct span cell_of(const struct smi_table *g, enum role role, const char *otherwise)
{
	struct span t = g->at[role] < g->row.n ? g->row.cell[g->at[role]] : span_of(otherwise);

	return (struct span){ t.p, MIN(t.n, 32) };
}

/* The row's time; NaN: it has none.  False: what stands there is no time. */
static bool time_of(struct smi_table *g, double *time)
{
	char text[72];
	struct span stamp = cell_of(g, STAMP, ""), date = cell_of(g, DATE, "19700101"),
		    at = cell_of(g, TIME, "");

	*time = NAN;
	if (stamp.n)
		return real_of(stamp, time) || iso_time(stamp, time);
	if (at.n == 0)
		return true;
	(void)snprintf(text, sizeof(text), "%.*s %.*s", (int)date.n, date.p, (int)at.n, at.p);
	if (!iso_time(span_of(text), time))
		return false;
	if (g->at[DATE] < g->row.n)
		return true;
	while (*time < g->last - DAY_S / 2.0) /* past midnight */
		*time += DAY_S;
	g->last = *time;
	return true;
}

/* "card0", "GPU[0]", "0": its number; others as they are. */
static struct span gpu_name(struct span t)
{
	size_t i = FIRST(k, t.n, is_digit(t.p[k])), n = FIRST_FROM(k, i, t.n, !is_digit(t.p[k]));

	if (n > i && (n == t.n || (n + 1 == t.n && t.p[n] == ']')))
		return (struct span){ t.p + i, n - i };
	return t;
}

/* "3.0/191.7 GB": what is used, and how much there is. */
static bool take_share(struct smi_table *g, struct span cell)
{
	struct span of, all;
	enum measure m = MEASURE_GIB;
	double used, total;

	if (!span_cut(cell, '/', &of, &all) || !smi_cell(all, &total, &m) ||
		!smi_cell(of, &used, &m))
		return false;
	smi_rows_put(&g->rows, SPAN("memory.used"), m, used);
	smi_rows_put(&g->rows, SPAN("memory.total"), m, total);
	return true;
}

static void take_cell(struct smi_table *g, size_t i, struct span cell)
{
	enum measure m = g->unit[i];
	double v;

	if (g->name[i] && !take_share(g, cell) && smi_cell(cell, &v, &m))
		smi_rows_put(&g->rows, span_of(g->name[i]), m, v);
}

static bool begin_row(struct smi_table *g, size_t shift, double time)
{
	size_t at = g->at[GPU] < g->row.n ? g->at[GPU] + shift : SIZE_MAX;
	struct span gpu = at < g->row.n ? g->row.cell[at] : SPAN("0");
	struct span what = g->row.cell[0], pid = cell_of(g, PID, ""), of = cell_of(g, COMMAND, "");
	char group[SMI_ROWS_GROUP];

	if (g->is->is_named && !span_is(what, "GPU"))
		(void)snprintf(group, sizeof(group), "%.*s %.*s", (int)MIN(what.n, 32), what.p,
			(int)MIN(g->row.cell[1].n, 32), g->row.cell[1].p);
	else if (g->is->is_processes && pid.n)
		(void)snprintf(group, sizeof(group), "GPU %.*s, pid %.*s %.*s", (int)MIN(gpu.n, 16),
			gpu.p, (int)pid.n, pid.p, (int)of.n, of.p);
	else
		return smi_rows_begin(&g->rows, gpu_name(gpu), time);
	return smi_rows_begin(&g->rows, span_of(group), time);
}

/* Cells stand below their headings from the left, behind the two words of a name one further to the
 * right; where a cell fell apart (numbers of PCI devices), from the right. */
static bool take_row(struct smi_table *g)
{
	const struct csv_row *c = &g->row;
	size_t shift = g->is->is_named;
	double time;

	if (c->n < g->n + shift ||
		(!g->is->is_wide && !g->is->is_processes && c->n != g->n + shift))
		return false;
	size_t more = g->is->is_processes ? 0 : c->n - g->n;
	if (c->cell[shift].n == 0 || !is_digit(c->cell[shift].p[0]) || !time_of(g, &time))
		return false;
	if (g->is->is_processes && span_is(cell_of(g, PID, ""), "-"))
		return true; /* a GPU without processes */
	if (!begin_row(g, shift, time))
		return true;
	for (size_t i = 0; i < g->n; i++)
		take_cell(g, i, c->cell[i < 1 && !shift ? i : i + more]);
	return true;
}

static enum took take_line(void *ctx, struct span line, const struct lines *l UNUSED)
{
	struct smi_table *g = ctx;
	bool has_commas;

	line = span_trim(line);
	if (line.n == 0)
		return TOOK;
	if (is_heading(g->is, line, &g->row, &has_commas)) {
		g->has_commas = has_commas;
		take_heading(g, &g->row);
		return TOOK;
	}
	if (g->n && g->is->is_marked && line.p[0] == '#') {
		split(span_from(line, 1), g->has_commas, g->is->is_wide, &g->row);
		take_units(g, &g->row);
		return TOOK;
	}
	split(line, g->has_commas, g->is->is_wide, &g->row);
	/* Without a digit it goes with the heading: "ID", "(DID, GUID)", "====". */
	if (g->n && (take_row(g) || !ANY(i, line.n, is_digit(line.p[i]))))
		return TOOK;
	return !g->n || g->is->is_wide ? TOOK_OTHER : TOOK_ALIEN;
}

static void begin(void *state, const void *monitor)
{
	struct smi_table *g = state;

	g->is = monitor;
	g->last = -INFINITY;
	g->rows.is_of_others = g->is->is_processes;
}

#define MONITOR(kind, which, words, about)                      \
	static enum match probe_##which(const struct head *h)   \
	{                                                       \
		return probe_of(&monitor_##which, h);           \
	}                                                       \
	const struct artifact artifact_##kind = {               \
		.name = #kind,                                  \
		.title = words,                                 \
		.summary = about,                               \
		.is_log = true,                                 \
		.probe = probe_##which,                         \
		TAKES_LINES(struct smi_table, take_line),       \
		.begin = begin,                                 \
		.form = &monitor_##which,                       \
		.alien = SMI_ALIEN,                             \
		.other = "line{|s} around the table, not read", \
		.none = SMI_NONE,                               \
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
