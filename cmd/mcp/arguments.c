/* Each argument by its table: options with their values, and what the tool is asked about. */
#include "cmd/mcp/call.h"

#include <sys/stat.h>

#include "analyze/input/text/num.h"

enum { VALUES_MAX = 1000 };

struct taking {
	const struct tool *tool;
	struct json_value given;
	const struct fence *fence;
	struct arena *mem;
	struct opt_value *value;
	const char **operand;
	size_t nvalue, value_cap, noperand, operand_cap, nfirst;
	struct err *e;
};

/* An option; text is NULL of a flag, which is_off turns off. */
static void add(struct taking *a, const char *name, const char *text, bool is_off)
{
	ARENA_PUSH(a->mem, a->value, a->nvalue, a->value_cap,
		(struct opt_value){ name, text, is_off });
}

static void add_operand(struct taking *a, const char *text)
{
	ARENA_PUSH(a->mem, a->operand, a->noperand, a->operand_cap, text);
}

/* A string, or a number where a text is wanted: "steps": 5. */
static enum status text_of(
	struct taking *a, const char *name, struct json_value v, const char **text)
{
	unsigned bad = 0;
	struct span s = v.text;

	if (v.type != JSON_STRING && v.type != JSON_NUMBER)
		return err_set(a->e, E_USAGE, -1, "'%s' must be a string", name);
	if (v.type == JSON_STRING)
		s = json_unescape(v.text, a->mem, &bad);
	if (memchr(s.p, '\0', s.n))
		return err_set(a->e, E_USAGE, -1, "'%s' holds a NUL character", name);
	*text = arena_copy(a->mem, s.p, s.n);
	return OK;
}

static enum status path_of(
	struct taking *a, const char *name, struct json_value v, const char **word)
{
	const char *path = "";

	TRY(text_of(a, name, v, &path));
	return fence_reads(a->fence, path, a->mem, word, a->e);
}

/* One value of an option; of an argument without, a path. */
static enum status add_value(
	struct taking *a, const char *name, const struct tool_option *o, struct json_value v)
{
	const char *text = "";

	TRY(!o || o->is_input ? path_of(a, name, v, &text) : text_of(a, name, v, &text));
	if (o)
		add(a, name, text, false);
	else
		add_operand(a, text);
	return OK;
}

/* One, or several; *n receives how many. */
static enum status add_values(struct taking *a, const char *name, const struct tool_option *o,
	struct json_value v, size_t *n)
{
	const char *what = o ? "values" : "paths";
	struct span it = v.text, key;
	struct json_value item;

	*n = 1;
	if (v.type == JSON_STRING)
		return add_value(a, name, o, v);
	if (v.type != JSON_ARRAY)
		return err_set(a->e, E_USAGE, -1, "'%s' must be an array of %s", name,
			o ? "strings" : "paths");
	for (*n = 0; json_next(&it, &key, &item);) {
		if (++*n > VALUES_MAX)
			return err_set(a->e, E_USAGE, -1, "'%s' has more than %d %s", name,
				VALUES_MAX, what);
		TRY(add_value(a, name, o, item));
	}
	return OK;
}

static enum status add_flag(struct taking *a, const char *name, struct json_value v)
{
	bool is_true = v.type == JSON_WORD && span_is(v.text, "true");

	if (!is_true && !(v.type == JSON_WORD && span_is(v.text, "false")))
		return err_set(a->e, E_USAGE, -1, "'%s' must be true or false", name);
	add(a, name, NULL, !is_true);
	return OK;
}

static enum status add_option(struct taking *a, const struct tool_option *o, struct json_value v)
{
	size_t n;

	if (v.type == JSON_WORD && span_is(v.text, "null"))
		return OK;
	if (o->opt->type == OPT_FLAG)
		return add_flag(a, o->opt->name, v);
	if (o->opt->type == OPT_LIST)
		return add_values(a, o->opt->name, o, v, &n);
	return add_value(a, o->opt->name, o, v);
}

static enum status add_paths(struct taking *a, const char *name)
{
	size_t n;

	TRY(add_values(a, name, NULL, json_get(a->given, name), &n));
	return n ? OK : err_set(a->e, E_USAGE, -1, "'%s' is empty: at least one path", name);
}

static bool has_several(const struct taking *a, const char *name)
{
	struct json_value v = json_get(a->given, name), item;
	struct span it = v.text, key;

	return v.type == JSON_ARRAY && json_next(&it, &key, &item) && json_next(&it, &key, &item);
}

static enum status add_sides(struct taking *a)
{
	TRY(add_paths(a, "base"));
	a->nfirst = a->noperand;
	return add_paths(a, "new");
}

static enum status add_word(struct taking *a)
{
	const char *word = "";

	TRY(text_of(a, "word", json_get(a->given, "word"), &word));
	if (!*word)
		return err_set(a->e, E_USAGE, -1, "'word' is empty");
	add_operand(a, word);
	return OK;
}

static enum status add_trace(struct taking *a)
{
	const char *path = "", *word = "";

	TRY(text_of(a, "output", json_get(a->given, "output"), &path));
	TRY(fence_writes(a->fence, path, a->mem, &word, a->e));
	add(a, "output", word, false);
	return add_value(a, "file", NULL, json_get(a->given, "file"));
}

/* Then all rows are there to be paged through.  Of several runs the command puts them side by side,
 * unless it is asked for rows. */
static bool is_of_one_file(const struct taking *a)
{
	struct json_value v = json_get(a->given, "files"), item = v;
	struct span it = v.text, key;
	struct stat st;
	const char *path = "";
	struct err e;
	struct taking quiet = *a;

	if (v.type == JSON_ARRAY && (!json_next(&it, &key, &item) || has_several(a, "files")))
		return false;
	quiet.e = &e;
	return text_of(&quiet, "files", item, &path) == OK && stat(path, &st) == 0 &&
		S_ISREG(st.st_mode);
}

/* What the tool is asked about. */
static enum status add_subject(struct taking *a)
{
	switch (a->tool->kind) {
	case TOOL_RUNS: return add_paths(a, "files");
	case TOOL_SIDES: return add_sides(a);
	case TOOL_WORD: return add_word(a);
	case TOOL_TRACE: break;
	}
	return add_trace(a);
}

static enum status take_paging(
	struct taking *a, struct span key, struct json_value v, struct excerpt *x)
{
	const char *text = "";
	int64_t n;

	if (span_is(key, TOOL_LIMIT)) {
		if (v.type != JSON_NUMBER || !num_i64(v.text, &n) || n < 1 || n > EXCERPT_ROWS_MAX)
			return err_set(a->e, E_USAGE, -1, "'" TOOL_LIMIT "' must be from 1 to %d",
				(int)EXCERPT_ROWS_MAX);
		x->limit = (size_t)n;
		return OK;
	}
	TRY(text_of(a, TOOL_CURSOR, v, &text));
	if (excerpt_cursor(text, x))
		return OK;
	return err_set(a->e, E_USAGE, -1,
		"'%s' is no cursor: they are named next_cursor in answers", text);
}

static enum status unknown(struct taking *a, const char *name)
{
	const struct tool_argument *arg = tool_arguments(a->tool->kind);
	const char *word[TOOL_OPTIONS_MAX + 8];
	size_t n = 0;

	for (; *arg->name; arg++)
		word[n++] = arg->name;
	for (size_t i = 0; i < a->tool->noption; i++)
		word[n++] = a->tool->option[i].opt->name;
	return err_set(a->e, E_USAGE, -1, "%s has no argument '%s'%s", a->tool->verb.name, name,
		opt_mean(opt_nearest(name, word, n), "").s);
}

/* An argument that is given: an option, or one that add_subject takes. */
static enum status take_argument(
	struct taking *a, struct span key, struct json_value v, struct excerpt *x)
{
	const struct tool_argument *arg = tool_arguments(a->tool->kind);

	for (; *arg->name; arg++)
		if (span_is(key, arg->name))
			return OK;
	if (tool_has_tables(a->tool) && (span_is(key, TOOL_LIMIT) || span_is(key, TOOL_CURSOR)))
		return take_paging(a, key, v, x);
	for (size_t i = 0; i < a->tool->noption; i++)
		if (span_is(key, a->tool->option[i].opt->name))
			return add_option(a, &a->tool->option[i], v);
	return unknown(a, arena_copy(a->mem, key.p, key.n));
}

enum status arguments_take(const struct tool *t, struct json_value given, const struct fence *f,
	struct arena *mem, struct opt_given *to, struct excerpt *x, struct err *e)
{
	struct taking a = { .tool = t, .given = given, .fence = f, .mem = mem, .e = e };
	struct span it = given.text, key;
	struct json_value v;
	unsigned bad = 0;

	*to = (struct opt_given){ 0 };
	*x = (struct excerpt){ 0 };
	for (const struct tool_argument *arg = tool_arguments(t->kind); *arg->name; arg++)
		if (json_get(given, arg->name).type == JSON_NONE)
			return err_set(e, E_USAGE, -1, "%s wants '%s': %s", t->verb.name, arg->name,
				arg->doc);
	while (json_next(&it, &key, &v))
		TRY(take_argument(&a, json_unescape(key, mem, &bad), v, x));
	if (t->verb.analysis && analysis_is_set(t->verb.analysis))
		add(&a, "no-config", NULL, false);
	if (t->has_limit && (x->limit || is_of_one_file(&a)))
		add(&a, "limit", "0", false);
	TRY(add_subject(&a));
	*to = (struct opt_given){ a.value, a.nvalue, a.operand, a.noperand, a.nfirst };
	return OK;
}
