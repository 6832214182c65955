/* `batch`: a sweep over batch sizes: the sweet spot, memory and latency laws, targets. */
#include "analyze/answer/batch/batch.h"

#include "analyze/costmodel/hardware.h"
#include "analyze/analysis/perrun.h"
#include "analyze/trace/columns/record.h"
#include "base/opt.h"
#include "base/setting.h"
#include "base/unit.h"

#define GIB 1073741824.0
#define MIB 1048576.0

static const char default_slo[] = "50ms", default_least[] = "100";

#define AT(field) offsetof(struct batch_options, field)
static const struct opt options[] = {
	TEXT_OPT("batch", 0, "LIST", AT(batch),
		"of traces: the batch size of each input, in their order: 8,16,32 [as configuration, "
		"metadata or path say: bs16, batch_32]"),
	TEXT_OPT("epsilon", 0, "RATIO", AT(epsilon),
		"how far from the best throughput the sweet spot may be [5%]"),
	TEXT_OPT("slo", 0, "TIME", AT(slo),
		"target for the latency of a sample; when given, the sweet spot keeps it [50ms]"),
	TEXT_OPT("min-throughput", 0, "N", AT(min_throughput),
		"target in samples per second; when given, the sweet spot keeps it [100]"),
	TEXT_OPT("capacity", 0, "NAME|SIZE", AT(capacity),
		"memory of the GPU: A100-40, 16GiB [as the files say]"),
	TEXT_OPT("headroom", 0, "RATIO", AT(headroom), "share of it that stays free [8%]"),
};

static enum status read_options(
	struct batch_limits *l, const struct batch_options *o, struct err *e)
{
	struct capacity c;

	*l = (struct batch_limits){ .has_slo = o->slo, .has_least = o->min_throughput };
	TRY(setting_number("--epsilon", SETTING_RATIO, o->epsilon, &l->epsilon, e));
	TRY(setting_number("--headroom", SETTING_RATIO, o->headroom, &l->headroom, e));
	TRY(setting_number("--slo", SETTING_TIME, o->slo ? o->slo : default_slo, &l->slo, e));
	TRY(setting_number("--min-throughput", SETTING_NUMBER,
		o->min_throughput ? o->min_throughput : default_least, &l->least, e));
	if (!o->capacity)
		return OK;
	TRY(capacity_parse(o->capacity, "--capacity", &c, e));
	l->capacity = c.memory;
	l->gpu = c.name;
	return OK;
}

static enum status check(const void *opts, const struct settings *settings UNUSED, struct err *e)
{
	struct batch_limits l;

	return read_options(&l, opts, e);
}

/* The sweep with the most sizes, the first of equal ones; *others: how many more there are. */
static const struct sheet *find_sweep(const struct record *r, size_t *others)
{
	const struct sheet *best = NULL;
	size_t n = 0;

	for (size_t i = 0; i < r->nsheet; i++) {
		const struct sheet *s = r->sheet[i];

		if (s->kind != SHEET_SWEEP || s->table.nrow == 0)
			continue;
		n++;
		if (!best || s->table.nrow > best->table.nrow)
			best = s;
	}
	*others = n ? n - 1 : 0;
	return best;
}

/* What a file says about the GPU, where --capacity does not. */
static void take_capacity(struct batch_limits *l, const struct perrun *at)
{
	const struct sheet *s = record_find_sheet(at->record, SHEET_GPUS);

	if (l->capacity)
		return;
	if (at->run->meta.ngpu && at->run->meta.gpu[0].memory_bytes > 0) {
		l->capacity = at->run->meta.gpu[0].memory_bytes;
		return;
	}
	if (!s || s->table.nrow == 0)
		return;
	const union cell *c = table_cell(&s->table, 0, GPUS_MEMORY_BYTES);
	if (c && c->r > 0 && c->r < 9e18)
		l->capacity = saturate_whole(c->r);
}

static void put_answer(const struct perrun *at, const struct batch *b)
{
	struct table *t = perrun_table(at, &batch_docs[BATCH_ANSWER]);
	const char *word = batch_exponent_word(b->exponent);

	t->layout = TABLE_LIST;
	table_row(t);
	if (b->sweet != SIZE_MAX)
		TABLE_CELLS(t, [BANSWER_SWEET] = cell_int(b->v[b->sweet].batch),
			[BANSWER_RATE] = cell_real(b->v[b->sweet].rate));
	TABLE_CELLS(t, [BANSWER_BEST] = CELL_IF(b->best != SIZE_MAX, cell_int(b->v[b->best].batch)),
		[BANSWER_MIDDLE] = CELL_IF(b->middle != SIZE_MAX, cell_int(b->v[b->middle].batch)),
		[BANSWER_ALPHA] = cell_real(b->memory.intercept),
		[BANSWER_BETA] = cell_real(b->memory.slope), [BANSWER_R2] = cell_real(b->memory.r2),
		[BANSWER_CAPACITY] = CELL_IF(b->limit.capacity, cell_int(b->limit.capacity)),
		[BANSWER_LARGEST] = cell_count(batch_largest(b)),
		[BANSWER_EXPONENT] = cell_real(b->exponent), [BANSWER_WORD] = cell_word(word),
		[BANSWER_FIXED] = cell_real(b->latency.intercept),
		[BANSWER_EACH] = cell_real(b->latency.slope),
		[BANSWER_GPU] = cell_word(b->limit.gpu), [BANSWER_KIND] = cell_word(b->kind));
}

static const char *documents_word(int64_t batch)
{
	if (batch <= 4)
		return "too small";
	if (batch >= 64)
		return "large";
	return batch >= 8 && batch <= 32 ? "best balance" : NULL;
}

static const char *mark_of(const struct batch *b, size_t i)
{
	const struct batch_size *s = &b->v[i];

	if (i == b->sweet)
		return "<- sweet spot";
	if (b->limit.capacity && s->peak > (1 - b->limit.headroom) * (double)b->limit.capacity)
		return "over the memory";
	if (b->limit.has_slo && s->sample_ns > b->limit.slo)
		return "over the latency";
	if (b->limit.has_least && s->rate < b->limit.least)
		return "under the throughput";
	return i == b->best ? "highest" : NULL;
}

static void put_size(struct table *t, const struct batch *b, size_t i)
{
	const struct batch_size *s = &b->v[i];
	const char *mark = mark_of(b, i), *word = documents_word(s->batch);

	TABLE_ROW(t, [BSIZE_BATCH] = cell_int(s->batch), [BSIZE_SAMPLES] = cell_count(s->samples),
		[BSIZE_RUNS] = cell_count(s->runs), [BSIZE_SAMPLE] = cell_real(s->sample_ns),
		[BSIZE_SAMPLE_STD] = cell_real(s->sample_std),
		[BSIZE_CV] = cell_real(s->sample_std / s->sample_ns),
		[BSIZE_BATCH_NS] = cell_real(s->batch_ns), [BSIZE_RATE] = cell_real(s->rate),
		[BSIZE_RATE_STD] = cell_real(s->rate_std), [BSIZE_WRITTEN] = cell_real(s->written),
		[BSIZE_WRITTEN_STD] = cell_real(s->written_std), [BSIZE_PEAK] = cell_real(s->peak),
		[BSIZE_USED] = cell_real(s->used), [BSIZE_USED_STD] = cell_real(s->used_std),
		[BSIZE_BATCH_STD] = cell_real(s->batch_std), [BSIZE_CPU] = cell_real(s->cpu),
		[BSIZE_CPU_STD] = cell_real(s->cpu_std),
		[BSIZE_SEED_EFFICIENCY] = cell_real(s->written / (s->used / MIB + 1)),
		[BSIZE_EFFICIENCY] = CELL_IF(s->peak > 0, cell_real(s->rate / (s->peak / GIB))));
	if (b->best != SIZE_MAX)
		TABLE_CELLS(t, [BSIZE_OF_BEST] = cell_real(s->rate / b->v[b->best].rate),
			[BSIZE_OVERLAPS] = CELL_IF(s->runs > 1 && !isnan(s->rate_std) &&
					!isnan(b->v[b->best].rate_std),
				cell_bool(batch_overlap(s, &b->v[b->best]))));
	TABLE_CELLS(t, [BSIZE_MARK] = cell_word(mark), [BSIZE_DOCUMENTS] = cell_word(word));
}

/* One target: limit and measured value as put by `put`, in base units. */
static void put_target(struct table *t, const char *name, bool is_most, double wanted,
	double measured, void (*put)(struct str *, double))
{
	struct str text = { 0 };

	TABLE_ROW(t, [BTARGET_NAME] = cell_word(name));
	str_adds(&text, is_most ? "at most " : "at least ");
	put(&text, wanted);
	table_textf(t, BTARGET_WANTED, "%s", text.s);
	str_reset(&text);
	put(&text, measured);
	TABLE_CELLS(t, [BTARGET_MEASURED] = cell_str(t, &text),
		[BTARGET_MET] = cell_text((is_most ? measured <= wanted : measured >= wanted)
				? SPAN("met")
				: SPAN("NOT MET")),
		[BTARGET_HEADROOM] =
			cell_real(is_most ? 1 - measured / wanted : measured / wanted - 1),
		[BTARGET_WANTED_VALUE] = cell_real(wanted),
		[BTARGET_MEASURED_VALUE] = cell_real(measured));
}

static void put_samples(struct str *b, double per_s)
{
	str_addf(b, "%.1f/s", per_s);
}

static void put_targets(const struct perrun *at, const struct batch *b)
{
	const struct batch_limits *l = &b->limit;
	struct table *t = perrun_table(at, &batch_docs[BATCH_TARGETS]);
	size_t i = b->sweet != SIZE_MAX ? b->sweet : b->best;

	if (i == SIZE_MAX)
		return;
	const struct batch_size *s = &b->v[i];
	put_target(t, "latency of a sample", true, l->slo, s->sample_ns, unit_put_time);
	table_int(t, BTARGET_BATCH, s->batch);
	put_target(t, "throughput", false, l->least, s->rate, put_samples);
	table_int(t, BTARGET_BATCH, s->batch);
	if (!l->capacity || isnan(s->peak))
		return;
	put_target(t, "peak memory", true, (1 - l->headroom) * (double)l->capacity, s->peak,
		unit_put_bytes);
	table_int(t, BTARGET_BATCH, s->batch);
}

/* Judged and as tables. */
static void put_all(struct perrun *at, struct batch *b, size_t others)
{
	batch_judge(b, &at->mem);
	put_answer(at, b);
	struct table *t = perrun_table(at, &batch_docs[BATCH_SIZES]);
	for (size_t i = 0; i < b->n; i++)
		put_size(t, b, i);
	put_targets(at, b);
	size_t small = SUM(size_t, i, b->n, b->v[i].used < b->v[i].peak / 2);
	if (others)
		result_note(at->out, NOTE_INFO, "batch_sweeps", at->input, (int64_t)others,
			"%zu more sweep%s left out: the one with the most sizes is shown", others,
			plural(others, " is", "s are"));
	if (small)
		result_note(at->out, NOTE_INFO, "batch_mem_used", at->input, (int64_t)small,
			"gpu_mem_used is what a run leaves allocated (end less start), not what it "
			"needs: the peak is used instead");
	if (isnan(b->memory.slope))
		result_note(at->out, NOTE_INFO, "batch_no_law", at->input, -1,
			"no law of memory: it takes 3 batch sizes with a peak");
	else if (!(b->memory.slope > 0))
		result_note(at->out, NOTE_INFO, "batch_no_law", at->input, -1,
			"peak memory does not grow with the batch: no largest batch follows");
	if (b->sweet == SIZE_MAX && b->n)
		result_note(at->out, NOTE_WARNING, "batch_no_sweet_spot", at->input, -1,
			"no batch size keeps the limits that were given");
}

static enum status answer_run(struct perrun *at)
{
	struct batch b = { .limit = *(const struct batch_limits *)at->ctx };
	size_t others;
	const struct sheet *s = find_sweep(at->record, &others);

	if (!s)
		return OK;
	b.kind = at->record->artifact[s->artifact].kind;
	batch_read(&b, s, &at->mem);
	if (b.n == 0)
		return OK;
	take_capacity(&b.limit, at);
	put_all(at, &b, others);
	return OK;
}

/* Whether several traces, and no sweep that was written down, are what is asked about. */
static bool is_of_traces(const struct query *q)
{
	size_t ntrace = 0;

	for (size_t i = 0; i < q->nrun; i++) {
		const struct record *r = q->run[i]->record;

		ntrace += q->run[i]->has_trace;
		for (size_t k = 0; r && k < r->nsheet; k++)
			if (r->sheet[k]->kind == SHEET_SWEEP && r->sheet[k]->table.nrow)
				return false;
	}
	return ntrace > 1;
}

static enum status answer_traces(
	const struct query *q, const struct batch_limits *limit, struct result *out, struct err *e)
{
	struct batch b = { .limit = *limit };
	struct perrun at = { .q = q, .out = out, .e = e, .input = -1 };

	enum status st = batch_read_traces(&b, q, out, &at.mem, e);
	if (st == OK) {
		result_note(out, NOTE_INFO, "batch_of_traces", -1, (int64_t)b.n,
			"a step of a trace is taken as one batch, its mean duration as the latency");
		put_all(&at, &b, 0);
	}
	arena_clear(&at.mem);
	return st;
}

static unsigned needs_more(const void *opts UNUSED, const struct filter *f UNUSED)
{
	return NEED_ORDER | NEED_STEPS | NEED_MEMORY;
}

static enum status compute(
	const struct query *q, struct result *out, int *exit_code UNUSED, struct err *e)
{
	struct batch_limits limit;

	TRY(read_options(&limit, q->opts, e));
	if (is_of_traces(q))
		return answer_traces(q, &limit, out, e);
	if (((const struct batch_options *)q->opts)->batch)
		return err_set(e, E_USAGE, -1, "--batch is about traces, one for each size");
	enum status st = perrun_all(q, &q->analysis->per_run, &limit, out, e);
	if (st == E_NODATA && q->nrun == 1 && q->run[0]->has_trace)
		(void)err_hint(e, "traces are a sweep when there are several: one for each size");
	return st;
}

ANALYSIS(batch) = {
	.name = "batch",
	.summary = "a sweep over batch sizes: sweet spot, memory law, largest batch, targets",
	.help.doc =
		"From a sweep over batch sizes (detailed_metrics.csv, baseline_metrics.json, the "
		"throughput_benchmark of a profile): latency, throughput and memory of each size; the "
		"smallest batch that is nearly as fast as the fastest; how memory and latency grow "
		"with the batch, and the largest batch that fits.\n\n"
		"Several traces are a sweep, too: one trace, or several, for each size, of which each "
		"step is a batch. The size is what --batch says, else batch_size in the configuration "
		"beside the trace or in its metadata, else what its path says (bs16, batch_32).\n\n"
		"Throughput is samples over time, 1 / mean latency. What the file says is the mean of "
		"each run's own rate, which is a little higher; both are shown.\n\n"
		"Targets are the guides' 50 ms a sample and 100 samples a second unless --slo and "
		"--min-throughput say otherwise; they are judged at the sweet spot.",
	.help.source = "the week 1 guides; least squares; docs/definitions.md",
	.help.examples =
		"traceq batch results/detailed_metrics.csv\n"
		"traceq batch results/ --capacity A100-40 --slo 20ms\n"
		"traceq batch bs*/trace.json.gz\n"
		"traceq batch baseline_metrics.json --json | jq '.tables[0].rows[0].sweet_spot'",
	.runs.min = 1,
	.runs.takes_records = true,
	.runs.needs_more = needs_more,
	.options.ignores = FILTER_ALL & ~FILTER_RANK,
	ANALYSIS_OPTIONS(options, struct batch_options, .epsilon = "5%", .headroom = "8%"),
	ANALYSIS_TABLES(batch, BATCH),
	.help.main_table = "sizes",
	.options.check = check,
	.per_run = { .answer = answer_run,
		.needs = PERRUN_RECORD,
		.wanted = "sweep over batch sizes" },
	.compute = compute,
};
