/* `metrics`: what a server's metrics said while the trace beside them was recorded.
 *
 *	  scrapes      |       |     x    x    x    |         |       scrapes have times, and so has
 *	  trace             |<------------------->|                   the trace: both since 1970
 *	             before                         after
 *
 * A trace is short and scrapes are apart: what stood last before it and first behind it frames what
 * was seen in it. */
#include "analyze/answer/metrics/metrics.h"
#include "analyze/measure/power/sampleclock.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "base/unit.h"

enum { PEOPLE_ROWS = 12 };

/* The trace in seconds since 1970. */
struct traced {
	double from, to;
	bool is_known;
};

/* One key while it was recorded; NaN: not known. */
struct beside {
	const struct metrics_key *key;
	double before, sum, min, max, after;
	double before_x, after_x;
	size_t n;
	int turn; /* what people look for comes first */
};

static bool is_engines(const struct metrics *m, const struct metrics_key *k)
{
	return strcmp(m->at->record->artifact[k->s->artifact].kind, "openmetrics") == 0;
}

static struct traced traced_of(const struct run *r)
{
	nsec epoch;
	struct traced t = { 0 };

	if (!sampleclock_epoch(r, &epoch))
		return t;
	t.from = (double)saturate_add(r->first_ns, epoch) / 1e9;
	t.to = (double)saturate_add(r->last_ns, epoch) / 1e9;
	t.is_known = true;
	return t;
}

static struct beside look_beside(const struct metrics_key *k, const struct traced *t)
{
	static const char looked_for[] = "waiting|queue|running|cache_usage|token_usage|preempt";
	struct beside b = { k, NAN, 0, INFINITY, -INFINITY, NAN, -INFINITY, INFINITY, 0, 0 };
	size_t n;
	const struct point *p = series_sample(k->s, &n);

	b.turn = !span_has_in(k->s->name, looked_for);
	for (size_t i = 0; i < n; i++) {
		double y = p[i].y * k->factor;

		if (p[i].x < t->from && p[i].x >= b.before_x) {
			b.before_x = p[i].x;
			b.before = y;
		} else if (p[i].x > t->to && p[i].x < b.after_x) {
			b.after_x = p[i].x;
			b.after = y;
		} else if (p[i].x >= t->from && p[i].x <= t->to) {
			b.n++;
			b.sum += y;
			b.min = MIN(b.min, y);
			b.max = MAX(b.max, y);
		}
	}
	return b;
}

ORDER(by_turn, struct beside, compare3(a->turn, b->turn), compare3(a->key->nth, b->key->nth))

static void put_row(struct table *t, const struct beside *b)
{
	TABLE_ROW(t, [MBESIDE_BEFORE] = cell_real(b->before),
		[MBESIDE_MEAN] = CELL_IF(b->n, cell_real(b->sum / (double)b->n)),
		[MBESIDE_MIN] = CELL_IF(b->n, cell_real(b->min)),
		[MBESIDE_MAX] = CELL_IF(b->n, cell_real(b->max)),
		[MBESIDE_AFTER] = cell_real(b->after), [MBESIDE_N] = cell_size(b->n),
		[MBESIDE_KEY] = cell_text(b->key->s->name),
		[MBESIDE_GROUP] = CELL_IF(b->key->s->group.n, cell_text(b->key->s->group)));
	table_unit(t, b->key->unit);
}

/* Whether one or the other frames the trace, or a scrape lies in it. */
static bool is_near(const struct beside *b)
{
	return b->n > 0 || (isfinite(b->before_x) && isfinite(b->after_x));
}

static void say(const struct metrics *m, enum note_level level, size_t n, const char *text)
{
	result_note(m->at->out, level, "metrics_clock", m->at->input, (int64_t)n, "%s", text);
}

/* most: the key with the most scrapes. */
static void say_scrapes(const struct metrics *m, const struct beside *most, const struct traced *t)
{
	bool is_before = t->from - most->before_x < most->after_x - t->to;
	SCOPED_STR b = { 0 };

	str_addf(&b, "%zu of %lld scrapes of the server were taken while the trace was recorded",
		most->n, (long long)most->key->s->n);
	if (most->n == 0 && is_near(most)) {
		str_adds(&b, ", the nearest ");
		unit_put_time(
			&b, 1e9 * (is_before ? t->from - most->before_x : most->after_x - t->to));
		str_adds(&b, is_before ? " before it" : " after it");
	}
	if (!is_near(most))
		str_adds(&b, ": they are of another time, or the clocks differ");
	say(m, is_near(most) ? NOTE_INFO : NOTE_WARNING, most->n, b.s);
}

void metrics_put_beside(const struct metrics *m)
{
	const struct run *run = m->at->run;
	struct beside *v = arena_array(&m->at->mem, m->nkey, sizeof(*v)), *most = NULL;
	struct traced t = traced_of(run);
	size_t n = 0, untimed = 0, limit = rows_limit(m->at->q, m->o->limit, PEOPLE_ROWS, SIZE_MAX);

	for (size_t i = 0; run->has_trace && i < m->nkey; i++) {
		if (!is_engines(m, &m->key[i]))
			continue;
		untimed += m->key[i].s->axis != AXIS_TIME;
		if (m->key[i].s->axis == AXIS_TIME)
			v[n++] = look_beside(&m->key[i], &t);
	}
	if (n + untimed > 0 && (n == 0 || !t.is_known)) {
		say(m, NOTE_INFO, 0,
			n ? "the trace does not say when it was recorded: what the server's metrics "
			    "were then is not known"
			  : "the scrapes of the server have no times: which were taken while the "
			    "trace was recorded is not known");
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (!most || v[i].key->s->n > most->key->s->n)
			most = &v[i];
	if (!most)
		return;
	say_scrapes(m, most, &t);
	sort_rows(v, n, sizeof(*v), by_turn);
	bool has_groups = ANY(i, n, v[i].key->s->group.n > 0);
	struct table *to = NULL;
	size_t shown = 0, near = 0;
	for (size_t i = 0; i < n; i++) {
		if (!is_near(&v[i]))
			continue;
		near++;
		if (shown == limit)
			continue;
		to = to ? to
			: perrun_table_seen(m->at, &metrics_docs[METRICS_TABLE_BESIDE],
				  has_groups ? UINT64_MAX : ~COLUMN_SET(MBESIDE_GROUP));
		put_row(to, &v[i]);
		shown++;
	}
	if (to)
		rows_cut(to, MBESIDE_KEY, near - shown);
}
