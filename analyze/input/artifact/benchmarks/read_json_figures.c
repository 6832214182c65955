/* Numbers of a JSON document that nothing else reads: dotted keys, lists by index or by what their
 * items are called ("runs[test_forward].stats.mean").  The documents of CI's benchmarks are
 * such, and say in which unit they are. */
#include "analyze/trace/figure.h"
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/source/magic.h"
#include "base/base.h"

enum { DEPTH_MAX = 16, FIGURES_MAX = 4096, ITEMS_MAX = 1024, NAME_MAX_BYTES = 200 };

struct taking {
	struct reading *in;
	enum measure statistics; /* of mean, min, median ... */
	size_t n;
};

/* Members that an item of a list is known by, best first. */
static const char *const names[] = { "fullname", "name", "command", "benchmark", "id", "test",
	"label" };

static struct span name_of(struct reading *in, struct json_value item)
{
	for (size_t i = 0; i < COUNT_OF(names) && item.type == JSON_OBJECT; i++) {
		struct json_value v = json_get(item, names[i]);

		if (v.type == JSON_STRING && v.text.n > 0)
			return jsondoc_text(in, v);
	}
	return SPAN("");
}

static struct span last_of(struct span key)
{
	size_t i = key.n;

	while (i > 0 && key.p[i - 1] != '.')
		i--;
	return span_from(key, i);
}

static enum measure measure_of(const struct taking *t, struct span key)
{
	return span_in(last_of(key), "mean|min|max|median|total|stddev|iqr|q1|q3|user|system|times")
		? t->statistics
		: measure_of_key(key);
}

static void put_number(struct taking *t, struct span key, enum measure m, double d)
{
	if (t->n++ < FIGURES_MAX)
		reading_number(t->in, &t->in->record->scalars, key, m, d, SPAN(""));
}

/* "us/op" is a time; other words say which way is better, as "iter/sec" does. */
static void put_in_unit(struct taking *t, struct span key, struct span unit, double d)
{
	struct span of = unit, rest;

	(void)span_cut(unit, '/', &of, &rest);
	enum measure m = measure_of_unit(of);
	m = measure_infos[m].base == UNIT_NS ? m : measure_of_unit(unit);
	if (m == MEASURE_NONE && unit.n > 0)
		key = span_of(arena_printf(
			&t->in->mem, "%.*s (%.*s)", (int)key.n, key.p, (int)unit.n, unit.p));
	put_number(t, key, m, d);
}

/* "unit", "time_unit", "scoreUnit": what stands there. */
static struct span unit_of(struct json_value item)
{
	for (struct json_items it = json_members(item); json_more(&it);)
		if (it.v.type == JSON_STRING &&
			(span_ends(it.key, "unit") || span_ends(it.key, "Unit")))
			return it.v.text;
	return SPAN("");
}

static void take(
	struct taking *t, struct span key, struct json_value v, struct span unit, unsigned depth);

/* {"name": "train step", "unit": "ms", "value": 120.5}: the name is that of the value. */
static bool take_named(struct taking *t, struct span prefix, struct json_value item)
{
	struct span name = name_of(t->in, item);
	double d;

	if (name.n == 0 || !jsondoc_number(json_get(item, "value"), &d))
		return false;
	put_in_unit(t, jsondoc_key(t->in, prefix, name), unit_of(item), d);
	return true;
}

static void take_list(struct taking *t, struct span key, struct json_value list, unsigned depth)
{
	struct span it = list.text, none;
	struct json_value first;
	double d;
	int i = 0;

	if (json_next(&it, &none, &first) && jsondoc_number(first, &d)) {
		struct series *s = reading_series(t->in, key, SPAN(""), AXIS_ROW, MEASURE_NONE);

		jsondoc_series(s, list);
		if (s->measure == MEASURE_NONE)
			s->measure = measure_of(t, key);
		return;
	}
	for (struct json_items at = json_list(list); json_more(&at) && i < ITEMS_MAX; i++) {
		struct span name = name_of(t->in, at.v);
		const char *text = name.n
			? arena_printf(&t->in->mem, "%.*s[%.*s]", (int)key.n, key.p, NAME_MAX_BYTES,
				  arena_copy(&t->in->mem, name.p, name.n))
			: arena_printf(&t->in->mem, "%.*s[%d]", (int)key.n, key.p, i);

		if (!take_named(t, key, at.v))
			take(t, span_of(text), at.v, SPAN(""), depth);
	}
}

/* google-benchmark's rows that sum others up. */
static bool is_spread(struct json_value item)
{
	struct json_value v = json_get(item, "aggregate_name");

	return v.type == JSON_STRING && span_in(v.text, "stddev|cv");
}

static void take(
	struct taking *t, struct span key, struct json_value v, struct span unit, unsigned depth)
{
	double d;

	if (depth > DEPTH_MAX || t->n >= FIGURES_MAX)
		return;
	if (v.type == JSON_NUMBER && jsondoc_number(v, &d)) {
		if (unit.n > 0 && span_in(last_of(key), "real_time|cpu_time|score|value|result"))
			put_in_unit(t, key, unit, d);
		else
			put_number(t, key, measure_of(t, key), d);
	} else if (v.type == JSON_ARRAY) {
		take_list(t, key, v, depth + 1);
	} else if (v.type == JSON_OBJECT && !is_spread(v)) {
		struct span of = unit_of(v);

		for (struct json_items it = json_members(v); json_more(&it);)
			take(t, jsondoc_key(t->in, key, it.key), it.v, of, depth + 1);
	}
}

static void take_as(struct reading *in, struct span name, struct json_value v, enum measure m)
{
	struct taking t = { .in = in, .statistics = m };

	take(&t, name, v, SPAN(""), 0);
	if (t.n > FIGURES_MAX)
		reading_note(in, NOTE_WARNING, "values_left_out", (int64_t)t.n - FIGURES_MAX, -1,
			"it has more than %d numbers: the others are left out", FIGURES_MAX);
}

static void take_plain(struct reading *in, struct span name, struct json_value v)
{
	take_as(in, name, v, MEASURE_NONE);
}

static void take_seconds(struct reading *in, struct span name, struct json_value v)
{
	take_as(in, name, v, MEASURE_S);
}

/* Of each estimate the point: {"mean": {"point_estimate": 1250.5, ...}}, in ns. */
static void take_estimates(struct reading *in, struct span name UNUSED, struct json_value v)
{
	struct taking t = { .in = in, .statistics = MEASURE_NS };
	double d;

	for (struct json_items it = json_members(v); json_more(&it);)
		if (jsondoc_number(json_get(it.v, "point_estimate"), &d))
			put_number(&t, it.key,
				span_in(it.key, "slope") ? MEASURE_NS : measure_of(&t, it.key), d);
}

static bool is_figure(struct span key)
{
	return key.n > 0 && !figure_kind_is_property(figure_kind(key, UNIT_NONE));
}

/* A number that may be a figure, no setting. */
static bool has_figure(struct json_value v, struct span key, unsigned depth)
{
	double d;

	if (v.type == JSON_NUMBER && jsondoc_number(v, &d))
		return is_figure(key);
	if (depth > DEPTH_MAX || (v.type != JSON_OBJECT && v.type != JSON_ARRAY))
		return false;
	bool is_list = v.type == JSON_ARRAY;
	for (struct json_items it = json_items(v); json_more(&it);)
		if (has_figure(it.v, is_list ? key : it.key, depth + 1))
			return true;
	return false;
}

/* What is whole. */
static enum match probe(const struct head *h)
{
	bool is_list = h->form == HEAD_ARRAY;

	if (!h->is_whole || (h->form != HEAD_OBJECT && !is_list) || h->first.type != JSON_OBJECT ||
		json_get(h->first, "ph").type != JSON_NONE || head_mentions(h, "traceEvents") ||
		magic_is_alien_json(h->text) || !has_figure(h->first, SPAN(""), 0))
		return MATCH_NO;
	return is_list && json_get(h->first, "name").type == JSON_STRING &&
			!head_count(h, "allocated_gb batch_size step")
		? MATCH_FAIR
		: MATCH_WEAK;
}

const struct artifact artifact_json_figures = {
	.name = "json_figures",
	.title = "numbers of a JSON document",
	.summary = "any other JSON document with numbers: each is a figure, by its key",
	.probe = probe,
	.member = { { "", .name = "", .call_named = take_plain } },
};

const struct artifact artifact_google_benchmark = {
	.name = "google_benchmark",
	.title = "results of google-benchmark",
	.summary = "--benchmark_out of google-benchmark: times and rates of each benchmark",
	.sign = { { MATCH_STRONG, 2, "context benchmarks", .mentions = "real_time" } },
	.member = { { "benchmarks", .name = "", .call_named = take_plain } },
};

const struct artifact artifact_pytest_benchmark = {
	.name = "pytest_benchmark",
	.title = "results of pytest-benchmark",
	.summary = "--benchmark-json of pytest-benchmark: statistics of each test, in seconds",
	.sign = { { MATCH_STRONG, 2, .keys = "machine_info benchmarks" } },
	.member = { { "benchmarks", .name = "", .call_named = take_seconds } },
};

const struct artifact artifact_action_benchmark = {
	.name = "action_benchmark",
	.title = "results for github-action-benchmark",
	.summary = "a list of name, unit and value, as github-action-benchmark takes it",
	.sign = { { MATCH_STRONG, 3, "name unit value", .is_list = true } },
	.member = { { "", .name = "", .call_named = take_plain } },
};

const struct artifact artifact_hyperfine = {
	.name = "hyperfine",
	.title = "results of hyperfine",
	.summary = "--export-json of hyperfine: seconds of each command",
	.sign = { { MATCH_STRONG, 1, "results", .mentions = "exit_codes" } },
	.member = { { "results", .name = "", .call_named = take_seconds } },
};

const struct artifact artifact_criterion = {
	.name = "criterion",
	.title = "estimates of criterion",
	.summary = "estimates.json of criterion.rs: mean, median and slope in ns",
	.sign = { { MATCH_STRONG, 3, "mean median std_dev slope median_abs_dev",
		.mentions = "point_estimate" } },
	.member = { { "", .name = "", .call_named = take_estimates } },
};
