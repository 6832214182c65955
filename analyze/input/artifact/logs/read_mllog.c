/* MLPerf training logs: lines with ":::MLLOG {...}" among whatever else a job printed.
 *
 * run_start to run_stop is what the benchmark scores.  Other intervals (init, epoch, block, eval)
 * are times of their own, evaluations and tracked statistics are series by samples, steps or
 * epochs, as their metadata says, and all other keys are how the run was set up. Source:
 * mlcommons/logging, mlperf_logging/mllog; mlcommons/training_policies. */
#include "analyze/trace/figure.h"
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/logs/log_prefix.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

/* --- which stop goes with which start --- */

enum { MLLOG_OPEN = 4096, MLLOG_KEY = 64, MLLOG_WHOLES = 2 };

/* An interval that has begun, of a process. */
struct mllog_begun {
	char key[MLLOG_KEY]; /* "eval" */
	int rank;
	double ms, x; /* x: NaN where its metadata says no place */
};

/* run and init: of all processes together, from the first start to the last stop. */
struct mllog_whole {
	const char *key, *name; /* "run", "time_to_train"; constant */
	double from, to;        /* ms; NaN: not seen */
};

struct mllog_intervals {
	struct mllog_begun open[MLLOG_OPEN]; /* those beyond are not looked at */
	size_t nopen;
	struct mllog_whole whole[MLLOG_WHOLES]; /* run first */
};

static void mllog_intervals_init(struct mllog_intervals *v)
{
	v->nopen = 0;
	v->whole[0] = (struct mllog_whole){ "run", "time_to_train", NAN, NAN };
	v->whole[1] = (struct mllog_whole){ "init", "init_time", NAN, NAN };
}

/* "eval_start" with end "_start" is "eval"; false: it has another end, or is too long. */
static bool mllog_stem(struct span key, const char *end, char stem[MLLOG_KEY])
{
	size_t n = span_ends(key, end) ? key.n - strlen(end) : 0;

	if (n == 0 || n >= MLLOG_KEY)
		return false;
	memcpy(stem, key.p, n);
	stem[n] = '\0';
	return true;
}

static struct mllog_whole *whole_of(struct mllog_intervals *v, const char *stem)
{
	return FIND(i, v->whole, MLLOG_WHOLES, strcmp(v->whole[i].key, stem) == 0);
}

static void mllog_begin(struct mllog_intervals *v, const char *stem, int rank, double ms, double x)
{
	struct mllog_whole *w = whole_of(v, stem);

	if (w) {
		w->from = isnan(w->from) || ms < w->from ? ms : w->from;
		return;
	}
	if (v->nopen == MLLOG_OPEN)
		return;
	struct mllog_begun *b = &v->open[v->nopen++];
	*b = (struct mllog_begun){ .rank = rank, .ms = ms, .x = x };
	memcpy(b->key, stem, strlen(stem) + 1);
}

/* The start that goes with this stop, the newest of its process, to *begun.  False: there is none,
 * or it is of a whole. */
static bool mllog_end(
	struct mllog_intervals *v, const char *stem, int rank, double ms, struct mllog_begun *begun)
{
	struct mllog_whole *w = whole_of(v, stem);

	if (w) {
		w->to = isnan(w->to) || ms > w->to ? ms : w->to;
		return false;
	}
	for (size_t i = v->nopen; i > 0; i--) {
		struct mllog_begun *b = &v->open[i - 1];

		if (b->rank != rank || strcmp(b->key, stem) != 0)
			continue;
		*begun = *b;
		memmove(b, b + 1, (v->nopen - i) * sizeof(*b));
		v->nopen--;
		return true;
	}
	return false;
}

enum { LINES_LOOKED_AT = 4000 };

static const char mark[] = ":::MLLOG";

struct mllog {
	struct reading *in;
	struct mllog_intervals intervals;
	struct strings settings; /* keys that were seen */
	const char *accuracy;    /* what eval_accuracy is of this benchmark */
	struct span status;      /* of run_stop, in the record's memory */
	int rank;                /* of the line at hand; -1: it has none */
	int64_t rows, attempts;  /* attempts before this one */
	double newest_ms;        /* of what this one was measured at, or its end; NaN: nothing */
	const struct series *series[64]; /* those of this attempt */
	size_t nseries;
	struct untaken untaken;
};

static bool is_event(struct span line)
{
	return span_has(line, mark);
}

static enum match probe(const struct head *h)
{
	struct span text = h->text, line;

	if (h->form == HEAD_EMPTY || h->form == HEAD_BINARY)
		return MATCH_NO;
	/* A document that holds such a line in a text is none. */
	if (h->form != HEAD_TEXT && !head_is_logged(h->text))
		return MATCH_NO;
	for (int n = 0; n < LINES_LOOKED_AT && span_line(&text, &line); n++)
		if (is_event(line))
			return MATCH_STRONG;
	return MATCH_NO;
}

/* ---- series ---- */

/* Where a value belongs: what its metadata counts. */
static double place_of(struct json_value metadata)
{
	static const char *const keys[] = { "samples_count", "step", "epoch_num", "epoch_count",
		"first_epoch_num" };
	double x;

	return FIND_VALUE(
		i, COUNT_OF(keys), jsondoc_number(json_get(metadata, keys[i]), &x), x, NAN);
}

/* The series has values of this attempt. */
static bool is_known(struct mllog *g, const struct series *s)
{
	bool is = ANY(i, g->nseries, g->series[i] == s);

	if (!is && g->nseries < COUNT_OF(g->series))
		g->series[g->nseries++] = s;
	return is && s->n > 0;
}

static struct series *put(struct mllog *g, struct span name, struct span group, enum measure m,
	double x, double value)
{
	const struct series *old = record_known_series(g->in->record, g->in->artifact, name, group);
	enum axis by = isnan(x) ? AXIS_ROW : AXIS_STEP, axis = old ? old->axis : by;
	struct series *s = reading_series(g->in, name, group, axis, m);

	/* Some write other counts than before, and the summary of a run as at its begin. */
	x = isnan(x) ? (double)(s->n + s->nan + s->inf) : x;
	series_add(s, is_known(g, s) ? MAX(x, s->last.x) : x, value);
	return s;
}

/* A figure of the run as a whole. */
static void put_once(struct mllog *g, const char *name, enum measure m, double value)
{
	put(g, span_of(name), SPAN(""), m, NAN, value)->axis = AXIS_REPEAT;
}

/* The rules call every figure of quality an accuracy.  Of these benchmarks it is a loss or an
 * error, which is better lower; where metadata names the metric, that decides. */
static const char *accuracy_of(struct span benchmark)
{
	return span_in(benchmark, "gpt3|llama2_70b_lora|llama31_405b|llama31_8b|flux1")
		? "eval_loss"
		: span_is(benchmark, "rnnt") ? "eval_error"
					     : "eval_accuracy";
}

static void put_accuracy(struct mllog *g, struct json_value value, struct json_value metadata)
{
	struct json_value metric = json_get(metadata, "metric");
	struct span group = metric.type == JSON_STRING ? metric.text : SPAN("");
	const char *name = span_is_nocase(group, "fid") ? "eval_error" : g->accuracy;
	double v;

	if (jsondoc_number(value, &v))
		put(g, span_of(name), group, MEASURE_NONE, place_of(metadata), v);
}

/* {"throughput": 2.1, "train_loss": 0.5} */
static void put_stats(struct mllog *g, struct json_value value, struct json_value metadata)
{
	double d, x = place_of(metadata);

	for (struct json_items it = json_members(value); json_more(&it);)
		if (jsondoc_number(it.v, &d)) {
			struct span name = jsondoc_key(g->in, SPAN(""), it.key);

			put(g, name, SPAN(""), measure_of_key(name), x, d);
		}
}

static bool is_figure(struct span key)
{
	return span_in(key,
		"throughput|train_loss|eval_loss|train_accuracy|samples_per_sec|train_step_time");
}

/* ---- intervals ---- */

static void end(struct mllog *g, const char *stem, double ms)
{
	char name[MLLOG_KEY + 8];
	struct mllog_begun b;
	size_t n = strlen(stem);

	if (!mllog_end(&g->intervals, stem, g->rank, ms, &b) || !(ms >= b.ms))
		return;
	memcpy(name, stem, n);
	memcpy(name + n, "_time", 6);
	put(g, span_of(name), SPAN(""), MEASURE_MS, b.x, ms - b.ms);
}

/* ---- events ---- */

static void take_setting(struct mllog *g, struct span key, struct json_value value)
{
	size_t known = g->settings.n;

	if (value.type == JSON_NONE || span_is(value.text, "null"))
		return;
	(void)strings_intern(&g->settings, key);
	if (g->settings.n > known)
		jsondoc_flatten(g->in, &g->in->record->config, key, value);
	if (span_is(key, "submission_benchmark"))
		g->accuracy = accuracy_of(value.text);
}

static void take_point(
	struct mllog *g, struct span key, struct json_value value, struct json_value metadata)
{
	double v;

	if (span_is(key, "eval_accuracy"))
		put_accuracy(g, value, metadata);
	else if (span_is(key, "tracked_stats"))
		put_stats(g, value, metadata);
	else if (is_figure(key) && jsondoc_number(value, &v))
		put(g, key, SPAN(""), measure_of_key(key), place_of(metadata), v);
	else
		take_setting(g, key, value);
}

/* Another attempt: what was before is not scored, and series begin again. */
static void begin_again(struct mllog *g)
{
	g->attempts++;
	g->newest_ms = NAN;
	g->nseries = 0;
	g->status = SPAN("");
	mllog_intervals_init(&g->intervals);
}

/* False: it is no event of the format. */
static bool take_event(struct mllog *g, struct json_value event)
{
	struct json_value key = json_get(event, "key"), metadata = json_get(event, "metadata");
	struct json_value value = json_get(event, "value"), status;
	struct span type = json_get(event, "event_type").text;
	char stem[MLLOG_KEY];
	double ms;

	if (key.type != JSON_STRING || !jsondoc_number(json_get(event, "time_ms"), &ms))
		return false;
	if (span_is(type, "INTERVAL_START") && mllog_stem(key.text, "_start", stem)) {
		if (whole_of(&g->intervals, stem) && ms > g->newest_ms)
			begin_again(g);
		mllog_begin(&g->intervals, stem, g->rank, ms, place_of(metadata));
	} else if (span_is(type, "INTERVAL_END") &&
		(mllog_stem(key.text, "_stop", stem) || mllog_stem(key.text, "_end", stem))) {
		end(g, stem, ms);
		status = json_get(metadata, "status");
		if (strcmp(stem, "run") == 0)
			g->newest_ms = fmax(g->newest_ms, ms);
		if (strcmp(stem, "run") == 0 && status.type == JSON_STRING)
			g->status = record_text(g->in->record, status.text);
	} else if (span_is(type, "POINT_IN_TIME")) {
		if (!isnan(g->intervals.whole[0].from) && !isnan(place_of(metadata)))
			g->newest_ms = fmax(g->newest_ms, ms);
		take_point(g, jsondoc_key(g->in, SPAN(""), key.text), value, metadata);
	} else {
		return span_starts(type, "INTERVAL_");
	}
	return true;
}

/* "12: " as srun --label writes it, or what launchers write otherwise; -1: none. */
static int rank_of(struct span front)
{
	struct log_prefix prefix;
	size_t n = 0;
	int rank = 0;

	for (; n < front.n && is_digit(front.p[n]) && n < 9; n++)
		rank = rank * 10 + (front.p[n] - '0');
	if (n > 0 && n < front.n && front.p[n] == ':')
		return rank;
	log_prefix_find(&prefix, front);
	return prefix.rank;
}

static enum took take_line(void *ctx, struct span line, const struct lines *l UNUSED)
{
	struct mllog *g = ctx;
	const char *at = memmem(line.p, line.n, mark, sizeof(mark) - 1);
	struct arena_mark mem = arena_mark(&g->in->mem);

	if (!at)
		return span_trim(line).n ? TOOK_OTHER : TOOK;
	g->rank = rank_of(line);
	const char *open = memchr(at, '{', (size_t)(line.p + line.n - at));
	struct span rest =
		open ? (struct span){ open, (size_t)(line.p + line.n - open) } : SPAN("");
	bool is_event = take_event(g, json_value(rest, &rest));
	g->rows += is_event;
	arena_reset(&g->in->mem, mem);
	return is_event ? TOOK : TOOK_ALIEN;
}

/* ---- the end ---- */

static void put_whole(struct mllog *g)
{
	for (size_t i = 0; i < MLLOG_WHOLES; i++) {
		const struct mllog_whole *w = &g->intervals.whole[i];

		if (w->to >= w->from)
			put_once(g, w->name, MEASURE_MS, w->to - w->from);
	}
	if (g->status.n)
		reading_text(g->in, &g->in->record->scalars, SPAN("status"), g->status);
}

static void say_score(struct mllog *g)
{
	const struct mllog_whole *run = &g->intervals.whole[0];

	if (g->attempts)
		reading_note(g->in, NOTE_WARNING, "mlperf_attempts", g->attempts + 1, -1,
			"%" PRId64 " attempts in one log: the last one is scored", g->attempts + 1);
	if (run->to >= run->from)
		reading_note(g->in, NOTE_INFO, "mlperf_score", 1, -1,
			"%.2f minutes from run_start to run_stop, which is what is scored%s%.*s",
			(run->to - run->from) / 60e3, g->status.n ? "; status: " : "",
			(int)MIN(g->status.n, 64), g->status.n ? g->status.p : "");
	else if (!isnan(run->from))
		reading_note(g->in, NOTE_WARNING, "mlperf_unfinished", 1, -1,
			"run_start without run_stop: the run did not end, or the log is cut; there "
			"is no score");
}

static enum status read_mllog(struct reading *in, struct err *e)
{
	struct mllog *g = arena_alloc(&in->mem, sizeof(*g));

	*g = (struct mllog){ .in = in, .accuracy = "eval_accuracy", .newest_ms = NAN };
	mllog_intervals_init(&g->intervals);
	strings_init(&g->settings, 0x6d6c6c6f67u);
	enum status st = reading_lines(in, take_line, g, &g->untaken, e);
	strings_clear(&g->settings);
	put_whole(g);
	reading_artifact(in)->rows = g->rows;
	say_score(g);
	reading_untaken(in, &g->untaken,
		"line{|s} that begin{s|} as an event of MLPerf and {is|are} none, passed over",
		"other line{|s} in the log of MLPerf, not read");
	return st;
}

const struct artifact artifact_mllog = {
	.name = "mllog",
	.title = "MLPerf training log",
	.summary = "lines of :::MLLOG: score, status, evaluations, throughput, hyperparameters",
	.probe = probe,
	.read = read_mllog,
	.none = "no event of MLPerf in it",
};
