/* Metrics of rows: measurements with a setting each ("batch_size") are a table and no series, and
 * the stages that a document times are one whole. */
#include "analyze/compare/metricset_gather.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/figure.h"

enum { ROWS_MAX = 256 };

/* What tells rows apart, where each has another one. */
static const char settings[] =
	"batch_size|batch|bs|concurrency|max_concurrency|num_gpus|gpus|world_size|seq_len|"
	"sequence_length|context_length|input_len|request_rate|num_prompts|threads|workers";

/* ---- a table ---- */

bool gathering_is_row(const struct series *s)
{
	return s->axis == AXIS_ROW && s->group.n == 0 && s->n > 0 && s->point;
}

static bool is_setting(const struct series *s)
{
	return gathering_is_row(s) && span_in_nocase(s->name, settings);
}

/* The rows of a table by their settings. */
struct rows {
	const struct series *first; /* a setting: it says which rows there are */
	const char *label[ROWS_MAX];
};

/* "batch_size 8", "batch_size 8, seq_len 128". */
static void put_labels(struct rows *t, const struct series *s, struct arena *mem)
{
	for (int64_t i = 0; i < s->n; i++)
		t->label[i] = arena_printf(mem, "%s%s%.*s %g", t->label[i] ? t->label[i] : "",
			t->label[i] ? ", " : "", (int)s->name.n, s->name.p, s->point[i].y);
}

static bool are_distinct(const struct rows *t)
{
	for (int64_t i = 1; i < t->first->n; i++)
		for (int64_t k = 0; k < i; k++)
			if (strcmp(t->label[i], t->label[k]) == 0)
				return false;
	return true;
}

static bool rows_init(struct rows *t, const struct record *r, struct arena *mem)
{
	*t = (struct rows){ 0 };
	for (size_t i = 0; i < r->nseries; i++) {
		const struct series *s = r->series[i];

		if (!is_setting(s) || s->n > ROWS_MAX || (t->first && s->n != t->first->n))
			continue;
		t->first = t->first ? t->first : s;
		put_labels(t, s, mem);
	}
	return t->first && t->first->n > 1 && are_distinct(t);
}

static void put_column(struct gathering *g, const struct rows *t, const struct series *s)
{
	enum measure measure = measure_or_usual(s->measure, s->name);
	int64_t row = 0;

	for (int64_t i = 0; i < s->n; i++) {
		while (row < t->first->n && t->first->point[row].x < s->point[i].x)
			row++;
		if (row < t->first->n && t->first->point[row].x == s->point[i].x)
			(void)gathering_value(g,
				arena_printf(g->mem, "%s/%.*s", t->label[row], (int)s->name.n,
					s->name.p),
				s->name, measure_infos[measure].base,
				measure_base(measure, s->point[i].y), GATHER_MEAN);
	}
}

bool gathering_rows(struct gathering *g, const struct record *r)
{
	struct rows t;

	if (record_find_sheet(r, SHEET_SWEEP) || !rows_init(&t, r, g->mem))
		return false;
	for (size_t i = 0; i < r->nseries; i++) {
		const struct series *s = r->series[i];

		if (gathering_is_row(s) && !is_setting(s) && metric_role(s->name) != ROLE_CLOCK)
			put_column(g, &t, s);
	}
	return true;
}

/* ---- stages ---- */

/* "stages[load].seconds" is "stages" and ".seconds", "stage_times_ms.load" "stage_times_ms" and
 * nothing: all but which stage it is.  False: it is of none. */
static bool stage_parts(struct span key, struct span *whole, struct span *behind)
{
	size_t from = 0;

	for (size_t i = 0; i < key.n; i++) {
		struct span part = { key.p + from, i - from };

		if (key.p[i] != '.' && key.p[i] != '[')
			continue;
		if (span_has_in_nocase(part, "stage|phase|breakdown")) {
			struct span name = span_from(key, i + 1);
			const char *end = memchr(name.p, key.p[i] == '[' ? ']' : '.', name.n);

			*whole = (struct span){ key.p, i };
			*behind = end ? span_between(end + (key.p[i] == '['), key.p + key.n)
				      : SPAN("");
			return key.p[i] == '.' || end;
		}
		from = i + 1;
	}
	return false;
}

void gathering_stages(struct gathering *g, const struct record *r)
{
	struct span whole, behind;

	for (EACH(const struct scalar, s, r->scalars.v, r->scalars.n)) {
		const struct measure_info *m = &measure_infos[s->measure];
		const struct figure_kind *k = figure_kind(s->key, m->base);

		if (s->type != SCALAR_NUMBER || !isfinite(s->number) || m->base != UNIT_NS ||
			k->better != BETTER_LOWER || !stage_parts(s->key, &whole, &behind))
			continue;
		(void)gathering_value(g,
			arena_printf(g->mem, "%.*s.all%.*s", (int)whole.n, whole.p, (int)behind.n,
				behind.p),
			SPAN("time"), UNIT_NS, measure_base(s->measure, s->number), GATHER_SUM);
	}
}
