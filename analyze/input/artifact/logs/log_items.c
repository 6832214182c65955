/* Dicts and options in lines of logs. */
#include "analyze/input/artifact/logs/log_items.h"

#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/logs/log_row.h"
#include "analyze/input/artifact/logs/log_value.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"

/* --- a dict becomes JSON by its quotes, and its numbers become figures --- */

enum { DICT_MAX = 64 << 10 };

/* Where a dict begins in the line; NULL when none does. */
static const char *dict_at(struct span line)
{
	const char *p = line.p, *end = line.p + line.n;

	while (p + 1 < end && (p = memchr(p, '{', (size_t)(end - p) - 1)) != NULL) {
		if (p[1] == '\'' || p[1] == '"')
			return p;
		p++;
	}
	return NULL;
}

static void to_json(struct str *b, struct span dict)
{
	str_reset(b);
	str_add(b, dict.p, dict.n);
	char *end = b->s + b->n;
	for (char *p = b->s; (p = memchr(p, '\'', (size_t)(end - p))) != NULL; p++)
		*p = '"';
}

/* "1.5%", "0:01:02", "3/40": how a text that is a figure counts. */
static bool text_figure(struct json_value v, struct log_pair *pair)
{
	const char *p = v.text.p, *end = p + v.text.n;
	struct log_value value;
	const char *q = v.type == JSON_STRING && log_begins_number(p, end) &&
			!span_in_nocase(pair->key, "remaining_time|eta")
		? log_value(&value, p, end, pair->key)
		: NULL;

	if (!q)
		return false;
	pair->value = value.number;
	pair->scale = value.scale;
	pair->measure = value.measure;
	pair->mark = value.mark;
	pair->is_fixed = value.is_clock || value.is_decimal;
	if (q < end && *q == '/')
		q = log_value_number(q + 1, end, &pair->total);
	return q == end;
}

/* "global_step/max_steps" */
static int text_step_rank(struct span key)
{
	return memchr(key.p, '/', key.n) ? steps_key_rank(span_before(key, '/')) : 0;
}

static size_t take_object(
	struct log_figures *g, struct span prefix, struct json_value object, int depth)
{
	struct arena_mark mark = arena_mark(&g->in->mem);
	size_t n = 0;

	for (struct json_items it = json_items(object); json_more(&it);
		arena_reset(&g->in->mem, mark)) {
		struct span name = jsondoc_key(g->in, prefix, it.key);
		struct log_pair pair = { .key = it.key, .at = it.v.text.p, .is_alone = true };

		if (it.v.type == JSON_OBJECT && depth < LIMIT_JSON_DEPTH) {
			n += take_object(g, name, it.v, depth + 1);
		} else if (jsondoc_number(it.v, &pair.value)) {
			log_figures_add(g, name, &pair);
			n++;
		} else if (text_figure(it.v, &pair)) {
			bool is_place = text_step_rank(it.key) > 0;

			log_figures_add(g, is_place ? SPAN("step") : name, &pair);
			n++;
		}
	}
	return n;
}

/* The first dict of the line as JSON; type JSON_NONE when there is none. */
static struct json_value first_dict(struct span line, struct str *scratch)
{
	const char *p = dict_at(line);
	struct span rest;

	if (!p || (size_t)(line.p + line.n - p) > DICT_MAX)
		return (struct json_value){ JSON_NONE, { "", 0 }, false };
	to_json(scratch, (struct span){ p, (size_t)(line.p + line.n - p) });
	return json_value((struct span){ scratch->s, scratch->n }, &rest);
}

/* The step and the epoch the dict names, and where; false when it names no step. */
static bool find_place(struct log_figures *g, struct json_value dict, double *step)
{
	int best = 0;
	double v;

	for (struct json_items it = json_items(dict); json_more(&it);) {
		int rank = steps_key_rank(it.key);

		struct log_pair text = { .key = it.key };
		if (it.v.type == JSON_STRING && text_step_rank(it.key) &&
			text_figure(it.v, &text)) {
			rank = text_step_rank(it.key);
			v = text.value;
		} else if (it.v.type != JSON_NUMBER || !jsondoc_number(it.v, &v)) {
			continue;
		}
		if (rank > best) {
			best = rank;
			*step = v;
			g->step_at = it.v.text.p;
		}
		if (log_word_is_epoch(it.key)) {
			g->rank[g->at].place.epoch = v;
			g->epoch_at = it.v.text.p;
		}
	}
	return best > 0;
}

/* The name in front of the dict, as of "states = {"; empty: it has none. */
static struct span name_before(struct span text)
{
	text = span_trim(text);
	if (!span_ends(text, "=") && !span_ends(text, ":"))
		return SPAN("");
	text = span_trim((struct span){ text.p, text.n - 1 });
	size_t i = text.n;
	while (i && (is_letter(text.p[i - 1]) || is_digit(text.p[i - 1]) || text.p[i - 1] == '_'))
		i--;
	return i < text.n && is_digit(text.p[i]) ? SPAN("") : span_from(text, i);
}

bool log_dict_take(struct log_figures *g, struct span line, struct str *scratch, const char **dict)
{
	struct json_value v = first_dict(line, scratch);
	struct log_pairs pairs;
	double step;

	*dict = NULL;
	if (v.type != JSON_OBJECT)
		return false;
	*dict = dict_at(line);
	struct span before = { line.p, (size_t)(*dict - line.p) };
	log_pairs_find(&pairs, before);
	bool is_placed = log_pairs_are_figures(&pairs) && log_pairs_have_count(&pairs);
	if (is_placed)
		(void)log_figures_pairs(g, &pairs, log_form_find(before, NULL));
	/* Places in the copy are places in the line. */
	if (g->base)
		g->base = scratch->s - (*dict - g->base);
	if (!is_placed)
		g->step_at = g->epoch_at = NULL;
	if (find_place(g, v, &step))
		log_figures_step(g, step, 0);
	else
		g->by_row = !is_placed;
	size_t n = take_object(g, is_placed ? name_before(before) : SPAN(""), v, 0);
	g->by_row = false;
	return n > 0;
}

bool log_dict_is_metrics(struct span line)
{
	SCOPED_STR scratch = { 0 };

	return log_row_is_metrics(first_dict(line, &scratch));
}

/* --- options as scalars of the configuration --- */

enum { FLAGS_MAX = 256 };

/* "--profiler-wait-steps" at p, behind a blank or at the beginning. */
static bool is_flag(struct span line, size_t i)
{
	return i + 3 < line.n && line.p[i] == '-' && line.p[i + 1] == '-' &&
		is_letter(line.p[i + 2]) && (i == 0 || line.p[i - 1] == ' ');
}

static void add_flag(struct reading *in, struct span key, struct span value, int64_t *n)
{
	struct scalars *to = &in->record->config;
	double v;
	struct json_value text = { real_of(value, &v) ? JSON_NUMBER : JSON_STRING, value, false },
			  set = { JSON_WORD, SPAN("true"), false };

	if (ANY(i, to->n, to->v[i].artifact == in->artifact && span_eq(to->v[i].key, key)) ||
		(*n)++ >= FLAGS_MAX)
		return;
	jsondoc_scalar(in, to, key, value.n ? text : set);
}

static struct span word_at(struct span line, size_t i, const char *until)
{
	return (struct span){ line.p + i, FIRST_FROM(k, i, line.n, strchr(until, line.p[k])) - i };
}

bool log_flags_take(struct reading *in, struct span line, int64_t *count)
{
	size_t n = 0;

	if (!span_has(line, "--"))
		return false;
	for (size_t i = 0; i < line.n; i++) {
		struct span value = { "", 0 };

		if (!is_flag(line, i))
			continue;
		struct span key = word_at(line, i + 2, " =\\");
		size_t after = i + 2 + key.n;
		if (after + 1 < line.n && line.p[after] != '\\' && !is_flag(line, after + 1))
			value = word_at(line, after + 1, " \\");
		add_flag(in, key, value, count);
		n++;
	}
	return n > 0;
}

bool log_flags_is_known(struct span line)
{
	return span_has(line, "--") &&
		span_has_in(line,
			"--enable-profiling|--enable-memory-logging|--profiler-output-dir|"
			"--profiler-wait-steps|--profiler-warmup-steps|--profiler-active-steps|"
			"--profiler-repeat|--memory-log-steps");
}
