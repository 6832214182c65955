/* Scalene's JSON: lines of files with their shares of the time, in Python, in native code, in the
 * system.  A line is a stack: its file, its function, and the line with which of these. */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/stacks/stack_rows.h"
#include "base/base.h"

enum { FRAME_BYTES = 1024 };

static double number_at(struct json_value of, const char *key)
{
	double v;

	return jsondoc_number(json_get(of, key), &v) ? v : 0;
}

/* The function that a line is in, which begins where the line says; "": in none. */
static struct span function_of(struct json_value file, double begins)
{
	for (struct json_items it = json_list(json_get(file, "functions"));
		begins > 0 && json_more(&it);)
		if (number_at(it.v, "lineno") == begins)
			return json_get(it.v, "line").text;
	return SPAN("");
}

static void take_line(struct stack_rows *rows, struct span path, struct json_value file,
	struct json_value line, double ns)
{
	static const struct {
		const char *key, *word;
	} parts[] = { { "n_cpu_percent_python", "python" }, { "n_cpu_percent_c", "native" },
		{ "n_sys_percent", "system" } };
	double number = number_at(line, "lineno"), begins = number_at(line, "start_function_line");
	char leaf[FRAME_BYTES + 64];
	struct span function = begins < number ? function_of(file, begins) : SPAN("");

	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		double percent = number_at(line, parts[i].key);

		if (!(percent > 0))
			continue;
		(void)snprintf(leaf, sizeof(leaf), "%.*s:%.0f [%s]", (int)MIN(path.n, FRAME_BYTES),
			path.p, number, parts[i].word);
		stack_rows_reset(rows);
		stack_rows_push(rows, path);
		if (function.n > 0)
			stack_rows_push(rows, function);
		stack_rows_push(rows, span_of(leaf));
		stack_rows_add(rows, percent / 100 * ns, STACK_IN_NS);
	}
}

static void take_scalene(struct reading *in, struct json_value doc)
{
	struct stack_rows rows;
	double ns = number_at(doc, "elapsed_time_sec") * 1e9;

	stack_rows_open(&rows, in);
	for (struct json_items f = json_members(json_get(doc, "files")); json_more(&f);)
		for (struct json_items l = json_list(json_get(f.v, "lines")); json_more(&l);)
			take_line(&rows, f.key, f.v, l.v, ns);
	stack_rows_close(&rows);
}

const struct artifact artifact_scalene = {
	.name = "scalene",
	.title = "sampled profile (Scalene)",
	.summary = "scalene's JSON: lines with their time in Python, native code and the system",
	.sign = { { MATCH_STRONG, 2, "elapsed_time_sec files",
		.mentions = "n_cpu_percent_python" } },
	.member = { { "", TO_SCALARS, .name = "",
			    .skip = "files|stacks|samples|memory_samples|alloc_samples" },
		{ "", .call = take_scalene } },
};
