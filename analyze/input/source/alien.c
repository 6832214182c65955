/* Signs of other texts, a row each. */
#include "analyze/input/source/alien.h"

enum { LINES_LOOKED_AT = 60 };

/* `first` begins the first line that is not blank; `one` and `other` begin lines.  NULL: any. */
static const struct sign {
	const char *first, *one, *other;
	const char *what;
} signs[] = {
	{ "#!", NULL, NULL, "a script" },
	{ "diff --git ", NULL, NULL, "a patch" },
	{ "--- ", "+++ ", NULL, "a patch" },
	{ "commit ", "Author: ", NULL, "the output of git log" },
	{ "# ", "## ", NULL, "a Markdown document" },
	{ "# ", "```", NULL, "a Markdown document" },
	{ "## ", "### ", NULL, "a Markdown document" },
	{ "# traceq: ", NULL, NULL, "data or the script of a chart, which traceq wrote" },
	{ "====", "RUN REPORT", NULL, "a report, which traceq wrote" },
	{ "<!-- traceq: ", NULL, NULL, "a picture, which traceq drew" },
	{ "<!DOCTYPE html", NULL, NULL, "an HTML page" },
	{ "<?xml ", NULL, NULL, "an XML document" },
	{ NULL, "apiVersion:", "kind:", "a Kubernetes manifest" },
	{ NULL, "jobs:", "on:", "a CI workflow" },
	{ NULL, "services:", "  ", "a compose file" },
	{ NULL, "openapi:", "paths:", "an API description" },
	{ NULL, "swagger:", "paths:", "an API description" },
	{ NULL, "channels:", "dependencies:", "an environment of packages" },
	{ NULL, "#include <", NULL, "C source" },
	{ NULL, "#include \"", NULL, "C source" },
	{ NULL, "import ", "def ", "Python source" },
	{ NULL, "from ", "def ", "Python source" },
	{ NULL, "import ", "class ", "Python source" },
	{ NULL, "from ", "class ", "Python source" },
	{ NULL, "const ", "export ", "JavaScript source" },
	{ NULL, "import ", "const ", "JavaScript source" },
	{ NULL, "function ", "}", "JavaScript source" },
	{ NULL, "package ", "import ", "source code" },
	{ NULL, "use ", "fn ", "source code" },
	{ "SELECT ", NULL, NULL, "SQL" },
	{ "CREATE TABLE ", NULL, NULL, "SQL" },
	{ "INSERT INTO ", NULL, NULL, "SQL" },
	{ "[project]", NULL, NULL, "a TOML document" },
	{ "[package]", NULL, NULL, "a TOML document" },
	{ "[build-system]", NULL, NULL, "a TOML document" },
	{ "[tool.", NULL, NULL, "a TOML document" },
	{ NULL, "\t$(", NULL, "a makefile" },
	{ "{\"event_type\": \"compilation\"", NULL, NULL,
		"a trace of Triton's compiler (tritonparse)" },
};

/* The next line of the text that is not blank. */
static bool next_line(struct span *t, struct span *line)
{
	while (span_line(t, line))
		if (line->n)
			return true;
	return false;
}

static bool has_line(struct span text, const char *start)
{
	struct span line;

	for (int n = 0; n < LINES_LOOKED_AT && next_line(&text, &line); n++)
		if (span_starts(line, start))
			return true;
	return false;
}

/* "[section]" alone, then "key = value". */
static bool is_sections(struct span text)
{
	struct span line = { "", 0 };
	if (!next_line(&text, &line) || line.n < 3 || line.p[0] != '[' || line.p[line.n - 1] != ']')
		return false;
	bool is_plain = ALL(i, line.n - 2,
		is_letter(line.p[i + 1]) || is_digit(line.p[i + 1]) ||
			strchr("_.- \"", line.p[i + 1]));
	if (!is_plain || !is_letter(line.p[1]) || !next_line(&text, &line))
		return false;
	size_t n = FIRST(i, line.n, !is_letter(line.p[i]) && !strchr("_.-", line.p[i]));
	return n > 0 && span_starts(span_trim(span_from(line, n)), "=");
}

/* A tag, as "<project " and "<svg>"; "<frozen importlib>" of a log ends no line so. */
static bool is_markup(struct span line)
{
	return line.n > 2 && line.p[0] == '<' && is_letter(line.p[1]) && line.p[line.n - 1] == '>';
}

/* "V0401 10:00:00.123456 42 torch/_logging/structured.py:28] {"str": ...}" */
static bool is_torch_trace(struct span line)
{
	return line.n > 6 && line.p[0] == 'V' && is_digit(line.p[1]) && is_digit(line.p[4]) &&
		line.p[5] == ' ' && span_has(line, "] {\"");
}

const char *alien_text(struct span head)
{
	struct span text = head, first = { "", 0 };

	if (!next_line(&text, &first))
		return NULL;
	if (is_torch_trace(first))
		return "a log of torch.compile (TORCH_TRACE), which tlparse reads";
	for (EACH(const struct sign, s, signs, COUNT_OF(signs))) {
		if ((!s->first || span_starts(first, s->first)) &&
			(!s->one || has_line(head, s->one)) &&
			(!s->other || has_line(head, s->other)))
			return s->what;
	}
	if (is_sections(head))
		return "a file of settings (INI, TOML)";
	return is_markup(first) ? "an XML document" : NULL;
}
