/* `gate`: like with like.  What has to be the same on both sides, and what explains a change. */

#include "analyze/answer/gate/gate.h"
#include "analyze/compare/contrast.h"
#include "analyze/job/digest/digest.h"
#include "analyze/job/sides.h"
#include "analyze/compare/why.h"
#include "analyze/trace/history.h"

/* The next word of "gpu,world_size"; false behind the last.  *list may be NULL. */
static bool next_word(const char **list, struct span *word)
{
	if (!*list)
		return false;
	size_t n = strcspn(*list, ",");
	*word = span_trim((struct span){ *list, n });
	if (word->n)
		*list += n + ((*list)[n] == ',');
	return word->n > 0;
}

static bool has_word(const char *list, struct span word)
{
	struct span w;

	while (next_word(&list, &w))
		if (span_eq(w, word))
			return true;
	return false;
}

bool gate_allows(const struct gate *g, struct span word)
{
	return has_word(g->o->allow_env, word);
}

/* What a key is called for people, or NULL for an unknown one. */
static const char *what_of(struct span key)
{
#define X(name, what, needed)    \
	if (span_is(key, #name)) \
		return what;
	ENV_KEYS(X)
#undef X
	return NULL;
}

/* The value of the base: of the side, or of the newest run of a history that says it. */
static struct span base_value(struct gate *g, const char *key)
{
	const struct history *h = g->query->history;

	if (g->base_side)
		return sides_condition(g->base_side, key, false, &g->mem);
	for (size_t i = h->nrun; i-- > 0;)
		for (size_t k = 0; k < h->run[i].ncondition; k++)
			if (strcmp(h->run[i].condition[k].key, key) == 0)
				return span_of(h->run[i].condition[k].value);
	return (struct span){ "", 0 };
}

static enum status compare(struct gate *g, struct span word, struct err *e)
{
	const char *key = arena_copy(&g->mem, word.p, word.n), *what = what_of(word);

	if (!what)
		return err_hinted(e, E_USAGE,
			"known are gpu, gpu_count, world_size, backend, torch, cuda_runtime, "
			"cuda_driver, nccl and the others of 'traceq explain env_differs'",
			"gate.env: '%s' is nothing that is known of runs", key);
	struct span base = base_value(g, key);
	struct span now = sides_condition(g->now_side, key, false, &g->mem);
	if (base.n == 0 || now.n == 0 || span_eq(base, now))
		return OK;
	if (gate_allows(g, word)) {
		g->is_foreign = true;
		result_note(g->out, NOTE_WARNING, "env_differs", -1, -1,
			"%s: %.*s -> %.*s; checks of speed are warnings", what, (int)base.n, base.p,
			(int)now.n, now.p);
		return OK;
	}
	(void)err_set(e, E_FORMAT, -1, "base has %s %.*s, new has %s %.*s: not comparable", what,
		(int)base.n, base.p, what, (int)now.n, now.p);
	return err_hint(e, "--allow-env %s compares them; checks of speed become warnings", key);
}

enum status gate_env(struct gate *g, struct err *e)
{
	const struct setting_value *v = gate_value(g->query->settings, "gate.env");
	const char *list = v ? v->text : "gpu,world_size", *allowed = g->o->allow_env;
	struct span w;

	while (next_word(&allowed, &w))
		if (!what_of(w) && !span_is(w, "steps"))
			return err_set(e, E_USAGE, -1,
				"--allow-env: '%.*s' is nothing that is known", (int)w.n, w.p);
	while (next_word(&list, &w))
		TRY(compare(g, w, e));
	return OK;
}

/* Files of a side too damaged to be read: why a check may find no figure there. */
static void note_damaged(struct gate *g, const struct side *s, const char *word)
{
	const struct side_left *first = NULL;
	int64_t n = 0;

	for (size_t i = 0; s && i < s->nleft; i++) {
		if (!s->left[i].is_damaged && s->nrun > 0)
			continue;
		first = first ? first : &s->left[i];
		n++;
	}
	if (first)
		result_note(g->out, NOTE_WARNING, "files_unreadable", -1, n,
			"%s: %lld file%s cannot be read, the first %s: %s", word, (long long)n,
			plural_s(n), first->path, first->why);
}

void gate_note_damaged(struct gate *g)
{
	note_damaged(g, g->base_side, "base");
	note_damaged(g, g->now_side, "new");
}

/* The sentences behind that of the step, which says what the check says. */
static void take_why(struct gate *g, struct contrast *c)
{
	struct why why;

	contrast_find_work(c);
	why_init(&why, c, &g->out->mem);
	g->why = arena_array(&g->out->mem, why.n, sizeof(*g->why));
	for (size_t i = c->has_step; i < why.n; i++)
		g->why[g->nwhy++] = why.text[i].p;
}

/* Another unit and settings that differ are said whatever the verdict is; c may be NULL. */
static void take_settings(struct gate *g, const struct contrast *c)
{
	const char *text[] = { why_unit(&g->pairs, &g->out->mem),
		c ? why_settings(c, &g->out->mem) : NULL };

	g->why = arena_array(&g->out->mem, COUNT_OF(text), sizeof(*g->why));
	for (size_t i = 0; i < COUNT_OF(text); i++)
		if (text[i])
			g->why[g->nwhy++] = text[i];
}

void gate_explain(struct gate *g)
{
	struct contrast c;

	if (!g->base_side) {
		take_settings(g, NULL);
		return;
	}
	contrast_init(&c, g->base_side, g->now_side, &contrast_usual, &g->mem);
	if (!c.has_common)
		return;
	if (g->exit_code)
		take_why(g, &c);
	else
		take_settings(g, &c);
	for (size_t i = 0; i < c.ncondition && !g->is_foreign; i++)
		if (!c.condition[i].is_config)
			result_note(g->out, NOTE_INFO, "env_differs", -1, -1, "%s",
				contrast_condition_text(&c.condition[i], &g->mem));
}
