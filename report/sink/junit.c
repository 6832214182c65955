/*
 * JUnit XML: a suite of test cases.  Read by Jenkins, GitLab, GitHub reporters.
 *
 * A check that makes the answer "no" is a failure; one without data, or that noise may explain, is
 * skipped, as is a warning: all of these with a message that stands alone.  No answer is an error.
 */
#include "report/escape.h"
#include "report/sink/sink.h"

static void put_escaped(struct str *b, const char *text)
{
	escape_xml(b, span_of(text));
}

static void put_attribute(struct str *b, const char *name, const char *value)
{
	str_addf(b, " %s=\"", name);
	put_escaped(b, value);
	str_adds(b, "\"");
}

/* Between passed and failed. */
static bool is_skipped(const struct verdict_check *c)
{
	return !c->fails && c->state >= VERDICT_IS_SKIP && c->state < VERDICT_IS_FAIL;
}

static void put_case(struct str *b, const struct verdict *v, const struct verdict_check *c)
{
	SCOPED_STR name = { 0 };
	bool skips = is_skipped(c);

	str_addf(&name, "traceq.%s.%s", v->suite, c->suite);
	str_adds(b, "  <testcase");
	put_attribute(b, "classname", name.s);
	put_attribute(b, "name", c->id);
	str_adds(b, " time=\"0\"");
	if (c->fails) {
		str_adds(b, ">\n   <failure type=\"regression\"");
		put_attribute(b, "message", c->message);
		str_adds(b, ">");
		put_escaped(b, c->message);
		for (size_t i = 0; i < v->nwhy; i++) {
			str_adds(b, "\n");
			put_escaped(b, v->why[i]);
		}
		str_adds(b, "</failure>\n  </testcase>\n");
	} else if (skips) {
		str_reset(&name);
		str_addf(&name, "%s: %s", verdict_state_word(c->state), c->message);
		str_adds(b, ">\n   <skipped");
		put_attribute(b, "message", name.s);
		str_adds(b, "/>\n  </testcase>\n");
	} else {
		str_adds(b, ">\n   <system-out>");
		put_escaped(b, c->message);
		str_adds(b, "</system-out>\n  </testcase>\n");
	}
}

struct counts {
	size_t tests, failures, errors, skipped;
};

static struct counts count(const struct verdict *v)
{
	struct counts c = { .tests = v->n };

	if (v->error)
		return (struct counts){ .tests = 1, .errors = 1 };
	for (size_t i = 0; i < v->n; i++) {
		c.failures += v->check[i].fails;
		c.skipped += is_skipped(&v->check[i]);
	}
	return c;
}

static void put_head(struct str *b, const char *element, const char *name, struct counts c)
{
	str_addf(b, "<%s", element);
	put_attribute(b, "name", name);
	str_addf(b, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"0\">\n",
		c.tests, c.failures, c.errors, c.skipped);
}

static void put_property(struct str *b, const char *name, const char *value)
{
	if (!value)
		return;
	str_adds(b, "   <property");
	put_attribute(b, "name", name);
	put_attribute(b, "value", value);
	str_adds(b, "/>\n");
}

static void put(struct str *out, const struct verdict *v)
{
	SCOPED_STR name = { 0 };

	str_addf(&name, "traceq %s", v->name);
	str_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	put_head(out, "testsuites", name.s, count(v));
	str_adds(out, " ");
	put_head(out, "testsuite", v->error ? v->name : v->suite, count(v));
	if (v->error) {
		str_adds(out, "  <testcase");
		put_attribute(out, "classname", name.s);
		put_attribute(out, "name", v->name);
		str_adds(out, " time=\"0\">\n   <error type=\"no answer\"");
		put_attribute(out, "message", v->error);
		str_adds(out, "/>\n  </testcase>\n");
	} else {
		str_adds(out, "  <properties>\n");
		put_property(out, "base", v->base);
		put_property(out, "new", v->now);
		put_property(out, "about", v->about);
		for (size_t i = 0; i < v->n; i++)
			put_property(out, v->check[i].id, v->check[i].now);
		str_adds(out, "  </properties>\n");
		for (size_t i = 0; i < v->n; i++)
			put_case(out, v, &v->check[i]);
	}
	str_adds(out, " </testsuite>\n</testsuites>\n");
}

const struct sink sink_junit = {
	.name = "junit",
	.suffix = ".xml",
	.put = put,
};
