/* Asking `top` about runs made by hand. */
#include "tests/unit/analyze/answer/top/top_ask.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/index.h"
#include "cmd/commands.h"

struct top_ask top_ask_defaults(void)
{
	const struct top_options *defaults = analysis_top.options.defaults;

	return (struct top_ask){ .layout = TABLE_GRID, .opts = *defaults };
}

void top_ask(struct hand_answer *h, struct run *r, const struct top_ask *a)
{
	const struct run *list[] = { r };
	const struct query q = { .run = list,
		.nrun = 1,
		.filter = &a->filter,
		.opts = &a->opts,
		.layout = a->layout,
		.for_people = a->for_people };

	index_build(r, analysis_top.runs.needs);
	*h = (struct hand_answer){ 0 };
	err_clear(&h->err);
	result_init(&h->result, "traceq.top/1");
	(void)result_input(&h->result, "hand.json");
	h->status = analysis_answer(&analysis_top, &q, &h->result, &h->exit_code, &h->err);
}

bool top_has_note(const struct hand_answer *h, const char *id)
{
	size_t i;

	for (i = 0; i < h->result.nnote; i++)
		if (strcmp(h->result.note[i].id, id) == 0)
			return true;
	return false;
}

size_t top_row(const struct table *t, const char *name)
{
	size_t row;

	assert_non_null(t);
	row = hand_find(t, "name", name);
	if (row == SIZE_MAX)
		fail_msg("no row '%s'", name);
	return row;
}

void top_training(struct run *r)
{
	uint32_t t, s7, s9;

	run_init(r, analysis_top.runs.needs | NEED_SHAPES);
	t = hand_thread(r, 1);
	s7 = hand_stream(r, 0, 7);
	s9 = hand_stream(r, 0, 9);
	(void)hand_event(r, KIND_ANNOTATION, t, "ProfilerStep#5", 0, 100);
	(void)hand_event(r, KIND_OP, t, "to", 10, 40);
	(void)hand_event(r, KIND_OP, t, "to", 12, 34);
	(void)hand_event(r, KIND_OP, t, "copy", 15, 20);
	(void)hand_event(r, KIND_OP, t, "mm", 60, 30);
	(void)hand_event(r, KIND_ANNOTATION, t, "ProfilerStep#6", 100, 100);
	(void)hand_event(r, KIND_OP, t, "mm", 110, 30);
	(void)hand_launch(r, t, s7, 20, 30, 30, 1);
	(void)hand_launch(r, t, s9, 70, 50, 40, 2);
	(void)hand_launch(r, t, s7, 120, 150, 10, 3);
}
