/* Series by rank and key, found again by a table of the keys met. */
#include "analyze/input/artifact/logs/log_figures.h"

#include <stdio.h>

#include "analyze/input/artifact/logs/log_row.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/figure.h"
#include "base/base.h"

/* FEW_ROWS: a series of more values by rows stays so, where at its end a line says a step. */
enum { RANKS_MAX = 65536, RISING = 20, FEW_ROWS = 2 };

void log_figures_open(struct log_figures *g, struct reading *in)
{
	memset(g, 0, sizeof(*g));
	g->in = in;
	log_figures_group(g, SPAN(""), false);
}

static void unstage(struct log_stage *t)
{
	series_add_many(t->series, t->point, t->n);
	t->n = 0;
}

/* "time" of each step, and not since the begin: it does not rise all the time. */
static bool is_step_time(const struct series *s)
{
	int64_t rises = 0;

	if (span_is_nocase(s->name, "time") &&
		(s->measure == MEASURE_MS || s->measure == MEASURE_US))
		return true;
	if (!span_is_nocase(s->name, "time") || !s->point || s->n < 2 || s->axis != AXIS_STEP)
		return false;
	for (int64_t i = 1; i < s->n; i++)
		rises += s->point[i].y > s->point[i - 1].y;
	return rises < s->n - 1 || series_rises_slowly(s) ||
		(s->n < RISING && s->last.y - s->min < s->min * (double)(s->n - 1) / 2);
}

/* "450 sec" without a name, which rises all the time. */
static bool is_elapsed(const struct series *s)
{
	return s->point && s->n > 1 && measure_infos[measure_of_unit(s->name)].base == UNIT_NS &&
		ALL(i, (size_t)s->n - 1, s->point[i + 1].y > s->point[i].y);
}

/* Memory of no unit that is more than any in KiB: bytes. */
static bool is_bytes(const struct series *s)
{
	return s->measure == MEASURE_NONE && s->max >= 0x1p30 && s->max == floor(s->max) &&
		strcmp(figure_kind(s->name, UNIT_NONE)->word, "memory") == 0;
}

void log_figures_settle(struct log_figures *g)
{
	for (size_t i = 0; i < LOG_STAGES; i++)
		if (g->stage[i])
			unstage(g->stage[i]);
}

void log_figures_close(struct log_figures *g)
{
	for (size_t i = 0; i < LOG_STAGES; i++) {
		if (g->stage[i]) {
			if (is_bytes(g->stage[i]->series))
				g->stage[i]->series->measure = MEASURE_BYTE;
			if (is_elapsed(g->stage[i]->series))
				g->stage[i]->series->name = SPAN("elapsed");
			if (!g->rank[0].place.is_by_epoch && !g->stage[i]->is_of_epoch &&
				is_step_time(g->stage[i]->series))
				g->stage[i]->series->name = SPAN("step_time");
		}
		free(g->stage[i]);
		g->stage[i] = NULL;
	}
	free(g->rank);
	g->rank = NULL;
}

void log_figures_group(struct log_figures *g, struct span group, bool is_rank)
{
	size_t i;

	if (g->nrank && span_eq(g->rank[g->at].group, group))
		return;
	i = FIRST(k, g->nrank, span_eq(g->rank[k].group, group));
	if (i == g->nrank && i < RANKS_MAX) {
		g->rank = array_grow(g->rank, &g->rank_cap, i + 1, sizeof(*g->rank));
		g->rank[g->nrank++] =
			(struct log_rank){ .group = record_text(g->in->record, group) };
		g->nother += is_rank;
	}
	g->at = i < g->nrank ? i : 0;
}

void log_figures_below(struct log_figures *g, struct span part)
{
	struct arena_mark mark = arena_mark(&g->in->mem);
	struct span group = g->rank[g->at].group;

	if (group.n)
		part = span_of(arena_printf(
			&g->in->mem, "%.*s %.*s", (int)group.n, group.p, (int)part.n, part.p));
	log_figures_group(g, part, false);
	arena_reset(&g->in->mem, mark);
}

void log_figures_step(struct log_figures *g, double step, double total)
{
	struct log_place *p = &g->rank[g->at].place;

	g->nstep++;
	p->nbelow = total > p->total && p->total > 0 && step == p->step ? p->nbelow + 1 : 0;
	p->is_below = p->is_below || p->nbelow > 1;
	if (p->is_below) { /* "Batch 0/200": of an epoch's batches this one */
		p->epoch = step;
		step = fmax(0, total);
		total = 0;
	}
	(void)log_place_step(p, step, total);
}

static size_t key_hash(struct span key, size_t seed)
{
	uint64_t first = 0, last = 0;

	if (key.n >= sizeof(first)) {
		memcpy(&first, key.p, sizeof(first));
		memcpy(&last, key.p + key.n - sizeof(last), sizeof(last));
	} else if (key.n >= 4) {
		memcpy(&first, key.p, 4);
		memcpy(&last, key.p + key.n - 4, 4);
	} else {
		for (size_t i = 0; i < key.n; i++)
			first = first << 8 | (unsigned char)key.p[i];
	}
	first = (first ^ (last + key.n + seed) * UINT64_C(0xd1342543de82ef95)) *
		UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(first >> 40);
}

/* Names of who writes a line, the surest first; a "gpu" is its share but before memory. */
static const char *const owners[] = { "global_rank", "rank", "local_rank|gpu_id|device_id",
	"gpu|device" };

static const struct log_known *known(struct log_figures *g, struct span key)
{
	struct log_known *k =
		key.n <= LOG_KNOWN_KEY ? &g->known[key_hash(key, 0) % LOG_KNOWN] : &g->long_key;

	if (k->n == key.n && k != &g->long_key && memcmp(k->key, key.p, key.n) == 0)
		return k;
	struct span name = log_word_name(key);
	int rank = steps_key_rank(key) * 2;
	*k = (struct log_known){ .n = key.n, .name = name.p == key.p ? SPAN("") : name };
	memcpy(k->key, key.p, MIN(key.n, LOG_KNOWN_KEY));
	k->is_step = log_word_is_step(key);
	k->is_epoch = log_word_is_epoch(key);
	k->is_batch = span_is_nocase(key, "batch");
	k->step_rank = rank || k->is_step ? 1 + rank : 0;
	k->owner = FIND_VALUE(i, COUNT_OF(owners), span_in_nocase(key, owners[i]), (int)i + 1, 0);
	return k;
}

/* There are twice as many places as an artifact may have series. */
static struct log_stage *stage_of(struct log_figures *g, struct series *s)
{
	size_t i = ((uintptr_t)s >> 4) * 0x9e3779b1u % LOG_STAGES;

	while (g->stage[i] && g->stage[i]->series != s)
		i = (i + 1) % LOG_STAGES;
	if (!g->stage[i]) {
		g->stage[i] = xcalloc(1, sizeof(*g->stage[i]));
		g->stage[i]->series = s;
	}
	return g->stage[i];
}

static struct log_stage *find_stage(struct log_figures *g, struct span key)
{
	struct log_slot *slot = &g->slot[key_hash(key, g->at) % LOG_SLOTS];

	if (slot->stage && slot->rank == g->at && span_eq(slot->key, key))
		return slot->stage;
	struct series *s = record_series(g->in->record, g->in->artifact, key, g->rank[g->at].group);
	if (!s)
		return NULL;
	*slot = (struct log_slot){ s->name, g->at, stage_of(g, s) };
	return slot->stage;
}

void log_figures_line(struct log_figures *g, const char *base)
{
	g->base = base;
	g->line_nbare = 0;
	g->step_at = NULL;
	g->nnoted = 0;
	g->is_noted = base != NULL;
}

HOT_INLINE void put(struct log_figures *g, const struct log_place *p, struct log_stage *t, double v,
	bool by_row)
{
	bool is_step = t->count > 0 && t->series->axis == AXIS_STEP;
	bool by_step = p->has_step && (is_step || (!by_row && t->count <= FEW_ROWS));

	if (UNLIKELY(t->n == LOG_STAGED))
		unstage(t);
	/* "-100%", "(+nanz)": not measured yet */
	if (UNLIKELY(!(v >= 0)) && span_ends(t->series->name, v < 0 ? "mfu" : " z")) {
		series_add_missing(t->series);
		return;
	}
	t->series->axis = by_step ? AXIS_STEP : AXIS_ROW;
	t->newest_x = by_step ? p->x : (double)t->count;
	t->point[t->n++] = (struct point){ t->newest_x, v };
	t->newest = ++g->n;
	t->oldest = t->count++ > 0 ? t->oldest : g->n;
}

double log_figures_value(struct log_figures *g, const struct log_pair *pair)
{
	return log_commas_value(&g->commas, g->in->head, pair);
}

static void note(struct log_figures *g, const struct log_noted *noted, const struct log_pair *pair)
{
	bool is_unclear = pair->mark == MARK_EITHER_COMMA && g->commas.unclear > 0;

	if (!g->base || !pair->at || pair->is_fixed || is_unclear ||
		log_commas_are_decimal(&g->commas) || g->nnoted == LOG_PAIRS) {
		g->is_noted = false;
		return;
	}
	g->noted[g->nnoted] = *noted;
	g->noted[g->nnoted].at = (size_t)(pair->at - g->base);
	g->noted[g->nnoted].key_at = (size_t)(pair->key.p - g->base);
	g->noted[g->nnoted++].key_n = pair->is_unnamed ? 0 : pair->key.n;
}

/* "memory (GiB)" and "memory (%)" are two series; NULL: there is no room for the second. */
static struct series *other_unit(struct log_figures *g, struct log_stage **stage, enum measure m)
{
	struct arena_mark mark = arena_mark(&g->in->mem);
	struct span name = (*stage)->series->name;

	*stage = find_stage(g,
		span_of(arena_printf(
			&g->in->mem, "%.*s (%s)", (int)name.n, name.p, measure_infos[m].word)));
	arena_reset(&g->in->mem, mark);
	g->is_noted = g->is_noted && *stage;
	return *stage ? (*stage)->series : NULL;
}

void log_figures_add(struct log_figures *g, struct span name, const struct log_pair *pair)
{
	struct log_stage *stage = name.n ? find_stage(g, name) : NULL;
	enum measure m = pair->measure;
	double factor = pair->scale != 0 ? pair->scale : 1;

	if (!stage) {
		g->is_noted = false;
		return;
	}
	stage->is_of_epoch = stage->is_of_epoch || g->is_of_epoch;
	stage->is_alone = stage->is_alone || pair->is_alone;
	struct series *s = stage->series;
	if (m != MEASURE_NONE && s->measure != MEASURE_NONE &&
		measure_infos[m].base != measure_infos[s->measure].base) {
		s = other_unit(g, &stage, m);
		if (!s)
			return;
	}
	if (s->measure != m && s->measure != MEASURE_NONE &&
		measure_infos[m].base == measure_infos[s->measure].base)
		factor *= measure_infos[m].factor / measure_infos[s->measure].factor;
	else if (m != MEASURE_NONE)
		s->measure = m;
	put(g, &g->rank[g->at].place, stage, log_figures_value(g, pair) * factor, g->by_row);
	note(g,
		&(struct log_noted){ .stage = stage,
			.factor = factor,
			.total = pair->total,
			.is_step = pair->at && pair->at == g->step_at,
			.is_epoch = pair->at && pair->at == g->epoch_at,
			.by_row = g->by_row },
		pair);
}

void log_figures_again(struct log_figures *g, size_t rank, const struct log_noted *noted,
	const double *value, size_t n)
{
	struct log_place *place = &g->rank[rank].place;
	size_t step = n;

	g->at = rank;
	for (size_t i = 0; i < n; i++) {
		if (noted[i].is_epoch)
			place->epoch = value[i];
		step = noted[i].is_step ? i : step;
	}
	if (step < n)
		log_figures_step(g, value[step], noted[step].total);
	for (size_t i = 0; i < n; i++)
		put(g, place, noted[i].stage, value[i] * noted[i].factor, noted[i].by_row);
}

/* How well the pair names the step: as in logs of rows, else in any case and in more words; best
 * where a total is beside it.  0: it names none, as "step: 12.5 ms". */
static int step_rank(struct log_figures *g, const struct log_pair *p, bool has_epoch)
{
	const struct log_known *k = known(g, p->key);

	if (k->step_rank == 0 || p->is_epoch || p->measure != MEASURE_NONE ||
		p->value != floor(p->value) || (p->scale != 0 && p->scale != 1) || p->nth)
		return 0;
	if (k->is_batch && p->total == 0 && !has_epoch)
		return 0; /* its size, often */
	return k->step_rank + 100 * (p->total > 0);
}

static struct span name_of(
	struct log_figures *g, const struct log_pair *pair, const struct log_form *form)
{
	struct span key = pair->is_epoch ? SPAN("epoch") : pair->key;
	const struct log_known *k = known(g, key);
	bool is_timer = k->is_step && measure_infos[pair->measure].base == UNIT_NS;

	if (pair->of.n)
		key = span_of(arena_printf(
			&g->in->mem, "%.*s %.*s", (int)pair->of.n, pair->of.p, (int)key.n, key.p));
	else if (pair->is_epoch || k->is_epoch)
		key = SPAN("epoch");
	else if (!is_timer && pair->at && pair->at == g->step_at)
		key = SPAN("step");
	else if (!form && !is_timer && !pair->nth && !pair->is_share && !pair->rate.n)
		return k->name.n ? k->name : key;
	if (is_timer && pair->of.n == 0)
		key = span_of(arena_printf(&g->in->mem, "%.*s timer", (int)key.n, key.p));
	if (pair->rate.n)
		key = span_of(arena_printf(&g->in->mem, "%.*s (%.*s)", (int)key.n, key.p,
			(int)pair->rate.n, pair->rate.p));
	if (pair->nth)
		key = span_of(arena_printf(&g->in->mem, "%.*s[%d]", (int)key.n, key.p, pair->nth));
	if (pair->is_share)
		key = span_of(arena_printf(&g->in->mem, "%.*s_pct", (int)key.n, key.p));
	key = log_form_name(form, key);
	if (form && form->prefix)
		key = span_of(
			arena_printf(&g->in->mem, "%s.%.*s", form->prefix, (int)key.n, key.p));
	return key;
}

static bool is_written(struct log_figures *g, const struct log_pair *pair, int64_t n)
{
	struct arena_mark mark = arena_mark(&g->in->mem);
	const struct log_stage *stage = find_stage(g, name_of(g, pair, NULL));

	arena_reset(&g->in->mem, mark);
	return stage && stage->newest > n && stage->newest_x >= g->rank[g->at].place.x;
}

bool log_figures_name_step(struct log_figures *g, const struct log_pairs *pairs)
{
	return ANY(i, pairs->n, step_rank(g, &pairs->v[i], false) > 0);
}

void log_figures_unwritten(struct log_figures *g, struct log_pairs *pairs, int64_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < pairs->n; i++)
		if (step_rank(g, &pairs->v[i], false) || !is_written(g, &pairs->v[i], n))
			pairs->v[k++] = pairs->v[i];
	pairs->n = k;
}

/* ---- devices ---- */

enum { OWNERS_MAX = 65536 /* ranks of a job */ };

enum { DEVICE_WITHIN = 4096 /* bytes between two pairs */ };

/* A device that is named between the pair before (from) and this one: what follows is its own, of a
 * group of its own but for device 0's.  True: the pair is that name. */
static bool take_device(
	struct log_figures *g, size_t home, const char *from, const struct log_pair *pair)
{
	struct span t = { from, 0 };
	const struct log_place place = g->rank[home].place;
	size_t end;
	int device;

	if (!g->base || !pair->at || pair->at < from || pair->at > from + DEVICE_WITHIN)
		return false;
	t.n = (size_t)(pair->at - from) + REAL_PADDING;
	for (size_t i = 0; i + REAL_PADDING < t.n; i++) {
		end = log_word_device(t, i, &device);
		if (end == i)
			continue;
		g->is_noted = false;
		g->at = home;
		if (device > 0) {
			struct arena_mark mark = arena_mark(&g->in->mem);

			log_figures_below(g, span_of(arena_printf(&g->in->mem, "GPU %d", device)));
			arena_reset(&g->in->mem, mark);
			g->rank[g->at].place = place;
		}
		if (end > (size_t)(pair->at - from))
			return true;
	}
	return false;
}

/* The name of a timer in a line with a heading: another line's of that name, at the same step, has
 * the heading in front.  form: which of how many pairs it is. */
static struct span name_below(
	struct log_figures *g, const struct log_pair *pair, struct span name, size_t form)
{
	struct log_stage *t = find_stage(g, name);

	if (t && t->count == 0)
		t->form = form;
	if (!t || t->form == form || t->newest_x < g->rank[g->at].place.x)
		return name;
	return span_of(arena_printf(
		&g->in->mem, "%.*s %.*s", (int)pair->below.n, pair->below.p, (int)name.n, name.p));
}

/* The pair that says whose a line is, by a small whole number: "rank=1"; "gpu=0" in front of its
 * memory.  NULL: none. */
static const struct log_pair *find_owner(struct log_figures *g, const struct log_pairs *pairs)
{
	const struct log_pair *best = NULL;
	int rank = COUNT_OF(owners);

	for (EACH(const struct log_pair, p, pairs->v, pairs->n)) {
		int owner = known(g, p->key)->owner, is_gpu = owner == COUNT_OF(owners);
		bool is_of_memory = p + 1 < pairs->v + pairs->n &&
			measure_infos[p[1].measure].base == UNIT_BYTES;

		owner -= is_gpu; /* as sure as those before */
		if (owner == 0 || owner >= rank || (is_gpu && !is_of_memory) || p->total != 0 ||
			p->measure != MEASURE_NONE ||
			!(p->value >= 0 && p->value < OWNERS_MAX && p->value == floor(p->value)))
			continue;
		best = p;
		rank = owner;
	}
	return best;
}

/* A line of a step that says whose it is: its figures are of a group, but for those of the first.
 */
static const struct log_pair *take_owner(struct log_figures *g, const struct log_pairs *pairs)
{
	const struct log_pair *owner = find_owner(g, pairs);

	if (!owner || !log_figures_name_step(g, pairs))
		return NULL;
	g->is_noted = false;
	if (owner->value > 0) {
		struct arena_mark mark = arena_mark(&g->in->mem);
		bool is_rank = span_ends(owner->key, "rank") || span_ends(owner->key, "RANK");

		log_figures_below(g,
			span_of(arena_printf(
				&g->in->mem, "%s %.0f", is_rank ? "rank" : "GPU", owner->value)));
		arena_reset(&g->in->mem, mark);
	}
	return owner;
}

/* A name that has a value behind the first n, which are those of other lines, is the second's. */
static struct span name_again(
	struct log_figures *g, const struct log_pair *pair, struct span name, int64_t n)
{
	const struct log_stage *t = find_stage(g, name);

	return !t || t->newest <= n || log_pair_is_place(pair)
		? name
		: span_of(arena_printf(&g->in->mem, "%.*s[2]", (int)name.n, name.p));
}

/* What two programs write under one name is two figures. */
static struct span name_by(struct log_figures *g, struct span name, const struct log_form *form)
{
	struct log_stage *t = form && !log_word_is_count(name) ? find_stage(g, name) : NULL;

	if (t && t->count == 0)
		t->writer = form;
	return !t || !t->writer || t->writer == form
		? name
		: span_of(arena_printf(
			  &g->in->mem, "%.*s (%s)", (int)name.n, name.p, form->writer));
}

bool log_figures_pairs(
	struct log_figures *g, const struct log_pairs *pairs, const struct log_form *form)
{
	struct arena_mark mark = arena_mark(&g->in->mem);
	const struct log_pair *step = NULL, *epoch = NULL;
	size_t was = g->at;
	const struct log_pair *owner = take_owner(g, pairs);
	struct log_place *place = &g->rank[g->at].place;
	int best = 0;

	g->line_nbare += pairs->nbare + pairs->nremarks;
	g->nbare += (int64_t)(pairs->nbare + pairs->nremarks);
	g->step_at = g->epoch_at = NULL;
	for (EACH(const struct log_pair, p, pairs->v, pairs->n)) {
		int rank = step_rank(g, p, epoch != NULL);

		if (form && rank == 0 && span_is(log_form_name(form, p->key), "step"))
			rank = 1;
		if (rank > best) {
			step = p;
			best = rank;
		}
		if (p->is_epoch || known(g, p->key)->is_epoch)
			epoch = p;
	}
	if (epoch) {
		g->epoch_at = epoch->at;
		place->epoch = epoch->value;
	}
	if (step && place->is_by_epoch)
		*place = (struct log_place){ .epoch = place->epoch };
	if (!step && epoch && (!place->has_step || place->is_by_epoch)) {
		step = epoch;
		place->is_by_epoch = true;
	}
	if (step) {
		g->step_at = step->at;
		log_figures_step(g, step->value, step->total);
	}
	g->is_of_epoch = epoch && (!step || step == epoch);
	size_t home = g->at;
	int64_t before = g->n;
	const char *from = g->base;
	for (EACH(const struct log_pair, pair, pairs->v, pairs->n)) {
		size_t nth = (size_t)(pair - pairs->v) * LOG_PAIRS + pairs->n;
		struct span name = name_by(g, name_of(g, pair, form), form);

		name = pair->below.n ? name_below(g, pair, name, nth) : name;
		if (pair != owner && !take_device(g, home, from, pair))
			log_figures_add(g, name_again(g, pair, name, before), pair);
		from = pair->at && g->base ? pair->at : from;
	}
	g->at = was;
	g->is_of_epoch = false;
	arena_reset(&g->in->mem, mark);
	return pairs->n > 0;
}

/* What runs are about; of what settings are called, too, or counters, several values at steps. */
static bool is_of_run(const struct log_stage *t)
{
	enum { COURSE = 3, SINGLE = 1 };
	enum metric_role role = metric_role(t->series->name);
	bool is_outcome = role != ROLE_OTHER && role != ROLE_RATE && role != ROLE_LENGTH &&
		role != ROLE_TOKENS && role != ROLE_CLOCK;

	if (log_word_is_count(t->series->name))
		return false;
	if (is_outcome)
		return t->count > SINGLE || t->is_alone;
	if (t->is_alone && span_has_nocase(t->series->name, "latency")) /* of a benchmark */
		return t->series->measure != MEASURE_NONE;
	return t->count >= COURSE &&
		(t->series->axis == AXIS_STEP ||
			figure_kind(t->series->name, UNIT_NONE)->better != BETTER_NONE);
}

bool log_figures_are_run(const struct log_figures *g)
{
	return ANY(i, LOG_STAGES, g->stage[i] && is_of_run(g->stage[i]));
}

void log_figures_say(const struct log_figures *g)
{
	if (g->nother)
		reading_note(g->in, NOTE_INFO, "ranks_in_log", (int64_t)g->nother, -1,
			"%zu writer%s beside the first (ranks, engines, workers): figures of each are "
			"in a group of its own",
			g->nother, plural_s(g->nother));
	if (g->commas.unclear)
		reading_note(g->in, NOTE_WARNING, "unclear_commas", g->commas.unclear, -1,
			"%" PRId64
			" number%s whose comma may be of thousands or of decimals, and the "
			"log does not say which: the first is \"%s\", read as %s",
			g->commas.unclear, plural_s((size_t)g->commas.unclear), g->commas.first,
			g->commas.is_read ? "decimals" : "thousands");
}
