/* Pickles, flight recorder dumps and memory snapshots: whatever the bytes are, each pickle in them
 * is a value that can be walked or one clear error, whoever takes some of it as rows; what is
 * read as dumps of one job, or as snapshots, has an answer. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/artifact/snapshots/snapshot_take.h"
#include "analyze/input/load.h"
#include "analyze/input/source/source.h"
#include "analyze/input/value/pickle.h"
#include "analyze/analysis/analysis.h"
#include "analyze/answer/memory/memory.h"
#include "analyze/trace/filter.h"
#include "base/compiler.h"
#include "cmd/commands.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DUMPS = 4, WALKED = 1 << 16, DEPTH = 64 };

/* Every value that can be reached, up to so many and so deep: some hold themselves. */
static size_t walk(const struct compact *c, compact_value v, size_t depth, size_t left)
{
	size_t i, n = 0;
	const compact_value *pair = compact_pairs(c, v, &n);
	struct span text = compact_to_text(c, v);
	volatile char sum = 0; /* so that it is looked at */

	if (text.n)
		sum = (char)(text.p[0] + text.p[text.n - 1]);
	(void)sum;
	if (!pair)
		n = compact_count(c, v);
	for (i = 0; i < n && depth > 0 && left > 0; i++)
		left = walk(c, pair ? pair[2 * i + 1] : compact_item(c, v, i), depth - 1, left - 1);
	return left;
}

static enum status read_one(struct compact *c, const uint8_t *data, size_t size, size_t *end)
{
	struct memory_file f = { data, size, 0, 0 };
	compact_value out = COMPACT_NONE;
	bool has_more = false;
	struct source s;
	int64_t at = 0;
	enum status st;
	struct err e;

	err_clear(&e);
	st = source_open_reader(&s, memory_read, &f, NULL, &e);
	if (st != OK)
		return st;
	st = pickle_read(c, &s, &out, &at, &has_more, &e);
	source_close(&s);
	if (st != OK && e.text[0] == '\0')
		abort();
	*end = st == OK ? (size_t)at : size;
	(void)walk(c, out, DEPTH, WALKED);
	return st;
}

/* The bytes of the first document: up to the end of its pickle, or all of them. */
static size_t first_of(const uint8_t *data, size_t size)
{
	struct strings names;
	struct compact c;
	size_t end = size;

	strings_init(&names, 1);
	compact_init(&c, &names, NULL);
	if (read_one(&c, data, size, &end) != OK || end > size)
		end = size;
	compact_clear(&c);
	strings_clear(&names);
	return end;
}

/* The same bytes as a snapshot's reader takes them, whatever a probe would say. */
static void take_one(const uint8_t *data, size_t size)
{
	struct memsnap *m = memsnap_new(0);
	struct snapshot_take t;
	size_t end;

	snapshot_take_init(&t, m);
	(void)read_one(&t.compact, data, size, &end);
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
	static const struct memory_options memory = { .limit = -1, .points = -1, .lives = 100 };

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
