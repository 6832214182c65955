/* Reports of a verdict.  Files appear when they are complete; GitHub's step summary is appended to,
 * as its other steps do. */
#include "cmd/sinks.h"

#include <errno.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/reach.h"
#include "base/setting.h"
#include "cmd/command_formats.h"
#include "cmd/load/operands.h"
#include "cmd/options.h"
#include "report/format/renderer.h"

#define AT(field) offsetof(struct sink_options, field)
const struct opt sink_opts[SINK_OPTS] = {
#define X(name, help) TEXT_OPT(#name, 0, "FILE", AT(name), help),
	SINKS(X)
#undef X
		TEXT_OPT(
			"json-out", 0, "FILE", AT(json_out), "write the whole answer as JSON, too"),
	CHOICE_OPT("ci", "WHERE", AT(ci), "auto|github|none",
		"annotations and step summary of GitHub Actions; auto: when it runs us [auto]"),
	CHOICE_OPT("missing-baseline", "WHAT", AT(missing), VERDICT_NO_BASE_WORDS,
		"without a base: exit status 2, or 0 with or without a warning [error]"),
	TEXT_OPT("thresholds", 0, "FILE", AT(thresholds),
		"settings of the gate as rlhf-canary's YAML has them, base_tier and overrides"),
};
#undef AT

const char *const sinks_beside[] = {
#define X(name, help) #name,
	SINKS(X)
#undef X
		"json-out",
	"ci", "output", "format", "json", "color", "wide", "ascii", NULL
};

/* ---- writing ---- */

static enum status put_sink(
	const struct sink *s, const char *path, const struct verdict *v, struct err *e)
{
	SCOPED_STR text = { 0 };

	s->put(&text, v);
	return io_put(path, &text, e);
}

static bool is_github(const struct sink_options *o)
{
	const char *word = getenv("GITHUB_ACTIONS");

	if (o->ci && strcmp(o->ci, "auto") != 0)
		return strcmp(o->ci, "github") == 0;
	return word && strcmp(word, "true") == 0;
}

/* Annotations on stderr, where the runner looks, too: stdout is the answer's. */
static enum status put_github(const struct verdict *v, struct err *e)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");
	SCOPED_STR text = { 0 };
	enum status st = OK;

	sink_github(&text, v);
	if (text.n)
		(void)fwrite(text.s, 1, text.n, stderr);
	str_reset(&text);
	if (path && *path) {
		sink_md.put(&text, v);
		st = io_append(path, &text, e);
	}
	return st;
}

/* The i-th file that is written, or NULL where the option was not given; i < SINK_FILES. */
static const char *path_of(const struct sink_options *o, size_t i)
{
	return *(const char *const *)((const char *)o + sink_opts[i].offset);
}

enum status sinks_take(
	struct sink_options *o, const struct output_options *output, bool *is_taken, struct err *e)
{
	size_t n;
	const struct sink *const *all = sink_all(&n);

	*is_taken = false;
	for (size_t i = 0; i < n && output->path && !output->format && !output->is_json; i++) {
		const char **path = (const char **)(void *)((char *)o + sink_opts[i].offset);

		if (!all[i]->suffix ||
			strcasecmp(all[i]->suffix, formats_suffix(output->path)) != 0)
			continue;
		if (*path)
			return err_set(e, E_USAGE, -1, "-o %s and --%s %s both want %s",
				output->path, all[i]->name, *path, all[i]->name);
		*path = output->path;
		*is_taken = true;
		return OK;
	}
	return OK;
}

size_t sinks_files(const struct sink_options *o, struct arena *mem, struct door_output *file)
{
	const char *summary = getenv("GITHUB_STEP_SUMMARY");
	size_t n = 0;

	for (size_t i = 0; i < SINK_FILES; i++)
		if (path_of(o, i))
			file[n++] = (struct door_output){ .path = path_of(o, i),
				.option = arena_printf(mem, "--%s", sink_opts[i].name) };
	if (is_github(o) && summary && *summary)
		file[n++] =
			(struct door_output){ .option = "GITHUB_STEP_SUMMARY", .path = summary };
	if (o->thresholds)
		door_input(o->thresholds);
	return n;
}

static enum status put_all(const struct sink_options *o, const struct verdict *v, struct err *e)
{
	size_t n;
	const struct sink *const *all = sink_all(&n);

	for (size_t i = 0; i < n; i++)
		if (path_of(o, i))
			TRY(put_sink(all[i], path_of(o, i), v, e));
	return OK;
}

/* The verdict with the line that asks for it again; where nothing was checked, there is nothing to
 * see. */
static struct verdict verdict_of(const struct result *r, const char *command)
{
	struct verdict v = *r->verdict;

	v.reproduce = v.n ? command : NULL;
	return v;
}

enum status sinks_put(
	const struct sink_options *o, const struct result *r, const char *command, struct err *e)
{
	if (o->json_out) {
		const struct render how = { 0 };

		TRY(renderer_put_file(renderer_find("json"), o->json_out, r, &how, e));
	}
	if (!r->verdict)
		return OK;
	struct verdict v = verdict_of(r, command);
	return put_all(o, &v, e);
}

enum status sinks_put_ci(
	const struct sink_options *o, const struct result *r, const char *command, struct err *e)
{
	if (!r->verdict || !is_github(o))
		return OK;
	struct verdict v = verdict_of(r, command);
	return put_github(&v, e);
}

void sinks_fail(
	const struct sink_options *o, const char *name, const char *where, const struct err *why)
{
	struct verdict v = { .name = name };
	SCOPED_STR text = { 0 };
	struct err e;

	if (where)
		str_addf(&text, "%s: ", where);
	str_adds(&text, why->text[0] ? why->text : "no answer");
	if (why->hint[0])
		str_addf(&text, " (%s)", why->hint);
	v.error = text.s;
	if (put_all(o, &v, &e) == OK && is_github(o))
		(void)put_github(&v, &e);
}

/* ---- no base ---- */

char sinks_missing(const struct sink_options *o, const struct settings *s, const char *name)
{
	SCOPED_STR key = { 0 };

	if (o->missing)
		return o->missing[0];
	str_addf(&key, "%s.missing-baseline", name);
	const struct setting_value *v = s ? settings_get(s, key.s) : NULL;
	return v ? v->text[0] : 'e';
}

bool sinks_base_is_missing(const struct operands *o)
{
	for (size_t i = 0; o->n > 0 && i < o->side[0].npath; i++) {
		const char *path = o->side[0].path[i];
		struct stat st;

		if (strcmp(path, "-") == 0 || (stat(path, &st) != 0 && errno != ENOENT) ||
			(stat(path, &st) == 0 && reach_count(path, 1) != 0))
			return false;
	}
	return o->n > 0;
}
