/*
 * Pickles, flight recorder dumps and memory snapshots: whatever the bytes are, each pickle in them
 * is a value that can be walked or one clear error, and so it is as a compact document; what is
 * read as dumps of one job, or as snapshots, has an answer.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/artifact/snapshots/snapshot_take.h"
#include "analyze/input/load.h"
#include "analyze/input/source/source.h"
#include "analyze/input/value/pickle.h"
#include "analyze/analysis/analysis.h"
#include "analyze/trace/filter.h"
#include "base/compiler.h"
#include "cmd/commands.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DUMPS = 4, WALKED = 1 << 16 };

static size_t walk(const struct value *v, size_t left)
{
	size_t i, n = v->type == VALUE_LIST ? v->n : v->type == VALUE_MAP ? 2 * v->n : 0;
	volatile char sum = 0; /* so that it is looked at */

	if (v->type == VALUE_TEXT && v->n)
		sum = (char)(v->u.p[0] + v->u.p[v->n - 1]);
	(void)sum;
	for (i = 0; i < n && left > 0; i++)
		left = walk(v->u.item[i], left - 1);
	return left;
}

/* The bytes of the first document: up to the end of its pickle, or all of them. */
static size_t first_of(const uint8_t *data, size_t size)
{
	struct span text = { (const char *)data, size };
	struct value *v;
	struct arena mem;
	size_t end = size;
	struct err e;

	err_clear(&e);
	arena_init(&mem);
	if (pickle_read(text, &mem, &v, &end, &e) == OK)
		(void)walk(v, WALKED);
	else if (e.text[0] == '\0')
		abort();
	arena_clear(&mem);
	return end;
}

/* The same bytes as a snapshot's reader takes them, whatever a probe would say. */
static void take_one(const uint8_t *data, size_t size)
{
	struct memsnap *m = memsnap_new(0);
	struct memory_file f = { data, size, 0, 0 };
	compact_value out = COMPACT_NONE;
	struct snapshot_take t;
	bool has_more = false;
	struct source s;
	int64_t end = 0;
	struct err e;

	err_clear(&e);
	snapshot_take_init(&t, m);
	if (source_open_reader(&s, memory_read, &f, NULL, &e) == OK) {
		if (compact_of_pickle(&t.compact, &s, &out, &end, &has_more, &e) != OK &&
			e.text[0] == '\0')
			abort();
		source_close(&s);
	}
	snapshot_take_clear(&t);
	memsnap_free(m);
}

static bool load_one(struct run *run, const uint8_t *data, size_t size, size_t i)
{
	static const char *const names[DUMPS] = { "_dump_0", "_dump_1", "_dump_2", "_dump_3" };
	struct load_options o = { .needs = 0, .threads = 1 };
	struct memory_file f = { data, size, 0, 0 };
	struct err e;

	err_clear(&e);
	if (load_reader(memory_read, &f, names[i], &o, run, &e) == OK)
		return true;
	if (e.text[0] == '\0')
		abort();
	return false;
}

static void ask(const struct analysis *a, const char *schema, const void *opts,
	const struct run *const *run, size_t n)
{
	static const struct filter everything;
	struct query q = { .run = run, .nrun = n, .filter = &everything, .opts = opts };
	struct result out;
	struct err e;
	int code = 0;
	size_t i;

	err_clear(&e);
	result_init(&out, schema);
	for (i = 0; i < n; i++)
		(void)result_input(&out, run[i]->path);
	if (analysis_answer(a, &q, &out, &code, &e) != OK && e.text[0] == '\0')
		abort();
	result_clear(&out);
}

static void answer(const struct run *const *run, size_t n)
{
	static const struct {
		int64_t limit;
		bool wants_stacks, wants_groups;
	} hang = { -1, true, true };
	static const struct {
		int64_t limit, points;
	} memory = { -1, -1 };

	ask(&analysis_hang, "traceq.hang/1", &hang, run, n);
	ask(&analysis_memory, "traceq.memory/1", &memory, run, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct run *list[DUMPS];
	struct run run[DUMPS];
	size_t i, n = 0;

	while (size > 0 && n < DUMPS) {
		size_t end = first_of(data, size);

		take_one(data, end);
		if (load_one(&run[n], data, end, n)) {
			list[n] = &run[n];
			n++;
		}
		data += end;
		size -= end;
		if (end == 0)
			break;
	}
	if (n)
		answer(list, n);
	for (i = 0; i < n; i++)
		run_clear(&run[i]);
	return 0;
}
