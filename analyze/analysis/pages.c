/* Pages of records.  A page is known by the options that are not as they are without any. */
#include "analyze/analysis/pages.h"

#include <assert.h>
#include <stdio.h>

#include "analyze/analysis/analysis.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/digest/digest_facts.h"
#include "analyze/trace/digest/digest_wire.h"
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
		for (size_t i = 0; !same_list(list, b) && i < list->n; i++)
			str_addf(out, " --%s=%s", o->name, list->v[i]);
		break;
	}
}

/* All options that are not as they are without any: "" for none. */
static void put_options(
	struct str *out, const struct analysis *a, const void *opts, bool without_limit)
{
	str_adds(out, "");
	for (size_t i = 0; i < a->options.n && opts; i++)
		if (!without_limit || strcmp(a->options.opt[i].name, "limit") != 0)
			put_option(out, &a->options.opt[i], opts, a->options.defaults);
}

static const char *section_of(const struct analysis *a, char *room, size_t n)
{
	(void)snprintf(room, n, SECTION "%s", a->name);
	return room;
}

/* ---- writing ---- */

static void put_answer(struct wire_out *w, const struct page_answer *v)
{
	walk_new_texts(&(struct walk){ .out = w });
	wire_put_bool(w, v->err != NULL);
	if (v->err) {
		wire_put_int(w, v->err->status);
		wire_put_text(w, span_of(v->err->text));
		wire_put_text(w, span_of(v->err->hint));
	} else {
		wire_put_bool(w, v->says_no);
		wire_put_tables(w, v->result);
	}
}

/* The pages of one analysis; an answer that an earlier one has, too, is that one's. */
static void put_pages(struct wire_out *w, const struct page_answer *v, size_t n)
{
	struct wire_out alone[PAGES_MAX];
	struct span answer[PAGES_MAX];
	size_t first[PAGES_MAX];

	wire_put_count(w, n);
	for (size_t i = 0; i < n; i++) {
		SCOPED_STR options = { 0 };

		wire_begin(&alone[i]);
		alone[i].is_plain = true;
		put_answer(&alone[i], &v[i]);
		answer[i] = wire_seal(&alone[i]);
		first[i] = FIRST(k, i, span_eq(answer[k], answer[i]));
		put_options(&options, v[i].analysis, v[i].opts, false);
		wire_put_text(w, (struct span){ options.s, options.n });
		wire_put_count(w, v[i].form);
		wire_put_count(w, first[i]);
	}
	for (size_t i = 0; i < n; i++) {
		if (first[i] == i)
			put_answer(w, &v[i]);
		wire_free(&alone[i]);
	}
}

void pages_add(struct digest_file_out *to, const struct page_answer *v, size_t n)
{
	char name[DIGEST_FILE_NAME + 1];
	struct wire_out all;
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && v[end].analysis == v[i].analysis;)
			end++;
		assert(end - i <= PAGES_MAX);
		wire_begin(&all);
		put_pages(&all, v + i, end - i);
		struct span plain = wire_seal(&all);
		digest_file_add(to, section_of(v[i].analysis, name, sizeof(name)), plain, all.raw);
		wire_free(&all);
	}
}

/* ---- reading ---- */

/* A page that is looked for. */
struct asked {
	const struct query *q;
	const struct analysis *analysis;
	const struct run *run;
	int input;
	struct result *out;
	struct err *e;
	struct arena mem;
};

enum status pages_refuse(const struct analysis *a, struct err *e)
{
	return err_hinted(e, E_NODATA, "'traceq info' says of which traces it is",
		"a digest has no events: '%s' needs the trace itself", a->name);
}

/* A setting of the analysis that is not built in: pages are made without. */
static const char *changed_setting(const struct settings *s, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; s && i < s->n; i++)
		if (strcmp(s->v[i].origin, "built-in") != 0 && strncmp(s->v[i].key, name, n) == 0 &&
			s->v[i].key[n] == '.')
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

static enum status answer(struct asked *at, struct wire_in *w)
{
	enum status st = OK;

	walk_new_texts(&(struct walk){ .in = w });
	if (wire_bool(w)) {
		st = take_failure(w, at->e);
	} else {
		at->out->says_no |= wire_bool(w);
		wire_tables(w, at->out, at->input, at->analysis->help.tables,
			at->analysis->help.ntables);
	}
	return !w->is_bad && st != E_SYNTAX ? st : digest_file_refuse_section(SECTION, at->e);
}

/* Which page it is to be. */
struct wanted {
	struct span options; /* of a query of folded rows without -n, which is about their table */
	enum page_form form;
	bool is_folded;
};

static const char all_rows[] = " --limit=0";

/* How well a page is what is wanted; 0: it is not.  What machines get has all that others look at.
 */
static unsigned fit(const struct wanted *k, struct span has, enum page_form form)
{
	const size_t n = k->options.n;
	bool is_same = span_eq(has, k->options);
	bool has_all = k->is_folded && has.n == n + sizeof(all_rows) - 1 &&
		memcmp(has.p, k->options.p, n) == 0 && memcmp(has.p + n, all_rows, has.n - n) == 0;

	if (has_all && form == PAGE_MACHINES)
		return 3;
	if (is_same && form == k->form)
		return 2;
	return is_same && form == PAGE_MACHINES && k->form == PAGE_GATHERED;
}

/* Which answer the page that fits best has; n: none does.  of receives that of each. */
static size_t find_page(
	struct wire_in *w, size_t n, const struct wanted *k, size_t *of, bool *any_has_all)
{
	size_t found = n;
	unsigned best = 0;

	for (size_t i = 0; i < n; i++) {
		struct span has = wire_text(w);
		enum page_form form = (enum page_form)wire_below(w, PAGE_FORMS);
		unsigned how = fit(k, has, form);

		of[i] = wire_below(w, n);
		if (how > best) {
			best = how;
			found = of[i];
		}
		*any_has_all |= span_is(has, all_rows);
	}
	return found;
}

/* Answers in front of one that is asked for: its texts and columns may be theirs. */
static void pass(const struct asked *at, struct wire_in *w)
{
	struct result r;
	struct err e;
	struct asked passed = *at;

	result_init(&r, "");
	passed.out = &r;
	passed.e = &e;
	(void)answer(&passed, w);
	result_clear(&r);
}

/* Before version 2 each answer has its bytes for itself. */
static enum status answer_alone(struct asked *at, struct wire_in *all, size_t n, size_t page)
{
	struct wire_in w;
	struct span found = { "", 0 };

	for (size_t k = 0; k < n; k++) {
		size_t length = wire_many(all, 1);

		if (k == page)
			found = (struct span){ (const char *)all->at, length };
		all->at += length;
	}
	if (!wire_is_done(all))
		return digest_file_refuse_section(SECTION, at->e);
	wire_open(&w, found, &at->out->mem);
	enum status st = answer(at, &w);
	return wire_is_done(&w) ? st : digest_file_refuse_section(SECTION, at->e);
}

/* Rows alone were asked for: " --limit=3". */
static bool is_limit(struct span options)
{
	const size_t n = sizeof(all_rows) - 2; /* without the number */

	return options.n > n && memcmp(options.p, all_rows, n) == 0 &&
		!memchr(options.p + n, ' ', options.n - n);
}

static enum status refuse_options(struct asked *at, struct span options, bool any_has_all)
{
	const char *name = at->analysis->name;

	if (any_has_all && is_limit(options))
		return err_hinted(at->e, E_NODATA, "leave -n out, or give '-n 0'",
			"a digest has the rows that '%s' shows without -n, or all of them", name);
	(void)err_set(at->e, E_NODATA, -1,
		"a digest has no events: '%s%.*s' needs the trace itself", name, (int)options.n,
		options.p);
	return err_hint(at->e, "give the trace, or ask '%s' without options%s", name,
		any_has_all ? " or with '-n 0'" : "");
}

static enum status answer_page(struct asked *at, struct wire_in *w, struct span options)
{
	size_t of[PAGES_MAX] = { 0 };
	bool any_has_all = false;
	size_t n = wire_below(w, PAGES_MAX + 1);
	size_t page = find_page(w, n, &(struct wanted){ options, form_of(at->q), at->q->is_folded },
		of, &any_has_all);

	if (w->is_bad)
		return digest_file_refuse_section(SECTION, at->e);
	if (page == n)
		return refuse_options(at, options, any_has_all);
	if (!w->is_sealed)
		return answer_alone(at, w, n, page);
	for (size_t k = 0; k < page; k++)
		if (of[k] == k)
			pass(at, w);
	return answer(at, w);
}

/* What `info` says of the digest besides. */
static enum status say_digest(struct asked *at)
{
	struct digest_facts f;

	TRY(digest_facts_get(&f, at->run->kept, &at->mem, at->e));
	result_note(at->out, NOTE_INFO, "digest", at->input, -1,
		"a digest (version %u, written by %s) of %s, not the trace itself",
		digest_file_version(at->run->kept), f.made_by.p, f.path.p);
	return OK;
}

static enum status find_and_answer(struct asked *at)
{
	const struct analysis *a = at->analysis;
	const char *needs = needs_events(at->q, a);
	SCOPED_STR plain = { 0 }, options = { 0 };
	char name[DIGEST_FILE_NAME + 1];

	if (needs) {
		(void)err_set(at->e, E_NODATA, -1,
			"a digest has no events: %s needs the trace itself", needs);
		return err_hint(at->e, "a digest answers '%s' without options", a->name);
	}
	if (!digest_file_has(at->run->kept, section_of(a, name, sizeof(name))))
		return pages_refuse(a, at->e);
	put_options(&options, a, at->q->opts, at->q->is_folded);
	struct wire_in w;
	enum status st = wire_open_section(&w, at->run->kept, name, &plain, &at->out->mem, at->e);
	if (st == OK) {
		w.scratch = &at->mem;
		st = answer_page(at, &w, (struct span){ options.s, options.n });
	}
	if (st == OK && strcmp(a->name, "info") == 0)
		st = say_digest(at);
	return st;
}

enum status pages_answer(
	const struct query *q, const struct run *run, int input, struct result *out, struct err *e)
{
	struct asked at = { q, q->analysis, run, input, out, e, { 0 } };

	enum status st = find_and_answer(&at);
	arena_clear(&at.mem);
	return st;
}
