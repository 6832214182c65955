/* Options as scalars of the configuration. */
#include "analyze/input/artifact/logs/log_flags.h"

#include "analyze/input/artifact/jsondoc.h"
#include "base/ascii.h"

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
	struct scalar s = { .key = key, .text = value, .artifact = in->artifact };

	for (size_t i = 0; i < to->n; i++)
		if (to->v[i].artifact == s.artifact && span_eq(to->v[i].key, key))
			return;
	if ((*n)++ >= FLAGS_MAX)
		return;
	s.type = SCALAR_TEXT;
	if (value.n == 0)
		s = (struct scalar){ key, SCALAR_BOOL, 1, SPAN("true"), MEASURE_NONE, s.artifact };
	else if (jsondoc_number((struct json_value){ JSON_STRING, value, false }, &s.number))
		s.type = SCALAR_NUMBER;
	record_scalar(in->record, to, &s);
}

static struct span word_at(struct span line, size_t i, const char *until)
{
	size_t from = i;

	while (i < line.n && !strchr(until, line.p[i]))
		i++;
	return (struct span){ line.p + from, i - from };
}

bool log_flags_take(struct reading *in, struct span line, int64_t *count)
{
	size_t n = 0;

	if (!span_has(line, "--"))
		return false;
	for (size_t i = 0; i < line.n; i++) {
		struct span key, value = { "", 0 };

		if (!is_flag(line, i))
			continue;
		key = word_at(line, i + 2, " =\\");
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
	return span_has_in(line,
		"--enable-profiling|--enable-memory-logging|--profiler-output-dir|"
		"--profiler-wait-steps|--profiler-warmup-steps|--profiler-active-steps|"
		"--profiler-repeat|--memory-log-steps");
}
