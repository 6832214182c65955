/*
 * JSON of AMD's monitors: rocm-smi --json, amd-smi metric --json, amd-smi monitor --json.
 *
 *	{"card0": {"GPU use (%)": "90", ...}, "system": {...}}             rocm-smi
 *	[{"gpu": 0, "usage": {"gfx_activity": {"value": 90, ...}}, ...}]    amd-smi metric
 *	{"gpu_data": [{"gpu": 0, "usage": {...}, ...}]}                     the same, newer
 *	[{"gpu": 0, "gfx": {"value": 90, "unit": "%"}, ...}]                amd-smi monitor
 *
 * One document a sample, one after the other where they were asked for again and again; warnings
 * and what amd-smi says of ending it stand between them.
 */
#include <inttypes.h>
#include <math.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/monitors/smi_amd.h"
#include "analyze/input/artifact/monitors/smi_rows.h"
#include "analyze/input/text/json_text.h"
#include "analyze/input/text/jsondoc_check.h"
#include "base/ascii.h"
#include "base/compiler.h"
#include "base/plural.h"

enum { LINES_LOOKED_AT = 40, PATH_MAX_BYTES = 96, GROUPS_DEEP = 3 };

static const char metric_keys[] = "usage power clock temperature mem_usage fb_usage";
static const char monitor_keys[] =
	"power_usage hotspot_temperature gfx gfx_clk mem_clock vram_used vram_total";
static const char rocm_marks[] = "(%)\" (W)\" (C)\" (c)\" (B)\" (VRAM%)\" speed:\"";

/* ---- what it is ---- */

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

static enum match probe(const struct head *h)
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

/* ---- samples ---- */

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

/* ---- the file ---- */

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
	smi_rows_open(&g->rows, in);
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
	.probe = probe,
	.read = read_json,
};
