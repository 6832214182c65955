/* `info`: the facts about the file as a whole, versions of software, and its metadata. */
#include "analyze/answer/info/info.h"

#include <time.h>

#include "analyze/analysis/row_limit.h"
#include "analyze/measure/stepstat.h"
#include "analyze/trace/run_steps.h"

/* ---- version numbers as people write them ---- */

enum { DIGITS_MAX = 15, NCCL_CODE_MIN = 10000 };

/* The number text is, or -1. */
static int64_t number_of(struct span text)
{
	int64_t n = 0;

	if (text.n == 0 || text.n > DIGITS_MAX)
		return -1;
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] < '0' || text.p[i] > '9')
			return -1;
		n = n * 10 + (text.p[i] - '0');
	}
	return n;
}

/* CUDA_VERSION = 1000 major + 10 minor; HIP_VERSION = 10^7 major + 10^5 minor + patch;
 * NCCL_VERSION_CODE = 10^4 major + 100 minor + patch since 2.9. */
void info_version(struct str *b, enum info_component c, struct span raw)
{
	int64_t n = number_of(raw);

	if (c == INFO_CUDA && n >= 1000)
		str_addf(b, "%lld.%lld", (long long)(n / 1000), (long long)(n % 1000 / 10));
	else if (c == INFO_HIP && n >= 10000000)
		str_addf(b, "%lld.%lld.%lld", (long long)(n / 10000000),
			(long long)(n / 100000 % 100), (long long)(n % 100000));
	else if (c == INFO_NCCL && n >= NCCL_CODE_MIN)
		str_addf(b, "%lld.%lld.%lld", (long long)(n / 10000), (long long)(n / 100 % 100),
			(long long)(n % 100));
	else
		str_add(b, raw.p, raw.n);
}

/* What a trace can name, in the order of the table. */
struct named_version {
	const char *name;
	enum info_component how;
	sym raw;
};

enum { COMPONENTS = 8 };

static void list_versions(const struct meta *m, struct named_version v[COMPONENTS])
{
	const struct named_version all[COMPONENTS] = {
		{ "PyTorch", INFO_PLAIN, m->torch },
		{ "CUDA runtime", INFO_CUDA, m->cuda_runtime },
		{ "CUDA driver", INFO_CUDA, m->cuda_driver },
		{ "CUPTI", INFO_PLAIN, m->cupti },
		{ "HIP runtime", INFO_HIP, m->hip_runtime },
		{ "HIP driver", INFO_HIP, m->hip_driver },
		{ "roctracer", INFO_PLAIN, m->roctracer },
		{ "NCCL", INFO_NCCL, m->nccl_version },
	};

	memcpy(v, all, sizeof(all));
}

void info_software_table(struct info *f)
{
	struct table *t = perrun_table(f->at, &info_docs[INFO_SOFTWARE]);
	struct named_version v[COMPONENTS];
	SCOPED_STR b = { 0 };

	list_versions(&f->at->run->meta, v);
	for (EACH(const struct named_version, version, v, COMPONENTS)) {
		if (version->raw == 0)
			continue;
		str_reset(&b);
		info_version(&b, version->how, strings_get(&f->at->run->strings, version->raw));
		TABLE_ROW(t, [SOFTWARE_COMPONENT] = cell_word(version->name),
			[SOFTWARE_VERSION] =
				cell_text((struct span){ arena_copy(t->mem, b.s, b.n), b.n }),
			[SOFTWARE_RAW] = info_cell(f, version->raw));
	}
}

/* ---- the facts about the file as a whole, and its metadata ---- */

/* A time that counts from 1970 is beyond this: 2001-09-09, in ns. */
#define EPOCH_MIN INT64_C(1000000000000000000)
#define NS_PER_S  INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

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
	TABLE_CELLS(t, [TRACE_FIRST] = cell_int(r->first_ns), [TRACE_LAST] = cell_int(r->last_ns),
		[TRACE_SPAN] = cell_int(saturate_sub(r->last_ns, r->first_ns)));
	if (r->meta.has_base)
		put_utc(t, TRACE_START, saturate_add(r->meta.base_ns, r->first_ns));
	else if (r->first_ns >= EPOCH_MIN)
		put_utc(t, TRACE_START, r->first_ns);
}

static void put_steps(const struct info *f, struct table *t)
{
	static const char *const source[] = { "profiler", "annotation", "whole" };
	const struct steps *s = f->at->run->steps;
	SCOPED_ARENA mem = { 0 };
	struct stepstat stat;

	if (s->n == 0)
		return;
	table_text(t, TRACE_STEP_SOURCE, span_of(source[s->source]));
	if (s->source == STEPS_WHOLE)
		return;
	stepstat_init(&stat, f->at->run, NULL, &mem);
	TABLE_CELLS(t, [TRACE_STEPS] = cell_size(s->n), [TRACE_STEP_NAME] = info_cell(f, s->name),
		[TRACE_STEP_FIRST] = cell_int(s->step[0].number),
		[TRACE_STEP_LAST] = cell_int(s->step[s->n - 1].number),
		[TRACE_STEP_MEDIAN] = cell_real(stat.median));
}

static void put_meta(const struct info *f, struct table *t)
{
	const struct meta *m = &f->at->run->meta;
	struct str b = { 0 };

	TABLE_CELLS(t, [TRACE_PRODUCER] = info_cell(f, m->producer));
	/* "CUDA runtime 12.4, NCCL 2.21.5", as far as it is known. */
	struct named_version v[COMPONENTS];
	list_versions(&f->at->run->meta, v);
	for (EACH(const struct named_version, version, v, COMPONENTS)) {
		if (version->raw == 0)
			continue;
		str_addf(&b, "%s%s ", b.n > 0 ? ", " : "", version->name);
		info_version(&b, version->how, strings_get(&f->at->run->strings, version->raw));
	}
	TABLE_CELLS(
		t, [TRACE_SOFTWARE] = cell_str(t, &b), [TRACE_NAME] = info_cell(f, m->trace_name),
		[TRACE_ID] = info_cell(f, m->trace_id), [TRACE_HOST] = info_cell(f, m->host_name),
		[TRACE_BACKEND] = info_cell(f, m->backend),
		[TRACE_SCHEMA] = cell_count(m->schema_version), [TRACE_RANK] = cell_count(m->rank),
		[TRACE_WORLD] = cell_count(m->world_size));
}

void info_trace_table(struct info *f)
{
	struct table *t = perrun_table(f->at, &info_docs[INFO_TRACE]);

	t->title = NULL;
	t->layout = TABLE_LIST;
	table_row(t);
	put_meta(f, t);
	const struct run *r = f->at->run;
	TABLE_CELLS(t, [TRACE_FORM] = cell_text(r->is_array ? SPAN("array") : SPAN("object")),
		[TRACE_CONTAINER] = cell_word(r->container),
		[TRACE_FILE] = cell_count(r->file_bytes), [TRACE_TEXT] = cell_int(r->text_bytes),
		[TRACE_COMPRESSION] = cell_ratio(r->text_bytes, r->file_bytes));
	/* What is wrong with the file as a whole, or "complete". */
	SCOPED_STR b = { 0 };
	for (int i = 0; i < PROBLEM_COUNT; i++) {
		if (r->tally.count[i] == 0 || problem_infos[i].weight != WEIGHT_BROKEN)
			continue;
		str_addf(&b, "%s%s", b.n > 0 ? "; " : "", problem_infos[i].text);
	}
	if (b.n == 0)
		str_adds(&b, r->is_complete ? "complete" : "not complete");
	TABLE_CELLS(t, [TRACE_COMPLETE] = cell_bool(r->is_complete && strcmp(b.s, "complete") == 0),
		[TRACE_STATE] = cell_text((struct span){ arena_copy(t->mem, b.s, b.n), b.n }));
	table_int(t, TRACE_EVENTS, r->nevent);
	put_times(f, t);
	put_steps(f, t);
	rows_for_people(f->at->q, t);
}

void info_metadata_table(struct info *f)
{
	const struct meta *m = &f->at->run->meta;
	struct table *t = perrun_table(f->at, &info_docs[INFO_METADATA]);

	for (EACH(const struct meta_entry, entry, m->entry, m->nentry))
		TABLE_ROW(t,
			[METADATA_KEY] = cell_text(strings_get(&f->at->run->strings, entry->key)),
			[METADATA_VALUE] =
				cell_text(strings_get(&f->at->run->strings, entry->value)));
}
