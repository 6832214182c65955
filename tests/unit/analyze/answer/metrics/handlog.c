/* Records made by hand, and `metrics` asked about them. */
#include "tests/unit/analyze/answer/metrics/handlog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis/analysis.h"
#include "analyze/trace/columns/record.h"
#include "cmd/commands.h"

void log_new(struct run *r)
{
	run_init(r, 0);
	r->record = record_new();
	(void)record_artifact(r->record, "train.jsonl", "jsonl_log", "training log");
}

struct series *log_series(struct run *r, const char *name, enum measure m)
{
	struct series *s = record_series(r->record, 0, span_of(name), SPAN(""));

	s->measure = m;
	s->axis = AXIS_STEP;
	return s;
}

void log_number(struct run *r, const char *key, double v)
{
	const struct scalar s = { .key = span_of(key), .type = SCALAR_NUMBER, .number = v };

	record_scalar(r->record, &r->record->scalars, &s);
}

void log_ask_with(struct hand_answer *h, struct run *r, const struct metrics_options *o)
{
	const struct filter filter = { 0 };
	const struct run *list[] = { r };
	const struct query q = { .run = list, .nrun = 1, .filter = &filter, .opts = o };

	*h = (struct hand_answer){ 0 };
	err_clear(&h->err);
	result_init(&h->result, "test/1");
	(void)result_input(&h->result, "hand.json");
	h->status = analysis_answer(&analysis_metrics, &q, &h->result, &h->exit_code, &h->err);
}

struct metrics_options log_defaults(void)
{
	return *(const struct metrics_options *)analysis_metrics.options.defaults;
}

void log_ask(struct hand_answer *h, struct run *r)
{
	const struct metrics_options o = log_defaults();

	log_ask_with(h, r, &o);
	if (h->status != OK)
		fail_msg("%s", h->err.text);
}

size_t log_row(const struct table *t, const char *key, const char *text)
{
	size_t row = t ? hand_find(t, key, text) : SIZE_MAX;

	if (row == SIZE_MAX)
		fail_msg("no row %s", text);
	return row;
}

bool log_found(const struct hand_answer *h, const char *rule)
{
	return hand_find(hand_table(h, "findings"), "rule", rule) != SIZE_MAX;
}

/* About standard normal, always the same ones. */
double log_noise(uint64_t *state)
{
	double sum = -6;
	int i;

	for (i = 0; i < 12; i++) {
		*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		sum += (double)(*state >> 11) / 9007199254740992.0;
	}
	return sum;
}

/* One series of n values: start + slope i + deviation noise. */
void log_ask_about(struct hand_answer *h, struct run *r, const char *name, int n, double start,
	double slope, double deviation)
{
	uint64_t random = 3;
	struct series *s;
	int i;

	log_new(r);
	s = log_series(r, name, MEASURE_NONE);
	for (i = 0; i < n; i++)
		series_add(s, i, start + slope * i + deviation * log_noise(&random));
	log_ask(h, r);
}
