/* Exports: whatever the bytes are, reading them ends with rows or with one clear error.  The first
 * byte chooses: the file as it is, or without its checksums, so that what is behind them is
 * reached. */
#include <stdint.h>
#include <stdlib.h>

#include "analyze/input/events/merge_batches.h"
#include "analyze/input/events/scan.h"
#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/parquet/restore.h"
#include "analyze/input/load.h"
#include "analyze/trace/index.h"
#include "analyze/trace/run.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NEEDS = NEED_LINKS | NEED_ORDER | NEED_STEPS | NEED_CALLS | NEED_KERNEL | NEED_FLOPS };

static void clear_or_abort(enum status st, const struct err *e)
{
	if (st != OK && (e->status != st || !e->text[0]))
		abort(); /* a failure that does not say why */
}

/* The same file as another table, too. */
static enum status open_same(void *ctx, const char *table, struct parquet_in *p, struct err *e)
{
	(void)table;
	return parquet_open(p, *(const struct span *)ctx, true, e);
}

static void read_columns(const struct parquet_in *p)
{
	struct parquet_rows rows = { 0 };
	struct err e;

	for (size_t g = 0; g < p->ngroup; g++)
		for (size_t c = 0; c < p->ncolumn; c++) {
			err_clear(&e);
			clear_or_abort(parquet_read(p, g, c, &rows, &e), &e);
		}
	parquet_rows_clear(&rows);
}

static void read_unchecked(struct span file)
{
	const struct restore_sides sides = { open_same, &file };
	struct parquet_in p;
	struct plan plan;
	struct run run;
	struct err e;
	struct emit_sink out = { .plan = &plan, .run = &run };

	err_clear(&e);
	run_init(&run, NEEDS);
	plan_init(&plan, NEEDS, scanner_pick("portable"), run.strings.seed);
	enum status st = parquet_open(&p, file, true, &e);
	if (st == OK) {
		read_columns(&p);
		st = restore_run(&p, &sides, &out, &e);
	}
	if (st == OK)
		index_build(&run, NEED_LINKS | NEED_ORDER | NEED_STEPS | NEED_CALLS);
	clear_or_abort(st, &e);
	parquet_close(&p);
	run_clear(&run);
}

static void read_file(const uint8_t *data, size_t size)
{
	const struct load_options o = { .threads = 1, .needs = NEEDS };
	struct memory_file f = { data, size, 0, 0 };
	struct run run;
	struct err e;

	err_clear(&e);
	enum status st = load_reader(memory_read, &f, "fuzz.parquet", &o, &run, &e);
	clear_or_abort(st, &e);
	if (st == OK)
		run_clear(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED_STR bytes = { 0 };

	if (size == 0)
		return 0;
	if (data[0] == 0) {
		read_file(data + 1, size - 1);
		return 0;
	}
	str_add(&bytes, (const char *)data + 1, size - 1);
	const size_t n = bytes.n;
	for (int i = 0; i < PARQUET_PADDING; i++)
		str_addc(&bytes, 0);
	read_unchecked((struct span){ bytes.s, n });
	return 0;
}
