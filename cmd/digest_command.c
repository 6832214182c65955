/* The digest command: records of traces, those of digests as they are, in one file.
 *
 * A few traces are in memory at a time, as many as threads read; of each its record stays. */
#include "analyze/job/digest/digest.h"
#include "analyze/job/digest/digest_new.h"
#include "analyze/job/digest/digest_pack.h"
#include "analyze/analysis/pages.h"
#include "analyze/analysis/shared.h"
#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/digest/digest_facts.h"
#include "analyze/trace/digest/digest_files.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/digest/digest_wire.h"
#include "base/io.h"
#include "base/parallel.h"
#include "cmd/command.h"
#include "cmd/load/inputs.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "cmd/version.h"
#include "report/page/section/section.h"

/* What is answered for each trace and kept. */
struct digest_ask {
	const char *text; /* "kernels --limit=12" */
	const struct analysis *analysis;
	const void *opts;
	enum page_form form;
	unsigned needs; /* of what is loaded, what the answer is to see */
};

struct digest_asks {
	const struct analyses *all;
	struct digest_ask *v; /* those of one analysis beside each other */
	size_t n;
	unsigned needs; /* of all of them, and of the digest */
	struct arena mem;
};

/* One trace, and its record. */
struct item {
	const char *path;
	const struct load_beside *beside; /* what is read with it, or NULL */
	struct str record;
	struct span name; /* of the trace, for the record */
	struct arena mem;
	struct err err;
};

/* ---- records ---- */

/* MOST_ROWS: of a list for machines, where not all rows are kept: a digest is small. */
enum { ASKS_MAX = 128, MOST_ROWS = 1000 };

/* What a record answers, in the order of its sections.  Not what would take as much as the trace:
 * timeline, stacks, stages. */
static const char *const answered[] = { "summary", "top", "comms", "diagnose", "steps", "kernels",
	"idle", "launches", "memory", "copies", "info", "check" };

static const char *const with_all_rows[] = { "summary --limit=0", "top --limit=0",
	"comms --limit=0" };

/* ---- asks ---- */

static void add(struct digest_asks *a, const char *text, enum page_form form)
{
	static const struct filter everything;
	const char *name = arena_copy(&a->mem, text, strcspn(text, " "));
	struct digest_ask *ask = &a->v[a->n];

	for (EACH(const struct digest_ask, da, a->v, a->n))
		if (da->form == form && strcmp(da->text, text) == 0)
			return;
	if (a->n == ASKS_MAX)
		return;
	*ask = (struct digest_ask){
		.text = text, .analysis = analysis_find(a->all, name), .form = form
	};
	ask->opts = analysis_options(ask->analysis, text, &a->mem);
	ask->needs = ask->analysis->runs.needs;
	if (ask->analysis->runs.needs_more)
		ask->needs |= ask->analysis->runs.needs_more(ask->opts, &everything);
	a->n++;
}

static bool is_answered(const char *text)
{
	size_t n = strcspn(text, " ");

	return ANY(i, COUNT_OF(answered),
		strlen(answered[i]) == n && strncmp(answered[i], text, n) == 0);
}

static void add_list(struct digest_asks *a, const char *const *ask, size_t most)
{
	for (size_t i = 0; i < most && ask[i]; i++)
		if (is_answered(ask[i]))
			add(a, ask[i], PAGE_GATHERED);
}

ORDER(by_analysis, struct digest_ask, strcmp(a->analysis->name, b->analysis->name),
	compare3(a->form, b->form), strcmp(a->text, b->text))

/* The asks of all records; digest_asks_clear releases. */
static void digest_asks_init(struct digest_asks *a, const struct analyses *all)
{
	unsigned gathered = 0;

	*a = (struct digest_asks){ .all = all, .needs = digest_needs(&digest_kept_options) };
	a->v = arena_array(&a->mem, ASKS_MAX, sizeof(*a->v));
	for (size_t i = 0; i < COUNT_OF(answered); i++) {
		add(a, answered[i], PAGE_PEOPLE);
		add(a, answered[i], PAGE_MACHINES);
	}
	for (size_t i = 0; i < COUNT_OF(with_all_rows); i++) {
		add(a, with_all_rows[i], PAGE_PEOPLE);
		add(a, with_all_rows[i], PAGE_MACHINES);
	}
	/* What the document about a run asks, with its charts. */
	const struct style *style = style_find("run");
	for (size_t i = 0; style->section[i]; i++) {
		const struct section *s = style->section[i];

		add_list(a, s->ask, SECTION_ASKS_MAX);
		for (size_t k = 0; s->chart[k]; k++)
			add_list(a, chart_find(s->chart[k])->ask, CHART_ASKS_MAX);
	}
	for (EACH(const struct digest_ask, ask, a->v, a->n)) {
		a->needs |= ask->needs;
		gathered |= ask->form == PAGE_GATHERED ? ask->needs : 0;
	}
	for (EACH(struct digest_ask, da, a->v, a->n))
		if (da->form == PAGE_GATHERED)
			da->needs = gathered;
	qsort(a->v, a->n, sizeof(*a->v), by_analysis);
}

/* ---- answers ---- */

/* As the command would answer that loads the trace for this: with no argument more. */
static void answer_one(const struct digest_ask *ask, const struct run *run, struct shared *shared,
	unsigned threads, struct result *r, struct page_answer *to, struct err *e)
{
	static const struct filter everything;
	const struct run *const runs[] = { run };
	const struct query q = {
		.run = runs,
		.nrun = 1,
		.shared = &shared,
		.filter = &everything,
		.opts = ask->opts,
		.for_people = ask->form == PAGE_PEOPLE,
		.no_quantiles = ask->form == PAGE_GATHERED,
		.is_per_run = true,
		.most = MOST_ROWS,
		.threads = threads,
	};
	int exit_code = 0;

	err_clear(e);
	(void)result_input(r, run->path);
	*to = (struct page_answer){
		.analysis = ask->analysis, .opts = ask->opts, .form = ask->form, .result = r
	};
	if (analysis_answer(ask->analysis, &q, r, &exit_code, e) != OK)
		to->err = e;
	to->says_no = exit_code == 1;
}

/* What answers that are asked of a run loaded for the same take from each other. */
struct sharing {
	unsigned needs;
	struct shared *shared;
};

/* Those of an ask, made with its needs, which the run has; v has room for one of each ask. */
static struct shared *share(
	struct sharing *v, const struct digest_asks *asks, const struct run *run, unsigned loaded)
{
	static const struct filter everything;
	const unsigned needs = run->args.needs;
	unsigned parts = 0;

	for (; v->shared; v++)
		if (v->needs == needs)
			return v->shared;
	for (EACH(const struct digest_ask, ask, asks->v, asks->n))
		parts |= (loaded & ask->needs) == needs ? ask->analysis->shares : 0;
	*v = (struct sharing){ needs, shared_new(run, &everything, parts) };
	for (int i = 0; i < SHARED_COUNT; i++)
		shared_make(v->shared, (enum shared_part)i);
	return v->shared;
}

/* ---- records ---- */

static enum status add_digest(struct digest_file_out *to, struct run *run, struct err *e)
{
	struct digest *d;

	TRY(digest_new(&d, run, &digest_kept_options, e));
	enum status st = digest_pack(to, d, e);
	digest_free(d);
	return st;
}

/* A trace is in its record as the file it was read from. */
static enum status record_of(
	struct item *item, const struct digest_asks *asks, struct run *run, unsigned threads)
{
	struct digest_file_out to;

	TRY(load_want_trace(run, &item->err));
	item->name = span_of(item->path);
	digest_file_begin(&to);
	struct run named = *run;
	struct wire_out w;
	char made_by[64];
	named.path = item->path;
	(void)snprintf(made_by, sizeof(made_by), "traceq %s", version_release);
	wire_begin(&w);
	digest_facts_put(&w, &named, span_of(made_by));
	struct span facts = wire_seal(&w);
	digest_file_add(&to, DIGEST_FACTS, facts, w.raw);
	wire_free(&w);
	struct result *r = zeroed(asks->n, sizeof(*r));
	struct page_answer *page = zeroed(asks->n, sizeof(*page));
	struct err *e = zeroed(asks->n, sizeof(*e));
	struct sharing *sharing = zeroed(asks->n + 1, sizeof(*sharing));
	const unsigned loaded = run->args.needs;
	for (size_t i = 0; i < asks->n; i++) {
		result_init(&r[i], "");
		run->args.needs = loaded & asks->v[i].needs;
		answer_one(&asks->v[i], run, share(sharing, asks, run, loaded), threads, &r[i],
			&page[i], &e[i]);
	}
	run->args.needs = loaded;
	pages_add(&to, page, asks->n);
	for (size_t i = 0; i < asks->n; i++)
		result_clear(&r[i]);
	for (size_t i = 0; i < asks->n; i++)
		shared_free(sharing[i].shared);
	FREE_ALL(r, page, e, sharing);
	enum status st = add_digest(&to, run, &item->err);
	if (st == OK)
		digest_file_put(&to, &item->record);
	digest_file_end(&to);
	return st;
}

/* A record stays as it is. */
static enum status copy_of(struct item *item, const struct run *run)
{
	struct digest_facts facts;
	struct span bytes = digest_file_bytes(run->kept);

	TRY(digest_facts_get(&facts, run->kept, &item->mem, &item->err));
	item->name = facts.path;
	str_add(&item->record, bytes.p, bytes.n);
	return OK;
}

struct digest_options_given {
	const char *out;
	int64_t threads;
	bool is_strict, is_quiet;
};

#define AT(field) offsetof(struct digest_options_given, field)
static const struct opt own_opts[] = {
	TEXT_OPT("output", 'o', "FILE", AT(out),
		"the file of digests, which appears when it is complete"),
	INT_OPT("threads", 0, "N", AT(threads), "threads; 0 = one per core [0]"),
	FLAG_OPT("strict", 0, AT(is_strict), "a file that is cut off or damaged is an error"),
	FLAG_OPT("quiet", 'q', AT(is_quiet), "no line about what was written"),
};
#undef AT

static const struct opt_group groups[] = { { "Options", own_opts, COUNT_OF(own_opts), NULL } };

struct digesting {
	const struct analyses *analyses;
	struct digest_options_given o;
	const char **path;
	size_t npath;
	struct item *item;
	size_t n, left; /* left: files of folders that are no traces */
	struct digest_asks asks;
	unsigned threads_each;
	struct arena mem;
	const char *where; /* what err is about; NULL */
	struct err err;
};

/* What is to be read, and where its record goes. */
static enum status list(struct digesting *d)
{
	struct trace_list l = { 0 };

	output_spares(d->path, d->npath);
	TRY(output_plan_named(d->o.out, &d->err));
	TRY(traces_find(&l, d->path, d->npath, &d->mem, &d->where, &d->err));
	d->item = arena_array(&d->mem, l.n, sizeof(*d->item));
	d->n = l.n;
	d->left = l.left;
	for (size_t i = 0; i < l.n; i++) {
		d->item[i] = (struct item){ .path = l.v[i].path, .beside = l.v[i].beside };
		err_clear(&d->item[i].err);
	}
	return OK;
}

static void make_one(void *ctx, size_t i)
{
	const struct digesting *d = ctx;
	struct item *item = &d->item[i];
	const struct load_options o = { .needs = d->asks.needs,
		.threads = d->threads_each,
		.strict = d->o.is_strict,
		.beside = item->beside };
	struct run run;

	item->err.status = load_single(item->path, &o, &run, &item->err);
	if (item->err.status != OK)
		return;
	item->err.status =
		run.kept ? copy_of(item, &run) : record_of(item, &d->asks, &run, d->threads_each);
	run_clear(&run);
}

static enum status put(struct digesting *d, size_t *n, size_t *bytes)
{
	struct digest_file_entry *v = arena_array(&d->mem, d->n, sizeof(*v));
	SCOPED_STR file = { 0 };

	for (size_t i = 0; i < d->n; i++)
		v[i] = (struct digest_file_entry){ d->item[i].name,
			{ d->item[i].record.s, d->item[i].record.n } };
	*n = digest_files_sort(v, d->n, &d->mem);
	digest_files_put(v, *n, &file);
	for (size_t i = 0; i < *n; i++)
		str_add(&file, v[i].record.p, v[i].record.n);
	*bytes = file.n;
	return io_put(d->o.out, &file, &d->err);
}

/* Every file that has no digest is said; then there is none of the others either. */
static int answer(struct digesting *d)
{
	size_t n = 0, bytes = 0;
	bool has_failed = false;

	if (list(d) != OK)
		return say_refusal("digest", d->where, &d->err);
	unsigned files = parallel_share((unsigned)d->o.threads, d->n, &d->threads_each);
	digest_asks_init(&d->asks, d->analyses);
	parallel_run(d->n, files, make_one, d);
	arena_clear(&d->asks.mem);
	for (EACH(struct item, item, d->item, d->n))
		if (item->err.status != OK) {
			(void)say_error(item->path, &item->err);
			has_failed = true;
		}
	if (has_failed)
		return EXIT_NO_ANSWER;
	if (put(d, &n, &bytes) != OK)
		return say_refusal("digest", NULL, &d->err);
	if (d->o.is_quiet)
		return EXIT_ANSWERED;
	return output_line("%s: %zu digest%s, %zu bytes%s", d->o.out, n, plural_s(n), bytes,
		d->left ? "; of the folders only traces are in it" : "");
}

static enum status parse(struct digesting *d, const struct command_line *line)
{
	TRY(options_parse(
		groups, COUNT_OF(groups), (void *[]){ &d->o }, line, &d->path, &d->npath, &d->err));
	if (d->npath > 0 && d->o.out)
		return OK;
	return err_hinted(&d->err, E_USAGE, "usage: traceq digest FILE... -o X.tqd",
		d->npath ? "no -o FILE: a digest goes into a file" : "no file or folder given");
}

static int run(const struct command_line *line)
{
	struct digesting d = { .analyses = &line->all->analyses };

	door_begin();
	err_clear(&d.err);
	int exit_code = parse(&d, line) == OK ? answer(&d) : say_usage("digest", &d.err);
	for (EACH(struct item, item, d.item, d.n)) {
		str_free(&item->record);
		arena_clear(&item->mem);
	}
	free(d.path);
	arena_clear(&d.mem);
	return exit_code;
}

COMMAND(digest) = {
	.name = "digest",
	.summary = "what is needed of traces in a hundredth of their size",
	.operands = "FILE... -o X.tqd",
	.doc = "Writes what is needed of each trace into one file: its digest, with sums by operator "
	       "and kernel, the ledger of each step, each collective, and the answers to what is "
	       "asked mostly. Digests are read as traces are: ranks, summary, top, comms, diff, gate "
	       "and report give the same figures from them, and what needs the events says so.\n\n"
	       "FILE is a trace, a folder, or digests, which go into the new file as they are: the "
	       "nodes of a cluster digest their own traces, and one of them puts the digests "
	       "together. The order of files makes no difference, and what is given twice is in it "
	       "once.",
	.examples = "traceq digest rank0.json.gz -o rank0.tqd\n"
		    "traceq digest runs/job/ -o job.tqd\n"
		    "traceq digest rank*.tqd -o job.tqd\n"
		    "traceq summary job.tqd",
	COMMAND_HAS(group, groups),
	.run = run,
};
