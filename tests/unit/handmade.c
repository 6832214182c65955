/* Runs made by hand. */
#include "tests/unit/handmade.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analysis/analysis.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "base/xalloc.h"

static sym number_text(struct run *r, int64_t n)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%lld", (long long)n);
	return strings_intern(&r->strings, span_of(text));
}

uint32_t hand_thread(struct run *r, int64_t tid)
{
	struct lane key = {
		.pid = number_text(r, 100),
		.tid = number_text(r, tid),
		.pid_number = 100,
		.tid_number = tid,
		.device = -1,
		.stream = -1,
	};

	return lanes_add(&r->lanes, &key);
}

uint32_t hand_stream(struct run *r, int64_t device, int64_t stream)
{
	struct lane key = {
		.pid = number_text(r, device),
		.tid = number_text(r, stream),
		.pid_number = device,
		.tid_number = stream,
		.is_device = true,
		.device = device,
		.stream = stream,
	};

	return lanes_add(&r->lanes, &key);
}

uint32_t hand_event(
	struct run *r, enum kind kind, uint32_t lane, const char *name, nsec start, nsec dur)
{
	struct events *ev = &r->events;
	enum args_table table = args_table_of(kind);
	size_t row = ev->n;

	events_reserve(ev, 1);
	ev->start[row] = start;
	ev->dur[row] = dur;
	ev->name[row] = strings_intern(&r->strings, span_of(name));
	ev->lane[row] = lane;
	ev->args[row] = table == ARGS_NONE ? NO_ARGS : args_row(&r->args, table);
	ev->kind[row] = (uint8_t)kind;
	ev->flags[row] = 0;
	ev->n++;
	r->nevent++;
	r->kind_count[kind]++;
	r->first_ns = start < r->first_ns ? start : r->first_ns;
	r->last_ns = start + dur > r->last_ns ? start + dur : r->last_ns;
	return (uint32_t)row;
}

static void set_id(struct run *r, enum arg arg, uint32_t row, uint64_t id)
{
	if (id)
		r->args.col[arg].id[r->events.args[row] - 1] = ids_pack(&r->ids, id);
}

void hand_ids(struct run *r, uint32_t row, uint64_t correlation, uint64_t external_id)
{
	switch (args_table_of((enum kind)r->events.kind[row])) {
	case ARGS_LAUNCH:
		set_id(r, ARG_LAUNCH_CORRELATION, row, correlation);
		set_id(r, ARG_LAUNCH_EXTERNAL_ID, row, external_id);
		break;
	case ARGS_DEVICE:
		set_id(r, ARG_DEVICE_CORRELATION, row, correlation);
		set_id(r, ARG_DEVICE_EXTERNAL_ID, row, external_id);
		break;
	default: set_id(r, ARG_OP_EXTERNAL_ID, row, external_id);
	}
}

void hand_arg(struct run *r, uint32_t row, enum arg arg, union arg_value value)
{
	args_change(&r->args, arg, r->events.args[row] - 1, value);
}

uint32_t hand_launch(struct run *r, uint32_t thread, uint32_t stream, nsec at, nsec kernel_at,
	nsec kernel_dur, uint64_t correlation)
{
	uint32_t call = hand_event(r, KIND_RUNTIME, thread, "cudaLaunchKernel", at, 2);
	uint32_t kernel = hand_event(r, KIND_KERNEL, stream, "kernel", kernel_at, kernel_dur);

	hand_ids(r, call, correlation, 0);
	hand_ids(r, kernel, correlation, 0);
	return kernel;
}

void hand_count(struct run *r, const char *cat, char ph, int64_t n)
{
	PUSH(r->cat, r->ncat, r->cat_cap,
		(struct cat_count){
			.cat = cat ? strings_intern(&r->strings, span_of(cat)) : 0,
			.has_cat = cat != NULL,
			.ph = ph,
			.count = n,
		});
}

void hand_ask(struct hand_answer *h, const struct analysis *a, struct run *r, bool for_people)
{
	const struct filter filter = { 0 };
	const struct run *list[] = { r };
	void *opts = calloc(1, a->options.size + 1);
	const struct query q = {
		.run = list, .nrun = 1, .filter = &filter, .opts = opts, .for_people = for_people
	};

	if (!opts)
		die_oom(a->options.size);
	memcpy(opts, a->options.defaults, a->options.size);
	index_build(r, a->runs.needs);
	*h = (struct hand_answer){ 0 };
	err_clear(&h->err);
	result_init(&h->result, "test/1");
	(void)result_input(&h->result, "hand.json");
	h->status = analysis_answer(a, &q, &h->result, &h->exit_code, &h->err);
	free(opts);
}

void hand_release(struct hand_answer *h)
{
	result_clear(&h->result);
}

const struct table *hand_table(const struct hand_answer *h, const char *id)
{
	size_t i;

	for (i = 0; i < h->result.ntable; i++)
		if (strcmp(h->result.table[i]->id, id) == 0)
			return h->result.table[i];
	return NULL;
}

static const union cell *cell(const struct table *t, size_t row, const char *key)
{
	size_t i = 0;

	while (i < t->ncol && strcmp(t->col[i].key, key) != 0)
		i++;
	if (i == t->ncol)
		fprintf(stderr, "the table '%s' has no column '%s'\n", t->id, key);
	assert(i < t->ncol && row < t->nrow);
	return table_cell(t, row, i);
}

int64_t hand_int(const struct table *t, size_t row, const char *key)
{
	const union cell *v = cell(t, row, key);

	return v ? v->i : INT64_MIN;
}

struct span hand_text(const struct table *t, size_t row, const char *key)
{
	const union cell *v = cell(t, row, key);

	return v ? v->s : SPAN("");
}

double hand_real(const struct table *t, size_t row, const char *key)
{
	const union cell *v = cell(t, row, key);

	return v ? v->r : NAN;
}

bool hand_bool(const struct table *t, size_t row, const char *key)
{
	const union cell *v = cell(t, row, key);

	return v && v->b;
}

bool hand_knows(const struct table *t, size_t row, const char *key)
{
	return cell(t, row, key) != NULL;
}

size_t hand_find(const struct table *t, const char *key, const char *text)
{
	size_t row;

	for (row = 0; row < t->nrow; row++)
		if (span_is(hand_text(t, row, key), text))
			return row;
	return SIZE_MAX;
}
