/* Names looked up in the program's own tables, so that a new command, option or chart is reached
 * without a word here. */
#include "tests/fuzz/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analysis/analysis.h"
#include "cmd/commands.h"
#include "cmd/verb.h"
#include "report/chart/charts.h"

/* Forms of operands: a letter a file, D and E folders, others as they are. */
static const char *const forms[] = { "A", "AB", "D", "BA", "AA", "DE", "AD", "vs", "labels", "ABC",
	"ED" };
static const char *const stores[] = { "list", "add", "prune" };

static void add_name(struct words *names, const char *name)
{
	if (names->n < WORDS_NAMES)
		names->v[names->n++] = name;
}

/* Commands that read files; capture starts programs, mcp is a server. */
static bool is_reader(const struct verb *v)
{
	static const char *const others[] = { "capture", "mcp", "explain", "config", "completion",
		"help" };
	size_t i;

	for (i = 0; i < COUNT_OF(others); i++)
		if (strcmp(v->name, others[i]) == 0)
			return false;
	return true;
}

void words_verbs(struct words *names)
{
	struct verb v;
	size_t i;

	*names = (struct words){ .n = 0 };
	for (i = 0; verb_get(&commands_all, i, &v); i++) {
		if (is_reader(&v))
			add_name(names, v.name);
	}
}

void words_forms(struct words *names)
{
	size_t i;

	*names = (struct words){ .n = 0 };
	for (i = 0; i < COUNT_OF(forms); i++)
		add_name(names, forms[i]);
}

void words_own(const struct verb *v, struct words *names)
{
	const struct chart_kind *const *chart;
	size_t i, n;

	*names = (struct words){ .n = 0 };
	if (strcmp(v->name, "baseline") == 0) {
		for (i = 0; i < COUNT_OF(stores); i++)
			add_name(names, stores[i]);
	} else if (strcmp(v->name, "plot") == 0) {
		chart = chart_all(&n);
		add_name(names, "list");
		for (i = 0; i < n; i++)
			add_name(names, chart[i]->id);
	}
}

static const struct opt *option_at(const struct verb *v, size_t at)
{
	size_t i;

	for (i = 0; i < v->ngroup; at -= v->group[i++].n)
		if (at < v->group[i].n)
			return &v->group[i].opt[at];
	return NULL;
}

void words_options(const struct verb *v, struct words *names)
{
	const struct opt *o;
	size_t i;

	*names = (struct words){ .n = 0 };
	for (i = 0; (o = option_at(v, i)); i++)
		if (o->name && strcmp(o->name, "help") != 0)
			add_name(names, o->name);
}

const struct opt *words_option(const struct verb *v, const char *name)
{
	const struct opt *o;
	size_t i;

	for (i = 0; (o = option_at(v, i)); i++)
		if (o->name && strcmp(o->name, name) == 0)
			return o;
	return NULL;
}

const char *words_pick(const struct words *names, struct span word)
{
	uint32_t h = 2166136261u;
	size_t i;

	for (i = 0; i < names->n; i++)
		if (span_is(word, names->v[i]))
			return names->v[i];
	for (i = 0; i < word.n; i++)
		h = (h ^ (unsigned char)word.p[i]) * 16777619u;
	return names->n ? names->v[h % names->n] : "";
}

const char *words_choice(const char *choices, struct span word, char *text, size_t room)
{
	struct words names = { .n = 0 };
	char *rest = text, *one;

	(void)snprintf(text, room, "%s", choices);
	while ((one = strsep(&rest, "|")))
		add_name(&names, one);
	return words_pick(&names, word);
}

struct span words_next(struct span *line)
{
	struct span word = { line->p, 0 };

	while (line->n && *line->p == ' ') {
		line->p++;
		line->n--;
	}
	word.p = line->p;
	while (line->n && *line->p != ' ') {
		line->p++;
		line->n--;
		word.n++;
	}
	return word;
}

struct span words_split(const char *words, char separator, size_t i)
{
	struct span rest = span_of(words), word;
	const char *end;
	size_t n = 1, k;

	for (k = 0; k < rest.n; k++)
		n += words[k] == separator;
	for (i %= n;; i--) {
		end = memchr(rest.p, separator, rest.n);
		word = (struct span){ rest.p, end ? (size_t)(end - rest.p) : rest.n };
		if (i == 0 || !end)
			return word;
		rest = (struct span){ end + 1, rest.n - word.n - 1 };
	}
}

size_t words_below(uint64_t *state, size_t n)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return n ? (size_t)((*state >> 33) % n) : 0;
}

static const char *any_of(const struct words *names, uint64_t *state)
{
	return names->n ? names->v[words_below(state, names->n)] : "";
}

static void put_option(char *head, const struct verb *v, uint64_t *state)
{
	static const char *const values[] = { "0", "1", "2", "7", "1-2", "3-", "a", ".*", "kernel",
		"aten", "x|y", "[", "3000", ".json", ".html", ".csv", "5%", "GPU", "" };
	struct words names;
	size_t n = strlen(head);
	const char *name, *value = values[words_below(state, COUNT_OF(values))];
	const struct opt *o;
	char text[512];

	words_options(v, &names);
	if (!names.n)
		return;
	name = any_of(&names, state);
	if (words_below(state, 3) == 0 && words_option(v, "format"))
		name = "format";
	o = words_option(v, name);
	if (o->type == OPT_CHOICE) {
		char any[8];

		(void)snprintf(any, sizeof(any), "%zu", words_below(state, 10000));
		value = words_choice(o->choices, span_of(any), text, sizeof(text));
	}
	(void)snprintf(head + n, WORDS_HEAD - 2 - n, " --%s%s%s", name,
		o->type == OPT_FLAG ? "" : "=", o->type == OPT_FLAG ? "" : value);
}

size_t words_head(char head[WORDS_HEAD], struct span about, uint64_t *state)
{
	struct span word[2] = { { "", 0 }, { "", 0 } };
	struct words names;
	struct verb v;
	size_t n, i;

	words_verbs(&names);
	for (i = 0; i < 2; i++)
		word[i] = words_next(&about);
	if (words_below(state, 2))
		word[0] = span_of(any_of(&names, state));
	if (words_below(state, 2))
		word[1] = span_of(forms[words_below(state, COUNT_OF(forms))]);
	if (!verb_find(&commands_all, words_pick(&names, word[0]), &v))
		abort();
	(void)snprintf(head, WORDS_HEAD, "%s %.*s", v.name, word[1].n < 10 ? (int)word[1].n : 10,
		word[1].p);
	words_own(&v, &names);
	if (names.n) {
		n = strlen(head);
		(void)snprintf(head + n, WORDS_HEAD - n, " %s", any_of(&names, state));
	}
	for (i = words_below(state, 4); i > 0; i--)
		put_option(head, &v, state);
	n = strlen(head);
	head[n++] = '\n';
	return n;
}
