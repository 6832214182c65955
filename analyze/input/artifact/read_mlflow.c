/* A metric as MLflow's file store keeps it (mlruns/0/RUN/metrics/loss): a line a value, with its
 * time in ms, the value and the step.  The metric is called as its file. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

enum { LINES_LOOKED_AT = 100, TIME_DIGITS = 13 };

static bool is_value(struct span line, double *value, double *step)
{
	struct span time, rest, number, at;

	return span_cut(line, ' ', &time, &rest) && time.n == TIME_DIGITS &&
		ALL(i, time.n, time.p[i] >= '0' && time.p[i] <= '9') &&
		span_cut(rest, ' ', &number, &at) && real_of(number, value) && real_of(at, step) &&
		*step == floor(*step);
}

static enum took take_line(void *state, struct span line, const struct lines *l UNUSED)
{
	struct reading *in = *(struct reading **)state;
	double value, step;

	if (line.n == 0)
		return TOOK;
	if (!is_value(line, &value, &step))
		return TOOK_ALIEN;
	struct span name = span_of(path_name(reading_artifact(in)->path));
	series_add(reading_series(in, name, SPAN(""), AXIS_STEP, MEASURE_NONE), step, value);
	reading_artifact(in)->rows++;
	return TOOK;
}

static enum match probe(const struct head *h)
{
	struct span text = h->text, line;
	double value, step;
	int n = 0;

	if (h->form != HEAD_TEXT)
		return MATCH_NO;
	while (n < LINES_LOOKED_AT && span_line(&text, &line)) {
		if (!is_value(line, &value, &step))
			return n > 0 && text.n == 0 ? MATCH_STRONG : MATCH_NO;
		n++;
	}
	return n > 0 ? MATCH_STRONG : MATCH_NO;
}

const struct artifact artifact_mlflow = {
	.name = "mlflow",
	.title = "metric by step (MLflow)",
	.summary = "a file of mlruns/EXPERIMENT/RUN/metrics: time, value and step a line",
	.probe = probe,
	TAKES_LINES(struct reading *, take_line),
	.alien = "line{ is|s are} no value, passed over",
	.none = "no value in it",
};
