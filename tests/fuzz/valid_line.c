/* Command lines.  A table says which files a command answers from; a command that is not in it is
 * one for traces. */
#include "tests/fuzz/valid_line.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/str.h"
#include "cmd/commands.h"
#include "cmd/verb.h"
#include "report/chart/charts.h"
#include "tests/fuzz/valid_option.h"
#include "tests/fuzz/words.h"

#define BIT(kind)  (1u << KIND_OF_##kind)
#define ANSWERABLE (BIT(LOG) | BIT(SAMPLES) | BIT(SWEEP) | BIT(SNAPSHOT) | BIT(OPS) | BIT(STACKS))

enum { REPEATS = 1, DIGESTS = 2 }; /* files are runs of the same; digests will do */

static const struct {
	const char *verb;
	unsigned kinds, flags;
	size_t files;           /* at least */
	const char *one, *more; /* forms of its operands for one file or more: "A AA" */
} verbs[] = {
	{ "top", BIT(TRACE) | BIT(OPS) | BIT(STACKS), DIGESTS, 1, "A", "AB D ABC" },
	{ "kernels", BIT(TRACE) | BIT(KERNELS), 0, 1, "A", "AB D ABC" },
	{ "memory", BIT(TRACE) | BIT(SNAPSHOT), 0, 1, "A", "AB D" },
	{ "stacks", BIT(TRACE) | BIT(STACKS), 0, 1, "A", "A AB" },
	{ "diagnose", BIT(TRACE) | BIT(LOG) | BIT(SAMPLES) | BIT(OPS), 0, 1, "A", "AB D" },
	{ "metrics", BIT(LOG) | BIT(SAMPLES), 0, 1, "A", "AB D" },
	{ "batch", BIT(SWEEP), 0, 1, "A", "AB D" }, { "smi", BIT(SAMPLES), 0, 1, "A", "AB D" },
	{ "hang", BIT(DUMP), 0, 2, "D", "D ABC" },
	{ "fit", BIT(TRACE) | BIT(HARDWARE), 0, 1, "A", "A" },
	{ "gate", BIT(TRACE) | BIT(LOG) | BIT(SWEEP) | BIT(STORE), REPEATS | DIGESTS, 2, "AA",
		"AB DE vs" },
	{ "diff", BIT(TRACE) | BIT(LOG) | BIT(SWEEP), REPEATS | DIGESTS, 2, "AA", "AB DE vs" },
	{ "noise", BIT(TRACE) | BIT(LOG), REPEATS | DIGESTS, 2, "AA", "AB ABC labels" },
	{ "info", BIT(TRACE) | ANSWERABLE | BIT(OTHER) | BIT(DUMP), DIGESTS, 1, "A", "AB D" },
	{ "check", BIT(TRACE) | ANSWERABLE | BIT(OTHER) | BIT(DUMP), DIGESTS, 1, "A", "AB D" },
	{ "overview", BIT(TRACE) | ANSWERABLE, DIGESTS, 1, "A", "AB D" },
	{ "report", BIT(TRACE) | ANSWERABLE, DIGESTS, 1, "A", "AB D DE ABC" },
	{ "ranks", BIT(TRACE), DIGESTS, 2, "A", "AB D ABC" },
	{ "summary", BIT(TRACE), DIGESTS, 1, "A", "AB D ABC" },
	{ "comms", BIT(TRACE), DIGESTS, 1, "A", "AB D ABC" },
	{ "timeline", BIT(TRACE), 0, 1, "A", "A" }, { "cut", BIT(TRACE), 0, 1, "A", "A" },
	{ "merge", BIT(TRACE), 0, 1, "A", "AB D ABC" },
	{ "digest", BIT(TRACE), DIGESTS, 1, "A", "AB D ABC" },
	{ "baseline", BIT(TRACE) | BIT(LOG) | BIT(STORE), REPEATS | DIGESTS, 2, "A", "AB" },
	{ NULL, BIT(TRACE), 0, 1, "A", "AB D" }, /* any other */
};

static size_t row_of(const char *name)
{
	size_t i;

	for (i = 0; verbs[i].verb; i++)
		if (strcmp(verbs[i].verb, name) == 0)
			break;
	return i;
}

/* A chart's files are those of the analysis that it draws. */
static size_t row_of_chart(const char *id)
{
	size_t i, n;
	const struct chart_kind *const *chart = chart_all(&n);
	char name[64];

	for (i = 0; i < n; i++) {
		const char *ask = chart[i]->ask[0];

		if (!id || strcmp(chart[i]->id, id) != 0 || !ask)
			continue;
		(void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(ask, " "), ask);
		return row_of(name);
	}
	return row_of("report");
}

bool valid_line_verb(const char *name, struct draw *d, struct valid_verb *to)
{
	struct words own;

	if (!verb_find(&commands_all, name, &to->v) || strcmp(name, "version") == 0)
		return false;
	words_own(&to->v, &own);
	to->own = own.n ? draw_name(d, &own) : NULL;
	to->row = strcmp(name, "plot") == 0 ? row_of_chart(to->own) : row_of(name);
	return true;
}

static bool is_store(const struct valid_verb *v)
{
	return strcmp(v->v.name, "baseline") == 0;
}

size_t valid_line_files(const struct valid_verb *v)
{
	return is_store(v) && strcmp(v->own, "add") != 0 ? 1 : verbs[v->row].files;
}

bool valid_line_repeats(const struct valid_verb *v)
{
	return verbs[v->row].flags & REPEATS;
}

/* Half of them are traces where those are among them; a store stands before what is added. */
enum valid_kind valid_line_kind(const struct valid_verb *v, unsigned choice, size_t nth)
{
	unsigned kinds = verbs[v->row].kinds, n = 0, k;
	bool has_store = kinds & BIT(STORE);

	kinds &= ~BIT(STORE);
	if (has_store && nth == 0 && (choice % 8 == 7 || is_store(v)))
		return KIND_OF_STORE;
	if (kinds & BIT(TRACE) && choice < 128)
		return KIND_OF_TRACE;
	choice %= (unsigned)__builtin_popcount(kinds);
	for (k = 0; k < VALID_KINDS; k++)
		if (kinds >> k & 1 && n++ == choice)
			break;
	return (enum valid_kind)k;
}

void valid_line_write(const struct valid_verb *v, struct draw *d, size_t nfile, struct str *out)
{
	const char *forms = nfile > 1 ? verbs[v->row].more : verbs[v->row].one;
	struct span form;
	size_t i, options;

	if (is_store(v))
		forms = nfile > 1 && strcmp(v->own, "add") == 0 ? "AB" : "A";
	form = words_split(forms, ' ', draw_below(d, 256));
	str_addf(out, "%s %.*s", v->v.name, (int)form.n, form.p);
	if (v->own)
		str_addf(out, " %s", v->own);
	valid_option_needed(&v->v, v->own, NULL, out);
	for (options = draw_below(d, 8) % 5, i = 0; i < options; i++)
		valid_option_write(&v->v, v->own, d, out);
}

static const struct valid_step steps[] = {
	{ "cut A --steps=3 --cat=kernel --output=.json", "output.json", "a.json" },
	{ "cut A --cat=kernel,gpu_memcpy --output=.json", "output.json", "a.json" },
	{ "cut A --steps=4- --output=.json", "output.json", "a.json" },
	{ "cut A --time=20us-200us --output=.json", "output.json", "a.json" },
	{ "cut A --annotate=critical,idle,findings,steps --output=.json", "output.json", "a.json" },
	{ "cut A --no-args --no-python --output=.json", "output.json", "a.json" },
	{ "cut A --output=.pftrace", "output.pftrace", "a.pftrace" },
	{ "cut A --lanes=perfetto --anonymize --output=.json", "output.json", "a.json" },
	{ "cut A --cat=user_annotation --output=.json", "output.json", "a.json" },
	{ "merge AB --output=.json", "output.json", "a.json" },
	{ "merge AB --annotate=critical,steps --output=.json", "output.json", "a.json" },
	{ "merge AB --output=.pftrace", "output.pftrace", "a.pftrace" },
	{ "digest A --output=.tqd", "output.tqd", "a.tqd" },
	{ "digest ABC --output=.tqd", "output.tqd", "a.tqd" },
	{ "cut A --cat=cpu_op --output=.json", "output.json", "a.json" },
	{ "cut A --steps=3,5 --cat=kernel,cpu_op,cuda_runtime --output=.json", "output.json",
		"a.json" },
};

const struct valid_step *valid_line_before(const struct valid_verb *v, unsigned choice)
{
	const struct valid_step *step = &steps[choice % COUNT_OF(steps)];
	bool is_digest = strncmp(step->line, "digest", 6) == 0;
	bool wants_more = verbs[v->row].files > 1;

	if (choice < 160 || (is_digest && !(verbs[v->row].flags & DIGESTS)) ||
		(wants_more && !strstr(step->line, "ABC")))
		return NULL;
	return step;
}
