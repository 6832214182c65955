/* AMD's monitors, rocm-smi and amd-smi.  Source: their own output.
 *
 * CSV (rocm-smi --csv, amd-smi monitor --csv, amd-smi metric --csv): a heading, maybe again and
 * again, a row a GPU; warnings stand in front.  JSON (rocm-smi --json, amd-smi metric --json,
 * amd-smi monitor --json):
 *
 *	{"card0": {"GPU use (%)": "90", ...}, "system": {...}}             rocm-smi
 *	[{"gpu": 0, "usage": {"gfx_activity": {"value": 90, ...}}, ...}]    amd-smi metric
 *	{"gpu_data": [{"gpu": 0, "usage": {...}, ...}]}                     the same, newer
 *	[{"gpu": 0, "gfx": {"value": 90, "unit": "%"}, ...}]                amd-smi monitor
 *
 * One document a sample, one after the other where they were asked for again and again; warnings
 * and what amd-smi says of ending it stand between them. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/monitors/smi_rows.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/text/iso_time.h"
#include "analyze/input/text/json_text.h"
#include "analyze/input/text/jsondoc_check.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

/* --- what they call their figures, in CSV and JSON alike --- */

/* rocm-smi: headings are sentences. */
static const struct smi_word rocm_words[] = {
	{ "GPU use (%)", "utilization.gpu", MEASURE_PERCENT },
	{ "GPU memory use (%)|GPU Memory Read/Write Activity (%)", "utilization.memory",
		MEASURE_PERCENT },
	{ "GPU Memory Allocated (VRAM%)", "memory.used_percent", MEASURE_PERCENT },
	{ "VRAM Total Memory (B)|VRAM Total (B)", "memory.total", MEASURE_BYTE },
	{ "VRAM Total Used Memory (B)|VRAM Used (B)", "memory.used", MEASURE_BYTE },
	{ "Average Graphics Package Power (W)|Current Socket Graphics Package Power (W)|Power (W)",
		"power.draw", MEASURE_WATT },
	{ "Max Graphics Package Power (W)", "power.limit", MEASURE_WATT },
	{ "Temperature (Sensor edge) (C)", "temperature.gpu", MEASURE_CELSIUS },
	{ "Temperature (Sensor junction) (C)", "temperature.junction", MEASURE_CELSIUS },
	{ "Temperature (Sensor memory) (C)", "temperature.memory", MEASURE_CELSIUS },
	{ "sclk clock speed:", "clocks.sm", MEASURE_MHZ },
	{ "mclk clock speed:", "clocks.mem", MEASURE_MHZ },
};

/* amd-smi, whose headings are words without units: those of its JSON. */
static const struct smi_word amd_words[] = {
	{ "power_usage|socket_power|current_socket_power", "power.draw", MEASURE_WATT },
	{ "power_cap", "power.limit", MEASURE_WATT },
	{ "average_socket_power", "power.draw.average", MEASURE_WATT },
	{ "hotspot_temperature", "temperature.gpu", MEASURE_CELSIUS },
	{ "edge", "temperature.gpu", MEASURE_CELSIUS },
	{ "hotspot", "temperature.junction", MEASURE_CELSIUS },
	{ "memory_temperature", "temperature.memory", MEASURE_CELSIUS },
	{ "gfx_clk|gfx_clock|gfx_0_clk", "clocks.sm", MEASURE_MHZ },
	{ "mem_clock|mem_0_clk", "clocks.mem", MEASURE_MHZ },
	{ "gfx|gfx_activity", "utilization.gpu", MEASURE_PERCENT },
	{ "umc_activity|mem", "utilization.memory", MEASURE_PERCENT },
	{ "encoder", "utilization.encoder", MEASURE_PERCENT },
	{ "decoder", "utilization.decoder", MEASURE_PERCENT },
	{ "vram_used|used_vram", "memory.used", MEASURE_MIB },
	{ "vram_free|free_vram", "memory.free", MEASURE_MIB },
	{ "vram_total|total_vram", "memory.total", MEASURE_MIB },
	{ "vram_percent", "memory.used_percent", MEASURE_PERCENT },
};

/* Of amd-smi metric --json, whose groups have changed names.  A group is an object. */
static const struct smi_word amd_paths[] = {
	{ "usage.gfx_activity", "utilization.gpu", MEASURE_PERCENT },
	{ "usage.umc_activity", "utilization.memory", MEASURE_PERCENT },
	{ "power.socket_power|power.current_socket_power|power.current_power", "power.draw",
		MEASURE_WATT },
	{ "power.average_socket_power", "power.draw.average", MEASURE_WATT },
	{ "power.power_limit", "power.limit", MEASURE_WATT },
	{ "clock.gfx_0.clk", "clocks.sm", MEASURE_MHZ },
	{ "clock.mem_0.clk", "clocks.mem", MEASURE_MHZ },
	{ "temperature.edge", "temperature.gpu", MEASURE_CELSIUS },
	{ "temperature.hotspot", "temperature.junction", MEASURE_CELSIUS },
	{ "temperature.mem", "temperature.memory", MEASURE_CELSIUS },
	{ "mem_usage.total_vram|fb_usage.total_vram", "memory.total", MEASURE_MIB },
	{ "mem_usage.used_vram|fb_usage.used_vram", "memory.used", MEASURE_MIB },
	{ "mem_usage.free_vram", "memory.free", MEASURE_MIB },
	{ "fan.usage", "fan.speed", MEASURE_PERCENT },
};

/* What a figure is called; where the edge has no sensor, the hottest place is the GPU's. */
static struct span name_of(const struct smi_word *word, bool has_edge)
{
	return span_of(has_edge || strcmp(word->name, "temperature.junction") != 0
			? word->name
			: "temperature.gpu");
}

/* Seconds since 1970, or a date; false: it is neither. */
static bool smi_amd_time(struct span t, double *time)
{
	return real_of(t, time) || iso_time(t, time);
}

/* "card3" is 3.  What is no card stays. */
static struct span smi_amd_gpu(struct span t)
{
	return span_starts(t, "card") && t.n > 4 ? span_from(t, 4) : t;
}

/* --- CSV --- */

enum { LINES_LOOKED_AT = 40, COLUMNS_MAX = 512 };

struct amd_csv {
	struct smi_rows rows;
	size_t n, gpu, time;
	const struct smi_word *word[COLUMNS_MAX];
	bool has_edge; /* a sensor there, not in the hottest place alone */
	int64_t unused;
};

static const struct smi_word *word_of(bool is_rocm, struct span heading)
{
	return is_rocm ? SMI_WORD(rocm_words, heading) : SMI_WORD(amd_words, heading);
}

/* The column that names the GPU; SIZE_MAX: the row is no heading. */
static size_t heading_of(const struct csv_row *row, bool *is_rocm)
{
	size_t gpu = FIRST(i, row->n, span_in(row->cell[i], "device|gpu"));

	if (gpu == row->n || gpu > 2)
		return SIZE_MAX;
	*is_rocm = span_is(row->cell[gpu], "device");
	return ANY(i, row->n, word_of(*is_rocm, row->cell[i])) ? gpu : SIZE_MAX;
}

static bool is_heading_line(struct span line)
{
	struct csv_row row;
	bool is_rocm;

	if (!span_has_in(line, "device,|gpu,") || line.p[0] == '#')
		return false;
	csv_split(line, ',', &row, NULL);
	return heading_of(&row, &is_rocm) != SIZE_MAX;
}

static void take_heading(struct amd_csv *g, const struct csv_row *row, size_t gpu, bool is_rocm)
{
	bool is_metric = csv_column(row, "gfx_activity") != SIZE_MAX;

	g->n = MIN(row->n, COLUMNS_MAX);
	g->gpu = gpu;
	g->time = SIZE_MAX;
	g->has_edge = false;
	g->unused = 0;
	for (size_t i = 0; i < g->n; i++) {
		struct span t = row->cell[i];

		g->word[i] = word_of(is_rocm, t);
		if (is_metric && span_is(t, "mem")) /* there a temperature */
			g->word[i] = SMI_WORD(amd_words, SPAN("memory_temperature"));
		if (span_in_nocase(t, "timestamp|time"))
			g->time = i;
		else if (!g->word[i] && i != gpu)
			g->unused++;
		if (g->word[i] && strcmp(g->word[i]->name, "temperature.gpu") == 0)
			g->has_edge = true;
	}
}

static enum took take_row(void *ctx, struct csv_row *row)
{
	struct amd_csv *g = ctx;
	double time = NAN, v;
	bool is_rocm;
	size_t at = heading_of(row, &is_rocm);

	if (at != SIZE_MAX) {
		take_heading(g, row, at, is_rocm);
		return TOOK;
	}
	if (g->n == 0)
		return TOOK_OTHER;
	struct span gpu = row->n == g->n ? smi_amd_gpu(row->cell[g->gpu]) : SPAN("");
	if (gpu.n == 0 || !is_digit(gpu.p[0]) ||
		(g->time < row->n && !smi_amd_time(row->cell[g->time], &time)))
		return TOOK_ALIEN;
	for (size_t i = smi_rows_begin(&g->rows, gpu, time) ? 0 : g->n; i < g->n; i++) {
		const struct smi_word *word = g->word[i];
		enum measure m = word ? word->measure : MEASURE_NONE;

		if (word && smi_cell(row->cell[i], &v, &m))
			smi_rows_put(&g->rows, name_of(word, g->has_edge), m, v);
	}
	return TOOK;
}

static void end_csv(void *state)
{
	const struct amd_csv *g = state;

	reading_passed(g->rows.in, NOTE_INFO, "metrics_unused", &(struct passed){ g->unused, -1 },
		"column{ is|s are} not used: what GPUs did, took and had is");
}

const struct artifact artifact_smi_amd_csv = {
	.name = "smi_amd_csv",
	.title = "samples of rocm-smi or amd-smi (CSV)",
	.summary = "rocm-smi --csv, amd-smi monitor --csv, amd-smi metric --csv",
	.is_log = true,
	.line = is_heading_line,
	.lines = LINES_LOOKED_AT,
	TAKES_ROWS(struct amd_csv, take_row),
	.end = end_csv,
	.alien = SMI_ALIEN,
	.other = "line{|s} before the table, not read",
	.none = SMI_NONE,
};

enum { GROUPS_DEEP = 3 };

static const char metric_keys[] = "usage power clock temperature mem_usage fb_usage";
static const char monitor_keys[] =
	"power_usage hotspot_temperature gfx gfx_clk mem_clock vram_used vram_total";
static const char rocm_marks[] = "(%)\"|(W)\"|(C)\"|(c)\"|(B)\"|(VRAM%)\"|speed:\"";

/* --- JSON: what it is --- */

/* "card0" */
static bool is_card(struct span key)
{
	struct span number = smi_amd_gpu(key);

	return number.n < key.n && is_digit(number.p[0]);
}

/* Where the first document begins: at a bracket at the beginning of a line.  False: nowhere. */
static bool find_document(struct span *text, int lines, int64_t *passed)
{
	struct span line, rest = *text;

	for (; lines != 0 && rest.n > 0; lines -= lines > 0) {
		struct span here = rest;

		(void)span_line(&rest, &line);
		struct span t = span_trim(line);
		if (t.n && (t.p[0] == '{' || t.p[0] == '[') && !head_is_logged(t)) {
			*text = span_between(t.p, here.p + here.n);
			return true;
		}
		*passed += t.n > 0;
	}
	*text = rest;
	return false;
}

static bool is_document(const struct head *h)
{
	if (h->nkey == 0)
		return false;
	if (h->form == HEAD_ARRAY)
		return head_has(h, "gpu") &&
			(head_count(h, metric_keys) > 0 || head_count(h, monitor_keys) > 0);
	if (h->form != HEAD_OBJECT && h->form != HEAD_LINES)
		return false;
	if (head_has(h, "gpu_data"))
		return head_mentions(h, metric_keys);
	return (is_card(h->key[0]) || span_is(h->key[0], "system")) &&
		span_has_in(h->text, rocm_marks) && span_has(h->text, "\"card");
}

static enum match probe_json(const struct head *h)
{
	struct span text = h->text;
	struct head behind;
	int64_t passed = 0;

	if (h->form != HEAD_TEXT)
		return is_document(h) ? MATCH_STRONG : MATCH_NO;
	if (!find_document(&text, LINES_LOOKED_AT, &passed))
		return MATCH_NO;
	head_look(&behind, text, h->is_whole);
	return is_document(&behind) ? MATCH_STRONG : MATCH_NO;
}

/* --- samples --- */

struct amd_json {
	struct reading *in;
	struct smi_rows rows;
	bool has_edge; /* of the GPU at hand: its edge has a sensor, not its hottest place alone */
	int64_t unused, other;
};

/* 90, "90", "N/A", or {"value": 90, "unit": "%"}.  False: it is something else. */
static bool figure_of(struct json_value v, enum measure *m, double *number)
{
	struct json_value unit = json_get(v, "unit");

	if (v.type == JSON_OBJECT)
		v = json_get(v, "value");
	if ((v.type != JSON_NUMBER && v.type != JSON_STRING) || !smi_cell(v.text, number, m))
		return false;
	if (unit.type == JSON_STRING && measure_of_unit(unit.text) != MEASURE_NONE)
		*m = measure_of_unit(unit.text);
	return true;
}

static void put(struct amd_json *g, const struct smi_word *word, struct json_value v)
{
	enum measure m = word->measure;
	double number;

	if ((g->has_edge || !strstr(word->words, "edge")) && figure_of(v, &m, &number))
		smi_rows_put(&g->rows, name_of(word, g->has_edge), m, number);
}

/* The members of a GPU's object of amd-smi, and of its groups, which are at that path. */
static void put_members(struct amd_json *g, struct json_value object, struct span path, int deep)
{
	struct arena_mark mark = arena_mark(&g->in->mem);

	for (struct json_items it = json_items(object); json_more(&it);
		arena_reset(&g->in->mem, mark)) {
		struct span own = jsondoc_key(g->in, path, it.key);
		const struct smi_word *word =
			path.n ? SMI_WORD(amd_paths, own) : SMI_WORD(amd_words, own);

		if (word)
			put(g, word, it.v);
		else if (it.v.type == JSON_OBJECT && json_get(it.v, "value").type == JSON_NONE) {
			if (deep < GROUPS_DEEP)
				put_members(g, it.v, own, deep + 1);
		} else if (path.n > 0 || !span_in(it.key, "gpu|timestamp"))
			g->unused++;
	}
}

static bool is_number(struct json_value v)
{
	enum measure m = MEASURE_NONE;
	double number;

	return figure_of(v, &m, &number) && !isnan(number);
}

static void take_amd(struct amd_json *g, struct json_value gpu)
{
	double time = NAN;

	if (gpu.type != JSON_OBJECT)
		return;
	struct json_value id = json_get(gpu, "gpu");
	struct json_value when = json_get(gpu, "timestamp");
	if ((id.type != JSON_NUMBER && id.type != JSON_STRING) || id.text.n == 0 ||
		!is_digit(id.text.p[0]))
		return;
	if ((when.type == JSON_NUMBER || when.type == JSON_STRING) &&
		!smi_amd_time(when.text, &time))
		time = NAN;
	if (!smi_rows_begin(&g->rows, id.text, time))
		return;
	g->unused = 0;
	g->has_edge = is_number(json_get(json_get(gpu, "temperature"), "edge"));
	put_members(g, gpu, SPAN(""), 0);
}

/* What the card is called; older ones say its number there. */
static void describe(struct amd_json *g, struct span key, struct json_value v)
{
	if (v.type == JSON_STRING && !span_starts(v.text, "0x") && !span_is_nocase(v.text, "N/A") &&
		span_in_nocase(key, "Card Series|Device Name"))
		smi_rows_describe(&g->rows, jsondoc_text(g->in, v), SPAN(""));
}

static void take_card(struct amd_json *g, struct span name, struct json_value card)
{
	if (card.type != JSON_OBJECT || !smi_rows_begin(&g->rows, smi_amd_gpu(name), NAN))
		return;
	g->unused = 0;
	g->has_edge = is_number(json_get(card, "Temperature (Sensor edge) (C)")) ||
		is_number(json_get(card, "Temperature (Sensor edge) (c)"));
	for (struct json_items it = json_items(card); json_more(&it);) {
		const struct smi_word *word = SMI_WORD(rocm_words, it.key);

		describe(g, it.key, it.v);
		if (word)
			put(g, word, it.v);
		else
			g->unused++;
	}
}

static void take_document(struct amd_json *g, struct json_value doc)
{
	struct json_value list = doc.type == JSON_OBJECT ? json_get(doc, "gpu_data") : doc;

	for (struct json_items it = json_list(list); json_more(&it);)
		take_amd(g, it.v);
	for (struct json_items it = json_members(doc); list.type == JSON_NONE && json_more(&it);)
		if (is_card(it.key))
			take_card(g, it.key, it.v);
}

/* --- the file --- */

/* A document that is broken ends it: what came before it is kept. */
static enum status read_documents(struct amd_json *g, struct span text, struct err *e)
{
	const char *begin = text.p;
	struct span rest;
	size_t end;

	while (find_document(&text, -1, &g->other)) {
		if (jsondoc_check(text, &end, e) != OK) {
			if (e->offset >= 0)
				e->offset += text.p - begin;
			if (g->rows.rows == 0)
				return e->status;
			reading_artifact(g->in)->is_complete = false;
			reading_note(g->in, NOTE_WARNING, "torn_line", 1, text.p - begin,
				"a document is cut off or damaged (%s); it and what is behind it is left "
				"out",
				e->text);
			err_clear(e);
			return OK;
		}
		take_document(g, json_value((struct span){ text.p, end }, &rest));
		text = span_from(text, end);
	}
	return OK;
}

static enum status read_json(struct reading *in, struct err *e)
{
	struct amd_json *g = arena_alloc(&in->mem, sizeof(*g));
	struct span text;

	g->in = in;
	g->rows.in = in;
	TRY(reading_all(in, &text, e));
	TRY(read_documents(g, text, e));
	reading_passed(in, NOTE_INFO, "other_lines", &(struct passed){ g->other, -1 },
		"line{|s} around the documents, not read");
	reading_passed(in, NOTE_INFO, "metrics_unused", &(struct passed){ g->unused, -1 },
		"member{|s} of a GPU {is|are} not used: what GPUs did, took and had is");
	return OK;
}

const struct artifact artifact_smi_json = {
	.name = "smi_json",
	.title = "samples of rocm-smi or amd-smi (JSON)",
	.summary = "rocm-smi --json, amd-smi metric --json, amd-smi monitor --json",
	.is_log = true,
	.probe = probe_json,
	.read = read_json,
	.none = "no sample in it: no GPU says anything",
};
