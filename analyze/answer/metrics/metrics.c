/* `metrics`: logs and summaries of a run: where each quantity stands, where it is going, and what
 * is wrong with it.  Options and the order of tables; each question has a file metrics_*.c. */
#include "analyze/answer/metrics/metrics.h"

#include "analyze/costmodel/hardware.h"
#include "analyze/rule/list.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/regex.h"

#define WANTED    "metrics: no series, stages or scores"

#define AT(field) offsetof(struct metrics_options, field)
static const struct opt options[] = {
	TEXT_OPT("key", 0, "REGEX", AT(key), "only keys that match (PCRE2), as -f"),
	LIMIT_OPT(AT(limit), "keys to show; 0 = all [40; all for machines]"),
	INT_OPT("window", 0, "N", AT(window), "values of the last window [100]"),
	INT_OPT("ddof", 0, "N", AT(ddof),
		"standard deviations divide by n - N; 0 as numpy and the guides [1]"),
	INT_OPT("warmup", 0, "N", AT(warmup),
		"first values of each key that are left out, where 5 times as many are there [10]"),
	CHOICE_OPT("x", "AXIS", AT(x), "step|tokens|time", "what trends are over [step]"),
	INT_OPT("leak-baseline", 0, "STEP", AT(leak_baseline),
		"where the guides' leak rule begins [the measurement tagged baseline, else the "
		"first]"),
	TEXT_OPT("leak-threshold", 0, "SIZE", AT(leak_threshold),
		"growth the guides call a leak [0.5GiB]"),
	TEXT_OPT("capacity", 0, "NAME|SIZE", AT(capacity),
		"memory of the GPU, for when a leak fills it: A100-40, 16GiB"),
	TEXT_OPT(
		"pass", 0, "REWARD", AT(pass), "a reward from which on an answer is correct [0.5]"),
	LIST_OPT("target", 0, "KEY=VALUE", AT(target),
		"when this was reached: --target loss=0.5 --target eval/accuracy=0.9"),
	TEXT_OPT("peak-tflops", 0, "N", AT(peak),
		"TFLOP/s that all GPUs could do, for the share that the model uses (MFU) [by what "
		"files say of GPUs and number format]"),
	TEXT_OPT("price", 0, "N", AT(price),
		"cost of an hour of all GPUs, for the cost of a million tokens"),
	LIST_OPT("threshold", 't', "KEY=VALUE", AT(threshold),
		"a limit of a rule: -t D04.spread=8; 'traceq config metrics' lists them"),
	INT_OPT("points", 0, "N", AT(points),
		"about so many points of each curve; 0 = all [none; 1000 for machines]"),
};

static enum status read_options(
	struct metrics_limits *l, const struct metrics_options *o, struct err *e)
{
	struct capacity c = { NULL, 0 };
	struct span key;
	double value;

	if (o->window < 1 || o->window > SERIES_LAST)
		return err_set(e, E_USAGE, -1, "--window wants 1 to %d, got %" PRId64, SERIES_LAST,
			o->window);
	if (o->ddof < 0 || o->ddof > 1)
		return err_set(e, E_USAGE, -1, "--ddof wants 0 or 1, got %" PRId64, o->ddof);
	if (o->warmup < 0)
		return err_set(e, E_USAGE, -1, "--warmup wants 0 or more, got %" PRId64, o->warmup);
	*l = (struct metrics_limits){
		.window = (size_t)o->window, .warmup = (size_t)o->warmup, .ddof = (int)o->ddof
	};
	TRY(setting_number(
		"--leak-threshold", SETTING_BYTES, o->leak_threshold, &l->leak_threshold, e));
	TRY(setting_number("--pass", SETTING_NUMBER, o->pass, &l->pass, e));
	if (o->peak)
		TRY(setting_number("--peak-tflops", SETTING_NUMBER, o->peak, &l->peak, e));
	if (o->price)
		TRY(setting_number("--price", SETTING_NUMBER, o->price, &l->price, e));
	for (size_t i = 0; i < o->target.n; i++)
		TRY(metrics_parse_target(o->target.v[i], &key, &value, e));
	if (o->capacity)
		TRY(capacity_parse(o->capacity, "--capacity", &c, e));
	l->capacity = c.memory;
	return OK;
}

static const struct setting *setting(size_t i)
{
	return i-- == 0 ? &peaks_setting : rules_setting(READS_SERIES, i);
}

/* The limits of rules: what was configured, and -t over it; s is to be cleared in any case. */
static enum status read_settings(struct settings *s, const struct settings *from,
	const struct metrics_options *o, struct err *e)
{
	static const struct rules_of of = { "metrics", setting, "D04.spread=8" };

	return rules_settings(s, &of, from, &o->threshold, e);
}

static enum status check(const void *opts, const struct settings *settings, struct err *e)
{
	struct metrics_limits l;
	struct settings s;
	enum status st = read_settings(&s, settings, opts, e);

	settings_clear(&s);
	TRY(st);
	return read_options(&l, opts, e);
}

/* The memory of the GPU, where --capacity does not say and a file or trace does. */
static int64_t capacity_of(const struct perrun *at)
{
	const struct sheet *s = record_find_sheet(at->record, SHEET_GPUS);
	const union cell *c =
		s && s->table.nrow ? table_cell(&s->table, 0, GPUS_MEMORY_BYTES) : NULL;

	if (at->run->meta.ngpu && at->run->meta.gpu[0].memory_bytes > 0)
		return at->run->meta.gpu[0].memory_bytes;
	return c && c->r > 0 && c->r < 9e18 ? saturate_whole(c->r) : 0;
}

static void put_run(const struct metrics *m)
{
	struct table *t = perrun_table(m->at, &metrics_docs[METRICS_TABLE_RUN]);
	const struct metrics_key *longest = NULL;
	int64_t nan = 0, inf = 0, missing = 0;
	size_t restarts = 0, warmup = 0;

	for (EACH(const struct metrics_key, k, m->key, m->nkey)) {
		if (!longest || k->n > longest->n)
			longest = k;
		nan += k->s->nan;
		inf += k->s->inf;
		missing += k->s->missing;
		if (k->c.dropped)
			restarts = MAX(k->c.restarts, restarts);
		warmup = MAX(k->warmup, warmup);
	}
	t->layout = TABLE_LIST;
	TABLE_ROW(t, [MRUN_SERIES] = cell_size(m->at->record->nseries),
		[MRUN_KEYS] = cell_size(m->nkey), [MRUN_WARMUP] = cell_size(warmup),
		[MRUN_NAN] = cell_int(nan), [MRUN_INF] = cell_int(inf),
		[MRUN_MISSING] = cell_int(missing), [MRUN_RESTARTS] = cell_size(restarts));
	if (restarts)
		result_note(m->at->out, NOTE_INFO, "metrics_restarts", m->at->input,
			(int64_t)restarts,
			"steps fall back at %zu place%s: the run was started again, or went on "
			"from a checkpoint; what was done again counts once",
			restarts, plural_s(restarts));
	if (!longest)
		return;
	table_int(t, MRUN_STEPS, longest->n);
	if (longest->c.n == 0)
		return;
	TABLE_CELLS(t, [MRUN_FIRST] = cell_real(longest->c.x[0]),
		[MRUN_LAST] = cell_real(longest->c.x[longest->c.n - 1]));
}

static void put_notes(const struct metrics *m)
{
	if (m->smi)
		result_note(m->at->out, NOTE_INFO, "metrics_smi", m->at->input, (int64_t)m->smi,
			"%zu series of nvidia-smi are left to 'traceq smi' (--key '.' shows them)",
			m->smi);
	size_t sampled = SUM(size_t, i, m->nkey, !series_is_exact(m->key[i].s));

	if (sampled)
		result_note(m->at->out, NOTE_INFO, "metrics_sampled", m->at->input,
			(int64_t)sampled,
			"%zu keys have more than %d values: their quantiles are of a random sample "
			"of %d, their trends of block means; means and extremes are exact",
			sampled, SERIES_EXACT, SERIES_SAMPLE);
}

/* What the tables are made of is known: rules look at it. */
static void put_findings(struct metrics *m, struct table *t)
{
	struct look look = { .command = "metrics",
		.settings = m->limit->settings,
		.run = m->at->run,
		.record = m->at->record,
		.metrics = m,
		.mem = &m->at->mem,
		.most = METRICS_FINDINGS };

	for (size_t i = 0; i < m->nasked; i++) {
		look.about = m->asked[i].about;
		look.what = m->asked[i].what;
		look_at(&look, READS_SERIES, NULL);
	}
	findings_rank(&look);
	metrics_put_findings(&look, t);
}

static enum status put_all(struct metrics *m)
{
	TRY(metrics_axis_init(m));
	TRY(metrics_collect(m));
	if (m->nkey) {
		put_run(m);
		metrics_put_keys(m);
	} else if (!m->key_regex && record_find_sheet(m->at->record, SHEET_SUMMARIES)) {
		metrics_put_keys(m);
	}
	struct table *findings =
		perrun_table(m->at, &metrics_docs[METRICS_TABLE_FINDINGS]); /* filled
	                                                              when all is
	                                                              known
	                                                            */
	for (size_t i = 0; i < m->nkey; i++) {
		metrics_ask(m, ABOUT_SERIES, m->key[i].s);
		metrics_ask(m, ABOUT_KEY, &m->key[i]);
	}
	metrics_ask(m, ABOUT_RECORD, m);
	metrics_put_memory(m);
	metrics_put_targets(m);
	metrics_put_expected(m);
	metrics_put_epochs(m);
	metrics_put_throughput(m);
	metrics_put_stages(m);
	metrics_put_first_token(m);
	metrics_put_beside(m);
	metrics_put_scores(m, &metrics_docs[METRICS_TABLE_SHARES]);
	metrics_put_rewards(m);
	metrics_put_written(m);
	metrics_put_curves(m);
	put_findings(m, findings);
	metrics_say_overhead(m);
	put_notes(m);
	return OK;
}

struct task {
	const struct metrics_options *o;
	struct metrics_limits limit;
	struct regex *key_regex;
	bool is_unmatched; /* the last run has no key that --key wants */
};

static enum status answer_run(struct perrun *at)
{
	struct task *task = at->ctx;
	struct metrics_limits limit = task->limit;
	struct metrics m = {
		.at = at, .o = task->o, .limit = &limit, .key_regex = task->key_regex
	};
	size_t before = at->out->ntable, rows = 0;

	task->is_unmatched = false;
	if (!limit.capacity)
		limit.capacity = capacity_of(at);
	TRY(put_all(&m));
	for (size_t i = before; i < at->out->ntable; i++)
		rows += at->out->table[i]->nrow;
	if (rows == 0) /* nothing to say about this one */
		result_drop_tables(at->out, before);
	task->is_unmatched = rows == 0 && task->o->key;
	return OK;
}

static enum status answer(
	const struct query *q, struct result *out, struct task *task, struct err *e)
{
	if (task->o->key)
		TRY(regex_new(&task->key_regex, task->o->key, "--key", e));
	enum status st = perrun_all(q, &q->analysis->per_run, task, out, e);
	regex_free(task->key_regex);
	if (st == E_NODATA && task->is_unmatched) {
		err_clear(e);
		return err_set(e, E_NODATA, -1, "no key matches --key '%s'", task->o->key);
	}
	return st;
}

static enum status compute(
	const struct query *q, struct result *out, int *exit_code UNUSED, struct err *e)
{
	struct task task = { .o = q->opts };
	struct settings settings;

	TRY(read_options(&task.limit, task.o, e));
	TRY(peaks_read(&task.limit.peaks, q->settings, NULL, e));
	enum status st = read_settings(&settings, q->settings, task.o, e);
	task.limit.settings = &settings;
	THEN(st, answer(q, out, &task, e));
	settings_clear(&settings);
	return st;
}

ANALYSIS(metrics) = {
	.name = "metrics",
	.summary =
		"logs and summaries of a run: windows, trends, leaks, throughput, scores, rewards",
	.help.doc =
		"From training logs (JSONL, trainer_state.json), exports of trackers, profiles, "
		"stage times: for each key its last value, the mean of the last window, its spread, and "
		"whether it still moves; what stands out (D01 to D18: divergence, spikes, leaks, "
		"...); throughput as work over time; stages and whether they add up; scores and "
		"rewards of groups.\n\n"
		"A trend is the change of the last window's mean against the window before, with a "
		"95% interval that knows that neighbours depend on each other. Values that are no "
		"numbers are counted and in no figure. Limits of rules are set by -t, by "
		"TRACEQ_METRICS_D04_SPREAD, or in traceq.yaml: 'traceq config metrics' shows them.\n\n"
		"Where the file has figures of its own that differ from what its values give, both "
		"are shown.",
	.help.source = "the guides' trackers; rlhf-canary; docs/definitions.md",
	.help.examples = "traceq metrics train.jsonl\n"
			 "traceq metrics runs/run_1/ --key 'loss|reward' --window 200\n"
			 "traceq metrics profiling_results.json --capacity A100-40",
	.runs.min = 1,
	.runs.is_one_by_one = true,
	.runs.takes_records = true,
	.options.ignores = FILTER_DEVICE | FILTER_STREAM | FILTER_CAT | FILTER_COMM,
	ANALYSIS_OPTIONS(options, struct metrics_options, .window = 100, .ddof = 1, .warmup = 10,
		.points = -1, .limit = -1, .leak_baseline = -1, .leak_threshold = "0.5GiB",
		.pass = "0.5"),
	ANALYSIS_TABLES(metrics, METRICS),
	.help.main_table = "keys",
	.options.check = check,
	.options.setting = setting,
	.help.rules = READS_SERIES,
	.per_run = { .answer = answer_run, .needs = PERRUN_RECORD, .wanted = WANTED },
	.compute = compute,
};
