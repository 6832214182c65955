/*
 * From what was found to what asks on.
 */
#include "cmd/front/next.h"

#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "base/shell.h"
#include "cmd/verb.h"

static const struct column columns[] = {
	{ "command", "next", "What to type.", NULL, CELL_TEXT, UNIT_NONE, .flags = COLUMN_SHOWN },
	{ "why", "what it answers", "What it answers.", NULL, CELL_TEXT, UNIT_NONE,
		.flags = COLUMN_ELASTIC },
};

struct table *next_table(struct result *r)
{
	struct table *t = result_table(r, "next", "next", columns, COUNT_OF(columns));

	t->input = -1;
	t->layout = TABLE_COMMANDS;
	return t;
}

void next_add(struct table *t, const char *why, const char *const *word)
{
	table_row(t);
	table_text(t, 0, span_of(shell_command(t->mem, word)));
	table_text(t, 1, span_of(why));
}

const char *next_file(const struct commands *all, struct arena *mem, const char *path)
{
	struct verb v;

	return verb_find(all, path, &v) ? arena_printf(mem, "./%s", path)
					: shell_operand(mem, path);
}

const char *next_output(struct arena *mem, const char *stem, const char *suffix)
{
	enum { TRIES = 100 };
	const char *name = arena_printf(mem, "%s%s", stem, suffix);
	struct stat at;
	int i;

	for (i = 2; i < TRIES && lstat(name, &at) == 0; i++)
		name = arena_printf(mem, "%s-%d%s", stem, i, suffix);
	return name;
}

static size_t column_of(const struct table *t, const char *key)
{
	size_t i;

	for (i = 0; t && i < t->ncol; i++)
		if (strcmp(t->col[i].key, key) == 0)
			return i;
	return SIZE_MAX;
}

/* The part of a step that takes most, of those that a command looks into. */
static void of_ledger(struct table *t, const char *path, const struct table *ledger)
{
	static const struct {
		const char *part, *command, *why;
	} parts[] = {
		{ "compute", "kernels", "its kernels, and the ops behind them" },
		{ "exposed comm", "comms", "its collectives, and what hides them" },
		{ "exposed memcpy", "copies", "its copies, by kind of memory" },
		{ "idle", "idle", "its gaps, and what the device waits for" },
	};
	size_t part = column_of(ledger, "part"), share = column_of(ledger, "share_ratio"), i, row;
	double best = 0, sum;
	size_t most = COUNT_OF(parts);

	if (part == SIZE_MAX || share == SIZE_MAX)
		return;
	for (i = 0; i < COUNT_OF(parts); i++) {
		for (sum = 0, row = 0; row < ledger->nrow - ledger->nfoot; row++)
			if (span_starts(table_text_at(ledger, row, part), parts[i].part))
				sum += table_number_at(ledger, row, share);
		if (sum > best) {
			best = sum;
			most = i;
		}
	}
	if (most < COUNT_OF(parts))
		NEXT(t, parts[most].why, parts[most].command, path);
}

static const char *text_of(const struct table *t, size_t row, size_t col)
{
	struct span s = table_text_at(t, row, col);

	return arena_copy(t->mem, s.p, s.n);
}

/* The worst finding: what its rule is, and the place itself. */
static void of_findings(struct table *t, const char *trace, const struct table *f)
{
	size_t severity = column_of(f, "severity"), rule = column_of(f, "rule"),
	       id = column_of(f, "id"), row;
	struct span state;

	for (row = 0; rule != SIZE_MAX && severity != SIZE_MAX && row < f->nrow; row++) {
		state = table_text_at(f, row, severity);
		if (!span_is(state, "CRIT") && !span_is(state, "WARN") && !span_is(state, "note"))
			continue;
		NEXT(t, "what that finding means", "explain", text_of(f, row, rule));
		if (trace && id != SIZE_MAX && table_text_at(f, row, id).n > 0)
			NEXT(t, "its worst place alone", "cut", trace, "--around",
				text_of(f, row, id), "-o", next_output(t->mem, "cut", ".json"));
		return;
	}
}

void next_of_answers(
	struct table *t, const char *path, const char *trace, const struct result *diagnose)
{
	if (!diagnose)
		return;
	if (result_find(diagnose, "job", 0))
		NEXT(t, "who makes the others wait", "ranks", path);
	of_ledger(t, path, result_find(diagnose, "ledger", 0));
	of_findings(t, trace, result_find(diagnose, "findings", 0));
}
