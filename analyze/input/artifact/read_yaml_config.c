/*
 * Run configurations as YAML.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "base/yaml.h"

enum { KEY_BYTES = 512, LINES_LOOKED_AT = 400 };

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* "key:" or "key: value", the key a plain word. */
static bool is_entry(struct span line)
{
	size_t i = 0;

	if (line.n == 0 || !is_letter(line.p[0]))
		return false;
	while (i < line.n &&
		(is_letter(line.p[i]) || line.p[i] == '-' || line.p[i] == '.' ||
			(line.p[i] >= '0' && line.p[i] <= '9')))
		i++;
	return i < line.n && line.p[i] == ':' && (i + 1 == line.n || line.p[i + 1] == ' ');
}

/* Every line that is neither blank nor a comment is an entry, indented, or an element of a list. */
static enum match probe(const struct head *h)
{
	struct span text = h->text, line;
	int n = 0, entries = 0;

	if (h->form != HEAD_TEXT || h->text.n > YAML_BYTES_MAX)
		return MATCH_NO;
	while (n < LINES_LOOKED_AT && head_line(&text, &line)) {
		if (line.n == 0 || line.p[0] == '#' || span_is(line, "---"))
			continue;
		n++;
		if (is_entry(line))
			entries++;
		else if (line.p[0] != ' ' && line.p[0] != '-')
			return MATCH_NO;
	}
	return entries >= 2 || (entries == 1 && n > 1) ? MATCH_FAIR : MATCH_NO;
}

static void put_item(struct reading *in, const struct yaml_item *item)
{
	struct scalar s = { .artifact = in->artifact };
	struct str key = { 0 };
	size_t i;

	for (i = 0; i < item->nkey && key.n < KEY_BYTES; i++) {
		if (i)
			str_addc(&key, '.');
		str_adds(&key, item->key[i].text);
	}
	s.key = (struct span){ key.s, key.n };
	s.text = span_of(item->value ? item->value : "");
	s.measure = measure_of_key(s.key);
	s.type = SCALAR_TEXT;
	if (item->type == YAML_EMPTY || span_is(s.text, "null") || span_is(s.text, "~"))
		s.type = SCALAR_NULL;
	else if (item->type == YAML_SCALAR && span_is_nocase(s.text, "true"))
		s = (struct scalar){ s.key, SCALAR_BOOL, 1, s.text, MEASURE_NONE, in->artifact };
	else if (item->type == YAML_SCALAR && span_is_nocase(s.text, "false"))
		s = (struct scalar){ s.key, SCALAR_BOOL, 0, s.text, MEASURE_NONE, in->artifact };
	else if (item->type == YAML_SCALAR &&
		jsondoc_number((struct json_value){ JSON_STRING, s.text, false }, &s.number))
		s.type = SCALAR_NUMBER;
	record_scalar(in->record, &in->record->config, &s);
	str_free(&key);
}

static enum status read_yaml(struct reading *in, struct err *e)
{
	struct yaml_items items;
	struct span text;
	enum status st;
	size_t i;

	TRY(reading_all(in, &text, e));
	st = yaml_read(&items, text, reading_artifact(in)->path, e);
	for (i = 0; st == OK && i < items.n; i++)
		put_item(in, &items.v[i]);
	yaml_clear(&items);
	return st;
}

const struct artifact artifact_yaml_config = {
	.name = "yaml_config",
	.title = "configuration of a run (YAML)",
	.summary = "config.yaml of a training program or a canary",
	.is_setup = true,
	.probe = probe,
	.read = read_yaml,
};
