/*
 * `summary`: ratios of the documents, and the same questions answered without counting twice.
 */
#include <math.h>

#include "analyze/answer/summary/summary.h"
#include "analyze/trace/run.h"
#include "base/ratio.h"
#include "base/saturate.h"
#include "base/unit.h"

/* rlhf-canary's quick diagnosis. */
static const double CPU_BOUND_MIN = 2.0, COMPUTE_BOUND_MAX = 0.5, COPIES_MAX = 0.3;
enum { TOP_ROWS = 10 };

/* A row of key_averages() with device time. */
struct top_row {
	nsec ns;
	struct span name;
};

static void add_row(struct top_row *top, nsec ns, struct span name)
{
	struct top_row x = { ns, name };
	size_t i;

	for (i = 0; i < TOP_ROWS && x.ns > 0; i++) {
		struct top_row t = top[i];

		if (t.ns > x.ns || (t.ns == x.ns && span_cmp(t.name, x.name) <= 0))
			continue;
		top[i] = x;
		x = t;
	}
}

/* Of names that begin with ProfilerStep# torch makes one row; the sum of v over them. */
static nsec folded(const struct strings *names, const nsec *v)
{
	nsec sum = 0;
	size_t i;

	for (i = 0; i < names->n; i++)
		if (v[i] > 0 && span_starts(strings_get(names, (sym)i), "ProfilerStep#"))
			saturate_onto(&sum, v[i]);
	return sum;
}

/*
 * The ten rows with most self device time among ops, device work and annotations on the device, and
 * how much of their sum is in rows with "copy" in their name, in any case; a kernel and its op are
 * two rows.
 */
static void documents_copies(const struct summary *s, nsec *copies, nsec *all)
{
	const struct strings *names = &s->at->run->strings;
	struct top_row top[TOP_ROWS] = { 0 };
	size_t i;

	for (i = 0; i < names->n; i++) {
		struct span name = strings_get(names, (sym)i);

		add_row(top, s->names.device[i], name);
		if (span_starts(name, "ProfilerStep#"))
			continue;
		add_row(top, s->names.op[i], name);
		add_row(top, s->names.annotation[i], name);
	}
	add_row(top, folded(names, s->names.op), SPAN("ProfilerStep*"));
	add_row(top, folded(names, s->names.annotation), SPAN("ProfilerStep*"));
	*copies = *all = 0;
	for (i = 0; i < TOP_ROWS; i++) {
		saturate_onto(all, top[i].ns);
		if (span_has_nocase(top[i].name, "copy"))
			saturate_onto(copies, top[i].ns);
	}
}

static void put_ratio(struct table *t, const char *what, const char *how, nsec part, nsec of)
{
	TABLE_ROW(t, [RATIO_WHAT] = cell_word(what), [RATIO_HOW] = cell_word(how),
		[RATIO_PART] = cell_int(part), [RATIO_OF] = cell_int(of));
}

static void put_cpu_gpu(
	struct table *t, const char *what, const char *how, nsec cpu, nsec gpu, bool is_documents)
{
	double ratio = ratio_of((double)cpu, (double)gpu);

	put_ratio(t, what, how, cpu, gpu);
	TABLE_CELLS(t, [RATIO_VALUE] = cell_real(ratio),
		[RATIO_VERDICT] = CELL_IF(!isnan(ratio) && is_documents,
			cell_text(ratio > CPU_BOUND_MIN             ? SPAN("CPU-bound")
					: ratio < COMPUTE_BOUND_MAX ? SPAN("compute-bound")
								    : SPAN("balanced"))));
}

static void put_copies(
	struct table *t, const char *what, const char *how, nsec part, nsec of, bool is_documents)
{
	double ratio = ratio_of((double)part, (double)of);

	put_ratio(t, what, how, part, of);
	TABLE_CELLS(t, [RATIO_SHARE] = cell_real(ratio),
		[RATIO_VERDICT] = CELL_IF(!isnan(ratio) && is_documents,
			cell_text(ratio > COPIES_MAX ? SPAN("copies dominate")
						     : SPAN("acceptable"))));
}

static void put_ratios(struct summary *s)
{
	struct table *t = perrun_table(s->at, &summary_docs[SUMMARY_RATIOS]);
	nsec busy = 0, wall = 0, copies, all;
	size_t d;

	for (d = 0; d < s->window.ndevice; d++) {
		saturate_onto(&busy, s->window.device[d].ledger.busy);
		saturate_onto(&wall, s->window.device[d].ns);
	}
	if (s->has_host) {
		put_cpu_gpu(t, "CPU/GPU, documents", "totals of all rows; nested calls count twice",
			s->cpu_total,
			saturate_add(
				saturate_add(s->device_total, s->device_sum), s->annotation_sum),
			true);
		put_cpu_gpu(t, "CPU/GPU, correct", "self CPU time over the sum of GPU time",
			s->cpu_self, s->device_sum, false);
	}
	put_ratio(t, "wall/GPU", "time of the steps over GPU busy time", wall, busy);
	table_real(t, RATIO_VALUE, ratio_of((double)wall, (double)busy));
	documents_copies(s, &copies, &all);
	put_copies(t, "copies, documents", "names with \"copy\" among the top ten rows", copies,
		all, true);
	put_copies(t, "copies, correct", "class memcpy of all GPU time", s->class_sum[CLASS_MEMCPY],
		s->device_sum, false);
}

static void put_class(
	const struct summary *s, struct table *t, const char *what, const char *word, nsec ns)
{
	TABLE_ROW(t, [COPY_WHAT] = cell_textf(t, "%s%s", what, word), [COPY_NS] = cell_int(ns),
		[COPY_SHARE] = cell_ratio(ns, s->device_sum));
}

static void put_classes(struct summary *s)
{
	struct table *t = perrun_table(s->at, &summary_docs[SUMMARY_COPIES]);
	int k;

	for (k = 0; k < COPY_DIRECTION_COUNT; k++)
		put_class(s, t, "memcpy ", copyclass_direction_word((enum copy_direction)k),
			s->copy_sum[k]);
	put_class(s, t, "kernel ", "cast", s->copy_kernel_sum[COPY_KERNEL_CAST]);
	put_class(s, t, "kernel ", "layout", s->copy_kernel_sum[COPY_KERNEL_LAYOUT]);
	put_class(s, t, "kernel ", "unclear", s->copy_kernel_sum[COPY_KERNEL_UNCLEAR]);
	put_class(s, t, "memset", "", s->class_sum[CLASS_MEMSET]);
}

void summary_ratio_tables(struct summary *s)
{
	if (s->ledgers.ndevice == 0)
		return;
	put_ratios(s);
	if (!s->at->q->for_people)
		put_classes(s);
}
