/* What servers and exporters show Prometheus: vLLM, SGLang, TGI, Dynamo, nodes.  Gauges and
 * counters are series, of a group for each set of labels that tell samples apart; a histogram is
 * its mean and quantiles, found in the buckets as PromQL's histogram_quantile does.  Of a file with
 * many scrapes they are of what was counted from one scrape to the next, and a counter is its rate,
 * too, where scrapes have times.  DCGM's exporter has a reader of its own. */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/monitors/prometheus.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/figure.h"
#include "base/base.h"

enum {
	LABELS_MAX = 64, /* names of labels */
	SETS_MAX = 512,  /* sets of labels of a histogram */
	BUCKETS_MAX = 256,
	GROUP_BYTES = 512,
	LINES_LOOKED_AT = 200
};

/* A name of labels: whether its values differ, so that it tells samples apart. */
struct label {
	struct span key, value;
	bool differs;
};

struct bucket {
	double le, count; /* cumulative */
};

/* A histogram of one set of labels. */
struct histogram {
	struct span group;
	struct bucket *bucket; /* as the file has them, rising */
	size_t n, cap;
	double sum, count; /* NaN: not said */
	double time;
};

/* A histogram as the scrape before had it. */
struct scraped {
	struct span of;
	struct histogram h;
};

struct metrics {
	struct reading *in;
	struct label label[LABELS_MAX];
	size_t nlabel;
	struct span family, type; /* of the newest TYPE */
	struct span of;           /* the histogram at hand; "": none */
	struct histogram *set;
	size_t nset, set_cap;
	struct span info; /* the first sample that only has labels */
	bool is_again;    /* a further scrape */
	bool is_many;     /* scrapes in the file */
	struct scraped *last;
	size_t nlast, last_cap, looked_at; /* looked_at: the scrapes' order is the same */
	int64_t resets;
	struct passed beyond;
};

/* ---- which labels tell samples apart ---- */

static bool is_info(const struct prometheus_sample *s)
{
	return span_ends(s->name, "_info") && s->value == 1;
}

static void look_at_labels(struct metrics *m, struct span labels)
{
	struct span key, value;

	while (prometheus_label(&labels, &key, &value)) {
		struct label *l = FIND(i, m->label, m->nlabel, span_eq(m->label[i].key, key));

		if (span_in(key, "le|quantile")) /* it tells no sets apart */
			continue;
		if (l)
			l->differs |= !span_eq(l->value, value);
		else if (m->nlabel < LABELS_MAX)
			m->label[m->nlabel++] = (struct label){ key, value, false };
	}
}

/* "engine=1, finished_reason=stop", of the labels that differ; in in->mem. */
static struct span group_of(struct metrics *m, struct span labels)
{
	char text[GROUP_BYTES];
	struct span key, value;
	size_t n = 0;

	while (prometheus_label(&labels, &key, &value)) {
		const struct label *l = FIND(i, m->label, m->nlabel, span_eq(m->label[i].key, key));

		if (l && l->differs && !span_is(key, "le") &&
			n + key.n + value.n + 4 < sizeof(text))
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%.*s=%.*s",
				n ? ", " : "", (int)key.n, key.p, (int)value.n, value.p);
	}
	return (struct span){ arena_copy(&m->in->mem, text, n), n };
}

/* ---- values ---- */

static struct span joined(struct metrics *m, struct span name, const char *end)
{
	return span_of(arena_printf(&m->in->mem, "%.*s%s", (int)MIN(name.n, 1024), name.p, end));
}

/* One more value; of a counter how fast it rose, too, where it says when. */
static void put(struct metrics *m, struct span name, struct span group, enum measure measure,
	double v, double time, bool is_counter)
{
	struct series *s =
		reading_series(m->in, name, group, isnan(time) ? AXIS_REPEAT : AXIS_TIME, measure);
	double x = isnan(time) ? (double)(s->n + s->missing) : time;

	m->resets += is_counter && s->n > 0 && v < s->last.y;
	if (is_counter && !isnan(time) && s->n > 0 && x > s->last.x && v >= s->last.y)
		put(m, joined(m, name, " per s"), group, MEASURE_PER_S,
			(v - s->last.y) / (x - s->last.x), time, false);
	reading_point(s, x, isfinite(v), v);
}

/* The value below which q of all lie, evenly spread in each bucket; the first begins at 0, and of
 * the last, which has no end, it is where that begins. */
static double quantile(const struct histogram *h, double q)
{
	double rank = q * h->bucket[h->n - 1].count;
	size_t at = FIRST(i, h->n - 1, h->bucket[i].count >= rank);
	const struct bucket *b = &h->bucket[at];
	double from = at > 0 ? b[-1].le : MIN(b->le, 0), below = at > 0 ? b[-1].count : 0;

	if (at == h->n - 1 || (at == 0 && b->le <= 0))
		return at > 0 && !isfinite(b->le) ? from : b->le;
	return from + (b->le - from) * ratio_of(rank - below, b->count - below);
}

/* That of the scrape before, of the family at hand; NULL: there is none. */
static struct histogram *last_of(struct metrics *m, struct span group)
{
	for (size_t i = 0; i < m->nlast; i++) {
		struct scraped *l = &m->last[(m->looked_at + i) % m->nlast];

		if (span_eq(l->of, m->of) && span_eq(l->h.group, group)) {
			m->looked_at = (size_t)(l - m->last) + 1;
			return &l->h;
		}
	}
	return NULL;
}

/* Less than before: the server began again. */
static bool is_reset(const struct histogram *now, const struct histogram *before)
{
	if (now->count < before->count || now->n != before->n)
		return true;
	return FIRST(i, now->n, now->bucket[i].count < before->bucket[i].count) < now->n;
}

/* Leaves what was counted since the scrape before; after a reset, since that.  False: there is no
 * scrape before. */
static bool take_before(struct metrics *m, struct histogram *h)
{
	struct histogram *last = last_of(m, h->group), before;
	struct bucket *b = arena_array(&m->in->mem, h->n, sizeof(*b));

	if (!last) {
		ARENA_PUSH(
			&m->in->mem, m->last, m->nlast, m->last_cap, (struct scraped){ m->of, *h });
		return false;
	}
	before = *last;
	*last = *h;
	if (is_reset(h, &before)) {
		m->resets++;
		return true;
	}
	for (size_t i = 0; i < h->n; i++) {
		double count = h->bucket[i].count - before.bucket[i].count;

		b[i] = (struct bucket){ h->bucket[i].le, i ? MAX(count, b[i - 1].count) : count };
	}
	h->bucket = b;
	h->count -= before.count;
	h->sum -= before.sum;
	return true;
}

static void put_histogram(struct metrics *m, struct histogram *h)
{
	static const struct {
		const char *word;
		double q;
	} quantiles[] = { { " p50", 0.5 }, { " p90", 0.9 }, { " p95", 0.95 }, { " p99", 0.99 } };
	enum measure measure = measure_of_key(m->of);

	if (m->is_many && !take_before(m, h))
		return;
	if (h->count > 0 && !isnan(h->sum))
		put(m, m->of, h->group, measure, h->sum / h->count, h->time, false);
	if (h->n > 1 && h->bucket[h->n - 1].count > 0 && !isfinite(h->bucket[h->n - 1].le))
		for (size_t i = 0; i < COUNT_OF(quantiles); i++)
			put(m, joined(m, m->of, quantiles[i].word), h->group, measure,
				quantile(h, quantiles[i].q), h->time, false);
	if (h->count >= 0)
		put(m, joined(m, m->of, " count"), h->group, MEASURE_COUNT, h->count, h->time,
			false);
}

static void end_histograms(struct metrics *m)
{
	for (size_t i = 0; i < m->nset; i++)
		put_histogram(m, &m->set[i]);
	m->nset = 0;
	m->of = SPAN("");
}

/* ---- histograms ---- */

static struct span without(struct span name, const char *end)
{
	name.n -= strlen(end);
	return name;
}

/* What the sample is of, where that is a histogram or a summary; false: it is not. */
static bool is_part(const struct metrics *m, struct span name, struct span *family)
{
	static const char *const ends[] = { "_bucket", "_sum", "_count" };

	for (size_t i = 0; i < COUNT_OF(ends); i++)
		if (span_ends(name, ends[i]) && name.n > strlen(ends[i])) {
			*family = without(name, ends[i]);
			return i == 0 || span_eq(*family, m->of) ||
				(span_eq(*family, m->family) &&
					span_in(m->type, "histogram|summary"));
		}
	return false;
}

static struct histogram *set_of(struct metrics *m, struct span group, double time)
{
	struct histogram *h = FIND(i, m->set, m->nset, span_eq(m->set[i].group, group));

	if (h || m->nset == SETS_MAX)
		return h;
	ARENA_PUSH(&m->in->mem, m->set, m->nset, m->set_cap,
		(struct histogram){ .group = group, .sum = NAN, .count = NAN, .time = time });
	return &m->set[m->nset - 1];
}

static void take_part(struct metrics *m, const struct prometheus_sample *s, struct span family)
{
	struct span labels = s->labels, key, value;
	double le = NAN;

	while (prometheus_label(&labels, &key, &value))
		if (span_is(key, "le") && !real_of(value, &le))
			le = span_is(value, "+Inf") ? INFINITY : NAN;
	if (!span_eq(family, m->of))
		end_histograms(m);
	m->of = family;
	struct histogram *h = set_of(m, group_of(m, s->labels), s->time);
	if (!h || h->n == BUCKETS_MAX) {
		m->beyond.n++;
	} else if (span_ends(s->name, "_sum")) {
		h->sum = s->value;
	} else if (span_ends(s->name, "_count")) {
		h->count = s->value;
	} else if (!isnan(le) && (h->n == 0 || le > h->bucket[h->n - 1].le)) {
		double below = h->n ? h->bucket[h->n - 1].count : 0; /* a race may count less */

		ARENA_PUSH(&m->in->mem, h->bucket, h->n, h->cap,
			(struct bucket){ le, MAX(s->value, below) });
	}
}

/* ---- lines ---- */

/* "# TYPE vllm:num_requests_running gauge"; false: another line. */
static bool is_type(struct span line, struct span *family, struct span *type)
{
	return span_starts(line, "# TYPE ") &&
		span_cut(span_trim(span_from(line, 7)), ' ', family, type) &&
		span_in((*type = span_trim(*type)),
			"counter|gauge|histogram|gaugehistogram|summary|untyped|unknown|info|stateset");
}

/* Of the first scrape. */
static void take_info(struct metrics *m, const struct prometheus_sample *s)
{
	struct span labels = s->labels, key, value;

	struct span all = span_between(s->name.p, labels.p + labels.n);
	if (m->info.n == 0)
		m->info = all;
	m->is_again |= span_eq(m->info, all) && m->info.p != all.p;
	if (m->is_again)
		return;

	while (prometheus_label(&labels, &key, &value))
		reading_text(m->in, &m->in->record->config,
			jsondoc_key(m->in, without(s->name, "_info"), key), value);
}

/* "rpc_seconds p50" of a summary's quantile, "vllm:generation_tokens" of a total. */
static struct span name_of(struct metrics *m, const struct prometheus_sample *s)
{
	struct span labels = s->labels, key, value;
	double q;

	while (prometheus_label(&labels, &key, &value))
		if (span_is(key, "quantile") && real_of(value, &q))
			return span_of(arena_printf(&m->in->mem, "%.*s p%g",
				(int)MIN(s->name.n, 1024), s->name.p, q * 100));
	return span_ends(s->name, "_total") ? without(s->name, "_total") : s->name;
}

static bool take_sample(struct metrics *m, struct span line)
{
	struct prometheus_sample s;
	struct span family;

	if (!prometheus_sample(line, &s))
		return false;
	reading_artifact(m->in)->rows++;
	if (is_part(m, s.name, &family)) {
		take_part(m, &s, family);
		return true;
	}
	end_histograms(m);
	if (is_info(&s)) {
		take_info(m, &s);
	} else if (!span_ends(s.name, "_created")) {
		bool is_counter = span_ends(s.name, "_total") ||
			(span_eq(s.name, m->family) && span_is(m->type, "counter"));

		put(m, name_of(m, &s), group_of(m, s.labels), measure_of_key(s.name), s.value,
			s.time, is_counter);
	}
	return true;
}

/* The last line may lack its end. */
static void take_line(struct metrics *m, struct span line, struct untaken *u, int64_t offset)
{
	struct span family, type;

	line = span_trim(line);
	if (is_type(line, &family, &type)) {
		end_histograms(m);
		m->family = family;
		m->type = type;
	} else if (line.n > 0 && line.p[0] != '#' && !take_sample(m, line)) {
		untaken_add(u, TOOK_ALIEN, offset, false);
	}
}

/* Which labels tell samples apart, and whether the first sample comes again. */
static void look_at(struct metrics *m, struct span text)
{
	struct prometheus_sample s;
	struct span line, first = SPAN("");

	while (span_line(&text, &line)) {
		if (!prometheus_sample(line, &s) || is_info(&s))
			continue;
		struct span what =
			s.labels.n ? span_between(s.name.p, s.labels.p + s.labels.n) : s.name;
		if (first.n == 0)
			first = what;
		else
			m->is_many |= span_eq(first, what);
		look_at_labels(m, s.labels);
	}
}

static enum status read_metrics(struct reading *in, struct err *e)
{
	struct metrics *m = arena_alloc(&in->mem, sizeof(*m));
	struct untaken untaken = { 0 };
	struct span text, at, line;

	*m = (struct metrics){ .in = in, .beyond.at = -1 };
	TRY(reading_all(in, &text, e));
	look_at(m, text);
	for (at = text; span_line(&at, &line);)
		take_line(m, line, &untaken, line.p - text.p);
	end_histograms(m);
	for (EACH(const struct label, l, m->label, m->nlabel))
		if (!l->differs)
			reading_text(in, &in->record->config, l->key, l->value);
	if (m->resets > 0)
		reading_note(in, NOTE_WARNING, "counters_reset", m->resets, -1,
			"counters fell %" PRId64
			" time%s: the server began again, and what it counted "
			"between that and the scrape before is lost",
			m->resets, plural_s(m->resets));
	reading_untaken(in, &untaken, "line{ is|s are} no sample, passed over", NULL);
	reading_passed(in, NOTE_WARNING, "rows_left_out", &m->beyond,
		"sample{|s} of histograms beyond the limit{ is|s are} left out");
	return OK;
}

static enum match probe(const struct head *h)
{
	struct span text = h->text, line, family, type;
	struct prometheus_sample s;

	if (h->form != HEAD_TEXT)
		return MATCH_NO;
	for (int n = 0; n < LINES_LOOKED_AT && span_line(&text, &line); n++) {
		if (is_type(span_trim(line), &family, &type))
			return MATCH_FAIR;
		if (span_trim(line).n > 0 && line.p[0] != '#')
			return prometheus_sample(line, &s) && s.labels.n > 0 ? MATCH_FAIR
									     : MATCH_NO;
	}
	return MATCH_NO;
}

const struct artifact artifact_openmetrics = {
	.name = "openmetrics",
	.title = "metrics of a server (OpenMetrics)",
	.summary =
		"what vLLM, SGLang, TGI, Dynamo and exporters serve to Prometheus, one scrape or many",
	.is_log = true,
	.probe = probe,
	.read = read_metrics,
	.none = "no sample in it",
};
