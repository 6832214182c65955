/* Sections about memory: why it ran out, and who allocates. */
#include "report/page/section/section.h"

enum { ROWS = 8, HOLDERS = 5 };

/* ---- why memory ran out ---- */

/* Bytes that one place of the program held. */
struct holder {
	struct span where;
	double bytes, blocks;
};

ORDER(by_where, struct holder, span_cmp(a->where, b->where))
ORDER(by_bytes, struct holder, compare3_down(a->bytes, b->bytes), span_cmp(a->where, b->where))

/* Of a device when it ran out last, those that held most first; *n: how many. */
static struct holder *find_holders(
	struct page *d, const struct table *stacks, struct span device, size_t *n)
{
	struct holder *v = arena_array(&d->mem, table_rows(stacks), sizeof(*v));
	size_t all = 0;

	for (size_t i = 0; i < table_rows(stacks); i++)
		if (span_eq(table_word(stacks, i, "device"), device) &&
			table_number(stacks, i, "oom_bytes") > 0)
			v[all++] = (struct holder){ table_word(stacks, i, "where"),
				table_number(stacks, i, "oom_bytes"),
				table_number(stacks, i, "oom_blocks") };
	sort_rows(v, all, sizeof(*v), by_where);
	*n = 0;
	for (size_t i = 0; i < all; i++) {
		if (*n && span_eq(v[*n - 1].where, v[i].where)) {
			v[*n - 1].bytes += v[i].bytes;
			v[*n - 1].blocks += v[i].blocks;
		} else {
			v[(*n)++] = v[i];
		}
	}
	sort_rows(v, *n, sizeof(*v), by_bytes);
	return v;
}

static void put_holders(struct page *d, const struct table *stacks, struct span device, double all)
{
	static const struct page_column col[] = { { "allocated in", false, true },
		{ "held", true, false }, { "share", true, false }, { "blocks", true, false } };
	size_t n;
	struct holder *v = find_holders(d, stacks, device, &n);

	if (n == 0)
		return;
	struct page_block *b = page_table(d, "who held most when it ran out", col, COUNT_OF(col));
	for (size_t i = 0; i < n && i < HOLDERS; i++)
		PAGE_ROW(d, b, TONE_NONE,
			v[i].where.n ? page_printf(d, "%.*s", (int)v[i].where.n, v[i].where.p)
				     : "(no stack recorded)",
			section_bytes(d, v[i].bytes), section_percent(d, v[i].bytes / all),
			page_printf(d, "%.0f", v[i].blocks));
	if (n > HOLDERS)
		b->footnote =
			page_printf(d, "%zu more places; 'traceq memory' lists all", n - HOLDERS);
}

/* What a word of the column "why" means. */
static const char *why_of(struct span why)
{
	static const struct {
		const char *why, *means;
	} all[] = {
		{ "full", "full: all that was free together is less than what was asked" },
		{ "fragmentation", "fragmentation: enough was free, but in no piece large enough" },
		{ "limit", "a limit of the process: the GPU had enough free" },
		{ "free block", "a free block was large enough, but may not be split" },
	};

	return FIND_VALUE(i, COUNT_OF(all), span_is(why, all[i].why), all[i].means,
		"not known: memory moved since, or a figure is not written");
}

/* The last failure of a device: when, what was asked and what there was; one thing to do. */
static void put_failure(struct page *d, const struct table *t, size_t row)
{
	const char *where = section_word(d, t, row, "where");
	const char *device = section_word(d, t, row, "device");

	page_item(d, TONE_BAD, "%s ran out of memory%s%s: %s asked%s%s%s", device,
		page_has(t, row, "at_ns") ? " at " : "",
		page_has(t, row, "at_ns") ? page_value(d, t, row, "at_ns") : "",
		page_value(d, t, row, "request_bytes"), *where ? " in " : "", where,
		page_has(t, row, "device_free_bytes")
			? page_printf(d, ", %s free on the GPU",
				  page_value(d, t, row, "device_free_bytes"))
			: "");
	page_fact(d, "why", "%s", why_of(table_word(t, row, "why")));
	page_fact(d, "what to do", "%s", section_word(d, t, row, "action"));
	page_fact(d, "reserved", "%s, of which %s allocated",
		page_value(d, t, row, "reserved_bytes"), page_value(d, t, row, "allocated_bytes"));
	if (page_has(t, row, "inactive_bytes"))
		page_fact(d, "inactive", "%s, the largest block that fits the request %s",
			page_value(d, t, row, "inactive_bytes"),
			page_value(d, t, row, "largest_free_bytes"));
}

static void write_oom(const struct answers *in, struct page *d)
{
	const struct table *t = answers_rows(in, ask_memory, "oom");
	const struct table *stacks =
		t ? answers_of_input(in, ask_memory, "stacks", (size_t)t->input) : NULL;

	if (!t)
		return;
	page_heading(d, "Answer: out of memory");
	for (size_t i = 0; i < table_rows(t); i++) {
		struct span device = table_word(t, i, "device");

		if (i + 1 < table_rows(t) && span_eq(table_word(t, i + 1, "device"), device))
			continue; /* the last of each device */
		put_failure(d, t, i);
		put_holders(d, stacks, device, table_number(t, i, "allocated_bytes"));
	}
}

const struct section section_oom = {
	.id = "oom",
	.ask = { ask_diagnose, ask_memory }, /* the first says why a run has no answer */
	.chart = { "memory-curve" },
	.write = write_oom,
};

/* ---- memory over time ---- */

const struct section section_memory = {
	.id = "memory",
	.ask = { ask_memory },
	.chart = { "memory-curve" },
	.heading = "Memory",
	.table = { SECTION_TABLE(ask_memory, "peaks", NULL, 0, { "device", "device" },
			   { "peak_allocated_bytes", "peak allocated" },
			   { "peak_reserved_bytes", "peak reserved" },
			   { "capacity_ratio", "of capacity" }, { "step", "step" }, { "op", "op" }),
		SECTION_TABLE(ask_memory, "trend", "from step to step", 0, { "device", "device" },
			{ "sign", "trend" }, { "slope_bytes_per_step", "per step" },
			{ "steps", "steps" }),
		SECTION_TABLE(ask_memory, "ops", "who allocates", ROWS,
			{ "self_alloc_bytes", "allocated" }, { "share_ratio", "share" },
			{ "self_allocations", "allocations" }, { "name", "op" }) },
};
