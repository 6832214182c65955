/*
 * From what was found to what asks on.
 */
#include "cmd/front/next.h"

#include <string.h>

#include "base/str.h"
#include "cmd/pasted.h"

const struct column next_columns[NEXT_COLUMNS] = {
	{ "command", "next", "What to type.", NULL, CELL_TEXT, UNIT_NONE, .flags = COLUMN_SHOWN },
	{ "why", "what it answers", "What it answers.", NULL, CELL_TEXT, UNIT_NONE,
		.flags = COLUMN_ELASTIC },
};

void next_add(struct table *t, const char *command, const char *why)
{
	table_row(t);
	table_textf(t, 0, "traceq %s", command);
	table_text(t, 1, span_of(why));
}

const char *next_path(struct arena *mem, const char *path)
{
	struct str b = { 0 };
	const char *copy;

	pasted_word(&b, path[0] == '-' && path[1] ? arena_printf(mem, "./%s", path) : path);
	copy = arena_copy(mem, b.s, b.n);
	str_free(&b);
	return copy;
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
		next_add(t, arena_printf(t->mem, "%s %s", parts[most].command, path),
			parts[most].why);
}

/* The worst finding: what its rule is, and the place itself. */
static void of_findings(struct table *t, const char *path, const struct table *f)
{
	size_t severity = column_of(f, "severity"), rule = column_of(f, "rule"),
	       id = column_of(f, "id"), row;
	struct span state, word;

	for (row = 0; rule != SIZE_MAX && severity != SIZE_MAX && row < f->nrow; row++) {
		state = table_text_at(f, row, severity);
		if (!span_is(state, "CRIT") && !span_is(state, "WARN") && !span_is(state, "note"))
			continue;
		word = table_text_at(f, row, rule);
		next_add(t, arena_printf(t->mem, "explain %.*s", (int)word.n, word.p),
			"what that finding means");
		if (id == SIZE_MAX || table_text_at(f, row, id).n == 0)
			return;
		word = table_text_at(f, row, id);
		next_add(t,
			arena_printf(t->mem, "cut %s --around %.*s -o cut.json", path, (int)word.n,
				word.p),
			"its worst place alone");
		return;
	}
}

void next_of_answers(struct table *t, const char *path, const struct result *diagnose)
{
	if (!diagnose)
		return;
	if (result_find(diagnose, "job", 0))
		next_add(t, arena_printf(t->mem, "ranks %s", path), "who makes the others wait");
	of_ledger(t, path, result_find(diagnose, "ledger", 0));
	of_findings(t, path, result_find(diagnose, "findings", 0));
}
