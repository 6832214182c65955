/* Pairs of metrics, by words for what they are and who says it. */
#include "analyze/compare/pairs.h"

#include "analyze/trace/columns/strings.h"

static const uint64_t seed = 0x7061697273747271u;
enum { NONE = 0 };
static const double SAME_WORK = 0.01; /* of a count, as of tokens of another draw */

/* Metrics of one side by a word; of equal words the first, and how many there are. */
struct index {
	struct strings words;
	uint32_t *first; /* by word: 1 + place of the metric; NONE */
	uint32_t *count;
};

enum word_of { BY_ID, BY_SOURCE, BY_QUANTITY };

static sym word(struct strings *s, const struct metric *m, enum word_of by)
{
	SCOPED_STR b = { 0 };

	if (by == BY_ID)
		return strings_intern(s, span_of(m->id));
	str_adds(&b, m->is_log ? "log " : "trace ");
	str_adds(&b, metric_quantity(m));
	if (by == BY_SOURCE)
		str_addf(&b, "@%s", m->source ? m->source : "");
	return strings_intern(s, (struct span){ b.s, b.n });
}

/* Those of a side that are not taken yet. */
static void index_init(struct index *x, const struct metricset *set, const bool *taken,
	enum word_of by, size_t most, struct arena *mem)
{
	strings_init(&x->words, seed);
	x->first = arena_array(mem, most + 2, sizeof(*x->first));
	x->count = arena_array(mem, most + 2, sizeof(*x->count));
	for (size_t i = 0; i < set->n; i++) {
		if (taken[i])
			continue;
		sym w = word(&x->words, &set->v[i], by);
		if (x->first[w] == NONE)
			x->first[w] = (uint32_t)i + 1;
		x->count[w]++;
	}
}

struct pairing {
	const struct metricset *base, *now;
	uint32_t *partner; /* of base: 1 + place in now; NONE */
	bool *base_taken, *now_taken;
	struct arena *mem;
};

/* Pairs by that word, each once; is_only: where it is the only one on both sides. */
static void pair(struct pairing *p, enum word_of by, bool is_only)
{
	size_t most = p->base->n + p->now->n;
	struct index base, now;

	index_init(&base, p->base, p->base_taken, by, most, p->mem);
	index_init(&now, p->now, p->now_taken, by, most, p->mem);
	for (size_t i = 0; i < p->base->n; i++) {
		if (p->base_taken[i])
			continue;
		sym in_base = word(&base.words, &p->base->v[i], by);
		sym w = strings_find(&now.words, strings_get(&base.words, in_base));
		if (w == UINT32_MAX || now.first[w] == NONE ||
			(is_only && (now.count[w] > 1 || base.count[in_base] > 1)))
			continue;
		size_t at = now.first[w] - 1;
		if (p->now_taken[at])
			continue;
		p->partner[i] = (uint32_t)at + 1;
		p->base_taken[i] = p->now_taken[at] = true;
	}
	strings_clear(&base.words);
	strings_clear(&now.words);
}

static bool has_sources(const struct metricset *m)
{
	return m->n > 0 && m->v[0].source;
}

/* A count of work that differs between the sides, of that source. */
static bool counts_other_work(const struct metric_pair *p, const char *source)
{
	const struct metric *m = p->base;

	return m && p->now && m->kind && figure_kind_is_property(m->kind) &&
		(!source || !m->source || strcmp(source, m->source) == 0) &&
		figure_counts_work(span_of(metric_quantity(m))) &&
		fabs(metric_centre(p->now) - metric_centre(m)) > SAME_WORK * fabs(metric_centre(m));
}

static const struct metric *of_other_work(const struct metric *m, struct arena *mem)
{
	struct metric *own = arena_alloc(mem, sizeof(*own));

	*own = *m;
	own->kind = figure_kind_of_other_work(m->kind);
	own->better = BETTER_NONE;
	return own;
}

/* How long all of it took is nobody's gain or loss where another amount was done. */
static void settle_durations(struct metric_pairs *p, struct arena *mem)
{
	for (EACH(struct metric_pair, of, p->v, p->n)) {
		const struct metric *m = of->base;

		if (!m || !of->now || !m->kind || figure_kind_of_other_work(m->kind) == m->kind ||
			!ANY(i, p->n, counts_other_work(&p->v[i], m->source)))
			continue;
		*of = (struct metric_pair){ of_other_work(m, mem), of_other_work(of->now, mem) };
	}
}

void metric_pairs_init(struct metric_pairs *p, const struct metricset *base,
	const struct metricset *now, struct arena *mem)
{
	struct pairing by = { base, now, arena_array(mem, base->n, sizeof(uint32_t)),
		arena_array(mem, base->n, sizeof(bool)), arena_array(mem, now->n, sizeof(bool)),
		mem };

	if (has_sources(base) && has_sources(now)) {
		pair(&by, BY_SOURCE, false);
		pair(&by, BY_QUANTITY, true);
	} else {
		pair(&by, BY_ID, false);
	}
	p->v = arena_array(mem, base->n + now->n, sizeof(*p->v));
	p->n = 0;
	for (size_t i = 0; i < base->n; i++)
		p->v[p->n++] = (struct metric_pair){ &base->v[i],
			by.partner[i] == NONE ? NULL : &now->v[by.partner[i] - 1] };
	for (size_t i = 0; i < now->n; i++)
		if (!by.now_taken[i])
			p->v[p->n++] = (struct metric_pair){ NULL, &now->v[i] };
	settle_durations(p, mem);
}

const struct metric *metric_pair_any(const struct metric_pair *p)
{
	return p->base ? p->base : p->now;
}
