/* Signs of other texts, a row each. */
#include "analyze/input/source/alien.h"

#include <limits.h>

enum {
	LINES_LOOKED_AT = 60,
	CODE_LOOKED_AT = 400,
	CODE_LEAST = 3,
	CODE_SHARE = 3,
	PROSE_WORDS = 3,
	PROSE_SHARE = 3
};

/* `first` begins the first line that is not blank; `one` and `other` begin lines.  NULL: any.  '%'
 * is digits, and behind the first '*' is what the line has anywhere further on. */
static const struct sign {
	const char *first, *one, *other;
	const char *what;
	bool is_before; /* and a log may stand behind it */
} signs[] = {
	{ "#!", NULL, NULL, "a script", true },
	{ "diff --git |@@ -", NULL, NULL, "a patch", false },
	{ "--- ", "+++ ", NULL, "a patch", false },
	{ "commit ", "Author: ", NULL, "the output of git log", false },
	{ "# ", "## |```", NULL, "a Markdown document", false },
	{ "## ", "### ", NULL, "a Markdown document", false },
	{ "# traceq: ", NULL, NULL, "data or the script of a chart, which traceq wrote", false },
	{ "====", "RUN REPORT", NULL, "a report, which traceq wrote", false },
	{ "<!-- traceq: ", NULL, NULL, "a picture, which traceq drew", false },
	{ "<!DOCTYPE html", NULL, NULL, "an HTML page", false },
	{ "<?xml ", NULL, NULL, "an XML document", false },
	{ "\\documentclass", NULL, NULL, "a LaTeX document", false },
	{ NULL, "apiVersion:", "kind:", "a Kubernetes manifest", false },
	{ NULL, "jobs:", "on:", "a CI workflow", false },
	{ NULL, "services:", "  ", "a compose file", false },
	{ NULL, "openapi:|swagger:", "paths:", "an API description", false },
	{ NULL, "channels:", "dependencies:", "an environment of packages", false },
	{ NULL, "FROM ", "RUN ", "a Dockerfile", false },
	{ NULL, "#include <|#include \"", NULL, ALIEN_SOURCE, true },
	{ NULL, "import |from ", "def |class ", ALIEN_SOURCE, true },
	{ NULL, "const ", "export ", ALIEN_SOURCE, true },
	{ NULL, "import ", "const ", ALIEN_SOURCE, true },
	{ NULL, "function ", "}", ALIEN_SOURCE, true },
	{ NULL, "package ", "import ", ALIEN_SOURCE, true },
	{ NULL, "use ", "fn ", ALIEN_SOURCE, true },
	{ "SELECT |CREATE TABLE |INSERT INTO ", NULL, NULL, "SQL", false },
	{ "[project]|[package]|[build-system]|[tool.", NULL, NULL, "a TOML document", false },
	{ NULL, "\t$(", NULL, "a makefile", false },
	{ "{\"event_type\": \"compilation\"", NULL, NULL,
		"a trace of Triton's compiler (tritonparse)", false },
	{ "ffmpeg version ", NULL, NULL, "the output of ffmpeg", true },
	{ NULL, "frame=*bitrate=", NULL, "the output of ffmpeg", true },
	{ NULL, "[ ID] Interval", NULL, "the output of iperf", true },
	{ NULL, "Test project /", NULL, "the output of ctest", true },
	{ NULL, "===* test session starts ===", NULL, "the output of pytest", true },
	{ NULL, "test_*) ... ", NULL, "the output of unittest", true },
	{ NULL, "[==========] Running ", NULL, "the output of gtest", true },
	{ NULL, "=== RUN ", NULL, "the output of go test", true },
	{ NULL, "goos: ", "goarch: ", "the output of go test", true },
	{ NULL, "running % test", "test *... ", "the output of cargo", true },
	{ NULL, "   Compiling * v", NULL, "the output of cargo", true },
	{ NULL, "*PASS  *.test.", NULL, "the output of jest", true },
	{ NULL, "Test Suites: ", "Tests: ", "the output of jest", true },
	{ NULL, "PASS: ", NULL, "the output of tests", true },
	{ NULL, "make[%]: |cc -|gcc -|g++ -|nvcc -", NULL, "the output of make", true },
	{ NULL, "[*] Building ", NULL, "the output of a build", true },
	{ NULL, "INFO: Analyzed * target", NULL, "the output of bazel", true },
	{ NULL, "[INFO] Scanning for projects", NULL, "the output of Maven", true },
	{ NULL, "> Task :", NULL, "the output of Gradle", true },
	{ NULL, "Reading package lists|Get:% ", NULL, "the output of apt", true },
	{ NULL, "Collecting ", "  Downloading ", "the output of pip", true },
	{ NULL, "Requirement already satisfied: |Installing collected packages: ", NULL,
		"the output of pip", true },
	{ NULL, "Collecting package metadata", NULL, "the output of conda", true },
	{ NULL, "npm ", NULL, "the output of npm", true },
	{ NULL, "sending incremental file list", NULL, "the output of rsync", true },
	{ NULL, "--%-%-% %:%:%--  http", NULL, "the output of wget", true },
	{ NULL, "  *Total    % Received", NULL, "the output of curl", true },
	{ NULL, "Cloning into '|*remote: Enumerating objects", NULL, "the output of git", true },
	{ NULL, "Step %/% : |#% [internal] |#% DONE ", NULL, "the output of docker build", true },
	{ NULL, "*: Pulling fs layer", NULL, "the output of docker pull", true },
	{ NULL, "Jobs: % (f=", NULL, "the output of fio", true },
	{ "sysbench ", NULL, NULL, "the output of sysbench", true },
	{ "This is ApacheBench", NULL, NULL, "the output of ab", true },
	{ "==%== ", NULL, NULL, "the output of valgrind", true },
	{ "GNU gdb ", NULL, NULL, "the output of gdb", true },
	{ "This is *TeX, Version ", NULL, NULL, "the output of TeX", true },
	{ NULL, "+ export ", NULL, "what a shell ran (set -x)", true },
	{ NULL, "[*] NVRM: ", NULL, "the log of a kernel", true },
	{ NULL, "*systemd[", NULL, "the journal of a system", true },
};

/* The next line of the text that is not blank. */
static bool next_line(struct span *t, struct span *line)
{
	while (span_line(t, line))
		if (line->n)
			return true;
	return false;
}

static bool is_like(struct span t, struct span pattern)
{
	for (; pattern.n && pattern.p[0] != '*'; pattern = span_from(pattern, 1)) {
		size_t n = pattern.p[0] == '%' ? FIRST(i, t.n, !is_digit(t.p[i]))
					       : t.n && t.p[0] == pattern.p[0];

		if (n == 0)
			return false;
		t = span_from(t, n);
	}
	return pattern.n == 0 || memmem(t.p, t.n, pattern.p + 1, pattern.n - 1);
}

/* The first lines that are not blank. */
struct lines {
	struct span line[LINES_LOOKED_AT];
	size_t n;
	bool begins[UCHAR_MAX + 1]; /* one of them with this character */
};

/* One of the first `most` lines is like one of the patterns. */
static bool has_like(const struct lines *l, size_t most, const char *patterns)
{
	size_t n = MIN(l->n, most);

	for (struct span pattern; span_words(&patterns, &pattern);) {
		bool is_any = pattern.p[0] == '%' || pattern.p[0] == '*';

		if ((is_any || l->begins[(unsigned char)pattern.p[0]]) &&
			ANY(i, n, is_like(l->line[i], pattern)))
			return true;
	}
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

/* "[   12.345678] usb 1-1: new device", as kernels count seconds. */
static bool is_of_kernel(struct span line)
{
	struct span t = span_trim(span_before(span_from(line, 1), ']'));
	const char *point = memchr(t.p, '.', t.n);

	return line.n > 0 && line.p[0] == '[' && point && t.p + t.n == point + 7 &&
		ALL(i, t.n, is_digit(t.p[i]) || t.p + i == point);
}

/* "6d4bfb2 train: what changed", behind what draws a graph; of one commit a line. */
static bool is_commits(struct span head)
{
	struct span line = { "", 0 };
	int n = 0;

	while (n < CODE_LEAST && next_line(&head, &line)) {
		size_t at = FIRST(i, line.n, !strchr("*|\\/_^ ", line.p[i]));
		struct span word = span_before(span_from(line, at), ' ');
		bool is_hash = word.n > 6 && word.n <= 40 &&
			ALL(i, word.n, is_digit(word.p[i]) || strchr("abcdef", word.p[i]));

		if (at < line.n && !(is_hash && ANY(i, word.n, is_letter(word.p[i]))))
			return false;
		n += at < line.n;
	}
	return n == CODE_LEAST;
}

/* A title that is underlined, or marked, with a blank line below it. */
static bool is_document(struct span head)
{
	struct span title = { "", 0 }, line = { "", 0 };

	if (!next_line(&head, &title) || !span_line(&head, &line))
		return false;
	if (line.n > 2 && line.n + 1 >= title.n && line.n <= title.n + 1 &&
		strchr("=-~", line.p[0]) && ALL(i, line.n, line.p[i] == line.p[0]))
		return span_line(&head, &line) && (line.n == 0 || strchr("*-", line.p[0]));
	return line.n == 0 && (span_starts(title, "# ") || span_starts(title, "## "));
}

/* How much of source a line is: 2 what hardly anything else has, 1 a remark or an assignment. */
static int code_weight(struct span line)
{
	static const char strong[] =
		"def |class |import |from |return|if (|else:|} else|for (|while (|try:|except|"
		"assert |raise |self.|print(|async |await |const |let |var |func |fn |pub |package "
		"|public |private |struct |enum |typedef |static |void |int |float |double |"
		"export |module.|template|namespace |extern |#define |#include |#pragma |#if|#endif|"
		"__global__|__device__|@|echo |fi|done|then|.. |:param ";
	struct span t = span_trim(line), name, value;

	if (t.n == 0 || t.p[0] == '{')
		return 0;
	bool is_block = span_ends(t, ":") && span_starts_in(t, "for |if |while |with |elif ");
	if (is_block || span_starts_in(t, strong) || strchr(";{\\", t.p[t.n - 1]))
		return 2;
	if (span_starts_in(t, "#|//|/*|*/|* |\"\"\"|}|)|>>>"))
		return 1;
	return span_cut(t, '=', &name, &value) && name.n > 1 && value.n > 1 && value.p[0] == ' ' &&
		name.p[name.n - 1] == ' ' && is_letter(name.p[0]) && !memchr(value.p, '=', value.n);
}

/* A line of sentences: it has words that no figures stand between. */
static bool is_prose(struct span line)
{
	int n = 0;

	if (!is_letter(line.p[0]))
		return false;
	for (struct span rest = line, word; rest.n; rest = span_from(rest, word.n + 1)) {
		word = span_before(rest, ' ');
		n += span_in_nocase(word,
			"the|a|an|of|is|are|was|were|and|to|with|in|at|that|this|for|it|we|i|you|be|has");
	}
	return n >= PROSE_WORDS;
}

/* What most of the lines are, where they are enough: NULL where that is nothing. */
static const char *what_most_are(struct span head)
{
	struct span line = { "", 0 };
	int n = 0, strong = 0, code = 0, prose = 0;

	for (; n < CODE_LOOKED_AT && next_line(&head, &line); n++) {
		int weight = code_weight(line);

		strong += weight == 2;
		code += weight > 0;
		prose += weight == 0 && is_prose(line);
	}
	if (strong >= CODE_LEAST && code * CODE_SHARE >= n)
		return ALIEN_SOURCE;
	return prose > 1 && prose * PROSE_SHARE >= n ? "prose" : NULL;
}

const char *alien_text(struct span head, bool *is_before)
{
	struct span text = head;
	struct lines l = { .n = 0 };

	*is_before = false;
	while (l.n < LINES_LOOKED_AT && next_line(&text, &l.line[l.n]))
		l.begins[(unsigned char)l.line[l.n++].p[0]] = true;
	if (l.n == 0)
		return NULL;
	struct span first = l.line[0];
	for (EACH(const struct sign, s, signs, COUNT_OF(signs))) {
		if ((!s->first || has_like(&l, 1, s->first)) &&
			(!s->one || has_like(&l, l.n, s->one)) &&
			(!s->other || has_like(&l, l.n, s->other))) {
			*is_before = s->is_before;
			return s->what;
		}
	}
	if (is_sections(head))
		return "a file of settings (INI, TOML)";
	if (is_markup(first))
		return "an XML document";
	*is_before = true;
	return is_of_kernel(first)  ? "the log of a kernel"
		: is_commits(head)  ? "the output of git log"
		: is_document(head) ? "a document"
				    : what_most_are(head);
}
