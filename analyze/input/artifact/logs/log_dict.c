/* A dict becomes JSON by its quotes, and its numbers become figures. */
#include "analyze/input/artifact/logs/log_dict.h"

#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/logs/log_row.h"
#include "analyze/input/text/limits.h"

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

static size_t take_object(
	struct log_figures *g, struct span prefix, struct json_value object, int depth)
{
	struct arena_mark mark = arena_mark(&g->in->mem);
	size_t n = 0;

	for (struct json_items it = json_items(object); json_more(&it);
		arena_reset(&g->in->mem, mark)) {
		struct span name = jsondoc_key(g->in, prefix, it.key);
		struct log_pair pair = { .key = it.key, .at = it.v.text.p };

		if (it.v.type == JSON_OBJECT && depth < LIMIT_JSON_DEPTH) {
			n += take_object(g, name, it.v, depth + 1);
		} else if (jsondoc_number(it.v, &pair.value)) {
			log_figures_add(g, name, &pair);
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

/* The step the dict names, and where; false when it names none. */
static bool find_step(struct json_value dict, double *step, const char **at)
{
	int best = 0;

	for (struct json_items it = json_items(dict); json_more(&it);) {
		int rank = steps_key_rank(it.key);

		if (rank > best && it.v.type == JSON_NUMBER && jsondoc_number(it.v, step)) {
			best = rank;
			*at = it.v.text.p;
		}
	}
	return best > 0;
}

bool log_dict_take(struct log_figures *g, struct span line, struct str *scratch)
{
	struct json_value v = first_dict(line, scratch);
	double step;

	if (v.type != JSON_OBJECT)
		return false;
	/* Places in the copy are places in the line. */
	if (g->base)
		g->base = scratch->s - (dict_at(line) - g->base);
	g->step_at = NULL;
	if (find_step(v, &step, &g->step_at))
		log_figures_step(g, step);
	else
		g->by_row = true;
	size_t n = take_object(g, SPAN(""), v, 0);
	g->by_row = false;
	return n > 0;
}

bool log_dict_is_metrics(struct span line)
{
	struct str scratch = { 0 };
	struct json_value v = first_dict(line, &scratch);
	bool is = v.type == JSON_OBJECT && log_row_is_metrics(v);

	str_free(&scratch);
	return is;
}
