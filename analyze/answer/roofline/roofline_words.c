/* `roofline`: what the tables say, in a few lines: how much of the device's time has a roof, what
 * most of that is and what bounds it, how collectives do, and what is not known. */

#include "analyze/answer/roofline/roofline.h"
#include "analyze/analysis/row_limit.h"
#include "base/unit.h"

enum { FAMILIES = ROOF_CLASS_COUNT + 1, SHOWN_REASONS = 2 };

/* Of the device's time; less is not worth a word. */
static const double LEAST = 0.0005;

/* Ops that do the same kind of thing; of the words of roof_class_of. */
struct class_of_ops {
	const char *word;
	struct roof_sum sum;
};

struct words {
	const struct roofline *x;
	struct class_of_ops family[FAMILIES];
	struct roof_sum links, rest, all; /* collectives; all else; both */
};

static const char *share(struct arena *mem, const struct words *w, nsec ns)
{
	return unit_percent(mem, ratio_of((double)ns, (double)w->x->busy));
}

static void gather(struct words *w)
{
	const struct roof *o = &w->x->roof;
	struct roof_sum *to;
	uint32_t at;

	for (uint32_t i = 0; i < o->row_keys.n; i++) {
		const struct roof_row_key *key = keymap_key(&o->row_keys, i);
		const struct roof_cost *c = &o->cost[key->cost];
		const struct roof_row *row = &o->row[i];
		const char *word = roof_class_of(c);

		for (at = 0; w->family[at].word && strcmp(w->family[at].word, word) != 0;)
			at++;
		to = c->is_comm ? &w->links : &w->family[at].sum;
		if (!c->is_comm)
			w->family[at].word = word;
		roof_sum_add(to, c, &o->peaks[key->device], row->calls, row->busy, row->own);
	}
	for (at = 0; at < FAMILIES; at++)
		roof_sum_join(&w->rest, &w->family[at].sum);
	roof_sum_join(&w->all, &w->rest);
	roof_sum_join(&w->all, &w->links);
}

/* The family with most time that has a roof; NULL: none has. */
static const struct class_of_ops *main_family(const struct words *w)
{
	const struct class_of_ops *most = NULL;

	for (EACH(const struct class_of_ops, family, w->family, FAMILIES))
		if (family->sum.roof_own > (most ? most->sum.roof_own : 0))
			most = family;
	return most;
}

/* Collectives: how much of what links can do; a wait for others is time of theirs, too. */
static void put_links(const struct words *w, struct table *t)
{
	if (w->links.roof_busy <= 0)
		return;
	TABLE_CELLS(t, [RHEAD_LINK_RATIO] = cell_real(roof_sum_ratio(&w->links)),
		[RHEAD_LINK_TEXT] = cell_textf(t,
			"%s of the GPU time are collectives, at %s of what the links can do; waits "
			"for other ranks are in their time",
			share(t->mem, w, w->links.own),
			unit_percent(t->mem, roof_sum_ratio(&w->links))));
}

static void put_family(const struct words *w, struct table *t)
{
	const struct class_of_ops *f = main_family(w);
	const char *above_text;

	if (!f)
		return;
	double above = (double)f->sum.roof_busy - roof_sum_at(&f->sum);
	bool is_compute = strcmp(roof_sum_bound(&f->sum), "compute") == 0;
	if (above > 0)
		above_text = arena_printf(t->mem, "; %s above it", unit_time(t->mem, above));
	else
		above_text = arena_printf(t->mem,
			": more than there is, so %sthe peak is not this GPU's",
			is_compute ? "" : "bytes came from a cache or ");
	TABLE_CELLS(t, [RHEAD_CLASS] = cell_word(f->word),
		[RHEAD_CLASS_SHARE] = cell_ratio(f->sum.own, w->x->busy),
		[RHEAD_CLASS_RATIO] = cell_real(roof_sum_ratio(&f->sum)),
		[RHEAD_BOUND] = cell_word(roof_sum_bound(&f->sum)),
		[RHEAD_CLASS_TEXT] = cell_textf(t,
			"%s: %s of the GPU time, at %s%s of its roof, which is %s%s", f->word,
			share(t->mem, w, f->sum.own), f->sum.is_most ? "most " : "",
			unit_percent(t->mem, roof_sum_ratio(&f->sum)),
			is_compute ? "compute" : "memory bandwidth", above_text));
}

/* The reason with most time of those that are not said; of equals the first; KNOWN: none. */
static enum roof_reason next_reason(const nsec *why, const bool *is_said)
{
	enum roof_reason found = ROOF_WHY_KNOWN;

	for (enum roof_reason i = ROOF_WHY_KNOWN + 1; i < ROOF_WHY_COUNT; i++)
		if (!is_said[i] && why[i] > 0 && (found == ROOF_WHY_KNOWN || why[i] > why[found]))
			found = i;
	return found;
}

static void put_unknown(const struct words *w, struct table *t)
{
	nsec left = saturate_sub(w->x->busy, w->all.roof_own), why[ROOF_WHY_COUNT];
	bool is_said[ROOF_WHY_COUNT] = { false }, is_peak;
	struct str b = { 0 };

	memcpy(why, w->all.why, sizeof(why));
	nsec no_peak = saturate_sub(why[ROOF_WHY_KNOWN], w->all.roof_own);
	is_peak = (double)no_peak >= LEAST * (double)w->x->busy;
	if ((double)left < LEAST * (double)w->x->busy)
		return;
	str_adds(&b, share(t->mem, w, left));
	if (is_peak)
		str_addf(&b, ": %s (no peak is known to hold it against)",
			share(t->mem, w, no_peak));
	for (int n = 0; n < SHOWN_REASONS; n++) {
		enum roof_reason r = next_reason(why, is_said);

		if (r == ROOF_WHY_KNOWN || (double)why[r] < LEAST * (double)w->x->busy)
			break;
		is_said[r] = true;
		str_addf(&b, "%s%s (%s)", n > 0 || is_peak ? ", " : ": ", share(t->mem, w, why[r]),
			roof_reason_words[r]);
	}
	TABLE_CELLS(t, [RHEAD_UNKNOWN] = cell_str(t, &b));
}

void roofline_head_table(struct roofline *x)
{
	struct words w = { .x = x };

	if (x->roof.row_keys.n == 0 || x->busy <= 0)
		return;
	gather(&w);
	struct table *t = perrun_table(x->p, &roofline_docs[ROOFLINE_HEAD]);
	t->layout = TABLE_LIST;
	table_row(t);
	const char *rest = "";
	if (w.rest.roof_busy > 0)
		rest = arena_printf(t->mem, "%s %s of it",
			w.links.roof_own > 0 ? "; beside collectives it runs at" : ", and runs at",
			unit_percent(t->mem, roof_sum_ratio(&w.rest)));
	TABLE_CELLS(t, [RHEAD_BUSY] = cell_int(w.x->busy),
		[RHEAD_COVERED] = cell_ratio(w.all.roof_own, w.x->busy),
		[RHEAD_RATIO] = cell_real(roof_sum_ratio(&w.rest)),
		[RHEAD_TEXT] = cell_textf(t, "%s of the GPU time (%s) has a roof%s",
			w.all.roof_own > 0 ? share(t->mem, &w, w.all.roof_own) : "nothing",
			unit_time(t->mem, (double)w.x->busy), rest));
	put_family(&w, t);
	put_links(&w, t);
	put_unknown(&w, t);
	rows_for_people(x->p->q, t);
}
