/*
 * AMD's monitors, rocm-smi and amd-smi.  Source: their own output.
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
 * and what amd-smi says of ending it stand between them.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/monitors/smi_rows.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/text/iso_time.h"
#include "analyze/input/text/json_text.h"
#include "analyze/input/text/jsondoc_check.h"
#include "analyze/input/text/num.h"
#include "base/ascii.h"
#include "base/base.h"
#include "base/plural.h"

/* --- what they call their figures, in CSV and JSON alike --- */

/* rocm-smi: headings are sentences. */
static const struct smi_word rocm_words[] = {
	{ "GPU use (%)", "utilization.gpu", MEASURE_PERCENT },
	{ "GPU memory use (%)", "utilization.memory", MEASURE_PERCENT },
	{ "GPU Memory Read/Write Activity (%)", "utilization.memory", MEASURE_PERCENT },
	{ "GPU Memory Allocated (VRAM%)", "memory.used_percent", MEASURE_PERCENT },
	{ "VRAM Total Memory (B)", "memory.total", MEASURE_BYTE },
	{ "VRAM Total Used Memory (B)", "memory.used", MEASURE_BYTE },
	{ "VRAM Total (B)", "memory.total", MEASURE_BYTE },
	{ "VRAM Used (B)", "memory.used", MEASURE_BYTE },
	{ "Average Graphics Package Power (W)", "power.draw", MEASURE_WATT },
	{ "Current Socket Graphics Package Power (W)", "power.draw", MEASURE_WATT },
	{ "Power (W)", "power.draw", MEASURE_WATT },
	{ "Max Graphics Package Power (W)", "power.limit", MEASURE_WATT },
	{ "Temperature (Sensor edge) (C)", "temperature.gpu", MEASURE_CELSIUS },
	{ "Temperature (Sensor junction) (C)", "temperature.junction", MEASURE_CELSIUS },
	{ "Temperature (Sensor memory) (C)", "temperature.memory", MEASURE_CELSIUS },
	{ "sclk clock speed:", "clocks.sm", MEASURE_MHZ },
	{ "mclk clock speed:", "clocks.mem", MEASURE_MHZ },
};

/* amd-smi, whose headings are words without units: those of its JSON. */
static const struct smi_word amd_words[] = {
	{ "power_usage", "power.draw", MEASURE_WATT },
	{ "power_cap", "power.limit", MEASURE_WATT },
	{ "socket_power", "power.draw", MEASURE_WATT },
	{ "current_socket_power", "power.draw", MEASURE_WATT },
	{ "average_socket_power", "power.draw.average", MEASURE_WATT },
	{ "hotspot_temperature", "temperature.gpu", MEASURE_CELSIUS },
	{ "hotspot", "temperature.junction", MEASURE_CELSIUS },
	{ "edge", "temperature.gpu", MEASURE_CELSIUS },
	{ "memory_temperature", "temperature.memory", MEASURE_CELSIUS },
	{ "gfx_clk", "clocks.sm", MEASURE_MHZ },
	{ "gfx_clock", "clocks.sm", MEASURE_MHZ },
	{ "gfx_0_clk", "clocks.sm", MEASURE_MHZ },
	{ "mem_clock", "clocks.mem", MEASURE_MHZ },
	{ "mem_0_clk", "clocks.mem", MEASURE_MHZ },
	{ "gfx", "utilization.gpu", MEASURE_PERCENT },
	{ "gfx_activity", "utilization.gpu", MEASURE_PERCENT },
	{ "umc_activity", "utilization.memory", MEASURE_PERCENT },
	{ "mem", "utilization.memory", MEASURE_PERCENT },
	{ "encoder", "utilization.encoder", MEASURE_PERCENT },
	{ "decoder", "utilization.decoder", MEASURE_PERCENT },
	{ "vram_used", "memory.used", MEASURE_MIB },
	{ "vram_free", "memory.free", MEASURE_MIB },
	{ "vram_total", "memory.total", MEASURE_MIB },
	{ "used_vram", "memory.used", MEASURE_MIB },
	{ "free_vram", "memory.free", MEASURE_MIB },
	{ "total_vram", "memory.total", MEASURE_MIB },
	{ "vram_percent", "memory.used_percent", MEASURE_PERCENT },
};

/* Of amd-smi metric --json, whose groups have changed names; a group is an object. */
static const struct smi_word amd_paths[] = {
	{ "usage.gfx_activity", "utilization.gpu", MEASURE_PERCENT },
	{ "usage.umc_activity", "utilization.memory", MEASURE_PERCENT },
	{ "power.socket_power", "power.draw", MEASURE_WATT },
	{ "power.current_socket_power", "power.draw", MEASURE_WATT },
	{ "power.current_power", "power.draw", MEASURE_WATT },
	{ "power.average_socket_power", "power.draw.average", MEASURE_WATT },
	{ "power.power_limit", "power.limit", MEASURE_WATT },
	{ "clock.gfx_0.clk", "clocks.sm", MEASURE_MHZ },
	{ "clock.mem_0.clk", "clocks.mem", MEASURE_MHZ },
	{ "temperature.edge", "temperature.gpu", MEASURE_CELSIUS },
	{ "temperature.hotspot", "temperature.junction", MEASURE_CELSIUS },
	{ "temperature.mem", "temperature.memory", MEASURE_CELSIUS },
	{ "mem_usage.total_vram", "memory.total", MEASURE_MIB },
	{ "mem_usage.used_vram", "memory.used", MEASURE_MIB },
	{ "mem_usage.free_vram", "memory.free", MEASURE_MIB },
	{ "fb_usage.total_vram", "memory.total", MEASURE_MIB },
	{ "fb_usage.used_vram", "memory.used", MEASURE_MIB },
	{ "fan.usage", "fan.speed", MEASURE_PERCENT },
};

/* rocm-smi's: "GPU use (%)"; NULL: of no interest. */
static const struct smi_word *smi_amd_rocm(struct span word)
{
	return smi_word_find(rocm_words, COUNT_OF(rocm_words), word);
}

/* amd-smi's, of CSV and of monitor: "gfx_activity"; of its JSON, by path: "usage.gfx_activity". */
static const struct smi_word *smi_amd_word(struct span word)
{
	return smi_word_find(amd_words, COUNT_OF(amd_words), word);
}

static const struct smi_word *smi_amd_path(struct span path)
{
	return smi_word_find(amd_paths, COUNT_OF(amd_paths), path);
}

/* Seconds since 1970, or a date; false: it is neither. */
static bool smi_amd_time(struct span t, double *time)
{
	return real_of(t, time) || iso_time(t, time);
}

/* "card3" is 3; what is no card stays. */
static struct span smi_amd_gpu(struct span t)
{
	if (span_starts(t, "card") && t.n > 4)
		return (struct span){ t.p + 4, t.n - 4 };
	return t;
}

/* --- CSV --- */

enum { LINES_LOOKED_AT = 40, COLUMNS_MAX = 512 };

struct amd_csv {
	struct reading *in;
	struct smi_rows rows;
	size_t n, gpu, time;
	const struct smi_word *word[COLUMNS_MAX];
	bool has_temperature; /* of the edge, not of the hottest place alone */
	struct untaken untaken;
	int64_t unused;
};

static const struct smi_word *word_of(bool is_rocm, struct span heading)
{
	return is_rocm ? smi_amd_rocm(heading) : smi_amd_word(heading);
}

/* The column that names the GPU; SIZE_MAX: the row is no heading. */
static size_t heading_of(const struct csv_row *row, bool *is_rocm)
{
	size_t gpu = SIZE_MAX, known = 0;

	for (size_t i = 0; i < row->n && gpu == SIZE_MAX; i++)
		if (span_is(row->cell[i], "device") || span_is(row->cell[i], "gpu"))
			gpu = i;
	if (gpu == SIZE_MAX || gpu > 2)
		return SIZE_MAX;
	*is_rocm = span_is(row->cell[gpu], "device");
	for (size_t i = 0; i < row->n; i++)
		known += word_of(*is_rocm, row->cell[i]) != NULL;
	return known > 0 ? gpu : SIZE_MAX;
}

static bool is_heading_line(struct span line)
{
	struct csv_row row;
	bool is_rocm;

	if ((!span_has(line, "device,") && !span_has(line, "gpu,")) || line.p[0] == '#')
		return false;
	csv_split(line, ',', &row, NULL);
	return heading_of(&row, &is_rocm) != SIZE_MAX;
}

static enum match probe_csv(const struct head *h)
{
	return head_has_line(h, LINES_LOOKED_AT, is_heading_line);
}

static void take_heading(struct amd_csv *g, const struct csv_row *row, size_t gpu, bool is_rocm)
{
	bool is_metric = false;

	g->n = MIN(row->n, COLUMNS_MAX);
	g->gpu = gpu;
	g->time = SIZE_MAX;
	g->has_temperature = false;
	g->unused = 0;
	for (size_t i = 0; i < g->n; i++)
		is_metric = is_metric || span_is(row->cell[i], "gfx_activity");
	for (size_t i = 0; i < g->n; i++) {
		struct span t = row->cell[i];

		g->word[i] = word_of(is_rocm, t);
		if (is_metric && span_is(t, "mem")) /* there a temperature */
			g->word[i] = smi_amd_word(SPAN("memory_temperature"));
		if (span_is_nocase(t, "timestamp") || span_is_nocase(t, "time"))
			g->time = i;
		else if (!g->word[i] && i != gpu)
			g->unused++;
		if (g->word[i] && strcmp(g->word[i]->name, "temperature.gpu") == 0)
			g->has_temperature = true;
	}
}

static bool take_row(struct amd_csv *g, const struct csv_row *row)
{
	double time = NAN, v;

	if (g->n == 0 || row->n != g->n || !is_digit(smi_amd_gpu(row->cell[g->gpu]).p[0]) ||
		(g->time < row->n && !smi_amd_time(row->cell[g->time], &time)))
		return false;
	if (!smi_rows_begin(&g->rows, smi_amd_gpu(row->cell[g->gpu]), time))
		return true;
	for (size_t i = 0; i < g->n; i++) {
		const struct smi_word *word = g->word[i];
		enum measure m = word ? word->measure : MEASURE_NONE;
		struct span name = SPAN("temperature.gpu");

		if (!word || !smi_cell(row->cell[i], &v, &m))
			continue;
		if (g->has_temperature || strcmp(word->name, "temperature.junction") != 0)
			name = span_of(word->name);
		smi_rows_put(&g->rows, name, m, v);
	}
	return true;
}

static void say(struct amd_csv *g)
{
	reading_untaken(g->in, &g->untaken, "line{ is|s are} not like the others, passed over",
		"line{|s} before the table, not read");
	if (g->unused)
		reading_note(g->in, NOTE_INFO, "metrics_unused", g->unused, -1,
			"%" PRId64 " column%s not used: what GPUs did, took and had is", g->unused,
			plural(g->unused, " is", "s are"));
}

static enum status read_csv(struct reading *in, struct err *e)
{
	struct amd_csv *g = arena_alloc(&in->mem, sizeof(*g));
	struct untaken *not = &g->untaken;
	struct csv csv;

	g->in = in;
	g->rows.in = in;
	csv_open(&csv, in);
	while (csv_next(&csv)) {
		bool is_rocm;
		size_t gpu = heading_of(&csv.row, &is_rocm);
		int64_t before = not ->alien.n;

		if (gpu != SIZE_MAX)
			take_heading(g, &csv.row, gpu, is_rocm);
		else if (!take_row(g, &csv.row))
			passed_add(g->n == 0 ? &not ->other : &not ->alien, csv.offset);
		not ->is_torn = csv.lines.is_torn && not ->alien.n > before;
	}
	enum status st = csv_end(&csv, e);
	reading_artifact(in)->rows = g->rows.rows;
	say(g);
	if (st == OK && g->rows.rows == 0)
		return err_set(e, E_NODATA, 0, "no sample in it: a heading only");
	return st;
}

const struct artifact artifact_smi_amd_csv = {
	.name = "smi_amd_csv",
	.title = "samples of rocm-smi or amd-smi (CSV)",
	.summary = "rocm-smi --csv, amd-smi monitor --csv, amd-smi metric --csv",
	.is_log = true,
	.probe = probe_csv,
	.read = read_csv,
};

enum { PATH_MAX_BYTES = 96, GROUPS_DEEP = 3 };

static const char metric_keys[] = "usage power clock temperature mem_usage fb_usage";
static const char monitor_keys[] =
	"power_usage hotspot_temperature gfx gfx_clk mem_clock vram_used vram_total";
static const char rocm_marks[] = "(%)\" (W)\" (C)\" (c)\" (B)\" (VRAM%)\" speed:\"";

/* --- JSON: what it is --- */

/* "card0" */
static bool is_card(struct span key)
{
	struct span number = smi_amd_gpu(key);

	return number.n < key.n && is_digit(number.p[0]);
}

/* Any of the marks, which have a blank between them. */
static bool has_mark(struct span text, const char *marks)
{
	char mark[16];
	size_t n;

	for (; *marks; marks += n + (marks[n] == ' ')) {
		n = strcspn(marks, " ");
		memcpy(mark, marks, n);
		mark[n] = '\0';
		if (span_has(text, mark))
			return true;
	}
	return false;
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
			*text = (struct span){ t.p, (size_t)(here.p + here.n - t.p) };
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
		has_mark(h->text, rocm_marks) && span_has(h->text, "\"card");
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

static struct span name_of(const struct amd_json *g, const struct smi_word *word)
{
	if (!g->has_edge && strcmp(word->name, "temperature.junction") == 0)
		return SPAN("temperature.gpu");
	return span_of(word->name);
}

/* 90, "90", "N/A", or {"value": 90, "unit": "%"}. */
static void put(struct amd_json *g, const struct smi_word *word, struct json_value v)
{
	enum measure m = word->measure;
	struct json_value unit = { .type = JSON_NONE };
	double number;

	if (!g->has_edge && strstr(word->word, "edge"))
		return;
	if (v.type == JSON_OBJECT) {
		unit = json_get(v, "unit");
		v = json_get(v, "value");
	}
	if ((v.type != JSON_NUMBER && v.type != JSON_STRING) || !smi_cell(v.text, &number, &m))
		return;
	if (unit.type == JSON_STRING && measure_of_unit(unit.text) != MEASURE_NONE)
		m = measure_of_unit(unit.text);
	smi_rows_put(&g->rows, name_of(g, word), m, number);
}

/* The members of a GPU's object of amd-smi, and of its groups; path: of the group, and a dot. */
static void put_members(struct amd_json *g, struct json_value object, const char *path, int deep)
{
	char own[PATH_MAX_BYTES];
	size_t n = strlen(path);

	memcpy(own, path, n);
	for (struct json_items it = json_items(object); json_more(&it);) {
		if (it.key.n + n + 2 > sizeof(own))
			continue;
		memcpy(own + n, it.key.p, it.key.n);
		own[n + it.key.n] = '\0';
		const struct smi_word *word = n ? smi_amd_path(span_of(own)) : smi_amd_word(it.key);
		if (word) {
			put(g, word, it.v);
		} else if (it.v.type == JSON_OBJECT && json_get(it.v, "value").type == JSON_NONE) {
			own[n + it.key.n] = '.';
			own[n + it.key.n + 1] = '\0';
			if (deep < GROUPS_DEEP)
				put_members(g, it.v, own, deep + 1);
		} else if (n > 0 || (!span_is(it.key, "gpu") && !span_is(it.key, "timestamp"))) {
			g->unused++;
		}
	}
}

static bool is_number(struct json_value v)
{
	enum measure m = MEASURE_NONE;
	double number;

	if (v.type == JSON_OBJECT)
		v = json_get(v, "value");
	return (v.type == JSON_NUMBER || v.type == JSON_STRING) && smi_cell(v.text, &number, &m) &&
		!isnan(number);
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
	put_members(g, gpu, "", 0);
}

/* What the card is called; older ones say its number there. */
static void describe(struct amd_json *g, struct span key, struct json_value v)
{
	struct span none = { "", 0 };

	if (v.type != JSON_STRING || span_starts(v.text, "0x") || span_is_nocase(v.text, "N/A"))
		return;
	if (span_is_nocase(key, "Card Series") || span_is_nocase(key, "Device Name"))
		smi_rows_describe(&g->rows, jsondoc_text(g->in, v), none);
}

static void take_card(struct amd_json *g, struct span name, struct json_value card)
{
	if (card.type != JSON_OBJECT || !smi_rows_begin(&g->rows, smi_amd_gpu(name), NAN))
		return;
	g->unused = 0;
	g->has_edge = is_number(json_get(card, "Temperature (Sensor edge) (C)")) ||
		is_number(json_get(card, "Temperature (Sensor edge) (c)"));
	for (struct json_items it = json_items(card); json_more(&it);) {
		const struct smi_word *word = smi_amd_rocm(it.key);

		describe(g, it.key, it.v);
		if (word)
			put(g, word, it.v);
		else
			g->unused++;
	}
}

static void take_document(struct amd_json *g, struct json_value doc)
{
	struct json_value list = doc, v;
	struct span key;

	if (doc.type == JSON_OBJECT)
		list = json_get(doc, "gpu_data");
	struct span it = list.text;
	while (list.type == JSON_ARRAY && json_next(&it, &key, &v))
		take_amd(g, v);
	it = doc.text;
	while (doc.type == JSON_OBJECT && list.type == JSON_NONE && json_next(&it, &key, &v))
		if (is_card(key))
			take_card(g, key, v);
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
		text = (struct span){ text.p + end, text.n - end };
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
	reading_artifact(in)->rows = g->rows.rows;
	if (g->other)
		reading_note(in, NOTE_INFO, "other_lines", g->other, -1,
			"%" PRId64 " line%s around the documents, not read", g->other,
			plural_s(g->other));
	if (g->unused)
		reading_note(in, NOTE_INFO, "metrics_unused", g->unused, -1,
			"%" PRId64 " member%s of a GPU %s not used: what GPUs did, took and had is",
			g->unused, plural_s(g->unused), plural(g->unused, "is", "are"));
	if (g->rows.rows == 0)
		return err_set(e, E_NODATA, 0, "no sample in it: no GPU says anything");
	return OK;
}

const struct artifact artifact_smi_json = {
	.name = "smi_json",
	.title = "samples of rocm-smi or amd-smi (JSON)",
	.summary = "rocm-smi --json, amd-smi metric --json, amd-smi monitor --json",
	.is_log = true,
	.probe = probe_json,
	.read = read_json,
};
