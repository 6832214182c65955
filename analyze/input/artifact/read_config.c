/* How a run was set up, or where it ran: JSON documents of settings and system information, and run
 * configurations as YAML. */

#include "analyze/trace/figure.h"
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/source/alien.h"
#include "base/yaml.h"

/* --- as JSON --- */

/* Words of settings; three of them, or two in a small document, make a configuration. */
static const char setting_words[] =
	"batch_size learning_rate num_epochs num_steps_per_epoch input_size hidden_size output_size "
	"seed device profiler_enabled max_steps model_name model optimizer lr epochs warmup_steps "
	"gradient_accumulation_steps max_length beta dataset_name dataset num_labels dtype "
	"num_workers training_type lora_r precision";

static const char system_words[] =
	"python_version python torch_version torch cuda_version cuda cuda_available gpu gpus gpu_name "
	"gpu_count platform hostname cpu_count driver_version transformers_version os cudnn_version "
	"memory_gb fingerprint_hash git_commit";

/* What came out of a run, and what only bounds or weighs that. */
static const char outcomes[] =
	"latency|throughput|per_sec|samples/s|tokens/s|step_time|accuracy|ttft|tpot";
static const char bounds[] = "target|max_|min_|threshold|limit|timeout|coef|weight|scale|warmup";

/* A number that says how the run went: settings are beside it, and it is what counts. */
static bool has_outcome(struct json_value doc)
{
	for (struct json_items it = json_members(doc); json_more(&it);) {
		enum metric_role role = metric_role(it.key);
		bool is_outcome = role == ROLE_LOSS || role == ROLE_ACCURACY ||
			role == ROLE_REWARD || role == ROLE_STEP_TIME ||
			span_has_in_nocase(it.key, outcomes);

		if (it.v.type == JSON_NUMBER && is_outcome && !span_has_in_nocase(it.key, bounds))
			return true;
	}
	return false;
}

static enum match probe_json(const struct head *h)
{
	struct span behind;

	if (h->form != HEAD_OBJECT || h->first.type != JSON_OBJECT || head_has(h, "ph"))
		return MATCH_NO;
	if (head_is_row(h, &behind) && behind.n > 0) /* a log that begins with its settings */
		return MATCH_NO;
	size_t n = head_count(h, setting_words);
	if (head_count(h, system_words) > n)
		n = head_count(h, system_words);
	return (n >= 3 || (n == 2 && h->nkey <= 6)) && !has_outcome(h->first) ? MATCH_WEAK
									      : MATCH_NO;
}

static enum status read_config(struct reading *in, struct err *e)
{
	struct record *r = in->record;
	struct json_value doc;

	TRY(jsondoc_read(in, &doc, e));
	jsondoc_members(in,
		head_count(in->head, system_words) > head_count(in->head, setting_words)
			? &r->env
			: &r->config,
		SPAN(""), doc, NULL);
	return OK;
}

const struct artifact artifact_run_config = {
	.name = "run_config",
	.title = "configuration of a run",
	.summary = "config.json, sysinfo.json: settings and surroundings",
	.is_setup = true,
	.probe = probe_json,
	.read = read_config,
};

/* --- as YAML --- */

enum { KEY_BYTES = 512, LINES_LOOKED_AT = 400 };

/* "key:" or "key: value", the key a plain word. */
static bool is_entry(struct span line)
{
	size_t i = FIRST(k, line.n,
		!is_letter(line.p[k]) && !is_digit(line.p[k]) && !strchr("_-.", line.p[k]));

	return i > 0 && i < line.n && (is_letter(line.p[0]) || line.p[0] == '_') &&
		line.p[i] == ':' && (i + 1 == line.n || line.p[i + 1] == ' ');
}

/* "steps: 10 loss: 0.5": a plain value with a colon in it, which YAML has not. */
static bool has_two_colons(struct span line)
{
	const char *end = line.p + line.n, *p = memmem(line.p, line.n, ": ", 2);

	for (p = p ? p + 2 : end; p < end && *p == ' '; p++)
		;
	if (p == end || strchr("'\"[{#|>&*!", *p))
		return false;
	return memmem(p, (size_t)(end - p), ": ", 2) && !memmem(p, (size_t)(end - p), " #", 2);
}

/* The line's key is that of the entry: a log says the same again and again, a document once. */
static bool is_same_key(struct span line, struct span entry)
{
	struct span key = span_before(entry, ':'), rest;

	return key.n < entry.n && span_cut(line, ':', &line, &rest) && span_eq(line, key);
}

/* Parts of keys that set up a run. */
static bool is_setting(struct span line)
{
	struct span key, rest;

	return span_cut(line, ':', &key, &rest) &&
		span_has_in_nocase(key,
			"model|train|batch|epoch|step|learning|lr|seed|data|optim|profil|device|dtype|"
			"precision|lora|output_dir|max_|warmup|num_|metrics|eval|label|beta");
}

/* Every line that is neither blank nor a comment is an entry, indented, or an element of a list. */
static enum match probe_yaml(const struct head *h)
{
	struct span text = h->text, line, key = { "", 0 };
	int n = 0, entries = 0, settings = 0;
	bool is_before;

	if (h->form != HEAD_TEXT || h->text.n > YAML_BYTES_MAX || alien_text(h->text, &is_before))
		return MATCH_NO;
	while (n < LINES_LOOKED_AT && span_line(&text, &line)) {
		if (line.n == 0 || line.p[0] == '#' || span_is(line, "---"))
			continue;
		n++;
		settings += is_setting(line);
		if (is_entry(line)) {
			if (has_two_colons(line) || is_same_key(line, key))
				return MATCH_NO;
			if (entries++ == 0)
				key = line;
		} else if (line.p[0] != ' ' && !span_starts(line, "- ") && !span_is(line, "-")) {
			return MATCH_NO;
		}
	}
	return settings && (entries >= 2 || n > 1) ? MATCH_FAIR : MATCH_NO;
}

static void put_item(struct reading *in, const struct yaml_item *item)
{
	struct scalars *to = &in->record->config;
	struct json_value v = { JSON_STRING, span_of(item->value ? item->value : ""), false };
	SCOPED_STR key = { 0 };

	for (size_t i = 0; i < item->nkey && key.n < KEY_BYTES; i++)
		str_addf(&key, "%s%s", i ? "." : "", item->key[i].text);
	struct span name = { key.s, key.n };
	bool is_null = item->type == YAML_EMPTY || span_in(v.text, "null|~");
	if (!is_null && item->type == YAML_SCALAR && span_in_nocase(v.text, "true|false"))
		record_scalar(in->record, to,
			&(struct scalar){ name, SCALAR_BOOL, span_is_nocase(v.text, "true"), v.text,
				MEASURE_NONE, in->artifact });
	else if (!is_null && item->type == YAML_SCALAR)
		jsondoc_scalar(in, to, name, v);
	else
		record_scalar(in->record, to,
			&(struct scalar){ name, is_null ? SCALAR_NULL : SCALAR_TEXT, 0, v.text,
				measure_of_key(name), in->artifact });
}

static enum status read_yaml(struct reading *in, struct err *e)
{
	struct yaml_items items;
	struct span text;

	TRY(reading_all(in, &text, e));
	enum status st = yaml_read(&items, text, reading_artifact(in)->path, e);
	for (size_t i = 0; st == OK && i < items.n; i++)
		put_item(in, &items.v[i]);
	yaml_clear(&items);
	return st;
}

const struct artifact artifact_yaml_config = {
	.name = "yaml_config",
	.title = "configuration of a run (YAML)",
	.summary = "config.yaml of a training program or a canary",
	.is_setup = true,
	.probe = probe_yaml,
	.read = read_yaml,
};
