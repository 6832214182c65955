/* `critical`: what bounds the step, in a sentence, and how that goes with the run's verdict. */
#include "analyze/answer/critical/critical.h"

#include "analyze/analysis/row_limit.h"
#include "base/unit.h"
#include "base/words.h"

static WORDS(bound_key, enum bound, BOUNDS, 2) static WORDS(bound_what, enum bound, BOUNDS, 4)

	/* What a verdict's part is on the path; BOUND_COUNT: nothing there is like it. */
	static enum bound bound_of_part(enum verdict_part p)
{
	switch (p) {
	case PART_OF_COMPUTE: return BOUND_COMPUTE;
	case PART_OF_COMM: return BOUND_COMM;
	case PART_OF_COPY: return BOUND_COPY;
	case PART_OF_DATA: return BOUND_DATA;
	case PART_OF_SYNC: return BOUND_SYNC;
	case PART_OF_HOST:
	case PART_OF_LAUNCH: return BOUND_HOST;
	case PART_OF_DEPENDENCY: return BOUND_GAP;
	default: return BOUND_COUNT;
	}
}

/* A second bound is said when it is no smaller than this share of the first. */
static const double SECOND_MIN = 0.8;

/* The largest but `other`; of equals the first. */
static enum bound largest(const nsec *ns, enum bound other)
{
	enum bound best = other == BOUND_COMPUTE ? BOUND_COMM : BOUND_COMPUTE;

	for (int i = 0; i < BOUND_COUNT; i++)
		if (i != (int)other && ns[i] > ns[best])
			best = (enum bound)i;
	return best;
}

/* Where the host is named, and most of it is in nothing that is recorded; else "". */
static const char *unseen_text(const struct critical *c, struct arena *mem, enum bound first,
	enum bound second, const nsec *ns)
{
	nsec unseen = c->ns[OWNER_NOTHING];
	bool is_said = first == BOUND_HOST ||
		(second == BOUND_HOST && (double)ns[second] >= SECOND_MIN * (double)ns[first]);

	if (!is_said || unseen <= ns[BOUND_HOST] / 2)
		return "";
	return arena_printf(mem, ", of which nothing is recorded for %s",
		unit_percent(mem, ratio_of((double)unseen, (double)critical_whole(c))));
}

static void put_best(const struct critical *c, struct table *t)
{
	double n = (double)c->window.nstep;

	if (!c->best.says || c->best.ns <= 0 || critical_whole(c) <= 0)
		return;
	table_int(t, CBOUND_BEST, c->best.ns);
	table_textf(t, CBOUND_BEST_TEXT, "%s less (%s%s): %s",
		unit_percent(t->mem, (double)c->best.ns / (double)critical_whole(c)),
		unit_time(t->mem, (double)c->best.ns / n), c->window.has_steps ? " a step" : "",
		c->best.says);
}

/* How it comes that the path is something else. */
static const char *why_other(enum verdict_part p, enum bound b)
{
	bool is_host = b == BOUND_HOST || b == BOUND_DATA || b == BOUND_SYNC;

	switch (p) {
	case PART_OF_COMPUTE:
	case PART_OF_COMM:
	case PART_OF_COPY: return is_host ? ": the rest runs beside the host" : "";
	case PART_OF_SYNC: return is_host ? ": what it waits for then is the host" : "";
	default: return "";
	}
}

/* What the verdict says is said where it is something else: it is about one device and what that
 * waits for, the path about what had to be done. */
static void put_verdict(const struct critical *c, struct table *t, enum bound bound, const nsec *ns)
{
	const struct verdict *v = &c->verdict;
	enum bound named = bound_of_part(v->part);
	const char *device = "the GPU", *path = "";

	table_text(t, CBOUND_VERDICT, span_of(v->word));
	if (v->device == SIZE_MAX || named == bound)
		return;
	if (c->window.ndevice > 1)
		device = arena_printf(t->mem, "GPU %" PRId64, c->window.device[v->device].id);
	if (named != BOUND_COUNT)
		path = arena_printf(t->mem, ", %s of the path",
			unit_percent(
				t->mem, ratio_of((double)ns[named], (double)critical_whole(c))));
	table_textf(t, CBOUND_VERDICT_TEXT, "%s: %s of %s's time is %s%s%s", v->word,
		unit_percent(t->mem, v->share), device, part_word(v->part), path,
		why_other(v->part, bound));
}

void critical_put_bound(struct critical *c, struct table *t)
{
	nsec ns[BOUND_COUNT + 1];

	for (int i = 0; i <= BOUND_COUNT; i++)
		ns[i] = 0;
	for (int i = 0; i < OWNER_COUNT; i++)
		saturate_onto(&ns[critical_bound_of((enum owner)i)], c->ns[i]);
	enum bound bound = largest(ns, BOUND_COUNT);
	t->layout = TABLE_LIST;
	TABLE_ROW(t, [CBOUND_NS] = cell_int(c->window.ns),
		[CBOUND_STEPS] = CELL_IF(c->window.has_steps, cell_size(c->window.nstep)));
	if (ns[bound] > 0) {
		double whole = (double)critical_whole(c);
		enum bound second = largest(ns, bound);
		const char *more = "";
		if ((double)ns[second] >= SECOND_MIN * (double)ns[bound])
			more = arena_printf(t->mem, "; %s is %s",
				unit_percent(t->mem, ratio_of((double)ns[second], whole)),
				bound_what(second));
		table_textf(t, CBOUND_TEXT, "%s of the %s is %s%s%s",
			unit_percent(t->mem, ratio_of((double)ns[bound], whole)),
			c->window.has_steps ? "step" : "run", bound_what(bound), more,
			unseen_text(c, t->mem, bound, second, ns));
		TABLE_CELLS(t, [CBOUND_WORD] = cell_word(bound_key(bound)),
			[CBOUND_RATIO] = cell_ratio(ns[bound], critical_whole(c)));
		put_best(c, t);
	}
	put_verdict(c, t, bound, ns);
	rows_for_people(c->at->q, t);
}
