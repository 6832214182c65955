/* OpenMetrics: the new side's figures as gauges.  GitLab shows them in merge requests and compares
 * them as texts, so they have four significant digits: what is unchanged stays unchanged.
 *
 * Source: OpenMetrics 1.0 (prometheus.io); GitLab, artifacts:reports:metrics. */
#include "base/unit.h"
#include "report/escape.h"
#include "report/sink/sink.h"

struct gauge {
	const struct verdict_check *check;
	struct str family;
};

static const char *unit_word(enum unit unit)
{
	switch (unit) {
	case UNIT_NS: return "seconds";
	case UNIT_BYTES: return "bytes";
	case UNIT_RATIO: return "ratio";
	default: return NULL;
	}
}

static void put_family(struct str *b, const struct verdict_check *c)
{
	const char *unit = unit_word(c->unit);

	str_adds(b, "traceq_");
	for (const char *p = c->metric; *p; p++)
		str_addc(b, is_letter(*p) || is_digit(*p) ? *p : '_');
	if (unit)
		str_addf(b, "_%s", unit);
}

static void put_number(struct str *b, double v)
{
	if (v == 0 || !isfinite(v)) {
		str_adds(b, v == 0 ? "0" : v > 0 ? "+Inf" : "-Inf");
		return;
	}
	double size = pow(10, 3 - floor(log10(fabs(v))));
	unit_put_real(b, size >= 1 ? round(v * size) / size : round(v / (1 / size)) * (1 / size));
}

/* By family, then by label: a family's samples stand together. */
static int by_family(const void *pa, const void *pb)
{
	const struct gauge *a = pa, *b = pb;
	const char *x = a->check->label ? a->check->label : "";
	const char *y = b->check->label ? b->check->label : "";

	return COMPARE_BY(strcmp(a->family.s, b->family.s), strcmp(x, y));
}

static void put_gauge(struct str *out, const struct gauge *g, bool is_first)
{
	double v = g->check->unit == UNIT_NS ? g->check->value / 1e9 : g->check->value;
	const char *unit = unit_word(g->check->unit);

	if (is_first) {
		str_addf(out, "# TYPE %s gauge\n", g->family.s);
		if (unit)
			str_addf(out, "# UNIT %s %s\n", g->family.s, unit);
	}
	str_adds(out, g->family.s);
	if (g->check->label) {
		str_adds(out, "{name=\"");
		escape_openmetrics(out, span_of(g->check->label));
		str_adds(out, "\"}");
	}
	str_adds(out, " ");
	put_number(out, v);
	str_adds(out, "\n");
}

static void put(struct str *out, const struct verdict *v)
{
	struct gauge *g = xcalloc(v->n + 1, sizeof(*g));
	size_t n = 0;

	if (!v->error) {
		str_addf(out, "# TYPE traceq_%s_checks gauge\n", v->name);
		for (int s = 0; s < VERDICT_STATE_COUNT; s++)
			str_addf(out, "traceq_%s_checks{state=\"%s\"} %zu\n", v->name,
				verdict_state_word((enum verdict_state)s),
				verdict_count(v, (enum verdict_state)s));
	}
	for (size_t i = 0; i < v->n; i++) {
		if (isnan(v->check[i].value) || !v->check[i].metric)
			continue;
		g[n].check = &v->check[i];
		put_family(&g[n++].family, &v->check[i]);
	}
	sort_rows(g, n, sizeof(*g), by_family);
	for (size_t i = 0; i < n; i++)
		put_gauge(out, &g[i], i == 0 || strcmp(g[i].family.s, g[i - 1].family.s) != 0);
	str_adds(out, "# EOF\n");
	for (size_t i = 0; i < n; i++)
		str_free(&g[i].family);
	free(g);
}

const struct sink sink_openmetrics = {
	.name = "openmetrics",
	.suffix = ".prom",
	.put = put,
};
