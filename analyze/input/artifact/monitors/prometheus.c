/* Source: Prometheus, "Exposition formats"; OpenMetrics 1.0. */
#include "analyze/input/artifact/monitors/prometheus.h"

#include "analyze/input/text/num.h"

/* Times beyond it are ms: Prometheus has those, OpenMetrics seconds. */
static const double MS_FROM = 1e11;

bool prometheus_label(struct span *labels, struct span *key, struct span *value)
{
	struct span rest;

	*labels = span_from(*labels, FIRST(i, labels->n, !strchr(", ", labels->p[i])));
	if (!span_cut(*labels, '=', key, &rest) || !span_starts(rest, "\""))
		return false;
	size_t end = 1;
	for (; end < rest.n && rest.p[end] != '"'; end++)
		end += rest.p[end] == '\\';
	if (end >= rest.n)
		return false;
	*key = span_trim(*key);
	*value = (struct span){ rest.p + 1, end - 1 };
	*labels = span_from(rest, end + 1);
	return true;
}

/* Behind the name: takes {gpu="0",UUID="GPU-..."} off; false: it is not closed. */
static bool take_labels(struct span *rest, struct span *labels)
{
	struct span in = span_from(*rest, 1), key, value;

	while (prometheus_label(&in, &key, &value)) {
	}
	if (!span_starts(in, "}"))
		return false;
	*labels = span_between(rest->p + 1, in.p);
	*rest = span_from(in, 1);
	return true;
}

static bool is_name(struct span t)
{
	return t.n > 0 && !(t.p[0] >= '0' && t.p[0] <= '9') &&
		FIRST(i, t.n,
			!((t.p[i] | 0x20) >= 'a' && (t.p[i] | 0x20) <= 'z') &&
				!(t.p[i] >= '0' && t.p[i] <= ':') && t.p[i] != '_') == t.n;
}

bool prometheus_sample(struct span line, struct prometheus_sample *s)
{
	struct span number, at, rest = span_trim(line);
	size_t n = FIRST(i, rest.n, strchr("{ \t", rest.p[i]) != NULL);

	*s = (struct prometheus_sample){ .name = { rest.p, n }, .labels = SPAN(""), .time = NAN };
	rest = span_trim(span_from(rest, n));
	if (!is_name(s->name) || (span_starts(rest, "{") && !take_labels(&rest, &s->labels)))
		return false;
	rest = span_trim(span_before(rest, '#')); /* an exemplar */
	if (span_cut(rest, ' ', &number, &at) && !real_of(span_trim(at), &s->time))
		return false;
	s->time /= s->time > MS_FROM ? 1000 : 1;
	return real_of(number, &s->value);
}
