/* Digests: whatever the bytes are, each ends with an answer or with one clear error.  The first
 * byte chooses what they are: a file as it is, or a section of a record whose checksums are right;
 * from 128 on one of version 1. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/compare/contrast.h"
#include "analyze/compare/why.h"
#include "analyze/input/load.h"
#include "analyze/job/digest/digest.h"
#include "analyze/job/digest/digest_pack.h"
#include "analyze/job/job.h"
#include "analyze/job/sides.h"
#include "analyze/analysis/analysis.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/digest/digest_facts.h"
#include "analyze/trace/digest/digest_files.h"
#include "analyze/trace/run.h"
#include "analyze/trace/digest/digest_wire.h"
#include "base/table.h"
#include "cmd/commands.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { AS_FILE, AS_FACTS, AS_DIGEST, AS_PAGE, AS_WORK, AS_COSTS, AS_COUNT };

static const struct filter everything;

/* A record of version 1: its head says so. */
static void make_old(struct str *record)
{
	enum { AT_VERSION = 8, AT_CHECK = 28 };
	SCOPED_STR check = { 0 };

	record->s[AT_VERSION] = 1;
	digest_file_put_u32(&check, digest_file_check(0, (struct span){ record->s, AT_CHECK }));
	memcpy(record->s + AT_CHECK, check.s, check.n);
}

static void begin(struct wire_out *w, bool is_old)
{
	wire_begin(w);
	w->is_plain = is_old;
}

static void add(struct digest_file_out *o, const char *section, struct wire_out *w)
{
	digest_file_add(o, section,
		w->is_plain ? (struct span){ w->bytes.s, w->bytes.n } : wire_seal(w), 0);
	wire_free(w);
}

/* Facts that are right, for what is not about them. */
static void add_facts(struct digest_file_out *o, bool is_old)
{
	struct wire_out w;
	struct run run;

	run_init(&run, 0);
	run.path = "trace.json";
	begin(&w, is_old);
	digest_facts_put(&w, &run, SPAN("traceq"));
	add(o, DIGEST_FACTS, &w);
	run_clear(&run);
}

/* A digest that is right, of two steps, and its work, for what is behind them. */
static void add_digest(struct digest_file_out *o, bool has_work, bool is_old)
{
	struct digest_step step[2] = { { .number = 1, .wall = 100 }, { .number = 2, .wall = 90 } };
	struct digest_work work[2] = { { .op = SPAN("aten::add"), .calls = 2 },
		{ .op = SPAN("aten::mm"), .calls = 4, .known = 4, .flop = 480, .ns = 60 } };
	struct digest d = { .rank = -1,
		.world = -1,
		.has_steps = true,
		.has_device = true,
		.ndevice = 1,
		.step = step,
		.nstep = 2,
		.nstep_all = 2,
		.work = work,
		.nwork = 2,
		.peak_bytes = -1,
		.leaks = -1 };
	struct wire_out w;

	tally_init(&d.tally);
	begin(&w, is_old);
	digest_walk(&(struct walk){ .out = &w }, &d);
	add(o, DIGEST_SECTION, &w);
	if (!has_work)
		return;
	begin(&w, is_old);
	work_walk(&(struct walk){ .out = &w }, &d);
	add(o, WORK_SECTION, &w);
}

static void put_file(struct str *out, int as, struct span bytes, bool is_old)
{
	struct digest_file_out o;
	SCOPED_STR record = { 0 };
	struct digest_file_entry entry;

	digest_file_begin(&o);
	if (as == AS_FACTS)
		digest_file_add(&o, DIGEST_FACTS, bytes, 0);
	else
		add_facts(&o, is_old);
	if (as == AS_DIGEST)
		digest_file_add(&o, DIGEST_SECTION, bytes, 0);
	if (as == AS_WORK || as == AS_COSTS)
		add_digest(&o, as == AS_COSTS, is_old);
	if (as == AS_WORK)
		digest_file_add(&o, WORK_SECTION, bytes, 0);
	if (as == AS_COSTS)
		digest_file_add(&o, COST_SECTION, bytes, 0);
	if (as == AS_PAGE)
		digest_file_add(&o, "page top", bytes, 0);
	digest_file_put(&o, &record);
	digest_file_end(&o);
	if (is_old)
		make_old(&record);
	entry = (struct digest_file_entry){ SPAN("trace.json"), { record.s, record.n } };
	digest_files_put(&entry, 1, out);
	str_add(out, record.s, record.n);
}

/* What changed from one such run to another. */
static void compare(const struct digest *base, const struct digest *now, struct arena *mem)
{
	const struct side_file file[2] = { { .path = "a", .within = "a", .digest = base },
		{ .path = "b", .within = "b", .digest = now } };
	struct side side[2] = { { .label = "base" }, { .label = "new" } };
	struct contrast c;

	sides_group(&side[0], &file[0], 1, mem);
	sides_group(&side[1], &file[1], 1, mem);
	contrast_init(&c, &side[0], &side[1], &contrast_usual, mem);
	contrast_find_work(&c);
	(void)why_more_work(&c, mem);
}

/* A job of two such ranks: every collective is looked at. */
static void match(const struct kept *k)
{
	const struct digest *rank[2];
	struct digest *d[2] = { NULL, NULL };
	SCOPED_ARENA mem = { 0 };
	struct job job;
	struct err e;

	if (digest_unpack(&d[0], k, "a", &digest_kept_options, &e) == OK &&
		digest_unpack(&d[1], k, "b", &digest_kept_options, &e) == OK) {
		d[1]->rank = d[0]->rank + 1;
		rank[0] = d[0];
		rank[1] = d[1];
		if (d[0]->collectives && d[0]->rank < INT64_MAX - 1)
			job_init_ranks(&job, rank, 2, &mem);
		if (d[0]->ncost > 0) {
			d[1]->cost[0].flop /= 2;
			d[1]->cost[0].calls /= 2;
			compare(d[0], d[1], &mem);
		}
	}
	digest_free(d[0]);
	digest_free(d[1]);
}

/* Every cell of the page is looked at, packed and not. */
static void answer(const struct run *run)
{
	const struct analysis *top = &analysis_top;
	void *opts = calloc(1, top->options.size);
	const struct run *const runs[] = { run };
	struct query q = { .run = runs, .nrun = 1, .filter = &everything, .opts = opts };
	volatile double sum = 0;
	struct result r;
	struct err e;
	size_t i, row, col;
	int code, people;

	if (!opts)
		abort();
	memcpy(opts, top->options.defaults, top->options.size);
	for (people = 0; people < 2; people++) {
		q.for_people = people;
		result_init(&r, "traceq.top/1");
		(void)result_input(&r, "x");
		if (analysis_answer(top, &q, &r, &code, &e) == OK && people)
			result_pack(&r);
		for (i = 0; i < r.ntable; i++)
			for (row = 0; row < r.table[i]->nrow; row++)
				for (col = 0; col < r.table[i]->ncol; col++)
					sum += table_number_at(r.table[i], row, col) +
						(double)table_text_at(r.table[i], row, col).n;
		result_clear(&r);
	}
	(void)sum;
	free(opts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct load_options o = { .threads = 1 };
	SCOPED_STR file = { 0 }, section = { 0 };
	struct memory_file f;
	struct run run;
	struct err e;
	int as;

	if (size == 0)
		return 0;
	as = data[0] % AS_COUNT;
	bool is_old = data[0] >= 128;
	str_add(&section, (const char *)data + 1, size - 1);
	if (!is_old) /* some of its last bytes are noise */
		digest_file_put_u32(&section, (uint32_t)MIN(data[size - 1], size - 1));
	if (as == AS_FILE)
		str_add(&file, (const char *)data + 1, size - 1);
	else
		put_file(&file, as, (struct span){ section.s, section.n }, is_old);
	f = (struct memory_file){ (const uint8_t *)file.s, file.n, 0, 0 };
	err_clear(&e);
	if (load_reader(memory_read, &f, "fuzz.tqd", &o, &run, &e) == OK) {
		if (run.kept && as != AS_PAGE)
			match(run.kept);
		if (run.kept && as != AS_DIGEST)
			answer(&run);
		run_clear(&run);
	} else if (e.status == OK || !e.text[0]) {
		abort(); /* a failure that does not say why */
	}
	return 0;
}
