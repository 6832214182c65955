/*
 * Series by rank and key, found again by a table of the keys met.
 */
#include "analyze/input/artifact/log_figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/input/artifact/log_words.h"
#include "analyze/input/artifact/steps_key.h"
#include "base/die.h"

enum { RANKS_MAX = 65536 };

void log_figures_open(struct log_figures *g, struct reading *in)
{
	*g = (struct log_figures){ .in = in };
	log_figures_rank(g, -1);
}

void log_figures_close(struct log_figures *g)
{
	free(g->rank);
	g->rank = NULL;
}

static struct span group_of(struct log_figures *g, int rank)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "rank %d", rank);

	return rank > 0 ? record_text(g->in->record, (struct span){ text, (size_t)n }) : SPAN("");
}

void log_figures_rank(struct log_figures *g, int rank)
{
	size_t i;

	if (g->nrank && g->rank[g->at].number == rank)
		return;
	for (i = 0; i < g->nrank && g->rank[i].number != rank; i++)
		;
	if (i == g->nrank && i < RANKS_MAX) {
		g->rank = array_grow(g->rank, &g->rank_cap, i + 1, sizeof(*g->rank));
		g->rank[g->nrank++] =
			(struct log_rank){ .number = rank, .group = group_of(g, rank) };
	}
	g->at = i < g->nrank ? i : 0;
}

void log_figures_step(struct log_figures *g, double step)
{
	g->rank[g->at].step = step;
	g->rank[g->at].has_step = true;
}

static size_t slot_of(const struct log_figures *g, struct span key)
{
	size_t first = (unsigned char)key.p[0], last = (unsigned char)key.p[key.n - 1];
	size_t middle = (unsigned char)key.p[key.n / 2];

	return (key.n * 131 + first * 31 + middle * 7 + last * 3 + g->at * 61) % LOG_SLOTS;
}

static struct series *series_of(struct log_figures *g, struct span key)
{
	struct log_slot *slot = &g->slot[slot_of(g, key)];

	if (slot->series && slot->rank == g->at && span_eq(slot->key, key))
		return slot->series;
	slot->series = record_series(g->in->record, g->in->artifact, key, g->rank[g->at].group);
	slot->rank = g->at;
	if (slot->series)
		slot->key = slot->series->name;
	return slot->series;
}

void log_figures_add(struct log_figures *g, struct span key, double v, enum measure m)
{
	const struct log_rank *r = &g->rank[g->at];
	struct series *s = key.n ? series_of(g, key) : NULL;
	bool by_step;

	if (!s)
		return;
	if (s->measure != m && s->measure != MEASURE_NONE &&
		measure_infos[m].base == measure_infos[s->measure].base)
		v *= measure_infos[m].factor / measure_infos[s->measure].factor;
	else if (m != MEASURE_NONE)
		s->measure = m;
	by_step = r->has_step && (!g->by_row || (s->n > 0 && s->axis == AXIS_STEP));
	s->axis = by_step ? AXIS_STEP : AXIS_ROW;
	series_add(s, by_step ? r->step : (double)s->n, v);
	g->n++;
}

/* How well a key names the step: as in logs of rows, else in any case and in more words. */
static int step_rank(struct span key)
{
	int rank = steps_key_rank(key) * 2;

	return rank ? rank : log_word_is_step(key);
}

static struct span name_of(
	struct log_figures *g, const struct log_pair *pair, const struct log_form *form)
{
	struct span key = pair->key;

	if (pair->is_share)
		key = span_of(arena_printf(&g->in->mem, "%.*s_pct", (int)key.n, key.p));
	key = log_form_name(form, key);
	if (form && form->prefix)
		key = span_of(
			arena_printf(&g->in->mem, "%s.%.*s", form->prefix, (int)key.n, key.p));
	return key;
}

bool log_figures_pairs(
	struct log_figures *g, const struct log_pairs *pairs, const struct log_form *form)
{
	struct arena_mark mark = arena_mark(&g->in->mem);
	int best = 0;
	size_t i;

	for (i = 0; i < pairs->n; i++)
		if (step_rank(pairs->v[i].key) > best) {
			best = step_rank(pairs->v[i].key);
			log_figures_step(g, pairs->v[i].value);
		}
	for (i = 0; i < pairs->n; i++)
		log_figures_add(
			g, name_of(g, &pairs->v[i], form), pairs->v[i].value, pairs->v[i].measure);
	arena_reset(&g->in->mem, mark);
	return pairs->n > 0;
}

void log_figures_say(const struct log_figures *g)
{
	size_t i, others = 0;

	for (i = 0; i < g->nrank; i++)
		others += g->rank[i].number > 0;
	if (others)
		reading_note(g->in, NOTE_INFO, "ranks_in_log", (int64_t)others, -1,
			"lines of %zu rank%s but 0: figures of each are in a group of its own",
			others, others == 1 ? "" : "s");
}
