/*
 * Records of traces: the digest for what compares and matches runs, pages for the rest.
 */
#include "cmd/digest/digest_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/load.h"
#include "analyze/job/digest.h"
#include "analyze/job/digest_new.h"
#include "analyze/job/digest_pack.h"
#include "analyze/query/analysis.h"
#include "analyze/query/pages.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/kept.h"
#include "analyze/trace/kept_facts.h"
#include "analyze/trace/run.h"
#include "analyze/trace/wire.h"
#include "base/compare3.h"
#include "base/opt.h"
#include "base/zeroed.h"
#include "cmd/version.h"
#include "report/chart/charts.h"
#include "report/page/section/section.h"

enum { ASK_WORDS = 8, ASKS_MAX = 128 };

/*
 * What a record answers, in the order of its sections.  Not what would take as much as the trace:
 * timeline, stacks, stages.
 */
static const char *const answered[] = { "summary", "top", "comms", "diagnose", "steps", "kernels",
	"idle", "launches", "memory", "copies", "info", "check" };

static const char *const with_all_rows[] = { "summary --limit=0", "top --limit=0",
	"comms --limit=0" };

/* ---- asks ---- */

/* "kernels --limit=12" as options of its own; that they can be parsed, who asks has promised. */
static const void *parse(struct digest_asks *a, const struct analysis *analysis, const char *text)
{
	char *word[ASK_WORDS + 1] = { NULL }, *p = arena_copy(&a->mem, text, strlen(text));
	void *opts = arena_alloc(&a->mem, analysis->options.size);
	const struct opt_group own = { "", analysis->options.opt, analysis->options.n, opts };
	const char **operand = NULL;
	size_t noperand;
	struct err e;
	int n = 0;

	if (analysis->options.set_defaults)
		analysis->options.set_defaults(opts);
	while (*p && n < ASK_WORDS) {
		word[n++] = p;
		p += strcspn(p, " ");
		if (*p)
			*p++ = '\0';
	}
	if (opt_parse(&own, 1, n, word, &operand, &noperand, &e) != OK)
		opts = NULL;
	free(operand);
	return opts;
}

static void add(struct digest_asks *a, const char *text, enum page_form form)
{
	static const struct filter everything;
	const char *name = arena_copy(&a->mem, text, strcspn(text, " "));
	struct digest_ask *ask = &a->v[a->n];
	size_t i;

	for (i = 0; i < a->n; i++)
		if (a->v[i].form == form && strcmp(a->v[i].text, text) == 0)
			return;
	if (a->n == ASKS_MAX)
		return;
	*ask = (struct digest_ask){
		.text = text, .analysis = analysis_find(a->all, name), .form = form
	};
	ask->opts = parse(a, ask->analysis, text);
	ask->needs = ask->analysis->runs.needs;
	if (ask->analysis->runs.needs_more)
		ask->needs |= ask->analysis->runs.needs_more(ask->opts, &everything);
	a->n++;
}

static bool is_answered(const char *text)
{
	size_t i, n = strcspn(text, " ");

	for (i = 0; i < COUNT_OF(answered); i++)
		if (strlen(answered[i]) == n && strncmp(answered[i], text, n) == 0)
			return true;
	return false;
}

static void add_list(struct digest_asks *a, const char *const *ask, size_t most)
{
	size_t i;

	for (i = 0; i < most && ask[i]; i++)
		if (is_answered(ask[i]))
			add(a, ask[i], PAGE_GATHERED);
}

/* What the document about a run asks, with its charts. */
static void add_reported(struct digest_asks *a)
{
	const struct style *style = style_find("run");
	size_t i, k;

	for (i = 0; style->section[i]; i++) {
		const struct section *s = style->section[i];

		add_list(a, s->ask, SECTION_ASKS_MAX);
		for (k = 0; s->chart[k]; k++)
			add_list(a, chart_find(s->chart[k])->ask, CHART_ASKS_MAX);
	}
}

static int by_analysis(const void *pa, const void *pb)
{
	const struct digest_ask *a = pa, *b = pb;
	int c = strcmp(a->analysis->name, b->analysis->name);

	if (c == 0)
		c = compare3(a->form, b->form);
	return c ? c : strcmp(a->text, b->text);
}

void digest_asks_init(struct digest_asks *a, const struct analyses *all)
{
	unsigned gathered = 0;
	size_t i;

	*a = (struct digest_asks){ .all = all, .needs = digest_needs(&digest_kept_options) };
	arena_init(&a->mem);
	a->v = arena_array(&a->mem, ASKS_MAX, sizeof(*a->v));
	for (i = 0; i < COUNT_OF(answered); i++) {
		add(a, answered[i], PAGE_PEOPLE);
		add(a, answered[i], PAGE_MACHINES);
	}
	for (i = 0; i < COUNT_OF(with_all_rows); i++) {
		add(a, with_all_rows[i], PAGE_PEOPLE);
		add(a, with_all_rows[i], PAGE_MACHINES);
	}
	add_reported(a);
	for (i = 0; i < a->n; i++) {
		a->needs |= a->v[i].needs;
		gathered |= a->v[i].form == PAGE_GATHERED ? a->v[i].needs : 0;
	}
	for (i = 0; i < a->n; i++)
		if (a->v[i].form == PAGE_GATHERED)
			a->v[i].needs = gathered;
	qsort(a->v, a->n, sizeof(*a->v), by_analysis);
}

void digest_asks_clear(struct digest_asks *a)
{
	arena_clear(&a->mem);
}

/* ---- answers ---- */

/* As the command would answer that loads the trace for this: with no argument more. */
static void answer(const struct digest_ask *ask, struct run *run, unsigned threads,
	struct result *r, struct page_answer *to, struct err *e)
{
	static const struct filter everything;
	const struct run *const runs[] = { run };
	const unsigned loaded = run->args.needs;
	const struct query q = {
		.run = runs,
		.nrun = 1,
		.filter = &everything,
		.opts = ask->opts,
		.for_people = ask->form == PAGE_PEOPLE,
		.no_quantiles = ask->form == PAGE_GATHERED,
		.is_per_run = true,
		.threads = threads,
	};
	int exit_code = 0;

	err_clear(e);
	(void)result_input(r, run->path);
	run->args.needs = loaded & ask->needs;
	*to = (struct page_answer){
		.analysis = ask->analysis, .opts = ask->opts, .form = ask->form, .result = r
	};
	if (analysis_answer(ask->analysis, &q, r, &exit_code, e) != OK)
		to->err = e;
	to->says_no = exit_code == 1;
	run->args.needs = loaded;
}

static void add_pages(
	struct kept_out *to, const struct digest_asks *asks, struct run *run, unsigned threads)
{
	struct result *r = zeroed(asks->n, sizeof(*r));
	struct page_answer *page = zeroed(asks->n, sizeof(*page));
	struct err *e = zeroed(asks->n, sizeof(*e));
	size_t i;

	for (i = 0; i < asks->n; i++) {
		result_init(&r[i], "");
		answer(&asks->v[i], run, threads, &r[i], &page[i], &e[i]);
	}
	pages_add(to, page, asks->n);
	for (i = 0; i < asks->n; i++)
		result_clear(&r[i]);
	free(r);
	free(page);
	free(e);
}

/* ---- records ---- */

static void add_facts(struct kept_out *to, const struct run *run, const char *name)
{
	struct run named = *run;
	struct wire_out w;
	char made_by[64];

	named.path = name;
	(void)snprintf(made_by, sizeof(made_by), "traceq %s", version_release);
	wire_begin(&w);
	kept_facts_put(&w, &named, span_of(made_by));
	kept_add(to, KEPT_FACTS, (struct span){ w.bytes.s, w.bytes.n });
	wire_free(&w);
}

static void add_part(struct kept_out *to, const char *name, const struct digest *d,
	void (*pack)(struct wire_out *w, const struct digest *d))
{
	struct wire_out w;

	wire_begin(&w);
	pack(&w, d);
	if (w.bytes.n <= KEPT_PLAIN_MAX)
		kept_add(to, name, (struct span){ w.bytes.s, w.bytes.n });
	wire_free(&w);
}

/* Records without costs are read, those with costs have work. */
static void add_work(struct kept_out *to, const struct digest *d)
{
	if (d->nwork == 0)
		return;
	add_part(to, WORK_SECTION, d, work_pack);
	add_part(to, COST_SECTION, d, cost_pack);
}

static enum status add_digest(struct kept_out *to, struct run *run, struct err *e)
{
	struct digest *d;
	struct wire_out w;
	enum status st = OK;

	TRY(digest_new(&d, run, &digest_kept_options, e));
	wire_begin(&w);
	digest_pack(&w, d);
	if (w.bytes.n > KEPT_PLAIN_MAX)
		st = err_set(e, E_LIMIT, -1,
			"its digest is %zu MiB before it is compressed; %d are the most",
			w.bytes.n >> 20, KEPT_PLAIN_MAX >> 20);
	else
		kept_add(to, DIGEST_SECTION, (struct span){ w.bytes.s, w.bytes.n });
	wire_free(&w);
	if (st == OK)
		add_work(to, d);
	digest_free(d);
	return st;
}

/* A trace is in its record as the file it was read from. */
static enum status record_of(const struct digest_source *s, const struct digest_asks *asks,
	struct run *run, struct str *out, struct err *e)
{
	struct kept_out to;
	enum status st;

	TRY(load_want_trace(run, e));
	kept_begin(&to);
	add_facts(&to, run, s->name);
	add_pages(&to, asks, run, s->threads);
	st = add_digest(&to, run, e);
	if (st == OK)
		kept_put(&to, out);
	kept_end(&to);
	return st;
}

static enum status copy_of(
	const struct run *run, struct str *out, struct span *name, struct arena *mem, struct err *e)
{
	struct kept_facts facts;
	struct span bytes = kept_bytes(run->kept);

	TRY(kept_facts_get(&facts, run->kept, mem, e));
	*name = facts.path;
	str_add(out, bytes.p, bytes.n);
	return OK;
}

enum status digest_make(const struct digest_source *s, const struct digest_asks *asks,
	struct str *out, struct span *name, struct arena *mem, struct err *e)
{
	const struct load_options o = { .needs = asks->needs,
		.threads = s->threads,
		.strict = s->is_strict,
		.beside = s->beside };
	struct run run;
	enum status st;

	TRY(load_single(s->path, &o, &run, e));
	*name = span_of(s->name);
	st = run.kept ? copy_of(&run, out, name, mem, e) : record_of(s, asks, &run, out, e);
	run_clear(&run);
	return st;
}
