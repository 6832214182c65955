/* `critical`: device work behind other work on its stream, by whether it needs its data, as an
 * execution trace tells. */
#include "analyze/answer/critical/critical.h"

#include "analyze/analysis/row_limit.h"
#include "analyze/trace/links/etjoin.h"
#include "base/unit.h"

/* One class, or one operator of one. */
struct row {
	struct critical_data sum;
	enum data_class cls;
	sym op;
	struct span text;
};

struct rows_of {
	struct keymap keys; /* class, op */
	struct row *v;
	size_t n, cap;
};

struct row_key {
	uint32_t cls;
	sym op;
};

static struct row *find_row(struct rows_of *o, uint32_t cls, sym op)
{
	const struct row_key key = { cls, op };
	uint32_t at = keymap_add(&o->keys, &key);

	if (at == o->n)
		PUSH(o->v, o->n, o->cap, (struct row){ .cls = (enum data_class)cls, .op = op });
	return &o->v[at];
}

/* All of it in the steps, on the path or not. */
static void collect(const struct critical *c, struct rows_of *o)
{
	const struct depend *d = &c->depend;

	for (uint32_t i = 0; i < d->n; i++) {
		const struct depend_node *n = &d->node[i];

		if (c->data.cls[i] == DATA_COUNT || !critical_is_in_step(c, n->at))
			continue;
		struct row *row = find_row(o, c->data.cls[i], critical_op(c, n->row));
		row->sum.calls++;
		saturate_onto(&row->sum.total, d->run->events.dur[n->row]);
		if (c->data_ns[i] == 0)
			continue;
		saturate_onto(&row->sum.ns, c->data_ns[i]);
		row->sum.on_path++;
	}
}

/* ---- tables ---- */

static void put(const struct critical *c, struct table *t, const struct critical_data *s)
{
	TABLE_ROW(t, [CDATA_NS] = cell_int(s->ns),
		[CDATA_SHARE] = cell_ratio(s->ns, critical_whole(c)),
		[CDATA_TOTAL] = cell_int(s->total), [CDATA_CALLS] = cell_int(s->calls),
		[CDATA_ON_PATH] = cell_int(s->on_path));
}

/* What it would bring if what only follows did not; said with what is left out of it. */
static void put_saving(struct critical *c, struct table *t)
{
	const struct scenario s = { .apart = &c->data };
	struct whatif_times times = { 0 };
	nsec saves = predict_saves(&c->predict, &s, &times);

	whatif_clear(&times);
	table_int(t, CDATA_SAVES, saves);
	result_note(c->at->out, NOTE_INFO, "data_apart", c->at->input, saves,
		"at most %s less if work that needs no data of the work before it ran on "
		"streams of its own and the GPU had room for all of it; what is unknown stays "
		"in place",
		unit_time(&c->at->out->mem, (double)saves));
}

static void put_classes(struct critical *c, const struct rows_of *o)
{
	struct table *t = perrun_table(c->at, &critical_docs[CRITICAL_DATA]);
	struct critical_data sum[DATA_COUNT] = { 0 };

	for (EACH(const struct row, row, o->v, o->n)) {
		struct critical_data *s = &sum[row->cls];

		saturate_onto(&s->ns, row->sum.ns);
		saturate_onto(&s->total, row->sum.total);
		s->calls += row->sum.calls;
		s->on_path += row->sum.on_path;
	}
	for (size_t i = 0; i < DATA_COUNT; i++) {
		if (sum[i].calls == 0)
			continue;
		put(c, t, &sum[i]);
		TABLE_CELLS(t, [CDATA_WORD] = cell_word(data_word((enum data_class)i)),
			[CDATA_KEY] = cell_word(data_key((enum data_class)i)),
			[CDATA_MEANS] = cell_word(data_what((enum data_class)i)));
		if (i == DATA_FOLLOWS)
			put_saving(c, t);
	}
	rows_for_people(c->at->q, t);
}

ORDER(by_time, struct row, compare3_down(a->sum.ns, b->sum.ns),
	compare3_down(a->sum.total, b->sum.total), compare3(a->cls, b->cls),
	span_cmp(a->text, b->text))

static void put_ops(struct critical *c, const struct rows_of *o)
{
	struct table *t = perrun_table(c->at, &critical_docs[CRITICAL_DATA_OPS]);
	size_t n = 0;

	for (EACH(struct row, row, o->v, o->n))
		row->text = critical_text(c, row->op);
	sort_rows(o->v, o->n, sizeof(*o->v), by_time);
	for (size_t i = 0; i < o->n; i++) {
		if (!filter_name(&c->at->view, o->v[i].op) || n++ >= c->limit)
			continue;
		put(c, t, &o->v[i].sum);
		TABLE_CELLS(t, [CDATA_WORD] = cell_word(data_word(o->v[i].cls)),
			[CDATA_KEY] = cell_word(data_key(o->v[i].cls)),
			[CDATA_OP] = cell_name(o->v[i].text));
	}
	rows_cut(t, CDATA_OP, n > c->limit ? n - c->limit : 0);
	rows_for_people(c->at->q, t);
}

/* Those found beside the trace that are not taken, and why. */
static void put_untaken(const struct critical *c)
{
	const struct perrun *at = c->at;
	const struct etjoin *j = at->run->etjoin;
	SCOPED_STR b = { 0 };

	if (j->choice == ETJOIN_SEVERAL) {
		result_note(at->out, NOTE_INFO, "et_several", at->input, (int64_t)j->nalike,
			"%zu execution traces beside the trace fit alike, so that none is taken: %s, "
			"%s%s; --et takes one",
			j->nalike, j->et->path, j->alike->path, j->nalike > 2 ? ", ..." : "");
		return;
	}
	if (j->ntried == 1)
		str_addf(&b, "the execution trace beside the trace, %s, is", j->et->path);
	else
		str_addf(&b, "of %zu execution traces beside the trace none is its own; %s is",
			j->ntried, j->et->path);
	if (j->owner == ETJOIN_OTHER_RANK)
		str_adds(&b, " of another rank");
	else if (j->owner == ETJOIN_OTHER_PROCESS)
		str_addf(&b, " of another process, %" PRId64, j->et->pid);
	else
		str_addf(&b, " of other work: none of its %zu calls is found, in their order",
			j->ncall);
	result_note(
		at->out, NOTE_INFO, "et_none", at->input, (int64_t)j->ntried, "%s; not taken", b.s);
}

/* "931 of 931 calls of the execution trace are found, in 38 iterations, ..." */
static void put_joined(const struct critical *c)
{
	const struct perrun *at = c->at;
	const struct etjoin *j = at->run->etjoin;
	SCOPED_STR b = { 0 };

	if (j->choice != ETJOIN_TAKEN) {
		put_untaken(c);
		return;
	}
	if (j->npair == 0) {
		result_note(at->out, NOTE_WARNING, "et_unfit", at->input, 0,
			"none of the %zu calls of the execution trace is found in this trace, "
			"in their order: is it from the same program and process?",
			j->ncall);
		return;
	}
	str_addf(&b, "%zu of %zu calls of the execution trace are found, in %zu iteration%s",
		j->seen, j->ncall, j->niteration, plural_s(j->niteration));
	if (j->niteration > 1 || j->whole < j->niteration)
		str_addf(&b, ", all of them in %zu", j->whole);
	if (j->nsteps > 0)
		str_addf(&b, ", in %zu of %zu steps", j->in_steps, j->nsteps);
	if (j->by_id > 0)
		str_addf(&b, "; %zu calls by their number", j->by_id);
	if (j->et->is_found)
		str_addf(&b, "; it lies beside the trace: %s", j->et->path);
	else if (j->ntried > 1)
		str_addf(&b, "; of %zu it is %s", j->ntried, j->et->path);
	if (j->nalike > 1)
		str_addf(&b, ", and %zu fit alike", j->nalike);
	result_note(at->out, NOTE_INFO, "et_joined", at->input, (int64_t)j->npair, "%s", b.s);
}

void critical_put_data(struct critical *c)
{
	struct rows_of o = { 0 };

	if (!c->at->run->etjoin)
		return;
	if (c->has_data_deps) {
		keymap_init(&o.keys, sizeof(struct row_key));
		collect(c, &o);
		put_classes(c, &o);
		put_ops(c, &o);
		keymap_clear(&o.keys);
		free(o.v);
	}
	put_joined(c);
}
