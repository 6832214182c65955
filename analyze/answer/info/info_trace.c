/*
 * `info`: the facts about the file as a whole, and its metadata.
 */
#include "analyze/answer/info/info.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "analyze/stat/stats.h"
#include "analyze/trace/run_steps.h"
#include "base/compiler.h"
#include "base/saturate.h"

/* A time that counts from 1970 is beyond this: 2001-09-09, in ns. */
#define EPOCH_MIN INT64_C(1000000000000000000)
/* Steps that must remain for the first and last to be set aside. */
enum { STEPS_REMAINING_MIN = 5 };

#define NS_PER_S  INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

/* What is wrong with the file as a whole, or "complete". */
static void put_state(const struct info *f, struct table *t)
{
	const struct run *r = f->at->run;
	struct str b = { 0 };
	int i;

	for (i = 0; i < PROBLEM_COUNT; i++) {
		if (r->tally.count[i] == 0 || problem_infos[i].weight != WEIGHT_BROKEN)
			continue;
		str_adds(&b, b.n > 0 ? "; " : "");
		str_adds(&b, problem_infos[i].text);
	}
	if (b.n == 0)
		str_adds(&b, r->is_complete ? "complete" : "not complete");
	table_bool(t, TRACE_COMPLETE, r->is_complete && strcmp(b.s, "complete") == 0);
	table_text(t, TRACE_STATE, (struct span){ arena_copy(t->mem, b.s, b.n), b.n });
	str_free(&b);
}

static void put_utc(struct table *t, size_t col, nsec at)
{
	time_t s = (time_t)(at / NS_PER_S);
	char text[64];
	struct tm tm;
	size_t n;

	if (at < 0 || !gmtime_r(&s, &tm) ||
		(n = strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm)) == 0)
		return;
	table_textf(t, col, "%.*s.%03dZ", (int)n, text, (int)(at % NS_PER_S / NS_PER_MS));
}

static void put_times(const struct info *f, struct table *t)
{
	const struct run *r = f->at->run;

	if (r->meta.has_base)
		table_int(t, TRACE_BASE, r->meta.base_ns);
	if (r->first_ns > r->last_ns)
		return;
	table_int(t, TRACE_FIRST, r->first_ns);
	table_int(t, TRACE_LAST, r->last_ns);
	table_int(t, TRACE_SPAN, saturate_sub(r->last_ns, r->first_ns));
	if (r->meta.has_base)
		put_utc(t, TRACE_START, saturate_add(r->meta.base_ns, r->first_ns));
	else if (r->first_ns >= EPOCH_MIN)
		put_utc(t, TRACE_START, r->first_ns);
}

/* Sets first and last aside when enough steps remain; scratch is freed with the arena. */
static double median_step(const struct steps *s, struct arena *mem)
{
	size_t skip = s->n >= STEPS_REMAINING_MIN + 2 ? 1 : 0, i;
	size_t n = s->n - 2 * skip;
	int64_t *dur = arena_array(mem, n, sizeof(*dur));

	for (i = 0; i < n; i++)
		dur[i] = saturate_sub(s->step[i + skip].end, s->step[i + skip].start);
	return stats_quantile(dur, n, 0.5);
}

static void put_steps(const struct info *f, struct table *t)
{
	static const char *const source[] = { "profiler", "annotation", "whole" };
	const struct steps *s = f->at->run->steps;
	struct arena mem;

	if (s->n == 0)
		return;
	table_text(t, TRACE_STEP_SOURCE, span_of(source[s->source]));
	if (s->source == STEPS_WHOLE)
		return;
	arena_init(&mem);
	table_int(t, TRACE_STEPS, (int64_t)s->n);
	info_text(f, t, TRACE_STEP_NAME, s->name);
	table_int(t, TRACE_STEP_FIRST, s->step[0].number);
	table_int(t, TRACE_STEP_LAST, s->step[s->n - 1].number);
	table_real(t, TRACE_STEP_MEDIAN, median_step(s, &mem));
	arena_clear(&mem);
}

static void put_file(const struct info *f, struct table *t)
{
	const struct run *r = f->at->run;

	table_text(t, TRACE_FORM, r->is_array ? SPAN("array") : SPAN("object"));
	if (r->container)
		table_text(t, TRACE_CONTAINER, span_of(r->container));
	info_count(t, TRACE_FILE, r->file_bytes);
	table_int(t, TRACE_TEXT, r->text_bytes);
	if (r->file_bytes > 0)
		table_real(t, TRACE_COMPRESSION, (double)r->text_bytes / (double)r->file_bytes);
	put_state(f, t);
	table_int(t, TRACE_EVENTS, r->nevent);
}

static void put_meta(const struct info *f, struct table *t)
{
	const struct meta *m = &f->at->run->meta;
	struct str b = { 0 };

	info_text(f, t, TRACE_PRODUCER, m->producer);
	info_software(f, &b);
	if (b.n > 0)
		table_text(t, TRACE_SOFTWARE, (struct span){ arena_copy(t->mem, b.s, b.n), b.n });
	str_free(&b);
	info_text(f, t, TRACE_NAME, m->trace_name);
	info_text(f, t, TRACE_ID, m->trace_id);
	info_text(f, t, TRACE_HOST, m->host_name);
	info_text(f, t, TRACE_BACKEND, m->backend);
	info_count(t, TRACE_SCHEMA, m->schema_version);
	info_count(t, TRACE_RANK, m->rank);
	info_count(t, TRACE_WORLD, m->world_size);
}

void info_trace_table(struct info *f)
{
	struct table *t = perrun_table(f->at, &info_docs[INFO_TRACE]);

	t->title = NULL;
	t->layout = TABLE_LIST;
	table_row(t);
	put_meta(f, t);
	put_file(f, t);
	put_times(f, t);
	put_steps(f, t);
	if (f->at->q->for_people)
		table_drop_empty(t);
}

void info_metadata_table(struct info *f)
{
	const struct meta *m = &f->at->run->meta;
	struct table *t = perrun_table(f->at, &info_docs[INFO_METADATA]);
	size_t i;

	for (i = 0; i < m->nentry; i++) {
		table_row(t);
		table_text(t, METADATA_KEY, strings_get(&f->at->run->strings, m->entry[i].key));
		table_text(t, METADATA_VALUE, strings_get(&f->at->run->strings, m->entry[i].value));
	}
}
