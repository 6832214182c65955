/*
 * `critical`: how much longer work that is not on the path could take.
 */
#include "analyze/answer/critical/critical.h"

#include <stdlib.h>

#include "analyze/analysis/row_limit.h"
#include "analyze/stat/stats.h"
#include "analyze/trace/run.h"
#include "base/compare3.h"
#include "base/saturate.h"
#include "base/search.h"

/* Work of one name; bytes only. */
struct slack_key {
	uint32_t owner;
	sym name;
};

struct slack_sum {
	nsec total;
	int64_t *slack; /* of each */
	size_t n;
};

struct slacks {
	struct critical *c;
	const nsec *slack; /* by node */
	struct keymap keys;
	struct slack_sum *sum;
	size_t cap;
	struct critical_ops ops;
};

bool critical_is_in_step(const struct critical *c, nsec t)
{
	bool is_in = false;
	size_t lo = PARTITION_POINT(i, 0, c->window.nstep, c->window.time[i].start <= t);

	while (!is_in && lo-- > 0 && c->cut.latest[lo] > t)
		is_in = c->window.time[lo].end > t;
	return is_in;
}

/* Whether the node is work in the steps, beside the path, that something follows. */
static bool is_beside(const struct slacks *s, uint32_t node)
{
	const struct depend_node *n = &s->c->depend.node[node];

	return depend_is_work(n) && s->slack[node] != INT64_MAX &&
		!(s->c->on_path[node / 64] >> node % 64 & 1) && critical_is_in_step(s->c, n->at) &&
		filter_name(&s->c->at->view, s->c->at->run->events.name[n->row]);
}

static uint32_t key_of(struct slacks *s, uint32_t node)
{
	const struct depend_node *n = &s->c->depend.node[node];
	struct slack_key key = {
		.owner = owner_of_work((enum devclass)n->cls),
		.name = s->c->at->run->events.name[n->row],
	};

	return keymap_add(&s->keys, &key);
}

static void take(struct slacks *s, uint32_t node, uint32_t key)
{
	uint32_t row = s->c->depend.node[node].row;
	sym op = critical_op(s->c, row);
	nsec dur = s->c->at->run->events.dur[row];

	s->sum[key].slack[s->sum[key].n++] = s->slack[node];
	saturate_onto(&s->sum[key].total, dur);
	if (op)
		critical_ops_add(&s->ops, key, op, dur);
}

/* Twice over all work: how much there is under each key, then what it has. */
static void collect(struct slacks *s)
{
	const struct depend *d = &s->c->depend;
	uint32_t i;
	size_t k;

	for (i = 0; i < d->n; i++) {
		size_t n = s->keys.n;
		uint32_t at;

		if (!is_beside(s, i))
			continue;
		at = key_of(s, i);
		if (at == n) {
			s->sum = array_grow(s->sum, &s->cap, n + 1, sizeof(*s->sum));
			s->sum[at] = (struct slack_sum){ 0 };
		}
		s->sum[at].n++;
	}
	for (k = 0; k < s->keys.n; k++) {
		s->sum[k].slack = arena_array(&s->c->at->mem, s->sum[k].n, sizeof(int64_t));
		s->sum[k].n = 0;
	}
	for (i = 0; i < d->n; i++) {
		if (is_beside(s, i))
			take(s, i, key_of(s, i));
	}
}

struct place {
	const struct slack_key *key;
	struct slack_sum *sum;
	struct span name, op;
};

/* What takes longest first; then by name. */
static int by_time(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;
	int d;

	if (a->sum->total != b->sum->total)
		return compare3(b->sum->total, a->sum->total);
	d = span_cmp(a->name, b->name);
	return d ? d : (int)a->key->owner - (int)b->key->owner;
}

static void put_row(struct table *t, const struct place *p)
{
	struct slack_sum *sum = p->sum;

	table_row(t);
	table_int(t, CSLACK_TOTAL, sum->total);
	table_int(t, CSLACK_CALLS, (int64_t)sum->n);
	table_int(t, CSLACK_LEAST, stats_select(sum->slack, sum->n, 0));
	table_real(t, CSLACK_MEDIAN, stats_quantile(sum->slack, sum->n, 0.5));
	table_text(t, CSLACK_CLASS, span_of(owner_word((enum owner)p->key->owner)));
	if (p->name.n)
		table_text(t, CSLACK_NAME, p->name);
	if (p->op.n)
		table_text(t, CSLACK_OP, p->op);
}

static void put_rows(struct slacks *s)
{
	struct table *t = perrun_table(s->c->at, &critical_docs[CRITICAL_SLACK]);
	struct place *v = arena_array(&s->c->at->mem, s->keys.n, sizeof(*v));
	const sym *op = critical_ops_main(&s->ops, s->keys.n, &s->c->at->mem);
	size_t i;

	for (i = 0; i < s->keys.n; i++) {
		const struct slack_key *key = keymap_key(&s->keys, (uint32_t)i);

		v[i] = (struct place){ key, &s->sum[i], critical_text(s->c, key->name),
			critical_text(s->c, op[i]) };
	}
	if (s->keys.n > 1)
		qsort(v, s->keys.n, sizeof(*v), by_time);
	for (i = 0; i < s->keys.n && i < s->c->limit; i++)
		put_row(t, &v[i]);
	rows_cut(t, CSLACK_NAME, s->keys.n - i);
}

void critical_put_slack(struct critical *c)
{
	struct slacks s = { .c = c, .slack = c->late };

	keymap_init(&s.keys, sizeof(struct slack_key));
	critical_ops_init(&s.ops);
	collect(&s);
	if (s.keys.n > 0)
		put_rows(&s);
	keymap_clear(&s.keys);
	critical_ops_clear(&s.ops);
	free(s.sum);
}
