/* Runs drawn step by step, and what `diagnose` says about them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/analyze/answer/diagnose/drawn.h"

#include "analyze/trace/index.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

void draw_begin(struct hand *h)
{
	*h = (struct hand){ 0 };
	run_init(&h->run, ALL_NEEDS);
	h->thread = hand_thread(&h->run, 1);
	h->compute = hand_stream(&h->run, 0, 7);
	h->other = hand_stream(&h->run, 0, 20);
}

void draw_step(struct hand *h, int i)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "ProfilerStep#%d", i);
	(void)hand_event(&h->run, KIND_ANNOTATION, h->thread, name, (nsec)i * STEP, STEP);
}

uint32_t draw_launch(struct hand *h, enum kind kind, uint32_t lane, const char *name, nsec at,
	nsec call_ns, nsec start, nsec dur)
{
	const char *call_name = kind == KIND_KERNEL ? "cudaLaunchKernel" : "cudaMemcpyAsync";
	uint32_t call = hand_event(&h->run, KIND_RUNTIME, h->thread, call_name, at, call_ns);
	uint32_t row = hand_event(&h->run, kind, lane, name, start, dur);

	h->correlation++;
	hand_ids(&h->run, call, h->correlation, 0);
	hand_ids(&h->run, row, h->correlation, 0);
	return row;
}

uint32_t draw_kernel(struct hand *h, nsec at, nsec start, nsec dur)
{
	return draw_launch(h, KIND_KERNEL, h->compute, "gemm", at, US, start, dur);
}

void diag_ask(struct answer *a, struct hand *h, const struct diagnose_options *o,
	const struct settings *settings, bool for_people)
{
	const struct filter filter = { 0 };
	const struct diagnose_options none = { 0 };
	const struct run *list[] = { &h->run };
	const struct query q = { .run = list,
		.nrun = 1,
		.filter = &filter,
		.opts = o ? o : &none,
		.for_people = for_people,
		.settings = settings };

	index_build(&h->run, analysis_diagnose.runs.needs);
	*a = (struct answer){ 0 };
	err_clear(&a->err);
	result_init(&a->result, "test/1");
	(void)result_input(&a->result, "hand.json");
	a->status = analysis_answer(&analysis_diagnose, &q, &a->result, &a->exit_code, &a->err);
}

const struct table *diag_table(const struct answer *a, const char *id)
{
	size_t i;

	for (i = 0; i < a->result.ntable; i++)
		if (strcmp(a->result.table[i]->id, id) == 0)
			return a->result.table[i];
	return NULL;
}

void diag_verdict(const struct answer *a, const char *word)
{
	struct span s = hand_text(diag_table(a, "verdict"), 0, "verdict");

	if (!span_is(s, word))
		fail_msg("verdict %.*s, not %s", (int)s.n, s.p, word);
}

void diag_second(const struct answer *a, const char *word)
{
	struct span s = hand_text(diag_table(a, "verdict"), 0, "second");

	if (!span_is(s, word ? word : ""))
		fail_msg("second verdict %.*s, not %s", (int)s.n, s.p, word ? word : "none");
}

size_t diag_row(const struct answer *a, const char *rule)
{
	size_t row = hand_find(diag_table(a, "findings"), "rule", rule);

	if (row == SIZE_MAX)
		fail_msg("no finding %s", rule);
	return row;
}

void diag_severity(const struct answer *a, const char *rule, const char *word)
{
	struct span s = hand_text(diag_table(a, "findings"), diag_row(a, rule), "severity");

	if (!span_is(s, word))
		fail_msg("%s is %.*s, not %s", rule, (int)s.n, s.p, word);
}

void diag_saves_by(const struct answer *a, const char *rule, const char *word)
{
	struct span s = hand_text(diag_table(a, "findings"), diag_row(a, rule), "saves_by");

	if (!span_is(s, word))
		fail_msg("%s saves by %.*s, not %s", rule, (int)s.n, s.p, word);
}

double diag_number(const struct answer *a, const char *rule, const char *key)
{
	return hand_real(diag_table(a, "findings"), diag_row(a, rule), key);
}

void diag_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * fabs(want) + 1e-12))
		fail_msg("%.12g, not %.12g", got, want);
}

void diag_end(struct answer *a, struct hand *h)
{
	result_clear(&a->result);
	run_clear(&h->run);
}

void draw_loader(struct hand *h, int steps, nsec gemm)
{
	int i;

	draw_begin(h);
	for (i = 0; i < steps; i++) {
		nsec t = (nsec)i * STEP;

		draw_step(h, i);
		(void)hand_event(&h->run, KIND_OP, h->thread,
			"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", t, 400 * US);
		(void)draw_kernel(h, t + 410 * US, t + 420 * US, gemm);
	}
}
