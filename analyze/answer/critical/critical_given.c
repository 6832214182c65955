/*
 * `critical`: the words of --what-if.
 *
 *	KIND=VALUE            kernel=0.5
 *	KIND:REGEX=VALUE      op:aten::mm=5us, comm:AllGather=hidden
 *
 * A comma begins the next change where a kind and a ':' or '=' are behind it; any other is part of
 * the regular expression.
 */
#include "analyze/answer/critical/critical.h"

#include <stdlib.h>

#include "analyze/trace/regex.h"
#include "base/ascii.h"
#include "base/saturate.h"
#include "base/setting.h"
#include "base/xalloc.h"

#define OPTION "--what-if"
#define KINDS_ARE                                                                 \
	"a KIND is one of" CRITICAL_KINDS ": 'dataloader=0', 'kernel:gemm=0.5', " \
	"'op:aten::mm=5us', 'comm=hidden'"

/* The kind that stands there, with ':' or '=' behind it; CHANGE_COUNT: none does. */
static enum change_kind kind_at(const char *p)
{
	int k;

	for (k = 0; k < CHANGE_COUNT; k++) {
		const char *word = change_word((enum change_kind)k);
		size_t n = strlen(word);

		if (strncmp(p, word, n) == 0 && (p[n] == ':' || p[n] == '='))
			return (enum change_kind)k;
	}
	return CHANGE_COUNT;
}

static enum status refuse_kind(const char *text, struct err *e)
{
#define X(name, word, what) word,
	static const char *const words[] = { CHANGES(X) };
#undef X
	size_t n = strcspn(text, ":=");
	char *word = xstrndup(text, n);
	const char *near = opt_nearest(word, words, CHANGE_COUNT);

	if (text[n] == '\0')
		(void)err_set(e, E_USAGE, -1, "%s wants KIND:REGEX=FACTOR or =TIME, got '%s'",
			OPTION, text);
	else
		(void)err_set(e, E_USAGE, -1, "%s '%s': there is no kind '%s'", OPTION, text, word);
	if (near && text[n] != '\0')
		(void)err_hint(e, "did you mean '%s'?", near);
	else
		(void)err_hint(e, KINDS_ARE);
	free(word);
	return E_USAGE;
}

static enum status refuse_value(
	const struct critical_change *c, const char *value, const char *wants, struct err *e)
{
	(void)err_set(e, E_USAGE, -1, "%s '%s' wants %s, got '%s'", OPTION, c->text, wants, value);
	if (strchr(value, ','))
		return err_hint(e, "behind ',' no kind begins; " KINDS_ARE);
	if (c->change.kind == CHANGE_SYNC)
		return err_hint(e, "sync: %s", change_what(CHANGE_SYNC));
	return err_hint(e, "%s: %s; 0.5 is half the time, 0 none of it, 5us that time each",
		change_word(c->change.kind), change_what(c->change.kind));
}

/* A number with a unit is a time, one without is a factor. */
static enum status read_number(
	struct critical_change *c, const char *value, const char *wants, struct err *e)
{
	size_t n = strlen(value);
	bool is_time = n > 0 && is_letter(value[n - 1]);
	struct err mine;
	double v = 0;

	if (setting_number(OPTION, is_time ? SETTING_TIME : SETTING_NUMBER, value, &v, &mine) != OK)
		return refuse_value(c, value, wants, e);
	c->change.factor = is_time ? 1 : v;
	c->change.ns = is_time ? saturate_whole(v) : -1;
	return OK;
}

static enum status read_value(struct critical_change *c, const char *value, struct err *e)
{
	bool can_hide = c->change.kind == CHANGE_COMM;
	bool can_time = c->regex || c->change.kind != CHANGE_HOST;
	const char *wants = can_hide ? "a factor, a time or hidden" : "a factor or a time";

	if (can_hide && strcmp(value, "hidden") == 0) {
		c->change.is_hidden = true;
		return OK;
	}
	if (c->change.kind == CHANGE_SYNC)
		wants = "0, as calls wait or do not";
	else if (!can_time)
		wants = "a factor, as no name is given";
	TRY(read_number(c, value, wants, e));
	if (c->change.kind == CHANGE_SYNC &&
		(c->change.ns > 0 || (c->change.ns < 0 && c->change.factor != 0)))
		return refuse_value(c, value, wants, e);
	if (!can_time && c->change.ns >= 0)
		return refuse_value(c, value, wants, e);
	return OK;
}

/* One change; text is its own. */
static enum status read_change(
	struct critical_change *c, const char *text, struct arena *mem, struct err *e)
{
	enum change_kind kind = kind_at(text);
	const char *rest, *value;

	if (kind == CHANGE_COUNT)
		return refuse_kind(text, e);
	*c = (struct critical_change){ .text = text,
		.change = { .kind = kind, .factor = 1, .ns = -1 } };
	rest = text + strlen(change_word(kind));
	value = *rest == ':' ? strrchr(rest, '=') : rest;
	if (!value) {
		(void)err_set(e, E_USAGE, -1, "%s '%s' has no '='", OPTION, text);
		return err_hint(e, KINDS_ARE);
	}
	if (*rest == ':') {
		c->regex = arena_copy(mem, rest + 1, (size_t)(value - rest - 1));
		if (!*c->regex) {
			(void)err_set(e, E_USAGE, -1, "%s '%s': no name between ':' and '='",
				OPTION, text);
			return err_hint(e, "'%s=...' is about all of them", change_word(kind));
		}
		TRY(regex_check(c->regex, OPTION, e));
	}
	return read_value(c, value + 1, e);
}

/* Where the change that begins at p ends. */
static const char *end_of(const char *p)
{
	for (; *p; p++)
		if (*p == ',' && kind_at(p + 1) != CHANGE_COUNT)
			break;
	return p;
}

enum status critical_read_given(
	struct critical_given *g, const struct opt_list *list, struct arena *mem, struct err *e)
{
	size_t cap = 0, i;

	*g = (struct critical_given){ 0 };
	for (i = 0; i < list->n; i++) {
		const char *p = list->v[i];

		for (;;) {
			const char *end = end_of(p);

			g->v = arena_grow(mem, g->v, g->n, &cap, 4, sizeof(*g->v));
			TRY(read_change(
				&g->v[g->n], arena_copy(mem, p, (size_t)(end - p)), mem, e));
			g->n++;
			if (!*end)
				break;
			p = end + 1;
		}
	}
	return OK;
}
