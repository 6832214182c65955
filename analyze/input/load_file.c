/* Loading a trace: source, pipeline, metadata, finishing, indexes; and the verdict whether what
 * came out is a trace at all.  Samples in a trace, counters of NVML, become series of the run's
 * record, as nvidia-smi names them: `traceq capture` writes them as ph C, cat nvml, pid the device,
 * args {"": value}. */
#include "analyze/input/load_file.h"

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/events/finish.h"
#include "analyze/input/events/meta.h"
#include "analyze/input/events/pipeline.h"
#include "analyze/input/events/scan.h"
#include "analyze/input/events/tap.h"
#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/format.h"
#include "analyze/input/format/parquet/export_files.h"
#include "analyze/input/load_kept.h"
#include "analyze/input/source/inflate.h"
#include "analyze/input/source/lines.h"
#include "analyze/input/text/limits.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/index.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/regex.h"
#include "base/door.h"
#include "base/parallel.h"

/* --- samples --- */

/* X(the counter, the series, its measure) */
static const struct {
	const char *counter, *series;
	enum measure measure;
} names[] = {
	{ "power (W)", "power.draw", MEASURE_WATT },
	{ "GPU utilization (%)", "utilization.gpu", MEASURE_PERCENT },
	{ "memory utilization (%)", "utilization.memory", MEASURE_PERCENT },
	{ "memory used (MiB)", "memory.used", MEASURE_MIB },
	{ "SM clock (MHz)", "clocks.sm", MEASURE_MHZ },
	{ "temperature (C)", "temperature.gpu", MEASURE_CELSIUS },
	{ "throttle reasons (bits)", "clocks_throttle_reasons.active", MEASURE_NONE },
};

/* Seconds since 1970 where the trace says them, else since its zero; so are hardware counters,
 * whose intervals are too short for what is left of a double since 1970 (240 ns). */
static double seconds_of(const struct run *run, nsec start, bool is_dated)
{
	nsec at = saturate_add(start, is_dated && run->meta.has_base ? run->meta.base_ns : 0);
	nsec rest = at % 1000000000, whole = (at - rest) / 1000000000;

	return (double)whole + (double)rest / 1e9;
}

static void take(struct run *run, size_t row, int artifact)
{
	struct span name = run_name(run, row);
	const struct lane *l = &run->lanes.lane[run->events.lane[row]];
	struct span group = strings_get(&run->strings, l->pid);
	double v = run->events.args[row]
		? args_f64(&run->args, ARG_COUNTER_VALUE, run->events.args[row] - 1)
		: NAN;
	size_t i = FIRST(k, COUNT_OF(names), span_is(name, names[k].counter));
	bool is_nvml = i < COUNT_OF(names), is_hardware = span_has(name, "__");

	if (span_starts(group, "GPU ")) /* "GPU 0 Counters" */
		group = span_before(span_from(group, 4), ' ');
	struct series *s = is_nvml || is_hardware
		? record_series(
			  run->record, artifact, is_nvml ? span_of(names[i].series) : name, group)
		: NULL;
	if (!s)
		return;
	s->measure = is_nvml             ? names[i].measure
		: span_has(name, ".pct") ? MEASURE_PERCENT
					 : MEASURE_NONE;
	s->axis = AXIS_TIME;
	if (isnan(v))
		series_add_missing(s);
	else
		series_add(s, seconds_of(run, run->events.start[row], is_nvml), v);
	run->record->artifact[artifact].rows++;
}

/* Takes the rows of KIND_COUNTER out of the run's events.  Needs the run whole and no index.  A run
 * without such rows stays as it is. */
static void load_samples(struct run *run)
{
	struct events *e = &run->events;
	size_t row = events_find(e, 0, KIND_COUNTER);

	if (row == e->n)
		return;
	if (!run->record)
		run->record = record_new();
	int artifact =
		record_artifact(run->record, run->path, "nvml", "counters of GPUs in the trace");
	for (; row < e->n; row = events_find(e, row + 1, KIND_COUNTER)) {
		take(run, row, artifact);
		e->flags[row] |= EVENT_DROP;
	}
	events_drop(e);
}

/* --- traces and others --- */

/* Less text is not worth a second thread; packed, it is about a twelfth. */
enum { MOST_THREADS = 64, ONE_THREAD_BYTES = 6 << 20, ONE_THREAD_PACKED_BYTES = 512 << 10 };

static unsigned thread_count(const struct source *s, const struct load_options *o)
{
	int64_t most = source_is_plain_file(s) ? ONE_THREAD_BYTES : ONE_THREAD_PACKED_BYTES;
	bool is_small =
		o->threads == 0 && !o->window_bytes && s->disk_bytes > 0 && s->disk_bytes < most;

	return is_small ? 1 : MIN(parallel_cores(o->threads), MOST_THREADS);
}

/* Is it a trace?  Fills in what the end of the text says. */
static enum status judge_document(
	const struct source *s, struct run *run, const struct doc *d, struct err *e)
{
	struct span head = { s->head, s->nhead };
	bool unclosed =
		d->where == DOC_MEMBER || (d->where == DOC_EVENTS && d->form == FORM_OBJECT);

	if (s->text_bytes == 0 && run->tally.count[PROBLEM_TRUNCATED_GZIP])
		return err_set(e, E_SYNTAX, 0, "the compressed stream ends before any text");
	if (s->text_bytes == 0 && run->tally.count[PROBLEM_CORRUPT_GZIP])
		return err_set(e, E_SYNTAX, 0, "damaged %s data: nothing can be inflated",
			source_container(s));
	if (d->where == DOC_START) {
		(void)err_set(e, E_FORMAT, 0, "the file is empty: %s",
			s->text_bytes ? "it holds only blanks"
				      : "nothing is inside the compressed stream");
		return err_hint(e, "the export failed or was cut off; record the trace again");
	}
	if (d->where == DOC_ALIEN)
		return magic_refuse(head, e);
	if (d->arrays == 0 && unclosed && run->tally.count[PROBLEM_TRUNCATED_JSON])
		return magic_refuse_cut(head, s->text_bytes, e);
	if (d->form == FORM_ARRAY && run->nevent == run->tally.count[PROBLEM_NO_PHASE]) {
		if (head_is_logged(head))
			return magic_refuse(head, e);
		if (magic_is_numbers(head))
			return magic_refuse_numbers(e);
		(void)err_set(e, E_FORMAT, 0, "not a Chrome trace: an array without events");
		return run->tally.count[PROBLEM_NOT_AN_OBJECT]
			? magic_tried(e)
			: err_hint(e, "the profiler recorded nothing");
	}
	if (d->arrays == 0)
		return magic_refuse_json(head, e);
	if (d->lost_bytes > s->text_bytes / 2 && d->lost_bytes > 0)
		return err_set(e, E_SYNTAX, run->tally.offset[PROBLEM_SKIPPED_EVENT],
			"%s: more than half of the text is no readable JSON "
			"(%lld of %lld bytes)",
			run->tally.count[PROBLEM_CORRUPT_GZIP] ? "damaged compressed data"
							       : "malformed",
			(long long)d->lost_bytes, (long long)s->text_bytes);
	if (unclosed && !run->tally.count[PROBLEM_TRUNCATED_JSON])
		tally_add(&run->tally, PROBLEM_TRUNCATED_JSON, 1, s->text_bytes);
	if (d->form == FORM_LINES) {
		run->tally.count[PROBLEM_COMMA] = 0;
		run->tally.offset[PROBLEM_COMMA] = -1;
	}
	return OK;
}

static enum status be_strict(const struct run *run, struct err *e)
{
	static const enum problem fatal[] = { PROBLEM_TRUNCATED_JSON, PROBLEM_TRUNCATED_TRACE,
		PROBLEM_DAMAGED_TABLE, PROBLEM_TRUNCATED_GZIP, PROBLEM_CORRUPT_GZIP,
		PROBLEM_GZIP_NO_TRAILER };

	for (size_t i = 0; i < COUNT_OF(fatal); i++)
		if (run->tally.count[fatal[i]]) {
			(void)err_set(e, E_TRUNCATED, run->tally.offset[fatal[i]], "%s",
				problem_infos[fatal[i]].text);
			return err_hint(e, "without --strict, what is there is analyzed");
		}
	return OK;
}

const char *load_or_environment(const char *wanted, const char *variable)
{
	return wanted ? wanted : getenv(variable);
}

const struct load_beside *load_beside_copy(const struct load_beside *b, struct arena *mem)
{
	if (!b)
		return NULL;
	struct load_beside *copy = arena_alloc(mem, sizeof(*copy));
	copy->path = arena_array(mem, b->n, sizeof(*copy->path));
	copy->n = b->n;
	for (size_t i = 0; i < b->n; i++)
		copy->path[i] = arena_copy(mem, b->path[i], strlen(b->path[i]));
	return copy;
}

static const char *own_text(struct run *run, const char *text)
{
	return arena_copy(&run->mem, text, strlen(text));
}

/* What the container and its end say, whatever the text is. */
static enum status judge_source(
	struct source *s, const struct load_options *o, struct run *run, struct err *e)
{
	run->is_complete = !run->tally.count[PROBLEM_TRUNCATED_JSON] &&
		!run->tally.count[PROBLEM_TRUNCATED_TRACE] &&
		!run->tally.count[PROBLEM_TRUNCATED_GZIP];
	run->container = own_text(run, source_container(s));
	run->file_bytes = s->file_bytes;
	run->text_bytes = s->text_bytes;
	return o->strict ? be_strict(run, e) : OK;
}

static enum status read_all(struct source *s, const struct load_options *o, struct run *run,
	struct gathered *g, struct err *e)
{
	struct pipeline_options po = { thread_count(s, o),
		o->window_bytes ? o->window_bytes : WINDOW_BYTES, o->progress, o->progress_ctx };
	const char *scanner = load_or_environment(o->scanner, "TRACEQ_SCANNER");
	struct plan plan;
	struct doc d;

	plan_init(&plan, run->args.needs, scanner_pick(scanner), run->strings.seed);
	plan.tap = o->tap;
	if (o->kinds || o->is_rowless)
		plan_narrow(&plan, o->kinds ? o->kinds : KINDS_ALL, !o->is_rowless);
	run->kinds_kept = plan.kinds_kept;
	TRY(pipeline_run(s, &plan, &po, run, g, &d, e));
	tally_merge(&run->tally, &s->tally);
	TRY(judge_document(s, run, &d, e));
	run->is_array = d.form != FORM_OBJECT;
	return judge_source(s, o, run, e);
}

/* The path under which the source can be opened again; NULL: there is none, as of standard input.
 */
static const char *file_on_disk(const struct source *s, const char *path)
{
	return source_is_plain_file(s) && strcmp(path, "-") != 0 ? path : NULL;
}

/* A trace of another format than Chrome's JSON. */
static enum status read_format(const struct format *format, struct source *s, const char *path,
	const struct load_options *o, struct run *run, struct gathered *g, struct err *e)
{
	const char *file = file_on_disk(s, path);
	struct format_input in = { s, file, s->fd >= 0 ? path : NULL, o->beside, thread_count(s, o),
		o->window_bytes ? o->window_bytes : WINDOW_BYTES, o->progress, o->progress_ctx };
	struct plan plan;
	struct emit_sink out = { &plan, run, g, NULL };

	plan_init(&plan, run->args.needs, scanner_pick("portable"), run->strings.seed);
	plan.tap = o->tap;
	run->kinds_kept = plan.kinds_kept;
	TRY(format->read(&in, &out, e));
	if (out.producer)
		run->meta.producer = strings_intern(&run->strings, span_of(out.producer->name));
	tally_merge(&run->tally, &s->tally);
	if (file && s->file_bytes > s->text_bytes)
		s->text_bytes = s->file_bytes;
	return judge_source(s, o, run, e);
}

/* format: what it is, or NULL for Chrome's JSON. */
static enum status load_trace(const struct format *format, struct source *s, const char *path,
	const struct load_options *o, struct run *run, struct err *e)
{
	struct gathered g;

	gathered_init(&g);
	run->is_binary = format != NULL;
	enum status st =
		format ? read_format(format, s, path, o, run, &g, e) : read_all(s, o, run, &g, e);
	if (st == OK) {
		run->has_trace = true;
		if (o->tap)
			o->tap->members(o->tap->ctx, g.member, g.nmember);
		if (!g.is_restored) {
			finish_run(run, &g);
			meta_decode(run, &g);
		}
	}
	gathered_clear(&g);
	return st;
}

/* Few traces have FLOPs, and the others are not searched for them: an argument costs time. */
static void drop_absent(const struct head *head, struct run *run)
{
	if (!head_mentions(head, "flops") && !span_has(head->text, "\"with_flops\": 1"))
		run->args.needs &= ~(unsigned)NEED_FLOPS;
}

static enum status load_record(
	struct source *s, const struct load_options *o, struct run *run, struct err *e)
{
	if (!o->comm)
		return load_kept(s, run, e);
	return err_hinted(e, E_NODATA, "give the trace in place of its digest",
		"a digest has no events: --comm needs the trace itself");
}

/* What the source is: a record, a trace of a format, else an artifact or Chrome's JSON by *head. */
struct looked {
	bool is_kept;
	const struct format *format;
	const struct artifact *artifact;
};

static enum status look(struct source *s, struct head *head, struct looked *is, struct err *e)
{
	*is = (struct looked){ .is_kept = load_kept_is(s) };
	if (is->is_kept)
		return OK;
	is->format = format_find(s);
	return is->format ? OK : artifact_look(s, head, &is->artifact, e);
}

enum status load_source(struct source *s, const char *path, const struct load_options *o,
	struct run *run, struct err *e)
{
	struct head *head = xmalloc(sizeof(*head));
	struct looked is;
	enum status st = look(s, head, &is, e);

	if (st == OK && is.is_kept) {
		st = load_record(s, o, run, e);
	} else if (st == OK && is.artifact) {
		st = merge_artifact(s, path, head, is.artifact, o->strict, run, e);
	} else if (st == OK) {
		if (!is.format)
			drop_absent(head, run);
		st = load_trace(is.format, s, path, o, run, e);
	}
	if (st == OK && (!is.artifact || !run->container)) { /* the trace says it, or the first */
		run->container = own_text(run, source_container(s));
		run->file_bytes = s->file_bytes;
		run->text_bytes = s->text_bytes;
	}
	source_close(s);
	free(head);
	return st;
}

enum status load_file(
	const char *path, const struct load_options *o, struct run *run, struct err *e)
{
	const char *inflate = load_or_environment(o->inflate, "TRACEQ_INFLATE");
	const char *export = export_file_in(path, &run->mem);
	struct source s;

	path = export ? export : path;
	enum status st = source_open(&s, path, inflate, e);
	if (st == OK) {
		door_input_fd(s.fd, path);
		st = load_source(&s, path, o, run, e);
		if (!run->kept && !run->is_binary) /* which have no lines */
			lines_locate(path, inflate, &run->tally, st == OK ? NULL : e);
	}
	return st;
}

void load_begin(struct run *run, const char *path, const struct load_options *o)
{
	run_init(run, o->needs);
	run->job_needs = o->job_needs;
	run->path = arena_copy(&run->mem, path, strlen(path));
}

/* Which of the kernels' names the pattern matches: each is asked once. */
static enum status choose_comm(struct run *run, struct regex *re, struct err *e)
{
	const struct events *ev = &run->events;
	bool *asked = xcalloc(run->strings.n, sizeof(*asked));
	enum status st = OK;

	run->comm_chosen = arena_array(&run->mem, run->strings.n, sizeof(*run->comm_chosen));
	for (size_t i = 0; i < ev->n && st == OK; i++) {
		sym name = ev->name[i];

		if (ev->kind[i] != KIND_KERNEL || asked[name])
			continue;
		asked[name] = true;
		st = regex_match(re, strings_get(&run->strings, name), &run->comm_chosen[name], e);
	}
	free(asked);
	return st;
}

enum status load_end(struct run *run, const struct load_options *o, enum status st, struct err *e)
{
	struct regex *re = NULL;

	if (st == OK && o->comm && !run->kept)
		st = regex_new(&re, o->comm, LOAD_COMM_OPTION, e);
	if (re)
		st = choose_comm(run, re, e);
	regex_free(re);
	if (st == OK && run->kind_count[KIND_COUNTER] && (o->needs & NEED_SAMPLES))
		load_samples(run);
	run->cuts_on_device = o->cuts_on_device;
	if (st == OK && !run->kept)
		index_build_threads(run, o->needs, o->threads);
	if (st != OK)
		run_clear(run);
	return st;
}
