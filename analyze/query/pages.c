/*
 * Pages of records.  A page is known by the options that are not as they are without any.
 */
#include "analyze/query/pages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/query/analysis.h"
#include "analyze/query/perrun.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/kept.h"
#include "analyze/trace/kept_facts.h"
#include "analyze/trace/run.h"
#include "analyze/trace/wire.h"
#include "analyze/trace/wire_table.h"
#include "base/opt.h"
#include "base/setting.h"

enum { PAGES_MAX = 64 };

#define SECTION "page "

/* ---- options ---- */

static bool same_list(const struct opt_list *a, const struct opt_list *b)
{
	size_t i;

	for (i = 0; i < a->n && i < b->n && strcmp(a->v[i], b->v[i]) == 0;)
		i++;
	return i == a->n && i == b->n;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Appends " --name=value" unless it is as it is without options. */
static void put_option(struct str *out, const struct opt *o, const char *own, const char *preset)
{
	const void *a = own + o->offset, *b = preset + o->offset;
	const struct opt_list *list = a;
	size_t i;

	switch (o->type) {
	case OPT_FLAG:
		if (*(const bool *)a != *(const bool *)b)
			str_addf(out, " --%s%s", *(const bool *)a ? "" : "no-", o->name);
		break;
	case OPT_INT:
		if (*(const int64_t *)a != *(const int64_t *)b)
			str_addf(out, " --%s=%" PRId64, o->name, *(const int64_t *)a);
		break;
	case OPT_TEXT:
	case OPT_CHOICE:
		if (!same_text(*(const char *const *)a, *(const char *const *)b))
			str_addf(out, " --%s=%s", o->name, *(const char *const *)a);
		break;
	case OPT_LIST:
		for (i = 0; !same_list(list, b) && i < list->n; i++)
			str_addf(out, " --%s=%s", o->name, list->v[i]);
		break;
	}
}

/* All options that are not as they are without any: "" for none. */
static void put_options(struct str *out, const struct analysis *a, const void *opts)
{
	struct arena mem;
	void *preset;
	size_t i;

	arena_init(&mem);
	preset = arena_alloc(&mem, a->options.size);
	if (a->options.set_defaults)
		a->options.set_defaults(preset);
	str_adds(out, "");
	for (i = 0; i < a->options.n && opts; i++)
		put_option(out, &a->options.opt[i], opts, preset);
	arena_clear(&mem);
}

static const char *section_of(const struct analysis *a, char *room, size_t n)
{
	(void)snprintf(room, n, SECTION "%s", a->name);
	return room;
}

/* ---- writing ---- */

static void put_page(struct wire_out *w, const struct page_answer *p)
{
	struct str options = { 0 };

	put_options(&options, p->analysis, p->opts);
	wire_put_text(w, (struct span){ options.s, options.n });
	wire_put_count(w, p->form);
	wire_put_bool(w, p->err != NULL);
	if (p->err) {
		wire_put_int(w, p->err->status);
		wire_put_text(w, span_of(p->err->text));
		wire_put_text(w, span_of(p->err->hint));
	} else {
		wire_put_bool(w, p->says_no);
		wire_put_tables(w, p->result);
	}
	str_free(&options);
}

void pages_add(struct kept_out *to, const struct page_answer *v, size_t n)
{
	char name[KEPT_NAME + 1];
	struct wire_out all;
	size_t i, end, k;

	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && v[end].analysis == v[i].analysis;)
			end++;
		wire_begin(&all);
		wire_put_count(&all, end - i);
		for (k = i; k < end; k++) {
			struct wire_out one;

			wire_begin(&one);
			put_page(&one, &v[k]);
			wire_put_count(&all, one.bytes.n);
			str_add(&all.bytes, one.bytes.s, one.bytes.n);
			wire_free(&one);
		}
		kept_add(to, section_of(v[i].analysis, name, sizeof(name)),
			(struct span){ all.bytes.s, all.bytes.n });
		wire_free(&all);
	}
}

/* ---- reading ---- */

enum status pages_refuse(const struct analysis *a, struct err *e)
{
	(void)err_set(e, E_NODATA, -1, "a digest has no events: '%s' needs the trace itself",
		a->name);
	return err_hint(e, "'traceq info' says of which traces it is");
}

/* A setting of the analysis that is not built in: pages are made without. */
static const char *changed_setting(const struct settings *s, const char *name)
{
	size_t i, n = strlen(name);

	for (i = 0; s && i < s->n; i++)
		if (strcmp(s->v[i].origin, "built-in") != 0 &&
			strncmp(s->v[i].key, name, n) == 0 && s->v[i].key[n] == '.')
			return s->v[i].key;
	return NULL;
}

/* What of the query no page can be for; NULL: nothing. */
static const char *needs_events(const struct query *q, const struct analysis *a)
{
	const char *given = filter_needs_events(q->filter);

	if (q->layout != TABLE_GRID)
		return "this format";
	return given ? given : changed_setting(q->settings, a->name);
}

static enum status take_failure(struct wire_in *w, struct err *e)
{
	int64_t status = wire_int(w);
	struct span text = wire_text(w), hint = wire_text(w);

	if (w->is_bad || status < E_NODATA || status >= OK)
		return E_SYNTAX;
	(void)err_set(e, (enum status)status, -1, "%s", text.p);
	return hint.n ? err_hint(e, "%s", hint.p) : e->status;
}

static enum page_form form_of(const struct query *q)
{
	if (q->for_people)
		return PAGE_PEOPLE;
	return q->no_quantiles ? PAGE_GATHERED : PAGE_MACHINES;
}

/* The page at hand, if it is the one. */
static bool is_page(struct wire_in *w, struct span options, enum page_form form)
{
	bool is_same = span_eq(wire_text(w), options);

	return wire_below(w, PAGE_FORMS) == form && is_same && !w->is_bad;
}

static enum status answer(struct perrun *at, const struct analysis *a, struct wire_in *w)
{
	enum status st = OK;

	if (wire_bool(w)) {
		st = take_failure(w, at->e);
	} else {
		at->out->says_no |= wire_bool(w);
		wire_tables(w, at->out, at->input, a->help.tables, a->help.ntables);
	}
	return wire_is_done(w) && st != E_SYNTAX ? st : kept_refuse_section(SECTION, at->e);
}

/* Of all pages of an analysis the one with those options. */
static enum status find_page(
	struct perrun *at, const struct analysis *a, struct span plain, struct span options)
{
	struct wire_in all, w;
	size_t n, i, bytes;

	wire_open(&all, plain, &at->mem);
	n = wire_below(&all, PAGES_MAX);
	for (i = 0; i < n && !all.is_bad; i++) {
		bytes = wire_many(&all, 1);
		wire_open(&w, (struct span){ (const char *)all.at, bytes }, &at->out->mem);
		all.at += bytes;
		if (is_page(&w, options, form_of(at->q)))
			return answer(at, a, &w);
	}
	if (!wire_is_done(&all))
		return kept_refuse_section(SECTION, at->e);
	(void)err_set(at->e, E_NODATA, -1, "a digest has no events: '%s%.*s' needs the trace itself",
		a->name, (int)options.n, options.p);
	return err_hint(at->e, "a digest answers '%s' without options", a->name);
}

enum status pages_answer(struct perrun *at, const struct analysis *a)
{
	const char *needs = needs_events(at->q, a);
	struct str plain = { 0 }, options = { 0 };
	char name[KEPT_NAME + 1];
	enum status st;

	if (needs) {
		(void)err_set(at->e, E_NODATA, -1, "a digest has no events: %s needs the trace itself",
			needs);
		return err_hint(at->e, "a digest answers '%s' without options", a->name);
	}
	if (!kept_has(at->run->kept, section_of(a, name, sizeof(name))))
		return pages_refuse(a, at->e);
	put_options(&options, a, at->q->opts);
	st = kept_get(at->run->kept, name, &plain, at->e);
	if (st == OK)
		st = find_page(at, a, (struct span){ plain.s, plain.n },
			(struct span){ options.s, options.n });
	str_free(&options);
	str_free(&plain);
	return st;
}
