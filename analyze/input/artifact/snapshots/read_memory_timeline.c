/* torch's memory timeline: raw events [time, action, bytes, category], or two lists, times and
 * sizes by category. */

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "base/base.h"

/* In the order of torch/profiler/_memory_profiler.py, _CATEGORY_TO_INDEX. */
static const char *const categories[] = { "parameter", "optimizer_state", "input", "temporary",
	"activation", "gradient", "autograd_detail", "unknown" };

enum { CATEGORIES = COUNT_OF(categories) };

/* Behind the first list comes a list of lists, as far as the text goes. */
static bool holds_lists(const struct head *h)
{
	struct span it = h->text, key;
	struct json_value v, first;

	if (!json_next(&it, &key, &first) || !json_next(&it, &key, &v))
		return !h->is_whole;
	struct span inside = v.text;
	return v.type == JSON_ARRAY && json_next(&inside, &key, &first) && first.type == JSON_ARRAY;
}

/* [[number, number, number, number], ... or [[numbers], [[0, numbers], ... */
static enum match probe(const struct head *h)
{
	struct span it = h->text, key;
	struct json_value first, v;
	size_t n = 0;

	if (h->form != HEAD_ARRAY || h->nkey)
		return MATCH_NO;
	if (h->first.type != JSON_ARRAY) {
		/* A first list that does not end in the text: times. */
		const char *p = memchr(h->text.p, '[', h->text.n);

		return !h->is_whole && p && p + 2 < h->text.p + h->text.n && p[1] == '[' &&
				((p[2] >= '0' && p[2] <= '9') || p[2] == '-')
			? MATCH_WEAK
			: MATCH_NO;
	}
	for (it = h->first.text; json_next(&it, &key, &v); n++)
		if (v.type != JSON_NUMBER)
			return MATCH_NO;
	it = h->text;
	if (n == 4 && json_next(&it, &key, &first) &&
		(!json_next(&it, &key, &v) || v.type == JSON_ARRAY)) {
		struct span inside = v.text;

		if (v.type != JSON_ARRAY || !json_next(&inside, &key, &first) ||
			first.type == JSON_NUMBER)
			return MATCH_FAIR;
	}
	return n > 0 && !head_mentions(h, "") && holds_lists(h) ? MATCH_WEAK : MATCH_NO;
}

/* Bytes of a category, or of all of them. */
static void put(struct reading *in, const char *group, double x, double bytes)
{
	series_add(
		reading_series(in, SPAN("memory_bytes"), span_of(group), AXIS_TIME, MEASURE_BYTE),
		x, bytes);
}

/* What was there before the first event: one point for each category that holds some. */
static void add_before(struct reading *in, double x, const double *held)
{
	for (size_t c = 0; c < CATEGORIES; c++)
		if (held[c] > 0)
			put(in, categories[c], x, held[c]);
}

/* Bytes held by category, at each event.  What was there before has time -1. */
static void read_raw(struct reading *in, struct json_value list)
{
	double held[CATEGORIES] = { 0 }, total = 0;
	bool begun = false;
	struct json_value v;

	for (struct json_items it = json_items(list); json_more(&it);) {
		struct span inside = it.v.text;
		double value[4];
		size_t n = 0;

		while (n < 4 && json_next(&inside, &it.key, &v) && jsondoc_number(v, &value[n]))
			n++;
		if (n < 4)
			continue;
		size_t c = value[3] >= 0 && value[3] < CATEGORIES ? saturate_size(value[3])
								  : CATEGORIES - 1;
		reading_artifact(in)->rows++;
		if (value[0] >= 0 && !begun) {
			begun = true;
			add_before(in, value[0] / 1e9, held);
		}
		held[c] += value[2];
		total += value[2];
		if (value[0] < 0)
			continue;
		put(in, categories[c], value[0] / 1e9, held[c]);
		put(in, "total", value[0] / 1e9, total);
	}
	if (!begun)
		add_before(in, 0, held);
}

static void read_sizes(struct reading *in, struct json_value times, struct json_value sizes)
{
	struct span at = times.text, it = sizes.text, none;
	struct json_value row, t, v;
	double x, y;

	while (json_next(&it, &none, &row) && json_next(&at, &none, &t)) {
		struct span inside = row.text;

		if (!jsondoc_number(t, &x))
			continue;
		reading_artifact(in)->rows++;
		/* The first size is the baseline of a stacked chart, always 0. */
		for (size_t i = 0; json_next(&inside, &none, &v); i++)
			if (i && jsondoc_number(v, &y))
				put(in, categories[MIN(i, CATEGORIES) - 1], x / 1e6, y);
	}
}

static enum status read_timeline(struct reading *in, struct err *e)
{
	struct json_value doc, times, sizes, inner;
	struct span none;

	TRY(jsondoc_read(in, &doc, e));
	struct span it = doc.text;
	if (!json_next(&it, &none, &times) || times.type != JSON_ARRAY)
		return err_set(e, E_NODATA, 0, "the memory timeline is empty");
	sizes.type = JSON_NONE;
	if (json_next(&it, &none, &sizes) && sizes.type == JSON_ARRAY) {
		struct span inside = sizes.text;

		if (json_next(&inside, &none, &inner) && inner.type == JSON_ARRAY) {
			read_sizes(in, times, sizes);
			return OK;
		}
	}
	read_raw(in, doc);
	return OK;
}

const struct artifact artifact_memory_timeline = {
	.name = "memory_timeline",
	.title = "memory timeline",
	.summary = "export_memory_timeline of torch.profiler: .json and .raw.json.gz",
	.probe = probe,
	.read = read_timeline,
};
