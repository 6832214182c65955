/* Output of answers.  Nothing is written before the whole answer is there, and what could not be
 * written is an error: a full disk must not look like an empty answer. */
#include "cmd/output.h"

#include <errno.h>
#include <unistd.h>

#include "base/door.h"
#include "cmd/command.h"
#include "cmd/command_formats.h"
#include "cmd/options.h"
#include "cmd/say.h"
#include "cmd/screen.h"
#include "report/escape.h"
#include "report/format/excerpt.h"

enum { LINE_BYTES = 8192 };

static const char default_format[] = "table";

static bool is_file(const struct output_options *o)
{
	return o->path && strcmp(o->path, "-") != 0;
}

enum status output_renderer(const struct output_options *o, const struct formats *f,
	const struct renderer **r, struct err *e)
{
	const char *format = o->format;

	if (o->excerpt) {
		*r = &renderer_excerpt;
		return OK;
	}
	if (o->is_json) {
		if (format && strcmp(format, "json") != 0)
			return err_set(e, E_USAGE, -1,
				"--json and --format %s contradict each other", format);
		format = "json";
	}
	*r = NULL;
	if (format)
		return formats_find(f, format, r, e);
	if (is_file(o))
		TRY(formats_of_path(f, o->path, r, e));
	if (!*r)
		*r = renderer_find(default_format);
	return OK;
}

/* The whole answer, then the screen: a pager is not started for what fits on it. */
static enum status put_paged(const struct renderer *renderer, const struct result *r,
	const struct render *how, struct err *e)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	if (!out)
		die_oom(0);
	enum status st = renderer->put(out, r, how, e);
	if (fclose(out) != 0)
		die_oom(n);
	if (st == OK && !pager_put(text, n))
		st = err_set(
			e, E_IO, -1, "cannot write the output: %s", strerror(errno ? errno : EIO));
	free(text);
	return st;
}

enum status output_put(const struct output_options *o, const struct renderer *renderer,
	const struct result *r, struct err *e)
{
	struct render how;

	screen_render(o, is_file(o), &how);
	how.excerpt = o->excerpt;
	if (is_file(o))
		return renderer_put_file(renderer, o->path, r, &how, e);
	TRY(door_stdout(e));
	if (renderer->mark && isatty(STDOUT_FILENO))
		return err_hinted(e, E_USAGE, "such as -o answer.parquet",
			"no -o FILE: %s is no text for a terminal", renderer->name);
	if (pager_is_wanted())
		return put_paged(renderer, r, &how, e);
	errno = 0;
	enum status st = renderer->put(stdout, r, &how, e);
	if (st != OK && errno == EPIPE)
		e->text[0] = e->hint[0] = '\0';
	return st;
}

int output_result(const struct output_options *o, const struct renderer *renderer, struct result *r)
{
	struct err e;
	int exit_code = EXIT_ANSWERED;

	if (output_put(o, renderer, r, &e) != OK)
		exit_code = say_error(NULL, &e);
	result_clear(r);
	return exit_code;
}

static int say_unwritten(int code)
{
	if (code == EPIPE)
		return EXIT_NO_ANSWER;
	return say_failure("cannot write the output: %s", strerror(code ? code : EIO));
}

int output_text(struct str *text)
{
	size_t n = text->n;
	struct err e;

	if (door_stdout(&e) != OK) {
		str_free(text);
		return say_error(NULL, &e);
	}
	errno = 0;
	bool is_bad = pager_is_wanted() ? !pager_put(text->s, n)
					: fwrite(text->s, 1, n, stdout) != n || fflush(stdout) != 0;
	int code = errno;
	str_free(text);
	return is_bad ? say_unwritten(code) : EXIT_ANSWERED;
}

int output_line(const char *fmt, ...)
{
	char text[LINE_BYTES];
	struct str b = { 0 };

	PRINTF_TO(text, fmt);
	escape_terminal(&b, span_of(text), true);
	str_addc(&b, '\n');
	return output_text(&b);
}

void output_spares(const char *const *input, size_t n)
{
	for (size_t i = 0; i < n; i++)
		door_input(input[i]);
}

enum status output_plan(const struct door_output *file, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++)
		TRY(door_plan(&file[i], e));
	return OK;
}

enum status output_plan_named(const char *path, struct err *e)
{
	const struct door_output out = { .option = "-o", .path = path };

	return !path || strcmp(path, "-") == 0 ? door_stdout(e) : door_plan(&out, e);
}

int output_finish(int exit_code)
{
	errno = 0;
	bool is_bad = fflush(stdout) != 0 || ferror(stdout);
	int code = errno;
	if (fclose(stdout) != 0) {
		is_bad = true;
		code = code ? code : errno;
	}
	if (!is_bad || exit_code == EXIT_NO_ANSWER)
		return exit_code;
	return say_unwritten(code);
}
